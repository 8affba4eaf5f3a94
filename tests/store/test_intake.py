"""A file into the ledger: preview, one recording, later versions, conflicts; on both databases."""

from __future__ import annotations

from collections import Counter
from uuid import UUID

import pytest

from arpad.domain.dates import read_day
from arpad.domain.play import Application
from arpad.domain.problems import Refused
from arpad.domain.results import read_result
from arpad.ledger.columns import GameRow
from arpad.ledger.sheet import Sheet
from arpad.store import edits
from arpad.store.holding import voided
from arpad.store.intake import Request, SheetFile, plan, record
from arpad.store.many_games import Names, add_game_columns
from arpad.store.matching import decide
from arpad.store.models import (
    Application as ApplicationFact,
)
from arpad.store.models import (
    Decision,
    Event,
    Game,
    Import,
    Person,
    PersonName,
    RawFile,
    Recording,
    Void,
)
from arpad.store.preview import Draft
from arpad.store.recorder import Ref, recording
from arpad.store.settle import Settler

DAY = read_day("2024-03-05")
PLAYERS = ("Noor Voorbeeld", "Jop Fictief", "Ada Müster", "Ren Okabe")


@pytest.fixture
def pool(make_pool):
    return make_pool("us-table-tennis")


def sheet(*rows, event="Spring Cup", start=DAY, event_class="", ratings=True):
    """Rows: (player 1, player 2, result) and, if given, round, board, day, sequence."""
    made = Sheet("spring.csv")
    for row in rows:
        one, two, result, *place = row
        round_, board, day, sequence = (*place, *(0, 0, DAY, 0)[len(place) :])
        names = [made.player(one), made.player(two) if two else -1]
        where = made.event(event, start, 0, event_class)
        number = made.result(read_result(result))
        made.games.append(GameRow(*names, where, day, round_, board, sequence, number))
    if ratings:
        for name in made.players:
            made.first_rating(name, Application(rating=1500))
    return made


FIRST = [
    (PLAYERS[0], PLAYERS[1], "3-1", 1, 1),
    (PLAYERS[2], PLAYERS[3], "3-0", 1, 2),
    (PLAYERS[0], PLAYERS[2], "2-3", 2, 1),
]


def request(pool, made, name="spring.csv", whole=False, format="games.csv", data=b"x", **decisions):
    file = SheetFile(name, format, data, made.digest(), whole)
    return Request(pool, made, (file,), **decisions)


def take(pool, made, name="spring.csv", **options):
    """Plan and record; the preview."""
    preview = plan(request(pool, made, name, **options))
    done = record(preview, author="2")
    assert done.recording is not None
    return done.preview


def counts(preview):
    return preview.same, len(preview.new), len(preview.changed), len(preview.withdrawn)


def holding(organisation):
    """The games that hold: names and result."""
    games = list(Game.objects.filter(organisation=organisation).select_related("player1", "player2"))
    gone = voided(organisation, "game", [game.uuid for game in games])
    names = dict(PersonName.objects.filter(shown=True).values_list("person_id", "name"))
    return Counter(
        (names[g.player1_id], names.get(g.player2_id, ""), g.result) for g in games if g.uuid not in gone
    )


def test_a_preview_writes_nothing(pool, organisation):
    before = Recording.objects.count()
    preview = plan(request(pool, sheet(*FIRST)))
    organisation.refresh_from_db()
    assert counts(preview) == (0, 3, 0, 0)
    assert preview.new_people == list(PLAYERS)
    assert preview.effect.newcomers == 4
    assert preview.seen == organisation.chain_number
    assert (Recording.objects.count(), Person.objects.count(), RawFile.objects.count()) == (before, 0, 0)


