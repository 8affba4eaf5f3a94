"""What a change of the ledger did: the rows that differ, each with the row or fact it comes from.

A row is one side of a game, one player's settlement of a period, or what an act (first rating,
posting, correction) did to one player. Following `cause` from row to row ends at a fact.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import Any, NamedTuple

from arpad.engine.acts import KIND_NAMES
from arpad.engine.history import History
from arpad.engine.plan import Plan

GAME, SETTLED, ACT = "game", "settled", "act"


class Key(NamedTuple):
    """Which row: the same in both histories, whatever its place."""

    kind: str  # "game", "settled" or "act"
    subject: Any  # game number; period; the act
    person: int


class Difference(NamedTuple):
    """One row that differs."""

    key: Key
    day: int  # on which it counts
    old: Any  # None: the row is new
    new: Any  # None: the row is gone
    cause: Cause


class Cause(NamedTuple):
    """Why. `row` is the difference it follows from; None where the row's own fact (or the rules) changed."""

    kind: str  # "fact-added", "fact-gone", "fact-changed", "rules", "previous" (own row), "opponent"
    row: Key | None = None


class _Row(NamedTuple):
    place: int  # tick or row at which it takes effect
    source: int  # tick or row whose ratings it used
    day: int
    fact: Any  # what was reported
    opponent: int  # person, -1
    mine: Any  # rating used
    theirs: Any
    value: Any


def diff(old: History, new: History) -> list[Difference]:
    """Rows of `new` that differ from `old` (and rows that are gone), in playing order."""
    before, after = _rows(old), _rows(new)
    changed = {key for key in before.keys() | after.keys() if _value(before, key) != _value(after, key)}
    place = {key: _place(new, before.get(key), after.get(key)) for key in changed}
    order = sorted(changed, key=lambda key: (place[key], key.kind, str(key.subject), key.person))
    latest = _Latest(order, place)
    found = []
    for key in order:
        a, b = before.get(key), after.get(key)
        row = b or a
        assert row is not None
        cause = _cause(key, a, b, place[key][0], latest, changed)
        found.append(Difference(key, row.day, a and a.value, b and b.value, cause))
    return found


def origin(differences: list[Difference], key: Key) -> list[Difference]:
    """The chain from a row to the fact it comes from, that row first."""
    by_key = {difference.key: difference for difference in differences}
    chain, at = [], by_key.get(key)
    while at is not None and at not in chain:
        chain.append(at)
        at = by_key.get(at.cause.row) if at.cause.row is not None else None
    return chain


def _value(rows: dict[Key, _Row], key: Key) -> Any:
    row = rows.get(key)
    return None if row is None else (row.fact, row.value)


def _cause(key: Key, a: _Row | None, b: _Row | None, place: int, latest: _Latest, changed: set[Key]) -> Cause:
    if a is None:
        own = "fact-added"
    elif b is None:
        own = "fact-gone"
    else:
        own = "fact-changed" if a.fact != b.fact else ""
    if key.kind == SETTLED:  # a settlement follows from its games, or from the state before
        return Cause("previous", latest.up_to(key.person, place, key))
    if own:
        return Cause(own)
    assert a is not None and b is not None
    if a.mine != b.mine:
        previous = latest.up_to(key.person, b.source, key)
        if previous is not None:
            return Cause("previous", previous)
    if a.theirs != b.theirs:
        other = Key(GAME, key.subject, b.opponent)
        if other in changed:
            return Cause("opponent", other)
        previous = latest.up_to(b.opponent, b.source, key)
        if previous is not None:
            return Cause("opponent", previous)
    previous = latest.up_to(key.person, b.source, key)
    return Cause("previous", previous) if previous is not None else Cause("rules")


class _Latest:
    """The latest difference of a person that took effect no later than a place."""

    def __init__(self, order: list[Key], place: dict[Key, tuple[int, int]]) -> None:
        self.by_person: dict[int, list[tuple[tuple[int, int], Key]]] = {}
        for key in order:
            self.by_person.setdefault(key.person, []).append((place[key], key))

    def up_to(self, person: int, source: int, but: Key) -> Key | None:
        rows = self.by_person.get(person, [])
        # settlements take effect at their place's end; a row reads what took effect before its source
        limit = (source, 3) if but.kind == SETTLED else (source, 0)
        earlier = rows[: bisect_left(rows, limit, key=lambda row: row[0])]
        return next((key for _, key in reversed(earlier) if key != but), None)


