"""Whatever is changed behind the ledger's back is found, and named; what was erased is not called damaged."""

from __future__ import annotations

import datetime
import random
import struct
import uuid

import pytest
from django.db import DatabaseError, connection, transaction

from arpad.store.erasure import pseudonym
from arpad.store.models import FACTS, Game, Organisation, Person, PersonName, Pool, RawFile, Recording, Text
from arpad.store.source import snapshot
from arpad.store.triggers import MOVES
from arpad.store.verify import verify, verify_facts
from tests.store.kept import cells, everything, unguarded, unsealed

# In no digest: the internal key (what refers to it by UUID does not move), and what a pool may change.
FREE = {(model._meta.db_table, "id") for model in FACTS}
FREE |= {(Pool._meta.db_table, column) for column in MOVES[Pool]}
RECORDED = ("number", "uuid", "kind", "author", "role", "reason_mac", "recorded", "facts", "digest", "link")


@pytest.fixture
def ledger(organisation):
    everything(organisation, settle=False)
    unguarded()
    return organisation


def found():
    with snapshot() as source:
        return verify_facts(source)


def flipped(value, rng):
    """The value with one bit changed, of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value ^ (1 << rng.randrange(15))
    if isinstance(value, float):
        (bits,) = struct.unpack("<q", struct.pack("<d", value))
        return struct.unpack("<d", struct.pack("<q", bits ^ (1 << rng.randrange(62))))[0]
    if isinstance(value, uuid.UUID):
        return uuid.UUID(int=value.int ^ (1 << rng.randrange(128)))
    if isinstance(value, datetime.datetime):
        return value + datetime.timedelta(microseconds=1 << rng.randrange(20))
    if isinstance(value, datetime.date):
        return value + datetime.timedelta(days=1 << rng.randrange(8))
    if isinstance(value, str):
        at = rng.randrange(len(value))
        return value[:at] + chr(ord(value[at]) ^ (1 << rng.randrange(5))) + value[at + 1 :]
    raw = bytearray(bytes(value))
    raw[rng.randrange(len(raw))] ^= 1 << rng.randrange(8)
    return bytes(raw)


def write(table, column, key, value):
    """Write a cell past every guard; False where the database itself cannot hold the value."""
    if isinstance(value, uuid.UUID) and connection.vendor == "sqlite":
        value = value.hex
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                cursor.execute("SET LOCAL session_replication_role = replica")
            cursor.execute(f'UPDATE {table} SET "{column}" = %s WHERE id = %s', [value, key])
    except DatabaseError:
        return False
    return True


@pytest.fixture
def no_references():
    """SQLite checks references at commit; damage does not ask."""
    if connection.vendor == "sqlite":
        connection.cursor().execute("PRAGMA foreign_keys=OFF")


def test_a_flipped_bit_in_any_fact_is_found_and_named(ledger, no_references):
    rng = random.Random(7)
    all_cells = [c for c in cells() if c[:2] not in FREE and c[3] not in (None, "", b"")]
    columns = {c[:2] for c in all_cells}
    rows = {(m._meta.db_table, k): str(u) for m in FACTS for k, u in m.objects.values_list("pk", "uuid")}
    tried, named, seen = 0, 0, set()
    rng.shuffle(all_cells)
    all_cells.sort(
        key=lambda c: c[:2] in seen or seen.add(c[:2]) or False
    )  # every column once, then at random
    assert found().good
    for table, column, key, value in all_cells:
        if tried == 100:
            break
        damaged = flipped(value, rng)
        if not write(table, column, key, damaged):
            continue
        tried += 1
        report = found()
        assert not report.good, (table, column, key, value, damaged)
        first = report.bad[0]
        assert first.recording, first
        named += first.uuid in (rows[table, key].replace("-", ""), getattr(damaged, "hex", ""))
        assert write(table, column, key, value)
    assert found().good
    assert tried == 100
    assert len(seen) == len(columns)
    # a fact whose recording or UUID was changed may be told by what refers to it first
    assert named >= 95, named


@pytest.mark.parametrize("column", RECORDED)
def test_a_changed_recording_is_found(ledger, no_references, column):
    rng = random.Random(3)
    row = Recording.objects.exclude(reason=None).order_by("pk").values("pk", column)[0]
    for _ in range(5):
        if write("store_recording", column, row["pk"], flipped(row[column], rng)):
            report = found()
            assert not report.good
            assert report.bad[0].organisation == "club"
    assert write("store_recording", column, row["pk"], row[column])
    assert found().good


def test_a_fact_that_is_gone_is_named(ledger, no_references):
    game = Game.objects.order_by("pk")[3]
    number = game.recording.number
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM store_game WHERE id = %s", [game.pk])
    (bad,) = found().bad
    assert (bad.code, bad.kind, bad.recording) == ("fact-missing", "recording", number)
    # the import, an event, its feed, three games, and this bye
    assert "The first one missing is its fact no. 7." in bad.message


def test_a_fact_that_was_slipped_in_is_found(ledger):
    game = Game.objects.order_by("pk")[3]
    game.pk, game.uuid, game._state.adding = None, uuid.uuid4(), True
    game.save(force_insert=True)
    report = found()
    assert report.bad[0].uuid == game.uuid.hex
    assert report.bad[0].code == "fact-altered"


def test_the_end_of_the_chain_cannot_be_cut_off(ledger):
    last = Recording.objects.order_by("-number")[0]
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM store_void WHERE recording_id = %s", [last.pk])
        cursor.execute("DELETE FROM store_recording WHERE id = %s", [last.pk])
    (bad,) = found().bad
    assert (bad.code, bad.kind) == ("chain-broken", "organisation")


def test_an_erased_name_or_text_is_not_damage(ledger):
    person, text = Person.objects.order_by("pk")[0], Text.objects.order_by("pk")[0]
    PersonName.objects.filter(person=person).update(name=pseudonym(person.uuid), salt=b"")
    Text.objects.filter(pk=text.pk).update(body="", salt=b"", erased=True)
    report = found()
    assert report.good
    assert (report.counts["names erased"], report.counts["texts erased"]) == (1, 1)


def test_a_name_that_is_gone_or_lost_its_salt_is_damage(ledger):
    one, two = Person.objects.order_by("pk")[:2]
    PersonName.objects.filter(person=one).delete()
    PersonName.objects.filter(person=two).update(salt=b"")
    assert {(bad.code, bad.uuid) for bad in found().bad} == {
        ("name-damaged", one.uuid.hex),
        ("name-damaged", two.uuid.hex),
    }


def test_a_changed_file_is_damage(ledger):
    RawFile.objects.update(content=b"another")
    (bad,) = found().bad
    assert (bad.code, bad.kind) == ("text-damaged", "file")


def test_a_changed_name_or_text_is_damage(ledger):
    person, text = Person.objects.order_by("pk")[1], Text.objects.order_by("pk")[0]
    PersonName.objects.filter(person=person).update(name="Somebody Else")
    Text.objects.filter(pk=text.pk).update(body="another reason")
    codes = [(bad.code, bad.uuid) for bad in found().bad]
    assert ("name-damaged", person.uuid.hex) in codes
    assert "text-damaged" in {code for code, _ in codes}
    assert len(codes) == 2


def test_a_text_that_is_gone_is_damage(ledger):
    text = Text.objects.order_by("pk")[0]
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA foreign_keys=OFF")
        else:
            cursor.execute("SET session_replication_role = replica")
        cursor.execute("DELETE FROM store_text WHERE id = %s", [text.pk])
    (bad,) = found().bad
    assert bad.code == "text-damaged"


def test_what_is_being_written_is_no_damage(organisation, address):
    everything(organisation, settle=False)
    unsealed(organisation)
    report = verify()
    assert report.good, report.bad
    assert report.counts["recordings not sealed"] == 1


def test_all_is_well_with_a_good_ledger(organisation):
    everything(organisation, settle=False)
    report = verify()
    assert report.good, report.bad
    assert report.counts["game"] == 16
    assert report.counts["recordings"] == 4
    assert report.counts["triggers"] > 0


def test_a_large_ledger_is_verified_by_two_processes(organisation, monkeypatch, no_references):
    everything(organisation)
    alone = verify()
    monkeypatch.setattr("arpad.store.beside.LARGE", 10)
    assert verify()._replace(seconds=0) == alone._replace(seconds=0)
    unguarded()
    game = Game.objects.order_by("pk")[0]
    assert write("store_game", "result", game.pk, "no result")
    found = verify()
    assert found.bad[0].uuid == game.uuid.hex
    assert "derived rows" not in found.counts


def test_a_missing_trigger_is_told(ledger):
    assert {bad.code for bad in verify().bad} == {"trigger-missing"}


def test_damage_in_one_organisation_leaves_the_other_good(ledger, no_references):
    other = Organisation.objects.create(slug="other", name="Another", salt=b"fedcba9876543210")
    everything(other, settle=False)
    game = Game.objects.filter(organisation=other).order_by("pk")[0]
    assert write("store_game", "result", game.pk, "0-1")
    assert {(bad.organisation, bad.uuid) for bad in found().bad if bad.kind == "game"} == {
        ("other", game.uuid.hex)
    }
