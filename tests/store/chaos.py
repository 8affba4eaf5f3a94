"""Processes that are killed at any moment, and what must hold afterwards. For the tests and bench/chaos.py.

A child is forked, works on the database, and notes where it is in a byte that it shares with its parent.
Every recording that it was told is sealed it writes into a file of receipts, safe on disk. After the
kill the parent does what the next start does: sweep, settle. Then it counts.
"""

from __future__ import annotations

import mmap
import os
import random
import signal
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from django.db import connections

from arpad.domain.play import Application
from arpad.domain.results import read_result
from arpad.store import bulk, lease, recorder, settle
from arpad.store.check import check
from arpad.store.models import Game, Organisation, Person, Pool, Recording
from arpad.store.recorder import Ref, recording, ref, sweep
from arpad.store.settle import Settler
from arpad.store.source import snapshot
from arpad.store.verify import verify_facts
from tests.store.kept import DAYS

PHASES = ("before the first write", "between first and last write", "after the last write", "finished")
GAMES = 300  # of an import
PEOPLE = 24


class Told(NamedTuple):
    """The counts of a run of kills."""

    kills: int
    phases: Counter[str]
    acknowledged: int
    sealed: int  # imports that are there: the acknowledged ones, and those killed before they could tell
    half: int
    lost: int


class Child:
    """The byte of a child's phase, and its receipts."""

    def __init__(self, folder: Path) -> None:
        self.shared = mmap.mmap(-1, 1)
        self.receipts = folder / "receipts"

    @property
    def phase(self) -> int:
        return self.shared[0]

    @phase.setter
    def phase(self, value: int) -> None:
        self.shared[0] = value

    def acknowledge(self, key: str) -> None:
        """The caller was told that this is recorded."""
        handle = os.open(self.receipts, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.write(handle, f"{key}\n".encode())
        os.fsync(handle)
        os.close(handle)

    def acknowledged(self) -> set[str]:
        return set(self.receipts.read_text().split()) if self.receipts.exists() else set()


def small_pieces() -> None:
    """Many short transactions, and leases that end soon after their holder."""
    settle.SMALL = -1
    recorder.PIECE, settle.BATCH, settle.PIECE = 40, 60, 60
    lease.LASTS, lease.BEAT = 0.8, 0.2


def club(organisation: Organisation, pool: Pool) -> None:
    """People with a first rating, an event, and a game to begin with."""
    with recording(organisation, author="1") as r:
        people = [r.person(f"Player {number}") for number in range(PEOPLE)]
        for number, person in enumerate(people):
            r.first_rating(ref(pool), person, Application(rating=1400.0 + 10 * number))
        event = r.event("The club", DAYS[0])
        r.feed(ref(pool), event)
        r.game(event, DAYS[0], people[0], people[1], read_result("1-0"))  # type: ignore[arg-type]


def people_and_event() -> tuple[list[Ref], Ref]:
    """What club() recorded."""
    people = [ref(person) for person in Person.objects.order_by("pk")]
    return people, ref(Game.objects.order_by("pk")[0].event)


def import_games(child: Child, key: str, rng: random.Random) -> None:
    """A large import: an event with its games, in pieces."""
    organisation = Organisation.objects.get()
    people, _ = people_and_event()
    written = bulk.insert

    def noted(*arguments: Any) -> None:
        child.phase = 1
        written(*arguments)

    recorder.insert = noted  # type: ignore[attr-defined]
    sealing = recorder.Recorder.seal

    def seal(self: recorder.Recorder) -> None:
        child.phase = 2
        sealing(self)

    recorder.Recorder.seal = seal  # type: ignore[method-assign]
    pool = Pool.objects.get()
    with recording(organisation, author="1", kind="import", key=key, large=True) as r:
        day = DAYS[0] + rng.randrange(400)
        event = r.event(f"Import {key}", day)
        r.feed(ref(pool), event)
        for sequence in range(GAMES):
            white, black = rng.sample(people, 2)
            r.game(event, day, white, black, read_result("1-0"), sequence=sequence)  # type: ignore[arg-type]
    child.acknowledge(key)
    child.phase = 3


def settle_pool(child: Child, key: str, rng: random.Random) -> None:
    """A settlement of everything after an early game."""
    del key, rng
    written, swept = settle.insert, Settler._sweep

    def noted(*arguments: Any) -> None:
        child.phase = 1
        written(*arguments)

    def sweeping(self: Settler, number: int) -> None:
        child.phase = 2
        swept(self, number)

    settle.insert, Settler._sweep = noted, sweeping  # type: ignore[attr-defined,method-assign]
    Settler(Pool.objects.get()).settle()
    child.phase = 3


def late_result(rng: random.Random) -> None:
    """Something to settle: a game before all others."""
    people, event = people_and_event()
    with recording(Organisation.objects.get(), author="1") as r:
        white, black = rng.sample(people, 2)
        r.game(event, DAYS[0], white, black, read_result("0-1"))  # type: ignore[arg-type]


def forked(work: Callable[[], None]) -> int:
    """A child process that does `work` and ends; its id."""
    connections.close_all()
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        work()
        code = 0
    finally:
        os._exit(code)


def finish(pid: int) -> int:
    """Wait for a child; its exit status (negative: the signal that ended it)."""
    _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status)


