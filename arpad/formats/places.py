"""The column of what a ruleset refuses: it knows the line of a game, the file knows where its cell is."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from arpad.domain.problems import Problem
from arpad.formats import csvfile, flat
from arpad.formats.flat_rows import HEADINGS
from arpad.formats.reading import Findings, lines_of

# The column of the flat file that each refusal of a ruleset speaks of.
CELLS = {
    "set-illegal": "result",
    "result-not-in-ruleset": "result",
    "class-unknown": "class",
    "event-class-missing": "class",
    "size-unknown": "size",
    "handicap-unknown": "handicap",
    "handicap-range": "handicap",
    "weight-not-in-ruleset": "weight",
    "weight-out-of-range": "weight",
    "date-before-ruleset": "date",
}


def with_columns(problems: Iterable[Problem]) -> list[Problem]:
    """The problems, their columns filled in where they stand in a flat file that is still there."""
    lines: dict[str, list[str]] = {}
    return [
        _placed(problem, lines) if problem.code in CELLS and problem.line else problem for problem in problems
    ]


def _placed(problem: Problem, known: dict[str, list[str]]) -> Problem:
    if problem.file not in known:
        known[problem.file] = _lines(problem.file)
    lines = known[problem.file]
    if not lines or problem.line > len(lines):
        return problem
    headings = csvfile.split(next(line for line in lines if line.strip(" \t,")))
    if isinstance(headings, int):
        return problem
    columns = [HEADINGS.get(csvfile.normal(heading)) for heading in headings]
    cell = CELLS[problem.code]
    if cell not in columns:
        return problem
    return problem._replace(column=csvfile.column(lines[problem.line - 1], columns.index(cell)))


def _lines(file: str) -> list[str]:
    """The lines of a flat file of games; none of any other file."""
    try:
        data = Path(file).read_bytes()
    except OSError:
        return []
    lines = lines_of(data, Findings(file))
    head = "\n".join(lines[:50])
    return lines if flat.GAMES in flat.sniff(head, file) else []
