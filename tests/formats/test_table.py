"""Clubs' tables: how dates, results and columns are understood, and every defect as a row."""

from __future__ import annotations

import datetime
import io

import openpyxl
import pytest
from hypothesis import given as for_all
from hypothesis import strategies as st

from arpad.domain.dates import day_text, read_day
from arpad.domain.problems import Refused
from arpad.formats import registry, table
from arpad.formats.spreadsheet import Column, write_ods, write_xlsx
from arpad.formats.table_cells import letters_of, read_sets, settle_sets
from arpad.formats.table_dates import date, order_of
from arpad.formats.table_grid import find_delimiter
from tests.formats.helpers import FILES, TODAY, found, games, read

HEAD = "Datum;Thuis;Uit;Uitslag;Opmerking"


def one(row: str, head: str = HEAD, **settings: str) -> tuple[list[str], list[str]]:
    """The results of a table with one row (and one that is sound), and the problems' codes."""
    data = f"{head}\n{row}\n01-06-2026;Cy;Di;3-0;\n".encode()
    reading = table.read(data, "f", today=TODAY, mapping=table.given(settings) if settings else None)
    codes = [p.code for p in reading.problems if p.code not in ("mapping-proposed", "result-forfeit-count")]
    return [game.result for game in games(reading.sheet)][:-1], codes


# --- dates ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cell", "order", "day"),
    [
        ("2026-05-04", "", "2026-05-04"), ("2026/5/4", "", "2026-05-04"), ("20260504", "", "2026-05-04"),
        ("2026 05 04", "", "2026-05-04"), ("04-05-2026", "", "2026-05-04"), ("4.5.2026", "", "2026-05-04"),
        ("28. 07. 2005", "", "2005-07-28"), ("05/04/2026", "mdy", "2026-05-04"),
        ("04-05-26", "", "2026-05-04"),
        ("04-05-99", "", "1999-05-04"), ("Za 13-09-25", "", "2025-09-13"), ("za. 13-9-25", "", "2025-09-13"),
        ("Samedi 13/09/2025", "", "2025-09-13"), ("mar 16-09-25", "", "2025-09-16"),
        ("29 mei 2020", "", "2020-05-29"), ("29. Mai 2020", "", "2020-05-29"),
        ("1 août 2020", "", "2020-08-01"),
        ("May 29, 2020", "", "2020-05-29"), ("29 March 2020", "", "2020-03-29"),
        ("3-mrt-26", "", "2026-03-03"),
        ("Sat, 29 Feb 2020", "", "2020-02-29"), ("2017-09-08 19:30", "", "2017-09-08"),
        ("2017-09-08T19:30:00Z", "", "2017-09-08"), ("08-09-2017 19u30", "", "2017-09-08"),
        ("46270", "", "2026-09-05"), (46270.0, "", "2026-09-05"), (20260504.0, "", "2026-05-04"),
        (datetime.date(2026, 5, 4), "", "2026-05-04"), (datetime.datetime(2026, 5, 4, 19), "", "2026-05-04"),
        ("", "", ""), ("0000/00/00", "", ""),
        ("31-02-2026", "", None), ("soon", "", None), ("12", "", None), (5.0, "", None), (True, "", None),
        ("13-13-2026", "", None), ("²-5-2026", "", None), ("1700-01-01", "", None), ("2027-05-04", "", None),
    ],
)  # fmt: skip
def test_dates(cell: object, order: str, day: str | None) -> None:
    found_day = date(cell, order, TODAY)  # type: ignore[arg-type]
    assert (day_text(found_day) if isinstance(found_day, int) else None) == day


def test_days_of_the_other_epoch() -> None:
    assert date(44808.0, "", TODAY, 1904) == read_day("2026-09-05")


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        (["13/06/2026", "05/06/2026"], ("dmy", "")), (["06/13/2026", "05/06/2026"], ("mdy", "")),
        (["05/06/2026"], ("dmy", "05/06/2026")), (["05/05/2026"], ("dmy", "")), (["2026-05-06"], ("", "")),
        (["05-06-2026"], ("dmy", "")),
    ],
)  # fmt: skip
def test_the_order_of_a_column(texts: list[str], told: tuple[str, str]) -> None:
    assert order_of(texts) == told


