"""The EGD tournament table as values: heading, rows, games, byes; and its result tokens."""

from __future__ import annotations

import re
from typing import NamedTuple

from arpad.domain.dates import NO_DAY
from arpad.domain.ranks import rank_index
from arpad.domain.results import Result

CLASSES = ("A", "B", "C", "D", "X")
NO_HANDICAP = 9  # HA[h9]: none in practice
_TOKEN = re.compile(r"([0-9]{1,4})([-+=?])(?:(!)/?|/)?(?:([wWbB?])([0-9])?)?\Z")
_RESULT_LIKE = re.compile(r"[0-9]+-|.*[/!+=]")


class Heading(NamedTuple):
    """The lines `; KEY[value]`."""

    event_class: str = ""  # CL: A B C D, X not rated; "": not said
    event: str = ""  # EV
    country: str = ""  # PC, two letters
    place: str = ""
    first: int = NO_DAY  # DT
    last: int = NO_DAY
    handicap: int | None = None  # HA[hN]: stones = difference of grades - N
    komi: str = ""  # KM
    minutes: str = ""  # TM or TA, adjusted time
    remarks: tuple[str, ...] = ()  # CM
    code: str = ""  # TC


class Row(NamedTuple):
    """One player. Rows are numbered by their position, from 1; games point to index = number - 1."""

    name: str  # family name; `_` in the file is a blank here
    first_name: str
    grade: str  # "12k", "1d", "4p", "NC"; "": not readable
    country: str = ""  # "": XX
    club: str = ""  # "": xxxx
    criteria: tuple[str, ...] = ()  # halves as .5
    pin: str = ""
    shared: bool = False  # place left blank: tied with the row above
    line: int = 0

    @property
    def full_name(self) -> str:
        return f"{self.name} {self.first_name}".strip()


class TableGame(NamedTuple):
    """One game, from White's side. Rows are indices from 0."""

    round: int
    white: int
    black: int
    result: Result
    stones: int = 0  # that Black receives
    coloured: bool = True  # False: colours unknown, `white` is merely the upper row
    line: int = 0


class TableBye(NamedTuple):
    round: int
    row: int
    sign: str  # "+" free win, "=" half a point, "-" absent


class Table(NamedTuple):
    """A whole table. `read_table(write(table)) == table` but for the numbers of lines."""

    heading: Heading
    rows: tuple[Row, ...]
    rounds: int
    games: tuple[TableGame, ...]
    byes: tuple[TableBye, ...]


class Half(NamedTuple):
    """One side's token in the table, `<opponent><sign>[!][/][<colour>[<stones>]]`."""

    opponent: int  # row number from 1; 0 nobody
    sign: str  # + - = ?
    forfeit: bool
    colour: str  # "w", "b", "" unknown
    stones: int | None  # None: not said
    text: str
    line: int
    column: int


def read_token(text: str, line: int = 0, column: int = 0) -> Half | None:
    """A result token, or None where `text` is none.

    >>> read_token("22+!w0")[:5]
    (22, '+', True, 'w', 0)
    >>> read_token("35=")[:5]
    (35, '=', False, '', None)
    """
    if text == "-":
        return Half(0, "-", False, "", None, text, line, column)
    match = _TOKEN.match(text)
    if match is None:
        return None
    opponent, sign, forfeit, colour, stones = match.groups()
    colour = (colour or "").lower().replace("?", "")
    return Half(
        int(opponent), sign, forfeit is not None, colour, int(stones) if stones else None, text, line, column
    )


def is_result_like(word: str) -> bool:
    """A word of the result block, also one that is damaged: criteria hold digits, `.5`, `½` or `?` only."""
    return read_token(word) is not None or _RESULT_LIKE.match(word) is not None


def read_grade(text: str) -> str:
    """A grade in one spelling: "12K" -> "12k"; "NC"; "" where it is none."""
    if text.upper() == "NC":
        return "NC"
    if not text.isascii() or rank_index(text) is None:
        return ""
    return "".join(text.lower().split()).replace("kyu", "k").replace("dan", "d").lstrip("0")


def read_criterion(text: str) -> str:
    """Points with a half in one spelling: `408?` and `408½` are 408.5.

    >>> read_criterion("408?"), read_criterion("39½"), read_criterion("7")
    ('408.5', '39.5', '7')
    """
    return text[:-1] + ".5" if text[-1:] in "?½" and text[:-1].isdigit() else text
