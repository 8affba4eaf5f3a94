"""What the demonstration promises is in its files, counted without Arpad's readers."""

from __future__ import annotations

import csv
import datetime
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import make_demo
from arpad.demo import DEMOS
from arpad.ledger.ledger import fold

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "arpad" / "demo"
NAMES = [demo.name for demo in DEMOS]


def rows(name: str, file: str) -> list[dict[str, str]]:
    path = FOLDER / name / file
    return list(csv.DictReader(path.read_text("utf-8").splitlines())) if path.is_file() else []


def games(name: str) -> list[dict[str, str]]:
    """Rows of both files that have two players."""
    both = rows(name, "games.csv") + rows(name, "games-late.csv")
    return [row for row in both if row["player2"]]


def test_the_generator_makes_the_same_bytes() -> None:
    made = make_demo.contents()
    there = {f"{p.parent.name}/{p.name}": p.read_bytes() for p in FOLDER.glob("*/*.csv")}
    assert made.keys() == there.keys()
    assert [name for name in made if made[name] != there[name]] == []


def test_the_generator_does_not_depend_on_the_order_of_sets() -> None:
    command = [sys.executable, str(ROOT / "tools" / "make_demo.py"), "--check"]
    for seed in ("1", "2"):
        done = subprocess.run(
            command, env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stdout) == (0, "demo: 0 files\n"), done.stderr


@pytest.mark.parametrize("name", NAMES)
def test_names_are_unique_and_everybody_is_registered(name: str) -> None:
    players = [row["player"] for row in rows(name, "players.csv")]
    assert len({fold(player) for player in players}) == len(players)
    assert len({player.split(maxsplit=1)[1] for player in players}) == len(players)
    assert {row[side] for row in games(name) for side in ("player1", "player2")} <= set(players)
    assert all(row["player1"] != row["player2"] for row in games(name))


@pytest.mark.parametrize("name", NAMES)
def test_nobody_sits_at_two_boards(name: str) -> None:
    seats = Counter(
        (row["date"], row["event"], row["round"], row[side])
        for row in games(name) for side in ("player1", "player2") if row.get("class") != "D" and row["event"]
    )  # fmt: skip
    assert [seat for seat, count in seats.items() if count > 1] == []


def test_names_of_many_kinds() -> None:
    names = " ".join(row["player"] for name in NAMES for row in rows(name, "players.csv"))
    for part in (
        "'t Hooft",
        "D’Hondt",
        "van den Berg",
        "De Smet",
        "Müller",
        "Özdemir",
        "O’Brien",
        "Nguyen",
        "Yıldız",
    ):
        assert part in names


