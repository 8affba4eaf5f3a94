"""Policy "window": what comes later than some days counts on the day it was recorded."""

from __future__ import annotations

import datetime

import pytest

from arpad.domain.dates import read_day
from arpad.domain.results import read_result
from arpad.store.asof import as_of
from arpad.store.check import check
from arpad.store.lists import entries_of, intact, publish
from arpad.store.models import Change, Effect, Game, Pool
from arpad.store.preview import preview
from arpad.store.recorder import ref
from arpad.store.settle import Settler
from tests.store.clubs import FIRST, RULESETS, Club
from tests.store.test_lists import at, plain
from tests.store.test_settle import from_nothing

LAST = FIRST + 21 * 7  # the eighth evening: 3 June 2024
DAYS = [FIRST + days for days in (10, 40, 70, 100, LAST - FIRST)]


def moment(day, hour=20):
    return f"{datetime.date.fromordinal(day).isoformat()}T{hour}:00:00+00:00"


@pytest.fixture(params=[*RULESETS, "elo-logistic"])
def club(request, organisation, make_pool, monkeypatch):
    """A season, each evening recorded on its day."""
    at(monkeypatch, moment(FIRST - 10))
    pool = make_pool(request.param)
    Pool.objects.filter(pk=pool.pk).update(policy="window", window_days=14)
    made = Club(organisation, Pool.objects.get(pk=pool.pk)).start(0)
    for number in range(8):
        day = FIRST + 21 * number
        at(monkeypatch, moment(day))
        with made.record() as r:
            made.evening(r, day, f"Evening {number}")
    made.settler.settle()
    return made


def lists(club):
    return [plain(as_of(club.settler, day)) for day in DAYS]


def late_game(club, r):
    """A game of the second evening."""
    club.game(r, club.events[1], FIRST + 21, club.people[0], club.people[1], 3, 1)


@pytest.mark.parametrize("kind", ["game", "evening", "correction", "posting"])
def test_what_is_late_leaves_the_lists_before_it_alone(club, monkeypatch, kind):
    seen = lists(club)
    at(monkeypatch, moment(LAST + 20))

    def write(r):
        if kind == "game":
            late_game(club, r)
        elif kind == "evening":
            club.evening(r, FIRST + 25, "Late evening")
        elif kind == "correction":
            r.correction(ref(club.pool), club.people[0], FIRST + 25, 1350, "late")
        else:
            r.posting(ref(club.pool), FIRST + 25, 20, "late")

    state, kept = club.random.getstate(), [list(x) for x in (club.events, club.feeds, club.games)]
    expected = preview(club.settler, write)
    club.random.setstate(state)
    club.events, club.feeds, club.games = kept
    with club.record() as r:
        write(r)
    done = club.settler.settle()
    assert done.rows_changed > 0
    assert lists(club) == seen
    days = set(Change.objects.filter(settlement=done.settlement).values_list("day", flat=True))
    assert min(days) >= LAST  # pools with lists: the month that is still open
    assert done.digest == from_nothing(club.pool)
    found = check(club.pool)
    assert found.bad is None, str(found.bad)
    assert len(expected.players) == Effect.objects.filter(settlement=done.settlement).count()
    with club.record() as r:  # a void of the event takes its late games along
        r.void(club.events[1])
    club.settler.settle()
    assert check(club.pool).bad is None
    if kind == "game":
        assert not Change.objects.filter(pool=club.pool, settlement__lt=0).exists()
        games = as_of(club.settler).lines
        assert sum(line.games for line in games) <= 2 * 8 * 7


@pytest.mark.parametrize("corrected", [False, True])
def test_a_late_void_counts_on_the_day_of_its_game(club, monkeypatch, corrected):
    """Published lists stay; a game put in its place counts on the day of the correction."""
    at(monkeypatch, moment(LAST + 20))
    kept = publish(club.settler, read_day("2024-04-01"), "2")
    before = entries_of(kept)
    game = Game.objects.filter(day=FIRST + 21).first()
    with club.record() as r:
        one, two = (ref(person) for person in (game.player1, game.player2))
        loss = read_result("1-3" if club.ruleset == "us-table-tennis" else "0-1")
        new = r.game(ref(game.event), game.day, one, two, loss) if corrected else None
        r.void(ref(game), new)
    done = club.settler.settle()
    changed = Change.objects.filter(settlement=done.settlement, kind=0)
    assert changed.filter(subject=game.pk, gone=True).count() == 2
    if corrected:
        assert set(changed.filter(subject=new.key).values_list("day", flat=True)) == {LAST + 20}
    assert entries_of(kept) == before and intact(kept)
    assert done.digest == from_nothing(club.pool)
    assert check(club.pool).bad is None


def test_what_is_not_late_counts_on_its_day(club, monkeypatch):
    seen = lists(club)
    at(monkeypatch, moment(FIRST + 21 + 14, 21))
    with club.record() as r:
        late_game(club, r)
    done = club.settler.settle()
    assert done.rows_changed > 0 and lists(club) != seen


def test_another_window_is_another_list_and_takes_a_full_settling(club, monkeypatch):
    from arpad.domain.problems import Refused

    at(monkeypatch, moment(LAST + 20))
    with club.record() as r:
        late_game(club, r)
    club.settler.settle()
    Pool.objects.filter(pk=club.pool.pk).update(policy="recompute")
    with club.record():
        pass
    with pytest.raises(Refused, match="rules-changed"):
        Settler(Pool.objects.get(pk=club.pool.pk)).settle()
    club.settler.settle(full=True)
    club.pool.refresh_from_db()
    assert check(club.pool).bad is None
    assert Change.objects.filter(settlement=club.pool.current, day=FIRST + 21, kind=0).count() == 18


def test_the_window_ends_at_midnight_where_the_organisation_is(organisation, make_pool):
    from arpad.store.fact_rows import Window

    pool = make_pool("us-table-tennis")
    pool.policy, pool.window_days = "window", 14
    day = read_day("2024-03-17")
    late = Window(pool).late
    assert late(day, "2024-03-31 21:59:59") == 0  # 31 March, summer time
    assert late(day, "2024-03-31 22:00:00") == read_day("2024-04-01")
    assert late(0, "2024-04-09 22:00:00") == 0
    pool.policy = "recompute"
    assert Window(pool).late(day, "2024-05-01 00:00:00") == 0
