"""players.csv (first ratings) and corrections.csv of the flat file."""

from __future__ import annotations

from typing import Any

from arpad.domain.dates import NO_DAY
from arpad.domain.play import Application
from arpad.domain.problems import FATAL, HELD, WARNING, Problem
from arpad.formats import cells, csvfile
from arpad.formats.cells import NOT_GIVEN, Bad
from arpad.formats.csvfile import Header, read_header, read_rows
from arpad.formats.reading import Findings, Reading, clean, has_invisible, lines_of
from arpad.ledger.ledger import fold
from arpad.ledger.sheet import Sheet

PLAYERS = "players.csv"
CORRECTIONS = "corrections.csv"
PLAYER_COLUMNS = (
    "player", "rating", "rank", "league", "percentage", "adjustment", "reason",
    "born", "games", "peak", "standard", "date",
)  # fmt: skip
CORRECTION_COLUMNS = ("date", "player", "rating", "reason")
REASON_LIMIT = 5 * cells.TEXT_LIMIT
MOST_GAMES = 1_000_000


def read_players(data: bytes, file: str = "", *, today: int) -> Reading:
    """Read players.csv into first ratings. Raises Refused, with all problems, where anything is wrong."""
    findings = Findings(file)
    lines = lines_of(data, findings)
    header = read_header(lines, {name: name for name in PLAYER_COLUMNS}, ("player",), findings)
    readers = {
        "player": cells.name,
        "rating": cells.points,
        "rank": cells.rank,
        "league": lambda text: cells.name(text, "league"),
        "percentage": cells.percentage,
        "adjustment": lambda text: cells.points(text, "adjustment"),
        "reason": lambda text: cells.name(text, "reason", REASON_LIMIT),
        "born": lambda text: cells.born(text, today),
        "games": _games,
        "peak": lambda text: cells.points(text, "peak"),
        "standard": lambda text: cells.points(text, "standard"),
        "date": lambda text: cells.date(text, today),
    }
    sheet = Sheet(file)
    table = _Table(lines, header, findings, readers)
    seen: dict[str, int] = {}
    for line, row in read_rows(lines, header, findings):
        found = table.values(row, line)
        if found is None or not table.named(found["player"], line):
            continue
        name = found["player"]
        if name in seen:
            message = f"{name} stands in line {seen[name]} already."
            table.bad("player", line, Bad("player-duplicate", message, "Keep one row for each player."))
            continue
        seen[name] = line
        if not table.one_start(found, line):
            continue
        sheet.player(name)
        sheet.first_rating(name, _application(found), found["date"], line)
    return _finish(sheet, seen, findings, PLAYERS)


def read_corrections(data: bytes, file: str = "", *, today: int) -> Reading:
    """Read corrections.csv. Raises Refused, with all problems, where anything is wrong."""
    findings = Findings(file)
    lines = lines_of(data, findings)
    needed = ("date", "player", "rating")
    header = read_header(lines, {name: name for name in CORRECTION_COLUMNS}, needed, findings)
    readers = {
        "date": lambda text: cells.date(text, today),
        "player": cells.name,
        "rating": cells.points,
        "reason": lambda text: cells.name(text, "reason", REASON_LIMIT),
    }
    sheet = Sheet(file)
    table = _Table(lines, header, findings, readers)
    seen: dict[str, int] = {}
    dated: dict[tuple[str, int], int] = {}
    for line, row in read_rows(lines, header, findings):
        found = table.values(row, line)
        if found is None or not table.named(found["player"], line):
            continue
        name, day = found["player"], found["date"]
        if day == NO_DAY:
            table.bad("date", line, Bad("date-missing", "There is no date.", "Give the first day.", FATAL))
        elif found["rating"] is None:
            table.bad(
                "rating", line, Bad("player-rating-shape", "There is no rating.", "Give the new rating.")
            )
        elif (name, day) in dated:
            message = f"{name} is corrected on that day in line {dated[name, day]} already."
            table.bad("player", line, Bad("correction-duplicate", message, "Keep one of the two."))
        else:
            dated[name, day] = line
            seen.setdefault(name, line)
            sheet.player(name)
            sheet.correction(name, day, found["rating"], found["reason"], line)
    return _finish(sheet, seen, findings, CORRECTIONS)


