"""`arpad check`: what is in a file, and what is wrong with it."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path


def test_a_sound_file(arpad) -> None:
    done = arpad("check", "spring.h9")
    assert (done.status, done.err) == (0, "")
    found = dict(line.rsplit("  ", 1) for line in done.out.splitlines()[1:])
    found = {name.strip(): value for name, value in found.items()}
    assert found["format"] == "EGD table"
    assert (found["players"], found["games"], found["byes"], found["first ratings"]) == ("4", "4", "0", "4")
    assert (found["first day"], found["last day"], found["taken"]) == ("2025-03-02", "2025-03-02", "yes")


def test_each_kind_of_flat_file(arpad) -> None:
    kinds = {}
    for name in ("games.csv", "players.csv"):
        kinds[name] = json.loads(arpad("check", name, "--format", "json").out)["format"]
    assert kinds == {"games.csv": "games.csv", "players.csv": "players.csv"}


def test_a_wrong_cell(arpad, folder: Path) -> None:
    text = (folder / "games.csv").read_text("utf-8").replace("3-0", "3-3")
    (folder / "games.csv").write_text(text, "utf-8")
    done = arpad("check", "games.csv")
    assert done.status == 1
    assert done.err.startswith("games.csv:3:37: set-illegal: 3-3 ends no match.")
    assert "taken  no" in done.out


def test_problems_as_json_and_csv(arpad, folder: Path) -> None:
    text = (folder / "games.csv").read_text("utf-8").replace("3-0", "3-3")
    (folder / "games.csv").write_text(text, "utf-8")
    done = arpad("check", "games.csv", "--format", "json")
    assert done.status == 1
    data = json.loads(done.out)
    problem = data["problems"][0]
    assert data["taken"] is False
    assert (problem["code"], problem["severity"], problem["line"], problem["column"]) == (
        "set-illegal",
        "held",
        3,
        37,
    )
    rows = list(csv.DictReader(io.StringIO(arpad("check", "games.csv", "--format", "csv").out)))
    assert (rows[0]["code"], rows[0]["line"]) == ("set-illegal", "3")


def test_held_problems_are_fine_unless_strict(arpad, folder: Path) -> None:
    text = (folder / "spring.h9").read_text("utf-8").replace("1-/b0", "1+/b0")
    (folder / "spring.h9").write_text(text, "utf-8")
    done = arpad("check", "spring.h9")
    assert done.status == 0
    assert "game-contradiction" in done.err
    assert arpad("check", "spring.h9", "--strict").status == 1


def test_a_name_cannot_command_the_terminal(arpad, folder: Path) -> None:
    (folder / "games.csv").write_text("date,player1,player2,result\n2025-09-05,A,B,\x1b[2J\n", "utf-8")
    done = arpad("check", "games.csv")
    assert done.status == 1
    assert "\x1b" not in done.err + done.out
    assert "\\x1b[2J" in done.err


def test_what_a_file_does_not_say_is_told(arpad, folder: Path) -> None:
    """A MacMahon tournament tells neither days nor whose point stands first."""
    source = Path(__file__).parents[1] / "formats" / "files" / "lindenhof-open.xml"
    (folder / "open.xml").write_bytes(source.read_bytes())
    done = arpad("check", "open.xml")
    assert done.status == 1
    assert "open.xml:3:3: date-missing" in done.err
    assert "open.xml:23:7: result-side-unknown" in done.err
    answers = ("--tell", "last-day=2026-04-05", "--tell", "first-point=black")
    done = arpad("check", "open.xml", *answers)
    assert done.status == 0
    assert "2026-04-05" in done.out
    assert "answer-unknown" in arpad("check", "open.xml", *answers, "--tell", "weather=fair").err
    assert arpad("check", "open.xml", "--tell", "fair").status == 2
