"""KeizerForClubs' database: one by hand, everything it can get wrong, and a database that means no good."""

from __future__ import annotations

import sqlite3
from collections import Counter
from pathlib import Path

import pytest

from arpad.domain.problems import Refused
from arpad.formats import keizer, registry
from arpad.formats.reading import Reading
from arpad.ledger.sheet import SheetPerson
from tests.formats.helpers import FILES, TODAY, found, games

DATA = (FILES / "winter-keizer.s3db").read_bytes()
WEEKLY = {"days": "2026-01-06", "every": "7", "event-name": "Winter"}


def changed(*statements: str, data: bytes = DATA) -> bytes:
    connection = sqlite3.connect(":memory:")
    connection.deserialize(data)
    connection.execute("PRAGMA writable_schema = ON")
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    return connection.serialize()


def read(data: bytes = DATA, kind: str = "", **told: str) -> Reading:
    answers = {name.replace("_", "-"): value for name, value in told.items()} or WEEKLY
    if kind:
        return keizer.read(data, "f.s3db", kind=kind, today=TODAY, told=answers)
    return registry.read(data, "f.s3db", today=TODAY, told=answers)


def refused(data: bytes, kind: str = "", **told: str) -> list[tuple[str, int, int]]:
    with pytest.raises(Refused) as caught:
        read(data, kind, **told)
    return found(caught.value.problems)


def test_a_season_by_hand() -> None:
    reading = read()
    sheet = reading.sheet
    assert (reading.format, reading.games, reading.byes) == ("KeizerForClubs", 8, 4)
    noor, jop, ada, ren, bo = sheet.players
    assert (noor, jop, ada, ren, bo) == (
        "Voorbeeld Noor", "'t Hart Jop", "Müster Ada", "Okabe Ren", "Fictief, Bo",
    )  # fmt: skip
    told = [(g.date, g.round, g.player1, g.player2, g.result) for g in games(sheet)]
    assert told == [
        ("2026-01-06", 1, noor, jop, "0-1"),
        ("2026-01-06", 1, ada, ren, "1-0"),
        ("2026-01-13", 2, jop, ren, "+--"),
        ("2026-01-13", 2, noor, ada, "1/2-1/2"),
        ("2026-01-20", 3, ren, noor, "---"),
        ("2026-01-20", 3, jop, ada, "--+"),
        ("2026-01-27", 4, ada, noor, "pending"),
        ("2026-01-27", 4, ren, jop, "pending"),
        ("2026-01-06", 1, bo, "", "zero"),
        ("2026-01-20", 3, bo, "", "zero"),
        ("2026-01-13", 2, bo, "", "full"),
        ("2026-01-27", 4, bo, "", "zero"),
    ]
    assert {(g.event, g.start) for g in games(sheet)} == {("Winter", "2026-01-06")}
    assert list(sheet.games.board)[:9] == [1, 2, 1, 2, 1, 2, 1, 2, 0]
    assert sheet.people[noor] == SheetPerson(noor, rating=1650, line=1)
    assert sheet.people[ren].rating is None
    assert sheet.first_ratings == []
    assert found(reading.problems) == [
        ("result-forfeit-count", 1, 1), ("result-pending", 7, 1), ("result-pending", 8, 1),
    ]  # fmt: skip


def days(reading: Reading) -> dict[int, str]:
    return {g.round: g.date for g in games(reading.sheet)}


def test_days_are_asked_for() -> None:
    assert ("date-missing", 1, 1) in refused(DATA, event_name="Winter")
    assert set(days(read(days="2026-01-06")).values()) == {"2026-01-06"}
    each = "2026-01-06, 2026-01-13,2026-02-03,2026-02-10"
    assert days(read(days=each)) == {1: "2026-01-06", 2: "2026-01-13", 3: "2026-02-03", 4: "2026-02-10"}
    assert ("date-order", 1, 1) in found(read(days="2026-01-13,2026-01-06,2026-02-03,2026-02-10").problems)


