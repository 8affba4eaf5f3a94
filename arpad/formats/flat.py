"""The flat file: games.csv, players.csv and corrections.csv. Taken whole or not at all.

docs/reference/flat-file.md describes every column. This module finds out which of the three
a file is and reads and writes games.csv; flat_people has the other two.
"""

from __future__ import annotations

from arpad.domain.problems import FATAL, HELD
from arpad.formats import csvfile
from arpad.formats.csvfile import read_header
from arpad.formats.flat_people import (
    CORRECTION_COLUMNS,
    CORRECTIONS,
    PLAYER_COLUMNS,
    PLAYERS,
    read_corrections,
    read_players,
    together,
)
from arpad.formats.flat_rows import COLUMNS, HEADINGS, NEEDED, read_draft
from arpad.formats.flat_write import write_corrections, write_games, write_players
from arpad.formats.reading import Findings, Reading, lines_of
from arpad.formats.reading import today as today_

GAMES = "games.csv"
FORMATS = (GAMES, PLAYERS, CORRECTIONS)
LIMITS = {GAMES: 2**31}  # bytes of games.csv from the command line
FAST_FROM = 20 * 2**20  # bytes from which games.csv is read with a data-frame library
_PEOPLE = {*PLAYER_COLUMNS, *CORRECTION_COLUMNS}


def sniff(head: str, file: str = "") -> list[str]:
    """Which of the three files this may be, by its header."""
    headings = _headings(head)
    columns = {HEADINGS[heading] for heading in headings if heading in HEADINGS}
    if "player" not in headings:
        return [GAMES] if len(columns) >= 2 else []
    people = headings & _PEOPLE
    if len(people) < 2:
        return []
    if people <= {"date", "player", "rating", "reason"} and {"date", "player", "rating"} <= people:
        lower = file.lower()
        both = [CORRECTIONS, PLAYERS]
        named = [kind for kind, word in ((CORRECTIONS, "correct"), (PLAYERS, "player")) if word in lower]
        return named if len(named) == 1 else both
    return [PLAYERS]


def is_whole(head: str) -> bool:
    """Whether all columns are there that games.csv cannot do without."""
    return {HEADINGS.get(heading) for heading in _headings(head)} >= set(NEEDED)


def _headings(head: str) -> set[str]:
    line = next((line for line in head.splitlines() if line.strip(" \t,;")), "")
    found = csvfile.split(line)
    return {csvfile.normal(cell) for cell in (line.split(",") if isinstance(found, int) else found)}


def read(data: bytes, file: str = "", *, kind: str = "", today: int | None = None) -> Reading:
    """Read one of the three files. Raises Refused, with all problems, where anything is fatal or held."""
    day = today_() if today is None else today
    if not kind:
        found = sniff(data[:4096].decode("utf-8", "replace").lstrip("\ufeff"), file)
        kind = found[0] if len(found) == 1 else GAMES
    if kind == PLAYERS:
        return read_players(data, file, today=day)
    if kind == CORRECTIONS:
        return read_corrections(data, file, today=day)
    return read_games(data, file, today=day)


def read_games(data: bytes, file: str = "", *, today: int, fast_from: int | None = None) -> Reading:
    """Read games.csv: a large file by columns, and anything unusual row by row."""
    findings = Findings(file)
    if len(data) >= (FAST_FROM if fast_from is None else fast_from):
        from arpad.formats.flat_fast import read_columns

        fast = read_columns(data, file, today)
        if fast is not None:
            draft, findings = fast
            return Reading(draft.finish(findings), findings.listed(), GAMES)
    lines = lines_of(data, findings)
    header = read_header(lines, HEADINGS, NEEDED, findings)
    draft = read_draft(lines, header, findings, today)
    sheet = draft.finish(findings)
    findings.refuse_where(FATAL, HELD)
    if not len(sheet.games):
        findings.add("table-no-rows", FATAL, "There is no game below the header.", "Choose the file again.")
        findings.refuse()
    return Reading(sheet, findings.listed(), GAMES)


__all__ = [
    "COLUMNS",
    "CORRECTIONS",
    "FORMATS",
    "GAMES",
    "PLAYERS",
    "read",
    "read_games",
    "sniff",
    "together",
    "write_corrections",
    "write_games",
    "write_players",
]
