"""games, correct, void, restore-game: how a game is named, what is shown, what is recorded."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import Arpad
from tests.cli.ledgers import club as club
from tests.cli.ledgers import results

BOARD_7 = ("--event", "Spring Cup", "--round", "1", "--board", "7")


def ids(club: Arpad, *options: str) -> list[str]:
    return [row["id"] for row in json.loads(club("games", *options, "--format", "json").out)]


def test_games_are_listed_with_ids_that_name_them(club: Arpad) -> None:
    done = club("games")
    assert done.status == 0 and len(done.out.splitlines()) == 6
    assert "Noor ’t Hart" in done.out and "D’Hondt <b>" in done.out
    assert len(ids(club, "--player", "noor 't hart")) == 4
    assert len(ids(club, "--player", "Noor 't Hart", "--player", "D'Hondt <b>")) == 3
    assert len(ids(club, "--event", "Club evening@2026-03-12")) == 3
    assert ids(club, "--pool", "main") == ids(club)
    for of in ids(club):
        shown = club("correct", of[-8:], "--swap", "--dry-run")
        assert shown.status == 0, shown.err
    assert club("games", "--date", "2020-01-01").out == "no games\n"
    assert "--limit 4" in club("games", "--limit", "2").out


@pytest.mark.parametrize(
    "which", [BOARD_7, ("--player", "noor 't hart", "--player", "D’Hondt <b>", "--date", "2026-03-05")]
)
def test_a_result_is_corrected(club: Arpad, which: tuple[str, ...]) -> None:
    seen = club("correct", *which, "--result", "0-3", "--dry-run")
    assert seen.status == 0 and seen.out.endswith("nothing was recorded\n")
    assert "game:  2026-03-05 Spring Cup, round 1, board 7: Noor ’t Hart - D’Hondt <b> 3-0" in seen.out
    assert "right: result 0-3" in seen.out and "ratings would change" in seen.out
    asked = club("correct", *which, "--result", "0-3", "--reason", "misread")
    assert asked.status == 1 and asked.out.endswith("nothing was recorded; --yes records it\n")
    assert results(club) == ["3-0", "1-3"]
    before = club("list").out
    done = club("correct", *which, "--result", "0-3", "--reason", "misread", "--yes", "--author", "7")
    assert done.status == 0 and "recorded as no. 3: 2 facts" in done.out and "settled main:" in done.out
    assert results(club) == ["0-3", "1-3"] and club("list").out != before
    assert "misread" in club("why", "--player", "D'Hondt").out
    assert "replaced by recording 3" in club("games", "--withdrawn").out
    assert [row.split()[4] for row in club("recordings").out.splitlines()[1:2]] == ["7"]


def test_other_things_are_corrected(club: Arpad) -> None:
    right = ("--set-player2", "an claes", "--set-date", "2026-03-06", "--set-round", "3", "--set-board", "2")
    assert club("correct", *BOARD_7, *right, "--reason", "read again", "--yes").status == 0
    game = json.loads(club("games", "--player", "An Claes", "--round", "3", "--format", "json").out)[0]
    assert (game["day"], game["player2"], game["board"], game["result"]) == (
        "2026-03-06", "An Claes", 2, "3-0",
    )  # fmt: skip
    assert club("correct", game["id"], "--swap", "--reason", "turned", "--yes").status == 0
    assert sorted(results(club)) == ["0-3", "1-3"]


@pytest.mark.parametrize(
    ("right", "code"),
    [
        (("--result", "9-9"), "set-illegal"),
        (("--set-handicap", "9"), "handicap-unknown"),
        (("--set-date", "2999-01-01"), "date-future"),
        (("--set-date", "1066-10-14"), "date-unreadable"),
    ],
)
def test_what_the_rules_refuse_is_not_recorded_unseen(club: Arpad, right: tuple[str, ...], code: str) -> None:
    """A fact that no settling takes would stop the whole pool."""
    before = club("recordings").out
    done = club("correct", *BOARD_7, *right, "--reason", "slip", "--yes")
    assert done.status == 1 and code in done.err
    assert club("recordings").out == before
    assert club("settle").status == 0


@pytest.mark.parametrize(
    "command",
    [
        ("games", "--limit", "9" * 20),
        ("correct", *BOARD_7, "--set-round", "9" * 20, "--reason", "slip"),
        ("correct", *BOARD_7, "--set-handicap", "10", "--reason", "slip"),
    ],
)
def test_a_number_out_of_range_is_wrong_usage(club: Arpad, command: tuple[str, ...]) -> None:
    done = club(*command)
    assert done.status == 2 and "range" in done.err


def test_equal_games_are_told_apart_by_id(club: Arpad) -> None:
    which = ("--event", "Club evening", "--round", "1")
    done = club("void", *which, "--reason", "entered twice", "--yes")
    assert done.status == 1 and "game-ambiguous" in done.err
    for of in ids(club, *which):
        assert of in done.err
    assert club("void", ids(club, *which)[0], "--reason", "entered twice", "--yes").status == 0
    assert results(club, "Club evening") == ["3-1", "3-2"]


def test_a_withdrawn_game_comes_back(club: Arpad) -> None:
    (of,) = ids(club, *BOARD_7)
    before = club("list", "--format", "csv").out
    assert club("void", *BOARD_7, "--reason", "not played", "--yes").status == 0
    assert results(club) == ["1-3"]
    assert "withdrawn by recording 3" in club("games", "--withdrawn", "--event", "Spring Cup").out
    assert "edit-empty" in club("restore-game", "--event", "Spring Cup", "--round", "2", "--dry-run").err
    assert "bring back" in club("restore-game", of[-8:], "--dry-run").out
    assert club("restore-game", *BOARD_7, "--reason", "it was", "--yes").status == 0
    assert results(club) == ["3-0", "1-3"] and club("list", "--format", "csv").out == before
    assert club("correct", of, "--swap", "--reason", "turned", "--yes").status == 0
    done = club("restore-game", of, "--reason", "no", "--yes")
    assert done.status == 1 and "fact-replaced" in done.err


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (("void", *BOARD_7, "--yes"), 1, "reason-missing"),
        (("void", "--reason", "x"), 2, "Say which game"),
        (("void", "12345678", "--event", "Spring Cup"), 2, "Say which game"),
        (("void", "12345678"), 1, "reason-missing"),
        (("void", "12345678", "--reason", "x"), 1, "game-unknown"),
        (("void", "'; DROP TABLE", "--reason", "x"), 1, "game-unknown"),
        (("void", "--event", "Other", "--reason", "x"), 1, "event-unknown"),
        (("void", "--player", "Nobody", "--reason", "x"), 1, "person-unknown"),
        (("void", *BOARD_7, "--reason", "x", "--pool", "other"), 1, "pool-unknown"),
        (("correct", *BOARD_7, "--reason", "x"), 2, "--result"),
        (("correct", *BOARD_7, "--result", "9:9", "--reason", "x"), 1, "result-unreadable"),
        (("correct", *BOARD_7, "--set-date", "soon", "--reason", "x"), 1, "date-unreadable"),
        (("correct", *BOARD_7, "--set-player2", "Noor ’t Hart", "--reason", "x"), 1, "game-self"),
        (("games", "--player", "a", "--player", "b", "--player", "c"), 2, "two players"),
    ],
)
def test_what_is_refused(club: Arpad, arguments: tuple[str, ...], status: int, said: str) -> None:
    done = club(*arguments)
    if said == "reason-missing" and "12345678" in arguments:
        said = "game-unknown"  # which game is asked first
    assert (done.status, said in done.err) == (status, True), done
    assert club("recordings").out.count("\n") == 3


def test_everything_as_data(club: Arpad) -> None:
    found = json.loads(club("void", *BOARD_7, "--dry-run", "--format", "json").out)
    assert found["recording"] is None and found["effect"]["main"][0]["player"]
    found = json.loads(club("void", *BOARD_7, "--reason", "x", "--yes", "--format", "json").out)
    assert found["recording"] == 3 and found["settled"]["main"]["players"] > 0
