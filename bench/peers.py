"""The same games in other rating libraries, through their public calls and without any history.

They keep ratings as floats and none of them records what it did, so their work is less than ours.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from arpad.engine.history import History

GAMES = {"elote": 100_000, "riix": 100_000, "skelo": 50_000}  # what each finishes in a few seconds


def peers(history: History) -> dict[str, tuple[int, Callable[[], Any]]]:
    """Name of the library: games, and a call that rates the first so many of an Elo replay."""
    plan = history.plan
    columns = [np.array(column) for column in (plan.player1, plan.player2, plan.day)]
    score = np.array(plan.kinds.score)[np.array(plan.kind)] / 100.0
    calls = {"elote": _elote, "riix": _riix, "skelo": _skelo}
    found = {}
    for name, call in calls.items():
        n = min(GAMES[name], plan.rows)
        found[name] = call(*(column[:n] for column in columns), score[:n])
    return found


def _elote(first: Any, second: Any, day: Any, score: Any) -> tuple[int, Callable[[], Any]]:
    from elote import EloCompetitor

    games = list(zip(first.tolist(), second.tolist(), score.tolist(), strict=True))
    people = int(max(first.max(), second.max())) + 1

    def run() -> Any:
        players = [EloCompetitor(initial_rating=1500, k_factor=20) for _ in range(people)]
        for a, b, won in games:
            if won == 1.0:
                players[a].beat(players[b])
            elif won == 0.0:
                players[b].beat(players[a])
            else:
                players[a].tied(players[b])
        return players

    return len(games), run


def _riix(first: Any, second: Any, day: Any, score: Any) -> tuple[int, Callable[[], Any]]:
    from riix.models.elo import Elo
    from riix.utils import MatchupDataset

    people = list(range(int(max(first.max(), second.max())) + 1))
    dataset = MatchupDataset.init_from_arrays(day, np.stack((first, second), axis=1), score, people)

    def run() -> Any:  # "iterative": game by game, as Elo's rules have it
        model = Elo(people, initial_rating=1500.0, k=20.0, update_method="iterative")
        model.fit_dataset(dataset)
        return model

    return len(score), run


def _skelo(first: Any, second: Any, day: Any, score: Any) -> tuple[int, Callable[[], Any]]:
    from skelo.model.elo import EloEstimator

    decided = score != 0.5  # it knows no draws
    matches, won = np.stack((first, second, day), axis=1)[decided], (score == 1.0)[decided]

    def run() -> Any:
        return EloEstimator(default_k=20, initial_value=1500).fit(matches, won)

    return int(decided.sum()), run
