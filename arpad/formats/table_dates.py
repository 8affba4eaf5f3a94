"""Dates as clubs write them: `Za 13-09-25`, `4.5.2026`, `29 mei 2020`, ISO, serial days of a spreadsheet."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable

from arpad.domain.dates import NO_DAY, day_text
from arpad.formats.cells import EARLIEST_YEAR, Bad
from arpad.formats.table_grid import Cell

_DAYS = (
    "mon monday ma maandag lun lundi mo montag", "tue tues tuesday di dinsdag mar mardi dienstag",
    "wed wednesday wo woensdag mer mercredi mi mittwoch",
    "thu thur thursday do donderdag jeu jeudi donnerstag",
    "fri friday vr vrijdag ven vendredi fr freitag",
    "sat saturday za zaterdag sam samedi sa samstag sonnabend",
    "sun sunday zo zondag dim dimanche so sonntag",
)  # fmt: skip
_MONTHS = (
    "jan january januari janvier janv januar", "feb february februari fevrier fevr februar",
    "mar march maart mrt mars marz maerz mrz", "apr april avril avr", "may mei mai", "jun june juni juin",
    "jul july juli juillet juil", "aug august augustus aout", "sep sept september septembre",
    "oct october oktober okt octobre", "nov november novembre", "dec december dezember dez decembre",
)  # fmt: skip
_WEEKDAY = {word: number for number, words in enumerate(_DAYS) for word in words.split()}
_MONTH = {word: number for number, words in enumerate(_MONTHS, 1) for word in words.split()}
_TIME = re.compile(
    r"[Tt ]+[0-9]{1,2}[:.uh][0-9]{2}([:.][0-9]{2}([.,][0-9]+)?)?\s*([Zz]|[+-][0-9]{2}:?[0-9]{2})?$"
)
_ISO = re.compile(r"([0-9]{4})[-/. ]([0-9]{1,2})[-/. ]([0-9]{1,2})$")
_PLAIN = re.compile(r"([12][0-9]{3})([0-9]{2})([0-9]{2})$")
_NUMBERS = re.compile(r"([0-9]{1,2})\s*[-/.]\s*([0-9]{1,2})\s*[-/.]\s*([0-9]{4}|[0-9]{2})$")
_SLASHED = re.compile(r"([0-9]{1,2})/([0-9]{1,2})/([0-9]{4}|[0-9]{2})$")
_NAMED = re.compile(r"([0-9]{1,2})\.?[ -]+([a-z]+)\.?,?[ -]+([0-9]{4}|[0-9]{2})$")
_ENGLISH = re.compile(r"([a-z]+)\.? ([0-9]{1,2})(?:st|nd|rd|th)?,? ([0-9]{4})$")
_NONE = ("0000/00/00", "0000-00-00", "01/01/0001", "12/31/9999")
_ACCENTS = str.maketrans("éèêûüäôî", "eeeuuaoi")
SERIALS = (20000, 60000)
_EPOCHS = {1900: datetime.date(1899, 12, 30).toordinal(), 1904: datetime.date(1904, 1, 1).toordinal()}


def date(cell: Cell, order: str, today: int, epoch: int = 1900) -> int | Bad:
    """The day of a cell, not after `today`; NO_DAY for an empty one. `order`: dmy (or ""), mdy."""
    day = _day(cell, order, today, epoch)
    if day is None:
        remedy = "Write it as 31-05-2026 or 2026-05-31."
        return Bad("date-unreadable", f"'{str(cell)[:40]}' is no date.", remedy)
    if day and day < datetime.date(EARLIEST_YEAR, 1, 1).toordinal():
        return Bad("date-unreadable", f"{day_text(day)} lies before {EARLIEST_YEAR}.", "Correct the year.")
    if day > today:
        message = f"{day_text(day)} lies in the future (today is {day_text(today)})."
        return Bad("date-future", message, "Correct the date.")
    return day


def wrong_weekday(cell: Cell, day: int) -> str:
    """The weekday that stands before a date and does not fit it; "" where it fits, or none does."""
    match = re.match(r"\s*([a-z]+)[., ]", cell.lower()) if isinstance(cell, str) else None
    number = _WEEKDAY.get(match[1]) if match else None
    if match is None or number is None or not day or (day - 1) % 7 == number:
        return ""
    return match[1]


def is_dated(cell: Cell) -> bool:
    """Whether a cell is a date beyond doubt: no bare number."""
    if isinstance(cell, str):
        return bool(cell.strip()) and looks_dated(cell) and not cell.strip().isdecimal()
    return isinstance(cell, datetime.date)


def looks_dated(text: str) -> bool:
    """Whether a text can be read as a date, in some order."""
    return any(_day(text, order, datetime.date.max.toordinal(), 1900) is not None for order in ("dmy", "mdy"))


def order_of(texts: Iterable[str]) -> tuple[str, str]:
    """The order of day and month of a column, "" where it does not matter; a text that leaves both open.

    >>> order_of(["05/06/2026", "13/06/2026"]), order_of(["05/06/2026"])
    (('dmy', ''), ('dmy', '05/06/2026'))
    """
    first = second = numbers = False
    doubtful = ""
    for text in texts:
        plain = _without_more(text.strip().lower())
        match = _NUMBERS.match(plain)
        if match is None or (len(match[3]) == 2 and not _SLASHED.match(plain)):
            continue
        numbers = True
        first |= int(match[1]) > 12
        second |= int(match[2]) > 12
        if _SLASHED.match(plain) and match[1] != match[2]:
            doubtful = doubtful or text.strip()
    if first or not numbers:
        return ("dmy" if numbers else ""), ""
    return ("mdy", "") if second else ("dmy", doubtful)


def _without_more(text: str) -> str:
    """A date without weekday and time of day."""
    text = _TIME.sub("", text.replace("\u00a0", " ").strip()).strip()
    word = re.match(r"([a-z]+)[., ]+", text)
    return text[word.end() :] if word and word[1] in _WEEKDAY and word[1] not in _MONTH else text


def _day(cell: Cell, order: str, today: int, epoch: int) -> int | None:
    if isinstance(cell, datetime.datetime):
        return cell.date().toordinal()
    if isinstance(cell, datetime.date):
        return cell.toordinal()
    if isinstance(cell, bool | datetime.time | datetime.timedelta):
        return None
    if not isinstance(cell, str):
        return _serial(float(cell), epoch)
    text = cell.strip().lower().translate(_ACCENTS)
    if not text or text in _NONE:
        return NO_DAY
    if len(text) > 60:
        return None
    if re.match(r"mar[. ]+[0-9]+[-/.]", text):  # mardi, not March
        text = text[3:].lstrip(". ")
    text = _without_more(text)
    if match := _ISO.match(text) or _PLAIN.match(text):
        return _ordinal(int(match[1]), int(match[2]), int(match[3]))
    if match := _NUMBERS.match(text):
        first, second = int(match[1]), int(match[2])
        if order == "mdy":
            first, second = second, first
        return _ordinal(_year(match[3], second, first, today), second, first)
    if (match := _NAMED.match(text)) and match[2] in _MONTH:
        month = _MONTH[match[2]]
        return _ordinal(_year(match[3], month, int(match[1]), today), month, int(match[1]))
    if (match := _ENGLISH.match(text)) and match[1] in _MONTH:
        return _ordinal(int(match[3]), _MONTH[match[1]], int(match[2]))
    return _serial(float(text), epoch) if re.match(r"[0-9]{5}(\.[0-9]+)?\Z", text) else None


def _serial(number: float, epoch: int) -> int | None:
    if 19000101 <= number <= 21001231 and number.is_integer():  # 20260531 stored as a number
        digits = str(int(number))
        return _ordinal(int(digits[:4]), int(digits[4:6]), int(digits[6:]))
    return _EPOCHS[epoch] + int(number) if SERIALS[0] <= number <= SERIALS[1] else None


def _year(text: str, month: int, day: int, today: int) -> int:
    """The year; of two digits, the latest that is at most one year ahead."""
    if len(text) == 4:
        return int(text)
    latest = min(today + 366, datetime.date.max.toordinal())
    last = datetime.date.fromordinal(latest)
    year = last.year // 100 * 100 + int(text)
    return year if (year, month, day) <= (last.year, last.month, last.day) else year - 100


def _ordinal(year: int, month: int, day: int) -> int | None:
    try:
        return datetime.date(year, month, day).toordinal()
    except ValueError:
        return None
