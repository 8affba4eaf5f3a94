"""`arpad convert`: what was read stands in the flat file, and reads back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

GAMES = """\
date,event,start,class,round,player1,player2,result
2025-03-02,Spring Tournament,2025-03-01,A,1,Vermeer Ilse,Okonkwo Daniel,1-0
2025-03-02,Spring Tournament,2025-03-01,A,1,Lindqvist Maja,Moreau Paul,1-0
2025-03-02,Spring Tournament,2025-03-01,A,2,Lindqvist Maja,Vermeer Ilse,0-1
2025-03-02,Spring Tournament,2025-03-01,A,2,Okonkwo Daniel,Moreau Paul,+--
"""
PLAYERS = """\
player,rating,rank,date
Vermeer Ilse,,2d,2025-03-01
Okonkwo Daniel,,1d,2025-03-01
Lindqvist Maja,,3k,2025-03-01
Moreau Paul,,5k,2025-03-01
"""


def test_a_tournament_table(arpad, folder: Path) -> None:
    done = arpad("convert", "spring.h9", "--to", "flat/games.csv")
    assert (done.status, done.err) == (0, "")
    assert done.out == "wrote flat/games.csv: 4 rows\nwrote flat/players.csv: 4 first ratings\n"
    assert (folder / "flat" / "games.csv").read_text("utf-8") == GAMES
    assert (folder / "flat" / "players.csv").read_text("utf-8") == PLAYERS


def test_what_was_converted_rates_the_same(arpad, folder: Path) -> None:
    arpad("convert", "spring.h9", "--to", "flat/games.csv")
    options = ("--ruleset", "belgian-go", "--out")
    assert arpad("rate", "spring.h9", *options, "a").status == 0
    assert arpad("rate", "flat/games.csv", "--players", "flat/players.csv", *options, "b").status == 0
    assert (folder / "a" / "ratings.csv").read_bytes() == (folder / "b" / "ratings.csv").read_bytes()


def test_a_players_file_that_is_there_is_not_lost(arpad, folder: Path) -> None:
    before = (folder / "players.csv").read_bytes()
    done = arpad("convert", "spring.h9", "--to", "new.csv")
    assert (done.status, done.out) == (1, "")
    assert "output-exists: players.csv is there already" in done.err
    assert not (folder / "new.csv").exists()
    assert (folder / "players.csv").read_bytes() == before
    assert arpad("convert", "spring.h9", "--to", "new.csv", "--force").status == 0
    assert (folder / "players.csv").read_text("utf-8") == PLAYERS
    assert arpad("convert", "spring.h9", "--to", "new.csv").status == 0  # equal content is no loss


def test_to_an_egd_table_and_back(arpad, folder: Path) -> None:
    assert arpad("convert", "spring.h9", "--to", "again.h9").status == 0
    assert arpad("convert", "again.h9", "--to", "flat/games.csv").status == 0
    assert (folder / "flat" / "games.csv").read_text("utf-8") == GAMES


def test_an_egd_table_holds_one_event(arpad, folder: Path) -> None:
    done = arpad("convert", "games.csv", "--to", "club.h9")
    assert done.status == 1
    assert "file-two-in-one" in done.err
    assert not (folder / "club.h9").exists()


def test_players_alone(arpad, folder: Path) -> None:
    assert arpad("convert", "players.csv", "--to", "members.csv").status == 0
    assert (folder / "members.csv").read_text("utf-8").splitlines()[0] == "player,rating,league,percentage"


def test_as_json(arpad) -> None:
    data = json.loads(arpad("convert", "spring.h9", "--to", "flat/games.csv", "--format", "json").out)
    assert data == [
        {"file": "flat/games.csv", "holds": "row", "rows": 4},
        {"file": "flat/players.csv", "holds": "first rating", "rows": 4},
    ]


def test_a_file_that_is_not_read(arpad, folder: Path) -> None:
    (folder / "odd.txt").write_text("hello\n", "utf-8")
    done = arpad("convert", "odd.txt", "--to", "flat/games.csv")
    assert (done.status, done.out) == (1, "")
    assert "file-unknown-format" in done.err
    assert not (folder / "flat").exists()


def test_a_table_for_the_european_database(arpad, folder: Path) -> None:
    done = arpad("convert", "spring.h9", "--to", "out.h9", "--for-egd")
    assert done.status == 0
    assert "egd-forfeit-lost: Round 2, Okonkwo Daniel - Moreau Paul" in done.err
    written = (folder / "out.h9").read_text("utf-8")
    assert "; PC[BE,Ghent]" in written  # the heading of the table stays
    assert "!" not in written
    own = arpad("convert", "spring.h9", "--to", "own.h9")
    assert (own.status, own.err) == (0, "")
    assert "!" in (folder / "own.h9").read_text("utf-8")


@pytest.mark.parametrize(
    ("to", "code"), [("spring.h9", "output-exists"), ("a.xlsx", "output-form"), ("games", "output-form")]
)
def test_no_source_is_lost_and_no_ending_deceives(arpad, folder: Path, to: str, code: str) -> None:
    before = (folder / "spring.h9").read_bytes()
    done = arpad("convert", "spring.h9", "--to", to)
    assert done.status == 1 and code in done.err
    assert (folder / "spring.h9").read_bytes() == before
    assert not [path for path in folder.iterdir() if path.name in ("a.xlsx", "games")]
