"""What somebody says of a file of go games that does not say it itself: days, class, whose point is first.

Answers are texts by name: `first-day` and `last-day` (2026-05-30), `class` (A, B, C, D or X), `first-point`
(white or black). An answer goes before what the file says.
"""

from __future__ import annotations

from collections.abc import Mapping

from arpad.domain.dates import day_text, read_day
from arpad.domain.problems import FATAL, WARNING
from arpad.formats.egd_table import CLASSES
from arpad.formats.reading import Findings

DAYS = ("first-day", "last-day")
CLASS = "class"
FIRST_POINT = "first-point"
SIDES = ("white", "black")
Told = Mapping[str, str]
NOTHING: Told = {}


def days(told: Told, first: int, last: int, findings: Findings, today: int) -> tuple[int, int]:
    """First and last day, those of the file being `first` and `last`, 0 where it has none.

    A single day is both. Told: `date-unreadable`, `date-future` (fatal), `date-order` where they are swapped.
    """
    found = []
    for name, day in zip(DAYS, (first, last), strict=True):
        if name in told:
            day = read_day(told[name].strip()) or 0
            if not day:
                message = f"The answer {name}={told[name][:40]} is no date."
                findings.add("date-unreadable", FATAL, message, "Write it as 2026-05-30.")
        found.append(day)
    first, last = found[0] or found[1], found[1] or found[0]
    if first > last:
        message = (
            f"The first day, {day_text(first)}, lies after the last, {day_text(last)}; they were swapped."
        )
        findings.add("date-order", WARNING, message, "Check the dates.")
        first, last = last, first
    if last > today:
        message = f"{day_text(last)} lies in the future (today is {day_text(today)})."
        findings.add("date-future", FATAL, message, "Correct the date.")
    return first, last


def event_class(told: Told, findings: Findings) -> str:
    """The class that was told; "" where none was."""
    found = told.get(CLASS, "").strip().upper()
    if found and found not in CLASSES:
        message = f"The answer {CLASS}={found[:40]} is no class."
        findings.add("class-unknown", FATAL, message, f"Use one of {', '.join(CLASSES)}.")
        return ""
    return found


def first_point(told: Told, findings: Findings) -> str:
    """Whose point stands first, "white" or "black"; "" where nobody said."""
    found = told.get(FIRST_POINT, "").strip().lower()
    if found and found not in SIDES:
        message = f"The answer {FIRST_POINT}={found[:40]} is no side."
        findings.add("result-side-unknown", FATAL, message, "Say white or black.")
        return ""
    return found
