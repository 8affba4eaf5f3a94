"""fide-standard: the tables, FIDE's published calculations, the rules' examples, and the terms shown."""

from __future__ import annotations

import pytest

from arpad.domain.play import UNRATED, Application, Tally, When
from arpad.domain.problems import RuleRefusal
from arpad.domain.results import read_result
from arpad.rulesets import fide_standard as fide
from arpad.rulesets.parts import fide_difference, fide_expected
from tests.rulesets.support_chess import (
    MARCH,
    WHEN,
    Case,
    Chess,
    cases,
    game,
    openings,
    params,
    rows,
)

CHESS = Chess("fide-standard")
NOW = params("fide-standard", "2025-10-01")
IN_2024 = params("fide-standard", "2024-03-01")
IN_2022 = params("fide-standard", "2022-01-01")
ME = fide.State(1800, 100, 0, 1850)


@pytest.mark.parametrize("case", cases("fide-standard-cases", "fide-standard-rules"))
def test_published(case: Case) -> None:
    CHESS.check(case)


# Tables


@pytest.mark.parametrize("row", rows("fide-standard-8-1-1"), ids=lambda row: row["p"])
def test_table_8_1_1(row: dict[str, str]) -> None:
    assert fide_difference(round(float(row["p"]) * 100)) == int(row["dp"])


@pytest.mark.parametrize("row", rows("fide-standard-8-1-2"), ids=lambda row: row["diff_low"])
def test_table_8_1_2(row: dict[str, str]) -> None:
    low, high = int(row["diff_low"]), int(row["diff_high"] or 3000)
    for difference in range(low, high + 1):
        assert fide_expected(difference) == round(float(row["H"]) * 100)
        assert fide_expected(-difference) == round(float(row["L"]) * 100) or difference == 0


def test_tables_are_complete() -> None:
    assert [row["p"] for row in rows("fide-standard-8-1-1")] == [f"{n / 100:.2f}" for n in range(100, -1, -1)]
    bounds = [(int(row["diff_low"]), row["diff_high"]) for row in rows("fide-standard-8-1-2")]
    assert [low for low, _ in bounds[1:]] == [int(high) + 1 for _, high in bounds[:-1]]
    assert bounds[0][0] == 0
    assert bounds[-1] == (736, "")


def test_a_month_in_whole_points() -> None:
    assert (fide.PERIOD, fide.GRAIN, fide.CHANGE_UNITS, fide.ENTERS_UNRATED) == ("month", 1, 100, True)
    assert (NOW.limit, NOW.inactive_months) == (700, 12)


def test_nothing_national_in_fide() -> None:
    national = [n for n in NOW._fields if n.startswith(("youth", "k_matrix", "k_young", "k_adult"))]
    assert len(national) == 7
    for _, p in fide.EDITIONS:
        assert not any(getattr(p, name) for name in national)


# The terms of a game


def test_terms_of_a_capped_game() -> None:
    step = fide.step(IN_2024, fide.State(2500), fide.State(2000), game("0.5"))
    assert step == fide.Step(
        own=2500, opponent=2000, difference=500, cut=-100, used_up=0, real=0, counted=400,
        expected=0.92, unrounded=-42, rated=1, change=-42,
    )  # fmt: skip


def test_terms_of_the_weaker_side_of_a_capped_game() -> None:
    step = fide.step(IN_2024, fide.State(2000), fide.State(2500), game("0.5"))
    assert (step.difference, step.cut, step.counted, step.expected, step.change) == (
        -500,
        100,
        -400,
        0.08,
        42,
    )


def test_terms_of_the_cap_used_up_in_2022() -> None:
    step = fide.step(IN_2022, fide.State(2500), fide.State(2000), game("1", marked=0))
    assert (step.cut, step.used_up, step.real, step.counted, step.expected) == (0, 1, 0, 500, 0.96)
    best = fide.step(IN_2022, fide.State(2500), fide.State(2000), game("1", marked=1))
    assert (best.cut, best.used_up, best.counted, best.expected) == (-100, 0, 400, 0.92)


