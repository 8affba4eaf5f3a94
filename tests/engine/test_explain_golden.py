"""Each hand-written explanation is what the program prints, interpreted and compiled alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from arpad.engine.replay import replay
from tests.engine.explain_cases import CASES, Case

GOLDEN = Path(__file__).resolve().parents[1] / "golden"


def written(case: Case) -> str:
    return (GOLDEN / case.ruleset / f"{case.name}.txt").read_text("utf-8")


def printed(case: Case, compiled: bool) -> str:
    history = replay(case.ledger(), case.ruleset, compile=compiled)
    return history.explain(case.player, **case.asked).text() + "\n"


@pytest.mark.parametrize("case", [pytest.param(case, id=f"{case.ruleset}/{case.name}") for case in CASES])
def test_golden_text(case: Case) -> None:
    assert printed(case, compiled=False) == written(case)


@pytest.mark.parametrize("ruleset", sorted({case.ruleset for case in CASES}))
def test_the_same_after_a_compiled_run(ruleset: str) -> None:
    for case in CASES:
        if case.ruleset == ruleset:
            assert printed(case, compiled=True) == written(case), case.name


def test_every_golden_text_belongs_to_a_case() -> None:
    there = {f"{path.parent.name}/{path.stem}" for path in GOLDEN.rglob("*.txt")}
    assert there == {f"{case.ruleset}/{case.name}" for case in CASES}
