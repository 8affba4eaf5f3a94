"""FIDE's tournament report: what is taken, and each defect with its code, line and column."""

from __future__ import annotations

import pytest

from arpad.domain.problems import Refused
from arpad.formats import registry, trf
from arpad.ledger.sheet import SheetPerson
from tests.formats.helpers import FILES, TODAY, found, games, read, refused

ZOMER = (FILES / "zomertoernooi.trf").read_text("utf-8")
VIERKAMP = (FILES / "vierkampf.trf").read_text("utf-8")
USUAL = [("result-forfeit-count", 1, 1), ("event-class-derived", 13, 5), ("player-birth-partial", 14, 70),
         ("player-birth-partial", 15, 70), ("player-birth-partial", 16, 70)]  # fmt: skip
Place = tuple[str, int, int]


def changed(old: str, new: str, text: str = ZOMER) -> str:
    assert old in text, old
    return text.replace(old, new, 1)


def told(data: str) -> list[Place]:
    """What is said of a changed file and not of the file as it was."""
    return sorted(place for place in found(read(data).problems) if place not in USUAL)


# --- what is taken ----------------------------------------------------------------------------------


def test_an_individual_event() -> None:
    reading = read(ZOMER)
    event = "Lindenhof Zomertoernooi"
    first, last = ("2026-06-06", event, "2026-06-06"), ("2026-06-07", event, "2026-06-06")
    assert [tuple(game) for game in games(reading.sheet)] == [
        (*first, 1, "Voorbeeld, Noor", "Müster, Ada", "1-0", 0),
        (*first, 1, "Okabe, Ren", "D'Hondt, Célie", "0-1", 0),
        (*first, 2, "D'Hondt, Célie", "Voorbeeld, Noor", "1/2-1/2", 0),
        (*first, 2, "Müster, Ada", "'t Hart, Jop", "1/2-1/2", 0),
        (*last, 3, "Voorbeeld, Noor", "'t Hart, Jop", "1/2-1/2", 0),
        (*last, 3, "Müster, Ada", "Okabe, Ren", "--+", 0),
        (*first, 1, "'t Hart, Jop", "", "full", 0),
        (*first, 2, "Okabe, Ren", "", "zero", 0),
        (*last, 3, "D'Hondt, Célie", "", "half", 0),
    ]
    assert found(reading.problems) == USUAL
    people = reading.sheet.people
    assert people["Voorbeeld, Noor"] == SheetPerson(
        "Voorbeeld, Noor", (("fide", "990001"), ("national", "12345")), "2001-04", "f", "", "BEL",
        rating=1812, line=14,
    )  # fmt: skip
    assert (people["D'Hondt, Célie"].title, people["D'Hondt, Célie"].birth) == ("CM", "1998")
    assert (people["Müster, Ada"].rating, people["Müster, Ada"].sex) == (None, "")
    entries = {entry.player: entry.application for entry in reading.sheet.first_ratings}
    assert (entries["Voorbeeld, Noor"].rating, entries["Voorbeeld, Noor"].born) == (1812, 2001)
    assert "Müster, Ada" not in entries


def test_a_team_event() -> None:
    reading = read(VIERKAMP)
    assert [(g.player1, g.player2, g.result) for g in games(reading.sheet)] == [
        ("Eins, A", "Drei, C", "1-0"),
        ("Zwei, B", "", "full"),  # an empty board
        ("Vier, D", "", "half"),  # by 240, for the members of team 3
        ("Fünf, E", "", "half"),
    ]
    assert reading.sheet.games.board[0] == 1  # by 300
    assert found(reading.problems) == [
        ("event-team", 6, 1),
        ("rounds-lost", 11, 90),
        ("trf-record-unknown", 20, 1),
    ]


def test_an_old_report() -> None:
    """TRF06: carriage returns, dots in dates, short titles, f for a woman, Windows-1252; W D L unrated."""
    reading = registry.read(FILES / "meesterkamp.trf", today=TODAY)
    results = [(game.date, game.result) for game in games(reading.sheet)]
    assert results == [
        ("2005-12-28", result)
        for result in ("1-0", "1-0", "1/2-1/2", "0-1 unrated", "+--", "1/2-1/2 unrated")
    ]
    titles = {name: (person.title, person.sex, person.birth) for name, person in reading.sheet.people.items()}
    assert titles == {
        "Exemple, Léon": ("GM", "", "1970-02-03"), "Modèle, Ana": ("WIM", "f", "1980"),
        "Factice, Max": ("FM", "", ""), "Leeg, Piet": ("", "", "1955"),
    }  # fmt: skip
    assert {problem.code for problem in reading.problems} == {
        "result-forfeit-count", "text-not-utf8", "player-birth-partial",
    }  # fmt: skip


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "mixed"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_and_byte_order_mark(end: str, mark: str) -> None:
    ends = iter(["\r", "\n", "\r\n"] * 20)
    data = mark + "".join(line + (next(ends) if end == "mixed" else end) for line in ZOMER.splitlines())
    assert games(read(data).sheet) == games(read(ZOMER).sheet)
    assert found(read(data).problems) == USUAL


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1"])
def test_encodings(encoding: str) -> None:
    reading = read(ZOMER.encode(encoding))
    assert games(reading.sheet) == games(read(ZOMER).sheet)
    assert ("text-not-utf8", 15, 25) in found(reading.problems)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf16_is_refused_by_name(encoding: str) -> None:
    assert refused(ZOMER.encode(encoding)) == [("text-utf16", 1, 1)]


