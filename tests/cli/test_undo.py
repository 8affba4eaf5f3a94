"""recordings, undo: what was recorded is listed and can be taken back, twice."""

from __future__ import annotations

import json

from tests.cli.conftest import Arpad
from tests.cli.ledgers import club as club
from tests.cli.ledgers import results


def test_a_correction_is_undone_and_done_again(club: Arpad) -> None:
    which = ("--event", "Spring Cup", "--round", "1")
    before = club("list", "--format", "csv").out
    assert club("correct", *which, "--swap", "--reason", "turned", "--yes").status == 0
    after = club("list", "--format", "csv").out
    seen = club("undo", "3", "--dry-run")
    assert "undo recording 3 (edit, 2 facts): turned" in seen.out and "would change" in seen.out
    assert club("undo", "3", "--reason", "no", "--yes").status == 0
    assert results(club) == ["3-0", "1-3"] and club("list", "--format", "csv").out == before
    assert club("undo", "4", "--reason", "yes", "--yes").status == 0
    assert results(club) == ["0-3", "1-3"] and club("list", "--format", "csv").out == after
    listed = json.loads(club("recordings", "--format", "json").out)
    assert [(row["recording"], row["kind"]) for row in listed][:3] == [(5, "undo"), (4, "undo"), (3, "edit")]
    assert len(club("recordings", "--limit", "2").out.splitlines()) == 3


def test_what_is_not_there_or_undone_already(club: Arpad) -> None:
    assert "recording-unknown" in club("undo", "9", "--reason", "x").err
    assert club("undo", "2", "--reason", "the whole season", "--yes").status == 0
    assert club("games").out == "no games\n"
    assert "edit-empty" in club("undo", "2", "--reason", "x", "--yes").err
    assert "reason-missing" in club("undo", "3", "--yes").err
