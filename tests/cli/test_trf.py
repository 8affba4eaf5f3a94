"""FIDE's reports on the command line: checked, converted to and from, told what they do not say."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.formats.helpers import FILES


@pytest.fixture
def report(folder: Path) -> Path:
    shutil.copy(FILES / "zomertoernooi.trf", folder / "zomer.trf")
    return folder


def test_check(arpad, report: Path) -> None:
    done = arpad("check", "zomer.trf", "--format", "json")
    assert done.status == 0
    found = json.loads(done.out)
    assert (found["format"], found["players"], found["games"], found["byes"]) == ("TRF", 5, 6, 3)
    assert "zomer.trf:15:70: player-birth-partial" in done.err


def test_a_fault_is_told_with_its_place(arpad, report: Path) -> None:
    text = (report / "zomer.trf").read_text("utf-8")
    (report / "zomer.trf").write_text(text.replace("   4 w 1", "  99 w 1"), "utf-8")
    done = arpad("check", "zomer.trf")
    assert done.status == 1
    assert "zomer.trf:14:92: player-missing: " in done.err


@pytest.mark.parametrize(
    ("ending", "records"), [("trf", "142"), ("trf26", "142"), ("trfx", "142"), ("trf16", "")]
)
def test_convert_to_both_dialects(arpad, report: Path, ending: str, records: str) -> None:
    done = arpad("convert", "zomer.trf", "--to", f"out.{ending}")
    assert (done.status, done.out) == (0, f"wrote out.{ending}: 6 games\n")
    data = (report / f"out.{ending}").read_bytes()
    assert (b"\r\n142 3\r\n" in data) == bool(records)
    assert ("trf-record-left-out" in done.err) != bool(records)
    assert arpad("convert", f"out.{ending}", "--to", "b.csv", "--force").status == 0
    assert arpad("convert", "zomer.trf", "--to", "a.csv", "--force").status == 0
    assert (report / "a.csv").read_bytes() == (report / "b.csv").read_bytes()


def test_another_format_to_a_report(arpad, folder: Path) -> None:
    assert arpad("convert", "spring.h9", "--to", "spring.trf").status == 0
    assert arpad("convert", "spring.h9", "--to", "a/games.csv").status == 0
    assert arpad("convert", "spring.trf", "--to", "b/games.csv").status == 0
    one, two = ((folder / name / "games.csv").read_text("utf-8").splitlines()[1:] for name in "ab")
    assert [line.replace(",A,", ",") for line in one] == two  # a report has no class


def test_a_report_holds_one_event(arpad, folder: Path) -> None:
    done = arpad("convert", "games.csv", "--to", "club.trf")
    assert done.status == 1
    assert "file-two-in-one" in done.err


def test_days_that_are_told(arpad, report: Path) -> None:
    lines = (report / "zomer.trf").read_text("utf-8").split("\n")
    text = "\n".join(line for line in lines if line[:3] not in ("042", "052", "132"))
    (report / "zomer.trf").write_text(text, "utf-8")
    assert "date-missing" in arpad("check", "zomer.trf").err
    assert arpad("convert", "zomer.trf", "--tell", "last-day=2026-05-30", "--to", "dated.trf").status == 0
    assert b"\r\n052 2026/05/30\r\n" in (report / "dated.trf").read_bytes()
