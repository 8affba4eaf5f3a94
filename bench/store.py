"""make bench-store: the store on SQLite and PostgreSQL, beside the figures that are asked of it.

    python bench/store.py [--games 1e6] [--ruleset elo-logistic] [--late 50] [--only sqlite]

Prints a table in Markdown and writes build/bench-store.json. docs/reference/performance.md says what
each line means. The PostgreSQL server is a real one, started for the run, with its durable settings.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import store_ledger

KINDS = ("sqlite", "postgres")
IMPORT = {"sqlite": 60, "postgres": 90}  # seconds


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=float, default=1e6)
    parser.add_argument("--ruleset", default="elo-logistic", help="elo-logistic or us-table-tennis")
    parser.add_argument("--late", type=int, default=50, help="late results")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--only", default="", help="sqlite or postgres")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="arpad-bench-"))
    try:
        files = store_ledger.write(folder, int(options.games), options.seed, "tennis" in options.ruleset)
        print(machine())
        print(
            f"{files.count:,} games of {files.people:,} people in {options.ruleset}: "
            f"median {files.median:.0f} games, one in a hundred over {files.top}\n",
            flush=True,
        )
        told = {kind: work(kind, folder, options) for kind in KINDS if options.only in ("", kind)}
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    Path("build").mkdir(exist_ok=True)
    Path("build/bench-store.json").write_text(
        json.dumps({"machine": machine(), "told": told}, indent=1) + "\n"
    )
    print("\n".join(table(told)))
    return 0


def machine() -> str:
    return (
        f"{platform.machine()}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}; "
        f"Python {platform.python_version()}"
    )


def work(kind: str, folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    """All measurements on one database, in a process of its own."""
    data = folder / kind
    data.mkdir()
    environment = os.environ | {"ARPAD_DATA": str(data), "DJANGO_SETTINGS_MODULE": "arpad.store.settings"}
    environment.pop("DATABASE_URL", None)
    if kind == "postgres":
        from tests.store import databases

        environment["DATABASE_URL"] = databases.empty_url(kind, data)
        databases.durable()
    print(f"  {kind}", file=sys.stderr, flush=True)
    script = Path(__file__).with_name("store_work.py")
    command = [
        sys.executable,
        str(script),
        str(folder),
        options.ruleset,
        str(options.seed),
        str(options.late),
    ]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return dict(json.loads(done.stdout.splitlines()[-1]))


# --- the table ----------------------------------------------------------------------------------


def table(told: dict[str, dict[str, Any]]) -> list[str]:
    """Lines in Markdown: what, asked, and a column for each database."""
    kinds = list(told)
    lines = [f"| | asked | {' | '.join(kinds)} |", f"|---|---|{'---|' * len(kinds)}"]
    cells = [dict(_cells(kind, told[kind])) for kind in kinds]
    for name, asked in ASKED.items():
        lines.append(f"| {name} | {asked} | {' | '.join(column[name] for column in cells)} |")
    for name in ("digest", "digest at the end"):
        digests = {told[kind][name] for kind in kinds}
        same = "equal" if len(digests) == 1 else "DIFFERENT"
        lines.append(f"| {name} | equal | {' | '.join(told[kind][name][:12] for kind in kinds)}: {same} |")
    return lines


ASKED = {
    "import, full history, to settled": "60 s SQLite, 90 s PostgreSQL",
    "of it: read, plan, record, settle": "",
    "processor time: Arpad, server": "",
    "memory": "1.5 GB",
    "a late result ten years back, to visible": "2 s, median",
    "the same, 90 of 100": "",
    "until settle() returned, median": "",
    "later rows that change, median (most)": "",
    "rows that changed / written, all": "equal",
    "ratings shown otherwise / effects stored, all": "all",
    "tonight's 20 results, median (most)": "150 ms",
    "effect preview, median (most)": "2 s",
    "search, median (95 of 100)": "10 ms",
    "verify": "45 s",
    "load at the end": "",
}


def _cells(kind: str, told: dict[str, Any]) -> Any:
    """(name, cell) in the order of ASKED."""
    taken, late, tonight, found = told["imported"], told["late_results"], told["tonight"], told["searches"]
    yield "import, full history, to settled", _met(taken["seconds"], IMPORT[kind], "s")
    yield "of it: read, plan, record, settle", ", ".join(f"{part:.1f}" for part in taken["parts"].values())
    yield "processor time: Arpad, server", f"{taken['cpu']:.1f} s, {taken['server_cpu']:.1f} s"
    yield "memory", _met(taken["memory"] / 1000, 1.5, "GB")
    yield "a late result ten years back, to visible", _met(median(late["visible"]), 2, "s")
    yield "the same, 90 of 100", f"{_part(late['visible'], 0.9):.2f} s"
    yield "until settle() returned, median", f"{median(late['whole']):.2f} s"
    yield "later rows that change, median (most)", f"{median(late['share']):.1%} ({max(late['share']):.1%})"
    rows = (sum(late["differ"]), sum(late["written"]))
    yield "rows that changed / written, all", f"{rows[0]:,} / {rows[1]:,}{', MISSED' * (rows[0] != rows[1])}"
    effects = f"{sum(late['shown']):,} / {sum(late['effects']):,}"
    yield "ratings shown otherwise / effects stored, all", effects + ", MISSED" * bool(sum(late["untold"]))
    yield (
        "tonight's 20 results, median (most)",
        (f"{_met(1000 * median(tonight['visible']), 150, 'ms')} ({1000 * max(tonight['visible']):.0f} ms)"),
    )
    previews = told["previews"]
    yield "effect preview, median (most)", f"{_met(median(previews), 2, 's')} ({max(previews):.2f} s)"
    seconds = found["seconds"]
    yield (
        "search, median (95 of 100)",
        (f"{1000 * median(seconds):.1f} ms ({_met(1000 * _part(seconds, 0.95), 10, 'ms')})"),
    )
    checked = told["verified"]
    yield "verify", _met(checked["seconds"], 45, "s") + ", NOT GOOD" * (not checked["good"])
    yield "load at the end", f"{told['load']:.1f}"


def _met(value: float, most: float, unit: str) -> str:
    return f"{value:.{0 if unit == 'ms' else 2}f} {unit}{', MISSED' * (value > most)}"


def _part(values: list[float], part: float) -> float:
    """The value that this part of them does not pass."""
    return sorted(values)[max(0, -(-int(len(values) * part * 1000) // 1000) - 1)]


if __name__ == "__main__":
    sys.exit(main())