def test_one_recording_takes_everything(pool, organisation):
    take(pool, sheet(*FIRST), data=b"the bytes")
    assert holding(organisation) == Counter((a, b, r) for a, b, r, *_ in FIRST)
    assert Recording.objects.filter(kind="import").count() == 1
    assert (Person.objects.count(), ApplicationFact.objects.count(), Event.objects.count()) == (4, 4, 1)
    kept = RawFile.objects.get()
    assert (bytes(kept.content), kept.name, kept.sha256) == (
        b"the bytes",
        "spring.csv",
        Import.objects.get().sha256,
    )
    organisation.refresh_from_db()
    assert Settler(pool).settle().through == organisation.chain_number


def test_the_same_again_is_already_there(pool):
    take(pool, sheet(*FIRST), data=b"a\n")
    again = plan(request(pool, sheet(*reversed(FIRST)), "copy.csv", data=b"a\r\n"))
    assert again.already.kind == "import" and again.empty
    assert record(again, author="2").recording is None
    assert Recording.objects.filter(kind="import").count() == 1


def test_an_older_state_again_does_not_go_back(pool, organisation):
    take(pool, sheet(*FIRST))
    take(pool, sheet(*FIRST[:2]))
    assert plan(request(pool, sheet(*FIRST))).already is not None
    assert sum(holding(organisation).values()) == 2


def test_a_later_version_becomes_voids_and_replacements(pool, organisation):
    take(pool, sheet(*FIRST))
    later = [(PLAYERS[0], PLAYERS[1], "1-3", 1, 1), FIRST[1], (PLAYERS[1], PLAYERS[3], "3-2", 2, 2)]
    preview = take(pool, sheet(*later))
    assert counts(preview) == (1, 1, 1, 1)
    assert holding(organisation) == Counter((a, b, r) for a, b, r, *_ in later)
    assert Recording.objects.filter(kind="import").count() == 2
    replaced = Void.objects.exclude(replaced_by=None).get()
    assert Game.objects.get(uuid=replaced.replaced_by).result == "1-3"
    assert Game.objects.get(uuid=replaced.target_uuid).result == "3-1"
    assert Person.objects.count() == 4 and ApplicationFact.objects.count() == 4


def test_settling_a_version_equals_settling_it_alone(pool, organisation, make_pool):
    """After any versions the ratings are those of the last one taken alone."""
    later = [(PLAYERS[0], PLAYERS[1], "1-3", 1, 1), FIRST[1]]
    settler = Settler(pool)
    for rows in (FIRST, FIRST[:1], later):
        take(pool, sheet(*rows))
        settler.settle()
    full = Settler(pool)
    assert settler.settle().digest == full.settle(full=True).digest
    # 50 points between equals: the winner of a match takes K * (score - expected), 3-0 more than 3-1
    games = {line.games for line in full.history.ratings()}
    assert games == {1}


def test_equal_rows_stay_separate_games(pool, organisation):
    rows = [(PLAYERS[0], PLAYERS[1], "3-1", 0, 0, DAY, n) for n in (1, 2, 3)]
    take(pool, sheet(*rows, event=""))
    assert holding(organisation) == {(PLAYERS[0], PLAYERS[1], "3-1"): 3}
    more = [*rows, (PLAYERS[0], PLAYERS[1], "3-1", 0, 0, DAY, 4)]
    assert counts(take(pool, sheet(*more, event=""))) == (3, 1, 0, 0)
    assert counts(take(pool, sheet(*more[:2], event=""))) == (2, 0, 0, 2)


def test_the_next_evening_of_a_league_withdraws_nothing(pool, organisation):
    evening = lambda day: [(a, b, r, 0, 0, day, n) for n, (a, b, r, *_) in enumerate(FIRST, 1)]  # noqa: E731
    take(pool, sheet(*evening(DAY), event="League", start=0))
    preview = take(pool, sheet(*evening(DAY + 7), event="League", start=0))
    assert counts(preview) == (0, 3, 0, 0)
    assert [problem.code for problem in preview.problems] == ["intake-part"]
    assert sum(holding(organisation).values()) == 6
    season = sheet(*evening(DAY), *evening(DAY + 7)[:2], event="League", start=0)
    assert counts(take(pool, season)) == (5, 0, 0, 1)


