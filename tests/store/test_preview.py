"""What a recording would change, told before: the same as afterwards, and nothing is written."""

from __future__ import annotations

import pytest
from django.db import connection

from arpad.domain.play import Application
from arpad.domain.problems import Refused
from arpad.store.models import FACTS, Effect, Lease, Recording, Standing
from arpad.store.preview import holds, preview
from arpad.store.recorder import ref
from arpad.store.settle import Settler
from tests.store.clubs import FIRST, RULESETS, Club
from tests.store.test_settle import CHANGES, nothing

FIELDS = ("person_id", "day", "old", "new", "old_now", "new_now", "old_label", "new_label")


@pytest.fixture(params=RULESETS)
def club(request, organisation, make_pool):
    made = Club(organisation, make_pool(request.param)).start()
    made.settler.settle()
    return made


def counts():
    """Rows of every table a recording could touch."""
    tables = [Recording, Effect, Standing, *FACTS]
    return [model.objects.count() for model in tables]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_preview_tells_what_recording_then_does(club, change):
    before, fence, ledger = counts(), Lease.objects.get().fence, club.settler.facts._size()
    state, kept = club.random.getstate(), [list(x) for x in (club.events, club.feeds, club.games)]
    seen = preview(club.settler, lambda draft: change(club, draft))
    assert counts() == before and Lease.objects.get().fence == fence
    assert club.settler.facts._size() == ledger
    assert seen.recording == club.settler.tip() and holds(seen, club.settler)
    club.random.setstate(state)
    club.events, club.feeds, club.games = kept
    with club.record("the same") as r:
        change(club, r)
    assert not holds(seen, club.settler)
    done = club.settler.settle()
    rows = Effect.objects.filter(settlement=done.settlement).values_list(*FIELDS)
    assert sorted(map(tuple, seen.players), key=repr) == sorted(rows, key=repr)
    assert seen.rows == done.rows_changed
    assert bool(seen.rows) == (change is not nothing)


def test_a_preview_of_somebody_new(club):
    application = (
        Application(rank=-4) if club.ruleset == "belgian-go" else Application(rating=1650, born=1990)
    )

    def write(draft):
        person = draft.person("Somebody New")
        draft.first_rating(ref(club.pool), person, application)
        event = draft.event("Visitors", FIRST + 200)
        draft.feed(ref(club.pool), event, "A" if club.ruleset == "belgian-go" else "")
        club.game(draft, event, FIRST + 200, person, club.people[0])

    seen = preview(club.settler, write)
    assert [player for player in seen.players if player.person < 0]
    assert seen.largest > 0


def stranger(club, draft):
    club.game(draft, club.events[0], FIRST, draft.person("A stranger"), club.people[0])


def test_a_cold_settler_and_one_that_lags_see_the_newest_recording(club):
    void = lambda draft: draft.void(club.games[2])  # noqa: E731
    expected = preview(club.settler, void)
    cold = preview(Settler(club.pool), void)
    assert cold[:4] == expected[:4]
    with club.record("late") as r:
        CHANGES[0](club, r)
    lags = preview(club.settler, void)
    assert lags.recording == expected.recording + 1
    club.settler.settle()
    assert preview(club.settler, void)[:4] == lags[:4]


def test_a_draft_is_never_sealed(club):
    from arpad.store.preview import Draft

    with pytest.raises(TypeError):
        Draft(club.organisation).seal()


def test_a_preview_writes_nothing_at_all(club, django_statements):
    with django_statements() as statements:
        preview(club.settler, lambda draft: draft.void(club.games[0]))
    assert statements and all(statement.lstrip().startswith("SELECT") for statement in statements)


@pytest.fixture
def django_statements():
    """The statements that a block sends to the database."""
    from contextlib import contextmanager

    @contextmanager
    def watch():
        found = []

        def note(execute, sql, params, many, context):
            found.append(sql)
            return execute(sql, params, many, context)

        with connection.execute_wrapper(note):
            yield found

    return watch


def test_what_the_rules_refuse_is_refused_before_it_is_recorded(organisation, make_pool):
    club = Club(organisation, make_pool("us-table-tennis")).start(2)
    club.settler.settle()
    with pytest.raises(Refused, match="player-no-first-rating"):
        preview(club.settler, lambda draft: stranger(club, draft))
