"""A player's curve: a staircase over rank bands, in two widths. Numbers only; the template draws."""

from __future__ import annotations

import datetime
from typing import NamedTuple

from arpad.web import bands, figures
from arpad.web.here import Here

SMOOTHEST = 500  # dots at most; more are left out, the staircase keeps its corners


class Point(NamedTuple):
    day: int
    value: int  # grains
    mark: str = ""  # "correction", "late"


class Stripe(NamedTuple):
    style: str
    y: float
    height: float
    name: str  # right of it; "" where there is no room
    points: str  # left of its upper bound


class Mark(NamedTuple):
    kind: str
    x: float
    y: float


class Curve(NamedTuple):
    """What an SVG shows, in its own pixels."""

    kind: str  # "wide", "narrow"
    width: int
    height: int
    left: float
    right: float
    top: float
    bottom: float
    stripes: list[Stripe]
    years: list[tuple[float, int]]
    path: str
    ghost: str
    dots: list[tuple[float, float]]
    marks: list[Mark]
    end: tuple[float, float]
    last: str


def curves(here: Here, points: list[Point], published: list[Point], first: int, last: int) -> list[Curve]:
    """The drawing in both widths; none for fewer than two points."""
    if len(points) < 2:
        return []
    return [
        _curve(here, points, published, first, last, "wide", (1120, 380), (44.0, 1062.0), (14.0, 332.0)),
        _curve(here, points, published, first, last, "narrow", (358, 300), (36.0, 312.0), (14.0, 252.0)),
    ]


def _curve(
    here: Here, points: list[Point], published: list[Point], first: int, last: int, kind: str,
    size: tuple[int, int], across: tuple[float, float], down: tuple[float, float],
) -> Curve:  # fmt: skip
    per = here.rules.per_point
    shown = _within(points, first)
    values = [point.value for point in [*shown, *published]]
    low, high = min(values) // per, -(-max(values) // per)
    stripes = list(bands.between(here.rules, low, high))
    bottom, top = stripes[0].low, max(stripes[-1].high, high)
    bottom, top = min(bottom, low), top
    span, days = max(1, top - bottom), max(1, last - first)

    def x(day: int) -> float:
        return round(across[0] + (max(day, first) - first) * (across[1] - across[0]) / days, 1)

    def y(value: float) -> float:
        return round(down[1] - (value - bottom) * (down[1] - down[0]) / span, 1)

    step = 1 if kind == "wide" or len(stripes) < 8 else 2
    drawn = [
        Stripe(
            band.style, y(min(band.high, top)), round(y(max(band.low, bottom)) - y(min(band.high, top)), 1),
            bands.name(here.rules, band, here.language) if at % step == 0 else "",
            figures.fixed(band.high, 1, 0, here.language) if at % step == 0 else "",
        )
        for at, band in enumerate(stripes)
    ]  # fmt: skip
    every = max(1, len(shown) // SMOOTHEST)
    end = (x(last), y(shown[-1].value / per))
    return Curve(
        kind, *size, *across, *down, drawn, _years(first, last, x), _stairs(shown, per, x, y, last),
        _stairs(published, per, x, y, last) if len(published) > 1 else "",
        [(x(p.day), y(p.value / per)) for p in shown[::every] if not p.mark and p.day >= first],
        [Mark(p.mark, x(p.day), y(p.value / per)) for p in shown if p.mark], end,
        here.rating(shown[-1].value),
    )  # fmt: skip


def _within(points: list[Point], first: int) -> list[Point]:
    """From a day on, with the value that held on it."""
    before = [point for point in points if point.day < first]
    after = [point for point in points if point.day >= first]
    return ([Point(first, before[-1].value)] if before else []) + after


def _stairs(points: list[Point], per: int, x: object, y: object, last: int) -> str:
    parts: list[str] = []
    for point in points:
        across, down = x(point.day), y(point.value / per)  # type: ignore[operator]
        parts.append(f"M{across} {down}" if not parts else f"H{across}V{down}")
    return "".join(parts) + f"H{x(last)}"  # type: ignore[operator]


def _years(first: int, last: int, x: object) -> list[tuple[float, int]]:
    years = range(datetime.date.fromordinal(first).year + 1, datetime.date.fromordinal(last).year + 1)
    every = 1 if len(years) <= 12 else 5
    return [
        (x(datetime.date(year, 1, 1).toordinal()), year)  # type: ignore[operator]
        for year in years
        if year % every == 0
    ]
