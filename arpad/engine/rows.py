"""The rows of a history under keys that mean the same in another history: what diff() compares."""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from arpad.engine.acts import KIND_NAMES, Outcome
from arpad.engine.history import History
from arpad.engine.specialise import glue

GAME, SETTLED, ACT = "game", "settled", "act"


class Key(NamedTuple):
    """Which row: the same in both histories, whatever its place."""

    kind: str  # "game", "settled" or "act"
    # game number; month, ("event", number) or ("game", number); (kind, day, points, reason) of an act
    subject: Any
    person: int


class Row(NamedTuple):
    place: int  # tick or row at which it takes effect
    source: int  # tick or row whose ratings it used
    day: int
    fact: Any  # what was reported
    opponent: int  # person; -1: none
    mine: Any  # rating used
    theirs: Any
    before: Any  # State (settlements, acts) or rating (games) before
    after: Any  # State (settlements, acts, games of one-game periods) after; None: nothing is closed by it
    expected: int = -1
    change: int = 0


class Rows:
    """The rows of one history, found by key without laying them all out."""

    def __init__(self, history: History) -> None:
        self.history, self.plan = history, history.plan
        self.width = len(self.plan.ruleset.state_type._fields)
        self.load = glue(self.plan.ruleset)["load"]

    # --- one row --------------------------------------------------------------------------------

    def row(self, key: Key) -> Row | None:
        """The row under a key; None where this history has none."""
        if key.kind == GAME:
            return self._game(key)
        return self._settlement(key) if key.kind == SETTLED else self._act(key)

    def _game(self, key: Key) -> Row | None:
        r = int(self.row_of_game[key.subject]) if key.subject < len(self.row_of_game) else -1
        if r < 0:
            return None
        plan = self.plan
        if key.person not in (plan.player1[r], plan.player2[r]):
            return None
        turn = 0 if plan.player1[r] == key.person else 1
        index = 2 * r + turn
        side = self.history.side(index)
        k = plan.kind[r]
        fact = (side.opponent, side.day, turn, *(column[k] for column in plan.kinds[1:6]))
        tick = int(self.tick_of_row[r])
        after = self.load(self.history.settled_state, index) if plan.ticks is None else None
        return Row(
            tick, int(self.list_of_row[r]), side.day, fact, side.opponent, side.before, side.opponent_before,
            side.before, after, side.expected, side.change,
        )  # fmt: skip

    def _settlement(self, key: Key) -> Row | None:
        index = self.settlement_index.get((key.subject, key.person))
        if index is None:
            return None
        ticks = self.plan.ticks
        assert ticks is not None
        tick = int(np.searchsorted(self._tick_settled, index, "right")) - 1
        state = self.load(self.history.settled_state, index)
        return Row(tick, tick, ticks.day[tick], None, -1, None, None, None, state)

    def _act(self, key: Key) -> Row | None:
        outcome = self.acts.get(key)
        if outcome is None:
            return None
        act = outcome.act
        return Row(
            outcome.place,
            outcome.place,
            act.day,
            act.entered,
            -1,
            outcome.before,
            None,
            outcome.before,
            outcome.after,
        )

    # --- tables made once -----------------------------------------------------------------------

    @cached_property
    def row_of_game(self) -> Any:
        """By game number its row; -1: void or a bye."""
        found = np.full(len(self.plan.ledger.games), -1, np.int64)
        found[np.frombuffer(self.plan.order.games, np.int32) if self.plan.rows else []] = np.arange(
            self.plan.rows
        )
        return found

    def event_of(self, key: Key) -> int | None:
        """The event of a game or of an event's settlement; None for anything else."""
        if key.kind == GAME:
            return int(self.plan.event[self.row_of_game[key.subject]])
        return key.subject[1] if key.kind == SETTLED and isinstance(key.subject, tuple) else None

    @cached_property
    def tick_of_event(self) -> dict[int, int]:
        """Where events are periods: the tick of each."""
        ticks = self.plan.ticks
        if ticks is None or not self.plan.lists_are_periods or self.game_by_game:
            return {}
        return {self.plan.event[row]: tick for tick, row in enumerate(ticks.row[:-1])}

    @cached_property
    def tick_of_row(self) -> Any:
        ticks = self.plan.ticks
        if ticks is None:
            return np.arange(self.plan.rows)
        return np.repeat(np.arange(len(ticks.month)), _lengths(ticks.row))

    @cached_property
    def list_of_row(self) -> Any:
        """By row the tick whose ratings it uses."""
        ticks = self.plan.ticks
        if ticks is None or self.plan.lists_are_periods:
            return self.tick_of_row
        uses = np.zeros(self.plan.rows, np.int64)
        sides = np.array(ticks.sides, np.int64)
        uses[sides // 2] = np.repeat(np.arange(len(ticks.month)), _lengths(ticks.opens))
        return uses

    @cached_property
    def _tick_settled(self) -> Any:
        return np.array(self.history.tick_settled, np.int64)

    @cached_property
    def settled_keys(self) -> tuple[Any, Any]:
        """By settlement entry its period (a number) and its person."""
        ticks, plan = self.plan.ticks, self.plan
        if ticks is None:
            return np.zeros(0, np.int64), np.zeros(0, np.int64)
        if not plan.lists_are_periods:
            period = np.array(ticks.month, np.int64)
        else:
            first = np.array(ticks.row, np.int64)[:-1]
            column = plan.order.games if self.game_by_game else plan.event
            period = np.array(column, np.int64)[first] if len(first) else first
        tick = np.repeat(np.arange(len(ticks.month)), _lengths(self._tick_settled))
        return period[tick] if len(tick) else tick, np.array(self.history.settled_player, np.int64)

    @cached_property
    def settled_days(self) -> Any:
        """By settlement entry the day on which its period closes."""
        days = np.array(self.plan.ticks.day if self.plan.ticks is not None else [], np.int64)
        return np.repeat(days, _lengths(self._tick_settled)) if days.size else days

    @cached_property
    def game_by_game(self) -> bool:
        ticks = self.plan.ticks
        return (
            ticks is not None
            and self.plan.lists_are_periods
            and bool(getattr(self.plan.dated.rows[0], "game_by_game", 0))
        )

    def period_name(self, period: int) -> Any:
        """What a period is called in a key."""
        if not self.plan.lists_are_periods:
            return period
        return ("game" if self.game_by_game else "event", period)

    @cached_property
    def settlement_index(self) -> dict[tuple[Any, int], int]:
        period, person = self.settled_keys
        names = {int(p): self.period_name(int(p)) for p in np.unique(period)}
        pairs = zip(period.tolist(), person.tolist(), strict=True)
        return {(names[p], who): index for index, (p, who) in enumerate(pairs)}

    @cached_property
    def acts(self) -> dict[Key, Outcome]:
        return {_act_key(o): o for o in self.history.outcomes}

    # --- two histories --------------------------------------------------------------------------

    @staticmethod
    def changed(a: Rows, b: Rows) -> list[Key]:
        """Keys of the rows that differ between two histories of one ledger."""
        return [*_changed_games(a, b), *_changed_settlements(a, b), *_changed_acts(a, b)]


def _lengths(offsets: Any) -> Any:
    """How many entries lie between two offsets."""
    found = np.array(offsets, np.int64)
    return found[1:] - found[:-1]


def _act_key(outcome: Outcome) -> Key:
    act = outcome.act
    return Key(ACT, (KIND_NAMES[act.kind], act.day, repr(act.points), act.reason), outcome.person)


def _changed_games(a: Rows, b: Rows) -> list[Key]:
    games = max(len(a.row_of_game), len(b.row_of_game))
    rows = [np.concatenate([r.row_of_game, np.full(games - len(r.row_of_game), -1)]) for r in (a, b)]
    both = np.flatnonzero((rows[0] >= 0) & (rows[1] >= 0))
    differ = np.zeros(2 * games, bool)
    for side in (0, 1):
        alone = np.flatnonzero((rows[side] >= 0) & (rows[1 - side] < 0))
        differ[2 * alone] = differ[2 * alone + 1] = True
    left, right = rows[0][both], rows[1][both]
    facts = np.zeros(both.size, bool)
    for x, y in zip(_fact_columns(a), _fact_columns(b), strict=True):
        facts |= x[left] != y[right]
    sides = [np.array(h.history.before).reshape(-1, 2) for h in (a, b)]
    facts |= (sides[0][left] != sides[1][right]).any(axis=1)  # either rating used concerns both sides
    for turn in (0, 1):
        turned = facts.copy()
        for x, y in zip(_side_columns(a, turn), _side_columns(b, turn), strict=True):
            different = x[left] != y[right]
            turned |= different.any(axis=1) if different.ndim == 2 else different
        differ[2 * both[turned] + turn] = True
    found: dict[Key, None] = {}
    for index in np.flatnonzero(differ).tolist():
        game, turn = divmod(index, 2)
        for side, table in ((0, a), (1, b)):  # a merge may have given the side to somebody else
            row = int(rows[side][game])
            if row >= 0:
                person = (table.plan.player2 if turn else table.plan.player1)[row]
                found[Key(GAME, game, int(person))] = None
    return list(found)


def _fact_columns(rows: Rows) -> list[Any]:
    """What was reported, by row."""
    plan = rows.plan
    kind = np.array(plan.kind, np.int64)
    tables = [np.array(column)[kind] if plan.rows else np.zeros(0) for column in plan.kinds[1:6]]
    return [np.array(column, np.int64) for column in (plan.player1, plan.player2, plan.day)] + tables


def _side_columns(rows: Rows, turn: int) -> list[Any]:
    history = rows.history
    columns = [np.array(column)[turn::2] for column in (history.expected, history.change)]
    if rows.plan.ticks is None:
        columns.append(np.array(history.settled_state).reshape(-1, rows.width)[turn::2])
    return columns


def _changed_settlements(a: Rows, b: Rows) -> list[Key]:
    people = max(len(a.plan.ledger.names), len(b.plan.ledger.names)) + 1
    if a.plan.ticks is None:
        return []
    keys, states, days = [], [], []
    for rows in (a, b):
        period, person = rows.settled_keys
        packed = period * people + person
        order = np.argsort(packed, kind="stable")
        keys.append(packed[order])
        days.append(rows.settled_days[order])
        states.append(np.array(rows.history.settled_state).reshape(-1, rows.width)[: packed.size][order])
    common, left, right = np.intersect1d(keys[0], keys[1], assume_unique=True, return_indices=True)
    # a period that is an event may close on another day for those whose own rating stays as it was
    differ = (states[0][left] != states[1][right]).any(axis=1) | (days[0][left] != days[1][right])
    moved = common[differ]
    alone = np.setxor1d(keys[0], keys[1], assume_unique=True)
    packed = np.concatenate([moved, alone]).tolist()
    return [Key(SETTLED, b.period_name(p // people), p % people) for p in packed]


def _changed_acts(a: Rows, b: Rows) -> list[Key]:
    # often as many first ratings as players, and the same; none: those without a day stand among the acts
    if a.plan.opening.facts and a.plan.opening == b.plan.opening:
        left = {_act_key(o): (o.before, o.after) for o in a.history.outcomes_apart()}
        right = {_act_key(o): (o.before, o.after) for o in b.history.outcomes_apart()}
    else:
        left = {key: (o.before, o.after) for key, o in a.acts.items()}
        right = {key: (o.before, o.after) for key, o in b.acts.items()}
    return [key for key in left.keys() | right.keys() if left.get(key) != right.get(key)]
