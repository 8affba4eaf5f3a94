"""Elo, logistic: the bare model, for comparing and for leagues without a text of their own.

**Source**: A. E. Elo, The Rating of Chessplayers, Past and Present (1978), section 8.4, with the
logistic curve that most programs use: expected = 1 / (1 + 10 ** (-difference / scale)).

**Scale**: points; 400 points of difference are odds of 10 : 1 (parameter `scale`).

**Period**: the game, each on its own date.

**Choices**: K = 20 for everybody, no cap, no floor; a draw scores a half. Rounded to 0.01 a game.
"""

from __future__ import annotations

from typing import NamedTuple

from arpad.domain.kernel import kernel
from arpad.domain.play import Application, Game, Tally, When
from arpad.domain.results import Result
from arpad.domain.rounding import rounded
from arpad.domain.units import UNRATED, Count, Flag, Grains, Points, Share
from arpad.rulesets.parts import enter_at_rating, logistic_expected, plain_score, whole_label

PERIOD = "game"
GRAIN = 0.01
RESULTS = ("1-0", "1/2-1/2", "0-1")


class Params(NamedTuple):
    k: float = 20.0  # points won per whole point above expectation
    scale: float = 400.0  # difference at which the odds are 10 : 1, points


EDITIONS = (("", Params()),)


class State(NamedTuple):
    rating: Grains = UNRATED
    games: Count = 0


class Step(NamedTuple):
    own: Grains
    opponent: Grains
    difference: Points
    expected: Share
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
    return State(rating, me.games)


@kernel
def step(p: Params, me: State, opponent: State, game: Game) -> Step:
    """One game's change from one side."""
    difference = (me.rating - opponent.rating) / 100.0
    expected = logistic_expected(difference, p.scale)
    unrounded = p.k * game.weight * (game.score / 100.0 - expected)
    return Step(me.rating, opponent.rating, difference, expected, unrounded, 1, rounded(unrounded * 100.0))


@kernel
def settle(p: Params, me: State, tally: Tally, when: When) -> Settled:
    return Settled(tally.change, State(me.rating + tally.change, me.games + tally.games))


def label(state: State) -> str:
    return whole_label(state.rating, 100)
