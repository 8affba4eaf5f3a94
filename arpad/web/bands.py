"""Bands of ratings: the ribbon of a list and the stripes of a curve. A rank for go, 200 points elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from arpad.domain.ranks import rank_index, rank_name
from arpad.rulesets.catalogue import Ruleset
from arpad.store.current import Line
from arpad.web import figures

RANK = 100  # points of a go rank; 0 is the lower bound of 1 dan
CLASS = 200  # points of a band elsewhere
WEAKEST, STRONGEST = -29, 9  # 30 kyu to 9 dan
FEW_GAMES = 10  # rated games below which a rating is provisional


class Band(NamedTuple):
    rank: int  # number of the band, rising with the rating; for go a rank index (arpad.domain.ranks)
    style: str  # d0, d1 (dan), k0, k1 (kyu and everything else); "" = no rating
    low: int  # points
    high: int


def of(rules: Ruleset, grains: int | None) -> Band:
    """The band of a rating in grains."""
    if grains is None:
        return Band(0, "", 0, 0)
    return at(rules, grains // rules.per_point)


def at(rules: Ruleset, points: int) -> Band:
    """The band of a rating in whole points."""
    if figures.ranked(rules):
        index = min(max(points // RANK + 1, WEAKEST), STRONGEST)
        return Band(index, f"{'d' if index > 0 else 'k'}{(index + 1) % 2}", (index - 1) * RANK, index * RANK)
    index = points // CLASS
    return Band(index, f"k{index % 2}", index * CLASS, (index + 1) * CLASS)


def name(rules: Ruleset, band: Band, language: str) -> str:
    """What stands beside a band on a curve; "" where bands have no names."""
    return rank(rank_name(band.rank), language) if figures.ranked(rules) else ""


def between(rules: Ruleset, low: int, high: int) -> Iterator[Band]:
    """The bands from one rating in points to another."""
    band = at(rules, low)
    while True:
        yield band
        if band.high > high or (figures.ranked(rules) and band.rank == STRONGEST):
            break
        band = at(rules, band.high)


def rank(text: str, language: str, short: bool = False) -> str:
    """A rank as a language writes it; in tables 5k, 2d in all of them.

    >>> rank("5 kyu", "fr"), rank("1 dan", "fr"), rank("2 dan", "de"), rank("2 dan", "nl", short=True)
    ('5e kyu', '1er dan', '2. Dan', '2d')
    """
    match = re.fullmatch(r"(\d+) (kyu|dan)", text)
    if match is None:
        return text
    number, kind = match[1], match[2]
    if short:
        return f"{number}{kind[0]}"
    if language == "fr":
        return f"{number}{'er' if number == '1' else 'e'} {kind}"
    return f"{number}. {kind.title()}" if language == "de" else f"{number} {kind}"


def label(text: str, language: str) -> str:
    """What a list shows of a State, in the reader's language."""
    return rank(text, language)


def other_rank(rules: Ruleset, line: Line, language: str) -> str:
    """The rank that belongs to the rating, where another one is held."""
    if line.rating is None or not figures.ranked(rules):
        return ""
    belongs = of(rules, line.rating).rank
    return "" if rank_index(line.label) in (belongs, None) else rank(rank_name(belongs), language)


def is_provisional(rules: Ruleset, games: int) -> bool:
    """Whether a rating is marked as provisional. A display rule of the site, not of the rulesets."""
    return games < FEW_GAMES


def choices(rules: Ruleset) -> list[tuple[str, str]]:
    """(value, text) of the bands a list can be filtered by."""
    if figures.ranked(rules):
        return [(str(index), rank_name(index)) for index in range(STRONGEST, WEAKEST - 1, -1)]
    return [(str(index), f"{index * CLASS}–{(index + 1) * CLASS - 1}") for index in range(14, 0, -1)]


def limits(rules: Ruleset, value: str) -> tuple[int | None, int | None]:
    """Lowest and first not included rating, in grains, of a choice; None, None for no choice."""
    if not re.fullmatch(r"-?\d{1,2}", value):
        return None, None
    points = (int(value) - 1) * RANK if figures.ranked(rules) else int(value) * CLASS
    size = RANK if figures.ranked(rules) else CLASS
    return points * rules.per_point, (points + size) * rules.per_point
