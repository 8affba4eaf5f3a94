"""The digest of a settlement: one hash of every number a replay computed, equal on any database.

It is a hash of the hashes of pieces: a month's games (who played, by UUID), their numbers, the
settlements of a month, everybody's State at the end. So a late result costs the pieces it changed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from arpad.domain.dates import first_day, month_of
from arpad.engine.history import History
from arpad.store.pool_ledger import PoolLedger

# Of a State: given, not computed. A public export tells the category that counted, not the year.
GIVEN = ("born",)


class Piece(NamedTuple):
    """The games of one month."""

    start: int  # rows
    stop: int
    facts: bytes
    numbers: bytes


class Pieces(NamedTuple):
    """What a digest is made of, kept for the next one."""

    history: History
    people: Any  # UUIDs by number
    games: list[Piece]
    settlements: list[tuple[int, int, bytes]]  # entries from, to
    players: tuple[Sequence[int], Any, bytes]  # who, in the order of UUIDs, and the hash of that

    def digest(self) -> str:
        """sha256, in hexadecimal."""
        found = hashlib.sha256()
        for piece in self.games:
            found.update(piece.facts + piece.numbers)
        for _, _, settled in self.settlements:
            found.update(settled)
        found.update(self.players[2])
        states = _computed(self.history, self.history.states)[self.players[1]]
        found.update(states.tobytes())
        return found.hexdigest()


def digest(facts: PoolLedger, history: History) -> str:
    """sha256 of every number that a replay computed, in playing order, by UUID: equal on any database."""
    return pieces(facts, history).digest()


def pieces(facts: PoolLedger, history: History, known: Pieces | None = None) -> Pieces:
    """The pieces of a history; `known`: of another one of the same PoolLedger."""
    people = known.people if known is not None else _uuids(b"")
    if len(people) != len(facts.person_uuids):
        people = _uuids(b"".join(facts.person_uuids))
    return Pieces(
        history,
        people,
        _games(facts, people, history, known),
        _settlements(people, history, known),
        _players(people, history.plan.players, known),
    )


def _uuids(raw: bytes | bytearray) -> Any:
    return np.frombuffer(raw, "V16")


def _games(facts: PoolLedger, people: Any, history: History, known: Pieces | None) -> list[Piece]:
    plan, columns = history.plan, _rows(history)
    games = _uuids(facts.game_uuids)
    same = plan.row_of_place(history.continues(known.history)) if known else 0
    old = {} if known is None else {_month(known.history, piece.start): piece for piece in known.games}
    old_columns = None if known is None else _rows(known.history)
    found = []
    for start, stop in _months(history):
        before = old.get(_month(history, start))
        if before is not None and stop <= same and (before.start, before.stop) == (start, stop):
            found.append(before)
            continue
        mine = [column[start:stop] for column in columns]
        if before is not None and old_columns is not None and all(
            np.array_equal(column, other[before.start : before.stop])
            for column, other in zip(mine, old_columns, strict=True)
        ):  # fmt: skip
            who = before.facts
        else:
            told = hashlib.sha256(games[mine[0]].tobytes())
            for column in mine[1:]:
                told.update(people[column].tobytes())
            who = told.digest()
        found.append(Piece(start, stop, who, _numbers(history, start, stop)))
    return found


def _rows(history: History) -> list[Any]:
    """Game and players by row."""
    plan = history.plan
    return [np.asarray(column) for column in (plan.order.games, plan.player1, plan.player2)]


def _numbers(history: History, start: int, stop: int) -> bytes:
    found = hashlib.sha256()
    for column in (history.before, history.expected, history.change):
        found.update(np.asarray(column)[2 * start : 2 * stop].astype("<i4", copy=False).tobytes())
    if history.plan.ticks is None:
        found.update(_computed(history, history.settled_state, 2 * start, 2 * stop).tobytes())
    return found.digest()


def _computed(history: History, states: Any, start: int = 0, stop: int | None = None) -> Any:
    """Fields of States that are computed, a row a State."""
    fields = history.plan.ruleset.state_type._fields
    found = np.asarray(states).reshape(-1, len(fields))[start:stop].astype("<i4", copy=False)
    chosen = [i for i, name in enumerate(fields) if name not in GIVEN]
    return found if len(chosen) == len(fields) else found[:, chosen]


def _month(history: History, row: int) -> int:
    """In which month a row counts; playing order never falls back to an earlier one."""
    plan = history.plan
    if plan.ruleset.period == "game":
        return month_of(plan.day[row])
    return int(plan.event_month[plan.event[row]])


def _months(history: History) -> list[tuple[int, int]]:
    """The rows of each month in which games count."""
    plan = history.plan
    if not plan.rows:
        return []
    if plan.ruleset.period == "game":
        first, last = _month(history, 0), _month(history, plan.rows - 1)
        starts = [first_day(month) for month in range(first, last + 1)]
        cuts = np.unique(np.searchsorted(np.asarray(plan.day), starts)).tolist()
    else:
        month = np.asarray(plan.event_month)[np.asarray(plan.event)]
        cuts = [0, *(np.flatnonzero(month[1:] != month[:-1]) + 1).tolist()]
    return list(zip(cuts, [*cuts[1:], plan.rows], strict=True))


def _settlements(people: Any, history: History, known: Pieces | None) -> list[tuple[int, int, bytes]]:
    """The settlements of the ticks of each month."""
    ticks = history.plan.ticks
    if ticks is None or not len(ticks.month):
        return []
    same = history.settled_before(history.continues(known.history)) if known else 0
    old = {} if known is None else {(start, stop): told for start, stop, told in known.settlements}
    month, entries = np.asarray(ticks.month), np.asarray(history.tick_settled)
    cuts = [0, *(np.flatnonzero(month[1:] != month[:-1]) + 1).tolist(), len(month)]
    bounds = entries[cuts].tolist()
    found = []
    for start, stop in pairwise(bounds):
        told = old.get((start, stop)) if stop <= same else None
        if told is None:
            settled = hashlib.sha256(people[np.asarray(history.settled_player)[start:stop]].tobytes())
            settled.update(_computed(history, history.settled_state, start, stop).tobytes())
            told = settled.digest()
        found.append((start, stop, told))
    return found


def _players(people: Any, players: Sequence[int], known: Pieces | None) -> tuple[Sequence[int], Any, bytes]:
    """Who takes part, in the order of UUIDs."""
    if known is not None and known.players[0] is players:
        return known.players
    who = np.array(players, np.int64)
    uuids = people[who]
    halves = uuids.view(">u8").reshape(-1, 2) if len(who) else np.zeros((0, 2), ">u8")
    order = np.lexsort((halves[:, 1], halves[:, 0]))
    return players, who[order], hashlib.sha256(uuids[order].tobytes()).digest()
