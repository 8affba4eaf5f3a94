"""Days are days where the organisation is: whatever clock, zone or season the server has."""

from __future__ import annotations

import datetime
import os
import time
from types import SimpleNamespace

import pytest

from arpad.domain.dates import read_day
from arpad.store import days, people
from arpad.store.asof import as_of, known_on
from arpad.store.check import check
from arpad.store.lists import find_list, publish
from arpad.store.models import Pool, Recording
from arpad.store.recorder import ref
from arpad.store.settle import Settler
from arpad.store.verify import verify
from tests.store.clubs import CLASS, FIRST, RULESETS, Club
from tests.store.test_lists import at, plain, replayed

ZONES = ("Pacific/Kiritimati", "America/Adak", "Europe/Brussels")  # UTC+14, -10, +1


@pytest.fixture(params=RULESETS)
def club(request, organisation, make_pool, monkeypatch):
    at(monkeypatch, "2020-01-01T12:00:00+00:00")
    made = Club(organisation, make_pool(request.param)).start(2)
    made.settler.settle()
    return made


@pytest.fixture
def zone():
    """zone("America/Adak"): from now on that is the zone of this machine."""
    before = os.environ.get("TZ")

    def change(name: str | None) -> None:
        os.environ.pop("TZ", None)
        if name is not None:
            os.environ["TZ"] = name
        time.tzset()

    yield change
    change(before)


def played(club, event, *days):
    """One event with a game on each of some days (ISO), recorded; how many have a line with such a game."""
    with club.record(event) as r:
        made = r.event(event, read_day(days[0]))
        r.feed(ref(club.pool), made, CLASS.get(club.ruleset, ""))
        for round_, day in enumerate(days, 1):
            club.game(r, made, read_day(day), *club.people[:2], round_, 1)
    club.settler.settle()


def last_played(club, day):
    """When the first player last played, by the list of a day."""
    return as_of(club.settler, read_day(day)).by_person()[club.people[0].key].last_played


# --- when it was played -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "day", ["2028-02-29", "2030-03-31", "2030-10-27"], ids=["leap day", "summer time", "winter time"]
)
def test_a_day_like_any_other(club, day, zone):
    zone("Europe/Brussels")
    eve, next_day = (datetime.date.fromordinal(read_day(day) + days).isoformat() for days in (-1, 1))
    played(club, "An evening", day)
    before = as_of(club.settler, read_day(eve))
    assert last_played(club, eve) < read_day(day)
    lists = club.ruleset == "fide-standard"  # counts from the next list on
    month = "2030-12-01"
    assert last_played(club, month if lists else day) == read_day(day)
    assert last_played(club, month if lists else next_day) == read_day(day)
    assert plain(before) == replayed(club, club.settler.tip(), read_day(eve))
    assert check(club.pool).bad is None


def test_from_one_year_into_the_next(club):
    """By the rules a game counts on its day, or an event on its last one, or in the month of that."""
    played(club, "New Year", "2029-12-31", "2030-01-01")
    eve, new_year = read_day("2029-12-31"), read_day("2030-01-01")
    of_games = club.ruleset in ("us-table-tennis", "youth-realtime")
    assert (last_played(club, "2029-12-31") == eve) == of_games
    assert (last_played(club, "2030-01-01") == new_year) == (club.ruleset != "fide-standard")
    assert last_played(club, "2030-01-31") == new_year or club.ruleset == "fide-standard"
    assert last_played(club, "2030-02-01") == new_year
    assert check(club.pool).bad is None


