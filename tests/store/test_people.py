"""Names, outside ids, birth, clubs and status of a person; and all of it as data."""

from __future__ import annotations

import datetime
import json

import pytest

from arpad.domain.dates import read_day
from arpad.domain.play import Application
from arpad.domain.problems import Refused
from arpad.domain.results import read_result
from arpad.store import matching, merging, people
from arpad.store.models import BirthDate, Membership, PersonName
from arpad.store.person_data import person_data
from arpad.store.recorder import recording, ref
from arpad.store.settle import Settler
from arpad.store.verify import verify

DAY = read_day("2024-09-03")
D = datetime.date


@pytest.fixture
def two(organisation):
    with recording(organisation, author="1") as r:
        return [r.person("Mia Janssens").key, r.person("Bart Claes").key]


def test_a_rename_keeps_the_name_first_reported(organisation, two):
    people.rename(organisation, two[0], "Mia  De Clercq", by="2")
    people.add_name(organisation, two[0], "M. Janssens", by="2")
    people.rename(organisation, two[0], "Mia De Clercq", by="2")
    rows = PersonName.objects.filter(person=two[0]).order_by("pk")
    assert list(rows.values_list("name", "shown", "first")) == [
        ("Mia Janssens", False, True), ("Mia De Clercq", True, False), ("M. Janssens", False, False),
    ]  # fmt: skip
    assert people.shown_names(two) == {two[0]: "Mia De Clercq", two[1]: "Bart Claes"}
    for spelling in ("Mia Janssens", "mia de clercq", "M. Janssens"):
        assert matching.recognise(organisation, [spelling])[spelling].person == two[0]
    assert not verify().bad


def test_one_holder_of_a_number_at_a_time(organisation, two):
    people.set_outside_id(organisation, two[0], "fide", "20 1234", until=D(2020, 12, 31), by="2")
    with pytest.raises(Refused, match="id-taken"):
        people.set_outside_id(organisation, two[1], "fide", "201234", since=D(2020, 12, 31), by="2")
    people.set_outside_id(organisation, two[1], "fide", "201234", since=D(2021, 1, 1), by="2")
    assert people.find_by_id(organisation, "fide", "201234", D(2020, 12, 31)) == two[0]
    assert people.find_by_id(organisation, "fide", "201234", D(2021, 1, 1)) == two[1]
    assert people.find_by_id(organisation, "fide", "201234") == two[1]
    assert people.find_by_id(organisation, "egd", "201234") is None
    with pytest.raises(Refused, match="id-taken"):
        people.set_outside_id(organisation, two[0], "fide", "201234", by="2")
    with pytest.raises(Refused, match="id-kind-unknown"):
        people.set_outside_id(organisation, two[0], "passport", "1", by="2")


def test_the_same_number_is_free_elsewhere(organisation, two):
    from arpad.store.models import Organisation

    people.set_outside_id(organisation, two[0], "egd", "17000001", by="2")
    other = Organisation.objects.create(slug="other", name="Other")
    with recording(other, author="1") as r:
        stranger = r.person("Mia Janssens").key
    people.set_outside_id(other, stranger, "egd", "17000001", by="2")
    assert people.find_by_id(other, "egd", "17000001") == stranger
    with pytest.raises(Refused, match="person-unknown"):
        people.set_outside_id(other, two[0], "egd", "17000002", by="2")


def test_who_is_one_may_hold_a_number_twice(organisation, two):
    people.set_outside_id(organisation, two[0], "national", "9", by="2")
    merging.merge(organisation, two[1], two[0], author="1")
    people.set_outside_id(organisation, two[1], "national", "9", by="2")
    assert people.find_by_id(organisation, "national", "9") == two[1]


