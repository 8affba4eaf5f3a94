"""What must hold for every ruleset and every ledger (design, principles 1, 2, 4, 5)."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arpad.engine import acts, kinds, plan, ticks
from arpad.engine.replay import replay, resume
from arpad.ledger import order
from arpad.ledger.facts import Fact
from arpad.rulesets.catalogue import names
from tests.engine.random_ledgers import (
    DAYS,
    FIRST_DAY,
    facts_of,
    ledger_of,
    random_ledger,
    random_sheets,
    ratings_of,
)

SEEDS = st.integers(0, 2**32)
EVERY_RULESET = pytest.mark.parametrize("ruleset", names())
FEW = settings(max_examples=6, deadline=None)


def rated(ledger, ruleset, **options):
    return replay(ledger, ruleset, compile=False, **options)


@EVERY_RULESET
@FEW
@given(seed=SEEDS)
def test_interpreted_equals_compiled(ruleset, seed):
    ledger = random_ledger(ruleset, seed)
    assert facts_of(rated(ledger, ruleset)) == facts_of(replay(ledger, ruleset, compile=True))


@EVERY_RULESET
@FEW
@given(seed=SEEDS)
def test_vectorised_layout_equals_the_plain_one(ruleset, seed):
    plain = facts_of(rated(random_ledger(ruleset, seed), ruleset))
    with pytest.MonkeyPatch.context() as patch:
        for module in (acts, kinds, plan_module(), order, ticks):
            patch.setattr(module, "VECTORISED_FROM", 0)
        assert facts_of(rated(random_ledger(ruleset, seed), ruleset)) == plain


def plan_module():
    return plan


@EVERY_RULESET
@FEW
@given(seed=SEEDS)
def test_order_of_arrival_never_matters(ruleset, seed):
    sheets = random_sheets(ruleset, seed)
    on_time = ratings_of(rated(ledger_of(sheets), ruleset))
    rng = random.Random(seed)
    shuffled = [_rows_shuffled(sheet, rng) for sheet in rng.sample(sheets, len(sheets))]
    assert ratings_of(rated(ledger_of(shuffled), ruleset)) == on_time


def _rows_shuffled(sheet, rng):
    """The same sheet with its rows in another order after reading."""
    from arpad.ledger.sheet import Sheet

    other = Sheet(sheet.file)
    other.first_ratings = rng.sample(sheet.first_ratings, len(sheet.first_ratings))
    other.corrections = rng.sample(sheet.corrections, len(sheet.corrections))
    for row in rng.sample(list(sheet.games), len(sheet.games)):
        event = sheet.events[row.event]
        other.games.append(
            row._replace(
                player1=other.player(sheet.players[row.player1]),
                player2=other.player(sheet.players[row.player2]),
                event=other.event(event.name, event.start, event.order, event.event_class),
                result=other.result(sheet.results[row.result]),
            )
        )
    return other


@EVERY_RULESET
@FEW
@given(seed=SEEDS)
def test_late_equals_on_time(ruleset, seed):
    sheets = random_sheets(ruleset, seed)
    late = random.Random(seed).randrange(1, len(sheets))
    ledger = ledger_of(sheets[:late] + sheets[late + 1 :])
    before = rated(ledger, ruleset, checkpoints=[FIRST_DAY + d for d in range(0, DAYS, 90)])
    ledger.add_sheet(sheets[late])
    assert ratings_of(rated(ledger, ruleset)) == ratings_of(rated(ledger_of(sheets), ruleset))
    assert facts_of(resume(before, ledger, compile=False)) == facts_of(rated(ledger, ruleset))


@EVERY_RULESET
@FEW
@given(seed=SEEDS)
def test_void_equals_never_entered(ruleset, seed):
    sheets = random_sheets(ruleset, seed)
    ledger = ledger_of(sheets)
    with_all = ratings_of(rated(ledger, ruleset))
    gone = random.Random(seed).randrange(1, len(sheets))
    first = sum(len(sheet.games) for sheet in sheets[:gone])
    voids = [ledger.void(Fact("game", first + i), "entered twice") for i in range(len(sheets[gone].games))]
    never = {
        line[0]: line for line in ratings_of(rated(ledger_of(sheets[:gone] + sheets[gone + 1 :]), ruleset))
    }
    for line in ratings_of(rated(ledger, ruleset)):
        assert never.get(line[0], line) == line
    for void in voids:
        ledger.void(void, "it was right after all")
    assert ratings_of(rated(ledger, ruleset)) == with_all


@EVERY_RULESET
@FEW
@given(seed=SEEDS)
def test_correction_and_parameter_undone_equal_never_made(ruleset, seed):
    ledger = random_ledger(ruleset, seed)
    before = facts_of(rated(ledger, ruleset))
    fact = ledger.correction("P1", FIRST_DAY + 100, 1500.0, "")
    posting = ledger.posting(FIRST_DAY + 400, 10.0, "a bonus")
    merge = ledger.first_rating("P2", ledger.first_ratings[0].application, FIRST_DAY)
    for made in (fact, posting, merge):
        ledger.void(made, "undone")
    assert facts_of(rated(ledger, ruleset)) == before


@EVERY_RULESET
@FEW
@given(seed=SEEDS)
def test_merge_undone_equals_never_merged(ruleset, seed):
    ledger = random_ledger(ruleset, seed)
    before = ratings_of(rated(ledger, ruleset))
    ledger.first_rating("Double", ledger.first_ratings[0].application)
    alone = ratings_of(rated(ledger, ruleset))
    merge = ledger.same_person("P3", "Double")
    merged = ratings_of(rated(ledger, ruleset))
    assert "Double" not in [line[0] for line in merged]
    ledger.void(merge, "two persons after all")
    assert ratings_of(rated(ledger, ruleset)) == alone
    assert [line for line in alone if line[0] != "Double"] == before


@EVERY_RULESET
@FEW
@given(seed=SEEDS, days=st.lists(st.integers(-50, DAYS + 100), min_size=1, max_size=4))
def test_state_at_a_date_and_until_agree(ruleset, seed, days):
    ledger = random_ledger(ruleset, seed)
    whole, compiled = rated(ledger, ruleset), replay(ledger, ruleset, compile=True)
    for day in days:
        part = rated(ledger, ruleset, until=FIRST_DAY + day)
        at = whole.at(FIRST_DAY + day)
        assert {p: at[p] for p in part.plan.players} == {p: part.state(p) for p in part.plan.players}
        assert compiled.at(FIRST_DAY + day) == at


@EVERY_RULESET
@FEW
@given(seed=SEEDS, days=st.lists(st.integers(-50, DAYS + 100), min_size=1, max_size=4, unique=True))
def test_going_on_from_a_checkpoint_equals_a_full_replay(ruleset, seed, days):
    ledger = random_ledger(ruleset, seed)
    whole = rated(ledger, ruleset)
    kept = rated(ledger, ruleset, checkpoints=[FIRST_DAY + day for day in days])
    assert facts_of(kept) == facts_of(whole)
    for checkpoint in kept.checkpoints:
        assert facts_of(rated(ledger, ruleset, from_checkpoint=checkpoint)) == facts_of(whole)
        bare = rated(ledger, ruleset, from_checkpoint=checkpoint._replace(history=None))
        assert list(bare.states) == list(whole.states)


@EVERY_RULESET
@FEW
@given(seed=SEEDS, shift=st.integers(-400, 400))
def test_an_event_that_moves_across_a_checkpoint(ruleset, seed, shift):
    sheets = random_sheets(ruleset, seed)
    ledger = ledger_of(sheets)
    before = rated(ledger, ruleset, checkpoints=[FIRST_DAY + day for day in range(0, DAYS, 60)])
    rng = random.Random(seed)
    moved = rng.randrange(1, len(sheets))
    first = sum(len(sheet.games) for sheet in sheets[:moved])
    event = None
    for i, row in enumerate(sheets[moved].games):
        old = sheets[moved].events[row.event]
        day = max(row.day + shift, FIRST_DAY)
        event = ledger.event(
            "moved" if old.name else "",
            day if not old.name else max(old.start + shift, FIRST_DAY),
            0,
            old.event_class,
        )
        new = ledger.game(
            sheets[moved].players[row.player1], sheets[moved].players[row.player2], day,
            sheets[moved].results[row.result], event=event, round=row.round, board=row.board,
            sequence=row.sequence, stones=row.stones, weight=row.weight, size=row.size,
        )  # fmt: skip
        ledger.void(Fact("game", first + i), "another date", new)
    assert facts_of(resume(before, ledger, compile=False)) == facts_of(rated(ledger, ruleset))


def test_the_same_sheet_twice_is_one_and_equal_rows_are_two_games():
    sheets = random_sheets("us-table-tennis", 7)
    ledger = ledger_of(sheets)
    games = len(ledger.games)
    assert not ledger.add_sheet(_rows_shuffled(sheets[3], random.Random(1)))
    assert len(ledger.games) == games
    row = sheets[3].games[0]
    sheets[3].games.append(row)
    twice = ledger_of(sheets)
    assert len(twice.games) == games + 1


def test_going_on_keeps_the_parameters():
    ledger = random_ledger("elo-logistic", 11)
    other = rated(ledger, "elo-logistic").plan.dated.rows[0]._replace(k=7.0)
    before = rated(ledger, "elo-logistic", params=other, checkpoints=[FIRST_DAY + 200])
    assert facts_of(resume(before, ledger, compile=False)) == facts_of(before)
