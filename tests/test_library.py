"""The public door: every name opens, and nothing but what is documented is behind it."""

from __future__ import annotations

import pydoc
import re
import subprocess
import sys
from pathlib import Path

import pytest

import arpad

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "library.md"
GAMES = "date,player1,player2,result\n2025-09-05,Ada,Ben,1-0\n"


@pytest.mark.parametrize("name", arpad.__all__)
def test_every_name_opens_and_says_what_it_is(name: str) -> None:
    found = getattr(arpad, name)
    if name != "__version__":
        assert pydoc.getdoc(found), name
    assert name in dir(arpad)


@pytest.mark.parametrize("name", [name for name in arpad.__all__ if name != "__version__"])
def test_every_name_is_documented(name: str) -> None:
    text = PAGE.read_text("utf-8")
    # the types of results are what the calls give; Problem and the exceptions are named
    called = {"Expectation": "expect", "Explanation": "explain", "History": "history", "Rating": "ratings"}
    assert re.search(rf"`(arpad\.|history\.)?{called.get(name, name)}\b", text), name


def test_a_name_that_is_none() -> None:
    with pytest.raises(AttributeError, match="elo"):
        _ = arpad.elo


def test_submodules_do_not_hide_behind_a_name() -> None:
    """`arpad.rulesets` is the package, whatever was asked for first."""
    program = "import arpad; arpad.ruleset_names(); arpad.day('2025-01-01'); print(arpad.rulesets.__name__)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == "arpad.rulesets\n"


def test_reading_several_files_at_once(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(GAMES, "utf-8")
    (tmp_path / "b.csv").write_text(GAMES.replace("05,", "06,").replace("Ben", "BEN"), "utf-8")
    ledger = arpad.read(tmp_path / "a.csv", str(tmp_path / "b.csv"))
    assert ledger.names == ["Ada", "Ben", "BEN"]
    assert [(problem.code, Path(problem.file).name) for problem in ledger.problems] == [
        ("player-similar-name", "b.csv")
    ]
    assert len(arpad.replay(ledger, "fide-standard").ratings()) == 3


def test_equal_files_are_one(tmp_path: Path) -> None:
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text(GAMES, "utf-8")
    ledger = arpad.read(tmp_path / "a.csv", tmp_path / "b.csv")
    assert len(ledger.games) == 1
    assert [problem.code for problem in ledger.problems] == ["file-repeat"]


def test_refusals_of_all_files_come_together(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(GAMES.replace("1-0", "won"), "utf-8")
    (tmp_path / "p.csv").write_text("player,rating\nAda,nan\n", "utf-8")
    with pytest.raises(arpad.Refused) as refused:
        arpad.read(tmp_path / "a.csv", players=tmp_path / "p.csv", corrections=tmp_path / "none.csv")
    codes = [problem.code for problem in refused.value.problems]
    assert codes == ["result-unreadable", "player-rating-shape", "file-unreadable"]


def test_ratings_are_plain_numbers_compiled_or_not() -> None:
    ledger = arpad.Ledger()
    for name in ("Ada", "Ben"):
        ledger.first_rating(name, arpad.Application(rating=1500))
    found = arpad.result("1-0")
    assert found is not None
    ledger.game("Ada", "Ben", arpad.day("2025-09-05") or 0, found)
    for compile_ in (False, True):
        line = arpad.replay(ledger, "elo-normal", compile=compile_).ratings()[0]
        assert (type(line.rating), type(line.games), type(line.last_played)) == (float, int, int)
        assert line.rating == 1510.0
