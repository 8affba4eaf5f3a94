"""A plan after a few more results: the rows of before with some put in and some taken out.

Laying a replay out anew costs more than running it: a million games are put in order, everybody enters.
Here the new rows find their places by the same keys, and what they do not touch stays as it is. What is
not as simple as that (a merge, a correction, an event that moves) is left to make_plan().
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

from arpad.domain.dates import month_of
from arpad.engine.kinds import Kind, Kinds, kind_tables
from arpad.engine.plan import Plan, timed
from arpad.engine.ticks import params_of_event
from arpad.ledger.ledger import Effective, Ledger
from arpad.ledger.order import PlayingOrder, content_of

MOST = 2_000  # rows put in or taken out; with more, laying out anew is as quick
OF_GAMES = ("game", "event", "event-in-pool", "elsewhere")  # kinds whose voids leave out games, or nothing


class Growth(NamedTuple):
    """Which rows are not common to two plans, rising."""

    added: list[int]  # rows of the new plan
    removed: list[int]  # rows of the old one

    @property
    def first(self) -> int:
        """Rows before this one are the same in both."""
        return min(self.added[:1] + self.removed[:1], default=2**62)


def extended(old: Plan, ledger: Ledger) -> tuple[Plan, Growth] | None:
    """The plan of a ledger that has grown since `old`, and how; None where make_plan() is needed."""
    counts, before = ledger.counts(), old.counts
    grown = before._replace(
        games=counts.games, voids=counts.voids, events=counts.events, names=counts.names,
        results=counts.results,
    )  # fmt: skip
    if old.until or counts != grown or any(map(int.__gt__, before, counts)):
        return None
    if counts.games - before.games > MOST:
        return None
    if any(void.target.kind not in OF_GAMES for void in ledger.voids[before.voids :]):
        return None
    left_out = old.now.left_out
    if ledger.voids:
        left_out = frozenset(fact.number for fact in ledger._voided() if fact.kind == "game")
        if not left_out >= old.now.left_out or len(left_out) - len(old.now.left_out) > MOST:
            return None
    person = old.now.person[:]
    person.extend(range(len(person), counts.names))
    return _Extension(old, ledger, old.now._replace(person=person, left_out=left_out)).plan()


class _NotSimple(Exception):
    """The plan must be laid out anew."""


class _Extension:
    """One plan on its way from another."""

    def __init__(self, old: Plan, ledger: Ledger, now: Effective) -> None:
        self.old, self.ledger, self.now = old, ledger, now
        self.by_event = old.ruleset.period != "game"
        self.events = ledger.events_now()
        self.first, self.last = list(old.order.first_day), list(old.order.last_day)
        for event in self.events[len(self.first) :]:
            self.first.append(event.start)
            self.last.append(0)

    def plan(self) -> tuple[Plan, Growth] | None:
        games, known = self.ledger.games, self.old.counts.games
        new = [g for g in range(known, len(games)) if g not in self.now.left_out]
        added = [g for g in new if games.player2[g] >= 0]
        gone = self.now.left_out - self.old.now.left_out
        try:
            removed = self._rows_of([g for g in gone if g < known])
            self._days(added, removed)
            players = self._players(new, removed)
            return self._spliced(added, removed, players)
        except _NotSimple:
            return None

    # --- which rows -----------------------------------------------------------------------------

    def _rows_of(self, games: list[int]) -> list[int]:
        """The rows of games that were played so far, rising."""
        if any(self.ledger.games.player2[g] < 0 for g in games):
            raise _NotSimple  # a bye has no row, but says who takes part
        order, key = self.old.order.games, self._key(self.old.order)
        rows = []
        for g in games:
            row = bisect_left(order, key(g), key=key)
            if row == len(order) or order[row] != g:  # equal to another game in all that orders them
                row = order.index(g)
            rows.append(row)
        return sorted(rows)

    def _key(self, order: PlayingOrder) -> Callable[[int], tuple[Any, ...]]:
        """What games are ordered by, as playing_order() does."""
        games, events, ledger = self.ledger.games, self.events, self.ledger

        def key(g: int) -> tuple[Any, ...]:
            e = games.event[g]
            event, day = events[e], games.day[g]
            rank = (event.order, order.first_day[e], event.key, e)
            place = (order.last_day[e], *rank, day) if self.by_event else (day, *rank)
            return (*place, games.round[g], games.board[g], games.sequence[g], content_of(ledger, g))

        return key

    def _days(self, added: list[int], removed: list[int]) -> None:
        """First and last days of the events touched. _NotSimple where that moves games that stay."""
        games, order = self.ledger.games, self.old.order.games
        touched = {games.event[g] for g in added} | {games.event[order[row]] for row in removed}
        for e in touched:
            came = [games.day[g] for g in added if games.event[g] == e]
            stay = self._staying(e, removed) if e < len(self.old.order.last_day) else []
            days = came + stay
            start = self.events[e].start
            first, last = start or min(days, default=0), max(days, default=0)
            if stay and (first != self.first[e] or last != self.last[e]):
                raise _NotSimple
            self.first[e], self.last[e] = first, last
            if came and self.by_event and first < self.old.ruleset.editions[0][0]:
                raise _NotSimple  # before the ruleset: told by make_plan()
        if not self.by_event and any(games.day[g] < self.old.ruleset.editions[0][0] for g in added):
            raise _NotSimple

    def _staying(self, event: int, removed: list[int]) -> list[int]:
        """The days of an event's rows that stay."""
        last = self.old.order.last_day[event]
        if not last:
            return []
        gone = set(removed)
        return [self.old.day[row] for row in _places(self.old.event, event) if row not in gone]

    def _players(self, new: list[int], removed: list[int]) -> list[int]:
        """Who takes part now. _NotSimple where somebody has no first rating, or no longer takes part."""
        games, old, person = self.ledger.games, self.old, self.now.person
        met = {person[p] for g in new for p in (games.player1[g], games.player2[g]) if p >= 0}
        joining = []
        for p in sorted(met):
            at = bisect_left(old.players, p)
            if at == len(old.players) or old.players[at] != p:
                joining.append(p)
        if joining and not old.ruleset.enters_unrated:
            raise _NotSimple
        left = {column[row] for row in removed for column in (old.player1, old.player2)} - met
        if left and not self._entered(left):
            raise _NotSimple
        if not joining:
            return old.players
        players = list(old.players)
        for p in joining:
            insort(players, p)
        return players

    def _entered(self, people: set[int]) -> bool:
        """Whether all of these persons have a first rating: they take part whatever they play."""
        return people <= {fact.person for fact in self.now.first_ratings if fact.person in people}

    # --- the new plan ---------------------------------------------------------------------------

    def _spliced(self, added: list[int], removed: list[int], players: list[int]) -> tuple[Plan, Growth]:
        old, games, person = self.old, self.ledger.games, self.now.person
        order = PlayingOrder(old.order.games, False, self.first, self.last)
        key, old_key = self._key(order), self._key(old.order)
        added = sorted(added, key=key)
        places = [bisect_right(old.order.games, key(g), key=old_key) for g in added]
        kind, kinds = self._kinds(added)
        columns = (
            (old.order.games, added), (old.player1, [person[games.player1[g]] for g in added]),
            (old.player2, [person[games.player2[g]] for g in added]),
            (old.event, [games.event[g] for g in added]), (old.day, [games.day[g] for g in added]),
            (old.kind, kind),
        )  # fmt: skip
        spliced = [splice(column, places, values, removed) for column, values in columns]
        month = old.event_month[:]
        month.extend([0] * (len(self.last) - len(month)))
        for e in {games.event[g] for g in added} | {old.event[row] for row in removed}:
            month[e] = month_of(self.last[e]) if self.last[e] else 0
        plan = old._replace(
            ledger=self.ledger, now=self.now, order=order._replace(games=spliced[0]), players=players,
            player1=spliced[1], player2=spliced[2], event=spliced[3], day=spliced[4], kind=spliced[5],
            kinds=kinds, event_month=month, counts=self.ledger.counts(), problems=list(old.problems),
        )  # fmt: skip
        acts = sorted((act for _, act in old.acts), key=itemgetter(0, 1))
        return timed(plan, acts), Growth(_shifted(places, removed), removed)

    def _kinds(self, added: Sequence[int]) -> tuple[list[int], Kinds]:
        """The kind of each new row, and the kinds with those that are new."""
        games, old = self.ledger.games, self.old
        known = {_plain(kind): number for number, kind in enumerate(old.kinds.kinds)}
        kinds, column = list(old.kinds.kinds), []
        for g in added:
            e = games.event[g]
            kind = Kind(
                games.result[g], games.stones[g], games.size[g], games.weight[g], self._class(e),
                self._params(e, games.day[g]),
            )  # fmt: skip
            number = known.setdefault(_plain(kind), len(kinds))
            if number == len(kinds):
                kinds.append(kind)
            column.append(number)
        if len(kinds) == len(old.kinds.kinds):
            return column, old.kinds
        tables, refused = kind_tables(old.ruleset, old.dated, self.ledger.results, kinds)
        if refused:
            raise _NotSimple
        return column, tables

    def _class(self, event: int) -> str:
        """The class of an event where nothing is to be said of it."""
        given = self.events[event].event_class.strip().upper()
        if self.old.ruleset.classes and not given and not self.events[event].name:
            return self.old.ruleset.loose_class
        if given not in self.old.ruleset.classes and (given or self.old.ruleset.classes):
            raise _NotSimple
        return given

    def _params(self, event: int, day: int) -> int:
        dated, ruleset = self.old.dated, self.old.ruleset
        if not self.by_event or len(dated.rows) == 1:
            return dated.row_at(day)
        return params_of_event(ruleset, dated, self.first[event], self.last[event])


