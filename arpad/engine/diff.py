"""What a change of the ledger did: the rows that differ, each with the row or fact it comes from.

A row is one side of a game, one player's settlement of a period, or what an act (first rating,
posting, correction) did to one player. Following `cause` from row to row ends at a fact.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from arpad.engine.acts import KIND_NAMES
from arpad.engine.compare import Compared, changed_acts, changed_games, changed_settlements
from arpad.engine.history import History
from arpad.engine.rows import ACT, GAME, SETTLED, Key, Row, Rows

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
    """The rows that differ between two histories, and their causes when asked for.

    A row is known by its place in `order`, here called its number, or by its key.
    """

    def __init__(self, old: History, new: History) -> None:
        self.before, self.after = Rows(old), Rows(new)
        self.since = new.continues(old)
        self.closing = 0 if new.plan.lists_are_periods else 1
        self._acts = changed_acts(self.before, self.after, self.since)
        games = changed_games(self.before, self.after, self.since)
        settled = changed_settlements(self.before, self.after, self.since)
        self._acts.sort(key=str)
        self._lay_out(games, settled)

    def _lay_out(self, games: Compared, settled: Compared) -> None:
        """All kinds together, in playing order."""
        acts = Compared(
            np.arange(len(self._acts)), np.array([key.person for key in self._acts], np.int64),
            *(np.array([key in rows.acts for key in self._acts], np.int64) - 1 for rows in self._both()),
        )  # fmt: skip
        columns = [np.concatenate(column) for column in zip(acts, games, settled, strict=True)]
        kind = np.repeat([0, 1, 2], [len(part.person) for part in (acts, games, settled)])
        place = np.empty(len(kind), np.int64)
        at = len(self._acts)
        place[:at] = [self._place_of_act(key) for key in self._acts]
        for part, code, stage in ((games, 1, 1), (settled, 2, 2)):
            place[at : at + len(part.person)] = self._places(part, code, stage)
            at += len(part.person)
        order = np.lexsort((columns[1], columns[0], kind, place))
        self.kind, self.place = kind[order], place[order]
        self.subject, self.person, self.left, self.right = (column[order] for column in columns)
        self._by_person = np.argsort(self.person, kind="stable")
        people, starts = np.unique(self.person[self._by_person], return_index=True)
        stops = np.append(starts, len(order))[1:].tolist()
        self._of = dict(zip(people.tolist(), zip(starts.tolist(), stops, strict=True), strict=True))

    def _both(self) -> tuple[Rows, Rows]:
        return self.before, self.after

    # --- in playing order -------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self.kind)

    def __iter__(self) -> Iterator[Difference]:
        return map(self.at, range(len(self)))

    @property
    def order(self) -> list[Key]:
        """The keys, in playing order."""
        return list(map(self.key, range(len(self))))

    def key(self, number: int) -> Key:
        """The key of a row."""
        kind, subject = int(self.kind[number]), int(self.subject[number])
        if kind == 0:
            return self._acts[subject]
        person = int(self.person[number])
        return (
            Key(GAME, subject, person) if kind == 1 else Key(SETTLED, self.after.period_name(subject), person)
        )

    def at(self, number: int) -> Difference:
        """What happened to a row, and why."""
        a, b = self.rows(number)
        row = b or a
        kind, follows = self.cause(number)
        cause = Cause(kind, self.key(follows) if follows >= 0 else None)
        return Difference(self.key(number), row.day if row else 0, a, b, cause)

    def rows(self, number: int) -> tuple[Row | None, Row | None]:
        """The row before and after; None where there is none."""
        found: list[Row | None] = []
        for rows, index in zip(self._both(), (self.left, self.right), strict=True):
            at, kind = int(index[number]), int(self.kind[number])
            if at < 0:
                found.append(None)
            elif kind == 0:
                found.append(rows.row(self._acts[int(self.subject[number])]))
            else:
                found.append(rows.game(at) if kind == 1 else rows.settlement(at))
        return found[0], found[1]

    def of(self, person: int) -> list[int]:
        """The numbers of a person's rows that differ, in playing order."""
        start, stop = self._of.get(person, (0, 0))
        numbers: list[int] = self._by_person[start:stop].tolist()
        return numbers

    def persons(self) -> list[int]:
        """Everybody with a row that differs, who was met first first."""
        return sorted(self._of, key=lambda person: int(self._by_person[self._of[person][0]]))

    def day(self, number: int) -> int:
        """The day on which a row counts."""
        if self.kind[number] != 1:
            a, b = self.rows(number)
            row = b or a
            return row.day if row else 0
        there = self.right[number] >= 0
        rows, index = (self.after, self.right) if there else (self.before, self.left)
        return int(rows.plan.day[int(index[number]) // 2])

    # --- why ----------------------------------------------------------------------------------------

    def cause(self, number: int) -> tuple[str, int]:
        """(kind of cause, number of the row it follows from; -1: none)."""
        kind, place = self.kind[number], int(self.place[number])
        person = int(self.person[number])
        if kind == 2:  # a settlement follows from its games, or from the state before
            return PREVIOUS, self._latest(person, place)
        left, right = int(self.left[number]), int(self.right[number])
        if left < 0 or right < 0:
            return ADDED if left < 0 else GONE, -1
        if kind == 0:
            return self._cause_of_act(number, person, place)
        if self._reported(left, right):
            return CHANGED, -1
        old, new = self.before.history.before, self.after.history.before
        seen = _packed(self.after.list_of(right // 2), 0, 0)  # what the row could see
        previous = self._latest(person, seen)
        if old[left] != new[right] and previous >= 0:
            return PREVIOUS, previous
        if old[left ^ 1] != new[right ^ 1]:
            plan = self.after.plan
            opponent = int((plan.player1 if right % 2 else plan.player2)[right // 2])
            theirs = self._other_side(number, opponent)
            theirs = self._latest(opponent, seen) if theirs < 0 else theirs
            if theirs >= 0:
                return OPPONENT, theirs
        if previous < 0:
            previous = self._of_the_event(number)
        return (PREVIOUS, previous) if previous >= 0 else (RULES, -1)

    def _cause_of_act(self, number: int, person: int, place: int) -> tuple[str, int]:
        a, b = self.rows(number)
        assert a is not None and b is not None
        if a.fact != b.fact:
            return CHANGED, -1
        previous = self._latest(person, place)
        return (PREVIOUS, previous) if previous >= 0 else (RULES, -1)

    def _reported(self, left: int, right: int) -> bool:
        """Whether something else was reported of a game that both histories have."""
        return not self.since and self.before.fact(left) != self.after.fact(right)

    def _other_side(self, number: int, opponent: int) -> int:
        """The opponent's side of a game that both histories have, if it differs; -1: it does not."""
        start, stop = self._of.get(opponent, (0, 0))
        places, place = self._places_by_person, int(self.place[number])
        at = bisect_left(places, place, start, stop)
        while at < stop and places[at] == place:
            other = int(self._by_person[at])
            if self.kind[other] == 1 and self.subject[other] == self.subject[number]:
                return other
            at += 1
        return -1

    def _of_the_event(self, number: int) -> int:
        """The player's game of the same event that was added, changed or is gone; -1: none.

        Such a game can change another one: which game of an event may use the cap (FIDE, 2022).
        """
        if self.kind[number] != 1:
            return -1
        event = self.after.plan.event[int(self.right[number]) // 2]
        for other in self.of(int(self.person[number])):
            if other != number and self.kind[other] == 1:
                left, right = int(self.left[other]), int(self.right[other])
                rows, side = (self.before, left) if right < 0 else (self.after, right)
                touched = left < 0 or right < 0 or self._reported(left, right)
                if touched and rows.plan.event[side // 2] == event:
                    return other
        return -1

    @cached_property
    def _places_by_person(self) -> list[int]:
        found: list[int] = self.place[self._by_person].tolist()
        return found

    def _latest(self, person: int, limit: int) -> int:
        """A person's latest difference before a place; -1: none."""
        start, stop = self._of.get(person, (0, 0))
        at = bisect_left(self._places_by_person, limit, start, stop)
        return int(self._by_person[at - 1]) if at > start else -1

    # --- places -------------------------------------------------------------------------------------

    def _places(self, part: Compared, kind: int, stage: int) -> Any:
        """(tick or row, stage in it, order of acts): what is gone, then acts, then games, then settlements.

        A row that is gone stands where its event stands now, so that its own event does not see it
        coming; without that, where its day stands; in pools with lists, where that period closes.
        """
        after = self.after
        if kind == 2:
            tick = np.searchsorted(after._tick_settled, part.right, "right") - 1
        else:
            tick = part.right // 2 if after.plan.ticks is None else after.tick_of_row[part.right // 2]
        found = _packed(tick.astype(np.int64), stage, 0)
        for at in np.flatnonzero(part.right < 0).tolist():
            left = int(part.left[at])
            row = self.before.game(left) if kind == 1 else self.before.settlement(left)
            event = None
            if kind == 1:
                event = self.before.plan.event[left // 2]
            elif self.after.plan.lists_are_periods and not self.after.game_by_game:
                event = int(part.subject[at])
            found[at] = self._place_of_gone(row.day, event, stage, 0)
        return found

    def _place_of_act(self, key: Key) -> int:
        order = key.subject[1] * 4 + KIND_NAMES.index(key.subject[0])
        row = self.after.row(key)
        if row is not None:
            return int(_packed(row.place, -1, order))
        gone = self.before.row(key)
        assert gone is not None
        return self._place_of_gone(gone.day, None, -1, order)

    def _place_of_gone(self, day: int, event: int | None, stage: int, order: int) -> int:
        tick = self.after.tick_of_event.get(event) if event is not None else None
        if tick is not None:
            return int(_packed(tick, stage, order))
        place = self.after.plan.place_of_day(day) + self.closing if day else 0
        return int(_packed(place, stage - 5, order))


def _packed(place: Any, stage: int, order: int) -> Any:
    """A place as one whole number: tick or row, then stage (-6 .. 2), then the order of acts of a day."""
    return (place << 4 | stage + 8) << 24 | order


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
