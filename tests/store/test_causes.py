"""A changed rating is told with its cause, followed through other players to the fact."""

from __future__ import annotations

import datetime
from types import SimpleNamespace

import pytest

from arpad.domain.play import Application
from arpad.engine.messages import ENGLISH, read
from arpad.store.causes import stories
from arpad.store.models import Effect, Recording
from arpad.store.recorder import ref
from tests.store.clubs import FIRST, Club

PLAYERS = ("Noor", "Emma", "Tim", "Sam")


@pytest.fixture
def club(organisation, make_pool):
    """Noor beats Emma on 8 January, Emma beats Tim on 15 January, Tim beats Sam on 22 January."""
    club = Club(organisation, make_pool("us-table-tennis"))
    with club.record() as r:
        club.people = [r.person(name) for name in PLAYERS]
        for person in club.people:
            club.entries.append(r.first_rating(ref(club.pool), person, Application(rating=1500)))
        for week, name in enumerate(("Spring Cup", "Second evening", "Third evening")):
            event = r.event(name, FIRST + 7 * week)
            club.events.append(event)
            club.feeds.append(r.feed(ref(club.pool), event))
            pair = club.people[week : week + 2]
            club.games.append(club.game(r, event, FIRST + 7 * week, *pair, 1, 7, "3-1"))
    club.settler.settle()
    return club


def on(monkeypatch, day):
    """What is recorded from now on is recorded on that day, at nine in the evening UTC."""
    moment = datetime.datetime.fromisoformat(f"{day}T21:00:00+00:00")
    clock = SimpleNamespace(now=lambda zone: moment)
    fake = SimpleNamespace(datetime=clock, date=datetime.date, UTC=datetime.UTC)
    monkeypatch.setattr("arpad.store.recorder.datetime", fake)


def told(club, player=None, **options):
    """The sentences of the newest settlement, of one player or of everybody."""
    club.settler.settle()
    club.pool.refresh_from_db()
    who = None if player is None else club.people[PLAYERS.index(player)].key
    found = stories(club.pool, who, settlement=club.pool.current)
    return [story.sentences(club.pool, **options) for story in found]


def test_a_corrected_result_is_followed_through_other_players(club, monkeypatch):
    on(monkeypatch, "2024-05-03")
    with club.record("the score sheet was read the wrong way round.") as r:
        new = club.game(r, club.events[0], FIRST, *club.people[:2], 1, 7, "1-3")
        r.void(club.games[0], replaced_by=new)
    fact = (
        "because round 1, board 7 of ‘Spring Cup’ was corrected on 3 May 2024 by the results officer: "
        "the score sheet was read the wrong way round."
    )
    noor, emma, tim, sam = (told(club, name) for name in PLAYERS)
    assert noor == [[f"The rating of Noor of 8 January 2024 went from 1513 to 1488 {fact}"]]
    assert emma == [[f"The rating of Emma of 8 January 2024 went from 1488 to 1513 {fact}"]]
    through = "because the rating used for Emma in their game of 15 January 2024 was put right."
    assert len(tim) == 1 and tim[0][1:] == emma[0]
    assert tim[0][0].startswith("The rating of Tim of 15 January 2024 went from ") and tim[0][0].endswith(
        through
    )
    assert sam == []  # less than a point
    you = told(club, "Noor", you=True)
    assert you == [[f"Your rating of 8 January 2024 went from 1513 to 1488 {fact}"]]


def test_a_chain_of_two_players(club):
    with club.record() as r:
        r.correction(ref(club.pool), club.people[1], FIRST + 3, 2600, "a guest from abroad")
    (sam,), (tim,) = told(club, "Sam"), told(club, "Tim")
    assert sam[0].endswith("because the rating used for Tim in their game of 22 January 2024 was put right.")
    assert sam[1:] == tim
    assert tim[0].endswith("because the rating used for Emma in their game of 15 January 2024 was put right.")
    assert tim[1].startswith(
        "The rating of Emma of 11 January 2024 went from 1488 to 2600 because the rating c"
    )


def one(club, player):
    """The only sentence about a player; of merged persons, that of the one who is kept."""
    found = [sentences for sentences in told(club, player) if f" of {player} of " in sentences[0]]
    ((sentence,),) = found
    return sentence


def test_a_late_result(club, monkeypatch):
    on(monkeypatch, "2024-04-09")
    with club.record() as r:
        club.game(r, club.events[0], FIRST, club.people[0], club.people[3], 2, 1, "3-0")
    sentence = one(club, "Noor")
    assert sentence.endswith("because a result of 8 January 2024 came in on 9 April 2024.")


