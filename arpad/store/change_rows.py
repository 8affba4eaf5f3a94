"""Rows of the table Change, made from a history: all of them, or those that differ."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import repeat
from typing import Any

import numpy as np

from arpad.domain.units import UNRATED
from arpad.engine.acts import CORRECTION, ENTRY, KIND_NAMES, POSTING, Outcome
from arpad.engine.diff import ACT, GAME, Differences, Key
from arpad.engine.rows import Row, Rows
from arpad.store.pool_ledger import PoolLedger

COLUMNS = (
    "organisation_id", "pool_id", "settlement", "person_id", "kind", "subject", "day", "place", "opponent",
    "before", "expected", "change", "after", "gone",
)  # fmt: skip
GAME_ROW, SETTLED_ROW, ENTRY_ROW, POSTING_ROW, CORRECTION_ROW = range(5)
_ACT_ROWS = {ENTRY: ENTRY_ROW, POSTING: POSTING_ROW, CORRECTION: CORRECTION_ROW}
# Inside a day: acts, then games by round, board and sequence, then what closes a period.
BEFORE_GAMES, AFTER_GAMES = -10, 2**62
BLOCK = 50_000
Head = tuple[int, int, int]


def all_rows(facts: PoolLedger, rows: Rows, head: Head) -> Iterator[tuple[Any, ...]]:
    """Every row of a history: the games person by person, so that the index by person grows at its end."""
    plan = rows.plan
    people = np.array(facts.keys["person"], np.int64)
    sides = np.stack([people[np.array(c, np.int64)] for c in (plan.player1, plan.player2)], axis=1).ravel()
    games = np.array(facts.keys["game"], np.int64)[np.array(plan.order.games, np.int64)]
    yield from _game_rows(facts, rows, head, np.lexsort((np.repeat(games, 2), sides)))
    yield from _settled_rows(facts, rows, head, np.arange(len(rows.settled_keys[1])))
    for outcome in rows.history.outcomes:
        yield _act_row(facts, outcome, head)


def changed_rows(facts: PoolLedger, differences: Differences, head: Head) -> Iterator[tuple[Any, ...]]:
    """The rows that differ; a row that is gone is written as gone."""
    there, wanted = differences.right >= 0, stored_otherwise(differences)
    for number in np.flatnonzero(~there | (differences.kind == 0)).tolist():
        row_before, row = differences.rows(number)
        key = differences.key(number)
        if row is None:
            assert row_before is not None
            yield _gone_row(facts, key, row_before, head)
        else:
            yield _act_row(facts, differences.after.acts[key], head)
    # by person, as the table's index goes: next to each other there, twice as fast to insert
    order = np.lexsort((differences.subject, differences.person))
    order = order[(there & wanted)[order]]
    kinds, right = differences.kind[order], differences.right[order]
    yield from _game_rows(facts, differences.after, head, right[kinds == 1])
    yield from _settled_rows(facts, differences.after, head, right[kinds == 2])


def stored_otherwise(differences: Differences) -> Any:
    """Which of the rows that differ are another row of the table too.

    A row also differs where only the opponent's rating did, or a count of games: that is not stored in it.
    """
    found = np.ones(len(differences), bool)
    both = (differences.left >= 0) & (differences.right >= 0)
    rows = (differences.before, differences.after)
    for kind in (1, 2):
        at = np.flatnonzero(both & (differences.kind == kind))
        pairs = zip(rows, (differences.left[at], differences.right[at]), strict=True)
        one, other = ((_stored_game if kind == 1 else _stored_settlement)(*pair) for pair in pairs)
        found[at] = np.any([x != y for x, y in zip(one, other, strict=True)], axis=0)
    return found


def _stored_game(rows: Rows, sides: Any) -> list[Any]:
    """What a row of a game holds, but for what the game itself says of its place."""
    plan, history, row = rows.plan, rows.history, sides // 2
    opponent = np.where(sides % 2 == 1, np.asarray(plan.player1)[row], np.asarray(plan.player2)[row])
    values = [np.asarray(column)[sides] for column in (history.before, history.expected, history.change)]
    if plan.ticks is None:
        values.append(np.asarray(history.settled_state)[sides * rows.width])
    return [opponent, np.asarray(plan.day)[row], *values]


def _stored_settlement(rows: Rows, entries: Any) -> list[Any]:
    if not len(entries):
        return [entries]
    return [rows.settled_days[entries], np.asarray(rows.history.settled_state)[entries * rows.width]]


def _game_rows(facts: PoolLedger, rows: Rows, head: Head, sides: Any) -> Iterator[tuple[Any, ...]]:
    plan, history = rows.plan, rows.history
    people, keys = np.asarray(facts.keys["person"]), np.asarray(facts.keys["game"])
    columns = (plan.order.games, plan.player1, plan.player2, plan.day)
    order, first, second, days = (np.asarray(column) for column in columns)
    computed = [np.asarray(column) for column in (history.before, history.expected, history.change)]
    states, closes = np.asarray(history.settled_state), plan.ticks is None
    for start in range(0, len(sides), BLOCK):
        block = sides[start : start + BLOCK]
        row, turned = block // 2, block % 2 == 1
        game, one, two = order[row], first[row], second[row]
        person, opponent = np.where(turned, two, one), np.where(turned, one, two)
        found = [
            people[person], keys[game], days[row], game_places(plan.ledger.games, game), people[opponent],
            *(column[block] for column in computed),
        ]  # fmt: skip
        after = states[block * rows.width].tolist() if closes else [None] * len(block)
        who, subject, day, at, *others = (column.tolist() for column in found)
        kind, gone = repeat(GAME_ROW, len(block)), repeat(False, len(block))
        yield from zip(*map(repeat, head), who, kind, subject, day, at, *others, after, gone, strict=False)


def game_places(games: Any, chosen: Any) -> Any:
    """Order of games (by number) inside a day: round, board, sequence, packed into one whole number."""
    round_, board, sequence = (
        np.minimum(np.asarray(column)[chosen].astype(np.int64), limit)
        for column, limit in ((games.round, 2**16), (games.board, 2**20), (games.sequence, 2**24))
    )
    return (round_ << 44) | (board << 24) | sequence


def _settled_rows(facts: PoolLedger, rows: Rows, head: Head, entries: Any) -> Iterator[tuple[Any, ...]]:
    ticks = rows.plan.ticks
    if ticks is None:
        return
    period, person = rows.settled_keys
    tick_of = np.searchsorted(np.array(rows.history.tick_settled, np.int64), entries, "right") - 1
    people, days = facts.keys["person"], ticks.day
    states = np.array(rows.history.settled_state)
    for entry, tick in zip(entries.tolist(), tick_of.tolist(), strict=True):
        after = int(states[entry * rows.width])
        subject = period_key(facts, rows, int(period[entry]))
        who = people[int(person[entry])]
        yield (*head, who, SETTLED_ROW, subject, days[tick], AFTER_GAMES, 0, UNRATED, -1, 0, after, False)


def period_key(facts: PoolLedger, rows: Rows, period: int) -> int:
    """What a period is called in the database: the key of its event or game, or its month."""
    if not rows.plan.lists_are_periods:
        return period
    return facts.keys["game" if rows.game_by_game else "event"][period]


def _act_row(facts: PoolLedger, outcome: Outcome, head: Head) -> tuple[Any, ...]:
    act = outcome.act
    who = facts.keys["person"][outcome.person]
    place, subject = BEFORE_GAMES + act.kind, act_subject(act.kind, act.day, act.reason)
    before, after = int(outcome.before.rating), int(outcome.after.rating)
    return (*head, who, _ACT_ROWS[act.kind], subject, act.day, place, 0, before, -1, 0, after, False)


def act_subject(kind: int, day: int, reason: str) -> int:
    """What an act is called in the database: it stays the same when another fact takes its place.

    A first rating is called by its day, a correction or posting by its fact's key, a posting of the
    ruleset itself by its day, below 0.
    """
    if kind == ENTRY:
        return day
    key = reason.partition(":")[2]
    return int(key) if key else -day


def subject_of(facts: PoolLedger, rows: Rows, key: Key) -> tuple[int, int]:
    """(kind, subject) of the database row under a key."""
    if key.kind == GAME:
        return GAME_ROW, facts.keys["game"][key.subject]
    if key.kind == ACT:
        kind = KIND_NAMES.index(key.subject[0])
        return _ACT_ROWS[kind], act_subject(kind, key.subject[1], key.subject[3])
    period = key.subject if isinstance(key.subject, int) else key.subject[1]
    return SETTLED_ROW, period_key(facts, rows, period)


def _gone_row(facts: PoolLedger, key: Key, row: Row, head: Head) -> tuple[Any, ...]:
    people = facts.keys["person"]
    who = people[key.person]
    if key.kind == GAME:
        place = int(game_places_of(facts, key.subject))
        subject, other = facts.keys["game"][key.subject], people[row.opponent]
        return (*head, who, GAME_ROW, subject, row.day, place, other, row.mine, -1, 0, None, True)
    if key.kind == ACT:
        kind = KIND_NAMES.index(key.subject[0])
        subject = act_subject(kind, key.subject[1], key.subject[3])
        place = BEFORE_GAMES + kind
        return (*head, who, _ACT_ROWS[kind], subject, row.day, place, 0, UNRATED, -1, 0, None, True)
    period = key.subject if isinstance(key.subject, int) else key.subject[1]
    name = "game" if not isinstance(key.subject, int) and key.subject[0] == "game" else "event"
    subject = period if isinstance(key.subject, int) else facts.keys[name][period]
    return (*head, who, SETTLED_ROW, subject, row.day, AFTER_GAMES, 0, UNRATED, -1, 0, None, True)


def game_places_of(facts: PoolLedger, game: int) -> int:
    """game_places() of one game."""
    row = facts.ledger.games[game]
    return (min(row.round, 2**16) << 44) | (min(row.board, 2**20) << 24) | min(row.sequence, 2**24)