def _plain(kind: Kind) -> tuple[object, ...]:
    """A kind that equals itself also without a weight."""
    return (*kind[:3], None if kind.weight != kind.weight else kind.weight, *kind[4:])


def _places(column: array[int], value: int) -> Iterable[int]:
    """Where a value stands in a column."""
    import numpy as np

    found: list[int] = np.flatnonzero(np.frombuffer(column, np.int32) == value).tolist()
    return found


def _shifted(places: Sequence[int], removed: Sequence[int]) -> list[int]:
    """Rows of the new plan, from the places in the old one before which they were put in."""
    return [place + number - bisect_left(removed, place) for number, place in enumerate(places)]


def splice(
    column: array[int], places: Sequence[int], values: Sequence[int], removed: Sequence[int]
) -> array[int]:
    """A copy of a column with values put in before some places, and some places left out; all rising."""
    if not removed and all(place == len(column) for place in places):
        found = column[:]
        found.extend(array(column.typecode, values))
        return found
    found, view, at = array(column.typecode), memoryview(column).cast("B"), 0
    size = column.itemsize
    edits = [(place, 0, value) for place, value in zip(places, values, strict=True)]
    for place, gone, value in sorted([*edits, *((row, 1, 0) for row in removed)], key=itemgetter(0, 1)):
        found.frombytes(view[at * size : place * size])
        at = place + gone
        if not gone:
            found.append(value)
    found.frombytes(view[at * size :])
    return found
