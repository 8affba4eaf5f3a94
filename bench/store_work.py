"""One database of the store's bench, in a process of its own: started by store.py, prints JSON at the end.

The process is a service at work: its compiled loops are warm, its pool stays in memory. Both databases
are given the same random numbers, because the digests that must be equal are over UUIDs.
"""

from __future__ import annotations

import datetime
import json
import os
import random
import resource
import subprocess
import sys
import time
import uuid
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from arpad.store import setup

setup.start()

from django.db import connection  # noqa: E402 - after Django has started

from arpad.domain.results import read_result  # noqa: E402
from arpad.engine.replay import replay  # noqa: E402
from arpad.store import recorder  # noqa: E402
from arpad.store.bulk import select  # noqa: E402
from arpad.store.models import Event, Organisation, Person, Pool  # noqa: E402
from arpad.store.preview import preview  # noqa: E402
from arpad.store.recorder import Recorder, recording, ref  # noqa: E402
from arpad.store.search import find  # noqa: E402
from arpad.store.service import Service  # noqa: E402

TEN_YEARS = 3_653  # days
MOST_ACTIVE = 200
TONIGHT = 20  # games


class Work:
    """What is measured, one after another; `told` collects it."""

    def __init__(self, folder: Path, ruleset: str, seed: int, late: int) -> None:
        self.folder, self.ruleset, self.late = folder, ruleset, late
        self.draw = random.Random(seed)
        self.told: dict[str, Any] = {}
        same_numbers(seed)
        setup.migrate()
        self.organisation = Organisation.objects.create(slug="union", name="The union", salt=b"0" * 16)
        with recording(self.organisation, author="bench", kind="set-up") as r:
            r.pool("main", "Main", ruleset)
        self.pool = Pool.objects.get()
        self.service = Service(limit=2_000_000_000)
        with self.service.settler(self.pool) as settler:
            self.settler = settler
        self.draws = ("3-0", "3-1", "3-2", "0-3") if "tennis" in ruleset else ("1-0", "0-1", "1/2-1/2")

    def run(self) -> dict[str, Any]:
        for part in (self.imported, self.choose, self.late_results, self.tonight, self.previews,
                     self.searches, self.verified):  # fmt: skip
            part()
            print(f"    {part.__name__}", file=sys.stderr, flush=True)
        return self.told

    # --- import ---------------------------------------------------------------------------------

    def imported(self) -> None:
        """From the files to settled, as `arpad import` does it."""
        from arpad.store.intake import Request, plan, record

        warm_loops(self.ruleset)
        before = server_cpu()
        clock, cpu = [time.perf_counter()], time.process_time()
        sheet, files, problems = self.read()
        clock.append(time.perf_counter())
        seen = plan(Request(self.pool, sheet, files, accept_new=True), self.settler)
        clock.append(time.perf_counter())
        record(seen, author="bench", settler=self.settler)
        clock.append(time.perf_counter())
        done = self.settler.settle()
        clock.append(time.perf_counter())
        parts = dict(zip(("read", "plan", "record", "settle"), np.diff(clock).round(1).tolist(), strict=True))
        self.told["imported"] = {
            "seconds": clock[-1] - clock[0], "cpu": time.process_time() - cpu,
            "server_cpu": server_cpu() - before, "memory": memory(), "parts": parts,
            "games": len(sheet.games),
            "problems": len(problems), "rows": done.rows_written,
        }  # fmt: skip
        self.told["digest"] = done.digest

    def read(self) -> tuple[Any, Any, Any]:
        """The sheet of both files, what is kept of them, and what the readers found."""
        from arpad.formats import registry
        from arpad.formats.flat import GAMES, PLAYERS, together
        from arpad.store.intake import SheetFile

        paths = [self.folder / "games.csv", self.folder / "players.csv"]
        games, players = (registry.read(p, kind=k) for p, k in zip(paths, (GAMES, PLAYERS), strict=True))
        problems = [*games.problems, *players.problems, *together(games, players, None)]
        files = tuple(
            SheetFile(path.name, reading.format, path.read_bytes(), reading.sheet.digest(), False)
            for path, reading in zip(paths, (games, players), strict=True)
        )
        games.sheet.first_ratings[:0] = players.sheet.first_ratings
        return games.sheet, files, problems

    # --- one result -----------------------------------------------------------------------------

    def choose(self) -> None:
        """The most active players, and in which weeks of ten years ago each of them was active."""
        rows = select("default", "SELECT player1_id, player2_id, day, event_id FROM store_game")
        one, two, day, event = np.array(list(rows), np.int64).T
        people, games = np.unique(np.concatenate((one, two)), return_counts=True)
        most = people[np.argsort(-games, kind="stable")[:MOST_ACTIVE]]
        self.last = int(day.max())
        at = self.last - TEN_YEARS
        self.people = {person.pk: ref(person) for person in Person.objects.filter(pk__in=most.tolist())}
        self.active = [p for p in most.tolist() if day[(one == p) | (two == p)].min() < at - 200 and
                       day[(one == p) | (two == p)].max() > at + 200]  # fmt: skip
        near = np.unique(event[np.abs(day - at) < 180])
        self.events = [(ref(e), e.start.toordinal()) for e in Event.objects.filter(pk__in=near.tolist())]
        self.told["choose"] = {"active then": len(self.active), "events": len(self.events)}

    def add_one(self, r: Recorder) -> None:
        """A result ten years back that nobody had told of."""
        first, second = self.draw.sample(self.active, 2)
        event, day = self.draw.choice(self.events)
        result = read_result(self.draw.choice(self.draws))
        assert result is not None
        r.game(event, day, self.people[first], self.people[second], result, round=1, board=900)

    def late_results(self) -> None:
        found: list[dict[str, Any]] = []
        for _ in range(self.late):
            old = self.settler.history
            start = time.perf_counter()
            with recording(self.organisation, author="bench", reason="told late") as r:
                self.add_one(r)
            committed = time.perf_counter()
            with self.service.settler(self.pool) as settler:
                done = settler.settle()
            end = time.perf_counter()
            counted = Differing(old, settler.history)
            effects = people_of("store_effect", self.pool.pk, done.settlement)
            (rows,) = next(iter(select(
                "default", "SELECT COUNT(*) FROM store_change WHERE pool_id = %s AND settlement = %s",
                [self.pool.pk, done.settlement],
            )))  # fmt: skip
            shown = {settler.facts.keys["person"][person] for person in counted.shown}
            found.append({
                "visible": done.seconds, "whole": end - committed, "record": committed - start,
                "share": counted.share, "differ": counted.rows, "changed": done.rows_changed, "written": rows,
                "standings": done.rows_written - done.rows_changed,
                "effects": len(effects), "shown": len(shown), "untold": len(shown - effects),
            })  # fmt: skip
        self.told["late_results"] = {name: [one[name] for one in found] for name in found[0]}

    def tonight(self) -> None:
        """Twenty results of tonight, some evenings one after another."""
        seconds, whole = [], []
        for evening in range(9):
            day = self.last + 7 * (evening + 1)
            people = self.draw.sample(sorted(self.people), 2 * TONIGHT)
            with recording(self.organisation, author="bench", reason="tonight") as r:
                event = r.event(f"Evening {evening}", day)
                r.feed(ref(self.pool), event)
                for board in range(TONIGHT):
                    result = read_result(self.draw.choice(self.draws))
                    assert result is not None
                    one, two = (self.people[p] for p in people[2 * board : 2 * board + 2])
                    r.game(event, day, one, two, result, round=1, board=board + 1)
            start = time.perf_counter()
            with self.service.settler(self.pool) as settler:
                done = settler.settle()
            whole.append(time.perf_counter() - start)
            seconds.append(done.seconds)
        self.told["tonight"] = {"visible": seconds, "whole": whole}
        self.told["digest at the end"] = done.digest

    def previews(self) -> None:
        seconds = []
        for _ in range(9):
            start = time.perf_counter()
            preview(self.settler, self.add_one)
            seconds.append(time.perf_counter() - start)
        self.told["previews"] = seconds

    # --- the others -----------------------------------------------------------------------------

    def searches(self) -> None:
        """The beginnings that somebody types: of a name, of two, without accents."""
        names = [
            name for (name,) in select("default", "SELECT name FROM store_personname ORDER BY id LIMIT 3000")
        ]
        seconds, nobody = [], 0
        for _ in range(500):
            given, _, rest = self.draw.choice(names).partition(" ")
            rest = rest.split()[-1]
            query = self.draw.choice((
                rest[: self.draw.randint(3, 7)], f"{given[:3]} {rest[:4]}", f"{rest} {given[:1]}", given,
                rest[:2],
            ))  # fmt: skip
            start = time.perf_counter()
            nobody += not find(self.organisation, query)
            seconds.append(time.perf_counter() - start)
        self.told["searches"] = {"seconds": seconds, "nobody": nobody}

    def verified(self) -> None:
        """The command in a process of its own."""
        connection.close()
        before, start = children_cpu(), time.perf_counter()
        command = [sys.executable, "-m", "arpad", "verify"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        self.told["verified"] = {
            "seconds": time.perf_counter() - start, "cpu": children_cpu() - before,
            "good": done.returncode == 0, "said": done.stdout.strip() or done.stderr.strip(),
        }  # fmt: skip


# --- counting once more -------------------------------------------------------------------------


class Differing:
    """What differs between two histories of pools that rate game by game, counted from their arrays."""

    def __init__(self, old: Any, new: Any) -> None:
        a, b = self._rows(old), self._rows(new)
        size = max(len(a), len(b))
        a, b = (np.pad(rows, ((0, size - len(rows)), (0, 0), (0, 0)), constant_values=-9) for rows in (a, b))
        differ = (a != b).any(axis=2)
        self.rows = int(differ.sum())
        first = np.flatnonzero(differ.any(axis=1))
        place = np.empty(size, np.int64)
        order = np.array(new.plan.order.games, np.int64)
        place[order] = np.arange(len(order))
        later = 2 * (len(order) - place[first].min()) if len(first) else 1
        self.share = self.rows / later
        self.shown = self._shown(old, new)

    @staticmethod
    def _rows(history: Any) -> Any:
        """(game, side, [before, expected, change, after]) by the number of the game."""
        plan = history.plan
        width = len(plan.ruleset.state_type._fields)
        after = np.array(history.settled_state).reshape(-1, width)[:, 0]
        columns = [
            np.array(c)[: 2 * plan.rows] for c in (history.before, history.expected, history.change, after)
        ]
        found = np.full((len(plan.ledger.games), 2, 4), -9, np.int64)
        found[np.array(plan.order.games, np.int64)] = np.stack(columns, axis=1).reshape(-1, 2, 4)
        return found

    @classmethod
    def _shown(cls, old: Any, new: Any) -> set[int]:
        """The persons who at the end of some day are shown with another whole number than before."""
        a, b = (cls._ends(history) for history in (old, new))
        names = [a[:, :2], b[:, :2]]
        both = np.concatenate(
            [np.concatenate((n, e[:, 2:]), axis=1) for n, e in zip(names, (a, b), strict=True)]
        )
        # a (person, day, points) that stands in one of the two only
        found, count = np.unique(both, axis=0, return_counts=True)
        return set(found[count == 1][:, 0].tolist())

    @staticmethod
    def _ends(history: Any) -> Any:
        """(person, day, points) at the end of each day on which the person played."""
        plan = history.plan
        width = len(plan.ruleset.state_type._fields)
        points = np.array(history.settled_state).reshape(-1, width)[: 2 * plan.rows, 0].astype(np.int64)
        points = np.sign(points) * (
            (2 * np.abs(points) + plan.ruleset.per_point) // (2 * plan.ruleset.per_point)
        )
        person = np.stack([np.array(c, np.int64) for c in (plan.player1, plan.player2)], axis=1).reshape(-1)
        day = np.repeat(np.array(plan.day, np.int64), 2)
        keys = person * 2**24 + day
        order = np.argsort(keys, kind="stable")
        last = order[np.append(keys[order][1:] != keys[order][:-1], True)]
        return np.stack((person[last], day[last], points[last]), axis=1)


def people_of(table: str, pool: int, settlement: int) -> set[int]:
    query = f"SELECT person_id FROM {table} WHERE pool_id = %s AND settlement = %s"
    return {person for (person,) in select("default", query, [pool, settlement])}


# --- clocks and scales ----------------------------------------------------------------------------


def same_numbers(seed: int) -> None:
    """UUIDs and salts of what is recorded, by a seed."""
    source = random.Random(seed)
    recorder.uuid = SimpleNamespace(  # type: ignore[assignment]
        UUID=uuid.UUID, uuid4=lambda: uuid.UUID(bytes=source.randbytes(16), version=4)
    )
    recorder.secrets = SimpleNamespace(token_bytes=source.randbytes)  # type: ignore[assignment]


def warm_loops(ruleset: str) -> None:
    import ledgers

    make = ledgers.table_tennis if "tennis" in ruleset else ledgers.elo
    replay(make(2_000), ruleset, compile=True)


def memory() -> float:
    """The most this process has taken, its children and its PostgreSQL backend, MB."""
    own = (
        resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        + resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    )
    if connection.vendor == "postgresql":
        text = Path(f"/proc/{backend()}/status").read_text()
        own += int(text.partition("RssAnon:")[2].split()[0])  # without the shared buffers
    return own / 1024


def backend() -> int:
    """The process that the server holds for this connection; the bench runs it on this machine."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return int(cursor.fetchone()[0])


def server_cpu() -> float:
    if connection.vendor != "postgresql":
        return 0.0
    fields = Path(f"/proc/{backend()}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def children_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    folder, ruleset, seed, late = sys.argv[1:]
    told = Work(Path(folder), ruleset, int(seed), int(late)).run()
    told["when"] = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    told["load"] = os.getloadavg()[0]
    print(json.dumps(told))


if __name__ == "__main__":
    main()
