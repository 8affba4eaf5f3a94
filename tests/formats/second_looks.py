"""A second, simpler look at go files: whether each game and person that was read stands in the bytes."""

from __future__ import annotations

import json
import re
import sqlite3
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable
from typing import NamedTuple

from arpad.domain.results import Result
from arpad.formats.reading import Reading, clean
from arpad.ledger.sheet import Sheet
from tests.formats.pgn_look import assert_games_stand_in_pgn
from tests.formats.trf_look import assert_games_stand_in_report


class Said(NamedTuple):
    """A game as the file has it."""

    round: int
    white: str
    black: str
    result: str  # as written
    stones: str


class Spelling(NamedTuple):
    """How a format writes outcomes: white, black, jigo; anything else is no game that could be rated."""

    white: str
    black: str
    jigo: str


def plain(*words: str) -> str:
    return clean(" ".join(words).replace("_", " "))


def has_words(text: str, name: str) -> bool:
    """Whether the letters and digits of the name stand in the text, commas and the like aside."""
    whole = " ".join(plain(part) for part in text.split("\x00"))
    return all(word in whole for word in re.findall(r"[^\W_]+", name))


def same_person(name: str, said: str) -> bool:
    """The name as it was said, or with event and row behind it where it is lost or stands twice."""
    return name == said or name.startswith((f"{said} (", "? ("))


def assert_said(sheet: Sheet, said: Iterable[Said], spelling: Spelling) -> None:
    """Every game of the sheet is one of those said, once."""
    left = list(said)
    points = {(2, 0): spelling.white, (0, 2): spelling.black, (1, 1): spelling.jigo}
    for row in sheet.games:
        if row.player2 < 0:
            continue
        white, black = sheet.players[row.player1], sheet.players[row.player2]
        result = sheet.results[row.result]
        found = next(
            (
                game
                for game in left
                if game.round == row.round
                and same_person(white, game.white)
                and same_person(black, game.black)
                and (result.kind != "game" or game.result == points[result.first, result.second])
                and (game.stones or "0") == str(row.stones)
            ),
            None,
        )
        assert found is not None, (white, black, str(result), row.round)
        left.remove(found)


# --- Pairgoth ---------------------------------------------------------------------------------------


def assert_in_pairgoth(reading: Reading, data: bytes) -> None:
    try:
        text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("cp1252", "replace")
    root = json.loads(text, strict=True)
    names = {
        str(one["id"]): plain(one.get("name") or "", one.get("firstname") or "") for one in root["players"]
    }
    said = [
        Said(number, names.get(str(game["w"]), ""), names.get(str(game["b"]), ""), str(game.get("r")).lower(),
             str(game.get("h") or 0).strip())
        for number, games in enumerate(root["games"], 1)
        for game in games
        if str(game["w"]) != "0" and str(game["b"]) != "0"
    ]  # fmt: skip
    assert_said(reading.sheet, said, Spelling("w", "b", "="))


# --- XML --------------------------------------------------------------------------------------------


def joined(text: str | None) -> str:
    return "".join((text or "").split()).upper()


def assert_in_opengotha(reading: Reading, data: bytes) -> None:
    root = ElementTree.fromstring(data.lstrip())
    names = {
        joined((one.get("name") or "") + (one.get("firstName") or "")): plain(
            one.get("name") or "", one.get("firstName") or ""
        )
        for one in root.iter("Player")
    }
    said = []
    for game in root.iter("Game"):
        white, black = (joined(game.get(name)) for name in ("whitePlayer", "blackPlayer"))
        if white in names and black in names:
            round_ = (game.get("roundNumber") or "").strip()
            said.append(
                Said(
                    int(round_) if re.fullmatch("[0-9]{1,6}", round_) else 0, names[white], names[black],
                    (game.get("result") or "").strip(), (game.get("handicap") or "").strip(),
                )
            )  # fmt: skip
    spelling = Spelling("RESULT_WHITEWINS", "RESULT_BLACKWINS", "RESULT_EQUAL")
    with_prefix = [
        one._replace(result=one.result if one.result.startswith("RESULT_") else f"RESULT_{one.result}")
        for one in said
    ]
    assert_said(reading.sheet, with_prefix, spelling)


