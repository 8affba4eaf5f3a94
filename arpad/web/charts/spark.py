"""Sparklines: twelve months of a list's players, all on one scale."""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

from arpad.domain.units import UNRATED
from arpad.store import current
from arpad.web.here import Here

DAYS, POINTS = 365, 12
WIDTH, HEIGHT, EDGE = 92.0, 22.0, 2.0


class Spark(NamedTuple):
    points: str  # of an SVG polyline
    x: float  # the last point
    y: float


def sparklines(here: Here, people: list[int]) -> dict[int, Spark]:
    """Person -> the curve of a year; nobody without a game in it."""
    since = here.today - DAYS
    seen: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for step in current.steps(here.pool, people, since=since):
        if step.after is not None and step.after != UNRATED:
            if not seen[step.person] and step.before != UNRATED:
                seen[step.person].append((since, step.before))
            seen[step.person].append((step.day, step.after))
    if not seen:
        return {}
    spread = max(max(v for _, v in known) - min(v for _, v in known) for known in seen.values()) or 1
    return {person: _spark(known, since, spread) for person, known in seen.items()}


def _spark(known: list[tuple[int, int]], since: int, spread: int) -> Spark:
    values, at = [], 0
    for month in range(POINTS):
        day = since + (month + 1) * DAYS // POINTS
        while at + 1 < len(known) and known[at + 1][0] <= day:
            at += 1
        values.append(known[at][1])
    middle = (max(values) + min(values)) / 2
    scale = (HEIGHT - 2 * EDGE) / spread
    xs = [EDGE + month * (WIDTH - 4 * EDGE) / (POINTS - 1) for month in range(POINTS)]
    ys = [HEIGHT / 2 - (value - middle) * scale for value in values]
    points = " ".join(f"{x:.0f},{y:.1f}" for x, y in zip(xs, ys, strict=True))
    return Spark(points, round(xs[-1], 1), round(ys[-1], 1))
