"""The cells of the flat file: one function a meaning, from its text to a value or to what is wrong with it.

The slow and the fast reader of games.csv use the same functions, each once per different text.
"""

from __future__ import annotations

import datetime
import math
import re
from typing import NamedTuple

from arpad.domain.dates import NO_DAY, day_text, read_day
from arpad.domain.problems import HELD
from arpad.domain.ranks import rank_index
from arpad.domain.results import BYE, GAME, SETS, Result, read_result
from arpad.formats.reading import clean
from arpad.ledger.columns import NO_WEIGHT

EARLIEST_YEAR = 1800  # a date before it is a slip of the pen
TEXT_LIMIT = 200  # characters of a name, an event, a class; a reason may have five times as many
LARGEST_WEIGHT = 1000.0
LARGEST_RATING = 100_000.0  # points, above or below zero
LARGEST_SIZE = 99  # lines of a board
LARGEST_LENGTH = 9  # best of
NOT_GIVEN = -1  # an empty cell, where 0 says something else
_INTEGER = re.compile(r"[0-9]{1,10}\Z")
_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,4})?\Z")
_DATE_SHAPE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}\Z")


class Bad(NamedTuple):
    """What is wrong with a cell. In the flat file that refuses the file."""

    code: str
    message: str
    remedy: str = ""
    severity: str = HELD


def date(text: str, today: int) -> int | Bad:
    """A day, not after `today`; NO_DAY for an empty cell."""
    text = text.strip()
    if not text:
        return NO_DAY
    day = read_day(text)
    if day is None:
        why = "there is no such day" if _DATE_SHAPE.match(text) else "it is not written as year-month-day"
        return Bad("date-unreadable", f"'{text}' is no date: {why}.", "Write it as 2026-05-31.")
    if day < datetime.date(EARLIEST_YEAR, 1, 1).toordinal():
        return Bad("date-unreadable", f"{text} lies before {EARLIEST_YEAR}.", "Correct the year.")
    if day > today:
        message = f"{text} lies in the future (today is {day_text(today)})."
        return Bad("date-future", message, "Correct the date.")
    return day


def name(text: str, what: str = "player", limit: int = TEXT_LIMIT) -> str | Bad:
    """A name, an event or other words on one line; empty for an empty cell."""
    found = clean(text)
    if len(found) > limit:
        message = f"The {what} has {len(found)} characters; {limit} are the limit."
        return Bad("cell-too-long", message, "Shorten it, or look for a missing comma.")
    return found


def integer(text: str, what: str) -> int | Bad:
    """A whole number 0..2**31-1; NOT_GIVEN for an empty cell."""
    text = text.strip()
    if not text:
        return NOT_GIVEN
    if not _INTEGER.match(text) or int(text) >= 2**31:
        message = f"The {what} '{text}' is not a whole number from 0 to 2147483647."
        return Bad("number-shape", message, "Correct it, or leave the cell empty.")
    return int(text)


def handicap(text: str) -> int | Bad:
    """Stones from 0 to 9; 0 for an empty cell."""
    text = text.strip()
    if not text:
        return 0
    if len(text) != 1 or text not in "0123456789":
        return Bad("handicap-shape", f"The handicap '{text}' is not 0 to 9 stones.", "Write one digit.")
    return int(text)


def number(text: str) -> float | None:
    """A finite number with a decimal point, or None."""
    text = text.strip()
    if not _NUMBER.match(text):
        return None
    value = float(text)
    return value + 0.0 if math.isfinite(value) else None  # + 0.0: no negative zero


def weight(text: str) -> float | Bad:
    """The game's own weight, at least 0; NO_WEIGHT for an empty cell."""
    if not text.strip():
        return NO_WEIGHT
    value = number(text)
    if value is None or value < 0:
        message = f"The weight '{text.strip()}' is not a number from 0 on."
        return Bad("weight-shape", message, "Write it as 0.8, with a point.")
    if value > LARGEST_WEIGHT:
        message = f"The weight {text.strip()} is above {LARGEST_WEIGHT:.0f}."
        return Bad("weight-shape", message, "Correct it.")
    return value


def size(text: str) -> int | Bad:
    """Lines of the board; 0 for an empty cell."""
    value = integer(text, "size")
    if isinstance(value, Bad) or value == 0 or value > LARGEST_SIZE:
        message = f"'{text.strip()}' is no size of board."
        return Bad("size-shape", message, "Write 19, 13 or 9, or leave the cell empty.")
    return max(value, 0)


