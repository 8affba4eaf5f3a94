"""fide-rapid, fide-blitz and knsb: what differs from fide-standard, and that nothing else does."""

from __future__ import annotations

import pytest

from arpad.domain.play import UNRATED, Application
from arpad.rulesets import fide_blitz, fide_rapid, fide_standard, knsb
from arpad.rulesets.catalogue import find
from tests.rulesets.support_chess import WHEN, Case, Chess, cases, game, openings, params

NAMES = ("fide-rapid", "fide-blitz", "knsb")
SHARED = ("step", "settle", "claim", "newcomer", "posting", "corrected", "enter", "score", "weigh", "label")


class Knsb(Chess):
    """The kinds of cases that only knsb has."""

    def first_games(self, p: object, n: int) -> dict[str, int]:
        state = knsb.newcomer(p, knsb.State(), *openings([(1900, "0.5")] * n), WHEN)
        return {"rated": int(state.rating != UNRATED)}

    def bonus(self, p: object, birth_year: int, list_year: int) -> dict[str, int]:
        me = self.state(1500, born=birth_year)
        return {"bonus": self.settle(p, me, 3, 50, WHEN._replace(year=list_year)).bonus}


@pytest.mark.parametrize("case", cases("fide-rapid-cases", "fide-rapid-rules"))
def test_rapid(case: Case) -> None:
    Chess("fide-rapid").check(case)


@pytest.mark.parametrize("case", cases("fide-blitz-cases", "fide-blitz-rules"))
def test_blitz(case: Case) -> None:
    Chess("fide-blitz").check(case)


@pytest.mark.parametrize("case", cases("knsb-cases", "knsb-rules"))
def test_knsb(case: Case) -> None:
    Knsb("knsb").check(case)


@pytest.mark.parametrize("module", [fide_rapid, fide_blitz, knsb])
def test_one_formula(module: object) -> None:
    for name in (
        *SHARED,
        "Params",
        "State",
        "Step",
        "Settled",
        "PERIOD",
        "GRAIN",
        "CHANGE_UNITS",
        "POSTINGS",
    ):
        assert getattr(module, name) is getattr(fide_standard, name), name


def test_rapid_and_blitz_have_the_editions_of_standard_but_the_last() -> None:
    standard = dict(fide_standard.EDITIONS)
    assert fide_rapid.EDITIONS == fide_blitz.EDITIONS
    for day, p in fide_rapid.EDITIONS:
        if day < "2024-03-01":
            assert p == standard[day]._replace(k=20, k_new=20, k_junior=20, k_top=20)
    assert [day for day, _ in fide_rapid.EDITIONS if day >= "2024-03-01"] == ["2024-03-01", "2024-12-01"]
    assert dict(fide_rapid.EDITIONS)["2024-03-01"] == standard["2024-03-01"]


def test_knsb_has_the_editions_of_standard() -> None:
    assert [(day, p._replace(first_games=5)) for day, p in knsb.EDITIONS] == list(fide_standard.EDITIONS)


@pytest.mark.parametrize("name", NAMES)
def test_the_standard_rating_counts_where_there_is_no_other(name: str) -> None:
    ruleset, p = find(name), params(name, "2025-10-01")
    assert ruleset.enter(p, Application(standard=2105.0, born=1990)) == fide_standard.State(
        2105, 0, 1990, 2105
    )
    assert ruleset.enter(p, Application(rating=1950, standard=2105.0)).rating == 1950
    assert ruleset.enter(p, Application()).rating == UNRATED


def test_terms_of_a_game_that_is_too_far_apart() -> None:
    p = params("fide-rapid", "2024-12-01")
    step = fide_rapid.step(p, fide_rapid.State(1900), fide_rapid.State(2650), game("1"))
    assert step == fide_rapid.Step(
        own=1900,
        opponent=2650,
        difference=-750,
        cut=350,
        used_up=0,
        real=0,
        counted=-400,
        expected=0.08,
        unrounded=0,
        rated=0,
        change=0,
    )


def test_youth_bonus_of_a_club_that_sets_it() -> None:
    chess = Chess("knsb")
    p = params("knsb", "2025-01-01")._replace(youth_bonus=10, youth_bonus_below=1600)
    junior = chess.state(1500, born=2012)
    settled = chess.settle(p, junior, 1, 100)  # 40 x 1.00 + 10
    assert (settled.k, settled.exact, settled.rounding, settled.bonus, settled.change) == (
        40,
        4000,
        0,
        10,
        50,
    )
    assert settled.state.rating == 1550
    assert chess.settle(p, chess.state(1600, born=2012), 2, 100).bonus == 0
    assert chess.settle(p, chess.state(1500), 2, 100).bonus == 0
    assert chess.settle(p, junior, 0, 0).bonus == 0


@pytest.mark.parametrize(
    ("rating", "born", "games", "k"),
    [
        (1500, 2012, 99, 31),
        (1600, 2012, 99, 32),
        (1500, 0, 99, 33),
        (1500, 0, 30, 33),
        (1600, 0, 99, 20),
        (1500, 0, 29, 40),
    ],
)
def test_k_matrix_of_a_club_that_sets_it(rating: int, born: int, games: int, k: int) -> None:
    cells = {"k_young_below": 31, "k_young_from": 32, "k_adult_below": 33, "k_adult_from": 0}
    p = params("knsb", "2025-01-01")._replace(k_matrix_from=1600, **cells)
    chess = Chess("knsb")
    assert chess.settle(p, chess.state(rating, games, born), 1, 0).k == k