def kills(
    work: Callable[[Child, str, random.Random], None], count: int, folder: Path, seed: int, *,
    before: Callable[[random.Random], None] | None = None, kill: Callable[[int], None] | None = None,
) -> Told:  # fmt: skip
    """Kill a child at `count` moments of `work`, recover each time, count.

    before   done in this process ahead of each
    kill     what is killed, given the child's id; default: the child
    """
    rng, child, phases = random.Random(seed), Child(folder), Counter[str]()
    half = lost = 0
    lasts, writes = [_duration(work, child, rng, f"w{turn}", before) for turn in range(2)][-1]
    for number in range(count):
        if before is not None:
            before(rng)
        child.phase = 0
        key, own = f"k{number}", random.Random(rng.random())
        pid = forked(lambda key=key, own=own: work(child, key, own))  # type: ignore[misc]
        if number % 4:  # most while it writes; the others at any moment
            _reached(1, child, started=time.monotonic(), at_most=2 * lasts)
            time.sleep(rng.uniform(0, 1) * writes)
        else:
            time.sleep(rng.uniform(0.05, 1.05) * lasts)
        phases[PHASES[child.phase]] += 1
        if kill is None:
            os.kill(pid, signal.SIGKILL)
        else:
            kill(pid)
        finish(pid)
        recover()
        wrong = looked_at(child)
        half, lost = half + wrong[0], lost + wrong[1]
    there = Recording.objects.filter(kind="import").exclude(number=None).count()
    return Told(count, phases, len(child.acknowledged()), there, half, lost)


def _duration(
    work: Callable[[Child, str, random.Random], None], child: Child, rng: random.Random, key: str,
    before: Callable[[random.Random], None] | None,
) -> tuple[float, float]:  # fmt: skip
    """Seconds that it takes when nobody is killed: all of it, and from the first write to the last."""
    if before is not None:
        before(rng)
    child.phase, started = 0, time.monotonic()
    pid = forked(lambda: work(child, key, rng))
    first = _reached(1, child, started, at_most=60)
    last = _reached(2, child, started, at_most=60)
    assert finish(pid) == 0
    lasted = time.monotonic() - started
    recover()
    return lasted, last - first


def _reached(phase: int, child: Child, started: float, at_most: float) -> float:
    """Wait until a child is in a phase; the seconds since `started`."""
    while child.phase < phase and time.monotonic() - started < at_most:
        time.sleep(0.0005)
    return time.monotonic() - started


def recover() -> None:
    """What the next start does."""
    sweep()
    Settler(Pool.objects.get()).settle()


def looked_at(child: Child) -> tuple[int, int]:
    """(imports of which only a part is there, acknowledged ones that are not there); 0, 0 is right."""
    imports = Recording.objects.filter(kind="import")
    half = imports.filter(number=None).count()
    there = set()
    for row in imports.exclude(number=None):
        there.add(row.key)
        half += Game.objects.filter(recording=row).count() != GAMES
    with snapshot() as source:
        report = verify_facts(source)
    assert report.good, report.bad
    found = check(Pool.objects.get())
    assert found.bad is None, found
    return half, len(child.acknowledged() - there)
