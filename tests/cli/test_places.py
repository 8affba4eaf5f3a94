"""What a ruleset refuses is shown at the cell it speaks of."""

from __future__ import annotations

import subprocess
import sys

import pytest

GAMES = (
    "date,event,class,round,player1,player2,result,handicap\n"
    '2024-05-01,Cup,{klass},1,"A, B",B,{result},{stones}\n'
)


@pytest.mark.parametrize(
    ("ruleset", "values", "code", "column"),
    [
        ("us-table-tennis", {"klass": "", "result": "3-7", "stones": ""}, "set-illegal", 28),
        ("us-table-tennis", {"klass": "", "result": "3-1", "stones": "2"}, "handicap-unknown", 32),
        ("belgian-go", {"klass": "Q", "result": "1-0", "stones": ""}, "class-unknown", 16),
        ("belgian-go", {"klass": "A", "result": "3-1", "stones": ""}, "result-not-in-ruleset", 29),
    ],
)
def test_a_refusal_names_line_and_column(tmp_path, ruleset, values, code, column):
    games, players = tmp_path / "games.csv", tmp_path / "players.csv"
    games.write_text(GAMES.format(**values), "utf-8")
    players.write_text('player,rating\n"A, B",100\nB,90\n', "utf-8")
    command = [sys.executable, "-m", "arpad", "rate", str(games), "--players", str(players)]
    done = subprocess.run(
        [*command, "--ruleset", ruleset, "--out", str(tmp_path / "out")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert f"{games}:2:{column}: {code}: " in done.stderr
    assert not (tmp_path / "out").exists()
