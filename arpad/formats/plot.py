"""A player's rating curve as an SVG picture: the same text for the same history."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from xml.sax.saxutils import escape

from arpad.domain.dates import day_text
from arpad.domain.units import UNRATED
from arpad.engine.past import Past
from arpad.engine.retrace import sides_of

if TYPE_CHECKING:
    from arpad.engine.history import History

WIDTH, HEIGHT = 860, 420
LEFT, RIGHT, TOP, BOTTOM = 70, 30, 50, 45
DOTS = 150  # points that are marked; of a longer curve only the line is drawn
LINES = 6  # of the grid, at most


class Point(NamedTuple):
    """A player's rating from a day on."""

    day: int
    rating: float | None  # points; None: none any more


def curve(history: History, person: int) -> list[Point]:
    """The rating after each period, first rating, correction and posting of a player, in order."""
    plan, past = history.plan, Past(history, {person})
    days = plan.day if plan.ticks is None else plan.ticks.day
    found: list[tuple[int, int, int, int]] = []  # place, 0: an act comes before the games, day, rating
    for outcome in past.acts(person):
        first = days[min(outcome.place, len(days) - 1)] if days else 0
        found.append((outcome.place, 0, outcome.act.day or first, outcome.after.rating))
    for place in sorted({plan.place_of_row(side // 2) for side in sides_of(history, person)}):
        index = past.settlement(person, place)
        if index >= 0:
            found.append((place, 1, days[place], past.settled_state(index).rating))
    found.sort(key=lambda point: point[:2])
    per_point = plan.ruleset.per_point
    return [Point(day, None if rating == UNRATED else rating / per_point) for _, _, day, rating in found]


def svg(title: str, points: list[Point]) -> bytes:
    """The picture of a curve; without any rating an empty frame."""
    size = f'viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="12" role="img">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        f'<text x="{LEFT}" y="28" font-size="16" font-weight="bold">{escape(title)}</text>',
    ]
    ratings = [point.rating for point in points if point.rating is not None]
    if ratings:
        frame = _Frame(points[0].day, points[-1].day, min(ratings), max(ratings))
        parts += [*frame.grid(), *frame.line(points)]
    return ("\n".join([*parts, "</svg>"]) + "\n").encode("utf-8")


class _Frame:
    """Where days and ratings stand in the picture."""

    def __init__(self, first: int, last: int, lowest: float, highest: float) -> None:
        self.first, self.last = first, max(last, first + 1)
        self.step = _step(highest - lowest)
        self.low = int(lowest // self.step) * self.step
        self.high = max(-int(-highest // self.step) * self.step, self.low + self.step)

    def x(self, day: int) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (day - self.first) / (self.last - self.first)

    def y(self, rating: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (rating - self.low) / (self.high - self.low)

    def grid(self) -> list[str]:
        """A line for each round rating, five days below."""
        lines = []
        for rating in range(self.low, self.high + 1, self.step):
            at = self.y(rating)
            rule = f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{at:.1f}" y2="{at:.1f}" stroke="#ddd"/>'
            words = f'<text x="{LEFT - 8}" y="{at + 4:.1f}" text-anchor="end">{rating}</text>'
            lines.append(rule + words)
        days = sorted({self.first + (self.last - self.first) * part // 4 for part in range(5)})
        foot = HEIGHT - BOTTOM + 22
        lines += [
            f'<text x="{self.x(day):.1f}" y="{foot}" text-anchor="middle">{day_text(day)}</text>'
            for day in days
        ]
        return lines

    def line(self, points: list[Point]) -> list[str]:
        """The rating holds until the next point: steps, with a gap where there is no rating."""
        path, dots, drawn = [], [], False
        for point in points:
            across = f"{self.x(point.day):.1f}"
            if point.rating is None:
                path += [f"H{across}"] if drawn else []
                drawn = False
                continue
            up = f"{self.y(point.rating):.1f}"
            path.append(f"H{across}V{up}" if drawn else f"M{across} {up}")
            dots.append(
                f'<circle cx="{across}" cy="{up}" r="3" fill="#15c">'
                f"<title>{day_text(point.day)}: {point.rating:g}</title></circle>"
            )
            drawn = True
        path += [f"H{self.x(self.last):.1f}"] if drawn else []
        drawing = f'<path d="{"".join(path)}" fill="none" stroke="#15c" stroke-width="1.5"/>'
        return [drawing, *(dots if len(dots) <= DOTS else [])]


def _step(span: float) -> int:
    """The distance of two lines of the grid: 1, 2 or 5 times a power of ten."""
    size = 1
    while True:
        for step in (size, 2 * size, 5 * size):
            if step * LINES >= span:
                return step
        size *= 10
