"""Every ruleset against a second implementation that shares no formula, table or loop with it.

The oracles beside this file were written from the published rules alone: fractions and decimals, every
list kept, one event after the other. Compared are all ratings, ranks and numbers of games, each game's
rating used, expected score and change, and the ratings on days in between.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from arpad.domain.dates import read_day
from arpad.domain.play import Application
from arpad.domain.results import read_result
from arpad.engine.replay import replay
from arpad.ledger.ledger import Ledger
from tests.engine.random_ledgers import random_ledger
from tests.oracle import belgian_go, fide_standard, kbsb, us_table_tennis, youth_realtime
from tests.oracle.compare import differences
from tests.oracle.facts import Facts, Outcome, facts_of
from tests.oracle.ledgers import wide_ledger
from tests.oracle.undecided import undecided

ORACLES: dict[str, Callable[[Facts], Outcome]] = {
    "belgian-go": belgian_go.rate,
    "us-table-tennis": us_table_tennis.rate,
    "fide-standard": fide_standard.rate,
    "youth-realtime": youth_realtime.rate,
    "kbsb": kbsb.rate,
    "knsb": partial(fide_standard.rate, needed=6),
    "fide-rapid": partial(fide_standard.rate, fast=True),
    "fide-blitz": partial(fide_standard.rate, fast=True),
}
MONTHS = {"fide-standard": 1, "knsb": 1, "fide-rapid": 1, "fide-blitz": 1, "kbsb": 3}  # of a list
BLOCK = 20  # ledgers a test


def compare(ruleset: str, ledger: Ledger, seed: int = 0) -> list[str]:
    history = replay(ledger, ruleset, compile=False)
    days = [day for day in history.plan.day if day]
    rng = random.Random(seed)
    chosen = tuple(rng.randrange(min(days), max(days) + 60) for _ in range(5))
    return differences(history, ORACLES[ruleset](facts_of(ledger)), chosen)


def compare_many(ruleset: str, make: Callable[[str, int], Ledger], block: int) -> None:
    for seed in range(BLOCK * block, BLOCK * (block + 1)):
        ledger = make(ruleset, seed)
        months = MONTHS.get(ruleset)
        if months is None or not undecided(facts_of(ledger), months):
            assert not compare(ruleset, ledger, seed), (ruleset, seed)


@pytest.mark.parametrize("block", range(3))
@pytest.mark.parametrize("ruleset", ORACLES)
def test_corners(ruleset: str, block: int) -> None:
    """Ledgers that look for the corners of each text."""
    compare_many(ruleset, wide_ledger, block)


@pytest.mark.parametrize("ruleset", ORACLES)
def test_ordinary(ruleset: str) -> None:
    """The ledgers that the engine's own properties are tested on."""
    compare_many(ruleset, random_ledger, 0)


# --- corners by hand ------------------------------------------------------------------------------------


def day(text: str) -> int:
    found = read_day(text)
    assert found is not None
    return found


def two(first: Application, second: Application, second_day: str = "") -> Ledger:
    ledger = Ledger()
    ledger.first_rating("Ann", first)
    ledger.first_rating("Ben", second, day(second_day) if second_day else 0)
    return ledger


def play(ledger: Ledger, event: str, start: str, when: str, result: str = "1-0", **more: Any) -> None:
    number = ledger.event(event, day(start))
    outcome = read_result(result)
    assert outcome is not None
    ledger.game("Ann", "Ben", day(when), outcome, event=number, sequence=len(ledger.games), **more)


OLD = Application(rating=2000.0, games=100)


def test_a_list_across_the_turn_of_the_month() -> None:
    """An event that began in May uses May's list, though it is rated in June."""
    ledger = two(OLD, OLD)
    play(ledger, "May", "2024-05-05", "2024-05-05")
    play(ledger, "Open", "2024-05-31", "2024-06-01")
    assert not compare("fide-standard", ledger)
    history = replay(ledger, "fide-standard", compile=False)
    assert [history.side(i).before for i in range(4)] == [2000] * 4


def test_the_compression_comes_after_the_games_of_february() -> None:
    """1500 wins against 1500 in February: 1510, then 1706; and the game of 1 March uses 1706."""
    ledger = two(Application(rating=1500.0, games=100), Application(rating=1500.0, games=100))
    play(ledger, "February", "2024-02-29", "2024-02-29")
    play(ledger, "March", "2024-03-01", "2024-03-01")
    assert not compare("fide-standard", ledger)
    history = replay(ledger, "fide-standard", compile=False)
    assert [history.side(i).before for i in range(4)] == [1500, 1500, 1706, 1694]


@pytest.mark.parametrize(("games", "change"), [(17, 340), (18, 342), (35, 350), (36, 342)])
def test_games_times_k(games: int, change: int) -> None:
    """40 x 17 = 680 stays, 18 games have 38, 35 have 20, 36 have 19; all won at even ratings."""
    ledger = two(Application(rating=1800.0), Application(rating=1800.0))
    for _ in range(games):
        play(ledger, "Open", "2023-06-01", "2023-06-01")
    assert not compare("fide-standard", ledger)
    history = replay(ledger, "fide-standard", until=day("2023-07-01"), compile=False)
    assert history.ratings()[0].rating == 1800 + change


# --- where the engine and the text once parted ---


def test_a_first_rating_before_a_game_of_a_long_event() -> None:
    """An event of 37 days uses the ratings in force on each game's day, and Ben is rated by then."""
    ledger = two(OLD, OLD, "2024-06-10")
    play(ledger, "League", "2024-05-20", "2024-06-25")
    assert not compare("fide-standard", ledger)


def test_a_correction_does_not_touch_the_rating_used() -> None:
    """Ben enters at 2000 on the 3rd, plays on the 10th and is corrected on the 20th: the game uses 2000."""
    ledger = two(OLD, OLD, "2024-06-03")
    ledger.correction("Ben", day("2024-06-20"), 1700, "decided")
    play(ledger, "Open", "2024-06-10", "2024-06-10")
    assert not compare("fide-standard", ledger)


def test_an_event_of_31_days() -> None:
    """It is over 30 days long, so the game of June uses the list of June."""
    ledger = two(OLD, OLD)
    play(ledger, "May", "2024-05-05", "2024-05-05")
    play(ledger, "League", "2024-05-20", "2024-06-19")
    assert not compare("fide-standard", ledger)


def test_a_parameter_of_the_club_waits_for_the_next_list() -> None:
    """Where lists are monthly, a club's own parameter holds from the first period that begins after it."""
    ledger = two(Application(rating=2400.0, games=100), OLD)
    ledger.parameter("cap", 200, day("2024-06-10"))
    play(ledger, "Open", "2024-06-15", "2024-06-15")
    assert not compare("fide-standard", ledger)
