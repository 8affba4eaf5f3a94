"""A ledger's facts as plain tuples, and playing order (corrections and first ratings of a day, then events).

What the oracles know of a ledger is in this file; how a rating follows from it is in theirs.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class Meeting(NamedTuple):
    """One game between two players as it was reported."""

    number: int
    event: int
    day: int
    round: int
    board: int
    sequence: int
    white: str
    black: str
    kind: str  # game, sets, forfeit ...
    first: int  # halves of a game, or sets
    second: int
    retired: int
    for_rating: bool
    best_of: int
    stones: int  # that black receives
    weight: float | None
    size: int


class Occasion(NamedTuple):
    """One event with its days."""

    number: int
    name: str
    order: int
    event_class: str
    key: str
    start: int
    last: int
    games: tuple[Meeting, ...]  # by date, round, board, sequence


class Entry(NamedTuple):
    player: str
    day: int  # 0: before everything
    given: Any  # the application


class Base(NamedTuple):
    """A correction."""

    player: str
    day: int
    rating: float


class Bonus(NamedTuple):
    """Points for everybody who has a rating."""

    day: int
    points: float


class Change(NamedTuple):
    """A parameter of the club's own from a day on."""

    day: int
    name: str
    value: float


class Facts(NamedTuple):
    players: tuple[str, ...]
    occasions: tuple[Occasion, ...]  # in playing order: last day, declared sequence, first day, order key
    entries: tuple[Entry, ...]  # by day
    bases: tuple[Base, ...]  # by day
    changes: tuple[Change, ...]  # by day
    bonuses: tuple[Bonus, ...]  # by day


class Outcome(NamedTuple):
    """What an oracle says: all ratings in grains, changes in the ruleset's unit, expected in millionths."""

    # game -> (before, expected, change) of both; no rating and not rated: None
    sides: dict[int, tuple[tuple[int | None, int | None, int], tuple[int | None, int | None, int]]]
    # player -> rating (None: none), label, rated games
    final: dict[str, tuple[int | None, str, int]]
    # (day from which it holds, player, rating), in order of time
    course: list[tuple[int, str, int | None]]


def facts_of(ledger: Any) -> Facts:
    """Everything in a ledger without voids and merges."""
    by_event: dict[int, list[Meeting]] = {}
    for number, row in enumerate(ledger.games):
        if row.player2 < 0:
            continue
        result = ledger.results[row.result]
        by_event.setdefault(row.event, []).append(
            Meeting(
                number,
                row.event,
                row.day,
                row.round,
                row.board,
                row.sequence,
                ledger.keys[row.player1],
                ledger.keys[row.player2],
                result.kind,
                result.first,
                result.second,
                result.retired,
                not result.unrated,
                result.best_of,
                row.stones,
                None if row.weight != row.weight else row.weight,
                row.size,
            )
        )
    occasions = []
    for number, games in by_event.items():
        event = ledger.events[number]
        days = [game.day for game in games]
        games.sort(key=lambda g: (g.day, g.round, g.board, g.sequence, g.white, g.black))
        occasions.append(
            Occasion(
                number,
                event.name,
                event.order,
                event.event_class,
                event.key,
                event.start or min(days),
                max(days),
                tuple(games),
            )
        )
    occasions.sort(key=lambda o: (o.last, o.order, o.start, o.key))
    return Facts(
        tuple(ledger.keys),
        tuple(occasions),
        tuple(
            sorted(
                (Entry(ledger.keys[f.person], f.day, f.application) for f in ledger.first_ratings), key=_day
            )
        ),
        tuple(
            sorted((Base(ledger.keys[f.person], f.day, f.rating) for f in ledger.corrections), key=_rising)
        ),
        tuple(sorted((Change(f.day, f.name, f.value) for f in ledger.parameters), key=_day)),
        tuple(sorted((Bonus(f.day, f.points) for f in ledger.postings), key=_day)),
    )


def _day(fact: Any) -> int:
    day: int = fact.day
    return day


def _rising(base: Base) -> tuple[int, float]:
    return (base.day, base.rating)


def one_by_one(facts: Facts) -> list[tuple[Occasion, Meeting]]:
    """Games each on its own date; inside a day by declared sequence, first day and key of their event."""
    pairs = [(occasion, game) for occasion in facts.occasions for game in occasion.games]
    pairs.sort(
        key=lambda p: (
            p[1].day,
            p[0].order,
            p[0].start,
            p[0].key,
            p[1].round,
            p[1].board,
            p[1].sequence,
            p[1].white,
            p[1].black,
        )
    )
    return pairs
