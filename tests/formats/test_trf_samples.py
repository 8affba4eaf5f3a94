"""Real FIDE reports (not part of this repository): the counts of a separate reading of them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from arpad.domain.problems import Refused
from arpad.formats import registry, trf
from arpad.formats.trf_table import Tournament
from tests.formats.helpers import TODAY, found
from tests.formats.test_trf_round_trip import again, plain

UNDATED = {"last-day": "2026-05-30"}
CLEAN = (20, 7, 66, 2, 1, {"zero": 1, "half": 1, "full": 2})
# file: players, rounds, rated, forfeits, double ones among them, byes
COUNTS = {
    "bbp_issue_15": (180, 11, 904, 86, 2, {}),
    "bbp_issue_7": (60, 14, 395, 25, 0, {}),
    "bbp_dutch_2025_C5": (6, 3, 6, 0, 0, {"zero": 1}),
    "bbp_dutch_2025_C9": (5, 1, 2, 0, 0, {"zero": 1}),
    "echecs_grandmommyscup": (249, 14, 1030, 0, 0, {"zero": 1328, "full": 98}),
    "sharly_example_trf26": (249, 14, 1030, 0, 0, {"zero": 1328, "full": 98}),
    "sharlybbp_team_42_secondary": (8, 2, 8, 0, 0, {}),
    "sharlybbp_team_utf8_names": (8, 2, 8, 0, 0, {}),
    "sharlybbp_team_gp_primary": (12, 2, 12, 0, 0, {}),
    "sharlybbp_team_board_forfeit_win": (15, 1, 5, 0, 0, {"full": 4, "zero": 1}),
    "sharlybbp_team_299_all": (5, 1, 0, 2, 0, {"full": 1}),
    "sharlybbp_team_299_blank": (5, 1, 2, 0, 0, {"full": 1}),
    "sharlybbp_team_330_forfeit": (4, 1, 1, 0, 0, {"full": 1, "zero": 1}),
    "sharlybbp_indiv_299_bonus": (5, 1, 2, 0, 0, {"full": 1}),
    "sharlybbp_indiv_299_penalty": (5, 1, 2, 0, 0, {"full": 1}),
    "sharlybbp_team_162_absence": (8, 0, 0, 0, 0, {}),
    "sharlybbp_team_240_bye": (5, 0, 0, 0, 0, {"half": 1}),
    "sharlybbp_team_250_accel": (8, 0, 0, 0, 0, {}),
    "sharlybbp_team_260_restriction": (8, 0, 0, 0, 0, {}),
    "sharlybbp_team_bye": (7, 0, 0, 0, 0, {}),
    **dict.fromkeys(
        ("d00_clean", "d01_utf8_bom", "d02_crlf", "d03_cr_only", "d04_mixed_eol", "d05_latin1_name",
         "d06_utf8_name", "d08_trailing_stripped", "d09_tabs", "d10_cp1252_quote", "d14_points_mismatch",
         "d17_lowercase_codes", "d20_no_final_newline", "d25_blank_and_comment"), CLEAN,
    ),
}  # fmt: skip
REFUSED = {
    "d11_utf16le_bom": ("text-utf16", 1, 1),
    "d13_opponent_missing": ("player-missing", 15, 92),
    "d16_duplicate_startno": ("player-duplicate-number", 35, 5),
    "d21_empty": ("file-empty", 1, 1),
    "d22_header_only": ("player-none", 1, 1),
    "d23_unknown_result": ("result-code-unknown", 15, 99),
}
# What is said of a variant and not of the clean file.
TOLD = {
    "d05_latin1_name": {"text-not-utf8"}, "d10_cp1252_quote": {"text-not-utf8"}, "d09_tabs": {"trf-tabs"},
    "d14_points_mismatch": {"points-differ"},
}  # fmt: skip


@pytest.mark.parametrize("file", COUNTS)
def test_counts(samples: Path, file: str) -> None:
    reading = registry.read(samples / "trf" / f"{file}.trf", today=TODAY, told=_answers(file))
    sheet, detail = reading.sheet, reading.detail
    assert isinstance(detail, Tournament)
    results = [(sheet.results[row.result], row.player2) for row in sheet.games]
    forfeits = [result for result, two in results if two >= 0 and result.kind == "forfeit"]
    byes = Counter(str(result) for result, two in results if two < 0)
    rated = sum(1 for result, two in results if two >= 0 and result.kind == "game" and not result.unrated)
    double = sum(1 for result in forfeits if not (result.first or result.second))
    counts = (len(sheet.players), detail.rounds, rated, len(forfeits), double, dict(byes))
    assert counts == COUNTS[file]
    assert not found(reading.problems, "held", "fatal")
    assert len(set(sheet.players)) == len(sheet.players)


def _answers(file: str) -> dict[str, str]:
    """A day for the files that have none."""
    return UNDATED if file.startswith(("bbp_", "sharlybbp_")) else {}


@pytest.mark.parametrize("file", REFUSED)
def test_refused(samples: Path, file: str) -> None:
    with pytest.raises(Refused) as caught:
        registry.read(samples / "trf" / f"{file}.trf", today=TODAY)
    assert found(caught.value.problems, "fatal") == [REFUSED[file]]


@pytest.mark.parametrize("file", [file for file in COUNTS if file.startswith("d")])
def test_told_of_variants(samples: Path, file: str) -> None:
    codes, clean = (
        {problem.code for problem in registry.read(samples / "trf" / f"{name}.trf", today=TODAY).problems}
        for name in (file, "d00_clean")
    )
    assert codes - clean == TOLD.get(file, set())


@pytest.mark.parametrize("file", COUNTS)
def test_written_back_without_loss(samples: Path, file: str) -> None:
    reading = registry.read(samples / "trf" / f"{file}.trf", today=TODAY, told=_answers(file))
    assert isinstance(reading.detail, Tournament)
    data = trf.write(reading.detail)
    back = registry.read(data, "f", today=TODAY, told=_answers(file))
    assert plain(back.detail) == plain(reading.detail)
    assert back.sheet.digest() == reading.sheet.digest()
    for dialect in (trf.TRF16, trf.TRF26):
        first, last = (
            reading.sheet.events[0].start,
            max(reading.sheet.games.day, default=reading.sheet.events[0].start),
        )
        made = trf.as_dialect(reading.detail, dialect, first=first, last=last)
        assert again(trf.write(made)) == plain(made)


def test_a_cup_of_teams_on_its_days(samples: Path) -> None:
    sheet = registry.read(samples / "trf" / "echecs_grandmommyscup.trf", today=TODAY).sheet
    assert len({row.day for row in sheet.games}) == 12  # two days have two rounds
    assert sum(1 for row in sheet.games if row.board) > 400  # 141 line-ups tell boards
