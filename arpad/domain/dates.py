"""Local playing days as whole numbers (datetime.date.toordinal) and the periods they fall in."""

from __future__ import annotations

import datetime
import re

NO_DAY = 0  # a day that is not given: before everything
_ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})\Z")


def read_day(text: str) -> int | None:
    """The day of an ISO date, or None where `text` is none.

    >>> day_text(read_day("2024-02-29"))
    '2024-02-29'
    >>> read_day("2023-02-29") is None
    True
    """
    match = _ISO.match(text)
    if match is None or not text.isascii():
        return None
    try:
        return datetime.date(int(match[1]), int(match[2]), int(match[3])).toordinal()
    except ValueError:
        return None


def day_text(day: int) -> str:
    """The ISO date of a day; empty for NO_DAY."""
    return datetime.date.fromordinal(day).isoformat() if day else ""


def month_of(day: int) -> int:
    """year * 12 + month - 1."""
    date = datetime.date.fromordinal(day)
    return date.year * 12 + date.month - 1


def first_day(month: int) -> int:
    """The first day of a month given as year * 12 + month - 1."""
    return datetime.date(month // 12, month % 12 + 1, 1).toordinal()


def quarter_start(month: int) -> int:
    """The first month (January, April, July, October) of the quarter that `month` lies in."""
    return month - month % 3
