"""Rating a ledger again that has grown a little: the numbers before the first change are kept."""

from __future__ import annotations

import weakref
from array import array
from typing import Any

from arpad.domain.units import NOT_RATED
from arpad.engine.extend import Growth, extended
from arpad.engine.history import Follows, History
from arpad.engine.plan import Plan
from arpad.engine.replay import COMPILE_FROM, complete, replay
from arpad.engine.specialise import glue
from arpad.ledger.ledger import Ledger


def follow(old: History, ledger: Ledger, *, compile: bool | None = None) -> History:
    """Rate a ledger after more facts; `old` is the history of what it held before.

    Equal to replay(), which it calls where the new facts are more than some games and voids of games.
    """
    rules = old.plan.ruleset
    found = extended(old.plan, ledger)
    if found is None:
        return replay(ledger, rules, params=old.params, until=old.plan.until, compile=compile)
    plan, growth = found
    ledger.keep("effective", None, plan.now)
    ledger.keep(("plan", rules.id), (rules, plan.params, plan.until), plan._replace(ledger=Ledger()))
    compiled = plan.rows >= COMPILE_FROM if compile is None else compile
    history = History.empty(plan, compiled)
    place = _place(old, plan, growth)
    # open games of newcomers, and lists in force, stand in no row: there the loop starts from nothing
    if place and compiled == old.compiled and plan.lists_are_periods and rules.newcomer is None:
        _take_over(old, history, place)
        history.follows = Follows(weakref.ref(old), place, growth)
    history = complete(history)
    history.params = old.params
    if history.follows is not None and place == old.plan.place_of_row(old.plan.rows):
        history._last_played = _last_played(old, history)
    return history


def _last_played(old: History, new: History) -> Any:
    """History.last_played() where rows were only added behind those of `old`."""
    known, plan = old.last_played(), new.plan
    people = len(plan.ledger.names)
    found = new.new("i", people) if new.compiled else [0] * people
    found[: len(known)] = known
    for side in range(2 * old.plan.rows, 2 * plan.rows):
        if new.expected[side] != NOT_RATED:
            person, day = (plan.player2 if side % 2 else plan.player1)[side // 2], plan.day[side // 2]
            found[person] = max(found[person], day)
    return found


def _place(old: History, plan: Plan, growth: Growth) -> int:
    """The last tick (or row) before everything that is not common to two plans."""
    if old.begins:
        return 0
    row = min(growth.first, old.plan.rows, plan.rows)
    return min(old.plan.place_of_row(row), plan.place_of_row(row))


def _take_over(old: History, new: History, place: int) -> None:
    """What stands before a place, and everybody's State there."""
    plan = new.plan
    row, width = plan.row_of_place(place), len(plan.ruleset.state_type._fields)
    settled = old.settled_before(place)
    for name in ("before", "expected", "change"):
        _copy(getattr(new, name), getattr(old, name), 2 * row)
    _copy(new.settled_state, old.settled_state, settled * width)
    if plan.ticks is not None:
        _copy(new.settled_player, old.settled_player, settled)
        _copy(new.tick_settled, old.tick_settled, place + 1)
    new.states = _states(old, new, place, settled)
    new.add_outcomes(old.outcomes_before(place))


def _copy(target: Any, source: Any, stop: int) -> None:
    target[:stop] = source[:stop]


def _states(old: History, new: History, place: int, settled: int) -> Any:
    """Everybody's State as the tick (or row) at a place begins."""
    whole = settled == old.settled and not any(at >= place for at, _ in old.plan.acts)
    width = len(new.plan.ruleset.state_type._fields)
    grown = array("i", new.plan.ruleset.state_type()) * len(new.plan.ledger.names)
    states = new.view(grown).copy() if new.compiled else grown
    if whole:  # nothing happened since
        states[: len(old.states)] = old.states
        return states
    new.start(True)
    states, new._outcomes = new.states, []
    last = old._last_settlement(settled)
    if new.compiled:
        import numpy as np

        who = np.flatnonzero(np.asarray(last) >= 0)
        by_person, entries = states.reshape(-1, width), old.settled_state.reshape(-1, width)
        by_person[who] = entries[last[who]]
    else:
        for person, index in enumerate(last):
            if index >= 0:
                states[person * width : (person + 1) * width] = old.settled_state[
                    index * width : (index + 1) * width
                ]
    store = glue(new.plan.ruleset)["store"]
    for outcome in old.acted():
        if outcome.place < place and old.settled_before(outcome.place) > last[outcome.person]:
            store(states, outcome.person, outcome.after)
    return states