# --- results ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cell", "result"),
    [
        ("3-1", "3-1"), ("3:1", "3-1"), ("3 / 1", "3-1"), ("3–1", "3-1"), ("1-0", "1-0"), ("0 - 1", "0-1"),
        ("½-½", "1/2-1/2"), ("1/2-1/2", "1/2-1/2"), ("0,5-0,5", "1/2-1/2"), (".5-.5", "1/2-1/2"),
        ("=", "1/2-1/2"),
        ("remise", "1/2-1/2"), ("Nulle", "1/2-1/2"), ("unentschieden", "1/2-1/2"), ("X-X", "1/2-1/2"),
        ("+--", "+--"), ("+ - -", "+--"), ("+:-", "+--"), ("- - +", "--+"), ("---", "---"), ("1-0R", "+--"),
        ("1F-0F", "+--"), ("F-1", "--+"), ("3-0 WO", "+--"), ("0-3 ff", "--+"), ("w/o 0-3", "--+"),
        ("3-0 (forfait)", "+--"), ("1-0 kampflos", "+--"), ("3-1 ret", "3-1 ret2"), ("1-2 opg", "1-2 ret1"),
        ("2-0 aufg.", "2-0 ret2"), ("1-0 opg", "1-0"), ("", "pending"), ("?", "pending"), ("*", "pending"),
        ("afg", "pending"), ("vervallen", "void"), ("annulé", "void"), ("1/2", "1-2"),
    ],
)  # fmt: skip
def test_results(cell: str, result: str) -> None:
    results, codes = one(f"01-06-2026;Ada;Ben;{cell};")
    assert results == [result]
    assert codes == (["result-pending"] if result == "pending" else [])


@pytest.mark.parametrize(
    ("row", "code"),
    [
        (";Ada;Ben;1-0;", "date-missing"),
        ("soon;Ada;Ben;1-0;", "date-unreadable"),
        ("01-06-2027;Ada;Ben;1-0;", "date-future"),
        ("01-06-2026;;Ben;1-0;", "player-name-missing"),
        ("01-06-2026;Ada;Ada;1-0;", "game-self"),
        ("01-06-2026;Ada / Cy;Ben / Di;1-0;", "event-pairs"),
        ("01-06-2026;Ada;Ben;won;", "result-unreadable"),
        ("01-06-2026;Ada;Ben;FF;", "result-unreadable"),  # who stayed away?
        ("01-06-2026;Ada;Ben;1-1 ret;", "result-unreadable"),
        ("01-06-2026;Ada;Ben;ret;", "result-unreadable"),
        ("01-06-2026;Ada;Ben;3-1 DSQ;", "result-unreadable"),
        ("01-06-2026;Ada;Ben;-1 : -1;", "result-unreadable"),
        ("01-06-2026;Ada;Ben;99-99;", "result-unreadable"),
        ("01-06-2026;Ada;Ben;0-0;", "result-unreadable"),
        ("01-06-2026;Ada;Ben;2,5-1;", "result-unreadable"),
        ("01-06-2026;Ada;Ben;2-2;", "set-illegal"),
        ("01-06-2026;Ada;Ben;21-15;", "set-illegal"),
        ("01-06-2026;Ada;Ben;3-jan-2026;", "result-became-date"),
        ("01-06-2026;Ada;Ben;2026-01-03;", "result-became-date"),
        ("01-06-2026;Ada;Ben", "table-row-short"),
        ("01-06-2026;Ada;Ben;1-0;;;x", "table-row-long"),
        ('01-06-2026;"Ada;Ben;1-0;', "table-quote"),
    ],
)
def test_rows_that_are_held(row: str, code: str) -> None:
    results, codes = one(row)
    assert results == []
    assert code in codes


def test_what_a_person_can_settle() -> None:
    """Dates made of results, two-point games, letters of one language."""
    columns = {"date": "Datum", "player1": "Thuis", "player2": "Uit", "result": "Uitslag"}
    assert one("01-06-2026;Ada;Ben;2026-01-03;", **columns, became_dates="dmy")[0] == ["3-1"]
    assert one("01-06-2026;Ada;Ben;2026-01-03;", **columns, became_dates="mdy")[0] == ["1-3"]
    assert one("01-06-2026;Ada;Ben;1-1;", **columns, results="points2")[0] == ["1/2-1/2"]
    assert one("01-06-2026;Ada;Ben;V;", **columns, letters="fr")[0] == ["1-0"]
    assert one("01-06-2026;Ada;Ben;V;", **columns, letters="nl")[0] == ["0-1"]


@pytest.mark.parametrize(
    ("letters", "language"),
    [("WDL", "en"), ("WRV", "nl"), ("GV", "nl-g"), ("VND", "fr"), ("GNP", "fr-g"), ("SRN", "de"), ("", ""),
     ("V", "?"), ("W", "en"), ("G", "nl-g"), ("WN", "?")],
)  # fmt: skip
def test_letters_of_languages(letters: str, language: str) -> None:
    told, doubt = letters_of([*letters, "1-0", "x"])
    assert (told or "?" * bool(doubt)) == language


