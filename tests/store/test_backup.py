"""A backup is one consistent state of everything, also while others write, and comes back as it was."""

from __future__ import annotations

import sqlite3
import stat
import threading
import zipfile

import pytest
from django.db import connection, connections

from arpad.domain.problems import Refused
from arpad.domain.results import read_result
from arpad.store.backup import Archive, backup
from arpad.store.models import FACTS, Game, Organisation, PersonName, Pool, Recording, Settlement
from arpad.store.recorder import recording, ref
from arpad.store.restore import restore
from arpad.store.settle import Settler
from arpad.store.source import snapshot, sqlite_file
from arpad.store.verify import verify, verify_facts
from tests.store import databases
from tests.store.kept import DAYS, everything, unguarded, unsealed


@pytest.fixture
def kind(address):
    return "sqlite" if address.startswith("sqlite") else "postgres"


@pytest.fixture
def journal(tmp_path, monkeypatch):
    """A data folder of the test's own: the erasures are kept there."""
    monkeypatch.setenv("ARPAD_DATA", str(tmp_path / "data"))
    return tmp_path / "data" / "erasures.jsonl"


def elsewhere(kind, tmp_path):
    """An empty database, in use from now on."""
    (tmp_path / "other").mkdir(exist_ok=True)
    databases.use(databases.empty_url(kind, tmp_path / "other"))


def contents():
    """What must come back: every row of every fact, the chain, the settlements, the names."""
    facts = {model.KIND: list(model.objects.order_by("pk").values()) for model in FACTS}
    chain = list(Organisation.objects.values("uuid", "chain_number", "chain_link"))
    digests = list(Settlement.objects.order_by("pk").values_list("pool_id", "number", "digest"))
    return facts, [bytes(c.pop("chain_link")) for c in chain], chain, digests, _names()


def _names():
    return list(PersonName.objects.order_by("pk").values_list("person_id", "name"))


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def plain(found):
    """Binary columns as bytes, so that two readings compare."""
    facts, *rest = found
    return {
        kind: [{k: bytes(v) if isinstance(v, memoryview) else v for k, v in row.items()} for row in rows]
        for kind, rows in facts.items()
    }, rest


def test_what_was_backed_up_comes_back(organisation, kind, tmp_path, journal):
    everything(organisation)
    before = plain(contents())
    written = backup(tmp_path / "club.backup")
    assert written.report.good
    assert written.size == (tmp_path / "club.backup").stat().st_size
    elsewhere(kind, tmp_path)
    restored = restore(tmp_path / "club.backup")
    assert restored.report.good
    assert restored.report.counts["derived rows"] > 0
    assert plain(contents()) == before
    # the ledger goes on: keys and chain take no notice
    again = Organisation.objects.get()
    with recording(again, author="1") as r:
        r.person("Somebody New")
    assert Settler(Pool.objects.order_by("pk")[0]).settle().through == again.chain_number
    assert verify().good


def test_a_backup_is_for_its_owner_alone_and_never_over_another(organisation, tmp_path):
    everything(organisation, settle=False)
    backup(tmp_path / "a" / "club.backup")
    assert stat.S_IMODE((tmp_path / "a" / "club.backup").stat().st_mode) == 0o600
    assert names(tmp_path / "a") == ["club.backup"]
    with pytest.raises(Refused, match="output-exists"):
        backup(tmp_path / "a" / "club.backup")


def test_what_is_not_sealed_is_in_no_backup(organisation, kind, tmp_path, journal):
    everything(organisation, settle=False)
    people = PersonName.objects.count()
    unsealed(organisation)
    assert PersonName.objects.count() == people + 1
    backup(tmp_path / "club.backup")
    if kind == "postgres":
        with zipfile.ZipFile(tmp_path / "club.backup") as zipped:
            archive = Archive(zipped)
            assert all(row[0] is not None for row in archive.rows(Recording, ("number",)))
            assert len(list(archive.rows(PersonName, ("id",)))) == people
    else:
        copy = sqlite3.connect(tmp_path / "club.backup")
        assert copy.execute("SELECT COUNT(*) FROM store_recording WHERE number IS NULL").fetchone() == (0,)
        assert copy.execute("SELECT COUNT(*) FROM store_personname").fetchone() == (people,)
        copy.close()
        assert b"Somebody New" not in (tmp_path / "club.backup").read_bytes()
    elsewhere(kind, tmp_path)
    assert restore(tmp_path / "club.backup").report.good


def test_backups_taken_while_somebody_writes_are_each_one_state(organisation, kind, tmp_path, journal):
    """Every recording voids one game and enters another, so that each state holds as many as before."""
    pool = everything(organisation, settle=False)
    event = Game.objects.order_by("pk")[0].event
    stop, written = threading.Event(), []

    def write():
        try:
            game = ref(Game.objects.order_by("pk")[0])
            while not stop.is_set():
                with recording(organisation, author="9") as r:
                    r.void(game)
                    people = [ref(p) for p in (Game.objects.get(pk=game.key).player1, event_players[1])]
                    game = r.game(ref(event), DAYS[0], *people, read_result("1-0"))
                written.append(r.row.number)
        finally:
            connections.close_all()

    event_players = [Game.objects.order_by("pk")[i].player1 for i in (0, 1)]
    thread = threading.Thread(target=write)
    thread.start()
    tips = []
    try:
        for number in range(6):
            done = backup(tmp_path / f"{number}.backup")
            counts = done.report.counts
            # 16 games and 6 voids, 4 recordings at first; one of each more in every state
            assert counts["game"] - 16 == counts["void"] - 6 == counts["recordings"] - 4
            tips.append(counts["recordings"])
    finally:
        stop.set()
        thread.join()
    assert tips == sorted(tips)
    assert tips[-1] > tips[0], "nobody wrote meanwhile"
    assert len(written) >= tips[-1] - 4
    elsewhere(kind, tmp_path)
    assert restore(tmp_path / "5.backup").report.counts["recordings"] == tips[-1]
    assert pool.slug == "main"