# --- what is told -----------------------------------------------------------------------------------

OUTSIDE = ["date-order:1:1", "date-outside-event:11:92", "date-outside-event:11:102"]
CUT = ["rounds-lost:14:110", "game-one-sided:16:112", "points-differ:14:81"]
LONE = ["game-one-sided:15:102", "points-differ:14:81"]
WARNED = [
    # results of one half only, or of two that do not fit
    ("4 w 1     2 b =     3 w =", "4 w 1               3 w =", LONE),
    ("     3 w =\n001    2", "\n001    2", CUT),
    ("4 w 1     2", "4 w =     2", ["game-contradiction:14:99", "points-differ:14:81"]),
    ("4 w 1     2", "4 w +     2", ["game-contradiction:14:99"]),
    ("4 w 1     2", "5 w 1     2", ["game-not-mutual:14:92", "game-not-mutual:17:92"]),
    ("4 w 1     2", "4 b 1     2", ["colour-same:14:97", "colour-missing:14:97"]),
    ("4 w 1     2", "4 - 1     2", []),
    ("1 b =\n001    4", "1 b -\n001    4", ["game-contradiction:14:119", "points-differ:16:81"]),
    # byes
    ("0000 - H", "0000 - =", ["bye-code:15:119"]),
    ("0000 - H", "0000 w H", ["bye-with-colour:15:117"]),
    ("0000 - H", "     - H", []),
    ("0000 - H", "0000 - h", []),
    ("0000 - H", "0000 - -", ["points-differ:15:81"]),
    ("0000 - U", "0000 - F", ["bye-kind-doubtful:16:99"]),
    ("0000 - Z", "0000 - U", ["points-differ:18:81"]),
    ("0000 - H", "   4 - H", ["bye-with-opponent:15:119"]),
    # points, places, counts
    ("1998  2.0    2", "1998  9.5    2", ["points-differ:15:81"]),
    ("1998  2.0    2", "1998  2.0     ", ["place-missing:15:86"]),
    ("062 5", "062 6", ["count-differs:6:5"]),
    ("142 3", "142 2", ["count-differs:12:5"]),
    ("142 3", "142 x", ["trf-record-shape:12:1"]),
    # what is said of players
    ("1812 BEL", "   0 BEL", []),
    ("1812 BEL", "18x2 BEL", ["player-rating-shape:14:49"]),
    ("1 w    Voor", "1 ?    Voor", ["player-sex-unknown:14:10"]),
    ("1 w    Voor", "1 X    Voor", []),
    ("1 w    Voor", "1 u    Voor", []),
    ("2 m CM D", "2 m NM D", ["player-title-unknown:15:11"]),
    ("2009/11/30", "2009/13/30", ["player-birth-shape:18:70"]),
    ("2009/11/30", "2036/11/30", ["player-birth-shape:18:70"]),
    ("2009/11/30", "30.11.2009", []),
    ("2009/11/30", "0000/00/00", []),
    ("     990005 ", "     990002 ", ["player-same-id:15:58", "player-same-id:18:58"]),
    ("     990005 ", "     111111 ", ["player-id-shape:18:58"]),
    ("     990005 ", "        123 ", ["player-id-shape:18:58"]),
    ("     990005 ", "       D501 ", []),
    ("Okabe, Ren  ", "'t Hart, Jop", ["player-same-name:18:15"]),
    ("Okabe, Ren", "          ", ["player-name-missing:18:15"]),
    ("Okabe, Ren", "??????? ??", ["text-name-lost:18:15"]),
    ("Okabe, Ren" + " " * 23, "Okabe, Renatus Maximilian Corneli", ["player-name-cut:18:15"]),
    ("BEL    1 ", "BEL    9 ", ["trf-record-shape:20:5"]),
    # lines whose columns have moved
    ("Müster, Ada  ", "Müster, Ada ", ["trf-columns-by-byte:17:16"]),
    ("2.0    3  0000", " 2.0    3  0000", ["trf-columns-shifted:16:1"]),
    ("             2012/00/00", "              2012/00/00", ["trf-columns-shifted:16:1"]),
    ("'t Hart, Jop" + " " * 22, "'t Hart, Jop\t\t\t", ["trf-tabs:16:27"]),
    ("'t Hart, Jop" + " " * 22, "'t Hart, Jop\t", ["trf-tabs:16:27"]),
    # records beside
    ("### national", "XYZ national", ["trf-record-unknown:19:1"]),
    ("### national", "         1         2", ["trf-record-unknown:19:1"]),
    ("142 3", "XXR 3", []),
    ("142 3", "240 H   3    1", ["trf-record-shape:12:5"]),
    ("142 3", "299 H", []),
    ("142 3", "250 one two", ["trf-record-shape:12:1"]),
    ("142 3", "142 3\n012 Second name", None),
    ("222 3600+30", "222 90 minutes", ["trf-record-shape:13:5"]),
    ("222 3600+30", "222 40/5400+30:1800+30", ["event-class-derived:13:5"]),
    ("012 Lindenhof Zomertoernooi", "012", ["event-name-missing:1:1"]),
    # dates
    ("042 2026/06/06", "042 2026/06/08", OUTSIDE),
    ("042 2026/06/06", "042 someday", ["date-unreadable:4:5"]),
    ("052 2026/06/07", "052 2026/13/07", ["date-unreadable:5:5"]),
    ("052 2026/06/07", "052", []),
    ("052 2026/06/07", "052 2027/06/07", ["date-future:5:5"]),
    ("042 2026/06/06", "042 06.06.2026", []),
    ("042 2026/06/06", "042 June 6, 2026", []),
    ("042 2026/06/06", "042 26/06/06", []),
    ("26/06/06  26/06/07\n", "26/06/06  25/06/07\n", ["date-outside-event:11:112"]),
    ("26/06/06  26/06/07\n", "26/06/06  2027/06/07\n", ["date-future:11:112"]),
    ("26/06/06  26/06/07\n", "26/06/06  26/13/77\n", ["date-unreadable:11:112"]),
    ("26/06/06  26/06/06", "26/06/07  26/06/06", ["date-order:11:102"]),
    ("26/06/06  26/06/06  26/06/07", "26/06/06", []),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "places"), WARNED)
