"""SwissPerfect's cross-table as text: read into a sheet.

docs/reference/formats/swissperfect.md describes it. A game stands in the rows of both players; the table
tells neither colours nor days. Player 1 is whoever has the lower number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from arpad.domain.problems import FATAL, HELD, NOTE, WARNING
from arpad.domain.results import BYE, FORFEIT, GAME, PENDING, Result
from arpad.formats.club_event import NOTHING, ROUNDS, TOLD, ClubEvent, ClubGame, Told
from arpad.formats.reading import Findings, Reading, clean, lines_of
from arpad.formats.reading import today as today_
from arpad.ledger.sheet import SheetPerson

NAME = "SwissPerfect table"
FORMATS = (NAME,)
WHOLE = True
PLAYERS = 10_000
_HEAD = re.compile(r"[ ]*No[ ]*\tName[ ]*(\t|\Z)")
_CELL = re.compile(r"([0-9]{0,5})[ ]*:[ ]*([WDL+=-]?)\Z")
_SAYS_RESULT = re.compile(r"[0-9]*[ ]*:")
_TITLES = {"GM", "IM", "FM", "CM", "WGM", "WIM", "WFM", "WCM"}
_HALVES = {"W": 2, "D": 1, "L": 0, "+": 2, "=": 1, "-": 0}
_PLAYED = "WDL"
_REMEDY = "Correct it in SwissPerfect, and export again."


class Cell(NamedTuple):
    """What one row says of a round: the opponent's number, 0 for nobody, and the code, "" for none."""

    opponent: int
    code: str
    column: int


class Row(NamedTuple):
    number: int
    line: int
    cells: dict[int, Cell]  # by round
    total: float | None


def sniff(head: str, file: str = "") -> list[str]:
    """The header begins with No and Name, between tabs, and rounds are numbered from 1."""
    first = next((line for line in head.split("\n") if line.strip()), "")
    numbered = re.search(r"\t[ ]*1[ ]*(\t|\Z)", first)
    return [NAME] if _HEAD.match(first) and numbered else []


def read(
    data: bytes, file: str = "", *, kind: str = "", today: int | None = None, told: Told = NOTHING
) -> Reading:
    """Read a table; days and name are asked for. Raises Refused where anything is fatal."""
    findings = Findings(file)
    lines = [(number, line) for number, line in enumerate(lines_of(data, findings), 1) if line.strip()]
    columns = _columns(*lines[0], findings)
    event = ClubEvent(file, told, findings, today_() if today is None else today)
    rows: dict[int, Row] = {}
    for line, text in lines[1:]:
        row = _row(text, line, columns, event)
        if row is not None:
            rows.setdefault(row.number, row)
    findings.refuse_where(FATAL)
    for row in rows.values():
        for round_, cell in row.cells.items():
            _take(row, round_, cell, rows, event)
        _compare(row, findings)
    sheet = event.close()
    if any(player >= 0 for player in sheet.games.player2):
        message = "The table tells no colours: player 1 is the one with the lower number."
        findings.add("colour-missing", NOTE, message, "", lines[0][0])
    return Reading(sheet, findings.listed(), NAME)


def _columns(line: int, header: str, findings: Findings) -> dict[str, int]:
    """Heading -> place among the cells; rounds by their number. Raises Refused."""
    found: dict[str, int] = {}
    for place, (text, column) in enumerate(_cells(header)):
        name = clean(text)
        if name and name in found:
            message = f"The heading '{name[:40]}' stands twice."
            findings.add("table-column-ambiguous", FATAL, message, _REMEDY, line, column)
        found.setdefault(name, place)
    rounds = sorted(int(name) for name in found if re.fullmatch(r"[1-9][0-9]{0,2}", name))
    missing = [name for name in ("No", "Name") if name not in found]
    missing += [f"round {number}" for number in range(1, len(rounds) + 1) if number not in rounds][:1]
    if missing or not rounds:
        message = f"The table has no column for {missing[0] if missing else 'round 1'}."
        findings.add("table-column-missing", FATAL, message, _REMEDY, line)
    findings.refuse_where(FATAL)
    return found


def _cells(line: str) -> Iterator[tuple[str, int]]:
    """The cells between tabs, without blanks around them, and the columns where they begin."""
    at = 1
    for text in line.split("\t"):
        told = text.strip()
        yield told, at + (len(text) - len(text.lstrip()) if told else 0)
        at += len(text) + 1


def _row(text: str, line: int, columns: Mapping[str, int], event: ClubEvent) -> Row | None:
    """One player, who is declared; None for what is no player."""
    cells = list(_cells(text))

    def cell(name: str) -> tuple[str, int]:
        place = columns.get(name, -1)
        return cells[place] if 0 <= place < len(cells) else ("", len(text) + 1)

    number, column = cell("No")
    if not re.fullmatch(r"[0-9]{1,5}", number) or not int(number) or len(event.players) >= PLAYERS:
        message = f"'{' '.join(text.split())[:60]}' is no row of a player."
        event.findings.add("club-row-unreadable", FATAL, message, _REMEDY, line, column)
        return None
    event.declare(str(int(number)), _person(line, event.findings, cell("Name")[0], {
        name: cell(name) for name in ("Feder", "Intl Id", "Loc Id", "Rtg", "Loc", "Title")
    }), cell("Name")[1])  # fmt: skip
    found = {}
    for name in columns:
        if name.isascii() and name.isdigit() and int(name) <= ROUNDS:
            what = _cell(*cell(name), line, event.findings)
            if what is not None:
                found[int(name)] = what
    total = cell("Total")[0].replace(",", ".").replace("½", ".5")
    points = float(total) if re.fullmatch(r"[0-9]{0,4}(\.[0-9]{0,2})?", total) and total.strip(".") else None
    return Row(int(number), line, dict(sorted(found.items())), points)


