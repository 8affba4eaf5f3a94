"""youth-realtime: worked by hand from the rules, for the first five games and for the formula."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arpad.domain.play import UNRATED, Application, Tally
from arpad.domain.problems import RuleRefusal
from arpad.rulesets import youth_realtime as youth
from tests.rulesets.support_chess import WHEN, Case, cases, game, hundredths, rows

P = youth.Params()
MARCH = 12 * 2026 + 2


def play(me: youth.State, opponent: youth.State, score: str, p: youth.Params = P) -> tuple[Any, youth.State]:
    """One game as the engine plays it: the step, and the state after settling it."""
    step = youth.step(p, me, opponent, game(score))
    tally = Tally(1, hundredths(score), step.change, step.opponent, 0)
    return step, youth.settle(p, me, tally, WHEN).state


def rated(rating: str, games: int = 50, born: int = 0) -> youth.State:
    return youth.State(hundredths(rating), games, born)


@pytest.mark.parametrize("case", [c for c in cases("youth-realtime") if c.values[0].kind == "newcomer"])
def test_newcomers(case: Case) -> None:
    me = youth.State()
    for number, (text, after) in enumerate(zip(case.given["games"], case.expected["after"], strict=True), 1):
        opponent, score = text.split(":")
        step, me = play(me, rated(opponent), score)
        assert Decimal(me.rating) / 100 == Decimal(after)
        assert step.own + step.change == me.rating
        assert me.games == number


@pytest.mark.parametrize("case", [c for c in cases("youth-realtime") if c.values[0].kind == "game"])
def test_games(case: Case) -> None:
    put = case.given
    me = rated(put["own"], put["games"], put["birth_year"])
    step = youth.step(P, me, rated(put["opp"]), game(put["score"], month=12 * put["year"] + 5))
    assert Decimal(step.change) / 100 == Decimal(case.expected["change"])


def test_a_game_in_hundredths() -> None:
    assert (youth.PERIOD, youth.GRAIN, youth.STEPS_UNRATED, youth.ENTERS_UNRATED) == (
        "game",
        0.01,
        True,
        True,
    )


def test_every_vector_is_run() -> None:
    assert {row["kind"] for row in rows("youth-realtime")} == {"newcomer", "game"}


def test_terms_of_a_newcomers_first_game() -> None:
    step, after = play(youth.State(UNRATED, 0, 2016), rated("1000"), "1")
    assert step == youth.Step(
        own=80000, opponent=100000, difference=-20000, cut=0, counted=-200.0, expected=0.24, k=0, newcomer=1,
        average=86667, p=67, dp=125.0, performance=99167, contrary=0, unrounded=pytest.approx(191.6666667),
        rated=1, change=19167,
    )  # fmt: skip
    assert after == youth.State(99167, 1, 2016, pooled=1, opponents=100000, score=100)


def test_both_sides_use_the_ratings_before_the_game() -> None:
    """Two newcomers: each counts 800 for the other; a newcomer's opponent is rated normally."""
    one, two = youth.State(), youth.State()
    winner, after_one = play(one, two, "1")
    loser, after_two = play(two, one, "0")
    assert (winner.own, winner.opponent, loser.own, loser.opponent) == (80000,) * 4
    assert (after_one.rating, after_two.rating) == (92500, 67500)  # 800 + dp(0.67), 800 - dp(0.67)
    step, _ = play(rated("1000"), after_one, "0.5")
    assert (step.opponent, step.expected, step.k, step.newcomer) == (92500, 0.6, 20, 0)  # 75


def test_the_sixth_game_goes_by_the_formula() -> None:
    me = youth.State()
    for _ in range(4):
        _, me = play(me, rated("1000"), "1")
    assert me.pooled == 4
    fifth, me = play(me, rated("1000"), "1")
    assert (fifth.newcomer, me.pooled, me.opponents, me.score, me.games) == (5, 0, 0, 0, 5)
    sixth, _ = play(me, rated("1000"), "1")
    assert (sixth.newcomer, sixth.k, sixth.performance) == (0, 40, 0)