# --- when it was recorded ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("moment", "day"),
    [
        ("2029-07-01T21:30:00+00:00", "2029-07-01"),  # 23:30 in Brussels
        ("2029-07-01T22:30:00+00:00", "2029-07-02"),
        ("2029-12-31T22:30:00+00:00", "2029-12-31"),
        ("2029-12-31T23:30:00+00:00", "2030-01-01"),
        ("2028-02-28T23:30:00+00:00", "2028-02-29"),
        ("2028-02-29T23:00:00+00:00", "2028-03-01"),
        ("2030-03-31T00:59:00+00:00", "2030-03-31"),  # a minute before 3 o'clock follows 2 o'clock
        ("2030-10-27T00:30:00+00:00", "2030-10-27"),  # half past two, and an hour later again
        ("2030-10-27T01:30:00+00:00", "2030-10-27"),
        ("2030-10-27T22:59:59+00:00", "2030-10-27"),  # a day of 25 hours
        ("2030-10-27T23:00:00+00:00", "2030-10-28"),
    ],
)
def test_a_recording_belongs_to_the_day_it_is_where_the_organisation_is(
    organisation, make_pool, monkeypatch, zone, moment, day
):
    at(monkeypatch, "2020-01-01T12:00:00+00:00")
    club = Club(organisation, make_pool("us-table-tennis")).start(1)
    tip = club.settler.tip()
    at(monkeypatch, moment)
    zone(ZONES[0])
    with club.record("late") as r:
        club.evening(r, FIRST + 7, "Late")
    for now in ZONES:
        zone(now)
        assert [known_on(organisation, read_day(day) + later) - tip for later in (-1, 0, 1)] == [0, 1, 1]


def test_a_window_counts_days_where_the_organisation_is(organisation, make_pool, monkeypatch, zone):
    """A game of 10 March recorded at half past midnight of the 25th is 15 days late, not 14."""
    at(monkeypatch, "2020-01-01T12:00:00+00:00")
    pool = make_pool("us-table-tennis")
    Pool.objects.filter(pk=pool.pk).update(policy="window", window_days=14)
    club = Club(organisation, Pool.objects.get(pk=pool.pk)).start(0)
    for moment, counts in (("22:30", "2030-03-10"), ("23:30", "2030-03-25")):
        at(monkeypatch, f"2030-03-24T{moment}:00+00:00")
        zone(ZONES[0] if counts == "2030-03-10" else ZONES[1])
        played(club, f"At {moment}", "2030-03-10")
        assert last_played(club, "2030-12-31") == read_day(counts)
        assert check(club.pool).bad is None


# --- a server whose zone changes --------------------------------------------------------------------


def test_the_zone_of_the_server_is_nobodys_concern(club, zone, monkeypatch):
    """Recorded by the real clock in one zone, settled in another, asked in a third."""
    monkeypatch.undo()
    organisation, day = club.organisation, FIRST + 30
    zone(ZONES[0])
    earlier = club.settler.tip()
    started = datetime.datetime.now(datetime.UTC)
    with club.record("late") as r:
        club.evening(r, FIRST + 10, "Late")
    zone(ZONES[1])
    club.settler.settle()
    publish(club.settler, day, "1")
    row = Recording.objects.get(number=earlier + 1)
    assert started <= row.recorded <= datetime.datetime.now(datetime.UTC)
    today, seen = days.today(organisation), set()
    for server in ZONES:
        zone(server)
        settler = Settler(Pool.objects.get(pk=club.pool.pk))
        assert settler.settle().rows_written == 0
        known = [as_of(settler, day, today + days) for days in (-2, 0, 1)]
        assert [found.recording for found in known] == [earlier, earlier + 1, earlier + 1]
        then = find_list(club.pool, day)
        assert then.published.tzinfo is not None
        seen.add(
            (str([plain(found) for found in known]), then.published.timestamp(), days.today(organisation))
        )
        assert check(club.pool).bad is None and verify().good
    assert len(seen) == 1


def test_today_is_where_the_organisation_is(organisation, make_pool, monkeypatch):
    """At 23:30 UTC of the 1st it is the 2nd in Brussels: a number that holds from the 2nd on holds."""

    class Clock(datetime.datetime):
        @classmethod
        def now(cls, tz=None):
            return datetime.datetime(2030, 1, 1, 23, 30, tzinfo=datetime.UTC).astimezone(tz)

    fake = SimpleNamespace(datetime=Clock, date=datetime.date, UTC=datetime.UTC)
    monkeypatch.setattr("arpad.store.days.datetime", fake)
    club = Club(organisation, make_pool("us-table-tennis")).start(1)
    assert days.today(organisation) == read_day("2030-01-02")
    from arpad.store.models import OutsideId

    who = club.people[0].key
    OutsideId.objects.create(
        organisation=organisation, person_id=who, kind="fide", value="1", since=datetime.date(2030, 1, 2)
    )
    assert people.find_by_id(organisation, "fide", "1") == who
