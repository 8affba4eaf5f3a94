"""Points for a win as the Belgian federation prints them, by the rule; and where its text says otherwise."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from arpad.domain.ranks import rank_index, rank_name
from arpad.domain.rounding import rounded
from arpad.engine.expect import expect
from arpad.web import bands, figures

RULESET = "belgian-go"
RANKS = ("20 kyu", "15 kyu", "10 kyu", "5 kyu", "1 dan", "6 dan")
DIFFERENCES = (-200, -150, -100, -50, 0, 50, 100, 150, 200)
CLASS = "A"
PRINTED = 1.0  # the ceiling with which the federation's table was made


class Cell(NamedTuple):
    printed: str
    written: str  # "" = the same
    even: bool  # the column of equal players


class Row(NamedTuple):
    rank: str
    cells: tuple[Cell, ...]


class Contradiction(NamedTuple):
    """How far the federation's text and its own table are apart."""

    cells: int
    differ: int
    most: float  # points
    rank: str  # an example: a win over somebody 200 weaker
    written: str
    printed: str


@lru_cache(maxsize=8)
def cells(day: int, ceiling: float) -> tuple[tuple[float, ...], ...]:
    """Unrounded points by rank and difference, with a ceiling, in the edition of a day."""
    found = []
    for rank in RANKS:
        own = 100 * (rank_index(rank) or 0) - 50
        found.append(
            tuple(
                expect(
                    RULESET, own, own + more, event_class=CLASS, date=day, parameters={"ceiling": ceiling}
                ).changes["1-0"]
                for more in DIFFERENCES
            )
        )
    return tuple(found)


def _tenths(value: float) -> int:
    return rounded(value * 10)


def table(day: int, ceiling: float, language: str) -> list[Row]:
    """The printed table, and beside it what `ceiling` gives where that is another number."""
    found = []
    for rank, printed, written in zip(RANKS, cells(day, PRINTED), cells(day, ceiling), strict=True):
        row = []
        for more, one, other in zip(DIFFERENCES, printed, written, strict=True):
            both = [figures.fixed(_tenths(value), 10, 1, language) for value in (one, other)]
            row.append(Cell(both[0], both[1] if both[0] != both[1] else "", more == 0))
        found.append(Row(bands.rank(rank_name(rank_index(rank) or 0), language), tuple(row)))
    return found


def heads(language: str) -> list[tuple[str, bool]]:
    """The columns' heads, and which is that of equal players."""
    return [
        (("+" if more > 0 else "") + figures.fixed(more, 1, 0, language), not more) for more in DIFFERENCES
    ]


def contradiction(day: int, ceiling: float, language: str) -> Contradiction:
    """Both readings of the federation's page, counted cell by cell."""
    pairs = [
        (one, other)
        for printed, written in zip(cells(day, PRINTED), cells(day, ceiling), strict=True)
        for one, other in zip(printed, written, strict=True)
    ]
    at = RANKS.index("5 kyu") * len(DIFFERENCES)
    one, other = ("+" + figures.fixed(_tenths(value), 10, 1, language) for value in pairs[at])
    return Contradiction(
        len(pairs), sum(_tenths(a) != _tenths(b) for a, b in pairs), max(abs(a - b) for a, b in pairs),
        bands.rank(RANKS[3], language), other, one,
    )  # fmt: skip
