"""What the random ledger of ledger_machine is compared with."""

from __future__ import annotations

import random
from typing import Any
from uuid import UUID

from arpad.engine.replay import replay
from arpad.rulesets.catalogue import find
from arpad.store.asof import lines_of
from arpad.store.check import check
from arpad.store.edits import result_of
from arpad.store.holding import voided
from arpad.store.lists import entries_of, intact
from arpad.store.models import (
    Application,
    Correction,
    Event,
    EventInPool,
    Game,
    Organisation,
    ParameterChange,
    Person,
    Pool,
    Posting,
    RatingList,
    SamePerson,
)
from arpad.store.pool_ledger import PoolLedger
from arpad.store.recorder import Recorder, Ref, application_value, recording
from arpad.store.settle import Settler


def agrees(pool: Pool) -> None:
    """The rows that readers see, and the digest, are those of a replay from nothing."""
    found = check(pool)
    assert found.bad is None, str(found.bad)
    assert found.rows


def frozen(key: int) -> tuple[Any, ...]:
    """(day, hash, lines, withdrawn) of a published list, which must be what its hash says."""
    row = RatingList.objects.select_related("pool").get(pk=key)
    assert intact(row)
    return row.day, row.digest, tuple(entries_of(row)), row.withdrawn is not None


def as_it_was(pool: Pool, lists: dict[int, tuple[Any, ...]]) -> None:
    """Each published list is still what was known at its recording about its day."""
    for key, (day, _, lines, _) in lists.items():
        facts = PoolLedger(pool)
        facts.advance(RatingList.objects.get(pk=key).through)
        then = lines_of(facts, replay(facts.ledger, find(pool.ruleset), until=day))
        assert [line[:4] for line in then] == [line[:4] for line in lines]


# --- the same facts in another order ----------------------------------------------------------------


def anew(pool: Pool, slug: str) -> Pool:
    """Another organisation with the facts that hold, and no others, in another order of arrival.

    First people, first ratings and events, then everything else in two recordings, each settled: what
    was late is on time, what was undone never was.
    """
    old = pool.organisation
    organisation = Organisation.objects.create(
        slug=slug, name=slug, uuid=UUID(int=old.uuid.int | 1 << 64), salt=old.salt, time_zone=old.time_zone
    )
    with recording(organisation, author="1", kind="set-up") as r:
        made = r.pool("main", "Main", pool.ruleset)
        enter = _Entering(pool, made)
        enter.frame(r)
    again = Pool.objects.get(pk=made.key)
    settler = Settler(again)
    settler.settle()
    rest = enter.rest()
    random.Random(len(rest)).shuffle(rest)
    for part in (rest[::2], rest[1::2]):
        with recording(organisation, author="1") as r:
            for fact in part:
                enter.fact(r, fact)
        settler.settle()
    return again


class _Entering:
    """Facts of a pool written once more."""

    def __init__(self, pool: Pool, to: Ref) -> None:
        self.pool, self.to = pool, to
        self.people: dict[int, Ref] = {}
        self.events: dict[int, Ref] = {}

    def holding(self, model: Any, **which: Any) -> list[Any]:
        rows = list(model.objects.filter(organisation=self.pool.organisation, **which).order_by("pk"))
        gone = voided(self.pool.organisation, model.KIND, [row.uuid for row in rows])
        return [row for row in rows if row.uuid not in gone]

    def frame(self, r: Recorder) -> None:
        """People, merges, first ratings, events."""
        for number, person in enumerate(self.holding(Person)):
            self.people[person.pk] = r.person(f"Person {number}", order_key=person.order_key)
        for row in self.holding(Application, pool=self.pool):
            r.first_rating(self.to, self.people[row.person_id], application_value(row.content), row.day)
        for event in self.holding(Event):
            self.events[event.pk] = r.add(
                Event, name=event.name, start=event.start, order_key=event.order_key
            )
        newest = {feed.event_id: feed for feed in self.holding(EventInPool, pool=self.pool)}
        for feed in newest.values():
            if feed.event_id in self.events:
                r.feed(self.to, self.events[feed.event_id], feed.event_class, feed.order)

    def rest(self) -> list[Any]:
        """Facts of which the order does not matter; merges stay in theirs, in front."""
        found: list[Any] = [self.holding(SamePerson)]
        games = [game for game in self.holding(Game) if game.event_id in self.events]
        dated = [self.holding(model, pool=self.pool) for model in (Correction, Posting, ParameterChange)]
        return found + games + [row for rows in dated for row in rows]

    def fact(self, r: Recorder, row: Any) -> None:
        people = self.people
        if isinstance(row, list):
            for merge in row:
                r.same_person(people[merge.kept_id], people[merge.merged_id])
        elif isinstance(row, Game):
            places = {n: getattr(row, n) for n in ("round", "board", "sequence", "stones", "weight", "size")}
            two = people[row.player2_id] if row.player2_id else None
            event = self.events[row.event_id]
            r.game(event, row.day, people[row.player1_id], two, result_of(row), **places)
        elif isinstance(row, Correction):
            r.correction(self.to, people[row.person_id], row.day, row.rating)
        elif isinstance(row, Posting):
            r.posting(self.to, row.day, row.points)
        else:
            r.parameter(self.to, row.name, row.value, row.day)


def same_list(pool: Pool, again: Pool) -> None:
    """Both have the same ratings, by the number of the person."""
    assert _numbered(again) == _numbered(pool)


def _numbered(pool: Pool) -> list[tuple[Any, ...]]:
    settler = Settler(pool)
    facts = PoolLedger(pool)
    facts.advance(settler.tip())
    history = replay(facts.ledger, find(pool.ruleset))
    people = Person.objects.filter(organisation=pool.organisation_id).order_by("pk")
    number = {key: n for n, key in enumerate(people.values_list("pk", flat=True))}
    return sorted((number[line.person], *line[1:]) for line in lines_of(facts, history))
