"""Whole processes: the command as a user starts it, from nothing to the files it wrote."""

from __future__ import annotations

import csv
import resource
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

from measure import Timing

from arpad.domain.dates import day_text
from arpad.domain.results import write_result
from arpad.ledger.ledger import Ledger


def write_files(ledger: Ledger, folder: Path) -> tuple[Path, Path]:
    """games.csv and players.csv of a ledger, with as few columns as its games need."""
    games, players = folder / "games.csv", folder / "players.csv"
    names, events, columns = ledger.names, ledger.events, ledger.games
    results = [write_result(result) for result in ledger.results]
    days = {day: day_text(day) for day in set(columns.day)}
    with_events = any(event.name for event in events)
    with games.open("w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        head = ["date", "player1", "player2", "result"]
        out.writerow(head + ["event", "class", "round", "board", "handicap"] * with_events)
        for g, (first, second) in enumerate(zip(columns.player1, columns.player2, strict=True)):
            row = [days[columns.day[g]], names[first], names[second], results[columns.result[g]]]
            if with_events:
                event = events[columns.event[g]]
                place = (columns.round[g], columns.board[g], columns.stones[g] or "")
                row += [event.name, event.event_class, *place]
            out.writerow(row)
    with players.open("w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        ranked = ledger.first_ratings[0].application.rank is not None
        out.writerow(["player", "rank" if ranked else "rating"])
        for fact in ledger.first_ratings:
            rank, rating = fact.application.rank, fact.application.rating
            grade = "" if rank is None else f"{rank}d" if rank > 0 else f"{1 - rank}k"
            out.writerow([names[fact.person], grade if ranked else rating])
    return games, players


def rate(games: Path, players: Path, ruleset: str, rounds: int) -> Timing:
    """Median time of `arpad rate` in a new process; once before, for what is written once only."""
    out = games.parent / "out"
    command = [sys.executable, "-m", "arpad", "rate", games, "--players", players]
    command += ["--ruleset", ruleset, "--out", out]
    times = []
    for _ in range(rounds + 1):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wall = time.perf_counter() - start
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        times.append(Timing(wall, cpu))
        written = [(out / name).stat().st_size for name in ("ratings.csv", "history.csv")]
        assert all(written), "nothing was written"
    return Timing(*map(median, zip(*times[1:], strict=True)))
