"""What a file tells of people beside games: kept on import, matched by number, never overwritten silently."""

from __future__ import annotations

import datetime
from itertools import pairwise

import pytest

from arpad.domain.dates import read_day
from arpad.domain.play import Application
from arpad.domain.results import read_result
from arpad.ledger.columns import GameRow
from arpad.ledger.sheet import Sheet, SheetPerson
from arpad.store import people, told
from arpad.store.intake import Request, SheetFile, plan, record
from arpad.store.matching import decide
from arpad.store.models import BirthDate, Decision, Membership, OutsideId, Person, PersonDetail, PersonName
from arpad.store.recorder import recording
from arpad.store.verify import verify

D = datetime.date
DAY = read_day("2024-03-05")


@pytest.fixture
def pool(make_pool):
    return make_pool("us-table-tennis")


def sheet(*persons: SheetPerson, day: int = DAY, event: str = "Cup") -> Sheet:
    """Every person plays the one before."""
    made = Sheet("cup.xml")
    where = made.event(event, day)
    numbers = [made.person(person) for person in persons]
    for board, (one, two) in enumerate(pairwise(numbers)):
        made.games.append(GameRow(one, two, where, day + 1, 1, board, 0, made.result(read_result("3-1"))))
    for name in made.players:
        made.first_rating(name, Application(rating=1500))
    return made


def request(pool, made, **options):
    return Request(pool, made, (SheetFile("cup.xml", "x", b"", made.digest(), True),), **options)


def take(pool, *persons, day=DAY, event="Cup", **options):
    """Plan and record; the preview."""
    preview = plan(request(pool, sheet(*persons, day=day, event=event), **options))
    assert not preview.blocked, preview.questions
    record(preview, author="7")
    return preview


def key(name):
    return PersonName.objects.get(name=name).person_id


def codes(preview):
    return [problem.code for problem in preview.problems]


NOOR = SheetPerson(
    "Noor Voorbeeld", (("egd", "1234 5678"), ("program", "4")), "2011-03-08", "f", "wfm", "bel", "Brugge",
    1500.0, "3k",
)  # fmt: skip
JOP = SheetPerson("Jop Fictief", (("egd", "22222222"), ("fide", "b12")), "2009-05", federation="NED")


def test_everything_is_kept_with_its_author(pool):
    preview = take(pool, NOOR, JOP)
    ids = OutsideId.objects.order_by("pk").values_list("person_id", "kind", "value", "recorded_by")
    noor, jop = key("Noor Voorbeeld"), key("Jop Fictief")
    assert list(ids) == [
        (noor, "egd", "12345678", "7"), (jop, "egd", "22222222", "7"), (jop, "fide", "B12", "7")
    ]  # fmt: skip
    births = BirthDate.objects.order_by("pk").values_list("person_id", "year", "day", "recorded_by")
    assert list(births) == [(noor, 2011, D(2011, 3, 8), "7"), (jop, 2009, None, "7")]
    details = PersonDetail.objects.order_by("pk")
    assert list(details.values_list("person_id", "sex", "title", "federation", "told")) == [
        (noor, "f", "WFM", "BEL", D(2024, 3, 6)), (jop, "", "", "NED", D(2024, 3, 6))
    ]  # fmt: skip
    assert PersonName.objects.get(person=noor).recorded_by == "7"
    assert (preview.clubs, codes(preview)) == ([("Noor Voorbeeld", "Brugge")], [])
    assert not Membership.objects.exists()
    again = plan(request(pool, sheet(NOOR, JOP)))
    assert again.already is not None


def test_clubs_are_facts_and_recorded_where_asked_for(pool):
    take(pool, NOOR, JOP._replace(club="Gent"), clubs=True)
    rows = Membership.objects.order_by("pk").values_list("person_id", "club__name", "since", "until")
    start = D.fromordinal(DAY)
    assert list(rows) == [
        (key("Noor Voorbeeld"), "Brugge", start, None), (key("Jop Fictief"), "Gent", start, None)
    ]  # fmt: skip
    again = take(pool, NOOR._replace(club="BRUGGE"), JOP, day=DAY + 40, event="Next", clubs=True)
    assert not again.clubs and Membership.objects.count() == 2
    assert not verify().bad


