"""Asks a ruleset again, with the recorded inputs, for the terms of one player's games and settlements.

There is no second formula: step(), settle(), newcomer(), corrected() and posting() are called as the
replay called them, and what they say must be what was recorded.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.domain.dates import month_of
from arpad.domain.play import Game, Openings, Tally, When
from arpad.domain.rounding import rounded
from arpad.domain.units import NOT_RATED, UNRATED
from arpad.engine import acts
from arpad.engine.acts import Outcome
from arpad.engine.past import Past
from arpad.engine.reasons import BY_RULE, NEWCOMER, OPPONENT_UNRATED, reason_of

if TYPE_CHECKING:
    from arpad.engine.history import History


class Disagreement(RuntimeError):
    """A term computed again is not what was recorded: a bug, never shown as an explanation."""


class SteppedGame(NamedTuple):
    """One side of one game. `step` is None where the ruleset was never asked."""

    side: int
    game: Game
    reason: str  # "" = rated
    params: Any
    step: Any


class Settlement(NamedTuple):
    """How a period closed for a player. One of `settled` and `openings` is there."""

    before: Any  # State as the period began
    after: Any
    params: Any
    tally: Tally | None
    settled: Any  # what settle() returned
    openings: list[int]  # sides that count for a first rating, oldest first


class Retrace:
    """One player's way through a history."""

    def __init__(self, history: History, person: int) -> None:
        self.history, self.plan, self.person = history, history.plan, person
        self.sides = sides_of(history, person)
        self.by_place: dict[int, list[int]] = {}
        for side in self.sides:
            self.by_place.setdefault(self.plan.place_of_row(side // 2), []).append(side)
        self.past = Past(history, {person})

    def look_up(self, places: Collection[int]) -> None:
        """Get ready for these periods: the States of everybody met in them, in one pass."""
        met = {self._person(side ^ 1) for place in places for side in self.by_place.get(place, ())}
        self.past = Past(self.history, {self.person, *met})

    def last_place(self) -> int:
        """The last period in which the player played, or was changed by an act."""
        return max([*self.by_place, *(act.place for act in self.past.acts(self.person))], default=0)

    def _person(self, side: int) -> int:
        return int((self.plan.player2 if side % 2 else self.plan.player1)[side // 2])

    def when(self, place: int) -> When:
        """The list's year and month that the ruleset was given for a period."""
        ticks = self.plan.ticks
        month = month_of(self.plan.day[place]) if ticks is None else int(ticks.month[place])
        return When(month // 12, month % 12 + 1)

    # --- games ------------------------------------------------------------------------------------

    def game(self, side: int) -> SteppedGame:
        """One side of a game, with the terms of step() where it was asked."""
        history, plan = self.history, self.plan
        row, turn = divmod(side, 2)
        kind, place = plan.kind[row], plan.place_of_row(row)
        kinds = plan.kinds
        p = plan.dated.rows[kinds.params[kind]]
        reason = reason_of(history, side, self.past)
        when = self.when(place)
        stepped = bool(kinds.counted[kind]) and reason in ("", BY_RULE)
        game = Game(
            kinds.score[kind] if turn == 0 else 100 - kinds.score[kind],
            kinds.best_of[kind],
            kinds.stones[kind] if turn else -kinds.stones[kind],
            kinds.weight[kind],
            when.year * 12 + when.month - 1,
            int(stepped and self._marked(side, place)),
        )
        step = plan.ruleset.step(p, *self._both(side, place), game) if stepped else None
        if step is not None:
            expected = rounded(step.expected * 1e6) if step.rated else NOT_RATED
            change = step.change if step.rated else 0
            if (expected, change) != (int(history.expected[side]), int(history.change[side])):
                raise Disagreement(f"side {side}: {step}, recorded {history.side(side)}")
        return SteppedGame(side, game, reason, p, step)

    def _both(self, side: int, place: int) -> tuple[Any, Any]:
        """Both States as step() saw them: in longer periods with the rating of the list that is used."""
        pair = [self.past.state(self._person(s), place) for s in (side, side ^ 1)]
        if self.plan.ticks is None:
            return pair[0], pair[1]
        ratings = [int(self.history.before[s]) for s in (side, side ^ 1)]
        return pair[0]._replace(rating=ratings[0]), pair[1]._replace(rating=ratings[1])

    def _marked(self, side: int, place: int) -> bool:
        """Whether this is the player's game with the largest claim in its event."""
        plan, claim = self.plan, self.plan.ruleset.claim
        if claim is None:
            return False
        best, largest = -1, 0
        for other in self.by_place[place]:
            row = other // 2
            rated = min(self.history.before[other], self.history.before[other ^ 1]) != UNRATED
            if plan.event[row] == plan.event[side // 2] and plan.kinds.counted[plan.kind[row]] and rated:
                p = plan.dated.rows[plan.kinds.params[plan.kind[row]]]
                found = claim(p, *self._both(other, place))
                if found > largest:
                    best, largest = other, found
        return best == side

    # --- settlements --------------------------------------------------------------------------------

    def settlement(self, place: int, games: list[SteppedGame]) -> Settlement | None:
        """How the period closed for the player, whose games in it are `games`; None: nothing to settle."""
        index = self.past.settlement(self.person, place)
        if index < 0:
            return None
        recorded = self.past.settled_state(index)
        me, rules, when = self.past.state(self.person, place), self.plan.ruleset, self.when(place)
        rated = [game for game in games if not game.reason]
        ticks = self.plan.ticks
        if ticks is None and not rated:
            return None
        p = games[0].params if ticks is None else self.plan.dated.rows[ticks.params[place]]
        if ticks is not None and rules.newcomer is not None and me.rating == UNRATED:
            openings = list(self.openings(place))
            after = rules.newcomer(p, me, self._columns(openings), len(openings), when)
            closed = Settlement(me, after, p, None, None, openings)
        else:
            tally = Tally(
                len(rated),
                sum(game.game.score for game in rated),
                sum(game.step.change for game in rated),
                sum(game.step.opponent for game in rated),
                0 if ticks is None else _against_unrated(games),
            )
            settled = rules.settle(p, me, tally, when)
            closed = Settlement(me, settled.state, p, tally, settled, [])
        if closed.after != recorded:
            raise Disagreement(f"person {self.person}, period {place}: {closed.after}, recorded {recorded}")
        return closed

    def openings(self, place: int) -> Iterator[int]:
        """The sides that count for a first rating at the end of a period: since the player last had one."""
        start = 0
        for outcome in self.past.acts(self.person):
            if outcome.place <= place and outcome.after.rating != UNRATED:
                start = outcome.place
        last = self.past.last_rated(self.person, place)
        if last >= 0:
            start = max(start, self.past.place_of(last) + 1)
        for at, sides in self.by_place.items():
            if start <= at <= place:
                yield from (side for side in sides if reason_of(self.history, side, self.past) == NEWCOMER)

    def _columns(self, sides: list[int]) -> Openings:
        plan, kinds = self.plan, self.plan.kinds
        columns = Openings([], [], [], [], [])
        for side in sides:
            row, turn = divmod(side, 2)
            kind, event = plan.kind[row], plan.event[row]
            values = (
                int(self.history.before[side ^ 1]),
                kinds.stones[kind] if turn else -kinds.stones[kind],
                100 - kinds.score[kind] if turn else kinds.score[kind],
                plan.event_month[event],
                event,
            )
            for column, value in zip(columns, values, strict=True):
                column.append(value)
        return columns

    # --- acts ---------------------------------------------------------------------------------------

    def acts(self, place: int) -> list[Outcome]:
        """What happened to the player without a game since the settlement before the period at `place`."""
        last = self.past.last(self.person, place)
        found = []
        for outcome in self.past.acts(self.person):
            if outcome.place <= place and self.history.settled_before(outcome.place) > last:
                self._check_act(outcome)
                found.append(outcome)
        return found

    def _check_act(self, outcome: Outcome) -> None:
        history = self.history
        when = history.when(outcome.place)
        after = acts.apply(self.plan.ruleset, self.plan.dated, outcome.act, outcome.before, when)
        if after != outcome.after:
            raise Disagreement(f"{outcome}: {after}")


def _against_unrated(games: list[SteppedGame]) -> int:
    """As the loop counts: games against unrated opponents once the period holds a rated one."""
    begun, count = False, 0
    for game in games:
        if game.reason == OPPONENT_UNRATED:
            count += begun
        elif game.reason in ("", BY_RULE):
            begun = True
    return count


def sides_of(history: History, person: int) -> list[int]:
    """A player's sides of games, in playing order: one pass."""
    plan = history.plan
    if not history.compiled:
        found = []
        for row, pair in enumerate(zip(plan.player1, plan.player2, strict=True)):
            found += [2 * row + turn for turn in (0, 1) if pair[turn] == person]
        return found
    import numpy as np

    columns = [np.frombuffer(column, np.int32) for column in (plan.player1, plan.player2)]
    sides = np.concatenate(
        [2 * np.flatnonzero(column == person) + turn for turn, column in enumerate(columns)]
    )
    return sorted(sides.tolist())
