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
        return self.game(2 * r + (plan.player1[r] != key.person))

    def game(self, index: int) -> Row:
        """The row of a side."""
        side, plan = self.history.side(index), self.plan
        after = self.load(self.history.settled_state, index) if plan.ticks is None else None
        return Row(
            self.tick(side.row), self.list_of(side.row), side.day, self.fact(index), side.opponent,
            side.before, side.opponent_before, side.before, after, side.expected, side.change,
        )  # fmt: skip

    def fact(self, index: int) -> tuple[Any, ...]:
        """What was reported of a side of a game."""
        plan, (r, turn) = self.plan, divmod(index, 2)
        k, opponent = plan.kind[r], (plan.player1 if turn else plan.player2)[r]
        return (opponent, plan.day[r], turn, *(column[k] for column in plan.kinds[1:6]))

    def tick(self, row: int) -> int:
        """The tick of a row; the row itself where every game is a period of its own."""
        return row if self.plan.ticks is None else int(self.tick_of_row[row])

    def list_of(self, row: int) -> int:
        """The tick whose ratings a row uses."""
        lists = self.plan.ticks is not None and not self.plan.lists_are_periods
        return int(self.list_of_row[row]) if lists else self.tick(row)

    def _settlement(self, key: Key) -> Row | None:
        index = self.settlement_index.get((key.subject, key.person))
        return None if index is None else self.settlement(index)

    def settlement(self, index: int) -> Row:
        """The row of a settlement entry."""
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
            outcome.place, outcome.place, act.day, act.entered, -1, outcome.before, None, outcome.before,
            outcome.after,
        )  # fmt: skip

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
        return {act_key(o): o for o in self.history.outcomes}


def _lengths(offsets: Any) -> Any:
    """How many entries lie between two offsets."""
    found = np.array(offsets, np.int64)
    return found[1:] - found[:-1]


def act_key(outcome: Outcome) -> Key:
    act = outcome.act
    return Key(ACT, (KIND_NAMES[act.kind], act.day, repr(act.points), act.reason), outcome.person)
