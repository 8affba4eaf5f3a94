"""The C loops of loops.c: compiled when the bench runs, called with a replay's own columns."""

from __future__ import annotations

import ctypes
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from arpad.engine.history import History

KIND = np.dtype([("counted", "i1"), ("score", "i4"), ("stones", "i4"), ("weight", "f8")], align=True)
_DOUBLES = ("ceiling", "con_minimum", "a_minimum", "compensation", "factor_stones", "factor_minimum")
_WHOLE = ("stone", "giver_squared", "floor", "rank_width", "demotion_margin")
RULES = np.dtype([(name, "f8") for name in _DOUBLES] + [(name, "i4") for name in _WHOLE], align=True)


class CLoops:
    """The shared library, made in `folder`."""

    def __init__(self, folder: Path) -> None:
        library = folder / "loops.so"
        source = Path(__file__).with_name("loops.c")
        # No contraction of a * b + c, which would round once where the rules' source rounds twice.
        flags = ["-O2", "-ffp-contract=off", "-shared", "-fPIC"]
        subprocess.run([os.environ.get("CC", "cc"), *flags, "-o", library, source, "-lm"], check=True)
        self._library = ctypes.CDLL(str(library))
        self._library.elo_loop.restype = None
        self._library.go_loop.restype = ctypes.c_int64

    def elo(self, history: History) -> Callable[[], dict[str, Any]]:
        """A call that rates the games of `history` again, in C, into new arrays."""
        plan, columns, states = history.plan, _columns(history), _opening_states(history)
        p = plan.dated.rows[0]
        loop = self._library.elo_loop

        def run() -> dict[str, Any]:
            now = states.copy()
            out = {name: np.empty(2 * plan.rows, np.int32) for name in ("before", "expected", "change")}
            after = np.empty(4 * plan.rows, np.int32)
            loop(
                ctypes.c_int64(plan.rows), ctypes.c_double(p.k), ctypes.c_double(p.scale),
                *map(_at, (*columns, now, *out.values(), after)),
            )  # fmt: skip
            return out | {"settled_state": after, "states": now}

        return run

    def go(self, history: History) -> Callable[[], dict[str, Any]]:
        """The same for belgian-go, event by event."""
        plan, (kinds, *columns), states = history.plan, _columns(history), _opening_states(history)
        ticks = plan.ticks
        assert ticks is not None
        rules = np.array(
            [tuple(getattr(p, name) for name in _DOUBLES + _WHOLE) for p in plan.dated.rows], RULES
        )
        offsets, event_rules = np.array(ticks.row), np.array(ticks.params)
        kind_rules, events = np.array(plan.kinds.params), len(ticks.month)
        loop, people = self._library.go_loop, len(plan.ledger.names)

        def run() -> dict[str, Any]:
            now, tallies = states.copy(), np.zeros(3 * people, np.int32)
            touched = np.empty(people, np.int32)
            out = {name: np.empty(2 * plan.rows, np.int32) for name in ("before", "expected", "change")}
            player, state = np.empty(2 * plan.rows, np.int32), np.empty(6 * plan.rows, np.int32)
            settlements = np.empty(events + 1, np.int32)
            given = (rules, offsets, event_rules, kinds, kind_rules, *columns, now, tallies, touched)
            settled = loop(
                ctypes.c_int64(events), *map(_at, (*given, *out.values(), player, state, settlements))
            )
            return out | {
                "settled_player": player[:settled], "settled_state": state[: 3 * settled],
                "tick_settled": settlements, "states": now,
            }  # fmt: skip

        return run


def differences(history: History, out: dict[str, Any]) -> list[str]:
    """Names of the arrays in which a replay and a C loop differ by so much as one bit."""
    return [name for name, column in out.items() if not np.array_equal(getattr(history, name), column)]


def _columns(history: History) -> tuple[Any, ...]:
    """The table of kinds, and player 1, player 2 and kind of each row."""
    plan = history.plan
    tables = plan.kinds
    kinds = np.zeros(len(tables.kinds), KIND)
    for name in KIND.names or ():
        kinds[name] = np.array(getattr(tables, name))
    return kinds, *(np.array(column) for column in (plan.player1, plan.player2, plan.kind))


def _opening_states(history: History) -> Any:
    """The states that first ratings give; these ledgers have no other acts."""
    width = len(history.plan.ruleset.state_type._fields)
    states = np.zeros((len(history.plan.ledger.names), width), np.int32)
    for outcome in history.outcomes:
        assert outcome.place == 0
        states[outcome.person] = outcome.after
    return states.reshape(-1)


def _at(column: Any) -> ctypes.c_void_p:
    return ctypes.c_void_p(column.ctypes.data)