@pytest.mark.parametrize(
    ("told", "code"),
    [
        ({"days": "2026-01-06,2026-01-13"}, "date-missing"),
        ({"days": " , "}, "date-missing"),
        ({"days": "Tuesday"}, "date-unreadable"),
        ({"days": "2026-01-06", "every": "week"}, "date-unreadable"),
        ({"days": "2026-01-06,2026-01-13,2026-01-20,2026-01-27", "every": "7"}, "date-unreadable"),
        ({"days": "2026-12-30", "every": "1"}, "date-future"),
        ({"days": "2026-01-06", "event_name": "x" * 300}, "cell-too-long"),
        ({"last-day": "2026-01-06"}, "answer-unknown"),
    ],
)
def test_answers_that_are_none(told: dict[str, str], code: str) -> None:
    assert code in {code for code, _, _ in refused(DATA, **told)}


def test_a_round_that_lies_ahead_is_left_out() -> None:
    reading = read(days="2026-12-10", every="7")
    assert max(g.date for g in games(reading.sheet)) == "2026-12-31"
    reading = read(days="2026-12-13", every="7")  # round 4, without results, on 3 January
    assert {g.round for g in games(reading.sheet)} == {1, 2, 3}


def test_the_name_is_that_of_the_file() -> None:
    reading = read(days="2026-01-06")
    assert reading.sheet.events[0].name == "f"
    assert ("event-name-missing", 1, 1) in found(reading.problems)


PAIRING = "UPDATE Pairing SET"


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        (f"{PAIRING} PID_B = -1 WHERE rowid = 1", ("bye-with-opponent", 1, 1)),
        (f"{PAIRING} PID_B = 0 WHERE rowid = 3", ("bye-with-opponent", 3, 1)),
        (f"{PAIRING} Result = 4 WHERE rowid = 4", ("bye-with-opponent", 4, 1)),
        (f"{PAIRING} Result = 12 WHERE rowid = 4", ("bye-with-opponent", 4, 1)),
        (f"{PAIRING} PID_W = 5 WHERE rowid = 1", ("game-double-booked", 2, 1)),
        (f"{PAIRING} Result = NULL WHERE rowid = 2", ("result-pending", 2, 1)),
        (f"{PAIRING} Result = -1 WHERE rowid = 2", ("result-pending", 2, 1)),
        ("UPDATE Player SET name = 'Voorbeeld Noor' WHERE id = 4", ("player-same-name", 3, 1)),
        ("UPDATE Player SET name = '??' WHERE id = 4", ("text-name-lost", 3, 1)),
        ("UPDATE Player SET name = '' WHERE id = 4", ("player-name-missing", 3, 1)),
        ("UPDATE Player SET name = 'a' || char(8203) WHERE id = 4", ("text-control-char", 3, 1)),
        ("UPDATE Player SET name = CAST(x'4dfc73746572' AS TEXT) WHERE id = 4", ("text-not-utf8", 3, 1)),
    ],
)
def test_what_is_told(statement: str, problem: tuple[str, int, int]) -> None:
    assert problem in found(read(changed(statement)).problems)
    assert problem not in found(read().problems)


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        (f"{PAIRING} Result = 13 WHERE rowid = 2", ("result-code-unknown", 2, 1)),
        (f"{PAIRING} Result = 1.5 WHERE rowid = 2", ("club-row-unreadable", 2, 1)),
        (f"{PAIRING} Result = 'won' WHERE rowid = 2", ("club-row-unreadable", 2, 1)),
        (f"{PAIRING} Rnd = 0 WHERE rowid = 2", ("club-row-unreadable", 2, 1)),
        (f"{PAIRING} Rnd = 5000 WHERE rowid = 2", ("club-row-unreadable", 2, 1)),
        (f"{PAIRING} board = 99999999999 WHERE rowid = 2", ("club-row-unreadable", 2, 1)),
        (f"{PAIRING} PID_B = 9 WHERE rowid = 2", ("player-missing", 2, 1)),
        (f"{PAIRING} PID_W = 9 WHERE rowid = 9", ("player-missing", 9, 1)),
        (f"{PAIRING} PID_W = 9, Result = 0 WHERE rowid = 9", ("player-missing", 9, 1)),
        (f"{PAIRING} PID_B = 1 WHERE rowid = 1", ("game-self", 1, 1)),
        ("UPDATE Player SET name = 1.5 || '' WHERE id = 4", None),
        (f"UPDATE Player SET name = '{'x' * 300}' WHERE id = 4", ("cell-too-long", 3, 1)),
        ("DELETE FROM Player", ("player-none", 1, 1)),
        ("DROP TABLE Pairing", ("schema-unknown", 1, 1)),
        ("ALTER TABLE Pairing RENAME COLUMN Result TO Outcome", ("schema-unknown", 1, 1)),
    ],
)  # fmt: skip
def test_what_is_refused(statement: str, problem: tuple[str, int, int] | None) -> None:
    data = changed(statement)
    if problem is None:
        assert "1.5" in read(data).sheet.players
    else:
        assert problem in refused(data, "KeizerForClubs")