def _place(new: History, a: _Row | None, b: _Row | None) -> tuple[int, int]:
    """(tick or row, stage in it): what is gone, then acts, then games, then settlements.

    A row that is gone stands where its day stands now; in pools with lists, where that period closes.
    """
    stages = {ACT: -1, GAME: 1, SETTLED: 2}
    if b is not None:
        return (b.place, stages[b.value[0]])
    assert a is not None
    closing = 0 if new.plan.lists_are_periods else 1
    return (new.plan.place_of_day(a.day) + closing if a.day else 0, stages[a.value[0]] - 5)


def _rows(history: History) -> dict[Key, _Row]:
    """Every row by its key."""
    rows: dict[Key, _Row] = {}
    plan = history.plan
    width = len(plan.ruleset.state_type._fields)
    tick_of_row, list_of_row = _ticks_of_rows(plan)
    for index in range(2 * plan.rows):
        side = history.side(index)
        state: tuple[int, ...] = ()
        if plan.ticks is None:
            state = tuple(int(v) for v in history.settled_state[index * width : (index + 1) * width])
        k = plan.kind[side.row]
        facts = (side.person, side.opponent, side.day, tuple(c[k] for c in plan.kinds[1:7]), side.turn)
        value: Any = (GAME, side.before, side.opponent_before, side.expected, side.change, state)
        rows[Key(GAME, side.game, side.person)] = _Row(
            tick_of_row[side.row], list_of_row[side.row], side.day, facts, side.opponent,
            side.before, side.opponent_before, value,
        )  # fmt: skip
    if plan.ticks is not None:
        _settled_rows(history, rows, width)
    for outcome in history.outcomes:
        act = outcome.act
        key = Key(ACT, (KIND_NAMES[act.kind], act.day, repr(act.points), act.reason), outcome.person)
        changed: Any = (ACT, outcome.before, outcome.after)
        rows[key] = _Row(
            outcome.place, outcome.place, act.day, act.entered, -1, outcome.before, None, changed
        )
    return rows


def _settled_rows(history: History, rows: dict[Key, _Row], width: int) -> None:
    plan = history.plan
    ticks = plan.ticks
    assert ticks is not None
    for tick in range(len(ticks.month)):
        for index in range(int(history.tick_settled[tick]), int(history.tick_settled[tick + 1])):
            person = int(history.settled_player[index])
            state = tuple(int(v) for v in history.settled_state[index * width : (index + 1) * width])
            rows[Key(SETTLED, _period_name(plan, tick), person)] = _Row(
                tick, tick, ticks.day[tick], None, -1, None, None, (SETTLED, state)
            )


def _period_name(plan: Plan, tick: int) -> Any:
    """What a period is called in both histories: its month, its event, or its game."""
    ticks = plan.ticks
    assert ticks is not None
    if not plan.lists_are_periods:
        return ticks.month[tick]
    row = ticks.row[tick]
    if tick + 1 < len(ticks.row) and ticks.row[tick + 1] - row == 1:
        return ("game", plan.order.games[row])
    return ("event", plan.event[row])


def _ticks_of_rows(plan: Plan) -> tuple[list[int], list[int]]:
    """By row: the tick in which it counts, and the tick whose ratings it uses."""
    ticks = plan.ticks
    if ticks is None:
        same = list(range(plan.rows))
        return same, same
    counts, uses = [0] * plan.rows, [0] * plan.rows
    for tick in range(len(ticks.month)):
        for row in range(ticks.row[tick], ticks.row[tick + 1]):
            counts[row] = uses[row] = tick
    if not plan.lists_are_periods:
        for tick in range(len(ticks.month)):
            for side in ticks.sides[ticks.opens[tick] : ticks.opens[tick + 1]]:
                uses[side // 2] = tick
    return counts, uses
