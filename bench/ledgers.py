"""Seeded synthetic ledgers for the bench: the same numbers on every machine, in playing order.

Strengths are drawn once, results follow them, and first ratings are the strengths with an error, so
that games look like games: favourites mostly win, ratings move and then settle. There are twenty
players to a thousand games; a quarter of them play at any one time, for two and a half of the ten years.
"""

from __future__ import annotations

import datetime
from array import array
from typing import Any

import numpy as np

from arpad.domain.play import Application
from arpad.domain.results import read_result
from arpad.ledger.facts import Event, event_key
from arpad.ledger.ledger import Ledger
from arpad.ledger.sheet import Sheet

FIRST_DAY = datetime.date(2015, 1, 1).toordinal()
DAYS = 3_650  # ten years
GO_EVENT, CHESS_EVENT = 60, 90  # games an event


def elo(games: int, seed: int = 1) -> Ledger:
    """Games without events, one evening a day, a third drawn where the sides are even."""
    rng = np.random.default_rng(seed)
    people = max(50, games // 50)
    strength = rng.normal(1500, 250, people)
    first, second = _pairs(rng, people, games)
    day = FIRST_DAY + np.arange(games, dtype=np.int64) * DAYS // games
    sheet = _sheet(people)
    results = [sheet.result(read_result(text)) for text in ("0-1", "1/2-1/2", "1-0")]
    outcome = _outcomes(rng, strength[first] - strength[second], draws=0.3)
    _games(sheet, first, second, day, np.array(results)[outcome])
    _evenings(sheet, day)
    for person, rating in enumerate(np.round(strength + rng.normal(0, 100, people), 2).tolist()):
        sheet.first_rating(sheet.players[person], Application(rating=rating))
    return _ledger(sheet)


def table_tennis(games: int, seed: int = 2) -> Ledger:
    """Matches over five and, now and then, three sets; one evening a day."""
    rng = np.random.default_rng(seed)
    people = max(50, games // 50)
    strength = rng.normal(1400, 300, people)
    first, second = _pairs(rng, people, games)
    day = FIRST_DAY + np.arange(games, dtype=np.int64) * DAYS // games
    sheet = _sheet(people)
    texts = ("0-3", "1-3", "2-3", "3-2", "3-1", "3-0", "0-2", "1-2", "2-1", "2-0")
    results = np.array([sheet.result(read_result(text)) for text in texts])
    share = 1 / (1 + 10 ** ((strength[second] - strength[first]) / 400))
    level = np.clip(share + rng.normal(0, 0.2, games), 0, 0.999)
    short = rng.random(games) < 0.1
    outcome = np.where(short, 6 + (level * 4).astype(int), (level * 6).astype(int))
    _games(sheet, first, second, day, results[outcome])
    _evenings(sheet, day)
    for person, rating in enumerate(np.round(strength + rng.normal(0, 100, people)).tolist()):
        sheet.first_rating(sheet.players[person], Application(rating=rating))
    return _ledger(sheet)


def go(games: int, seed: int = 3) -> Ledger:
    """Tournaments of 24 players and five rounds: classes A to D, handicaps, small boards, some jigo."""
    rng = np.random.default_rng(seed)
    people = max(50, games // 50)
    rank = np.clip(np.round(rng.normal(-7, 6, people)), -24, 6).astype(int)
    events = -(-games // GO_EVENT)
    entrants = _entrants(rng, people, events, 24)
    first, second = _swiss(rng, entrants, games, rounds=5)
    event = np.arange(games) // GO_EVENT
    round_ = np.arange(games) % GO_EVENT // 12 + 1
    start = FIRST_DAY + np.arange(events) * DAYS // events
    day = start[event] + (round_ > 3)
    sheet = _sheet(people)
    results = np.array([sheet.result(read_result(text)) for text in ("0-1", "1/2-1/2", "1-0")])
    gap = np.abs(rank[first] - rank[second])
    handicap = rng.random(events)[event] < 0.4
    stones = np.where(handicap & (gap > 1), np.minimum(gap, 9), 0)
    first, second = np.where(rank[first] >= rank[second], (first, second), (second, first))
    edge = (rank[first] - rank[second] - np.maximum(stones - 0.5, 0)) * 80.0
    size = np.where(rng.random(events)[event] < 0.05, 13, 0)
    _games(
        sheet, first, second, day, results[_outcomes(rng, edge, draws=0.01)], event=event, round=round_,
        board=np.arange(games) % 12 + 1, stones=stones, size=size,
    )  # fmt: skip
    classes = np.array(list("ABCD"))[rng.choice(4, events, p=(0.1, 0.5, 0.38, 0.02))]
    _events(sheet, start, classes.tolist())
    for person, grade in enumerate(rank.tolist()):
        sheet.first_rating(sheet.players[person], Application(rank=grade))
    return _ledger(sheet)


def chess(games: int, seed: int = 4) -> Ledger:
    """Tournaments of nine rounds; of them 12 % cross a month, one player in fifty enters unrated."""
    rng = np.random.default_rng(seed)
    people = max(50, games // 50)
    strength = rng.normal(1900, 220, people)
    events = -(-games // CHESS_EVENT)
    entrants = _entrants(rng, people, events, 20)
    first, second = _swiss(rng, entrants, games, rounds=9)
    event = np.arange(games) // CHESS_EVENT
    round_ = np.arange(games) % CHESS_EVENT // 10 + 1
    start = _starts(rng, events)
    day = start[event] + round_ - 1
    sheet = _sheet(people)
    results = np.array([sheet.result(read_result(text)) for text in ("0-1", "1/2-1/2", "1-0")])
    outcome = _outcomes(rng, strength[first] - strength[second], draws=0.45)
    board = np.arange(games) % 10 + 1
    _games(sheet, first, second, day, results[outcome], event=event, round=round_, board=board)
    _events(sheet, start, [""] * events)
    ratings = np.clip(np.round(strength + rng.normal(0, 60, people)), 1400, 2850).tolist()
    for person, rating in enumerate(ratings):
        if person % 50:
            application = Application(rating=rating, games=40, born=1950 + person % 65)
            sheet.first_rating(sheet.players[person], application)
    return _ledger(sheet)


# --- parts ------------------------------------------------------------------------------------------


def _active(people: int, count: int) -> tuple[Any, int]:
    """The first of those who play when a part of the years has passed, and how many they are."""
    window = max(40, people // 4)
    return (np.arange(count) * (people - window)) // max(1, count - 1), window


def _pairs(rng: Any, people: int, games: int) -> tuple[Any, Any]:
    start, window = _active(people, games)
    first = rng.integers(0, window, games)
    return start + first, start + (first + rng.integers(1, window, games)) % window


def _entrants(rng: Any, people: int, events: int, size: int) -> Any:
    """(events, size): different players of near numbers, as in one region."""
    start, window = _active(people, events)
    span = min(window, 8 * size)
    centre = rng.integers(0, window, events)[:, None]
    near = np.argsort(rng.random((events, span)), axis=1)[:, :size]
    return start[:, None] + (centre + near) % window


def _swiss(rng: Any, entrants: Any, games: int, rounds: int) -> tuple[Any, Any]:
    """Pairings of every round: the same entrants in another order."""
    events, size = entrants.shape
    order = np.argsort(rng.random((events, rounds, size)), axis=2)
    paired = np.take_along_axis(entrants[:, None, :], order, axis=2).reshape(-1, 2)[:games]
    return paired[:, 0].copy(), paired[:, 1].copy()


def _outcomes(rng: Any, edge: Any, draws: float) -> Any:
    """0 lost, 1 drawn, 2 won by player 1, from a difference in points."""
    share = 1 / (1 + 10 ** (-edge / 400))
    drawn = draws * 4 * share * (1 - share)
    luck = rng.random(len(edge))
    return np.where(luck < share - drawn / 2, 2, np.where(luck < share + drawn / 2, 1, 0))


def _starts(rng: Any, events: int) -> Any:
    """First days of events of nine days, by last day; 12 % end in another month than they began."""
    month = np.datetime64("2015-01") + np.sort(rng.integers(0, DAYS // 30, events))
    opens = month.astype("datetime64[D]").astype(int)
    closes = (month + 1).astype("datetime64[D]").astype(int)
    crosses = rng.random(events) < 0.12
    inside = opens + (rng.random(events) * (closes - 8 - opens)).astype(int)
    start = np.where(crosses, closes - rng.integers(1, 9, events), inside)
    return np.sort(start) + datetime.date(1970, 1, 1).toordinal()


def _sheet(people: int) -> Sheet:
    sheet = Sheet("bench")
    for number in range(people):
        sheet.player(f"Player {number:06d}")
    return sheet


def _games(sheet: Sheet, first: Any, second: Any, day: Any, result: Any, **others: Any) -> None:
    count = len(first)
    columns = {"player1": first, "player2": second, "day": day, "result": result} | others
    columns.setdefault("event", np.zeros(count))
    columns["sequence"] = np.arange(1, count + 1)
    columns["weight"] = np.full(count, np.nan)
    for name, code in sheet.games.TYPES.items():
        kind = {"i": np.int32, "b": np.int8, "d": np.float64}[code]
        values = array(code)
        values.frombytes(np.asarray(columns.get(name, np.zeros(count))).astype(kind).tobytes())
        setattr(sheet.games, name, values)


def _evenings(sheet: Sheet, day: Any) -> None:
    """Games without an event: one nameless event a day."""
    days, number = np.unique(day, return_inverse=True)
    for value in days.tolist():
        sheet.event("", value)
    column = array("i")
    column.frombytes(number.astype(np.int32).tobytes())
    sheet.games.event = column


def _events(sheet: Sheet, start: Any, classes: list[str]) -> None:
    for number, (day, event_class) in enumerate(zip(start.tolist(), classes, strict=True)):
        name = f"Event {number:06d}"
        sheet.events.append(Event(name, day, 0, event_class, event_key(name, day)))


def _ledger(sheet: Sheet) -> Ledger:
    ledger = Ledger()
    ledger.add_sheet(sheet)
    return ledger