def test_another_database_is_refused_by_name() -> None:
    data = changed("DROP TABLE Pairing", "VACUUM")
    assert registry.sniff(data) == []
    assert refused(data) == [("file-binary", 1, 1)]


def test_a_database_that_means_no_good(tmp_path: Path) -> None:
    """Views, virtual and generated tables are no tables; rows without end stop by themselves."""
    gone = "DROP TABLE Pairing"
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i"
    for statement in (
        f"CREATE VIEW Pairing AS {endless} Rnd, i board, i PID_W, i PID_B, i Result FROM n",
        "CREATE VIRTUAL TABLE Pairing USING fts4(Rnd, board, PID_W, PID_B, Result)",
        "CREATE TABLE Pairing (Rnd, board, PID_W, PID_B, Result AS (zeroblob(1000000000)))",
    ):
        assert refused(changed(gone, statement), "KeizerForClubs") == [("schema-unknown", 1, 1)]
    many = "INSERT INTO Pairing SELECT 1, i, 1, 2, 1, 0, 0 FROM n"
    series = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 51000) "
    data = changed("DROP INDEX [rnd-board]", series + many)
    with pytest.raises(Refused) as caught:
        registry.read(data, "f", kind="KeizerForClubs", today=TODAY, told=WEEKLY, limit=2**26)
    assert found(caught.value.problems) == [("file-too-large", 1, 1)]


@pytest.mark.parametrize("cut", [20, 200, 1000, 4000, 7000])
def test_the_end_is_missing(cut: int) -> None:
    assert refused(DATA[:cut], "KeizerForClubs") == [("file-truncated", 1, 1)]


def test_pages_that_are_no_pages() -> None:
    for at in (100, *range(1024, len(DATA), 1024)):
        data = DATA[:at] + b"\xff" * 300 + DATA[at + 300 :]
        assert refused(data, "KeizerForClubs") == [("file-truncated", 1, 1)]


def test_a_database_with_a_journal_beside_it(tmp_path: Path) -> None:
    """WAL mode stands in the header; nothing is asked of the file system."""
    path = tmp_path / "w.s3db"
    path.write_bytes(DATA)
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.close()
    data = path.read_bytes()
    assert data[18:20] == b"\x02\x02"
    assert games(read(data).sheet) == games(read().sheet)
    registry.read(path, today=TODAY, told=WEEKLY)
    assert [entry.name for entry in tmp_path.iterdir()] == ["w.s3db"]


def test_a_real_season(samples: Path) -> None:
    """Counted by SQL: 26 rows, 17 of them games, one forfeit, 8 without opponent; 9 players, 5 rounds."""
    reading = registry.read(samples / "clubs" / "keizerforclubs_test.s3db", today=TODAY, told=WEEKLY)
    sheet = reading.sheet
    kinds = Counter(sheet.results[game.result].kind for game in sheet.games)
    assert kinds == {"game": 17, "forfeit": 1, "bye": 8}
    assert (len(sheet.players), max(sheet.games.round)) == (9, 5)
    results = Counter(str(sheet.results[game.result]) for game in sheet.games)
    assert results == {
        "1-0": 12, "0-1": 2, "1/2-1/2": 3, "--+": 1, "full": 3, "zero": 5,
    }  # fmt: skip
    assert found(reading.problems) == [("result-forfeit-count", 1, 1)]
