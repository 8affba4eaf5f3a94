"""us-table-tennis against the club's page: its example, its set table, its ladder."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arpad.domain.play import Application, Game, Tally, When
from arpad.domain.problems import RuleRefusal
from arpad.domain.results import Result, mirrored, read_result
from arpad.rulesets import us_table_tennis as tt
from tests.rulesets.support_go_tt import cases, grains

NOW = tt.Params()
SEVEN = NOW._replace(best_of_seven=1)
MARCH = When(2026, 3)


def result(text: str, best_of: int = 0) -> Result:
    found = read_result(text, best_of)
    assert found is not None, text
    return found


def match(rating1: str, rating2: str, text: str, p: tt.Params = NOW) -> tuple[tt.Step, tt.Step]:
    """Both sides of one match."""
    one, two = tt.State(grains(rating1), 0), tt.State(grains(rating2), 0)
    pw, best_of = tt.score(p, result(text))
    first = tt.step(p, one, two, Game(pw, best_of, 0, 1.0, 24314, 0))
    return first, tt.step(p, two, one, Game(100 - pw, best_of, 0, 1.0, 24314, 0))


@pytest.mark.parametrize("row", cases("us-table-tennis-changes"))
def test_changes(row: dict[str, str]) -> None:
    first, second = match(row["rating1"], row["rating2"], row["result"])
    assert first.change == grains(row["change1"])
    assert second.change == -first.change
    assert first.unrounded == float(row["change1"])


@pytest.mark.parametrize("row", cases("us-table-tennis"))
def test_expected_percentage(row: dict[str, str]) -> None:
    first, second = match(row["rating1"], row["rating2"], "3-0")
    assert first.pv == int(row["value"])
    assert first.expected == int(row["value"]) / 100
    assert second.pv == 100 - first.pv


@pytest.mark.parametrize("row", cases("us-table-tennis-start"))
def test_first_ratings(row: dict[str, str]) -> None:
    application = Application(
        league=row["league"], percentage=float(row["percentage"]), adjustment=float(row["adjustment"] or 0)
    )
    assert tt.enter(NOW, application).rating == grains(row["start"])


def test_terms_of_a_winner_who_loses_points() -> None:
    first, second = match("1800", "1650", "3-2")
    assert (first.gap, first.capped, first.difference, first.pv, first.pw) == (15000, 0, 150.0, 70, 60)
    assert (first.best_of, first.k, first.contrary, first.change) == (5, 50.0, -1, -500)
    assert (second.contrary, second.change) == (1, 500)
    assert [s.contrary for s in match("1800", "1650", "3-0")] == [0, 0]


def test_terms_of_a_capped_difference() -> None:
    first, second = match("2000", "1600", "3-1")
    assert (first.gap, first.capped, first.difference, first.pv) == (40000, 1, 350.0, 89)
    assert (second.gap, second.capped, second.difference, second.pv) == (-40000, 1, -350.0, 11)
    assert match("1950", "1600", "3-1")[0].capped == 0
    assert match("1950.01", "1600", "3-1")[0].capped == 1


def test_settling_takes_the_change_and_nothing_else() -> None:
    after = tt.settle(NOW, tt.State(100, 3), Tally(1, 60, -500, 0, 0), MARCH)
    assert after == tt.Settled(-500, tt.State(-400, 4))  # no floor


ratings = st.integers(0, 300000).map(lambda g: f"{g / 100:.2f}")


@given(ratings, ratings, st.sampled_from(tt.RESULTS))
def test_what_one_wins_the_other_loses(rating1: str, rating2: str, text: str) -> None:
    first, second = match(rating1, rating2, text)
    assert first.change == -second.change
    assert first.expected + second.expected == pytest.approx(1.0)


# Results


@pytest.mark.parametrize(
    ("text", "best_of", "expected"),
    [
        ("3-0", 0, (100, 5)), ("3-1", 0, (75, 5)), ("3-2", 0, (60, 5)),
        ("2-3", 5, (40, 5)), ("1-3", 5, (25, 5)), ("0-3", 5, (0, 5)),
        ("2-0", 0, (100, 3)), ("2-1", 3, (67, 3)), ("1-2", 0, (33, 3)), ("0-2", 0, (0, 3)),
        ("1-1 ret1", 0, (25, 5)), ("1-1 ret2", 0, (75, 5)), ("1-1 ret1", 3, (33, 3)),
        ("2-2 ret2", 0, (60, 5)),
        ("0-0 ret1", 0, (0, 5)), ("2-0 ret1", 0, (40, 5)),
    ],
)  # fmt: skip
def test_scores(text: str, best_of: int, expected: tuple[int, int]) -> None:
    found = result(text, best_of)
    assert tt.score(NOW, found) == expected
    assert tt.score(NOW, mirrored(found)) == (100 - expected[0], expected[1])


@pytest.mark.parametrize(
    ("text", "expected"), [("4-0", 100), ("4-1", 80), ("4-2", 67), ("4-3", 57), ("3-4", 43), ("0-4", 0)]
)
def test_best_of_seven_is_an_extension(text: str, expected: int) -> None:
    assert tt.score(SEVEN, result(text)) == (expected, 7)
    with pytest.raises(RuleRefusal, match=r"set-illegal.*seven sets.*best_of_seven=1"):
        tt.score(NOW, result(text))


def test_best_of_seven_has_a_k_of_its_own() -> None:
    assert match("1600", "1600", "4-1", SEVEN)[0].change == 30 * 70
    assert tt.score(SEVEN, result("2-2 ret1", 7)) == (33, 7)


@pytest.mark.parametrize(
    ("text", "best_of"),
    [
        ("3-3", 0), ("2-2", 0), ("1-1", 0), ("0-0", 0), ("5-0", 0), ("11-9", 0),
        ("2-1", 5), ("3-1", 3), ("1-0", 5), ("3-2", 9), ("3-4", 5),
        ("3-1 ret1", 0), ("1-3 ret1", 0), ("3-1 ret2", 0), ("2-0 ret2", 3), ("1-1 ret1", 4),
    ],
)  # fmt: skip
def test_scores_that_end_no_match(text: str, best_of: int) -> None:
    with pytest.raises(RuleRefusal) as refusal:
        tt.score(NOW, result(text, best_of))
    assert refusal.value.code == "set-illegal" and text in refusal.value.message and refusal.value.remedy


@pytest.mark.parametrize("text", ["1-0", "0-1", "1/2-1/2"])
def test_a_result_without_sets_is_refused(text: str) -> None:
    with pytest.raises(RuleRefusal, match="result-not-in-ruleset"):
        tt.score(NOW, result(text))


def test_every_result_listed_is_one_the_ruleset_knows() -> None:
    lost = [100 - tt.score(NOW, result(text))[0] for text in tt.RESULTS]
    assert lost == sorted(lost[:6]) + sorted(lost[6:])  # best first, per length


def test_weights() -> None:
    assert tt.weigh(NOW, "", 0, None) == 1.0
    assert tt.weigh(NOW, "B", 19, 0.0) == 0.0
    with pytest.raises(RuleRefusal, match=r"weight-out-of-range.*0\.5"):
        tt.weigh(NOW, "", 0, 0.5)


def test_a_match_of_weight_0_is_not_rated() -> None:
    state = tt.State(160000, 0)
    step = tt.step(NOW, state, state, Game(60, 5, 0, 0.0, 24314, 0))
    assert (step.rated, step.change) == (0, 0)


# Entry


@pytest.mark.parametrize(
    "league", ["2E KLASSE", " 2e  klasse ", "2eklasse", "2é Klasse", "2e klasse", "2e\u00a0klasse"]
)
def test_the_name_of_a_league_may_differ_in_case_accents_and_blanks(league: str) -> None:
    assert tt.league_base(league) == 1600


@pytest.mark.parametrize(
    "league", ["Klasse 3,5", "Women’s 2e divisie", "Vrouwen 2e Divisie", "2e divisie dames"]
)
def test_womens_classes(league: str) -> None:
    assert tt.league_base(league) == 1300


@pytest.mark.parametrize(
    ("application", "code"),
    [
        (Application(), "player-no-first-rating"),
        (Application(rank=1), "player-no-first-rating"),
        (Application(unclassified=True), "player-no-first-rating"),
        (Application(league="dames eredivisie", percentage=50.0), "league-unknown"),
        (Application(league="9e klasse", percentage=50.0), "league-unknown"),
        (Application(league="2e klasse"), "percentage-missing"),
        (Application(league="2e klasse", percentage=100.5), "percentage-out-of-range"),
        (Application(league="2e klasse", percentage=-1.0), "percentage-out-of-range"),
        (Application(league="2e klasse", percentage=float("nan")), "percentage-out-of-range"),
    ],
)
def test_entries_that_are_refused(application: Application, code: str) -> None:
    with pytest.raises(RuleRefusal) as refusal:
        tt.enter(NOW, application)
    assert refusal.value.code == code and refusal.value.remedy


def test_an_unknown_league_names_its_neighbours_and_the_way_out() -> None:
    with pytest.raises(RuleRefusal, match=r"'1e divisi'.*1e divisie.*a rating, with a reason"):
        tt.league_base("1e divisi")


def test_a_manual_rating_wins() -> None:
    assert tt.enter(NOW, Application(rating=1512.5, games=4)) == tt.State(151250, 4)
    both = Application(rating=1500.0, league="2e klasse", percentage=65.0)
    assert tt.enter(NOW, both).rating == 150000
    assert tt.corrected(NOW, tt.State(1, 9), 140000) == tt.State(140000, 9)


def test_label_rounds_halves_away_from_zero() -> None:
    assert [tt.label(tt.State(g, 0)) for g in (160050, 160049, -50, -2450)] == ["1601", "1600", "-1", "-25"]
    assert tt.label(tt.State()) == "unrated"


# All parameters and texts


def fingerprint(p: tt.Params) -> list[Any]:
    open_seven = p._replace(best_of_seven=1)
    texts = (*tt.RESULTS, "4-0", "4-1", "4-2", "4-3")
    changes = [match("1900", "1500", text, open_seven)[0].change for text in texts]
    retired = tt.score(open_seven, result("1-1 ret1"))
    return [changes, retired, tt.enter(p, Application(league="1e klasse", percentage=60.0))]


@pytest.mark.parametrize("name", [f for f in tt.Params._fields if f != "best_of_seven"])
def test_every_parameter_counts(name: str) -> None:
    """A number that could be changed without effect would be a lie in the list of parameters."""
    plus = 2 if name == "retired_best_of" else 1
    if name == "cap":
        plus = -50
    assert fingerprint(NOW._replace(**{name: getattr(NOW, name) + plus})) != fingerprint(NOW)
