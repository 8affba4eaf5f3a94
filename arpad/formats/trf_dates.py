"""Dates in a FIDE tournament report: first and last day, the rounds' days, dates of birth."""

from __future__ import annotations

import datetime
import re
from typing import NamedTuple

from arpad.domain.dates import day_text
from arpad.domain.problems import FATAL, HELD, WARNING
from arpad.formats import go_told
from arpad.formats.cells import EARLIEST_YEAR
from arpad.formats.go_told import DAYS, Told
from arpad.formats.reading import Findings
from arpad.formats.trf_rows import Rows
from arpad.formats.trf_table import GRID, ROUNDS, STEP, Record, column_of

_YEAR_FIRST = re.compile(r"(\d{4})\s*[-./]\s*(\d{1,2})\s*[-./]\s*(\d{1,2})\Z", re.ASCII)
_PLAIN = re.compile(r"(\d{4})(\d{2})(\d{2})\Z", re.ASCII)
_DAY_FIRST = re.compile(r"(\d{1,2})\s*[-./]\s*(\d{1,2})\s*[-./]\s*(\d{4})\Z", re.ASCII)
_SHORT = re.compile(r"(\d{1,2})\s*[-./]\s*(\d{1,2})\s*[-./]\s*(\d{1,2})\Z", re.ASCII)
_PARTIAL = re.compile(r"(\d{4})([-./](\d{2}))?([-./]00)?\Z", re.ASCII)
_WORDS = re.compile(r"(?:(\d{1,2})\.?\s+([^\W\d]{3,9})\.?|([^\W\d]{3,9})\.?\s+(\d{1,2}))\s*,?\s+(\d{4})\Z")
_OLDEST = 70  # two-digit years from here on are of the last century: no report is older
_NO_DATES = ("0000/00/00", "0000-00-00", "0000.00.00", "01/01/0001", "12/31/9999", "0001/01/01")
_MONTHS = (
    ("jan",), ("feb", "fév"), ("mar", "maa", "mrt", "mär", "mae"), ("apr", "avr"), ("may", "mei", "mai"),
    ("jun", "juin"), ("jul", "juil"), ("aug", "aoû", "aou"), ("sep",), ("oct", "okt"), ("nov",),
    ("dec", "dez", "déc"),
)  # fmt: skip


class Days(NamedTuple):
    """When it was played."""

    first: int
    last: int
    rounds: dict[int, int]  # day of a round, where the file tells one that can be
    future: frozenset[int]  # rounds whose day has not come

    def of(self, round_: int) -> int:
        return self.rounds.get(round_, self.last)


def read_date(text: str, today: int, latest: int = 0) -> int | None:
    """A whole date in any of the spellings in use; None where it is none.

    Two-digit years stand first, unless that gives no date or one after today and after `latest`.

    >>> [day_text(read_date(text, 739617) or 0) for text in ("2005.12.06", "28. 07. 2005", "25/02/16")]
    ['2005-12-06', '2005-07-28', '2025-02-16']
    >>> [day_text(read_date(text, 739617) or 0) for text in ("21/07/25", "May 29, 2020", "29 mei 2020")]
    ['2021-07-25', '2020-05-29', '2020-05-29']
    """
    text = " ".join(text.split())
    for shape, order in ((_YEAR_FIRST, (1, 2, 3)), (_PLAIN, (1, 2, 3)), (_DAY_FIRST, (3, 2, 1))):
        match = shape.match(text)
        if match:
            return _day(*(int(match[part]) for part in order))
    match = _SHORT.match(text)
    if match:
        return _short(int(match[1]), int(match[2]), int(match[3]), max(today, latest))
    match = _WORDS.match(text)
    if match:
        month = _month(match[2] or match[3])
        return _day(int(match[5]), month, int(match[1] or match[4])) if month else None
    return None


def _month(word: str) -> int:
    word = word.lower()
    found = [number for number, starts in enumerate(_MONTHS, 1) if word.startswith(starts)]
    return found[0] if len(found) == 1 else 0


def _short(one: int, two: int, three: int, latest: int) -> int | None:
    """A date of two-digit numbers: year first or day first, in this century, else in the last.

    What can only lie in the future does.
    """
    orders = ((one, three), (three, one))
    days = [_day(2000 + year, two, day) for year, day in orders]
    days += [_day(1900 + year, two, day) if year >= _OLDEST else None for year, day in orders]
    found = [day for day in days if day is not None]
    return next((day for day in found if day <= latest), found[0] if found else None)


def _day(year: int, month: int, day: int) -> int | None:
    try:
        return datetime.date(year, month, day).toordinal() if year >= EARLIEST_YEAR else None
    except ValueError:
        return None


def read_birth(text: str, today: int) -> str | None:
    """A birth date as far as it is told: "2001-04-00" never, but "2001-04"; "" no date; None unreadable.

    >>> [read_birth(text, 739617) for text in ("2001/04/00", "2001/00/00", "0000/00/00", "2001/13/01")]
    ['2001-04', '2001', '', None]
    """
    text = "".join(text.split())
    if not text or text in _NO_DATES or not text.strip("0-./"):
        return ""
    match = _PARTIAL.match(text)
    if match and (match[3] is None or match[4]):
        year, month = int(match[1]), int(match[3] or 0)
        if not EARLIEST_YEAR <= year <= datetime.date.fromordinal(today).year or month > 12:
            return None
        return f"{year}-{month:02d}" if month else str(year)
    day = read_date(text, today) if not _SHORT.match(text) else None
    return day_text(day) if day and day <= today else None


# --- the event's days -------------------------------------------------------------------------------


