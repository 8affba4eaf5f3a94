"""A table-tennis club's Elo on set scores.

**Source**: the page "Uitleg" of a Dutch club's rating site.

**Scale**: points; half of the sets in the country's top league is 2600, each league down 200 less.

**Period**: the match, each on its own date; both players from both ratings before the match.

**Choices**, where the page is silent: a difference with a fraction is rounded to the nearest whole
point, halves away from zero, before the table is read; leagues below the fifth class go on in steps
of 200 (800, 600, 400); a rating given by hand goes before a league; no weights but 0 and 1; who
retires loses the sets that were left, of `retired_best_of` where the length of the match is not known.
Matches over seven sets (`best_of_seven` 1) are an extension of ours: each side's share of the sets, in
whole per cent.
"""

from __future__ import annotations

import difflib
import unicodedata
from typing import NamedTuple

from arpad.domain.kernel import kernel
from arpad.domain.play import Application, Game, Tally, When
from arpad.domain.problems import RuleRefusal
from arpad.domain.results import SETS, Result
from arpad.domain.units import UNRATED, Count, Factor, Flag, Grains, Points, Share
from arpad.rulesets.parts import enter_at_rating, fide_expected, whole_label

PERIOD = "game"
GRAIN = 0.01
RESULTS = ("3-0", "3-1", "3-2", "2-3", "1-3", "0-3", "2-0", "2-1", "1-2", "0-2")

_POINT = 100  # grains

# Initial rating: what half of the sets in each class of last season is worth, points. Another region
# or season has another ladder. Case, accents, blanks and apostrophes do not matter.
LADDER: tuple[tuple[int, tuple[str, ...]], ...] = (
    (2600, ("eredivisie",)),
    (2400, ("1e divisie",)),
    (2200, ("2e divisie",)),
    (2000, ("3e divisie",)),
    (1800, ("1e klasse",)),
    (1600, ("2e klasse",)),
    (1400, ("3e klasse",)),
    (1200, ("4e klasse",)),
    (1000, ("5e klasse",)),
    (800, ("6e klasse",)),  # choice, as the two below
    (600, ("7e klasse",)),
    (400, ("8e klasse",)),
    # women's classes; the page calls the first one "klasse 3.5"
    (1300, ("klasse 3.5", "women's 2e divisie", "dames 2e divisie", "2e divisie dames")),
    (1300, ("vrouwen 2e divisie", "2e divisie vrouwen")),
    (1000, ("women's 3e divisie", "dames 3e divisie", "3e divisie dames")),
    (1000, ("vrouwen 3e divisie", "3e divisie vrouwen")),
)


class Params(NamedTuple):
    k: int = 50  # best of five, "for the time being"; whole, so that changes are whole hundredths
    k_best_of_three: int = 30  # the same for best of three
    k_best_of_seven: int = 70  # extension: the same for best of seven
    best_of_seven: int = 0  # extension: 1 = matches over seven sets are rated
    cap: int = 350  # a larger difference is taken as this, whole points
    five_3_0: int = 100  # best of five won 3-0, per cent; the loser has the rest
    five_3_1: int = 75  # won 3-1
    five_3_2: int = 60  # won 3-2
    three_2_0: int = 100  # best of three won 2-0
    three_2_1: int = 67  # won 2-1
    seven_4_0: int = 100  # extension: best of seven won 4-0
    seven_4_1: int = 80  # extension: won 4-1
    seven_4_2: int = 67  # extension: won 4-2
    seven_4_3: int = 57  # extension: won 4-3
    retired_best_of: int = 5  # choice: length of a broken-off match where it is not known
    even_percentage: float = 50.0  # personal percentage that is worth the base of the class
    percentage_points: float = 5.0  # points for every per cent above it


EDITIONS = (("", Params()),)


class State(NamedTuple):
    rating: Grains = UNRATED
    games: Count = 0


class Step(NamedTuple):
    own: Grains
    opponent: Grains
    gap: Grains  # own - opponent
    capped: Flag  # 1: the gap is beyond the cap
    difference: Points  # whole points, at most the cap
    expected: Share
    pv: Count  # the same as a percentage, from the table
    pw: Count  # percentage reached
    best_of: Count
    k: Factor
    contrary: Count  # -1: won the match and loses points; 1: lost it and gains; else 0
    unrounded: Points  # (pw - pv) x k / 100
    rated: Flag
    change: Grains


class Settled(NamedTuple):
    change: Grains
    state: State


def _key(name: str) -> str:
    """A league's name without case, accents, blanks and apostrophes; a decimal comma is a point."""
    letters = unicodedata.normalize("NFKD", name).casefold().replace(",", ".")
    return "".join(c for c in letters if c not in "'’" and not c.isspace() and not unicodedata.combining(c))


_BASES = {_key(name): base for base, names in LADDER for name in names}


def league_base(name: str) -> int:
    """Initial rating: what half of the sets in this class is worth, points.

    Raises RuleRefusal `league-unknown`.

    >>> league_base("2E  Klasse")
    1600
    """
    base = _BASES.get(_key(name))
    if base is None:
        known = [n for _, names in LADDER for n in names]
        near = difflib.get_close_matches(name.casefold(), known, n=3, cutoff=0.6)
        raise RuleRefusal(
            "league-unknown",
            f"The ladder has no class '{name}'.",
            (f"Nearest: {', '.join(near)}. " if near else "") + "Or give a rating, with a reason.",
        )
    return base


