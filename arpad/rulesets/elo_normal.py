"""Elo, normal: Elo's own model, for comparing with the curves and tables that came after it.

**Source**: A. E. Elo, The Rating of Chessplayers, Past and Present (1978), and the schaakrating page:
pairwise comparison on a normal distribution, a class of 200 points, one game between two players with
sigma = 200 * sqrt(2); EloWinst = K x (W - We).

**Scale**: points; a difference of one class (parameter `scale`, 200) gives an expected score of 0.76.

**Period**: the game, each on its own date.

**Choices**: K = 20 for everybody, no cap, no floor; a draw scores a half. Rounded to 0.01 a game.
"""

from __future__ import annotations

from typing import NamedTuple

from arpad.domain.kernel import kernel
from arpad.domain.play import Application, Game, Tally, When
from arpad.domain.results import Result
from arpad.domain.rounding import rounded
from arpad.domain.units import UNRATED, Count, Factor, Flag, Grains, Points, Share
from arpad.rulesets.parts import enter_at_rating, normal_expected, plain_score, whole_label

PERIOD = "game"
GRAIN = 0.01
RESULTS = ("1-0", "1/2-1/2", "0-1")


class Params(NamedTuple):
    k: float = 20.0  # points won per whole point above expectation
    scale: float = 200.0  # class interval C, points; a game has sigma = C * sqrt(2)


EDITIONS = (("", Params()),)


class State(NamedTuple):
    rating: Grains = UNRATED
    games: Count = 0


class Step(NamedTuple):
    own: Grains
    opponent: Grains
    difference: Points
    expected: Share
    k: Factor
    unrounded: Points
    rated: Flag
    change: Grains


class Settled(NamedTuple):
    change: Grains
    state: State


def enter(p: Params, application: Application) -> State:
    """A rating is needed; there is no other way in."""
    return State(enter_at_rating(application, 100), application.games)


def score(p: Params, result: Result) -> tuple[int, int]:
    """Won 100, drawn 50, lost 0."""
    return plain_score(result)


def weigh(p: Params, event_class: str, size: int, own: float | None) -> float:
    """The game's own weight, else 1."""
    return 1.0 if own is None else own


@kernel
def corrected(p: Params, me: State, rating: int) -> State:
    """Another rating from here on."""
    return State(rating, me.games)


@kernel
def step(p: Params, me: State, opponent: State, game: Game) -> Step:
    """One game's change from one side."""
    difference = (me.rating - opponent.rating) / 100.0
    scale = max(p.scale, 1e-9)  # 0 or less: whoever is higher is expected to win
    expected = normal_expected(difference, scale * 1.4142135623730951)
    unrounded = p.k * game.weight * (game.score / 100.0 - expected)
    return Step(
        me.rating, opponent.rating, difference, expected, p.k, unrounded, 1, rounded(unrounded * 100.0)
    )


@kernel
def settle(p: Params, me: State, tally: Tally, when: When) -> Settled:
    """The rating after the game."""
    return Settled(tally.change, State(me.rating + tally.change, me.games + tally.games))


def label(state: State) -> str:
    """The rating in whole points."""
    return whole_label(state.rating, 100)
