"""Belgian Go Federation: ratings in points, ranks in dan and kyu.

**Source**: the federation's page on how ratings are calculated.

**Scale**: points, 100 a rank: 1 dan lies between 0 and 100, 1 kyu between -100 and 0. Lowest -2450.

**Period**: the event. All its games use the ratings as they stand after everything before it.

**Choices**, where the page is silent or contradicts itself: the changes of an event are added up and
applied at its end (`game_by_game` 0); a change is rounded to 0.01; a jigo is half a point (`jigo`);
Con is never below `con_minimum`, A never below `a_minimum`; small boards keep their weights for
events of today (`board_13`, `board_9`); a game's own weight holds in class D too; an event without a
class is B, a game without an event C; nobody enters, or is corrected, below `floor`; a first rating or
a correction takes the rank it lies in; a player without a rating (NC) gets one after `nc_games` games
against rated opponents, at most `nc_margin` above the best of them.
The page's own table of points was made with `ceiling` 1.0, its second worked example also with
`giver_squared` 0 and rounded terms; the defaults are its written text.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from arpad.domain.kernel import kernel
from arpad.domain.play import Application, Game, Openings, Tally, When
from arpad.domain.problems import RuleRefusal
from arpad.domain.ranks import rank_name
from arpad.domain.results import Result
from arpad.domain.rounding import rounded
from arpad.domain.units import UNRATED, Count, Factor, Flag, Grains, Points, Rank, Share
from arpad.rulesets.parts import enter_at_rating, plain_score

PERIOD = "event"
GRAIN = 0.01
RESULTS = ("1-0", "1/2-1/2", "0-1")
CLASSES = ("A", "B", "C", "D")
DEFAULT_CLASS = "B"
LOOSE_CLASS = "C"
SIZES = (19, 13, 9)
MAX_STONES = 9

_POINT = 100  # grains
# The page's table of Con and A, a row every 100 points from -1950 up to 650.
_FIRST_ROW = -1950 * _POINT
_ROW = 100 * _POINT
_LAST_SPAN = 25  # the last two rows
_CON = bytes((
    116, 110, 105, 100, 95, 90, 85, 80, 75,
    70, 65, 60, 55, 51, 47, 43, 39, 35,
    31, 27, 24, 21, 18, 15, 13, 11, 10,
))  # fmt: skip
_A = bytes((
    200, 195, 190, 185, 180, 175, 170, 165, 160,
    155, 150, 145, 140, 135, 130, 125, 120, 115,
    110, 105, 100, 95, 90, 85, 80, 75, 70,
))  # fmt: skip


class Params(NamedTuple):
    ceiling: float = 0.986  # expected score of a favourite is this less the underdog's term
    con_minimum: float = 1.0  # choice: lowest Con, points
    a_minimum: float = 5.0  # choice: lowest A, points
    stone: int = 100  # points a handicap stone is worth
    compensation: float = 0.5  # stones that the missing komi takes off a handicap
    factor_stones: float = 10.0  # handicap stones that would take the whole change away
    factor_minimum: float = 0.1  # lowest handicap factor of the receiver
    giver_squared: int = 1  # 1: the giver's factor is the square of the receiver's; 0: the same
    a_weight: float = 1.2  # class A: recognised by the European federation
    b_weight: float = 1.0  # class B: other tournament
    c_weight: float = 0.8  # class C: club games
    d_weight: float = 0.0  # class D: friendly, never rated
    board_13: float = 0.5  # weight of a 13x13 board
    board_9: float = 0.3  # weight of a 9x9 board
    jigo: int = 50  # choice: hundredths of a point for White in a tie, the rest for Black
    game_by_game: int = 0  # choice: 1 = every game is a period of its own
    floor: int = -2450  # lowest rating, points
    rank_width: int = 100  # points a rank
    demotion_margin: int = 100  # points below its lower bound at which a rank is still kept
    nc_games: int = 3  # choice: games against rated opponents before an NC player is rated
    nc_margin: int = 200  # choice: points that a first rating may lie above the best opponent


EDITIONS = (
    ("2001-06-01", Params()._replace(giver_squared=0, board_13=1.0, board_9=1.0)),
    ("2004-05-01", Params()._replace(board_13=1.0, board_9=1.0)),
    ("2021-01-01", Params()),
)


class State(NamedTuple):
    rating: Grains = UNRATED
    rank: Rank = 0  # rank held; means nothing while unrated
    games: Count = 0


class Step(NamedTuple):
    own: Grains
    opponent: Grains
    handicap: Points  # + received, - given, less the komi
    difference: Points  # own - opponent + handicap
    con: Factor
    a: Factor
    expected: Share
    surplus: Share  # score - expected
    event_weight: Factor
    factor: Factor  # handicap factor; 1.0 in an even game
    unrounded: Points  # con x event weight x factor x surplus
    rated: Flag
    change: Grains


class Settled(NamedTuple):
    change: Grains  # of all games of the event
    floor: Grains  # added because the rating would fall below the lowest
    rating: Grains
    rank: Rank
    lost_below: Grains  # the rating below which the rank held before is lost
    kept_until: Grains  # the same for the rank held now
    promotion: Count  # ranks up +, down -
    held: Flag  # 1: the rank is kept although the rating is below its lower bound
    state: State


def enter(p: Params, application: Application) -> State:
    """Players and corrections: NC, an outside rating, or the middle of the estimated rank (1 dan: 50).

    Raises RuleRefusal `player-no-first-rating`, or `player-nc-rated` where NC and a number stand together.

    >>> enter(Params(), Application(rank=-4))
    State(rating=-45000, rank=-4, games=0)
    """
    if application.unclassified:
        if application.rating is not None or application.rank is not None:
            raise RuleRefusal(
                "player-nc-rated",
                "The player is registered as NC (no rating) and has a rating or a rank too.",
                "Keep one of them in players.csv.",
            )
        return State()
    if application.rating is None and application.rank is None:
        raise RuleRefusal(
            "player-no-first-rating",
            "There is no first rating.",
            "Add a rating, a rank such as '5 kyu', or 'NC' to players.csv.",
        )
    if application.rating is None and application.rank is not None:
        middle = application.rank * p.rank_width - p.rank_width / 2
        application = application._replace(rating=middle)
    return corrected(p, State(games=application.games), enter_at_rating(application, _POINT))


def score(p: Params, result: Result) -> tuple[int, int]:
    """Change of one game: 1 or 0; a jigo is half a point (choice)."""
    hundredths, best_of = plain_score(result)
    return (p.jigo if hundredths == 50 else hundredths), best_of


def weigh(p: Params, event_class: str, size: int, own: float | None) -> float:
    """Event weight by class, times the board's; a game's own weight replaces both.

    Size 0 is a board of unknown size, taken as 19x19. Raises RuleRefusal `class-unknown`,
    `size-unknown` or `weight-out-of-range`.

    >>> weigh(Params(), "C", 19, None), weigh(Params(), "A", 9, None), weigh(Params(), "A", 9, 0.75)
    (0.8, 0.36, 0.75)
    """
    if own is not None:
        if not 0.0 <= own < math.inf:
            raise RuleRefusal(
                "weight-out-of-range", f"A game cannot weigh {own}.", "Use 0 (not rated) or more."
            )
        return own
    classes = {"A": p.a_weight, "B": p.b_weight, "C": p.c_weight, "D": p.d_weight}
    boards = {0: 1.0, 19: 1.0, 13: p.board_13, 9: p.board_9}
    name = event_class or DEFAULT_CLASS
    if name not in classes:
        raise RuleRefusal(
            "class-unknown",
            f"There is no class '{event_class}'.",
            "Use A, B, C or D, or give the games a weight.",
        )
    if size not in boards:
        raise RuleRefusal(
            "size-unknown",
            f"A board of size {size} has no weight.",
            "Use 19, 13 or 9, or give the game a weight.",
        )
    return classes[name] * boards[size]


@kernel
def nominal(p: Params, rating: int) -> int:
    """Scale and rank: the rank in whose range a rating lies; 100.0 is 1 dan, 0.0 is 1 kyu."""
    return -(-rating // (p.rank_width * _POINT))


@kernel
def corrected(p: Params, me: State, rating: int) -> State:
    """Players and corrections: the committee sets a rating; the rank is the one it lies in (choice)."""
    lowest = p.floor * _POINT
    raised = rating if rating > lowest else lowest
    return State(raised, nominal(p, raised), me.games)


@kernel
def _span(rating: int) -> int:
    """The row of the table that `rating` is read from, with the row after it; the ends serve beyond."""
    row = (rating - _FIRST_ROW) // _ROW
    if row < 0:
        row = 0
    if row > _LAST_SPAN:
        row = _LAST_SPAN
    return row


@kernel
def con_at(p: Params, rating: int) -> float:
    """Con at a rating: linear between the rows of the table, linear beyond both ends."""
    row = _span(rating)
    here, there = _CON[row] + 0, _CON[row + 1] + 0
    con = (here * _ROW + (there - here) * (rating - _FIRST_ROW - row * _ROW)) / float(_ROW)
    return con if con > p.con_minimum else p.con_minimum


@kernel
def a_at(p: Params, rating: int) -> float:
    """A at a rating, read as Con is."""
    row = _span(rating)
    here, there = _A[row] + 0, _A[row + 1] + 0
    a = (here * _ROW + (there - here) * (rating - _FIRST_ROW - row * _ROW)) / float(_ROW)
    return a if a > p.a_minimum else p.a_minimum


@kernel
def expected_score(ceiling: float, difference: float, a: float) -> float:
    """Change of one game, expected: 1 / (exp(-difference / A) + 1) up to a difference of 0,
    ceiling - 1 / (exp(difference / A) + 1) above; the first is always the share of the weaker side.
    """
    ratio = abs(difference) / a
    if ratio > 700.0:  # exp() ends at 709; the share is 0 long before
        ratio = 700.0
    share = 1.0 / (math.exp(ratio) + 1.0)
    return share if difference <= 0.0 else ceiling - share


@kernel
def handicap_points(p: Params, stones: int) -> float:
    """Change of one game: h stones received are worth (h - 0.5) x 100 points, given as much less."""
    if stones > 0:
        return (stones - p.compensation) * p.stone
    if stones < 0:
        return (stones + p.compensation) * p.stone
    return 0.0


@kernel
def handicap_factor(p: Params, stones: int) -> float:
    """Handicap factor: receiver max(0.1, 1 - (h - 0.5) / 10); giver the square of it."""
    factor = 1.0
    if stones != 0:
        factor = 1.0 - (abs(stones) - p.compensation) / p.factor_stones
        if factor < p.factor_minimum:
            factor = p.factor_minimum
        if stones < 0 and p.giver_squared == 1:
            factor = factor * factor
    return factor


@kernel
def step(p: Params, me: State, opponent: State, game: Game) -> Step:
    """Change of one game: Con x event weight x handicap factor x (result - expected)."""
    handicap = handicap_points(p, game.stones)
    difference = (me.rating - opponent.rating) / 100.0 + handicap
    con = con_at(p, me.rating)
    a = a_at(p, me.rating)
    expected = expected_score(p.ceiling, difference, a)
    surplus = game.score / 100.0 - expected
    factor = handicap_factor(p, game.stones)
    unrounded = con * game.weight * factor * surplus
    rated = 1 if game.weight > 0.0 else 0
    return Step(
        me.rating, opponent.rating, handicap, difference, con, a, expected, surplus, game.weight, factor,
        unrounded, rated, rounded(unrounded * 100.0),
    )  # fmt: skip


@kernel
def rank_after(p: Params, held: int, rating: int) -> int:
    """Scale and rank: promoted above the upper bound, demoted more than the margin below the lower."""
    width, margin = p.rank_width * _POINT, p.demotion_margin * _POINT
    rank = held
    if rating > held * width:
        rank = nominal(p, rating)
    elif rating < (held - 1) * width - margin:
        rank = (rating + margin) // width + 1  # the highest rank that the rating still allows
    return rank


@kernel
def settle(p: Params, me: State, tally: Tally, when: When) -> Settled:
    """End of the event: the changes added up, then the floor, then the rank."""
    total = me.rating + tally.change
    lowest = p.floor * _POINT
    floor = lowest - total if total < lowest else 0
    rating = total + floor
    rank = rank_after(p, me.rank, rating)
    width, margin = p.rank_width * _POINT, p.demotion_margin * _POINT
    lost_below = (me.rank - 1) * width - margin
    kept_until = (rank - 1) * width - margin
    held = 1 if rank == me.rank and rating < (rank - 1) * width else 0
    state = State(rating, rank, me.games + tally.games)
    return Settled(tally.change, floor, rating, rank, lost_below, kept_until, rank - me.rank, held, state)


@kernel
def _reaches(p: Params, games: Openings, n: int, rating: int, reached: int) -> bool:
    """Whether a player of this rating was expected to score at least `reached` hundredths in the n games."""
    a = a_at(p, rating)
    total = 0.0
    for i in range(n):
        difference = (rating - games.rating[i]) / 100.0 + handicap_points(p, games.stones[i])
        total += expected_score(1.0, difference, a)  # the written ceiling leaves gaps without an answer
    # A score met exactly is met, whatever the last bit says; one missed by a billionth is missed.
    return total * 100.0 >= reached - 1e-10


@kernel
def _first_rating(p: Params, games: Openings, n: int) -> int:
    """The smallest whole grain at which the expected scores add up to the score; n is above 0."""
    low = p.floor * _POINT
    best = low - p.nc_margin * _POINT
    reached = 0
    for i in range(n):
        reached += games.score[i]
        adjusted = games.rating[i] - rounded(handicap_points(p, games.stones[i]) * 100.0)
        if adjusted > best:
            best = adjusted
    high = best + p.nc_margin * _POINT
    if _reaches(p, games, n, low, reached):
        high = low
    while high - low > 1:  # low does not reach the score; high does, or is the upper limit
        middle = low + (high - low) // 2
        if _reaches(p, games, n, middle, reached):
            high = middle
        else:
            low = middle
    return high


@kernel
def newcomer(p: Params, me: State, games: Openings, n: int, when: When) -> State:
    """Players and corrections, NC (choice): a first rating from the games against rated opponents so far."""
    rating, rank, played = me.rating, me.rank, me.games
    if n > 0 and n >= p.nc_games:
        rating = _first_rating(p, games, n)
        rank = nominal(p, rating)
        played = me.games + n
    return State(rating, rank, played)


def label(state: State) -> str:
    """The rank held, in words; "NC" for who has no rating."""
    return "NC" if state.rating == UNRATED else rank_name(state.rank)
