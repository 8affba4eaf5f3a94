"""A FIDE tournament report as values: what stands in its lines, letter for letter, without meaning yet."""

from __future__ import annotations

import re
from typing import NamedTuple

TRF16, TRF26 = "TRF16", "TRF26"
NAME_FROM, NAME_TO = 14, 47  # the name's field, 33 characters
NAME_FIELD = NAME_TO - NAME_FROM
GRID = 91  # the first round's cell begins behind so many characters
STEP = 10  # characters from cell to cell
ROUNDS = 999  # more are no tournament: rounds have three digits in the records of teams and byes
NUMBERS = 9999  # start numbers have four digits
LINES = 50_000  # of a file; the largest seen, 3000 players in 350 teams, has 10 000
CELLS = 250_000  # players times rounds
# The result codes, in upper case.
PLAYED = "1=0"
UNRATED = "WDL"  # stands in the standings, less than one move was played
FORFEITS = "+-"
BYES = "HFUZ"
CODES = frozenset(PLAYED + UNRATED + FORFEITS + BYES)
# Half points of each code.
HALVES = {"1": 2, "=": 1, "0": 0, "W": 2, "D": 1, "L": 0, "+": 2, "-": 0, "H": 1, "F": 2, "U": 2, "Z": 0}
WHITE, BLACK = "w", "b"
HEADERS = (
    "012", "022", "032", "042", "052", "062", "072", "082", "092", "102", "112", "122", "132", "142", "152",
    "162", "172", "182", "192", "202", "212", "222", "352", "362",
)  # fmt: skip
TEAMS = ("013", "240", "250", "260", "299", "300", "310", "320", "330", "801", "802")
EXTENSIONS = (
    "XXR", "XXC", "XXZ", "XXS", "XXA", "XXP", "XXB", "XXT",
    "BBW", "BBD", "BBL", "BBZ", "BBF", "BBU",
)  # fmt: skip
COMMENT = "###"
NEW_IN_26 = frozenset({"142", "152", "162", "172", "182", "192", "202", "212", "222", "352", "362",
                       "240", "250", "260", "299", "300", "310", "320", "330", "801", "802"})  # fmt: skip
_NATIONAL = re.compile(r"(?!XX|BB[WDLZFU])[A-Z]{3} (?= {0,3}[0-9]{1,4} {0,3}(\s|\Z))")


class Cell(NamedTuple):
    """One round of one player. All empty: nothing stands there."""

    opponent: int = 0  # start number; 0: nobody
    colour: str = ""  # w, b; - where the file says so; "" blank
    code: str = ""  # in upper case; "" blank


NOTHING = Cell()


class Entry(NamedTuple):
    """One player's line. Texts are as written, without blanks around them."""

    number: int
    name: str
    sex: str = ""
    title: str = ""
    rating: str = ""
    federation: str = ""
    id: str = ""
    birth: str = ""
    points: str = ""
    rank: str = ""
    cells: tuple[Cell, ...] = ()  # up to the last one in which something stands
    line: int = 0


class Record(NamedTuple):
    """Any other line, as it stands in the file; its place: how many players' lines stand before it."""

    text: str  # the whole line, without blanks at its end
    before: int = 0
    line: int = 0

    @property
    def code(self) -> str:
        return self.text[:3]

    @property
    def value(self) -> str:
        return self.text[4:].strip()


class National(NamedTuple):
    """A national rating line: the columns of a player's line, as written."""

    federation: str
    number: int
    title: str
    name: str
    rating: str
    origin: str
    id: str
    line: int


class Tournament(NamedTuple):
    """A report. Nothing of the file is missing but empty lines and blanks."""

    entries: tuple[Entry, ...]
    records: tuple[Record, ...] = ()

    @property
    def rounds(self) -> int:
        """Rounds in which anything stands."""
        return max((len(entry.cells) for entry in self.entries), default=0)

    def first(self, code: str) -> Record | None:
        """The first record of that code."""
        return next((record for record in self.records if record.code == code), None)

    def all(self, *codes: str) -> list[Record]:
        """Every record of these codes, in the order of the file."""
        return [record for record in self.records if record.code in codes]

    @property
    def stated_rounds(self) -> int:
        """Rounds by 142 or XXR; 0 where nobody says."""
        for record in self.all("142", "XXR"):
            if re.match(r"[0-9]{1,3}\Z", record.value):
                return int(record.value)
        return 0

    @property
    def of_teams(self) -> bool:
        """Whether the event is one of teams, by its type or its records."""
        kind, words = self.first("192"), self.first("092")
        return bool(
            (kind and "TEAM" in kind.value.upper())
            or (words and "team" in words.value.lower())
            or self.all("013", "310")
        )


def is_national(line: str) -> bool:
    """A federation's three letters, then a start number in its columns.

    >>> is_national("BEL    1    "), is_national("XXR    9"), is_national("DDD SSSS sTTT")
    (True, False, False)
    """
    return _NATIONAL.match(line) is not None


def column_of(round_: int) -> int:
    """The column of a round's cell, from 1: the opponent's first digit."""
    return GRID + 1 + STEP * (round_ - 1)
