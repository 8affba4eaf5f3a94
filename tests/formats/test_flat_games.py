"""games.csv: what each row means, and what every wrong cell gets. Expected values are written by hand."""

from __future__ import annotations

import math

import pytest

from arpad.domain.dates import read_day
from arpad.domain.results import Result
from arpad.formats import flat
from tests.formats.helpers import FILES, TODAY, Game, found, games, read, refused

HEAD = (
    "date,event,start,event_order,class,round,board,sequence,"
    "player1,player2,result,handicap,weight,size,best_of\n"
)
CUP = ("Autumn Cup", "2025-10-11")


def test_a_go_cup() -> None:
    reading = read((FILES / "games.csv").read_bytes(), file="games.csv")
    assert (reading.format, reading.games, reading.byes) == ("games.csv", 6, 1)
    assert games(reading.sheet) == [
        Game("2025-10-11", *CUP, 1, "Verzonnen Noor", "Okabe Ren", "1-0", 2),
        Game("2025-10-11", *CUP, 1, "van der Bedacht, Jop", "Fantôme Zoé", "1/2-1/2"),
        Game("2025-10-12", *CUP, 2, "van der Bedacht, Jop", "Verzonnen Noor", "0-1"),
        Game("2025-10-12", *CUP, 2, "Fantôme Zoé", "Okabe Ren", "+--"),
        Game("2025-10-12", *CUP, 2, "'t Hart Sam", "", "half"),
        Game("2025-10-20", "", "2025-10-20", 0, 'D’Hondt "Doc" <b>', "'t Hart Sam", "1-0 unrated", 9),
        Game("2025-10-20", "", "2025-10-20", 0, "'t Hart Sam", "Okabe Ren", "pending"),
    ]
    sheet = reading.sheet
    assert [(e.name, e.order, e.event_class) for e in sheet.events] == [("Autumn Cup", 1, "B"), ("", 0, "C")]
    assert list(sheet.games.size) == [19, 19, 0, 0, 0, 13, 9]
    assert list(sheet.games.board) == [1, 2, 1, 2, 0, 0, 0]
    assert [w for w in sheet.games.weight if not math.isnan(w)] == [0.5]
    assert list(sheet.games.line) == [2, 3, 4, 5, 6, 7, 8]
    assert list(sheet.games.sequence) == [0, 0, 0, 0, 0, 6, 7]  # only where the event has no rounds
    assert reading.problems == []


def test_a_club_evening_of_table_tennis() -> None:
    sheet = read((FILES / "matches.csv").read_bytes()).sheet
    assert [sheet.results[number] for number in sheet.games.result] == [
        Result("sets", 3, 1, 0, False, 5),
        Result("sets", 2, 0, 0, False, 3),
        Result("sets", 1, 1, 1, False, 5),  # retired: as long as the longest of the event's other matches
        Result("forfeit", 0, 0, 0, False, 5),
    ]
    assert list(sheet.games.sequence) == [1, 2, 3, 4]
    assert [e.name for e in sheet.events] == ["Club evening"]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("2025-01-01,A,B,1-1 ret2,\n2025-01-01,A,C,2-0,", 3),
        ("2025-01-01,A,B,1-1 ret2,\n2025-01-01,A,C,2-3,", 5),
        ("2025-01-01,A,B,1-1 ret2,\n2025-01-01,A,C,+--,", 0),
        ("2025-01-01,A,B,2-1 ret2,\n2025-01-01,A,C,2-0,", 0),  # 2-1 had ended a best of three
        ("2025-01-01,A,B,1-1 ret2,\n2025-01-02,A,C,2-3,", 0),  # another event
        ("2025-01-01,A,B,1-1 ret2,7\n2025-01-01,A,C,2-3,", 7),
        ("2025-01-01,A,B,1-1 ret2,0\n2025-01-01,A,C,2-3,", 0),
    ],
)
def test_length_of_a_retired_match(rows: str, expected: int) -> None:
    sheet = read("date,home,away,result,best_of\n" + rows).sheet
    assert sheet.results[sheet.games.result[0]].best_of == expected


