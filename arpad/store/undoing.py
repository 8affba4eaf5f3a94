"""Undoing a recording: what it added is void, what it voided holds again, as far as nothing came after.

People, clubs, pools and events stay known: without games they are in no list. What a later recording
has changed again stays as that one left it.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable
from typing import Any

from arpad.store.holding import voided
from arpad.store.models import (
    Application,
    Correction,
    Event,
    EventInPool,
    Game,
    Import,
    Membership,
    ParameterChange,
    Posting,
    Recording,
    SamePerson,
    Void,
)
from arpad.store.recorder import Recorder, Ref

LARGE = 100_000  # facts above which a recording is written in pieces
KINDS: tuple[Any, ...] = (
    Game, Application, Correction, Posting, ParameterChange, SamePerson, Membership, Import,
)  # fmt: skip


def undo(recording: Recording) -> Callable[[Recorder], None]:
    """The edit that takes a recording back. Undoing that one brings it back again."""

    def edit(r: Recorder) -> None:
        _Undo(recording, r).write()

    edit.kind = "undo"  # type: ignore[attr-defined]
    edit.facts = recording.facts  # type: ignore[attr-defined]
    return edit


class _Undo:
    def __init__(self, recording: Recording, r: Recorder) -> None:
        self.recording, self.r = recording, r
        self.organisation, self.using = recording.organisation, r.using

    def write(self) -> None:
        """All voids."""
        taken: set[uuid.UUID] = set()  # what the recording added and holds until now
        for model in KINDS:
            taken |= self._void(model.KIND, self._rows(model))
        taken |= self._void(EventInPool.KIND, self._feeds())
        self._void(Void.KIND, self._voids(taken))

    def _rows(self, model: Any) -> list[tuple[int, uuid.UUID]]:
        rows = model.objects.using(self.using).filter(recording=self.recording)
        return list(rows.order_by("pk").values_list("pk", "uuid"))

    def _feeds(self) -> list[tuple[int, uuid.UUID]]:
        """Events that were put into a pool, or given another class. One that came with it stays, empty."""
        own = Event.objects.using(self.using).filter(recording=self.recording)
        rows = EventInPool.objects.using(self.using).filter(recording=self.recording)
        return list(rows.exclude(event__in=own).order_by("pk").values_list("pk", "uuid"))

    def _voids(self, taken: set[uuid.UUID]) -> list[tuple[int, uuid.UUID]]:
        """The recording's voids to be undone: not where the replacement has itself been changed since."""
        rows = Void.objects.using(self.using).filter(recording=self.recording).order_by("pk")
        own_events = set(
            Event.objects.using(self.using).filter(recording=self.recording).values_list("uuid", flat=True)
        )
        return [
            (key, identity)
            for key, identity, replacement in rows.values_list("pk", "uuid", "replaced_by")
            if replacement is None or replacement in taken or replacement in own_events
        ]

    def _void(self, kind: str, rows: Iterable[tuple[int, uuid.UUID]]) -> set[uuid.UUID]:
        """Void what holds of some facts; their UUIDs."""
        listed = list(rows)
        gone = voided(self.organisation, kind, [identity for _, identity in listed], self.using)
        for key, identity in listed:
            if identity not in gone:
                self.r.void(Ref(kind, key, identity))
        return {identity for _, identity in listed} - gone
