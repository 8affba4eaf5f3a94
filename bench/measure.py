"""Clocks and scales of the bench."""

from __future__ import annotations

import gc
import sys
import time
from array import array
from collections.abc import Callable
from statistics import median
from types import ModuleType
from typing import Any, NamedTuple

ROUNDS = 5


class Timing(NamedTuple):
    """Medians of the rounds, seconds. The second says what a busy machine did not take away."""

    wall: float
    cpu: float


def timed(*calls: Callable[[], Any], rounds: int = ROUNDS) -> list[Timing]:
    """Each call `rounds` times, turn by turn, so that all meet the same machine.

    Every timed call follows one that is not timed: what the call before it left behind (in memory that
    the system took back, in the processor's caches) is then the same for all.
    """
    found: list[list[Timing]] = [[] for _ in calls]
    for _ in range(rounds):
        for call, times in zip(calls, found, strict=True):
            call()
            gc.collect()
            wall, cpu = time.perf_counter(), time.process_time()
            result = call()
            times.append(Timing(time.perf_counter() - wall, time.process_time() - cpu))
            del result
    return [Timing(*(median(column) for column in zip(*times, strict=True))) for times in found]


def size_of(thing: Any, but: Any = ()) -> int:
    """Bytes of everything that `thing` holds, without what `but` holds too and without code."""
    seen: set[int] = set()
    for known in but:
        _walk(known, seen)
    return _walk(thing, seen)


def _walk(thing: Any, seen: set[int]) -> int:
    total, rest = 0, [thing]
    while rest:
        found = rest.pop()
        if id(found) in seen or isinstance(found, type | ModuleType) or callable(found):
            continue
        seen.add(id(found))
        total += _bytes(found)
        if isinstance(found, dict):
            rest += [*found.keys(), *found.values()]
        elif isinstance(found, list | tuple | set | frozenset):
            rest += found
        elif not isinstance(found, array) and type(found).__module__.startswith("arpad"):
            rest += [getattr(found, name) for name in getattr(found, "__slots__", ()) if hasattr(found, name)]
            rest.append(getattr(found, "__dict__", {}))
    return total


def _bytes(found: Any) -> int:
    if type(found).__module__ == "numpy" and hasattr(found, "nbytes"):
        base = found.base  # a view keeps all of what it looks at
        return int(max(found.nbytes, getattr(base, "nbytes", 0)))
    return sys.getsizeof(found)
