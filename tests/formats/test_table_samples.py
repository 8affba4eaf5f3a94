"""Real tables of clubs: what must come out of each was counted by hand and by other programs."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import pytest

from arpad.domain.problems import Refused
from arpad.formats import registry, table
from arpad.formats.reading import Reading
from tests.formats.helpers import TODAY

SPANISH = {
    "player1": "Jugador A", "player2": "Jugador B", "score1": "Sets A", "score2": "Sets B", "date": "Fecha",
    "event": "Nombre del torneo", "round": "Instancia", "group": "Categoría",
}  # fmt: skip


def kinds(reading: Reading) -> Counter[str]:
    sheet = reading.sheet
    return Counter(sheet.results[row.result].kind for row in sheet.games)


def held(reading: Reading) -> Counter[str]:
    """Held problems by code, the counted ones included."""
    found: Counter[str] = Counter()
    for problem in reading.problems:
        if problem.severity == "held":
            more = problem.message.partition(" more of this kind")
            found[problem.code] += int(more[0]) if more[1] else 1
    return found


def test_a_season_of_table_tennis(samples: Path) -> None:
    """944 singles, all signs of sets agreeing; 44 forfeits by the running score: 32 home, 12 away won."""
    reading = registry.read(samples / "clubs" / "vttl_interclub_2025_26_pseudonymised.csv", today=TODAY)
    assert kinds(reading) == {"sets": 900, "forfeit": 44}
    sheet = reading.sheet
    forfeits = Counter(
        str(sheet.results[r.result]) for r in sheet.games if sheet.results[r.result].kind == "forfeit"
    )
    assert forfeits == {"+--": 32, "--+": 12}
    assert held(reading) == {}
    assert len({row.day for row in sheet.games}) == len(sheet.events)


def test_a_ladder_with_misspelt_winners(samples: Path) -> None:
    path = samples / "clubs" / "ipk_matches.csv"
    reading = registry.read(path, today=TODAY)
    assert kinds(reading) == {"game": 796}
    assert held(reading) == {"winner-not-a-player": 32}
    equal = [p for p in reading.problems if p.code == "game-equal-row"]
    rows = [tuple(row) for row in csv.reader(path.read_text("utf-8").splitlines()[1:])]
    assert len(rows) - len(set(rows)) == 158
    taken = [row for row in rows if row[2] in row[:2]]  # equal rows of those that are held are not told
    assert int(equal[-1].message.split()[0]) + 20 == len(taken) - len(set(taken))


@pytest.mark.parametrize(("file", "wrong"), [("rtt_tournaments.csv", 5), ("rtt_rating_details.csv", 0)])
def test_a_league_flattened(samples: Path, file: str, wrong: int) -> None:
    reading = registry.read(samples / "clubs" / file, today=TODAY)
    assert (kinds(reading), len(reading.sheet.events)) == ({"sets": 257}, 4)
    assert held(reading) == ({"result-unreadable": wrong} if wrong else {})


def test_a_workbook_in_a_language_that_is_not_known(samples: Path) -> None:
    """Refused without a mapping, with the columns named; with one, four events with names and dates."""
    path = samples / "clubs" / "rtt_liga_2022_input.xlsx"
    with pytest.raises(Refused, match="Jugador A"):
        registry.read(path, today=TODAY)
    reading = table.read(path.read_bytes(), "f", mapping=SPANISH, today=TODAY)
    assert (kinds(reading), held(reading)) == ({"sets": 257}, {"result-unreadable": 5})
    flat = registry.read(samples / "clubs" / "rtt_tournaments.csv", today=TODAY)
    assert {event.name for event in reading.sheet.events} == {event.name for event in flat.sheet.events}
    days = [Counter(row.day for row in sheet.games) for sheet in (reading.sheet, flat.sheet)]
    assert days[0] == days[1]


def test_members_of_a_club(samples: Path) -> None:
    reading = registry.read(samples / "clubs" / "ipk_players.csv", today=TODAY)
    assert len(reading.sheet.people) == 62


@pytest.mark.parametrize("file", ["rtt_ranking.csv", "rtt_expected_result.csv", "rtt_unexpected_result.csv"])
def test_what_is_no_table_of_games(samples: Path, file: str) -> None:
    with pytest.raises(Refused):
        registry.read(samples / "clubs" / file, today=TODAY)
