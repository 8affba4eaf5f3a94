"""A pool's rules beside the published ones, and how its predictions came true: for readers' pages."""

from __future__ import annotations

import json
from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, TypeAlias

from arpad.domain.problems import RuleRefusal
from arpad.domain.results import read_result
from arpad.engine.parameters import dated_params
from arpad.ledger.facts import ParameterChange
from arpad.rulesets.catalogue import find
from arpad.store.bulk import select
from arpad.store.current import CHANGE, STANDING
from arpad.store.holding import marks
from arpad.store.models import Pool, Settlement

YEARS = 3 * 366  # days before the last one rated that predictions are taken from
BAND = 5  # hundredths on either side of an expected score
EVEN = (480_000, 520_000)  # millionths: here both sides of a game say the same, so one is taken


class Predictions(NamedTuple):
    """Games in which a side was expected to score about this much."""

    low: float  # 0..1
    high: float
    games: int
    expected: float  # mean
    scored: float  # mean


def own_parameters(pool: Pool, using: str = "default") -> list[ParameterChange]:
    """The pool's own parameters, oldest first; what is void or not recorded yet is left out."""
    query = (
        "SELECT f.day, f.name, f.value FROM store_parameterchange f "
        "JOIN store_recording r ON r.id = f.recording_id WHERE f.pool_id = %s AND r.number IS NOT NULL "
        "AND NOT EXISTS (SELECT 1 FROM store_void v JOIN store_recording w ON w.id = v.recording_id "
        "WHERE v.target_uuid = f.uuid AND w.number IS NOT NULL "
        "AND NOT EXISTS (SELECT 1 FROM store_void z WHERE z.target_uuid = v.uuid)) ORDER BY f.day, f.id"
    )
    return [ParameterChange(*row) for row in select(using, query, [pool.pk])]


def predictions(pool: Pool, settlement: Settlement | None, expected: float) -> Predictions | None:
    """How the games of the last three years went in which about this score was expected; None: too few.

    The band ends at an even game, so that a game stands in it once.
    """
    if settlement is None:
        return None
    at = round(expected * 100)
    low, high = max(0, at - BAND), min(100, at + BAND)
    if expected < 0.5:
        high = min(high, 50)
    else:
        low = max(low, 50)
    counted = counts(pool, settlement)
    inside = [counted[share] for share in range(low, high) if share in counted]
    games = sum(one[0] for one in inside)
    if not games:
        return None
    mean, scored = (sum(one[column] for one in inside) / games for column in (1, 2))
    return Predictions(low / 100, high / 100, games, mean, scored)


Counted: TypeAlias = dict[int, tuple[int, float, float]]  # expected, hundredths -> games, two sums
_COUNTED: OrderedDict[tuple[int, int], Counted] = OrderedDict()  # (pool, settlement) -> every prediction
_KEPT = 64


def counts(pool: Pool, settlement: Settlement) -> Counted:
    """Every prediction of the last years, counted once a settlement."""
    key = (pool.pk, settlement.number)
    if key not in _COUNTED:
        _COUNTED[key] = _counted(pool, settlement)
        while len(_COUNTED) > _KEPT:
            _COUNTED.popitem(last=False)
    return _COUNTED[key]


def _counted(pool: Pool, settlement: Settlement) -> Counted:
    since, number = settlement.rated_through - YEARS, settlement.number
    query = (
        "SELECT c.expected / 10000, g.result, g.best_of, "
        "CASE WHEN g.player1_id = c.person_id OR g.player2_id = c.opponent THEN 1 ELSE 0 END, "
        "COUNT(*), SUM(c.expected) FROM store_change c JOIN store_game g ON g.id = c.subject "
        f"WHERE {CHANGE} AND c.kind = 0 AND c.expected >= 0 AND c.day >= %s "
        f"AND (c.expected NOT BETWEEN {EVEN[0]} AND {EVEN[1]} OR c.person_id < c.opponent) "
        "GROUP BY 1, 2, 3, 4"
    )
    return _scored(pool, select("default", query, [pool.pk, number, number, since]))


def _scored(pool: Pool, rows: Iterable[tuple[int, str, int, int, int, int]]) -> Counted:
    rules = find(pool.ruleset)
    p = dated_params(rules, own_parameters(pool)).rows[-1]
    found: dict[int, list[float]] = defaultdict(lambda: [0, 0.0, 0.0])
    for share, text, best_of, first, games, expected in rows:
        result = read_result(text, best_of)
        if result is None:
            continue
        try:
            hundredths = rules.score(p, result)[0]
        except RuleRefusal:
            continue
        score = (hundredths if first else 100 - hundredths) / 100
        row = found[int(share)]
        row[0] += games
        row[1] += float(expected) / 1_000_000
        row[2] += games * score
    return {share: (int(row[0]), row[1], row[2]) for share, row in found.items()}


def states(pool: Pool, people: Sequence[int], using: str = "default") -> dict[int, Any]:
    """Person -> the State in the list as it is now."""
    if not people:
        return {}
    make = find(pool.ruleset).state_type
    query = "SELECT s.person_id, s.state FROM store_standing s "
    query += f"WHERE {STANDING} AND s.person_id IN ({marks(people)})"
    rows = select(using, query, [pool.pk, pool.current, pool.current, *people])
    return {person: make(*json.loads(state)) for person, state in rows}
