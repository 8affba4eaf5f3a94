"""kbsb: the federation's example, K by game number, the first five games, the floor and the raise."""

from __future__ import annotations

from typing import Any

import pytest

from arpad.domain.play import UNRATED, Application, Tally
from arpad.domain.problems import RuleRefusal
from arpad.rulesets import kbsb
from tests.rulesets.support_chess import (
    WHEN,
    Case,
    Chess,
    cases,
    game,
    hundredths,
    openings,
    opponents,
    params,
)

NOW = params("kbsb", "2024-04-01")
IN_2021 = params("kbsb", "2021-01-01")


class Kbsb(Chess):
    """The kinds of cases that only kbsb has."""

    def period(
        self, p: Any, rating: int, games_before: int, opp: int, n: int, score: str, sum: int | None = None
    ) -> dict[str, Any]:
        total = hundredths(score) - 50 * n if sum is None else sum
        tally = Tally(n, hundredths(score), total, opp * n, 0)
        settled = kbsb.settle(p, kbsb.State(rating, games_before), tally, WHEN)
        assert settled.state.games == games_before + n
        return {"by_performance": settled.by_performance, "new": settled.state.rating}

    def first(self, p: Any, opps: list[str]) -> dict[str, Any]:
        state = kbsb.newcomer(p, kbsb.State(), *openings(opponents({"opps": opps})), WHEN)
        return {"new": None if state.rating == UNRATED else state.rating, "games": state.games}


@pytest.mark.parametrize("case", cases("kbsb-cases", "kbsb-rules"))
def test_published(case: Case) -> None:
    Kbsb("kbsb").check(case)


def test_a_quarter_in_whole_points() -> None:
    assert (kbsb.PERIOD, kbsb.GRAIN, kbsb.CHANGE_UNITS, kbsb.ENTERS_UNRATED) == ("quarter", 1, 100, True)


def test_terms_of_a_capped_game() -> None:
    step = kbsb.step(NOW, kbsb.State(2200), kbsb.State(1700), game("1"))
    assert step == kbsb.Step(
        own=2200, opponent=1700, difference=500, cut=-100, counted=400,
        expected=0.92, unrounded=8, rated=1, change=8,
    )  # fmt: skip


def test_terms_of_the_published_example() -> None:
    """1850 loses to 1950: 0.36 expected, K 32, 11.52 points: 1838."""
    oldest = params("kbsb", "")
    step = kbsb.step(oldest, kbsb.State(1850, 40), kbsb.State(1950, 40), game("0"))
    settled = kbsb.settle(oldest, kbsb.State(1850, 40), Tally(1, 0, step.change, 1950, 0), WHEN)
    assert settled == kbsb.Settled(
        opening=1850, games=1, sum=-36, k=32, exact=-1152, rounding=-48, formula=-12, average=0, p=0, dp=0,
        by_performance=0, change=-12, floor=0, state=kbsb.State(1838, 41),
    )  # fmt: skip


def test_terms_of_a_rating_by_performance() -> None:
    """26 games against 1500 on average, 20 points: 32 x 7.00 = 224 is more than 150; 0.77 -> 211."""
    settled = kbsb.settle(IN_2021, kbsb.State(1500, 0), Tally(26, 2000, 700, 26 * 1500, 0), WHEN)
    assert settled == kbsb.Settled(
        opening=1500, games=26, sum=700, k=32, exact=22400, rounding=0, formula=224, average=1500, p=77,
        dp=211, by_performance=1, change=211, floor=0, state=kbsb.State(1711, 26),
    )  # fmt: skip


def test_terms_of_the_floor() -> None:
    settled = kbsb.settle(NOW, kbsb.State(1403, 50), Tally(1, 0, -50, 1403, 0), WHEN)
    assert (settled.change, settled.floor, settled.state) == (-16, 13, kbsb.State(1400, 51))


def test_editions_and_the_raise() -> None:
    assert [(day, p.cap, p.floor) for day, p in kbsb.EDITIONS] == [
        ("", 350, 1150), ("2021-01-01", 400, 1150), ("2024-04-01", 400, 1400),
    ]  # fmt: skip
    assert kbsb.POSTINGS == ("2024-04-01",)
    assert kbsb.posting(NOW, kbsb.State(1575, 12), WHEN) == kbsb.State(1700, 12)  # 425 x 250/850 = 125
    assert kbsb.posting(NOW, kbsb.State(), WHEN) == kbsb.State()
    assert kbsb.posting(NOW, kbsb.State(900, 12), WHEN).rating == 1400


def test_games_of_an_unrated_member_are_kept_for_k() -> None:
    me = kbsb.enter(NOW, Application(games=98))
    state = kbsb.newcomer(NOW, me, *openings([(1700, "0.5")] * 5), WHEN)
    assert state == kbsb.State(1700, 103)
    assert kbsb.settle(NOW, state, Tally(1, 50, 0, 1700, 0), WHEN).k == 24


def test_entry_correction_and_label() -> None:
    assert kbsb.enter(NOW, Application(rating=1500.5, games=30)) == kbsb.State(1501, 30)
    assert kbsb.enter(NOW, Application()) == kbsb.State()
    with pytest.raises(RuleRefusal, match="entry-not-in-ruleset"):
        kbsb.enter(NOW, Application(rank=-4))
    with pytest.raises(RuleRefusal, match="weight-not-in-ruleset"):
        kbsb.weigh(NOW, "", 0, 1.2)
    assert kbsb.corrected(NOW, kbsb.State(1500, 30), 1600) == kbsb.State(1600, 30)
    assert kbsb.corrected(NOW, kbsb.State(1500, 30), 1399) == kbsb.State(1400, 30)
    assert kbsb.enter(NOW, Application(rating=1399, games=30)) == kbsb.State(1400, 30)
    assert [kbsb.label(s) for s in (kbsb.State(1683), kbsb.State())] == ["1683", "unrated"]