def enter(p: Params, application: Application) -> State:
    """Initial rating: base of the class + 5 x (percentage - 50) + adjustment; or a manual rating, which wins.

    Raises RuleRefusal `player-no-first-rating`, `league-unknown`, `percentage-missing` or
    `percentage-out-of-range`.

    >>> enter(Params(), Application(league="1e klasse", percentage=25.0))
    State(rating=167500, games=0)
    """
    if application.rating is None and application.league:
        base = league_base(application.league)
        percentage = application.percentage
        if percentage is None:
            raise RuleRefusal(
                "percentage-missing",
                f"The percentage reached in '{application.league}' is missing.",
                "Add it in the column 'percentage' of players.csv.",
            )
        if not 0.0 <= percentage <= 100.0:
            raise RuleRefusal(
                "percentage-out-of-range", f"{percentage} is no percentage.", "Give a number from 0 to 100."
            )
        points = base + p.percentage_points * (percentage - p.even_percentage)
        application = application._replace(rating=points)
    if application.rating is None:
        raise RuleRefusal(
            "player-no-first-rating",
            "There is no first rating.",
            "Add league and percentage of last season to players.csv, or a rating with a reason.",
        )
    return State(enter_at_rating(application, _POINT), application.games)


def _tables(p: Params) -> dict[int, tuple[int, ...]]:
    """Per length of match: the winner's percentage where the loser has 0, 1, 2 ... sets."""
    return {
        3: (p.three_2_0, p.three_2_1),
        5: (p.five_3_0, p.five_3_1, p.five_3_2),
        7: (p.seven_4_0, p.seven_4_1, p.seven_4_2, p.seven_4_3),
    }


def _ended(p: Params, result: Result) -> tuple[int, int, int]:
    """The sets of both players at the end of the match, and its length.

    A retired player loses the sets that were left. Raises RuleRefusal `set-illegal`.
    """
    first, second = result.first, result.second
    best_of = result.best_of or (p.retired_best_of if result.retired else 2 * max(first, second) - 1)
    if best_of not in (3, 5, 7):
        raise RuleRefusal(
            "set-illegal", f"{result} ends no match over three or five sets.", "Correct the sets, or best_of."
        )
    if best_of == 7 and not p.best_of_seven:
        raise RuleRefusal(
            "set-illegal",
            f"{result} is a match over seven sets, which this ruleset does not rate.",
            "Correct the sets, or switch the extension on with best_of_seven=1.",
        )
    needed = best_of // 2 + 1
    if result.retired:
        over = max(first, second) >= needed
        first, second = (first, needed) if result.retired == 1 else (needed, second)
    else:
        over = max(first, second) != needed or min(first, second) >= needed
    if over:
        raise RuleRefusal(
            "set-illegal",
            f"{result} is no result of a match over {best_of} sets.",
            f"Correct the sets, or best_of: {needed} sets win the match.",
        )
    return first, second, best_of


def score(p: Params, result: Result) -> tuple[int, int]:
    """Actual percentage Pw of player 1, and the length of the match.

    Raises RuleRefusal `set-illegal`, or `result-not-in-ruleset` where there are no set scores.

    >>> score(Params(), Result(SETS, 2, 3)), score(Params(), Result(SETS, 1, 1, retired=1))
    ((40, 5), (25, 5))
    """
    if result.kind != SETS:
        raise RuleRefusal(
            "result-not-in-ruleset",
            f"This ruleset rates sets, and {result} gives none.",
            "Use 3-1, 2-0 and so on.",
        )
    first, second, best_of = _ended(p, result)
    table = _tables(p)[best_of]
    return (table[second] if first > second else 100 - table[first]), best_of


def weigh(p: Params, event_class: str, size: int, own: float | None) -> float:
    """The text knows no weights: every match counts once, or (weight 0) not at all.

    Raises RuleRefusal `weight-out-of-range`.
    """
    if own is not None and own not in (0.0, 1.0):
        raise RuleRefusal(
            "weight-out-of-range",
            f"This ruleset knows no weight {own}.",
            "Leave it out, or use 0 (not rated).",
        )
    return 1.0 if own is None else own


@kernel
def corrected(p: Params, me: State, rating: int) -> State:
    return State(rating, me.games)


@kernel
def step(p: Params, me: State, opponent: State, game: Game) -> Step:
    """Calculation: (Pw - Pv) x K / 100, in integers; with K whole points the change is whole grains."""
    gap = me.rating - opponent.rating
    size = abs(gap)
    whole = (size + _POINT // 2) // _POINT  # choice: to the nearest point, halves away from zero
    capped = 1 if size > p.cap * _POINT else 0
    if whole > p.cap:
        whole = p.cap
    difference = whole if gap >= 0 else -whole
    pv = fide_expected(difference)
    k = p.k
    if game.best_of == 3:
        k = p.k_best_of_three
    elif game.best_of == 7:
        k = p.k_best_of_seven
    rated = 1 if game.weight > 0.0 else 0
    change = (game.score - pv) * k * rated
    contrary = 0
    if game.score > 50 and change < 0:
        contrary = -1
    elif game.score < 50 and change > 0:
        contrary = 1
    return Step(
        me.rating, opponent.rating, gap, capped, difference * 1.0, pv / 100.0, pv, game.score, game.best_of,
        k * 1.0, contrary, change / 100.0, rated, change,
    )  # fmt: skip


@kernel
def settle(p: Params, me: State, tally: Tally, when: When) -> Settled:
    """Both players at once, after the match. No floor, no inactivity rule."""
    return Settled(tally.change, State(me.rating + tally.change, me.games + tally.games))


def label(state: State) -> str:
    """Shown rounded to whole points, halves away from zero."""
    return whole_label(state.rating, _POINT)