def test_a_newcomer_can_lose_points_by_winning() -> None:
    """A win against somebody far below pulls the average down; the terms must show why."""
    _, me = play(youth.State(), rated("1600"), "1")  # (1600 + 1600)/3 + 125 = 1191.67
    step, me = play(me, rated("300"), "1")  # (1900 + 1600)/4 + dp(0.75) = 875 + 193
    assert (step.change, step.average, step.dp, me.rating) == (106800 - 119167, 87500, 193.0, 106800)
    assert step.contrary == -1


def test_a_newcomer_can_gain_points_by_losing() -> None:
    _, me = play(youth.State(), rated("500"), "0")  # (500 + 1600)/3 - 125 = 575
    step, me = play(me, rated("2000"), "0")  # (2500 + 1600)/4 + dp(0.25) = 1025 - 193
    assert (step.contrary, step.change, me.rating) == (1, 83200 - 57500, 83200)


def test_terms_of_a_capped_game() -> None:
    step, after = play(rated("1500.25"), rated("1000"), "1")
    assert step == youth.Step(
        own=150025, opponent=100000, difference=50025, cut=-10000, counted=400.0, expected=0.92, k=20,
        newcomer=0, average=0, p=0, dp=0.0, performance=0, contrary=0, unrounded=1.6, rated=1, change=160,
    )  # fmt: skip
    assert after == youth.State(150185, 51, 0)


@pytest.mark.parametrize(("gap", "cut"), [("400.49", 0), ("400.00", 0), ("-400.49", 0), ("-450.00", 5000)])
def test_the_cap_is_a_term_only_where_it_matters(gap: str, cut: int) -> None:
    """400.49 rounds to 400 whole points: the rounding takes the fraction, not the cap."""
    step, _ = play(youth.State(hundredths("1500") + hundredths(gap), 50), rated("1500"), "1")
    assert step.cut == cut


def test_the_newcomer_level_is_the_pools() -> None:
    p = P._replace(newcomer_level=1000)
    step, me = play(youth.State(), rated("1000"), "0.5", p)
    assert (step.own, step.change, me.rating) == (100000, 0, 100000)


def test_an_estimate_skips_the_first_five() -> None:
    me = youth.enter(P, Application(rating=1100.125, born=2015))
    assert me == youth.State(110013, 0, 2015)
    assert youth.step(P, me, rated("1100"), game("1")).k == 40
    _, new = play(youth.State(), rated("1000"), "1")
    corrected = youth.corrected(P, new, 120000)
    assert corrected == youth.State(120000, 1, 0)
    assert youth.step(P, corrected, rated("1200"), game("1")).newcomer == 0


def test_entry_and_label() -> None:
    assert youth.enter(P, Application()) == youth.State()
    assert youth.enter(P, Application(unclassified=True, born=2016)) == youth.State(UNRATED, 0, 2016)
    with pytest.raises(RuleRefusal, match="entry-not-in-ruleset"):
        youth.enter(P, Application(league="1e klasse", percentage=50.0))
    with pytest.raises(RuleRefusal, match="weight-not-in-ruleset"):
        youth.weigh(P, "", 0, 2.0)
    assert [youth.label(s) for s in (rated("1683.50"), rated("1683.49"), youth.State())] == [
        "1684", "1683", "unrated",
    ]  # fmt: skip


@given(
    st.lists(
        st.tuples(st.integers(10000, 290000), st.sampled_from(["0", "0.5", "1"])), min_size=5, max_size=5
    )
)
def test_first_five_games_against_exact_fractions(games: list[tuple[int, str]]) -> None:
    """The text as fractions: Ra + dp(p) over the games so far and two draws against 800."""
    table = {round(100 * float(row["p"])): int(row["dp"]) for row in rows("fide-standard-8-1-1")}
    me = youth.State()
    for n in range(1, 6):
        opponent, score = games[n - 1]
        _, me = play(me, youth.State(opponent, 50), score)
        average = Fraction(sum(r for r, _ in games[:n]) + 2 * 80000, n + 2)
        share = int(100 * (sum(Fraction(s) for _, s in games[:n]) + 1) / (n + 2) + Fraction(1, 2))
        exact = average + 100 * table[share]
        size = int(abs(exact) + Fraction(1, 2))
        assert me.rating == (size if exact >= 0 else -size)
