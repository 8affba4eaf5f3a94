"""The EGD tournament table (`.h0` ... `.h9`): read, written, and turned into a sheet and back.

docs/reference/formats/h9.md describes it. Choices: `_` in a name is a blank; persons are known by
`name first-name`; a name that is lost, or that an earlier row has, gets event and row number behind it,
so that two persons are never joined; class X (not for rating) becomes class D with unrated results.
"""

from __future__ import annotations

import re

from arpad.domain.dates import day_text
from arpad.domain.play import Application
from arpad.domain.problems import WARNING
from arpad.domain.ranks import rank_index
from arpad.domain.results import BYE, GAME, Result
from arpad.formats.egd_export import table_of
from arpad.formats.egd_heading import is_heading, read_heading
from arpad.formats.egd_pairs import pair
from arpad.formats.egd_rows import read_rows
from arpad.formats.egd_table import Heading, Table
from arpad.formats.egd_write import EGD, OWN, left_out, write
from arpad.formats.reading import Findings, Reading, clean, is_lost, lines_of
from arpad.formats.reading import today as today_
from arpad.ledger.columns import GameRow
from arpad.ledger.sheet import Sheet, SheetPerson

NAME = "EGD table"
FORMATS = (NAME,)
WHOLE = True
UNNAMED = "(unnamed tournament)"
_BYE_POINTS = {"+": 2, "=": 1, "-": 0}


def sniff(head: str, file: str = "") -> list[str]:
    """An EGD table has a heading of comment lines such as `; CL[A]`."""
    return [NAME] if any(is_heading(line) for line in re.split(r"[\r\n]+", head)) else []


def read(data: bytes, file: str = "", *, kind: str = "", today: int | None = None) -> Reading:
    """Read a table; `detail` of the reading is the Table. Raises Refused where anything is fatal."""
    findings = Findings(file)
    table = read_table(data, findings, today_() if today is None else today)
    sheet = sheet_of(table, file, findings)
    return Reading(sheet, findings.listed(), NAME, table)


def read_table(data: bytes, findings: Findings, today: int) -> Table:
    """The table alone. Raises Refused where anything is fatal."""
    lines = lines_of(data, findings, western=True)
    heading = read_heading(lines, findings, today)
    rows = read_rows(lines, findings)
    if not rows.rounds:
        findings.add("egd-round-count", WARNING, "Most rows have no result.", "Check the export.")
    pairs = pair(rows, heading.handicap, findings)
    return Table(heading, tuple(rows.rows), rows.rounds, tuple(pairs.games), tuple(pairs.byes))


# --- table to sheet ---------------------------------------------------------------------------------


def sheet_of(table: Table, file: str, findings: Findings) -> Sheet:
    """Players and what is told of them, first ratings from the grades, games and byes.

    All games get the last day of the event.
    """
    heading, sheet = table.heading, Sheet(file)
    names = _names(table, findings)
    for name, row in zip(names, table.rows, strict=True):
        told = SheetPerson(
            name, (("egd", row.pin),) if row.pin else (), federation=row.country, club=row.club,
            rank="" if row.grade == "NC" else row.grade, line=row.line,
        )  # fmt: skip
        sheet.person(told)
        if row.grade == "NC":
            sheet.first_rating(name, Application(unclassified=True), heading.first, row.line)
        elif row.grade:
            sheet.first_rating(name, Application(rank=rank_index(row.grade)), heading.first, row.line)
    unrated = heading.event_class == "X"
    event = sheet.event(_event_name(heading), heading.first, 0, "D" if unrated else heading.event_class)
    for game in table.games:
        meant = game.result._replace(unrated=unrated and game.result.kind == GAME)
        sheet.games.append(
            GameRow(
                game.white, game.black, event, heading.last, game.round,
                result=sheet.result(meant), stones=game.stones, line=game.line,
            )
        )  # fmt: skip
    for bye in table.byes:
        result = sheet.result(Result(BYE, _BYE_POINTS[bye.sign]))
        line = table.rows[bye.row].line
        sheet.games.append(GameRow(bye.row, -1, event, heading.last, bye.round, result=result, line=line))
    return sheet


def _event_name(heading: Heading) -> str:
    return heading.event or heading.place or UNNAMED


def _names(table: Table, findings: Findings) -> list[str]:
    """A name for each row, no two alike."""
    event = f"{_event_name(table.heading)} {day_text(table.heading.first)}"
    event = clean(event.replace("_", " ").replace(";", ",").replace("|", "/"))
    seen: dict[str, int] = {}
    names = []
    for number, row in enumerate(table.rows, 1):
        name = row.full_name
        lost = is_lost(name) or not name
        if not lost and name in seen:
            message = f"'{name}' stands in rows {seen[name]} and {number}; they are taken as two persons."
            remedy = "Confirm that they are two, or correct the table."
            findings.add("player-same-name", WARNING, message, remedy, row.line)
        if lost or name in seen:
            name = f"{name or '?'} ({event}, row {number})"
        seen[name] = number
        names.append(name)
    return names


__all__ = [
    "EGD",
    "FORMATS",
    "NAME",
    "OWN",
    "left_out",
    "read",
    "read_table",
    "sheet_of",
    "sniff",
    "table_of",
    "write",
]
