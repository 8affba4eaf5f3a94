"""Rounding: one rule everywhere, halves away from zero (design, principle 8)."""

from __future__ import annotations

import math

from arpad.domain.kernel import kernel


@kernel
def rounded(x: float) -> int:
    """`x` to the nearest whole number, halves away from zero. `x` is finite and below 2**52.

    >>> rounded(2.5), rounded(-2.5), rounded(0.49999999999999994)
    (3, -3, 0)
    """
    size = abs(x)
    whole = math.floor(size)
    if size - whole >= 0.5:  # exact, where floor(size + 0.5) is not
        whole += 1
    return whole if x >= 0 else -whole


@kernel
def divided(numerator: int, denominator: int) -> int:
    """`numerator / denominator` to the nearest whole number, halves away from zero, in integers.

    `denominator` is above 0.

    >>> divided(7, 2), divided(-7, 2), divided(5, 4)
    (4, -4, 1)
    """
    size = (2 * abs(numerator) + denominator) // (2 * denominator)
    return size if numerator >= 0 else -size