def read_days(rows: Rows, findings: Findings, told: Told, today: int) -> Days:
    """First day, last day and the rounds' days; an answer goes before what the file says. May be fatal."""
    reader = _Days(rows, findings, today)
    first, last = reader.event(told)
    rounds = reader.rounds_days(last)
    first, last = reader.settled(first, last, rounds, told)
    reader.check(rounds, first, last)
    future = frozenset(round_ for round_, day in rounds.items() if day > today)
    return Days(first, last, rounds, future)


class _Days:
    def __init__(self, rows: Rows, findings: Findings, today: int) -> None:
        self.rows, self.findings, self.today = rows, findings, today
        self.tournament = rows.tournament
        self.at: dict[int, Record] = {}  # the record of a round's day
        self.unreadable: list[tuple[str, str, int]] = []  # which day, text, line

    def event(self, told: Told) -> tuple[int, int]:
        """First and last day by 042 and 052; 0 where there is none that can be read."""
        found = []
        for code, name in (("042", DAYS[0]), ("052", DAYS[1])):
            record = self.tournament.first(code)
            text = record.value if record is not None else ""
            day = 0 if not text or text in _NO_DATES else read_date(text, self.today)
            if day is None and record is not None and name not in told:
                self.unreadable.append((name, text, record.line))
            found.append(day or 0)
        return found[0], found[1]

    def rounds_days(self, last: int) -> dict[int, int]:
        """The days in 132, by round; an event that is still going on may have some to come."""
        days: dict[int, int] = {}
        for record in self.tournament.all("132"):
            text = record.text.ljust(GRID)
            if text[4:GRID].strip():
                self._shape(record, "132 has its dates from column 92 on, under the rounds")
            for at in range(GRID, min(len(text), GRID + STEP * ROUNDS), STEP):
                round_ = (at - GRID) // STEP + 1
                piece = text[at : at + STEP].strip()
                if round_ in days or not piece or not piece.strip("0/-."):
                    continue
                day = read_date(piece, self.today, last)
                if day is None:
                    self._unreadable_round(record, round_, piece)
                else:
                    days[round_], self.at[round_] = day, record
        return days

    def _unreadable_round(self, record: Record, round_: int, text: str) -> None:
        message = f"'{text[:20]}' of round {round_} is no date; the round counts on the last day."
        place = self.rows.within(record.line, column_of(round_))
        self.findings.add("date-unreadable", WARNING, message, "Write it as 26/05/30.", *place)

    def _shape(self, record: Record, message: str) -> None:
        self.findings.add("trf-record-shape", WARNING, f"{message}.", "", record.line)

    def settled(self, first: int, last: int, rounds: dict[int, int], told: Told) -> tuple[int, int]:
        """Both days, or a refusal: without the last day nobody knows when the games count."""
        played = {round_: day for round_, day in rounds.items() if round_ <= self.tournament.rounds}
        complete = bool(played) and len(played) >= self.tournament.rounds
        if complete and not (last or DAYS[1] in told):
            last = max(max(played.values()), first)
        if complete and not (first or DAYS[0] in told):
            first = min(min(played.values()), last)
        for name, text, line in self.unreadable:
            known = first if name == DAYS[0] else last
            severity = WARNING if known or (name == DAYS[0] and last) else FATAL
            message = f"'{text[:40]}' is no date."
            remedy = f"Write it as 2026/05/30, or tell {name}=2026-05-30."
            self.findings.add("date-unreadable", severity, message, remedy, *self.rows.within(line, 5))
        if not (first or last or told.keys() & set(DAYS) or self.unreadable):
            message = "There is no date: neither 042, 052 nor 132."
            self.findings.add("date-missing", FATAL, message, "Tell last-day=2026-05-30.")
        running = complete and not told and max(first, *played.values()) <= self.today < last
        if running:
            message = f"The last day, {day_text(last)}, lies in the future; the rounds played do not."
            line = self._line("052")
            self.findings.add("date-future", WARNING, message, "Send it again at the end.", line, 5)
            return (first or last), last
        first, last = go_told.days(told, first, last, self.findings, self.today)
        return first, last

    def _line(self, code: str) -> int:
        record = self.tournament.first(code)
        return record.line if record is not None else 1

    def check(self, rounds: dict[int, int], first: int, last: int) -> None:
        """Rounds in the future, outside the event, out of order."""
        before = 0
        for round_, day in sorted(rounds.items()):
            place = self.rows.within(self.at[round_].line, column_of(round_))
            said = f"Round {round_} is dated {day_text(day)}"
            if day > self.today and round_ <= self.tournament.rounds:
                message = f"{said}, in the future; its games are left out."
                self.findings.add("date-future", HELD, message, "Correct the date.", *place)
            elif last and not first <= day <= last:
                message = f"{said}, outside {day_text(first)} to {day_text(last)}."
                self.findings.add("date-outside-event", WARNING, message, self._fix(day, first, last), *place)
            elif day < before:
                message = f"{said}, before an earlier round ({day_text(before)})."
                self.findings.add("date-order", WARNING, message, "Check the dates.", *place)
            before = max(before, day)

    @staticmethod
    def _fix(day: int, first: int, last: int) -> str:
        """What to do about a round outside the event: a year too early or too late is a frequent slip."""
        date = datetime.date.fromordinal(day)
        for year in (date.year + 1, date.year - 1):
            moved = _day(year, date.month, date.day)
            if moved is not None and first <= moved <= last:
                return f"It may have been {day_text(moved)}."
        return "Correct one of the dates."


__all__ = ["Days", "read_birth", "read_date", "read_days"]
