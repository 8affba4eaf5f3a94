"""The chess kernels give the same bits interpreted and under numba: random inputs, all editions."""

from __future__ import annotations

import random
from array import array
from functools import cache
from typing import Any

import numpy as np
import pytest
from numba import njit
from numba.extending import register_jitable

from arpad.domain.kernel import recorded
from arpad.domain.play import UNRATED, Game, Openings, Tally, When
from arpad.engine.specialise import glue
from arpad.rulesets.catalogue import find

NAMES = ("fide-standard", "fide-rapid", "knsb", "kbsb", "youth-realtime", "elo-normal")
RUNS = 4000
WIDTH = 24  # numbers kept of an answer
SCORES = (0, 50, 100)
MARCH = 12 * 2026 + 2

# Each is a loop over random inputs; `out` takes every field of the answer as a float (exact below 2**53).
SOURCES = {
    "step": """
def run(table, row, states, numbers, opens, out):
    for i in range(len(row)):
        o = 8 * i
        g = Game(numbers[o] + 0, 0, 0, 1.0, numbers[o + 1] + 0, numbers[o + 2] + 0)
        answer = step(params_at(table, row[i]), load(states, 2 * i), load(states, 2 * i + 1), g)
{put}
""",
    "settle": """
def run(table, row, states, numbers, opens, out):
    for i in range(len(row)):
        o = 8 * i
        t = Tally(numbers[o + 3] + 0, numbers[o + 4] + 0, numbers[o + 5] + 0, numbers[o + 6] + 0, 0)
        m = numbers[o + 1] + 0
        settled = settle(params_at(table, row[i]), load(states, 2 * i), t, When(m // 12, m % 12 + 1))
        answer = settled.state
{put}
""",
    "claim": """
def run(table, row, states, numbers, opens, out):
    for i in range(len(row)):
        out[{width} * i] = claim(params_at(table, row[i]), load(states, 2 * i), load(states, 2 * i + 1))
""",
    "newcomer": """
def run(table, row, states, numbers, opens, out):
    for i in range(len(row)):
        n = numbers[8 * i + 7] + 0
        o = 200 * i
        games = Openings(
            opens[o : o + 40], opens[o + 40 : o + 80], opens[o + 80 : o + 120], opens[o + 120 : o + 160],
            opens[o + 160 : o + 200],
        )
        answer = newcomer(params_at(table, row[i]), load(states, 2 * i), games, n, When(2026, 3))
{put}
""",
}


def loop(name: str, kernel: str) -> Any:
    """The loop for one kernel of a ruleset, written out for the fields of its answer."""
    ruleset = find(name)
    module = ruleset.module
    fields = {"step": [f"answer.{f}" for f in module.Step._fields]}.get(
        kernel, [f"answer.{f}" for f in ruleset.state_type._fields]
    )
    if kernel == "settle":
        fields += [f"settled.{f}" for f in module.Settled._fields if f != "state"]
    assert len(fields) <= WIDTH
    put = "\n".join(f"        out[{WIDTH} * i + {n}] = {field}" for n, field in enumerate(fields))
    names: dict[str, Any] = {
        "Game": Game,
        "Tally": Tally,
        "When": When,
        "Openings": Openings,
        **glue(ruleset),
    }
    names[kernel] = getattr(module, kernel)
    exec(SOURCES[kernel].format(put=put, width=WIDTH), names)
    return names["run"], [names["load"], names["params_at"]]


@cache
def inputs(name: str) -> list[Any]:
    """Random parameters' rows, pairs of states, numbers of games and tallies, and opening games."""
    ruleset, draw = find(name), random.Random(1960)
    point = ruleset.per_point
    table = array("d", [float(v) for _, p in ruleset.editions for v in p])
    row = array("i", [draw.randrange(len(ruleset.editions)) for _ in range(RUNS)])
    states, numbers, opens = array("i"), array("i"), array("i")
    for _ in range(RUNS):
        near = draw.randrange(700 * point, 2900 * point)
        for _ in range(2):
            states.extend(state(ruleset, draw, near + draw.randrange(-800 * point, 800 * point)))
        games = 1 if ruleset.period == "game" else draw.randrange(0, 60)
        change = draw.randrange(-4000, 4000) if games else 0
        numbers.extend([draw.choice(SCORES), draw.randrange(24000, 24400), draw.randrange(2), games])
        numbers.extend([draw.randrange(0, games + 1) * 50, change, games * near, draw.randrange(0, 40)])
        month = draw.randrange(24000, 24400)
        for low, high in ((700 * point, 2900 * point), (0, 1), (0, 3), (month - 30, month), (0, 9)):
            column = [draw.randrange(low, high) for _ in range(40)]
            opens.extend([50 * v for v in column] if high == 3 else sorted(column) if low else column)
    return [table, row, states, numbers, opens]


