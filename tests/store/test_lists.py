"""Lists of a day, as known on a day, published, withdrawn, and unchanged by anything later."""

from __future__ import annotations

import datetime
from types import SimpleNamespace

import pytest
from django.db import DatabaseError, connection, transaction

from arpad.domain.dates import read_day
from arpad.domain.problems import Refused
from arpad.engine.replay import replay
from arpad.rulesets.catalogue import find
from arpad.store import asof
from arpad.store.asof import as_of, headline, known_on, projection
from arpad.store.lists import differences, entries_of, find_list, intact, publish, shown, withdraw
from arpad.store.models import ListEntry, Pool, RatingList, Settlement
from arpad.store.pool_ledger import PoolLedger
from arpad.store.recorder import ref
from arpad.store.service import Service
from arpad.store.settle import Settler
from tests.store.clubs import FIRST, RULESETS, Club
from tests.store.test_settle import corrected_result, late_event

SPRING = FIRST + 70  # 18 March 2024


@pytest.fixture(params=RULESETS)
def club(request, organisation, make_pool):
    made = Club(organisation, make_pool(request.param)).start()
    made.settler.settle()
    return made


def at(monkeypatch, moment):
    """What is recorded from now on is recorded at that moment (ISO text)."""
    clock = SimpleNamespace(now=lambda zone: datetime.datetime.fromisoformat(moment))
    fake = SimpleNamespace(datetime=clock, date=datetime.date, UTC=datetime.UTC)
    monkeypatch.setattr("arpad.store.recorder.datetime", fake)


def replayed(club, through, until=0):
    """The list by the engine alone, from a fresh ledger."""
    facts = PoolLedger(club.pool)
    facts.advance(through)
    history = replay(facts.ledger, find(club.ruleset), until=until)
    return [
        (facts.keys["person"][line.person], line.label, line.games, line.last_played)
        for line in history.ratings()
    ]


def plain(found):
    return [(line.person, *line[2:]) for line in found.lines]


def test_the_list_of_a_day_as_known_now(club):
    tip = club.settler.tip()
    assert plain(as_of(club.settler)) == replayed(club, tip)
    assert plain(as_of(club.settler, SPRING)) == replayed(club, tip, SPRING)
    assert plain(as_of(club.settler, SPRING)) != plain(as_of(club.settler))
    assert plain(as_of(Settler(club.pool), SPRING)) == replayed(club, tip, SPRING)
    assert club.settler.settle().rows_written == 0  # asking moves nothing


def test_both_times_together(club, monkeypatch):
    early = club.settler.tip()
    at(monkeypatch, "2030-05-01T20:00:00+00:00")
    with club.record("late") as r:
        late_event(club, r)
    at(monkeypatch, "2030-05-03T20:00:00+00:00")
    with club.record("corrected") as r:
        corrected_result(club, r)
    club.settler.settle()
    days = [read_day(text) for text in ("2030-04-30", "2030-05-01", "2030-05-02", "2030-05-03")]
    seen = [as_of(club.settler, SPRING, day) for day in days]
    assert [found.recording for found in seen] == [early, early + 1, early + 1, early + 2]
    for found in seen:
        assert plain(found) == replayed(club, found.recording, SPRING)
        assert not found.rules_changed
    assert plain(seen[0]) != plain(seen[1])
    assert plain(as_of(club.settler, 0, days[0])) == replayed(club, early)


@pytest.mark.parametrize(
    ("zone", "moment", "known"),
    [
        ("Europe/Brussels", "2030-03-30T22:59:59+00:00", True),  # 23:59:59 on 30 March
        ("Europe/Brussels", "2030-03-30T23:00:00+00:00", False),
        ("Europe/Brussels", "2030-03-31T21:59:59+00:00", False),  # the night summer time began
        ("America/New_York", "2030-03-31T03:59:59+00:00", True),
        ("Pacific/Auckland", "2030-03-30T11:00:00+00:00", False),  # there 31 March has begun
    ],
)
def test_a_day_ends_where_the_organisation_is(organisation, make_pool, monkeypatch, zone, moment, known):
    organisation.time_zone = zone
    organisation.save()
    at(monkeypatch, "2030-01-01T00:00:00+00:00")
    club = Club(organisation, make_pool("us-table-tennis")).start(1)
    tip = club.settler.tip()
    at(monkeypatch, moment)
    with club.record("late") as r:
        late_event(club, r)
    assert known_on(organisation, read_day("2030-03-30")) == tip + known


def test_changed_rules_are_said(club, monkeypatch):
    at(monkeypatch, "2030-05-01T20:00:00+00:00")
    with club.record("nothing"):
        pass
    club.settler.settle()
    then = read_day("2030-05-02")
    Settlement.objects.update(ruleset_digest="another version of the program, which gave the same ratings")
    assert not as_of(club.settler, 0, then).rules_changed
    Settlement.objects.update(digest="0" * 64)
    assert as_of(club.settler, 0, then).rules_changed
    assert as_of(club.settler, SPRING, then).rules_changed
    assert not as_of(club.settler, SPRING).rules_changed  # as known now: nothing was shown then


def test_a_published_list_stays(club):
    made = publish(club.settler, SPRING, "1")
    frozen = entries_of(made)
    assert [line[:4] for line in frozen] == [line[:4] for line in as_of(club.settler, SPRING).lines]
    assert intact(made) and differences(made, club.settler) == []
    digest = made.digest
    for change in (late_event, corrected_result):
        with club.record("later") as r:
            change(club, r)
        club.settler.settle()
    with club.record("set") as r:
        r.correction(ref(club.pool), club.people[0], FIRST - 10, 1111, "why")
    club.settler.settle(full=True)
    again = find_list(club.pool, SPRING)
    assert (again.digest, entries_of(again)) == (digest, frozen) and intact(again)
    found = differences(again, club.settler)
    now = as_of(club.settler, SPRING).by_person()
    assert found and all(d.now == now[d.person] and d.published != d.now for d in found)
    assert {d.person for d in found} == {line.person for line in frozen if line[1:4] != now[line.person][1:4]}


