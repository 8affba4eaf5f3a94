"""A club's file is rated in a moment: nothing heavy is imported, and little is done."""

from __future__ import annotations

import json
import os
import random
import resource
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = ("numba", "numpy", "django", "polars", "pandas", "dask", "rich")
SECONDS = 0.4


@pytest.fixture
def club(tmp_path: Path) -> Path:
    """200 games of 20 players."""
    rng = random.Random(1)
    names = [f"Member {number}" for number in range(20)]
    games = ["date,event,round,player1,player2,result"]
    for number in range(200):
        white, black = rng.sample(names, 2)
        day = f"2025-{1 + number // 20:02}-{1 + number % 20:02}"
        games.append(
            f"{day},Evening {number // 20},{number % 20},{white},{black},{rng.choice(['1-0', '0-1'])}"
        )
    (tmp_path / "games.csv").write_text("\n".join([*games, ""]), "utf-8")
    members = [f"{name},{rng.randrange(1500, 2000)}" for name in names]
    (tmp_path / "players.csv").write_text("\n".join(["player,rating", *members, ""]), "utf-8")
    return tmp_path


def options(ruleset: str) -> list[str]:
    return ["rate", "games.csv", "--ruleset", ruleset, "--players", "players.csv", "--out", "lists"]


def test_nothing_heavy_is_imported(club: Path) -> None:
    program = (
        "import atexit, json, sys\n"
        "atexit.register(lambda: print(json.dumps(sorted(sys.modules)), file=sys.stderr))\n"
        "from arpad.cli import main\nmain()\n"
    )
    command = [sys.executable, "-c", program, *options("fide-standard")]
    done = subprocess.run(command, cwd=club, capture_output=True, text=True, timeout=60, check=True)
    assert "200 games" in done.stdout
    modules = {name.partition(".")[0] for name in json.loads(done.stderr.splitlines()[-1])}
    assert "arpad" in modules
    assert modules.isdisjoint(HEAVY)


def test_importing_arpad_imports_nothing_else() -> None:
    program = "import sys, arpad; print(*(name for name in sys.modules if name.startswith('arpad.')))"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.split() == []


def test_a_club_file_takes_less_than_the_limit(club: Path, tmp_path: Path) -> None:
    """The processor's time, which a busy machine changes less than the clock's; the best of several runs,
    of a program whose bytecode is there, as it is once installed."""
    command = [str(Path(sys.executable).with_name("arpad")), *options("elo-logistic")]
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(tmp_path / "bytecode")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    spent = []
    for _ in range(8):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, cwd=club, env=environment, capture_output=True, timeout=60, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    assert min(spent) < SECONDS, spent
