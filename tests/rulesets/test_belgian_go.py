"""belgian-go against the federation's page: its table, its worked examples, its ranks."""

from __future__ import annotations

from typing import Any

import pytest

from arpad.domain.dates import read_day
from arpad.domain.play import UNRATED, Application, Game, Tally, When
from arpad.domain.problems import RuleRefusal
from arpad.domain.ranks import rank_index
from arpad.domain.results import read_result
from arpad.domain.rounding import rounded
from arpad.rulesets import belgian_go as go
from arpad.rulesets.catalogue import find
from tests.rulesets.support_go_tt import cases, grains

NOW = go.Params()
PLAIN = NOW._replace(ceiling=1.0)
MARCH = When(2026, 3)


def played(
    p: go.Params, own: str, opponent: str, stones: int = 0, score: int = 100, weight: float = 1.2
) -> go.Step:
    me, other = go.State(grains(own), 0, 0), go.State(grains(opponent), 0, 0)
    return go.step(p, me, other, Game(score, 0, stones, weight, 24314, 0))


def one_decimal(x: float) -> str:
    return f"{rounded(x * 10) / 10:.1f}"


def settled(rating: str, held: int, change: str = "0", p: go.Params = NOW) -> go.Settled:
    return go.settle(p, go.State(grains(rating), held, 7), Tally(5, 200, grains(change), 0, 0), MARCH)


# The page's table of points won, class A


@pytest.mark.parametrize("row", cases("belgian-go-points"))
def test_the_points_table_follows_from_a_plain_logistic(row: dict[str, str]) -> None:
    assert one_decimal(played(PLAIN, row["rating"], row["opponent"]).unrounded) == row["won"]


def test_the_points_table_has_54_cells() -> None:
    assert len(cases("belgian-go-points")) == 54


DEVIATIONS = {p.values[0]["id"]: float(p.values[0]["higher_by"]) for p in cases("belgian-go-deviations")}


@pytest.mark.parametrize("row", cases("belgian-go-points"))
def test_the_written_formula_deviates_where_the_winner_was_the_favourite(row: dict[str, str]) -> None:
    """The page contradicts itself: with its written 0.986 these 24 cells are higher, the other 30 agree."""
    written = played(NOW, row["rating"], row["opponent"]).unrounded
    if row["id"] in DEVIATIONS:
        plain = played(PLAIN, row["rating"], row["opponent"]).unrounded
        assert written - plain == pytest.approx(DEVIATIONS[row["id"]], abs=1e-9)
        assert one_decimal(written) != row["won"]
        assert 0.1 < written - float(row["won"]) <= 2.0
    else:
        assert one_decimal(written) == row["won"]


def test_24_cells_deviate() -> None:
    favourites = {p.values[0]["id"] for p in cases("belgian-go-points") if "-" in p.values[0]["id"]}
    assert set(DEVIATIONS) == favourites
    assert len(DEVIATIONS) == 24


def test_rounding_twice_breaks_five_cells() -> None:
    twice = 0
    for param in cases("belgian-go-points"):
        row: dict[str, str] = param.values[0]
        twice += one_decimal(played(PLAIN, row["rating"], row["opponent"]).change / 100) != row["won"]
    assert twice == 5


# Worked examples and numbers of the text


def params_of(row: dict[str, str]) -> go.Params:
    p = NOW._replace(ceiling=float(row["ceiling"])) if row["ceiling"] else NOW
    return p._replace(giver_squared=int(row["giver_squared"])) if row["giver_squared"] else p


@pytest.mark.parametrize("row", cases("belgian-go"))
def test_examples(row: dict[str, str]) -> None:
    p = params_of(row)
    weight = go.weigh(p, row["class"], 19, None)
    step = played(
        p, row["own"] or "0", row["opponent"] or "0", int(row["stones"]), int(row["score"] or 0), weight
    )
    found = {
        "change": step.unrounded,
        "expected": step.expected,
        "factor": step.factor,
        "handicap": step.handicap,
    }[row["kind"]]
    assert found == pytest.approx(float(row["value"]), abs=float(row["tolerance"]) + 1e-12)


def test_first_example_to_the_grain() -> None:
    assert played(NOW, "-1950", "-1950", score=100, weight=0.8).change == 4640
    assert played(NOW, "-1950", "-1950", score=0, weight=0.8).change == -4640


def test_second_example_deviates_from_its_printed_number() -> None:
    """The page says "about 38.6". An unsquared factor and a plain logistic give 38.38; 38.6 appears
    when Con (113.2) and the expected score (0.554, printed as 0.55) are rounded first.
    """
    p = NOW._replace(giver_squared=0, ceiling=1.0)
    step = played(p, "-1903.6", "-1996.4", -1, 100, 0.8)
    assert step.change == 3838
    assert round(step.con) == 113 and round(step.expected, 2) == 0.55
    assert one_decimal(113 * 0.8 * 0.95 * (1 - 0.55)) == "38.6"
    assert played(NOW, "-1903.6", "-1996.4", -1, 100, 0.8).change == 3761


