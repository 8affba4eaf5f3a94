"""One row's result from all that it says: result, two scores, sets, winner, remark, running score."""

from __future__ import annotations

import datetime
import difflib
from collections.abc import Callable, Mapping
from typing import NamedTuple

from arpad.domain.results import FORFEIT, GAME, PENDING, SETS, Result
from arpad.formats.cells import Bad
from arpad.formats.table_cells import (
    DISQUALIFIED,
    PLAYED,
    RETIRED,
    WALKOVER,
    Score,
    Sets,
    read_score,
    read_sets,
    result_of,
    settle_sets,
)
from arpad.formats.table_grid import Cell, text_of
from arpad.formats.table_words import SETS as MOST_SETS
from arpad.ledger.ledger import fold


class Wrong(NamedTuple):
    """What is wrong, and with which field."""

    field: str
    bad: Bad


class Told(NamedTuple):
    """A result, and how many of its sets had a 0 without sign."""

    result: Result
    unsigned: int = 0


class Style(NamedTuple):
    """The settings of the mapping that results are read with."""

    results: str = ""
    letters: str = ""
    became_dates: str = ""
    winners: Mapping[str, str] = {}  # folded


class Scores:
    """Reads the results of one sheet; equal cells once."""

    def __init__(self, style: Style, fields: set[str]) -> None:
        self.style, self.fields = style, fields
        self._cells: dict[object, Score | Result | Bad] = {}
        self._results: dict[tuple[float, float], Result | Bad] = {}
        self._sets: dict[tuple[str, ...], Sets | Bad] = {}

    def read(self, cell: Callable[[str], Cell], names: list[str], step: tuple[int, int]) -> Told | Wrong:
        """The result of one row.

        cell   the row's cell of a field, "" where there is none
        names  the two players
        step   the running score less that of the row before: who won, where nothing else says it
        """
        field, told = self._score(cell)
        if isinstance(told, Bad):
            return Wrong(field, told)
        if isinstance(told, Result) and told.kind != PENDING:
            return Told(told)
        score = told if isinstance(told, Score) else Score()
        if "remark" in self.fields and score.what == PLAYED:
            remark = self._cell(text_of(cell("remark"))) if cell("remark") else None
            if isinstance(remark, Score) and remark.what != PLAYED:
                score = score._replace(what=remark.what)
        winner = self._winner(cell, names)
        if isinstance(winner, Bad):
            return Wrong("winner" if "winner" in self.fields else "loser", winner)
        unsigned = 0
        if score.what == PLAYED:
            sets = self._of_sets(cell)
            settled = settle_sets(sets, score.numbers) if isinstance(sets, Sets) and sets.winners else sets
            if isinstance(settled, Bad):
                return Wrong("sets" if "sets" in self.fields else "set1", settled)
            if isinstance(settled, tuple) and not isinstance(settled, Sets):
                numbers, unsigned = settled
                score = score._replace(numbers=(float(numbers[0]), float(numbers[1])))
        found = self._whole(score, winner, step)
        return Wrong(field, found) if isinstance(found, Bad) else Told(found, unsigned)

    def _whole(self, score: Score, winner: int, step: tuple[int, int]) -> Result | Bad:
        """The result of numbers, mark and winner. `winner`: 1, 2, or 0 where none is named."""
        if score.what == DISQUALIFIED:
            return Bad(
                "result-unreadable", "A disqualification does not say how it counts.", "Choose the result."
            )
        if score.what == WALKOVER:
            return _walkover(score, winner, step)
        if score.numbers is None:
            if winner and score.what == PLAYED:
                return Result(GAME, 2, 0) if winner == 1 else Result(GAME, 0, 2)
            if score.what == RETIRED:
                return Bad("result-unreadable", "Somebody gave up, at an unknown score.", "Give the score.")
            if self.fields.isdisjoint({"result", "score1"}) and "sets" not in self.fields:
                return Bad("result-unreadable", "There is neither result nor winner.", "Give one of them.")
            return Result(PENDING)
        first, second = score.numbers
        if score.what == RETIRED and first + second != 1:
            return _retired(score.numbers, winner)
        result = self._results.get(score.numbers)
        if result is None:
            result = self._results[score.numbers] = result_of(score.numbers, self.style.results)
        if isinstance(result, Result) and winner and (first == second or (first > second) != (winner == 1)):
            message = f"The result {result} contradicts the winner."
            return Bad("winner-contradicts", message, "Say which of the two holds.")
        return result

    def _score(self, cell: Callable[[str], Cell]) -> tuple[str, Score | Result | Bad | None]:
        """The column of results, or the two of scores; None where the table has neither."""
        if "result" in self.fields:
            value = cell("result")
            became = _became_date(value)
            if became:
                return "result", self._from_date(became)
            return "result", self._cell(text_of(value))
        if "score1" in self.fields and "score2" in self.fields:
            first, second = text_of(cell("score1")).strip(), text_of(cell("score2")).strip()
            if not first and not second:
                return "score1", Result(PENDING)
            both = self._cell(f"{first} : {second}")
            if isinstance(both, Bad) and not (first and second):
                return "score1", Bad(both.code, "Only one of the two scores is there.", both.remedy)
            return "score1", both
        return "winner", None

    def _cell(self, text: str) -> Score | Result | Bad:
        found = self._cells.get(text)
        if found is None:
            found = self._cells[text] = read_score(text, self.style.results, self.style.letters)
        return found

    def _from_date(self, became: tuple[int, int]) -> Score | Bad:
        day, month = became
        if self.style.became_dates:
            numbers = (day, month) if self.style.became_dates == "dmy" else (month, day)
            return Score((float(numbers[0]), float(numbers[1])))
        message = f"The spreadsheet made a date of this result: {day}-{month} or {month}-{day}."
        remedy = "Format the column as text and retype it, or say --map became_dates=dmy or mdy."
        return Bad("result-became-date", message, remedy)

    def _of_sets(self, cell: Callable[[str], Cell]) -> Sets | Bad | None:
        names = ["sets"] if "sets" in self.fields else [f"set{n}" for n in range(1, MOST_SETS + 1)]
        texts = tuple(text_of(cell(name)) for name in names if name in self.fields)
        if not any(texts):
            return None
        if texts not in self._sets:
            self._sets[texts] = read_sets(texts)
        return self._sets[texts]

    def _winner(self, cell: Callable[[str], Cell], names: list[str]) -> int | Bad:
        """1 or 2; 0 where nobody is named; Bad where the name is neither player's."""
        for field, other in (("winner", False), ("loser", True)):
            text = text_of(cell(field)) if field in self.fields else ""
            told = fold(text) if text else ""
            if not told:
                continue
            told = self.style.winners.get(told, told)
            sides = [fold(name) for name in names]
            if told not in sides or sides[0] == sides[1]:
                message = f"The {field} '{text.strip()[:60]}' is neither {names[0]} nor {names[1]}."
                near = difflib.get_close_matches(told, sides, n=1, cutoff=0.7)
                remedy = "Say who it is with --winner."
                if near:
                    name = names[sides.index(near[0])]
                    remedy = f"It may be {name}: --winner '{text.strip()[:60]}={name}'."
                return Bad("winner-not-a-player", message, remedy)
            side = sides.index(told) + 1
            return 3 - side if other else side
        return 0


