"""After every kind of change: settled step by step equals settled from nothing, on both databases."""

from __future__ import annotations

import pytest

from arpad.domain.play import Application
from arpad.engine.replay import replay
from arpad.rulesets.catalogue import find
from arpad.store.check import check
from arpad.store.digest import digest
from arpad.store.models import Change, Effect, Event, Game, Pool, Standing
from arpad.store.pool_ledger import PoolLedger
from arpad.store.recorder import Ref, ref
from arpad.store.settle import Settler, waiting
from tests.store.clubs import FIRST, RESULTS, RULESETS, Club, application


def from_nothing(pool: Pool) -> str:
    """The digest of a replay of a fresh PoolLedger."""
    settler = Settler(pool)
    facts = PoolLedger(pool)
    facts.advance(settler.tip())
    return digest(facts, replay(facts.ledger, find(pool.ruleset)))


def settled(club: Club):
    """Settle, and see that everything agrees; what it did."""
    done = club.settler.settle()
    assert done.digest == from_nothing(club.pool)
    found = check(club.pool)
    assert found.bad is None, str(found.bad)
    assert done.rows_written == written(club.pool, done.settlement)
    return done


def written(pool: Pool, settlement: int) -> int:
    """Rows that a settlement wrote."""
    tables = (Change, Standing)
    return sum(model.objects.filter(pool=pool, settlement=settlement).count() for model in tables)


@pytest.fixture(params=RULESETS)
def club(request, organisation, make_pool):
    made = Club(organisation, make_pool(request.param)).start()
    settled(made)
    return made


def late_event(club, r):
    club.evening(r, FIRST + 10, "Late")


def corrected_result(club, r):
    game = Game.objects.get(pk=club.games[3].key)
    other = next(text for text in RESULTS[club.ruleset] if text[0] != game.result[0])
    people = {person.key: person for person in club.people}
    event = next(event for event in club.events if event.key == game.event_id)
    new = club.game(
        r, event, game.day, people[game.player1_id], people[game.player2_id], game.round, game.board, other
    )
    r.void(club.games[3], replaced_by=new)


def withdrawn_game(club, r):
    r.void(club.games[1])


def moved_event(club, r):
    """The second evening was played a week later, after the third: a new event, voids, new games."""
    old = club.events[1]
    new = r.event("Evening 1", FIRST + 50)
    feed = r.feed(ref(club.pool), new, "A" if club.ruleset == "belgian-go" else "")
    r.void(club.feeds[1], replaced_by=feed)
    for row in Game.objects.filter(event_id=old.key).order_by("pk"):
        values = {
            name: getattr(row, name) for name in ("round", "board", "sequence", "stones", "weight", "size")
        }
        people = [next(p for p in club.people if p.key == key) for key in (row.player1_id, row.player2_id)]
        from arpad.domain.results import read_result

        made = r.game(new, FIRST + 50, *people, read_result(row.result), **values)
        r.void(Ref("game", row.pk, row.uuid), replaced_by=made)


def committee_correction(club, r):
    r.correction(ref(club.pool), club.people[2], FIRST + 30, 1100, "results lagged behind playing strength")


def event_leaves(club, r):
    r.void(club.feeds[2])


def event_void(club, r):
    r.void(club.events[4])


def another_birth_year(club, r):
    if club.ruleset == "belgian-go":
        new = Application(rank=-2)
    elif club.ruleset == "us-table-tennis":  # it asks for no age
        new = Application(rating=1600)
    else:
        new = Application(rating=1400 + 60 * 4, born=2011)
    made = r.first_rating(ref(club.pool), club.people[4], new)
    r.void(club.entries[4], replaced_by=made)


def posting(club, r):
    r.posting(ref(club.pool), FIRST + 60, 25, "a bonus for everybody")


def nothing(club, r):
    """A recording without a fact of this pool."""