def test_an_event_is_its_name_and_its_start() -> None:
    rows = (
        "2025-01-05,L,2025-01-01,A,B,1-0\n2025-02-05,L,2025-02-01,A,B,1-0\n2025-02-06,L,2025-02-01,B,A,1-0\n"
    )
    sheet = read("date,event,start,white,black,result\n" + rows).sheet
    assert [e.start for e in sheet.events] == [read_day("2025-01-01"), read_day("2025-02-01")]
    assert list(sheet.games.event) == [0, 1, 1]


def test_the_class_of_one_row_is_that_of_its_event() -> None:
    sheet = read("date,event,class,white,black,result\n2025-01-05,X,,A,B,1-0\n2025-01-05,X,A,B,C,1-0\n").sheet
    assert [e.event_class for e in sheet.events] == ["A"]


def test_order_of_columns_and_spelling_of_headings_are_free() -> None:
    sheet = read('\ufeff Result ,BLACK,"White",Best of,date\n1-0,B, A ,1,2025-01-05\n\n').sheet
    assert games(sheet) == [Game("2025-01-05", "", "2025-01-05", 0, "A", "B", "1-0")]


@pytest.mark.parametrize(
    ("text", "expected", "warned"),
    [("full", 2, 0), ("half", 1, 0), ("zero", 0, 0), ("pairing", 2, 0), ("1-0", 2, 1), ("1/2-1/2", 1, 1),
     ("--+", 0, 1), ("+--", 2, 1), ("3-0", 2, 1), ("", 0, 1)],
)  # fmt: skip
def test_byes(text: str, expected: int, warned: int) -> None:
    reading = read(f"date,white,black,result\n2025-01-05,A,,{text}\n")
    assert (reading.games, reading.byes) == (0, 1)
    assert reading.sheet.results == [Result("bye", expected)]
    assert found(reading.problems) == [("bye-code", 2, 15)] * warned


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("2025-02-30,E,,,,,,,A,B,1-0,,,,", ("date-unreadable", 1)),
        ("30-01-2025,E,,,,,,,A,B,1-0,,,,", ("date-unreadable", 1)),
        ("1066-10-14,E,,,,,,,A,B,1-0,,,,", ("date-unreadable", 1)),
        ("２０２５-01-01,E,,,,,,,A,B,1-0,,,,", ("date-unreadable", 1)),
        ("2027-01-01,E,,,,,,,A,B,1-0,,,,", ("date-future", 1)),
        (",E,,,,,,,A,B,1-0,,,,", ("date-missing", 1)),
        ("2025-01-30,E,x,,,,,,A,B,1-0,,,,", ("date-unreadable", 14)),
        ("2025-01-30,E,,-1,,,,,A,B,1-0,,,,", ("number-shape", 15)),
        ("2025-01-30,E,,,,1.5,,,A,B,1-0,,,,", ("number-shape", 17)),
        ("2025-01-30,E,,,,,2147483648,,A,B,1-0,,,,", ("number-shape", 18)),
        ("2025-01-30,E,,,,,,٣,A,B,1-0,,,,", ("number-shape", 19)),
        ("2025-01-30,E,,,,,,,,B,1-0,,,,", ("player-name-missing", 20)),
        ("2025-01-30,E,,,,,,,A,A,1-0,,,,", ("game-self", 22)),
        ("2025-01-30,E,,,,,,,A, A ,1-0,,,,", ("game-self", 22)),
        (f"2025-01-30,E,,,,,,,A,{'B' * 201},1-0,,,,", ("cell-too-long", 22)),
        ("2025-01-30,E,,,,,,,A,B,,,,,", ("result-unreadable", 24)),
        ("2025-01-30,E,,,,,,,A,B,2:0,,,,", ("result-unreadable", 24)),
        ("2025-01-30,E,,,,,,,A,B,03-01,,,,", ("result-unreadable", 24)),
        ("2025-01-30,E,,,,,,,A,B,３-1,,,,", ("result-unreadable", 24)),
        ("2025-01-30,E,,,,,,,A,B,1-0 ret1 unrated,,,,", ("result-unreadable", 24)),
        ("2025-01-30,E,,,,,,,A,B,half,,,,", ("bye-with-opponent", 24)),
        ("2025-01-30,E,,,,,,,A,,pending,,,,", ("result-unreadable", 23)),
        ("2025-01-30,E,,,,,,,A,B,2-2,,,,", ("set-illegal", 24)),
        ("2025-01-30,E,,,,,,,A,B,2-1,,,,5", ("set-illegal", 24)),
        ("2025-01-30,E,,,,,,,A,B,4-1,,,,5", ("set-illegal", 24)),
        ("2025-01-30,E,,,,,,,A,B,1-0,,,,5", ("set-illegal", 24)),
        ("2025-01-30,E,,,,,,,A,B,3-1 ret1,,,,5", ("set-illegal", 24)),
        ("2025-01-30,E,,,,,,,A,B,1-0,10,,,", ("handicap-shape", 28)),
        ("2025-01-30,E,,,,,,,A,B,1-0,-1,,,", ("handicap-shape", 28)),
        ("2025-01-30,E,,,,,,,A,B,1-0,²,,,", ("handicap-shape", 28)),
        ("2025-01-30,E,,,,,,,A,B,1-0,,nan,,", ("weight-shape", 29)),
        ("2025-01-30,E,,,,,,,A,B,1-0,,1e999,,", ("weight-shape", 29)),
        ("2025-01-30,E,,,,,,,A,B,1-0,,-0.5,,", ("weight-shape", 29)),
        ("2025-01-30,E,,,,,,,A,B,1-0,,1_0,,", ("weight-shape", 29)),
        ('2025-01-30,E,,,,,,,A,B,1-0,,"0,5",,', ("weight-shape", 29)),
        ("2025-01-30,E,,,,,,,A,B,1-0,,,0,", ("size-shape", 30)),
        ("2025-01-30,E,,,,,,,A,B,1-0,,,19x19,", ("size-shape", 30)),
        ("2025-01-30,E,,,,,,,A,B,3-1,,,,4", ("best-of-shape", 31)),
        ("2025-01-30,E,,,,,,,A,B,3-1,,,,11", ("best-of-shape", 31)),
        ('2025-01-30,E,,,,,,,"A,B,1-0,,,,', ("table-quote", 20)),
        ('2025-01-30,E,,,,,,,"A"x,B,1-0,,,,', ("table-quote", 22)),
        ("2025-01-30,E,,,,,,,A,B,1-0,,,", ("table-row-short", 30)),
        ("2025-01-30,E,,,,,,,A,B,1-0,,,,,x", ("table-row-long", 32)),
    ],
)
def test_a_wrong_cell_refuses_the_file(row: str, expected: tuple[str, int]) -> None:
    good = "2025-01-29,E,2025-01-20,0,A,0,0,0,A,B,1-0,0,1,19,\n"
    code, column = expected
    assert refused(HEAD + good + row + "\n" + good, "games.csv") == [(code, 3, column)]