def _walkover(score: Score, winner: int, step: tuple[int, int]) -> Result | Bad:
    """A forfeit; who stayed away from the score, the winner, or the running score."""
    if score.numbers is not None and score.numbers[0] != score.numbers[1]:
        by_score = 1 if score.numbers[0] > score.numbers[1] else 2
        if winner and winner != by_score:
            return Bad("winner-contradicts", "Score and winner disagree.", "Say which of the two holds.")
        winner = by_score
    if not winner:
        winner = {(1, 0): 1, (0, 1): 2}.get(step, 0)
    if not winner:
        message = "A game was not played, but who stayed away is not told."
        return Bad("result-unreadable", message, "Write +-- where player 2 stayed away, else --+.")
    return Result(FORFEIT, 2, 0) if winner == 1 else Result(FORFEIT, 0, 2)


def _retired(numbers: tuple[float, float], winner: int) -> Result | Bad:
    """A match that one side gave up: the other than the winner, else who had fewer sets."""
    first, second = numbers
    whole = first.is_integer() and second.is_integer()
    if not whole or not 0 <= min(numbers) <= max(numbers) <= 5:
        return Bad("set-illegal", f"{first:g} - {second:g} is no score of sets.", "Correct the score.")
    if not winner and first == second:
        message = f"Somebody gave up at {first:g}-{second:g}, but who is not told."
        return Bad("result-unreadable", message, "Write ret1 or ret2 behind the score.")
    retired = 3 - winner if winner else 1 if first < second else 2
    return Result(SETS, int(first), int(second), retired)


def _became_date(cell: Cell) -> tuple[int, int] | None:
    """Day and month, where a spreadsheet made a date of a result."""
    if isinstance(cell, datetime.date):
        return cell.day, cell.month
    if isinstance(cell, float | int) and not isinstance(cell, bool) and 45000 <= cell <= 47000:
        day = datetime.date(1899, 12, 30) + datetime.timedelta(days=int(cell))
        return day.day, day.month
    if isinstance(cell, str) and len(cell) >= 8:
        from arpad.formats.table_cells import is_dated
        from arpad.formats.table_dates import date

        if is_dated(cell):
            found = date(cell, "dmy", datetime.date.max.toordinal())
            if isinstance(found, int) and found:
                day = datetime.date.fromordinal(found)
                return day.day, day.month
    return None
