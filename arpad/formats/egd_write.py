"""Writes an EGD table: our own dialect, which reads back as the same table, and the export to the EGD."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from arpad.domain.dates import day_text
from arpad.domain.problems import FATAL, NOTE, WARNING, Problem, Refused
from arpad.domain.results import FORFEIT, GAME, PENDING
from arpad.formats.egd_table import NO_HANDICAP, Heading, Row, Table, TableGame, read_token
from arpad.formats.reading import Findings, clean

OWN = "own"  # reads back as the same table: `!` marks a forfeit
EGD = "egd"  # what the European Go Database takes
_TITLE = "; Pl Name                           Rk Co Club"
_LETTER = re.compile(r"LATIN (SMALL|CAPITAL) LETTER ([A-Z]{1,2})( WITH .*)?\Z")


def write(table: Table, dialect: str = OWN, encoding: str = "utf-8") -> bytes:
    """The table as bytes. Raises Refused where a letter has no place in `encoding` (utf-8, iso8859-15)."""
    cells = _cells(table, dialect)
    lines = [*_heading(table, dialect), ";", _TITLE]
    for index, row in enumerate(table.rows):
        tokens = [cells.get((index, round_), "0-") for round_ in range(1, table.rounds + 1)]
        lines.append(_line(index + 1, row, tokens, dialect))
    text = "\n".join(lines) + "\n"
    return text.encode("utf-8") if encoding == "utf-8" else _without_accents(text, encoding).encode(encoding)


def left_out(table: Table, file: str = "") -> list[Problem]:
    """What the export to the EGD cannot say, for the officer who sends it."""
    findings = Findings(file)
    for game in table.games:
        who = f"Round {game.round}, {table.rows[game.white].full_name} - {table.rows[game.black].full_name}"
        if game.result.kind == FORFEIT and game.result.first != game.result.second:
            findings.add("egd-forfeit-lost", NOTE, f"{who}: the forfeit is written as a free win.")
        elif game.result.kind != GAME:
            message = f"{who}: '{game.result}' is written as absent with half a point, for both."
            findings.add("egd-result-lost", WARNING, message, "Send the table again if there is a result.")
        elif not game.coloured:
            findings.add("colour-missing", NOTE, f"{who}: colours unknown.")
    return findings.listed()


def _heading(table: Table, dialect: str) -> Iterator[str]:
    heading: Heading = table.heading
    handicap = heading.handicap
    if dialect == EGD and handicap is None:
        handicap = 0 if any(game.stones for game in table.games) else NO_HANDICAP
    country = heading.country or ("XX" if dialect == EGD else "")
    dates = f"{day_text(heading.first)},{day_text(heading.last)}" if heading.last else ""
    values = [
        ("CL", heading.event_class),
        ("EV", heading.event),
        ("PC", f"{country},{heading.place}" if country or heading.place else ""),
        ("DT", dates),
        ("HA", "" if handicap is None else f"h{handicap}"),
        ("KM", heading.komi),
        ("TM", heading.minutes),
        *(("CM", remark) for remark in heading.remarks),
        ("TC", heading.code if dialect == OWN else ""),
    ]
    for key, value in values:
        if value or key == "CM":
            yield f"; {key}[{clean(value)}]"


def _line(number: int, row: Row, tokens: list[str], dialect: str) -> str:
    place = "" if row.shared else str(number)
    name = f"{_word(row.name, dialect)} {_word(row.first_name, dialect)}"
    club, criteria = row.club or "xxxx", row.criteria
    grade = row.grade or ("NC" if dialect == EGD else "?")
    if dialect == EGD:
        club = club[:4]
        club = "xxxx" if club.isdigit() else club
        criteria += ("0",) * (4 - len(criteria))
    line = f"{place:>4} {name:<30} {grade:>3} {row.country or 'XX'} {club:>4}"
    line += "".join(f" {criterion:>4}" for criterion in criteria) + "".join(
        f" {token:>8}" for token in tokens
    )
    return f"{line} |{row.pin}" if row.pin else line


def _word(name: str, dialect: str) -> str:
    """A name as one word; `_` alone where there is none."""
    if ";" in name or "|" in name:
        message = f"'{name}' has a semicolon or a bar, which this format reads as something else."
        raise Refused(Problem("egd-name-unwritable", FATAL, message, "Change the name."))
    plain = name.replace(",", " ") if dialect == EGD else name
    return "_".join(plain.split()) or "_"


def _cells(table: Table, dialect: str) -> dict[tuple[int, int], str]:
    """The token of each (row, round) that has a game or a bye."""
    cells = {(bye.row, bye.round): f"0{bye.sign}" for bye in table.byes}
    for game in table.games:
        points = {game.white: game.result.first, game.black: game.result.second}
        for own, other, colour in ((game.white, game.black, "w"), (game.black, game.white, "b")):
            cells[own, game.round] = _token(game, points[own], other + 1, colour, dialect)
    return cells


def _token(game: TableGame, points: int, opponent: int, colour: str, dialect: str) -> str:
    if dialect == EGD and game.result.kind != GAME:
        decided = game.result.kind == FORFEIT and game.result.first != game.result.second
        return ("0+" if points else "0-") if decided else "0="
    sign = "?" if game.result.kind == PENDING else "-=+"[points]
    mark = "!" if game.result.kind == FORFEIT else "/"
    tail = f"{colour if game.coloured else '?'}{game.stones}"
    if not game.coloured and dialect == OWN:
        tail = ""
        mark = mark.replace("/", "")
    token = f"{opponent}{sign}{mark}{tail}"
    assert read_token(token) is not None
    return token


def _without_accents(text: str, encoding: str) -> str:
    """Letters that `encoding` lacks lose their accents; never a question mark."""
    return "".join(_plain(letter, encoding) for letter in text)


def _plain(letter: str, encoding: str) -> str:
    for form in (letter, unicodedata.normalize("NFKD", letter)[:1]):
        try:
            form.encode(encoding)
        except UnicodeEncodeError:
            continue
        return form
    match = _LETTER.match(unicodedata.name(letter, ""))
    if match is None:
        message = f"'{letter}' cannot be written in {encoding}."
        raise Refused(Problem("text-not-encodable", FATAL, message, "Write UTF-8."))
    return match[2].lower() if match[1] == "SMALL" else match[2]
