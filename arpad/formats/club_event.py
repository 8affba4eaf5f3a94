"""One tournament of a club program that tells neither days nor name: what is asked, and from rows to a sheet.

Answers are texts by name: `event-name`; `days`, one day for all rounds or one for each, separated by
commas; `every`, with a single day: the days from one round to the next. Persons are known by name; two
players of one name, and whoever has none, get event and number behind it, so that nobody is joined.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePath
from typing import NamedTuple

from arpad.domain.dates import NO_DAY, day_text, read_day
from arpad.domain.problems import FATAL, HELD, NOTE, WARNING
from arpad.domain.results import BYE, FORFEIT, PENDING, Result
from arpad.formats.cells import TEXT_LIMIT
from arpad.formats.reading import Findings, clean, has_invisible, is_lost
from arpad.ledger.columns import GameRow
from arpad.ledger.sheet import Sheet, SheetPerson

NAME = "event-name"
DAYS = "days"
EVERY = "every"
TOLD = (NAME, DAYS, EVERY)
ROUNDS = 999
Told = Mapping[str, str]
NOTHING: Told = {}
_GIVE = (
    "Give them: days=2026-01-06,2026-01-13 (one for each round), days=2026-01-06 for all, or with every=7."
)


class ClubGame(NamedTuple):
    """A game as the file has it; players by their keys, days by the round or its own."""

    round: int
    board: int
    first: str
    second: str
    result: Result
    line: int
    column: int = 1
    day: int = NO_DAY
    sequence: int = 0


class ClubEvent:
    """Declare all players first, then take games and byes, then close."""

    def __init__(self, file: str, told: Told, findings: Findings, today: int, name: str = "") -> None:
        self.findings, self.today, self.told = findings, today, told
        self.sheet = Sheet(file)
        self.players: dict[str, SheetPerson] = {}
        self.name = clean(told.get(NAME, "")) or clean(name) or clean(PurePath(file).stem) or "(unnamed)"
        self._numbers: dict[str, int] = {}
        self._busy: set[tuple[int, str]] = set()
        self._games: list[tuple[ClubGame, bool]] = []
        if len(self.name) > TEXT_LIMIT:
            message = f"The event's name has {len(self.name)} characters; {TEXT_LIMIT} are the limit."
            findings.add("cell-too-long", FATAL, message, "Shorten it.")
        if not told.get(NAME) and not name:
            message = f"The file does not name the event; it is called '{self.name[:60]}' after the file."
            findings.add("event-name-missing", WARNING, message, f"Give it: {NAME}=Winter 2026.")

    # --- players --------------------------------------------------------------------------------

    def declare(self, key: str, person: SheetPerson, column: int = 1) -> None:
        """A player whom games may name. `person.name` as written; keys are different."""
        place, findings = (person.line, column), self.findings
        if key in self.players:
            message = f"The number {key[:20]} stands twice."
            findings.add("player-duplicate-number", FATAL, message, "Renumber in the program.", *place)
            return
        name = clean(person.name)
        if len(name) > TEXT_LIMIT:
            message = f"The name has {len(name)} characters; {TEXT_LIMIT} are the limit."
            findings.add("cell-too-long", FATAL, message, "Shorten it.", *place)
        if has_invisible(person.name):
            message = f"Invisible characters were removed from '{name}'."
            findings.add("text-control-char", WARNING, message, "", *place)
        lost = is_lost(name) or not name
        if lost:
            code = "text-name-lost" if name else "player-name-missing"
            findings.add(code, WARNING, f"Number {key[:20]} has no name.", "Enter the name.", *place)
        twice = name in {other.name for other in self.players.values()}
        if twice and not lost:
            message = f"'{name}' stands twice in the list; they are taken as two persons."
            remedy = "Confirm that they are two, or correct the list."
            findings.add("player-same-name", WARNING, message, remedy, *place)
        if lost or twice:
            name = f"{name or '?'} ({self.name[:TEXT_LIMIT]}, {key})"
        self.players[key] = person._replace(name=name)

    def known(self, game: ClubGame, *keys: str) -> bool:
        """Whether the file has these players; fatal where it has not."""
        for key in keys:
            if key not in self.players:
                message = f"A row names the player '{key[:40]}', who is not in the list."
                remedy = "Export it again with all players."
                self.findings.add("player-missing", FATAL, message, remedy, game.line, game.column)
                return False
        return True

    def _join(self, key: str) -> int:
        """The number of a player, who takes part from the first game on."""
        found = self._numbers.get(key)
        if found is None:
            found = self._numbers[key] = self.sheet.person(self.players[key])
        return found

    # --- games and byes -------------------------------------------------------------------------

    def game(self, game: ClubGame) -> None:
        """Take one game of two players; what is wrong with it is told."""
        if not self.known(game, game.first, game.second):
            return
        if game.first == game.second:
            message = f"{self.players[game.first].name} plays against the same person."
            self.findings.add("game-self", FATAL, message, "Correct one of the two.", game.line, game.column)
        elif self._is_free(game, game.first, game.second):
            if game.result.kind == PENDING:
                message = "The game has no result yet; not rated."
                remedy = "Send the file again later."
                self.findings.add("result-pending", NOTE, message, remedy, game.line, game.column)
            self._games.append((game, False))

    def bye(self, game: ClubGame) -> None:
        """A player without opponent; `game.second` is not looked at."""
        if self.known(game, game.first) and self._is_free(game, game.first):
            self._games.append((game, True))

    def _is_free(self, game: ClubGame, *keys: str) -> bool:
        twice = [key for key in keys if game.round and (game.round, key) in self._busy]
        if twice:
            message = f"{self.players[twice[0]].name} plays twice in round {game.round}."
            remedy = "Remove one of the games."
            self.findings.add("game-double-booked", HELD, message, remedy, game.line, game.column)
            return False
        self._busy |= {(game.round, key) for key in keys}
        return True

    def close(self) -> Sheet:
        """The sheet, with the days that were told. Raises Refused where anything is fatal."""
        findings = self.findings
        if not self.players:
            findings.add("player-none", FATAL, "There are no players.", "Check the export.")
        findings.refuse_where(FATAL)
        days = self._days()
        findings.refuse_where(FATAL)
        kept = [(g, alone, g.day or days[g.round]) for g, alone in self._games]
        kept = [one for one in kept if not self._is_ahead(*one)]
        findings.refuse_where(FATAL)
        start = min((day for _, _, day in kept), default=NO_DAY)
        number = self.sheet.event(self.name, start) if kept else 0
        for game, alone, day in kept:
            first = self._join(game.first)
            second = -1 if alone else self._join(game.second)
            row = GameRow(
                first, second, number, day, game.round, game.board, game.sequence,
                self.sheet.result(game.result), line=game.line,
            )  # fmt: skip
            self.sheet.games.append(row)
        forfeits = sum(game.result.kind == FORFEIT for game, _, _ in kept)
        if forfeits:
            findings.add("result-forfeit-count", NOTE, f"{forfeits} forfeits, which are not rated.")
        return self.sheet

    def _is_ahead(self, game: ClubGame, alone: bool, day: int) -> bool:
        """Whether a pairing lies ahead, and is left out; a result that does is refused."""
        if day <= self.today:
            return False
        if game.result.kind not in (PENDING, BYE):
            message = f"Round {game.round} has results, and {day_text(day)} lies in the future."
            self.findings.add("date-future", FATAL, message, "Correct the date.", game.line, game.column)
        return True

    def _days(self) -> dict[int, int]:
        """The day of each round that is asked for."""
        asked = sorted({game.round for game, _ in self._games if not game.day})
        if not asked:
            return {}
        texts = [text.strip() for text in self.told.get(DAYS, "").split(",") if text.strip()]
        if not texts:
            self.findings.add("date-missing", FATAL, "The file tells no dates.", _GIVE)
            return {}
        found = [read_day(text) or NO_DAY for text in texts]
        if NO_DAY in found:
            message = f"'{texts[found.index(NO_DAY)][:40]}' is no date."
            self.findings.add("date-unreadable", FATAL, message, "Write it as 2026-05-30.")
            return {}
        every = self.told.get(EVERY, "").strip()
        if every and (len(found) > 1 or not re.fullmatch(r"[0-9]{1,3}", every)):
            message = f"The answer {EVERY}={every[:20]} is no number of days, or stands beside several dates."
            self.findings.add("date-unreadable", FATAL, message, _GIVE)
            return {}
        if len(found) == 1:
            return {round_: found[0] + max(round_ - 1, 0) * int(every or 0) for round_ in asked}
        if len(found) < asked[-1]:
            message = f"{len(found)} dates were told for {asked[-1]} rounds."
            self.findings.add("date-missing", FATAL, message, _GIVE)
            return {}
        if found != sorted(found):
            self.findings.add("date-order", WARNING, "The dates told are out of order.", "Check them.")
        return {round_: found[max(round_ - 1, 0)] for round_ in asked}


__all__ = ["NOTHING", "ROUNDS", "TOLD", "ClubEvent", "ClubGame", "Told"]