def test_terms_of_the_third_example() -> None:
    step = played(NOW, "-1450", "-750", 4, 100, 0.8)
    assert (step.own, step.opponent, step.handicap, step.difference) == (-145000, -75000, 350.0, -350.0)
    assert (step.con, step.a, step.event_weight, step.rated, step.change) == (90.0, 175.0, 0.8, 1, 4122)
    assert step.factor == pytest.approx(0.65)
    assert step.expected == pytest.approx(0.1192, abs=5e-5)  # 1 / (e^2 + 1)
    assert step.surplus == 1.0 - step.expected


@pytest.mark.parametrize("row", cases("belgian-go-con-a"))
def test_con_and_a_at_the_rows_of_the_table(row: dict[str, str]) -> None:
    rating = grains(row["rating"])
    assert (go.con_at(NOW, rating), go.a_at(NOW, rating)) == (float(row["con"]), float(row["a"]))


@pytest.mark.parametrize(
    ("rating", "con", "a"),
    [
        ("-1900", 113.0, 197.5),  # half-way between -1950 (116, 200) and -1850 (110, 195)
        ("0", 25.5, 102.5),  # half-way between -50 (27, 105) and 50 (24, 100)
        ("-1903.6", 113.216, 197.68),
        ("-2450", 146.0, 225.0),  # five rows below the table, 6 and 5 a row
        ("850", 8.0, 60.0),  # two rows above it, 1 and 5 a row
        ("1550", 1.0, 25.0),
        ("1650", 1.0, 20.0),  # Con would be 0
        ("1950", 1.0, 5.0),
        ("2050", 1.0, 5.0),  # A would be 0
    ],
)
def test_con_and_a_between_and_beyond_the_rows(rating: str, con: float, a: float) -> None:
    assert go.con_at(NOW, grains(rating)) == pytest.approx(con, abs=1e-9)
    assert go.a_at(NOW, grains(rating)) == pytest.approx(a, abs=1e-9)


def test_the_gap_of_the_written_formula() -> None:
    assert go.expected_score(0.986, 0.0, 100.0) == 0.5
    assert go.expected_score(0.986, 1e-9, 100.0) == pytest.approx(0.486)
    for far in (4400.0, 1e6):  # beyond what exp() can hold
        assert go.expected_score(0.986, far, 5.0) == 0.986
        assert 0.0 <= go.expected_score(0.986, -far, 5.0) < 1e-300


def test_jigo_is_half_a_point_for_both() -> None:
    jigo = read_result("1/2-1/2")
    assert jigo is not None
    assert go.score(NOW, jigo) == (50, 0)
    assert played(NOW, "50", "50", score=50).change == 0


def test_set_scores_are_refused() -> None:
    with pytest.raises(RuleRefusal, match="result-not-in-ruleset"):
        go.score(NOW, read_result("3-1"))  # type: ignore[arg-type]


# Weights and editions


def test_class_weights() -> None:
    assert [go.weigh(NOW, c, 19, None) for c in go.CLASSES] == [1.2, 1.0, 0.8, 0.0]
    assert go.weigh(NOW, "", 0, None) == 1.0


def test_an_own_weight_replaces_class_and_board() -> None:
    assert go.weigh(NOW, "D", 9, 0.75) == 0.75


def test_friendly_games_are_not_rated() -> None:
    step = played(NOW, "50", "50", weight=0.0)
    assert (step.rated, step.change) == (0, 0)


@pytest.mark.parametrize(
    ("event_class", "size", "own", "code"),
    [
        ("X", 19, None, "class-unknown"),
        ("B", 17, None, "size-unknown"),
        ("B", 19, -0.5, "weight-out-of-range"),
        ("B", 19, float("nan"), "weight-out-of-range"),
        ("B", 19, float("inf"), "weight-out-of-range"),
    ],
)
def test_weights_the_text_does_not_know(event_class: str, size: int, own: float | None, code: str) -> None:
    with pytest.raises(RuleRefusal) as refusal:
        go.weigh(NOW, event_class, size, own)
    assert refusal.value.code == code and refusal.value.remedy


def test_editions() -> None:
    ruleset = find("belgian-go")
    assert [day for day, _ in ruleset.editions] == [
        read_day(d) for d in ("2001-06-01", "2004-05-01", "2021-01-01")
    ]
    facts = [
        (p.giver_squared, go.weigh(p, "B", 13, None), go.weigh(p, "B", 9, None)) for _, p in ruleset.editions
    ]
    assert facts == [(0, 1.0, 1.0), (1, 1.0, 1.0), (1, 0.5, 0.3)]


