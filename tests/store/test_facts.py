"""Facts are sealed, linked and kept inside their organisation, on both databases."""

from __future__ import annotations

import pytest
from django.core.management import call_command
from django.db import DatabaseError, IntegrityError, connection, transaction

from arpad.domain.dates import read_day
from arpad.domain.play import Application
from arpad.domain.results import read_result
from arpad.store import canonical, triggers
from arpad.store.models import FACTS, Game, NameKey, Organisation, PersonName, Pool, Recording
from arpad.store.recorder import AlreadyRecorded, recording, recording_content, ref, sweep

DAY = read_day("2024-09-03")


@pytest.fixture
def evening(organisation, make_pool):
    """Two people and one game; what was recorded."""
    pool = make_pool("us-table-tennis")
    with recording(organisation, author="1", kind="evening", reason="tonight") as r:
        people = [r.person(name) for name in ("Noor ’t Hart", "D’Hondt <b>")]
        event = r.event("Evening", DAY)
        r.feed(ref(pool), event)
        for person in people:
            r.first_rating(ref(pool), person, Application(rating=1600))
        game = r.game(event, DAY, people[0], people[1], read_result("3-2"), round=1, board=1)
    return {"pool": pool, "people": people, "event": event, "game": game, "recording": r.row}


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE store_game SET result = '3-0'",
        "DELETE FROM store_game",
        "UPDATE store_person SET order_key = 'x'",
        "UPDATE store_recording SET author = '9'",
        "DELETE FROM store_recording",
        "UPDATE store_pool SET ruleset = 'kbsb'",
    ],
)
def test_a_sealed_fact_is_refused_change(evening, statement):
    with pytest.raises(DatabaseError, match="sealed"), transaction.atomic():
        connection.cursor().execute(statement)


def test_truncate_is_refused_on_postgres(evening):
    if connection.vendor != "postgresql":
        return
    with pytest.raises(DatabaseError, match="sealed"), transaction.atomic():
        connection.cursor().execute("TRUNCATE store_game CASCADE")


def test_a_pool_may_move_to_its_next_settlement(evening):
    Pool.objects.update(current=7, name="Another name")
    assert Pool.objects.get().current == 7


def test_every_trigger_is_there_after_a_migration(evening):
    assert triggers.expected() <= triggers.names()
    with connection.cursor() as cursor:
        name = "store_game_no_update"
        table = " ON store_game" if connection.vendor == "postgresql" else ""
        cursor.execute(f"DROP TRIGGER {name}{table}")
    assert "store_game_no_update" not in triggers.names()
    call_command("migrate", verbosity=0)
    assert triggers.expected() <= triggers.names()


def test_nothing_refers_to_another_organisation(evening):
    other = Organisation.objects.create(slug="other", name="Another club")
    with pytest.raises(DatabaseError), recording(other, author="1") as r:
        r.game(evening["event"], DAY, *evening["people"], read_result("3-0"))
    assert Game.objects.count() == 1


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM store_person",
        "DELETE FROM store_event WHERE id <> %(event)s",
        "DELETE FROM store_recording WHERE number IS NULL",
        "UPDATE store_person SET organisation_id = %(other)s",
        "UPDATE store_game SET event_id = %(event)s",
        "UPDATE store_game SET player2_id = 0",
        "UPDATE store_personname SET organisation_id = %(other)s",
        "UPDATE store_namekey SET person_id = 0",
        "INSERT INTO store_namekey (organisation_id, person_id, part) VALUES (%(other)s, %(person)s, 'noor')",
        "INSERT INTO store_namekey (organisation_id, person_id, part) VALUES (%(other)s, 0, 'noor')",
    ],
)
def test_what_is_referred_to_stays_where_it_is(organisation, statement):
    """Also in an unsealed recording, of which nothing else holds on to its facts."""
    other = Organisation.objects.create(slug="other", name="Another club")
    with recording(other, author="1") as r:
        elsewhere = r.event("Elsewhere", DAY)
    with pytest.raises(KeyError), recording(organisation, author="1", large=True) as r:
        people, event = [r.person(name) for name in ("Noor", "Anna")], r.event("Evening", DAY)
        r.game(event, DAY, *people, read_result("3-0"))
        r.write()
        names = {"other": other.pk, "event": elsewhere.key, "person": people[0].key}
        with pytest.raises(IntegrityError), transaction.atomic():
            connection.cursor().execute(statement % names)
        assert Game.objects.filter(player1=people[0].key, event=event.key).count() == 1
        raise KeyError  # and it is swept
    assert not Game.objects.exists()


def test_the_chain_links_every_recording(organisation, evening):
    previous = bytes(32)
    numbers = []
    for row in Recording.objects.order_by("number"):
        digests = []
        for model in FACTS:
            for fact in model.objects.filter(recording=row):
                content = []
                for name in model.CONTENT:
                    value = getattr(fact, name)
                    content.append(value.uuid if hasattr(value, "uuid") else value)
                digests.append(canonical.fact_digest(model.KIND, fact.uuid, content))
        assert len(digests) == row.facts
        assert canonical.facts_digest(digests) == bytes(row.digest)
        previous = canonical.link(previous, recording_content(row), bytes(row.digest))
        assert previous == bytes(row.link)
        numbers.append(row.number)
    organisation.refresh_from_db()
    assert numbers == list(range(1, organisation.chain_number + 1))
    assert bytes(organisation.chain_link) == previous


def test_a_name_leaves_only_its_hmac_in_the_fact(evening):
    name = PersonName.objects.get(person_id=evening["people"][0].key)
    assert bytes(name.person.name_mac) == canonical.text_mac(bytes(name.salt), "Noor ’t Hart")
    parts = set(NameKey.objects.filter(person_id=evening["people"][0].key).values_list("part", flat=True))
    assert {"noor", "hart"} <= parts


def test_a_failed_recording_leaves_nothing(organisation, evening):
    with pytest.raises(KeyError), recording(organisation, author="1") as r:
        r.game(evening["event"], DAY, *evening["people"], read_result("3-0"))
        raise KeyError
    assert Game.objects.count() == 1
    assert Recording.objects.filter(number=None).count() == 0


def test_an_unsealed_large_recording_is_swept(organisation, evening, monkeypatch):
    monkeypatch.setattr("arpad.store.recorder.PIECE", 10)
    before = Recording.objects.count()
    opened = recording(organisation, author="1", large=True)
    r = opened.__enter__()
    for i in range(25):
        r.person(f"Somebody {i}")
        r.game(evening["event"], DAY, *evening["people"], read_result("3-0"), sequence=i)
    assert Recording.objects.filter(number=None).count() == 1
    assert Game.objects.count() > 1
    assert sweep() == 1
    assert (Recording.objects.count(), Game.objects.count()) == (before, 1)
    assert not PersonName.objects.filter(name__startswith="Somebody").exists()


def test_an_idempotency_key_records_once(organisation, evening):
    with recording(organisation, author="1", key="form-17") as r:
        r.game(evening["event"], DAY, *evening["people"], read_result("3-0"))
    with pytest.raises(AlreadyRecorded) as again, recording(organisation, author="1", key="form-17"):
        pass
    assert again.value.recording.number == r.row.number
    assert Game.objects.count() == 2