def assert_in_macmahon(reading: Reading, data: bytes) -> None:
    """With Black's point first, as the tests tell it."""
    root = ElementTree.fromstring(data.lstrip())
    names = {}
    for player in root.iter("GoPlayer"):
        holder = next(one for one in root.iter() if player in list(one))
        surname, first = (player.findtext(name) or "" for name in ("Surname", "FirstName"))
        names[(holder.findtext("Id") or "").strip()] = plain(surname, first)
    said = []
    rounds = [one for one in root.iter() if one.tag in ("Round", "TournamentRound")]
    for number, round_ in enumerate(rounds, 1):
        told = (round_.findtext("RoundNumber") or "").strip()
        for pairing in round_.iter("Pairing"):
            texts = (
                (pairing.findtext(name) or "").strip() for name in ("White", "Black", "Result", "Handicap")
            )
            white, black, result, stones = texts
            if white in names and black in names:
                at = int(told) if re.fullmatch("[0-9]{1,3}", told) else number
                said.append(Said(at, names[white], names[black], result.replace(" ", ""), stones))
    spelt = [one._replace(result="½-½" if one.result == "1/2-1/2" else one.result) for one in said]
    assert_said(reading.sheet, spelt, Spelling("0-1", "1-0", "½-½"))


# --- AGA, lists -------------------------------------------------------------------------------------


def assert_in_report(reading: Reading, lines: list[str]) -> None:
    """The line of a game holds the numbers of both, in this order, and the winner's letter."""
    sheet = reading.sheet
    numbers: dict[str, set[str]] = {}
    for line in lines:
        match = re.match(r"\s*0*([0-9]{1,6})[\s,]+(\S.*)", line.split("\x00")[0])
        if match:
            numbers.setdefault(match[1], set()).add(match[2])
    for row in sheet.games:
        first, second, winner = re.split(r"\s+", lines[row.line - 1].split("\x00")[0].strip())[:3]
        for number, player in ((first, row.player1), (second, row.player2)):
            name = re.sub(r" \([^()]*\)\Z", "", sheet.players[player])
            held = numbers[number.lstrip("0")]
            assert any(has_words(text, name) for text in held), name
        result = sheet.results[row.result]
        if result.kind == "game":
            assert winner.upper() == {2: "W", 0: "B"}[result.first]


def assert_people_in_lines(reading: Reading, lines: list[str]) -> None:
    """The line of a person holds the words of the name, the number and the rating."""
    assert not len(reading.sheet.games)
    for person in reading.sheet.people.values():
        line = lines[person.line - 1]
        name = re.sub(r" \((line )?[0-9A-Za-z]+\)\Z", "", person.name)
        assert has_words(line, name) or "&" in line, name
        assert all(value in line for _, value in person.ids)
        if person.rating is not None:
            number = repr(person.rating).removesuffix(".0").lstrip("-")
            assert number in re.sub(r"(?<![.0-9])0+(?=[0-9])", "", line), person


def assert_people_in_xml(reading: Reading, data: bytes) -> None:
    """A player of the list holds the name, the number and the rating."""
    assert not len(reading.sheet.games)
    players = ElementTree.fromstring(data.lstrip()).iter("player")
    held = [{child.tag: (child.text or "").strip() for child in player} for player in players]
    for person in reading.sheet.people.values():
        (number,) = (value for _, value in person.ids)
        row = next(row for row in held if row.get("fideid") == number)
        assert re.sub(r" \([0-9]+\)\Z", "", person.name) == clean(row["name"])
        assert person.rating is None or float(row["rating"]) == person.rating


# --- club programs ----------------------------------------------------------------------------------


def known_as(name: str, said: str) -> bool:
    """The name as it was said, or with event and number behind it where it is lost or stands twice."""
    return name == clean(said) or name.startswith((f"{clean(said)} (", "? ("))


def assert_in_keizer(reading: Reading, data: bytes) -> None:
    """Every game and bye is a row of Pairing, read without the columns' order or an index."""
    connection = sqlite3.connect(":memory:")
    connection.deserialize(data[:18] + b"\1\1" + data[20:])
    connection.text_factory = lambda raw: (
        raw.decode("utf-8") if is_utf8(raw) else raw.decode("cp1252", "replace")
    )
    names = {number: str(name or "") for number, name in connection.execute("SELECT id, name FROM Player")}
    rows = list(connection.execute("SELECT Rnd, PID_W, PID_B, Result FROM Pairing NOT INDEXED"))
    connection.close()
    spelt = {1: "1-0", 2: "1/2-1/2", 3: "0-1", 8: "+--", 9: "--+", 10: "---", 4: "full"}
    sheet = reading.sheet
    assert len(set(sheet.games.line)) == len(sheet.games)
    for game in sheet.games:
        round_, white, black, code = rows[game.line - 1]
        assert game.round == round_
        assert known_as(sheet.players[game.player1], names[white])
        assert (game.player2 < 0) == (black <= 0)
        assert game.player2 < 0 or known_as(sheet.players[game.player2], names[black])
        rest = "pending" if code in (None, -1, 0, 11) else "zero"
        assert str(sheet.results[game.result]) == spelt.get(code, rest)


