"""A club's own CSV, read with a mapping that somebody gave: field -> heading of its column.

    read(data, "matches.csv", {"date": "timestamp", "player1": "Player 1", "player2": "Player 2",
                               "winner": "Winner"})

Never guessed: a table without a mapping is no format. A row that is not understood is held back and told,
and keeps its place; equal rows are games of their own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from arpad.domain.problems import FATAL, HELD, NOTE
from arpad.domain.results import GAME, Result
from arpad.formats import cells
from arpad.formats.cells import Bad
from arpad.formats.csvfile import Header, column, normal, read_rows, split
from arpad.formats.reading import Findings, Reading, lines_of
from arpad.formats.reading import today as today_
from arpad.ledger.columns import GameRow
from arpad.ledger.ledger import fold
from arpad.ledger.sheet import Sheet

NAME = "mapped CSV"
FIELDS = ("date", "player1", "player2", "result", "winner", "event", "class", "round", "board")
NEEDED = ("date", "player1", "player2")


class _Row(NamedTuple):
    """One row with its place, cells by field."""

    number: int
    line: str
    at: Mapping[str, int]
    cells: Sequence[str]

    def text(self, field: str) -> str:
        return self.cells[self.at[field]] if field in self.at else ""

    def column(self, field: str) -> int:
        return column(self.line, self.at[field]) if field in self.at else 1


def read(
    data: bytes, file: str, mapping: Mapping[str, str], *, winners: Mapping[str, str] | None = None,
    today: int | None = None,
) -> Reading:  # fmt: skip
    """Read the table. Raises Refused where the mapping does not fit it.

    winners  how a winner is misspelt -> the player's name in the columns of players
    """
    findings = Findings(file)
    lines = lines_of(data, findings)
    header = _header(lines, mapping, findings)
    table = _Table(Sheet(file), findings, today_() if today is None else today, winners or {})
    for number, row in read_rows(lines, header, findings):
        table.take(_Row(number, lines[number - 1], header.at, row))
    if not len(table.sheet.games):
        findings.add("table-no-rows", FATAL, "No row was understood as a game.", "Check the mapping.")
        findings.refuse()
    return Reading(table.sheet, findings.listed(), NAME)


def _header(lines: Sequence[str], mapping: Mapping[str, str], findings: Findings) -> Header:
    first = next((number for number, line in enumerate(lines, 1) if line.strip(" \t,")), 1)
    found = split(lines[first - 1]) if lines else []
    headings = [] if isinstance(found, int) else [normal(cell) for cell in found]
    at = {}
    for field, heading in mapping.items():
        if field not in FIELDS:
            message = f"'{field}' is no field."
            findings.add("mapping-field", FATAL, message, f"Use one of {', '.join(FIELDS)}.")
        elif headings.count(normal(heading)) != 1:
            message = f"There is not one column '{heading}' for {field}."
            findings.add("table-column-missing", FATAL, message, f"There is {', '.join(headings)}.", first)
        else:
            at[field] = headings.index(normal(heading))
    missing = [field for field in NEEDED if field not in mapping]
    if not {"result", "winner"} & set(mapping):
        missing.append("result or winner")
    if missing:
        message = f"The mapping lacks {', '.join(missing)}."
        findings.add("mapping-field", FATAL, message, "Give the headings of these columns.")
    findings.refuse_where(FATAL)
    return Header(first, at, len(headings))


class _Table:
    """Takes rows one by one."""

    def __init__(self, sheet: Sheet, findings: Findings, today: int, winners: Mapping[str, str]) -> None:
        self.sheet, self.findings, self.today = sheet, findings, today
        self.winners = {fold(spelling): fold(name) for spelling, name in winners.items()}
        self.seen: set[tuple[object, ...]] = set()

    def take(self, row: _Row) -> None:
        """Add the row's game, or say why not."""
        day = self._number(row, "date", cells.date(row.text("date"), self.today))
        names = [self._text(row, field, cells.name(row.text(field))) for field in ("player1", "player2")]
        event = self._text(row, "event", cells.name(row.text("event"), "event"))
        event_class = self._text(row, "class", cells.name(row.text("class"), "class"))
        numbers = [self._number(row, f, cells.integer(row.text(f), f)) for f in ("round", "board")]
        given = [name for name in names if name is not None]
        places = [max(number, 0) for number in numbers if number is not None]
        if day is None or event is None or event_class is None or len(given) + len(places) < 4:
            return
        result = self._result(row, given) if self._whole(row, day, given) else None
        if result is not None:
            self._append(row, day, given, event, event_class, result, places)

    def _whole(self, row: _Row, day: int, names: list[str]) -> bool:
        if not day:
            self._hold(row, "date", Bad("date-missing", "There is no date.", "Give the day of the game."))
        elif not all(names):
            field = "player1" if not names[0] else "player2"
            bad = Bad("player-name-missing", f"There is no name in {field}.", "Give the name.")
            self._hold(row, field, bad)
        elif names[0] == names[1]:
            bad = Bad("game-self", f"{names[0]} plays against the same person.", "Correct one of the names.")
            self._hold(row, "player2", bad)
        else:
            return True
        return False

    def _append(
        self, row: _Row, day: int, names: list[str], event: str, event_class: str, result: Result,
        numbers: list[int],
    ) -> None:  # fmt: skip
        sheet = self.sheet
        where = sheet.event(event, 0 if event else day, 0, event_class)
        content = (day, *names, event, result, *numbers)
        if content in self.seen:
            message = f"{names[0]} - {names[1]} is equal to an earlier row: a game of its own."
            remedy = "Remove it if it is a repeat."
            self.findings.add("game-equal-row", NOTE, message, remedy, row.number)
        self.seen.add(content)
        # where neither round nor board is given, the row's place is content
        sequence = 0 if any(numbers) else row.number - 1
        players = [sheet.player(name) for name in names]
        sheet.games.append(
            GameRow(
                players[0], players[1], where, day, numbers[0], numbers[1], sequence, sheet.result(result),
                line=row.number,
            )
        )  # fmt: skip

    def _result(self, row: _Row, names: list[str]) -> Result | None:
        """From the column result; else from the winner, who must be spelt like one of the two."""
        result: Result | None = None
        if row.text("result").strip():
            told = cells.result(row.text("result"), 0)
            if isinstance(told, Bad):
                self._hold(row, "result", told)
                return None
            result = told
        winner = fold(row.text("winner"))
        winner = self.winners.get(winner, winner)
        if not winner:
            if result is None:
                bad = Bad("result-unreadable", "There is neither result nor winner.", "Give one of them.")
                self._hold(row, "winner" if "winner" in row.at else "result", bad)
            return result
        sides = [fold(name) for name in names]
        if winner not in sides or sides[0] == sides[1]:
            message = f"The winner '{row.text('winner').strip()}' is neither {names[0]} nor {names[1]}."
            self._hold(row, "winner", Bad("winner-not-a-player", message, "Say who it is with --winner."))
            return None
        if result is None:
            return Result(GAME, 2, 0) if winner == sides[0] else Result(GAME, 0, 2)
        if (result.first > result.second) != (winner == sides[0]) or result.first == result.second:
            message = f"The result {result} contradicts the winner {row.text('winner').strip()}."
            self._hold(row, "winner", Bad("winner-contradicts", message, "Say which of the two holds."))
            return None
        return result

    def _number(self, row: _Row, field: str, value: int | Bad) -> int | None:
        """A cell's number; None where it was bad, and is told."""
        if isinstance(value, Bad):
            self._hold(row, field, value)
            return None
        return value

    def _text(self, row: _Row, field: str, value: str | Bad) -> str | None:
        if isinstance(value, Bad):
            self._hold(row, field, value)
            return None
        return value

    def _hold(self, row: _Row, field: str, bad: Bad) -> None:
        self.findings.add(bad.code, HELD, bad.message, bad.remedy, row.number, row.column(field))


__all__ = ["FIELDS", "NAME", "read"]
