"""FIDE standard: the international rating for games at classical time controls.

**Source**: FIDE Handbook B.02, Rating Regulations, texts effective 1 January 2022, 1 March 2024 and
1 October 2025, with B.01 for the performance; older values from FIDE's announcements of those years.

**Scale**: points, whole; Elo's class of 200 points, a game has sigma = 200 * sqrt(2). Expected scores
from table 8.1.2, never from a curve.

**Period**: the month; the list closes and is published on the 1st. A game's difference is taken from
the list in force on the first day of its event; an event counts in the month of its last day.

**Choices**
- Lists are monthly throughout, though early ones were rarer.
- `cap_once` (2022): only the cap upwards is used up; downwards the cap always applies.
- `junior_below`: a junior's K of 40 ends for good once 2300 was *published*, as published lists have it;
  the text says "below 2300".
- `limit`: n x K <= 700 holds in every edition; the source names no edition from which.
- `above_half`: before 2022 first ratings follow the rule of 2022.
- `first_months`: the 26 months are counted back from the month of the player's newest game.
- "A zero score in the first event is dropped": the first event is that of the oldest game that is pooled
  (older games are as if never played), and its score is that against rated opponents. Only that event: a
  zero score in a later one counts, also in the one after a dropped first event.
- The first rating's games count towards the 30 of `new_games`, but the first K is K for new
  players whatever their number: at most 29 are counted.
- `floor`: who falls below it starts again at 0 games; the memory of 2400 and 2300 is kept. A rating
  still below it after the compression of 2024 leaves the list too. Who enters or is corrected below it
  is unrated at once, and the games of that month count towards a new first rating.
- `towards`, `raised`: the compression's fraction is rounded to the nearest point (no source seen).
- A correction counts as published: one of 2400 or more brings the K of 10.
- Without `rating`, the `standard` rating of a player counts as the rating he or she enters with.
"""

from __future__ import annotations

from typing import NamedTuple

from arpad.domain.kernel import kernel
from arpad.domain.play import Application, Game, Openings, Tally, When
from arpad.domain.results import Result
from arpad.domain.rounding import divided, rounded
from arpad.domain.units import UNRATED, Count, Factor, Flag, Grains, Hundredths, Share, Year
from arpad.rulesets.chess_parts import (
    capped,
    compressed,
    counted_or_not,
    limited_k,
    performance,
    refuse_grades,
)
from arpad.rulesets.parts import enter_at_rating, fide_expected, plain_score, whole_label

PERIOD = "month"
GRAIN = 1
CHANGE_UNITS = 100  # Step.change: score minus expected, hundredths
ENTERS_UNRATED = True
RESULTS = ("1-0", "1/2-1/2", "0-1")


class Params(NamedTuple):
    """The edition of 1 October 2025; the older ones below change what was different."""

    cap: int = 400  # 8.3.1: a larger difference counts as this, points
    cap_once: int = 0  # 8.3.1 of 2022: 1 = the cap upwards in one game of an event only
    real_from: int = 2650  # 8.3.1 of 2025-10: from this rating on the real difference, points; 0 = never
    unrated_difference: int = 0  # rapid, blitz: not rated from this difference on, points; 0 = no such rule
    unrated_above: int = 2600  # ... when one of the two is rated above this, points
    k_new: int = 40  # 8.3.3: K of a player new to the list
    new_games: int = 30  # ... for fewer than this number of rated games
    k_junior: int = 40  # 8.3.3: K of a junior
    junior_age: int = 18  # ... list year minus birth year at most this, years
    junior_below: int = 2300  # ... never published at this or more, points; 0 = nothing for juniors
    k: int = 20  # 8.3.3: K of everybody else
    k_top: int = 10  # 8.3.3: K for ever
    top: int = 2400  # ... once this was published, points
    limit: int = 700  # 8.3.3: games of the period times K at most
    floor: int = 1400  # a lower rating is not published, points; 0 = none
    first_games: int = 5  # first rating: games against rated opponents, at least
    first_months: int = 26  # ... pooled over at most this number of months
    draws: int = 2  # ... with this number of hypothetical draws
    draws_against: int = 1800  # ... against this rating, points
    above_half: int = 0  # first rating of 2022: points per half point above 50 %; 0 = table 8.1.1 there too
    first_cap: int = 2200  # first rating at most, points; 0 = no limit
    towards: int = 2000  # compression of 2024-03-01: ratings below this ...
    raised: int = 40  # ... are raised by this part of the distance, per cent
    inactive_months: int = 12  # listed as inactive after this time without a rated game, months
    # Variants of national federations; FIDE has none of these (see knsb).
    youth_bonus: int = 0  # added for a junior in a month with a rated game, points
    youth_bonus_below: int = 0  # ... while rated below this, points; 0 = no bound
    k_matrix_from: int = 0  # bound between the two columns of the K matrix, points
    k_young_below: int = 0  # K of juniors rated below the bound; 0 = FIDE's K
    k_young_from: int = 0  # K of juniors from the bound on; 0 = FIDE's K
    k_adult_below: int = 0  # K of adults rated below the bound; 0 = FIDE's K
    k_adult_from: int = 0  # K of adults from the bound on; 0 = FIDE's K


