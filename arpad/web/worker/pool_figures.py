"""A pool's figures and comparisons as plain data; persons by the database's keys."""

from __future__ import annotations

from typing import Any

from arpad.engine import figures
from arpad.engine.history import History
from arpad.store.settle import Settler

YEAR = 365
MOVED = 30  # players of a comparison that are listed


def pool_figures(settler: Settler, history: History, today: int, width: int) -> dict[str, Any]:
    """Everything the page of statistics shows but risers. `width`: points of a band of the distribution."""
    people, games = settler.facts.keys["person"], settler.facts.keys["game"]
    mean, error, counted = figures.loss(history)
    return {
        "calibration": [list(band) for band in figures.calibration(history)],
        "years": [list(year) for year in figures.years(history)],
        "upsets": [
            [games[one.game], people[one.winner], people[one.loser], one.day, one.expected]
            for one in figures.upsets(history, today - YEAR)
        ],
        "distribution": [list(band) for band in figures.distribution(history, width, today - YEAR)],
        "loss": [mean, error, counted],
    }


def comparison(settler: Settler, now: History, other: History) -> dict[str, Any]:
    """Two replays of one ledger: losses with their uncertainty, places, and who moves most."""
    people = settler.facts.keys["person"]
    before = {line.person: line for line in now.ratings()}
    after = {line.person: line for line in other.ratings()}
    place_before, place_after = _places(now), _places(other)
    both = [p for p in before if before[p].rating is not None and p in after and after[p].rating is not None]
    moved = sorted(both, key=lambda p: -abs(place_after[p] - place_before[p]))
    return {
        "loss": [list(figures.loss(now)), list(figures.loss(other))],
        "calibration": [
            [list(band) for band in figures.calibration(now)],
            [list(band) for band in figures.calibration(other)],
        ],
        "players": len(both),
        "same_place": sum(place_before[p] == place_after[p] for p in both),
        "moved": [
            [people[p], before[p].rating, after[p].rating, place_before[p], place_after[p]]
            for p in moved[:MOVED]
        ],
    }


def _places(history: History) -> dict[int, int]:
    """Person -> place among those with a rating; equal ratings share it."""
    places: dict[int, int] = {}
    last: tuple[float | None, int] = (None, 0)
    for at, line in enumerate((one for one in history.ratings() if one.rating is not None), 1):
        if line.rating != last[0]:
            last = (line.rating, at)
        places[line.person] = last[1]
    return places
