"""read(write(x)) == x for FIDE reports, as they stand and in both dialects; what is written of a sheet."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arpad.domain.problems import Refused
from arpad.domain.results import Result
from arpad.formats import registry, trf
from arpad.formats.reading import Findings, clean
from arpad.formats.trf_table import TRF16, TRF26, Cell, Entry, Record, Tournament
from arpad.ledger.columns import GameRow
from arpad.ledger.sheet import Sheet, SheetPerson
from tests.formats.helpers import FILES, TODAY, found, games, read
from tests.formats.strategies import DAYS

LETTERS = st.characters(exclude_categories=("Cs", "Cc", "Cf", "Cn"), exclude_characters="\ufffd")
ODD = ["'t Hart, Jop", "D’Hondt, C", "Bye", "", "1 w 1", "é" * 33, "Zoé, <b>", "012", "N.N.", "???"]
NAMES = st.one_of(st.sampled_from(ODD), st.text(LETTERS, max_size=33).map(clean)).filter(
    lambda n: len(n) < 34
)
PAIRS = ["10", "01", "==", "WL", "LW", "DD", "+-", "-+", "--", "  "]
COLOURS = ["wb", "bw", "--", "  ", "ww", "w "]
BYES = [("-", code) for code in "HFUZ+-"] + [("w", "+"), ("", "H"), ("-", "=")]
REST = [
    "022 Lindenhof", "### anything  at all", "XXZ 1 2", "XYZ", "DDD SSSS", "   1    2", "BBW 1.0",
    "260   1   2    1    2", "XXS W=1.0 D=0.5", "182 Some program 1.0", "122 90'+30''", "062 3",
    "300   1   1   2    1    2", "BEL    1" + " " * 40 + "1799 VLA       12345",
    "013 Team" + " " * 31 + "1    2",
    "132" + " " * 88 + "26/03/26  26/03/27", "172 IND FIDE", "XXR 9",
]  # fmt: skip
BIRTHS = ["", "1990/01/31", "1990/00/00", "1990/04/00", "1990", "1990.01.31", "31.01.1990", "0000/00/00"]


@st.composite
def cells(draw: st.DrawFn, players: int) -> list[list[Cell]]:
    """Rounds in which everybody plays, has a bye or is away; both halves fit."""
    rows: list[list[Cell]] = [[] for _ in range(players)]
    for _ in range(draw(st.integers(0, 4))):
        order = draw(st.permutations(range(players)))
        paired = draw(st.integers(0, players // 2))
        for one, two in zip(order[: 2 * paired : 2], order[1 : 2 * paired : 2], strict=True):
            codes, colours = draw(st.sampled_from(PAIRS)), draw(st.sampled_from(COLOURS))
            rows[one].append(Cell(two + 1, colours[0].strip(), codes[0].strip()))
            rows[two].append(Cell(one + 1, colours[1].strip(), codes[1].strip()))
        for away in order[2 * paired :]:
            rows[away].append(Cell(0, *draw(st.sampled_from(BYES))) if draw(st.booleans()) else Cell())
    for row in rows:
        while row and row[-1] == Cell():
            row.pop()
    return rows


@st.composite
def tournaments(draw: st.DrawFn) -> Tournament:
    """A report such as any program may have written."""
    rows = draw(st.integers(1, 7).flatmap(cells))
    entries = tuple(
        Entry(
            number, draw(NAMES), draw(st.sampled_from(["", "m", "w", "f", "X"])),
            draw(st.sampled_from(["", "GM", "WFM", "g", "wf"])),
            draw(st.sampled_from(["", "1500", "0", "2801"])),
            draw(st.sampled_from(["", "BEL"])), draw(st.sampled_from(["", "990001", "D50113"])),
            draw(st.sampled_from(BIRTHS)), draw(st.sampled_from(["", "1.5", "10.0"])),
            draw(st.sampled_from(["", "1", "12"])), tuple(row),
        )
        for number, row in enumerate(rows, 1)
    )  # fmt: skip
    first, last = sorted((draw(DAYS), draw(DAYS)))
    heading = [f"012 {draw(st.text(LETTERS, max_size=20).map(clean))}".rstrip(),
               f"042 {_slashed(first)}", f"052 {_slashed(last)}"]  # fmt: skip
    records = [Record(line) for line in heading]
    places = draw(st.lists(st.tuples(st.sampled_from(REST), st.integers(0, len(entries))), max_size=5))
    for text, before in sorted(places, key=lambda place: place[1]):
        records.append(Record(text, before))
    return Tournament(entries, tuple(records))


def _slashed(day: int) -> str:
    return trf.day_text(day).replace("-", "/")


def plain(detail: object) -> Tournament:
    """Without the numbers of lines."""
    assert isinstance(detail, Tournament)
    return Tournament(
        tuple(entry._replace(line=0) for entry in detail.entries),
        tuple(record._replace(line=0) for record in detail.records),
    )


def again(data: bytes) -> Tournament:
    return plain(registry.read(data, "f", kind="TRF", today=TODAY).detail)


@given(tournaments())
def test_what_is_written_reads_back(tournament: Tournament) -> None:
    assert again(trf.write(tournament)) == tournament


@given(tournaments(), st.sampled_from([TRF16, TRF26]))
def test_in_both_dialects(tournament: Tournament, dialect: str) -> None:
    """The same entries and games; made twice it is the same; and it reads back."""
    made = trf.as_dialect(tournament, dialect)
    data = trf.write(made)
    assert again(data) == plain(made)
    assert plain(trf.as_dialect(again(data), dialect)) == plain(made)
    one = registry.read(trf.write(tournament), "f", kind="TRF", today=TODAY)
    two = registry.read(data, "f", kind="TRF", today=TODAY)
    assert games(two.sheet) == games(one.sheet)
    assert [person._replace(line=0) for person in two.sheet.people.values()] == [
        person._replace(line=0) for person in one.sheet.people.values()
    ]


@pytest.mark.parametrize("file", ["zomertoernooi.trf", "vierkampf.trf", "meesterkamp.trf"])
def test_files_keep_all_their_records(file: str) -> None:
    reading = registry.read(FILES / file, today=TODAY)
    assert isinstance(reading.detail, Tournament)
    data = trf.write(reading.detail)
    assert again(data) == plain(reading.detail)
    if file == "zomertoernooi.trf":
        written = (FILES / file).read_bytes().replace(b"\n", b"\r\n")
        assert data == written.replace(b"      1998", b"1998      ")  # blanks apart, letter for letter


def text_of(tournament: Tournament) -> list[str]:
    return trf.write(tournament).decode().split("\r\n")[:-1]


def test_the_order_of_records() -> None:
    tournament = again((FILES / "vierkampf.trf").read_bytes())
    findings = Findings("out.trf16")
    codes = [line[:3] for line in text_of(trf.as_dialect(tournament, TRF16, findings=findings))]
    assert codes == ["012", "032", "042", "052", "062", "072", *["001"] * 5, *["013"] * 3, "XYZ"]
    assert found(findings.listed()) == [("trf-record-left-out", 0, 0)]
    findings = Findings("out.trf")
    lines = text_of(trf.as_dialect(tournament, TRF26, findings=findings))
    assert [line[:3] for line in lines] == [
        "012", "032", "042", "052", "062", "072", "142", "192", "362", *["001"] * 5, *["310"] * 3, "240",
        "300", "300", "299", "XYZ",
    ]  # fmt: skip
    assert found(findings.listed()) == [("trf-record-missing", 0, 0)]
    assert "310   1 Talheim 1                        TAL1    1450    2.0    2.0   1     1    2" in lines


def test_teams_become_those_of_the_other_dialect() -> None:
    tournament = again((FILES / "vierkampf.trf").read_bytes())
    old = trf.as_dialect(tournament, TRF16)
    assert text_of(old)[-4] == "013 Talheim 1                          1    2"
    new = [line for line in text_of(trf.as_dialect(old, TRF26)) if line[:3] in ("013", "310")]
    assert new[0] == "310   1 Talheim 1" + " " * 56 + "   1    2"


def test_an_unfinished_event_in_the_old_dialect() -> None:
    tournament = again((FILES / "zomertoernooi.trf").read_bytes().replace(b"142 3", b"142 9"))
    assert text_of(trf.as_dialect(tournament, TRF16))[-1] == "XXR 9"


def test_unknown_lines_stay_with_what_follows_them() -> None:
    data = (FILES / "zomertoernooi.trf").read_bytes()
    lines = text_of(trf.as_dialect(again(data), TRF26))
    at = next(number for number, line in enumerate(lines) if line.startswith("### national"))
    assert lines[at + 1].startswith("BEL    1")


def test_dates_and_titles_in_the_newer_spelling() -> None:
    made = trf.as_dialect(again((FILES / "meesterkamp.trf").read_bytes()), TRF26)
    lines = text_of(made)
    assert lines[3:5] == ["042 2005/12/06", "052 2005/12/28"]
    assert [(entry.title, entry.sex, entry.birth) for entry in made.entries] == [
        ("GM", "", "1970/02/03"), ("WIM", "w", "1980/00/00"), ("FM", "", ""), ("", "", "1955/00/00"),
    ]  # fmt: skip


def test_days_that_were_told_are_written() -> None:
    data = re.sub(rb"(?m)^(132|042).*\n", b"", (FILES / "zomertoernooi.trf").read_bytes())
    reading = registry.read(
        data, "f", today=TODAY, told={"last-day": "2026-05-30", "first-day": "2026-05-29"}
    )
    assert isinstance(reading.detail, Tournament)
    sheet = reading.sheet
    made = trf.as_dialect(reading.detail, TRF26, first=sheet.events[0].start, last=max(sheet.games.day))
    assert {"042 2026/05/29", "052 2026/05/30"} <= set(text_of(made))


# --- of a sheet -------------------------------------------------------------------------------------


def sheet_of(*rows: tuple[str, str, int, Result]) -> Sheet:
    sheet = Sheet("s")
    event = sheet.event("Cup", 739_700)
    for one, two, round_, result in rows:
        first, second = sheet.player(one), sheet.player(two) if two else -1
        sheet.games.append(
            GameRow(first, second, event, 739_700 + round_, round_, result=sheet.result(result))
        )
    return sheet


def test_a_sheet_as_a_report() -> None:
    sheet = sheet_of(
        ("Peeters, Jan", "Maes, Bo", 1, Result("game", 2, 0)),
        ("Claes, Cy", "", 1, Result("bye", 2)),
        ("Maes, Bo", "Claes, Cy", 2, Result("forfeit", 0, 2)),
        ("Claes, Cy", "Peeters, Jan", 3, Result("game", 1, 1, unrated=True)),
        ("Claes, Cy", "Peeters, Jan", 3, Result("pending")),  # a second game in a round
    )
    told = SheetPerson("Maes, Bo", (("fide", "990001"),), "1999-05", "f", "WFM", "BEL", rating=1812.4)
    sheet.people["Maes, Bo"] = told
    findings = Findings()
    lines = text_of(trf.tournament_of(sheet, 0, findings))
    assert lines[:4] == [
        "012 Cup",
        "042 2026/03/25",
        "052 2026/03/28",
        "132" + " " * 88 + "26/03/26  26/03/27  26/03/28  26/03/28",
    ]
    assert (
        lines[5][:84]
        == "001    2 wWFM Maes, Bo                          1812 BEL      990001 1999/05/00  0.0"
    )
    assert [line[80:84].strip() for line in lines[4:]] == ["1.5", "0.0", "2.5"]
    assert [line[91:] for line in lines[4:]] == [
        "   2 w 1  0000 - Z     3 b D     3 b  ",
        "   1 b 0     3 w -  0000 - Z  0000 - Z",
        "0000 - U     2 b +     1 w D     1 w  ",
    ]
    assert found(findings.listed()) == []


@given(st.data())
def test_games_of_a_sheet_read_back(data: st.DataObject) -> None:
    names = ["Aa, A", "Bb, B", "Cc, C", "Dd, D"]
    results = [Result("game", 2, 0), Result("game", 1, 1), Result("game", 0, 2, unrated=True),
               Result("forfeit", 2, 0), Result("forfeit", 0, 0), Result("pending")]  # fmt: skip
    rows = []
    for round_ in range(1, data.draw(st.integers(1, 4)) + 1):
        one, two, *rest = data.draw(st.permutations(names))
        rows.append((one, two, round_, data.draw(st.sampled_from(results))))
        if data.draw(st.booleans()):
            rows.append((rest[0], rest[1], round_, data.draw(st.sampled_from(results))))
    sheet = sheet_of(*rows)
    made = trf.as_dialect(trf.tournament_of(sheet), data.draw(st.sampled_from([TRF16, TRF26])))
    back = [game for game in games(read(trf.write(made)).sheet) if game.player2]
    assert sorted(back) == sorted(games(sheet))


def test_what_cannot_be_written() -> None:
    with pytest.raises(Refused) as caught:
        trf.tournament_of(sheet_of(("A", "B", 1, Result("sets", 3, 1))))
    assert found(caught.value.problems) == [("result-not-in-format", 0, 0)]
    with pytest.raises(Refused) as caught:
        trf.write(Tournament((Entry(1, "x" * 34),)))
    assert found(caught.value.problems) == [("trf-field-too-long", 0, 0)]


def test_what_is_lost_is_told() -> None:
    sheet = sheet_of(("A" * 40, "B", 1, Result("game", 2, 0)))
    sheet.games.stones[0] = 3
    findings = Findings()
    trf.tournament_of(sheet, 0, findings)
    assert found(findings.listed()) == [("player-name-cut", 0, 0), ("trf-not-written", 0, 0)]