def test_terms_of_the_real_difference_from_2650_on() -> None:
    step = fide.step(NOW, fide.State(2650), fide.State(2150), game("1"))
    assert (step.cut, step.used_up, step.real, step.counted, step.expected) == (0, 0, 1, 500, 0.96)
    near = fide.step(NOW, fide.State(2650), fide.State(2300), game("1"))
    assert (near.real, near.counted) == (0, 350)


def test_winning_never_costs_points() -> None:
    assert fide.step(NOW, fide.State(2800), fide.State(1400), game("1")).change == 0


def test_claims_only_in_2022_and_only_upwards() -> None:
    strong, weak = fide.State(2500), fide.State(2000)
    assert fide.claim(IN_2022, strong, weak) == 500
    assert fide.claim(IN_2022, weak, strong) == 0
    assert fide.claim(IN_2022, fide.State(2400), weak) == 0
    assert fide.claim(IN_2024, strong, weak) == 0
    assert fide.claim(NOW, strong, weak) == 0
    assert fide.claim(params("fide-standard", "2021-12-31"), strong, weak) == 0


# The terms of a month


def test_terms_of_a_month_with_n_times_k() -> None:
    """39 games at K 20: the list of FIDE's player F-P05, 2054 -> 2146."""
    settled = fide.settle(NOW, fide.State(2054, 200, 0, 2100), Tally(39, 2400, 544, 80000, 3), When(2026, 9))
    assert settled == fide.Settled(
        opening=2054, games=39, sum=544, k_listed=20, k=17, k_limited=1, exact=9248, rounding=-48, bonus=0,
        change=92, floor=0, state=fide.State(2146, 239, 0, 2146),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("total", "change", "rounding"), [(25, 3, 50), (-25, -3, -50), (24, 2, -40), (0, 0, 0)]
)
def test_terms_of_rounding_half_away_from_zero(total: int, change: int, rounding: int) -> None:
    settled = fide.settle(NOW, fide.State(2500, 200, 0, 2500), Tally(3, 150, total, 0, 0), WHEN)
    assert (settled.exact, settled.change, settled.rounding) == (10 * total, change, rounding)


def test_terms_of_falling_below_the_floor() -> None:
    settled = fide.settle(NOW, fide.State(1402, 50, 2012, 2301), Tally(2, 0, -100, 2800, 0), WHEN)
    assert (settled.k, settled.change, settled.floor) == (20, -20, 1)
    assert settled.state == fide.State(UNRATED, 0, 2012, 2301)


def test_the_new_peak_is_the_rating_published() -> None:
    up = fide.settle(NOW, fide.State(2395, 90, 2010, 2395), Tally(1, 100, 50, 2395, 0), WHEN).state
    assert up == fide.State(2405, 91, 2010, 2405)  # 20 x 0.50: the junior's 2300 was long reached
    assert fide.settle(NOW, up, Tally(1, 0, -50, 2405, 0), WHEN).state == fide.State(2400, 92, 2010, 2405)


def test_a_month_against_unrated_players_changes_nothing() -> None:
    settled = fide.settle(NOW, ME, Tally(0, 0, 0, 0, 5), WHEN)
    assert (settled.k, settled.k_limited, settled.change, settled.state) == (20, 0, 0, ME)


# First ratings


def test_first_rating_enters_as_new() -> None:
    games = openings([(2000, s) for s in ("1", "1", "1", "0", "0")])
    born = fide.State(UNRATED, 0, 1980, 0)
    assert fide.newcomer(IN_2024, born, *games, WHEN) == fide.State(1993, 5, 1980, 1993)


def test_four_games_are_not_enough() -> None:
    me = fide.State(UNRATED, 0, 1980, 2310)
    assert fide.newcomer(IN_2024, me, *openings([(2000, "1")] * 4), WHEN) == me


