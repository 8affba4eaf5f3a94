"""Parts of the demonstration ledgers: chance, people, pairings and the flat file. Standard library only.

Everybody in the demonstration is invented (demo_names). sum() is avoided for floats: since Python 3.12
it rounds otherwise than before, and the files are to be the same everywhere.
"""

from __future__ import annotations

import csv
import datetime
import io
import math
import random
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from demo_names import FAMILIES, MEN, WOMEN

T = TypeVar("T")


class Chance:
    """Repeatable chance. Only random() is used: the one call whose numbers Python promises to keep."""

    def __init__(self, seed: int) -> None:
        self._next = random.Random(seed).random

    def share(self) -> float:
        """Somewhere in 0..1."""
        return self._next()

    def happens(self, share: float) -> bool:
        return self._next() < share

    def below(self, limit: int) -> int:
        """0, 1 ... limit - 1."""
        return int(self._next() * limit)

    def between(self, low: float, high: float) -> float:
        return low + (high - low) * self._next()

    def pick(self, choices: Sequence[T]) -> T:
        return choices[self.below(len(choices))]

    def normal(self, spread: float) -> float:
        """About normal, mean 0: twelve shares added up, so that no library's logarithm is in it."""
        total = -6.0
        for _ in range(12):
            total += self._next()
        return total * spread

    def shuffled(self, items: Iterable[T]) -> list[T]:
        out = list(items)
        for last in range(len(out) - 1, 0, -1):
            other = self.below(last + 1)
            out[last], out[other] = out[other], out[last]
        return out

    def drawn(self, weights: dict[str, float], count: int) -> list[str]:
        """`count` different keys, each as likely as its weight says."""
        left, out = dict(weights), list[str]()
        while left and len(out) < count:
            total = 0.0
            for weight in left.values():
                total += weight
            at = self._next() * total
            chosen = next(iter(left))
            for name, weight in left.items():
                if weight > 0:
                    chosen, at = name, at - weight
                if at < 0:
                    break
            del left[chosen]
            out.append(chosen)
        return out


def names(chance: Chance, count: int) -> list[str]:
    """Different names, each family name once; `count` is at most the number of family names."""
    first_names = WOMEN + MEN
    return [f"{chance.pick(first_names)} {family}" for family in chance.shuffled(FAMILIES)[:count]]


# --- strength ---------------------------------------------------------------------------------------


class Person(NamedTuple):
    """Somebody with a strength that nobody sees and that moves over the time of the ledger."""

    name: str
    start: float  # strength on the first day, points
    gain: float  # points until the last day; most of it early
    club: str = ""
    zeal: float = 1.0  # how often he or she comes
    joined: str = ""  # day from which he or she plays; "" = from the beginning


class Span(NamedTuple):
    """The days a ledger covers."""

    first: str
    last: str

    def part(self, day: str) -> float:
        """How much of the span has gone by, 0..1."""
        return min(1.0, max(0.0, days(self.first, day) / days(self.first, self.last)))


def strength(person: Person, span: Span, day: str, lag: int = 0) -> float:
    """Strength on a day, or as it was `lag` days before."""
    part = span.part(later(day, -lag))
    return person.start + person.gain * part * (1.6 - 0.6 * part)


def logistic(difference: float, width: float) -> float:
    return 1.0 / (1.0 + math.exp(-difference / width))


# --- days -------------------------------------------------------------------------------------------


def days(first: str, last: str) -> int:
    return (datetime.date.fromisoformat(last) - datetime.date.fromisoformat(first)).days


def later(day: str, count: int) -> str:
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=count)).isoformat()


def weekly(first: str, last: str, holidays: Sequence[tuple[str, str]] = ()) -> Iterator[str]:
    """Every seventh day, without the holidays."""
    while first <= last:
        if not any(begin <= first <= end for begin, end in holidays):
            yield first
        first = later(first, 7)


# --- pairings ---------------------------------------------------------------------------------------

Pair = tuple[str, str]


def paired(order: Sequence[str], met: set[frozenset[str]]) -> tuple[list[Pair], str]:
    """Neighbours who have not met, from the top; who has a bye, or "". Notes who has met now.

    The bye goes to the lowest who had none. Raises ValueError where everybody has met everybody.
    """
    left, bye = list(order), ""
    if len(left) % 2:
        bye = next(name for name in reversed(left) if frozenset((name,)) not in met)
        left.remove(bye)
        met.add(frozenset((bye,)))
    pairs = _pairs(left, met)
    if pairs is None:
        raise ValueError(f"no pairing is left for {', '.join(order)}")
    met.update(frozenset(pair) for pair in pairs)
    return pairs, bye


def _pairs(left: list[str], met: set[frozenset[str]]) -> list[Pair] | None:
    """The first player with the next one not met, if the others can be paired too."""
    if not left:
        return []
    first, *others = left
    for at, second in enumerate(others):
        if frozenset((first, second)) not in met:
            rest = _pairs(others[:at] + others[at + 1 :], met)
            if rest is not None:
                return [(first, second), *rest]
    return None


# --- the flat file ----------------------------------------------------------------------------------


class Game(NamedTuple):
    """A row of games.csv; what is empty in every row of a file is left out of it."""

    date: str
    event: str = ""
    start: str = ""
    event_class: str = ""
    round: int = 0
    board: int = 0
    player1: str = ""
    player2: str = ""
    result: str = ""
    handicap: int = 0
    weight: str = ""
    size: int = 0
    best_of: int = 0


def games_csv(games: Iterable[Game], late: Iterable[Game]) -> dict[str, str]:
    """games.csv and the sheet that comes in late, both with the columns that any of their rows fills in."""
    headings = {"event_class": "class"}
    files = {
        name: [{headings.get(k, k): str(v or "") for k, v in game._asdict().items()} for game in rows]
        for name, rows in (("games.csv", games), ("games-late.csv", late))
    }
    columns = filled([row for rows in files.values() for row in rows])
    return {name: table(rows, columns) for name, rows in files.items()}


def filled(rows: Sequence[dict[str, str]]) -> list[str]:
    """The columns that any row fills in."""
    return [name for name in rows[0] if any(row[name] for row in rows)]


def table(rows: Sequence[dict[str, str]], columns: Sequence[str] = ()) -> str:
    """Comma-separated rows; without `columns`, those that any of them fills in."""
    text = io.StringIO()
    writer = csv.DictWriter(text, columns or filled(rows), extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()