def is_utf8(raw: bytes) -> bool:
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def assert_in_crosstable(reading: Reading, lines: list[str]) -> None:
    """The row of a game has a cell with the opponent's number, and the code of its own side."""
    rows = [[cell.strip() for cell in line.split("\x00")[0].split("\t")] for line in lines]
    header = next(row for row in rows if any(row))
    numbers = {row[header.index("No")].lstrip("0"): line for line, row in enumerate(rows) if row[0].isdigit()}
    sheet = reading.sheet
    signs = {("game", 2): "W", ("game", 1): "D", ("game", 0): "L", ("forfeit", 2): "+", ("forfeit", 0): "-"}
    for game in sheet.games:
        opponent, _, code = rows[game.line - 1][header.index(str(game.round))].partition(":")
        result = sheet.results[game.result]
        own = rows[game.line - 1][header.index("No")].lstrip("0")
        assert {own, opponent.strip().lstrip("0")} - {""} == {
            number
            for number, line in numbers.items()
            for player in (game.player1, game.player2)
            if player >= 0 and sheet.people[sheet.players[player]].line == line + 1
        }
        first = sheet.people[sheet.players[game.player1]].line == game.line
        points = result.first if first else result.second
        if game.player2 >= 0 and result.kind != "pending" and not result.unrated:
            assert code.strip() == signs[result.kind, points]
    for person in sheet.people.values():
        assert has_words(lines[person.line - 1], re.sub(r" \([^()]*, [0-9]+\)\Z", "", person.name))


def assert_in_challonge(reading: Reading, data: bytes) -> None:
    try:
        text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("cp1252", "replace")
    items = json.loads(text, strict=True)
    names = {}
    for one in (item["participant"] for item in items if "participant" in item):
        for number in [one["id"], *(one.get("group_player_ids") or [])]:
            name = one.get("name") or one.get("username") or one.get("display_name") or ""
            names[str(number).strip()] = str(name)
    matches = [item["match"] for item in items if "match" in item]
    sheet = reading.sheet
    for game in sheet.games:
        first, second = sheet.players[game.player1], sheet.players[game.player2]
        result = sheet.results[game.result]
        found = [
            one
            for one in matches
            if known_as(first, names.get(str(one.get("player1_id")).strip(), "\0"))
            and known_as(second, names.get(str(one.get("player2_id")).strip(), "\0"))
            and fits(one, result)
        ]
        assert found, (first, second, str(result))
        matches.remove(found[0])


def fits(one: dict[str, object], result: Result) -> bool:
    """Whether a match says that: by its winner, and by its score where that is one pair or several sets."""
    if result.kind == "pending":
        return one.get("state") != "complete"
    winner = str(one.get("winner_id") or "").strip()
    sides = [str(one[side]).strip() for side in ("player1_id", "player2_id")]
    won = (winner == sides[0]) - (winner == sides[1])
    if won != (result.first > result.second) - (result.first < result.second):
        return False
    sets = [tuple(map(int, pair.split("-"))) for pair in str(one.get("scores_csv") or "").split(",") if pair]
    if result.kind != "sets":
        return True
    if len(sets) > 1:
        sets = [(sum(a > b for a, b in sets), sum(a < b for a, b in sets))]
    return sets == [(result.first, result.second)]


LOOKS = {
    "KeizerForClubs": assert_in_keizer,
    "Challonge": assert_in_challonge,
    "FIDE list XML": assert_people_in_xml,
    "Pairgoth": assert_in_pairgoth,
    "OpenGotha XML": assert_in_opengotha,
    "MacMahon XML": assert_in_macmahon,
    "PGN": assert_games_stand_in_pgn,
}
LOOKS_AT_LINES = {
    "AGA report": assert_in_report,
    "EGD player list": assert_people_in_lines,
    "FFG player list": assert_people_in_lines,
    "SwissPerfect table": assert_in_crosstable,
    "FIDE list": assert_people_in_lines,
    "AGA member list": assert_people_in_lines,
    "TRF": assert_games_stand_in_report,
}
