"""Youth, realtime: a chess rating for children that moves with every game.

**Source**: the schaakrating page on how ratings are calculated, section on the realtime youth rating.

**Scale**: points, with two decimals, shown rounded. Expected scores from FIDE's table 8.1.2.

**Period**: the game, each on its own date in the order played; a late result is put in its own place.

**Choices** (the page describes the idea and gives no numbers; all are parameters)
- Grain 0.01; the difference is rounded to whole points, halves up on its absolute value, in integers.
- `cap` 400; `k_new` 40 until `new_games` 30 games, then `k_child` 30 while the game's year minus the year
  of birth is below `child_age` 13, else `k` 20. A year of birth that is not known counts as an adult's.
- Newcomer without an estimate: after each of the first `first_games` 5 games the rating is the performance
  over the games so far, with `draws` 2 hypothetical draws against `newcomer_level` 800; p to 0.01, halves
  up; rounded to the grain. From the sixth game the formula.
- Both sides of such a game are computed from the ratings before it, the newcomer's level before game 1;
  the opponent is rated normally (by the performance, where the opponent is in the first five games too).
- The five games count for K.
- A rating in players.csv, or a correction, is an estimate: the formula holds from then on.
- No floor. A game has no weight (0: not rated).
"""

from __future__ import annotations

from typing import NamedTuple

from arpad.domain.kernel import kernel
from arpad.domain.play import Application, Game, Tally, When
from arpad.domain.results import Result
from arpad.domain.rounding import divided
from arpad.domain.units import UNRATED, Count, Factor, Flag, Grains, Hundredths, Points, Share, Year
from arpad.rulesets.chess_parts import capped, counted_or_not, percentage, refuse_grades
from arpad.rulesets.parts import (
    enter_at_rating,
    fide_difference,
    fide_expected,
    plain_score,
    whole_label,
)

PERIOD = "game"
GRAIN = 0.01
STEPS_UNRATED = True
ENTERS_UNRATED = True
RESULTS = ("1-0", "1/2-1/2", "0-1")


class Params(NamedTuple):
    cap: int = 400  # a larger difference counts as this, points
    k_new: int = 40  # K ...
    new_games: int = 30  # ... until this number of games
    k_child: int = 30  # then K while ...
    child_age: int = 13  # ... the game's year minus the year of birth is below this, years
    k: int = 20  # K after that
    first_games: int = 5  # a newcomer's games that are rated by performance
    draws: int = 2  # ... with this number of hypothetical draws
    newcomer_level: int = 800  # ... against this rating, points; also the newcomer's own before game 1


EDITIONS = (("", Params()),)


class State(NamedTuple):
    rating: Grains = UNRATED
    games: Count = 0  # rated games
    born: Year = 0  # 0: taken as an adult
    pooled: Count = 0  # games in the performance so far, 0 before the first and from the sixth on
    opponents: Grains = 0  # sum of the ratings of their opponents
    score: Hundredths = 0  # sum of their scores


class Step(NamedTuple):
    own: Grains  # the newcomer level before game 1
    opponent: Grains
    difference: Grains  # own minus opponent's
    cut: Grains  # what the cap adds to the difference: negative for the stronger side
    counted: Points  # the difference that counts, whole points
    expected: Share  # table 8.1.2
    k: Factor  # 0 in a newcomer's first games
    newcomer: Count  # which of the first games this is; 0 = none of them
    average: Grains  # Ra of the games so far and the hypothetical draws; 0 where it is not needed
    p: Hundredths  # the score in them, per cent
    dp: Points  # dp(p), table 8.1.1
    performance: Grains  # Ra + dp(p): the new rating; 0 where it is not needed
    contrary: Count  # -1: won and loses points; 1: lost and gains (in a newcomer's first games); else 0
    unrounded: Points
    rated: Flag
    change: Grains


class Settled(NamedTuple):
    opening: Grains  # the newcomer level before game 1
    change: Grains
    newcomer: Count  # which of a newcomer's first games it was; 0 = none of them
    state: State


def enter(p: Params, application: Application) -> State:
    """At a rating (an estimate), else as a newcomer.

    Raises RuleRefusal `entry-not-in-ruleset` for a rank or a league class without a rating.
    """
    if application.rating is None:
        refuse_grades(application)
        return State(UNRATED, application.games, application.born)
    return State(enter_at_rating(application, 100), application.games, application.born)


def score(p: Params, result: Result) -> tuple[int, int]:
    """Won 100, drawn 50, lost 0; anything else is refused."""
    return plain_score(result)


def weigh(p: Params, event_class: str, size: int, own: float | None) -> float:
    """1, or 0 for a game that is not to be rated; other weights are refused."""
    return counted_or_not(own)


@kernel
def corrected(p: Params, me: State, rating: int) -> State:
    """The committee's estimate: the formula from here on."""
    return State(rating, me.games, me.born, 0, 0, 0)


@kernel
def used(p: Params, me: State) -> int:
    """The rating a game is computed with, in grains: the newcomer level where there is none yet."""
    return 100 * p.newcomer_level if me.rating == UNRATED else me.rating


@kernel
def opening_game(p: Params, me: State) -> int:
    """Which of a newcomer's first five games comes next; 0 for everybody else."""
    if me.rating == UNRATED:
        return 1
    return me.pooled + 1 if me.pooled > 0 else 0


@kernel
def k_of(p: Params, me: State, month: int) -> int:
    """K of a game in that month (year * 12 + month - 1)."""
    if me.games < p.new_games:
        return p.k_new
    if me.born > 0 and month // 12 - me.born < p.child_age:
        return p.k_child
    return p.k


@kernel
def step(p: Params, me: State, opponent: State, game: Game) -> Step:
    """One game's change: K times score minus expected; a newcomer's first five by performance."""
    own = used(p, me)
    other = used(p, opponent)
    difference = own - other
    whole = divided(difference, 100)
    counted = capped(whole, p.cap)
    expected = fide_expected(counted)
    which = opening_game(p, me)
    if which > 0:
        draws = max(0, p.draws)
        k, n = 0, which + draws
        total = me.opponents + other + 100 * draws * p.newcomer_level
        share = percentage(me.score + game.score + 50 * draws, n)
        dp = fide_difference(share)
        average = divided(total, n)
        new = divided(total + 100 * dp * n, n)
        change = new - own
        unrounded = (total + (100 * dp - own) * n) / (100.0 * n)
    else:
        k, average, share, dp, new = k_of(p, me, game.month), 0, 0, 0, 0
        change = k * (game.score - expected)  # hundredths of a point: grains, nothing to round
        unrounded = change / 100.0
    contrary = 1 if game.score == 0 and change > 0 else -1 if game.score == 100 and change < 0 else 0
    return Step(
        own, other, difference, 100 * (counted - whole), float(counted), expected / 100.0, k, which, average,
        share, float(dp), new, contrary, unrounded, 1, change,
    )  # fmt: skip


@kernel
def settle(p: Params, me: State, tally: Tally, when: When) -> Settled:
    """The rating after the game; keeps the sums of a newcomer's first five games."""
    opening = used(p, me)
    rating = opening + tally.change
    games = me.games + tally.games
    which = opening_game(p, me)
    if which == 0 or which >= p.first_games:
        return Settled(opening, tally.change, which, State(rating, games, me.born, 0, 0, 0))
    opponents = me.opponents + tally.opponents
    return Settled(
        opening, tally.change, which, State(rating, games, me.born, which, opponents, me.score + tally.score)
    )


def label(state: State) -> str:
    """The rating rounded to whole points, or "unrated"."""
    return whole_label(state.rating, 100)