# Ranks


@pytest.mark.parametrize("row", cases("belgian-go-ranks"))
def test_ranks(row: dict[str, str]) -> None:
    held, becomes = rank_index(row["held"]), rank_index(row["becomes"])
    assert held is not None
    after = settled(row["rating"], held)
    assert (after.state.rank, go.label(after.state)) == (becomes, row["becomes"])
    assert after.promotion == after.state.rank - held


def test_a_rank_is_judged_once_at_the_end_of_the_event() -> None:
    """95 -> 101 is 2 dan; a 1 dan at 99 who wins two games and then loses three stays 1 dan."""
    assert settled("95", 1, "6").rank == 2
    after = settled("99", 1, "-12.5")
    assert (after.state.rating, after.rank, after.promotion) == (8650, 1, 0)


def test_terms_of_a_promotion_a_demotion_and_a_rank_that_is_held() -> None:
    up = settled("-505", -5, "15")
    assert (up.promotion, up.rank, up.kept_until, up.held) == (1, -4, -60000, 0)
    down = settled("-590", -4, "-11")
    assert (down.promotion, down.rank, down.lost_below, down.held) == (-1, -5, -60000, 0)
    kept = settled("-490", -4, "-20")
    assert (kept.promotion, kept.rank, kept.kept_until, kept.held) == (0, -4, -60000, 1)
    inside = settled("-450", -4, "-50")  # -500.0 is still the range of 5 kyu
    assert (inside.promotion, inside.held) == (0, 0)


def test_the_floor_comes_before_the_rank() -> None:
    after = settled("-2440", -24, "-35.5")
    assert (after.floor, after.rating, after.state.rating, after.rank) == (2550, -245000, -245000, -24)
    assert after.state.games == 12
    assert settled("-2440", -24, "-10").floor == 0
    assert settled("-2440", -24, "-165").rank == -24  # -2605 would have been 26 kyu


# First ratings and corrections


@pytest.mark.parametrize("row", cases("belgian-go-start"))
def test_first_ratings(row: dict[str, str]) -> None:
    state = go.enter(NOW, Application(rank=rank_index(row["rank"])))
    assert (state.rating, go.label(state)) == (grains(row["start"]), row["label"])


@pytest.mark.parametrize(
    ("rating", "label"),
    [
        (100.0, "1 dan"),
        (0.0, "1 kyu"),
        (0.01, "1 dan"),
        (100.01, "2 dan"),
        (-950.0, "10 kyu"),
        (-9999.0, "25 kyu"),
    ],
)
def test_an_outside_rating_takes_the_rank_it_lies_in(rating: float, label: str) -> None:
    state = go.enter(NOW, Application(rating=rating, games=12))
    assert go.label(state) == label and state.games == 12
    assert go.corrected(NOW, go.State(-1, 5, 12), rounded(rating * 100)) == state


def test_an_adjustment_moves_the_start() -> None:
    assert go.enter(NOW, Application(rank=1, adjustment=-60.0, reason="long absence")) == go.State(
        -1000, 0, 0
    )


def test_unclassified_has_no_rating() -> None:
    state = go.enter(NOW, Application(unclassified=True))
    assert state.rating == UNRATED and go.label(state) == "NC"


@pytest.mark.parametrize(
    ("application", "code"),
    [
        (Application(), "player-no-first-rating"),
        (Application(league="1e klasse", percentage=50.0), "player-no-first-rating"),
        (Application(unclassified=True, rank=1), "player-nc-rated"),
        (Application(unclassified=True, rating=1.0), "player-nc-rated"),
    ],
)
def test_entries_that_are_refused(application: Application, code: str) -> None:
    with pytest.raises(RuleRefusal) as refusal:
        go.enter(NOW, application)
    assert refusal.value.code == code and refusal.value.remedy


# All parameters and texts


def fingerprint(p: go.Params) -> list[Any]:
    """Numbers that together depend on every parameter but the one that the engine reads."""
    stones = (0, 1, 4, 9, 12, -1, -9)
    games = [played(p, r, o, h) for r, o in (("-450", "-550"), ("2100", "2000")) for h in stones]
    weights = [go.weigh(p, c, s, None) for c in go.CLASSES for s in (19, 13, 9)]
    ranks = [settled(r, -4, "0", p) for r in ("-2500", "-510", "-650", "-399")]
    return [games, weights, ranks, go.score(p, read_result("1/2-1/2"))]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "name", [f for f in go.Params._fields if f not in ("game_by_game", "nc_games", "nc_margin")]
)
def test_every_parameter_counts(name: str) -> None:
    """A number that could be changed without effect would be a lie in the list of parameters."""
    other = NOW._replace(**{name: 0 if name == "giver_squared" else getattr(NOW, name) + 1})
    assert fingerprint(other) != fingerprint(NOW)
