"""What readers see of a settling: never half, only what changed, and what no longer holds is gone."""

from __future__ import annotations

import pytest

from arpad.domain.play import Application
from arpad.store.check import check
from arpad.store.models import Change, Settlement, Standing
from arpad.store.recorder import recording, ref
from arpad.store.settle import Settler
from tests.store.clubs import FIRST, Club
from tests.store.test_settle import club as club  # the fixture
from tests.store.test_settle import late_event, settled, shown


@pytest.mark.parametrize("at_once", [True, False])
@pytest.mark.parametrize("place", ["_write_changes", "_write_standings", "_write_effects"])
def test_readers_never_see_half(club, place, at_once, monkeypatch):
    monkeypatch.setattr("arpad.store.settle.SMALL", 2_000 if at_once else -1)
    seen = shown(club.pool)
    with club.record("late") as r:
        late_event(club, r)

    def stops(self, *arguments):
        getattr(Settler, f"kept{place}")(self, *arguments)
        raise KeyboardInterrupt

    monkeypatch.setattr(Settler, f"kept{place}", getattr(Settler, place), raising=False)
    monkeypatch.setattr(Settler, place, stops)
    with pytest.raises(KeyboardInterrupt):
        club.settler.settle()
    # few rows come in one transaction, which leaves nothing behind
    assert Settlement.objects.filter(pool=club.pool, done=False).count() == (not at_once)
    assert shown(club.pool) == seen
    found = check(club.pool)
    assert found.bad is None
    monkeypatch.undo()
    settled(club)
    assert shown(club.pool) != seen
    assert not Settlement.objects.filter(pool=club.pool, done=False).exists()


def test_a_row_that_was_tampered_with_is_named(club):
    row = Change.objects.filter(pool=club.pool, kind=0).order_by("day", "place").last()
    Change.objects.filter(pk=row.pk).update(change=row.change + 1)
    bad = check(club.pool).bad
    assert bad.table == "change" and bad.day == row.day
    assert bad.what == f"change of a game is {row.change + 1}, the facts give {row.change}."
    Change.objects.filter(pk=row.pk).delete()
    assert check(club.pool).bad.what == "The row of a game is missing."
    club.settler.settle(full=True)
    assert check(club.pool).bad is None
    Standing.objects.filter(pool=club.pool, settlement=club.settler.current().number).update(label="x")
    assert check(club.pool).bad.table == "standing"


def test_only_what_changed_is_written_and_old_rows_are_swept(club):
    with club.record("the last evening again") as r:
        r.void(club.games[-1])
    done = settled(club)
    assert done.rows_written < Change.objects.filter(pool=club.pool).count() / 2
    for _ in range(3):
        with club.record("nothing"):
            pass
        settled(club)
    rows = Change.objects.filter(pool=club.pool).values_list("person_id", "kind", "subject")
    assert len(rows) == len(set(rows))
    assert not Change.objects.filter(pool=club.pool, gone=True).exists()


def test_a_full_settling_drops_what_is_no_more(club):
    """Also rows of a game that went in the same breath."""
    with club.record("withdrawn") as r:
        r.void(club.games[0])
    assert club.settler.settle(full=True).players_changed > 0
    assert check(club.pool).bad is None


def test_rows_of_another_program_are_not_gone_on_from(club):
    from arpad.domain.problems import Refused

    Settlement.objects.filter(pool=club.pool).update(digest="0" * 64)
    with club.record("late") as r:
        late_event(club, r)
    with pytest.raises(Refused, match="rules-changed"):
        Settler(club.pool).settle()
    Settler(club.pool).settle(full=True)
    assert check(club.pool).bad is None


def test_a_fact_that_the_rules_refuse_leaves_everything_as_it_was(organisation, make_pool):
    from arpad.domain.problems import Refused

    club = Club(organisation, make_pool("us-table-tennis")).start()
    settled(club)
    seen = shown(club.pool)
    with recording(organisation, author="1") as r:
        stranger = r.person("A stranger")
        club.game(r, club.events[0], FIRST, stranger, club.people[0])
    with pytest.raises(Refused, match="player-no-first-rating"):
        club.settler.settle()
    assert shown(club.pool) == seen
    with recording(organisation, author="1") as r:
        r.first_rating(ref(club.pool), stranger, Application(rating=1500))
    settled(club)
