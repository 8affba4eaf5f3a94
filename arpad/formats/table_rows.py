"""The rows of one sheet become games. A row that is not understood is held back and told."""

from __future__ import annotations

import re
from collections.abc import Sequence

from arpad.domain.dates import read_day
from arpad.domain.problems import HELD, NOTE, WARNING
from arpad.domain.results import BYE, FORFEIT, GAME, PENDING, Result
from arpad.formats import cells
from arpad.formats.cells import Bad
from arpad.formats.reading import Findings, clean
from arpad.formats.spreadsheet import unescaped
from arpad.formats.table_cells import is_bye, is_dated
from arpad.formats.table_dates import date, wrong_weekday
from arpad.formats.table_grid import Cell, Grid, text_of
from arpad.formats.table_header import Layout
from arpad.formats.table_map import Mapping
from arpad.formats.table_score import Scores, Style, Wrong
from arpad.formats.table_words import of_games, plain
from arpad.ledger.columns import NO_WEIGHT, GameRow
from arpad.ledger.ledger import fold
from arpad.ledger.sheet import Sheet, SheetPerson

_TOTALS = {"totaal", "total", "totals", "totaux", "gesamt", "summe", "sum", "som"}
# marks behind a name: reserve, captain, a class, a move between teams
_MARKER = re.compile(r"(?:\s*[*^]|\s+\((?:[A-Za-z0-9]{1,3}|[0-9]->[0-9])\))+$")
_NUMBER = re.compile(r"(?:[^0-9]*\s|[^0-9\s]{0,2})?([0-9]{1,6})\.?$")
_PAIR = re.compile(r"\S\s+[/&+]\s+\S")
_UNKNOWN = {"onbekend", "unknown", "inconnu", "unbekannt", "?"}