def _person(line: int, findings: Findings, name: str, told: Mapping[str, tuple[str, int]]) -> SheetPerson:
    ids = []
    for kind, field in (("fide", "Intl Id"), ("national", "Loc Id")):
        value = "".join(told[field][0].split())
        if not value.strip("0-"):
            continue
        if re.fullmatch(r"[0-9A-Za-z]{1,15}", value):
            ids.append((kind, value))
        else:
            message = f"'{value[:40]}' of {clean(name)[:60]} is no number of a federation, and is ignored."
            findings.add("player-id-shape", WARNING, message, "Correct it.", line, told[field][1])
    ratings = []
    for field in ("Loc", "Rtg"):  # the club's own before the international one
        value = told[field][0]
        if re.fullmatch(r"[0-9]{1,4}", value):
            ratings.append(float(value))
        elif value:
            message = f"'{value[:20]}' of {clean(name)[:60]} is no rating."
            findings.add("player-rating-shape", WARNING, message, "Correct it.", line, told[field][1])
    title = told["Title"][0].upper()
    if title and title not in _TITLES:
        message = f"'{title[:20]}' is no title, and is left out."
        findings.add("player-title-unknown", NOTE, message, "Write GM, WFM ...", line, told["Title"][1])
    return SheetPerson(
        name, tuple(ids), title=title if title in _TITLES else "", federation=clean(told["Feder"][0])[:30],
        rating=next((rating for rating in ratings if rating), None), line=line,
    )  # fmt: skip


def _cell(text: str, column: int, line: int, findings: Findings) -> Cell | None:
    """What stands in a cell; None where nothing does, or nothing that can be read."""
    if text in ("", ":"):
        return None
    match = _CELL.match(text)
    if match is None:
        message = f"'{text[:20]}' is no result of a round."
        findings.add("result-code-unknown", FATAL, message, "Write opponent:code, 12:W.", line, column)
        return None
    return Cell(int(match[1] or 0), match[2], column)


def _take(row: Row, round_: int, cell: Cell, rows: Mapping[int, Row], event: ClubEvent) -> None:
    """The game or bye of a cell. A game of two rows is taken once, with the lower number or the one half."""
    game = ClubGame(round_, 0, str(row.number), str(cell.opponent), Result(PENDING), row.line, cell.column)
    if not cell.opponent:
        if cell.code in ("W", "D", "L"):
            message = f"'{cell.code}' without an opponent is taken as a bye."
            event.findings.add("bye-code", WARNING, message, "Use + = -", row.line, cell.column)
        event.bye(game._replace(result=Result(BYE, _HALVES.get(cell.code, 0))))
        return
    if cell.opponent == row.number or cell.opponent not in rows:
        event.game(game)  # which refuses it
        return
    other = rows[cell.opponent]
    half = other.cells.get(round_)
    if half is None:
        message = (
            f"Row {other.number} has nothing for round {round_}; the game is taken from row {row.number}."
        )
        remedy = "Complete the other row."
        event.findings.add("game-one-sided", WARNING, message, remedy, row.line, cell.column)
    elif half.opponent != row.number:
        message = f"Row {row.number} names {other.number} in round {round_}, which names {half.opponent}."
        event.findings.add("game-not-mutual", HELD, message, "Correct one of the two.", row.line, cell.column)
        return
    elif other.number < row.number:
        return
    result = _result(cell.code, half.code if half else None)
    if result is None:
        shown = f"'{cell.code}' and '{half.code if half else ''}'"
        message = f"Rows {row.number} and {other.number} say {shown} of their game in round {round_}."
        remedy = "Correct one of the two."
        event.findings.add("game-contradiction", HELD, message, remedy, row.line, cell.column)
        return
    first, second = sorted((row.number, other.number))
    if first != row.number:
        result = Result(result.kind, result.second, result.first, unrated=result.unrated)
    event.game(game._replace(first=str(first), second=str(second), result=result))


def _result(code: str, other: str | None) -> Result | None:
    """The result of two halves, from the first one's side; None where they do not fit. None: no half."""
    if not code and not other:
        return Result(PENDING)
    if not code or other == "":
        return None
    points = _HALVES[code]
    if other is None:
        other = {2: "L", 1: "D", 0: "W"}[points] if code in _PLAYED else {2: "-", 1: "=", 0: "+"}[points]
    if (code in _PLAYED) != (other in _PLAYED):
        return None
    if code == other == "-":
        return Result(FORFEIT, 0, 0)
    if points + _HALVES[other] != 2:
        return None
    if code in _PLAYED:
        return Result(GAME, points, 2 - points)
    # points shared without a game stand in the standings, and are not rated
    return Result(GAME, 1, 1, unrated=True) if points == 1 else Result(FORFEIT, points, 2 - points)


def _compare(row: Row, findings: Findings) -> None:
    points = sum(_HALVES.get(cell.code, 0) for cell in row.cells.values()) / 2
    if row.total is not None and row.total != points:
        message = f"Row {row.number} has a total of {row.total:g}; its results give {points:g}."
        findings.add("points-differ", WARNING, message, "None: points are not rated.", row.line)


__all__ = ["FORMATS", "NAME", "TOLD", "read", "sniff"]
