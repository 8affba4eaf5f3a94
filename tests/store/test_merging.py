"""Merging, un-merging, splitting: facts with a preview; the games always find their way back."""

from __future__ import annotations

import threading

import pytest
from django.db import connections

from arpad.domain.dates import read_day
from arpad.domain.play import Application
from arpad.domain.problems import Refused
from arpad.domain.results import read_result
from arpad.store import holding, matching, merging
from arpad.store.models import Game, Pool, Recording, SamePerson, Standing, Void
from arpad.store.recorder import recording, ref
from arpad.store.settle import Settler

DAY = read_day("2024-09-03")


class Club:
    """Persons by letter, evenings of games between them."""

    def __init__(self, organisation, pool: Pool) -> None:
        self.organisation, self.pool, self.people = organisation, pool, {}
        self.day = DAY

    def enter(self, *names: str) -> None:
        with recording(self.organisation, author="1") as r:
            for name in names:
                self.people[name] = r.person(name)
                r.first_rating(ref(self.pool), self.people[name], Application(rating=1600))

    def play(self, *games: tuple[str, str], feed: bool = True) -> list[int]:
        self.day += 7
        with recording(self.organisation, author="1", kind="evening") as r:
            event = r.event(f"Evening {self.day}", self.day)
            if feed:
                r.feed(ref(self.pool), event)
            return [
                r.game(event, self.day, self.people[a], self.people[b], read_result("3-1"), round=i).key
                for i, (a, b) in enumerate(games, 1)
            ]

    def key(self, name: str) -> int:
        return self.people[name].key

    def merge(self, kept: str, merged: str, **options):
        return merging.merge(self.organisation, self.key(kept), self.key(merged), author="2", **options)

    def unmerge(self, merged: str, **options):
        return merging.unmerge(self.organisation, self.key(merged), author="2", **options)

    def games(self, *names: str) -> list[int]:
        people = [self.key(name) for name in names]
        return list(merging.games_of(self.organisation, people).values_list("pk", flat=True))

    def settle(self) -> dict[str, tuple[int, int]]:
        """Rating and games by name, incrementally and from nothing: they must be equal."""
        Settler(self.pool).settle()
        digest = Settler(self.pool).current().digest
        full = Settler(Pool.objects.get(pk=self.pool.pk)).settle(full=True)
        assert full.digest == digest
        names = {made.key: name for name, made in self.people.items()}
        rows = Standing.objects.filter(pool=self.pool, settlement=full.settlement, gone=False)
        return {names[row.person_id]: (row.rating, row.games) for row in rows}


@pytest.fixture
def club(organisation, make_pool) -> Club:
    found = Club(organisation, make_pool("us-table-tennis"))
    found.enter("Jan", "J.", "An", "Bea", "Cleo")
    return found


def test_the_preview_says_who_and_how_many_games(club):
    club.play(("Jan", "An"), ("J.", "Bea"), ("J.", "Cleo"))
    before = Recording.objects.count()
    plan = merging.plan_merge(club.organisation, club.key("Jan"), club.key("J."))
    assert (plan.kept.games, plan.merged.games, plan.refusal) == (1, 2, None)
    assert (plan.kept.names, plan.merged.names) == (("Jan",), ("J.",))
    club.organisation.refresh_from_db()
    assert plan.seen == club.organisation.chain_number
    assert Recording.objects.count() == before


def test_a_merge_rates_both_as_one_and_undoing_it_brings_both_back(club):
    club.play(("Jan", "An"), ("J.", "Bea"))
    before = club.settle()
    club.merge("Jan", "J.")
    merged = club.settle()
    assert "J." not in merged
    assert merged["Jan"][1] == 2
    club.unmerge("J.")
    assert club.settle() == before


def test_unmerge_lists_the_games_entered_after_the_merge(club):
    early = club.play(("Jan", "An"), ("J.", "Bea"))
    club.merge("Jan", "J.")
    late = club.play(("Jan", "Cleo"), ("An", "Jan"), ("Bea", "Cleo"))
    plan = merging.plan_unmerge(club.organisation, club.key("J."))
    assert Void.objects.count() == 0
    assert plan == club.unmerge("J.")
    assert (plan.kept.games, plan.returned.games) == (3, 1)
    assert list(plan.to_decide) == late[:2]
    assert club.games("J.") == [early[1]]
    # the decision: the second of them was J.'s
    (given,) = merging.give_games(
        club.organisation, [late[1]], club.key("Jan"), club.key("J."), author="2", reason="it was J."
    )
    assert club.games("J.") == [early[1], given.key]
    assert club.games("Jan") == [early[0], late[0]]
    assert {name: games for name, (_, games) in club.settle().items()}["J."] == 2