@pytest.mark.parametrize(("first", "rating"), [(1462, 1400), (1458, UNRATED)])
def test_a_first_rating_is_published_from_1400(first: int, rating: int) -> None:
    """One of five, p = 2/7 = 0.29 -> -158: (7306 + 3600)/7 = 1558, (7302 + 3600)/7 = 1557.43."""
    games = openings([(first, "1")] + [(1461, "0")] * 4)
    state = fide.newcomer(IN_2024, fide.State(), *games, WHEN)
    assert state == (fide.State() if rating == UNRATED else fide.State(1400, 5, 0, 1400))


def test_twenty_six_months_are_pooled_and_older_games_are_not() -> None:
    five = [(2000, "1")] * 2 + [(2000, "0.5")] * 3
    inside = openings(five, [MARCH - 25] + [MARCH - 1] * 3 + [MARCH], [1, 2, 2, 2, 2])
    outside = openings(five, [MARCH - 26] + [MARCH - 1] * 3 + [MARCH], [1, 2, 2, 2, 2])
    assert fide.newcomer(NOW, fide.State(), *inside, WHEN).games == 5
    assert fide.newcomer(NOW, fide.State(), *outside, WHEN) == fide.State()


def test_a_zero_score_in_the_first_event_is_dropped() -> None:
    zero = [(2000, "0")] * 2
    five = [(2000, "1")] * 3 + [(2000, "0")] * 2
    dropped = fide.newcomer(NOW, fide.State(), *openings(zero + five, events=[1, 1] + [2] * 5), WHEN)
    assert dropped == fide.State(1993, 5, 0, 1993)
    only_first = openings(zero + five[:4], events=[1, 1] + [2] * 4)
    assert fide.newcomer(NOW, fide.State(), *only_first, WHEN) == fide.State()


def test_a_first_event_of_one_lost_game_is_dropped() -> None:
    five = [(2000, "1")] * 3 + [(2000, "0")] * 2
    state = fide.newcomer(NOW, fide.State(), *openings([(2400, "0"), *five], events=[1] + [2] * 5), WHEN)
    assert state == fide.State(1993, 5, 0, 1993)


def test_games_too_old_leave_the_pool_before_its_first_event_is_looked_for() -> None:
    """The draw of 26 months ago is as if never played, so the two lost games are the first event."""
    five = [(2000, "1")] * 3 + [(2000, "0")] * 2
    games = [(2000, "0.5"), (2000, "0"), (2000, "0"), *five]
    months = [MARCH - 26, MARCH - 25, MARCH - 25, *[MARCH] * 5]
    state = fide.newcomer(NOW, fide.State(), *openings(games, months, [1, 2, 2, *[3] * 5]), WHEN)
    assert state == fide.State(1993, 5, 0, 1993)
    assert (
        fide.newcomer(NOW, fide.State(), *openings(games, [MARCH] * 8, [1, 2, 2, *[3] * 5]), WHEN).games == 8
    )


def test_a_zero_score_in_a_later_event_counts() -> None:
    games = [(2000, "1")] * 3 + [(2000, "0")] * 2
    state = fide.newcomer(NOW, fide.State(), *openings(games, events=[1] * 3 + [2] * 2), WHEN)
    assert state.rating == 1993


def test_a_half_point_in_the_first_event_keeps_it() -> None:
    games = [(2000, "0.5"), (2000, "0")] + [(2000, "1")] * 3  # (10000+3600)/7, p = 4.5/7 = 0.64 -> 102
    state = fide.newcomer(NOW, fide.State(), *openings(games, events=[1, 1, 2, 2, 2]), WHEN)
    assert state == fide.State(2045, 5, 0, 2045)


def test_the_first_k_is_40_whatever_the_number_of_games() -> None:
    state = fide.newcomer(NOW, fide.State(), *openings([(2000, "0.5")] * 35), WHEN)
    assert fide.settle(NOW, state, Tally(1, 50, 0, 2000, 0), WHEN).k == 40
    later = fide.settle(NOW, state, Tally(1, 50, 0, 2000, 0), WHEN).state
    assert fide.settle(NOW, later, Tally(1, 50, 0, 2000, 0), WHEN).k == 20


