"""What a ruleset is handed: one side's view of a game, a period's tally, an application.

All are NamedTuples, so that they enter compiled code. Ratings are whole grains.
"""

from __future__ import annotations

from typing import NamedTuple

from arpad.domain.units import UNRATED, Count, Factor, Flag, Grains, Hundredths, Rank, Year


class Game(NamedTuple):
    """One game seen from one side."""

    score: Hundredths  # own score: 100 won, 50 drawn, 0 lost; table tennis: per cent of the match
    best_of: Count  # 0 where a game is one game
    stones: Count  # handicap stones *received*; negative: given
    weight: Factor  # what weigh() returned: class, board size or the game's own weight; 1.0 neutral
    month: int  # year * 12 + month - 1 of the day on which it counts
    marked: Flag  # 1: this player's game with the largest claim in its event


class Tally(NamedTuple):
    """One player's rated games of one period, added up by the engine."""

    games: Count  # rated games
    score: Hundredths  # sum of their scores
    change: int  # sum of their changes, in the ruleset's change unit (grains; FIDE: hundredths)
    opponents: Grains  # sum of the opponents' ratings used
    unrated: Count  # games against opponents without a rating


class When(NamedTuple):
    """The list a period starts from: FIDE's list of March 2025 and the games of March are 2025, 3."""

    year: Year
    month: int  # 1..12


class Openings(NamedTuple):
    """An unrated player's games against rated opponents so far: parallel columns, oldest first.

    Columns are longer than the number of games handed over beside them; the rest is to be ignored.
    """

    rating: list[int]  # the opponent's rating used, grains
    stones: list[int]  # stones the unrated player received; negative: gave
    score: list[int]  # the unrated player's score, hundredths
    month: list[int]  # year * 12 + month - 1 in which the game counts
    event: list[int]  # equal numbers: one event


class Application(NamedTuple):
    """What is known of a player when he or she enters; enter() makes a State of it.

    Everything is optional; a field that is not given has the default below.
    """

    rating: float | None = None  # points
    rank: Rank | None = None  # estimated rank as an index
    unclassified: bool = False  # registered as NC
    league: str = ""  # class of last season
    percentage: float | None = None  # personal percentage in that class, 0..100
    adjustment: float = 0.0  # points, with a reason
    reason: str = ""
    born: Year = 0  # 0: not known, taken as an adult
    games: Count = 0  # rated games before
    peak: float | None = None  # highest rating ever published, points; default: the rating
    standard: float | None = None  # chess: standard rating, for rapid and blitz


__all__ = ["UNRATED", "Application", "Game", "Openings", "Tally", "When"]
