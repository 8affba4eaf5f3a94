"""What a rating list gives a pool: ids and first ratings, by number, by name only when somebody says so."""

from __future__ import annotations

import pytest

from arpad.domain.dates import read_day
from arpad.domain.play import Application
from arpad.domain.problems import Refused
from arpad.domain.results import read_result
from arpad.ledger.sheet import Sheet, SheetPerson
from arpad.store import current, people
from arpad.store.from_list import Listing, propose, request, wanted
from arpad.store.intake import plan, record
from arpad.store.models import Application as Applied
from arpad.store.models import BirthDate, OutsideId, PersonDetail, PersonName, Pool
from arpad.store.recorder import recording
from arpad.store.settle import Settler
from arpad.store.verify import verify

LIST_DAY = read_day("2026-01-01")
# name, first rating, whether he or she plays
PEOPLE = (
    ("Noor Voorbeeld", 1500, True), ("Jop 't Hart", None, True), ("Ada Müster", None, True),
    ("Ren Okabe", None, True), ("Bo Fictief", None, True), ("Elo Nul", None, True),
)  # fmt: skip


@pytest.fixture
def pool(organisation, make_pool):
    """Six players, one of them with a first rating; FIDE id of two of them known; settled."""
    pool = make_pool("fide-standard")
    with recording(organisation, author="1", kind="import") as r:
        where = r.event("Cup", read_day("2026-02-01"))
        main = current_ref(pool)
        r.feed(main, where, "")
        refs = [r.person(name) for name, _, _ in PEOPLE]
        for (_, rating, _), person in zip(PEOPLE, refs, strict=True):
            if rating:
                r.first_rating(main, person, Application(rating=rating))
        for one, two in zip(refs[::2], refs[1::2], strict=True):
            r.game(where, read_day("2026-02-01"), one, two, read_result("1-0"), round=1)
    people.set_outside_id(organisation, key("Jop 't Hart"), "fide", "9900003", by="1")
    people.set_outside_id(organisation, key("Bo Fictief"), "fide", "9900009", by="1")
    pool.refresh_from_db()
    Settler(pool).settle()
    return Pool.objects.get(pk=pool.pk)


def current_ref(pool):
    from arpad.store.recorder import ref

    return ref(pool)


def key(name):
    return PersonName.objects.get(name=name).person_id


def listing(*rows, day=LIST_DAY, **more):
    sheet = Sheet("list.txt")
    for line, row in enumerate(rows, 2):
        sheet.person(row._replace(line=line))
    return Listing(sheet, day, **more)


def row(name, number, rating=1800.0, **more):
    return SheetPerson(name, (("fide", str(number)),), rating=rating, **more)


HART = row("'t Hart, Jop", 9900003, birth="1988", title="FM", federation="NED")
LIST = listing(
    row("Voorbeeld, Noor", 9900001, 1812.0), HART, row("Muster, Ada", 9900004, 1655.0),
    row("Okabe, Ren", 9900002, None), row("Somebody, Else", 9900009, 2000.0), row("Who, Cares", 9900010),
    inactive=frozenset({"9900004"}),
)  # fmt: skip


def told(found):
    return [
        (take.name, take.how, take.application and take.application.rating, take.why, take.inactive)
        for take in found.takes
    ]


def test_who_is_who(pool):
    found = propose(pool, LIST)
    assert told(found) == [
        ("Ada Müster", "name", 1655, "", True),
        ("Bo Fictief", "doubtful", 2000, "has the same fide 9900009, another name", False),
        ("Jop 't Hart", "number", 1800, "", False),
        ("Noor Voorbeeld", "name", None, "has a first rating", False),
        ("Ren Okabe", "name", None, "", False),
    ]
    assert [take.name for take in found.certain] == ["Jop 't Hart"]
    assert (found.ambiguous, found.without) == ([], 1)


def test_only_rows_that_matter_are_wanted(pool):
    wants = wanted(pool)
    kept = [p.name for p in LIST.sheet.people.values() if wants(p.ids[0][1], p.name)]
    assert kept == ["Voorbeeld, Noor", "'t Hart, Jop", "Muster, Ada", "Okabe, Ren", "Somebody, Else"]
    assert not wants("1", "Hart, Noor")
    assert wants("1", "Hart Jop 't")