def length(text: str) -> int | Bad:
    """The largest number of sets in a match, odd; 0: known not to be known; NOT_GIVEN for an empty cell."""
    value = integer(text, "length")
    if isinstance(value, Bad) or value > LARGEST_LENGTH or (value > 0 and value % 2 == 0):
        message = f"best_of '{text.strip()}' is not one of 1, 3, 5, 7, 9."
        return Bad("best-of-shape", message, "Correct it, or leave the cell empty.")
    return value


def result(text: str, best_of: int) -> Result | Bad:
    """What the result says of a game between two players."""
    text = text.strip()
    found = _spelt(text, best_of)
    if found is None:
        shown = f"'{text}' is no result." if text else "There is no result."
        remedy = "Write 1-0, 0-1, 1/2-1/2, sets as 3-1, +-- --+ --- for forfeits, 1-1 ret1, pending or void."
        return Bad("result-unreadable", shown, remedy)
    if found.kind == BYE:
        remedy = "Leave player2 empty, or give the result of the game."
        return Bad("bye-with-opponent", f"'{text}' is a bye, but there is an opponent.", remedy)
    if found.kind == SETS:
        wrong = _no_match(found)
        if wrong:
            return Bad("set-illegal", f"{text} {wrong}.", "Correct the score, or add ret1 or ret2.")
    return found


def bye(text: str) -> tuple[Result, bool] | Bad:
    """What the result says where there is no opponent, and whether it was spelt as a game."""
    text = text.strip()
    found = _spelt(text, 0) if text else Result(BYE, 0)
    if found is None or found.kind not in (BYE, GAME, SETS, "forfeit"):
        return Bad("result-unreadable", f"'{text}' is no bye.", "Write full, half, zero or pairing.")
    if found.kind == BYE:
        return found, not text
    points = 1 if found.first == found.second and found.kind == GAME else 2 * (found.first > found.second)
    return Result(BYE, points), True


def _spelt(text: str, best_of: int) -> Result | None:
    plain = text.replace("½", "1/2")
    if not plain.isascii() or re.match(r"0[0-9]|[0-9]+-0[0-9]", plain):
        return None
    return read_result(plain, best_of)


def _no_match(found: Result) -> str:
    """Why a set score cannot be; "" where it can."""
    most, least = max(found.first, found.second), min(found.first, found.second)
    needed = found.best_of // 2 + 1 if found.best_of else 0
    if found.retired:
        if needed and most >= needed:
            return f"had ended a match of best of {found.best_of}, so nobody retired"
        return ""
    if most == least:
        return "ends no match"
    if needed and (most != needed):
        return f"ends no match of best of {found.best_of}"
    return ""


# --- players and corrections ------------------------------------------------------------------------


def points(text: str, what: str = "rating") -> float | Bad | None:
    """A rating in points; None for an empty cell."""
    text = text.strip()
    if not text:
        return None
    value = number(text)
    if value is None:
        remedy = "Write a number, with a point for decimals."
        return Bad("player-rating-shape", f"The {what} '{text}' is no number.", remedy)
    if abs(value) > LARGEST_RATING:
        message = f"The {what} {text} is beyond {LARGEST_RATING:.0f}."
        return Bad("player-rating-shape", message, "Correct it.")
    return value


def rank(text: str) -> int | str | Bad | None:
    """The index of a grade, the word "NC", or None for an empty cell."""
    text = text.strip()
    if not text:
        return None
    if text.upper() == "NC":
        return "NC"
    index = rank_index(text) if text.isascii() else None
    if index is None:
        return Bad("player-rank-shape", f"'{text}' is no rank.", "Write 5k, 2 dan, 3p, or NC.")
    return index


def percentage(text: str) -> float | Bad | None:
    """0..100; None for an empty cell."""
    text = text.strip()
    if not text:
        return None
    value = number(text.removesuffix("%"))
    if value is None or not 0 <= value <= 100:
        message = f"The percentage '{text}' is not a number from 0 to 100."
        return Bad("player-percentage-shape", message, "Correct it.")
    return value


def born(text: str, today: int) -> int | Bad:
    """The year of birth from a year or a date; 0 for an empty cell."""
    text = text.strip()
    if not text:
        return 0
    year = int(text) if re.match(r"[0-9]{4}\Z", text) else 0
    if not year:
        day = read_day(text)
        year = datetime.date.fromordinal(day).year if day else 0
    if not EARLIEST_YEAR <= year <= datetime.date.fromordinal(today).year:
        message = f"'{text}' is no year or date of birth."
        return Bad("player-birth-shape", message, "Write it as 1987 or 1987-05-31, or leave the cell empty.")
    return year