def test_what_is_told(old: str, new: str, places: list[str] | None) -> None:
    data = changed(old, new)
    expected = sorted(
        (code, int(line), int(column))
        for code, line, column in (place.split(":") for place in places or [])
        if (code, int(line), int(column)) not in USUAL
    )
    if places is not None:
        ours = [place for place in told(data) if place[0] != "player-birth-partial"]
        assert ours == expected
    assert len(read(data).sheet.players) == 5


REFUSED = [
    ("001    2 m CM", "001    1 m CM", [("player-duplicate-number", 15, 5), ("player-missing", 14, 102)]),
    ("   4 w 1", "  99 w 1", [("player-missing", 14, 92)]),
    ("   4 w 1", "   1 w 1", [("game-self", 14, 92)]),
    ("   4 w 1", "   4 w ?", [("result-code-unknown", 14, 99)]),
    ("0000 - U", "0000 - ½", [("result-code-unknown", 16, 99)]),
    ("### national", "012 Second event", [("file-two-in-one", 19, 1)]),
    ("042 2026/06/06\n052 2026/06/07", "042\n052", []),
    ("2026/06/06\n052 2026/06/07", "2036/06/06\n052 2036/06/07", [("date-future", 1, 1)]),
    ("001    4   ", "001    x   ", [("trf-line-unreadable", 17, 1)]),
    ("001    4   ", "001    0   ", [("trf-line-unreadable", 17, 1)]),
    ("   4 w 1     2 b =     3 w =", "   4 w 1    2 b =     3 w =", [("trf-line-unreadable", 14, 1)]),
    ("012 Lindenhof", "012 " + "L" * 200, [("cell-too-long", 1, 1)]),
]


@pytest.mark.parametrize(("old", "new", "places"), REFUSED)
def test_what_is_refused(old: str, new: str, places: list[Place]) -> None:
    if not places:  # the rounds' days suffice
        assert read(changed(old, new)).sheet.events[0].start
        return
    seen = refused(changed(old, new))
    assert set(places) <= set(seen)


def test_two_faults_are_told_at_once() -> None:
    data = changed("0000 - U", "0000 - ?", changed("   4 w 1", "  99 w 1"))
    assert {("player-missing", 14, 92), ("result-code-unknown", 16, 99)} <= set(refused(data))


