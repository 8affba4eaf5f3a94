"""Writes games.csv, players.csv and corrections.csv from a sheet or a ledger: what reading gives back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from arpad.domain.dates import day_text
from arpad.domain.play import Application
from arpad.domain.results import SETS, Result, write_result
from arpad.formats.csvfile import number_text, write_rows
from arpad.formats.reading import clean
from arpad.ledger.columns import GameRow
from arpad.ledger.facts import Event
from arpad.ledger.ledger import Ledger
from arpad.ledger.sheet import Sheet


class _Games(NamedTuple):
    """What a sheet or a ledger holds now, in one shape."""

    names: Sequence[str]
    events: Sequence[Event]
    results: Sequence[Result]
    rows: Callable[[], Iterator[GameRow]]


class _Entry(NamedTuple):
    player: str
    day: int
    application: Application


class _Correction(NamedTuple):
    player: str
    day: int
    rating: float
    reason: str


def write_games(source: Sheet | Ledger) -> bytes:
    """games.csv with the columns that are needed. Of a ledger: what holds, under the names it has now."""
    held = _games_of(source)
    used = _Used()
    for row in held.rows():
        used.see(row, held)
    columns: list[tuple[str, Callable[[GameRow], str]]] = [
        ("date", lambda row: day_text(row.day)),
        ("event", lambda row: clean(held.events[row.event].name)),
        ("start", lambda row: _start(held.events[row.event], used, row.event)),
        ("event_order", lambda row: _whole(held.events[row.event].order)),
        ("class", lambda row: clean(held.events[row.event].event_class)),
        ("round", lambda row: _whole(row.round)),
        ("board", lambda row: _whole(row.board)),
        ("sequence", lambda row: str(row.sequence)),
        ("player1", lambda row: clean(held.names[row.player1])),
        ("player2", lambda row: clean(held.names[row.player2]) if row.player2 >= 0 else ""),
        ("result", lambda row: write_result(held.results[row.result])),
        ("handicap", lambda row: _whole(row.stones)),
        ("weight", lambda row: number_text(row.weight) if row.weight == row.weight else ""),
        ("size", lambda row: _whole(row.size)),
        ("best_of", lambda row: _length(held.results[row.result])),
    ]
    columns = [(name, text) for name, text in columns if name in used.columns()]
    rows = ([text(row) for _, text in columns] for row in held.rows())
    return write_rows([name for name, _ in columns], rows)


class _Used:
    """Which columns say something, and which events need more than a default."""

    def __init__(self) -> None:
        self.needed = {"date", "player1", "player2", "result"}
        self.bare: set[int] = set()  # events with a game that has neither round, board nor sequence
        self.placed: set[int] = set()  # events with a game that has a round or a board
        self.other_day: set[int] = (
            set()
        )  # events without name that have a game on another day than their start

    def see(self, row: GameRow, held: _Games) -> None:
        event = held.events[row.event]
        given = {
            "event": event.name, "event_order": event.order, "class": event.event_class, "round": row.round,
            "board": row.board, "sequence": row.sequence, "handicap": row.stones, "size": row.size,
            "weight": row.weight == row.weight, "best_of": _length(held.results[row.result]),
        }  # fmt: skip
        self.needed |= {column for column, value in given.items() if value}
        if row.round or row.board:
            self.placed.add(row.event)
        else:
            self.bare.add(row.event)
        if event.start and event.name:
            self.needed.add("start")
        elif event.start != row.day and not event.name:
            self.other_day.add(row.event)

    def columns(self) -> set[str]:
        """Without a sequence the reader would number the rows of an event that has no rounds."""
        extra = {"sequence"} if self.bare - self.placed else set()
        return self.needed | extra | ({"start"} if self.other_day else set())


def _start(event: Event, used: _Used, number: int) -> str:
    return day_text(event.start) if event.name or number in used.other_day else ""


def _whole(value: int) -> str:
    return str(value) if value else ""


def _length(result: Result) -> str:
    """best_of; "0" for a retired match of unknown length, which else comes from its event."""
    if result.best_of:
        return str(result.best_of)
    return "0" if result.kind == SETS and result.retired else ""


def _games_of(source: Sheet | Ledger) -> _Games:
    if isinstance(source, Sheet):
        return _Games(source.players, source.events, source.results, lambda: iter(source.games))
    now = source.effective()
    names = [source.names[person] for person in now.person]

    def rows() -> Iterator[GameRow]:
        return (row for game, row in enumerate(source.games) if game not in now.left_out)

    return _Games(names, source.events_now(), source.results, rows)


# --- players and corrections ----------------------------------------------------------------------


def write_players(source: Sheet | Ledger) -> bytes:
    """players.csv: every first rating, with the columns that are needed."""
    entries = _entries(source)
    columns: list[tuple[str, Callable[[_Entry], str]]] = [
        ("player", lambda entry: clean(entry.player)),
        ("rating", lambda entry: _points(entry.application.rating)),
        ("rank", lambda entry: _rank(entry.application)),
        ("league", lambda entry: clean(entry.application.league)),
        ("percentage", lambda entry: _points(entry.application.percentage)),
        ("adjustment", lambda entry: _points(entry.application.adjustment or None)),
        ("reason", lambda entry: clean(entry.application.reason)),
        ("born", lambda entry: _whole(entry.application.born)),
        ("games", lambda entry: _whole(entry.application.games)),
        ("peak", lambda entry: _points(entry.application.peak)),
        ("standard", lambda entry: _points(entry.application.standard)),
        ("date", lambda entry: day_text(entry.day)),
    ]
    rows = [[text(entry) for _, text in columns] for entry in entries]
    kept = [0, 1] + [i for i in range(2, len(columns)) if any(row[i] for row in rows)]
    return write_rows([columns[i][0] for i in kept], ([row[i] for i in kept] for row in rows))


def write_corrections(source: Sheet | Ledger) -> bytes:
    """corrections.csv: every correction."""
    rows = (
        (day_text(c.day), clean(c.player), number_text(c.rating), clean(c.reason))
        for c in _corrections(source)
    )
    return write_rows(("date", "player", "rating", "reason"), rows)


def _entries(source: Sheet | Ledger) -> list[_Entry]:
    if isinstance(source, Sheet):
        return [_Entry(f.player, f.day, f.application) for f in source.first_ratings]
    facts = source.effective().first_ratings
    return [_Entry(source.names[f.person], f.day, f.application) for f in facts]


def _corrections(source: Sheet | Ledger) -> list[_Correction]:
    if isinstance(source, Sheet):
        return [_Correction(c.player, c.day, c.rating, c.reason) for c in source.corrections]
    facts = source.effective().corrections
    return [_Correction(source.names[c.person], c.day, c.rating, c.reason) for c in facts]


def _points(value: float | None) -> str:
    return "" if value is None else number_text(value)


def _rank(application: Application) -> str:
    if application.unclassified:
        return "NC"
    if application.rank is None:
        return ""
    return f"{application.rank}d" if application.rank >= 1 else f"{1 - application.rank}k"