def test_a_list_is_published_once_and_withdrawn_once(club):
    made = publish(club.settler, SPRING, "1")
    with pytest.raises(Refused, match="list-published"):
        publish(club.settler, SPRING, "1")
    with pytest.raises(Refused, match="list-reason"):
        withdraw(made, " ")
    withdraw(made, "an evening was missing")
    assert made.withdrawn_reason.body == "an evening was missing"
    with pytest.raises(Refused, match="list-withdrawn"):
        withdraw(made, "again")
    with club.record("the evening") as r:
        late_event(club, r)
    with pytest.raises(Refused, match="list-waiting"):
        publish(club.settler, SPRING, "1")
    club.settler.settle()
    second = publish(club.settler, SPRING, "1")
    assert (second.version, find_list(club.pool, SPRING).pk) == (2, second.pk)
    assert RatingList.objects.count() == 2 and intact(made) and intact(second)
    assert second.digest != made.digest
    with pytest.raises(Refused, match="list-unknown"):
        find_list(club.pool, SPRING + 1)
    with pytest.raises(Refused, match="list-future"):
        publish(club.settler, read_day("2222-01-01"), "1")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE store_listentry SET rating = rating + 1",
        "DELETE FROM store_listentry",
        "UPDATE store_ratinglist SET digest = 'x'",
        "UPDATE store_ratinglist SET day = 1",
        "DELETE FROM store_ratinglist",
    ],
)
def test_triggers_guard_what_was_published(organisation, make_pool, statement):
    club = Club(organisation, make_pool("us-table-tennis")).start(2)
    club.settler.settle()
    made = publish(club.settler, SPRING, "1")
    with pytest.raises(DatabaseError, match="sealed"), transaction.atomic():
        connection.cursor().execute(statement)
    assert intact(made) and ListEntry.objects.count() == 8


def test_the_policy_says_which_list_is_shown(club):
    made = publish(club.settler, SPRING, "1")
    assert shown(club.settler, SPRING)[1] == made
    club.settler.pool.policy = "recompute"
    found, published = shown(club.settler, SPRING)
    assert published is None and plain(found) == plain(as_of(club.settler, SPRING))
    club.settler.pool.policy = "published-stay"
    withdraw(made, "wrong")
    assert shown(club.settler, SPRING)[1] is None


def test_headline_and_projection(club):
    lists = club.ruleset in ("fide-standard",)
    period = find(club.ruleset).period
    assert headline(club.pool, period) == ("published" if lists else "live")
    club.pool.headline = "live"
    assert headline(club.pool, period) == "live"
    found = projection(club.settler)
    assert (found is not None) == lists
    if found is not None:
        last = FIRST + 21 * 7
        assert plain(found) != plain(as_of(club.settler, last))


def test_a_service_keeps_pools_warm_under_a_limit(organisation, make_pool):
    clubs = [Club(organisation, make_pool("us-table-tennis", f"pool-{n}")).start(2) for n in range(3)]
    service = Service()
    for club in clubs:
        with service.settler(club.pool) as settler:
            settler.settle()
    keys = [club.pool.pk for club in clubs]
    assert service.warm() == keys
    with service.settler(clubs[0].pool) as settler:
        assert settler.history is not None
    service.limit = service.size() - 1
    with service.settler(clubs[0].pool):
        pass
    assert service.warm() == [keys[2], keys[0]]
    service.limit = 1
    with service.settler(clubs[1].pool) as settler:
        settler.warm(settler.tip())
    assert service.warm() == []


def test_a_list_is_made_once(club, monkeypatch):
    """By day and by what was known: another fact or policy makes it anew; a copy may be changed."""
    replays: list[int] = []
    rate = asof.replay

    def counted(*args, **options):
        replays.append(options.get("until", 0))
        return rate(*args, **options)

    monkeypatch.setattr(asof, "replay", counted)
    first = as_of(club.settler, SPRING)
    first.lines.clear()
    assert plain(as_of(club.settler, SPRING)) != plain(first)
    assert len(replays) == 1
    as_of(club.settler, SPRING + 1)
    as_of(club.settler, SPRING + 1)
    assert len(replays) == 2
    with club.record() as r:
        club.game(r, club.events[0], SPRING - 1, club.people[0], club.people[1], 3, 1)
    assert as_of(club.settler, SPRING).recording == club.settler.tip()
    assert len(replays) == 3
    Pool.objects.filter(pk=club.pool.pk).update(policy="window", window_days=3)
    as_of(Settler(Pool.objects.get(pk=club.pool.pk)), SPRING)
    assert len(replays) == 4
    as_of(club.settler, SPRING, FIRST)  # known then: nothing of it
    as_of(club.settler, SPRING, FIRST)
    assert len(replays) == 5


def test_lists_asked_for_longest_ago_are_forgotten_first():
    cache = asof.Cache(5)
    line = asof.Line(1, 1500, "1500", 3, 0)
    for number, lines in enumerate((2, 2, 1)):
        cache.put((number,), asof.List(0, number, [line] * lines, False))
    assert cache.get((0,)) is not None
    cache.put((3,), asof.List(0, 3, [line] * 2, False))
    assert [cache.get((number,)) is not None for number in range(4)] == [True, False, True, True]
    cache.put((4,), asof.List(0, 4, [line] * 6, False))  # alone too large
    assert (cache.get((4,)), len(cache)) == (None, 3)
