"""Challonge's matches and participants: a small tournament by hand, and everything it can get wrong."""

from __future__ import annotations

import io
import json
import zipfile

import pytest

from arpad.domain.problems import Refused
from arpad.formats import registry
from arpad.formats.reading import Reading
from tests.formats.helpers import FILES, TODAY, found, games

DATA = (FILES / "zomer-challonge.json").read_text("utf-8")
TOLD = {"event-name": "Zomer"}
NOOR, JOP, REN, ADA = "Voorbeeld Noor", "jop", "Club | Okabe Ren", "Müster Ada"
SCORE = '"11-7,8-11,9-11"'


def read(data: str | bytes = DATA, kind: str = "", **told: str) -> Reading:
    content = data.encode() if isinstance(data, str) else data
    return registry.read(content, "f", kind=kind, today=TODAY, told=TOLD | told)


def refused(data: str | bytes, kind: str = "") -> list[tuple[str, int, int]]:
    with pytest.raises(Refused) as caught:
        read(data, kind)
    return found(caught.value.problems, "fatal")


def changed(old: str, new: str) -> str:
    assert old in DATA
    return DATA.replace(old, new, 1)


def results(reading: Reading) -> list[tuple[str, str, str, str]]:
    return [(g.date, g.player1, g.player2, g.result) for g in games(reading.sheet)]


ALL = [
    ("2026-06-06", NOOR, REN, "3-1"),
    ("2026-06-06", JOP, ADA, "0-1"),
    ("2026-06-06", NOOR, JOP, "1-2"),
    ("2026-06-07", NOOR, ADA, "pending"),
]


def test_a_tournament_by_hand() -> None:
    """Played in this order, whatever the order of the file; sets are counted from the points of each."""
    reading = read()
    assert reading.format == "Challonge"
    assert results(reading) == ALL
    assert list(reading.sheet.games.sequence) == [1, 2, 3, 4]
    assert list(reading.sheet.games.round) == [0, 0, 0, 0]
    assert list(reading.sheet.games.line) == [7, 8, 6, 9]
    assert reading.sheet.events[0][:2] == ("Zomer", 739773)
    assert found(reading.problems) == [("result-pending", 9, 11)]


def items() -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads(DATA)
    return found


def zipped(**files: object) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(f"cup/{name}.json", json.dumps(content))
    return target.getvalue()


def test_two_files_in_one_archive_and_one_object() -> None:
    people, matches = items()[:4], items()[4:]
    packed = zipped(matches=matches, participants=people)
    assert registry.sniff(packed) == ["Challonge"]
    assert results(read(packed)) == ALL
    whole = json.dumps({"tournament": {"name": "Cup", "matches": matches, "participants": people}})
    assert registry.sniff(whole.encode()) == ["Challonge"]
    assert results(read(whole)) == ALL
    assert registry.read(whole.encode(), "f", today=TODAY).sheet.events[0].name == "Cup"
    assert refused(zipped(matches=matches)) == [("file-archive", 1, 1)]
    assert refused(zipped(matches=matches, participants=people, more=1)) == [("file-archive", 1, 1)]
    for half in (people, matches):
        assert refused(json.dumps(half)) == [("schema-unknown", 1, 1)]


@pytest.mark.parametrize(
    ("score", "result"),
    [
        ('"1-2"', "1-2"), ('"0-1"', "0-1"), ('" 1 - 3 "', "1-3"), ('""', "0-1"), ("null", "0-1"),
        ('"9-11,11-2,3-11"', "1-2"),
    ],
)  # fmt: skip
def test_scores(score: str, result: str) -> None:
    assert ("2026-06-06", NOOR, JOP, result) in results(read(changed(SCORE, score)))


@pytest.mark.parametrize(
    ("score", "code"),
    [
        ('"2-1"', "winner-contradicts"),
        ('"1-1"', "winner-contradicts"),
        ('"0-0"', "winner-contradicts"),
        ('"11-7,8-11"', "winner-contradicts"),
        ('"-1-0"', "result-unreadable"),
        ('"0--1"', "result-unreadable"),
        ('"1:2"', "result-unreadable"),
        ('"1-2,"', "result-unreadable"),
        ('"1-200"', "result-unreadable"),
        ('"11-7,8-8,9-11"', "set-illegal"),
    ],
)
def test_scores_that_are_held(score: str, code: str) -> None:
    reading = read(changed(SCORE, score))
    assert (code, 6, 11) in found(reading.problems, "held")
    assert results(reading) == [*ALL[:2], ALL[3]]


