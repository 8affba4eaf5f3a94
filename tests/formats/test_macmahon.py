"""MacMahon's tournament file: a small one by hand, what it asks, and all it can get wrong."""

from __future__ import annotations

import re

import pytest

from arpad.domain.problems import Refused
from arpad.formats import registry
from arpad.formats.reading import Reading
from arpad.ledger.sheet import SheetPerson
from tests.formats.helpers import FILES, TODAY, found, games, refused

OPEN = (FILES / "lindenhof-open.xml").read_text("utf-8")
ANSWERS = {"first-day": "2026-04-04", "last-day": "2026-04-05", "class": "a", "first-point": "black"}


def read(text: str, **more: str) -> Reading:
    told = ANSWERS | {name.replace("_", "-"): value for name, value in more.items()}
    told = {name: value for name, value in told.items() if value}
    return registry.read(text.encode(), "f", kind="MacMahon XML", today=TODAY, told=told)


def refusal(text: str, **more: str) -> list[tuple[str, int, int]]:
    with pytest.raises(Refused) as caught:
        read(text, **more)
    return found(caught.value.problems)


def changed(old: str, new: str) -> str:
    assert old in OPEN
    return OPEN.replace(old, new, 1)


def test_a_tournament_by_hand() -> None:
    reading = read(OPEN)
    sheet = reading.sheet
    assert reading.format == "MacMahon XML"
    assert sheet.players == ["Voorbeeld Noor", "van der Fictief Jop", "Müster Ada", "Okabe Ren"]
    event = ("2026-04-05", "Lindenhof Open", "2026-04-04")
    assert sorted(games(sheet), key=lambda game: game.round) == [
        (*event, 1, "Voorbeeld Noor", "Okabe Ren", "1-0", 7),
        (*event, 1, "van der Fictief Jop", "Müster Ada", "1/2-1/2", 0),
        (*event, 2, "van der Fictief Jop", "Voorbeeld Noor", "0-1", 0),
        (*event, 2, "Müster Ada", "Okabe Ren", "+--", 3),
        (*event, 3, "Okabe Ren", "", "full", 0),
        (*event, 3, "Voorbeeld Noor", "van der Fictief Jop", "--+", 0),
    ]
    assert sheet.events[0].event_class == "A"
    assert [entry.application.rank for entry in sheet.first_ratings] == [2, 1, -2, -7]
    assert sheet.people["Voorbeeld Noor"] == SheetPerson(
        "Voorbeeld Noor", (("egd", "10000001"),), federation="BE", club="Lind", rating=2210, rank="2d", line=6
    )
    ren = sheet.people["Okabe Ren"]
    assert (ren.federation, ren.club, ren.rating) == ("UK", "", None)
    assert found(reading.problems) == [("result-forfeit-count", 1, 1)]


def test_the_points_turn_round_with_the_answer() -> None:
    results = [game.result for game in games(read(OPEN, first_point="white").sheet) if game.player2]
    assert results == ["0-1", "1/2-1/2", "1-0", "--+", "+--"]


def test_what_is_asked() -> None:
    asked = [one for one in refused(OPEN) if one[0] != "result-forfeit-count"]
    assert asked == [("date-missing", 3, 3), ("event-class-missing", 3, 3), ("result-side-unknown", 23, 7)]
    with pytest.raises(Refused) as caught:
        read(OPEN, first_point="")
    shown = next(p for p in caught.value.problems if p.code == "result-side-unknown")
    assert "Black Okabe Ren, White Voorbeeld Noor, Result 0-1" in shown.message
    draws = re.sub("<Result>(0-1|1-0)!?<", "<Result>½-½<", OPEN)
    assert read(draws, first_point="").games == 5  # nobody won, nothing to ask


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        ({"first_point": "left"}, ("result-side-unknown", 1, 1)),
        ({"last_day": "soon"}, ("date-unreadable", 1, 1)),
        ({"last_day": "2036-01-01"}, ("date-future", 1, 1)),
        ({"class": "Z"}, ("class-unknown", 1, 1)),
        ({"weather": "fair"}, ("answer-unknown", 1, 1)),
    ],
)
def test_answers_that_are_none(answer: dict[str, str], problem: tuple[str, int, int]) -> None:
    assert problem in refusal(OPEN, **answer)


