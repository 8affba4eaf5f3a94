"""Numbers, days and times as each language writes them."""

from __future__ import annotations

import datetime

import pytest

from arpad.rulesets.catalogue import find
from arpad.web import figures
from tests.engine.explain_cases import day

GO, CHESS = find("belgian-go"), find("fide-standard")
FIRST, OTHER = day("2026-03-01"), day("2026-03-12")


@pytest.mark.parametrize(
    ("language", "sentence", "table", "other"),
    [
        ("nl", "1 maart 2026", "1 mrt 2026", "12 maart 2026"),
        ("fr", "1er mars 2026", "1er mars 2026", "12 mars 2026"),
        ("de", "1. März 2026", "01.03.2026", "12. März 2026"),
        ("en", "1 March 2026", "1 Mar 2026", "12 March 2026"),
    ],
)
def test_days(language: str, sentence: str, table: str, other: str) -> None:
    assert figures.date_text(FIRST, language, sentence=True) == sentence
    assert figures.date_text(FIRST, language).replace("mrt.", "mrt") == table
    assert figures.date_text(OTHER, language, sentence=True) == other
    assert figures.date_text(0, language) == ""
    assert figures.time_element(FIRST, language, sentence=True) == (
        f'<time datetime="2026-03-01">{sentence}</time>'
    )


@pytest.mark.parametrize(("language", "mark"), [("nl", ","), ("fr", ","), ("de", ","), ("en", ".")])
def test_figures(language: str, mark: str) -> None:
    assert figures.fixed(-4, 100, 2, language) == f"−0{mark}04"
    assert figures.change(-510, GO, language) == f"−5{mark}1"
    assert figures.change(510, GO, language) == f"+5{mark}1"
    assert figures.change(-4, GO, language).strip("0,.") == ""  # 0, never −0
    assert figures.rating(168300, GO, language) == f"1683{mark}0"  # ratings are never grouped
    assert figures.rating(2026, CHESS, language) == "2026"
    assert figures.share(119200, language) == f"0{mark}12"


@pytest.mark.parametrize(
    ("language", "text"), [("nl", "12.345"), ("fr", "12\u202f345"), ("de", "12.345"), ("en", "12,345")]
)
def test_counts_are_grouped_from_ten_thousand(language: str, text: str) -> None:
    assert (figures.count(12345, language), figures.count(9999, language)) == (text, "9999")


def test_times_are_of_the_place_and_by_24_hours() -> None:
    when = datetime.datetime(2026, 3, 1, 19, 5, tzinfo=datetime.UTC)
    assert figures.moment(when, "Europe/Brussels") == (FIRST, "20:05")
