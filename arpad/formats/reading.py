"""What every reader returns, how it collects problems, and how bytes become lines of text."""

from __future__ import annotations

import datetime
import re
import unicodedata
from collections import Counter
from typing import NamedTuple, NoReturn

from arpad.domain.problems import FATAL, HELD, NOTE, WARNING, Problem, Refused
from arpad.ledger.sheet import Sheet

LISTED = 20  # problems of one code that are listed; the rest is counted
LINE_LIMIT = 2**20  # characters
_BOM8 = b"\xef\xbb\xbf"
_WIDE_BOMS = (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")
# Zero-width characters and bidirectional controls: invisible, and two names would differ by them alone.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\xad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]"
)
_LOST = re.compile(r"[?\s]*\?[?\s]*\Z")


class Reading(NamedTuple):
    """One file as it was understood. `detail` is the format's own picture of it, where it has one."""

    sheet: Sheet
    problems: list[Problem]
    format: str
    detail: object = None

    @property
    def games(self) -> int:
        """Games with two players: played, forfeited, pending and void ones."""
        return len(self.sheet.games) - self.byes

    @property
    def byes(self) -> int:
        return self.sheet.games.player2.count(-1)


class Findings:
    """Collects the problems of one file: the first 20 of a code are listed, the rest is counted."""

    def __init__(self, file: str = "") -> None:
        self.file = file
        self._found: list[Problem] = []
        self._counts: Counter[str] = Counter()
        self._beyond: dict[str, Problem] = {}
        self._severities: set[str] = set()

    def add(
        self, code: str, severity: str, message: str, remedy: str = "", line: int = 1, column: int = 1
    ) -> None:
        """Note one problem at its place; 1:1 stands for the whole file."""
        self._severities.add(severity)
        self._counts[code] += 1
        problem = Problem(code, severity, message, remedy, self.file, line, column)
        if self._counts[code] <= LISTED:
            self._found.append(problem)
        else:
            self._beyond.setdefault(code, problem)

    def full(self, code: str) -> bool:
        """One more of this code would only be counted: no need to work out its place or words."""
        return self._counts[code] >= LISTED

    def extend(self, problems: list[Problem]) -> None:
        """Take over the problems of another collection."""
        for problem in problems:
            self._severities.add(problem.severity)
            self._found.append(problem)

    def refuse(self) -> NoReturn:
        """Raise everything found so far."""
        raise Refused(self.listed())

    def refuse_where(self, *severities: str) -> None:
        """Raise everything found where a problem of one of these severities is among it."""
        if not self._severities.isdisjoint(severities):
            self.refuse()

    def listed(self) -> list[Problem]:
        """In the order of the file; the counts of what is not listed last."""
        found = sorted(self._found, key=lambda p: (p.line, p.column))
        for code, first in self._beyond.items():
            more = self._counts[code] - LISTED
            words = f"{more} more of this kind; the first of them: {first.message}"
            found.append(first._replace(message=words))
        return found


def today() -> int:
    """The present day by this machine's clock and time zone."""
    return datetime.datetime.now(tz=datetime.UTC).astimezone().date().toordinal()


# --- bytes to lines -------------------------------------------------------------------------------


def lines_of(data: bytes, findings: Findings, western: bool = False) -> list[str]:
    """The lines of a text file. Raises Refused where it is empty, binary, UTF-16 or overlong.

    UTF-8, else Windows-1252. `western`: files of go programs, ISO-8859-15 where no byte lies in
    0x80-0x9F. Lines end with CRLF, LF or CR, mixed too; vertical tab, form feed, U+0085 and U+2028
    are text.
    """
    refuse_what_is_no_text(data, findings)
    text = _decoded(data, findings, western)
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if not lines[-1]:
        lines.pop()
    for number, line in enumerate(lines, 1):
        if len(line) > LINE_LIMIT:
            message = f"The line has {len(line)} characters; {LINE_LIMIT} are the limit."
            findings.add("line-too-long", FATAL, message, "Export the file again.", number, LINE_LIMIT + 1)
            findings.refuse()
    _report_odd_text(text, lines, findings)
    return lines


