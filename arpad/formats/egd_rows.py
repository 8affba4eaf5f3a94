"""The rows of an EGD table, read by words: place, name, grade, country, club, criteria, results."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from arpad.domain.problems import FATAL, HELD, NOTE, WARNING
from arpad.formats.cells import TEXT_LIMIT
from arpad.formats.egd_table import Half, Row, is_result_like, read_criterion, read_grade, read_token
from arpad.formats.reading import Findings, clean, has_invisible, is_lost

NAME_FIELD = 30  # characters that pairing programs give to name and first name
_CRITERION = re.compile(r"[0-9]+(\.[0-9]+|[?½])?\Z")
_COUNTRY = re.compile(r"[A-Z]{2}\Z")
_PIN = re.compile(r"[0-9]{8}\Z")


class Word(NamedTuple):
    text: str
    column: int  # from 1


class _Line(NamedTuple):
    number: int
    words: list[Word]
    results: int  # words of the result block, from the right
    pin: str


class Rows(NamedTuple):
    """Rows and their halves: halves[row][round - 1]; None where there is none or it cannot be read."""

    rows: list[Row]
    halves: list[list[Half | None]]
    rounds: int


def read_rows(lines: Sequence[str], findings: Findings) -> Rows:
    """Every row of the table, numbered by position. An unreadable one is fatal: it would shift the rest."""
    found = []
    for number, line in enumerate(lines, 1):
        text = line.partition(";")[0]
        if text.strip():
            found.append(_words(text, number, findings))
    if not found:
        findings.add("player-none", FATAL, "There is no row of a player.", "Check the export.")
        findings.refuse()
    counts = Counter(line.results for line in found)
    rounds = max(counts, key=lambda count: (counts[count], count))
    rows: list[Row] = []
    halves: list[list[Half | None]] = []
    for uncut in found:
        cut = _cut(uncut, rounds, findings)
        split = len(cut.words) - cut.results
        row = _row(cut, cut.words[:split], len(rows) + 1, findings)
        if row is not None:
            rows.append(row)
            halves.append(_halves(cut, cut.words[split:], rounds, findings))
    findings.refuse_where(FATAL)
    _report_ids(rows, findings)
    return Rows(rows, halves, rounds)


def _words(text: str, number: int, findings: Findings) -> _Line:
    body, bar, pin = text.rpartition("|")
    pin = pin.strip()
    if not bar or len(pin.split()) > 1:
        body, pin = text, ""
    elif not _PIN.match(pin):
        message = f"The PIN '{pin}' has not 8 digits and is ignored."
        findings.add("player-id-shape", WARNING, message, "Correct it.", number, len(body) + 1)
        pin = ""
    words = [Word(match[0], match.start() + 1) for match in re.finditer(r"\S+", body)]
    results = 0
    while results < len(words) and is_result_like(words[-1 - results].text):
        results += 1
    return _Line(number, words, results, pin)


def _cut(line: _Line, rounds: int, findings: Findings) -> _Line:
    """A row with more results than the others has criteria that look like one; with fewer, absences."""
    if line.results < rounds:
        message = (
            f"The row has {line.results} results, most rows have {rounds}; the last rounds count as absent."
        )
        remedy = "Complete the row."
        findings.add(
            "egd-round-count",
            WARNING,
            message,
            remedy,
            line.number,
            line.words[-1].column if line.words else 1,
        )
    elif line.results > rounds:
        extra = line.words[len(line.words) - line.results : len(line.words) - rounds]
        odd = next((word for word in extra if not _CRITERION.match(word.text)), None)
        if odd is not None:
            message = (
                f"The row has {line.results} results, most rows have {rounds}; '{odd.text}' is not used."
            )
            findings.add("egd-round-count", WARNING, message, "Check the row.", line.number, odd.column)
        line = line._replace(results=rounds)
    return line


def _row(line: _Line, words: list[Word], number: int, findings: Findings) -> Row | None:
    texts = [word.text for word in words]
    place = int(texts[0]) if texts and re.match(r"[0-9]{1,6}\Z", texts[0]) else 0
    rest = texts[1:] if place else texts
    at, grade, width = _grade(rest)
    if at < 0:
        shown = clean(" ".join(texts))[:60]
        message = f"'{shown}' is no row of a player: no grade follows a name."
        remedy = "Write place, name, first name, grade, country, club; begin a remark with a semicolon."
        findings.add(
            "egd-row-unreadable", FATAL, message, remedy, line.number, words[0].column if words else 1
        )
        return None
    if place and place != number:
        message = f"The printed place {place} differs from the row's number {number}, which is used."
        findings.add("egd-place-ignored", NOTE, message, "", line.number, words[0].column)
    column = words[at + bool(place)].column
    if not grade:
        message = f"'{rest[at]}' is no grade."
        findings.add("player-rank-shape", WARNING, message, "Write 5k, 2d, 3p or NC.", line.number, column)
    name, first_name = (clean(" ".join(part).replace("_", " ")) for part in (rest[:1], rest[1:at]))
    after = rest[at + width :]
    country = after.pop(0).upper() if after and re.match(r"[A-Za-z]{2}\Z", after[0]) else ""
    club = ""
    if after and not _CRITERION.match(after[0]):
        club = clean(after.pop(0))
        club = "" if club == "xxxx" or is_result_like(club) else club
    row = Row(
        name, first_name, grade, "" if country == "XX" else country, club,
        tuple(read_criterion(word) for word in after), line.pin, not place, line.number,
    )  # fmt: skip
    _report_name(row, rest[:at], line, words[bool(place)].column, findings)
    return row


def _grade(rest: list[str]) -> tuple[int, str, int]:
    """Where the grade stands, the grade, and its number of words; -1 where no row of a player is meant.

    It follows two words of a name, as a rule. Before it is looked for after a single one, the word in its
    place is taken as an unreadable grade if a country follows.
    """
    for at in (2, 3, 4, 5, -1, 1):
        if at < 0 and len(rest) > 3 and _COUNTRY.match(rest[3]) and not _COUNTRY.match(rest[2]):
            return 2, "", 1
        for width in (1, 2):  # "12K" or "12 K"
            grade = read_grade("".join(rest[at : at + width])) if 0 <= at <= len(rest) - width else ""
            if grade and (width == 1 or rest[at].isdigit()):
                return at, grade, width
    return -1, "", 0


def _report_name(row: Row, words: list[str], line: _Line, column: int, findings: Findings) -> None:
    full = row.full_name
    if len(full) > TEXT_LIMIT:
        message = f"The name has {len(full)} characters; {TEXT_LIMIT} are the limit."
        findings.add("cell-too-long", FATAL, message, "Shorten it.", line.number, column)
    if is_lost(full) or not full:
        message = f"The name is lost: '{full}'."
        findings.add("text-name-lost", WARNING, message, "Enter the name.", line.number, column)
    elif len(words) != 2:
        message = f"The name has {len(words)} words: '{' '.join(words)}'."
        remedy = "Join the parts of a name with _: van_der_Berg Jan."
        findings.add("egd-name-shape", WARNING, message, remedy, line.number, column)
    elif len(" ".join(words)) == NAME_FIELD:
        message = f"The name fills its {NAME_FIELD} characters and may be cut: '{full}'."
        findings.add("player-name-cut", NOTE, message, "Complete it.", line.number, column)
    if any(has_invisible(word) for word in words):
        message = f"Invisible characters were removed from '{full}'."
        findings.add("text-control-char", WARNING, message, "", line.number, column)


def _halves(line: _Line, words: list[Word], rounds: int, findings: Findings) -> list[Half | None]:
    halves: list[Half | None] = []
    for word in words:
        half = read_token(word.text, line.number, word.column)
        if half is None:
            message = f"'{word.text}' is no result."
            remedy = "Write opponent's row, sign, colour and stones: 12+/w0."
            findings.add("result-code-unknown", HELD, message, remedy, line.number, word.column)
        halves.append(half)
    return halves + [None] * (rounds - len(halves))


def _report_ids(rows: list[Row], findings: Findings) -> None:
    """A PIN that two rows carry identifies nobody: both lose it."""
    counts = Counter(row.pin for row in rows if row.pin)
    for index, row in enumerate(rows):
        if counts[row.pin] > 1:
            message = f"{counts[row.pin]} rows carry the PIN {row.pin}; it is not used."
            findings.add("player-same-id", HELD, message, "Correct one of them.", row.line)
            rows[index] = row._replace(pin="")
