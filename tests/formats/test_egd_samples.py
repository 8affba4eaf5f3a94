"""Real tables (not part of this repository): the counts of a separate reading of them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from arpad.formats import egd
from arpad.formats.egd_table import Table
from arpad.formats.reading import Findings
from tests.formats.helpers import TODAY
from tests.formats.test_egd_round_trip import again, without_lines

# file: players, pairings, played, forfeits, open, held, with stones
COUNTS = {
    "lv_egc2013.h9": (594, 2259, 2226, 33, 0, 0, 0),
    "lv_TestPartEtLic.h9": (22, 31, 31, 0, 0, 0, 0),
    "lv_TournoiChinois.h9": (24, 12, 10, 0, 1, 1, 1),
    "lv_Veterans.h9": (14, 35, 35, 0, 0, 0, 0),
}


@pytest.mark.parametrize("file", COUNTS)
def test_counts(samples: Path, file: str) -> None:
    reading = egd.read((samples / "go" / file).read_bytes(), file, today=TODAY)
    sheet = reading.sheet
    kinds = Counter(sheet.results[row.result].kind for row in sheet.games if row.player2 >= 0)
    held = [p for p in reading.problems if p.severity == "held"]
    stones = sum(1 for row in sheet.games if row.stones)
    counts = (kinds["game"], kinds["forfeit"], kinds["pending"], len(held), stones)
    assert (len(sheet.players), reading.games + len(held), *counts) == COUNTS[file]
    assert len(sheet.first_ratings) == len(sheet.players)
    assert len(set(sheet.players)) == len(sheet.players)


@pytest.mark.parametrize("file", COUNTS)
def test_round_trip(samples: Path, file: str) -> None:
    reading = egd.read((samples / "go" / file).read_bytes(), file, today=TODAY)
    table = reading.detail
    assert isinstance(table, Table)
    if not any(p.severity == "held" for p in reading.problems):  # cells of a held game come back as absences
        assert again(egd.write(table)) == without_lines(table)
    second = egd.sheet_of(again(egd.write(table)), file, Findings())
    assert second.players == reading.sheet.players
    assert reading.games == sum(1 for row in second.games if row.player2 >= 0)


def test_grades_and_the_last_day(samples: Path) -> None:
    sheet = egd.read((samples / "go" / "lv_egc2013.h9").read_bytes(), "f", today=TODAY).sheet
    assert sum(1 for entry in sheet.first_ratings if entry.application.rank == -29) == 5  # 30 kyu
    assert {row.day for row in sheet.games} == {735_090}  # 2013-08-10
    assert [event.start for event in sheet.events] == [735_077]  # 2013-07-28