def test_all_problems_are_told_at_once() -> None:
    rows = "x,A,A,9-9\n2025-01-05,A,B,1-0\n,,B,?\n"
    assert refused("date,white,black,result\n" + rows) == [
        ("date-unreadable", 2, 1), ("game-self", 2, 5), ("set-illegal", 2, 7),
        ("date-missing", 4, 1), ("player-name-missing", 4, 2), ("result-unreadable", 4, 5),
    ]  # fmt: skip


def test_only_twenty_of_a_kind_are_listed() -> None:
    rows = "2025-01-05,A,B,x\n" * 33
    told = refused("date,white,black,result\n" + rows)
    assert told == [("result-unreadable", line, 16) for line in range(2, 22)] + [("result-unreadable", 22, 1)]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("date,white,result\n", [("table-column-missing", 1, 1)]),
        (
            "date;white;black;result\n1;2;3;4\n",
            [("table-column-unknown", 1, 1), ("table-header-missing", 1, 1)],
        ),
        ("date,white,player1,black,result\n", [("table-column-ambiguous", 1, 12)]),
        ('date,"white,black,result\n', [("table-quote", 1, 6)]),
        ("date,white,black,result\n\n,,,\n", [("table-no-rows", 1, 1)]),
    ],
)
def test_header(data: str, expected: list[tuple[str, int, int]]) -> None:
    told = [t for t in refused(data, "games.csv") if t[0] != "table-row-ignored"]
    assert told == expected


