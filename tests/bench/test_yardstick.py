"""The bench's ledgers, and its C loops as an oracle written apart from the rulesets."""

import shutil

import numpy as np
import pytest

from arpad.domain.dates import month_of
from arpad.engine.replay import replay
from bench import ledgers, measure, yardstick

LOOPS = [("elo-logistic", ledgers.elo, "elo"), ("belgian-go", ledgers.go, "go")]


@pytest.fixture(scope="module")
def c_loops(tmp_path_factory):
    if not shutil.which("cc"):
        pytest.skip("no C compiler")
    return yardstick.CLoops(tmp_path_factory.mktemp("loops"))


@pytest.mark.parametrize(("ruleset", "make", "loop"), LOOPS)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_plain_loop_and_c_agree_bit_by_bit(c_loops, ruleset, make, loop, seed):
    history = replay(make(4_000, seed), ruleset, compile=False)
    rated = sum(expected >= 0 for expected in history.expected)
    assert rated > 7_000
    assert yardstick.differences(history, getattr(c_loops, loop)(history)()) == []


@pytest.mark.parametrize(("ruleset", "make", "loop"), LOOPS)
def test_a_difference_is_seen(c_loops, ruleset, make, loop):
    history = replay(make(500), ruleset, compile=False)
    run = getattr(c_loops, loop)(history)
    history.change[100] += 1
    assert yardstick.differences(history, run()) == ["change"]


@pytest.mark.parametrize("make", [ledgers.elo, ledgers.go, ledgers.chess, ledgers.table_tennis])
def test_the_same_ledger_every_time(make):
    one, two = make(2_000), make(2_000)
    assert [list(getattr(one.games, name)) for name in ("player1", "player2", "day", "result")] == [
        list(getattr(two.games, name)) for name in ("player1", "player2", "day", "result")
    ]
    assert one.first_ratings == two.first_ratings
    people = np.array(one.games.player1), np.array(one.games.player2)
    assert (people[0] != people[1]).all()


def test_an_eighth_of_chess_events_crosses_a_month():
    ledger = ledgers.chess(400_000)
    span = {}
    for event, day in zip(ledger.games.event, ledger.games.day, strict=True):
        first, last = span.get(event, (day, day))
        span[event] = min(first, day), max(last, day)
    crossing = sum(month_of(first) != month_of(last) for first, last in span.values())
    assert 0.11 < crossing / len(span) < 0.13


def test_size_counts_each_thing_once_and_not_what_was_there():
    shared = bytearray(1_000)
    assert 1_000 < measure.size_of([shared, shared]) < 1_300
    assert measure.size_of([shared], but=[shared]) < 100
    column = np.zeros(1_000, np.int32)
    assert measure.size_of({"view": column[:10]}) > 4_000
