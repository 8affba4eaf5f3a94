"""The facts of a large ledger verified by a process of their own, beside the ratings."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from typing import Any, TypeVar

from django.db import connections
from django.db.models import Sum

from arpad.store import setup
from arpad.store.models import Recording
from arpad.store.source import snapshot
from arpad.store.verify import Report, verify_facts

LARGE = 200_000  # facts from which a second process is worth its start
ALIAS = "verifying"
T = TypeVar("T")


def is_large(using: str) -> bool:
    """Whether a ledger has enough facts."""
    sealed = Recording.objects.using(using).exclude(number=None)
    return (sealed.aggregate(all=Sum("facts"))["all"] or 0) >= LARGE


def facts_and(using: str, rest: Callable[[], T], nothing: T) -> tuple[Report, T]:
    """What verify_facts() finds, and what `rest` gives meanwhile; `nothing` where the facts are damaged."""
    entry = dict(connections[using].settings_dict)
    with _uncollected(), ProcessPoolExecutor(1, get_context("spawn"), initializer=setup.start) as pool:
        facts = pool.submit(_facts, entry)
        try:
            found = rest()
        except Exception:  # of damaged facts anything may come
            if facts.result().good:
                raise
            found = nothing
        report = facts.result()
    return report, found if report.good else nothing


def _facts(entry: dict[str, Any]) -> Report:
    connections.databases[ALIAS] = connections.configure_settings({"default": entry})["default"]
    with _uncollected(), snapshot(ALIAS) as source:
        return verify_facts(source)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Without looking for rings among millions of rows that have none: a third of the time."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
