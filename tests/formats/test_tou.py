"""The French federation's table: a small one by hand, everything it can get wrong, and real ones."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from arpad.formats import registry
from arpad.ledger.sheet import Sheet, SheetPerson
from tests.formats.helpers import FILES, TODAY, found, games, read, refused

CUP = (FILES / "winter-cup.tou").read_bytes().decode("iso8859-15")
ROW = "   4 Okabe Ren                 1D 99A0013 JP      3+w0   0-       1-w0"


def changed(old: str, new: str) -> str:
    assert old in CUP
    return CUP.replace(old, new, 1)


def test_a_table_by_hand() -> None:
    reading = registry.read(FILES / "winter-cup.tou", today=TODAY)
    sheet = reading.sheet
    assert reading.format == "FFG table"
    assert sheet.players == ["Exemple Loïc", "Modèle Ana", "van der Fictief Jan-Wille", "Okabe Ren"]
    cup = ("2026-01-10", "Coupe d'hiver", "2026-01-10")
    assert [game for game in games(sheet) if game.player2] == [
        (*cup, 1, "Exemple Loïc", "Modèle Ana", "1-0", 0),
        (*cup, 1, "Okabe Ren", "van der Fictief Jan-Wille", "1-0", 0),
        (*cup, 2, "Exemple Loïc", "van der Fictief Jan-Wille", "1-0", 4),
        (*cup, 3, "Okabe Ren", "Exemple Loïc", "0-1", 0),
        (*cup, 3, "Modèle Ana", "van der Fictief Jan-Wille", "1-0", 2),
    ]
    assert [(game.player1, game.result) for game in games(sheet) if not game.player2] == [
        ("Modèle Ana", "half"),
        ("Okabe Ren", "zero"),
    ]
    assert sheet.people["Exemple Loïc"] == SheetPerson(
        "Exemple Loïc", (("licence", "0000011"),), club="75Xx", rank="2d", line=12
    )
    assert sheet.people["van der Fictief Jan-Wille"].ids == ()
    assert (sheet.people["Okabe Ren"].federation, sheet.people["Okabe Ren"].club) == ("JP", "")
    assert [entry.application.rank for entry in sheet.first_ratings] == [2, 1, -2, 1]
    assert sheet.events[0].event_class == "A"
    assert found(reading.problems) == [
        ("date-first-only", 2, 1),
        ("event-class-derived", 7, 1),
        ("result-forfeit-unmarked", 12, 1),
        ("text-not-utf8", 12, 16),
        ("player-name-cut", 14, 6),
    ]


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        (";comm=Coupe d'hiver\n", "", None),
        (";comm=Coupe d'hiver", ";comm=", None),
        (";name=hiver\n;date=10/01/2026\n;vill=Lindenhof\n;comm=Coupe d'hiver", ";date=10/01/2026",
         ("event-name-missing", 1, 1)),
        (";ta=80\n", "", ("event-class-missing", 7, 1)),
        (";time=60+b", ";time=long", ("event-class-missing", 7, 1)),
        (";ta=80", ";ta=61", None),
        (";time=60+b\n;ta=80", ";time=20\n", ("event-not-rated", 7, 1)),
        (";size=19", ";size=13", ("event-small-board", 6, 1)),
        ("0000011", "000001 ", ("player-id-shape", 12, 35)),
        ("0000011", "0000000", ("player-id-shape", 12, 35)),
        ("0000012", "0000011", ("player-same-id", 12, 1)),
        ("   4 Okabe", "   3 Okabe", ("egd-place-ignored", 15, 1)),
        ("Okabe Ren", "??? ??   ", ("text-name-lost", 15, 6)),
        ("Okabe Ren   ", "Exemple Loïc", ("player-same-name", 15, 1)),
        ("Okabe Ren ", "Okabe\u200b Ren", ("text-control-char", 15, 6)),
        ("3+w0   0-       1-w0", "3+w0   0-", ("egd-round-count", 15, 51)),
        ("3+w4", "3*w4", ("result-code-unknown", 12, 59)),
        ("3+w4", "3+w0", ("handicap-differs", 12, 59)),
        ("2+w0", "2-w0", ("game-contradiction", 12, 51)),
        ("2+w0", "2+b0", ("colour-same", 12, 51)),
        ("2+w0", "4+w0", ("game-not-mutual", 12, 51)),
        ("2+w0", "2+ww", ("result-code-unknown", 12, 51)),
        ("4-b0", "4?b0", ("game-contradiction", 14, 51)),
    ],
)  # fmt: skip
def test_what_is_told(old: str, new: str, problem: tuple[str, int, int] | None) -> None:
    reading = read(changed(old, new))
    assert problem is None or problem in found(reading.problems)
    assert problem is None or problem not in found(read(CUP).problems)
    assert len(reading.sheet.players) == 4


def test_columns_that_have_moved_are_read_by_words() -> None:
    plain = read(CUP).sheet
    moved = read(CUP.replace("   4 Okabe Ren                 1D", "4 Okabe Ren 1D")).sheet
    assert (moved.players, games(moved)) == (plain.players, games(plain))
    assert moved.people["Okabe Ren"].ids == plain.people["Okabe Ren"].ids


def test_a_forfeit_that_is_marked() -> None:
    reading = read(CUP.replace("2+w0", "2+!w").replace("1-b0", "1-!b", 1))
    assert games(reading.sheet)[0].result == "+--"
    codes = {problem.code for problem in reading.problems}
    assert "result-forfeit-count" in codes
    assert "result-forfeit-unmarked" not in codes


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        (";date=10/01/2026\n", "", ("date-missing", 1, 1)),
        ("10/01/2026", "10/13/2026", ("date-unreadable", 2, 1)),
        ("10/01/2026", "10/01/2036", ("date-future", 2, 1)),
        ("2+w0", "9+w0", ("player-missing", 12, 51)),
        ("2+w0", "1+w0", ("game-self", 12, 51)),
        (" 1D 99A0013", " ?? 99A0013", ("egd-row-unreadable", 15, 1)),
        (";comm=Coupe d'hiver", ";comm=" + "x" * 201, ("cell-too-long", 4, 1)),
        (ROW, f";name=printemps\n{ROW}", ("file-two-in-one", 15, 1)),
    ],
)
def test_what_is_refused(old: str, new: str, problem: tuple[str, int, int]) -> None:
    assert problem in refused(changed(old, new))


def test_no_rows() -> None:
    assert refused(CUP.partition("   1")[0]) == [("player-none", 1, 1), ("event-class-derived", 7, 1)]


@pytest.mark.parametrize(
    ("rounds", "code"), [("", "date-first-only"), ("    0-      0-  ", "date-first-only")]
)
def test_one_day_is_believed_up_to_three_rounds(rounds: str, code: str) -> None:
    data = CUP.replace("1-w0\n", f"1-w0{rounds}\n")
    assert code in {problem.code for problem in read(data).problems}


def test_one_day_of_four_rounds_is_suspect() -> None:
    data = "".join(
        line + ("    0+  " if line[:1] == " " else "") + "\n"
        for line in CUP.replace("0=  ", "0-  ").splitlines()
    )
    data = data.replace("4+b0    0+  ", "4+b0    2+w0").replace("3+w2    0+  ", "3+w2    1-b0")
    assert ("date-suspect", 2, 1) in found(read(data).problems)


# Counted by another reader: players, pairings, played, with stones.
COUNTS = {
    "lv_egc2013.tou": (594, 2259, 2259, 0),
    "lv_Veterans.tou": (14, 35, 35, 0),
    "lv_Frioul.tou": (56, 99, 99, 12),
}


@pytest.mark.parametrize("file", COUNTS)
def test_real_files(samples: Path, file: str) -> None:
    reading = registry.read(samples / "go" / file, today=TODAY)
    sheet = reading.sheet
    played = sum(1 for row in sheet.games if row.player2 >= 0 and sheet.results[row.result].kind == "game")
    stones = sum(1 for row in sheet.games if row.stones)
    assert (len(sheet.players), reading.games, played, stones) == COUNTS[file]
    assert "result-forfeit-unmarked" in {problem.code for problem in reading.problems}
    assert len(set(sheet.players)) == len(sheet.players)


# The table, the same event in another format, and whether that one tells colours.
PAIRS = [
    ("lv_egc2013.tou", "lv_egc2013.h9", True),
    ("lv_egc2013.tou", "og_egc2013.xml", True),
    ("lv_Veterans.tou", "lv_Veterans.h9", False),
    ("lv_Frioul.tou", "pg_frioul-2018.xml", True),
]


def short(name: str) -> str:
    return name.replace("_", " ")[:24].strip().casefold()


def cut_games(sheet: Sheet, coloured: bool) -> Counter[tuple[object, ...]]:
    """Games by round, sides (names cut to 24 characters, points), stones; forfeits as if they were played."""
    names = list(map(short, sheet.players))
    found: Counter[tuple[object, ...]] = Counter()
    for row in sheet.games:
        if row.player2 >= 0:
            result = sheet.results[row.result]
            sides = [(names[row.player1], result.first), (names[row.player2], result.second)]
            found[row.round, tuple(sides if coloured else sorted(sides)), row.stones] += 1
    return found


@pytest.mark.parametrize(("table", "other", "coloured"), PAIRS)
def test_the_same_event_in_another_format(samples: Path, table: str, other: str, coloured: bool) -> None:
    """Same players and games; only the mark of a forfeit is lost, and the end of a long name."""
    one, two = (registry.read(samples / "go" / name, today=TODAY).sheet for name in (table, other))
    assert cut_games(one, coloured) == cut_games(two, coloured)
    names = [Counter(map(short, sheet.players)) for sheet in (one, two)]
    assert not names[0] - names[1]  # who never sat down may be missing in the table
