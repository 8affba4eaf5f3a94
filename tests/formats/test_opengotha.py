"""OpenGotha's XML: a small tournament by hand, everything a file can get wrong, and real files."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from arpad.domain.dates import day_text, read_day
from arpad.domain.problems import Refused
from arpad.domain.results import write_result
from arpad.formats import registry

TODAY = read_day("2026-06-30")
PLAYERS = """
<Player name="Voorbeeld" firstName="Noor" grade=" 2D" rank="2D" registeringStatus="FIN"/>
<Player name="van der Fictief" firstName="Jop" grade="" rank="1D" registeringStatus="FIN"/>
<Player name="Müster" firstName="Ada" grade="NC" rank="1K" registeringStatus="FIN"/>
<Player name="Okabe" firstName="Ren" grade="3K" rank="3K" registeringStatus="FIN"/>
<Player name="Laat" firstName="Bo" grade="4K" rank="4K" registeringStatus="PRE"/>
"""


def game(round_: int, table: int, white: str, black: str, stones: int, result: str) -> str:
    return (
        f'<Game roundNumber="{round_}" tableNumber="{table}" whitePlayer="{white}" blackPlayer="{black}" '
        f'handicap="{stones}" knownColor="true" result="RESULT_{result}"/>\n'
    )


GAMES = "\n" + (
    game(1, 1, "VOORBEELDNOOR", "OKABEREN", 2, "WHITEWINS")
    + game(1, 2, "VANDERFICTIEFJOP", "MÜSTERADA", 0, "EQUAL")
    + game(2, 1, "VOORBEELDNOOR", "VANDERFICTIEFJOP", 0, "BLACKWINS_BYDEF")
    + game(2, 2, "OKABEREN", "MÜSTERADA", 0, "UNKNOWN")
)
GENERAL = (
    'name="Lindenhof Go Day" shortName="lindenhof" location="Lindenhof" beginDate="2026-05-30" '
    'endDate="2026-05-31" numberOfRounds="3" size="19" '
    'basicTime="40" complementaryTimeSystem="STDBYOYOMI" stdByoYomiTime="20"'
)


def tournament(
    players: str = PLAYERS, games: str = GAMES, general: str = GENERAL, root: str = "", byes: str = ""
) -> bytes:
    return (
        f'<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<Tournament dataVersion="201" {root}>'
        f"<Players>{players}</Players><Games>{games}</Games>{byes}"
        f"<TournamentParameterSet><GeneralParameterSet {general}/></TournamentParameterSet></Tournament>"
    ).encode()


def read(data: bytes):
    return registry.read(data, "t.xml", today=TODAY)


def codes(data: bytes) -> set[str]:
    return {problem.code for problem in read(data).problems}


def refused(data: bytes) -> set[str]:
    with pytest.raises(Refused) as refusal:
        read(data)
    return {problem.code for problem in refusal.value.problems}


def test_a_tournament_by_hand():
    reading = read(tournament(byes='<ByePlayers><ByePlayer player="OKABEREN" roundNumber="3"/></ByePlayers>'))
    sheet = reading.sheet
    assert reading.format == "OpenGotha XML"
    assert sheet.players == ["Voorbeeld Noor", "van der Fictief Jop", "Müster Ada", "Okabe Ren"]
    (event,) = sheet.events
    assert (event.name, day_text(event.start), event.event_class) == ("Lindenhof Go Day", "2026-05-30", "B")
    rows = [
        (sheet.players[g.player1], sheet.players[g.player2] if g.player2 >= 0 else "", day_text(g.day),
         g.round, g.board, g.stones, write_result(sheet.results[g.result]))
        for g in sheet.games
    ]  # fmt: skip
    last = "2026-05-31"
    assert rows == [
        ("Voorbeeld Noor", "Okabe Ren", last, 1, 1, 2, "1-0"),
        ("van der Fictief Jop", "Müster Ada", last, 1, 2, 0, "1/2-1/2"),
        ("Voorbeeld Noor", "van der Fictief Jop", last, 2, 1, 0, "--+"),
        ("Okabe Ren", "Müster Ada", last, 2, 2, 0, "pending"),
        ("Okabe Ren", "", last, 3, 0, 0, "full"),
    ]
    first = {entry.player: entry.application for entry in sheet.first_ratings}
    assert (first["Voorbeeld Noor"].rank, first["van der Fictief Jop"].rank, first["Okabe Ren"].rank) == (
        2,
        1,
        -2,
    )
    assert first["Müster Ada"].unclassified
    assert {problem.line for problem in reading.problems if problem.code == "result-pending"} == {12}


@pytest.mark.parametrize(
    ("time", "expected"),
    [
        ('basicTime="60" complementaryTimeSystem="STDBYOYOMI" stdByoYomiTime="20"', "A"),
        ('basicTime="60" complementaryTimeSystem="STDBYOYOMI" stdByoYomiTime="19"', "B"),
        ('basicTime="59" complementaryTimeSystem="CANBYOYOMI" canByoYomiTime="300" nbMovesCanTime="15"', "B"),
        ('basicTime="45" complementaryTimeSystem="FISCHER" fischerTime="15"', "A"),
        ('basicTime="30" complementaryTimeSystem="SUDDENDEATH"', "C"),
        ('basicTime="29" complementaryTimeSystem="SUDDENDEATH"', "D"),
        ('basicTime="60" complementaryTimeSystem="STDBYOYOMI" stdByoYomiTime="20" bInternet="true"', "D"),
    ],
)
def test_the_class_follows_from_the_time_settings(time, expected):
    """EGF: adjusted = basic + 45 periods, 60 moves of Canadian overtime, or 120 increments."""
    general = f'name="T" beginDate="2026-05-30" endDate="2026-05-31" {time}'
    sheet = read(tournament(general=general)).sheet
    assert sheet.events[0].event_class == expected
    assert any(result.unrated for result in sheet.results) == ("29" in time)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"general": GENERAL.replace("Lindenhof Go Day", "Tournament name")}, "event-name-missing"),
        ({"general": GENERAL.replace('beginDate="2026-05-30"', 'beginDate="2026-06-01"')}, "date-order"),
        ({"general": GENERAL.replace("05-31", "05-30"), "root": 'saveDT="20260620120000"'}, "date-suspect"),
        ({"general": GENERAL.replace('size="19"', 'size="13"')}, "event-small-board"),
        ({"root": 'externalIPAddress="192.0.2.1"'}, "privacy-dropped"),
        ({"general": GENERAL + ' bInternet="true"'}, "event-online"),
        ({"players": PLAYERS.replace("<Player ", '<Player egfPin="123" ', 1)}, "player-id-shape"),
        ({"games": GAMES.replace("RESULT_EQUAL", "RESULT_BOTHWIN")}, "result-both-win"),
        ({"games": GAMES.replace("RESULT_EQUAL", "RESULT_BOTHLOOSE_BYDEF")}, "result-both-lose"),
        ({"games": GAMES.replace('handicap="2"', 'handicap="12"')}, "handicap-shape"),
        ({"games": GAMES.replace('"2" tableNumber="2"', '"1" tableNumber="2"')}, "game-double-booked"),
        ({"games": GAMES.replace("true", "false")}, "colour-missing"),
        ({"players": PLAYERS.replace('"3K"', '"strong"')}, "player-rank-shape"),
        ({"players": PLAYERS.replace("Voorbeeld", "A &amp; B")}, "event-pairs"),
        ({"byes": '<Teams><Team teamName="A" teamNumber="1"/></Teams>'}, "event-team"),
    ],
)
def test_what_is_told(change, code):
    if code == "event-pairs":
        change["games"] = GAMES.replace("VOORBEELDNOOR", "A&amp;BNOOR")
    assert code in codes(tournament(**change))
    assert code not in codes(tournament())


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (tournament()[:400], "file-truncated"),
        (tournament().replace(b"UTF-8", b"UTF-99"), "markup-invalid"),
        (
            tournament().replace(b"<Tournament ", b'<!DOCTYPE a [<!ENTITY b "c">]><Tournament '),
            "xml-forbidden",
        ),
        (tournament(players=""), "player-none"),
        (tournament().replace(b"Players>", b"People>"), "schema-unknown"),
        (tournament().replace(b"GeneralParameterSet", b"General"), "schema-unknown"),
        (tournament(players=PLAYERS + PLAYERS.splitlines()[1]), "og-key-collision"),
        (tournament(games=GAMES.replace("OKABEREN", "OKABE")), "player-missing"),
        (tournament(games=GAMES.replace("OKABEREN", "VOORBEELDNOOR")), "game-self"),
        (tournament(games=GAMES.replace("RESULT_EQUAL", "RESULT_TEA")), "result-code-unknown"),
        (tournament(byes='<ByePlayers><ByePlayer player="NOBODY"/></ByePlayers>'), "player-missing"),
        (tournament(general=GENERAL.replace("Date", "Day")), "date-missing"),
        (tournament(general=GENERAL.replace("2026-05-31", "May")), "date-unreadable"),
        (tournament(general=GENERAL.replace("2026-05-31", "2036-05-31")), "date-future"),
    ],
)
def test_what_is_refused(data, code):
    kind = "OpenGotha XML"
    with pytest.raises(Refused) as refusal:
        registry.read(data, "t.xml", kind=kind, today=TODAY)
    assert code in {problem.code for problem in refusal.value.problems}


@pytest.mark.parametrize(
    ("origin", "rating"),
    [("EGF : 2104", 2154), ("FFG : 104", 2154), ("AGA : 2.5", 2154), ("MAN", 2154), ("EGF", 2154),
     ("FFG : -9999", None), ("INI", None), ("", None)],
)  # fmt: skip
def test_a_rating_counts_by_its_origin(origin: str, rating: float | None) -> None:
    """One that was made from the grade says nothing, and FFG -9999 is none."""
    players = PLAYERS.replace('name="Okabe"', f'name="Okabe" rating="2154" ratingOrigin="{origin}"')
    reading = read(tournament(players))
    assert reading.sheet.people["Okabe Ren"].rating == rating
    assert ("player-rank-rating-differ" in {p.code for p in reading.problems}) == (rating is not None)


@pytest.mark.parametrize(("grade", "rank", "taken"), [("3C", "3D", 3), ("3C", "3C", None), ("", "3D", 3)])
def test_a_grade_that_is_none_gives_way_to_the_rank(grade: str, rank: str, taken: int | None) -> None:
    reading = read(tournament(PLAYERS.replace('grade="3K" rank="3K"', f'grade="{grade}" rank="{rank}"')))
    first = {entry.player: entry.application.rank for entry in reading.sheet.first_ratings}
    assert first.get("Okabe Ren") == taken
    assert ("player-rank-shape" in {p.code for p in reading.problems}) == bool(grade)


def test_byes_that_are_nested() -> None:
    byes = '<ByePlayer>\n<ByePlayer player="OKABEREN" roundNumber="3"/></ByePlayer>'
    reading = read(tournament(byes=byes))
    assert reading.byes == 1
    assert [(p.line, p.column) for p in reading.problems if p.code == "og-bye-nesting"] == [(14, 1)]


def test_both_winning_in_every_round_may_be_rengo() -> None:
    games = GAMES.replace("RESULT_EQUAL", "RESULT_BOTHWIN").replace("RESULT_UNKNOWN", "RESULT_BOTHWIN")
    assert "event-pairs" in codes(tournament(games=games))
    assert "event-pairs" not in codes(tournament(games=GAMES.replace("RESULT_EQUAL", "RESULT_BOTHWIN")))


def test_days_and_class_can_be_told() -> None:
    data = tournament(general=GENERAL.replace("2026-05-31", "2026-05-30"))
    told = {"last-day": "2026-06-02", "class": "X"}
    sheet = registry.read(data, "t.xml", today=TODAY, told=told).sheet
    assert {day_text(day) for day in sheet.games.day} == {"2026-06-02"}
    assert sheet.results[sheet.games.result[0]].unrated
    with pytest.raises(Refused):
        registry.read(data, "t.xml", today=TODAY, told={"last-day": "2036-06-02"})


def test_an_underscore_joins_the_words_of_a_name_as_in_a_table() -> None:
    players = PLAYERS.replace("van der Fictief", "van_der_Fictief")
    games = GAMES.replace("VANDERFICTIEF", "VAN_DER_FICTIEF")
    assert read(tournament(players, games)).sheet.players[1] == "van der Fictief Jop"


def test_a_player_who_is_only_registered_joins_when_paired():
    paired = GAMES.replace("OKABEREN", "LAATBO")
    assert "Laat Bo" in read(tournament(games=paired)).sheet.players


def test_two_players_of_one_name_stay_two():
    players = PLAYERS.replace('"Müster"', '"Okabe"').replace('"Ada"', '"R en"')
    assert "og-key-collision" in refused(tournament(players=players))


# Counted by another reader: players, pairings, played, forfeits, not decided, with stones.
COUNTS = {
    "og_egc2013.xml": (594, 2259, 2226, 33, 0, 0),
    "pg_frioul-2018.xml": (58, 99, 99, 0, 0, 12),
    "lv_remote_20201030114510_PPiK2010.xml": (21, 60, 58, 2, 0, 57),
    "lv_remote_20201011164749_rengo2020A.xml": (24, 36, 32, 0, 4, 0),
    "lv_remote_20201219161431_live-asynchronous-13x13.xml": (12, 16, 14, 0, 2, 4),
    "pg_simplemm.xml": (16, 40, 40, 0, 0, 11),
}


@pytest.mark.parametrize("file", COUNTS)
def test_real_files(samples: Path, file: str) -> None:
    reading = registry.read(samples / "go" / file, today=TODAY)
    sheet = reading.sheet
    kinds = Counter(
        sheet.results[r].kind for r, p in zip(sheet.games.result, sheet.games.player2, strict=True) if p >= 0
    )
    stones = sum(1 for stones in sheet.games.stones if stones)
    undecided = kinds["pending"] + kinds["void"]
    found = (len(sheet.players), reading.games, kinds["game"], kinds["forfeit"], undecided, stones)
    assert found == COUNTS[file]


def test_the_european_championship_three_times(samples: Path) -> None:
    """XML, .h9 and .tou: the same players and games, but the last loses the marks of forfeits."""
    events = []
    for file in ("og_egc2013.xml", "lv_egc2013.h9", "lv_egc2013.tou"):
        reading = registry.read(samples / "go" / file, today=TODAY)
        sheet = reading.sheet
        names = [name[:24].strip() for name in sheet.players]
        games = [
            (row.round, names[row.player1], names[row.player2], row.stones, sheet.results[row.result])
            for row in sheet.games
            if row.player2 >= 0
        ]
        events.append((Counter(names), Counter(games)))
        assert (len(names), len(games)) == (594, 2259)
        forfeits = sum(game[-1].kind == "forfeit" for game in games)
        assert forfeits == (0 if file.endswith(".tou") else 33)
        assert ("result-forfeit-unmarked" in {p.code for p in reading.problems}) == file.endswith(".tou")
    xml, table, tou = events
    assert xml == table
    assert tou[0] == xml[0]
    played = Counter({(*game[:-1], game[-1]._replace(kind="game")): n for game, n in xml[1].items()})
    assert tou[1] == played


def test_what_is_told_of_players():
    """Ids, country, club and rating go along; a PIN that two carry identifies neither."""
    told = {
        "Okabe": 'egfPin="12345678" ffgLicence="0712345" agaId="" country="jp" club="Toky" rating="1712"',
        "Voorbeeld": 'egfPin="11111111" country="XX" club="xxxx"',
        "Müster": 'egfPin="11111111" agaId="77"',
    }
    players = PLAYERS
    for name, attributes in told.items():
        players = players.replace(f'name="{name}"', f'name="{name}" {attributes}')
    reading = read(tournament(players))
    ren = reading.sheet.people["Okabe Ren"]
    assert ren.ids == (("egd", "12345678"), ("licence", "0712345"))
    assert (ren.federation, ren.club, ren.rating, ren.rank) == ("JP", "Toky", 1712.0, "3k")
    noor, ada = reading.sheet.people["Voorbeeld Noor"], reading.sheet.people["Müster Ada"]
    assert (noor.ids, noor.federation, noor.club) == ((), "", "")
    assert ada.ids == (("aga", "77"),)
    assert [problem.code for problem in reading.problems].count("player-same-id") == 2
