"""Ticks: where the period loop stops and goes on.

A tick is an event; in pools with longer periods each month or quarter is two ticks, "a list opens"
and "its period is played and closed".
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, TypeAlias

from arpad.domain.dates import first_day, month_of, quarter_start
from arpad.engine.kinds import Columns, rows_at
from arpad.engine.parameters import DatedParams
from arpad.ledger.order import VECTORISED_FROM, PlayingOrder, ints
from arpad.rulesets.catalogue import Ruleset


class Ticks(NamedTuple):
    """Columns of the ticks; offsets have one entry more."""

    month: array[int]  # year * 12 + month - 1: of the event's last day, or the list's
    params: array[int]  # row of DatedParams used by settle()
    row: array[int]  # rows of tick t: row[t] .. row[t + 1]
    opens: array[int]  # sides whose rating is written when tick t opens: sides[opens[t]] ..
    sides: array[int]
    day: list[int]  # last day of what the tick counts


def period_of(ruleset: Ruleset, day: int) -> int:
    """The first month of the list period that a day lies in."""
    month = month_of(day)
    return quarter_start(month) if ruleset.period == "quarter" else month


def months(days: Sequence[int]) -> array[int]:
    """month_of() of many days; 0 for NO_DAY."""
    if len(days) < VECTORISED_FROM // 50:
        return array("i", [month_of(day) if day else 0 for day in days])
    import numpy as np

    of_day = np.array(days)
    dates = (of_day - 719_163).astype("datetime64[D]")  # the day number of 1970-01-01
    found = dates.astype("datetime64[M]").astype(np.int64) + 1970 * 12
    return ints(np.where(of_day > 0, found, 0).astype(np.int32))


# --- an event is a tick -------------------------------------------------------------------------------


def event_ticks(
    dated: DatedParams, order: PlayingOrder, columns: Columns, event_month: array[int], game_by_game: bool
) -> Ticks:
    """A tick for each event, in playing order; `game_by_game`: one for each game."""
    if len(columns.event) >= VECTORISED_FROM:
        return _event_ticks_vectorised(dated, order, columns, event_month, game_by_game)
    n = len(columns.event)
    offsets = [g for g in range(n) if game_by_game or not g or columns.event[g] != columns.event[g - 1]]
    events = [columns.event[offset] for offset in offsets]
    return Ticks(
        month=array("i", [event_month[e] for e in events]),
        params=array("i", [dated.row_at(order.first_day[e]) for e in events]),
        row=array("i", [*offsets, n]),
        opens=array("i", [0]) * (len(offsets) + 1),
        sides=array("i"),
        day=[order.last_day[e] for e in events],
    )


def _event_ticks_vectorised(
    dated: DatedParams, order: PlayingOrder, columns: Columns, event_month: array[int], game_by_game: bool
) -> Ticks:
    import numpy as np

    event = np.frombuffer(columns.event, np.int32)
    starts = np.ones(event.size, bool)
    if not game_by_game:
        starts[1:] = event[1:] != event[:-1]
    offsets = np.flatnonzero(starts)
    events = event[offsets]
    return Ticks(
        month=ints(np.frombuffer(event_month, np.int32)[events]),
        params=ints(rows_at(dated, np.array(order.first_day)[events]).astype(np.int32)),
        row=ints(np.append(offsets, event.size).astype(np.int32)),
        opens=array("i", [0]) * (offsets.size + 1),
        sides=array("i"),
        day=np.array(order.last_day)[events].tolist(),
    )


# --- a list is two ticks ------------------------------------------------------------------------------


def params_of_events(ruleset: Ruleset, dated: DatedParams, order: PlayingOrder) -> Sequence[int] | None:
    """The row of parameters that step() uses in each event; None in rulesets of one-game periods.

    The edition is that of the event's first day. A club's own parameters hold from their day, too;
    where lists are longer than an event, from the first list that opens on that day or later.
    """
    if ruleset.period == "game":
        return None
    if len(dated.rows) == 1:
        return [0] * len(order.first_day)
    days = zip(order.first_day, order.last_day, strict=True)
    return [params_of_event(ruleset, dated, start, last) for start, last in days]


def params_of_event(ruleset: Ruleset, dated: DatedParams, start: int, last: int) -> int:
    """The same for one event, by its first and last day."""
    if not dated.own_days or ruleset.period == "event":
        return dated.row_at(start)
    return dated.row_for(start, first_day(period_of(ruleset, last)) if last else start)


def is_long(first: int, last: int) -> bool:
    """An event of more than 30 days, both ends counted: its games use the list of their own day."""
    return last - first >= 30


def list_ticks(
    ruleset: Ruleset, dated: DatedParams, order: PlayingOrder, columns: Columns, act_days: Iterable[int]
) -> Ticks:
    """Two ticks a list: it opens; its period is played and closed.

    A side's rating is written when the list opens that is in force on its event's first day; in
    events of more than 30 days, on its own day.
    """
    quarters = ruleset.period == "quarter"
    counts, used = (
        [quarter_start(month) for month in found] if quarters else list(found)
        for found in (months(order.last_day), months(order.first_day))
    )
    long = [is_long(first, last) for first, last in zip(order.first_day, order.last_day, strict=True)]
    posted = {period_of(ruleset, day) for day in act_days}
    # A posting opens the first list on or after its day, so the list after it is a tick too.
    step = 3 if quarters else 1
    posted |= {month + step for month in posted}
    vectorised = len(columns.event) >= VECTORISED_FROM
    lay_out = _lay_out_vectorised if vectorised else _lay_out
    lists, rows, sides, in_order = lay_out(ruleset, columns, counts, used, long, posted)
    tick_row, tick_opens = array("i", [0]), array("i", [0])
    for here, opened in zip(rows, sides, strict=True):
        tick_row.extend([tick_row[-1], tick_row[-1] + here])
        tick_opens.extend([tick_opens[-1] + opened, tick_opens[-1] + opened])
    return Ticks(
        month=array("i", [m for m in lists for _ in "oc"]),
        params=array("i", [dated.row_at(first_day(m)) for m in lists for _ in "oc"]),
        row=tick_row,
        opens=tick_opens,
        sides=in_order,
        day=[day for m in lists for day in (first_day(m), first_day(m + step) - 1)],
    )


Layout: TypeAlias = "tuple[list[int], list[int], list[int], array[int]]"


def _lay_out(
    ruleset: Ruleset, columns: Columns, counts: list[int], used: list[int], long: list[bool], posted: set[int]
) -> Layout:
    """The lists; the rows that count and the sides that are written in each; those sides in order."""
    list_of = [
        period_of(ruleset, columns.day[row]) if long[event] else used[event]
        for row, event in enumerate(columns.event)
    ]
    lists = sorted({counts[event] for event in columns.event} | set(list_of) | posted)
    number = {month: i for i, month in enumerate(lists)}
    rows, sides = [0] * len(lists), [0] * len(lists)
    for row, event in enumerate(columns.event):
        rows[number[counts[event]]] += 1
        sides[number[list_of[row]]] += 2
    in_order = sorted(range(len(list_of)), key=lambda row: list_of[row])
    return lists, rows, sides, array("i", [2 * row + turn for row in in_order for turn in (0, 1)])


def _lay_out_vectorised(
    ruleset: Ruleset, columns: Columns, counts: list[int], used: list[int], long: list[bool], posted: set[int]
) -> Layout:
    """The same for many rows."""
    import numpy as np

    event, day = np.frombuffer(columns.event, np.int32), np.frombuffer(columns.day, np.int32)
    list_of: Any = np.array(used, np.int32)[event]
    if any(long):
        odd = np.flatnonzero(np.array(long)[event])
        days, where = np.unique(day[odd], return_inverse=True)
        list_of[odd] = np.array([period_of(ruleset, d) for d in days.tolist()], np.int32)[where]
    games = np.bincount(event, minlength=len(counts))
    played = {counts[e] for e in np.flatnonzero(games).tolist()}
    met = np.flatnonzero(np.bincount(list_of)).tolist() if event.size else []
    lists = sorted(played | set(met) | posted)
    number = np.zeros(lists[-1] + 1 if lists else 1, np.uint16)  # few, so that the sort is one by counting
    number[lists] = np.arange(len(lists))
    rows = np.bincount(number[counts], weights=games, minlength=len(lists)).astype(np.int64)
    list_number = number[list_of]
    in_order = 2 * np.argsort(list_number, kind="stable").astype(np.int32)
    sides = np.empty(2 * event.size, np.int32)
    sides[0::2], sides[1::2] = in_order, in_order + 1
    opened = 2 * np.bincount(list_number, minlength=len(lists))
    return lists, rows.tolist(), opened.tolist(), ints(sides)
