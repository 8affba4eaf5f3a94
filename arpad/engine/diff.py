"""What a change of the ledger did: the rows that differ, each with the row or fact it comes from.

A row is one side of a game, one player's settlement of a period, or what an act (first rating,
posting, correction) did to one player. Following `cause` from row to row ends at a fact.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import Any, NamedTuple

from arpad.engine.acts import KIND_NAMES
from arpad.engine.history import History
from arpad.engine.rows import ACT, GAME, SETTLED, Key, Row, Rows

Place = tuple[int, int, int]
ADDED, GONE, CHANGED = "fact-added", "fact-gone", "fact-changed"  # the row's own fact
PREVIOUS, OPPONENT, RULES = "previous", "opponent", "rules"


class Cause(NamedTuple):
    """Why a row differs: `row` is what it follows from; None where its own fact or the rules changed."""

    kind: str
    row: Key | None = None


class Difference(NamedTuple):
    """One row that differs."""

    key: Key
    day: int  # on which it counts
    old: Row | None  # None: the row is new
    new: Row | None  # None: the row is gone
    cause: Cause


def diff(old: History, new: History) -> list[Difference]:
    """Rows of `new` that differ from `old` (and rows that are gone), in playing order."""
    return list(Differences(old, new))


def origin(differences: list[Difference], key: Key) -> list[Difference]:
    """The chain from a row to the fact it comes from, that row first."""
    by_key = {difference.key: difference for difference in differences}
    chain: list[Difference] = []
    at = by_key.get(key)
    while at is not None and at not in chain:
        chain.append(at)
        at = by_key.get(at.cause.row) if at.cause.row is not None else None
    return chain


class Differences:
    """The rows that differ between two histories, and their causes when asked for."""

    def __init__(self, old: History, new: History) -> None:
        self.before, self.after = Rows(old), Rows(new)
        self.closing = 0 if new.plan.lists_are_periods else 1
        changed = Rows.changed(self.before, self.after)
        self.place = {key: self._place(key) for key in changed}
        self.order = sorted(
            changed, key=lambda key: (self.place[key], key.kind, str(key.subject), key.person)
        )
        self._by_person: dict[int, list[tuple[Place, Key]]] = {}
        for key in self.order:
            self._by_person.setdefault(key.person, []).append((self.place[key], key))

    def __iter__(self) -> Any:
        return (self[key] for key in self.order)

    def __contains__(self, key: Key) -> bool:
        return key in self.place

    def __getitem__(self, key: Key) -> Difference:
        a, b = self.before.row(key), self.after.row(key)
        day = (b or a).day if (b or a) else 0  # type: ignore[union-attr]
        return Difference(key, day, a, b, self._cause(key, a, b))

    def of(self, person: int) -> list[Key]:
        """A person's rows that differ, in playing order."""
        return [key for _, key in self._by_person.get(person, [])]

    def persons(self) -> list[int]:
        """Everybody with a row that differs."""
        return list(self._by_person)

    def _cause(self, key: Key, a: Row | None, b: Row | None) -> Cause:
        if key.kind == SETTLED:  # a settlement follows from its games, or from the state before
            return Cause(PREVIOUS, self._latest(key.person, self.place[key]))
        if a is None or b is None:
            return Cause(ADDED if a is None else GONE)
        if a.fact != b.fact:
            return Cause(CHANGED)
        seen = self.place[key] if key.kind == ACT else (b.source, 0, 0)  # what the row could see
        previous = self._latest(key.person, seen)
        if a.mine != b.mine and previous is not None:
            return Cause(PREVIOUS, previous)
        if a.theirs != b.theirs:
            same_game = Key(GAME, key.subject, b.opponent)
            theirs = same_game if same_game in self else self._latest(b.opponent, seen)
            if theirs is not None:
                return Cause(OPPONENT, theirs)
        if previous is None:
            previous = self._of_the_event(key)
        return Cause(PREVIOUS, previous) if previous is not None else Cause(RULES)

    def _of_the_event(self, key: Key) -> Key | None:
        """The player's game of the same event that was added, changed or is gone.

        Such a game can change another one: which game of an event may use the cap (FIDE, 2022).
        """
        event = self.after.event_of(key)
        for other in self.of(key.person):
            if other != key and other.kind == GAME:
                a, b = self.before.row(other), self.after.row(other)
                rows = self.before if b is None else self.after
                if (a is None or b is None or a.fact != b.fact) and rows.event_of(other) == event:
                    return other
        return None

    def _latest(self, person: int, limit: Place) -> Key | None:
        """A person's latest difference before a place."""
        rows = self._by_person.get(person, [])
        at = bisect_left(rows, limit, key=lambda row: row[0])
        return rows[at - 1][1] if at else None

    def _place(self, key: Key) -> Place:
        """(tick or row, stage in it, order of acts): what is gone, then acts, then games, then settlements.

        A row that is gone stands where its event stands now, so that its own event does not see it
        coming; without that, where its day stands; in pools with lists, where that period closes.
        """
        stage = {ACT: -1, GAME: 1, SETTLED: 2}[key.kind]
        row = self.after.row(key)
        order = key.subject[1] * 4 + KIND_NAMES.index(key.subject[0]) if key.kind == ACT else 0
        if row is not None:
            return (row.place, stage, order)
        gone = self.before.row(key)
        assert gone is not None
        event = self.before.event_of(key)
        tick = self.after.tick_of_event.get(event) if event is not None else None
        if tick is not None:
            return (tick, stage, order)
        return (self.after.plan.place_of_day(gone.day) + self.closing if gone.day else 0, stage - 5, order)


__all__ = [
    "ACT",
    "GAME",
    "KIND_NAMES",
    "SETTLED",
    "Cause",
    "Difference",
    "Differences",
    "Key",
    "diff",
    "origin",
]
