"""Go ranks as an index k: 1 = 1 dan, 2 = 2 dan, 0 = 1 kyu, -1 = 2 kyu ... (belgian-go, Scale and rank)."""

from __future__ import annotations

import re

_GRADE = re.compile(r"\s*(\d{1,2})\s*(k|kyu|d|dan|p)\s*\Z", re.IGNORECASE)


def rank_index(text: str, professional: int = 7) -> int | None:
    """The index of a grade such as "5k", "5 kyu", "2D", "3 dan", "4p"; None where it is none.

    Professional grades count as `professional` dan. Kyu up to 30, dan up to 9.

    >>> rank_index("1 dan"), rank_index("1k"), rank_index("12K"), rank_index("3p"), rank_index("NC")
    (1, 0, -11, 7, None)
    """
    match = _GRADE.match(text)
    if match is None:
        return None
    number, kind = int(match[1]), match[2].lower()[0]
    if number < 1 or number > (30 if kind == "k" else 9):
        return None
    if kind == "k":
        return 1 - number
    return professional if kind == "p" else number


def rank_name(index: int) -> str:
    """The rank in words, never abbreviated: "5 kyu", "2 dan"."""
    return f"{index} dan" if index >= 1 else f"{1 - index} kyu"
