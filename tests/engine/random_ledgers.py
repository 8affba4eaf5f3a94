"""Random ledgers of invented players for the engine's properties: small, full of corner cases."""

from __future__ import annotations

import random

from arpad.domain.dates import read_day
from arpad.domain.play import Application
from arpad.domain.results import read_result
from arpad.ledger.columns import NO_WEIGHT, GameRow
from arpad.ledger.ledger import Ledger
from arpad.ledger.sheet import Sheet
from arpad.rulesets.catalogue import Ruleset, find

FIRST_DAY = read_day("2021-06-01")  # after the first edition of every ruleset
DAYS = 1500


def random_sheets(ruleset: str, seed: int, events: int = 18, people: int = 16) -> list[Sheet]:
    """One sheet an event, and first one with first ratings and corrections."""
    rng, rules = random.Random(seed), find(ruleset)
    names = [f"P{i}" for i in range(people)]
    members = Sheet("members")
    for name in names:
        application = _application(rules, rng)
        if application is not None:
            day = 0 if rng.random() < 0.8 else FIRST_DAY + rng.randrange(DAYS)
            members.first_rating(name, application, day)
    for _ in range(rng.randrange(6)):
        rating = rng.randrange(-2000, 300) if rules.id == "belgian-go" else rng.randrange(1420, 2500)
        members.correction(rng.choice(names), FIRST_DAY + rng.randrange(DAYS), rating, "set by the committee")
    return [members, *(_event(rules, rng, names, number) for number in range(events))]


def random_ledger(ruleset: str, seed: int, events: int = 18, people: int = 16) -> Ledger:
    """The sheets of random_sheets(), in order."""
    return ledger_of(random_sheets(ruleset, seed, events, people))


def ledger_of(sheets: list[Sheet]) -> Ledger:
    ledger = Ledger()
    for sheet in sheets:
        ledger.add_sheet(sheet)
    return ledger


def _application(rules: Ruleset, rng: random.Random) -> Application | None:
    chance = rng.random()
    if rules.id == "belgian-go":
        return Application(unclassified=True) if chance < 0.2 else Application(rank=rng.randrange(-23, 6))
    if chance < 0.7 or not rules.enters_unrated:
        return Application(
            rating=rng.randrange(1380, 2710),
            born=rng.choice([0, 1980, 2006, 2012]),
            games=rng.choice([0, 4, 29, 250]),
        )
    return Application(born=2011) if chance < 0.9 else None


def _event(rules: Ruleset, rng: random.Random, names: list[str], number: int) -> Sheet:
    results = [read_result(text) for text in rules.results] + [read_result(text) for text in ("+--", "---")]
    sheet = Sheet(f"event {number}")
    start = FIRST_DAY + rng.randrange(DAYS)
    length = rng.choice([0, 0, 1, 2, 8, 20, 45])
    loose = rng.random() < 0.1
    event_class = rng.choice(rules.classes) if rules.classes and not loose else ""
    rounds = rng.randrange(1, 6)
    for round_ in range(1, rounds + 1):
        day = start if loose else start + length * (round_ - 1) // max(1, rounds - 1)
        event = sheet.event(
            "" if loose else f"E{number}", start, rng.randrange(2) if round_ == 1 else 0, event_class
        )
        pairs = rng.sample(names, len(names))
        for board in range(1, rng.randrange(2, len(names) // 2)):
            white, black = pairs[2 * board - 2 : 2 * board]
            by_place = rng.random() < 0.5
            sheet.games.append(
                GameRow(
                    sheet.player(white),
                    sheet.player(black),
                    event,
                    day,
                    round_ if by_place else 0,
                    board if by_place else 0,
                    len(sheet.games) + 1,
                    sheet.result(rng.choice(results)),
                    rng.choice([0, 0, 0, 1, 3, 9]) if rules.max_stones else 0,
                    rng.choice([NO_WEIGHT, NO_WEIGHT, 0.0, 0.5 if rules.classes else NO_WEIGHT]),
                    rng.choice([0, 19, 13, 9]) if rules.sizes else 0,
                )
            )
    return sheet


def facts_of(history: object) -> tuple[object, ...]:
    """Everything a replay computed, as plain lists, to compare two histories of one ledger."""
    names = ("before", "expected", "change", "states", "settled_player", "settled_state", "tick_settled")
    return (*(list(map(int, getattr(history, name))) for name in names), history.outcomes)  # type: ignore[attr-defined]


def ratings_of(history: object) -> list[tuple[object, ...]]:
    """The list by name, to compare histories of ledgers with other numbering."""
    lines = history.ratings()  # type: ignore[attr-defined]
    return sorted(
        (line.player, line.rating, line.label, line.games, line.last_played, line.state) for line in lines
    )
