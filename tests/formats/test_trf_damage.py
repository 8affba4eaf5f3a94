"""Reports damaged where it hurts: cells, columns, numbers, lines. Never a crash, a second, or a game more."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import pytest

from tests.formats.helpers import FILES
from tests.formats.test_mutations import COPIES, look_at

Line = Callable[[str, random.Random], str]
LIMIT = 1.0  # seconds of processor time


def _code(line: str, rng: random.Random) -> str:
    return _put(line, 98 + 10 * rng.randrange(4), rng.choice("10=+-WDLHFUZwdlhfuz ?x"))


def _colour(line: str, rng: random.Random) -> str:
    return _put(line, 96 + 10 * rng.randrange(4), rng.choice("wbsWB- x"))


def _opponent(line: str, rng: random.Random) -> str:
    number = rng.choice([0, 1, 2, 3, 4, 5, 6, 99, 9999])
    return _put(
        line, 91 + 10 * rng.randrange(4), rng.choice([f"{number:>4}", f"{number:<4}", f"{number:04}"])
    )


def _cell(line: str, rng: random.Random) -> str:
    at, other = (91 + 10 * rng.randrange(4) for _ in range(2))
    return _put(line, at, line[other : other + 8].ljust(8))


def _blank(line: str, rng: random.Random) -> str:
    return _put(line, 91 + 10 * rng.randrange(4), " " * 8)


def _cut(line: str, rng: random.Random) -> str:
    return line[: rng.randrange(40, max(len(line), 41))]


def _shift(line: str, rng: random.Random) -> str:
    at = rng.randrange(len(line) + 1)
    return (
        line[:at] + " " * rng.randint(1, 3) + line[at:] if rng.random() < 0.5 else line[:at] + line[at + 1 :]
    )


def _tab(line: str, rng: random.Random) -> str:
    at = rng.randrange(len(line) + 1)
    return line[:at] + "\t" + line[at + rng.randrange(9) :]


def _accent(line: str, rng: random.Random) -> str:
    return _put(line, rng.randrange(14, 47), rng.choice(["é", "e\u0301", "\u200b", "\u00a0", "ß", "Ã©"]))


def _field(line: str, rng: random.Random) -> str:
    at, width = rng.choice([(4, 4), (9, 1), (10, 3), (48, 4), (53, 3), (57, 11), (69, 10), (80, 4), (85, 4)])
    return _put(line, at, "".join(rng.choice("0123456789./- Xé") for _ in range(width)))


def _put(line: str, at: int, text: str) -> str:
    return line.ljust(at)[:at] + text + line[at + len(text) :]


CHANGES: tuple[Line, ...] = (
    _code, _colour, _opponent, _cell, _blank, _cut, _shift, _tab, _accent, _field,
)  # fmt: skip


def damaged(text: str, rng: random.Random) -> bytes:
    """One to four changes of players' lines or of others; sometimes lines twice, gone, or moved."""
    lines = text.splitlines()
    for _ in range(rng.choice((1, 1, 2, 3, 4))):
        at = rng.randrange(len(lines))
        if rng.random() < 0.1:
            lines.insert(rng.randrange(len(lines)), lines.pop(at) if rng.random() < 0.7 else lines[at])
            continue
        players = [number for number, line in enumerate(lines) if line.startswith("001")]
        if players and rng.random() < 0.85:
            at = rng.choice(players)
        lines[at] = rng.choice(CHANGES)(lines[at], rng)
    encoding = rng.choice(("utf-8", "utf-8", "cp1252"))
    return rng.choice(("\r\n", "\n", "\r")).join(lines).encode(encoding, "replace")


@pytest.mark.parametrize("file", ["zomertoernooi.trf", "vierkampf.trf", "meesterkamp.trf"])
def test_damaged_where_it_hurts(file: str) -> None:
    data = (FILES / file).read_bytes()
    text = data.decode("cp1252" if file == "meesterkamp.trf" else "utf-8")
    rng = random.Random(file)
    taken = 0
    for _ in range(COPIES):
        copy = damaged(text, rng)
        start = time.process_time()
        taken += look_at(copy, "TRF") is not None
        assert time.process_time() - start < LIMIT, copy
    assert COPIES // 10 < taken < COPIES
