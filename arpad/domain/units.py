"""Units of a term, as names for annotations: the explanation formats a term by its unit.

A NamedTuple's field annotated `Grains` is printed as points with the ruleset's decimals, a
`Share` as 0.12, a `Rank` as "5 kyu", and so on (arpad.engine.explain).
"""

from __future__ import annotations

from typing import TypeAlias

Grains: TypeAlias = int  # a rating or a change, whole grains (0.01 point, chess lists 1 point)
Points: TypeAlias = float  # a rating difference or unrounded change, points
Share: TypeAlias = float  # an expected score, 0..1
Hundredths: TypeAlias = int  # a score or a sum of scores, hundredths of a point (per cent of a match)
Factor: TypeAlias = float  # K, Con, A, a weight: a bare number
Count: TypeAlias = int  # games, stones
Flag: TypeAlias = int  # 0 or 1
Rank: TypeAlias = int  # go rank as an index: 1 = 1 dan, 0 = 1 kyu, -1 = 2 kyu
Year: TypeAlias = int  # a calendar year, 0 = not known

UNRATED: int = -(2**31)  # a rating that is none (NC, unrated): sorts below every rating
NOT_RATED: int = -1  # the expected score (millionths) of a game that was not counted
