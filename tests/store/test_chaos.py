"""Whatever stops a writer: nothing half, nothing lost that was acknowledged, the next start goes on.

bench/chaos.py does the same at 200 moments and kills the database server too.
"""

from __future__ import annotations

import multiprocessing
import os
import resource
import sys
import uuid

import pytest
from django.apps import apps
from django.db import connections

from arpad.domain.results import read_result
from arpad.store.models import Game, Organisation, OutsideId, Pool, RawFile, Recording
from arpad.store.recorder import AlreadyRecorded, recording
from arpad.store.settle import Settler
from arpad.store.verify import verify
from tests.store import chaos
from tests.store.kept import DAYS, everything

KILLS = {"sqlite": 6, "postgres": 2}  # of an import, and of a settlement


@pytest.fixture
def kind(address):
    return "sqlite" if address.startswith("sqlite") else "postgres"


@pytest.fixture
def club(organisation, make_pool, monkeypatch):
    for module, names in (
        (chaos.recorder, ("PIECE", "insert")),
        (chaos.settle, ("SMALL", "BATCH", "PIECE", "insert")),
        (chaos.lease, ("LASTS", "BEAT")),
    ):
        for name in names:
            monkeypatch.setattr(module, name, getattr(module, name))
    chaos.small_pieces()
    pool = make_pool("elo-logistic")
    chaos.club(organisation, pool)
    Settler(pool).settle()
    return pool


@pytest.mark.parametrize(
    ("work", "before"), [(chaos.import_games, None), (chaos.settle_pool, chaos.late_result)]
)
def test_a_killed_writer_leaves_nothing_half(club, kind, tmp_path, work, before):
    told = chaos.kills(work, KILLS[kind], tmp_path, 5, before=before)
    print(told)
    assert (told.half, told.lost) == (0, 0)
    assert told.kills == sum(told.phases.values()) == KILLS[kind]
    assert told.sealed >= told.acknowledged
    report = verify()
    assert report.good, report.bad


def test_sweeping_leaves_nothing_of_what_was_never_sealed(organisation):
    """Names, reasons, files and outside ids go too; those of sealed recordings stay."""
    from arpad.store.recorder import Recorder, sweep

    everything(organisation, settle=False)
    before = {model: model.objects.count() for model in apps.get_app_config("store").get_models()}
    r = Recorder(organisation, "1", "import", "results officer", "a reason", None, None, True, "default")
    r.open()
    person, pool = r.person("Somebody New"), Pool.objects.order_by("pk")[0]
    r.correction(chaos.ref(pool), person, DAYS[0], 1500.0, reason="another reason")
    r.side(OutsideId, person_id=person.key, kind="fide", value="9", since=None, until=None)
    known = RawFile.objects.get()
    for sha256, content in ((known.sha256, None), ("ef" * 32, b"new")):
        r.imported(sha256, "cd" * 32, "games.csv")
        if content:
            r.side(RawFile, sha256=sha256, name="new.csv", content=content)
    r.write()
    assert sweep() == 1
    assert {model: model.objects.count() for model in before} == before
    assert verify().good


@pytest.mark.parametrize("before", [False, True], ids=["after", "before"])
def test_a_piece_that_is_still_on_its_way_does_not_outlive_the_sweep(organisation, kind, before):
    """The writer was killed, its last piece is in the database server: refused when it comes after the
    sweep; waited for, and removed, when it came before and is not committed yet.
    """
    if kind == "sqlite":
        pytest.skip("SQLite has no server")
    from arpad.store.recorder import Recorder, sweep

    everything(organisation, settle=False)
    people = list(Game.objects.order_by("pk").values_list("pk", flat=True))
    r = Recorder(organisation, "1", "import", "results officer", "", None, None, True, "default")
    r.open()
    ready, swept = multiprocessing.Event(), multiprocessing.Event()

    def late():
        from django.db import DatabaseError, transaction

        row = Recording.objects.get(pk=r.row.pk)
        game = Game.objects.order_by("pk")[0]
        try:
            with transaction.atomic():
                game.pk, game.uuid, game.recording, game._state.adding = None, uuid.uuid4(), row, True
                if before:
                    game.save(force_insert=True)
                ready.set()
                swept.wait(0.5 if before else 30)
                if not before:
                    game.save(force_insert=True)
        except DatabaseError:
            return
        os._exit(3)  # it was taken

    pid = chaos.forked(late)
    assert ready.wait(30)
    assert sweep() == 1
    swept.set()
    assert chaos.finish(pid) == (3 if before else 0)
    assert list(Game.objects.order_by("pk").values_list("pk", flat=True)) == people


WRITERS, EACH, SHARED = 16, 6, 3


def write(number, folder):
    """One of 16: half of them write into one event, some under keys that others use too."""
    organisation = Organisation.objects.get()
    people, event = chaos.people_and_event()
    child = chaos.Child(folder)
    child.receipts = folder / f"receipts-{number}"
    for turn in range(EACH):
        key = f"shared-{turn}" if turn < SHARED else f"{number}-{turn}"
        try:
            with recording(organisation, author=str(number), key=key) as r:
                where = event if number % 2 else r.event(f"Evening {key}", DAYS[1])
                r.game(where, DAYS[1], people[number], people[number + 1], read_result("1-0"))
        except AlreadyRecorded as known:
            assert known.recording.key == key
        child.acknowledge(key)


