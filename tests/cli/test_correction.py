"""correction: the committee sets a rating, with a reason that everybody reads."""

from __future__ import annotations

import json

from tests.cli.conftest import Arpad
from tests.cli.ledgers import club as club

SET = ("correction", "add", "--player", "d'hondt <b>", "--rating", "1700", "--date", "2026-03-12")


def test_a_rating_is_set_listed_and_taken_back(club: Arpad) -> None:
    assert club("correction", "list").out == "no corrections\n"
    before = club("list", "--format", "csv").out
    seen = club(*SET, "--reason", "strong abroad", "--dry-run")
    assert "main: the rating of d'hondt <b> is 1700 from 2026-03-12 on" in seen.out
    assert "for everybody: strong abroad" in seen.out and "would change" in seen.out
    done = club(*SET, "--reason", "strong abroad", "--yes")
    assert done.status == 0 and "recorded as no. 3: 1 fact" in done.out
    (row,) = json.loads(club("correction", "list", "--format", "json").out)
    assert (row["player"], row["rating"], row["reason"], row["state"]) == (
        "D’Hondt <b>", 1700.0, "strong abroad", "",
    )  # fmt: skip
    assert "strong abroad" in club("why", "--player", "D'Hondt").out
    assert club("undo", "3", "--reason", "it was another", "--yes").status == 0
    assert json.loads(club("correction", "list", "--format", "json").out)[0]["state"] == "withdrawn"
    assert club("list", "--format", "csv").out == before


def test_what_is_refused(club: Arpad) -> None:
    assert "reason-missing" in club(*SET, "--yes").err
    assert "person-unknown" in club(*SET[:3], "Nobody", *SET[4:], "--reason", "x").err
    assert "date-unreadable" in club(*SET[:-1], "soon", "--reason", "x").err
    assert club("recordings").out.count("\n") == 3