@pytest.mark.parametrize(
    ("person", "code"),
    [
        (NOOR._replace(ids=(("egd", "22222222"),)), "id-taken"),
        (NOOR._replace(ids=(("egd", "33333333"),)), "id-differs"),
        (NOOR._replace(birth="2012"), "birth-differs"),
        (NOOR._replace(birth="2011-03-09"), "birth-differs"),
        (NOOR._replace(sex="m"), "sex-differs"),
    ],
)
def test_what_contradicts_is_held_and_told(pool, person, code):
    """Also where an officer has said that it is that person."""
    take(pool, NOOR, JOP)
    before = [list(model.objects.order_by("pk").values()) for model in (OutsideId, BirthDate, PersonDetail)]
    noor = key("Noor Voorbeeld")
    jop = JOP._replace(ids=())
    later = take(pool, person, jop, day=DAY + 7, event="Next", who={person.name: noor})
    assert code in codes(later)
    assert next(p.severity for p in later.problems if p.code == code) == "held"
    assert not later.told
    after = [list(model.objects.order_by("pk").values()) for model in (OutsideId, BirthDate, PersonDetail)]
    assert before == after


def test_gaps_are_filled_and_an_older_file_overwrites_nothing(pool):
    take(pool, NOOR._replace(birth="2011", federation="BEL", sex="", ids=()), JOP)
    older = NOOR._replace(title="WCM", federation="NED", sex="f")
    take(pool, older, JOP, day=DAY - 400, event="Before")
    row = PersonDetail.objects.get(person=key("Noor Voorbeeld"))
    assert (row.sex, row.title, row.federation, row.told) == ("f", "WFM", "BEL", D(2024, 3, 6))
    assert BirthDate.objects.get(person=row.person_id).day == D(2011, 3, 8)  # more than was known
    assert OutsideId.objects.get(person=row.person_id).value == "12345678"
    take(pool, NOOR._replace(title="WIM", federation="NED"), JOP, day=DAY + 400, event="After")
    row.refresh_from_db()
    assert (row.title, row.federation) == ("WIM", "NED")
    take(pool, NOOR._replace(title="WIM", federation="BE"), JOP, day=DAY + 500, event="Later")
    row.refresh_from_db()
    assert row.federation == "NED"  # two letters and three are two ways of writing


# --- who is it ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Voorbeeld, N.", "Noor Vorbeeld", "Noor A. Voorbeeld"])
def test_a_number_settles_who_a_name_that_is_alike_is(pool, name):
    take(pool, NOOR, JOP)
    preview = plan(request(pool, sheet(NOOR._replace(name=name), JOP, event="Next")))
    assert not preview.questions
    assert preview.people[0] == key("Noor Voorbeeld")
    without = plan(request(pool, sheet(NOOR._replace(name=name, ids=()), JOP, event="Next")))
    assert [question.spelling for question in without.questions] == [name]


@pytest.mark.parametrize("accept_new", [False, True])
def test_a_number_of_somebody_whose_name_is_another_is_a_question(pool, accept_new):
    take(pool, NOOR, JOP)
    married = NOOR._replace(name="Eleonora Dewitte")
    preview = plan(request(pool, sheet(married, JOP, event="Next"), accept_new=accept_new))
    (question,) = preview.questions
    first = question.suggestions[0]
    assert (first.person, first.score) == (key("Noor Voorbeeld"), 0.95)
    assert first.why == "has the same egd 12345678"
    assert not preview.told  # as long as it is not decided


@pytest.mark.parametrize("accept_new", [False, True])
def test_one_name_with_another_number_is_never_joined_unasked(pool, organisation, accept_new):
    take(pool, NOOR, JOP)
    noor = key("Noor Voorbeeld")
    decide(organisation, "N. Voorbeeld", noor, by="2")
    for name in ("Noor Voorbeeld", "N. Voorbeeld"):  # known by name, and by an earlier decision
        other = NOOR._replace(name=name, ids=(("egd", "99999999"),))
        preview = plan(request(pool, sheet(other, JOP, event="Next"), accept_new=accept_new))
        (question,) = preview.questions
        assert question.suggestions[0].person == noor
        assert question.suggestions[0].why == "has egd 12345678, not 99999999"
    new = take(pool, other, JOP, event="Next", who={other.name: None})
    assert new.new_people == [other.name]
    assert OutsideId.objects.get(value="99999999").person_id != noor


