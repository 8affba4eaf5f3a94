"""Derived rows against a replay from nothing: whether what readers see is what the facts give."""

from __future__ import annotations

import json
import uuid
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from arpad.domain.dates import day_text
from arpad.domain.units import UNRATED
from arpad.engine.history import History
from arpad.engine.replay import replay
from arpad.engine.rows import Rows
from arpad.rulesets.catalogue import find
from arpad.store.bulk import select
from arpad.store.change_rows import COLUMNS, all_rows
from arpad.store.digest import digest
from arpad.store.models import Pool, Settlement
from arpad.store.pool_ledger import PoolLedger
from arpad.store.row_columns import (
    EMPTY,
    ODD,
    columns_of,
    equal,
    first_difference,
    in_order,
    newest,
    stored_columns,
)

SEEN = COLUMNS[3:]  # person_id, kind, subject, day ... after, gone
VALUES = SEEN[:-1]
KEY = 3  # the first columns, which name a row
DAY_AND_PLACE = (3, 4)  # columns by which rows are in playing order
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
    count, bad = _changes(pool, using, facts, history)
    bad = bad or _first_standing(pool, using, facts, history)
    if bad is None and settlement.digest != digest(facts, history):
        bad = Bad("settlement", None, 0, f"The digest of settlement {pool.current} is another.")
    return Checked(count + len(history.plan.players), bad)


def _changes(pool: Pool, using: str, facts: PoolLedger, history: History) -> tuple[int, Bad | None]:
    """How many rows of changes readers see, and the first one that is not what a replay gives."""
    where = f"pool_id = {int(pool.pk)} AND settlement <= {int(pool.current)}"
    stored = newest(stored_columns(using, "store_change", (*SEEN, "settlement"), where), KEY, len(SEEN))
    there = stored[len(VALUES)] == 0
    stored = [column[there] for column in stored[: len(VALUES)]]
    expected = columns_of(all_rows(facts, Rows(history), (0, 0, 0)), len(SEEN), 3)[: len(VALUES)]
    expected = in_order(expected, KEY)
    count = len(stored[0])
    if equal(stored, expected):
        return count, None
    here, wanted = first_difference(stored, expected, KEY, DAY_AND_PLACE)
    row = (wanted or here)[0]
    kind = KINDS[row[1]] if 0 <= row[1] < len(KINDS) else "row"
    return count, Bad("change", _person(facts, row[0]), row[3], _told(kind, here, wanted))


def _told(kind: str, here: list[list[int]], there: list[list[int]]) -> str:
    if not here:
        return f"The row of a {kind} is missing."
    if not there:
        return f"The row of a {kind} should not be there."
    for name, stored, expected in zip(VALUES, here[0], there[0], strict=True):
        if stored != expected:
            return f"{name} of a {kind} is {_value(stored)}, the facts give {_value(expected)}."
    return f"The row of a {kind} stands there twice."


def _value(number: int) -> str:
    return {EMPTY: "empty", ODD: "no whole number"}.get(number, str(number))


def _person(facts: PoolLedger, key: int) -> uuid.UUID | None:
    number = facts.number("person", key)
    return None if number is None else uuid.UUID(bytes=facts.person_uuids[number])


def _first_standing(pool: Pool, using: str, facts: PoolLedger, history: History) -> Bad | None:
    query = (
        "SELECT settlement, gone, person_id, rating, label, games, last_played, state FROM store_standing "
        "WHERE pool_id = %s AND settlement <= %s ORDER BY settlement, id"
    )
    seen: dict[int, list[tuple[Any, ...]]] = {}
    for row in select(using, query, [pool.pk, pool.current]):
        if row[2] in seen and seen[row[2]][-1][0] == row[0]:
            seen[row[2]].append(row)
        else:
            seen[row[2]] = [row]
    stored = Counter(row[2:] for rows in seen.values() for row in rows if not row[1])
    expected = Counter(_lines(facts, history))
    if stored == expected:
        return None
    wrong = stored - expected or expected - stored
    line = min(wrong, key=lambda line: str(line[0]))
    if line in expected and line in stored:
        return Bad("standing", _person(facts, line[0]), 0, "The line stands there twice.")
    told = "stored" if line in stored else "missing"
    return Bad("standing", _person(facts, line[0]), 0, f"{told}: {line[1:]}.")


def _lines(facts: PoolLedger, history: History) -> Iterator[tuple[Any, ...]]:
    for line in history.ratings():
        rating = UNRATED if line.rating is None else line.state.rating
        state = json.dumps(list(line.state))
        yield facts.keys["person"][line.person], rating, line.label, line.games, line.last_played, state
