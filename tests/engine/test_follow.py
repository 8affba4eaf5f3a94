"""A ledger that grows a little is rated on from where it changed, to the same numbers."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arpad.engine import follow as following
from arpad.engine.diff import Differences
from arpad.engine.extend import extended, splice
from arpad.engine.follow import follow
from arpad.engine.replay import replay
from arpad.ledger.facts import Fact
from arpad.rulesets.catalogue import names
from tests.engine.random_ledgers import facts_of, ledger_of, random_sheets

EVERY_RULESET = pytest.mark.parametrize("ruleset", names())


def grow(ledger, sheets, rng):
    """One more thing: some games of an event, a void, or both."""
    sheet = rng.choice(sheets)
    for _ in range(rng.choice([0, 1, 1, 2])):
        if len(ledger.games):
            ledger.void(Fact("game", rng.randrange(len(ledger.games))))
    for row in sheet.games if rng.random() < 0.3 else [rng.choice(list(sheet.games))]:
        event = sheet.events[row.event]
        second = sheet.players[row.player2] if row.player2 >= 0 else ""
        ledger.game(
            sheet.players[row.player1], second, row.day, sheet.results[row.result],
            event=ledger.event(event.name, event.start, event.order, event.event_class), round=row.round,
            board=row.board + rng.randrange(2), sequence=row.sequence, stones=row.stones, weight=row.weight,
            size=row.size,
        )  # fmt: skip


def fresh(ledger, ruleset, compile=False):
    ledger._kept.clear()  # not the plan that follow() has left there
    return replay(ledger, ruleset, compile=compile)


@EVERY_RULESET
@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 2**32), compile=st.booleans())
def test_following_gives_the_numbers_and_the_differences_of_a_full_replay(ruleset, seed, compile):
    rng, sheets = random.Random(seed), random_sheets(ruleset, seed)
    ledger = ledger_of(sheets[: rng.randrange(2, len(sheets))])
    history = fresh(ledger, ruleset, compile)
    for _ in range(4):
        old = history
        grow(ledger, sheets[1:], rng)
        history = follow(old, ledger, compile=compile)
        full = fresh(ledger, ruleset, compile)
        assert facts_of(history) == facts_of(full)
        assert list(history.plan.players) == full.plan.players
        assert list(map(int, history.last_played())) == list(map(int, full.last_played()))
        assert told(old, history) == told(old, full)


def told(old, new):
    """Every difference with its cause."""
    return [(d.key, d.day, d.old, d.new, d.cause) for d in Differences(old, new)]


def test_a_late_game_is_put_in_without_laying_out_anew(monkeypatch):
    sheets = random_sheets("elo-logistic", 5)
    ledger = ledger_of(sheets)
    old = fresh(ledger, "elo-logistic")
    game = ledger.games[len(ledger.games) // 2]
    ledger.game(
        ledger.names[game.player1], ledger.names[game.player2], game.day, ledger.results[game.result],
        event=game.event, round=9,
    )  # fmt: skip
    plan, growth = extended(old.plan, ledger)
    assert plan.rows == old.plan.rows + 1 and len(growth.added) == 1 and not growth.removed
    assert plan.order.games[growth.added[0]] == len(ledger.games) - 1
    monkeypatch.setattr(following, "replay", None)  # not called
    new = follow(old, ledger, compile=False)
    assert new.continues(old) == growth.added[0] > 0


def test_what_is_more_than_games_is_laid_out_anew():
    ledger = ledger_of(random_sheets("elo-logistic", 5))
    old = fresh(ledger, "elo-logistic")
    ledger.correction(ledger.names[0], old.plan.day[-1], 1700, "")
    assert extended(old.plan, ledger) is None


@given(
    column=st.lists(st.integers(0, 9), max_size=12),
    edits=st.lists(st.tuples(st.integers(0, 12), st.integers(10, 19)), max_size=5),
    gone=st.sets(st.integers(0, 11), max_size=4),
)
def test_splice_puts_in_before_and_takes_out(column, edits, gone):
    from array import array

    edits = sorted((min(place, len(column)), value) for place, value in edits)
    removed = sorted(row for row in gone if row < len(column))
    expected = []
    for at in range(len(column) + 1):
        expected += [value for place, value in edits if place == at]
        expected += [column[at]] if at < len(column) and at not in removed else []
    found = splice(array("i", column), [p for p, _ in edits], [v for _, v in edits], removed)
    assert found.tolist() == expected
