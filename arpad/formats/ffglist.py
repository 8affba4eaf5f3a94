"""The French federation's list of players (`ech_ffg_V3.txt`): people with licence and level.

docs/reference/formats/go-lists.md describes it. Levels are the federation's own, 2050 below the EGF scale,
and are kept as they stand.
"""

from __future__ import annotations

import re

from arpad.domain.dates import NO_DAY
from arpad.formats.cells import TEXT_LIMIT
from arpad.formats.go_terms import read_date
from arpad.formats.go_told import NOTHING, Told
from arpad.formats.ratinglist import DAY, WIDEST, People, day_of_list
from arpad.formats.reading import NOTE, Findings, Reading, clean, lines_of
from arpad.formats.reading import today as today_
from arpad.ledger.sheet import SheetPerson

NAME = "FFG player list"
FORMATS = (NAME,)
TOLD = (DAY,)
LIMITS = {NAME: 50 * 2**20}
NO_LEVEL = -9999
_HEAD = re.compile(r"\s*#\s*Echelle au\s+(\S+)", re.IGNORECASE)
# name, level, status, licence, club, country
_WORDS = re.compile(
    r"(.*?)\s*(-?[0-9]{1,4})\s+([-eLCX])\s+([0-9A-Za-z]{7}|-------)\s+(\S{1,4})(?:\s+([A-Za-z]{2}))?\s*\Z"
)


def sniff(head: str, file: str = "") -> list[str]:
    """The first line tells the day of the scale."""
    return [NAME] if _HEAD.match(head) else []


def read(
    data: bytes, file: str = "", *, kind: str = "", today: int | None = None, told: Told = NOTHING
) -> Reading:
    """Read a list; `detail` of the reading is a RatingList. Raises Refused where it has nobody."""
    findings = Findings(file)
    lines = lines_of(data, findings, western=True)
    day = today_() if today is None else today
    people = People(file, findings)
    date, at, without = NO_DAY, 1, 0
    for number, line in enumerate(lines, 1):
        head = _HEAD.match(line)
        if head and not date:
            date, at = read_date(head[1], day) or NO_DAY, number
        elif line.strip() and not line.lstrip().startswith("#"):
            without += _take(line, number, people)
    if without:
        message = f"Without level: {without} players."
        findings.add("list-no-rating", NOTE, message)
    date = day_of_list(told, date, findings, day, at)
    detail = people.close(date, "FFG")
    return Reading(people.sheet, findings.listed(), NAME, detail)


def _take(line: str, number: int, people: People) -> bool:
    """Take a row; whether it is one without level."""
    match = _WORDS.match(line) if len(line) <= WIDEST else None
    if match is None:
        people.unreadable(line, number)
        return False
    name, level, _, licence, club, country = match.groups()
    name = clean(name)
    if not name:
        people.nobody(number)
        return False
    known = licence.strip("-0") != ""
    people.add(
        licence if known else "",
        SheetPerson(
            name[:TEXT_LIMIT], (("licence", licence),) if known else (),
            federation="" if (country or "").upper() in ("", "XX") else (country or "").upper(),
            club="" if club == "xxxx" else clean(club),
            rating=None if int(level) == NO_LEVEL else float(level), line=number,
        ),
    )  # fmt: skip
    return int(level) == NO_LEVEL


__all__ = ["FORMATS", "NAME", "read", "sniff"]
