"""Corrections by hand in one action, previewed and undone; on both databases."""

from __future__ import annotations

from collections import Counter
from uuid import UUID

import pytest

from arpad.domain.problems import Refused
from arpad.domain.results import read_result
from arpad.store import edits, merging
from arpad.store.holding import same
from arpad.store.models import Event, Game, Recording, Void
from arpad.store.recorder import LedgerMoved
from arpad.store.settle import Settler
from tests.store.clubs import FIRST, Club, application, ref

RULESETS = ("us-table-tennis", "belgian-go", "fide-standard")


@pytest.fixture(params=RULESETS)
def club(request, organisation, make_pool):
    made = Club(organisation, make_pool(request.param)).start(evenings=3)
    made.settler.settle()
    return made


def make(club, edit, reason="as the scoresheet says"):
    return edits.make(club.organisation, edit, author="2", reason=reason)


def holding(club):
    return Counter(
        (game.event.name, game.day, game.round, game.board, game.player1_id, game.player2_id, game.result)
        for event in Event.objects.all()
        for game in edits.games_of(event)
    )


def ratings(club):
    """The settled list; and it equals the one made from nothing."""
    done = club.settler.settle()
    assert Settler(club.pool).settle(full=True).digest == done.digest
    club.settler = Settler(club.pool)
    club.settler.settle()
    history = club.settler.warm(club.settler.tip())
    return sorted((line.person, line.rating, line.games) for line in history.ratings())


def each_edit(club):
    """One of every kind."""
    org, game = club.organisation, club.games[3].uuid
    people, event = [person.uuid for person in club.people], club.events[1].uuid
    other = Game.objects.get(uuid=game)
    stranger = next(p.uuid for p in club.people if p.key not in (other.player1_id, other.player2_id))
    return {
        "void": edits.void_game(org, game),
        "change": edits.change_game(org, game, player1=stranger, round=2, board=7),
        "swap": edits.swap_result(org, game),
        "add": edits.add_game(
            org, event, FIRST + 21, people[0], people[1], read_result(other.result), round=3
        ),
        "void event": edits.void_event(org, event),
        "move event": edits.move_event(org, event, FIRST + 400),
        "correct rating": edits.correct_rating(club.pool, people[2], FIRST + 30, 1000, "played abroad"),
    }


@pytest.mark.parametrize("name", [
    "void", "change", "swap", "add", "void event", "move event", "correct rating",
])  # fmt: skip
def test_an_edit_is_foretold_made_and_undone(club, name):
    edit = each_edit(club)[name]
    games, list_ = holding(club), ratings(club)
    before = Recording.objects.count()
    foretold = edits.effect_of(club.pool, edit, club.settler)
    assert (Recording.objects.count(), holding(club)) == (before, games)
    row = make(club, edit)
    assert (row.kind, Recording.objects.count()) == ("edit", before + 1)
    after, edited = holding(club), ratings(club)
    assert after != games or name == "correct rating"  # which touches no game
    told = {shown.person: shown.new_now for shown in foretold.changed}
    history = club.settler.warm(club.settler.tip())
    keys = club.settler.facts.keys["person"]
    now = {keys[line.person]: line.rating for line in history.ratings()}
    assert all(now.get(person) == rating for person, rating in told.items())
    back = make(club, edits.undo(row))
    assert back.kind == "undo"
    assert (holding(club), ratings(club)) == (games, list_)
    make(club, edits.undo(back))
    assert (holding(club), ratings(club)) == (after, edited)


def test_a_whole_event_is_withdrawn_and_restored(club):
    games, event = holding(club), club.events[1].uuid
    make(club, edits.void_game(club.organisation, club.games[10].uuid))
    alone = holding(club)
    make(club, edits.void_event(club.organisation, event))
    assert not list(edits.games_of(Event.objects.get(uuid=event)))
    make(club, edits.restore_event(club.organisation, event))
    assert holding(club) == alone  # what was withdrawn before stays withdrawn
    make(club, edits.restore_event(club.organisation, event))
    assert holding(club) == games
    with pytest.raises(Refused, match="nothing to change"):
        make(club, edits.restore_event(club.organisation, event))


def test_a_moved_event_counts_on_its_new_days(club):
    old = Event.objects.get(uuid=club.events[1].uuid)
    make(club, edits.move_event(club.organisation, old.uuid, FIRST + 100))
    new = Event.objects.order_by("pk").last()
    days = {game.day for game in edits.games_of(new)}
    assert (new.start.toordinal(), days) == (FIRST + 100, {FIRST + 100})
    assert not list(edits.games_of(old))
    assert Void.objects.get(target_uuid=old.uuid).replaced_by == new.uuid
    assert len(ratings(club)) == 8


def test_games_of_one_person_are_given_to_another(club):
    club_games = list(edits.games_of(Event.objects.get(uuid=club.events[1].uuid)))
    with club.record("a newcomer") as r:
        newcomer = r.person("Player 0 the younger")
        r.first_rating(ref(club.pool), newcomer, application(club.ruleset, 1))
    theirs = [g for g in club_games if club.people[0].key in (g.player1_id, g.player2_id)]
    edit = edits.give_games(club.organisation, club.events[1].uuid, club.people[0].uuid, newcomer.uuid)
    row = make(club, edit)
    now = list(edits.games_of(Event.objects.get(uuid=club.events[1].uuid)))
    assert sum(newcomer.key in (g.player1_id, g.player2_id) for g in now) == len(theirs) > 0
    assert not any(club.people[0].key in (g.player1_id, g.player2_id) for g in now)
    assert len(now) == len(club_games)
    make(club, edits.undo(row))
    assert len(ratings(club)) >= 8