def state(ruleset: Any, draw: random.Random, rating: int) -> list[int]:
    """A state as it can come about; some unrated where the ruleset steps those."""
    unrated = ruleset.steps_unrated and draw.random() < 0.2
    pooled = 0 if unrated else draw.randrange(5)
    known = {
        "rating": UNRATED if unrated else rating,
        "games": draw.choice((0, 28, 29, 30, 99, 100, 299, 300, 500)),
        "born": draw.choice((0, 1980, 2005, 2012, 2020)),
        "peak": draw.choice((0, rating, 2299, 2300, 2399, 2400)),
        "pooled": pooled,
        "opponents": pooled * rating,
        "score": 50 * pooled,
    }
    return [known[field] for field in ruleset.state_type._fields]


def check(name: str, kernel: str) -> None:
    run, helpers = loop(name, kernel)
    plain = inputs(name)
    interpreted = array("d", [0.0]) * (RUNS * WIDTH)
    run(*plain, interpreted)
    for function in (*recorded(), *helpers):
        register_jitable(function)
    compiled = np.zeros(RUNS * WIDTH)
    njit(run)(*(np.frombuffer(a, np.dtype(a.typecode)) for a in plain), compiled)
    assert compiled.tobytes() == interpreted.tobytes()
    assert len(set(interpreted)) > 20


@pytest.mark.parametrize("name", NAMES)
def test_step(name: str) -> None:
    check(name, "step")


@pytest.mark.parametrize("name", NAMES)
def test_settle(name: str) -> None:
    check(name, "settle")


def test_claim() -> None:
    check("fide-standard", "claim")


@pytest.mark.parametrize("name", ["fide-standard", "kbsb"])
def test_newcomer(name: str) -> None:
    check(name, "newcomer")


@pytest.mark.parametrize("name", ["fide-standard", "kbsb"])
def test_posting_and_corrected(name: str) -> None:
    ruleset = find(name)
    p, me = ruleset.editions[-1][1], ruleset.state_type()._replace(rating=1600)
    for function in recorded():
        register_jitable(function)
    when = When(2024, 3)
    assert njit(ruleset.posting)(p, me, when) == ruleset.posting(p, me, when) != me
    assert njit(ruleset.corrected)(p, me, 1700) == ruleset.corrected(p, me, 1700) != me


@pytest.mark.parametrize("value", [-3, 0, 1, 100_000])
@pytest.mark.parametrize("name", NAMES)
def test_absurd_parameters_give_numbers(name: str, value: int) -> None:
    """A club may set any parameter to any whole number: odd ratings, but no crash."""
    ruleset, module = find(name), find(name).module
    me = ruleset.state_type()._replace(rating=1500 * ruleset.per_point)
    games = Openings(
        [1500] * 9, [0] * 9, [100] * 9, [MARCH - 9 + n for n in range(9)], [1, 1, 1, 2, 2, 2, 3, 3, 3]
    )
    when = When(2026, 3)
    for field in ruleset.params_type._fields:
        p = ruleset.editions[-1][1]._replace(**{field: type(ruleset.editions[-1][1]._asdict()[field])(value)})
        for state in (me, ruleset.state_type()) if ruleset.steps_unrated else (me,):
            step = module.step(p, state, me, Game(100, 0, 0, 1.0, MARCH, 0))
            module.settle(p, state, Tally(30, 3000, 30 * step.change, 30 * me.rating, 0), when)
        ruleset.posting(p, me, when)
        if ruleset.newcomer:
            ruleset.newcomer(p, ruleset.state_type(), games, 9, when)
