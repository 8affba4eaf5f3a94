"""Reads games.csv row by row, in blocks of rows taken by columns: every text of a column is judged once."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from arpad.domain.problems import FATAL, WARNING
from arpad.domain.results import SETS, Result
from arpad.formats import cells, csvfile
from arpad.formats.cells import NOT_GIVEN, Bad
from arpad.formats.csvfile import Header, read_rows
from arpad.formats.flat_whole import Draft, DraftEvent, DraftResult
from arpad.formats.reading import Findings, clean, has_invisible

COLUMNS = (
    "date", "event", "start", "event_order", "class", "round", "board", "sequence",
    "player1", "player2", "result", "handicap", "weight", "size", "best_of",
)  # fmt: skip
HEADINGS = {name: name for name in COLUMNS} | {
    "white": "player1", "home": "player1", "black": "player2", "away": "player2",
}  # fmt: skip
NEEDED = ("date", "player1", "player2", "result")
PLACES = ("round", "board", "sequence")
BLOCK = 20_000  # rows
_NO_DATE = Bad("date-missing", "There is no date.", "Give the day of the game.", FATAL)
_NO_NAME = Bad("player-name-missing", "There is no name in player1.", "Give the name.")


def readers(today: int) -> dict[str, Any]:
    """What judges the cells of each column but the result, which needs best_of too."""

    def date(text: str) -> int | Bad:
        return cells.date(text, today) or _NO_DATE

    return {
        "date": date,
        "event": lambda text: cells.name(text, "event"),
        "start": lambda text: cells.date(text, today),
        "event_order": lambda text: cells.integer(text, "event_order"),
        "class": lambda text: cells.name(text, "class"),
        "round": lambda text: cells.integer(text, "round"),
        "board": lambda text: cells.integer(text, "board"),
        "sequence": lambda text: cells.integer(text, "sequence"),
        "player1": lambda text: cells.name(text) or _NO_NAME,
        "player2": cells.name,
        "handicap": cells.handicap,
        "weight": cells.weight,
        "size": cells.size,
        "best_of": cells.length,
    }


def read_result(text: str, best_of: int, alone: bool) -> tuple[DraftResult | Bad, bool]:
    """The result of a row, and whether it is a bye that is spelt as a game."""
    if alone:
        found = cells.bye(text)
        return (found, False) if isinstance(found, Bad) else (DraftResult(found[0], False), found[1])
    result = cells.result(text, max(best_of, 0))
    if isinstance(result, Bad):
        return result, False
    return DraftResult(result, _is_open(result, best_of)), False


def _is_open(result: Result, best_of: int) -> bool:
    return result.kind == SETS and result.retired != 0 and best_of == NOT_GIVEN


def read_draft(lines: Sequence[str], header: Header, findings: Findings, today: int) -> Draft:
    """Every row that has no problem; the problems go to `findings`."""
    rows = _Rows(lines, header, findings, today)
    found = read_rows(lines, header, findings)
    while block := list(islice(found, BLOCK)):
        rows.take([line for line, _ in block], [row for _, row in block])
    return rows.draft


class _Rows:
    def __init__(self, lines: Sequence[str], header: Header, findings: Findings, today: int) -> None:
        self.lines, self.header, self.findings = lines, header, findings
        self.draft = Draft(findings.file)
        self.readers = readers(today)
        self.memo: dict[str, dict[str, Any]] = {name: {} for name in self.readers}
        self.wrong: set[str] = set()  # columns with a text that is Bad
        self.results: dict[tuple[str, Any, bool], tuple[DraftResult | Bad, bool]] = {}
        self.people: dict[str, int] = {"": -1}
        self.event_numbers: dict[tuple[str, int], int] = {}
        self.event_facts: set[tuple[int, str, int]] = set()
        self.result_numbers: dict[DraftResult, int] = {}

    def take(self, numbers: list[int], rows: list[list[str]]) -> None:
        """Add a block of rows. A row with any problem is left out: the file is refused in the end."""
        columns = list(zip(*rows, strict=False))
        text = {name: columns[at] if (at := self._at(name)) >= 0 else () for name in COLUMNS}
        bad: set[int] = set()
        found = {name: self._values(name, text[name], numbers, bad) for name in self.readers}
        self._refuse_self_play(found, numbers, bad)
        results = self._results(text["result"], found, numbers, bad)
        if bad:
            keep = [i for i in range(len(rows)) if i not in bad]
            found = {name: [values[i] for i in keep] for name, values in found.items()}
            results, numbers = [results[i] for i in keep], [numbers[i] for i in keep]
        self._append(found, results, numbers)

    def _at(self, column: str) -> int:
        return self.header.at.get(column, -1)

    def _values(self, column: str, texts: Sequence[str], numbers: list[int], bad: set[int]) -> list[Any]:
        memo, reader = self.memo[column], self.readers[column]
        if not texts:
            return [reader("")] * len(numbers)
        for text in dict.fromkeys(texts):
            if text not in memo:
                value = memo[text] = reader(text)
                if type(value) is Bad:
                    self.wrong.add(column)
                if column in ("player1", "player2") and has_invisible(text):
                    message = f"Invisible characters were removed from '{clean(text)}'."
                    self._add(
                        column, numbers[texts.index(text)], Bad("text-control-char", message, "", WARNING)
                    )
        values = [memo[text] for text in texts]
        if column in self.wrong:
            for index, value in enumerate(values):
                if type(value) is Bad:
                    self._add(column, numbers[index], value)
                    bad.add(index)
        return values

    def _add(self, column: str, line: int, bad: Bad) -> None:
        full = self.findings.full(bad.code)
        place = 1 if full else csvfile.column(self.lines[line - 1], max(self._at(column), 0))
        self.findings.add(bad.code, bad.severity, bad.message, bad.remedy, line, place)

    def _refuse_self_play(self, found: dict[str, list[Any]], numbers: list[int], bad: set[int]) -> None:
        for index, (first, second) in enumerate(zip(found["player1"], found["player2"], strict=True)):
            if first == second and first and type(first) is not Bad:
                message = f"{first} plays against the same person."
                self._add("player2", numbers[index], Bad("game-self", message, "Correct a name.", FATAL))
                bad.add(index)

    def _results(
        self, texts: Sequence[str], found: dict[str, list[Any]], numbers: list[int], bad: set[int]
    ) -> list[Any]:
        values = []
        keys = zip(texts, found["best_of"], [not name for name in found["player2"]], strict=True)
        for index, key in enumerate(keys):
            if key in self.results:
                value, doubtful = self.results[key]
            elif type(key[1]) is Bad:
                value, doubtful = None, False
            else:
                value, doubtful = self.results[key] = read_result(*key)
            if type(value) is Bad:
                self._add("result", numbers[index], value)
                bad.add(index)
            elif doubtful and isinstance(value, DraftResult):
                message = f"'{key[0].strip()}' without an opponent is taken as a bye ({value.result})."
                remedy = "Write full, half, zero or pairing."
                self._add("result", numbers[index], Bad("bye-code", message, remedy, WARNING))
            values.append(value)
        return values

    def _append(self, found: dict[str, list[Any]], results: list[Any], numbers: list[int]) -> None:
        games = self.draft.games
        events = list(self._events(found, numbers))
        self._event_facts(found, events, numbers)
        self._people(found, numbers)
        games.player1.extend(map(self.people.__getitem__, found["player1"]))
        games.player2.extend(map(self.people.__getitem__, found["player2"]))
        games.event.extend(events)
        games.day.extend(found["date"])
        for name in PLACES:
            given = found[name]
            if self._at(name) >= 0:
                self.draft.placed.update(e for e, place in zip(events, given, strict=True) if place >= 0)
            getattr(games, name).extend([max(place, 0) for place in given])
        for result in dict.fromkeys(results):
            if result not in self.result_numbers:
                self.result_numbers[result] = len(self.draft.results)
                self.draft.results.append(result)
        games.result.extend(map(self.result_numbers.__getitem__, results))
        games.stones.extend(found["handicap"])
        games.weight.extend(found["weight"])
        games.size.extend(found["size"])
        games.line.extend(array("i", numbers))

    def _events(self, found: dict[str, list[Any]], numbers: list[int]) -> Iterator[int]:
        draft = self.draft
        keys = zip(found["event"], found["start"], found["date"], numbers, strict=True)
        for name, start, date, line in keys:
            key = (name, start if name or start else date)
            number = self.event_numbers.get(key)
            if number is None:
                number = self.event_numbers[key] = len(draft.events)
                draft.events.append(DraftEvent(*key))
                draft.event_lines.append(line)
            yield number

    def _event_facts(self, found: dict[str, list[Any]], events: list[int], numbers: list[int]) -> None:
        """Class and order of each event; where a row says another, it is reported."""
        facts = list(zip(events, found["class"], found["event_order"], strict=True))
        new = set(facts) - self.event_facts
        self.event_facts |= new
        for index, (event, event_class, order) in enumerate(facts) if new else ():
            if event_class and self.draft.event_class.setdefault(event, event_class) != event_class:
                place = csvfile.column(self.lines[numbers[index] - 1], self._at("class"))
                self.draft.class_differs(event, event_class, self.findings, numbers[index], place)
            if order >= 0 and self.draft.event_order.setdefault(event, order) != order:
                place = csvfile.column(self.lines[numbers[index] - 1], self._at("event_order"))
                self.draft.order_differs(event, order, self.findings, numbers[index], place)

    def _people(self, found: dict[str, list[Any]], numbers: list[int]) -> None:
        """Number new players in the order of their first row, player 1 before player 2."""
        firsts, seconds = found["player1"], found["player2"]
        if self.people.keys() >= {*firsts, *seconds}:
            return
        for first, second, line in zip(firsts, seconds, numbers, strict=True):
            for name in (first, second):
                if name not in self.people:
                    self.people[name] = len(self.draft.players)
                    self.draft.players.append(name)
                    self.draft.player_lines.append(line)