CHANGES = [
    late_event, corrected_result, withdrawn_game, moved_event, committee_correction, event_leaves, event_void,
    another_birth_year, posting, nothing,
]  # fmt: skip


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_step_by_step_equals_from_nothing_and_can_be_undone(club, change):
    before = club.settler.current().digest
    with club.record("a change") as r:
        change(club, r)
        first = r.count
    done = settled(club)
    if change is nothing:
        assert (done.rows_written, done.players_changed, done.digest) == (0, 0, before)
        return
    assert done.rows_changed > 0
    # a year that no K depends on is given, not computed
    assert done.digest != before or change is another_birth_year
    # undone: every fact of it is void, voids included
    with club.record("undone") as r:
        for model_row in facts_of(club, first):
            r.void(model_row)
    settled(club)
    assert shown(club.pool) == from_scratch_without(club, change)
    assert Settler(club.pool).settle(full=True).digest == club.settler.current().digest
    assert check(club.pool).bad is None


def facts_of(club, count):
    """The facts of the newest recording that can be voided, newest first."""
    from arpad.store.models import FACTS, Recording

    newest = Recording.objects.exclude(number=None).order_by("-number").first()
    rows = [row for model in FACTS for row in model.objects.filter(recording=newest)]
    rows = [row for row in rows if row.KIND not in ("person", "event", "pool")]
    assert rows
    return [ref(row) for row in sorted(rows, key=lambda row: row.uuid, reverse=True)]


def shown(pool):
    """The list that readers see."""
    current = Pool.objects.get(pk=pool.pk).current
    found = {}
    for row in Standing.objects.filter(pool=pool, settlement__lte=current).order_by("settlement"):
        found[row.person_id] = None if row.gone else (row.rating, row.label, row.games, row.last_played)
    return {person: line for person, line in found.items() if line is not None}


def from_scratch_without(club, change):
    """The list as it stood before the change, from a replay up to the recording before it."""
    facts = PoolLedger(club.pool)
    facts.advance(club.settler.tip() - 2)
    history = replay(facts.ledger, find(club.pool.ruleset))
    return {
        facts.keys["person"][line.person]: (line.state.rating, line.label, line.games, line.last_played)
        for line in history.ratings()
    }


def test_a_merge_and_its_undoing(club):
    """Player 8 is Player 3 under another spelling; both never met."""
    with club.record("a newcomer") as r:
        double = r.person("Player Three")
        club.people.append(double)
        known = Application(rank=-3) if club.ruleset == "belgian-go" else Application(rating=1500)
        r.first_rating(ref(club.pool), double, known)
        event = club.evening(r, FIRST + 200, "Autumn", [double, *club.people[:3]])
    settled(club)
    apart = shown(club.pool)
    with club.record("one person") as r:
        merge = r.same_person(club.people[3], double)
    done = settled(club)
    assert double.key not in shown(club.pool)
    assert done.players_changed
    assert set(Effect.objects.filter(settlement=done.settlement).values_list("fact_kind", flat=True)) == {
        "merge"
    }
    with club.record("two persons") as r:
        r.void(merge)
    settled(club)
    assert shown(club.pool) == apart
    assert Event.objects.filter(pk=event.key).exists()


def test_a_second_merge(club):
    """Once somebody has entered twice, first ratings without a day are compared one by one."""
    with club.record("two doubles") as r:
        doubles = [r.person(f"Double {n}") for n in (1, 2)]
        for double in doubles:
            r.first_rating(ref(club.pool), double, application(club.ruleset, 5))
    settled(club)
    for double, kept in zip(doubles, club.people, strict=False):
        with club.record("one person") as r:
            r.same_person(kept, double)
        settled(club)


def test_an_event_ends_later_for_everybody_in_it(club):
    """One more game on the day after: the day of the others' rows moves too, their ratings do not."""
    with club.record("a game") as r:
        club.game(r, club.events[7], FIRST + 21 * 7 + 1, *club.people[:2], round_=3)
    settled(club)


