"""The demonstration, rated: stories that the pages tell, the late sheet, and what is printed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from arpad.demo import DEMOS, LATE, Demo, load, sheets
from arpad.demo.__main__ import WIDTH, main, shown
from arpad.domain.dates import read_day
from arpad.domain.results import SETS
from arpad.domain.units import UNRATED
from arpad.engine.history import History, Rating
from arpad.engine.replay import replay
from arpad.formats import flat
from arpad.ledger.ledger import Ledger

ROOT = Path(__file__).resolve().parents[2]
each = pytest.mark.parametrize("demo", DEMOS, ids=[demo.name for demo in DEMOS])
GO, TABLE_TENNIS, YOUTH, CHESS = DEMOS


@pytest.fixture(scope="module")
def rated() -> dict[str, History]:
    return {demo.name: replay(load(demo), demo.ruleset) for demo in DEMOS}


def ratings(history: History) -> dict[str, Rating]:
    return {line.player: line for line in history.ratings()}


def entered(history: History) -> dict[str, object]:
    """The State with which each player entered, where that was with a rating."""
    first: dict[str, object] = {}
    for outcome in history.outcomes:
        first.setdefault(history.plan.ledger.names[outcome.person], outcome.after)
    return first


@each
def test_nothing_is_wrong_with_it(demo: Demo, rated: dict[str, History]) -> None:
    for path in sorted(demo.folder.glob("*.csv")):
        assert flat.read(path.read_bytes(), path.name).problems == []
    assert rated[demo.name].plan.problems == []


# --- the late sheet ---------------------------------------------------------------------------------


@each
def test_late_is_as_on_time(demo: Demo, rated: dict[str, History]) -> None:
    expected = rated[demo.name].ratings()
    found = sheets(demo)
    for order in (sorted(found), sorted(found, reverse=True)):  # the late sheet after games.csv, and before
        ledger = Ledger()
        for file in order:
            ledger.add_sheet(found[file])
        assert [line[:5] for line in replay(ledger, demo.ruleset).ratings()] == [
            line[:5] for line in expected
        ]


@each
def test_its_rows_may_be_appended(demo: Demo, rated: dict[str, History]) -> None:
    found = sheets(demo)
    late = (demo.folder / LATE).read_bytes().partition(b"\n")[2]
    whole = flat.read((demo.folder / "games.csv").read_bytes() + late, "games.csv")
    ledger = Ledger()
    for sheet in (whole.sheet, *(found[file] for file in found if not file.startswith("games"))):
        ledger.add_sheet(sheet)
    expected = [line[:5] for line in rated[demo.name].ratings()]
    assert [line[:5] for line in replay(ledger, demo.ruleset).ratings()] == expected


@each
def test_it_moves_ratings(demo: Demo, rated: dict[str, History]) -> None:
    before = ratings(replay(load(demo, late=False), demo.ruleset))
    after = ratings(rated[demo.name])
    moved = {player for player in after if shown(before[player]) != shown(after[player])}
    played = set(sheets(demo)[LATE].players)
    assert moved - played, "players who were not there have moved too"
    assert len(moved) > len(after) // 4


# --- stories ----------------------------------------------------------------------------------------


def test_go_newcomers_get_a_rating(rated: dict[str, History]) -> None:
    ledger, lines = rated["go-federation"].plan.ledger, ratings(rated["go-federation"])
    newcomers = {ledger.names[f.person] for f in ledger.first_ratings if f.application.unclassified}
    assert len(newcomers) == 14
    unrated = {player for player, line in lines.items() if line.rating is None}
    assert len(unrated) == 3
    assert unrated < newcomers
    assert {lines[player].label for player in unrated} == {"NC"}


def test_go_ranks_move_both_ways(rated: dict[str, History]) -> None:
    history = rated["go-federation"]
    lines = ratings(history)
    change = {
        player: lines[player].state.rank - state.rank  # type: ignore[attr-defined]
        for player, state in entered(history).items() if lines[player].rating is not None
    }  # fmt: skip
    assert sum(ranks > 0 for ranks in change.values()) > 40
    assert sum(ranks < 0 for ranks in change.values()) > 20
    assert (change["Daan Verhoeven"], change["Eefje Feys"]) == (8, -3)
    labels = [line.label for line in lines.values()]
    assert {"24 kyu", "6 dan"} <= set(labels)  # nobody can fall to 25 kyu: the floor is too near
    assert 0.08 < sum(label.endswith("dan") for label in labels) / len(labels) < 0.2
    held = lines["Maarten ter Horst"]
    assert held.rating is not None
    assert (held.label, 400 <= held.rating <= 500) == ("6 dan", True)


def test_go_correction(rated: dict[str, History]) -> None:
    history = rated["go-federation"]
    (made,) = [outcome for outcome in history.outcomes if outcome.act.kind == 2]
    assert history.plan.ledger.names[made.person] == "Hassan D’Haene"
    assert (made.before.rating < -40000, made.after.rating, made.after.rank) == (True, -6000, 0)
    assert abs(history.state(made.person).rating - made.after.rating) < 15000  # it was right


def test_a_winner_loses_points(rated: dict[str, History]) -> None:
    """123 points apart: 67 % expected, 3-2 is 60 %; 7 % of K = 50 (by hand, from the rules)."""
    history = rated["table-tennis-club"]
    ledger = history.plan.ledger
    first, second = ledger.find_person("Willem Roth"), ledger.find_person("Élise Vandenberghe")
    assert first is not None
    day = read_day("2025-09-12")
    (side,) = [s for s in history.sides_of(first) if s.day == day and s.opponent == second]
    result = ledger.results[ledger.games.result[side.game]]
    own, other = (result.first, result.second) if side.turn == 0 else (result.second, result.first)
    assert (result.kind, own, other) == (SETS, 3, 2)
    assert (side.before, side.opponent_before, side.change) == (147960, 135620, -350)


def test_youth_newcomers(rated: dict[str, History]) -> None:
    lines = ratings(rated["youth-chess"])
    assert [player for player, line in lines.items() if line.rating is None] == ["Marijke Van Overstraeten"]
    assert list(lines)[-1] == "Marijke Van Overstraeten"
    assert lines["Thijs Dierckx"].games > 5


def test_chess_compression_and_floor(rated: dict[str, History]) -> None:
    history = rated["chess-club"]
    ledger = history.plan.ledger
    raised = [o for o in history.outcomes if o.act.kind == 0 and o.act.day == read_day("2024-03-01")]
    assert len(raised) > 10
    for outcome in raised:  # 40 % of the way to 2000 (8.3 of the edition of March 2024)
        exact = outcome.before.rating + 0.4 * (2000 - outcome.before.rating)
        assert abs(outcome.after.rating - exact) <= 0.5
    person = ledger.find_person("Mieke Ivanova")
    assert person is not None
    day = read_day("2025-03-15")
    assert day is not None
    assert history.at(day)[person].rating == UNRATED
    assert history.state(person).rating > 1400


# --- what is printed --------------------------------------------------------------------------------


def test_everything_is_printed(capsys: pytest.CaptureFixture[str], rated: dict[str, History]) -> None:
    assert main([]) == 0
    text = capsys.readouterr().out
    assert max(map(len, text.splitlines())) <= WIDTH
    parts = text.split("\n\n\n")
    assert len(parts) == len(DEMOS)
    for demo, part in zip(DEMOS, parts, strict=True):
        lines = part.splitlines()
        assert lines[0] == f"{demo.title} ({demo.ruleset})"
        expected = rated[demo.name].ratings()
        for place, line in enumerate(expected[:15], 1):
            (printed,) = [row for row in lines if row.startswith(f"{place:>5}  ")]
            assert line.player in printed
            assert shown(line)[0] in printed
        assert "A sheet comes in late" in part
        unrated = [line.player for line in expected if line.rating is None]
        assert all(any(player in row for row in lines) for player in unrated)
        explained = part.partition("Explained:\n")[2]
        assert len(explained.splitlines()) > 5
        assert demo.player in explained.splitlines()[0]
        assert demo.event in explained


def test_one_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["youth-chess"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("A youth chess league (youth-realtime)\n")
    assert "\n\n\n" not in text


@pytest.mark.parametrize("arguments", [["nobody"], ["youth-chess", "chess-club"], ["--help"]])
def test_wrong_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    streams = capsys.readouterr()
    assert streams.out == ""
    assert "go-federation" in streams.err


def test_it_needs_nothing_heavy() -> None:
    heavy = ("numpy", "numba", "polars", "django")
    lines = (
        "import sys",
        "from arpad.demo.__main__ import main",
        "main([])",
        f"print([m for m in {heavy} if m in sys.modules])",
    )
    code = "\n".join(lines)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.splitlines()[-1] == "[]"


def test_a_closed_pipe_is_no_error() -> None:
    command = f"'{sys.executable}' -m arpad.demo | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=True, cwd=ROOT)
    assert (done.stdout, done.stderr) == ("A go federation (belgian-go)\n", "")
