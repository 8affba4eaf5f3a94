"""The plan of a replay: rows in playing order, kinds, ticks, and the acts that fall between them.

A tick is where the period loop stops and goes on: an event; in pools with longer periods each
month or quarter is two ticks, "a list opens" and "its period is played and closed". For periods of
one game a tick is a row.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from typing import Any, NamedTuple

from arpad.domain.dates import day_text, first_day, month_of, quarter_start
from arpad.domain.problems import FATAL, Problem, Refused, RuleRefusal
from arpad.engine.acts import Act, acts_of, place_of_entries
from arpad.engine.kinds import (
    Kinds,
    class_of_events,
    game_problem,
    kind_of_rows,
    kind_tables,
    refusal_problems,
)
from arpad.engine.parameters import DatedParams, dated_params
from arpad.ledger.ledger import Effective, Ledger
from arpad.ledger.order import VECTORISED_FROM, PlayingOrder, playing_order
from arpad.rulesets.catalogue import Ruleset


class Ticks(NamedTuple):
    """Columns of the ticks; offsets have one entry more."""

    month: array[int]  # year * 12 + month - 1: of the event's last day, or the list's
    params: array[int]  # row of DatedParams used by settle()
    row: array[int]  # rows of tick t: row[t] .. row[t + 1]
    opens: array[int]  # sides whose rating is written when tick t opens: sides[opens[t]] ..
    sides: array[int]
    day: list[int]  # last day of what the tick counts


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
    kind: array[int]
    event: array[int]
    day: array[int]
    kinds: Kinds
    event_month: array[int]  # by event, of its last day
    ticks: Ticks | None  # None: periods of one game
    acts: list[tuple[int, Act]]  # (tick or row before which it acts, act), in order
    problems: list[Problem]  # warnings

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


def make_plan(ledger: Ledger, ruleset: Ruleset, params: Any = None, until: int = 0) -> Plan:
    """Check the ledger against the ruleset and lay out the replay. Raises Refused with every problem."""
    now = ledger.effective()
    try:
        dated = dated_params(ruleset, now.parameters, params)
    except RuleRefusal as refusal:
        raise Refused(Problem(refusal.code, FATAL, refusal.message, refusal.remedy)) from None
    by_event = ruleset.period != "game"
    order = playing_order(ledger, now, by_event, _last_counted_day(ruleset, until))
    classes, problems = class_of_events(ruleset, ledger, order.last_day)
    kind, kinds = kind_of_rows(ledger, order, classes, dated, by_event)
    tables, refused = kind_tables(ruleset, dated, ledger.results, kinds)
    problems += refusal_problems(ledger, order.games, kind, ledger.results, refused)
    problems += _too_early(ledger, ruleset, order, by_event)
    acts, players, more = acts_of(ledger, now, ruleset, dated, until)
    problems += more
    if any(problem.severity == FATAL for problem in problems):
        raise Refused(problems)
    player1, player2, event, day = _columns(ledger, now, order)
    event_month = array("i", [month_of(day) if day else 0 for day in order.last_day])
    plan = Plan(
        ledger, ruleset, now, dated, order, until, players, player1, player2, kind, event, day, tables,
        event_month, None, [], problems,
    )  # fmt: skip
    if plan.uses_game_loop:
        ticks = None
    elif plan.lists_are_periods:
        ticks = _event_ticks(plan, bool(getattr(dated.rows[0], "game_by_game", 0)))
    else:
        ticks = _list_ticks(plan, [act.day for act in acts if act.day])
    plan = plan._replace(ticks=ticks)
    return plan._replace(acts=_placed(plan, acts))


def period_of(ruleset: Ruleset, day: int) -> int:
    """The first month of the list period that a day lies in."""
    month = month_of(day)
    return quarter_start(month) if ruleset.period == "quarter" else month


def _last_counted_day(ruleset: Ruleset, until: int) -> int:
    """Pools with lists: what the list in force on `until` has counted ends the day before it opened."""
    if not until or ruleset.period in ("game", "event"):
        return until
    return first_day(period_of(ruleset, until)) - 1


def _too_early(ledger: Ledger, ruleset: Ruleset, order: PlayingOrder, by_event: bool) -> list[Problem]:
    first = ruleset.editions[0][0]
    if not first:
        return []
    events = {e for e, day in enumerate(order.first_day) if day and day < first and order.last_day[e]}
    if not by_event:
        events = {e for e in range(len(order.first_day)) if order.last_day[e]}
    problems = []
    for g in order.games if events else ():
        event = ledger.games.event[g]
        day = order.first_day[event] if by_event else ledger.games.day[g]
        if event in events and day < first:
            message = f"{day_text(day)} is before the first edition of {ruleset.id} ({day_text(first)})."
            problems.append(game_problem(ledger, g, "date-before-ruleset", message, "Leave the game out."))
    if len(problems) > 20:
        count = Problem("date-before-ruleset", FATAL, f"{len(problems)} games in all.")
        problems = [*problems[:20], count]
    return problems


def _columns(ledger: Ledger, now: Effective, order: PlayingOrder) -> list[array[int]]:
    """player1, player2, event, day in playing order, persons as merged."""
    games = ledger.games
    raw = [games.player1, games.player2, games.event, games.day]
    merged = bool(ledger.merges)
    if order.in_arrival and not merged:
        return raw
    if len(order.games) < VECTORISED_FROM:
        person = now.person
        return [
            array("i", [person[games.player1[g]] for g in order.games]),
            array("i", [person[games.player2[g]] for g in order.games]),
            array("i", [games.event[g] for g in order.games]),
            array("i", [games.day[g] for g in order.games]),
        ]
    import numpy as np

    rows, person_table = np.frombuffer(order.games, np.int32), np.frombuffer(now.person, np.int32)
    out = []
    for number, column in enumerate(raw):
        values = np.frombuffer(column, np.int32)[rows]
        if number < 2 and merged:
            values = person_table[values]
        copy = array("i")
        copy.frombytes(values.tobytes())
        out.append(copy)
    return out


def _runs(column: array[int]) -> list[int]:
    """Offsets at which the value changes, with 0 and the length."""
    n = len(column)
    if n >= VECTORISED_FROM:
        import numpy as np

        values = np.frombuffer(column, np.int32)
        inner = np.flatnonzero(values[1:] != values[:-1]) + 1
        return [0, *inner.tolist(), n]
    return [0, *(i for i in range(1, n) if column[i] != column[i - 1]), n] if n else [0]


def _event_ticks(plan: Plan, game_by_game: bool) -> Ticks:
    offsets = list(range(plan.rows + 1)) if game_by_game else _runs(plan.event)
    events = [plan.event[offset] for offset in offsets[:-1]]
    first, last = plan.order.first_day, plan.order.last_day
    return Ticks(
        month=array("i", [plan.event_month[e] for e in events]),
        params=array("i", [plan.dated.row_at(first[e]) for e in events]),
        row=array("i", offsets),
        opens=array("i", [0] * len(offsets)),
        sides=array("i"),
        day=[last[e] for e in events],
    )


def _list_ticks(plan: Plan, act_days: list[int]) -> Ticks:
    """Two ticks a list: it opens; its period is played and closed."""
    ruleset, order = plan.ruleset, plan.order
    period = [period_of(ruleset, day) if day else 0 for day in order.last_day]
    used = [period_of(ruleset, day) if day else 0 for day in order.first_day]
    long = [last - first > 30 for first, last in zip(order.first_day, order.last_day, strict=True)]
    list_of = [
        period_of(ruleset, plan.day[row]) if long[event] else used[event]
        for row, event in enumerate(plan.event)
    ]
    posted = [period_of(ruleset, day) for day in act_days]
    # A posting opens the first list on or after its day, so the list after it is a tick too.
    step = 3 if ruleset.period == "quarter" else 1
    lists = sorted(
        {period[event] for event in plan.event} | set(list_of) | set(posted) | {m + step for m in posted}
    )
    number = {month: i for i, month in enumerate(lists)}
    rows, sides = [0] * (len(lists) + 1), [0] * (len(lists) + 1)
    for row, event in enumerate(plan.event):
        rows[number[period[event]] + 1] += 1
        sides[number[list_of[row]] + 1] += 2
    order_of_sides = sorted(range(plan.rows), key=lambda row: list_of[row])
    tick_row, tick_opens = array("i", [0]), array("i", [0])
    for i in range(len(lists)):
        tick_row.extend([tick_row[-1], tick_row[-1] + rows[i + 1]])
        tick_opens.extend([tick_opens[-1] + sides[i + 1], tick_opens[-1] + sides[i + 1]])
    return Ticks(
        month=array("i", [m for m in lists for _ in "oc"]),
        params=array("i", [plan.dated.row_at(first_day(m)) for m in lists for _ in "oc"]),
        row=tick_row,
        opens=tick_opens,
        sides=array("i", [2 * row + turn for row in order_of_sides for turn in (0, 1)]),
        day=[day for m in lists for day in (first_day(m), first_day(m + step) - 1)],
    )


def _placed(plan: Plan, acts: list[Act]) -> list[tuple[int, Act]]:
    """Each act with the tick (or row) before which it acts."""
    if plan.ticks is None:
        return [(bisect_left(plan.day, act.day), act) for act in acts]
    if plan.lists_are_periods:
        return [(bisect_left(plan.ticks.day, act.day), act) for act in acts]
    return sorted(
        ((place_of_entries(plan.ticks.day, act), act) for act in acts), key=lambda placed: placed[0]
    )