def test_a_new_parameter_from_a_date(organisation, make_pool):
    club = Club(organisation, make_pool("elo-logistic")).start()
    settled(club)
    with club.record("K 40 for the season") as r:
        r.parameter(ref(club.pool), "k", 40, FIRST + 63)
    done = settled(club)
    effects = Effect.objects.filter(settlement=done.settlement)
    assert {(e.fact_kind, e.recording) for e in effects} == {("parameter", club.settler.tip())}
    assert min(effects.values_list("day", flat=True)) >= FIRST + 63
    games = Change.objects.filter(settlement=done.settlement)
    assert min(games.values_list("day", flat=True)) == FIRST + 63


def test_one_event_feeds_two_pools(organisation, make_pool):
    """The second pool takes events recorded long before it, one game of them void already."""
    club = Club(organisation, make_pool("us-table-tennis")).start()
    with club.record("withdrawn") as r:
        r.void(club.games[0])
    settled(club)
    other = Club(organisation, make_pool("us-table-tennis", "youth"))
    with club.record("the youth list") as r:
        for person in club.people:
            r.first_rating(ref(other.pool), person, Application(rating=1500))
        r.feed(ref(other.pool), club.events[0])
    settled(other)
    with club.record("more of it") as r:
        r.feed(ref(other.pool), club.events[5])
        r.game(club.events[0], FIRST, *club.people[:2], read("3-0"), round=3, board=1)
    settled(other)
    settled(club)
    games = Change.objects.filter(pool=other.pool, kind=0).values_list("subject", flat=True)
    assert club.games[0].key not in games
    assert club.games[1].key in games
    with club.record("restored") as r:
        from arpad.store.models import Void

        r.void(ref(Void.objects.get(target_key=club.games[0].key, target_kind="game")))
    settled(other)
    settled(club)
    games = Change.objects.filter(pool=other.pool, kind=0).values_list("subject", flat=True)
    assert club.games[0].key in games


def test_an_event_of_another_class(organisation, make_pool):
    club = Club(organisation, make_pool("belgian-go")).start()
    settled(club)
    with club.record("it was a class B tournament") as r:
        feed = r.feed(ref(club.pool), club.events[2], "B")
        r.void(club.feeds[2], replaced_by=feed)
    done = settled(club)
    assert {e.fact_kind for e in Effect.objects.filter(settlement=done.settlement)} == {"event-in-pool"}


def read(text):
    from arpad.domain.results import read_result

    return read_result(text)


# --- one at a time, again and again, and after a crash --------------------------------------------


def test_settling_again_does_nothing(club):
    number = club.settler.current().number
    done = club.settler.settle()
    assert (done.settlement, done.rows_written) == (number, 0)
    assert Settler(club.pool).settle().settlement == number
    assert waiting(club.pool) == 0


def test_a_cold_settler_goes_on_where_another_stopped(club):
    with club.record("late") as r:
        late_event(club, r)
    club.settler = Settler(club.pool)
    first = settled(club)
    with club.record("withdrawn") as r:
        withdrawn_game(club, r)
    warm, club.settler = club.settler, Settler(club.pool)
    second = settled(club)
    assert second.settlement == first.settlement + 1
    with club.record("again") as r:
        event_leaves(club, r)
    club.settler = warm  # it has not seen the settlement in between
    settled(club)


@pytest.mark.parametrize("name", ["late_event", "corrected_result"])
def test_no_row_is_written_that_says_what_the_one_below_it_says(club, name, monkeypatch):
    monkeypatch.setattr(Settler, "_sweep", lambda self, number: None)
    with club.record("late") as r:
        globals()[name](club, r)
    done = settled(club)
    rows = Change.objects.filter(pool=club.pool)
    same = ("person_id", "kind", "subject")
    said = [field.attname for field in Change._meta.fields if field.attname not in ("id", "settlement")]
    below = {tuple(row[f] for f in same): row for row in rows.filter(settlement__lt=done.settlement).values()}
    for row in rows.filter(settlement=done.settlement).values():
        old = below.get(tuple(row[f] for f in same))
        assert old is None or [row[f] for f in said] != [old[f] for f in said]
