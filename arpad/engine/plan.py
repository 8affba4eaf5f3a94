"""The plan of a replay: rows in playing order, kinds, ticks, and the acts that fall between them.

A tick is where the period loop stops and goes on: an event; in pools with longer periods each
month or quarter is two ticks, "a list opens" and "its period is played and closed". For periods of
one game a tick is a row.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from typing import Any, NamedTuple

from arpad.domain.dates import day_text, first_day
from arpad.domain.problems import FATAL, Problem, Refused, RuleRefusal
from arpad.engine.acts import Act, Opening, acts_of, place_of_entries, posted_before_games
from arpad.engine.kinds import (
    Columns,
    Kinds,
    class_of_events,
    game_problem,
    kind_of_rows,
    kind_tables,
    refusal_problems,
)
from arpad.engine.parameters import DatedParams, dated_params
from arpad.engine.ticks import Ticks, event_ticks, list_ticks, months, params_of_events, period_of
from arpad.ledger.facts import Counts
from arpad.ledger.ledger import Effective, Ledger
from arpad.ledger.order import VECTORISED_FROM, PlayingOrder, ints, playing_order
from arpad.rulesets.catalogue import Ruleset


class Plan(NamedTuple):
    """Everything a replay needs, without a single rating."""

    ledger: Ledger
    ruleset: Ruleset
    now: Effective
    dated: DatedParams
    order: PlayingOrder
    until: int
    players: list[int]  # persons as merged who take part, by number
    player1: array[int]  # by row
    player2: array[int]
    event: array[int]
    day: array[int]
    kind: array[int]
    kinds: Kinds
    event_month: array[int]  # by event, of its last day
    ticks: Ticks | None  # None: periods of one game
    opening: Opening  # first ratings without a day: the acts before all others
    acts: list[tuple[int, Act]]  # (tick or row before which it acts, act), in order
    problems: list[Problem]  # warnings
    counts: Counts  # what the ledger held
    params: Any  # one set of Params in place of every edition; None: none

    @property
    def rows(self) -> int:
        return len(self.kind)

    @property
    def lists_are_periods(self) -> bool:
        return self.ruleset.period in ("game", "event")

    @property
    def uses_game_loop(self) -> bool:
        """Periods of one game without the machinery of claims and newcomers run in the short loop."""
        return self.ruleset.period == "game" and self.ruleset.newcomer is None and self.ruleset.claim is None

    # --- where a day falls ----------------------------------------------------------------------

    def place_of_day(self, day: int) -> int:
        """The first tick (or row) that counts on `day` or later; in pools with lists, of its period."""
        if self.ticks is None:
            return bisect_left(self.day, day)
        if self.lists_are_periods:
            return bisect_left(self.ticks.day, day)
        return bisect_left(self.ticks.month, period_of(self.ruleset, day))

    def place_after_day(self, day: int) -> int:
        """The first tick (or row) that the ratings of `day` do not contain yet."""
        if self.ticks is None:
            return bisect_right(self.day, day)
        if self.lists_are_periods:
            return bisect_right(self.ticks.day, day)
        return bisect_left(self.ticks.month, period_of(self.ruleset, day))

    def row_of_place(self, place: int) -> int:
        """The first row of a tick."""
        return place if self.ticks is None else int(self.ticks.row[place])

    def place_of_row(self, row: int) -> int:
        """The tick that holds a row; the row itself where every game is a period of its own."""
        return row if self.ticks is None else bisect_right(self.ticks.row, row) - 1


_NO_LEDGER = Ledger()


def make_plan(ledger: Ledger, ruleset: Ruleset, params: Any = None, until: int = 0) -> Plan:
    """Check the ledger against the ruleset and lay out the replay. Raises Refused with every problem.

    The ledger keeps the plan until a fact is added: a second replay pays for its loop alone.
    """

    def make() -> Plan:  # without the ledger that keeps it: together they would outlive their last user
        return _make_plan(ledger, ruleset, params, until)._replace(ledger=_NO_LEDGER)

    kept = ledger.kept(("plan", ruleset.id), (ruleset, params, until), make)
    return kept._replace(ledger=ledger, problems=list(kept.problems))


def _make_plan(ledger: Ledger, ruleset: Ruleset, params: Any, until: int) -> Plan:
    now = ledger.effective()
    try:
        dated = dated_params(ruleset, now.parameters, params)
    except RuleRefusal as refusal:
        raise Refused(Problem(refusal.code, FATAL, refusal.message, refusal.remedy)) from None
    by_event = ruleset.period != "game"
    order, columns = _rows(ledger, now, by_event, _last_counted_day(ruleset, until))
    classes, problems = class_of_events(ruleset, ledger, order.last_day)
    kind, kinds = kind_of_rows(
        ledger, order, columns, classes, dated, params_of_events(ruleset, dated, order)
    )
    tables, refused = kind_tables(ruleset, dated, ledger.results, kinds)
    problems += refusal_problems(ledger, order.games, kind, ledger.results, refused)
    problems += _too_early(ledger, ruleset, order, by_event)
    opening, acts, players, more = acts_of(ledger, now, ruleset, dated, until)
    problems += more
    problems += posted_before_games(ledger, ruleset, dated, opening, order.first_day)
    if any(problem.severity == FATAL for problem in problems):
        raise Refused(problems)
    event_month = months(order.last_day)
    plan = Plan(
        ledger, ruleset, now, dated, order, until, players, *columns, kind, tables, event_month, None,
        opening, [], problems, ledger.counts(), params,
    )  # fmt: skip
    return timed(plan, acts)


def timed(plan: Plan, acts: list[Act]) -> Plan:
    """The plan with its ticks, and each act in its place among them."""
    order, columns = plan.order, Columns(plan.player1, plan.player2, plan.event, plan.day)
    ticks: Ticks | None
    if plan.uses_game_loop:
        ticks = None
    elif plan.lists_are_periods:
        game_by_game = bool(getattr(plan.dated.rows[0], "game_by_game", 0))
        ticks = event_ticks(plan.dated, order, columns, plan.event_month, game_by_game)
    else:
        days = [act.day for act in acts if act.day]
        ticks = list_ticks(plan.ruleset, plan.dated, order, columns, days)
    plan = plan._replace(ticks=ticks)
    return plan._replace(acts=_placed(plan, acts))


def _rows(ledger: Ledger, now: Effective, by_event: bool, until: int) -> tuple[PlayingOrder, Columns]:
    """Playing order and the columns in it: the same for every ruleset with periods of that kind."""

    def lay_out() -> tuple[PlayingOrder, Columns]:
        order = playing_order(ledger, now, by_event, until)
        return order, _columns(ledger, now, order)

    return ledger.kept(("rows", by_event), until, lay_out)


def _last_counted_day(ruleset: Ruleset, until: int) -> int:
    """Pools with lists: what the list in force on `until` has counted ends the day before it opened."""
    if not until or ruleset.period in ("game", "event"):
        return until
    return first_day(period_of(ruleset, until)) - 1


def _too_early(ledger: Ledger, ruleset: Ruleset, order: PlayingOrder, by_event: bool) -> list[Problem]:
    first = ruleset.editions[0][0]
    days = zip(order.first_day, order.last_day, strict=True)
    if by_event and not any(start < first for start, last in days if last):
        return []
    problems = []
    for g in order.games:
        event = ledger.games.event[g]
        day = order.first_day[event] if by_event else ledger.games.day[g]
        if not by_event and day >= first:
            break  # rows by day: all that follow are later
        if day < first:
            message = f"{day_text(day)} is before the first edition of {ruleset.id} ({day_text(first)})."
            problems.append(game_problem(ledger, g, "date-before-ruleset", message, "Leave the game out."))
    if len(problems) > 20:
        count = Problem("date-before-ruleset", FATAL, f"{len(problems)} games in all.")
        problems = [*problems[:20], count]
    return problems


def _columns(ledger: Ledger, now: Effective, order: PlayingOrder) -> Columns:
    games = ledger.games
    merged = bool(ledger.merges)
    if order.in_arrival and not merged:
        return Columns(*ledger.lend())
    if len(order.games) < VECTORISED_FROM:
        person = now.person
        return Columns(
            array("i", [person[games.player1[g]] for g in order.games]),
            array("i", [person[games.player2[g]] for g in order.games]),
            array("i", [games.event[g] for g in order.games]),
            array("i", [games.day[g] for g in order.games]),
        )
    import numpy as np

    rows, person_table = np.frombuffer(order.games, np.int32), np.frombuffer(now.person, np.int32)
    raw = (games.player1, games.player2, games.event, games.day)
    first, second, event, day = (np.frombuffer(column, np.int32)[rows] for column in raw)
    if merged:
        first, second = person_table[first], person_table[second]
    return Columns(ints(first), ints(second), ints(event), ints(day))


def _placed(plan: Plan, acts: list[Act]) -> list[tuple[int, Act]]:
    """Each act with the tick (or row) before which it acts."""
    if plan.ticks is None:
        return [(bisect_left(plan.day, act.day), act) for act in acts]
    if plan.lists_are_periods:
        return [(bisect_left(plan.ticks.day, act.day), act) for act in acts]
    return sorted(
        ((place_of_entries(plan.ticks.day, act), act) for act in acts), key=lambda placed: placed[0]
    )