def test_winners_scores_and_remarks() -> None:
    head = "Datum;Speler 1;Speler 2;Score 1;Score 2;Winnaar;Opmerking"
    rows = {
        "3;1;Ada;": "3-1", "0,5;0,5;;": "1/2-1/2", "1;0;;": "1-0", "3;0;Ada;WO": "+--",
        "2;0;;opgave": "2-0 ret2",
        ";;Ben;": "0-1", "1;1;Ben;ret": "1-1 ret1", "0;0;Ben;ff": "--+",
    }  # fmt: skip
    data = "\n".join([head, *(f"01-06-2026;Ada;Ben;{row}" for row in rows)])
    assert [game.result for game in games(read(data).sheet)] == list(rows.values())
    held = read(
        "\n".join([head, "01-06-2026;Ada;Ben;3;1;Ben;", "01-06-2026;Ada;Ben;3;;;", "1-6-26;A;B;1;0;;"])
    )
    codes = [p.code for p in held.problems if p.severity == "held"]
    assert codes == ["winner-contradicts", "result-unreadable"]


# --- sets -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cells", "score", "told"),
    [
        (["7, -8, 10, +0"], (3, 1), ((3, 1), 0)), (["11-7 8-11 12-10"], None, ((2, 1), 0)),
        (["11:7, 8:11, 11/3"], None, ((2, 1), 0)), (["11 - 7 8 - 11 12 - 10"], None, ((2, 1), 0)),
        (["-9, -0, -4"], (0, 3), ((0, 3), 0)), (["7", "-8", "10"], None, ((2, 1), 0)),
        (["7 -8 10 (2-1)"], None, ((2, 1), 0)), (["0, 5, 6"], (3, 0), ((3, 0), 1)),
        (["0, -5, -6"], (0, 3), ((0, 3), 1)),
        (["-5, 0, 5"], (2, 1), ((2, 1), 1)),
        (["0, 5, -5"], (2, 1), "set-illegal"),
        (["0, 5, 6"], None, "set-sign-lost"), (["0, 0, 5, 6"], (3, 1), "set-sign-lost"),
        (["7, -8, 10"], (3, 0), "set-count-differs"), (["7 8 (0-3)"], (2, 0), "set-count-differs"),
        (["11-9 11-10"], None, "set-illegal"), (["14-11"], None, "set-illegal"),
        (["9-7"], None, "set-illegal"),
        (["7, 8, x"], None, "set-illegal"), (["7, -8"], None, "set-illegal"),
        (["7, 8, 9, -3"], (3, 1), "set-illegal"),
    ],
)  # fmt: skip
def test_sets(cells: list[str], score: tuple[int, int] | None, told: object) -> None:
    sets = read_sets(cells)
    settled = sets if not hasattr(sets, "winners") else settle_sets(sets, score)
    assert (settled if isinstance(told, tuple) else getattr(settled, "code", settled)) == told


# --- columns ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("head", "row"),
    [
        ("Date,White,Black,Outcome", "2026-06-01,Ada,Ben,1-0"),
        ("Datum;Wit;Zwart;Uitslag", "01-06-2026;Ada;Ben;1-0"),
        ("Speeldatum\tThuisspeler\tUitspeler\tResultaat", "01-06-2026\tAda\tBen\t1-0"),
        ("Jour;Blancs;Noirs;Résultat", "lun 01/06/2026;Ada;Ben;1-0"),
        ("Spieltag;Heim;Gast;Ergebnis", "Mo 01.06.2026;Ada;Ben;1:0"),
        ("Datum|Weiß|Schwarz|Ergebnis", "1. Juni 2026|Ada|Ben|1:0"),
        ("played_on,player_a,player_b,score_a,score_b", "2026-06-01,Ada,Ben,1,0"),
        ("Datum;Naam;Score;Naam;Score", "01-06-2026;Ada;1;Ben;0"),
        ("Datum;Naam;Tegenstander;Score", "01-06-2026;Ada;Ben;1"),
        ("Datum;Heimspieler;Gastspieler;Sieger", "01.06.2026;Ada;Ben;Ada"),
        ("sep=;\nDatum;Wit;Zwart;Uitslag", '"01-06-2026";"Ada";"Ben";"1-0"'),
        ("Clubavond\n\nDatum: Ma 01-06-26\n\nWit;Zwart;Uitslag", "Ada;Ben;1-0"),
        (",date,home_player,away_player,result_raw", "0,2026-06-01,Ada,Ben,1-0"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252"])
def test_headers_in_four_languages(head: str, row: str, encoding: str) -> None:
    data = f"{head}\n{row}\n".encode(encoding)
    assert registry.sniff(data) == ["CSV table"]
    (game,) = games(read(data).sheet)
    assert (game.date, game.player1, game.player2, game.result) == ("2026-06-01", "Ada", "Ben", "1-0")


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ("Date,Player 1,Player 2,Winner\n05/06/2026,Ada,Ben,Ada\n", "date-ambiguous"),
        ("Datum;Wit;Zwart;Uitslag\n01-06-2026;Ada;Ben;V\n", "result-letters-ambiguous"),
        ("Datum;Wit;Weiss;Zwart;Uitslag\n01-06-2026;Ada;Al;Ben;1-0\n", "table-column-ambiguous"),
        ("Wit;Zwart;Uitslag\nAda;Ben;1-0\n", "date-missing"),
        ("Datum;Wit;Zwart;Uitslag\n", "table-no-rows"),
    ],
)
def test_what_is_asked(data: str, code: str) -> None:
    with pytest.raises(Refused) as caught:
        table.read(data.encode(), "f", today=TODAY)
    assert code in {problem.code for problem in caught.value.problems}