def test_another_source_that_differs_is_a_conflict(pool, organisation):
    take(pool, sheet(*FIRST))
    other = sheet((PLAYERS[0], PLAYERS[1], "1-3", 1, 1), FIRST[1])
    preview = plan(request(pool, other, "captain.csv"))
    assert preview.blocked and not preview.withdrawn
    (conflict,) = preview.conflicts
    assert (conflict.stored.played.result, conflict.told.result) == ("3-1", "1-3")
    with pytest.raises(ValueError, match="decided"):
        record(preview, author="2")
    stays = plan(request(pool, other, "captain.csv", conflicts="ledger"))
    assert stays.empty and not stays.blocked
    take(pool, other, "captain.csv", conflicts="file")
    assert holding(organisation)[PLAYERS[0], PLAYERS[1], "1-3"] == 1
    assert sum(holding(organisation).values()) == 3


def test_the_same_event_of_another_source_is_taken_once(pool, organisation):
    """Without boards, with the colours turned, on the one day that the file tells: no game is doubled."""
    take(pool, sheet(*FIRST))
    bare = [(b, a, "-".join(reversed(r.split("-"))), round_, 0, DAY) for a, b, r, round_, *_ in FIRST]
    preview = plan(request(pool, sheet(*bare), "captain.csv"))
    assert counts(preview) == (3, 0, 0, 0) and not preview.blocked
    assert [problem.code for problem in preview.problems] == ["intake-detail"]
    elsewhere = [(*row[:5], DAY + 1) for row in bare]
    warned = plan(request(pool, sheet(*elsewhere), "captain.csv"))
    assert counts(warned) == (0, 3, 0, 0)
    assert [problem.code for problem in warned.problems] == ["intake-double"]
    told = request(pool, sheet(*elsewhere), "captain.tou", format="FFG .tou", whole=True)
    assert len(plan(told).conflicts) == 3


def test_a_correction_by_hand_outlives_the_next_version(pool, organisation):
    take(pool, sheet(*FIRST))
    game = Game.objects.get(result="3-1")
    edits.make(organisation, edits.swap_result(organisation, game.uuid), author="2", reason="wrong way round")
    gone = Game.objects.get(result="3-0")
    edits.make(organisation, edits.void_game(organisation, gone.uuid), author="2", reason="not played")
    preview = take(pool, sheet(*FIRST, (PLAYERS[1], PLAYERS[3], "3-2", 2, 2)))
    assert counts(preview) == (1, 1, 0, 0) and not preview.conflicts
    assert [problem.code for problem in preview.problems] == ["intake-corrected"] * 2
    assert set(holding(organisation)) == {
        (PLAYERS[0], PLAYERS[1], "1-3"), (PLAYERS[0], PLAYERS[2], "2-3"), (PLAYERS[1], PLAYERS[3], "3-2"),
    }  # fmt: skip


def test_a_file_that_disagrees_with_a_correction_is_a_conflict(pool, organisation):
    take(pool, sheet(*FIRST))
    game = Game.objects.get(result="3-1")
    edits.make(organisation, edits.swap_result(organisation, game.uuid), author="2", reason="wrong way round")
    preview = plan(request(pool, sheet((PLAYERS[0], PLAYERS[1], "3-2", 1, 1), *FIRST[1:])))
    assert len(preview.conflicts) == 1 and not preview.changed


def test_names_that_may_be_known_are_asked(pool, organisation):
    take(pool, sheet(*FIRST))
    rows = [("Voorbeeld, Noor", PLAYERS[1], "3-1", 3, 1)]
    preview = plan(request(pool, sheet(*rows), "b.csv"))
    (asked,) = preview.questions
    assert asked.spelling == "Voorbeeld, Noor" and asked.suggestions[0].name == "Noor Voorbeeld"
    noor = asked.suggestions[0].person
    take(pool, sheet(*rows), "b.csv", who={"Voorbeeld, Noor": noor})
    assert Person.objects.count() == 4
    assert Decision.objects.get().person_id == noor
    # asked once, remembered
    assert not plan(request(pool, sheet(("Voorbeeld, Noor", PLAYERS[2], "3-1", 4, 1)), "c.csv")).questions


