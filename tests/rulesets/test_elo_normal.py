"""elo-normal: the normal distribution itself, and how FIDE's table and the logistic differ from it."""

from __future__ import annotations

from decimal import Decimal

import pytest

from arpad.domain.play import Application, Tally
from arpad.domain.problems import RuleRefusal
from arpad.rulesets import elo_logistic
from arpad.rulesets import elo_normal as elo
from arpad.rulesets.parts import fide_expected, logistic_expected, normal_expected
from tests.rulesets.support_chess import WHEN, Case, cases, game, hundredths

P = elo.Params()
SIGMA = 200 * 2**0.5


def at(difference: int) -> elo.State:
    return elo.State(hundredths("1500") + 100 * difference, 9)


@pytest.mark.parametrize("case", cases("elo-normal"))
def test_by_hand(case: Case) -> None:
    step = elo.step(P, at(case.given["difference"]), at(0), game(case.given.get("score", "1")))
    if case.kind == "expected":
        assert step.expected == pytest.approx(float(case.expected["expected"]), abs=5.1e-8)
    else:
        assert Decimal(step.change) / 100 == Decimal(case.expected["change"])


def test_a_rounded_normal_is_not_the_fide_table() -> None:
    """The rules: they differ at 110 of 736 differences, so the table has to be a table."""
    differ = [d for d in range(736) if round(100 * normal_expected(d, SIGMA)) != fide_expected(d)]
    assert len(differ) == 110


def test_a_logistic_is_neither_the_model_nor_the_table() -> None:
    """The rules: off by up to 0.015. So it is from the normal model, and from the table up to the cap of 400;
    between 400 and 736, where only the real difference of 2650 and more leads, the table is 0.018 away."""
    p, state = elo_logistic.Params(), elo_logistic.State
    logistic = [elo_logistic.step(p, state(100 * d), state(0), game()).expected for d in range(737)]
    off_model = max(abs(logistic[d] - normal_expected(d, SIGMA)) for d in range(737))
    off_table = [abs(logistic[d] - fide_expected(d) / 100) for d in range(737)]
    assert round(off_model, 3) == 0.015
    assert round(max(off_table[:401]), 3) == 0.015
    assert round(max(off_table), 3) == 0.018


def test_the_logistic_part_is_elo_logistics_own() -> None:
    """Expected scores usable by any ruleset: FIDE's table, the normal model, the logistic."""
    p, state = elo_logistic.Params(), elo_logistic.State
    for d in range(-800, 801, 7):
        assert logistic_expected(d, 400.0) == elo_logistic.step(p, state(100 * d), state(0), game()).expected
    assert logistic_expected(400.0, 400.0) == pytest.approx(10 / 11)


def test_terms_and_state() -> None:
    step = elo.step(P, at(200), at(0), game("1"))
    assert (step.own, step.opponent, step.difference, step.k, step.rated) == (170000, 150000, 200.0, 20.0, 1)
    assert elo.settle(P, at(200), Tally(1, 100, step.change, 150000, 0), WHEN).state == elo.State(170480, 10)


def test_k_scale_and_weight() -> None:
    wide = P._replace(k=40.0, scale=400.0)
    assert (
        elo.step(wide, at(400), at(0), game("1")).change
        == 2 * elo.step(P, at(200), at(0), game("1")).change - 1
    )
    half = game("1")._replace(weight=0.5)
    assert elo.step(P, at(0), at(0), half).change == 500
    assert [elo.weigh(P, "", 0, own) for own in (None, 0.5)] == [1.0, 0.5]


def test_entry_correction_and_label() -> None:
    assert elo.enter(P, Application(rating=1500.25, games=3)) == elo.State(150025, 3)
    with pytest.raises(RuleRefusal, match="player-no-first-rating"):
        elo.enter(P, Application())
    assert elo.corrected(P, at(0), 120000) == elo.State(120000, 9)
    assert elo.label(elo.State(150050)) == "1501"