def test_namesakes_are_told_apart_by_number(pool, organisation):
    take(pool, NOOR, JOP)
    take(pool, NOOR._replace(ids=(("egd", "99999999"),)), JOP, event="Next", who={"Noor Voorbeeld": None})
    assert PersonName.objects.filter(name="Noor Voorbeeld").count() == 2
    for value in ("12345678", "99999999"):
        person = NOOR._replace(ids=(("egd", value),))
        preview = plan(request(pool, sheet(person, JOP, event="Third")))
        assert not preview.questions
        assert preview.people[0] == OutsideId.objects.get(value=value).person_id
    Decision.objects.all().delete()  # that she was new then
    asked = plan(request(pool, sheet(NOOR._replace(ids=()), JOP, event="Third")))
    assert len(asked.questions[0].suggestions) == 2


def test_the_very_name_of_another_is_asked_about_although_the_number_is_known(pool):
    """Rows that were shifted by one line carry the numbers of their neighbours."""
    take(pool, NOOR, JOP)
    shifted = plan(request(pool, sheet(NOOR._replace(ids=JOP.ids), JOP._replace(ids=NOOR.ids), event="Next")))
    assert [q.spelling for q in shifted.questions] == ["Noor Voorbeeld", "Jop Fictief"]
    noor, jop = key("Noor Voorbeeld"), key("Jop Fictief")
    assert [[s.person for s in q.suggestions] for q in shifted.questions] == [[jop, noor], [noor, jop]]


def test_two_names_of_a_file_are_not_one_person_by_one_number(pool):
    take(pool, NOOR, JOP)
    twin = NOOR._replace(name="N. Voorbeeld")
    preview = plan(request(pool, sheet(NOOR, JOP, twin, event="Next")))
    assert codes(preview).count("player-same-id") == 0  # known already, and nobody else's
    assert [q.spelling for q in preview.questions] == ["N. Voorbeeld"]
    two = [NOOR._replace(name=name, ids=(("egd", "5"),)) for name in ("Ada Nieuw", "Ren Okabe")]
    fresh = plan(request(pool, sheet(JOP, *two, event="Next"), accept_new=True))
    assert codes(fresh).count("player-same-id") == 2
    assert not any(news.ids for news in fresh.told)


def test_numbers_are_those_of_the_day(pool, organisation):
    take(pool, NOOR._replace(ids=()), JOP._replace(ids=()))
    noor, jop = key("Noor Voorbeeld"), key("Jop Fictief")
    people.set_outside_id(organisation, noor, "licence", "12", until=D(2024, 12, 31), by="2")
    people.set_outside_id(organisation, jop, "licence", "12", since=D(2025, 1, 1), by="2")
    ada = SheetPerson("Ada Nieuw", (("licence", "12"),))
    for day, who in (("2024-06-01", noor), ("2025-06-01", jop)):
        made = sheet(ada, NOOR._replace(ids=()), day=read_day(day), event="Next")
        assert plan(request(pool, made)).questions[0].suggestions[0].person == who


def test_nothing_is_added_to_somebody_who_was_erased(pool, organisation, tmp_path):
    from arpad.store.erasure import erase

    take(pool, NOOR, JOP)
    noor = key("Noor Voorbeeld")
    erase(organisation, noor, journal=tmp_path / "erasures.jsonl")
    assert not PersonDetail.objects.filter(person=noor).exists()
    take(pool, NOOR, JOP, event="Next", who={"Noor Voorbeeld": noor})
    assert not OutsideId.objects.filter(person=noor).exists()
    assert not BirthDate.objects.filter(person=noor).exists()


def test_nothing_stays_of_an_import_that_was_not_sealed(pool):
    take(pool, JOP, SheetPerson("Ada Nieuw"))
    preview = plan(request(pool, sheet(NOOR, JOP._replace(birth="2009-05-06"), event="Next")))
    with pytest.raises(RuntimeError), recording(pool.organisation, author="2", large=True) as r:
        refs = {name: r.person(name) for name in ("Noor Voorbeeld", "Jop Fictief")}
        told.write_told(r, preview.told, refs, D(2024, 3, 6))
        r.write()
        raise RuntimeError("the power went")
    assert set(OutsideId.objects.values_list("value", flat=True)) == {"22222222", "B12"}
    assert BirthDate.objects.get().day is None
    assert Person.objects.count() == 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2011-03-08", (2011, D(2011, 3, 8))), ("2011-03", (2011, None)), ("2011", (2011, None)),
        ("2011-02-30", None), ("11", None), ("", None), ("0011-00-00", None),
    ],
)  # fmt: skip
def test_births(text, expected):
    assert told.read_birth(text) == expected
