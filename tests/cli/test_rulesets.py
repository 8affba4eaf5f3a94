"""`arpad rulesets`: the list, and what one of them says about itself."""

from __future__ import annotations

import csv
import io
import json

import pytest

from arpad.rulesets.catalogue import find, names


def test_the_list(arpad) -> None:
    done = arpad("rulesets")
    assert (done.status, done.err) == (0, "")
    assert [line.split()[0] for line in done.out.splitlines()[1:]] == names()
    assert "belgian-go       event           3  Belgian Go Federation" in done.out


def test_the_list_as_json_and_csv(arpad) -> None:
    data = json.loads(arpad("rulesets", "--format", "json").out)
    assert [row["ruleset"] for row in data] == names()
    rows = list(csv.DictReader(io.StringIO(arpad("rulesets", "--format", "csv").out)))
    assert [row["period"] for row in rows] == [row["period"] for row in data]


@pytest.mark.parametrize("ruleset", names())
def test_each_shows_its_text_and_every_parameter_with_a_meaning(arpad, ruleset: str) -> None:
    done = arpad("rulesets", ruleset)
    assert (done.status, done.err) == (0, "")
    assert "**Source**" in done.out
    assert "**Choices**" in done.out
    data = json.loads(arpad("rulesets", ruleset, "--format", "json").out)
    assert list(data["meanings"]) == list(find(ruleset).params_type._fields)
    assert all(data["meanings"].values())
    assert len(data["editions"]) == len(find(ruleset).editions)


def test_editions_and_what_changed(arpad) -> None:
    out = arpad("rulesets", "fide-standard").out
    assert "Editions: 2006-04-01, 2009-07-01," in out
    assert next(line for line in out.splitlines() if line.startswith("cap ")).split()[1:5] == [
        "350;", "400", "from", "2009-07-01",
    ]  # fmt: skip
    rows = list(csv.DictReader(io.StringIO(arpad("rulesets", "fide-standard", "--format", "csv").out)))
    assert rows[0]["parameter"] == "cap"
    assert (rows[0]["2006-04-01"], rows[0]["2025-10-01"]) == ("350", "400")


def test_an_unknown_one(arpad) -> None:
    done = arpad("rulesets", "belgian")
    assert (done.status, done.out) == (1, "")
    assert done.err.startswith("arpad: ruleset-unknown: There is no ruleset 'belgian'. Nearest: belgian-go")