def test_who_played_each_other_is_refused_whatever_the_event(club):
    club.play(("Jan", "J."), feed=False)  # counts in no pool
    plan = merging.plan_merge(club.organisation, club.key("Jan"), club.key("J."))
    assert plan.refusal is not None
    assert plan.refusal.code == "merge-self-play"
    with pytest.raises(Refused, match="merge-self-play"):
        club.merge("Jan", "J.")
    assert SamePerson.objects.count() == 0


def test_it_is_refused_through_others_who_are_the_same(club):
    club.play(("Cleo", "An"))
    club.merge("Jan", "Cleo")
    with pytest.raises(Refused, match="merge-self-play"):
        club.merge("An", "Jan")
    club.merge("J.", "Jan")
    with pytest.raises(Refused, match="merge-self-play"):
        club.merge("J.", "An")


def test_a_withdrawn_game_does_not_stand_in_the_way_until_it_is_restored(club):
    (game,) = club.play(("Jan", "J."))
    with recording(club.organisation, author="1") as r:
        void = r.void(ref(Game.objects.get(pk=game)))
    plan = merging.plan_merge(club.organisation, club.key("Jan"), club.key("J."))
    assert (plan.refusal, plan.kept.games) == (None, 0)
    with recording(club.organisation, author="1") as r:
        r.void(void)
    with pytest.raises(Refused, match="merge-self-play"):
        club.merge("Jan", "J.")


def test_rings_are_refused(club):
    club.merge("Jan", "J.")
    club.merge("An", "Jan")
    for kept, merged in (("J.", "An"), ("An", "J."), ("An", "An"), ("J.", "Jan")):
        with pytest.raises(Refused, match="merge-ring"):
            club.merge(kept, merged)
    people = holding.same(club.organisation)
    assert {people.root(club.key(name)) for name in ("Jan", "J.", "An")} == {club.key("An")}


def test_undoing_an_earlier_merge_leaves_the_later_one(club):
    club.play(("Jan", "Cleo"), ("J.", "Cleo"), ("An", "Cleo"), ("Bea", "Cleo"))
    club.merge("Jan", "J.")
    club.merge("J.", "An")  # recorded as: into Jan
    plan = club.unmerge("J.")
    assert plan.kept.members == (club.key("Jan"), club.key("An"))
    assert plan.returned.members == (club.key("J."),)
    assert club.settle()["Jan"][1] == 2


def test_what_is_merged_into_nobody_cannot_be_undone(club):
    with pytest.raises(Refused, match="merge-unknown"):
        club.unmerge("J.")
    club.merge("Jan", "J.")
    club.unmerge("J.")
    with pytest.raises(Refused, match="merge-unknown"):
        club.unmerge("J.")


def test_merging_again_after_an_unmerge(club):
    club.play(("Jan", "An"), ("J.", "Bea"))
    club.merge("Jan", "J.")
    one = club.settle()
    club.unmerge("J.")
    club.merge("J.", "Jan")
    other = club.settle()
    assert other["J."] == one["Jan"]


def test_kept_apart_is_refused_unless_meant(club):
    club.merge("Jan", "J.")
    club.unmerge("J.", different=True)
    with pytest.raises(Refused, match="merge-kept-apart"):
        club.merge("J.", "Jan")
    club.merge("J.", "Jan", anyway=True)
    assert matching.likely_same(club.organisation, club.key("Jan")) == []


def test_splitting_keeps_everything_else_of_a_game(club):
    first, second, third = club.play(("Jan", "An"), ("Bea", "Jan"), ("Jan", "Cleo"))
    new = merging.give_games(club.organisation, [first, second], club.key("Jan"), club.key("J."), author="2")
    assert club.games("Jan") == [third]
    assert club.games("J.") == [made.key for made in new]
    for old, made in zip((first, second), new, strict=True):
        was, now = Game.objects.get(pk=old), Game.objects.get(pk=made.key)
        void = Void.objects.get(target_uuid=was.uuid)
        assert void.replaced_by == now.uuid
        for column in ("event_id", "day", "round", "board", "sequence", "result", "stones", "weight", "size"):
            assert getattr(was, column) == getattr(now, column)
        sides = {club.key("Jan"): club.key("J.")}
        assert (sides.get(was.player1_id, was.player1_id), sides.get(was.player2_id, was.player2_id)) == (
            now.player1_id, now.player2_id,
        )  # fmt: skip
    assert club.settle()["J."][1] == 2


