"""What a tournament would do: the same numbers as a replay of it gives afterwards."""

from __future__ import annotations

import pytest

from arpad.domain.problems import RuleRefusal
from arpad.engine.expect import expect, params_on
from arpad.engine.replay import replay
from arpad.engine.what_if import Supposed, what_if
from arpad.rulesets.catalogue import find, names
from tests.engine.explain_cases import day, ledger

DAY = "2025-11-03"
OPPONENTS = {"belgian-go": (-310, 95, 240, -900), None: (1460, 1700, 1895, 1990)}
OWN = {"belgian-go": -205.5, None: 2420}


@pytest.mark.parametrize("ruleset", names())
def test_the_same_as_a_replay(ruleset: str) -> None:
    rules = find(ruleset)
    own = OWN.get(ruleset, OWN[None])
    others = dict(zip("BCDE", OPPONENTS.get(ruleset, OPPONENTS[None]), strict=True))
    results = [rules.results[i % len(rules.results)] for i in (0, 2, 1, 0)]
    found = what_if(
        ruleset, own, [Supposed(r, t) for r, t in zip(others.values(), results, strict=True)], date=day(DAY),
        event_class=rules.default_class,
    )  # fmt: skip
    games = [
        (DAY, "Open", "A", name, text, {"round": number})
        for number, (name, text) in enumerate(zip(others, results, strict=True), 1)
    ]
    classes = {"Open": rules.default_class} if rules.default_class else None
    history = replay(ledger({"A": own, **others}, games, classes), ruleset)
    after = next(row.rating for row in history.ratings() if row.player == "A")
    assert found.after.rating / rules.per_point == after
    assert found.before.rating / rules.per_point == own
    assert len(found.games) == 4 and all(0 < game.expected < 1 for game in found.games)


def test_nothing_played_changes_nothing() -> None:
    found = what_if("fide-standard", 1800, [])
    assert found.after == found.before and found.settled is None


def test_a_state_carries_its_games() -> None:
    """A new FIDE player's K is 40; one with 30 games has 20."""
    rules, when = find("fide-standard"), day(DAY)
    state = rules.state_type(1800, 30, 0, 1800)
    assert expect("fide-standard", 1800, 1800, date=when).changes["1-0"] == 20.0
    assert expect("fide-standard", state, 1800, date=when).changes["1-0"] == 10.0
    steps = expect("fide-standard", state, 1800, date=when).steps
    assert list(steps) == list(rules.results) and steps["1-0"].change == 50


def test_what_is_refused() -> None:
    for ruleset, own, games in (
        ("fide-standard", find("fide-standard").state_type(), [Supposed(1800, "1-0")]),
        ("fide-standard", 1800, [Supposed(1800, "9-9")]),
        ("fide-standard", 1800, [Supposed(1800, "1-0", 2)]),
        ("fide-standard", float("nan"), []),
        ("us-table-tennis", 1800, [Supposed(1700, "1-0")]),
    ):
        with pytest.raises(RuleRefusal):
            what_if(ruleset, own, games)
    with pytest.raises(RuleRefusal):
        params_on(find("belgian-go"), day("1999-01-01"))
