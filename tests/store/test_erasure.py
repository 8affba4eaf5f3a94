"""Erasing a person: the name is nowhere any more, and nothing else has changed."""

from __future__ import annotations

import datetime
import hashlib
import json
from pathlib import Path

import pytest
from django.db import connection

from arpad.domain.dates import read_day
from arpad.domain.play import Application
from arpad.domain.problems import Refused
from arpad.domain.results import read_result
from arpad.store import erasure, matching, merging, people, search
from arpad.store.models import (
    BirthDate,
    Decision,
    NameKey,
    Organisation,
    PersonName,
    Pool,
    RawFile,
    Recording,
    Standing,
    Text,
)
from arpad.store.recorder import recording, ref
from arpad.store.settle import Settler
from arpad.store.verify import verify
from tests.store import invented

DAY = read_day("2024-09-03")
NAME, ALIAS, SPELLING = "Wilhelmina Quackelbeen", "Mina Quackelbeen-Zwaenepoel", "Quackelbeen, Wilh."
TRACES = [
    "Quackelbeen",
    "quackelbeen",
    "Wilhelmina",
    "wilhelmina",
    "Zwaenepoel",
    "zwaenepoel",
    "4711-QX",
    "QX4711",
]
XML = '<Player name="QUACKELBEEN" firstName="Wilhelmina" club="9"/>\n<Player name="Claes"/>'


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return tmp_path / "outside" / "erasures.jsonl"


@pytest.fixture
def club(organisation, make_pool):
    """300 people and Wilhelmina, whose name stands wherever one can stand."""
    pool = make_pool("us-table-tennis")
    with recording(organisation, author="1") as r:
        others = [r.person(invented.full(name)) for name in invented.people(300)]
        mina = r.person(NAME)
        second = r.person(ALIAS)
        event = r.event("Evening", DAY)
        r.feed(ref(pool), event)
        for number, other in enumerate([*others[:20], mina, second]):
            r.first_rating(ref(pool), other, Application(rating=1500 + 5 * number, born=2011))
        for number, (one, other) in enumerate([(mina, others[0]), (others[1], mina), (second, others[2])]):
            r.game(event, DAY, one, other, read_result("3-1"), round=number)
    with recording(organisation, author="1", reason=f"{NAME} entered a wrong result on board 7") as r:
        r.correction(ref(pool), mina, DAY + 3, 1555, reason="Quackelbeen's league was wrong")
    with recording(organisation, author="1", reason="Quackelbeen may be one of two") as r:
        r.event("Another", DAY + 30)
    people.add_name(organisation, mina.key, "Wilhelmina Quackelbeen-De Vos", shown=True, by="2")
    people.set_outside_id(organisation, mina.key, "licence", "QX4711", by="2")
    people.set_birth(organisation, mina.key, 2011, datetime.date(2011, 2, 28), by="2")
    people.set_status(organisation, mina.key, "left", datetime.date(2025, 1, 1), by="2")
    matching.decide(organisation, SPELLING, mina.key, by="2")
    matching.decide(organisation, NAME, None, by="2")
    matching.decide(organisation, "Somebody Else", others[0].key, by="2")
    matching.keep_apart(organisation, mina.key, others[3].key, by="2")
    RawFile.objects.create(
        organisation=organisation,
        sha256=hashlib.sha256(XML.encode()).hexdigest(),
        name="x.xml",
        content=XML.encode(),
    )
    RawFile.objects.create(
        organisation=organisation,
        sha256=hashlib.sha256(b"Claes;Bart").hexdigest(),
        name="y.xml",
        content=b"Claes;Bart",
    )
    merging.merge(organisation, mina.key, second.key, author="1", reason="Mina is Wilhelmina")
    Settler(pool).settle()
    return {"pool": pool, "mina": mina, "second": second, "others": others}


def everything() -> str:
    """Every value of every row of the store's tables."""
    from django.apps import apps

    told = []
    for model in apps.get_app_config("store").get_models():
        for row in model.objects.values_list():
            told += [bytes(v).decode("latin-1") if isinstance(v, memoryview | bytes) else str(v) for v in row]
    return "\n".join(told)


