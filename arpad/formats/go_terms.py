"""What files of go tournaments share: dates, time settings and classes, scales of ratings, ids, countries.

Classes by time settings: European Go Federation, General Tournament Rules, as pairing programs compute
them. Scales: EGF rating = 2000 + 100 for each dan; FFG and Belgian levels lie 2050 below it.
"""

from __future__ import annotations

import datetime
import re
from typing import NamedTuple

from arpad.domain.ranks import rank_index
from arpad.formats.cells import EARLIEST_YEAR
from arpad.formats.egd_table import read_grade
from arpad.formats.reading import NOTE, WARNING, Findings

FFG_TO_EGF = 2050  # points between the two scales
RANKS_APART = 2  # grade and rating that differ by more are told
# EGF classes by basic time, basic time with Fischer's increment, and adjusted time, in minutes.
CLASSES = (("A", 60, 45, 75), ("B", 40, 30, 50), ("C", 25, 20, 30))
ONLINE = (("D", 40, 30, 50),)
SUDDEN_DEATH, JAPANESE, CANADIAN, FISCHER = "sudden death", "Japanese", "Canadian", "Fischer"
_DAY_FIRST = re.compile(r"(\d{1,2})[-./] ?(\d{1,2})[-./] ?(\d{4}|\d{2})\Z", re.ASCII)
_ISO = re.compile(r"(\d{4})[-./]?(\d{2})[-./]?(\d{2})\Z", re.ASCII)
_SHAPES = {
    "egd": re.compile(r"[0-9]{8}\Z"),
    "licence": re.compile(r"[0-9A-Za-z]{7}\Z"),
    "aga": re.compile(r"[0-9]{1,6}\Z"),
}
_NAMES = {"egd": "EGD's PIN", "licence": "licence", "aga": "AGA number"}


class Time(NamedTuple):
    """Time settings of a game."""

    basic: float  # minutes
    system: str = SUDDEN_DEATH
    period: float = 0  # seconds: of a Japanese period, of Canadian overtime, Fischer's increment
    moves: int = 1  # Canadian overtime is for so many moves

    @property
    def adjusted(self) -> float:
        """Minutes of basic time, and 45 periods, or overtime for 60 moves, or 120 increments.

        >>> Time(60, CANADIAN, 300, 15).adjusted, Time(45, FISCHER, 15).adjusted
        (80.0, 75.0)
        """
        extra = {
            JAPANESE: 45 * self.period,
            CANADIAN: 60 * self.period / max(self.moves, 1),
            FISCHER: 120 * self.period,
        }
        return self.basic + extra.get(self.system, 0) / 60


def class_of(basic: float, adjusted: float, *, fischer: bool = False, online: bool = False) -> str:
    """The best class that the times (minutes) allow: A, B, C, online D; X: not for rating.

    >>> class_of(60, 75), class_of(45, 75), class_of(45, 75, fischer=True), class_of(60, 75, online=True)
    ('A', 'B', 'A', 'D')
    """
    for name, plain, with_fischer, least in ONLINE if online else CLASSES:
        if basic >= (with_fischer if fischer else plain) and adjusted >= least:
            return name
    return "X"


def derived_class(
    basic: float, adjusted: float, findings: Findings, *, fischer: bool = False, online: bool = False,
    line: int = 1, column: int = 1,
) -> str:  # fmt: skip
    """The class of time settings in minutes, told as `event-class-derived`; X also as `event-not-rated`."""
    found = class_of(basic, adjusted, fischer=fischer, online=online)
    where = "online" if online else "over the board"
    message = f"{basic:g} minutes and {adjusted:g} adjusted, {where}, make class {found}."
    findings.add("event-class-derived", NOTE, message, "Check the time settings.", line, column)
    if found == "X":
        message = "Class X: the games are taken as not for rating, in class D."
        findings.add("event-not-rated", NOTE, message, "", line, column)
    return found


def board_size(text: str, findings: Findings, line: int = 1, column: int = 1) -> int:
    """The size of the board, 19 where none is told; `event-small-board` where it is another."""
    size = int(text) if re.match(r"[0-9]{1,2}\Z", text) and int(text) > 1 else 19
    if size != 19:
        message = f"The games were played on {size}x{size}."
        findings.add("event-small-board", WARNING, message, "Check the weight.", line, column)
    return size


# --- grades and ratings -----------------------------------------------------------------------------


def rank_of_rating(rating: float) -> int:
    """The rank whose range an EGF rating lies in, as an index: 2050 to 2149 is 1 dan.

    >>> [rank_of_rating(rating) for rating in (2149, 2050, 2049, -900)]
    [1, 1, 0, -29]
    """
    return int((rating - 1950) // 100)


def report_rank(
    grade: str, rating: float | None, who: str, findings: Findings, line: int, column: int
) -> str:
    """The grade in one spelling, "" where it is none; told where it is none or far from the EGF rating."""
    found = read_grade(grade)
    if grade and not found:
        message = f"'{grade}' of {who} is no grade."
        findings.add("player-rank-shape", WARNING, message, "Write 5k, 2d, 3p or NC.", line, column)
    rank = rank_index(found)
    if rank is not None and rating is not None and not found.endswith("p"):
        apart = abs(rank - rank_of_rating(rating))
        if apart > RANKS_APART:
            message = f"{who} is {found}, but rated {rating:g}: {apart} ranks apart."
            findings.add("player-rank-rating-differ", NOTE, message, "Confirm the grade.", line, column)
    return found


def read_id(kind: str, text: str, findings: Findings, line: int, column: int) -> tuple[tuple[str, str], ...]:
    """An id as (kind, value), nothing where there is none; `player-id-shape` where it cannot be one."""
    text = "".join(text.split())
    if text.strip("-") in ("", "0"):
        return ()
    if not _SHAPES[kind].match(text) or not text.strip("0"):
        message = f"'{text[:40]}' is no {_NAMES[kind]} and is ignored."
        findings.add("player-id-shape", WARNING, message, "Correct it.", line, column)
        return ()
    return ((kind, text),)


# --- dates ------------------------------------------------------------------------------------------


def read_date(text: str, today: int, *, month_first: bool = False) -> int | None:
    """A day written as 2026-05-04, 20260504, 04/05/2026, 4.5.2026 or 04-05-26; None where it is none.

    month_first  5/4/2026 is the fourth of May (American files); a first part above 12 is a day all the same
    today        two-digit years mean the latest year at most one year ahead of it
    """
    text = text.strip()
    match = _ISO.match(text)
    if match:
        return _day(int(match[1]), int(match[2]), int(match[3]))
    match = _DAY_FIRST.match(text)
    if match is None:
        return None
    day, month, year = int(match[1]), int(match[2]), int(match[3])
    if month_first and day <= 12:
        day, month = month, day
    if len(match[3]) == 2:
        latest = datetime.date.fromordinal(today).year + 1
        year = latest - (latest - year) % 100
    return _day(year, month, day)


def _day(year: int, month: int, day: int) -> int | None:
    try:
        return datetime.date(year, month, day).toordinal() if year >= EARLIEST_YEAR else None
    except ValueError:
        return None


__all__ = [
    "CANADIAN",
    "CLASSES",
    "FFG_TO_EGF",
    "FISCHER",
    "JAPANESE",
    "ONLINE",
    "SUDDEN_DEATH",
    "Time",
    "board_size",
    "class_of",
    "derived_class",
    "rank_of_rating",
    "read_date",
    "read_id",
    "report_rank",
]