def test_a_split_that_cannot_be_changes_nothing(club):
    first, other, mutual = club.play(("Jan", "An"), ("Bea", "Cleo"), ("Jan", "J."))
    before = Recording.objects.count()
    with pytest.raises(Refused, match="game-self"):
        merging.give_games(club.organisation, [first, mutual], club.key("Jan"), club.key("J."), author="2")
    with pytest.raises(Refused, match="game-not-of-person"):
        merging.give_games(club.organisation, [first, other], club.key("Jan"), club.key("J."), author="2")
    with pytest.raises(Refused, match="person-unknown"):
        merging.give_games(club.organisation, [first], club.key("Jan"), 999_999, author="2")
    assert (Recording.objects.count(), Void.objects.count()) == (before, 0)


def test_nothing_of_another_organisation_is_merged(club):
    from arpad.store.models import Organisation

    other = Organisation.objects.create(slug="other", name="Other")
    with recording(other, author="1") as r:
        stranger = r.person("Jan")
    with pytest.raises(Refused, match="person-unknown"):
        merging.merge(club.organisation, club.key("Jan"), stranger.key, author="2")
    assert SamePerson.objects.count() == 0


# --- a merge while a game between the two is entered ------------------------------------------------


def test_a_game_that_is_being_entered_while_its_players_are_merged_is_refused(organisation, make_pool):
    """Two connections: the game was begun first, the merge is sealed first."""
    pool = make_pool("elo-logistic")
    with recording(organisation, author="1") as r:
        one, two, three = (r.person(name) for name in ("Jan Peeters", "J. Peeters", "Ada Müster"))
        event = r.event("Cup", 739000)
        r.feed(ref(pool), event)

    def merge_elsewhere() -> None:
        try:
            merging.merge(organisation, one.key, two.key, author="3", reason="one person")
        finally:
            connections.close_all()

    before = Game.objects.count()
    with pytest.raises(Refused) as refused, recording(organisation, author="2", large=True) as r:
        r.game(event, 739000, one, three, read_result("1-0"))
        r.game(event, 739000, two, one, read_result("1-0"))
        r.write()
        thread = threading.Thread(target=merge_elsewhere)
        thread.start()
        thread.join()
    assert [problem.code for problem in refused.value.problems] == ["game-self"]
    assert Game.objects.count() == before
    assert holding.same(organisation).root(two.key) == one.key
    with recording(organisation, author="2") as r:  # games with others are taken
        r.game(event, 739000, two, three, read_result("1-0"))
    with pytest.raises(Refused), recording(organisation, author="2") as r:
        r.game(event, 739000, two, one, read_result("1-0"))


def test_a_merge_that_waited_for_a_game_between_the_two_is_refused(organisation, make_pool):
    """The other order: the merge was looked at first, the game is sealed first."""
    make_pool("elo-logistic")
    with recording(organisation, author="1") as r:
        one, two = (r.person(name) for name in ("Jan Peeters", "J. Peeters"))
        event = r.event("Cup", 739000)
    assert merging.plan_merge(organisation, one.key, two.key).refusal is None

    def play_elsewhere() -> None:
        try:
            with recording(organisation, author="3") as r:
                r.game(event, 739000, two, one, read_result("1-0"))
        finally:
            connections.close_all()

    with pytest.raises(Refused) as refused, recording(organisation, author="2", large=True) as r:
        r.same_person(one, two)  # without looking again
        r.write()
        thread = threading.Thread(target=play_elsewhere)
        thread.start()
        thread.join()
    assert [problem.code for problem in refused.value.problems] == ["game-self"]
    with pytest.raises(Refused) as refused:
        merging.merge(organisation, one.key, two.key, author="2")
    assert [problem.code for problem in refused.value.problems] == ["merge-self-play"]
    assert holding.same(organisation).root(two.key) == two.key