def refuse_what_is_no_text(data: bytes, findings: Findings) -> None:
    """Raise Refused for an empty file, UTF-16, UTF-32, and NUL bytes."""
    if not data[:4096].strip(b"\xef\xbb\xbf \t\r\n") and not data.removeprefix(_BOM8).strip():
        findings.add("file-empty", FATAL, "The file is empty.", "Choose the file again.")
        findings.refuse()
    head = data[:256]
    wide = len(head) >= 4 and any(head) and (not any(head[::2]) or not any(head[1::2]))
    if data.startswith(_WIDE_BOMS) or wide:
        findings.add("text-utf16", FATAL, "The file is UTF-16 or UTF-32.", 'Save it as UTF-8 ("CSV UTF-8").')
        findings.refuse()
    at = data.find(b"\x00")
    if at >= 0:
        line, column = _place(data.decode("latin-1"), at)
        message = f"Byte {at} is NUL, so the file is no text."
        findings.add("file-binary", FATAL, message, "Export the file again as text.", line, column)
        findings.refuse()


def _decoded(data: bytes, findings: Findings, western: bool) -> str:
    data = data.removeprefix(_BOM8)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        at = error.start
    plain = western and not re.search(rb"[\x80-\x9f]", data)
    text = data.decode("iso8859-15" if plain else "cp1252", "replace")
    line, column = _place(text, at)
    shown = re.split(r"[\r\n]", text[:at])[-1] + re.split(r"[\r\n]", text[at:])[0]
    kind = "ISO-8859-15" if plain else "Windows-1252"
    message = f"The file is no UTF-8 and was read as {kind}; the first line that changed is: {_short(shown)}"
    findings.add("text-not-utf8", WARNING, message, "Check the accented names.", line, column)
    return text


def _place(text: str, at: int) -> tuple[int, int]:
    """Line and column, from 1, of the character at index `at`."""
    before = text[:at].replace("\r\n", "\n").replace("\r", "\n")
    return before.count("\n") + 1, len(before) - before.rfind("\n")


def _report_odd_text(text: str, lines: list[str], findings: Findings) -> None:
    if "\ufffd" in text:
        for number, line in enumerate(lines, 1):
            if "\ufffd" in line:
                message = f"Bytes that are no character: {_short(line)}"
                column = line.index("\ufffd") + 1
                findings.add("text-undecodable", WARNING, message, "Correct the name.", number, column)
    if "Ã" in text or "Â" in text:
        for number, line in enumerate(lines, 1):
            repaired = _repaired(line)
            if repaired:
                message = f"Accents are encoded twice: {_short(line)}"
                column = min(line.find(c) for c in "ÃÂ" if c in line) + 1
                remedy = f"It may have been: {_short(repaired)}"
                findings.add("text-mojibake", WARNING, message, remedy, number, column)


def _repaired(line: str) -> str:
    """A line whose UTF-8 was read as Windows-1252 and saved again, put right; "" where it was not."""
    if "Ã" not in line and "Â" not in line:
        return ""
    try:
        return line.encode("cp1252").decode("utf-8")
    except (UnicodeEncodeError, UnicodeDecodeError):
        return ""


def _short(text: str, limit: int = 80) -> str:
    text = " ".join(text.split())
    return text if len(text) <= limit else text[: limit - 3] + "..."


# --- names ----------------------------------------------------------------------------------------


def clean(text: str) -> str:
    """Text as it is kept: NFC, without invisible characters, single plain blanks.

    >>> clean("  Cafe\\u0301\\u00a0 Noir\\u200b ")
    'Café Noir'
    """
    if text.isascii() and text.isprintable():
        return text if "  " not in text and text == text.strip() else " ".join(text.split())
    return " ".join(unicodedata.normalize("NFC", _INVISIBLE.sub("", text)).split())


def has_invisible(text: str) -> bool:
    """Whether clean() drops characters that nobody sees."""
    return _INVISIBLE.search(text) is not None


def is_lost(name: str) -> bool:
    """A name of which only question marks are left.

    >>> is_lost("? ??"), is_lost("Ada ?"), is_lost("")
    (True, False, False)
    """
    return _LOST.match(name) is not None


__all__ = [
    "FATAL",
    "HELD",
    "LINE_LIMIT",
    "LISTED",
    "NOTE",
    "WARNING",
    "Findings",
    "Reading",
    "clean",
    "has_invisible",
    "is_lost",
    "lines_of",
    "refuse_what_is_no_text",
    "today",
]
