"""KBSB/FRBE: the national rating of Belgium.

**Source**: the schaakrating page on how ratings are calculated, and the federation's published texts on
its rating (competition rules, article 10) and on the change of 1 April 2024.

**Scale**: points, whole. Expected scores from FIDE's table 8.1.2.

**Period**: the quarter; lists of 1 January, April, July and October.

**Choices**
- `cap`: 350, and 400 from 1 January 2021; the sources name the years, not the day.
- A newcomer's games rate nobody else: the first five, and those played after them before the first list.
- The first rating is the performance over the first five games, whatever was played after them in that
  quarter; those later games count for K only (`games`), as all games do.
- The floor holds for first ratings and after the raise of 2024 too; nobody enters, or is corrected, below it.
- `large_change`: "a change over 150" is the change rounded to whole points.
- `towards`, `raised`, `raised_over`: the fraction is rounded to the nearest point (no source seen).
- The rules have no first date: the oldest edition holds from ever.
"""

from __future__ import annotations

from typing import NamedTuple

from arpad.domain.kernel import kernel
from arpad.domain.play import Application, Game, Openings, Tally, When
from arpad.domain.results import Result
from arpad.domain.rounding import divided
from arpad.domain.units import UNRATED, Count, Factor, Flag, Grains, Hundredths, Share
from arpad.rulesets.chess_parts import (
    capped,
    compressed,
    counted_or_not,
    percentage,
    performance,
    refuse_grades,
)
from arpad.rulesets.parts import (
    enter_at_rating,
    fide_difference,
    fide_expected,
    plain_score,
    whole_label,
)

PERIOD = "quarter"
GRAIN = 1
CHANGE_UNITS = 100  # Step.change: score minus expected, hundredths
ENTERS_UNRATED = True
RESULTS = ("1-0", "1/2-1/2", "0-1")


class Params(NamedTuple):
    """The edition of 1 April 2024."""

    cap: int = 400  # a larger difference counts as this, points
    k_first: int = 32  # K while the number of games before the period plus one ...
    first_until: int = 100  # ... is at most this
    k_second: int = 24  # K while it ...
    second_until: int = 300  # ... is at most this
    k_low: int = 16  # K after that, rated ...
    low_until: int = 2000  # ... at most this, points
    k_middle: int = 12  # K after that, rated ...
    middle_until: int = 2200  # ... at most this, points
    k_high: int = 10  # K after that, rated higher
    first_games: int = 5  # the first rating is the performance over this number of games
    many_games: int = 25  # with more games in a period than this ...
    large_change: int = 150  # ... and a larger change, points, the performance is the new rating
    floor: int = 1400  # no rating is lower, points
    towards: int = 2000  # raise of 2024-04-01: ratings below this ...
    raised: int = 250  # ... by this many points ...
    raised_over: int = 850  # ... for every this many below it, 2000 - 1150


_2024_04 = Params()
_2021 = _2024_04._replace(floor=1150)
EDITIONS = (("", _2021._replace(cap=350)), ("2021-01-01", _2021), ("2024-04-01", _2024_04))
POSTINGS = ("2024-04-01",)  # the raise, on top of the normal list of that day


class State(NamedTuple):
    rating: Grains = UNRATED
    games: Count = 0  # rated games


class Step(NamedTuple):
    own: Grains
    opponent: Grains
    difference: Grains  # own minus opponent's
    cut: Grains  # what the cap adds to the difference: negative for the stronger side
    counted: Grains  # the difference that counts
    expected: Share  # table 8.1.2
    unrounded: Hundredths  # score minus expected
    rated: Flag
    change: Hundredths


class Settled(NamedTuple):
    opening: Grains
    games: Count
    sum: Hundredths  # of score minus expected
    k: Factor
    exact: Hundredths  # K times sum, hundredths of a point
    rounding: Hundredths  # what rounding to whole points adds to it
    formula: Grains  # the change by the formula
    average: Grains  # Rc, of the period's opponents, rounded; 0 where it is not needed
    p: Hundredths  # their score, per cent
    dp: Grains  # dp(p), table 8.1.1
    by_performance: Flag  # 1: many games and a large change: new = Rc + dp(p)
    change: Grains
    floor: Grains  # what the floor adds
    state: State


def enter(p: Params, application: Application) -> State:
    """At a rating, else unrated.

    Raises RuleRefusal `entry-not-in-ruleset` for a rank or a league class without a rating.
    """
    if application.rating is None:
        refuse_grades(application)
        return State(UNRATED, application.games)
    return State(max(p.floor, enter_at_rating(application, 1)), application.games)


def score(p: Params, result: Result) -> tuple[int, int]:
    """Won 100, drawn 50, lost 0; anything else is refused."""
    return plain_score(result)


def weigh(p: Params, event_class: str, size: int, own: float | None) -> float:
    """1, or 0 for a game that is not to be rated; other weights are refused."""
    return counted_or_not(own)


@kernel
def corrected(p: Params, me: State, rating: int) -> State:
    """Another previous list for this player; the floor holds for it too."""
    return State(max(p.floor, rating), me.games)


@kernel
def posting(p: Params, me: State, when: When) -> State:
    """The raise of 1 April 2024: new = old + (2000 - old) x 250/(2000 - 1150) below 2000."""
    if me.rating == UNRATED:
        return me
    return State(max(p.floor, compressed(me.rating, p.towards, p.raised, p.raised_over)), me.games)


@kernel
def step(p: Params, me: State, opponent: State, game: Game) -> Step:
    """Score minus expected of one game."""
    difference = me.rating - opponent.rating
    counted = capped(difference, p.cap)
    expected = fide_expected(counted)
    change = game.score - expected
    return Step(
        me.rating, opponent.rating, difference, counted - difference, counted,
        expected / 100.0, change, 1, change,
    )  # fmt: skip


@kernel
def k_of(p: Params, me: State) -> int:
    """K of the period: by the number of the first game in it, then by rating."""
    number = me.games + 1
    if number <= p.first_until:
        return p.k_first
    if number <= p.second_until:
        return p.k_second
    if me.rating <= p.low_until:
        return p.k_low
    if me.rating <= p.middle_until:
        return p.k_middle
    return p.k_high


@kernel
def settle(p: Params, me: State, tally: Tally, when: When) -> Settled:
    """The quarter's sum times K, rounded once; or the performance after many games and a large change."""
    k = k_of(p, me)
    exact = k * tally.change
    formula = divided(exact, 100)
    change = formula
    average, share, dp, by_performance = 0, 0, 0, 0
    if tally.games > p.many_games and abs(formula) > p.large_change:
        by_performance = 1
        average = divided(tally.opponents, tally.games)
        share = percentage(tally.score, tally.games)
        dp = fide_difference(share)
        change = performance(tally.opponents, tally.score, tally.games, 1) - me.rating
    floor = max(0, p.floor - (me.rating + change))
    state = State(me.rating + change + floor, me.games + tally.games)
    return Settled(
        me.rating, tally.games, tally.change, k, exact, 100 * formula - exact, formula, average, share, dp,
        by_performance, change, floor, state,
    )  # fmt: skip


@kernel
def newcomer(p: Params, me: State, openings: Openings, n: int, when: When) -> State:
    """The performance over the first five games against rated opponents; `me` while there are fewer."""
    games = max(1, p.first_games)
    if n < games:
        return me
    opponents, score = 0, 0
    for i in range(games):
        opponents += openings.rating[i]
        score += openings.score[i]
    return State(max(p.floor, performance(opponents, score, games, 1)), me.games + n)


def label(state: State) -> str:
    """The rating in whole points, or "unrated"."""
    return whole_label(state.rating, 1)
