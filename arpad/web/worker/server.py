"""The worker's process: a socket that answers, and a loop that settles what was recorded."""

from __future__ import annotations

import json
import logging
import threading
from multiprocessing.connection import Connection, Listener
from pathlib import Path

from django.conf import settings
from django.db import close_old_connections, connections

from arpad.domain.problems import Refused
from arpad.store.models import Pool
from arpad.store.settle import waiting
from arpad.web.worker.asks import Asks
from arpad.web.worker.client import socket_path

log = logging.getLogger(__name__)
EVERY = 1.0  # seconds between two looks, woken or not
THREADS = 4


class Worker:
    """Runs until stop() is called."""

    def __init__(self) -> None:
        self.asks = Asks()
        self._woken, self._stopped = threading.Event(), threading.Event()
        self.asks.woken = self._woken.set

    def run(self) -> None:
        """Answer and settle."""
        path = Path(socket_path(settings.DATA))
        path.unlink(missing_ok=True)
        with Listener(str(path), "AF_UNIX", authkey=settings.SECRET_KEY.encode()) as listener:
            path.chmod(0o600)
            for _ in range(THREADS):
                threading.Thread(target=self._listen, args=(listener,), daemon=True).start()
            while not self._stopped.is_set():
                self._settle_all()
                self._woken.wait(EVERY)
                self._woken.clear()

    def stop(self) -> None:
        """End after what is being done."""
        self._stopped.set()
        self._woken.set()

    def _listen(self, listener: Listener) -> None:
        while not self._stopped.is_set():
            try:
                with listener.accept() as connection:
                    self._answer(connection)
            except (OSError, EOFError, ValueError):
                continue
            except Exception:
                log.exception("a question failed")

    def _answer(self, connection: Connection) -> None:
        if not connection.poll(5):
            return
        what, question = json.loads(connection.recv_bytes(1_000_000))
        try:
            answer = self.asks.answer(what, question)
        finally:
            connections.close_all()
        connection.send_bytes(json.dumps(answer).encode())

    def _settle_all(self) -> None:
        close_old_connections()
        for pool in Pool.objects.filter(recording__number__isnull=False).select_related("organisation"):
            if self._stopped.is_set() or not waiting(pool):
                continue
            try:
                with self.asks.service.settler(pool) as settler:
                    settler.settle()
            except Refused as refused:
                log.warning("pool %s is not settled: %s", pool.slug, refused.problems[0].code)