@pytest.mark.parametrize("name", NAMES)
def test_the_late_sheet_is_one_event_in_the_middle(name: str) -> None:
    late = rows(name, "games-late.csv")
    (event,) = {row["event"] for row in late}
    assert event not in {row["event"] for row in rows(name, "games.csv")}
    days = sorted(row["date"] for row in rows(name, "games.csv"))
    assert days[len(days) // 10] < late[0]["date"] < days[-len(days) // 10]


# --- one by one -------------------------------------------------------------------------------------


def test_go_federation() -> None:
    all_games = games("go-federation")
    assert len(rows("go-federation", "players.csv")) == 200
    assert len(all_games) == 3000
    days = sorted(row["date"] for row in all_games)
    assert (days[0][:7], days[-1][:7]) == ("2024-09", "2026-06")
    seasons = Counter(row["date"] > "2025-08-01" for row in all_games)
    assert min(seasons.values()) > 1300
    classes = Counter(row["class"] if row["event"] else "none" for row in all_games)
    assert set(classes) == {"A", "B", "C", "D", "none"}
    assert min(classes.values()) >= 50
    assert {row["class"] for row in all_games if not row["event"]} == {""}
    assert {int(row["handicap"] or 0) for row in all_games} == set(range(10))
    assert {row["size"] for row in all_games} == {"", "9", "13", "19"}
    assert 0 < sum(bool(row["weight"]) for row in all_games) < 50
    results = Counter(row["result"] for row in all_games)
    assert set(results) == {"1-0", "0-1", "1/2-1/2", "+--", "--+", "---"}
    assert results["+--"] + results["--+"] + results["---"] < 60
    (correction,) = rows("go-federation", "corrections.csv")
    assert correction["reason"]


def test_go_first_ratings() -> None:
    players = rows("go-federation", "players.csv")
    kinds = Counter("NC" if p["rank"] == "NC" else "rank" if p["rank"] else "rating" for p in players)
    assert kinds["NC"] == 14
    assert min(kinds.values()) > 10
    assert all(bool(p["rank"]) != bool(p["rating"]) for p in players)
    ranks = {p["rank"] for p in players}
    assert {"25 kyu", "6 dan"} <= ranks


def test_table_tennis_club() -> None:
    players, all_games = rows("table-tennis-club", "players.csv"), games("table-tennis-club")
    assert len(players) == 40
    womens = [p for p in players if p["league"].startswith("dames")]
    assert len(womens) == 8
    assert all(p["percentage"] for p in players if p["league"])
    assert len([p for p in players if p["adjustment"]]) == 2
    assert all(p["reason"] for p in players if p["adjustment"] or p["rating"])
    assert {row["best_of"] for row in all_games} == {"3", "5"}
    assert {datetime.date.fromisoformat(row["date"]).weekday() for row in all_games} == {4}
    results = Counter(row["result"] for row in all_games)
    assert results["+--"] and results["--+"]
    assert sum(count for result, count in results.items() if "ret" in result) == 3


def test_youth_chess_league() -> None:
    players, all_games = rows("youth-chess", "players.csv"), games("youth-chess")
    assert len(players) == 60
    assert all(2008 <= int(p["born"]) <= 2018 for p in players)
    assert sum(not p["rating"] for p in players) == 18
    assert {datetime.date.fromisoformat(row["date"]).weekday() for row in all_games} == {5}
    rounds: dict[str, set[str]] = {}
    for row in all_games:
        rounds.setdefault(row["event"], set()).add(row["round"])
    assert len(rounds) == 13
    assert {len(numbers) for numbers in rounds.values()} == {5, 6, 7}


def test_chess_club() -> None:
    players, all_games = rows("chess-club", "players.csv"), games("chess-club")
    assert len(players) == 30
    assert sum(not p["rating"] for p in players) == 5
    days = sorted(row["date"] for row in all_games)
    assert days[0] < "2024-02-01" < "2024-04-01" < days[-1]


@pytest.mark.parametrize("name", NAMES)
def test_what_the_readme_counts(name: str) -> None:
    text = (FOLDER / name / "README.md").read_text("utf-8")
    players, all_games = rows(name, "players.csv"), games(name)
    (members,) = re.findall(r"(\d+) (?:members|children)", text)
    assert int(members) == len(players)
    counts = {
        "games from": len(all_games),
        "Friday evenings": len({row["date"] for row in all_games}),
        "Saturdays": len({row["date"] for row in all_games}),
        "tournaments from": len({row["event"] for row in all_games}),
        "events and": len({(r["event"], r.get("start")) for r in rows(name, "games.csv") if r["event"]}),
        "games on a sheet": len([row for row in rows(name, "games-late.csv") if row["player2"]]),
        "newcomers": sum(
            not (p.get("rating") or p.get("league") or p.get("rank", "NC") != "NC") for p in players
        ),
    }
    for words, count in counts.items():
        for number in re.findall(rf"(\d+) {words}", text):
            assert (words, int(number)) == (words, count)
    known = {row["player"] for row in players}
    for bullet in re.findall(r"^- ([A-Z][^`]*)", text.partition("Worth a look")[2], re.MULTILINE):
        assert any(player in bullet for player in known) or bullet.startswith("Everybody")