def test_two_rows_of_one_name_are_nobody(pool):
    found = propose(pool, listing(row("Okabe, Ren", 1234), row("Okabe, Ren (1235)", 1235)))
    assert (found.takes, found.ambiguous) == ([], [("Ren Okabe", 2)])


def test_a_name_with_another_number_is_somebody_else(pool):
    found = propose(pool, listing(row("'t Hart, Jop", 1234)))
    assert found.takes == []


def test_taking(pool, organisation):
    found = propose(pool, LIST)
    before = organisation.chain_number
    settler = Settler(pool)
    preview = plan(request(pool, LIST, found.certain), settler)
    assert not preview.blocked and not preview.new_people
    assert "Jop 't Hart" in [shown.name for shown in preview.effect.changed]
    assert Applied.objects.count() == 1
    assert record(preview, author="7", reason="FIDE, January").recording.number > before
    fact = Applied.objects.get(person=key("Jop 't Hart"))
    assert (fact.day, '"rating":1800' in fact.content.replace(" ", "")) == (LIST_DAY, True)
    assert BirthDate.objects.get(person=key("Jop 't Hart")).year == 1988
    assert PersonDetail.objects.get(person=key("Jop 't Hart")).title == "FM"
    assert OutsideId.objects.count() == 2
    Settler(pool).settle()
    pool.refresh_from_db()
    assert current.lines(pool, [key("Jop 't Hart")])[key("Jop 't Hart")].rating is not None
    again = propose(pool, LIST)
    assert {t.name: t.why for t in again.takes}["Jop 't Hart"] == "has a first rating"
    assert plan(request(pool, LIST, again.certain)).empty
    assert not verify().bad


def test_taking_by_name_gives_the_number(pool):
    takes = [take for take in propose(pool, LIST).takes if take.name == "Ada Müster"]
    record(plan(request(pool, LIST, takes)), author="7")
    assert OutsideId.objects.get(person=key("Ada Müster")).value == "9900004"
    Settler(pool).settle()
    pool.refresh_from_db()
    assert {t.name: t.how for t in propose(pool, LIST).takes}["Ada Müster"] == "number"


def test_ids_alone(pool):
    takes = propose(pool, LIST).takes
    preview = plan(request(pool, LIST, takes[:1], ratings=False))
    assert (preview.first_ratings, len(preview.told)) == ([], 1)


def test_a_list_without_a_day_gives_no_rating(pool):
    undated = LIST._replace(day=0)
    certain = propose(pool, undated).certain
    with pytest.raises(Refused) as caught:
        request(pool, undated, certain)
    assert caught.value.problems[0].code == "list-date-missing"
    assert request(pool, undated, certain, ratings=False).sheet.people


def test_grades_and_what_a_table_says(pool):
    table = listing(
        HART._replace(rating=None), applications={HART.name: Application(league="2", percentage=50)}
    )
    (take,) = propose(pool, table).takes
    assert take.application == Application(league="2", percentage=50)
    (take,) = propose(pool, listing(HART._replace(rating=None, rank="3d"))).takes
    assert take.application == Application(rank=3)


def test_one_row_for_two_persons(pool, organisation):
    people.add_name(organisation, key("Elo Nul"), "Ren Okabe II", by="1")
    people.add_name(organisation, key("Elo Nul"), "Okabe Ren", by="1")
    takes = propose(pool, LIST).takes
    assert [take.name for take in takes if take.row.name == "Okabe, Ren"] == ["Elo Nul", "Ren Okabe"]
    with pytest.raises(Refused) as caught:
        request(pool, LIST, takes)
    assert caught.value.problems[0].code == "list-row-twice"


def test_what_waits_is_settled_first(pool, organisation):
    with recording(organisation, author="1") as r:
        r.person("Late Comer")
    with pytest.raises(Refused) as caught:
        propose(pool, LIST)
    assert caught.value.problems[0].code == "list-waiting"