def on_disk() -> bytes:
    """The database's files as they lie there; of PostgreSQL all but its write-ahead log."""
    if connection.vendor == "sqlite":
        file = Path(str(connection.settings_dict["NAME"]))
        return b"".join(p.read_bytes() for p in file.parent.glob(f"{file.name}*"))
    with connection.cursor() as cursor:
        cursor.execute("CHECKPOINT")
        cursor.execute("SHOW data_directory")
        folder = Path(cursor.fetchone()[0])
        cursor.execute("SELECT oid FROM pg_database WHERE datname = current_database()")
        own = str(cursor.fetchone()[0])
    return b"".join(p.read_bytes() for p in (folder / "base" / own).rglob("*") if p.is_file())


def ratings(pool: Pool) -> list[tuple]:
    rows = Standing.objects.filter(pool=pool).order_by("settlement")
    latest = {row[0]: row for row in rows.values_list("person", "rating", "games", "gone")}
    return sorted(row for row in latest.values() if not row[3])


def test_the_name_is_nowhere_any_more(organisation, club, journal):
    if connection.vendor == "postgresql":  # its statistics keep values; so many that hers is among them
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE store_personname ALTER name SET STATISTICS 10000")
            cursor.execute("ANALYZE")
    plan = erasure.plan_erasure(organisation, club["mina"].key)
    assert set(plan.people) == {club["mina"].key, club["second"].key}
    assert (plan.outside_ids, plan.decisions, plan.files) == (
        1,
        2,
        (hashlib.sha256(XML.encode()).hexdigest(),),
    )
    texts = set(Text.objects.filter(uuid__in=plan.texts).values_list("body", flat=True))
    assert texts == {
        f"{NAME} entered a wrong result on board 7",  # in full
        "Quackelbeen's league was wrong",  # the reason of a correction of hers
        "Mina is Wilhelmina",  # the reason of her merge
    }
    maybe = {text.body for text in Text.objects.filter(uuid__in=plan.to_decide)}
    assert maybe == {"Quackelbeen may be one of two"}
    assert any(trace in everything() for trace in TRACES)
    done = erasure.erase(organisation, club["mina"].key, also_texts=plan.to_decide, journal=journal)
    assert done.left == ()
    told, raw = everything(), on_disk()
    for trace in TRACES:
        assert trace not in told, trace
        assert trace.encode() not in raw, trace
    assert "Somebody Else" in told
    assert set(RawFile.objects.values_list("name", flat=True)) == {"y.xml"}
    assert not BirthDate.objects.exists()
    assert Decision.objects.count() == 1


def test_the_grep_would_see_it(organisation, club):
    """Deleting rows alone leaves the name in the files of either database, so the search above can fail."""
    NameKey.objects.filter(person=club["mina"].key).delete()
    PersonName.objects.filter(person=club["mina"].key).delete()
    assert b"Wilhelmina" in on_disk()


def test_chain_and_ratings_are_untouched(organisation, club, journal):
    pool = club["pool"]
    digest, before = Settler(pool).current().digest, ratings(pool)
    links = list(Recording.objects.order_by("number").values_list("number", "link", "digest"))
    assert not verify().bad
    erasure.erase(organisation, club["mina"].key, journal=journal)
    found = verify()
    assert not found.bad
    assert list(Recording.objects.order_by("number").values_list("number", "link", "digest")) == links
    full = Settler(Pool.objects.get(pk=pool.pk)).settle(full=True)
    assert full.digest == digest
    assert ratings(pool) == before


def test_a_pseudonym_stays(organisation, club, journal):
    shown = people.shown_names([club["mina"].key, club["others"][0].key])
    assert shown[club["mina"].key] == "Wilhelmina Quackelbeen-De Vos"
    erasure.erase(organisation, club["mina"].key, journal=journal)
    shown = people.shown_names([club["mina"].key, club["others"][0].key])
    assert shown[club["mina"].key] == erasure.pseudonym(club["mina"].uuid)
    assert shown[club["others"][0].key] == invented.full(invented.people(300)[0])
    assert search.find(organisation, "Wilhelmina") == []
    assert search.find(organisation, "Player") == []
    assert matching.recognise(organisation, [NAME])[NAME].how == "new"
    with pytest.raises(Refused, match="person-erased"):
        people.rename(organisation, club["mina"].key, NAME, by="2")


