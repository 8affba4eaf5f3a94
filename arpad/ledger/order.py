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
        inside = (games.round[g], games.board[g], games.sequence[g], _content(ledger, g))
        place = (rank[event[g]], day[g]) if by_event else (day[g], rank[event[g]])
        return (*place, *inside)

    if until:
        held = [g for g in held if (last[event[g]] if by_event else day[g]) <= until]
    order = sorted(held, key=key)
    return PlayingOrder(array("i", order), order == list(range(len(games))), first, last)


def _content(ledger: Ledger, g: int) -> tuple[object, ...]:
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

    def key(e: int) -> tuple[int, int, int, str]:
        return (last[e] if last else 0, events[e].order, first[e], events[e].key)

    rank = [0] * len(events)
    for place, event in enumerate(sorted(range(len(events)), key=key)):
        rank[event] = place
    return rank


def _vectorised(ledger: Ledger, now: Effective, by_event: bool, until: int) -> PlayingOrder:
    """The same order for many games; equal to the plain one (a test compares them)."""
    import numpy as np

    games = ledger.games
    columns = {
        name: np.frombuffer(getattr(games, name), np.int32)
        for name in ("player2", "event", "day", "round", "board", "sequence")
    }
    event, day = columns["event"], columns["day"]
    keep = columns["player2"] >= 0
    if now.left_out:
        keep[np.fromiter(now.left_out, np.int64)] = False
    everything = bool(keep.all())
    held_event, held_day = (event, day) if everything else (event[keep], day[keep])
    last_day = np.zeros(len(ledger.events), np.int32)
    first_day = np.full(len(ledger.events), 2**30, np.int32)
    _extremes(last_day, first_day, held_event, held_day)
    last = last_day.tolist()
    first = _declared(ledger, np.where(first_day == 2**30, 0, first_day).tolist())
    rank = np.array(_event_rank(ledger, first, last if by_event else None), np.int32)
    if until:
        keep &= (last_day[event] if by_event else day) <= until
        everything = everything and bool(keep.all())
    place = rank[event]
    keys = [place, day] if by_event else [day, place]
    keys += [columns[name] for name in ("round", "board", "sequence")]
    keys = [k for k in keys if k.size and k.min() != k.max()]
    if everything and _is_sorted(keys):
        return PlayingOrder(array("i", range(len(games))), True, first, last)
    rows = np.flatnonzero(keep).astype(np.int32)
    chosen = [k[rows] for k in keys]
    if chosen:
        rows = rows[np.lexsort(chosen[::-1])]
    rows = _break_ties(ledger, rows, keys)
    order = array("i")
    order.frombytes(rows.tobytes())
    return PlayingOrder(order, False, first, last)


def _extremes(last: Any, first: Any, event: Any, day: Any) -> None:
    """Largest and smallest day of each event, into `last` and `first`.

    Runs of one event are reduced first: files come event by event, and ufunc.at is slow.
    """
    import numpy as np

    if not event.size:
        return
    starts = np.flatnonzero(np.concatenate(([True], event[1:] != event[:-1])))
    np.maximum.at(last, event[starts], np.maximum.reduceat(day, starts))
    np.minimum.at(first, event[starts], np.minimum.reduceat(day, starts))


def _is_sorted(keys: list[Any]) -> bool:
    """Strictly rising on `keys`, first key first: no sort and no tie-break needed."""
    import numpy as np

    if not keys:
        return False
    undecided = np.ones(keys[0].size - 1, bool)
    for key in keys:
        if (key[1:] < key[:-1])[undecided].any():
            return False
        undecided &= key[1:] == key[:-1]
        if not undecided.any():
            return True
    return False


def _break_ties(ledger: Ledger, rows: Any, keys: list[Any]) -> Any:
    """Games equal on every key are put in the order of their content."""
    import numpy as np

    if rows.size < 2:
        return rows
    equal = np.ones(rows.size - 1, bool)
    for key in keys:
        chosen = key[rows]
        equal &= chosen[1:] == chosen[:-1]
    edges = np.diff(np.concatenate(([0], equal.view(np.int8), [0])))
    for start, stop in zip(np.flatnonzero(edges == 1), np.flatnonzero(edges == -1) + 1, strict=True):
        run = rows[start:stop].tolist()
        rows[start:stop] = sorted(run, key=lambda g: _content(ledger, g))
    return rows
