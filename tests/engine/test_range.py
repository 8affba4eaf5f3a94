"""Parameters that lead out of all numbers are refused, interpreted and compiled alike."""

from __future__ import annotations

import pytest

from arpad.domain.problems import Refused
from arpad.engine.replay import replay
from tests.engine.random_ledgers import random_ledger

CASES = [
    ("elo-logistic", "k", 1e12, "rating-range"),
    ("elo-logistic", "k", -1e9, "rating-range"),
    ("elo-logistic", "scale", 0.0, "parameter-value"),
    ("us-table-tennis", "k", 10**7, "rating-range"),
    ("belgian-go", "ceiling", 1e6, "rating-range"),
    ("belgian-go", "a_weight", 1e9, "rating-range"),
    ("fide-standard", "k_new", 10**11, "rating-range"),
]


@pytest.mark.parametrize(("ruleset", "name", "value", "code"), CASES)
@pytest.mark.parametrize("compiled", [False, True])
def test_a_rating_beyond_the_range_is_refused(ruleset, name, value, code, compiled):
    ledger = random_ledger(ruleset, 5)
    ledger.parameter(name, value)
    if ruleset == "fide-standard":
        ledger.parameter("limit", 10**13)
    with pytest.raises(Refused) as refused:
        replay(ledger, ruleset, compile=compiled)
    assert refused.value.problems[0].code == code
