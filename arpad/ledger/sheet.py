"""A sheet: what one file or one evening reports, with numbering of its own, before the ledger takes it."""

from __future__ import annotations

import hashlib
from typing import NamedTuple

from arpad.domain.dates import NO_DAY
from arpad.domain.play import Application
from arpad.domain.results import Result
from arpad.ledger.columns import GameColumns
from arpad.ledger.facts import Event, event_key


class SheetFirstRating(NamedTuple):
    player: str
    day: int
    application: Application
    line: int = 0


class SheetCorrection(NamedTuple):
    player: str
    day: int
    rating: float
    reason: str
    line: int = 0


class SheetPerson(NamedTuple):
    """What a file says of a player beside games: kept with the person, never used to rate unasked."""

    name: str  # as in Sheet.players
    ids: tuple[tuple[str, str], ...] = ()  # (kind, value), kind one of ID_KINDS
    birth: str = ""  # "2011-03-08", "2011-03" or "2011": no more than the file says
    sex: str = ""  # "f", "m", "x"
    title: str = ""  # as FIDE writes it: GM, WFM ...
    federation: str = ""  # as the file spells it: BEL, be, NED ...
    club: str = ""
    rating: float | None = None  # as the file tells it, on its own scale: a proposal for a first rating
    rank: str = ""  # go: 3d, 12k
    line: int = 0


# Whose number it is: FIDE, a national chess federation, the European Go Database, a go federation's
# licence, the American Go Association, a table-tennis licence, the file's own program.
ID_KINDS = ("fide", "national", "egd", "licence", "aga", "ttlicence", "program")


class Sheet:
    """Players, events, results and games; first ratings and corrections beside them."""

    def __init__(self, file: str = "") -> None:
        self.file = file
        self.players: list[str] = []
        self.events: list[Event] = []
        self.results: list[Result] = []
        self.games = GameColumns()
        self.first_ratings: list[SheetFirstRating] = []
        self.corrections: list[SheetCorrection] = []
        self.people: dict[str, SheetPerson] = {}  # by name; who is not in it is only a name
        self._player: dict[str, int] = {}
        self._event: dict[tuple[str, int], int] = {}
        self._result: dict[Result, int] = {}

    def player(self, name: str) -> int:
        """The number of the player of that name in this sheet; a new one is added."""
        found = self._player.get(name)
        if found is None:
            found = self._player[name] = len(self.players)
            self.players.append(name)
        return found

    def person(self, told: SheetPerson) -> int:
        """The number of a player of whom the file tells more than a name."""
        self.people[told.name] = told
        return self.player(told.name)

    def event(self, name: str, start: int = NO_DAY, order: int = 0, event_class: str = "") -> int:
        """The number of the event (name, start) in this sheet; a new one is added."""
        found = self._event.get((name, start))
        if found is None:
            found = self._event[name, start] = len(self.events)
            self.events.append(Event(name, start, order, event_class, event_key(name, start)))
        return found

    def result(self, result: Result) -> int:
        """The number of a result in this sheet; equal results share one."""
        found = self._result.get(result)
        if found is None:
            found = self._result[result] = len(self.results)
            self.results.append(result)
        return found

    def first_rating(self, player: str, application: Application, day: int = NO_DAY, line: int = 0) -> None:
        self.first_ratings.append(SheetFirstRating(player, day, application, line))

    def correction(self, player: str, day: int, rating: float, reason: str, line: int = 0) -> None:
        self.corrections.append(SheetCorrection(player, day, rating, reason, line))

    def digest(self) -> str:
        """sha256 of the content, whatever the order of its rows and the ends of its lines.

        A sheet of more than 200 000 games is taken column by column, in its own order.
        """
        if len(self.games) > 200_000:
            return self._column_digest()
        lines = []
        for row in self.games:
            event = self.events[row.event]
            second = self.players[row.player2] if row.player2 >= 0 else ""
            who = (self.players[row.player1], second, event.name, event.start, event.event_class, event.order)
            numbers = (row.day, row.round, row.board, row.sequence, row.stones, repr(row.weight), row.size)
            lines.append(repr((who, numbers, self.results[row.result])))
        lines += [repr(fact[:-1]) for fact in self.first_ratings]
        lines += [repr(fact[:-1]) for fact in self.corrections]
        lines += [repr(person[:-1]) for person in self.people.values()]
        return hashlib.sha256("\n".join(sorted(lines)).encode()).hexdigest()

    def _column_digest(self) -> str:
        digest = hashlib.sha256(repr((self.players, self.events, self.results)).encode())
        for name in GameColumns.__slots__:
            digest.update(getattr(self.games, name))
        digest.update(repr((self.first_ratings, self.corrections, list(self.people.values()))).encode())
        return digest.hexdigest()
