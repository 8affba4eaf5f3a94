"""players.csv and corrections.csv: what each cell means, and what a wrong one gets."""

from __future__ import annotations

import pytest

from arpad.domain.dates import read_day
from arpad.domain.play import Application
from arpad.formats import flat
from tests.formats.helpers import FILES, found, read, refused

ENTRY = "player,rating,rank,league,percentage,adjustment,reason,born,games,peak,standard,date\n"


def test_players() -> None:
    reading = read((FILES / "players.csv").read_bytes())
    assert reading.format == "players.csv"
    assert reading.problems == []
    assert [(entry.player, entry.day, entry.application) for entry in reading.sheet.first_ratings] == [
        ("Verzonnen Noor", 0, Application(rank=2, born=1987)),
        (
            "van der Bedacht, Jop", 0,
            Application(rating=1650.5, born=1990, games=40, peak=1700.0, standard=1688.0),
        ),
        ("'T Hart Sam", read_day("2025-10-12"), Application(unclassified=True)),
        (
            "Ann Alpha", 0,
            Application(league="2e klasse", percentage=65.0, adjustment=-100.0, reason="left-handed, new"),
        ),
    ]  # fmt: skip


@pytest.mark.parametrize(("text", "index"), [("1d", 1), ("2 dan", 2), ("1k", 0), ("12 kyu", -11), ("3P", 7)])
def test_ranks(text: str, index: int) -> None:
    assert read(f"player,rank\nA,{text}\n").sheet.first_ratings[0].application.rank == index


def test_a_row_may_give_no_first_rating() -> None:
    assert read("player,born\nA,2011\n").sheet.first_ratings[0].application == Application(born=2011)


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("A,nan,,,,,,,,,,", ("player-rating-shape", 3)),
        ("A,1e999,,,,,,,,,,", ("player-rating-shape", 3)),
        ("A,inf,,,,,,,,,,", ("player-rating-shape", 3)),
        ("A,100001,,,,,,,,,,", ("player-rating-shape", 3)),
        ('A,"1600,5",,,,,,,,,,', ("player-rating-shape", 3)),
        ("A,,31k,,,,,,,,,", ("player-rank-shape", 4)),
        ("A,,1800,,,,,,,,,", ("player-rank-shape", 4)),
        ("A,,,1e klasse,101,,,,,,,", ("player-percentage-shape", 15)),
        ("A,,,1e klasse,nan,,,,,,,", ("player-percentage-shape", 15)),
        ("A,,,1e klasse,,,,,,,,", ("player-league-half", 5)),
        ("A,,,,50,,,,,,,", ("player-league-half", 6)),
        ("A,1600,5k,,,,,,,,,", ("player-start-ambiguous", 8)),
        ("A,1600,,,,x,,,,,,", ("player-rating-shape", 11)),
        ("A,1600,,,,,,87,,,,", ("player-birth-shape", 13)),
        ("A,1600,,,,,,2027,,,,", ("player-birth-shape", 13)),
        ("A,1600,,,,,,1987-02-30,,,,", ("player-birth-shape", 13)),
        ("A,1600,,,,,,,-3,,,", ("number-shape", 14)),
        ("A,1600,,,,,,,1000001,,,", ("number-shape", 14)),
        ("A,1600,,,,,,,,x,,", ("player-rating-shape", 15)),
        ("A,1600,,,,,,,,,x,", ("player-rating-shape", 16)),
        ("A,1600,,,,,,,,,,1-1-2025", ("date-unreadable", 17)),
        ("A,1600,,,,,,,,,,2027-01-01", ("date-future", 17)),
        (",1600,,,,,,,,,,", ("player-name-missing", 1)),
        ("Z,1600,,,,,,,,,,", ("player-duplicate", 1)),
        (f"A,1600,,,,,{'x' * 1001},,,,,", ("cell-too-long", 12)),
    ],
)
def test_a_wrong_cell_refuses_players(row: str, expected: tuple[str, int]) -> None:
    code, column = expected
    assert refused(ENTRY + "Z,1500,,,,,,,,,,\n" + row + "\n", "players.csv") == [(code, 3, column)]


def test_names_that_nearly_agree() -> None:
    assert found(read("player,rating\nÉva,1500\neva,1600\n").problems) == [("player-similar-name", 3, 1)]


def test_corrections() -> None:
    reading = read((FILES / "corrections.csv").read_bytes(), file="corrections.csv")
    assert reading.format == "corrections.csv"
    assert [(c.player, c.day, c.rating, c.reason) for c in reading.sheet.corrections] == [
        ("Verzonnen Noor", read_day("2025-10-01"), 210.25, "committee, see minutes"),
        ("Okabe Ren", read_day("2025-10-13"), -150.0, ""),
    ]


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (",A,1500,", ("date-missing", 1)),
        ("2025-01-01,,1500,", ("player-name-missing", 12)),
        ("2025-01-01,A,,", ("player-rating-shape", 14)),
        ("2025-01-01,A,nan,", ("player-rating-shape", 14)),
        ("2025-01-02,Z,1501,", ("correction-duplicate", 12)),
    ],
)
def test_a_wrong_cell_refuses_corrections(row: str, expected: tuple[str, int]) -> None:
    data = f"date,player,rating,reason\n2025-01-02,Z,1500,\n{row}\n"
    assert refused(data, "corrections.csv") == [(expected[0], 3, expected[1])]


def test_the_files_together() -> None:
    games = read((FILES / "games.csv").read_bytes(), file="games.csv")
    players = read((FILES / "players.csv").read_bytes(), file="players.csv")
    corrections = read(
        "date,player,rating\n2025-01-01,Okabe Ren,5\n2025-01-01,Ann Alpha,5\n2025-01-01,Nobody,5\n",
        "corrections.csv",
    )
    problems = flat.together(games, players, corrections)
    # 't Hart is written 'T Hart in players.csv; Ann Alpha stands there, Nobody nowhere
    assert [(p.file, *place) for p, place in zip(problems, found(problems), strict=True)] == [
        ("players.csv", "player-similar-name", 4, 1),
        ("f", "correction-player-unknown", 4, 1),
    ]
    assert "''t Hart Sam' in games.csv" in problems[0].message
