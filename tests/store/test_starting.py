"""A start puts right what a crash or an older backup left, and never disturbs who is at work."""

from __future__ import annotations

import shutil
import subprocess
import sys
import threading

import pytest
from django.db import connections

from arpad.domain.results import read_result
from arpad.store.erasure import erase
from arpad.store.models import Game, Person, PersonName, RawFile, Recording, Text
from arpad.store.recorder import Recorder, recording
from arpad.store.starting import start
from arpad.store.sweeping import sweep

WRITER = """
import sys
from arpad.store import setup
setup.start()
from arpad.store.models import Organisation
from arpad.store.recorder import recording
with recording(Organisation.objects.get(), author="1", kind="import", large=True) as r:
    r.person("Somebody New")
    r.write()
    print("written", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def writer(organisation, address, monkeypatch):
    """Another process in the middle of a large recording."""
    monkeypatch.setenv("DATABASE_URL", address)
    command = [sys.executable, "-c", WRITER]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stdout.readline() == "written\n"
        yield process
        process.kill()


def test_who_is_at_work_is_spared(writer):
    assert start().swept == 0
    assert Recording.objects.filter(number=None).count() == 1
    writer.communicate("")
    assert writer.returncode == 0
    assert Recording.objects.filter(number=None).count() == 0
    assert PersonName.objects.filter(name="Somebody New").count() == 1
    assert start().swept == 0


def test_what_a_killed_writer_left_is_swept(writer, tmp_path):
    writer.kill()
    writer.wait()
    for _ in range(50):  # a server may take a moment to see that its client is gone
        if start().swept:
            break
        threading.Event().wait(0.1)
    assert not Recording.objects.filter(number=None).exists()
    assert not PersonName.objects.filter(name="Somebody New").exists()
    assert not list(tmp_path.rglob(".arpad*.*"))  # no file beside the database stays


def test_a_recording_of_another_thread_is_spared(organisation):
    """The site's threads, each with a connection of its own."""
    swept: list[int] = []

    def look() -> None:
        swept.append(start().swept)
        connections.close_all()

    with recording(organisation, author="1", large=True) as r:
        r.person("Somebody New")
        r.write()
        thread = threading.Thread(target=look)
        thread.start()
        thread.join()
    assert swept == [0]
    assert Person.objects.count() == 1


def test_what_nobody_holds_is_swept(organisation):
    r = Recorder(organisation, "1", "import", "results officer", "", None, None, True, "default")
    r.open()
    r.person("Somebody New")
    r.write()
    assert start().swept == 1
    assert (sweep(), Person.objects.count()) == (0, 0)


def test_an_older_database_forgets_again(organisation, address, tmp_path, monkeypatch):
    """Where a copy was put back by hand, without `arpad restore`."""
    monkeypatch.setenv("ARPAD_DATA", str(tmp_path / "data"))
    with recording(organisation, author="1", reason="Mina Quackelbeen asked for it") as r:
        mina, jop = r.person("Mina Quackelbeen"), r.person("Jop Twee")
        event = r.event("Cup", 739000)
        r.game(event, 739000, mina, jop, read_result("1-0"))
    erase(organisation, mina.key)
    assert start().erased == 0
    # as the copy had it
    marker = PersonName.objects.get(person=mina.key)
    marker.name, marker.salt = "Mina Quackelbeen", b"0" * 16
    marker.save()
    Text.objects.update(body="Mina Quackelbeen asked for it", salt=b"0" * 16, erased=False)
    assert start().erased == 1
    assert not PersonName.objects.filter(name__contains="Quackelbeen").exists()
    assert Text.objects.get().erased
    assert Game.objects.count() == 1 and not RawFile.objects.exists()
    assert start().erased == 0
    shutil.rmtree(tmp_path / "data")