def test_an_unknown_column_is_named_with_the_nearest_known_one() -> None:
    reading = read("date,white,black,result,handicp\n2025-01-05,A,B,1-0,3\n")
    (problem,) = reading.problems
    assert (problem.code, problem.severity, problem.column) == ("table-column-unknown", "warning", 25)
    assert "'handicap'" in problem.remedy


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("2025-01-05,E,,A,,A,B,1-0\n2025-01-05,E,,B,,A,B,1-0\n", ("event-class-mixed", 3, 15)),
        ("2025-01-05,,,A,,A,B,1-0\n2025-01-05,,,B,,A,B,1-0\n", ("event-class-mixed", 3, 14)),
        ("2025-01-05,E,,,1,A,B,1-0\n2025-01-05,E,,,2,A,B,1-0\n", ("event-order-mixed", 3, 16)),
    ],
)
def test_an_event_has_one_class_and_one_place(rows: str, expected: tuple[str, int, int]) -> None:
    assert refused("date,event,start,class,event_order,white,black,result\n" + rows) == [expected]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("2025-01-01,L,,A,B,1-0\n2025-04-03,L,,A,B,1-0\n", []),  # 92 days
        ("2025-01-01,L,,A,B,1-0\n2025-04-04,L,,A,B,1-0\n", [("event-span", 2, 1)]),
        ("2025-01-01,L,2025-01-01,A,B,1-0\n2025-04-04,L,2025-01-01,A,B,1-0\n", []),
        ("2025-01-01,L,2025-01-01,A,B,1-0\n2025-01-02,L,,A,B,1-0\n", [("event-start-missing", 3, 1)]),
        ("2025-01-01,L,2025-01-02,A,B,1-0\n", [("date-outside-event", 2, 1)]),
        ("2025-01-01,L,,A,a,1-0\n", [("player-similar-name", 2, 1)]),
        ("2025-01-01,L,,D'Hôte,D’Hote,1-0\n", [("player-similar-name", 2, 1)]),
        ("2025-01-01,L,,A\u200b,B,1-0\n", [("text-control-char", 2, 15)]),
    ],
)
def test_warnings(rows: str, expected: list[tuple[str, int, int]]) -> None:
    reading = read("date,event,start,white,black,result\n" + rows)
    assert found(reading.problems) == expected
    assert {p.severity for p in reading.problems} <= {"warning"}


def test_equal_rows_are_two_games() -> None:
    row = "2025-01-01,A,B,1-0\n"
    assert read("date,white,black,result\n" + row + row).games == 2


def test_blank_rows_do_not_move_positions() -> None:
    plain = read("date,white,black,result\n2025-01-01,A,B,1-0\n2025-01-01,B,A,1-0\n").sheet
    blank = read("\ndate,white,black,result\n2025-01-01,A,B,1-0\n,,,\n2025-01-01,B,A,1-0\n").sheet
    assert plain.digest() == blank.digest()
    assert list(blank.games.line) == [3, 5]


def test_today_counts_as_played() -> None:
    row = b"date,white,black,result\n2026-12-31,A,B,1-0\n"
    assert flat.read(row, "f", today=TODAY).games == 1
