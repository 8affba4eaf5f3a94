"""For any ledger, every player and every event: an explanation, and its numbers are those recorded.

explain() itself refuses (Disagreement) where a term computed again differs from the replay's.
"""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arpad.domain.dates import day_text
from arpad.domain.units import UNRATED
from arpad.engine.explain import Explanation
from arpad.engine.history import History
from arpad.engine.replay import replay
from arpad.rulesets.catalogue import names
from tests.engine.random_ledgers import random_ledger

RULESETS = names()


def events_of(history: History, player: str) -> set[str]:
    plan = history.plan
    person = plan.ledger.find_person(player)
    rows = [row for row in range(plan.rows) if person in (plan.player1[row], plan.player2[row])]
    found = {plan.event[row] for row in rows}
    return {plan.ledger.events[e].name or day_text(plan.order.last_day[e]) for e in found}


def check(history: History, explanation: Explanation) -> None:
    """What is shown adds up, and nothing of it is lost on the way to a program."""
    rules = history.plan.ruleset
    data = explanation.data()
    assert json.loads(json.dumps(data)) == data
    assert explanation.text().count("{") == 0
    for item in explanation.items:
        if item.kind == "game":
            assert item.facts["rated"] == (not item.facts["reason"])
            assert item.sentences, item
        if item.kind == "settlement" and rules.period in ("game", "event"):
            grains = {name: term.value for name, term in item.terms.items() if term.unit == "Grains"}
            if grains["before"] != UNRATED:
                assert grains["after"] == grains["before"] + grains["change"] + grains.get("floor", 0)


@pytest.mark.parametrize("ruleset", RULESETS)
@settings(max_examples=8)
@given(seed=st.integers(0, 10**6))
def test_every_player_and_event_can_be_explained(ruleset: str, seed: int) -> None:
    history = replay(random_ledger(ruleset, seed, events=8, people=9), ruleset, compile=False)
    for player in history.plan.ledger.names:
        last = history.explain(player)
        check(history, last)
        person = history.plan.ledger.find_person(player)
        assert person is not None
        assert last.header["closing"].value == history.state(person).rating
        for event in events_of(history, player):
            check(history, history.explain(player, event=event))


@pytest.mark.parametrize("ruleset", ["belgian-go", "fide-standard", "youth-realtime"])
def test_a_compiled_run_is_explained_alike(ruleset: str) -> None:
    for seed in range(3):
        made = random_ledger(ruleset, seed)
        plain, compiled = (replay(made, ruleset, compile=how) for how in (False, True))
        for player in made.names:
            assert compiled.explain(player).data() == plain.explain(player).data()
            assert compiled.explain(player).text() == plain.explain(player).text()