def test_accept_new_takes_them_as_new(pool):
    take(pool, sheet(*FIRST))
    take(pool, sheet(("Noor Voorbeelt", PLAYERS[1], "3-1", 3, 1)), "b.csv", accept_new=True)
    assert Person.objects.count() == 5


def test_namesakes_are_asked_even_then(pool, organisation):
    take(pool, sheet(*FIRST))
    with recording(organisation, author="1") as r:
        r.person(PLAYERS[0])
    preview = plan(request(pool, sheet((*FIRST[0][:2], "3-2", 5, 5)), "b.csv", accept_new=True))
    assert [answer.spelling for answer in preview.questions] == [PLAYERS[0]]
    assert len(preview.questions[0].suggestions) == 2


def test_two_spellings_of_one_person_cannot_have_played_each_other(pool, organisation):
    take(pool, sheet(*FIRST))
    noor = PersonName.objects.get(name=PLAYERS[0]).person_id
    decide(organisation, "N. Voorbeeld", noor, by="2")
    with pytest.raises(Refused, match="played each other"):
        plan(request(pool, sheet(("N. Voorbeeld", PLAYERS[0], "3-1")), "b.csv"))


def test_first_ratings_only_for_who_has_none(pool):
    take(pool, sheet(*FIRST))
    made = sheet((PLAYERS[0], "Somebody New", "3-1", 3, 1), ratings=False)
    made.first_rating(PLAYERS[0], Application(rating=1900))
    made.first_rating("Somebody New", Application(rating=1700))
    preview = take(pool, made, "b.csv")
    assert len(preview.first_ratings) == 1
    assert sorted(ApplicationFact.objects.values_list("content", flat=True)) == [
        '{"rating":1500}', '{"rating":1500}', '{"rating":1500}', '{"rating":1500}', '{"rating":1700}',
    ]  # fmt: skip


def test_what_the_rules_refuse_is_refused_by_name_and_nothing_is_kept(pool):
    with pytest.raises(Refused, match="Noor Voorbeeld") as refused:
        plan(request(pool, sheet(*FIRST, ratings=False)))
    assert {problem.code for problem in refused.value.problems} == {"player-no-first-rating"}
    assert not Person.objects.exists()


def test_one_event_feeds_two_pools(pool, make_pool, organisation):
    take(pool, sheet(*FIRST))
    youth = make_pool("elo-logistic", "youth")
    made = sheet(*[(a, b, "1-0", r, n) for a, b, _, r, n in FIRST])
    preview = plan(request(youth, made))
    assert preview.already is None and len(preview.changed) == 3
    same = plan(request(make_pool("us-table-tennis", "shadow"), sheet(*FIRST)))
    assert counts(same) == (3, 0, 0, 0) and not same.empty
    assert record(same, author="2").recording is not None
    assert Game.objects.count() == 3


def test_a_ledger_that_moved_is_looked_at_again(pool, organisation):
    take(pool, sheet(*FIRST))
    later = plan(request(pool, sheet(FIRST[0], FIRST[1])))
    with recording(organisation, author="1", reason="something else") as r:
        r.person("A bystander")
    assert record(later, author="2").recording is not None  # it comes to the same
    third = plan(request(pool, sheet(FIRST[0])))
    game = Game.objects.get(result="3-0")
    edits.make(organisation, edits.void_game(organisation, game.uuid), author="2", reason="not played")
    done = record(third, author="2")
    assert done.recording is None
    assert (len(third.withdrawn), len(done.preview.withdrawn)) == (1, 0)
    assert done.preview.seen > third.seen


