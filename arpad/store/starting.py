"""What every start does first: the site, the worker, each command on a ledger."""

from __future__ import annotations

from typing import NamedTuple

from arpad.store.erasure import apply_journal
from arpad.store.sweeping import sweep


class Started(NamedTuple):
    """What a start put right."""

    swept: int  # recordings that a crash had left unsealed
    erased: int  # persons whom the erasure journal names and the database still knew


def start(using: str = "default") -> Started:
    """For every program that opens a ledger (site, worker, command): the database as it may be shown.

    Whoever was erased after the backup that this database may come from is erased again (the journal lies
    outside it), and what a crash left unsealed is removed, but for what another program is writing now.
    A few look-ups where there is nothing to do; the journal is read in the data folder.
    """
    erased = apply_journal(using=using)
    return Started(sweep(using, spare=True), erased)
