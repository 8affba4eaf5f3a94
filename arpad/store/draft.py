"""What a recording would do, before it is made: its facts tried on a copy of a pool's ledger.

    draft = Draft(organisation)
    draft.void(game); draft.game(...)         like a Recorder, but nothing is written
    effect = effect_of(draft, pool)           whose rating would change, as recording `effect.seen` left it

No lease, no writes. A Settler that is warm makes it quick.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from arpad.domain.problems import Problem, Refused
from arpad.engine.diff import Differences
from arpad.engine.replay import replay
from arpad.store.effects import EFFECT_COLUMNS, effects
from arpad.store.fact_rows import Recorded, Rows
from arpad.store.models import (
    Application,
    Correction,
    Event,
    EventInPool,
    Game,
    Organisation,
    ParameterChange,
    Person,
    PersonName,
    Pool,
    Posting,
    SamePerson,
    Void,
)
from arpad.store.recorder import Recorder
from arpad.store.settle import Settler


class Draft(Recorder):
    """Collects facts as a Recorder does, with keys below zero, and writes nothing."""

    def __init__(self, organisation: Organisation, using: str = "default") -> None:
        super().__init__(organisation, "0", "draft", "", "", None, None, False, using)
        self._next = 0
        self.names: dict[int, str] = {}  # of new persons, by key

    def open(self) -> None:
        """Nothing to insert."""

    def write(self) -> None:
        """Nothing to write."""

    def seal(self) -> None:
        """A draft takes no number."""
        raise AssertionError("a draft is never sealed")

    def side(self, model: Any, **columns: Any) -> int:
        """Side rows rate nobody; only names are kept, to be shown."""
        if model is PersonName and columns.get("shown"):
            self.names[columns["person_id"]] = columns["name"]
        return self._key(model)

    def _key(self, model: Any) -> int:
        self._next -= 1
        return self._next

    def rows_of(self, model: Any, *columns: str) -> Iterator[tuple[Any, ...]]:
        """The facts of a kind, with the columns that are named."""
        names = self._columns.get(model, [])
        places = [names.index(column) for column in columns] if names else []
        for row in self._waiting.get(model, []):
            yield tuple(row[place] for place in places)


class _OfPool:
    """A draft as a source of one pool's facts, for PoolLedger.take()."""

    def __init__(self, draft: Draft, pool: Pool, through: int) -> None:
        self.draft, self.pool, self.through = draft, pool, through

    def _pool(self, model: Any, *columns: str) -> Rows:
        for pool, *row in self.draft.rows_of(model, "pool_id", *columns):
            if pool == self.pool.pk:
                yield tuple(row)

    def people(self) -> Rows:
        return self.draft.rows_of(Person, "id", "uuid", "order_key")

    def feeds(self) -> Rows:
        events: dict[int, tuple[str, datetime.date | None, str]] = {
            key: (name, start, order_key)
            for key, name, start, order_key in self.draft.rows_of(Event, "id", "name", "start", "order_key")
        }
        for key, event, event_class, order in self._pool(
            EventInPool, "id", "event_id", "event_class", "order"
        ):
            if event not in events:
                found = Event.objects.using(self.draft.using).get(pk=event)
                events[event] = (found.name, found.start, found.order_key)
            yield (key, event, *events[event], event_class, order)

    def games(self) -> Rows:
        fed = {event for (event,) in self._pool(EventInPool, "event_id")}
        fed |= set(
            EventInPool.objects.using(self.draft.using)
            .filter(pool=self.pool)
            .values_list("event_id", flat=True)
        )
        rows = self.draft.rows_of(
            Game, "id", "uuid", "event_id", "day", "round", "board", "sequence", "player1_id", "player2_id",
            "result", "best_of", "stones", "weight", "size",
        )  # fmt: skip
        return (row for row in rows if row[2] in fed)

    def earlier_games(self, event: int) -> Rows:
        if event < 0:
            return ()
        return Recorded(self.pool, self.draft.using, self.through, self.through).earlier_games(event)

    def applications(self) -> Rows:
        return self._pool(Application, "id", "person_id", "day", "content")

    def corrections(self) -> Rows:
        return self._pool(Correction, "id", "person_id", "day", "rating")

    def postings(self) -> Rows:
        return self._pool(Posting, "id", "day", "points")

    def parameters(self) -> Rows:
        return self._pool(ParameterChange, "id", "day", "name", "value")

    def merges(self) -> Rows:
        return self.draft.rows_of(SamePerson, "id", "kept_id", "merged_id")

    def voids(self) -> Rows:
        return self.draft.rows_of(Void, "id", "target_kind", "target_key")


class Shown(NamedTuple):
    """A player whose shown rating changes: from which day, and the list's line before and after.

    Ratings are points; None: no rating.
    """

    person: int  # key; below zero: somebody new
    name: str
    day: int
    old_now: float | None
    new_now: float | None
    old_label: str
    new_label: str


class Effect(NamedTuple):
    """What a recording would change in a pool. `newcomers`, in no list before, are in `changed` too."""

    seen: int  # the newest recording it was computed on
    changed: tuple[Shown, ...]
    newcomers: int


def effect_of(draft: Draft, pool: Pool, settler: Settler | None = None) -> Effect:
    """Compute it. Raises Refused or RuleRefusal where the rules do not know what the draft brings."""
    settler = settler or Settler(pool, draft.using)
    seen = settler.tip()
    old = settler.warm(seen)
    facts = settler.facts.copy()
    facts.take(_OfPool(draft, pool, seen))
    try:
        new = replay(facts.ledger, settler.rules)
    except Refused as refused:
        raise Refused(with_names(refused.problems, draft)) from refused
    per_point = settler.rules.per_point
    before = set(old.plan.players) if old is not None else set()
    newcomers = len(set(new.plan.players) - before)
    rows = [
        dict(zip(EFFECT_COLUMNS, row, strict=True))
        for row in effects(facts, Differences(old, new), (0, 0, 0), seen)
    ]
    names = draft.names | shown_names([row["person_id"] for row in rows], draft.using)

    def points(grains: int | None) -> float | None:
        return None if grains is None else grains / per_point

    changed = tuple(
        Shown(
            row["person_id"], names.get(row["person_id"], ""), row["day"],
            points(row["old_now"]), points(row["new_now"]), row["old_label"], row["new_label"],
        )
        for row in rows
    )  # fmt: skip
    return Effect(seen, changed, newcomers)


def with_names(problems: list[Problem], draft: Draft) -> list[Problem]:
    """Problems of a replay, which knows persons by UUID, with the names that lists show."""
    uuids = {key: identity.hex for key, identity in draft.rows_of(Person, "id", "uuid")}
    names = {uuids[key]: name for key, name in draft.names.items()}
    asked = {found for p in problems for found in re.findall(r"[0-9a-f]{32}", p.message)} - set(names)
    rows = PersonName.objects.using(draft.using).filter(shown=True, person__uuid__in=asked)
    names |= {identity.hex: name for identity, name in rows.values_list("person__uuid", "name")}

    def named(text: str) -> str:
        return re.sub(r"[0-9a-f]{32}", lambda found: names.get(found[0], found[0]), text)

    return [problem._replace(message=named(problem.message)) for problem in problems]


def shown_names(persons: list[int], using: str = "default") -> dict[int, str]:
    """Person's key -> the name that lists show."""
    rows = PersonName.objects.using(using).filter(shown=True, person_id__in=[p for p in persons if p > 0])
    return dict(rows.values_list("person_id", "name"))
