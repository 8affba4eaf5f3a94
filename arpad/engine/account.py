"""The account of a replay: every row that a rating went through, in playing order, as columns.

One row for each side of a game, and one for everything else that moved a rating: a first rating,
a correction, a posting, the rounding of a period's sum, a floor. For each player and period the
opening rating and all changes add up to the closing one (no rating counts as nothing). Changes are
those that the replay recorded; K and the terms of a period's closing are what step() and settle()
return when asked again.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.domain.dates import day_text, month_of
from arpad.domain.units import UNRATED
from arpad.engine import account_loops, acts
from arpad.engine.account_loops import (
    BONUS,
    CORRECTION,
    ENTRY,
    FIRST_RATING,
    NEWCOMER_LEVEL,
    NO_K,
    NO_SIDE,
    OPENED_AT,
    OPENING,
    PERFORMANCE,
    POSTING,
    WIDTH,
    Played,
    Rows,
    Ticking,
)  # fmt: skip
from arpad.engine.acts import Outcome
from arpad.engine.specialise import bound, compile_loops, glue
from arpad.rulesets.catalogue import Ruleset

if TYPE_CHECKING:
    from arpad.engine.history import History

KINDS = ("game", "entry", "correction", "posting", "rounding", "floor")
# Why a closing row is there, where its kind does not say it.
REASONS = {
    NEWCOMER_LEVEL: "newcomer-level",
    FIRST_RATING: "first-rating",
    PERFORMANCE: "performance",
    BONUS: "bonus",
}
CHUNK = 100_000  # games in one set of rows; a longer period is taken whole
_KIND_OF_ACT = {acts.POSTING: POSTING, acts.ENTRY: ENTRY, acts.CORRECTION: CORRECTION}


class Block(NamedTuple):
    """Rows that follow each other. Acts stand in blocks of their own, `outcomes` beside their rows."""

    rows: Rows
    outcomes: tuple[Outcome, ...] = ()

    def __len__(self) -> int:
        return len(self.rows.kind)


def account(history: History) -> Iterator[Block]:
    """Every row of a replay, in playing order; rows of one period and player share `opening` and `after`.

    What a replay from a checkpoint does not know of the time before it, its account does not know either.
    """
    return _Account(history).blocks()


class Periods:
    """The periods of a replay by name and by day."""

    def __init__(self, history: History) -> None:
        plan = history.plan
        self.period = plan.ruleset.period
        self.lists = plan.ticks is not None and not plan.lists_are_periods
        self.days = plan.day if plan.ticks is None else plan.ticks.day  # last day counted, by place
        self.months = plan.ticks.month if self.lists and plan.ticks is not None else array("i")

    def name(self, place: int) -> str:
        """A list's month or quarter: "2024-03", "2024-Q1". Else the day on which the game or event counts
        and its number among those of that day: "2024-03-09/2"."""
        if self.lists:
            year, month = divmod(self.months[place], 12)
            return f"{year}-Q{month // 3 + 1}" if self.period == "quarter" else f"{year}-{month + 1:02d}"
        return f"{day_text(self.days[place])}/{self.number(place)}"

    def number(self, place: int) -> int:
        """Of a game or event among those that count on its day, from 1."""
        return place - bisect_left(self.days, self.days[place]) + 1

    def holds(self, outcome: Outcome) -> bool:
        """Whether an act falls inside the period at its place: lists, a first rating or correction."""
        if not self.lists or outcome.act.kind == acts.POSTING or not outcome.act.day:
            return False
        month = month_of(outcome.act.day)
        start = month - month % 3 if self.period == "quarter" else month
        return outcome.place < len(self.months) and self.months[outcome.place] == start


# --- binding the loops --------------------------------------------------------------------------------


class _Loops(NamedTuple):
    games: Callable[..., int]
    periods: Callable[..., int]


def _interpreted(ruleset: Ruleset) -> _Loops:
    names = dict(vars(account_loops)) | glue(ruleset) | _constants(ruleset)
    return _Loops(bound(account_loops.game_rows, names), bound(account_loops.period_rows, names))


@lru_cache(maxsize=64)
def _compiled(ruleset: Ruleset) -> _Loops:
    plain = _interpreted(ruleset)
    names: dict[str, Any] = plain.games.__globals__
    helpers = [
        names[name] for name in ("load", "load_as", "store", "params_at", "k_of_step", "terms_of_settle")
    ]
    return _Loops(*compile_loops(f"{ruleset.id}-account", ruleset, plain, helpers))


def _constants(ruleset: Ruleset) -> dict[str, Any]:
    step, settled = ruleset.module.Step._fields, ruleset.module.Settled._fields
    times_k = ruleset.change_per_point != ruleset.per_point
    if "k" in step or "con" in step:
        k = f"step(p, me, opponent, game).{'k' if 'k' in step else 'con'}"
    else:
        k = "p.k" if "k" in ruleset.params_type._fields else str(NO_K)
    terms = ", ".join(
        f"s.{name}" if name in settled else default
        for name, default in (("k", str(NO_K)), ("change", "0"), ("bonus", "0"), ("by_performance", "0"))
    )
    source = (
        f"def k_of_step(p, me, opponent, game):\n    return {k} * 1.0\n"
        "def terms_of_settle(p, me, tally, when):\n    s = settle(p, me, tally, when)\n"
        f"    return ({terms})\n"
    )
    names: dict[str, Any] = {"step": ruleset.step, "settle": ruleset.settle}
    exec(compile(source, f"<account of {ruleset.id}>", "exec"), names)
    return {
        "k_of_step": names["k_of_step"],
        "terms_of_settle": names["terms_of_settle"],
        "CENTS": 100 // ruleset.per_point,
        "CHANGE_CENTS": 0 if times_k else 100 // ruleset.per_point,
        "STEPS_UNRATED": ruleset.steps_unrated,
        "HAS_NEWCOMER": ruleset.newcomer is not None,
        "K_OF_SETTLE": "k" in settled,
    }


# --- one account --------------------------------------------------------------------------------------


class _Account:
    """Walks a replay as it was run: loops between the acts, acts between the loops."""

    def __init__(self, history: History) -> None:
        self.history, self.plan = history, history.plan
        rules = self.plan.ruleset
        self.loops = _compiled(rules) if history.compiled else _interpreted(rules)
        self.glue = glue(rules)
        self.periods = Periods(history)
        people = len(self.plan.ledger.names)
        self.states = self._start_states(people)
        lists = self.plan.ticks is not None
        self.work = history.new("q", people * WIDTH if lists else 0)
        self.k_of = self._floats(people if lists else 0)

    def _start_states(self, people: int) -> Any:
        default = tuple(self.plan.ruleset.state_type())
        states = array("i", default) * people
        return self._view(states).copy() if self.history.compiled else states

    def _floats(self, length: int) -> Any:
        column = array("d", [0.0]) * length
        return self._view(column).copy() if self.history.compiled else column

    def _view(self, column: Any) -> Any:
        """The column as the loops take it. Not kept: a ledger cannot grow while numpy looks at it."""
        if not self.history.compiled or not isinstance(column, array):
            return column
        import numpy as np

        return np.frombuffer(column, np.dtype(column.typecode)) if column else np.zeros(0, column.typecode)

    def blocks(self) -> Iterator[Block]:
        plan = self.plan
        end = plan.rows if plan.ticks is None else len(plan.ticks.month)
        outcomes = self.history.outcomes
        at = done = 0
        while True:
            first = done
            while done < len(outcomes) and outcomes[done].place <= at:
                done += 1
            now = outcomes[first:done]
            inside = [outcome for outcome in now if self.periods.holds(outcome)]
            yield from self._acts(outcome for outcome in now if not self.periods.holds(outcome))
            if inside:
                yield from self._inside(at, inside)
                at += 1
            goal = min(end, outcomes[done].place) if done < len(outcomes) else end
            while at < goal:
                stop = self._stop(at, goal)
                yield Block(self._run(at, stop))
                at = stop
            if at >= end and done >= len(outcomes):
                return
            at = max(at, goal)

    # --- acts ---------------------------------------------------------------------------------------

    def _acts(self, outcomes: Iterable[Outcome]) -> Iterator[Block]:
        """Acts with a day of their own; those of one day and person are one period."""
        found = list(outcomes)
        if not found:
            return
        span: dict[tuple[int, int], tuple[int, int]] = {}
        for outcome in found:
            self.glue["store"](self.states, outcome.person, outcome.after)
            key = (outcome.person, outcome.act.day)
            span[key] = (span[key][0] if key in span else outcome.before.rating, outcome.after.rating)
        yield self._block(found, -1, [span[outcome.person, outcome.act.day] for outcome in found])

    def _inside(self, place: int, outcomes: list[Outcome]) -> Iterator[Block]:
        """First ratings and corrections inside a list's period, then its games: all lead to its closing."""
        opening: dict[int, int] = {}
        for outcome in outcomes:
            opening.setdefault(outcome.person, outcome.before.rating)
            self.glue["store"](self.states, outcome.person, outcome.after)
        for person, rating in opening.items():
            self.work[person * WIDTH + OPENED_AT] = place + 1
            self.work[person * WIDTH + OPENING] = rating
        rows = self._run(place, place + 1)
        load = self.glue["load"]
        spans = [(opening[o.person], int(load(self.states, o.person).rating)) for o in outcomes]
        yield self._block(outcomes, place, spans)
        yield Block(rows)

    def _block(self, outcomes: list[Outcome], place: int, spans: list[tuple[int, int]]) -> Block:
        cents = 100 // self.plan.ruleset.per_point

        def worth(rating: int) -> int:
            return 0 if rating == UNRATED else int(rating) * cents

        n = len(outcomes)
        rows = Rows(
            kind=array("b", [_KIND_OF_ACT[outcome.act.kind] for outcome in outcomes]),
            side=array("i", [NO_SIDE]) * n,
            person=array("i", [outcome.person for outcome in outcomes]),
            place=array("i", [place]) * n,
            opening=array("i", [int(first) for first, _ in spans]),
            k=array("d", [NO_K]) * n,
            change=array("i", [worth(o.after.rating) - worth(o.before.rating) for o in outcomes]),
            after=array("i", [int(last) for _, last in spans]),
            why=array("b", [0]) * n,
        )
        return Block(rows, tuple(outcomes))

    # --- games --------------------------------------------------------------------------------------

    def _stop(self, at: int, goal: int) -> int:
        """The place before which a block that starts at `at` ends."""
        ticks = self.plan.ticks
        if ticks is None:
            return min(at + CHUNK, goal)
        return min(max(bisect_right(ticks.row, ticks.row[at] + CHUNK) - 1, at + 1), goal)

    def _run(self, start: int, stop: int) -> Rows:
        plan, view = self.plan, self._view
        history, ticks = self.history, plan.ticks
        kinds = plan.kinds
        replayed = (history.before, history.expected, history.change)
        settled = (history.settled_player, history.settled_state)
        columns = (
            plan.player1, plan.player2, plan.kind, kinds.counted, kinds.score, kinds.best_of, kinds.stones,
            kinds.weight, kinds.params, plan.dated.table,
        )  # fmt: skip
        played = Played._make((*map(view, columns), *replayed, *settled))
        if ticks is None:
            out = self._out(4 * (stop - start))
            n = self.loops.games(
                start, stop, played, view(plan.day), history.day0, view(history.day_month), self.states, out
            )
        else:
            out = self._out(8 * (ticks.row[stop] - ticks.row[start]))
            ticking = Ticking(view(ticks.month), view(ticks.params), view(ticks.row), history.tick_settled)
            n = self.loops.periods(start, stop, played, ticking, self.states, self.work, self.k_of, out)
        return Rows(*(column[:n] for column in out))

    def _out(self, length: int) -> Rows:
        codes = {"kind": "b", "why": "b", "k": "d"}
        if not self.history.compiled:
            return Rows(*(array(codes.get(name, "i"), [0]) * length for name in Rows._fields))
        import numpy as np

        return Rows(*(np.empty(length, np.dtype(codes.get(name, "i"))) for name in Rows._fields))
