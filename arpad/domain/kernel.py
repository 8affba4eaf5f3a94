"""Marks the pure functions that run interpreted and compiled from one source.

A kernel takes and returns whole numbers, floats and NamedTuples of those; it uses no None,
string, `_replace`, `_asdict` or `round`. Marking only records the function, so that importing
a ruleset imports neither numba nor numpy; the engine registers what was recorded just before
it compiles (design, section 3).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

F = TypeVar("F", bound=Callable[..., object])

_recorded: list[Callable[..., object]] = []


def kernel(function: F) -> F:
    """Record `function` as a kernel and return it unchanged."""
    _recorded.append(function)
    return function


def recorded() -> tuple[Callable[..., object], ...]:
    """Every kernel marked so far, in the order of marking."""
    return tuple(_recorded)