def test_a_damaged_ledger_gives_no_backup(organisation, tmp_path):
    everything(organisation, settle=False)
    unguarded()
    Game.objects.filter(pk=Game.objects.order_by("pk")[0].pk).update(result="0-1")
    with pytest.raises(Refused, match=r"backup-bad.*recording 2, game"):
        backup(tmp_path / "club.backup")
    assert [name for name in names(tmp_path) if "club" in name] == []


def test_a_restore_refuses_what_is_in_its_way(organisation, kind, tmp_path):
    everything(organisation, settle=False)
    backup(tmp_path / "club.backup")
    with pytest.raises(Refused, match="restore-not-empty"):
        restore(tmp_path / "club.backup")
    other = "postgres" if kind == "sqlite" else "sqlite"
    (tmp_path / "another").mkdir()
    databases.use(databases.empty_url(other, tmp_path / "another"))
    with pytest.raises(Refused, match="backup-other-database"):
        restore(tmp_path / "club.backup")
    (tmp_path / "text").write_text("no backup")
    with pytest.raises(Refused, match="backup-unreadable"):
        restore(tmp_path / "text")
    with pytest.raises(Refused, match="backup-unreadable"):
        restore(tmp_path / "missing")


def test_a_damaged_backup_is_not_kept(organisation, kind, tmp_path, journal):
    everything(organisation, settle=False)
    backup(tmp_path / "club.backup")
    if kind == "sqlite":
        copy = sqlite3.connect(tmp_path / "club.backup")
        copy.execute("DROP TRIGGER store_game_no_update")
        copy.execute("UPDATE store_game SET result = '0-1' WHERE id = 1")
        copy.commit()
        copy.close()
    else:
        _rewrite(tmp_path / "club.backup", "tables/store_game.copy", b"\t1-0\t", b"\t0-1\t")
    elsewhere(kind, tmp_path)
    with pytest.raises(Refused, match="backup-bad"):
        restore(tmp_path / "club.backup")
    if kind == "sqlite":
        assert names(tmp_path / "other") == []
    else:
        assert connection.introspection.table_names() == []


def _rewrite(path, member, old, new):
    with zipfile.ZipFile(path) as zipped:
        files = {name: zipped.read(name) for name in zipped.namelist()}
    files[member] = files[member].replace(old, new, 1)
    with zipfile.ZipFile(path, "w") as zipped:
        for name, content in files.items():
            zipped.writestr(name, content)


def test_who_was_erased_after_the_backup_stays_erased(organisation, kind, tmp_path, journal):
    from arpad.store.erasure import erase

    everything(organisation)
    backup(tmp_path / "club.backup")
    person = PersonName.objects.get(name="D’Hondt <b>").person
    erase(organisation, person.pk)
    elsewhere(kind, tmp_path)
    restored = restore(tmp_path / "club.backup")
    assert restored.erased == 1
    assert restored.report.counts["names erased"] == 1
    assert not PersonName.objects.filter(name__contains="Hondt").exists()
    if kind == "sqlite":
        connections.close_all()
        files = [p.read_bytes() for p in (tmp_path / "other").iterdir()]
        assert not any("D’Hondt <b>".encode() in content for content in files)


def test_a_backup_of_a_newer_release_is_refused(organisation, kind, tmp_path, journal):
    everything(organisation, settle=False)
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO django_migrations (app, name, applied) VALUES ('store', '9999_later', %s)",
            ["2030-01-01 00:00:00+00:00"],
        )
    backup(tmp_path / "club.backup")
    elsewhere(kind, tmp_path)
    with pytest.raises(Refused, match=r"backup-newer.*9999_later"):
        restore(tmp_path / "club.backup")


def test_a_snapshot_sees_one_moment(organisation, address):
    everything(organisation, settle=False)
    with snapshot() as source:
        before = len(list(source.rows(Game, ("id",))))
        with recording(organisation, author="1") as r:
            r.void(ref(Game.objects.order_by("pk")[0]))
        assert verify_facts(source).counts["void"] == 6
    with snapshot() as source:
        assert verify_facts(source).counts["void"] == 7
    assert before == 16


def test_a_sqlite_file_with_text_that_is_none_is_read(tmp_path):
    database = sqlite3.connect(tmp_path / "a.sqlite3")
    database.execute("CREATE TABLE store_pool (id INTEGER, name TEXT)")
    database.execute("INSERT INTO store_pool VALUES (1, CAST(X'41FF' AS TEXT))")
    database.commit()
    database.close()
    with sqlite_file(tmp_path / "a.sqlite3") as source:
        assert list(source.rows(Pool, ("name",))) == [("A\\xff",)]