@pytest.mark.parametrize(
    ("data", "code"),
    [("012 Open\n042 2026/05/01\n", "player-none"), ("", "file-empty"), (" \r\n", "file-empty")],
)
def test_nothing_to_take(data: str, code: str) -> None:
    assert [place[0] for place in refused(data, "TRF")] == [code]


def test_without_dates() -> None:
    data = "\n".join(line for line in ZOMER.split("\n") if line[:3] not in ("042", "052", "132"))
    assert ("date-missing", 1, 1) in refused(data)
    reading = registry.read(data.encode(), "f", today=TODAY, told={"last-day": "2026-05-30"})
    assert {game.date for game in games(reading.sheet)} == {"2026-05-30"}


def test_a_moved_line_is_believed_if_its_games_are_mutual() -> None:
    data = changed("2.0    3  0000 - U     4 b =", " 2.0    3  0000 - U     5 b =")
    assert ("trf-line-unreadable", 16, 103) in refused(data)


# --- what a game is ---------------------------------------------------------------------------------

TWO = (
    "012 T\n042 2026/05/01\n052 2026/05/01\n"
    "001    1      Een, A" + " " * 65 + "   1     2 {}\n001    2      Twee, B" + " " * 64 + "   2     1 {}\n"
)
PAIRS = [
    ("w 1", "b 0", "1-0"), ("w 0", "b 1", "0-1"), ("w =", "b =", "1/2-1/2"), ("b 1", "w 0", "0-1"),
    ("w W", "b L", "1-0 unrated"), ("w d", "b D", "1/2-1/2 unrated"), ("w +", "b -", "+--"),
    ("- -", "- +", "--+"), ("w -", "b -", "---"), ("w  ", "b  ", "pending"), ("w", "b", "pending"),
    ("s 1", "W 0", "0-1"), ("w 1", "  0", "1-0"), ("- 1", "- 0", "1-0"), ("- 1", "w 0", "0-1"),
    ("w 1", "w 0", "1-0"),
    ("w 1", "b 1", ""), ("w 1", "b =", ""), ("w 1", "b -", ""), ("w +", "b +", ""), ("w W", "b 0", ""),
    ("w =", "b D", ""), ("w 1", "b  ", ""), ("w +", "b L", ""), ("w 1", "b U", ""),
]  # fmt: skip


@pytest.mark.parametrize(("one", "two", "result"), PAIRS)
def test_two_halves(one: str, two: str, result: str) -> None:
    reading = read(TWO.format(one, two))
    pairings = [game for game in games(reading.sheet) if game.player2]
    assert [game.result for game in pairings] == [result][: bool(result)]
    held = [problem.code for problem in reading.problems if problem.severity == "held"]
    assert held == [] if result else ["game-contradiction"]


def test_who_is_named_by_two() -> None:
    data = TWO.format("w 1", "b 0") + "001    3      Drie, C" + " " * 64 + "   2\n"
    lone = data.replace("   1     2 w 1", "   1     3 w 1").replace("   2     1 b 0", "   2     3 b 0")
    seen = found(read(lone).problems, "held")
    assert seen == [("game-double-booked", 4, 92), ("game-double-booked", 5, 92)]
    assert read(lone).games == 0


@pytest.mark.parametrize("name", ["Bye", "N.N.", "Spielfrei", "N.N"])
def test_nobody_is_no_person(name: str) -> None:
    reading = read(changed("Okabe, Ren  ", name.ljust(12)))
    assert ("player-placeholder", 18, 15) in found(reading.problems)
    assert name not in reading.sheet.players
    assert [game.result for game in games(reading.sheet) if game.player1.startswith("D'Hondt")] == [
        "1/2-1/2", "full", "half",
    ]  # fmt: skip


def test_what_is_told_of_ids_and_ratings() -> None:
    def people(**answers: str) -> dict[str, SheetPerson]:
        return registry.read(ZOMER.encode(), "f", today=TODAY, told=answers).sheet.people

    assert people(ids="national")["Okabe, Ren"].ids == (("national", "990005"),)
    assert people(ids="none")["Voorbeeld, Noor"].ids == (("national", "12345"),)
    reading = registry.read(ZOMER.encode(), "f", today=TODAY, told={"ratings": "national"})
    ratings = {entry.player: entry.application.rating for entry in reading.sheet.first_ratings}
    assert (ratings["Voorbeeld, Noor"], ratings["Okabe, Ren"]) == (1799, None)
    with pytest.raises(Refused):
        people(ids="mine")


@pytest.mark.parametrize(
    ("head", "known"),
    [("012 Open", True), ("###\n   1\n001    1 m   A", True), ("001 1    m   A", True), ("001,1", False),
     ("0012", False), ("", False)],
)  # fmt: skip
def test_sniff(head: str, known: bool) -> None:
    assert trf.sniff(head) == (["TRF"] if known else [])