class Rows:
    """Takes the rows of one sheet."""

    def __init__(
        self, grid: Grid, mapping: Mapping, layout: Layout, sheet: Sheet, findings: Findings, today: int
    ) -> None:  # fmt: skip
        self.grid, self.mapping, self.layout = grid, mapping, layout
        self.sheet, self.findings, self.today = sheet, findings, today
        winners = {fold(spelling): fold(name) for spelling, name in mapping.winners.items()}
        style = Style(mapping.results, mapping.letters, mapping.became_dates, winners)
        self.fields = set(layout.at)
        self.scores = Scores(style, self.fields)
        self.seen: set[tuple[object, ...]] = set()
        self.context: dict[str, Cell] = dict(layout.fixed)
        self.running: tuple[object, tuple[int, int]] = (None, (0, 0))
        self.index = 0
        self.row: Sequence[Cell] = ()
        self._names: dict[str, str | Bad] = {}
        self._ids: dict[str, str] = {}  # name -> the first id beside it
        self._twice: set[tuple[str, str]] = set()
        self._numbers: dict[str, int] = {"": 0}
        self._dates: dict[object, int | Bad] = {}
        self.forfeits = 0
        self.last = max(layout.at.values(), default=0)

    def take_all(self) -> None:
        """Every row below the header."""
        grid = self.grid
        end = len(grid.rows)
        while end and not any(cell not in ("", None) for cell in grid.rows[end - 1]):
            end -= 1
        for index in range(self.layout.header + 1, end):
            self.index, self.row = index, grid.rows[index]
            if not self._skipped():
                self._take()
        if self.forfeits:
            message = f"{self.forfeits} forfeit{'s' * (self.forfeits > 1)}, not rated."
            self.findings.add("result-forfeit-count", NOTE, message, "None needed.")

    def cell(self, field: str) -> Cell:
        column = self.layout.at.get(field, -1)
        return self.row[column] if 0 <= column < len(self.row) else ""

    def text(self, field: str) -> str:
        text = text_of(self.cell(field))
        return unescaped(text) if self.grid.delimiter else text

    # --- rows that are no games ---

    def _skipped(self) -> bool:
        """Whether a row is blank, a sum, the header again, a heading in between, or of a wrong length."""
        width = len(self.layout.headings)
        filled = [cell for cell in self.row if cell not in ("", None)]
        first = filled[0] if filled else ""
        if not filled:
            self._note("The row is empty.")
        elif isinstance(first, str) and first.lower().strip(" .:") in _TOTALS:
            self._note("The row is a sum.")
        elif len(filled) > 1 and [text_of(cell) for cell in self.row] == self.layout.headings:
            self._note("The header stands here again.")
        elif len(filled) == 1 and width > 2:
            self._heading(first)
        elif len(self.row) > width and any(cell not in ("", None) for cell in self.row[width:]):
            message = f"The row has {len(self.row)} cells, the header {width}."
            self._problem("table-row-long", HELD, message, "Quote cells that hold a delimiter.", width)
        elif len(self.row) <= self.last:
            message = f"The row has {len(self.row)} cells, the header {width}."
            self._problem("table-row-short", HELD, message, "Complete the row.", len(self.row) - 1)
        else:
            return False
        return True

    def _note(self, message: str) -> None:
        self._problem("table-row-ignored", NOTE, message, "None needed.", 0)

    def _heading(self, cell: Cell) -> None:
        """A row with one cell between games: a date or a round for the rows below it."""
        text = clean(text_of(cell))
        if is_dated(cell) and "date" not in self.layout.at:
            self.context["date"] = cell
        elif (number := _NUMBER.match(text)) and "round" not in self.layout.at:
            word = of_games(text[: number.start(1)])
            if word and word[0].field == "round":
                self.context["round"] = number[1]
        self._note(f"'{text[:60]}' is a heading of the rows below.")

    # --- a game ---

    def _take(self) -> None:
        step = self._step()
        day, first, second = self._day(), self._name(1), self._name(2)
        event, event_class = self._words("event"), self._words("class")
        if day is None or first is None or second is None or event is None or event_class is None:
            return
        names = [first, second]
        if self._is_unsaved() or not self._is_whole(day, names):
            return
        if is_bye(names[1]) or is_bye(names[0]):
            self._bye(day, names, event, event_class)
            return
        told = self.scores.read(self.cell, names, step)
        if isinstance(told, Wrong):
            self._hold(told.field, told.bad)
            return
        if told.unsigned:
            message = "A set with 0 has no sign; the result leaves one reading."
            self._problem("set-sign-taken", NOTE, message, "Write -0 or +0.", self.layout.at.get("sets", 0))
        if told.result.kind == PENDING:
            self._problem("result-pending", NOTE, "There is no result yet.", "Send the table again later.", 0)
        self.forfeits += told.result.kind == FORFEIT
        self._append(day, names, event, event_class, told.result)

    def _step(self) -> tuple[int, int]:
        """The running score of the teams less that of the row before, within one match."""
        if "running" not in self.fields:
            return 0, 0
        match = tuple(self.text(field) for field in ("match", "team1", "team2"))
        match += (self.text("date"),)
        before = self.running[1] if self.running[0] == match else (0, 0)
        numbers = re.fullmatch(r"\s*([0-9]{1,2})\s*[-:/]\s*([0-9]{1,2})\s*", self.text("running"))
        if not numbers:
            self.running = (None, (0, 0))
            return 0, 0
        now = int(numbers[1]), int(numbers[2])
        self.running = (match, now)
        return now[0] - before[0], now[1] - before[1]

    def _is_unsaved(self) -> bool:
        """Hold a row that needs a formula whose value was never stored."""
        for field, column in self.layout.at.items() if self.grid.unsaved else ():
            if (self.grid.numbers[self.index], column) in self.grid.unsaved:
                message = f"The formula of {field} has no stored value."
                remedy = "Open and save it in the spreadsheet program."
                self._hold(field, Bad("table-formula-unsaved", message, remedy))
                return True
        return False

    def _is_whole(self, day: int, names: list[str]) -> bool:
        if not day:
            self._hold("date", Bad("date-missing", "There is no date.", "Give the day of the game."))
        elif not all(names):
            field = "player1" if not names[0] else "player2"
            bad = Bad("player-name-missing", f"There is no name in {field}.", "Give the name.")
            self._hold(field, bad)
        elif names[0] == names[1]:
            bad = Bad("game-self", f"{names[0]} plays against the same person.", "Correct one of the names.")
            self._hold("player2", bad)
        elif any(_PAIR.search(name) for name in names):
            message = f"{names[0]} - {names[1]} seem to be two persons a side."
            self._hold("player1", Bad("event-pairs", message, "Pairs are not rated."))
        else:
            return True
        return False

    def _bye(self, day: int, names: list[str], event: str, event_class: str) -> None:
        player = names[1] if is_bye(names[0]) else names[0]
        told = self.scores.read(self.cell, names, (0, 0))
        points = 2
        if not isinstance(told, Wrong) and told.result.kind == GAME:
            side = told.result.second if is_bye(names[0]) else told.result.first
            points = side
        if not is_bye(player):
            self._append(day, [player, ""], event, event_class, Result(BYE, points))

    def _append(self, day: int, names: list[str], event: str, event_class: str, result: Result) -> None:
        sheet, line = self.sheet, self.grid.numbers[self.index]
        start = self._start(day) if event else day
        where = sheet.event(event, start, 0, event_class)
        numbers = [self._integer("round"), self._integer("board")]
        content = (day, *names, event, result, *numbers)
        if content in self.seen:
            message = f"{names[0]} - {names[1]} is equal to an earlier row: a game of its own."
            self._problem("game-equal-row", NOTE, message, "Remove it if it is a repeat.", 0)
        self.seen.add(content)
        stones = cells.handicap(self.text("handicap")) if "handicap" in self.fields else 0
        weight = cells.weight(self.text("weight").replace(",", ".")) if "weight" in self.fields else NO_WEIGHT
        if isinstance(stones, Bad):
            self._hold("handicap", stones)
            return
        if isinstance(weight, Bad):
            self._hold("weight", weight)
            return
        players = [self._player(name, side) if name else -1 for side, name in enumerate(names, 1)]
        # where neither round nor board is given, the row's place is content
        sequence = 0 if any(numbers) else line - 1
        sheet.games.append(
            GameRow(
                players[0], players[1], where, day, numbers[0], numbers[1], sequence, sheet.result(result),
                stones, weight, line=line,
            )
        )  # fmt: skip

    def _player(self, name: str, side: int) -> int:
        """The player's number; an id beside the name is kept with the person."""
        text = clean(self.text(f"id{side}")) if f"id{side}" in self.fields else ""
        if text and len(text) <= 30 and name not in self.sheet.people:
            line = self.grid.numbers[self.index]
            heading = self.mapping.columns.get(f"id{side}", "")
            return self.sheet.person(SheetPerson(name, ((id_kind(heading, self.fields), text),), line=line))
        return self.sheet.player(name)

    def _start(self, day: int) -> int:
        """The first day of a named event, where the title says it."""
        cell = self.layout.fixed.get("start")
        found = date(cell, self.mapping.dates, self.today, self.grid.epoch) if cell else 0
        return found if isinstance(found, int) and found <= day else 0

    # --- cells ---

    def _day(self) -> int | None:
        cell = self.cell("date") if "date" in self.fields else self.context.get("date", "")
        if cell == "" and "date" not in self.fields:
            return read_day(self.mapping.day) or 0
        found = self._dates.get(cell)
        if found is None:
            found = self._dates[cell] = date(cell, self.mapping.dates, self.today, self.grid.epoch)
        if isinstance(found, Bad):
            self._hold("date", found)
            return None
        word = wrong_weekday(cell, found) if isinstance(cell, str) else ""
        if word:
            message = f"'{text_of(cell)}' is not that day of the week."
            column = self.layout.at.get("date", 0)
            self._problem("date-weekday-differs", WARNING, message, "Check the date.", column)
        return found

    def _name(self, side: int) -> str | None:
        """The player's name; who shares it with somebody of another id, or is nobody known, gets more."""
        field = f"player{side}"
        text = self.text(field)
        if not text and f"short{side}" in self.fields:
            text = self.text(f"short{side}")
        found = self._names.get(text)
        if found is None:
            found = self._names[text] = name_of(text)
        if isinstance(found, Bad):
            self._hold(field, found)
            return None
        if found.casefold() in _UNKNOWN:
            message = f"'{found}' is nobody's name; the row's number stands behind it."
            self._problem("player-placeholder", WARNING, message, "Enter the name.", self.layout.at[field])
            return f"{found} ({self._row_name()})"
        if f"id{side}" not in self.fields:
            return found
        return self._told_apart(found, clean(self.text(f"id{side}"))) if found else ""

    def _row_name(self) -> str:
        day = text_of(self.cell("date") or self.context.get("date", ""))
        return clean(f"{day}, {self.grid.name} row {self.grid.numbers[self.index]}").lstrip(", ")

    def _told_apart(self, name: str, number: str) -> str:
        """A second person of one name, by another id, gets the id behind it."""
        first = self._ids.setdefault(name, number)
        if not number or first == number:
            return name
        if not first:
            self._ids[name] = number
            return name
        message = f"'{name}' has the numbers {first[:30]} and {number[:30]}: two persons."
        if (name, number) not in self._twice:
            self._twice.add((name, number))
            self._problem("player-same-name", WARNING, message, "Confirm it, or correct the number.", 0)
        return f"{name} ({number[:30]})"

    def _words(self, field: str) -> str | None:
        text = self.text(field) if field in self.fields else text_of(self.context.get(field, ""))
        found = cells.name(text, field)
        if isinstance(found, Bad):
            self._hold(field, found)
            return None
        return found or (self.mapping.event_name if field == "event" else "")

    def _integer(self, field: str) -> int:
        """A number, also behind a word (`Ronde 3`); 0 where there is none (`finale`)."""
        text = self.text(field) if field in self.fields else text_of(self.context.get(field, ""))
        found = self._numbers.get(text)
        if found is None:
            match = _NUMBER.match(clean(text))
            found = self._numbers[text] = int(match[1]) if match else 0
        return found

    def _hold(self, field: str, bad: Bad) -> None:
        self._problem(bad.code, HELD, bad.message, bad.remedy, self.layout.at.get(field, 0))

    def _problem(self, code: str, severity: str, message: str, remedy: str, column: int) -> None:
        if self.findings.full(code):
            self.findings.add(code, severity, message, remedy)
            return
        line, place = self.grid.place(self.index, max(column, 0))
        self.findings.add(code, severity, self.grid.where(self.index, column) + message, remedy, line, place)


def name_of(text: str) -> str | Bad:
    """A name without the marks that clubs put behind it.

    >>> name_of("Wim van den Berghe (R)"), name_of("Claes, Tine * ^")
    ('Wim van den Berghe', 'Claes, Tine')
    """
    found = cells.name(text)
    if isinstance(found, Bad):
        return found
    return _MARKER.sub("", found).rstrip() or found


def id_kind(heading: str, fields: set[str]) -> str:
    """Whose numbers a column of ids holds, as far as its name tells; else the file's own program's."""
    name = plain(heading)
    if "fide" in name:
        return "fide"
    if any(word in name for word in ("knsb", "kbsb", "frbe", "zps", "pkz", "stamnummer")):
        return "national"
    if "fide" in fields and any(word in name for word in ("relatienummer", "matricule")):
        return "national"  # of a chess federation, as the columns beside it show
    if "egd" in name or "pin" in name.split():
        return "egd"
    if any(word in name for word in ("licen", "lizenz")):
        return "ttlicence" if fields & {"sets", "set1", "running"} else "licence"
    return "program"
