"""games.csv as a whole: what can be said only when every row is read. Both readers end here."""

from __future__ import annotations

from array import array
from typing import NamedTuple

from arpad.domain.dates import NO_DAY, day_text
from arpad.domain.problems import HELD, WARNING
from arpad.domain.results import SETS, Result
from arpad.formats.reading import Findings
from arpad.ledger.columns import GameColumns
from arpad.ledger.ledger import fold
from arpad.ledger.sheet import Sheet

LONGEST_EVENT = 92  # days an event without `start` may span before somebody should look


class DraftEvent(NamedTuple):
    name: str
    start: int  # of a row without event: its date


class DraftResult(NamedTuple):
    """`open`: the row does not say how long the match was to be, and a player retired."""

    result: Result
    open: bool


class Draft:
    """The rows of games.csv with numbers of their own, before they become a Sheet."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.players: list[str] = []
        self.player_lines: list[int] = []  # of the first row that names the player
        self.events: list[DraftEvent] = []
        self.event_lines: list[int] = []
        self.event_class: dict[int, str] = {}
        self.event_order: dict[int, int] = {}
        self.placed: set[int] = set()  # events of which a row gives round, board or sequence
        self.results: list[DraftResult] = []
        self.games = GameColumns()

    def class_differs(self, event: int, text: str, findings: Findings, line: int, column: int) -> None:
        """The class belongs to the event: report a second one."""
        message = f"{self._called(event)} has class {self.event_class[event]} in an earlier row, {text} here."
        remedy = "Give all its rows one class, or make it two events."
        findings.add("event-class-mixed", HELD, message, remedy, line, column)

    def order_differs(self, event: int, order: int, findings: Findings, line: int, column: int) -> None:
        """So does its place among the events of one day."""
        known = self.event_order[event]
        message = f"{self._called(event)} has event_order {known} in an earlier row, {order} here."
        findings.add("event-order-mixed", HELD, message, "Give all its rows one number.", line, column)

    def _called(self, event: int) -> str:
        name, start = self.events[event]
        return f"The event '{name}'" if name else f"The games without event of {day_text(start)}"

    def finish(self, findings: Findings) -> Sheet:
        """Check events and names, fill in what follows from the other rows, and make the sheet."""
        self._check_events(findings)
        self._check_names(findings)
        sheet = Sheet(self.file)
        for name in self.players:
            sheet.player(name)
        for number, event in enumerate(self.events):
            order, event_class = self.event_order.get(number, 0), self.event_class.get(number, "")
            sheet.event(event.name, event.start, order, event_class)
        self._give_positions()
        self._give_results(sheet)
        sheet.games = self.games
        return sheet

    def _check_events(self, findings: Findings) -> None:
        first: dict[int, int] = {}
        last: dict[int, int] = {}
        for e, day in set(zip(self.games.event, self.games.day, strict=True)):
            first[e] = min(day, first.get(e, day))
            last[e] = max(day, last.get(e, day))
        started = {event.name for event in self.events if event.start != NO_DAY}
        for number, event in enumerate(self.events):
            line, begins, ends = self.event_lines[number], first.get(number, 0), last.get(number, 0)
            if event.start == NO_DAY and ends - begins > LONGEST_EVENT:
                message = f"The rows of '{event.name}' span {ends - begins} days and are taken as one event."
                remedy = "Give the column 'start' (the event's first day) where it is several events."
                findings.add("event-span", WARNING, message, remedy, line)
            if event.start == NO_DAY and event.name in started:
                message = (
                    f"Rows of '{event.name}' without start are an event of their own beside those with one."
                )
                findings.add("event-start-missing", WARNING, message, "Give every row its start.", line)
            if begins < event.start:
                message = (
                    f"'{event.name}' starts on {day_text(event.start)}, but has a game on {day_text(begins)}."
                )
                findings.add("date-outside-event", WARNING, message, "Correct one of the dates.", line)

    def _check_names(self, findings: Findings) -> None:
        folded: dict[str, int] = {}
        for number, name in enumerate(self.players):
            other = folded.setdefault(name.casefold() if _plain(name) else fold(name), number)
            if other != number:
                message = f"'{self.players[other]}' and '{name}' differ only in case, accents or apostrophes."
                remedy = "If it is one person, write the name in one way."
                findings.add("player-similar-name", WARNING, message, remedy, self.player_lines[number])

    def _give_positions(self) -> None:
        """Where an event gives neither round, board nor sequence, the position of the row is content."""
        games = self.games
        if not self.placed:
            games.sequence = array("i", range(1, len(games) + 1))
        elif len(self.placed) < len(self.events):
            for game, event in enumerate(games.event):
                if event not in self.placed:
                    games.sequence[game] = game + 1

    def _give_results(self, sheet: Sheet) -> None:
        """Number the results; a retired match of unknown length is as long as its event's others."""
        if not any(result.open for result in self.results):
            for result, _ in self.results:
                sheet.result(result)
            return
        games = self.games
        sets_to_win: dict[int, int] = {}
        for event, number in set(zip(games.event, games.result, strict=True)):
            result = self.results[number].result
            if result.kind == SETS and not result.retired:
                sets_to_win[event] = max(sets_to_win.get(event, 0), result.first, result.second)
        settled: dict[tuple[int, int], int] = {}
        for game, key in enumerate(zip(games.event, games.result, strict=True)):
            if key not in settled:
                settled[key] = sheet.result(_with_length(self.results[key[1]], sets_to_win.get(key[0], 0)))
            games.result[game] = settled[key]


def _with_length(draft: DraftResult, sets_to_win: int) -> Result:
    """An open result gets the length 2n - 1 where n sets win, unless it stands at n already."""
    result = draft.result
    if not draft.open or sets_to_win <= max(result.first, result.second):
        return result
    return result._replace(best_of=2 * sets_to_win - 1)


def _plain(name: str) -> bool:
    return name.isascii() and "`" not in name
