"""Parts that the chess rulesets share: percentage, performance, the cap, n x K, the compression, entry.

Everything is whole numbers: a sum of hundredths never drifts before it is rounded.
"""

from __future__ import annotations

from arpad.domain.kernel import kernel
from arpad.domain.play import Application
from arpad.domain.problems import RuleRefusal
from arpad.domain.rounding import divided
from arpad.rulesets.parts import fide_difference


@kernel
def percentage(score: int, games: int) -> int:
    """Score in per cent, halves up: `score` in hundredths of a point, `games` above 0.

    >>> percentage(350, 5), percentage(100, 8), percentage(0, 4)
    (70, 13, 0)
    """
    return (2 * score + games) // (2 * games)


@kernel
def performance(opponents: int, score: int, games: int, per_point: int) -> int:
    """Rp = Ra + dp(p), rounded once (FIDE Handbook B.01, 1.4.8); 0 and 100 per cent give -800 and +800.

    `opponents` is the sum of their ratings in grains, `score` in hundredths, `per_point` grains a point.

    >>> performance(3000, 150, 2, 1)
    1693
    """
    return divided(opponents + games * fide_difference(percentage(score, games)) * per_point, games)


@kernel
def capped(difference: int, cap: int) -> int:
    """The difference, at most `cap` either way.

    >>> capped(-736, 400), capped(399, 400)
    (-400, 399)
    """
    if difference > cap:
        return cap
    if difference < -cap:
        return -cap
    return difference


@kernel
def limited_k(k: int, games: int, limit: int) -> int:
    """K, or the largest whole number whose product with the period's games is at most `limit`.

    >>> limited_k(40, 17, 700), limited_k(40, 18, 700), limited_k(20, 39, 700)
    (40, 38, 17)
    """
    if games * k > limit:
        return limit // games
    return k


@kernel
def compressed(rating: int, towards: int, part: int, whole: int) -> int:
    """A rating below `towards` goes part/whole of the way up to it; rounded, halves away from zero.

    >>> compressed(1000, 2000, 40, 100), compressed(1400, 2000, 250, 850), compressed(2450, 2000, 40, 100)
    (1400, 1576, 2450)
    """
    if rating >= towards or whole <= 0:
        return rating
    return rating + divided((towards - rating) * part, whole)


def refuse_grades(application: Application) -> None:
    """Chess has no ranks and no league classes to enter by.

    Raises RuleRefusal `entry-not-in-ruleset` for a player who has one of them and no rating.
    """
    if application.rank is None and not application.league and application.percentage is None:
        return
    raise RuleRefusal(
        "entry-not-in-ruleset",
        "A rank or a league class gives no first rating in this ruleset.",
        "Give a number in the column 'rating' of players.csv, or leave rating, rank and league empty"
        " for a player without a rating.",
    )


def counted_or_not(own: float | None) -> float:
    """A game counts once (no weight, or 1) or not at all (0).

    Raises RuleRefusal `weight-not-in-ruleset` for any other weight.
    """
    if own is None or own == 1.0:
        return 1.0
    if own == 0.0:
        return 0.0
    raise RuleRefusal(
        "weight-not-in-ruleset",
        f"This ruleset gives games no weight, found {own:g}.",
        "Leave the column 'weight' empty, or write 0 for a game that is not to be rated.",
    )