def test_giving_games_to_an_opponent_is_refused(club):
    one = next(iter(edits.games_of(Event.objects.get(uuid=club.events[1].uuid))))
    edit = edits.give_games(club.organisation, club.events[1].uuid, one.player1.uuid, one.player2.uuid)
    before = Recording.objects.count()
    with pytest.raises(Refused, match="same person"):
        make(club, edit)
    assert Recording.objects.count() == before


def test_what_was_changed_again_stays_as_the_last_change_left_it(club):
    game = Game.objects.get(uuid=club.games[3].uuid)
    first = make(club, edits.swap_result(club.organisation, game.uuid))
    second_game = Game.objects.get(recording=first)
    make(club, edits.change_game(club.organisation, second_game.uuid, board=88))
    games = holding(club)
    with pytest.raises(Refused, match="nothing to change"):
        make(club, edits.undo(first))
    assert holding(club) == games


@pytest.mark.parametrize("reason", ["", "   "])
def test_a_reason_is_needed(club, reason):
    with pytest.raises(Refused, match="reason"):
        make(club, edits.void_game(club.organisation, club.games[0].uuid), reason)


def test_what_is_not_there_is_refused(club):
    org, nobody = club.organisation, UUID(int=77)
    for edit in (
        edits.void_game(org, nobody),
        edits.void_event(org, nobody),
        edits.change_game(org, club.games[0].uuid, player1=nobody),
    ):
        with pytest.raises(Refused, match="There is no"):
            make(club, edit)
    make(club, edits.void_game(org, club.games[0].uuid))
    with pytest.raises(Refused, match="since"):
        make(club, edits.swap_result(org, club.games[0].uuid))


def test_an_edit_of_what_was_seen_is_refused_when_the_ledger_moved(club):
    seen = club.settler.tip()
    make(club, edits.void_game(club.organisation, club.games[0].uuid))
    edit = edits.void_game(club.organisation, club.games[1].uuid)
    with pytest.raises(LedgerMoved):
        edits.make(club.organisation, edit, author="2", reason="x", expected=seen)
    assert not Void.objects.filter(target_uuid=club.games[1].uuid).exists()


def test_what_is_brought_back_makes_nobody_play_himself(club):
    """A game is withdrawn, the two are merged: it stays withdrawn. So does a merge of two who met since."""
    game = Game.objects.get(pk=club.games[0].key)
    one, other = game.player1_id, game.player2_id
    each_other = Game.objects.filter(player1__in=(one, other), player2__in=(one, other))
    gone = [make(club, edits.void_game(club.organisation, met.uuid)) for met in each_other]
    merging.merge(club.organisation, one, other, author="1")
    before = Recording.objects.count()
    with pytest.raises(Refused, match="game-self"):
        make(club, edits.undo(gone[0]))
    assert Recording.objects.count() == before
    merging.unmerge(club.organisation, other, author="1")
    apart = Recording.objects.order_by("pk").last()
    again = make(club, edits.undo(gone[0]))
    with pytest.raises(Refused, match="game-self"):
        make(club, edits.undo(apart))
    make(club, edits.undo(again))
    make(club, edits.undo(apart))
    assert same(club.organisation).root(other) == one


def test_a_game_comes_back_unless_another_took_its_place(club):
    org, game = club.organisation, club.games[3].uuid
    games, list_ = holding(club), ratings(club)
    with pytest.raises(Refused, match="nothing to change"):
        make(club, edits.restore_game(org, game))
    make(club, edits.void_game(org, game))
    foretold = edits.effect_of(club.pool, edits.restore_game(org, game), club.settler)
    assert foretold.changed
    make(club, edits.restore_game(org, game))
    assert (holding(club), ratings(club)) == (games, list_)
    make(club, edits.change_game(org, game, board=9))
    with pytest.raises(Refused, match="was replaced by"):
        make(club, edits.restore_game(org, game))
    new = Game.objects.latest("pk").uuid
    make(club, edits.void_game(org, new))
    make(club, edits.restore_game(org, game))
    assert holding(club) == games


def test_an_event_of_another_class(organisation, make_pool):
    club = Club(organisation, make_pool("belgian-go")).start(evenings=3)
    list_ = ratings(club)
    edit = edits.class_event(organisation, club.events[1].uuid, "D", club.pool)
    foretold = edits.effect_of(club.pool, edit, club.settler)
    row = make(club, edit)
    changed = ratings(club)
    assert changed != list_
    assert len(foretold.changed) >= sum(a != b for a, b in zip(changed, list_, strict=True))
    with pytest.raises(Refused, match="nothing to change"):
        make(club, edits.class_event(organisation, club.events[1].uuid, "D", club.pool))
    make(club, edits.undo(row))
    assert ratings(club) == list_
