"""Which rows differ between two histories, as columns: a late result may change a hundred thousand."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from arpad.engine.acts import Opening
from arpad.engine.rows import Key, Rows, act_key


class Compared(NamedTuple):
    """Rows of one kind that differ, one entry a row. Where they stand is -1 in a history without them."""

    subject: Any  # number of the game; of the period
    person: Any
    left: Any  # side, or settlement entry, of the old history
    right: Any  # of the new one


def changed_games(a: Rows, b: Rows, since: int) -> Compared:
    """Sides of games. `since`: the place up to which `b` has the numbers of `a`; 0: none."""
    left, right, gone, came = _grown(a, b, since) if since else _by_number(a, b)
    before = [np.asarray(rows.history.before)[: 2 * rows.plan.rows].view(np.int64) for rows in (a, b)]
    facts = before[0][left] != before[1][right]  # either rating used concerns both sides
    if not since:
        for x, y in zip(_fact_columns(a), _fact_columns(b), strict=True):
            facts |= x[left] != y[right]
    differ = np.repeat(facts[:, None], 2, axis=1)
    for x, y in zip(_side_columns(a), _side_columns(b), strict=True):
        unequal = x[left] != y[right]
        differ |= unequal.any(axis=2) if unequal.ndim == 3 else unequal
    at, turn = np.nonzero(differ)
    new = (2 * right[at] + turn, 2 * left[at] + turn)
    games = [np.asarray(rows.plan.order.games) for rows in (a, b)]
    who = [_Players(rows) for rows in (a, b)]
    none = np.full(2 * len(gone), -1, np.int64)
    sides = [2 * np.repeat(rows, 2) + np.tile([0, 1], len(rows)) for rows in (gone, came)]
    parts = [
        (games[1][right[at]], who[1][new[0]], new[1], new[0]),
        (games[0][sides[0] // 2], who[0][sides[0]], sides[0], none),
        (games[1][sides[1] // 2], who[1][sides[1]], np.full(len(sides[1]), -1, np.int64), sides[1]),
    ]
    if not since:
        parts = _by_person(parts, who, left[at], right[at], turn)
    return Compared(*(np.concatenate(column).astype(np.int64) for column in zip(*parts, strict=True)))


class _Players:
    """Who played a side, by its number."""

    def __init__(self, rows: Rows) -> None:
        self.first, self.second = np.asarray(rows.plan.player1), np.asarray(rows.plan.player2)

    def __getitem__(self, sides: Any) -> Any:
        row = sides // 2
        return np.where(sides % 2 == 1, self.second[row], self.first[row])


def _by_person(parts: list[Any], who: list[Any], left: Any, right: Any, turn: Any) -> list[Any]:
    """Of games that both histories have: a merge may have given the side to somebody else."""
    game, new, _, side = parts[0]
    old = who[0][2 * left + turn]
    found = [
        (game, new, _side_of(who[0], left, new), side),
        (game, old, 2 * left + turn, _side_of(who[1], right, old)),
    ]
    together = [np.concatenate(column) for column in zip(*found, strict=True)]
    _, first = np.unique(together[0].astype(np.int64) << 32 | together[1], return_index=True)
    return [tuple(column[first] for column in together), *parts[1:]]


def _side_of(who: Any, row: Any, person: Any) -> Any:
    """The side of each person in a row; -1: none."""
    return np.where(who[2 * row] == person, 2 * row, np.where(who[2 * row + 1] == person, 2 * row + 1, -1))


def _grown(a: Rows, b: Rows, since: int) -> tuple[Any, Any, Any, Any]:
    """(row of `a`, row of `b`) of what both have from a place on, and what only one has."""
    follows = b.history.follows
    assert follows is not None
    first = b.plan.row_of_place(since)
    removed, added = (np.array(rows, np.int64) for rows in (follows.growth.removed, follows.growth.added))
    left = np.delete(np.arange(first, a.plan.rows), removed - first)
    right = np.delete(np.arange(first, b.plan.rows), added - first)
    return left, right, removed, added


def _by_number(a: Rows, b: Rows) -> tuple[Any, Any, Any, Any]:
    """The same, of whole histories, by the numbers of the games."""
    games = max(len(a.row_of_game), len(b.row_of_game))
    rows = [np.concatenate([r.row_of_game, np.full(games - len(r.row_of_game), -1)]) for r in (a, b)]
    both = (rows[0] >= 0) & (rows[1] >= 0)
    gone, came = (rows[0] >= 0) & ~both, (rows[1] >= 0) & ~both
    return rows[0][both], rows[1][both], rows[0][gone], rows[1][came]


def _fact_columns(rows: Rows) -> list[Any]:
    """What was reported, by row."""
    plan = rows.plan
    kind = np.asarray(plan.kind)
    tables = [np.asarray(column)[kind] if plan.rows else np.zeros(0) for column in plan.kinds[1:6]]
    return [np.asarray(column) for column in (plan.player1, plan.player2, plan.day)] + tables


def _side_columns(rows: Rows) -> list[Any]:
    history = rows.history
    sides = 2 * rows.plan.rows
    columns: list[Any] = [
        np.asarray(column)[:sides].reshape(-1, 2) for column in (history.expected, history.change)
    ]
    if rows.plan.ticks is None:
        columns.append(np.asarray(history.settled_state)[: sides * rows.width].reshape(-1, 2, rows.width))
    return columns


# --- settlements ------------------------------------------------------------------------------------


def changed_settlements(a: Rows, b: Rows, since: int) -> Compared:
    """Settlements of periods."""
    people = max(len(a.plan.ledger.names), len(b.plan.ledger.names)) + 1
    if a.plan.ticks is None:
        return Compared(*(np.zeros(0, np.int64) for _ in range(4)))
    keys: list[Any] = []
    entries: list[Any] = []
    days: list[Any] = []
    states: list[Any] = []
    for rows in (a, b):
        first = rows.history.settled_before(since) if since else 0
        period, person = (column[first:] for column in rows.settled_keys)
        packed = period * people + person
        order = np.argsort(packed, kind="stable")
        keys.append(packed[order])
        entries.append(order + first)
        days.append(rows.settled_days[order + first])
        states.append(np.asarray(rows.history.settled_state).reshape(-1, rows.width)[order + first])
    common, left, right = np.intersect1d(keys[0], keys[1], assume_unique=True, return_indices=True)
    # a period that is an event may close on another day for those whose own rating stays as it was
    differ = (states[0][left] != states[1][right]).any(axis=1) | (days[0][left] != days[1][right])
    left, right = left[differ], right[differ]
    gone, came = (np.isin(keys[i], common, assume_unique=True, invert=True) for i in (0, 1))
    packed = np.concatenate((keys[1][right], keys[0][gone], keys[1][came]))
    there = np.concatenate((entries[0][left], entries[0][gone], np.full(int(came.sum()), -1)))
    here = np.concatenate((entries[1][right], np.full(int(gone.sum()), -1), entries[1][came]))
    return Compared(packed // people, packed % people, there, here)


# --- acts -------------------------------------------------------------------------------------------


def changed_acts(a: Rows, b: Rows, since: int) -> list[Key]:
    """What acts did."""
    apart = since or _same_opening(a, b)
    sides = []
    for rows in (a, b):
        outcomes = rows.history.outcomes_apart(since) if apart else rows.history.outcomes
        sides.append({act_key(o): (o.before, o.after) for o in outcomes})
    left, right = sides
    return [key for key in left.keys() | right.keys() if left.get(key) != right.get(key)]


def _same_opening(a: Rows, b: Rows) -> bool:
    """Whether the first ratings without a day, often as many as players, are the same in both.

    Without any, those without a day may stand among the acts.
    """
    one, other = a.plan.opening, b.plan.opening
    return bool(one.facts) and one.states == other.states and one.facts == other.facts


__all__ = ["Compared", "Opening", "changed_acts", "changed_games", "changed_settlements"]
