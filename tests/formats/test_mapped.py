"""A club's own CSV by a mapping: a small table by hand, and everything that is held back."""

from __future__ import annotations

import pytest

from arpad.domain.dates import day_text, read_day
from arpad.domain.problems import Refused
from arpad.domain.results import write_result
from arpad.formats import table

TODAY = read_day("2026-06-30")
MAPPING = {"date": "When", "player1": "Player 1", "player2": "Player 2", "winner": "Won"}
PLAYERS = {"date": "When", "player1": "Player 1", "player2": "Player 2"}
HEAD = "When,Player 1,Player 2,Won,Score"


def read(*rows, mapping=MAPPING, **more):
    data = "\n".join([HEAD, *rows]).encode()
    return table.read(data, "ladder.csv", mapping=table.given(mapping, **more), today=TODAY)


def games(reading):
    sheet = reading.sheet
    return [
        (day_text(g.day), sheet.players[g.player1], sheet.players[g.player2],
         write_result(sheet.results[g.result]), g.sequence)
        for g in sheet.games
    ]  # fmt: skip


def test_winners_and_equal_rows():
    reading = read("2026-01-02,Ada,Ben,Ada,", "2026-01-02,Ada,Ben,Ada,", "2026-01-03,Ben,Ada,ada,")
    assert games(reading) == [
        ("2026-01-02", "Ada", "Ben", "1-0", 1),
        ("2026-01-02", "Ada", "Ben", "1-0", 2),
        ("2026-01-03", "Ben", "Ada", "0-1", 3),
    ]
    assert [problem.code for problem in reading.problems] == ["game-equal-row"]


def test_results_and_winners_together():
    both = {**MAPPING, "result": "Score"}
    reading = read("2026-01-02,Ada,Ben,Ada,3-1", "2026-01-02,Ada,Ben,,0-3", mapping=both)
    assert [row[3] for row in games(reading)] == ["3-1", "0-3"]
    held = read("2026-01-02,Ada,Ben,Ben,3-1", "2026-01-02,Ada,Ben,Ada,3-1", mapping=both)
    assert [problem.code for problem in held.problems] == ["winner-contradicts"]
    assert len(games(held)) == 1


def test_a_misspelt_winner_is_held_until_somebody_says_who_it_is():
    rows = ("2026-01-02,Ada,Ben,Bne,", "2026-01-03,Ada,Ben,Ben,")
    (problem,) = read(*rows).problems
    assert (problem.code, problem.line, problem.column) == ("winner-not-a-player", 2, 20)
    assert [row[3:] for row in games(read(*rows, winners={"Bne": "Ben"}))] == [("0-1", 1), ("0-1", 2)]
    assert [row[4] for row in games(read(*rows))] == [2]  # a row keeps its place


@pytest.mark.parametrize(
    ("row", "code"),
    [
        (",Ada,Ben,Ada,", "date-missing"),
        ("2 January,Ada,Ben,Ada,", "date-unreadable"),
        ("2027-01-02,Ada,Ben,Ada,", "date-future"),
        ("2026-01-02,Ada,,Ada,", "player-name-missing"),
        ("2026-01-02,Ada,Ada,Ada,", "game-self"),
        ("2026-01-02,Ada,Ben,,", "result-unreadable"),
        ("2026-01-02,Ada,Ben", "table-row-short"),
    ],
)
def test_rows_that_are_held(row, code):
    reading = read(row, "2026-01-03,Ada,Ben,Ben,")
    assert [problem.code for problem in reading.problems] == [code]
    assert len(games(reading)) == 1


@pytest.mark.parametrize(
    ("mapping", "code"),
    [
        ({**MAPPING, "colour": "Won"}, "mapping-field"),
        ({**MAPPING, "date": "Day"}, "table-column-missing"),
    ],
)
def test_mappings_that_do_not_fit(mapping, code):
    with pytest.raises(Refused) as refused:
        read("2026-01-02,Ada,Ben,Ada,", mapping=mapping)
    assert code in {problem.code for problem in refused.value.problems}


def test_what_a_mapping_lacks_is_proposed_and_told():
    reading = read("2026-01-02,Ada,Ben,Ada,1-0", mapping=PLAYERS)
    assert [row[3] for row in games(reading)] == ["1-0"]
    assert [problem.code for problem in reading.problems] == ["mapping-proposed"]
    assert not reading.detail.mapping.confirmed


def test_a_table_without_games_is_refused():
    with pytest.raises(Refused, match="No row"):
        read("2026-01-02,Ada,Ben,Cy,")