def test_clubs_by_date(organisation, two):
    with recording(organisation, author="1") as r:
        person = merging._ref(two[0], "default")
        first, second = people.club(r, "The Rook"), people.club(r, "Ko")
        people.join(r, person, first, D(2019, 9, 1))
    with recording(organisation, author="1") as r:
        assert people.club(r, "The Rook").key == first.key
        people.leave(r, Membership.objects.get(), D(2022, 6, 30))
        people.join(r, person, second, D(2022, 7, 1))

    def clubs(day: D | None = None) -> list[str]:
        return [row.club.name for row in people.clubs_of(organisation, [two[0]], day)]

    assert clubs() == ["The Rook", "Ko"]
    assert clubs(D(2019, 8, 31)) == []
    assert clubs(D(2022, 6, 30)) == ["The Rook"]
    assert clubs(D(2022, 7, 1)) == ["Ko"]
    assert not verify().bad


def test_birth_and_status(organisation, two):
    people.set_birth(organisation, two[0], 2011, by="2")
    people.set_birth(organisation, two[0], 2011, D(2011, 2, 28), by="2")
    assert list(BirthDate.objects.values_list("year", "day")) == [(2011, D(2011, 2, 28))]
    with pytest.raises(ValueError, match="not in 2012"):
        people.set_birth(organisation, two[0], 2012, D(2011, 2, 28), by="2")
    people.set_status(organisation, two[1], "left", D(2024, 1, 1), D(2024, 12, 31), by="2")
    people.set_status(organisation, two[0], "not listed", D(2025, 1, 1), by="2")
    assert people.unlisted(organisation, D(2023, 12, 31)) == {}
    assert people.unlisted(organisation, D(2024, 12, 31)) == {two[1]: "left"}
    assert people.unlisted(organisation, D(2026, 1, 1)) == {two[0]: "not listed"}


def test_all_data_of_a_person(organisation, make_pool, two):
    pool = make_pool("us-table-tennis")
    with recording(organisation, author="1", reason="tonight") as r:
        mia, bart = (merging._ref(key, "default") for key in two)
        third = r.person("M. Janssens")
        event = r.event("Evening", DAY)
        r.feed(ref(pool), event)
        for person in (mia, bart):
            r.first_rating(ref(pool), person, Application(rating=1600))
        r.game(event, DAY, bart, mia, read_result("3-1"), round=1)
        r.game(event, DAY, third, bart, read_result("3-0"), round=2)
        r.game(event, DAY, bart, None, read_result("1-0"), round=3)
    with recording(organisation, author="1", reason="Bart Claes was ill", kind="other") as r:
        r.event("Cup", DAY + 20)
    with recording(organisation, author="1", reason="about Mia Janssens") as r:
        r.event("Cup 2", DAY + 40)
    people.set_outside_id(organisation, mia.key, "licence", "7", by="2")
    people.set_birth(organisation, mia.key, 1990, by="2")
    matching.decide(organisation, "Janssens, Mia", mia.key, by="2")
    merging.merge(organisation, mia.key, third.key, author="1")
    Settler(pool).settle()
    data = json.loads(json.dumps(person_data(organisation, third.key)))
    assert data["person"] == str(mia.uuid)
    assert data["also_recorded_as"] == [str(third.uuid)]
    assert [row["name"] for row in data["names"]] == ["Mia Janssens", "M. Janssens"]
    assert data["outside_ids"] == [{"kind": "licence", "value": "7", "since": None, "until": None}]
    assert data["born"] == [{"year": 1990, "day": None}]
    assert [row["spelling"] for row in data["spellings"]] == ["Janssens, Mia"]
    assert [(g["day"], g["side"], g["opponent"], g["result"]) for g in data["games"]] == [
        ("2024-09-03", 2, "Bart Claes", "3-1"), ("2024-09-03", 1, "Bart Claes", "3-0"),
    ]  # fmt: skip
    assert data["first_ratings"][0]["content"] == {"rating": 1600}
    changes = data["pools"][0]["changes"]
    assert [row["kind"] for row in changes] == ["first rating", "game", "game"]
    assert changes[1]["before"] == 1600
    assert changes[2]["before"] == changes[1]["after"]
    reasons = [row["reason"] for row in data["recordings"]]
    assert "tonight" in reasons
    assert "about Mia Janssens" in reasons
    assert "Bart Claes was ill" not in reasons
    assert person_data(organisation, bart.key)["games"][2]["opponent"] is None
    with pytest.raises(Refused, match="person-unknown"):
        person_data(organisation, 12345)