def test_the_memory_of_2400_outlives_being_unrated() -> None:
    me = fide.State(UNRATED, 0, 0, 2405)
    state = fide.newcomer(NOW, me, *openings([(2000, "0.5")] * 5), WHEN)
    assert state.peak == 2405
    assert fide.settle(NOW, state, Tally(1, 50, 0, 2000, 0), WHEN).k == 10


# Entry, corrections, the compression, labels


def test_entry() -> None:
    assert fide.enter(NOW, Application(rating=1899.5, games=12, born=2011)) == fide.State(
        1900, 12, 2011, 1900
    )
    assert fide.enter(NOW, Application(rating=2350, peak=2412)) == fide.State(2350, 0, 0, 2412)
    assert fide.enter(NOW, Application(rating=2350, peak=2300)).peak == 2350
    assert fide.enter(NOW, Application(rating=1900, adjustment=-100)).rating == 1800
    assert fide.enter(NOW, Application(born=2015)) == fide.State(UNRATED, 0, 2015, 0)
    assert fide.enter(NOW, Application(unclassified=True, games=3)) == fide.State()
    assert fide.enter(NOW, Application(standard=2100)).rating == 2100


@pytest.mark.parametrize(
    "application", [Application(rank=0), Application(league="eredivisie"), Application(percentage=50.0)]
)
def test_entry_by_rank_or_league_is_refused(application: Application) -> None:
    with pytest.raises(RuleRefusal, match="entry-not-in-ruleset"):
        fide.enter(NOW, application)


def test_results_and_weights() -> None:
    assert fide.score(NOW, read_result("1/2-1/2")) == (50, 0)
    with pytest.raises(RuleRefusal, match="result-not-in-ruleset"):
        fide.score(NOW, read_result("3-1"))
    assert [fide.weigh(NOW, "", 0, w) for w in (None, 1.0, 0.0)] == [1.0, 1.0, 0.0]
    with pytest.raises(RuleRefusal, match="weight-not-in-ruleset"):
        fide.weigh(NOW, "", 0, 0.5)


def test_a_correction_counts_as_published() -> None:
    assert fide.corrected(NOW, ME, 2401) == fide.State(2401, 100, 0, 2401)
    assert fide.corrected(NOW, ME, 1700) == fide.State(1700, 100, 0, 1850)


def test_who_enters_or_is_corrected_below_the_floor_is_unrated() -> None:
    assert fide.enter(NOW, Application(rating=1399, games=40, born=2011)) == fide.State(UNRATED, 0, 2011, 0)
    assert fide.enter(NOW, Application(rating=1400)).rating == 1400
    assert fide.corrected(NOW, fide.State(1450, 40, 0, 2405), 1399) == fide.State(UNRATED, 0, 0, 2405)
    before = params("fide-standard", "2024-02-29")
    assert fide.enter(before, Application(rating=1100, games=40)) == fide.State(1100, 40, 0, 1100)


def test_the_compression_keeps_games_and_leaves_the_others_alone() -> None:
    assert fide.posting(IN_2024, fide.State(1600, 40, 2010, 1700), WHEN) == fide.State(1760, 40, 2010, 1760)
    assert fide.posting(IN_2024, fide.State(2000, 40, 0, 2000), WHEN).rating == 2000
    assert fide.posting(IN_2024, fide.State(), WHEN) == fide.State()
    assert fide.posting(IN_2024, fide.State(990, 40, 0, 990), WHEN).rating == UNRATED  # 1394
    assert fide.POSTINGS == ("2024-03-01",)


def test_inactive_after_a_year_without_a_game() -> None:
    april = MARCH + 1
    assert not fide.is_inactive(NOW, april - 12, april)
    assert fide.is_inactive(NOW, april - 13, april)


def test_labels() -> None:
    assert [fide.label(s) for s in (fide.State(1683), fide.State())] == ["1683", "unrated"]
