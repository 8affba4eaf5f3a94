"""What holds: facts that are not void, and which persons are one. Only sealed recordings count."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

from django.db.models import Q

from arpad.store.models import Organisation, SamePerson, Void

T = TypeVar("T")
CHUNK = 5_000  # values of one IN (...)


class Merge(NamedTuple):
    """A merge that holds, by keys; `number` is its recording's."""

    key: int
    uuid: uuid.UUID
    kept: int
    merged: int
    number: int


def voided(
    organisation: Organisation, kind: str, facts: Iterable[uuid.UUID], using: str = "default", own: int = 0
) -> set[uuid.UUID]:
    """Those of some facts that are void now. A void that is itself void does not count.

    own  key of a recording that counts although it is not sealed yet
    """
    gone: set[uuid.UUID] = set()
    for some in chunks(list(facts)):
        rows = list(
            Void.objects.using(using)
            .filter(
                Q(recording__number__isnull=False) | Q(recording=own),
                organisation=organisation, target_kind=kind, target_uuid__in=some,
            )
            .values_list("uuid", "target_uuid")
        )  # fmt: skip
        if rows:
            undone = voided(organisation, "void", [void for void, _ in rows], using, own)
            gone |= {target for void, target in rows if void not in undone}
    return gone


def merges(organisation: Organisation, using: str = "default", own: int = 0) -> list[Merge]:
    """The merges that hold, in the order of their arrival. `own`: as in voided()."""
    rows = (
        SamePerson.objects.using(using)
        .filter(Q(recording__number__isnull=False) | Q(recording=own), organisation=organisation)
        .order_by("pk")
        .values_list("pk", "uuid", "kept_id", "merged_id", "recording__number")
    )
    found = [Merge(*row[:4], number=row[4] or 0) for row in rows]
    uuids = [merge.uuid for merge in found]
    gone = voided(organisation, SamePerson.KIND, uuids, using, own) if found else set()
    return [merge for merge in found if merge.uuid not in gone]


class Same:
    """Which persons are one, by keys: the same answer as the ledger's in memory."""

    def __init__(self, holds: Sequence[Merge]) -> None:
        self._root: dict[int, int] = {}
        self._members: dict[int, list[int]] = {}
        for merge in holds:
            kept, merged = self.root(merge.kept), self.root(merge.merged)
            if kept == merged:
                continue
            moving = self.members(merged)
            self._members[kept] = self.members(kept) + moving
            self._members.pop(merged, None)
            self._root.update(dict.fromkeys(moving, kept))

    def root(self, person: int) -> int:
        """The person that is kept."""
        return self._root.get(person, person)

    def merged(self) -> set[int]:
        """Everybody who is one with somebody else."""
        return set(self._root) | set(self._root.values())

    def members(self, person: int) -> list[int]:
        """Everybody who is that person, the kept one first."""
        root = self.root(person)
        return list(self._members.get(root, [root]))


def same(organisation: Organisation, using: str = "default") -> Same:
    """Which persons of an organisation are one now."""
    return Same(merges(organisation, using))


def chunks(values: Sequence[T], size: int = CHUNK) -> Iterator[Sequence[T]]:
    """A long list in pieces that a statement can hold."""
    for start in range(0, len(values), size):
        yield values[start : start + size]


def marks(values: Sequence[Any]) -> str:
    """Place-holders for an IN (...)."""
    return ", ".join(["%s"] * len(values))
