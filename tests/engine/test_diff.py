"""What a late fact did, and the chain from each changed row back to it."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arpad.domain.dates import read_day
from arpad.domain.play import Application
from arpad.domain.results import read_result
from arpad.engine.diff import GAME, diff, origin
from arpad.engine.replay import replay
from arpad.ledger.facts import Fact
from arpad.ledger.ledger import Ledger
from arpad.rulesets.catalogue import names
from tests.engine.random_ledgers import ledger_of, random_ledger, random_sheets

FACTS = {"fact-added", "fact-gone", "fact-changed"}


def rated(ledger, ruleset):
    return replay(ledger, ruleset, compile=False)


def test_a_late_result_is_followed_from_opponent_to_opponent():
    ledger = Ledger()
    for name in ("Ada", "Ben", "Cas"):
        ledger.first_rating(name, Application(rating=1600))
    won = read_result("3-0")
    ledger.game("Ben", "Cas", read_day("2024-03-12"), won)
    before = rated(ledger, "us-table-tennis")
    late = ledger.game("Ada", "Ben", read_day("2024-03-05"), won)
    differences = diff(before, rated(ledger, "us-table-tennis"))
    # the late game has two sides; then Ben's and Cas's sides of the game a week later
    assert [(d.key.subject, d.key.person, d.cause.kind) for d in differences] == [
        (late.number, 0, "fact-added"),
        (late.number, 1, "fact-added"),
        (0, 1, "previous"),
        (0, 2, "opponent"),
    ]
    chain = origin(differences, differences[-1].key)
    assert [d.key.person for d in chain] == [2, 1, 1]
    assert chain[-1].cause.kind == "fact-added"


def test_a_voided_game_is_the_origin_of_what_followed():
    ledger = Ledger()
    for name in ("Ada", "Ben", "Cas"):
        ledger.first_rating(name, Application(rating=1600))
    first = ledger.game("Ada", "Ben", read_day("2024-03-05"), read_result("3-0"))
    ledger.game("Ben", "Cas", read_day("2024-03-12"), read_result("3-0"))
    before = rated(ledger, "us-table-tennis")
    ledger.void(first, "entered twice")
    differences = diff(before, rated(ledger, "us-table-tennis"))
    assert [d.cause.kind for d in differences] == ["fact-gone", "fact-gone", "previous", "opponent"]
    assert origin(differences, differences[-1].key)[-1].key == differences[1].key


def test_nothing_changed_nothing_differs():
    ledger = random_ledger("belgian-go", 3)
    assert diff(rated(ledger, "belgian-go"), rated(ledger, "belgian-go")) == []


@pytest.mark.parametrize("ruleset", names())
@settings(max_examples=5, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_every_chain_ends_at_a_fact_that_changed(ruleset, seed):
    sheets = random_sheets(ruleset, seed)
    late = random.Random(seed).randrange(1, len(sheets))
    ledger = ledger_of(sheets[:late] + sheets[late + 1 :])
    before = rated(ledger, ruleset)
    added = set(range(len(ledger.games), len(ledger.games) + len(sheets[late].games)))
    gone = random.Random(seed + 1).randrange(len(ledger.games))
    ledger.add_sheet(sheets[late])
    ledger.void(Fact("game", gone), "")
    after = rated(ledger, ruleset)
    differences = diff(before, after)
    for difference in differences:
        end = origin(differences, difference.key)[-1]
        assert end.cause.kind in FACTS, (difference, end)
        if end.key.kind == GAME and end.cause.kind != "fact-changed":
            assert end.key.subject in added | {gone}
    changed = {d.key for d in differences if d.key.kind == GAME}
    new_rows = {index for index in range(2 * after.plan.rows) if after.side(index).game in added}
    assert {(after.side(i).game, after.side(i).person) for i in new_rows} <= {
        (k.subject, k.person) for k in changed
    }
