"""A ledger under random edits, for Hypothesis: what must hold after every one of them, and at the end.

Each example is an organisation of its own in one database, with eight people under one of four rulesets.
"""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, ClassVar
from uuid import UUID

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from arpad.domain.problems import Refused
from arpad.domain.results import read_result
from arpad.store import edits, people
from arpad.store.erasure import erase, pseudonym
from arpad.store.holding import same, voided
from arpad.store.lists import publish, withdraw
from arpad.store.matching import keep_apart
from arpad.store.merging import give_games, merge, plan_merge, unmerge
from arpad.store.models import (
    Application,
    EventInPool,
    Game,
    Organisation,
    Person,
    Pool,
    RatingList,
    Recording,
    Void,
)
from arpad.store.recorder import Ref, recording, ref
from arpad.store.settle import Settler
from arpad.store.verify import verify
from tests.store.clubs import CLASS, FIRST, RESULTS, RULESETS, Club, application
from tests.store.machine_checks import agrees, anew, as_it_was, frozen, same_list

NUMBER = st.integers(0, 99)  # the how-manieth, counted round
DAY = st.integers(-20, 120)  # days from the first evening
PARAMETER = {
    "us-table-tennis": ("k", 20),
    "belgian-go": ("a_minimum", 3),
    "fide-standard": ("k", 15),
    "youth-realtime": ("k", 16),
}
MOST_PEOPLE, MOST_ERASED = 16, 2
numbers = count(1)


