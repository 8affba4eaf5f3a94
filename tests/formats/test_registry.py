"""The format of a file is found by its content; what is known but not read is refused by name."""

from __future__ import annotations

import gzip
import importlib
import io
import os
import pkgutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import zstandard

import arpad.formats
from arpad.domain.problems import Refused
from arpad.formats import registry
from tests.formats.helpers import FILES, TODAY, found, games, read, refused

FORMAT_OF = {
    "autumn-cup.h9": "EGD table", "old-style.h9": "EGD table", "lost-names.h9": "EGD table",
    "games.csv": "games.csv", "matches.csv": "games.csv", "players.csv": "players.csv",
    "corrections.csv": "corrections.csv", "winter-cup.tou": "FFG table",
    "club-evening.csv": "CSV table", "members.csv": "CSV table",
    "spring-cup.tour": "Pairgoth", "lindenhof-open.xml": "MacMahon XML", "lindenhof-day.xml": "OpenGotha XML",
    "lindenhof-report.txt": "AGA report", "egd-list.html": "EGD player list",
    "zomertoernooi.trf": "TRF", "vierkampf.trf": "TRF", "meesterkamp.trf": "TRF",
    "fide-list.txt": "FIDE list", "fide-combined.txt": "FIDE list", "fide-list.xml": "FIDE list XML",
    "winter-keizer.s3db": "KeizerForClubs", "herfst-crosstable.txt": "SwissPerfect table",
    "zomer-challonge.json": "Challonge",
    "lindenhof-avond.pgn": "PGN", "ech_ffg.txt": "FFG player list", "TDListA.txt": "AGA member list",
}  # fmt: skip

TOLD = {
    "lindenhof-open.xml": {"last-day": "2026-04-05", "first-point": "black"},
    "winter-keizer.s3db": {"days": "2026-01-06", "every": "7"},
    "herfst-crosstable.txt": {"days": "2026-10-03"},
}  # fmt: skip


def test_every_module_that_is_a_format_is_named() -> None:
    names = [info.name for info in pkgutil.iter_modules(arpad.formats.__path__)]
    modules = {name: importlib.import_module(f"arpad.formats.{name}") for name in names}
    parts = {name for name in names if any(name.startswith(f"{module}_") for module in registry.MODULES)}
    formats = {
        name for name, module in modules.items() if hasattr(module, "sniff") and hasattr(module, "FORMATS")
    }
    assert formats - parts - {"registry"} == set(registry.MODULES)


@pytest.mark.parametrize("file", FORMAT_OF)
@pytest.mark.parametrize("change", ["as it is", "BOM", "CR", "blank lines first"])
def test_found_by_content_not_by_name(file: str, change: str) -> None:
    data = (FILES / file).read_bytes()
    if b"\0" in data:
        change = "none: it is no text"
    if change == "BOM" and b"\xe9" not in data.replace(b"\xc3\xa9", b""):
        data = b"\xef\xbb\xbf" + data
    elif change == "CR":
        data = data.replace(b"\r\n", b"\n").replace(b"\n", b"\r")
    elif change == "blank lines first":
        data = b"\r\n\n" + data
    name = file if file in ("players.csv", "corrections.csv") else "upload.xyz"
    assert registry.sniff(data, name) == [FORMAT_OF[file]]
    told = TOLD.get(file)
    assert registry.read(data, name, today=TODAY, told=told).format == FORMAT_OF[file]


def test_every_sample_file_is_named_here() -> None:
    assert set(FORMAT_OF) == {path.name for path in FILES.iterdir()}


@pytest.mark.parametrize("name", ["players.csv", "My Players 2025.csv"])
def test_a_name_breaks_a_tie(name: str) -> None:
    data = b"player,rating,date\nA,1500,2025-01-01\n"
    assert read(data, file=name).format == "players.csv"
    assert read(data, file="corrections.csv").format == "corrections.csv"
    assert refused(data, file="list.csv") == [("file-ambiguous-format", 1, 1)]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ("<html>", "HTML"),
        ('[{"game": {}}]', "JSON"),
        ("Dear sir, I enclose", "none of the known formats"),
        ("place,club\nA,B\n", "none of the known formats"),
    ],
)
def test_unknown_formats_are_refused_by_name(data: str, words: str) -> None:
    with pytest.raises(Refused) as caught:
        read(data)
    (problem,) = caught.value.problems
    assert (problem.code, problem.line, problem.column) == ("file-unknown-format", 1, 1)
    assert words in problem.message
    assert problem.remedy


