"""The heading of an EGD table: comment lines `; KEY[value]`."""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence

from arpad.domain.dates import day_text, read_day
from arpad.domain.problems import FATAL, NOTE, WARNING
from arpad.formats.cells import EARLIEST_YEAR, TEXT_LIMIT
from arpad.formats.egd_table import CLASSES, Heading
from arpad.formats.reading import Findings, clean

KEYS = ("CL", "EV", "PC", "DT", "HA", "KM", "TM", "TA", "CM", "TC")
_LINE = re.compile(r"\s*;\s*([A-Z]{2})\[(.*)\]\s*\Z")
_OPEN = re.compile(r"\s*;\s*([A-Z]{2})\[([^\]]*)\Z")
# Adjusted minutes from which a class is possible at all (EGF; the basic time decides too).
_ADJUSTED = (("A", 75), ("B", 50), ("C", 30))


def is_heading(line: str) -> bool:
    """A line of the heading with one of the known keys."""
    match = _LINE.match(line) or _OPEN.match(line)
    return match is not None and match[1] in KEYS


class _Values:
    """The raw values of the heading and the lines they stand on."""

    def __init__(self) -> None:
        self.text: dict[str, str] = {}
        self.line: dict[str, int] = {}
        self.remarks: list[str] = []


def read_heading(lines: Sequence[str], findings: Findings, today: int) -> Heading:
    """The heading of a table. A missing or impossible date is fatal: every game would hang in the air."""
    values = _collect(lines, findings)
    text, line = values.text, values.line
    event = text.get("EV", "")
    if len(event) > TEXT_LIMIT:
        message = f"The event's name has {len(event)} characters; {TEXT_LIMIT} are the limit."
        findings.add("cell-too-long", FATAL, message, "Shorten it.", line["EV"])
    country, place = _place(text.get("PC", ""))
    if not event:
        findings.add(
            "event-name-missing",
            WARNING,
            "There is no EV[name].",
            "Give the event a name.",
            line.get("EV", 1),
        )
    first, last = _dates(values, findings, today)
    return Heading(
        event_class=_class(values, findings),
        event=event,
        country=country,
        place=place,
        first=first,
        last=last,
        handicap=_handicap(values, findings),
        komi=text.get("KM", ""),
        minutes=text.get("TM", text.get("TA", "")),
        remarks=tuple(values.remarks),
        code=text.get("TC", ""),
    )


def _collect(lines: Sequence[str], findings: Findings) -> _Values:
    values, rows_seen = _Values(), False
    for number, line in enumerate(lines, 1):
        if not line.lstrip().startswith(";"):
            rows_seen = rows_seen or bool(line.strip())
            continue
        match = _LINE.match(line)
        if match is None:
            match = _OPEN.match(line)
            if match is None or match[1] not in KEYS:
                continue
            message = f"The bracket of {match[1]} is not closed."
            findings.add("egd-header-shape", WARNING, message, "Check the value.", number, len(line) + 1)
        key, value = match[1], clean(match[2])
        if key == "CM":
            values.remarks.append(value)
        elif key in KEYS and key not in values.text:
            values.text[key], values.line[key] = value, number
        elif key in KEYS and value != values.text[key]:
            _repeated(key, value, values, rows_seen, findings, number)
    return values


def _repeated(
    key: str, value: str, values: _Values, rows_seen: bool, findings: Findings, number: int
) -> None:
    if rows_seen and key in ("EV", "DT", "CL"):
        message = f"A second event begins: {key}[{value}] after {key}[{values.text[key]}]."
        findings.add("file-two-in-one", FATAL, message, "Split the file before this line.", number)
    else:
        message = f"{key} is given twice; {key}[{values.text[key]}] is used, not [{value}]."
        findings.add("egd-header-shape", WARNING, message, "Keep one.", number)


def _class(values: _Values, findings: Findings) -> str:
    stated, line = values.text.get("CL", "").upper(), values.line.get("CL", 1)
    minutes = values.text.get("TM", values.text.get("TA", ""))
    adjusted = int(minutes) if re.match(r"[0-9]{1,5}\Z", minutes) else None
    best = "" if adjusted is None else next((name for name, least in _ADJUSTED if adjusted >= least), "X")
    if stated not in CLASSES:
        shown = f"CL[{stated}] is no class." if stated else "There is no CL[class]."
        remedy = "Choose the class."
        if best:
            remedy = f"Choose the class; {minutes} minutes adjusted time allow {best} at best."
        findings.add("event-class-missing", WARNING, shown, remedy, line)
        return ""
    if best and stated in "ABC" and stated < best:
        message = f"Class {stated} is stated, but {minutes} minutes adjusted time allow {best} at best."
        findings.add(
            "event-class-differs", WARNING, message, "Choose the class; the stated one is used.", line
        )
    if stated == "X":
        message = "Class X: the games are taken as not for rating, in class D."
        findings.add("event-not-rated", NOTE, message, "", line)
    return stated


def _place(text: str) -> tuple[str, str]:
    """Country and place of `BE,Ghent`, `,Ghent` or `,BE, Ghent`."""
    country, comma, place = text.partition(",")
    if not comma:
        return "", text
    if not country.strip() and re.match(r"\s*[A-Z]{2}\s*,", place):
        country, _, place = place.partition(",")
    country = country.strip().upper()
    return "" if country == "XX" else country, clean(place)


def _handicap(values: _Values, findings: Findings) -> int | None:
    text = values.text.get("HA", "")
    match = re.match(r"h?([0-9])\Z", text, re.IGNORECASE)
    if text and match is None:
        message = f"HA[{text}] is no handicap rule and is ignored."
        findings.add("egd-header-shape", WARNING, message, "Write HA[h2], for example.", values.line["HA"])
    return int(match[1]) if match else None


def _dates(values: _Values, findings: Findings, today: int) -> tuple[int, int]:
    text, line = values.text.get("DT", ""), values.line.get("DT", 1)
    if not text:
        remedy = "Add a line such as ; DT[2026-05-30,2026-05-31]."
        findings.add("date-missing", FATAL, "There is no DT[first day,last day].", remedy, line)
        return 0, 0
    parts = [part.strip() for part in text.split(",")]
    days = [read_day(part) or 0 for part in parts]
    earliest = datetime.date(EARLIEST_YEAR, 1, 1).toordinal()
    if len(parts) > 2 or not all(day >= earliest for day in days):
        remedy = "Write the first and the last day as DT[2026-05-30,2026-05-31]."
        findings.add("date-unreadable", FATAL, f"DT[{text}] is not two dates.", remedy, line)
        return 0, 0
    if len(parts) == 1:
        message = f"DT[{text}] gives one day; it is taken as the first and the last."
        findings.add("date-suspect", WARNING, message, "Give both days.", line)
    if days[0] > days[-1]:
        message = f"DT[{text}]: the first day lies after the last; they were swapped."
        findings.add("date-order", WARNING, message, "Check the dates.", line)
    if max(days) > today:
        message = f"{day_text(max(days))} lies in the future (today is {day_text(today)})."
        findings.add("date-future", FATAL, message, "Correct the date.", line)
    return min(days), max(days)