_2025_10 = Params()
_2024_03 = _2025_10._replace(real_from=0)
_2022_01 = _2024_03._replace(cap_once=1, floor=0, draws=0, above_half=20, first_cap=0)
_2014_07 = _2022_01._replace(cap_once=0)
_2011_07 = _2014_07._replace(k=15, k_new=30, junior_below=0)
_2009_07 = _2011_07._replace(k_new=25)
_2006_04 = _2009_07._replace(cap=350)
EDITIONS = (
    ("2006-04-01", _2006_04),
    ("2009-07-01", _2009_07),
    ("2011-07-01", _2011_07),
    ("2014-07-01", _2014_07),
    ("2022-01-01", _2022_01),
    ("2024-03-01", _2024_03),
    ("2025-10-01", _2025_10),
)
POSTINGS = ("2024-03-01",)  # the compression, on top of the normal list of that day


class State(NamedTuple):
    rating: Grains = UNRATED
    games: Count = 0  # rated games
    born: Year = 0  # 0: taken as an adult
    peak: Grains = 0  # highest rating ever published; 0 = none


class Step(NamedTuple):
    own: Grains  # both ratings: list in force on the event's first day
    opponent: Grains
    difference: Grains  # own minus opponent's
    cut: Grains  # what the cap adds to the difference: negative for the stronger side
    used_up: Flag  # 1: beyond the cap, but it was used in another game of the event (2022)
    real: Flag  # 1: beyond the cap, but the real difference counts from 2650 on
    counted: Grains  # the difference that counts
    expected: Share  # table 8.1.2
    unrounded: Hundredths  # score minus expected
    rated: Flag
    change: Hundredths


class Settled(NamedTuple):
    opening: Grains  # the previous list
    games: Count
    sum: Hundredths  # of score minus expected
    k_listed: Factor  # K published on the previous list
    k: Factor  # K used
    k_limited: Flag  # 1: n x K would pass the limit
    exact: Hundredths  # K times sum, hundredths of a point
    rounding: Hundredths  # what rounding to whole points adds to it
    bonus: Grains  # of a national federation; FIDE: 0
    change: Grains
    floor: Flag  # 1: below the floor, unrated on the next list
    state: State


def enter(p: Params, application: Application) -> State:
    """At a rating (or the standard rating, where there is no other), else unrated.

    Raises RuleRefusal `entry-not-in-ruleset` for a rank or a league class without a rating.
    """
    at = application if application.rating is not None else application._replace(rating=application.standard)
    peak = 0 if application.peak is None else rounded(application.peak)
    if at.rating is None:
        refuse_grades(application)
        return State(UNRATED, 0, application.born, peak)
    rating = enter_at_rating(at, 1)
    return listed(p, rating, application.games, application.born, peak)


def score(p: Params, result: Result) -> tuple[int, int]:
    """Won 100, drawn 50, lost 0; anything else is refused."""
    return plain_score(result)


def weigh(p: Params, event_class: str, size: int, own: float | None) -> float:
    """1, or 0 for a game that is not to be rated; other weights are refused."""
    return counted_or_not(own)


@kernel
def corrected(p: Params, me: State, rating: int) -> State:
    """Another previous list for this player; it counts as published."""
    return listed(p, rating, me.games, me.born, me.peak)


@kernel
def posting(p: Params, me: State, when: When) -> State:
    """The compression of 1 March 2024: new = R + 0.40 x (2000 - R) for R below 2000."""
    if me.rating == UNRATED:
        return me
    return listed(p, compressed(me.rating, p.towards, p.raised, 100), me.games, me.born, me.peak)


@kernel
def listed(p: Params, rating: int, games: int, born: int, peak: int) -> State:
    """What the next list shows: unrated and as new below the floor; else the rating, perhaps a new peak."""
    if p.floor > 0 and rating < p.floor:
        return State(UNRATED, 0, born, peak)
    return State(rating, games, born, max(peak, rating))


@kernel
def claim(p: Params, me: State, opponent: State) -> int:
    """2022: how far the opponent is below, where the cap upwards may be used once an event; else 0."""
    difference = me.rating - opponent.rating
    if p.cap_once == 1 and difference > p.cap:
        return difference
    return 0


