"""A thousand random edits: after each, settled step by step equals settled from nothing.

A published list stays, byte for byte; at the end the ledger verifies, and the facts that hold give the same
list in another order of arrival. HYPOTHESIS_PROFILE=long tries ten times as many.
"""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.store import databases

STEPS = 50
EXAMPLES = {"sqlite": 24, "postgres": 4}


@pytest.mark.parametrize("kind", databases.KINDS)
def test_random_edits(kind, tmp_path, capsys):
    databases.use(databases.url(kind, tmp_path))
    from tests.store.ledger_machine import LedgerMachine

    LedgerMachine.counts.clear()
    LedgerMachine.refused.clear()
    LedgerMachine.folder = tmp_path
    long = settings().max_examples > 1000
    examples = EXAMPLES[kind] * (10 if long else 1)
    run_state_machine_as_test(
        LedgerMachine,
        settings=settings(
            max_examples=examples, stateful_step_count=STEPS, suppress_health_check=list(HealthCheck)
        ),
    )
    counts = LedgerMachine.counts
    told = ", ".join(f"{count} {kind}" for kind, count in counts.most_common())
    with capsys.disabled():
        print(f"\n{kind}, {counts.total()} edits ({LedgerMachine.refused.total()} refused): {told}")
    assert counts.total() >= examples * STEPS // 2  # some rules find nothing to edit
