"""The playing order of many games (numpy) is that of few (plain Python), whatever the order of arrival."""

import random

import pytest

from arpad.domain.dates import read_day
from arpad.domain.results import read_result
from arpad.ledger import order
from arpad.ledger.columns import NO_WEIGHT, GameRow
from arpad.ledger.facts import Fact
from arpad.ledger.ledger import Ledger

DAY = read_day("2024-02-27")


def ledger_of_rows(seed: int, shuffled: bool, placed: float, events: int = 12) -> Ledger:
    """Events over a few days, by round and board with the chance `placed`, else by nothing (ties)."""
    rng, ledger = random.Random(seed), Ledger()
    people = [ledger.person(name) for name in "CADBEF"]
    results = [ledger.result_number(read_result(text)) for text in ("1-0", "0-1", "1/2-1/2")]
    rows = []
    for number in range(events):
        start = DAY + rng.randrange(6)
        event = ledger.event(f"E{number}", rng.choice([0, start]), rng.choice([0, 0, 1]))
        by_place = rng.random() < placed
        for game in range(rng.randrange(1, 9)):
            first, second = rng.sample(people, 2)
            day = start + (game // 3 if rng.random() < 0.9 else 0)
            row = GameRow(
                first, rng.choice([second, second, second, -1]), event, day,
                game // 2 if by_place else 0, game % 2 if by_place else 0, game if by_place else 0,
                rng.choice(results), 0, rng.choice([NO_WEIGHT, NO_WEIGHT, 0.5]),
            )  # fmt: skip
            rows.append(row)
    if shuffled:
        rng.shuffle(rows)
    ledger.games.extend(rows)
    for game in rng.sample(range(len(rows)), rng.randrange(3)):
        ledger.void(Fact("game", game))
    return ledger


@pytest.mark.parametrize("by_event", [False, True])
@pytest.mark.parametrize("until", [0, DAY + 3])
@pytest.mark.parametrize("shuffled", [False, True])
@pytest.mark.parametrize("placed", [0.0, 0.8, 1.0])
def test_the_same_order(by_event, until, shuffled, placed, monkeypatch):
    for seed in range(40):
        ledger = ledger_of_rows(seed, shuffled, placed)
        plain = order.playing_order(ledger, ledger.effective(), by_event, until)
        with monkeypatch.context() as patch:
            patch.setattr(order, "VECTORISED_FROM", 0)
            assert order.playing_order(ledger, ledger.effective(), by_event, until) == plain, seed


@pytest.mark.parametrize("by_event", [False, True])
def test_games_that_came_in_order_need_no_copy(by_event, monkeypatch):
    monkeypatch.setattr(order, "VECTORISED_FROM", 0)
    ledger = Ledger()
    for game in range(12):
        event = ledger.event("Cup", DAY + game // 4)
        ledger.game("A", "B", DAY + game // 4, read_result("1-0"), event=event, round=1, board=game % 4)
    found = order.playing_order(ledger, ledger.effective(), by_event)
    assert found.in_arrival
    assert list(found.games) == list(range(12))
