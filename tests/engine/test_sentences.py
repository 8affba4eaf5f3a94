"""How terms are written: signs, decimals, days, ranks; and what programs get instead."""

from __future__ import annotations

import pytest

from arpad.domain.units import UNRATED
from arpad.engine.sentences import DAY, SCORE, TEXT, Term, Wording, placeholders, plain, terms_of, units_of
from arpad.rulesets.catalogue import find
from tests.engine.explain_cases import day

GO, FIDE = find("belgian-go"), find("fide-standard")
ENGLISH = Wording(GO, "en")


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (-145000, "Grains", "−1450"),
        (-145050, "Grains", "−1450.50"),
        (-4, "Grains", "−0.04"),
        (0, "Grains", "0"),
        (1683000, "Grains", "16830"),  # ratings are never grouped
        (UNRATED, "Grains", "NC"),
        (41.2213, "Points", "41.22"),
        (-0.005, "Points", "−0.01"),  # halves away from zero
        (-0.004, "Points", "0"),  # never −0
        (0.1192, "Share", "0.12"),
        (0.5, "Share", "0.50"),
        (1.0, "Share", "1"),
        (0.4225, "Factor", "0.4225"),
        (50.0, "Factor", "50"),
        (92.5, "Factor", "92.5"),
        (350, "Hundredths", "3.50"),
        (-8, "Hundredths", "−0.08"),
        (100, SCORE, "1"),
        (50, SCORE, "½"),
        (7, "Count", "7"),
        (-4, "Rank", "5 kyu"),
        (1, "Rank", "1 dan"),
        (day("2026-03-01"), DAY, "1 March 2026"),
        (0, DAY, ""),
        ("Ada", TEXT, "Ada"),
    ],
)
def test_text(value: object, unit: str, text: str) -> None:
    assert str(ENGLISH.shown(Term(value, unit))) == text


def test_grains_of_a_chess_list_are_whole_points() -> None:
    assert str(Wording(FIDE, "en").shown(Term(2450, "Grains"))) == "2450"
    assert str(Wording(FIDE, "en").shown(Term(UNRATED, "Grains"))) == "unrated"


@pytest.mark.parametrize(
    ("value", "plus", "size"),
    [(510, "+5.10", "5.10"), (-510, "−5.10", "5.10"), (0, "0", "0"), (500, "+5", "5")],
)
def test_gains_have_a_plus_and_sizes_no_sign(value: int, plus: str, size: str) -> None:
    term = {"change": Term(value, "Grains")}
    assert ENGLISH.sentence("{change:+}|{change:size}", term) == f"{plus}|{size}"


def test_more_decimals_and_what_was_left_out_is_remembered() -> None:
    wording = Wording(GO, "en")
    assert wording.sentence("{a:.4}", {"a": Term(0.5, "Share")}) == "0.5"
    assert not wording.inexact
    assert wording.sentence("{a:.4}", {"a": Term(-0.51643, "Share")}) == "−0.5164"
    assert wording.inexact
    wording = Wording(GO, "en")
    assert wording.sentence("{a}", {"a": Term(14.839999999999975, "Points")}) == "14.84"
    assert not wording.inexact  # the last bits of a float are no figures


@pytest.mark.parametrize(
    ("value", "unit", "one"),
    [
        (100, "Grains", True),
        (-100, "Grains", True),
        (150, "Grains", False),
        (0, "Grains", False),
        ("1", TEXT, False),
    ],
)
def test_one_stands_in_the_singular(value: object, unit: str, one: bool) -> None:
    assert ENGLISH.is_one(Term(value, unit)) == one


def test_french_counts_up_to_two_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    wording = Wording(GO, "fr")
    monkeypatch.setattr(
        wording.messages,
        "get",
        lambda table, *keys: {"singular": "below two", "decimal": ","}.get(keys[0], "−"),
    )
    found = [wording.is_one(Term(grains, "Grains")) for grains in (0, 100, 199, 200, 1000)]
    assert found == [True, True, True, False, False]


def test_days_months_and_spans() -> None:
    assert ENGLISH.span(day("2026-03-12"), day("2026-03-12")) == "12 March 2026"
    assert ENGLISH.span(day("2026-03-12"), day("2026-04-01")) == "12 March 2026 to 1 April 2026"
    assert ENGLISH.month(2026 * 12 + 11, 1) == "December 2026"
    assert ENGLISH.month(2026 * 12 + 9, 3) == "October to December 2026"


def test_parameters_of_the_ruleset_stand_in_sentences() -> None:
    p = FIDE.editions[-1][1]
    assert Wording(FIDE, "en").sentence("{rules.cap}, {rules.top}", {}, p) == f"{p.cap}, {p.top}"
    assert list(placeholders("a {b} {c:+} {rules.d}")) == ["b", "c", "rules.d"]


def test_a_missing_term_is_an_error_not_a_gap() -> None:
    with pytest.raises(KeyError):
        ENGLISH.sentence("{nothing}", {})


def test_units_are_those_of_the_annotations() -> None:
    units = units_of(GO.module.Settled)
    assert units["rating"] == "Grains" and units["rank"] == "Rank" and units["state"] == "State"
    values = GO.module.Settled(1, 0, -2, 3, 4, 5, 0, 0, GO.state_type())
    assert terms_of(values)["rank"] == Term(3, "Rank") and "state" not in terms_of(values)


@pytest.mark.parametrize(
    ("value", "unit", "number"),
    [
        (-145050, "Grains", -1450.5), (UNRATED, "Grains", None), (50, SCORE, 0.5), (-4, "Rank", "5 kyu"),
        (1, "Flag", True), (0.25, "Share", 0.25), (3, "Count", 3), ("x", TEXT, "x"),
        (0, DAY, None), (day("2026-03-01"), DAY, "2026-03-01"),
    ],
)  # fmt: skip
def test_numbers_for_programs(value: object, unit: str, number: object) -> None:
    found = plain(Term(value, unit), GO)
    assert found == number and type(found) is type(number)
