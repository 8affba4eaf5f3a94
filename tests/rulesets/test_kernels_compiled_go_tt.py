"""belgian-go and us-table-tennis: compiled and interpreted give the same bits."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numba import njit
from numba.extending import register_jitable

from arpad.domain.kernel import recorded
from arpad.domain.play import UNRATED, Game, Openings, Tally, When
from arpad.rulesets import belgian_go as go
from arpad.rulesets import us_table_tennis as tt

MINE = {"arpad.domain.rounding", "arpad.rulesets.parts", go.__name__, tt.__name__}
GO_PARAMS = [p for _, p in go.EDITIONS] + [go.Params()._replace(ceiling=1.0, demotion_margin=0, floor=-1000)]
TT_PARAMS = [tt.Params(), tt.Params()._replace(k=40, cap=400)]
WEIGHTS = (1.2, 1.0, 0.8, 0.0, 0.36, 0.75)
ROUNDS = 3000


@pytest.fixture(scope="module")
def compiled() -> Callable[[Any], Any]:
    for function in recorded():
        if function.__module__ in MINE:
            register_jitable(function)
    return njit


def same(left: Any, right: Any) -> bool:
    """Equal to the last bit: repr() of a float is exact, and tells 0.0 from -0.0 and 1 from 1.0."""
    return repr(left) == repr(right)


def go_state(r: random.Random) -> go.State:
    rating = r.choice((r.randint(-245000, 90000), 10000 * r.randint(-25, 9), r.randint(-(10**6), 10**6)))
    return go.State(rating, -(-rating // 10000) + r.randint(-3, 3), r.randint(0, 500))


def go_game(r: random.Random) -> Game:
    stones = r.choice((0, 0, r.randint(-12, 12)))
    return Game(r.choice((0, 50, 100)), 0, stones, r.choice(WEIGHTS), 24314, r.randint(0, 1))


def tally(r: random.Random) -> Tally:
    return Tally(
        r.randint(0, 9), r.randint(0, 900), r.randint(-40000, 40000), r.randint(-9, 9), r.randint(0, 3)
    )


def test_belgian_go_step(compiled: Callable[[Any], Any]) -> None:
    r, fast = random.Random(1), compiled(go.step)
    for _ in range(ROUNDS):
        args = (r.choice(GO_PARAMS), go_state(r), go_state(r), go_game(r))
        assert same(fast(*args), go.step(*args)), args


def test_belgian_go_settle(compiled: Callable[[Any], Any]) -> None:
    r, fast = random.Random(2), compiled(go.settle)
    for _ in range(ROUNDS):
        args = (r.choice(GO_PARAMS), go_state(r), tally(r), When(2026, 3))
        assert same(fast(*args), go.settle(*args)), args


def test_belgian_go_corrected(compiled: Callable[[Any], Any]) -> None:
    r, fast = random.Random(3), compiled(go.corrected)
    for _ in range(ROUNDS):
        args = (r.choice(GO_PARAMS), go_state(r), r.randint(-300000, 90000))
        assert same(fast(*args), go.corrected(*args)), args


@pytest.mark.parametrize("dtype", [np.int64, np.int32])
def test_belgian_go_newcomer(compiled: Callable[[Any], Any], dtype: type) -> None:
    r, fast = random.Random(4), compiled(go.newcomer)
    nc = go.State(UNRATED, 0, 0)
    for _ in range(ROUNDS // 10):
        n = r.randint(0, 9)
        rows = [
            (r.randint(-245000, 90000), r.randint(-9, 9), r.choice((0, 50, 100)), 0, 0) for _ in range(12)
        ]
        columns = [list(column) for column in zip(*rows, strict=True)]
        openings = Openings(*columns)
        arrays = Openings(*(np.array(column, dtype) for column in columns))  # type: ignore[arg-type]
        p = r.choice(GO_PARAMS)
        assert same(fast(p, nc, arrays, n, When(2026, 3)), go.newcomer(p, nc, openings, n, When(2026, 3)))


def tt_state(r: random.Random) -> tt.State:
    return tt.State(r.choice((r.randint(0, 300000), 50 * r.randint(0, 6000))), r.randint(0, 500))


def test_us_table_tennis_step(compiled: Callable[[Any], Any]) -> None:
    r, fast = random.Random(5), compiled(tt.step)
    for _ in range(ROUNDS):
        game = Game(r.randint(0, 100), r.choice((3, 5, 7)), 0, r.choice((1.0, 0.0)), 24314, 0)
        args = (r.choice(TT_PARAMS), tt_state(r), tt_state(r), game)
        assert same(fast(*args), tt.step(*args)), args


def test_us_table_tennis_settle(compiled: Callable[[Any], Any]) -> None:
    r, fast = random.Random(6), compiled(tt.settle)
    for _ in range(ROUNDS):
        args = (r.choice(TT_PARAMS), tt_state(r), tally(r), When(2026, 3))
        assert same(fast(*args), tt.settle(*args)), args


def test_kernels_inside_a_compiled_loop(compiled: Callable[[Any], Any]) -> None:
    """As the engine uses them: State and Game built from arrays inside compiled code."""
    r = random.Random(7)
    n = 2000
    own = np.array([r.randint(-245000, 90000) for _ in range(n)])
    other = np.array([r.randint(-245000, 90000) for _ in range(n)], np.int32)
    stones = np.array([r.choice((0, r.randint(-9, 9))) for _ in range(n)], np.int8)
    score = np.array([r.choice((0, 50, 100)) for _ in range(n)], np.int16)
    weight = np.array([r.choice(WEIGHTS) for _ in range(n)])
    step, settle = go.step, go.settle

    def loop(p: go.Params) -> tuple[Any, Any, Any]:
        change, expected, closing = np.empty(n, np.int64), np.empty(n), np.empty(n, np.int64)
        for i in range(n):
            me, opponent = go.State(own[i], 0, 0), go.State(other[i], 0, 0)
            taken = step(p, me, opponent, Game(score[i], 0, stones[i], weight[i], 24314, 0))
            change[i], expected[i] = taken.change, taken.expected
            closing[i] = settle(p, me, Tally(1, score[i], taken.change, 0, 0), When(2026, 3)).state.rating
        return change, expected, closing

    for p in GO_PARAMS:
        for fast, slow in zip(compiled(loop)(p), loop(p), strict=True):
            assert fast.tobytes() == slow.tobytes()
