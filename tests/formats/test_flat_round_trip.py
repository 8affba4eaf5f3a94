"""read(write(x)) == x for the three files of the flat file."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arpad.domain.play import Application
from arpad.formats import flat
from arpad.ledger.ledger import Ledger
from arpad.ledger.sheet import Sheet, SheetFirstRating
from tests.formats.helpers import FILES, TODAY, read
from tests.formats.strategies import DAYS, NAMES, POINTS, applications, content, sheets


@given(sheets())
def test_games(sheet: Sheet) -> None:
    again = flat.read_games(flat.write_games(sheet), "games.csv", today=TODAY).sheet
    assert content(again) == content(sheet)
    assert again.digest() == sheet.digest()


@given(sheets())
def test_games_of_a_ledger(sheet: Sheet) -> None:
    ledger = Ledger()
    ledger.add_sheet(sheet)
    assert flat.write_games(ledger) == flat.write_games(sheet)


@given(st.dictionaries(NAMES, st.tuples(st.one_of(st.just(0), DAYS), applications()), min_size=1, max_size=6))
def test_players(entries: dict[str, tuple[int, Application]]) -> None:
    sheet = Sheet("players.csv")
    for name, (day, application) in entries.items():
        sheet.player(name)
        sheet.first_rating(name, application, day)
    again = flat.read(flat.write_players(sheet), "players.csv", kind="players.csv", today=TODAY).sheet
    assert [fact[:3] for fact in again.first_ratings] == [fact[:3] for fact in sheet.first_ratings]
    assert again.players == sheet.players


@given(st.dictionaries(st.tuples(NAMES, DAYS), st.tuples(POINTS, NAMES), max_size=6))
def test_corrections(entries: dict[tuple[str, int], tuple[float, str]]) -> None:
    sheet = Sheet("corrections.csv")
    for (name, day), (rating, reason) in entries.items():
        sheet.player(name)
        sheet.correction(name, day, rating, reason)
    data = flat.write_corrections(sheet)
    again = flat.read(data, "corrections.csv", kind="corrections.csv", today=TODAY).sheet
    assert [fact[:4] for fact in again.corrections] == [fact[:4] for fact in sheet.corrections]


def test_what_is_written_is_what_a_person_would_write() -> None:
    sheet = read((FILES / "matches.csv").read_bytes()).sheet
    assert flat.write_games(sheet).decode().splitlines() == [
        "date,event,sequence,player1,player2,result,best_of",
        "2025-09-02,Club evening,1,Ann Alpha,Bob Beta,3-1,5",
        "2025-09-02,Club evening,2,Ann Alpha,Cy Gamma,2-0,3",
        "2025-09-02,Club evening,3,Bob Beta,Cy Gamma,1-1 ret1,5",
        "2025-09-09,Club evening,4,Bob Beta,Cy Gamma,---,5",
    ]
    players = read((FILES / "players.csv").read_bytes()).sheet
    assert flat.write_players(players).decode().splitlines()[:3] == [
        "player,rating,rank,league,percentage,adjustment,reason,born,games,peak,standard,date",
        "Verzonnen Noor,,2d,,,,,1987,,,,",
        '"van der Bedacht, Jop",1650.5,,,,,,1990,40,1700,1688,',
    ]


def test_a_ledger_writes_what_holds() -> None:
    ledger = Ledger()
    ledger.add_sheet(read((FILES / "matches.csv").read_bytes()).sheet)
    fact = ledger.game("Ann Alpha", "Dee Delta", 739_000, ledger.results[0])
    ledger.void(fact, "entered twice")
    ledger.same_person("Cy Gamma", "Ed Epsilon")
    ledger.game("Ed Epsilon", "Ann Alpha", 739_001, ledger.results[0])
    lines = flat.write_games(ledger).decode().splitlines()
    assert len(lines) == 6
    assert not [line for line in lines if "Dee" in line or "Ed" in line]
    assert "Cy Gamma,Ann Alpha,3-1" in lines[-1]


def test_first_ratings_keep_their_line() -> None:
    sheet = read("player,rating\n\nA,1500\n").sheet
    assert sheet.first_ratings == [SheetFirstRating("A", 0, Application(rating=1500.0), 3)]
