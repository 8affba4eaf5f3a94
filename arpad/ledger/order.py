"""Playing order (design, principle 4): computed from content, never from the order of arrival."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.domain.results import write_result
from arpad.ledger.ledger import Effective, Ledger

if TYPE_CHECKING:
    from collections.abc import Sequence

VECTORISED_FROM = 50_000  # games; below, importing numpy costs more than it saves


class PlayingOrder(NamedTuple):
    """Which games count, in which order, and the days of their events."""

    games: array[int]  # ledger's game numbers in playing order
    in_arrival: bool  # they are simply 0, 1, 2 ...: columns need no copy
    first_day: list[int]  # by event: declared start, else first game
    last_day: list[int]  # by event; 0: no game that holds


def playing_order(ledger: Ledger, now: Effective, by_event: bool, until: int = 0) -> PlayingOrder:
    """Games that hold, in playing order, without byes.

    `by_event`: an event counts wholly on its last playing day (periods longer than a game);
    otherwise every game on its own date. `until` > 0: nothing that counts after that day.
    """
    if len(ledger.games) >= VECTORISED_FROM:
        return _vectorised(ledger, now, by_event, until)
    games = ledger.games
    held = [g for g in range(len(games)) if games.player2[g] >= 0 and g not in now.left_out]
    first, last = _event_days(ledger, held)
    rank = _event_rank(ledger, first, last if by_event else None)
    day, event = games.day, games.event

    def key(g: int) -> tuple[Any, ...]:
        inside = (games.round[g], games.board[g], games.sequence[g], content_of(ledger, g))
        place = (rank[event[g]], day[g]) if by_event else (day[g], rank[event[g]])
        return (*place, *inside)

    if until:
        held = [g for g in held if (last[event[g]] if by_event else day[g]) <= until]
    order = sorted(held, key=key)
    return PlayingOrder(array("i", order), order == list(range(len(games))), first, last)


def content_of(ledger: Ledger, g: int) -> tuple[object, ...]:
    """The last tie-break: what the game says, under the names first reported."""
    games = ledger.games
    weight = games.weight[g]
    return (
        ledger.keys[games.player1[g]],
        ledger.keys[games.player2[g]],
        write_result(ledger.results[games.result[g]]),
        games.stones[g],
        games.size[g],
        -1.0 if weight != weight else weight,
    )


def _event_days(ledger: Ledger, held: Sequence[int]) -> tuple[list[int], list[int]]:
    last = [0] * len(ledger.events)
    first = [0] * len(ledger.events)
    for g in held:
        event, day = ledger.games.event[g], ledger.games.day[g]
        if day > last[event]:
            last[event] = day
        if not first[event] or day < first[event]:
            first[event] = day
    return _declared(ledger, first), last


def _declared(ledger: Ledger, first: list[int]) -> list[int]:
    return [event.start or day for event, day in zip(ledger.events_now(), first, strict=True)]


def _event_rank(ledger: Ledger, first: list[int], last: list[int] | None) -> list[int]:
    """Place of every event: (last day,) declared sequence, first day, order key."""
    events = ledger.events_now()
    orders, keys = [event.order for event in events], [event.key for event in events]
    places = range(len(events))
    rank = [0] * len(events)
    days = [0] * len(events) if last is None else last
    for place, found in enumerate(sorted(zip(days, orders, first, keys, places, strict=True))):
        rank[found[4]] = place
    return rank


def _vectorised(ledger: Ledger, now: Effective, by_event: bool, until: int) -> PlayingOrder:
    """The same order for many games; equal to the plain one (a test compares them).

    Games come in runs: rows of one event and day that follow each other. Files mostly give the games
    of a run in order, so that only the runs need sorting.
    """
    import numpy as np

    games = ledger.games
    second = np.frombuffer(games.player2, np.int32)
    held: Any = slice(None)
    if now.left_out or (second.size and second.min() < 0):
        keep = second >= 0
        keep[np.fromiter(now.left_out, np.int64)] = False
        held = np.flatnonzero(keep)

    def column(name: str) -> Any:
        return np.frombuffer(getattr(games, name), np.int32)[held]

    event, day = column("event"), column("day")
    starts = np.ones(event.size, bool)
    starts[1:] = event[1:] != event[:-1]
    starts[1:] |= day[1:] != day[:-1]
    runs = np.flatnonzero(starts)
    run_event, run_day = event[runs], day[runs]
    first, last = _days_of_events(ledger, run_event, run_day)
    rank = np.array(_event_rank(ledger, first, last if by_event else None), np.int64)
    place, when = rank[run_event], run_day.astype(np.int64)
    code = (place << 32 | when) if by_event else (when << 32 | place)
    lengths = np.diff(runs, append=event.size)
    chosen = np.argsort(code, kind="stable")
    if until:
        counts_on = np.array(last, np.int32)[run_event] if by_event else run_day
        chosen = chosen[counts_on[chosen] <= until]
    inside = [key for key in map(column, ("round", "board", "sequence")) if key.any()]
    apart = bool((np.diff(code[chosen]) > 0).all())
    if apart and _rise_inside(starts, inside):
        if chosen.size == runs.size and event.size == second.size and (np.diff(chosen) == 1).all():
            return PlayingOrder(ints(np.arange(event.size, dtype=np.int32)), True, first, last)
        rows = _expanded(runs[chosen], lengths[chosen])
    else:
        keys = [np.repeat(code, lengths), *inside]
        rows = _expanded(runs[chosen], lengths[chosen])
        rows = rows[np.lexsort([key[rows] for key in reversed(keys)])]
        rows = _break_ties(ledger, rows, keys, held)
    if isinstance(held, np.ndarray):
        rows = held[rows]
    return PlayingOrder(ints(rows.astype(np.int32, copy=False)), False, first, last)


def _days_of_events(ledger: Ledger, run_event: Any, run_day: Any) -> tuple[list[int], list[int]]:
    """First (declared, else played) and last day of each event; the last is 0 where no game holds."""
    import numpy as np

    last = np.zeros(len(ledger.events), np.int32)
    first = np.full(len(ledger.events), 2**30, np.int32)
    np.maximum.at(last, run_event, run_day)
    np.minimum.at(first, run_event, run_day)
    first[first == 2**30] = 0
    return _declared(ledger, first.tolist()), last.tolist()


def _rise_inside(starts: Any, keys: list[Any]) -> bool:
    """Whether rows of one run rise strictly on `keys`, first key first: nothing to sort, no ties."""
    undecided = ~starts[1:]
    for key in keys:
        if ((key[1:] < key[:-1]) & undecided).any():
            return False
        undecided &= key[1:] == key[:-1]
    return not undecided.any()


def _expanded(starts: Any, lengths: Any) -> Any:
    """starts[0], starts[0] + 1 ... (lengths[0] of them), starts[1] ..."""
    import numpy as np

    before = np.cumsum(lengths) - lengths
    return np.repeat((starts - before).astype(np.int32), lengths) + np.arange(lengths.sum(), dtype=np.int32)


def ints(values: Any) -> array[int]:
    """numpy's int32 as a flat array of the standard library."""
    out = array("i")
    out.frombytes(values.view("u1"))
    return out


def _break_ties(ledger: Ledger, rows: Any, keys: list[Any], held: Any) -> Any:
    """Games equal on every key are put in the order of their content. `held`: row -> game."""
    import numpy as np

    if rows.size < 2:
        return rows

    def number(row: int) -> int:
        return row if isinstance(held, slice) else int(held[row])

    equal = np.ones(rows.size - 1, bool)
    for key in keys:
        chosen = key[rows]
        equal &= chosen[1:] == chosen[:-1]
    edges = np.diff(np.concatenate(([0], equal.view(np.int8), [0])))
    for start, stop in zip(np.flatnonzero(edges == 1), np.flatnonzero(edges == -1) + 1, strict=True):
        run = rows[start:stop].tolist()
        rows[start:stop] = sorted(run, key=lambda row: content_of(ledger, number(row)))
    return rows
