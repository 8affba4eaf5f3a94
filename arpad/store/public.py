"""What a public export tells of a fact: no names, no free text, and of a birth year what a rule made of it.

Where a ruleset looks at the year of birth, it asks whether somebody is young. So the year is left out of
whoever was adult in every game, and told as "junior" of whoever was young in every game; both give the
same numbers, which is tried by a replay. Who came of age while playing keeps the year: K, which is public,
changes in that year anyway.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import numpy as np
from django.db.models import Model

from arpad.engine.replay import replay
from arpad.rulesets.catalogue import find
from arpad.store.chain import FactRow
from arpad.store.digest import digest
from arpad.store.models import (
    WITH_REASON,
    Application,
    Club,
    Import,
    Membership,
    Person,
    Pool,
)
from arpad.store.pool_ledger import PoolLedger

LEFT_OUT: tuple[type[Model], ...] = (Club, Membership, Import)  # no number depends on them
HIDDEN: dict[type[Model], tuple[str, ...]] = {
    Person: ("name_mac",), **dict.fromkeys(WITH_REASON, ("reason_mac",))
}  # fmt: skip
NONE, JUNIOR, YEAR = "none needed", "junior", "the year itself"
CATEGORY = "category"
# (1: who has the age itself counts as young; years added to both ends of play), the most sparing first.
TRIED = ((0, 0), (1, 0), (1, 1))
AGE = "_age"  # how the parameters end that a year of birth is compared with


class Years:
    """What each application tells instead of the year of birth."""

    def __init__(self) -> None:
        self.chosen: dict[int, str] = {}  # application's key -> NONE, JUNIOR, YEAR
        self.stand_in: dict[str, int] = {}  # pool's UUID -> a year in which nobody there came of age
        self.only_by_year: list[str] = []  # pools whose numbers need every year

    def choose(self, pool: Pool, facts: PoolLedger, settled: str) -> None:
        """Decide for a pool, and see that the numbers stay."""
        entries = facts.ledger.first_ratings
        if not any(entry.application.born for entry in entries):
            return
        for older, margin in TRIED:
            chosen, stand_in = _choices(facts, find(pool.ruleset), older, margin)
            if _digest_with(facts, chosen, stand_in, pool.ruleset) == settled:
                break
        else:
            chosen = {number: YEAR for number, entry in enumerate(entries) if entry.application.born}
            self.only_by_year.append(pool.slug)
        self.stand_in[pool.uuid.hex] = stand_in
        keys = facts.keys["application"]
        self.chosen |= {keys[number]: choice for number, choice in chosen.items()}

    def told(self) -> dict[str, Any]:
        """For the manifest: how many of each, said openly."""
        counts = Counter(self.chosen.values())
        return {
            "left out": counts[NONE], "told as junior": counts[JUNIOR], "kept": counts[YEAR],
            "pools that need every year": self.only_by_year, "stand_in": self.stand_in,
        }  # fmt: skip


def content_of(model: type[Model], row: FactRow, content: list[Any], years: Years) -> list[Any] | None:
    """The public content of a fact; None where it is left out."""
    if model in LEFT_OUT:
        return None
    names: tuple[str, ...] = model.CONTENT  # type: ignore[attr-defined]
    content = ["" if name in HIDDEN.get(model, ()) else v for name, v in zip(names, content, strict=True)]
    if model is Application:
        at = names.index("content")
        content[at] = _application(content[at], years.chosen.get(row.key, NONE))
    return content


def _application(text: str, choice: str) -> str:
    given = json.loads(text)
    if choice != YEAR:
        given.pop("born", None)
    if choice == JUNIOR:
        given[CATEGORY] = JUNIOR
    return json.dumps(given, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def with_year(text: str, stand_in: int) -> str:
    """An application of a public export as a ruleset takes it."""
    given = json.loads(text)
    if given.pop(CATEGORY, None) == JUNIOR:
        given["born"] = stand_in
    return json.dumps(given)


def _choices(facts: PoolLedger, rules: Any, older: int, margin: int) -> tuple[dict[int, str], int]:
    """What each application needs to tell, by its number, and the year that stands in for a junior's."""
    first, last = _years_played(facts)
    ages = _ages(facts, rules)
    stand_in = int(last.max(initial=1)) + margin
    merged = facts.ledger.effective().person
    chosen = {}
    for number, entry in enumerate(facts.ledger.first_ratings):
        born, person = entry.application.born, merged[entry.person]
        if not born:
            continue
        youngest, oldest = int(first[person]) - margin - born, int(last[person]) + margin - born
        if not last[person] or all(youngest >= age + older for age in ages):
            chosen[number] = NONE
        elif all(oldest < age + older for age in ages):
            chosen[number] = JUNIOR
        else:
            chosen[number] = YEAR
    return chosen, stand_in


def _ages(facts: PoolLedger, rules: Any) -> set[float]:
    """Every age that the ruleset, or the pool's own parameters, compare with."""
    found = {
        float(value)
        for edition in rules.editions
        for name, value in edition[1]._asdict().items()
        if name.endswith(AGE)
    }
    return found | {change.value for change in facts.ledger.parameters if change.name.endswith(AGE)}


def _years_played(facts: PoolLedger) -> tuple[Any, Any]:
    """By person as merged: the year of the first and of the last game; 0 where there is none."""
    games, people = facts.ledger.games, len(facts.ledger.names)
    merged = np.array(facts.ledger.effective().person, np.int64)
    days = np.array(games.day, np.int64) - 719163  # of 1970-01-01
    years = days.astype("datetime64[D]").astype("datetime64[Y]").astype(np.int64) + 1970
    first, last = np.full(people, 9999), np.zeros(people, np.int64)
    for column in (games.player1, games.player2):
        who = np.array(column, np.int64)
        there = who >= 0
        np.minimum.at(first, merged[who[there]], years[there])
        np.maximum.at(last, merged[who[there]], years[there])
    return first, last


def _digest_with(facts: PoolLedger, chosen: dict[int, str], stand_in: int, ruleset: str) -> str:
    """The settled digest with what would be told."""
    tried = facts.copy()
    ledger = tried.ledger
    ledger._kept, ledger._kept_at = {}, ()
    for number, choice in chosen.items():
        fact = ledger.first_ratings[number]
        born = {NONE: 0, JUNIOR: stand_in, YEAR: fact.application.born}[choice]
        application = fact.application._replace(born=born)
        ledger.first_ratings[number] = fact._replace(application=application)
    return digest(tried, replay(ledger, find(ruleset)))
