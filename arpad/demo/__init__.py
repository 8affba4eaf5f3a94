"""The bundled demonstration: four invented ledgers as flat files, each with a sheet that comes in late.

Nobody in them exists. tools/make_demo.py wrote them and writes the same bytes again.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from arpad.domain.dates import read_day
from arpad.formats import flat
from arpad.ledger.ledger import Ledger
from arpad.ledger.sheet import Sheet

LATE = "games-late.csv"  # a sheet of one event, recorded after all the rest
# A fixed "today", so that the demonstration also loads where the clock is behind.
_TODAY = read_day("2026-06-30") or 0


class Demo(NamedTuple):
    """One ledger. The example is the event of one player that the demonstration explains."""

    name: str  # of its folder
    title: str
    ruleset: str
    player: str  # example ...
    event: str
    round: int | None = None  # ... None: the whole event

    @property
    def folder(self) -> Path:
        return Path(__file__).parent / self.name


DEMOS = (
    Demo("go-federation", "A go federation", "belgian-go", "Bart Uytterhoeven", "Driekoningen Brugge"),
    Demo("table-tennis-club", "A table-tennis club", "us-table-tennis", "Willem Roth", "Clubavond 2", 1),
    Demo("youth-chess", "A youth chess league", "youth-realtime", "Thijs Dierckx", "Lentebeker", 1),
    Demo("chess-club", "A chess club", "fide-standard", "Mehmet Schreurs", "Weekend van de Schelde 2025"),
)


_FILES = {
    "games.csv": flat.GAMES,
    LATE: flat.GAMES,
    "players.csv": flat.PLAYERS,
    "corrections.csv": flat.CORRECTIONS,
}


def sheets(demo: Demo) -> dict[str, Sheet]:
    """The files of a demonstration, by name. Raises Refused where one cannot be read."""
    found = {file: demo.folder / file for file in _FILES if (demo.folder / file).is_file()}
    return {
        file: flat.read(path.read_bytes(), file, kind=_FILES[file], today=_TODAY).sheet
        for file, path in found.items()
    }


def load(demo: Demo, *, late: bool = True) -> Ledger:
    """The ledger of a demonstration; the late sheet is taken last, or not at all.

    >>> ledger = load(DEMOS[0])
    >>> len(ledger.names)
    200
    """
    ledger = Ledger()
    found = sheets(demo)
    last = found.pop(LATE)
    for sheet in found.values():
        ledger.add_sheet(sheet)
    if late:
        ledger.add_sheet(last)
    return ledger
