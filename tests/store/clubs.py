"""Invented clubs in the database for tests: people, evenings, and shorthands for recording facts."""

from __future__ import annotations

import random
from typing import Any

from arpad.domain.dates import read_day
from arpad.domain.play import Application
from arpad.domain.results import read_result
from arpad.store.models import Organisation, Pool
from arpad.store.recorder import Recorder, Ref, recording, ref
from arpad.store.settle import Settler

FIRST = read_day("2024-01-08")
RESULTS = {
    "us-table-tennis": ["3-0", "3-1", "3-2", "2-3", "1-3", "0-3"],
    "belgian-go": ["1-0", "0-1"],
    "fide-standard": ["1-0", "0-1", "1/2-1/2"],
    "youth-realtime": ["1-0", "0-1", "1/2-1/2"],
    "elo-logistic": ["1-0", "0-1", "1/2-1/2"],
}
CLASS = {"belgian-go": "A"}
RULESETS = ("us-table-tennis", "belgian-go", "fide-standard", "youth-realtime")


def application(ruleset: str, number: int) -> Application:
    """A first rating that the ruleset takes; in each club somebody enters without one."""
    if number == 7 and ruleset not in ("us-table-tennis", "elo-logistic"):
        return Application(unclassified=True) if ruleset == "belgian-go" else Application(born=2012)
    if ruleset == "belgian-go":
        return Application(rank=-(number % 9) - 1)
    return Application(rating=1400 + 60 * number, born=1990 if number % 3 else 2010)


class Club:
    """A pool with eight people and a season of evenings."""

    def __init__(self, organisation: Organisation, pool: Pool, seed: int = 1) -> None:
        self.organisation, self.pool, self.ruleset = organisation, pool, pool.ruleset
        self.random = random.Random(seed)
        self.people: list[Ref] = []
        self.events: list[Ref] = []
        self.games: list[Ref] = []
        self.entries: list[Ref] = []
        self.feeds: list[Ref] = []
        self.settler = Settler(pool)

    def record(self, reason: str = "", **options: Any) -> Any:
        """with club.record() as r: ..."""
        return recording(self.organisation, author="1", reason=reason, **options)

    def start(self, evenings: int = 8) -> Club:
        """Eight people, then an evening every third week, each a recording."""
        with self.record("the members") as r:
            for number in range(8):
                person = r.person(f"Player {number}")
                self.people.append(person)
                self.entries.append(r.first_rating(ref(self.pool), person, application(self.ruleset, number)))
        for number in range(evenings):
            with self.record(f"evening {number}") as r:
                self.evening(r, FIRST + 21 * number, f"Evening {number}")
        return self

    def evening(self, r: Recorder, day: int, name: str, people: list[Ref] | None = None) -> Ref:
        """Everybody plays twice."""
        event = r.event(name, day)
        self.events.append(event)
        self.feeds.append(r.feed(ref(self.pool), event, CLASS.get(self.ruleset, "")))
        for round_ in (1, 2):
            order = list(people or self.people)
            self.random.shuffle(order)
            for board in range(len(order) // 2):
                self.games.append(
                    self.game(r, event, day, *order[2 * board : 2 * board + 2], round_, board + 1)
                )
        return event

    def game(
        self, r: Recorder, event: Ref, day: int, one: Ref, two: Ref, round_: int = 1, board: int = 9,
        result: str = "",
    ) -> Ref:  # fmt: skip
        text = result or self.random.choice(RESULTS[self.ruleset])
        return r.game(event, day, one, two, read_result(text), round=round_, board=board)
