"""Figures of a whole pool: how good predictions were, whether ratings drift, how much is played, upsets.

All from a history's own arrays; nothing is computed a second time. Needs numpy.
"""

from __future__ import annotations

import datetime
from typing import Any, NamedTuple

import numpy as np

from arpad.domain.units import NOT_RATED, UNRATED
from arpad.engine.history import History

WIDTH = 50_000  # millionths of a band of predictions: 0.05
ESTABLISHED = 30  # rated games


class Band(NamedTuple):
    """Predictions for the favourite between two expected scores (millionths), and what came of them."""

    low: int
    high: int
    games: int
    expected: float  # mean, 0..1
    actual: float  # mean score of the favourite, 0..1


class Year(NamedTuple):
    year: int
    games: int  # rated
    players: int  # who played a rated game
    established: int  # of them, with at least ESTABLISHED rated games by then
    mean: float | None  # points: mean of what the established had at their last game of the year


class Upset(NamedTuple):
    """A game won by the side that was expected to score least. Numbers of the ledger."""

    game: int
    winner: int
    loser: int
    day: int
    expected: int  # millionths, of the winner


def _columns(history: History) -> dict[str, Any]:
    """Rated rows as columns: player 1's side of each."""
    plan = history.plan
    expected = np.array(history.expected, np.int64).reshape(-1, 2)
    rated = np.flatnonzero((expected[:, 0] != NOT_RATED) & (expected[:, 1] != NOT_RATED))
    score = np.array(plan.kinds.score, np.int64)[np.array(plan.kind, np.int64)]
    return {
        "row": rated,
        "expected": expected[rated],
        "score": score[rated],
        "day": np.array(plan.day, np.int64)[rated],
        "players": np.stack([np.array(plan.player1, np.int64), np.array(plan.player2, np.int64)], 1)[rated],
        "before": np.array(history.before, np.int64).reshape(-1, 2)[rated],
    }


def calibration(history: History) -> list[Band]:
    """From the favourite's side: in bands of 0.05 from 0.5 to 1, empty ones left out."""
    columns = _columns(history)
    second = columns["expected"][:, 1] > columns["expected"][:, 0]
    expected = columns["expected"].max(axis=1)
    score = np.where(second, 100 - columns["score"], columns["score"])
    index = np.minimum(expected, 999_999) // WIDTH
    found = []
    for band in np.unique(index).tolist():
        inside = index == band
        found.append(Band(
            band * WIDTH, (band + 1) * WIDTH, int(inside.sum()), float(expected[inside].mean()) / 1e6,
            float(score[inside].mean()) / 100,
        ))  # fmt: skip
    return found


def loss(history: History) -> tuple[float, float, int]:
    """Mean squared error of the predictions, its standard error, and the number of games."""
    columns = _columns(history)
    error = (columns["score"] / 100 - columns["expected"][:, 0] / 1e6) ** 2
    games = len(error)
    if not games:
        return 0.0, 0.0, 0
    return float(error.mean()), float(error.std() / np.sqrt(games)), games


def years(history: History) -> list[Year]:
    """What was played in each year, and the mean of the established."""
    columns = _columns(history)
    days = columns["day"]
    if not len(days):
        return []
    ordinal = [datetime.date(year, 1, 1).toordinal() for year in range(1, 2400)]
    year_of = np.searchsorted(np.array(ordinal), days, "right")
    games = np.zeros(len(history.plan.ledger.names), np.int64)
    found = []
    for year in np.unique(year_of).tolist():
        inside = np.flatnonzero(year_of == year)
        people, before = columns["players"][inside].ravel(), columns["before"][inside].ravel()
        np.add.at(games, people, 1)
        last = np.full(len(games), UNRATED, np.int64)
        last[people] = before  # the last assignment stands: rows are in playing order
        played = np.unique(people)
        old = played[(games[played] >= ESTABLISHED) & (last[played] != UNRATED)]
        mean = float(last[old].mean()) / history.plan.ruleset.per_point if len(old) else None
        found.append(Year(int(year), len(inside), len(played), len(old), mean))
    return found


def upsets(history: History, since: int, most: int = 10) -> list[Upset]:
    """The least expected wins from a day on, the least expected first."""
    columns = _columns(history)
    recent = np.flatnonzero((columns["day"] >= since) & (columns["score"] != 50))
    won = np.where(columns["score"][recent] > 50, 0, 1)
    expected = columns["expected"][recent, won]
    order = np.argsort(expected, kind="stable")[:most]
    games = np.array(history.plan.order.games, np.int64)
    found = []
    for at in order.tolist():
        row, side = int(columns["row"][recent[at]]), int(won[at])
        players = columns["players"][recent[at]]
        found.append(Upset(
            int(games[row]), int(players[side]), int(players[1 - side]),
            int(columns["day"][recent[at]]), int(expected[at]),
        ))  # fmt: skip
    return found


def distribution(history: History, width: int, since: int = 0) -> list[tuple[int, int]]:
    """(lower bound in points, players) of bands of so many points, of those who played since a day."""
    plan = history.plan
    fields = len(plan.ruleset.state_type._fields)
    ratings = np.array(history.states, np.int64).reshape(-1, fields)[:, 0]
    played = np.array(history.last_played(), np.int64)
    inside = np.array(sorted(plan.players), np.int64)
    inside = inside[(ratings[inside] != UNRATED) & (played[inside] >= since)]
    if not len(inside):
        return []
    bands = ratings[inside] // (plan.ruleset.per_point * width)
    low, counts = int(bands.min()), np.bincount(bands - bands.min())
    return [((low + at) * width, int(count)) for at, count in enumerate(counts.tolist())]