TIE = '"winner_id": 2, "loser_id": 1', '"winner_id": null, "loser_id": null'


def test_ties_and_forfeits() -> None:
    for score in ('"1-1"', '""', '"0-0"'):
        tie = changed(*TIE).replace(SCORE, score)
        assert ("2026-06-06", NOOR, JOP, "1/2-1/2") in results(read(tie))
    contradiction = changed(*TIE).replace(SCORE, '"1-2"')
    assert ("winner-contradicts", 6, 11) in found(read(contradiction).problems, "held")
    forfeit = changed('"identifier": "C"', '"forfeited": true')
    assert ("2026-06-06", NOOR, JOP, "--+") in results(read(forfeit))
    nobody = forfeit.replace(*TIE)
    assert ("result-unreadable", 6, 11) in found(read(nobody).problems, "held")


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('"winner_id": 2', '"winner_id": 4', ("winner-not-a-player", 6, 11)),
        ('"winner_id": 2, "loser_id": 1', '"winner_id": 1, "loser_id": 1', ("winner-contradicts", 6, 11)),
        ('"winner_id": 2, "loser_id": 1', '"winner_id": 2, "loser_id": null', ("winner-contradicts", 6, 11)),
        ('"2026-06-06T20:15:00+02:00"', '"6 June"', ("date-unreadable", 6, 11)),
        ('"username": "jop"', '"username": null', ("player-name-missing", 3, 17)),
        ('"username": "jop"', '"username": "Müster Ada"', ("player-same-name", 5, 17)),
        ('"username": "jop"', '"username": "??"', ("text-name-lost", 3, 17)),
    ],
)
def test_what_is_told(old: str, new: str, problem: tuple[str, int, int]) -> None:
    assert problem in found(read(changed(old, new)).problems)
    assert problem not in found(read().problems)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('1, "player2_id": 3, "winner_id": 1', '9, "player2_id": 3, "winner_id": 9',
         ("player-missing", 7, 11)),
        ('2, "player2_id": 904, "winner_id": 904, "loser_id": 2',
         '904, "player2_id": 904, "winner_id": 904, "loser_id": 904', ("game-self", 8, 11)),
        ('{"id": 2,', '{"id": 1,', ("player-duplicate-number", 3, 17)),
        ('{"id": 2,', '{"id": 904,', ("player-duplicate-number", 5, 17)),
        ('{"id": 2,', '{"id": "b",', ("club-row-unreadable", 3, 17)),
        ('"2026-06-06T20:15:00+02:00"', "null", ("date-missing", 1, 1)),
        ("2026-06-06T20:15:00+02:00", "2027-06-06T20:15:00+02:00", ("date-future", 6, 11)),
        ('{"match": {"id": 8', '{"club": {"id": 8', ("schema-unknown", 10, 1)),
        ('{"match": {"id": 8', '7, {"match": {"id": 8', ("schema-unknown", 1, 1)),
        ('{"match": {"id": 8', '{"a": 1, "match": {"id": 8', ("schema-unknown", 10, 1)),
        ('"id": 8', '"id": 8, "id": 9', ("markup-invalid", 10, 11)),
        ("Voorbeeld", "x" * 300, ("cell-too-long", 2, 17)),
    ],
)  # fmt: skip
def test_what_is_refused(old: str, new: str, problem: tuple[str, int, int]) -> None:
    place = refused(changed(old, new), "Challonge")
    assert problem in place, place


def test_a_day_that_is_told_for_a_match_without_one() -> None:
    reading = read(changed('"2026-06-06T20:15:00+02:00"', "null"), days="2026-06-08")
    assert ("2026-06-08", NOOR, JOP, "1-2") in results(reading)


def test_the_day_is_that_of_the_place() -> None:
    text = changed("2026-06-06T20:15:00+02:00", "2026-06-07T00:15:00+02:00")
    assert ("2026-06-07", NOOR, JOP, "1-2") in results(read(text))


def test_the_end_is_missing() -> None:
    assert {code for code, _, _ in refused(DATA[:1000])} == {"file-truncated"}