def test_sixteen_writers_at_once_lose_and_double_nothing(club, kind, tmp_path, address):
    games = Game.objects.count()
    children = [chaos.forked(lambda n=n: write(n, tmp_path)) for n in range(WRITERS)]
    assert [chaos.finish(pid) for pid in children] == [0] * WRITERS
    receipts = [key for path in tmp_path.glob("receipts-*") for key in path.read_text().split()]
    assert len(receipts) == WRITERS * EACH
    keys = _keys(kind, address)
    assert sorted(keys) == sorted(set(receipts))  # each once, none missing
    assert len(keys) == SHARED + WRITERS * (EACH - SHARED)
    assert Game.objects.count() - games == len(keys)
    Settler(Pool.objects.get()).settle()
    report = verify()
    assert report.good, report.bad


def _keys(kind, address):
    """The sealed recordings' keys, read past Django by a connection of its own."""
    query = "SELECT key FROM store_recording WHERE key IS NOT NULL AND number IS NOT NULL"
    if kind == "sqlite":
        import sqlite3

        with sqlite3.connect(address.removeprefix("sqlite:///")) as database:
            return [key for (key,) in database.execute(query)]
    import psycopg

    with psycopg.connect(address) as database:
        return [key for (key,) in database.execute(query).fetchall()]


def run(folder, *arguments, limit=0, reader=False):
    """The program in a child: (exit status, what it said on standard error)."""
    said = folder / "said"

    def work():
        handle = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
        os.dup2(handle, 2)
        sys.stderr = os.fdopen(2, "w")
        if limit:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        if reader and os.geteuid() == 0:  # root may write everywhere
            os.setuid(65534)
        sys.argv = ["arpad", *map(str, arguments)]
        from arpad.cli import main

        try:
            main()
        except SystemExit as end:
            sys.stderr.flush()
            os._exit(int(end.code or 0))

    return chaos.finish(chaos.forked(work)), said.read_text()


@pytest.fixture
def data(kind, organisation, tmp_path, monkeypatch):
    """A data folder with a ledger; disk and folder matter to SQLite, PostgreSQL has a server for them."""
    if kind != "sqlite":
        pytest.skip("a folder of SQLite's")
    monkeypatch.delenv("DATABASE_URL", raising=False)
    everything(organisation, settle=False)
    Settler(Pool.objects.order_by("pk")[0]).settle()
    connections.close_all()
    folder = tmp_path / "data"
    folder.mkdir()
    (tmp_path / "arpad.sqlite3").rename(folder / "arpad.sqlite3")
    games = ["date,event,round,player1,player2,result"]
    games += [f"2024-10-{1 + n % 28:02},Autumn,{n},Member {n},Member {n + 1},1-0" for n in range(3000)]
    (tmp_path / "games.csv").write_text("\n".join([*games, ""]))
    return folder


def state(data):
    from tests.store import databases

    databases.use(f"sqlite:///{data / 'arpad.sqlite3'}")
    report = verify()
    assert report.good, report.bad
    found = Recording.objects.count(), Game.objects.count()
    connections.close_all()
    return found


ARGUMENTS = ("--pool", "main", "--accept-new", "--start", "1500", "--no-settle")


def test_a_full_disk_is_told_and_leaves_nothing_half(data, tmp_path):
    before = state(data)
    size = (data / "arpad.sqlite3").stat().st_size
    status, said = run(
        tmp_path, "import", tmp_path / "games.csv", *ARGUMENTS, "--data", data, limit=size + 50_000
    )
    assert (status, "Traceback" in said) == (1, False), said
    assert "database-failed" in said
    assert state(data) == before


def test_a_folder_that_cannot_be_written_is_told(data, tmp_path):
    before = state(data)
    for path in (data, *data.iterdir()):
        path.chmod(0o555 if path.is_dir() else 0o444)
    for path in (tmp_path, *tmp_path.parents):
        if path.stat().st_uid == os.geteuid() and path != path.parent:
            path.chmod(path.stat().st_mode | 0o555)
    (tmp_path / "said").touch()
    status, said = run(tmp_path, "import", tmp_path / "games.csv", *ARGUMENTS, "--data", data, reader=True)
    assert (status, "Traceback" in said) == (1, False), said
    assert "database-failed" in said or "store-unreachable" in said
    for path in (data, *data.iterdir()):
        path.chmod(0o755)
    assert state(data) == before


def test_a_backup_onto_a_full_disk_leaves_no_file(data, tmp_path):
    before = state(data)
    status, said = run(tmp_path, "backup", tmp_path / "b" / "club.backup", "--data", data, limit=50_000)
    assert (status, "Traceback" in said) == (1, False), said
    assert "output-unwritable" in said
    assert list((tmp_path / "b").iterdir()) == []
    assert state(data) == before
