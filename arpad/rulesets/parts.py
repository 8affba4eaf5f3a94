"""Parts that more than one ruleset uses: the FIDE tables, entry at a rating, plain scores, labels."""

from __future__ import annotations

import math

from arpad.domain.kernel import kernel
from arpad.domain.play import Application
from arpad.domain.problems import RuleRefusal
from arpad.domain.results import GAME, Result
from arpad.domain.rounding import divided, rounded
from arpad.domain.units import UNRATED

# FIDE Handbook B.02, table 8.1.2: the last difference (points) at which the stronger side's expected
# score is still 0.50, 0.51 ... 0.99; from 736 on it is 1.00.
_LAST_DIFFERENCE = (
    3, 10, 17, 25, 32, 39, 46, 53, 61, 68, 76, 83, 91, 98, 106, 113, 121, 129, 137, 145, 153, 162,
    170, 179, 188, 197, 206, 215, 225, 235, 245, 256, 267, 278, 290, 302, 315, 328, 344, 357, 374,
    391, 411, 432, 456, 484, 517, 559, 619, 735,
)  # fmt: skip
# The same, read at a whole difference of 0..736: one look-up instead of a search.
FIDE_EXPECTED: bytes = bytes(
    50 + sum(1 for last in _LAST_DIFFERENCE if last < difference) for difference in range(737)
)
# FIDE Handbook B.02, table 8.1.1: the difference (points) for a score of 50, 51 ... 100 per cent.
FIDE_DIFFERENCE: tuple[int, ...] = (
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149, 158, 166,
    175, 184, 193, 202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336, 351, 366, 383, 401,
    422, 444, 470, 501, 538, 589, 677, 800,
)  # fmt: skip


@kernel
def fide_expected(difference: int) -> int:
    """Expected score in hundredths (0..100) for a difference in whole points: table 8.1.2."""
    size = abs(difference)
    if size > 736:
        size = 736
    high = FIDE_EXPECTED[size] + 0
    return high if difference >= 0 else 100 - high


@kernel
def fide_difference(share: int) -> int:
    """Difference dp in points for a score of `share` per cent, 0..100: table 8.1.1."""
    if share >= 50:
        return FIDE_DIFFERENCE[share - 50]
    return -FIDE_DIFFERENCE[50 - share]


@kernel
def normal_expected(difference: float, deviation: float) -> float:
    """Elo's model: one game is a draw from a normal distribution, sigma = 200 * sqrt(2) points."""
    return 0.5 * math.erfc(-difference / (deviation * 1.4142135623730951))


@kernel
def logistic_expected(difference: float, scale: float) -> float:
    """The curve of most programs: `scale` points (usually 400) of difference are odds of 10 : 1."""
    # exp of a scaled difference: one call of libm, the same interpreted and compiled
    return 1.0 / (1.0 + math.exp(-difference * (2.302585092994046 / scale)))


def enter_at_rating(application: Application, per_point: int) -> int:
    """The rating to enter at, in grains (halves away from zero).

    Raises RuleRefusal `player-no-first-rating` where the application has none.
    """
    if application.rating is None:
        raise RuleRefusal(
            "player-no-first-rating",
            "There is no first rating.",
            "Add a number in the column 'rating' of players.csv.",
        )
    return rounded((application.rating + application.adjustment) * per_point)


def plain_score(result: Result) -> tuple[int, int]:
    """Hundredths of player 1 in a game that is won, drawn or lost.

    Raises RuleRefusal `result-not-in-ruleset` for set scores and retirements.
    """
    if result.kind != GAME:
        raise RuleRefusal(
            "result-not-in-ruleset", f"This ruleset knows no result {result}.", "Use 1-0, 1/2-1/2 or 0-1."
        )
    return 50 * result.first, 0


def whole_label(rating: int, per_point: int) -> str:
    """The rating as a whole number of points, halves away from zero; "unrated" where there is none."""
    return "unrated" if rating == UNRATED else str(divided(rating, per_point))
