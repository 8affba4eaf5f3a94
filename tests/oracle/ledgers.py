"""Random ledgers of invented players that look for the corners of each text: the days on which editions
change, events across two lists and longer than 30 days, newcomers, wide differences, many games a month."""

from __future__ import annotations

import random
from typing import NamedTuple

from arpad.domain.dates import read_day
from arpad.domain.play import Application
from arpad.domain.results import read_result
from arpad.ledger.columns import NO_WEIGHT
from arpad.ledger.ledger import Ledger


class Habit(NamedTuple):
    """What the ledgers of a ruleset look like."""

    windows: tuple[tuple[str, int], ...]  # first day and length in days
    results: tuple[str, ...]
    first: int  # lowest and highest first rating
    last: int
    parameters: tuple[tuple[str, float], ...] = ()
    newcomers: bool = True


CHESS = ("1-0",) * 4 + ("0-1",) * 4 + ("1/2-1/2",) * 3 + ("+--", "--+", "---", "1-0 unrated")
SETS = ("3-0", "3-1", "3-2", "2-3", "1-3", "0-3", "2-0", "2-1", "1-2", "0-2", "+--", "3-0 unrated")
RETIRED = ("1-1 ret1", "0-0 ret2", "1-0 ret1", "0-1 ret2", "2-1 ret2", "2-2 ret1")

FIDE_DAYS = (
    ("2006-04-01", 800), ("2008-12-10", 500), ("2010-12-20", 500), ("2013-10-01", 600), ("2021-08-01", 400),
    ("2022-02-01", 900), ("2023-10-15", 300), ("2023-12-01", 900), ("2025-06-01", 300), ("2024-04-10", 500),
    ("2024-04-10", 1800), ("2018-01-01", 1800),
)  # fmt: skip

FLOORED = ("fide-standard", "fide-rapid", "fide-blitz", "knsb", "kbsb")

HABITS = {
    "belgian-go": Habit(
        (("2001-06-01", 900), ("2003-11-01", 500), ("2020-09-01", 300), ("2021-03-01", 1500)),
        ("1-0", "0-1", "1-0", "0-1", "1/2-1/2", "+--", "---", "1-0 unrated"), -2450, 700,
        (("ceiling", 1.0), ("giver_squared", 0), ("nc_games", 2), ("c_weight", 0.7), ("nc_games", 4)),
    ),
    "us-table-tennis": Habit(
        (("1999-12-01", 400), ("2024-01-01", 60)), SETS, 380, 2700,
        (("k", 40), ("k_best_of_three", 20), ("cap", 300), ("k", 60)), newcomers=False,
    ),
    "youth-realtime": Habit(
        (("2019-06-01", 900), ("2024-11-01", 120)), CHESS, 300, 2000,
        (("cap", 350), ("k_new", 50), ("k_child", 36), ("child_age", 11), ("new_games", 10), ("k", 24)),
    ),
    "fide-standard": Habit(FIDE_DAYS, CHESS, 1300, 2800, (("k", 30), ("k_top", 12), ("new_games", 20))),
    "kbsb": Habit(
        (
            ("2015-02-01", 700), ("2020-08-01", 400), ("2023-11-01", 300), ("2023-06-01", 900),
            ("2024-04-01", 600),
        ),
        CHESS, 1200, 2500, (("k_first", 40), ("many_games", 15)),
    ),
}  # fmt: skip
HABITS["knsb"] = HABITS["fide-standard"]
for fast in ("fide-rapid", "fide-blitz"):
    HABITS[fast] = HABITS["fide-standard"]._replace(
        windows=(*FIDE_DAYS, ("2024-10-01", 300), ("2024-11-01", 600)), parameters=(("new_games", 20),)
    )


def wide_ledger(ruleset: str, seed: int) -> Ledger:
    """A ledger of one habit; equal seeds, equal ledgers."""
    rng, habit = random.Random(f"{ruleset} {seed}"), HABITS[ruleset]
    text, length = rng.choice(habit.windows)
    first_day = read_day(text)
    assert first_day is not None
    ledger = Ledger()
    names = [f"P{i}" for i in range(rng.choice([5, 8, 14]))]
    year = int(text[:4])
    for name in names:
        given = _application(ruleset, rng, habit, year)
        if given is not None:
            day = rng.choice([0, 0, 0, _day(rng, first_day, length)])
            if (
                ruleset in FLOORED and text > "2024-03" and rng.random() < 0.7
            ):  # after the raise: near the floor
                day = first_day
                if given.rating is not None:
                    given = given._replace(
                        rating=float(rng.randrange(1390, 1500)), peak=rng.choice([None, 2350.0])
                    )
            ledger.first_rating(name, given, day)
            if rng.random() < 0.05:
                ledger.first_rating(
                    name,
                    given._replace(rating=float(habit.first + 101), unclassified=False),
                    day + 1 if day else first_day + 40,
                )
    for _ in range(rng.choice([0, 0, 2, 5])):
        rating: float = rng.randrange(habit.first, habit.last)
        if ruleset in ("belgian-go", "us-table-tennis", "youth-realtime"):
            rating += rng.choice([0, 0.01, 0.5, 0.99])
        ledger.correction(rng.choice(names), _day(rng, first_day, length), rating, "decided")
    for _ in range(rng.choice([0, 0, 0, 1])):
        ledger.posting(_day(rng, first_day, length), rng.choice([-20.0, 15.0]), "for everybody")
    for _ in range(rng.choice([0, 0, 1, 3])):
        name, value = rng.choice(habit.parameters)
        ledger.parameter(name, value, _day(rng, first_day, length))
    for number in range(rng.choice([6, 14, 30])):
        _event(ledger, ruleset, rng, habit, names, number, first_day, length)
    return ledger


