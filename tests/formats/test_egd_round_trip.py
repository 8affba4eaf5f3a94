"""read(write(x)) == x for EGD tables, in our own dialect; and what the export to the EGD looks like."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from arpad.domain.problems import Refused
from arpad.domain.results import Result
from arpad.formats import egd
from arpad.formats.egd_table import Heading, Row, Table, TableBye, TableGame
from arpad.formats.reading import Findings, clean
from arpad.ledger.sheet import SheetPerson
from tests.formats.helpers import FILES, TODAY, found, games, read
from tests.formats.strategies import DAYS

LETTERS = st.characters(exclude_categories=("Cs", "Cc", "Cf", "Cn"), exclude_characters="_;|?[]")
ODD_WORDS = ["'t Hart", "D’Hondt", "Peeters,", "12", "3d", "Zoé", "<b>", "x"]
WORDS = st.one_of(st.sampled_from(ODD_WORDS), st.text(LETTERS, min_size=1, max_size=9))
NAMES = WORDS.map(clean).filter(bool)
FIRST_NAMES = st.one_of(st.just(""), NAMES)
TEXTS = st.text(LETTERS, max_size=12).map(clean)
GRADES = st.one_of(
    st.integers(1, 30).map(lambda n: f"{n}k"),
    st.integers(1, 9).map(lambda n: f"{n}d"),
    st.sampled_from(["NC", "4p", ""]),
)
RESULTS = [Result("game", 2, 0), Result("game", 0, 2), Result("game", 1, 1), Result("forfeit", 2, 0),
           Result("forfeit", 0, 2), Result("forfeit", 0, 0), Result("pending")]  # fmt: skip


@st.composite
def rows(draw: st.DrawFn) -> Row:
    name = draw(NAMES)
    return Row(
        name, draw(FIRST_NAMES), draw(GRADES), draw(st.sampled_from(["", "BE", "UK"])),
        draw(st.sampled_from(["", "Gent", "75Op", "A"])),
        tuple(draw(st.lists(st.sampled_from(["0", "3", "408.5", "1120"]), max_size=5))),
        draw(st.sampled_from(["", "1"])) and f"{draw(st.integers(0, 99_999_999)):08}",
        not name.replace(" ", "").isdigit() and draw(st.booleans()),
    )  # fmt: skip


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """A whole table: each round, everybody plays, has a bye or is absent."""
    first, last = sorted((draw(DAYS), draw(DAYS)))
    heading = Heading(
        draw(st.sampled_from(["", "A", "B", "C", "D", "X"])), draw(TEXTS), draw(st.sampled_from(["", "BE"])),
        draw(TEXTS), first, last, draw(st.one_of(st.none(), st.integers(0, 9))),
        draw(st.sampled_from(["", "7.5"])), draw(st.sampled_from(["", "90"])),
        tuple(draw(st.lists(TEXTS, max_size=2))), draw(st.sampled_from(["", "T200101A"])),
    )  # fmt: skip
    players = draw(st.lists(rows(), min_size=2, max_size=7))
    pins = [row.pin for row in players]
    players = [row if pins.count(row.pin) == 1 else row._replace(pin="") for row in players]
    rounds = draw(st.integers(1, 4))
    made, byes = [], []
    for round_ in range(1, rounds + 1):
        order = draw(st.permutations(range(len(players))))
        pairs = draw(st.integers(0, len(players) // 2))
        made += [draw(table_games(round_, *order[2 * n : 2 * n + 2])) for n in range(pairs)]
        byes += [TableBye(round_, row, draw(st.sampled_from("+=-"))) for row in order[2 * pairs :]]
    used = max([0, *(g.round for g in made), *(b.round for b in byes if b.sign != "-")])
    made.sort(key=lambda game: (game.round, min(game.white, game.black)))
    byes = sorted((bye for bye in byes if bye.round <= used), key=lambda bye: (bye.round, bye.row))
    return Table(heading, tuple(players), rounds, tuple(made), tuple(byes))


@st.composite
def table_games(draw: st.DrawFn, round_: int, one: int, other: int) -> TableGame:
    result = draw(st.sampled_from(RESULTS))
    if result.kind == "forfeit" and draw(st.booleans()):  # of a forfeit without colours nothing is derived
        return TableGame(round_, min(one, other), max(one, other), result, 0, False)
    return TableGame(round_, one, other, result, draw(st.integers(0, 9)), True)


def without_lines(table: Table) -> Table:
    return table._replace(
        rows=tuple(row._replace(line=0) for row in table.rows),
        games=tuple(game._replace(line=0) for game in table.games),
    )


def again(data: bytes) -> Table:
    return without_lines(egd.read_table(data, Findings("again"), TODAY))


@given(tables())
@settings(max_examples=settings().max_examples * 2 // 5)
def test_own_dialect(table: Table) -> None:
    assert again(egd.write(table)) == table


@given(tables())
@settings(max_examples=settings().max_examples * 2 // 5)
def test_a_table_becomes_a_sheet_and_a_table_again(table: Table) -> None:
    """The same persons, first ratings and games; only who never sat down is not in the second table."""
    assume(table.games or table.byes)
    sheet = egd.sheet_of(table, "f", Findings())
    second = egd.sheet_of(again(egd.write(egd.table_of(sheet))), "f", Findings())
    present = {row.player1 for row in sheet.games} | {row.player2 for row in sheet.games}
    assert second.players == [name for number, name in enumerate(sheet.players) if number in present]
    assert games(second) == games(sheet)
    for player in second.players:
        assert second.people[player][:-1] == sheet.people[player][:-1]
    kept = [entry[:3] for entry in sheet.first_ratings if entry.player in second.players]
    assert sorted(entry[:3] for entry in second.first_ratings) == sorted(kept)


@pytest.mark.parametrize("file", ["autumn-cup.h9", "old-style.h9"])
def test_files(file: str) -> None:
    table = egd.read_table((FILES / file).read_bytes(), Findings(file), TODAY)
    assert again(egd.write(table)) == without_lines(table)


def test_export() -> None:
    table = egd.read_table((FILES / "autumn-cup.h9").read_bytes(), Findings(), TODAY)
    written = egd.write(table, egd.EGD).decode().splitlines()
    noor = "    4+/w2    2+/b0    3+/w0 |10000001"
    jop = "    3=/w0    1-/w0       0+ |10000002"
    assert written == [
        "; CL[B]",
        "; EV[Autumn Cup]",
        "; PC[BE,Brugge]",
        "; DT[2025-10-11,2025-10-12]",
        "; HA[h1]",
        "; KM[6.5]",
        "; TM[55]",
        "; CM[Canadian byo-yomi]",
        "; CM[Two rounds on Saturday]",
        ";",
        "; Pl Name                           Rk Co Club",
        f"   1 Verzonnen Noor                  2d BE Brug    3    5    9    0{noor}",
        f"   2 van_der_Bedacht Jop             1d NL Delf    2 408.5    9    0{jop}",
        "     Fantôme Zoé                     1k FR xxxx    2  5.5    8    0    2=/b0       0+    1-/b0",
        "   4 Okabe Ren                       3k JP xxxx    0    6    8    0    1-/b2       0-       0-",
        "   5 Nieuweling Sam                  NC XX xxxx    0    0    0    0       0-       0=       0-",
    ]
    assert [p.code for p in egd.left_out(table)] == ["egd-forfeit-lost"]


def test_export_of_what_is_not_known() -> None:
    heading = Heading("", "Cup", "", "", 738_000, 738_001)
    players = (Row("Ålund, x", "Ann", ""), Row("Bb", "", "4p", "", "Longname"))
    unknown = TableGame(1, 0, 1, Result("pending"))
    plain = TableGame(2, 0, 1, Result("game", 1, 1), 0, False)
    table = Table(heading, players, 2, (unknown, plain), ())
    assert egd.write(table, egd.EGD).decode().splitlines()[-2:] == [
        "   1 Ålund_x Ann                     NC XX xxxx    0    0    0    0       0=    2=/?0",
        "   2 Bb _                            4p XX Long    0    0    0    0       0=    1=/?0",
    ]
    assert "; HA[h9]" in egd.write(table, egd.EGD).decode()
    assert [p.code for p in egd.left_out(table)] == ["egd-result-lost", "colour-missing"]


def test_letters_that_iso_8859_15_lacks_lose_their_accents() -> None:
    table = Table(Heading(event="Š Ł ő ț Đ é €"), (Row("Aa", "Bb", "1d"),), 1, (), ())
    written = egd.write(table, egd.EGD, "iso8859-15")
    assert "EV[Š L o t D é €]" in written.decode("iso8859-15")
    with pytest.raises(Refused) as caught:
        egd.write(table._replace(heading=Heading(event="Вильнюс")), egd.EGD, "iso8859-15")
    assert found(caught.value.problems) == [("text-not-encodable", 0, 0)]


def test_a_name_that_would_be_read_as_something_else_is_refused() -> None:
    table = Table(Heading(event="Cup"), (Row("A;b", "C", "1d"),), 1, (), ())
    with pytest.raises(Refused) as caught:
        egd.write(table)
    assert found(caught.value.problems) == [("egd-name-unwritable", 0, 0)]


def test_games_without_round_get_one() -> None:
    data = "date,event,start,round,white,black,result\n" + "".join(
        f"2025-01-0{day},Liga,2025-01-01,{round_},{white},{black},1-0\n"
        for day, round_, white, black in [
            (1, "", "A", "B"),
            (2, "", "A", "C"),
            (3, "1", "B", "C"),
            (3, "1", "A", "D"),
        ]
    )
    table = egd.table_of(read(data).sheet)
    assert [(g.round, g.white, g.black) for g in table.games] == [(1, 1, 2), (1, 0, 3), (2, 0, 1), (3, 0, 2)]
    assert table.rounds == 3


def test_set_scores_cannot_stand_in_a_table() -> None:
    sheet = read("date,event,white,black,result\n2025-01-01,Cup,A,B,3-1\n").sheet
    with pytest.raises(Refused) as caught:
        egd.table_of(sheet)
    assert found(caught.value.problems) == [("result-not-in-format", 0, 0)]


FOREIGN = """date,event,start,round,white,black,result,handicap,size
2025-01-05,Cup,2025-01-04,1,van der Fictief Jop,"Voorbeeld, Noor Ada",1-0,2,19
2025-01-05,Cup,2025-01-04,2,van der Fictief Jop,"Voorbeeld, Noor Ada",1-0,0,13
2025-01-05,Cup,2025-01-04,3,"Voorbeeld, Noor Ada",van der Fictief Jop,1-0 unrated,0,19
2025-01-05,Cup,2025-01-04,4,"Voorbeeld, Noor Ada",van der Fictief Jop,void,0,19
2025-01-05,Cup,2025-01-04,5,"Voorbeeld, Noor Ada",van der Fictief Jop,---,0,19
2025-01-05,Cup,2025-01-04,6,"Voorbeeld, Noor Ada",van der Fictief Jop,--+,0,19
"""


def test_export_of_another_formats_event() -> None:
    """Names, countries and clubs as the database has them; what it does not take is told."""
    sheet = read(FOREIGN).sheet
    jop = SheetPerson("van der Fictief Jop", (("egd", "10000002"),), federation="NED", club="Go Delft")
    noor = SheetPerson("Voorbeeld, Noor Ada", (("egd", "123"),), federation="GB", club="12", rank="2d")
    sheet.person(jop)
    sheet.person(noor)
    findings = Findings("out")
    table = egd.table_of(sheet, 0, egd.EGD, heading=Heading(place="Delft", komi="6.5"), findings=findings)
    written = egd.write(table, egd.EGD).decode().splitlines()
    assert written == [
        "; CL[]", "; EV[Cup]", "; PC[XX,Delft]", "; DT[2025-01-04,2025-01-05]", "; HA[h0]", "; KM[6.5]", ";",
        "; Pl Name                           Rk Co Club",
        ("   1 van_der_Fictief Jop             NC NL Go_D    0    0    0    0    2+/w2       0-       0-"
        "       0=       0=       0+ |10000002"),
        ("   2 Voorbeeld Noor_Ada              2d UK xxxx    0    0    0    0    1-/b2       0-       0-"
        "       0=       0=       0-"),
    ][1:]  # fmt: skip
    assert [problem.code for problem in findings.listed()] == ["egd-game-left-out"] * 2
    assert [p.code for p in egd.left_out(table)] == ["egd-result-lost"] * 2 + ["egd-forfeit-lost"]
    with pytest.raises(Refused) as caught:
        egd.table_of(sheet)
    assert [problem.code for problem in caught.value.problems] == ["result-not-in-format"]


@pytest.mark.parametrize(
    ("club", "written"),
    [("Go Gent", "Go_Gent"), ("3+", ""), ("408", ""), ("a|b", ""), ("XXXX", ""), ("", "")],
)
def test_a_club_that_would_be_read_as_something_else_is_left_out(club: str, written: str) -> None:
    sheet = read("date,event,white,black,result\n2025-01-05,Cup,A B,C D,1-0\n").sheet
    sheet.person(SheetPerson("A B", club=club))
    table = egd.table_of(sheet)
    assert table.rows[0].club == written
    assert again(egd.write(table)).rows[0].club == written
