"""Reads one file of somebody unknown in a process of its own, which may die without harm.

    read_apart("upload.xlsx", name="clubavond.xlsx")  ->  Apart(reading or None, problems, guarded)

The process has an empty environment, 512 MB of memory, 20 seconds of processor time, no files to write and,
where the system lets an ordinary user do so, no network. What it found comes back as plain data: it is
checked to be nothing but the types of a sheet before it is used. A crash, or too little memory or time, is
a problem like any other.
"""

from __future__ import annotations

import io
import json
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from arpad.domain.problems import FATAL, Problem, Refused
from arpad.formats.reading import Reading

MEMORY = 512 * 2**20  # bytes of address space beyond what the interpreter has when it begins
SECONDS = 20  # of processor time
WAIT = 60  # seconds by the clock, for a busy machine
ANSWER = 256 * 2**20  # bytes of an answer
_CLONE_NEWUSER, _CLONE_NEWNET = 0x10000000, 0x40000000
# The only types that an answer may be made of.
_ALLOWED = {
    ("arpad.domain.problems", "Problem"), ("arpad.domain.results", "Result"),
    ("arpad.domain.play", "Application"), ("arpad.ledger.facts", "Event"), ("arpad.ledger.sheet", "Sheet"),
    ("arpad.ledger.sheet", "SheetPerson"), ("arpad.ledger.sheet", "SheetFirstRating"),
    ("arpad.ledger.sheet", "SheetCorrection"), ("arpad.ledger.columns", "GameColumns"),
    ("arpad.formats.reading", "Reading"), ("arpad.formats.table", "Detail"),
    ("arpad.formats.table_map", "Mapping"), ("array", "_array_reconstructor"), ("array", "array"),
}  # fmt: skip


class Apart(NamedTuple):
    """What came of it. `reading` is None where the file was refused; `guarded`: without network."""

    reading: Reading | None
    problems: list[Problem]
    guarded: bool = False


def read_apart(
    source: bytes | str | Path,
    name: str = "",
    *,
    kind: str = "",
    told: Mapping[str, str] | None = None,
    limit: int | None = None,
    memory: int = MEMORY,
    seconds: int = SECONDS,
) -> Apart:
    """Read a file in a process of its own. Raises nothing for what the file does; OSError if it is not there.

    source   its bytes, or its path
    name     the name under which problems are told
    kind     the format, where it is known;  told: answers, as for registry.read()
    limit    bytes, packed and unpacked; None: the format's own
    """
    data = source if isinstance(source, bytes) else Path(source).read_bytes()
    file = name or ("" if isinstance(source, bytes) else str(source))
    asked = {"file": file, "kind": kind, "told": dict(told or {}), "limit": limit, "memory": memory}
    head = json.dumps(asked | {"seconds": seconds}).encode() + b"\n"
    here = str(Path(__file__).resolve().parents[2])
    # -I: neither the environment nor the folder it is started in; the package's place is told
    start = f"import sys; sys.path.insert(0, {here!r}); from arpad.formats.apart import serve; serve()"
    command = [sys.executable, "-I", "-B", "-c", start]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env={},
        cwd="/", start_new_session=True,
    ) as process:  # fmt: skip
        try:
            answer, _ = process.communicate(head + data, timeout=WAIT)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return _failed(file, -signal.SIGXCPU)
        code = process.returncode
    if code or not answer or len(answer) > ANSWER:
        return _failed(file, code)
    return _answer(answer, file)


def _failed(file: str, code: int) -> Apart:
    if code in (-signal.SIGXCPU, -signal.SIGKILL):
        message = "Reading the file took too long and was stopped."
        problem = Problem("file-reader-slow", FATAL, message, "Split it, or export it again.", file, 1, 1)
    else:
        message = "The reader failed on this file (it needs too much memory, or is damaged)."
        remedy = "Export it again, in another format if possible, and report it."
        problem = Problem("file-reader-failed", FATAL, message, remedy, file, 1, 1)
    return Apart(None, [problem])


class _Unpickler(pickle.Unpickler):
    """Makes nothing but the types of a sheet, in case the other process was taken over."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in _ALLOWED:
            raise pickle.UnpicklingError(f"{module}.{name} is no part of an answer")
        return super().find_class(module, name)


def _answer(answer: bytes, file: str) -> Apart:
    try:
        guarded, reading, problems = _Unpickler(io.BytesIO(answer)).load()
    except Exception:  # noqa: BLE001 - whatever it is, it is no answer
        return _failed(file, 1)
    if not (reading is None or isinstance(reading, Reading)) or not isinstance(problems, list):
        return _failed(file, 1)
    return Apart(reading, problems, bool(guarded))


# --- inside -----------------------------------------------------------------------------------------


def serve() -> None:
    """The other process: reads one question and one file, writes one answer, ends."""
    target = os.dup(1)
    os.dup2(2, 1)  # what a library prints is no answer
    question = json.loads(sys.stdin.buffer.readline())
    from arpad.formats import registry

    registry.modules()  # before the network and the memory are taken away
    guarded = _leave_the_network()
    _limit(question["memory"], question["seconds"])
    data = sys.stdin.buffer.read()
    reading, problems = None, []
    try:
        reading = registry.read(
            data, question["file"], kind=question["kind"], told=question["told"] or None,
            limit=question["limit"],
        )  # fmt: skip
        problems = reading.problems
        detail = reading.detail if type(reading.detail).__name__ == "Detail" else None
        reading = reading._replace(detail=detail)
    except Refused as refused:
        problems = refused.problems
    answer = pickle.dumps((guarded, reading, problems))
    with os.fdopen(target, "wb") as stream:
        stream.write(answer)


def _limit(memory: int, seconds: int) -> None:
    import resource

    used = 0
    try:
        used = int(Path("/proc/self/statm").read_text("ascii").split()[0]) * resource.getpagesize()
    except (OSError, ValueError):
        used = 0
    for what, most in (
        (resource.RLIMIT_AS, used + memory), (resource.RLIMIT_CPU, seconds), (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0), (resource.RLIMIT_NOFILE, 64),
    ):  # fmt: skip
        try:
            resource.setrlimit(what, (most, most))
        except (OSError, ValueError):  # a system that has no such limit, or a lower one already
            continue


def _leave_the_network() -> bool:
    """Move into a network of its own, in which there is nothing; False where the system forbids it."""
    if not sys.platform.startswith("linux"):
        return False
    import ctypes

    library = ctypes.CDLL(None, use_errno=True)
    return bool(library.unshare(_CLONE_NEWUSER | _CLONE_NEWNET) == 0)