def test_rows_between_games() -> None:
    data = """Clubavond;;;
Bord;Wit;Zwart;Uitslag
ma 01-06-2026;;;
Ronde 1;;;
1;Ada;Ben;1-0

Bord;Wit;Zwart;Uitslag
Ronde 2;;;
1;Ben;Ada (R);0-1
2;Cy;vrij;
wo 02-06-2026;;;
1;Ada;onbekend;1-0
Totaal;;;3
"""
    reading = read(data)
    told = [(g.date, g.event, g.round, g.player1, g.player2, g.result) for g in games(reading.sheet)]
    assert told == [
        ("2026-06-01", "Clubavond", 1, "Ada", "Ben", "1-0"),
        ("2026-06-01", "Clubavond", 2, "Ben", "Ada", "0-1"),
        ("2026-06-01", "Clubavond", 2, "Cy", "", "full"),
        ("2026-06-02", "Clubavond", 2, "Ada", "onbekend (wo 02-06-2026, row 12)", "1-0"),
    ]
    codes = {problem.code for problem in reading.problems}
    assert codes == {"mapping-proposed", "table-row-ignored", "player-placeholder", "date-weekday-differs"}


def test_ids_tell_namesakes_apart() -> None:
    data = (
        "Datum;home_id;home_player;away_id;away_player;Uitslag\n"
        "1-6-2026;B1;Jan Jansen;B2;Jan Jansen;3-0\n1-6-2026;B1;Jan Jansen;B3;Ada;3-1\n"
    )
    reading = read(data)
    assert reading.sheet.players == ["Jan Jansen", "Jan Jansen (B2)", "Ada"]
    assert reading.sheet.people["Ada"].ids == (("program", "B3"),)
    assert "player-same-name" in {problem.code for problem in reading.problems}


def test_quoted_line_ends_and_places() -> None:
    data = 'Datum;Wit;Zwart;Uitslag;Opmerking\n1-6-26;Ada;Ben;1-0;"a\nb"\n1-6-26;Ada;"Cy";nix;\n'
    reading = read(data)
    assert [(g.line) for g in reading.sheet.games] == [2]
    assert found(reading.problems, "held") == [("result-unreadable", 4, 17)]


def test_delimiters() -> None:
    assert find_delimiter(["Datum;Wit, naam", "1;a, b", "2;c, d"]) == ";"
    assert find_delimiter(["a,b;c", "1,2", "3,4"]) == ","
    assert find_delimiter([]) == ","


def test_a_saved_mapping_is_used_again() -> None:
    data = (FILES / "club-evening.csv").read_bytes()
    first = table.read(data, "f", today=TODAY)
    saved = table.from_json(first.detail.mapping.to_json())  # type: ignore[attr-defined]
    again = table.read(data, "f", today=TODAY, mapping=saved)
    assert saved.confirmed
    assert again.sheet.digest() == first.sheet.digest()
    assert "mapping-proposed" not in {problem.code for problem in again.problems}
    for wrong in (
        b"{",
        b"[]",
        b'{"version": 9}',
        b'{"colour": "x"}',
        b'{"columns": {"date": 1}}',
        b"[" * 5000,
    ):
        with pytest.raises(Refused, match="mapping"):
            table.from_json(wrong)


# --- books ------------------------------------------------------------------------------------------


