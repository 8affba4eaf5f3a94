"""Pairs the halves of a FIDE tournament report: every game stands in two lines, and both must fit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from typing import NamedTuple

from arpad.domain.problems import FATAL, HELD, NOTE, WARNING
from arpad.domain.results import FORFEIT, GAME, PENDING, Result
from arpad.formats.reading import Findings
from arpad.formats.trf_rows import Rows
from arpad.formats.trf_table import (
    BLACK,
    BYES,
    CODES,
    FORFEITS,
    HALVES,
    NOTHING,
    PLAYED,
    UNRATED,
    WHITE,
    Cell,
    Entry,
)

COLOUR, CODE = 5, 7  # characters behind the opponent's first digit
# The codes of two halves that fit, each way round.
_PAIRS = {
    (one, other): result
    for pair, result in {
        "10": Result(GAME, 2, 0), "01": Result(GAME, 0, 2), "==": Result(GAME, 1, 1),
        "WL": Result(GAME, 2, 0, unrated=True), "LW": Result(GAME, 0, 2, unrated=True),
        "DD": Result(GAME, 1, 1, unrated=True),
        "+-": Result(FORFEIT, 2, 0), "-+": Result(FORFEIT, 0, 2), "--": Result(FORFEIT, 0, 0),
    }.items()
    for one, other in [tuple(pair)]
} | {("", ""): Result(PENDING)}  # fmt: skip
# What the missing half would have to say.
_OTHERS = {"1": "0", "0": "1", "=": "=", "W": "L", "L": "W", "D": "D", "+": "-", "-": "+", "": ""}


class Game(NamedTuple):
    """Players are start numbers; without colours the one whose line stands first is first."""

    round: int
    white: int
    black: int
    result: Result
    coloured: bool
    line: int


class Bye(NamedTuple):
    round: int
    number: int
    halves: int  # 0, 1 or 2
    line: int


class Pairs(NamedTuple):
    games: list[Game]
    byes: list[Bye]


def pair(rows: Rows, nobody: Collection[int], closed: Collection[int], findings: Findings) -> Pairs:
    """Games and byes by round, then line. A game whose halves do not fit is told and left out.

    nobody  start numbers that stand for nobody; who is paired with one has a bye
    closed  rounds whose games are left out
    Fatal: a number that names nobody in the file, or the player himself.
    """
    entries = {entry.number: entry for entry in rows.tournament.entries}
    pairs = Pairs([], [])
    cells: list[dict[int, Cell]] = [{} for _ in range(rows.tournament.rounds)]
    for entry in rows.tournament.entries:
        for known, cell in zip(cells, entry.cells, strict=False):
            known[entry.number] = cell
    for round_ in range(1, rows.tournament.rounds + 1):
        one = _Round(round_, cells[round_ - 1], rows, entries, nobody, findings)
        one.pair()
        if round_ not in closed:
            pairs.games.extend(one.games)
            pairs.byes.extend(sorted(one.byes, key=lambda bye: bye.line))
    forfeits = sum(1 for game in pairs.games if game.result.kind == FORFEIT)
    if forfeits:
        findings.add("result-forfeit-count", NOTE, f"{forfeits} forfeits, which are not rated.")
    return pairs


class _Round:
    def __init__(
        self, round_: int, cells: dict[int, Cell], rows: Rows, entries: Mapping[int, Entry],
        nobody: Collection[int], findings: Findings,
    ) -> None:  # fmt: skip
        self.round, self.rows, self.entries, self.findings = round_, rows, entries, findings
        self.games: list[Game] = []
        self.byes: list[Bye] = []
        self.cells, self.nobody = cells, nobody

    def pair(self) -> None:
        """Every cell of the round."""
        halves = [number for number, cell in self.cells.items() if self._is_half(number, cell)]
        mine = set(halves)
        lone: list[int] = []  # who names somebody whose cell is blank
        done: set[int] = set()
        for number in halves:
            if number in done:
                continue
            opponent = self.cells[number].opponent
            other = self.cells.get(opponent, NOTHING)
            if other.opponent == number:
                done.add(opponent)
                self._game(number, opponent, opponent in mine)
            elif other == NOTHING:
                lone.append(number)
            else:
                self._not_mutual(number, other)
        self._lone(lone)
        if not self.rows.tournament.of_teams:
            self._doubtful()

    def _is_half(self, number: int, cell: Cell) -> bool:
        """Whether a cell is half a game; byes are taken, numbers that name nobody are told."""
        if number in self.nobody:
            return False
        if not cell.opponent:
            if cell != NOTHING:
                self._bye(number, cell)
            return False
        if cell.opponent == number:
            message = f"{self._who(number)} plays against himself or herself in round {self.round}."
            self._add("game-self", FATAL, message, "Correct the opponent's number.", number)
        elif cell.opponent not in self.entries:
            message = (
                f"{self._who(number)} names player {cell.opponent} in round {self.round}, who has no line."
            )
            self._add("player-missing", FATAL, message, "Export it again with all players.", number)
        elif cell.opponent in self.nobody:
            self._take_bye(number, cell)
        elif cell.code in tuple(BYES):
            message = f"'{cell.code}' beside opponent {cell.opponent} in round {self.round}: taken as a bye."
            self._add("bye-with-opponent", WARNING, message, "Correct the code.", number, CODE)
            self._take_bye(number, cell)
        else:
            return cell.code in _OTHERS
        return False

    # --- byes -----------------------------------------------------------------------------------

    def _bye(self, number: int, cell: Cell) -> None:
        if cell.code in tuple(PLAYED + UNRATED):
            message = f"'{cell.code}' without opponent in round {self.round} is taken as a bye."
            self._add("bye-code", WARNING, message, "Write H, F, U or Z.", number, CODE)
        if cell.colour in (WHITE, BLACK) and cell.code not in tuple(FORFEITS):
            message = f"A bye in round {self.round} has a colour, which is ignored."
            self._add("bye-with-colour", WARNING, message, "", number, COLOUR)
        self._take_bye(number, cell)

    def _take_bye(self, number: int, cell: Cell) -> None:
        halves = HALVES.get(cell.code, 0)
        self.byes.append(Bye(self.round, number, halves, self.entries[number].line))

    def _doubtful(self) -> None:
        by_code = {code: [n for n, c in self.cells.items() if c.code == code and not c.opponent]
                   for code in "UF"}  # fmt: skip
        if len(by_code["U"]) > 1:
            message = f"Round {self.round} has {len(by_code['U'])} pairing byes (U)."
            self._add("bye-kind-doubtful", WARNING, message, "One a round is usual.", by_code["U"][1], CODE)
        elif len(by_code["F"]) == 1 and not by_code["U"]:
            message = f"Round {self.round} has one full-point bye (F), where U is expected."
            self._add("bye-kind-doubtful", WARNING, message, "", by_code["F"][0], CODE)

    # --- games ----------------------------------------------------------------------------------

    def _game(self, number: int, opponent: int, is_game: bool) -> None:
        """The game of two halves that name each other."""
        mine, other = self.cells[number], self.cells[opponent]
        result = _PAIRS.get((mine.code, other.code)) if is_game else None
        if other.code not in CODES and other.code:
            return  # told as unknown
        if result is None:
            codes = [f"'{cell.code}'" if cell.code else "a blank" for cell in (mine, other)]
            message = (
                f"Round {self.round}: {codes[0]} of {self._who(number)} and {codes[1]} of "
                f"{self._who(opponent)} (line {self.entries[opponent].line}) do not fit."
            )
            remedy = "Correct one of the two lines."
            self._add("game-contradiction", HELD, message, remedy, number, CODE)
            return
        colours = {mine.colour, other.colour} & {WHITE, BLACK}
        if mine.colour == other.colour and colours:
            message = f"Round {self.round}: {self._who(number)} and {self._who(opponent)} claim one colour."
            self._add("colour-same", WARNING, message, "Correct it if colours matter.", number, COLOUR)
            self._take(number, opponent, result, "")
            return
        first_is_white = mine.colour == WHITE or other.colour == BLACK
        self._take(number, opponent, result, "" if not colours else WHITE if first_is_white else BLACK)

    def _take(self, number: int, opponent: int, result: Result, colour: str) -> None:
        """`colour` of the player whose line stands first."""
        line = self.entries[number].line
        if not colour and result.kind == GAME:
            message = f"Round {self.round}: no colours of {self._who(number)} and {self._who(opponent)}."
            self._add("colour-missing", NOTE, message, "", number, COLOUR)
        if result.kind == PENDING:
            message = f"Round {self.round}: {self._who(number)} - {self._who(opponent)} has no result yet."
            self._add("result-pending", NOTE, message, "Send the file again later.", number, CODE)
        if colour == BLACK:
            number, opponent = opponent, number
            result = result._replace(first=result.second, second=result.first)
        self.games.append(Game(self.round, number, opponent, result, bool(colour), line))

    def _lone(self, lone: list[int]) -> None:
        """Games of which one half stands in the file, and rounds without game of everybody else."""
        named = Counter(self.cells[number].opponent for number in lone)
        for number in lone:
            cell = self.cells[number]
            who = f"{self._who(number)} names {self._who(cell.opponent)}"
            if named[cell.opponent] > 1:
                message = f"Round {self.round}: {who}, and so does another; that player's round is blank."
                self._add("game-double-booked", HELD, message, "Correct one of the lines.", number)
                continue
            line = self.entries[cell.opponent].line
            message = f"Round {self.round}: {who}, whose round (line {line}) is blank."
            self._add("game-one-sided", WARNING, message, "Complete the other line.", number)
            colour = cell.colour if cell.colour in (WHITE, BLACK) else ""
            self._take(number, cell.opponent, _PAIRS[cell.code, _OTHERS[cell.code]], colour)
        for number, cell in self.cells.items():
            if cell == NOTHING and number not in named and number not in self.nobody:
                self.byes.append(Bye(self.round, number, 0, self.entries[number].line))

    def _not_mutual(self, number: int, other: Cell) -> None:
        opponent = self.cells[number].opponent
        names = f"names player {other.opponent}" if other.opponent else "names nobody"
        message = (
            f"Round {self.round}: {self._who(number)} names {self._who(opponent)}, "
            f"whose line {self.entries[opponent].line} {names}."
        )
        self._add("game-not-mutual", HELD, message, "Correct one of the two lines.", number)

    def _who(self, number: int) -> str:
        return f"{number} {self.entries[number].name}".strip()

    def _add(self, code: str, severity: str, message: str, remedy: str, number: int, part: int = 0) -> None:
        place = self.rows.place(self.entries[number], self.round, part)
        self.findings.add(code, severity, message, remedy, *place)


__all__ = ["Bye", "Game", "Pairs", "pair"]
