"""`arpad expect`: numbers of the published examples, and what it refuses."""

from __future__ import annotations

import csv
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arpad.domain.problems import RuleRefusal
from arpad.engine.expect import expect
from arpad.rulesets.catalogue import find, names


def asked(arpad, *options: object) -> dict:
    done = arpad("expect", *options, "--format", "json")
    assert (done.status, done.err) == (0, "")
    return json.loads(done.out)


def test_the_receiver_of_four_stones(arpad) -> None:
    """The federation's third example: difference -350, expected 0.119, factor 0.65, +41.22."""
    found = asked(
        arpad, "--ruleset", "belgian-go", "--own", -1450, "--opponent", -750, "--handicap", 4, "--class", "C"
    )
    assert list(found) == ["difference", "expected", "changes"]
    assert found["difference"] == -350
    assert found["expected"] == pytest.approx(0.119, abs=0.0005)
    assert found["changes"]["1-0"] == pytest.approx(41.22, abs=0.005)
    assert list(found["changes"]) == ["1-0", "1/2-1/2", "0-1"]


def test_the_giver_of_four_stones(arpad) -> None:
    """Negative: gives. 700 - 350 = 350 points stronger."""
    found = asked(arpad, "--ruleset", "belgian-go", "--own", -750, "--opponent", -1450, "--handicap", -4)
    assert found["difference"] == 350


def test_equal_players_in_class_c(arpad) -> None:
    """The first example: -1950 beats -1950, +46.4 and -46.4."""
    options = ("--ruleset", "belgian-go", "--own", -1950, "--opponent", -1950, "--class", "c")
    changes = asked(arpad, *options)["changes"]
    assert changes == pytest.approx({"1-0": 46.4, "1/2-1/2": 0.0, "0-1": -46.4})


def test_no_class_is_the_class_that_the_rules_take(arpad) -> None:
    options = ("--ruleset", "belgian-go", "--own", -1950, "--opponent", -1950)
    assert asked(arpad, *options) == asked(arpad, *options, "--class", "B")


def test_a_friendly_game_changes_nothing(arpad) -> None:
    options = ("--ruleset", "belgian-go", "--own", -1950, "--opponent", -1950, "--class", "D")
    assert set(asked(arpad, *options)["changes"].values()) == {0.0}
    assert "Such a game is not rated." in arpad("expect", *options).out


def test_sets(arpad) -> None:
    """Difference 150: 70 per cent. 3-2 is 60, 3-1 is 75, 3-0 is 100; K 50, of best of three 30."""
    changes = asked(arpad, "--ruleset", "us-table-tennis", "--own", 1800, "--opponent", 1650)["changes"]
    assert (changes["3-0"], changes["3-1"], changes["3-2"]) == (15.0, 2.5, -5.0)
    assert changes["0-3"] == -35.0
    assert changes["2-0"] == 9.0


@pytest.mark.parametrize(("games", "k"), [(0, 40), (29, 40), (30, 20)])
def test_k_times_one_game_where_periods_are_longer(arpad, games: int, k: int) -> None:
    """FIDE: 2000 against 1600 is expected at 0.92 (table 8.1.2); K is 40 below 30 games, then 20 (8.3.3)."""
    options = ("--ruleset", "fide-standard", "--own", 2000, "--opponent", 1600, "--date", "2025-11-01")
    found = asked(arpad, *options, "--own-games", games)
    assert found["expected"] == 0.92
    assert found["changes"] == pytest.approx({"1-0": k * 0.08, "1/2-1/2": k * -0.42, "0-1": k * -0.92})


def test_the_day_picks_the_edition(arpad) -> None:
    """A difference of 700: capped at 400 in 2024; from 2025-10 on, 2650 and more take the real one."""
    options = ("--ruleset", "fide-standard", "--own", 2700, "--opponent", 2000, "--own-games", 100)
    assert asked(arpad, *options, "--date", "2024-06-01")["expected"] == 0.92
    assert asked(arpad, *options, "--date", "2025-10-01")["expected"] == 0.99


@pytest.mark.parametrize("ruleset", ["youth-realtime", "elo-logistic", "elo-normal"])
def test_the_difference_is_in_points(arpad, ruleset: str) -> None:
    """Whatever the ruleset holds it in."""
    found = asked(arpad, "--ruleset", ruleset, "--own", 1800, "--opponent", 1650.4)
    assert found["difference"] == pytest.approx(149.6)