def test_a_game_that_no_longer_counts_and_counts_again(club, monkeypatch):
    on(monkeypatch, "2024-04-04")
    with club.record("it had been entered twice") as r:
        void = r.void(club.games[2])
    assert one(club, "Sam").endswith(
        "because round 1, board 7 of ‘Third evening’ no longer counts: the results officer marked it void "
        "on 4 April 2024: it had been entered twice."
    )
    with club.record() as r:
        r.void(void)
    assert one(club, "Sam").endswith("‘Third evening’ counts again since 4 April 2024.")


def test_the_committee_sets_a_rating(club):
    with club.record("decided in the meeting") as r:
        made = r.correction(
            ref(club.pool), club.people[0], FIRST + 3, 1700, "results lagged behind playing strength"
        )
    assert one(club, "Noor") == (
        "The rating of Noor of 11 January 2024 went from 1513 to 1700 because the rating committee set the "
        "rating of Noor to 1700 from 11 January 2024: results lagged behind playing strength."
    )
    with club.record("a mistake") as r:
        r.void(made)
    assert "that the committee had set for Noor was withdrawn on" in one(club, "Noor")


def test_a_posting_a_merge_an_event_a_first_rating(club):
    with club.record() as r:
        r.posting(ref(club.pool), FIRST + 3, 25, "a bonus")
    assert "because everybody’s rating was changed by +25 points on 11 January 2024: a bonus." in one(
        club, "Noor"
    )
    with club.record() as r:
        double = r.person("Noortje")
        r.first_rating(ref(club.pool), double, Application(rating=1500))
        club.evening(r, FIRST + 30, "Autumn", [double, club.people[3]])
    club.settler.settle()
    with club.record() as r:
        merge = r.same_person(club.people[0], double)
    assert "because Noor and Noortje are one person, as was found on" in one(club, "Noor")
    with club.record() as r:
        r.void(merge)
    assert "because Noor and Noortje are two persons after all" in one(club, "Noor")
    with club.record() as r:
        r.void(club.feeds[2])
    assert "because ‘Third evening’ no longer counts for these ratings since" in told(club, "Tim")[0][0]
    with club.record() as r:
        new = r.first_rating(ref(club.pool), club.people[0], Application(rating=1520))
        r.void(club.entries[0], replaced_by=new)
    club.settler.settle()
    sentence = stories(club.pool, club.people[0].key)[-1].sentences(club.pool)[0]
    assert sentence.startswith(
        "The rating that Noor began with went from 1500 to 1520 because the first rating"
    )


def test_a_new_parameter(organisation, make_pool):
    club = Club(organisation, make_pool("elo-logistic")).start(2)
    club.settler.settle()
    with club.record() as r:
        r.parameter(ref(club.pool), "k", 40, FIRST + 21)
    club.settler.settle()
    club.pool.refresh_from_db()
    sentences = [s.sentences(club.pool)[-1] for s in stories(club.pool)]
    assert sentences
    assert all("because k is 40 from 29 January 2024, as was recorded on" in s for s in sentences)


def test_since_a_day_and_an_erased_name(club, monkeypatch):
    with club.record() as r:
        r.void(club.games[0])
    club.settler.settle()
    club.pool.refresh_from_db()
    today = datetime.datetime.now(datetime.UTC).date().toordinal()
    assert stories(club.pool, since=today - 1)
    assert stories(club.pool, since=today + 2) == []
    noor = stories(club.pool, club.people[0].key)[0]
    assert noor.sentences(club.pool, {})[0].startswith("The rating of … of ")


def test_every_effect_names_a_fact_and_a_recording(club):
    """Whatever is undone at once, nobody is told that the rules changed."""
    with club.record() as r:
        club.evening(r, FIRST + 2, "Late")
        r.correction(ref(club.pool), club.people[3], FIRST + 1, 1800, "x")
        r.void(club.games[1])
    club.settler.settle()
    newest = Recording.objects.exclude(number=None).order_by("-number").first().number
    rows = Effect.objects.filter(pool=club.pool)
    assert {row.person_id for row in rows} == {person.key for person in club.people}
    assert {row.recording for row in rows} == {newest}
    assert all(row.fact_kind and row.fact_key for row in rows)


def test_every_kind_of_fact_has_its_sentence():
    words = read(ENGLISH, "causes")[1]["because"]
    kinds = ("game", "application", "correction", "posting", "parameter", "merge", "event-in-pool")
    for kind in kinds:
        assert f"{kind}-{'changed' if kind == 'merge' else 'added'}" in words
        assert f"{kind}-gone" in words and f"{kind}-restored" in words
