"""Everything a file can get wrong: one clear line with its place, exit status 1, and nothing written."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

HEAD = "date,event,class,player1,player2,result,handicap,size,best_of\n"
MEMBERS = "player,rating\nAda,1800\nBen,1650\n"
TOMORROW = datetime.datetime.now(tz=datetime.UTC).date() + datetime.timedelta(days=2)
GO_MEMBERS = "player,rank\nAda,2d\nBen,1d\n"

ELO, GO, TT, FIDE = "elo-normal", "belgian-go", "us-table-tennis", "fide-standard"
# name: (ruleset, rows of games.csv, players.csv, place in games.csv or elsewhere, code)
CASES = {
    "date that is none": (ELO, "2024-02-30,,,Ada,Ben,1-0,,,", MEMBERS, "2:1", "date-unreadable"),
    "date in words": (ELO, "3 May 2024,,,Ada,Ben,1-0,,,", MEMBERS, "2:1", "date-unreadable"),
    "no date": (ELO, ",,,Ada,Ben,1-0,,,", MEMBERS, "2:1", "date-missing"),
    "future": (ELO, f"{TOMORROW},,,Ada,Ben,1-0,,,", MEMBERS, "2:1", "date-future"),
    "before the rules": (GO, "2000-05-01,Cup,A,Ada,Ben,1-0,,,", GO_MEMBERS, "2:1", "date-before-ruleset"),
    "result": (ELO, "2024-05-01,,,Ada,Ben,won,,,", MEMBERS, "2:22", "result-unreadable"),
    "sets that end no match": (TT, "2024-05-01,,,Ada,Ben,2-2,,,", MEMBERS, "2:22", "set-illegal"),
    "sets that the rules do not know": (TT, "2024-05-01,,,Ada,Ben,4-1,,,", MEMBERS, "2:22", "set-illegal"),
    "sets, not games": (ELO, "2024-05-01,,,Ada,Ben,3-1,,,", MEMBERS, "2:22", "result-not-in-ruleset"),
    "a game, not sets": (TT, "2024-05-01,,,Ada,Ben,1/2-1/2,,,", MEMBERS, "2:22", "result-not-in-ruleset"),
    "class": (GO, "2024-05-01,Cup,E,Ada,Ben,1-0,,,", GO_MEMBERS, "2:16", "class-unknown"),
    "mixed classes": (
        GO, "2024-05-01,Cup,A,Ada,Ben,1-0,,,\n2024-05-01,Cup,B,Ada,Ben,1-0,,,", GO_MEMBERS,
        "3:16", "event-class-mixed",
    ),
    "size": (GO, "2024-05-01,Cup,A,Ada,Ben,1-0,,7,", GO_MEMBERS, "2:31", "size-unknown"),
    "size in words": (GO, "2024-05-01,Cup,A,Ada,Ben,1-0,,big,", GO_MEMBERS, "2:31", "size-shape"),
    "ten stones": (GO, "2024-05-01,Cup,A,Ada,Ben,1-0,10,,", GO_MEMBERS, "2:30", "handicap-shape"),
    "stones in chess": (FIDE, "2024-05-01,,,Ada,Ben,1-0,2,,", MEMBERS, "2:26", "handicap-unknown"),
    "against oneself": (ELO, "2024-05-01,,,Ada,Ada,1-0,,,", MEMBERS, "2:18", "game-self"),
    "cells missing": (ELO, "2024-05-01,,,Ada,Ben,1-0", MEMBERS, "2:25", "table-row-short"),
    "rating nan": (
        ELO, "2024-05-01,,,Ada,Ben,1-0,,,", "player,rating\nAda,nan\nBen,1650\n", "players.csv:2:5",
        "player-rating-shape",
    ),
    "rating 1e999": (
        ELO, "2024-05-01,,,Ada,Ben,1-0,,,", "player,rating\nAda,1e999\nBen,1650\n", "players.csv:2:5",
        "player-rating-shape",
    ),
    "no first rating": (
        ELO, "2024-05-01,,,Ada,Ben,1-0,,,", "player,rating\nAda,1800\n", "2:1", "player-no-first-rating",
    ),
    "no rank": (
        GO, "2024-05-01,Cup,A,Ada,Ben,1-0,,,", "player,rank\nAda,2d\n", "2:1", "player-no-first-rating",
    ),
    "rank and NC": (
        GO, "2024-05-01,Cup,A,Ada,Ben,1-0,,,", "player,rank,rating\nAda,NC,100\nBen,1d,\n",
        "players.csv:2:5", "player-start-ambiguous",
    ),
    "league of another ladder": (
        TT, "2024-05-01,,,Ada,Ben,3-1,,,",
        "player,league,percentage\nAda,Bundesliga,50\nBen,2e klasse,50\n", "arpad", "league-unknown",
    ),
}  # fmt: skip


def untouched(folder: Path) -> bool:
    return not (folder / "lists").exists() and not list(folder.glob("*.part"))


@pytest.mark.parametrize("case", CASES)
def test_refused(arpad, folder: Path, case: str) -> None:
    ruleset, rows, members, place, code = CASES[case]
    (folder / "games.csv").write_text(f"{HEAD}{rows}\n", "utf-8")
    (folder / "players.csv").write_text(members, "utf-8")
    done = arpad("rate", "games.csv", "--ruleset", ruleset, "--players", "players.csv", "--out", "lists")
    assert (done.status, done.out) == (1, "")
    lines = done.err.splitlines()
    matching = [line for line in lines if f": {code}: " in line]
    assert matching, done.err
    where = f"games.csv:{place}" if place[0].isdigit() else place
    assert matching[0].startswith(f"{where}: {code}: "), done.err
    assert matching[0].count(". ") >= 1, "a sentence, and what to do"
    assert untouched(folder)


def test_a_player_without_first_rating_is_named_with_what_to_add(arpad, folder: Path) -> None:
    (folder / "games.csv").write_text("date,player1,player2,result\n2024-05-01,Ada,Ben,1-0\n", "utf-8")
    done = arpad("rate", "games.csv", "--ruleset", "elo-normal", "--out", "lists")
    what = "has no first rating. Add a row with a rating to players.csv."
    assert done.err.splitlines() == [
        f"games.csv:2:1: player-no-first-rating: Ada {what}",
        f"games.csv:2:1: player-no-first-rating: Ben {what}",
    ]


def test_all_problems_are_told_at_once(arpad, folder: Path) -> None:
    rows = "2024-02-30,,,Ada,Ben,1-0,,,\n2024-05-01,,,Ada,Ada,won,,,\n"
    (folder / "games.csv").write_text(HEAD + rows, "utf-8")
    (folder / "players.csv").write_text("player,rating\nAda,nan\n", "utf-8")
    done = arpad("rate", "games.csv", "--ruleset", "elo-normal", "--players", "players.csv", "--out", "lists")
    assert done.status == 1
    assert [line.split(": ")[:2] for line in done.err.splitlines()] == [
        ["games.csv:2:1", "date-unreadable"],
        ["games.csv:3:18", "game-self"],
        ["games.csv:3:22", "result-unreadable"],
        ["players.csv:2:5", "player-rating-shape"],
    ]


WRONG_FILES = {
    "missing": (None, "file-unreadable"),
    "empty": (b"", "file-empty"),
    "blank": (b" \r\n\n", "file-empty"),
    "utf-16": ("date,player1,player2,result\n".encode("utf-16"), "text-utf16"),
    "binary": (b"date,player1\x00,player2,result\n", "file-binary"),
    "half a spreadsheet": (b"PK\x03\x04rest", "file-truncated"),
    "unknown": (b"hello\n", "file-unknown-format"),
    "no column": (b"date,player1,result\n2024-05-01,Ada,1-0\n", "table-column-missing"),
    "no rows": (b"date,player1,player2,result\n", "table-no-rows"),
    "first ratings": (b"player,rank\nAda,2d\n", "file-no-games"),
}


@pytest.mark.parametrize("command", ["rate", "explain", "convert", "check"])
@pytest.mark.parametrize("case", WRONG_FILES)
def test_files_that_are_none(arpad, folder: Path, command: str, case: str) -> None:
    content, code = WRONG_FILES[case]
    (folder / "games.csv").unlink()
    if content is not None:
        (folder / "games.csv").write_bytes(content)
    options: dict[str, tuple[str, ...]] = {
        "rate": ("--ruleset", "elo-normal", "--out", "lists"),
        "explain": ("--ruleset", "elo-normal", "--player", "Ada", "--plot", "lists/curve.svg"),
        "convert": ("--to", "lists/games.csv"),
        "check": (),
    }
    if case == "first ratings" and command in ("convert", "check"):
        pytest.skip("first ratings may be checked and converted")
    done = arpad(command, "games.csv", *options[command])
    assert done.status == 1
    assert f": {code}: " in done.err
    assert done.err.startswith("games.csv")
    assert untouched(folder)


@pytest.mark.parametrize("option", ["games", "--players", "--corrections"])
def test_a_folder_is_no_file(arpad, folder: Path, option: str) -> None:
    (folder / "inside").mkdir()
    files = ("inside",) if option == "games" else ("games.csv", option, "inside")
    done = arpad("rate", *files, "--ruleset", "us-table-tennis", "--out", "lists")
    assert (done.status, done.out) == (1, "")
    assert done.err.startswith("inside")
    assert "file-unreadable" in done.err
    assert untouched(folder)


OPTIONS = {
    "unknown ruleset": (("--ruleset", "us-table-tenis"), "ruleset-unknown", "Nearest: us-table-tennis"),
    "ruleset that is a path": (("--ruleset", "../x"), "ruleset-unknown", "Nearest"),
    "part of a ruleset": (("--ruleset", "parts"), "ruleset-unknown", "Nearest"),
    "unknown parameter": (
        ("--ruleset", "us-table-tennis", "--set", "caap=1"),
        "parameter-unknown",
        "Nearest: cap",
    ),
    "a value in words": (("--ruleset", "us-table-tennis", "--set", "k=much"), "parameter-value", "number"),
    "a value of nan": (("--ruleset", "us-table-tennis", "--set", "k=nan"), "parameter-value", "number"),
    "a value of 1e999": (("--ruleset", "us-table-tennis", "--set", "k=1e999"), "parameter-value", "number"),
    "half a K": (("--ruleset", "us-table-tennis", "--set", "k=0.5"), "parameter-value", "whole number"),
    "a day that is none": (
        ("--ruleset", "us-table-tennis", "--set", "k=1@2024-13-01"),
        "date-unreadable",
        "2024-13",
    ),
    "until no day": (
        ("--ruleset", "us-table-tennis", "--until", "2024-02-30"),
        "date-unreadable",
        "2024-02-30",
    ),
}


@pytest.mark.parametrize("case", OPTIONS)
def test_options_that_are_refused(arpad, folder: Path, case: str) -> None:
    options, code, words = OPTIONS[case]
    done = arpad("rate", "games.csv", "--players", "players.csv", *options, "--out", "lists")
    assert (done.status, done.out) == (1, "")
    assert done.err.startswith(f"arpad: {code}: ")
    assert words in done.err
    assert untouched(folder)


CORRECTIONS = {
    "rating nan": ("2025-09-10,Ilse Vermeer,nan,x", "corrections.csv:2:25", "player-rating-shape"),
    "unknown player": ("2025-09-10,Nobody,1500,x", "corrections.csv:2:1", "correction-player-unknown"),
    "future": (f"{TOMORROW},Ilse Vermeer,1500,x", "corrections.csv:2:1", "date-future"),
}


@pytest.mark.parametrize("case", CORRECTIONS)
def test_corrections_that_are_refused(arpad, folder: Path, case: str) -> None:
    row, place, code = CORRECTIONS[case]
    (folder / "corrections.csv").write_text(f"date,player,rating,reason\n{row}\n", "utf-8")
    options = ("--players", "players.csv", "--corrections", "corrections.csv", "--out", "lists")
    done = arpad("rate", "games.csv", "--ruleset", "us-table-tennis", *options)
    assert (done.status, done.out) == (1, "")
    assert f"{place}: {code}: " in done.err
    assert untouched(folder)


USAGE = (
    (),
    ("rate",),
    ("rate", "games.csv", "--out", "lists"),
    ("rate", "games.csv", "--ruleset", "us-table-tennis"),
    ("rate", "games.csv", "--ruleset", "us-table-tennis", "--out", "lists", "--fast"),
    ("rate", "games.csv", "--ruleset", "us-table-tennis", "--out", "lists", "--set", "k"),
    ("rate", "games.csv", "--ruleset", "us-table-tennis", "--out", "lists", "--format", "pdf"),
    ("explain", "games.csv", "--ruleset", "us-table-tennis", "--player", "Ilse Vermeer", "--round", "two"),
    ("check",),
    ("convert", "games.csv"),
    ("rat", "games.csv"),
)


@pytest.mark.parametrize("arguments", USAGE, ids=" ".join)
def test_wrong_usage(arpad, folder: Path, arguments: tuple[str, ...]) -> None:
    assert arpad(*arguments).status == 2
    assert untouched(folder)