COLUMNS = [Column("Datum"), Column("Thuis", True), Column("Uit", True), Column("Sets"), Column("Uitslag")]
ROWS = [
    (datetime.date(2026, 6, 1), "Voorbeeld, Noor", "'t Hart, Jop", "7, -8, 10, +0", "3-1"),
    ("Di 02-06-26", "=SUM(A1)", "Okabe, Ren", "", "3-0 WO"),
]


@pytest.mark.parametrize("write", [write_xlsx, write_ods])
def test_books(write: object) -> None:
    data = write(COLUMNS, ROWS)  # type: ignore[operator]
    reading = read(data)
    assert reading.format in ("XLSX table", "ODS table")
    assert [tuple(game)[4:7] for game in games(reading.sheet)] == [
        ("Voorbeeld, Noor", "'t Hart, Jop", "3-1"),
        ("=SUM(A1)", "Okabe, Ren", "+--"),
    ]
    assert [game.date for game in games(reading.sheet)] == ["2026-06-01", "2026-06-02"]


def test_sheets_of_a_book() -> None:
    """Two evenings, members, notes; a hidden sheet, damaged results, a formula without value."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name in ("Avond 1", "Avond 2"):
        sheet = book.create_sheet(name)
        wrong = [["Ada", "Cy", datetime.date(2026, 1, 3)], ["Ben", "Cy", "=1+1"]]
        head = [["Datum", datetime.date(2026, 6, int(name[-1]))], [], ["Thuis", "Uit", "Uitslag"]]
        for row in (*head, ["Ada", "Ben", "3-1"], *wrong):
            sheet.append(row)
    book["Avond 2"].sheet_state = "hidden"
    people = book.create_sheet("Leden")
    for row in (
        ["Naam", "Lidnummer", "Geboren", "Klasse", "%"],
        ["Ada", 7, datetime.date(2010, 5, 4), "2", 61.5],
    ):
        people.append(row)
    book.create_sheet("Notities").append(["Kantine", "dicht"])
    book.save(target := io.BytesIO())
    reading = read(target.getvalue())
    told = [(g.date, g.event, g.player1, g.result) for g in games(reading.sheet)]
    assert told == [("2026-06-01", "Avond 1", "Ada", "3-1"), ("2026-06-02", "Avond 2", "Ada", "3-1")]
    held = [p for p in reading.problems if p.severity == "held"]
    assert sorted(p.code for p in held) == ["result-became-date"] * 2 + ["table-formula-unsaved"] * 2
    assert "Avond 1!C5" in held[0].message
    assert {"table-hidden", "table-sheet-ignored"} <= {p.code for p in reading.problems}
    assert reading.sheet.people["Ada"].birth == "2010-05-04"


def test_members() -> None:
    reading = read((FILES / "members.csv").read_bytes())
    noor = reading.sheet.people["Voorbeeld, Noor"]
    assert (noor.birth, noor.club, noor.ids) == ("1987", "Lindenhof", (("program", "1001"),))
    detail = reading.detail
    assert isinstance(detail, table.Detail)
    assert detail.applications["Voorbeeld, Noor"].percentage == 61.5
    data = (
        "Voornaam;Tussenvoegsel;Achternaam;FIDE ID;Elo;Geslacht;Titel;Geboortedatum;E-mail\n"
        "Jan;van den;Berg;123;1850,5;M;gm;31-12-2001;a@b\nJan;van den;Berg;124;;;;;\n"
        "Ada;;Zon;123;x;q;BOSS;never;\n"
    )
    reading = read(data)
    jan = reading.sheet.people["Jan van den Berg"]
    assert (jan.rating, jan.sex, jan.title, jan.birth) == (1850.5, "m", "GM", "2001-12-31")
    assert {p.code for p in reading.problems} - {"mapping-proposed"} == {
        "privacy-dropped", "player-duplicate", "player-rating-shape", "player-same-id", "player-birth-shape",
        "player-sex-unknown", "player-title-unknown",
    }  # fmt: skip
    assert reading.sheet.people["Ada Zon"].ids == ()


@for_all(st.lists(st.lists(st.text(max_size=8), max_size=6), max_size=8), st.sampled_from(";,\t|"))
def test_any_cells_are_read_or_refused(rows: list[list[str]], delimiter: str) -> None:
    text = "\n".join([delimiter.join(("Datum", "Wit", "Zwart", "Uitslag")), *map(delimiter.join, rows)])
    try:
        reading = table.read(text.encode("utf-8", "ignore"), "f", today=TODAY)
    except Refused as refused:
        assert refused.problems
    else:
        assert all(name in text or name.split(" (")[0] for name in reading.sheet.players)
