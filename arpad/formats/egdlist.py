"""The European Go Database's list of players (`allworld_lp`, `alleuro_lp`): people with PIN, grade and GoR.

docs/reference/formats/go-lists.md describes it. HTML around the list is passed over. Grade and rating are
kept as they stand; neither is worked out of the other.
"""

from __future__ import annotations

import datetime
import html
import re
from collections.abc import Sequence

from arpad.domain.dates import NO_DAY
from arpad.domain.ranks import rank_index
from arpad.formats.cells import TEXT_LIMIT
from arpad.formats.egd_table import read_grade
from arpad.formats.go_told import NOTHING, Told
from arpad.formats.ratinglist import DAY, WIDEST, People, day_of_list
from arpad.formats.reading import WARNING, Findings, Reading, clean, lines_of
from arpad.formats.reading import today as today_
from arpad.ledger.sheet import SheetPerson

NAME = "EGD player list"
FORMATS = (NAME,)
TOLD = (DAY,)
LIMITS = {NAME: 50 * 2**20}
_ROW = re.compile(r"\s?[0-9]{8}\s{2}")
# PIN, name, country, club, grade, promotion, GoR, number of tournaments, last one
_WORDS = re.compile(
    r"\s?([0-9]{8})\s+(?:(.*?)\s+)?([A-Z]{2})\s+(\S+)\s+(\S+)\s+(\S+)\s+(-?[0-9]{1,4})\s+([0-9]{1,5})"
    r"(?:\s+([A-Z][0-9]{6}[A-Z]?))?\s*\Z"
)
_DATE = re.compile(r"\s*\(([0-9]{1,2}) ([A-Z][a-z]{2}) ([0-9]{4})\)")
_MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
_NOBODY = re.compile(r"\(undefined\)|anonymous\b|anonym\b", re.IGNORECASE)


def sniff(head: str, file: str = "") -> list[str]:
    """Rows of a blank, a PIN and a name; before them, HTML or nothing that another format has."""
    rows = [line for line in head.split("\n") if len(line) <= WIDEST and _ROW.match(line)]
    return [NAME] if any(_WORDS.match(line) for line in rows) else []


def read(
    data: bytes, file: str = "", *, kind: str = "", today: int | None = None, told: Told = NOTHING
) -> Reading:
    """Read a list; `detail` of the reading is a RatingList. Raises Refused where it has nobody."""
    findings = Findings(file)
    lines = lines_of(data, findings, western=True)
    people = People(file, findings)
    for number, line in enumerate(lines, 1):
        if _ROW.match(line):
            _take(line, number, people, findings)
    day, at = _date(lines)
    day = day_of_list(told, day, findings, today_() if today is None else today, at)
    detail = people.close(day, "EGF")
    return Reading(people.sheet, findings.listed(), NAME, detail)


def _date(lines: Sequence[str]) -> tuple[int, int]:
    """The day of a line such as `(22 Feb 2018)`, and that line; NO_DAY where there is none."""
    for number, line in enumerate(lines, 1):
        match = _DATE.match(line)
        if match and match[2] in _MONTHS:
            try:
                day = datetime.date(int(match[3]), _MONTHS.index(match[2]) + 1, int(match[1]))
            except ValueError:
                continue
            return day.toordinal(), number
        if _ROW.match(line):
            break
    return NO_DAY, 1


def _take(line: str, number: int, people: People, findings: Findings) -> None:
    match = _WORDS.match(line) if len(line) <= WIDEST else None
    if match is None:
        people.unreadable(line, number)
        return
    pin, name, country, club, grade, _, rating = match.groups()[:7]
    name = clean(html.unescape(name or "").replace("_", " "))
    if not name or _NOBODY.match(name) or len(set(pin)) == 1:
        people.nobody(number)
        return
    rank = read_grade(grade)
    if rank_index(rank) is None:
        message = f"'{grade}' of {name[:60]} is no grade."
        findings.add("player-rank-shape", WARNING, message, "", number, match.start(5) + 1)
        rank = ""
    people.add(
        pin,
        SheetPerson(
            name[:TEXT_LIMIT], (("egd", pin),), federation="" if country == "XX" else country,
            club="" if re.match(r"xxxx?\Z", club) else clean(club)[:TEXT_LIMIT],
            rating=float(rating), rank=rank, line=number,
        ),
    )  # fmt: skip


__all__ = ["FORMATS", "NAME", "read", "sniff"]