@pytest.mark.parametrize(
    "data",
    [b"SQLite format 3\x00xx", b"\xd0\xcf\x11\xe0xx", b"Rar!\x1a\x07xx", b"7z\xbc\xaf\x27\x1cxx",
             b"\x93\xff\x89\x44xx", b"\x00\x01\x00\x00Standard Jet DB", b"date,white\x00,black"],
)  # fmt: skip
def test_binary_files(data: bytes) -> None:
    assert [code for code, _, _ in refused(data)] == ["file-binary"]


@pytest.mark.parametrize("data", [b"PK\x03\x04xx", b"\x28\xb5\x2f\xfdxx", b"\x1f\x8bxx", b"BZh9xx"])
def test_damaged_archives(data: bytes) -> None:
    assert [code for code, _, _ in refused(data)] == ["file-truncated"]
    assert registry.sniff(data) == []


@pytest.mark.parametrize("file", ["games.csv", "old-style.h9"])
def test_packed_files_are_read(file: str) -> None:
    data = (FILES / file).read_bytes()
    for packed in (gzip.compress(data), zstandard.compress(data), zipped({f"x/{file}": data})):
        assert registry.sniff(packed) == [FORMAT_OF[file]]
        assert games(read(packed).sheet) == games(read(data).sheet)


def zipped(files: dict[str, bytes]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return target.getvalue()


def test_empty_and_wide() -> None:
    assert refused(b"") == [("file-empty", 1, 1)]
    assert refused("date,white,black,result\n".encode("utf-16")) == [("text-utf16", 1, 1)]


def test_limits(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    path.write_bytes((FILES / "games.csv").read_bytes())
    assert registry.read(path, today=TODAY).games == 6
    with pytest.raises(Refused) as caught:
        registry.read(path, today=TODAY, limit=100)
    assert found(caught.value.problems) == [("file-too-large", 1, 1)]
    monkeypatch.setattr(registry, "LIMIT", 100)
    assert registry.read(path, today=TODAY).games == 6  # games.csv has a limit of its own
    assert refused((FILES / "old-style.h9").read_bytes()) == [("file-too-large", 1, 1)]


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    for path in (tmp_path / "nothing.csv", tmp_path):
        with pytest.raises(Refused) as caught:
            registry.read(path)
        (problem,) = caught.value.problems
        assert (problem.code, problem.file, problem.line) == ("file-unreadable", str(path), 1)


def test_an_unknown_kind() -> None:
    assert refused("date,white,black,result\n", "games.xlsx") == [("file-unknown-format", 1, 1)]


def test_reading_a_small_file_imports_no_data_frames_and_no_compiler() -> None:
    code = (
        "import sys; from arpad.formats import registry; registry.read(sys.argv[1]);"
        "print([m for m in ('numpy', 'numba', 'polars', 'django', 'typer') if m in sys.modules])"
    )
    for file in ("games.csv", "autumn-cup.h9"):
        command = [sys.executable, "-c", code, str(FILES / file)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert done.stdout.strip() == "[]"


def test_a_pipe_is_read_once_and_one_without_a_writer_is_empty(tmp_path):
    games = b"date,player1,player2,result\n2024-01-01,Ann,Ben,1-0\n"
    pipe = tmp_path / "pipe.csv"
    os.mkfifo(pipe)
    with pytest.raises(Refused) as refused:
        registry.read(pipe, today=TODAY)
    assert [problem.code for problem in refused.value.problems] == ["file-empty"]
    ours, theirs = os.pipe()
    os.write(theirs, games)
    os.close(theirs)
    try:
        assert len(registry.read(f"/dev/fd/{ours}", today=TODAY).sheet.games) == 1
    finally:
        os.close(ours)
