"""Figures of a pool against a plain count, row by row."""

from __future__ import annotations

import datetime
from collections import defaultdict

import pytest

from arpad.demo import DEMOS, load
from arpad.domain.units import NOT_RATED
from arpad.engine import figures
from arpad.engine.replay import replay


@pytest.fixture(scope="module", params=[0, 1, 3], ids=lambda n: DEMOS[n].name)
def history(request):
    return replay(load(DEMOS[request.param]), DEMOS[request.param].ruleset)


def rows(history):
    """(day, player 1, player 2, expected of each, score of player 1) of rated rows, one by one."""
    plan = history.plan
    for row in range(plan.rows):
        one, two = history.side(2 * row), history.side(2 * row + 1)
        if NOT_RATED not in (one.expected, two.expected):
            yield (
                one.day,
                one.person,
                two.person,
                one.expected,
                two.expected,
                plan.kinds.score[plan.kind[row]],
            )


def test_predictions_are_counted_from_the_favourite_s_side(history):
    counts, scores = defaultdict(int), defaultdict(float)
    for _day, _a, _b, first, second, score in rows(history):
        band = min(max(first, second), 999_999) // figures.WIDTH
        counts[band] += 1
        scores[band] += (100 - score if second > first else score) / 100
    found = figures.calibration(history)
    assert {band.low // figures.WIDTH: band.games for band in found} == counts
    for band in found:
        assert band.actual == pytest.approx(scores[band.low // figures.WIDTH] / band.games)


def test_years_hold_every_rated_game_once(history):
    games = defaultdict(int)
    for day, *_rest in rows(history):
        games[datetime.date.fromordinal(day).year] += 1
    assert {year.year: year.games for year in figures.years(history)} == games


def test_upsets_are_the_least_expected_wins(history):
    found = figures.upsets(history, since=0, most=5)
    wins = [first if score > 50 else second for *_who, first, second, score in rows(history) if score != 50]
    assert [upset.expected for upset in found] == sorted(wins)[:5]


def test_the_distribution_holds_everybody_with_a_rating(history):
    assert sum(count for _low, count in figures.distribution(history, 100)) == sum(
        line.rating is not None for line in history.ratings()
    )


def test_a_perfect_prediction_has_no_loss(history):
    mean, error, games = figures.loss(history)
    assert 0 < mean < 0.26 and 0 < error < mean and games == len(list(rows(history)))