def together(games: Reading, players: Reading | None, corrections: Reading | None) -> list[Problem]:
    """What only the files together show: unknown players (held), names that nearly agree (warning)."""
    known = dict.fromkeys(games.sheet.players, games.sheet.file)
    folded = {fold(name): name for name in reversed(games.sheet.players)}
    problems: list[Problem] = []
    for reading in (players, corrections):
        if reading is None:
            continue
        findings = Findings(reading.sheet.file)
        lines = {fact.player: fact.line for fact in reversed(reading.sheet.corrections)}
        lines |= {fact.player: fact.line for fact in reversed(reading.sheet.first_ratings)}
        for name in reading.sheet.players:
            near = folded.setdefault(fold(name), name)
            line = max(lines.get(name, 1), 1)
            if name not in known and near != name:
                message = f"'{name}' is written '{near}' in {known.get(near) or 'another file'}."
                remedy = "If it is one person, write the name in one way."
                findings.add("player-similar-name", WARNING, message, remedy, line)
            if name not in known and reading is corrections:
                message = f"The correction names {name}, whom no other file knows."
                remedy = "Correct the name, or add the player to players.csv."
                findings.add("correction-player-unknown", HELD, message, remedy, line)
        if reading is players:
            known |= dict.fromkeys(reading.sheet.players, reading.sheet.file)
        problems += findings.listed()
    return problems


class _Table:
    """The cells of one file, each judged by the reader of its column."""

    def __init__(self, lines: list[str], header: Header, findings: Findings, readers: dict[str, Any]) -> None:
        self.lines, self.header, self.findings, self.readers = lines, header, findings, readers

    def values(self, row: list[str], line: int) -> dict[str, Any] | None:
        """The value of every column; None where one is wrong."""
        found, right = {}, True
        for column, reader in self.readers.items():
            index = self.header.at.get(column, -1)
            text = row[index] if index >= 0 else ""
            value = found[column] = reader(text)
            if isinstance(value, Bad):
                self.bad(column, line, value)
                right = False
            elif column == "player" and has_invisible(text):
                message = f"Invisible characters were removed from '{clean(text)}'."
                self.findings.add("text-control-char", WARNING, message, "", line, self.place(column, line))
        return found if right else None

    def named(self, name: str, line: int) -> bool:
        if not name:
            self.bad("player", line, Bad("player-name-missing", "There is no name.", "Give the name."))
        return bool(name)

    def one_start(self, found: dict[str, Any], line: int) -> bool:
        """A first rating comes from one of rating, rank and league, and a league goes with a percentage."""
        given = [column for column in ("rating", "rank", "league") if found[column] not in (None, "")]
        if len(given) > 1:
            message = f"{found['player']} has a {' and a '.join(given)}."
            bad = Bad("player-start-ambiguous", message, "Give one of rating, rank, league.")
            self.bad(given[1], line, bad)
            return False
        if (found["league"] == "") != (found["percentage"] is None):
            here, there = ("league", "percentage") if found["league"] else ("percentage", "league")
            message = f"{found['player']} has a {here} but no {there}."
            self.bad(here, line, Bad("player-league-half", message, f"Give the {there} too."))
            return False
        return True

    def bad(self, column: str, line: int, bad: Bad) -> None:
        self.findings.add(bad.code, bad.severity, bad.message, bad.remedy, line, self.place(column, line))

    def place(self, column: str, line: int) -> int:
        return csvfile.column(self.lines[line - 1], self.header.at.get(column, 0))


def _games(text: str) -> int | Bad:
    value = cells.integer(text, "number of games")
    if not isinstance(value, Bad) and value > MOST_GAMES:
        return Bad("number-shape", f"{value} rated games are above {MOST_GAMES}.", "Correct the number.")
    return value


def _application(found: dict[str, Any]) -> Application:
    rank = found["rank"]
    return Application(
        rating=found["rating"],
        rank=rank if isinstance(rank, int) else None,
        unclassified=rank == "NC",
        league=found["league"],
        percentage=found["percentage"],
        adjustment=found["adjustment"] or 0.0,
        reason=found["reason"],
        born=found["born"],
        games=0 if found["games"] == NOT_GIVEN else found["games"],
        peak=found["peak"],
        standard=found["standard"],
    )


def _finish(sheet: Sheet, seen: dict[str, int], findings: Findings, kind: str) -> Reading:
    folded: dict[str, str] = {}
    for name, line in seen.items():
        other = folded.setdefault(fold(name), name)
        if other != name:
            message = f"'{other}' and '{name}' differ only in case, accents or apostrophes."
            remedy = "If it is one person, write the name in one way."
            findings.add("player-similar-name", WARNING, message, remedy, line)
    findings.refuse_where(FATAL, HELD)
    return Reading(sheet, findings.listed(), kind)
