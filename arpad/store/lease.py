"""One settler a pool: a lease with heartbeat and fencing number.

Who holds the lease renews it while working. If the holder dies, the lease ends by itself and the
next one takes over with a higher fence; a holder that only seemed dead is turned away at the end.
"""

from __future__ import annotations

import os
import socket
import threading
import time
import uuid
from types import TracebackType

from django.db import connections, transaction
from django.db.models import F

from arpad.store.models import Lease, Pool

LASTS = 15.0  # seconds without a sign of life
BEAT = 4.0


class LeaseTaken(Exception):
    """Somebody else is settling this pool."""


class LeaseLost(Exception):
    """The lease ended while we worked and somebody else has it."""


class Held:
    """with Held(pool) as lease: ... lease.check() inside the last transaction."""

    def __init__(self, pool: Pool, using: str = "default", wait: float = 30.0) -> None:
        self.pool, self.using, self.wait = pool, using, wait
        self.holder = f"{socket.gethostname()[:30]}:{os.getpid()}:{uuid.uuid4().hex[:8]}"
        self.fence = 0
        self._stop = threading.Event()

    def __enter__(self) -> Held:
        limit = time.monotonic() + self.wait
        while not self._take():
            if time.monotonic() > limit:
                raise LeaseTaken(f"{self.pool.slug} is being settled by another process")
            time.sleep(0.1)
        self._thread = threading.Thread(target=self._beat, daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join()
        mine = Lease.objects.using(self.using).filter(pool_id=self.pool.pk, fence=self.fence)
        mine.update(until=0.0, holder="")

    def _take(self) -> bool:
        leases = Lease.objects.using(self.using)
        with transaction.atomic(using=self.using):
            leases.get_or_create(pool_id=self.pool.pk)
            free = leases.filter(pool_id=self.pool.pk, until__lt=time.time())
            if not free.update(holder=self.holder, fence=F("fence") + 1, until=time.time() + LASTS):
                return False
            self.fence = leases.get(pool_id=self.pool.pk).fence
            return True

    def _beat(self) -> None:
        try:
            while not self._stop.wait(BEAT):
                mine = Lease.objects.using(self.using).filter(pool_id=self.pool.pk, fence=self.fence)
                mine.update(until=time.time() + LASTS)
        finally:
            connections[self.using].close()

    def check(self) -> None:
        """Raise LeaseLost unless the lease is still ours. Inside a transaction, it stays so until its end."""
        held = (
            Lease.objects.using(self.using).select_for_update().filter(pool_id=self.pool.pk, fence=self.fence)
        )
        if not held.exists():
            raise LeaseLost(f"another process has taken over {self.pool.slug}")