def test_an_erased_name_is_told_from_a_damaged_one(organisation, club, journal):
    erasure.erase(organisation, club["mina"].key, journal=journal)
    assert not verify().bad
    PersonName.objects.filter(person=club["others"][0].key).update(name="Somebody")
    assert len(verify().bad) == 1


def test_the_journal_names_nobody(organisation, club, journal):
    erasure.erase(organisation, club["mina"].key, journal=journal)
    text = journal.read_text("utf-8")
    assert not any(trace in text for trace in TRACES)
    entries = [json.loads(line) for line in text.splitlines()]
    assert {entry["person"] for entry in entries} == {str(club["mina"].uuid), str(club["second"].uuid)}
    assert all(entry["organisation"] == str(organisation.uuid) for entry in entries)
    assert datetime.datetime.fromisoformat(entries[0]["when"]).tzinfo is not None
    assert journal.stat().st_mode & 0o077 == 0


def test_a_restored_backup_is_erased_again(organisation, club, journal):
    """What an older backup brings back: names, keys, ids, texts, files."""
    kept = {
        model: list(model.objects.all())
        for model in (PersonName, NameKey, Decision, BirthDate, RawFile, Text)
    }
    plan = erasure.plan_erasure(organisation, club["mina"].key)
    erasure.erase(organisation, club["mina"].key, also_texts=plan.to_decide, journal=journal)
    for model, rows in kept.items():
        if model is not Text:
            model.objects.all().delete()
        for row in rows:
            row.save()
    assert "Quackelbeen" in everything()
    assert erasure.apply_journal(journal) == 2
    told, raw = everything(), on_disk()
    for trace in TRACES:
        assert trace not in told, trace
        assert trace.encode() not in raw, trace
    assert erasure.apply_journal(journal) == 0
    assert not verify().bad


def test_a_crash_after_the_journal_is_finished_at_the_next_start(organisation, club, journal, monkeypatch):
    def fail(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(erasure, "_remove", fail)
        with pytest.raises(KeyboardInterrupt):
            erasure.erase(organisation, club["mina"].key, journal=journal)
    assert NAME in everything()
    with journal.open("a") as file:
        file.write('{"person": "cut of')  # and a line that was not finished
    assert erasure.apply_journal(journal) == 2
    assert NAME not in everything()
    erasure.erase(organisation, club["others"][0].key, journal=journal)
    assert len(list(erasure.read_journal(journal))) == 3


def test_a_name_that_a_fact_bears_is_said(organisation, club, journal):
    if connection.vendor != "sqlite":
        return
    with recording(organisation, author="1") as r:
        r.event("Wilhelmina Quackelbeen Cup", DAY + 60)
    done = erasure.erase(organisation, club["mina"].key, journal=journal)
    assert done.left == ("arpad.sqlite3: Wilhelmina Quackelbeen",)


def test_a_namesake_keeps_everything(organisation, club, journal):
    with recording(organisation, author="1") as r:
        namesake = r.person(NAME)
    erasure.erase(organisation, club["mina"].key, journal=journal)
    assert people.shown_names([namesake.key]) == {namesake.key: NAME}
    assert [found.person for found in search.find(organisation, "wilhelmina quack")] == [namesake.key]


def test_another_organisation_is_out_of_reach(organisation, club, journal):
    other = Organisation.objects.create(slug="other", name="Other")
    with pytest.raises(Refused, match="person-unknown"):
        erasure.erase(other, club["mina"].key, journal=journal)
    assert not journal.exists()


def test_a_file_that_kept_a_copy_is_rebuilt(organisation, club, journal):
    """As where rows moved between pages: a deleted name that SQLite did not overwrite."""
    if connection.vendor != "sqlite":
        return
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA secure_delete=OFF")
    erasure.erase(organisation, club["mina"].key, journal=journal)
    assert b"Wilhelmina Quack" not in on_disk()
    assert b"quackelbeen" not in on_disk()
