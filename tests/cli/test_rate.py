"""`arpad rate`: the club's evening by hand, a tournament table, and everything the options change."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from arpad.cli.say import Progress

CLUB = ("rate", "games.csv", "--ruleset", "us-table-tennis", "--players", "players.csv", "--out", "lists")
# By hand: 1800 - 1650 is expected at 70 %, 3-2 is 60 %: (60 - 70) x 50 / 100 = -5; 1675 - 1600: 60 %, 3-0 is
# 100 %: +20; 1795 - 1695: 64 %, 1-3 is 25 %: -19.50; the forfeit counts for nobody.
LIST = """\
player,rating,label,games,last_played
Daniel Okonkwo,1775.50,1776,2,2025-09-12
Ilse Vermeer,1714.50,1715,2,2025-09-12
Maja Lindqvist,1655.00,1655,1,2025-09-05
Paul Moreau,1580.00,1580,1,2025-09-05
"""
HISTORY = """\
kind,period,date,event,round,player,opponent,result,rated,reason,opening,before,expected,k,change,after
entry,,,,,Daniel Okonkwo,,,,,,,,,1800.00,1800.00
entry,,,,,Ilse Vermeer,,,,,,,,,1675.00,1675.00
entry,,,,,Maja Lindqvist,,,,,,,,,1650.00,1650.00
entry,,,,,Paul Moreau,,,,,,,,,1600.00,1600.00
game,2025-09-05/1,2025-09-05,,,Daniel Okonkwo,Maja Lindqvist,3-2,1,,1800.00,1800.00,0.700000,50,-5.00,1795.00
game,2025-09-05/1,2025-09-05,,,Maja Lindqvist,Daniel Okonkwo,2-3,1,,1650.00,1650.00,0.300000,50,5.00,1655.00
game,2025-09-05/2,2025-09-05,,,Ilse Vermeer,Paul Moreau,3-0,1,,1675.00,1675.00,0.600000,50,20.00,1695.00
game,2025-09-05/2,2025-09-05,,,Paul Moreau,Ilse Vermeer,0-3,1,,1600.00,1600.00,0.400000,50,-20.00,1580.00
game,2025-09-12/1,2025-09-12,,,Daniel Okonkwo,Ilse Vermeer,1-3,1,,1795.00,1795.00,0.640000,50,-19.50,1775.50
game,2025-09-12/1,2025-09-12,,,Ilse Vermeer,Daniel Okonkwo,3-1,1,,1695.00,1695.00,0.360000,50,19.50,1714.50
game,2025-09-12/2,2025-09-12,,,Maja Lindqvist,Paul Moreau,+--,0,forfeit,1655.00,1655.00,,,0.00,1655.00
game,2025-09-12/2,2025-09-12,,,Paul Moreau,Maja Lindqvist,--+,0,forfeit,1580.00,1580.00,,,0.00,1580.00
"""


def ratings(folder: Path, name: str = "lists") -> dict[str, str]:
    with (folder / name / "ratings.csv").open(encoding="utf-8", newline="") as file:
        return {row["player"]: row["rating"] for row in csv.DictReader(file)}


def test_the_club(arpad, folder: Path) -> None:
    done = arpad(*CLUB)
    assert (done.status, done.err) == (0, "")
    assert (folder / "lists" / "ratings.csv").read_text("utf-8") == LIST
    assert (folder / "lists" / "history.csv").read_text("utf-8") == HISTORY
    assert done.out.splitlines()[:2] == [
        "4 players, 4 games: 3 rated, 1 not rated (forfeit 1)",
        "wrote lists/ratings.csv and lists/history.csv",
    ]
    assert done.out.splitlines()[4] == "    1  Daniel Okonkwo  1775.50  1776       2  2025-09-12"
    assert sorted(path.name for path in (folder / "lists").iterdir()) == ["history.csv", "ratings.csv"]


def test_the_list_as_csv(arpad) -> None:
    assert arpad(*CLUB, "--format", "csv").out == LIST


def test_the_list_as_json(arpad) -> None:
    data = json.loads(arpad(*CLUB, "--format", "json").out)
    assert data["unrated"] == {"forfeit": 1}
    assert (data["players"], data["games"], data["rated"]) == (4, 4, 3)
    first = {
        "player": "Daniel Okonkwo",
        "rating": 1775.5,
        "label": "1776",
        "games": 2,
        "last_played": "2025-09-12",
    }
    assert data["ratings"][0] == first


def test_a_tournament_table(arpad, folder: Path) -> None:
    """Grades are first ratings; two days of one event; the forfeit of round 2 is not rated."""
    done = arpad("rate", "spring.h9", "--ruleset", "belgian-go", "--out", "go")
    assert (done.status, done.err) == (0, "")
    assert "4 players, 4 games: 3 rated, 1 not rated (forfeit 1)" in done.out
    with (folder / "go" / "history.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["player"] == "Vermeer Ilse"]
    # 2 dan enters at 150; con there is 21 and class A weighs 1.2
    entered = ("entry", "2025-03-01", "2025-03-01", "", "", "150.00")
    keys = ("kind", "period", "date", "result", "k", "after")
    assert tuple(rows[0][key] for key in keys) == entered
    assert {(row["kind"], row["period"], row["date"], row["k"]) for row in rows[1:]} == {
        ("game", "2025-03-02/1", "2025-03-02", "21")
    }
    assert {row["opening"] for row in rows[1:]} == {"150.00"}


def test_an_unrated_player_has_an_empty_rating_and_comes_last(arpad, folder: Path) -> None:
    (folder / "chess.csv").write_text("date,white,black,result\n2025-03-01,Abe,Zoe,1-0\n", "utf-8")
    (folder / "members.csv").write_text("player,rating,date\nZoe,1800,2025-01-01\n", "utf-8")
    options = ("--ruleset", "fide-standard", "--players", "members.csv", "--out", "lists")
    assert arpad("rate", "chess.csv", *options).status == 0
    assert (folder / "lists" / "ratings.csv").read_text("utf-8").splitlines()[1:] == [
        "Zoe,1800.00,1800,0,",
        "Abe,,unrated,0,",
    ]


def test_until(arpad, folder: Path) -> None:
    assert arpad(*CLUB, "--until", "2025-09-11").status == 0
    assert ratings(folder)["Daniel Okonkwo"] == "1795.00"


@pytest.mark.parametrize(
    ("settings", "daniel"),
    [
        (["k=40"], "1780.40"),  # -10 x 0.4 = -4; 1796 - 1691: 64 %, (25 - 64) x 0.4 = -15.60
        (["k=40@2025-09-12"], "1779.40"),  # -5; 1795 - 1695: (25 - 64) x 0.4 = -15.60
        (["k=40@2025-09-13"], "1775.50"),
        (["k=30", "k=40@2025-09-12"], "1781.00"),  # -3; 1797 - 1687: 65 %, (25 - 65) x 0.4 = -16
    ],
)
def test_a_clubs_own_parameter(arpad, folder: Path, settings: list[str], daniel: str) -> None:
    options = [part for text in settings for part in ("--set", text)]
    assert arpad(*CLUB, *options).status == 0
    assert ratings(folder)["Daniel Okonkwo"] == daniel


def test_a_correction(arpad, folder: Path) -> None:
    text = "date,player,rating,reason\n2025-09-10,Ilse Vermeer,1650,decision 4\n"
    (folder / "corrections.csv").write_text(text, "utf-8")
    assert arpad(*CLUB, "--corrections", "corrections.csv").status == 0
    # 1795 - 1650 = 145: 69 %, (25 - 69) x 0.5 = -22
    assert ratings(folder)["Daniel Okonkwo"] == "1773.00"
    row = "correction,2025-09-10,2025-09-10,,,Ilse Vermeer,,,,decision 4,1695.00,,,,-45.00,1650.00"
    assert row in (folder / "lists" / "history.csv").read_text("utf-8").splitlines()


def test_several_files_in_any_order(arpad, folder: Path) -> None:
    header, *rows = (folder / "games.csv").read_text("utf-8").splitlines()
    (folder / "first.csv").write_text("\n".join([header, *rows[:2], ""]), "utf-8")
    (folder / "second.csv").write_text("\n".join([header, *rows[2:], ""]), "utf-8")
    options = (*CLUB[2:-1],)
    assert arpad("rate", "first.csv", "second.csv", *options, "a").status == 0
    assert arpad("rate", "second.csv", "first.csv", *options, "b").status == 0
    assert ratings(folder, "a") == ratings(folder, "b")
    assert ratings(folder, "a")["Daniel Okonkwo"] == "1775.50"


def test_the_same_file_twice_is_taken_once(arpad, folder: Path) -> None:
    done = arpad("rate", "games.csv", *CLUB[1:])
    assert done.status == 0
    assert "games.csv: file-repeat: " in done.err
    assert "4 games" in done.out


def test_held_games_are_left_out_unless_strict(arpad, folder: Path) -> None:
    """Both rows of round 1 say that they won."""
    text = (folder / "spring.h9").read_text("utf-8").replace("1-/b0", "1+/b0")
    (folder / "spring.h9").write_text(text, "utf-8")
    options = ("rate", "spring.h9", "--ruleset", "belgian-go", "--out", "go")
    done = arpad(*options, "--strict")
    assert done.status == 1
    assert "spring.h9:5:" in done.err
    assert "game-contradiction" in done.err
    assert not (folder / "go").exists()
    done = arpad(*options)
    assert done.status == 0
    assert "game-contradiction" in done.err
    assert "3 games: 2 rated" in done.out


def test_warnings_of_the_rules_are_said(arpad, folder: Path) -> None:
    (folder / "go.csv").write_text("date,event,player1,player2,result\n2025-03-01,Cup,A,B,1-0\n", "utf-8")
    (folder / "members.csv").write_text("player,rank\nA,5k\nB,4k\n", "utf-8")
    options = ("--ruleset", "belgian-go", "--players", "members.csv", "--out", "lists")
    done = arpad("rate", "go.csv", *options)
    assert done.status == 0
    assert "go.csv:2:1: event-class-missing: 'Cup' of 2025-03-01 has no class; taken as B." in done.err


def test_names_that_differ_in_case_only_are_told(arpad, folder: Path) -> None:
    with (folder / "games.csv").open("a", encoding="utf-8") as file:
        file.write("2025-09-19,DANIEL OKONKWO,Paul Moreau,3-0\n")
    with (folder / "players.csv").open("a", encoding="utf-8") as file:
        file.write("DANIEL OKONKWO,,,1700\n")
    done = arpad(*CLUB)
    assert done.status == 0
    assert "games.csv:6:1: player-similar-name: " in done.err


class Terminal:
    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> None:
        self.text += text

    def flush(self) -> None: ...

    def isatty(self) -> bool:
        return True


def test_progress_appears_after_a_second_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal, now = Terminal(), [0.0]
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    with Progress("rating") as progress:
        progress(1, 4)
        assert terminal.text == ""
        now[0] = 1.5
        progress(2, 4)
        assert "rating [" + "#" * 15 + "." * 15 + "] 2 of 4 games" in terminal.text
    assert terminal.text.endswith("\r\x1b[K")


def test_no_progress_where_nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(terminal, "isatty", lambda: False)
    monkeypatch.setattr("sys.stderr", terminal)
    with Progress("rating") as progress:
        progress.start -= 10
        progress(2, 4)
    assert terminal.text == ""


@pytest.mark.parametrize(
    ("ruleset", "setting"),
    [("elo-logistic", "scale=0"), ("elo-logistic", "k=1e12"), ("belgian-go", "rank_width=0")],
)
def test_parameters_with_which_nothing_can_be_computed(
    arpad, folder: Path, ruleset: str, setting: str
) -> None:
    (folder / "g.csv").write_text("date,player1,player2,result\n2025-01-01,Ada,Ben,1-0\n")
    (folder / "p.csv").write_text("player,rating\nAda,0\nBen,100\n")
    done = arpad(
        "rate", "g.csv", "--ruleset", ruleset, "--players", "p.csv", "--set", setting, "--out", "new"
    )
    assert (done.status, done.out) == (1, "")
    assert done.err.split(": ")[1] in ("parameter-value", "rating-range")
    assert not (folder / "new").exists()


def test_a_parameter_set_twice_for_one_day(arpad, folder: Path) -> None:
    club = ("rate", "games.csv", "--ruleset", "us-table-tennis", "--players", "players.csv", "--out", "new")
    done = arpad(*club, "--set", "k=60@2025-09-06", "--set", "k=40@2025-09-06")
    assert done.status == 1
    assert done.err.startswith("arpad: parameter-value: k is set to 60 and to 40 from the same day on.")
    assert not (folder / "new").exists()
    assert arpad(*club, "--set", "k=40", "--set", "k=40", "--set", "k=60@2025-09-06").status == 0


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no such device")
def test_a_device_without_end(arpad) -> None:
    done = arpad("rate", "/dev/zero", "--ruleset", "elo-normal", "--out", "new")
    assert done.status == 1
    assert done.err.startswith("/dev/zero:1:1: file-binary: ")
