"""Bytes to lines: encodings, line ends, what is no text."""

from __future__ import annotations

import pytest

from arpad.domain.problems import Refused
from arpad.formats.reading import LINE_LIMIT, Findings, clean, is_lost, lines_of
from tests.formats.helpers import found


def told(data: bytes, western: bool = False) -> tuple[list[str], list[tuple[str, int, int]]]:
    findings = Findings("f")
    lines = lines_of(data, findings, western)
    return lines, found(findings.listed())


def why(data: bytes) -> list[tuple[str, int, int]]:
    with pytest.raises(Refused) as caught:
        lines_of(data, Findings("f"))
    return found(caught.value.problems)


@pytest.mark.parametrize(
    "data", [b"a\nb\nc", b"a\r\nb\r\nc\r\n", b"a\rb\rc\r", b"a\r\nb\nc", b"\xef\xbb\xbfa\nb\rc"]
)
def test_three_lines_whatever_their_ends(data: bytes) -> None:
    assert told(data) == (["a", "b", "c"], [])


def test_other_separators_are_text() -> None:
    text = "a\x0bb\x0cc\x85d\u2028e"
    assert told(text.encode())[0] == [text]


def test_a_blank_line_counts() -> None:
    assert told(b"a\n\r\nb")[0] == ["a", "", "b"]


def test_windows_1252_is_told_with_its_place() -> None:
    data = b"ok\r\nJos\xe9 \x80 5"  # é and the euro sign
    assert told(data) == (["ok", "José € 5"], [("text-not-utf8", 2, 4)])


def test_files_of_go_programs_fall_back_to_iso_8859_15() -> None:
    assert told(b"\xa4 \xbd", western=True)[0] == ["€ œ"]
    assert told(b"\xa4 \xbd")[0] == ["¤ ½"]
    assert told(b"\x80 \xbd", western=True)[0] == ["€ ½"]  # 0x80 is a letter in Windows-1252 only


def test_a_byte_that_is_no_letter() -> None:
    assert told(b"a\x81b") == (["a\ufffdb"], [("text-not-utf8", 1, 2), ("text-undecodable", 1, 2)])


def test_accents_encoded_twice_are_told_and_left_alone() -> None:
    findings = Findings("f")
    twice = "plain\nZo" + "é".encode().decode("cp1252")
    assert lines_of(twice.encode(), findings) == ["plain", "ZoÃ©"]
    (problem,) = findings.listed()
    assert (problem.code, problem.line, problem.column) == ("text-mojibake", 2, 3)
    assert "Zoé" in problem.remedy


def test_a_capital_a_with_tilde_is_no_mojibake() -> None:
    assert told("SÃO PAULO, Â".encode())[1] == []


@pytest.mark.parametrize("data", [b"", b"  \r\n\t\n", b"\xef\xbb\xbf", b" " * 10_000])
def test_empty(data: bytes) -> None:
    assert why(data) == [("file-empty", 1, 1)]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le"])
def test_wide_encodings_are_named(encoding: str) -> None:
    assert why("date,white\n2024-01-01".encode(encoding)) == [("text-utf16", 1, 1)]


def test_a_nul_byte_has_a_place() -> None:
    assert why(b"one\r\ntwo\x00") == [("file-binary", 2, 4)]


def test_a_line_may_be_long_but_not_endless() -> None:
    assert told(b"x" * LINE_LIMIT)[1] == []
    assert why(b"a\n" + b"x" * (LINE_LIMIT + 1)) == [("line-too-long", 2, LINE_LIMIT + 1)]


def test_twenty_of_one_code_then_the_count() -> None:
    findings = Findings("f")
    for line in range(1, 48):
        findings.add("a-code", "warning", f"number {line}", "", line)
    listed = findings.listed()
    assert [p.line for p in listed] == [*range(1, 21), 21]
    assert listed[-1].message == "27 more of this kind; the first of them: number 21"


def test_clean() -> None:
    assert clean("  Cafe\u0301\u00a0 Noir\u200b\u202e ") == "Café Noir"
    assert clean("a\tb\u2028c") == "a b c"
    assert clean("D’Hondt `x` 't") == "D’Hondt `x` 't"


@pytest.mark.parametrize(("name", "lost"), [("? ??", True), ("?", True), ("", False), ("? Ann", False)])
def test_lost_names(name: str, lost: bool) -> None:
    assert is_lost(name) is lost