def test_days_in_the_wrong_order_and_one_day_only() -> None:
    assert ("date-order", 1, 1) in found(read(OPEN, first_day="2026-04-09").problems)
    assert games(read(OPEN, first_day="").sheet)[0].start == "2026-04-05"


def test_the_other_names_of_the_elements() -> None:
    """As other versions of the program write them, with everything inside one <Tournament>."""
    other = OPEN.replace("<TournamentData>\n", "").replace("</Tournament>", "")
    other = other.replace("</TournamentData>", "</Tournament>").replace(' typeversion="2"', "")
    for old, new in (("Player", "IndividualParticipant"), ("Round", "TournamentRound")):
        other = other.replace(f"<{old}>", f"<{new}>").replace(f"</{old}>", f"</{new}>")
    assert registry.sniff(other.encode()) == ["MacMahon XML"]
    assert games(read(other).sheet) == games(read(OPEN).sheet)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("Lindenhof Open", "", ("event-name-missing", 3, 3)),
        ("10000001", "1000", ("player-id-shape", 6, 7)),
        (">3k<", ">strong<", ("player-rank-shape", 12, 7)),
        (">3k<", ">9k<", ("player-rank-rating-differ", 12, 7)),
        ("Okabe", "Okabe/Mori", ("event-pairs", 15, 7)),
        ("<Surname>Okabe</Surname>", "<Surname>?</Surname>", None),
        ("<Handicap>7<", "<Handicap>12<", ("handicap-shape", 23, 7)),
        ("<White>2</White><Black>3<", "<White>2</White><Black>1<", ("game-double-booked", 24, 7)),
        ("<Result>½-½<", "<Result>1-1<", ("result-both-win", 24, 7)),
        ("<Result>½-½<", "<Result>0-0<", ("result-both-lose", 24, 7)),
        ("<Result>½-½<", "<Result>?-?<", ("result-pending", 24, 7)),
        ("<Result>½-½<", "<Result> <", ("result-pending", 24, 7)),
        ("<Result>½-½<", "<Result>½-½!<", ("result-both-win", 24, 7)),
    ],
)
def test_what_is_told(old: str, new: str, problem: tuple[str, int, int] | None) -> None:
    reading = read(changed(old, new))
    assert problem is None or problem in found(reading.problems)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("<Id>2</Id>", "<Id>1</Id>", ("player-duplicate-number", 8, 5)),
        ("<Id>2</Id>", "<Id>two</Id>", ("player-duplicate-number", 8, 5)),
        ("<White>2</White><Black>3<", "<White>2</White><Black>9<", ("player-missing", 24, 7)),
        ("<White>2</White><Black>3<", "<White>2</White><Black>2<", ("game-self", 24, 7)),
        ("<White>0</White><Black>4<", "<White>0</White><Black>9<", ("player-missing", 32, 7)),
        ("<Result>½-½<", "<Result>tea<", ("result-code-unknown", 24, 7)),
        ("<Result>½-½<", "<Result>1-0</Result><Result>½-½<", ("schema-unknown", 24, 7)),
        ("<Id>2</Id>", "<Id>2</Id><Id>9</Id>", ("schema-unknown", 8, 5)),
        ("Lindenhof Open", "x" * 201, ("cell-too-long", 3, 3)),
        ("Voorbeeld", "x" * 201, ("cell-too-long", 6, 7)),
        ("</TournamentData>", "", ("file-truncated", 36, 1)),
        ("</Roundlist>", "", ("markup-invalid", 35, 3)),
        ("<TournamentData>", '<!DOCTYPE a [<!ENTITY b "c">]><TournamentData>', ("xml-forbidden", 1, 1)),
        ("  <Tournament typeversion", "  <Tourney typeversion", ("markup-invalid", 3, 124)),
    ],
)
def test_what_is_refused(old: str, new: str, problem: tuple[str, int, int]) -> None:
    assert problem in refusal(changed(old, new))


def test_no_players_and_another_schema() -> None:
    empty = re.sub("(?s)<Player>.*</Player>", "", OPEN)
    assert ("player-none", 1, 1) in refusal(empty)
    assert ("schema-unknown", 2, 1) in refusal("<?xml version='1.0'?>\n<TournamentData></TournamentData>")
