"""Hostile files are refused in under a second with less than 50 MB, each with the code that says why."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import openpyxl
import pytest

from arpad.domain.problems import Refused
from arpad.formats import registry
from tests.formats import hostile
from tests.formats.helpers import TODAY, games, read, refused

MOST_SECONDS = 1.0  # of processor time
MOST_GROWTH = 50 * 2**10  # KB
MEASURE = """
import json, sys, time
from pathlib import Path
from arpad.formats import registry
from arpad.domain.problems import Refused

def memory(name):
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name))

found = {}
for path in [Path(sys.argv[1]) / "warm", *sorted(Path(sys.argv[1]).iterdir())]:
    data = path.read_bytes()
    Path("/proc/self/clear_refs").write_text("5")
    before, start, codes = memory("VmRSS"), time.process_time(), []
    try:
        registry.read(data, "hostile")
    except Refused as refused:
        codes = [problem.code for problem in refused.problems]
    found[path.name] = (codes, time.process_time() - start, memory("VmHWM") - before)
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[list[str], float, int]]:
    """Name -> codes, seconds and KB, measured one after another in a process of its own."""
    if not Path("/proc/self/clear_refs").exists():
        pytest.skip("memory is measured by Linux' /proc")
    folder = tmp_path_factory.mktemp("hostile")
    for name, (data, _) in hostile.files().items():
        (folder / name).write_bytes(data)
    (folder / "warm").write_bytes(hostile.xlsx(hostile.cell("A1")))  # imports what is needed
    command = [sys.executable, "-c", MEASURE, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: dict[str, tuple[list[str], float, int]] = json.loads(done.stdout)
    return found


CODES = {name: code for name, (_, code) in hostile.files().items()}


@pytest.mark.parametrize("name", sorted(CODES))
def test_hostile_files(measured: dict[str, tuple[list[str], float, int]], name: str) -> None:
    codes, seconds, growth = measured[name]
    assert codes[:1] == [CODES[name]]
    assert seconds < MOST_SECONDS
    assert growth < MOST_GROWTH


def test_what_is_only_odd_is_read() -> None:
    """Not everything unusual is hostile: side files of a Mac, empty rows up to the last one, styles."""
    packed = hostile.zipped({"__MACOSX/._a.csv": b"x", "a.csv": hostile.CSV, "sub/": b""})
    assert len(games(read(packed).sheet)) == 1
    book = openpyxl.Workbook()
    for row in (("Datum", "Wit", "Zwart", "Uitslag"), ("06-06-2026", "Ada", "Ren", "1-0")):
        book.active.append(row)
    book.active["XFD1048576"].font = openpyxl.styles.Font(bold=True)  # styled, and empty
    book.save(target := io.BytesIO())
    assert len(games(read(target.getvalue()).sheet)) == 1


def test_a_book_with_a_password() -> None:
    data = b"\xd0\xcf\x11\xe0" + b"\0" * 600 + "EncryptedPackage".encode("utf-16-le")
    assert [code for code, _, _ in refused(data)] == ["file-encrypted"]


def test_the_limit_is_counted_not_believed() -> None:
    """A limit that is given holds for what comes out."""
    data = hostile.zipped({"a.csv": hostile.CSV + hostile.CSV[-24:] * 99})
    assert len(games(read(data).sheet)) == 100
    with pytest.raises(Refused) as caught:
        registry.read(data, "f", today=TODAY, limit=1000)
    assert [problem.code for problem in caught.value.problems] == ["file-bomb"]
