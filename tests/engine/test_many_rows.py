"""What numpy does for many rows is what plain Python does for few."""

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arpad.domain.play import Application
from arpad.domain.problems import Refused
from arpad.domain.results import read_result
from arpad.engine import acts, checkpoint, kinds, plan, ticks
from arpad.engine.checkpoint import latest_valid
from arpad.engine.plan import make_plan
from arpad.engine.replay import replay, resume
from arpad.ledger import order
from arpad.ledger.facts import Fact
from arpad.ledger.ledger import Ledger
from arpad.rulesets.catalogue import find, names
from tests.engine.random_ledgers import DAYS, FIRST_DAY, facts_of, ledger_of, random_sheets

MODULES = (acts, checkpoint, kinds, order, plan, ticks)
EVERY_RULESET = pytest.mark.parametrize("ruleset", names())
FEW = settings(max_examples=6, deadline=None)


def vectorised(call):
    """What `call` returns where every column counts as a long one."""
    with pytest.MonkeyPatch.context() as patch:
        for module in MODULES:
            patch.setattr(module, "VECTORISED_FROM", 0)
        return call()


def late_sheet(ledger, sheets, seed):
    ledger.add_sheet(sheets[1 + seed % (len(sheets) - 1)])


def void(ledger, sheets, seed):
    ledger.void(Fact("game", seed % len(ledger.games)))


def correction(ledger, sheets, seed):
    ledger.correction("P3", FIRST_DAY + seed % DAYS, 1500, "set by the committee")


def other_class(ledger, sheets, seed):
    ledger.change_event(seed % len(ledger.events), event_class="C", order=3)


def merge(ledger, sheets, seed):
    """Two who never met are one person."""
    for first, second in [(f"P{i}", f"P{j}") for i in range(16) for j in range(i)]:
        with contextlib.suppress(Refused):
            ledger.same_person(first, second)
            return


CHANGES = (late_sheet, void, correction, other_class, merge)


def changed_ledger(ruleset, seed):
    """A history with checkpoints, and its ledger after one more fact."""
    sheets = random_sheets(ruleset, seed)
    late = 1 + seed % (len(sheets) - 1)
    ledger = ledger_of(sheets[:late] + sheets[late + 1 :])
    days = [FIRST_DAY + day for day in range(0, DAYS, 90)]
    before = replay(ledger, ruleset, compile=False, checkpoints=days)
    CHANGES[seed % len(CHANGES)](ledger, sheets, seed)
    return before, ledger


@EVERY_RULESET
@FEW
@given(seed=st.integers(0, 2**32))
def test_the_same_checkpoints_are_taken(ruleset, seed):
    ledger = ledger_of(random_sheets(ruleset, seed))
    days = [FIRST_DAY + day for day in range(0, DAYS, 20)]

    def taken():
        found = replay(ledger, ruleset, compile=False, checkpoints=days).checkpoints
        return [checkpoint._replace(history=None) for checkpoint in found]

    assert vectorised(taken) == taken()


@EVERY_RULESET
@FEW
@given(seed=st.integers(0, 2**32))
def test_the_same_checkpoint_still_holds(ruleset, seed):
    before, ledger = changed_ledger(ruleset, seed)
    now = make_plan(ledger, find(ruleset))
    plain = latest_valid(before, now)
    found = vectorised(lambda: latest_valid(before, now))
    assert (plain and plain.day) == (found and found.day)


@EVERY_RULESET
@FEW
@given(seed=st.integers(0, 2**32))
def test_going_on_equals_a_full_replay(ruleset, seed):
    before, ledger = changed_ledger(ruleset, seed)
    whole = facts_of(replay(ledger, ruleset, compile=False))
    assert facts_of(vectorised(lambda: resume(before, ledger, compile=False))) == whole
    assert facts_of(vectorised(lambda: resume(before, ledger, compile=True))) == whole


@EVERY_RULESET
def test_an_older_history_does_not_change_as_the_ledger_grows(ruleset):
    ledger, won = Ledger(), read_result(find(ruleset).results[0])
    for name in "ABCD":
        ledger.first_rating(name, Application(rating=-500 if ruleset == "belgian-go" else 1500))
    for day in range(FIRST_DAY, FIRST_DAY + 90):  # in playing order: columns are not copied
        ledger.game("A", "BCD"[day % 3], day, won, event=ledger.event("", day))
    for compiled in (False, True):
        history = replay(ledger, ruleset, compile=compiled)
        before = (facts_of(history), history.ratings(), history.at(FIRST_DAY + 40))
        ledger.game("B", "C", FIRST_DAY + 90, won)
        assert (facts_of(history), history.ratings(), history.at(FIRST_DAY + 40)) == before