def _day(rng: random.Random, first_day: int, length: int) -> int:
    """A day of the window, often at a turn of the month."""
    import datetime

    day = first_day + rng.randrange(length)
    if rng.random() < 0.4:
        day = datetime.date.fromordinal(day).replace(day=1).toordinal() + rng.choice([0, 0, -1, 1])
    return max(day, first_day)


def _application(ruleset: str, rng: random.Random, habit: Habit, year: int) -> Application | None:
    if ruleset == "belgian-go":
        chance = rng.random()
        if chance < 0.3:
            return Application(unclassified=True)
        if chance < 0.4:
            return Application(rating=rng.randrange(-245000, 70000) / 100)
        return Application(rank=rng.randrange(-25, 8))
    if ruleset == "us-table-tennis" and rng.random() < 0.5:
        league = rng.choice(["eredivisie", "2e divisie", "1e klasse", "4e klasse", "5e klasse", "7e klasse"])
        return Application(
            league=league, percentage=rng.randrange(0, 1001) / 10, adjustment=rng.choice([0, -100])
        )
    chance = rng.random()
    if chance < 0.65 or not habit.newcomers:
        rating = float(rng.randrange(habit.first, habit.last))
        peak = rating + rng.choice([0, 50, 120]) if rng.random() < 0.3 else None
        born = rng.choice([0, year - 40, year - 19, year - 18, year - 17, year - 12, year - 9])
        return Application(rating=rating, born=born, games=rng.choice([0, 12, 27, 29, 95, 280]), peak=peak)
    standard = rng.choice([None, float(rng.randrange(1390, 2700))]) if "fide" in ruleset else None
    return Application(born=rng.choice([0, year - 12]), standard=standard) if chance < 0.9 else None


def _event(
    ledger: Ledger,
    ruleset: str,
    rng: random.Random,
    habit: Habit,
    names: list[str],
    number: int,
    first_day: int,
    length: int,
) -> None:
    start = _day(rng, first_day, length)
    days = rng.choice([0, 0, 0, 1, 3, 9, 25, 28, 29, 31, 32, 33, 40, 70])
    loose = rng.random() < 0.15
    go = ruleset == "belgian-go"
    event_class = rng.choice("ABCD") if go and not loose and rng.random() < 0.8 else ""
    order = rng.randrange(2)
    rounds = rng.choice([1, 3, 5, 9, 20])
    mismatch = rng.random() < 0.3  # one strong player meets the rest
    event = ledger.event("" if loose else f"E{number}", start, order, event_class)
    texts = habit.results
    if ruleset == "us-table-tennis":
        texts = rng.choice([SETS, SETS, SETS[:6] + RETIRED, SETS[6:10] + RETIRED[:4]])
    for round_ in range(1, rounds + 1):
        day = start if loose else start + days * (round_ - 1) // max(1, rounds - 1)
        pairs = rng.sample(names, len(names))
        if mismatch:
            pairs.remove(names[0])
            pairs.insert(0, names[0])
        for board in range(1, rng.randrange(2, len(names) // 2 + 2)):
            white, black = pairs[2 * board - 2 : 2 * board]
            if rng.random() < 0.5:
                white, black = black, white
            text = rng.choice(texts)
            result = read_result(text, 3 if "ret" in text and texts[0] == "2-0" else 0)
            assert result is not None
            by_place = rng.random() < 0.5
            ledger.game(
                white, black, day, result, event=event,
                round=round_ if by_place else 0, board=board if by_place else 0,
                sequence=len(ledger.games) + 1,
                stones=rng.choice([0, 0, 1, 2, 5, 9]) if go else 0,
                weight=rng.choice([NO_WEIGHT] * 6 + [0.0, 0.35 if go else 1.0]),
                size=rng.choice([0, 19, 13, 9]) if go else 0,
            )  # fmt: skip
