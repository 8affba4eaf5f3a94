"""What the tests of the formats share."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from arpad.domain.dates import day_text, read_day
from arpad.domain.problems import Problem, Refused
from arpad.formats import registry
from arpad.formats.reading import Reading
from arpad.ledger.sheet import Sheet

FILES = Path(__file__).parent / "files"
TODAY = read_day("2026-12-31") or 0


class Game(NamedTuple):
    """A game as a person would tell it."""

    date: str
    event: str
    start: str
    round: int
    player1: str
    player2: str
    result: str
    stones: int = 0


def games(sheet: Sheet) -> list[Game]:
    told = []
    for row in sheet.games:
        event = sheet.events[row.event]
        second = sheet.players[row.player2] if row.player2 >= 0 else ""
        first, result = sheet.players[row.player1], str(sheet.results[row.result])
        told.append(
            Game(
                day_text(row.day),
                event.name,
                day_text(event.start),
                row.round,
                first,
                second,
                result,
                row.stones,
            )
        )
    return told


def read(data: bytes | str, kind: str = "", file: str = "f") -> Reading:
    return registry.read(data.encode() if isinstance(data, str) else data, file, kind=kind, today=TODAY)


def refused(data: bytes | str, kind: str = "", file: str = "f") -> list[tuple[str, int, int]]:
    """Code, line and column of everything that a refused file is refused for."""
    with pytest.raises(Refused) as caught:
        read(data, kind, file)
    return found(caught.value.problems)


def found(problems: list[Problem], *severities: str) -> list[tuple[str, int, int]]:
    return [(p.code, p.line, p.column) for p in problems if not severities or p.severity in severities]
