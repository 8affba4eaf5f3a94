"""One file in a process of its own: the same reading, and nothing that goes wrong there goes wrong here."""

from __future__ import annotations

import pickle
import sys
from pathlib import Path

import pytest

from arpad.formats import apart, registry
from arpad.formats.table import Detail
from tests.formats import hostile
from tests.formats.helpers import FILES


@pytest.mark.parametrize("file", ["autumn-cup.h9", "games.csv", "club-evening.csv", "members.csv"])
def test_the_same_reading(file: str) -> None:
    told = apart.read_apart(FILES / file, file)
    whole = registry.read((FILES / file).read_bytes(), file)
    assert told.reading is not None
    assert told.reading.sheet.digest() == whole.sheet.digest()
    assert told.problems == whole.problems
    if isinstance(whole.detail, Detail):
        assert told.reading.detail == whole.detail


def test_problems_and_answers_pass_through() -> None:
    refused = apart.read_apart(hostile.zipped({"a.zip": hostile.zipped({"b": b"x"})}), "up.zip")
    assert [(p.code, p.file) for p in refused.problems] == [("file-archive", "up.zip")]
    assert refused.reading is None
    columns = {"player1": "A", "player2": "B", "date": "Datum", "result": "Uitslag"}
    data = hostile.CSV.replace(b"Wit", b"A").replace(b"Zwart", b"B")
    told = apart.read_apart(data, "f", kind="CSV table", told=columns)
    assert told.reading is not None
    assert told.reading.games == 1


@pytest.mark.skipif(sys.platform != "linux", reason="limits of Linux")
def test_too_much_memory_or_time_is_a_problem() -> None:
    text = b"Datum;Wit;Zwart;Uitslag\n" + b"".join(b"1-1-2026;A%d;B%d;1-0\n" % (n, n) for n in range(300_000))
    little = apart.read_apart(text, "f", memory=2**24)
    assert [p.code for p in little.problems] == ["file-reader-failed"]
    slow = apart.read_apart(text, "f", seconds=1)
    assert [p.code for p in slow.problems] == ["file-reader-slow"]


@pytest.mark.skipif(sys.platform != "linux", reason="limits of Linux")
def test_no_network_no_environment_no_files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What code in the reader would see, by a format that tells."""
    monkeypatch.setenv("SECRET", "x")
    code = (
        "import os, socket, sys; sys.path.insert(0, {root!r}); from arpad.formats import apart\n"
        "guarded = apart._leave_the_network(); apart._limit(2**29, 5)\n"
        "def works(act):\n"
        "    try: act(); return True\n"
        "    except OSError: return False\n"
        "print(guarded, works(lambda: socket.create_connection(('127.0.0.1', 9), 1)),"
        " works(lambda: open({file!r}, 'wb', 0).write(b'x')))"
    ).format(root=str(Path(apart.__file__).parents[2]), file=str(tmp_path / "f"))
    import subprocess

    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=False)
    guarded, connected, wrote = (done.stdout.split() or ["", "False", "False"])[:3]
    assert connected == "False"
    assert wrote == "False"
    assert guarded in ("True", "False", "")


def test_an_answer_holds_nothing_but_a_sheet() -> None:
    class Evil:
        def __reduce__(self) -> tuple[object, ...]:
            return print, ("taken over",)

    for answer in (pickle.dumps((True, Evil(), [])), pickle.dumps("text"), b"", b"\x80\x04."):
        got = apart._answer(answer, "f")
        assert got.reading is None
        assert [problem.code for problem in got.problems] == ["file-reader-failed"]
