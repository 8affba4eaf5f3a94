"""Pairs the halves of an EGD table: every game stands in two rows, and both must agree."""

from __future__ import annotations

from typing import NamedTuple

from arpad.domain.problems import FATAL, HELD, NOTE, WARNING
from arpad.domain.ranks import rank_index
from arpad.domain.results import FORFEIT, GAME, PENDING, Result
from arpad.formats.cells import Bad
from arpad.formats.egd_rows import Rows
from arpad.formats.egd_table import NO_HANDICAP, Half, Row, TableBye, TableGame
from arpad.formats.reading import Findings

# Sign of the upper row, sign of the lower row -> points of the upper row in halves
_POINTS = {("+", "-"): 2, ("-", "+"): 0, ("=", "="): 1}


class Pairs(NamedTuple):
    games: list[TableGame]
    byes: list[TableBye]


def pair(table: Rows, handicap: int | None, findings: Findings) -> Pairs:
    """Games and byes by round, then row. A game whose halves do not fit is reported and left out."""
    games, byes = [], []
    for round_ in range(1, table.rounds + 1):
        halves = [row[round_ - 1] for row in table.halves]
        for index, half in enumerate(halves):
            if half is None:
                continue
            if half.opponent == 0:
                _report_bye(half, findings)
                byes.append(TableBye(round_, index, "-" if half.sign == "?" else half.sign))
            elif _is_mutual(halves, index, half, findings) and index < half.opponent - 1:
                other = halves[half.opponent - 1]
                assert other is not None  # mutual
                game = _game(round_, index, half, other, table.rows, handicap, findings)
                if game is not None:
                    games.append(game)
    findings.refuse_where(FATAL)
    played = max((game.round for game in games), default=0)
    used = max([played, *(bye.round for bye in byes if bye.sign != "-")])
    return Pairs(games, [bye for bye in byes if bye.round <= used])


def _report_bye(half: Half, findings: Findings) -> None:
    if half.colour or half.stones:
        message = f"'{half.text}' has no opponent but a colour or stones, which are ignored."
        findings.add("bye-with-colour", WARNING, message, "", half.line, half.column)
    if half.sign == "?":
        message = f"'{half.text}' has neither opponent nor result and is taken as absent."
        findings.add("bye-code", WARNING, message, "Write 0+, 0= or 0-.", half.line, half.column)


def _is_mutual(halves: list[Half | None], index: int, half: Half, findings: Findings) -> bool:
    """Whether the row that `half` names exists, is another row and names this one."""
    place = (half.line, half.column)
    if half.opponent > len(halves):
        message = f"'{half.text}' names row {half.opponent}; there are {len(halves)}."
        findings.add("player-missing", FATAL, message, "Export the table again with all players.", *place)
        return False
    if half.opponent == index + 1:
        message = f"'{half.text}' in row {index + 1} names the row itself."
        findings.add("game-self", FATAL, message, "Correct the opponent's number.", *place)
        return False
    other = halves[half.opponent - 1]
    if other is not None and other.opponent == index + 1:
        return True
    shown = f"says '{other.text}'" if other else "has no readable result in that round"
    message = f"Row {index + 1} says '{half.text}', but row {half.opponent} {shown}."
    findings.add("game-not-mutual", HELD, message, "Correct one of the two rows.", *place)
    return False


def _game(
    round_: int,
    index: int,
    half: Half,
    other: Half,
    rows: list[Row],
    handicap: int | None,
    findings: Findings,
) -> TableGame | None:
    """The game of two halves that name each other; None, and a problem, where they do not fit."""
    place = (half.line, half.column)
    both = f"'{half.text}' in row {index + 1} and '{other.text}' in row {half.opponent}"
    result = _result(half, other)
    wrong = _disagreement(half, other, result)
    if wrong is not None:
        findings.add(wrong.code, wrong.severity, f"{both} {wrong.message}.", wrong.remedy, *place)
    if result is None or wrong is not None:
        return None
    coloured, upper_is_white = bool(half.colour or other.colour), half.colour == "w" or other.colour == "b"
    stones = half.stones if half.stones is not None else other.stones
    if stones is None:
        difference = _difference(rows[index], rows[half.opponent - 1])
        stones = 0 if result.kind == FORFEIT else _derived(difference, upper_is_white, coloured, handicap)
        if stones:
            message = f"{both} say no handicap; {stones} stones follow from the grades and HA[h{handicap}]."
            findings.add("handicap-derived", NOTE, message, "Confirm it.", *place)
            if not coloured:
                coloured, upper_is_white = True, difference > 0
    if not coloured and result.kind != FORFEIT:
        findings.add("colour-missing", NOTE, f"{both} give no colours.", "", *place)
    if result.kind == PENDING:
        message = f"{both}: no result yet; not rated."
        findings.add("result-pending", NOTE, message, "Send the table again later.", *place)
    if upper_is_white or not coloured:
        return TableGame(round_, index, half.opponent - 1, result, stones, coloured, half.line)
    result = result._replace(first=result.second, second=result.first)
    return TableGame(round_, half.opponent - 1, index, result, stones, coloured, half.line)


def _disagreement(half: Half, other: Half, result: Result | None) -> Bad | None:
    """What is wrong where two halves that name each other do not fit."""
    if result is None:
        return Bad("game-contradiction", "contradict each other", "Correct one of the two results.")
    if half.colour and half.colour == other.colour:
        return Bad("colour-same", "claim the same colour", "Correct one of the two colours.")
    if half.stones is not None and other.stones is not None and half.stones != other.stones:
        return Bad("handicap-differs", "give different handicaps", "Correct one of the two.")
    if (half.stones or other.stones) and not half.colour and not other.colour:
        words = "give stones but no colour: who received them is not known"
        return Bad("handicap-shape", words, "Give the colours.")
    return None


def _result(half: Half, other: Half) -> Result | None:
    """The result from the upper row's side. `-!` in both rows is a double forfeit (our own dialect)."""
    signs = (half.sign, other.sign)
    points = _POINTS.get(signs)
    if half.forfeit != other.forfeit:
        return None
    if half.forfeit and signs == ("-", "-"):
        return Result(FORFEIT, 0, 0)
    if signs == ("?", "?") and not half.forfeit:
        return Result(PENDING)
    if points is None or (half.forfeit and points == 1):
        return None
    return Result(FORFEIT if half.forfeit else GAME, points, 2 - points)


def _difference(upper: Row, lower: Row) -> int:
    """Grades between two rows, above 0 where the upper one is stronger; 0 where one is not known."""
    indices = [rank_index(row.grade) for row in (upper, lower)]
    return 0 if None in indices else (indices[0] or 0) - (indices[1] or 0)


def _derived(difference: int, upper_is_white: bool, coloured: bool, handicap: int | None) -> int:
    """Stones by HA[hN]: difference of grades less N, 0 to 9. Black gets them: White is the stronger."""
    if handicap is None or handicap >= NO_HANDICAP:
        return 0
    ahead = (difference if upper_is_white else -difference) if coloured else abs(difference)
    return min(max(ahead - handicap, 0), 9)