@kernel
def step(p: Params, me: State, opponent: State, game: Game) -> Step:
    """Score minus expected of one game (8.3.1, 8.3.2)."""
    difference = me.rating - opponent.rating
    counted = capped(difference, p.cap)
    beyond = counted != difference
    real = 1 if beyond and p.real_from > 0 and me.rating >= p.real_from else 0
    used_up = 1 if beyond and real == 0 and difference > 0 and p.cap_once == 1 and game.marked == 0 else 0
    if real == 1 or used_up == 1:
        counted = difference
    expected = fide_expected(counted)
    too_far = p.unrated_difference > 0 and abs(difference) >= p.unrated_difference
    rated = 0 if too_far and max(me.rating, opponent.rating) > p.unrated_above else 1
    change = (game.score - expected) * rated
    return Step(
        me.rating, opponent.rating, difference, counted - difference, used_up, real, counted,
        expected / 100.0, change, rated, change,
    )  # fmt: skip


@kernel
def is_junior(p: Params, me: State, year: int) -> int:
    """1 where the year of the list minus the year of birth is at most 18."""
    return 1 if me.born > 0 and year - me.born <= p.junior_age else 0


@kernel
def listed_k(p: Params, me: State, year: int) -> int:
    """K as the list shows it for the games that follow (8.3.3): the list's ratings, games and year."""
    junior = is_junior(p, me, year)
    if me.peak >= p.top:
        k = p.k_top
    elif junior == 1 and me.peak < p.junior_below:
        k = p.k_junior
    elif me.games < p.new_games:
        k = p.k_new
    else:
        k = p.k
    if me.games < p.new_games:
        return k
    return matrix_k(p, me.rating, junior, k)


@kernel
def matrix_k(p: Params, rating: int, junior: int, k: int) -> int:
    """A national federation's K by age and rating; FIDE's K where its cell is 0."""
    if junior == 1:
        cell = p.k_young_below if rating < p.k_matrix_from else p.k_young_from
    else:
        cell = p.k_adult_below if rating < p.k_matrix_from else p.k_adult_from
    return cell if cell > 0 else k


@kernel
def settle(p: Params, me: State, tally: Tally, when: When) -> Settled:
    """The month's sum times K, rounded once; the next list (8.3.2 to 8.3.4)."""
    k_listed = listed_k(p, me, when.year)
    k = limited_k(k_listed, tally.games, p.limit)
    exact = k * tally.change
    change = divided(exact, 100)
    rounding = 100 * change - exact
    in_reach = p.youth_bonus_below == 0 or me.rating < p.youth_bonus_below
    bonus = p.youth_bonus if in_reach and tally.games > 0 and is_junior(p, me, when.year) == 1 else 0
    change += bonus
    state = listed(p, me.rating + change, me.games + tally.games, me.born, me.peak)
    return Settled(
        me.rating, tally.games, tally.change, k_listed, k, 1 if k < k_listed else 0, exact, rounding, bonus,
        change, 1 if state.rating == UNRATED else 0, state,
    )  # fmt: skip


@kernel
def first_rating(p: Params, opponents: int, score: int, games: int) -> int:
    """Ru from the opponents' sum (points), the score (hundredths) and the number of games (8.2).

    Since 2024 with two hypothetical draws against 1800. 2022: Ra at 50 %, 20 more for each half point
    above it, Ra + dp below.
    """
    draws = max(0, p.draws)
    opponents += draws * p.draws_against
    score += 50 * draws
    games += draws
    above = (2 * score - 100 * games) // 100  # half points above 50 %
    if p.above_half > 0 and above > 0:
        rating = divided(opponents, games) + above * p.above_half
    else:
        rating = performance(opponents, score, games, 1)
    if p.first_cap > 0 and rating > p.first_cap:
        return p.first_cap
    return rating


@kernel
def newcomer(p: Params, me: State, openings: Openings, n: int, when: When) -> State:
    """The first rating, once there are enough games of the last 26 months; else `me`."""
    needed = max(1, p.first_games)
    if n < needed:
        return me
    oldest = 0  # of the games that are pooled
    while oldest < n - 1 and openings.month[n - 1] - openings.month[oldest] >= p.first_months:
        oldest += 1
    first_score = 0
    for i in range(oldest, n):
        if openings.event[i] == openings.event[oldest]:
            first_score += openings.score[i]
    games, opponents, score = 0, 0, 0
    for i in range(oldest, n):
        if first_score > 0 or openings.event[i] != openings.event[oldest]:
            games += 1
            opponents += openings.rating[i]
            score += openings.score[i]
    if games < needed:
        return me
    rating = first_rating(p, opponents, score, games)
    if p.floor > 0 and rating < p.floor:
        return me
    return listed(p, rating, max(0, min(games, p.new_games - 1)), me.born, me.peak)


def is_inactive(p: Params, last_month: int, list_month: int) -> bool:
    """Whether a list shows a player as inactive: no rated game for a year. Active again after one.

    Months are year * 12 + month - 1. Being inactive changes neither rating nor K.
    """
    return list_month - last_month > p.inactive_months


def label(state: State) -> str:
    """The rating in whole points, or "unrated"."""
    return whole_label(state.rating, 1)
