"""make bench: how fast the shipped replay() is, beside a C loop and other libraries, in one run.

Prints a table and writes build/bench.json. docs/reference/performance.md says what each column means.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ledgers
import numba
import numpy as np
import programs
from measure import Timing, size_of, timed
from peers import peers
from yardstick import CLoops, differences

from arpad.engine.history import History
from arpad.engine.replay import replay
from arpad.ledger.ledger import Ledger
from arpad.rulesets.catalogue import find

M = 1_000_000
BYTES = 72  # a game, at most

# what, ledger, ruleset, games, least games/s (millions), the C loop it is compared with
ROWS = (
    ("elo-logistic", ledgers.elo, "elo-logistic", M, 12, "elo"),
    ("elo-logistic, 10M", ledgers.elo, "elo-logistic", 10 * M, 12, "elo"),
    ("belgian-go", ledgers.go, "belgian-go", M, 5, "go"),
    ("fide-standard", ledgers.chess, "fide-standard", M, 6, ""),
    ("us-table-tennis", ledgers.table_tennis, "us-table-tennis", M, 20, ""),
)
PEERS = ("elote", "riix", "skelo")
ARRAYS = ("before", "expected", "change", "settled_player", "settled_state", "tick_settled")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="rows whose name begins with this")
    parser.add_argument("--games", type=float, default=0, help="another number of games, for a quick look")
    options = parser.parse_args()
    rows, missed = [], 0
    with tempfile.TemporaryDirectory() as folder:
        c_loops = CLoops(Path(folder))
        print(machine(), HEAD, sep="\n")
        for name, make, ruleset, games, least, c_loop in ROWS:
            if not name.startswith(options.only):
                continue
            ledger = make(int(options.games) or games)
            row = replay_row(ledger, ruleset, least, getattr(c_loops, c_loop, None))
            print(shown(name, row), flush=True)
            missed += len(row["missed"])
            rows.append({"what": name} | row)
            del ledger
        if not options.only or options.only == "process":
            for row in process_rows(Path(folder)):
                print(
                    f"{row['what']:<58} {row['seconds']:6.2f} s (cpu {row['cpu']:.2f} s), "
                    f"at most {row['at_most']} s{', MISSED' * bool(row['missed'])}",
                    flush=True,
                )
                missed += len(row["missed"])
                rows.append(row)
    Path("build").mkdir(exist_ok=True)
    Path("build/bench.json").write_text(json.dumps({"machine": machine(), "rows": rows}, indent=1) + "\n")
    print(f"{missed} targets missed" if missed else "all targets met")
    return 0


def machine() -> str:
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    return (
        f"{platform.machine()}, {os.cpu_count()} processors, load {load:.1f}; "
        f"Python {platform.python_version()}, numba {numba.__version__}, numpy {np.__version__}"
    )


# --- one ruleset --------------------------------------------------------------------------------------


def replay_row(
    ledger: Ledger, ruleset: str, least: float, c_loop: Callable[[History], Any] | None
) -> dict[str, Any]:
    """Times of one ledger under one ruleset, and whether all ways of computing it agree."""
    games = len(ledger.games)
    history = replay(ledger, ruleset, compile=True)
    row: dict[str, Any] = {"ruleset": ruleset, "games": games, "bytes": bytes_a_game(history, ledger)}
    run_c = c_loop(history) if c_loop else None
    row["equal"] = equal_to_interpreted(history, ledger)
    if run_c is not None:
        row["differs from C in"] = differences(history, run_c())
    calls = {"again": (games, lambda: replay(ledger, ruleset, compile=True))}
    if run_c is not None:
        calls["C"] = (games, run_c)
    if ruleset == "elo-logistic":
        calls |= peers(history)
    del history
    timings = timed(*(call for _, call in calls.values()))
    for (name, (rated, _)), timing in zip(calls.items(), timings, strict=True):
        row[name] = rate(rated, timing)
    row["other parameters"] = rate(games, timed(other_parameters(ledger, ruleset), rounds=3)[0])
    row["first"] = rate(games, timed(first(ledger, ruleset), rounds=3)[0])
    row["missed"] = list(targets_missed(row, least))
    return row


def rate(games: int, timing: Timing) -> dict[str, float]:
    """Millions of games a second, by the clock on the wall and by processor time."""
    return {"wall": games / timing.wall / M, "cpu": games / timing.cpu / M}


def first(ledger: Ledger, ruleset: str) -> Callable[[], History]:
    """A replay that finds nothing kept: the facts are those of a ledger just read."""
    facts = {name: value for name, value in vars(ledger).items() if not name.startswith("_kept")}

    def call() -> History:
        fresh = Ledger()
        vars(fresh).update(facts)
        return replay(fresh, ruleset, compile=True)

    return call


def other_parameters(ledger: Ledger, ruleset: str) -> Callable[[], History]:
    """A replay under parameters that this ledger has not been replayed under."""
    published = find(ruleset).editions[-1][1]
    name = next(name for name in ("k", "ceiling", "k_top") if name in published._fields)
    value = getattr(published, name)

    def call() -> History:
        nonlocal value
        value = type(value)(value * 1.01) if isinstance(value, float) else value + 1
        return replay(ledger, ruleset, params=published._replace(**{name: value}), compile=True)

    return call


def equal_to_interpreted(history: History, ledger: Ledger) -> bool:
    """Bit by bit: all of a smaller ledger, and of this one what the plain loop can rate in a few seconds."""
    plan, rules = history.plan, history.plan.ruleset
    until = plan.day[min(plan.rows - 1, 40_000)]
    prefix = replay(ledger, rules, until=until, compile=False)
    sides, entries = 2 * prefix.plan.rows, prefix.settled
    width = len(rules.state_type._fields)
    stops = (sides, sides, sides, entries if plan.ticks else 0, entries * width, 0)
    same = all(
        np.array_equal(getattr(prefix, name)[:stop], getattr(history, name)[:stop])
        for name, stop in zip(ARRAYS, stops, strict=True)
    )
    make = next(make for _, make, ruleset, *_ in ROWS if ruleset == rules.id)
    small = make(25_000)
    both = [replay(small, rules, compile=compiled) for compiled in (True, False)]
    arrays = all(np.array_equal(*(getattr(found, name) for found in both)) for name in (*ARRAYS, "states"))
    return same and sides > 0 and arrays and both[0].outcomes == both[1].outcomes


def bytes_a_game(history: History, ledger: Ledger) -> float:
    """What a replay leaves in memory beyond the facts, with the plan that the ledger keeps."""
    facts = {name: value for name, value in vars(ledger).items() if name != "_kept"}
    return size_of(history, but=[facts]) / len(ledger.games)


def targets_missed(row: dict[str, Any], least: float) -> list[str]:
    """Names of the targets that this row does not reach.

    Ratios are of processor time: all that is compared runs in one thread, and a busy machine takes
    that away least.
    """
    again = row["again"]
    best_peer = max((row[name]["cpu"] for name in PEERS if name in row), default=0.0)
    checks = {
        f"at least {least}M games/s": again["wall"] >= least,
        "35 % of the C loop": "C" not in row or again["cpu"] >= 0.35 * row["C"]["cpu"],
        "25 times the best peer": again["cpu"] >= 25 * best_peer,
        f"at most {BYTES} bytes a game": row["bytes"] <= BYTES,
        "equal to the interpreted run": row["equal"],
        "equal to the C loop": not row.get("differs from C in"),
    }
    return [name for name, reached in checks.items() if not reached]


# --- whole processes ------------------------------------------------------------------------------------


def process_rows(folder: Path) -> list[dict[str, Any]]:
    rows = []
    for games, make, ruleset, at_most, rounds in (
        (200, ledgers.go, "belgian-go", 0.4, 5),
        (M, ledgers.elo, "elo-logistic", 12.0, 3),
    ):
        place = folder / f"process-{games}"
        place.mkdir()
        seconds, cpu = programs.rate(*programs.write_files(make(games), place), ruleset, rounds)
        what = f"arpad rate, {games:,} games, {ruleset}: read, rated, both files written"
        missed = [f"at most {at_most} s"] if seconds > at_most else []
        rows.append({"what": what, "seconds": seconds, "cpu": cpu, "at_most": at_most, "missed": missed})
    return rows


# --- the table ----------------------------------------------------------------------------------------

HEAD = (
    "                            millions of games a second          of C   times  times  times  bytes\n"
    "ruleset               games first  other again (cpu)     C (cpu)       elote   riix  skelo a game equal"
)


def shown(name: str, row: dict[str, Any]) -> str:
    """One line of the table."""
    again, c = row["again"], row.get("C")
    cells = [f"{name:<18}", f"{row['games'] / M:>7.2f}M"]
    cells += [f"{row[key]['wall']:5.1f}" for key in ("first", "other parameters", "again")]
    cells.append(f"{again['cpu']:5.1f}")
    cells += (
        [f"{c['wall']:5.1f} {c['cpu']:5.1f}", f"{again['cpu'] / c['cpu']:4.0%}"]
        if c
        else ["          -    -"]
    )
    cells += [f"{again['cpu'] / row[peer]['cpu']:6.0f}" if peer in row else "     -" for peer in PEERS]
    cells += [f"{row['bytes']:6.1f}", "yes" if row["equal"] and not row.get("differs from C in") else "NO"]
    notes = [f"MISSED: {target}" for target in row["missed"]]
    if notes and again["cpu"] > 1.3 * again["wall"]:
        notes.append("but this machine was busy with other things: see the times by processor")
    return "\n    ".join([" ".join(cells), *notes])


if __name__ == "__main__":
    sys.exit(main())
