"""One go tournament whose games name players by a key: from what a file tells to a sheet.

Persons are known by name and first name, `_` being a blank; two players of one name, and everybody whose
name is lost, get event and row behind it, so that two persons are never joined. Who is only registered
takes part once paired. Games of class X are taken as not for rating, in class D.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from arpad.domain.dates import day_text
from arpad.domain.play import Application
from arpad.domain.problems import FATAL, HELD, NOTE, WARNING
from arpad.domain.ranks import rank_index
from arpad.domain.results import BYE, FORFEIT, GAME, PENDING, VOID, Result
from arpad.formats.cells import TEXT_LIMIT
from arpad.formats.go_terms import report_rank
from arpad.formats.reading import Findings, clean, has_invisible, is_lost
from arpad.ledger.columns import GameRow
from arpad.ledger.sheet import Sheet, SheetPerson

Place = tuple[int, int]  # line and column, from 1
WHITE, BLACK, JIGO, NONE, BOTH_WIN, BOTH_LOSE, CANCELLED = [
    "white",
    "black",
    "jigo",
    "none",
    "both-win",
    "both-lose",
    "void",
]
_POINTS = {WHITE: (2, 0), BLACK: (0, 2), JIGO: (1, 1)}


class Occasion(NamedTuple):
    """The event. All games get its last day."""

    name: str
    event_class: str  # A, B, C, D; X: not for rating; "": not known
    first: int
    last: int
    size: int = 19


class GoPlayer(NamedTuple):
    """A player as the file tells it."""

    name: str
    first_name: str = ""
    grade: str = ""
    rating: float | None = None  # EGF scale; kept, and compared with the grade
    ids: tuple[tuple[str, str], ...] = ()
    federation: str = ""
    club: str = ""
    place: Place = (1, 1)


class GoGame(NamedTuple):
    round: int  # 0: not known
    board: int
    white: str  # keys
    black: str
    outcome: str  # one of the constants above
    stones: str = "0"
    forfeit: bool = False
    coloured: bool = True
    place: Place = (1, 1)


class GoEvent:
    """Declare all players first, then let them join, then take games and byes."""

    def __init__(self, file: str, occasion: Occasion, findings: Findings) -> None:
        self.occasion, self.findings = occasion, findings
        self.sheet = Sheet(file)
        self.players: dict[str, GoPlayer] = {}
        self._numbers: dict[str, int] = {}
        self._busy: set[tuple[int, str]] = set()
        self._forfeits = 0
        self._id_counts: Counter[tuple[str, str]] = Counter()
        unrated = occasion.event_class == "X"
        self._unrated = unrated
        self._event = self.sheet.event(
            occasion.name, occasion.first, 0, "D" if unrated else occasion.event_class
        )

    # --- players --------------------------------------------------------------------------------

    def declare(self, key: str, player: GoPlayer) -> None:
        """A player whom games may name; keys are different."""
        self.players[key] = player
        self._id_counts.update(player.ids)

    def join(self, key: str) -> int:
        """The number of a declared player, who takes part from now on."""
        found = self._numbers.get(key)
        if found is None:
            player = self.players[key]
            name = self._distinct(player)
            rank = report_rank(player.grade, player.rating, name, self.findings, *player.place)
            ids = tuple(one for one in player.ids if not self._is_shared(one, player.place))
            found = self._numbers[key] = self.sheet.person(
                SheetPerson(
                    name, ids, federation="" if player.federation == "XX" else player.federation,
                    club="" if player.club == "xxxx" else player.club, rating=player.rating,
                    rank="" if rank == "NC" else rank, line=player.place[0],
                )
            )  # fmt: skip
            self._first_rating(name, rank, player.place[0])
        return found

    def _is_shared(self, one: tuple[str, str], place: Place) -> bool:
        """An id that two players carry identifies nobody."""
        if self._id_counts[one] < 2:
            return False
        message = f"{self._id_counts[one]} players carry the number {one[1]}; it is not used."
        self.findings.add("player-same-id", HELD, message, "Correct one of them.", *place)
        return True

    def _distinct(self, player: GoPlayer) -> str:
        findings, place = self.findings, player.place
        written = f"{player.name} {player.first_name}"
        name = clean(written.replace("_", " "))
        if len(name) > TEXT_LIMIT:
            message = f"The name has {len(name)} characters; {TEXT_LIMIT} are the limit."
            findings.add("cell-too-long", FATAL, message, "Shorten it.", *place)
        if has_invisible(written):
            message = f"Invisible characters were removed from '{name}'."
            findings.add("text-control-char", WARNING, message, "", *place)
        if re.search(r"[&/+]", name):
            message = f"'{name}' seems to be two persons."
            findings.add("event-pairs", WARNING, message, "Leave pair go and rengo out.", *place)
        lost = is_lost(name) or not name
        if lost:
            message = f"The name '{name}' is lost."
            findings.add("text-name-lost", WARNING, message, "Enter the name.", *place)
        elif name in self.sheet.people:
            message = f"'{name}' stands twice in the list; they are taken as two persons."
            remedy = "Confirm that they are two, or correct the list."
            findings.add("player-same-name", WARNING, message, remedy, *place)
        if lost or name in self.sheet.people:
            day = day_text(self.occasion.first)
            return f"{name or '?'} ({self.occasion.name} {day}, row {len(self.sheet.players) + 1})"
        return name

    def _first_rating(self, name: str, rank: str, line: int) -> None:
        if rank == "NC":
            self.sheet.first_rating(name, Application(unclassified=True), self.occasion.first, line)
        elif rank:
            self.sheet.first_rating(name, Application(rank=rank_index(rank)), self.occasion.first, line)

    # --- games and byes -------------------------------------------------------------------------

    def game(self, game: GoGame) -> None:
        """Take one game; what is wrong with it is told."""
        sides = (game.white, game.black)
        if not self._is_game(game):
            return
        twice = [key for key in sides if game.round and (game.round, key) in self._busy]
        if twice:
            self._report_twice(twice[0], game.round, game.place)
            return
        self._busy |= {(game.round, key) for key in sides}
        stones = self._stones(game)
        result = self._result(game)
        if stones is None:
            return
        if not game.coloured:
            self.findings.add("colour-missing", NOTE, "The colours are not known.", "", *game.place)
        white, black = (self.join(key) for key in sides)
        size = self.occasion.size if self.occasion.size != 19 else 0
        self.sheet.games.append(
            GameRow(
                white, black, self._event, self.occasion.last, game.round, game.board,
                result=self.sheet.result(result), stones=stones, size=size, line=game.place[0],
            )
        )  # fmt: skip

    def bye(self, round_: int, key: str, place: Place, points: int = 2) -> None:
        """A player without opponent; `points` in halves."""
        if key not in self.players:
            message = f"A bye names the player '{key}', who is not in the list."
            self.findings.add("player-missing", FATAL, message, "Export it again with all players.", *place)
        elif (round_, key) in self._busy:
            self._report_twice(key, round_, place)
        else:
            self._busy.add((round_, key))
            row = GameRow(
                self.join(key), -1, self._event, self.occasion.last, round_,
                result=self.sheet.result(Result(BYE, points)), line=place[0],
            )  # fmt: skip
            self.sheet.games.append(row)

    def _report_twice(self, key: str, round_: int, place: Place) -> None:
        who = clean(f"{self.players[key].name} {self.players[key].first_name}")
        message = f"{who} plays twice in round {round_}."
        self.findings.add("game-double-booked", HELD, message, "Remove one of the games.", *place)

    def close(self) -> None:
        """Tell what only the whole shows. Raises Refused where anything was fatal."""
        if self._forfeits:
            message = f"{self._forfeits} forfeits, which are not rated."
            self.findings.add("result-forfeit-count", NOTE, message)
        self.findings.refuse_where(FATAL)

    def _is_game(self, game: GoGame) -> bool:
        missing = [key for key in (game.white, game.black) if key not in self.players]
        if missing:
            message = f"A game names the player '{missing[0]}', who is not in the list."
            remedy = "Export it again with all players."
            self.findings.add("player-missing", FATAL, message, remedy, *game.place)
        elif game.white == game.black:
            message = f"{game.white} plays against the same person."
            self.findings.add("game-self", FATAL, message, "Correct one of the two.", *game.place)
        else:
            return True
        return False

    def _stones(self, game: GoGame) -> int | None:
        if re.match(r"[0-9]\Z", game.stones):
            return int(game.stones)
        message = f"The handicap '{game.stones[:40]}' is not 0 to 9 stones."
        self.findings.add("handicap-shape", HELD, message, "Write one digit.", *game.place)
        return None

    def _result(self, game: GoGame) -> Result:
        add, place = self.findings.add, game.place
        if game.outcome == BOTH_WIN or (game.forfeit and game.outcome == JIGO):
            add("result-both-win", WARNING, "Both won by the director's decision; not rated.", "", *place)
            return Result(VOID)
        if game.outcome == BOTH_LOSE:
            add("result-both-lose", WARNING, "Both lost by the director's decision; not rated.", "", *place)
            self._forfeits += 1
            return Result(FORFEIT, 0, 0)
        if game.outcome == CANCELLED:
            return Result(VOID)
        if game.outcome == NONE:
            message = "The game has no result yet; not rated."
            add("result-pending", NOTE, message, "Send the file again later.", *place)
            return Result(PENDING)
        if game.forfeit:
            self._forfeits += 1
            return Result(FORFEIT, *_POINTS[game.outcome])
        return Result(GAME, *_POINTS[game.outcome], unrated=self._unrated)


__all__ = [
    "BLACK",
    "BOTH_LOSE",
    "BOTH_WIN",
    "CANCELLED",
    "JIGO",
    "NONE",
    "WHITE",
    "GoEvent",
    "GoGame",
    "GoPlayer",
    "Occasion",
    "Place",
]