class LedgerMachine(RuleBasedStateMachine):
    """The rules are the edits; `counts` how many of each were recorded in this process."""

    counts: ClassVar[Counter[str]] = Counter()
    refused: ClassVar[Counter[str]] = Counter()
    folder: ClassVar[Path]  # of the erasure journal

    # --- life -----------------------------------------------------------------------------------

    @initialize(ruleset=st.sampled_from(RULESETS), seed=NUMBER)
    def start(self, ruleset: str, seed: int) -> None:
        number = next(numbers)
        # one salt for all: the order of play must not depend on the number of the example
        self.organisation = Organisation.objects.create(
            slug=f"club-{number}", name="A club", uuid=UUID(int=number), salt=b"0123456789abcdef",
            time_zone="Europe/Brussels",
        )  # fmt: skip
        with recording(self.organisation, author="1", role="administrator", kind="set-up") as r:
            made = r.pool("main", "Main", ruleset)
        self.pool = Pool.objects.get(pk=made.key)
        self.club = Club(self.organisation, self.pool, seed).start(3)
        self.ruleset, self.settler = ruleset, self.club.settler
        self.lists: dict[int, tuple[Any, ...]] = {}  # published list -> as it was frozen
        self.erased: set[int] = set()
        self.waits, self.good = False, False

    @contextmanager
    def edit(self, kind: str) -> Any:
        """An edit is counted when it has been made; until it was settled the ledger is in doubt."""
        self.good = False
        yield
        self.counts[kind] += 1

    def make(self, kind: str, edit: edits.Edit) -> None:
        """What would make somebody play against the same person is refused, and nothing else is."""
        try:
            with self.edit(kind):
                edits.make(self.organisation, edit, author="1", reason=kind)
        except Refused as refused:
            assert [problem.code for problem in refused.problems] == ["game-self"]
            self.refused[kind] += 1

    @invariant()
    def settled_as_from_nothing(self) -> None:
        if self.good or self.waits:  # nothing was changed, or two recordings go into one settling
            self.waits = False
            return
        done = self.settler.settle()
        assert done.through == self.settler.tip()
        agrees(self.pool)
        for key, was in self.lists.items():
            assert frozen(key) == was
        self.good = True

    def teardown(self) -> None:
        if not getattr(self, "good", False):
            return
        as_it_was(self.pool, self.lists)
        same_list(self.pool, anew(self.pool, f"{self.organisation.slug}-anew"))
        was = self.settler.current().digest
        assert Settler(self.pool).settle(full=True).digest == was
        agrees(self.pool)
        report = verify()
        assert report.good, report.bad[0]

    # --- finding --------------------------------------------------------------------------------

    def everybody(self) -> list[Person]:
        return list(Person.objects.filter(organisation=self.organisation).order_by("pk"))

    def events(self) -> list[Any]:
        """Events that feed the pool."""
        rows = EventInPool.objects.filter(pool=self.pool).select_related("event").order_by("pk")
        gone = voided(self.organisation, "event-in-pool", [row.uuid for row in rows])
        events = {row.event.pk: row.event for row in rows if row.uuid not in gone}
        left = voided(self.organisation, "event", [event.uuid for event in events.values()])
        return [event for event in events.values() if event.uuid not in left]

    def games(self) -> list[Game]:
        """Games that hold, of events that count."""
        rows = Game.objects.filter(event__in=[event.pk for event in self.events()]).order_by("pk")
        gone = voided(self.organisation, "game", [row.uuid for row in rows])
        return [row for row in rows if row.uuid not in gone]

    def two(self, one: int, other: int) -> tuple[Person, Person]:
        """Two who are not one person."""
        everybody, who = self.everybody(), same(self.organisation)
        first = everybody[one % len(everybody)]
        rest = [person for person in everybody if who.root(person.pk) != who.root(first.pk)]
        return first, rest[other % len(rest)]

    def result(self, number: int) -> Any:
        return read_result(RESULTS[self.ruleset][number % len(RESULTS[self.ruleset])])

    # --- games and events -----------------------------------------------------------------------

    @rule(
        event=NUMBER, one=NUMBER, other=NUMBER, result=NUMBER, round=st.integers(1, 3), days=st.integers(0, 2)
    )
    def add_game(self, event: int, one: int, other: int, result: int, round: int, days: int) -> None:
        events = self.events()
        if events:
            chosen = events[event % len(events)]
            day = chosen.start.toordinal() + days
            players = [person.uuid for person in self.two(one, other)]
            game = edits.add_game(
                self.organisation, chosen.uuid, day, *players, self.result(result), round=round, board=1
            )
            self.make("game added", game)

    @rule(day=DAY, games=st.lists(st.tuples(NUMBER, NUMBER, NUMBER), min_size=1, max_size=4))
    def evening(self, day: int, games: list[tuple[int, int, int]]) -> None:
        """New or late: days of earlier evenings too, and two evenings of one name."""
        with self.edit("evening added"), self.club.record("an evening") as r:
            event = r.event(f"Evening {day % 7}", FIRST + day)
            r.feed(ref(self.pool), event, CLASS.get(self.ruleset, ""))
            for board, (one, other, result) in enumerate(games):
                players = map(ref, self.two(one, other))
                r.game(event, FIRST + day, *players, self.result(result), round=1, board=board + 1)

    @rule(number=st.integers(0, 8), day=st.sampled_from((0, 0, FIRST - 5, FIRST + 40)))
    def newcomer(self, number: int, day: int) -> None:
        if len(self.everybody()) >= MOST_PEOPLE:
            return self.add_game(number, number, day, number, 3, 0)
        if self.ruleset == "us-table-tennis":
            day = 0  # nobody may play unrated there
        with self.edit("newcomer"), self.club.record("a newcomer") as r:
            person = r.person(f"Newcomer {len(self.everybody())}")
            r.first_rating(ref(self.pool), person, application(self.ruleset, number), day)

    @rule(game=NUMBER)
    def void_game(self, game: int) -> None:
        if games := self.games():
            self.make("game void", edits.void_game(self.organisation, games[game % len(games)].uuid))

    @rule(game=NUMBER)
    def restore_game(self, game: int) -> None:
        rows = Void.objects.filter(organisation=self.organisation, target_kind="game", replaced_by=None)
        gone = voided(self.organisation, "void", [row.uuid for row in rows])
        holding = [row for row in rows.order_by("pk") if row.uuid not in gone]
        if holding:
            chosen = holding[game % len(holding)]
            self.make("game restored", lambda r: r.void(ref(chosen)) and None)
        else:
            self.void_game(game)

    @rule(game=NUMBER, result=NUMBER)
    def correct_result(self, game: int, result: int) -> None:
        if games := self.games():
            chosen = games[game % len(games)].uuid
            change = edits.change_game(self.organisation, chosen, result=self.result(result))
            self.make("result corrected", change)

    @rule(game=NUMBER, days=st.integers(-40, 40))
    def move_game(self, game: int, days: int) -> None:
        if games := self.games():
            chosen = games[game % len(games)]
            self.make("game moved", edits.change_game(self.organisation, chosen.uuid, day=chosen.day + days))

    @rule(event=NUMBER, day=DAY)
    def move_event(self, event: int, day: int) -> None:
        if events := self.events():
            chosen = events[event % len(events)].uuid
            self.make("event moved", edits.move_event(self.organisation, chosen, FIRST + day))

    @rule(event=NUMBER)
    def void_event(self, event: int) -> None:
        events = [event for event in self.events() if any(edits.games_of(event))]
        if len(events) > 1:
            self.make("event void", edits.void_event(self.organisation, events[event % len(events)].uuid))

    @rule(event=NUMBER)
    def restore_event(self, event: int) -> None:
        events = [event for event in self.events() if not any(edits.games_of(event))]
        if events:
            chosen = events[event % len(events)].uuid
            if Void.objects.filter(target_uuid__in=self._games(chosen), replaced_by=None).exists():
                return self.make("event restored", edits.restore_event(self.organisation, chosen))
        self.void_event(event)

    def _games(self, event: UUID) -> Any:
        return Game.objects.filter(event__uuid=event).values("uuid")

    @precondition(lambda self: self.ruleset == "belgian-go")
    @rule(event=NUMBER, letter=st.sampled_from("ABC"))
    def reclass_event(self, event: int, letter: str) -> None:
        events = self.events()
        if events:
            feed = edits.feeds_of_event(events[event % len(events)])[-1]
            with self.edit("event of another class"), self.club.record("class") as r:
                new = r.feed(ref(self.pool), ref(feed.event), letter)
                r.void(ref(feed), new)

    @rule(recording=NUMBER)
    def undo(self, recording: int) -> None:
        """Any of the newest ten. Without a first rating some rulesets take nobody's games."""
        rows = Recording.objects.filter(organisation=self.organisation, number__gt=5)
        kept = set(Application.objects.filter(pool=self.pool).values_list("recording_id", flat=True))
        rows = [row for row in rows.order_by("-number")[:10] if row.pk not in kept and row.facts]
        if rows:
            undone = edits.undo(rows[recording % len(rows)])
            if self._does_something(undone):
                self.make("recording undone", undone)

    def _does_something(self, edit: edits.Edit) -> bool:
        class Voids:
            using, found = "default", 0

            def void(self, target: Ref) -> None:
                self.found += 1

        edit(voids := Voids())  # type: ignore[arg-type]
        return voids.found > 0

    # --- ratings --------------------------------------------------------------------------------

    @rule(person=NUMBER, day=DAY, rating=st.integers(10, 20))
    def committee(self, person: int, day: int, rating: int) -> None:
        everybody = self.everybody()
        points = 100 * rating - (2000 if self.ruleset == "belgian-go" else 0)
        with self.edit("committee correction"), self.club.record("the committee") as r:
            who = ref(everybody[person % len(everybody)])
            r.correction(ref(self.pool), who, FIRST + day, points, "strength")

    @rule(day=DAY, points=st.integers(-5, 20))
    def posting(self, day: int, points: int) -> None:
        with self.edit("posting"), self.club.record("for all") as r:
            r.posting(ref(self.pool), FIRST + day, points, "a bonus")

    @rule(day=DAY, more=st.integers(0, 6))
    def parameter(self, day: int, more: int) -> None:
        name, value = PARAMETER[self.ruleset]
        with self.edit("K changed"), self.club.record("K") as r:
            r.parameter(ref(self.pool), name, value + 2 * more, FIRST + day)

    @rule(entry=NUMBER, born=st.integers(2004, 2014), number=st.integers(0, 8))
    def first_rating(self, entry: int, born: int, number: int) -> None:
        """Another birth year where the ruleset uses it; else another first rating."""
        rows = Application.objects.filter(pool=self.pool).select_related("person").order_by("pk")
        gone = voided(self.organisation, "application", [row.uuid for row in rows])
        holding = [row for row in rows if row.uuid not in gone]
        old = holding[entry % len(holding)]
        new = application(self.ruleset, number)
        if self.ruleset in ("fide-standard", "youth-realtime"):
            new = new._replace(born=born)
        with self.edit("birth year or first rating"), self.club.record("entry") as r:
            r.void(ref(old), r.first_rating(ref(self.pool), ref(old.person), new, old.day))

    # --- people ---------------------------------------------------------------------------------

    @rule(one=NUMBER, other=NUMBER)
    def merge(self, one: int, other: int) -> None:
        """The first two, from where it is told, who never met."""
        for number in range(8 if len(self._roots()) > 4 else 0):
            kept, merged = (person.pk for person in self.two(one, other + number))
            if plan_merge(self.organisation, kept, merged).refusal is None:
                with self.edit("merge"):
                    merge(self.organisation, kept, merged, author="1")
                return

    def _roots(self) -> set[int]:
        who = same(self.organisation)
        return {who.root(person.pk) for person in self.everybody()}

    @rule(person=NUMBER, different=st.booleans())
    def unmerge(self, person: int, different: bool) -> None:
        merged = same(self.organisation)
        rows = [p.pk for p in self.everybody() if merged.root(p.pk) != p.pk]
        if rows:
            with self.edit("un-merge"):
                unmerge(self.organisation, rows[person % len(rows)], author="1", different=different)
        else:
            self.merge(person, person)

    @rule(one=NUMBER, other=NUMBER)
    def keep_apart(self, one: int, other: int) -> None:
        with self.edit("kept apart"):
            keep_apart(self.organisation, *(person.pk for person in self.two(one, other)), by="2")

    @rule(game=NUMBER, other=NUMBER)
    def give_game(self, game: int, other: int) -> None:
        if games := self.games():
            chosen, who = games[game % len(games)], same(self.organisation)
            playing = {who.root(chosen.player1_id), who.root(chosen.player2_id)}
            others = [p for p in self.everybody() if who.root(p.pk) not in playing]
            with self.edit("game given to another"):
                to = others[other % len(others)].pk
                give_games(self.organisation, [chosen.pk], chosen.player1_id, to, author="1")

    @rule(person=NUMBER, name=NUMBER)
    def rename(self, person: int, name: int) -> None:
        rest = [p for p in self.everybody() if p.pk not in self.erased]
        with self.edit("rename"):
            people.rename(self.organisation, rest[person % len(rest)].pk, f"Renamed {name}", by="2")

    @rule(person=NUMBER)
    def erase(self, person: int) -> None:
        if len(self.erased) >= MOST_ERASED:
            return self.rename(person, person)
        rest = [p for p in self.everybody() if p.pk not in self.erased]
        chosen = rest[person % len(rest)]
        with self.edit("erased"):
            done = erase(self.organisation, chosen.pk, journal=self.folder / "erasures.jsonl")
        gone = Person.objects.filter(uuid__in=done.people)
        self.erased |= {row.pk for row in gone}
        assert people.shown_names([chosen.pk]) == {chosen.pk: pseudonym(chosen.uuid)}

    # --- lists ----------------------------------------------------------------------------------

    @rule(day=DAY)
    def publish(self, day: int) -> None:
        self.settler.settle()
        standing = {row[0] for row in self.lists.values() if not row[3]}
        while FIRST + day in standing:
            day += 1
        with self.edit("list published"):
            made = publish(self.settler, FIRST + day, "1")
        self.lists[made.pk] = frozen(made.pk)

    @rule(number=NUMBER)
    def withdraw(self, number: int) -> None:
        standing = [key for key, row in self.lists.items() if not row[3]]
        if standing:
            chosen = standing[number % len(standing)]
            with self.edit("list withdrawn"):
                was = frozen(chosen)
                withdraw(RatingList.objects.get(pk=chosen), "a game was missing")
            self.lists[chosen] = frozen(chosen)
            assert self.lists[chosen] == (*was[:3], True)
        else:
            self.publish(number)

    # --- not edits ------------------------------------------------------------------------------

    @rule()
    def another_worker(self) -> None:
        """A settler that knows nothing yet goes on."""
        self.settler = Settler(self.pool)

    @rule()
    def wait(self) -> None:
        """The next edit is settled with the one after it."""
        self.waits = True