def test_a_clubs_own_parameter(arpad) -> None:
    options = ("--ruleset", "elo-logistic", "--own", 1500, "--opponent", 1500)
    assert asked(arpad, *options, "--set", "k=32")["changes"]["1-0"] == 16.0
    assert (
        asked(arpad, *options, "--set", "k=32@2024-01-01", "--date", "2023-12-31")["changes"]["1-0"] == 10.0
    )


def test_a_table_and_csv(arpad) -> None:
    options = ("expect", "--ruleset", "us-table-tennis", "--own", 1800, "--opponent", 1650)
    lines = arpad(*options).out.splitlines()
    assert lines[:3] == ["difference  +150.00 points", "expected    0.700000", ""]
    assert lines[3:5] == ["result    change", "3-0     +15.0000"]
    rows = list(csv.DictReader(io.StringIO(arpad(*options, "--format", "csv").out)))
    assert rows[2] == {"result": "3-2", "change": "-5.0", "difference": "150.0", "expected": "0.7"}


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (("--ruleset", "belgain-go", "--own", 0, "--opponent", 0), "ruleset-unknown"),
        (("--ruleset", "belgian-go", "--own", "nan", "--opponent", 0), "rating-range"),
        (("--ruleset", "belgian-go", "--own", "1e999", "--opponent", 0), "rating-range"),
        (("--ruleset", "belgian-go", "--own", 0, "--opponent", "-inf"), "rating-range"),
        (("--ruleset", "belgian-go", "--own", 0, "--opponent", 0, "--handicap", 10), "handicap-range"),
        (("--ruleset", "elo-normal", "--own", 0, "--opponent", 0, "--handicap", 1), "handicap-unknown"),
        (("--ruleset", "belgian-go", "--own", 0, "--opponent", 0, "--class", "E"), "class-unknown"),
        (("--ruleset", "belgian-go", "--own", 0, "--opponent", 0, "--set", "con=3"), "parameter-unknown"),
        (("--ruleset", "belgian-go", "--own", 0, "--opponent", 0, "--set", "stone=1.5"), "parameter-value"),
        (("--ruleset", "belgian-go", "--own", 0, "--opponent", 0, "--set", "stone=x"), "parameter-value"),
        (("--ruleset", "belgian-go", "--own", 0, "--opponent", 0, "--date", "2024-02-30"), "date-unreadable"),
        (
            ("--ruleset", "belgian-go", "--own", 0, "--opponent", 0, "--date", "1999-01-01"),
            "date-before-ruleset",
        ),
        (("--ruleset", "belgian-go", "--own", 0, "--opponent", 0, "--own-games", -1), "number-shape"),
    ],
)
def test_refused(arpad, options: tuple[object, ...], code: str) -> None:
    done = arpad("expect", *options)
    assert (done.status, done.out) == (1, "")
    assert done.err.startswith(f"arpad: {code}: ")
    assert len(done.err.splitlines()) == 1


def test_a_class_where_there_are_none_is_told(arpad) -> None:
    done = arpad("expect", "--ruleset", "elo-normal", "--own", 1500, "--opponent", 1500, "--class", "A")
    assert done.status == 0
    assert "class-ignored" in done.err


def test_wrong_usage(arpad) -> None:
    assert arpad("expect", "--ruleset", "elo-normal", "--own", 1500).status == 2
    assert arpad("expect", "--ruleset", "elo-normal", "--own", "much", "--opponent", 1500).status == 2
    options = ("expect", "--ruleset", "elo-normal", "--own", 1, "--opponent", 2)
    assert arpad(*options, "--set", "k").status == 2
    assert arpad(*options, "--format", "xml").status == 2


@given(
    ruleset=st.sampled_from(names()),
    own=st.floats(allow_nan=True),
    opponent=st.floats(-4000, 4000),
    handicap=st.integers(-12, 12),
    event_class=st.sampled_from(["", "A", "b", "D", "Z"]),
    own_games=st.integers(-1, 400),
    day=st.integers(730000, 740000),
)
def test_whatever_is_asked_there_is_an_answer_or_a_reason(
    ruleset: str, own: float, opponent: float, handicap: int, event_class: str, own_games: int, day: int
) -> None:
    try:
        found = expect(
            ruleset, own, opponent, handicap=handicap, event_class=event_class, own_games=own_games, date=day
        )
    except RuleRefusal:
        return
    assert 0 <= found.expected <= 1
    assert list(found.changes) == list(find(ruleset).results)
    values = [found.changes[text] for text in ("1-0", "1/2-1/2", "0-1") if text in found.changes]
    assert values == sorted(values, reverse=True)
