"""settle, list, publish, withdraw, why: what they say and what they refuse."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.cli.conftest import Arpad


@pytest.fixture
def kept(arpad: Arpad) -> Arpad:
    """A club's ledger, imported and settled."""
    assert arpad("organisation", "add", "Our club", "--data", "kept").status == 0
    assert arpad("pool", "add", "Main", "--ruleset", "us-table-tennis", "--data", "kept").status == 0
    done = arpad("import", "games.csv", "--players", "players.csv", "--data", "kept")
    assert done.status == 0, done.err

    def run(*arguments: object):
        return arpad(*arguments, "--data", "kept")

    return run


def test_settling_again_writes_nothing(kept: Arpad) -> None:
    found = json.loads(kept("settle", "--format", "json").out)
    assert [(row["pool"], row["rows"], row["players"]) for row in found] == [("main", 0, 0)]
    full = json.loads(kept("settle", "--full", "--format", "json").out)
    assert full[0]["digest"] == found[0]["digest"] and full[0]["rows"] > 0


def test_a_list_as_data(kept: Arpad) -> None:
    found = json.loads(kept("list", "--at", "2025-09-06", "--format", "json").out)
    assert (found["headline"], found["waiting"], found["rules_changed"]) == ("live", 0, False)
    assert {line["games"] for line in found["players"]} == {1}
    names = [line["player"] for line in found["players"]]
    assert sorted(names) == ["Daniel Okonkwo", "Ilse Vermeer", "Maja Lindqvist", "Paul Moreau"]
    rows = kept("list", "--format", "csv").out.splitlines()
    assert rows[0] == "player,rating,label,games,last_played" and len(rows) == 5


def test_a_published_list_as_data(kept: Arpad) -> None:
    assert kept("publish", "--date", "2025-09-06").status == 0
    found = json.loads(kept("list", "--published", "2025-09-06", "--format", "json").out)
    assert (found["version"], found["intact"], found["changed"], found["withdrawn"]) == (1, True, 0, None)
    again = kept("publish", "--date", "2025-09-06")
    assert again.status == 1 and "list-published" in again.err
    assert kept("withdraw", "--date", "2025-09-06", "--reason", "a test").status == 0
    text = kept("list", "--published", "2025-09-06").out
    assert "withdrawn: a test" in text
    assert "list-withdrawn" in kept("withdraw", "--date", "2025-09-06", "--reason", "a test").err


def test_why_finds_players_by_name(kept: Arpad) -> None:
    assert kept("why", "--player", "Ilse").out == "Nothing that was shown has changed.\n"
    assert json.loads(kept("why", "--player", "vermeer ilse", "--format", "json").out) == []
    assert "player-ambiguous" in kept("why", "--player", "M").err
    nobody = kept("why", "--player", "Xander")
    assert nobody.status == 1 and "player-unknown" in nobody.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("list", "--at", "yesterday"), "date-unreadable"),
        (("list", "--published", "2025-09-06"), "list-unknown"),
        (("list", "--pool", "other"), "pool-unknown"),
        (("publish", "--date", "2222-01-01"), "list-future"),
        (("withdraw", "--date", "2025-09-06", "--reason", " "), "list-unknown"),
        (("settle", "--pool", "other"), "pool-unknown"),
        (("why", "--player", "Ilse", "--since", "x"), "date-unreadable"),
    ],
)
def test_what_is_refused(kept: Arpad, arguments: tuple[str, ...], said: str) -> None:
    done = kept(*arguments)
    assert done.status == 1 and said in done.err and not done.out


def test_two_ways_to_look_are_not_mixed(kept: Arpad) -> None:
    assert kept("list", "--published", "2025-09-06", "--at", "2025-09-06").status == 2


def test_a_player_without_first_rating_is_named(kept: Arpad) -> None:
    from arpad.domain.dates import read_day
    from arpad.domain.results import read_result
    from arpad.store.models import Event, Organisation, Person
    from arpad.store.recorder import recording, ref

    day, result = read_day("2025-09-05"), read_result("3-0")
    assert day is not None and result is not None
    with recording(Organisation.objects.get(), author="1") as r:
        r.game(
            ref(Event.objects.earliest("pk")),
            day,
            r.person("New Face"),
            ref(Person.objects.earliest("pk")),
            result,
        )
    done = kept("settle")
    assert done.status == 1 and "New Face has no first rating" in done.err


def test_a_list_is_written_as_its_name_says(kept: Arpad, tmp_path: Path) -> None:
    rows = json.loads(kept("list", "--format", "json").out)["players"]
    done = kept("list", "--out", str(tmp_path / "list.csv"))
    assert done.out.endswith(f"wrote {tmp_path / 'list.csv'}: {len(rows)} players\n")
    with (tmp_path / "list.csv").open(encoding="utf-8-sig") as file:
        written = list(csv.DictReader(file))
    assert [(row["Name"], row["Rating"]) for row in written] == [
        (row["player"], "" if row["rating"] is None else str(row["rating"])) for row in rows
    ]
    kept("publish", "--date", "2025-09-06")
    kept("list", "--published", "2025-09-06", "--out", str(tmp_path / "official.json"))
    told = json.loads((tmp_path / "official.json").read_text("utf-8"))
    assert told["day"] == "2025-09-06" and len(told["digest"]) == 64


@pytest.mark.parametrize("form", ["xlsx", "ods", "html"])
def test_other_kinds_of_list(kept: Arpad, tmp_path: Path, form: str) -> None:
    kept("list", "--at", "2025-09-06", "--out", str(tmp_path / f"l.{form}"))
    assert (tmp_path / f"l.{form}").stat().st_size > 500


def test_an_ending_that_is_no_list_is_refused(kept: Arpad, tmp_path: Path) -> None:
    done = kept("list", "--out", str(tmp_path / "list.docx"))
    assert "output-form" in done.err and not list(tmp_path.glob("list.*"))
