"""belgian-go, NC: the first rating against a linear scan of all grains that shares nothing with it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arpad.domain.play import UNRATED, Openings, When
from arpad.rulesets import belgian_go as go

NOW = go.Params()
MARCH = When(2026, 3)
NC = go.State(UNRATED, 0, 0)


def first(games: list[tuple[float, int, int]], p: go.Params = NOW) -> go.State:
    """newcomer() for games given as (opponent in points, stones received, score in hundredths)."""
    columns = [[round(r * 100) for r, _, _ in games], [h for _, h, _ in games], [s for _, _, s in games]]
    openings = Openings(columns[0], columns[1], columns[2], [24314] * len(games), [1] * len(games))
    return go.newcomer(p, NC, openings, len(games), MARCH)


def scanned(games: list[tuple[float, int, int]]) -> int:
    """The rule read aloud: every grain from -2450 up, A = 102.5 - rating / 20, tanh in place of exp."""
    opponents = [r - np.sign(h) * (abs(h) - 0.5) * 100 * (h != 0) for r, h, _ in games]
    upper = max(-245000, round((max(opponents) + 200) * 100))
    candidates = np.arange(-245000, upper + 1)
    points = candidates / 100
    a = np.maximum(5.0, 102.5 - points / 20)
    total = sum(0.5 + 0.5 * np.tanh((points - o) / (2 * a)) for o in opponents)
    enough = np.flatnonzero(total >= sum(s for _, _, s in games) / 100 - 1e-12)
    return int(candidates[enough[0]]) if len(enough) else upper


game = st.tuples(
    st.integers(-245000, 85000).map(lambda g: g / 100),
    st.integers(-9, 9),
    st.sampled_from([0, 50, 100]),
)


@settings(max_examples=150)
@given(st.lists(game, min_size=3, max_size=8))
def test_against_a_linear_scan(games: list[tuple[float, int, int]]) -> None:
    state = first(games)
    assert state.rating == scanned(games)
    assert state.games == len(games)
    assert state.rank == -(-state.rating // 10000)


@pytest.mark.parametrize(
    ("games", "rating"),
    [
        pytest.param([(-1000, 0, 100), (-1000, 0, 50), (-1000, 0, 0)], -1000, id="half-against-equals"),
        pytest.param([(-1000, 0, 100), (-900, 0, 50), (-800, 0, 0)], -900, id="half-against-a-spread"),
        pytest.param([(-1000, 0, 0), (-900, 0, 0), (-800, 0, 0)], -2450, id="lost-all"),
        pytest.param([(-1000, 0, 100), (-900, 0, 100), (-800, 0, 100)], -600, id="won-all-best-plus-200"),
        pytest.param([(-650, 4, 100), (-650, 4, 50), (-650, 4, 0)], -1000, id="received-4-stones"),
        pytest.param([(-1000, -1, 100), (-1000, -1, 50), (-1000, -1, 0)], -950, id="gave-1-stone"),
        pytest.param([(-650, 4, 100), (-900, 0, 100), (-950, -1, 100)], -700, id="won-all-after-handicap"),
        pytest.param([(-2450, 9, 100)] * 3, -2450, id="upper-limit-below-the-floor"),
        pytest.param([(50, 0, 100), (50, 0, 0), (50, 0, 100), (50, 0, 0)], 50, id="four-games"),
        # one grain lower the expected scores miss the score by 1.3e-11 and by 4.3e-12
        pytest.param([(-1950, 0, 100), (-548.94, 0, 0), (1100.2, 0, 100)], 275.64, id="missed-by-1e-11"),
        pytest.param([(-1150, 0, 50), (-1362.88, 0, 100), (665.35, 0, 100)], 665.36, id="missed-by-4e-12"),
    ],
)
def test_by_hand(games: list[tuple[float, int, int]], rating: int) -> None:
    assert first(games).rating == rating * 100
    assert scanned(games) == rating * 100


def test_not_before_the_third_game() -> None:
    games = [(-1000.0, 0, 100), (-1000.0, 0, 50)]
    assert first(games) == NC
    assert first(games, NOW._replace(nc_games=2)).rating != UNRATED


def test_margin_and_floor_are_parameters() -> None:
    won = [(-1000.0, 0, 100)] * 3
    assert first(won, NOW._replace(nc_margin=150)).rating == -85000
    lost = [(-1000.0, 0, 0)] * 3
    assert first(lost, NOW._replace(floor=-2000)).rating == -200000


def test_only_the_games_handed_over_count() -> None:
    """The engine's columns are longer than the games they hold."""
    openings = Openings([-100000] * 5, [0] * 5, [100, 50, 0, 100, 100], [0] * 5, [0] * 5)
    assert go.newcomer(NOW, NC, openings, 3, MARCH).rating == -100000


def test_the_ceiling_plays_no_part() -> None:
    games = [(-1000.0, 0, 100), (-1100.0, 0, 100), (-900.0, 0, 0)]
    assert first(games, NOW._replace(ceiling=0.9)) == first(games)


def test_the_rank_is_the_one_the_rating_lies_in() -> None:
    state = first([(-1000.0, 0, 100), (-1000.0, 0, 50), (-1000.0, 0, 0)])
    assert go.label(state) == "11 kyu"  # -1000.0 does not exceed the upper bound of 11 kyu
