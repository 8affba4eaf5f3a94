"""Pools kept warm in memory, so that one more result costs no reading of a ledger.

    service = Service(limit=800_000_000)
    with service.settler(pool) as settler:
        settler.settle()

One worker holds one Service. What is in memory is never the truth: it is dropped and made again at will.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager

from arpad.store.models import Pool
from arpad.store.settle import Settler

LIMIT = 1_000_000_000  # bytes
PER_PERSON = 400  # names, keys and maps, measured
PER_GAME = 130  # columns, identities and the map of games


class Service:
    """Settlers by pool; the ones used longest ago are dropped when all together take too much memory."""

    def __init__(self, limit: int = LIMIT, using: str = "default") -> None:
        self.limit, self.using = limit, using
        self._settlers: OrderedDict[int, Settler] = OrderedDict()
        self._locks: dict[int, threading.RLock] = {}
        self._lock = threading.Lock()

    @contextmanager
    def settler(self, pool: Pool) -> Iterator[Settler]:
        """A pool's settler, for one thread at a time."""
        with self._lock:
            mine = self._locks.setdefault(pool.pk, threading.RLock())
        with mine:
            with self._lock:
                found = self._settlers.get(pool.pk)
                if found is None:
                    found = self._settlers[pool.pk] = Settler(pool, self.using)
                self._settlers.move_to_end(pool.pk)
            try:
                yield found
            finally:
                self._drop(pool.pk)

    def _drop(self, last_used: int) -> None:
        """Forget pools until the limit holds; the one just used goes last of all."""
        with self._lock:
            while len(self._settlers) > 1 and self.size() > self.limit:
                oldest = next(iter(self._settlers))
                if oldest == last_used:
                    break
                del self._settlers[oldest]
            only = self._settlers.get(last_used)
            if only is not None and size_of(only) > self.limit:
                del self._settlers[last_used]

    def size(self) -> int:
        """Bytes that all settlers take, about."""
        return sum(map(size_of, self._settlers.values()))

    def warm(self) -> list[int]:
        """The keys of the pools in memory, the one used longest ago first."""
        return list(self._settlers)


def size_of(settler: Settler) -> int:
    """Bytes that a settler takes, about: its ledger and its history."""
    ledger = settler.facts.ledger
    size = PER_PERSON * len(ledger.names) + PER_GAME * len(ledger.games)
    history = settler.history
    if history is not None:
        width = len(history.plan.ruleset.state_type._fields)
        size += 4 * (len(ledger.names) * width + history.plan.rows * (6 + 6) + history.settled * (width + 1))
    return size
