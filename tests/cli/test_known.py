"""people: names, numbers, birth, status and clubs of a person, as commands."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import Arpad
from tests.cli.ledgers import club as club

WHO = "noor 't hart"


def data_of(club: Arpad, name: str = WHO) -> str:
    return club("people", "data", name).out


def test_a_new_name_is_shown_and_the_old_one_found(club: Arpad) -> None:
    assert club("people", "rename", WHO, "Noor ’s-Gravenmade", "--dry-run").out.endswith("recorded\n")
    assert "Noor ’t Hart" in club("list").out
    assert club("people", "rename", WHO, "Noor ’s-Gravenmade", "--author", "7").status == 0
    assert "Noor ’s-Gravenmade" in club("list").out and "Noor ’t Hart" not in club("list").out
    assert club("people", "alias", WHO, "Noortje  <i>").status == 0
    assert "Noortje <i>" in club("people", "find", "noortje").out
    assert "Noor ’t Hart" in club("people", "find", "hart").out
    done = club("people", "alias", "An Claes", WHO)
    assert "1 other with that name: the two are not joined" in done.out
    assert "person-ambiguous" in club("people", "data", WHO).err
    assert "name-empty" in club("people", "rename", "An Claes", "  ").err


def test_numbers_birth_and_status(club: Arpad) -> None:
    assert club("people", "id", WHO, "fide", "123 456", "--since", "2020-01-01").status == 0
    assert club("people", "birth", WHO, "2009-05-30").status == 0
    assert club("people", "birth", "An Claes", "2010").status == 0
    assert club("people", "status", WHO, "left", "--since", "2026-06-01", "--until", "2026-09-01").status == 0
    data = data_of(club)
    for told in ("123456", "2020-01-01", "2009-05-30", "left", "2026-09-01"):
        assert told in data
    done = club("people", "id", "An Claes", "fide", "123456")
    assert done.status == 1 and "id-taken" in done.err
    assert "id-kind-unknown" in club("people", "id", WHO, "shoe-size", "44").err
    assert "date-unreadable" in club("people", "birth", WHO, "soon").err
    assert "date-unreadable" in club("people", "birth", WHO, "1200").err
    assert club("people", "status", WHO, "asleep").status == 2
    assert club("people", "status", WHO, "left", "--since", "2026-06-01", "--until", "2026-01-01").status == 2
    assert club("people", "status", "An Claes", "not-listed", "--dry-run").status == 0
    assert "not listed" not in data_of(club, "An Claes")


def test_clubs(club: Arpad) -> None:
    assert club("people", "join", WHO, "T’ Vlaamse <Zwaard>", "--since", "2024-01-01").status == 0
    assert club("people", "join", "An Claes", "T’ Vlaamse <Zwaard>", "--dry-run").status == 0
    assert club("people", "leave", WHO, "T’ Vlaamse <Zwaard>", "--until", "2025-12-31").status == 0
    (row,) = json.loads(club("people", "clubs", WHO, "--format", "json").out)
    assert row == {"club": "T’ Vlaamse <Zwaard>", "since": "2024-01-01", "until": "2025-12-31"}
    assert json.loads(club("people", "clubs", "An Claes", "--format", "json").out) == []
    done = club("people", "leave", "An Claes", "Other")
    assert done.status == 1 and "membership-unknown" in done.err


def test_two_are_kept_apart(club: Arpad) -> None:
    assert club("people", "apart", "Tim Peeters", "An Claes", "--dry-run").status == 0
    assert club("people", "apart", "Tim Peeters", WHO).status == 0
    assert "merge-ring" in club("people", "apart", WHO, "Noor ’t Hart").err


@pytest.mark.parametrize(
    "arguments",
    [
        ("rename", "Nobody", "x"), ("alias", "Nobody", "x"), ("id", "Nobody", "fide", "1"),
        ("birth", "Nobody", "2000"), ("status", "Nobody", "left"), ("join", "Nobody", "x"),
        ("leave", "Nobody", "x"), ("clubs", "Nobody"), ("apart", "Nobody", WHO),
    ],
)  # fmt: skip
def test_nobody_by_that_name(club: Arpad, arguments: tuple[str, ...]) -> None:
    done = club("people", *arguments)
    assert done.status == 1 and "person-unknown" in done.err and not done.out
