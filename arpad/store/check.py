"""Derived rows against a replay from nothing: whether what readers see is what the facts give."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from arpad.domain.dates import day_text
from arpad.domain.units import UNRATED
from arpad.engine.history import History
from arpad.engine.replay import replay
from arpad.engine.rows import Rows
from arpad.rulesets.catalogue import find
from arpad.store.bulk import select
from arpad.store.change_rows import COLUMNS, all_rows
from arpad.store.models import Pool, Settlement
from arpad.store.pool_ledger import PoolLedger
from arpad.store.settle import digest

VALUES = COLUMNS[3:-1]  # person_id, kind, subject, day ... after
NO_VALUE = -(2**62)  # what `after` is here where it is empty
BLOCK = 20_000
KINDS = ("game", "settlement", "first rating", "posting", "correction")


class Bad(NamedTuple):
    """The first derived row, in playing order, that is not what the facts give."""

    table: str  # "change", "standing" or "settlement"
    person: uuid.UUID | None
    day: int
    what: str  # one sentence

    def __str__(self) -> str:
        place = f" of {day_text(self.day)}" if self.day else ""
        return f"{self.table}{place}{f', person {self.person}' if self.person else ''}: {self.what}"


class Checked(NamedTuple):
    """How many rows were compared, and the first bad one."""

    rows: int
    bad: Bad | None


def check(pool: Pool, using: str = "default") -> Checked:
    """Replay a pool's facts up to its current settlement and compare every row that readers see."""
    pool.refresh_from_db(using=using, fields=["current"])
    if not pool.current:
        return Checked(0, None)
    settlement = Settlement.objects.using(using).get(pool=pool, number=pool.current)
    facts = PoolLedger(pool, using)
    facts.advance(settlement.through)
    history = replay(facts.ledger, find(pool.ruleset))
    expected = _array(all_rows(facts, Rows(history), (0, 0, 0)), 3)
    stored = _stored_changes(pool, using)
    bad = _first_unequal(facts, stored, expected) or _first_standing(pool, using, facts, history)
    if bad is None and settlement.digest != digest(facts, history):
        bad = Bad("settlement", None, 0, f"The digest of settlement {pool.current} is another.")
    return Checked(len(stored) + len(history.plan.players), bad)


def _array(rows: Iterable[tuple[Any, ...]], skip: int = 0) -> Any:
    """Rows (VALUES, gone) as whole numbers, by person, kind and subject."""
    blocks, batch = [], []
    for row in rows:
        batch.append([NO_VALUE if value is None else value for value in row[skip:]])
        if len(batch) >= BLOCK:
            blocks.append(np.array(batch, np.int64))
            batch = []
    blocks.append(np.array(batch, np.int64).reshape(-1, len(VALUES) + 1))
    found = np.concatenate(blocks)
    return found[np.lexsort((found[:, 2], found[:, 1], found[:, 0]))]


def _stored_changes(pool: Pool, using: str) -> Any:
    """The rows that readers see: of each the newest not above the current settlement, unless it is gone."""
    columns = ", ".join(VALUES)
    query = (
        f"SELECT {columns}, CASE WHEN gone THEN 1 ELSE 0 END FROM store_change c "
        "WHERE pool_id = %s AND settlement <= %s AND NOT EXISTS (SELECT 1 FROM store_change n "
        "WHERE n.pool_id = c.pool_id AND n.person_id = c.person_id AND n.kind = c.kind "
        "AND n.subject = c.subject AND n.settlement > c.settlement AND n.settlement <= %s)"
    )
    found = _array(select(using, query, [pool.pk, pool.current, pool.current]))
    return found[found[:, -1] == 0]


def _first_unequal(facts: PoolLedger, stored: Any, expected: Any) -> Bad | None:
    if stored.shape == expected.shape and (stored == expected).all():
        return None
    tables = [{tuple(row[:3]): row for row in table.tolist()} for table in (stored, expected)]
    wrong = [key for key in {**tables[0], **tables[1]} if tables[0].get(key) != tables[1].get(key)]
    if not wrong:  # equal rows, one of them twice
        keys, counts = np.unique(stored[:, :3], axis=0, return_counts=True)
        wrong = [tuple(key) for key in keys[counts > 1].tolist()]

    def place(key: tuple[int, ...]) -> tuple[int, ...]:
        row = tables[1].get(key) or tables[0][key]
        return (row[3], row[4], *key)

    key = min(wrong, key=place)
    here, there = (table.get(key) for table in tables)
    row = there or here
    assert row is not None
    return Bad("change", _person(facts, key[0]), row[3], _told(KINDS[key[1]], here, there))


def _told(kind: str, here: list[int] | None, there: list[int] | None) -> str:
    if here is None:
        return f"The row of a {kind} is missing."
    if there is None:
        return f"The row of a {kind} should not be there."
    for name, stored, expected in zip(VALUES, here, there, strict=False):
        if stored != expected:
            return f"{name} of a {kind} is {stored}, the facts give {expected}."
    return f"The row of a {kind} stands there twice."


def _person(facts: PoolLedger, key: int) -> uuid.UUID | None:
    number = facts.number("person", key)
    return None if number is None else uuid.UUID(bytes=facts.person_uuids[number])


def _first_standing(pool: Pool, using: str, facts: PoolLedger, history: History) -> Bad | None:
    query = (
        "SELECT person_id, rating, label, games, last_played, state FROM store_standing c "
        "WHERE pool_id = %s AND settlement <= %s AND NOT gone AND NOT EXISTS (SELECT 1 FROM store_standing n "
        "WHERE n.pool_id = c.pool_id AND n.person_id = c.person_id AND n.settlement > c.settlement "
        "AND n.settlement <= %s) ORDER BY person_id"
    )
    stored = list(select(using, query, [pool.pk, pool.current, pool.current]))
    expected = sorted(_lines(facts, history))
    if stored == expected:
        return None
    for here in (set(stored) | set(expected)) - (set(stored) & set(expected)):
        told = "stored" if here in stored else "missing"
        return Bad("standing", _person(facts, here[0]), 0, f"{told}: {here[1:]}.")
    return Bad("standing", None, 0, "A line stands there twice.")


def _lines(facts: PoolLedger, history: History) -> Iterator[tuple[Any, ...]]:
    for line in history.ratings():
        rating = UNRATED if line.rating is None else line.state.rating
        state = json.dumps(list(line.state))
        yield facts.keys["person"][line.person], rating, line.label, line.games, line.last_played, state
