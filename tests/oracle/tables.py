"""FIDE's two tables, in the handbook's own spelling (8.1.1 and 8.1.2), and rounding."""

from __future__ import annotations

from fractions import Fraction

# 8.1.2: the last difference at which the favourite expects 0.50, 0.51, ... 0.99; beyond: 1.00
LAST_DIFFERENCE = (
    3, 10, 17, 25, 32, 39, 46, 53, 61, 68, 76, 83, 91, 98, 106, 113, 121, 129, 137, 145, 153, 162, 170,
    179, 188, 197, 206, 215, 225, 235, 245, 256, 267, 278, 290, 302, 315, 328, 344, 357, 374, 391, 411,
    432, 456, 484, 517, 559, 619, 735,
)  # fmt: skip

# 8.1.1: dp of p = 0.50, 0.51, ... 1.00; below a half the same, negative
DP = (
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149, 158, 166,
    175, 184, 193, 202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336, 351, 366, 383, 401,
    422, 444, 470, 501, 538, 589, 677, 800,
)  # fmt: skip


def percentage(difference: int) -> int:
    """Expected per cent of the side that is `difference` whole points stronger (negative: weaker)."""
    high = 50
    for last in LAST_DIFFERENCE:
        if abs(difference) <= last:
            break
        high += 1
    return high if difference >= 0 else 100 - high


def dp(per_cent: int) -> int:
    return DP[per_cent - 50] if per_cent >= 50 else -DP[50 - per_cent]


def away(x: Fraction) -> int:
    """To a whole number, halves away from zero."""
    whole = int(abs(x) + Fraction(1, 2))
    return whole if x >= 0 else -whole


def whole_difference(grains: int) -> int:
    """A difference in hundredths to whole points, half up on its absolute value."""
    points = (abs(grains) + 50) // 100
    return points if grains >= 0 else -points


def share(score: Fraction, games: int) -> int:
    """p = score / games in per cent, half up."""
    return int(100 * score / games + Fraction(1, 2))