def test_undoing_an_import_and_taking_it_again(pool, organisation):
    take(pool, sheet(*FIRST))
    take(pool, sheet((PLAYERS[0], PLAYERS[1], "1-3", 1, 1), *FIRST[1:]))
    second = Recording.objects.filter(kind="import").order_by("number").last()
    back = edits.make(organisation, edits.undo(second), author="2", reason="the wrong file")
    assert holding(organisation) == Counter((a, b, r) for a, b, r, *_ in FIRST)
    edits.make(organisation, edits.undo(back), author="2", reason="it was right")
    assert holding(organisation)[PLAYERS[0], PLAYERS[1], "1-3"] == 1
    edits.make(organisation, edits.undo(second), author="2", reason="no")
    take(pool, sheet((PLAYERS[0], PLAYERS[1], "1-3", 1, 1), *FIRST[1:]))
    assert holding(organisation)[PLAYERS[0], PLAYERS[1], "1-3"] == 1
    assert sum(holding(organisation).values()) == 3


def test_replaces_names_the_event_that_changed_its_name(pool, organisation):
    take(pool, sheet(*FIRST, event="Tournament name"), whole=True)
    renamed = sheet(*FIRST[:2], (PLAYERS[0], PLAYERS[2], "3-2", 2, 1), event="Spring Cup")
    old = Event.objects.get()
    preview = take(pool, renamed, whole=True, replaces=old.pk)
    assert counts(preview) == (0, 0, 3, 0)
    assert sum(holding(organisation).values()) == 3
    shifted = sheet(*FIRST, start=DAY + 1)
    assert [p.code for p in plan(request(pool, shifted, "b.csv")).problems] == ["event-similar"]


def test_a_large_file_goes_in_pieces(pool, organisation, monkeypatch):
    monkeypatch.setattr("arpad.store.intake.LARGE", 10)
    monkeypatch.setattr("arpad.store.recorder.PIECE", 7)
    monkeypatch.setattr("arpad.store.intake.PIECE", 7)
    monkeypatch.setattr("arpad.store.intake.PIECE", 7)
    rows = [(PLAYERS[n % 2], PLAYERS[2 + n % 2], "3-1", 1, n + 1) for n in range(40)]
    take(pool, sheet(*rows))
    assert sum(holding(organisation).values()) == 40
    assert not Recording.objects.filter(number=None).exists()
    assert Settler(pool).settle().rows_written


def test_many_games_are_the_same_facts_as_one_by_one(organisation, pool):
    """Equal digests, rows and marks, whichever way they are written."""
    drafts = [Draft(organisation), Draft(organisation)]
    drafts[1].row.uuid = drafts[0].row.uuid
    for draft, bulk in zip(drafts, (False, True), strict=True):
        people = [Ref("person", n, UUID(int=n)) for n in range(4)]
        event = Ref("event", 9, UUID(int=9))
        if bulk:
            rows = [
                (0, DAY, 0, 1, "3-1", 5, 1, 2, 3, 4, 0.5, 19, 7),
                (0, DAY, 2, -1, "3-1", 0, 0, 0, 0, 0, None, 0, 0),
            ]
            columns = list(zip(*rows, strict=True))
            add_game_columns(draft, Names([event]), Names(people), columns)
        else:
            draft.game(
                event, DAY, people[0], people[1], read_result("3-1", 5), round=1, board=2, sequence=3,
                stones=4, weight=0.5, size=19, line=7,
            )  # fmt: skip
            draft.game(event, DAY, people[2], None, read_result("3-1"))
    one_by_one, bulk = ((d.digests, d._columns[Game], d._waiting[Game]) for d in drafts)
    assert one_by_one[:2] == bulk[:2]
    for plain, fast in zip(one_by_one[2], bulk[2], strict=True):
        assert [v.hex if isinstance(v, UUID) else v for v in plain] == list(fast)
