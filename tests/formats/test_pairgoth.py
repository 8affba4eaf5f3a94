"""Pairgoth's tournament file: a small one by hand, and everything it can get wrong."""

from __future__ import annotations

import pytest

from arpad.formats import registry
from arpad.ledger.sheet import SheetPerson
from tests.formats.helpers import FILES, TODAY, found, games, read, refused

CUP = (FILES / "spring-cup.tour").read_text("utf-8")


def changed(old: str, new: str) -> str:
    assert old in CUP
    return CUP.replace(old, new, 1)


def test_a_tournament_by_hand() -> None:
    reading = registry.read(FILES / "spring-cup.tour", today=TODAY)
    sheet = reading.sheet
    assert reading.format == "Pairgoth"
    assert sheet.players == ["Exemple Loïc", "van der Fictief Jop", "Müster Ada", "Okabe Ren"]
    cup = ("2026-03-22", "Coupe de printemps", "2026-03-21")
    assert games(sheet) == [
        (*cup, 1, "Exemple Loïc", "Okabe Ren", "1-0", 7),
        (*cup, 1, "Müster Ada", "van der Fictief Jop", "1/2-1/2", 0),
        (*cup, 2, "van der Fictief Jop", "Exemple Loïc", "0-1", 0),
        (*cup, 2, "Müster Ada", "Okabe Ren", "pending", 3),
        (*cup, 3, "Exemple Loïc", "Müster Ada", "1-0", 4),
        (*cup, 3, "Okabe Ren", "", "full", 0),
    ]
    assert [entry.application.rank for entry in sheet.first_ratings] == [2, 1, -2, -6]
    assert sheet.people["Exemple Loïc"] == SheetPerson(
        "Exemple Loïc", (("egd", "10000001"), ("licence", "0000011")),
        federation="FR", club="75Xx", rating=2210, rank="2d", line=8,
    )  # fmt: skip
    assert sheet.events[0].event_class == "A"
    assert found(reading.problems) == [
        ("result-forfeit-unmarked", 1, 1),
        ("event-class-derived", 5, 17),
        ("result-pending", 18, 7),
    ]


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("Coupe de printemps", "", ("event-name-missing", 1, 1)),
        ("2026-03-21", "2026-03-23", ("date-order", 1, 1)),
        ('"gobanSize": 19', '"gobanSize": 13', ("event-small-board", 1, 1)),
        ('"online": false', '"online": true', ("event-online", 1, 1)),
        ("CANADIAN", "HOURGLASS", ("event-class-missing", 1, 1)),
        ('"mainTime": 3600', '"mainTime": 60', ("event-class-differs", 5, 17)),
        ('"mainTime": 3600', '"mainTime": 1000', ("event-not-rated", 5, 17)),
        ('"egf": "10000001\\n"', '"egf": "1000000"', ("player-id-shape", 8, 5)),
        ('"egf": "10000003"', '"egf": "10000001"', ("player-same-id", 8, 5)),
        ('"rank": -7', '"rank": -77', ("player-rank-shape", 11, 5)),
        ('"rank": -7', '"rank": -10', ("player-rank-rating-differ", 11, 5)),
        ('"name": "Okabe", "firstname": "Ren"', '"name": "??"', ("text-name-lost", 11, 5)),
        ('"name": "Okabe", "firstname": "Ren"', '"name": "Müster", "firstname": "Ada"',
         ("player-same-name", 11, 5)),
        ('"name": "Okabe"', '"name": "Okabe & Co"', ("event-pairs", 11, 5)),
        ('"name": "Okabe"', '"name": "Oka\\u200bbe"', ("text-control-char", 11, 5)),
        ('"h": 7', '"h": 12', ("handicap-shape", 15, 7)),
        ('"h": 7', '"h": -1', ("handicap-shape", 15, 7)),
        ('"w": 3, "b": 2', '"w": 3, "b": 1', ("game-double-booked", 16, 7)),
        ('"w": 4, "b": 0', '"w": 1, "b": 0', ("game-double-booked", 20, 7)),
        ('"r": "="', '"r": "#"', ("result-both-win", 16, 7)),
        ('"r": "="', '"r": "0"', ("result-both-lose", 16, 7)),
        ("INDIVIDUAL", "PAIRGO", ("event-pairs", 1, 1)),
        ("INDIVIDUAL", "TEAM4", ("event-team", 1, 1)),
    ],
)  # fmt: skip
def test_what_is_told(old: str, new: str, problem: tuple[str, int, int]) -> None:
    assert problem in found(read(changed(old, new)).problems)
    assert problem not in found(read(CUP).problems)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('"players": [', '"people": [', ("schema-unknown", 1, 1)),
        ('"games": [\n    [', '"games": [\n    7, [', ("schema-unknown", 1, 1)),
        ('{ "id": 5, "name"', '5, { "id": 5, "name"', ("schema-unknown", 1, 1)),
        ('{ "id": 2, "name"', '{ "id": 1, "name"', ("player-duplicate-number", 9, 5)),
        ('"w": 3, "b": 2', '"w": 3, "b": 9', ("player-missing", 16, 7)),
        ('"w": 3, "b": 2', '"w": 3', ("player-missing", 16, 7)),
        ('"w": 4, "b": 0', '"w": 9, "b": 0', ("player-missing", 20, 7)),
        ('"w": 3, "b": 2', '"w": 3, "b": 3', ("game-self", 16, 7)),
        ('"r": "="', '"r": "tea"', ("result-code-unknown", 16, 7)),
        ('"startDate": "2026-03-21", "endDate": "2026-03-22", ', "", ("date-missing", 1, 1)),
        ('"endDate": "2026-03-22"', '"endDate": "soon"', ("date-unreadable", 1, 1)),
        ("2026-03-22", "2036-03-22", ("date-future", 1, 1)),
        ("Coupe de", "x" * 200, ("cell-too-long", 1, 1)),
        ('"firstname": "Ren"', f'"firstname": "{"x" * 200}"', ("cell-too-long", 11, 5)),
        ('"rounds": 3,', '"rounds": 3,,', ("markup-invalid", 6, 15)),
        ('"rounds": 3,', '"rounds": 3, "name": "Cup",', ("markup-invalid", 1, 1)),
        ('"rounds": 3,', '"rounds": 3, "many": [' + "{}," * 100_000 + "{}],", ("markup-invalid", 1, 1)),
        ('"rounds": 3,', '"rounds": 3, "deep": ' + "[" * 70 + "]" * 70 + ",", ("markup-invalid", 1, 1)),
    ],
)
def test_what_is_refused(old: str, new: str, problem: tuple[str, int, int]) -> None:
    assert problem in refused(changed(old, new), kind="Pairgoth")


def test_the_end_is_missing() -> None:
    assert refused(CUP[:1000]) == [("file-truncated", *place(CUP[:1000]))]
    assert refused(CUP.partition('"players"')[0] + '"players": []}', "Pairgoth") == [("schema-unknown", 1, 1)]
    empty = CUP.partition('"players"')[0] + '"players": [], "games": []}'
    assert ("player-none", 1, 1) in refused(empty)


def place(text: str) -> tuple[int, int]:
    """Where a text ends, or where the last string that is not closed begins."""
    start = text.rindex('"') if text.count('"') % 2 else len(text)
    return text[:start].count("\n") + 1, start - text[:start].rfind("\n")


def test_who_is_only_registered_joins_when_paired() -> None:
    assert "Laat Bo" not in read(CUP).sheet.players
    assert "Laat Bo" in read(changed('"w": 3, "b": 4', '"w": 3, "b": 5')).sheet.players


def test_results_of_several_persons_a_side_are_not_taken() -> None:
    reading = read(changed("INDIVIDUAL", "RENGO2"))
    assert reading.games == 0
    assert ("event-pairs", 1, 1) in found(reading.problems, "held")
