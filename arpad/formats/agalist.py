"""The American Go Association's list of members (`TDListA`): people with number and rating.

docs/reference/formats/go-lists.md describes it. Ratings are the association's own (1.00 to 1.99 is 1 dan,
-1.00 to -1.99 is 1 kyu) and are kept as they stand. The list tells no day.
"""

from __future__ import annotations

import re

from arpad.domain.dates import NO_DAY
from arpad.formats.cells import TEXT_LIMIT
from arpad.formats.go_told import NOTHING, Told
from arpad.formats.ratinglist import DAY, People, day_of_list
from arpad.formats.reading import NOTE, WARNING, Findings, Reading, clean, lines_of
from arpad.formats.reading import today as today_
from arpad.ledger.sheet import SheetPerson

NAME = "AGA member list"
FORMATS = (NAME,)
TOLD = (DAY,)
LIMITS = {NAME: 50 * 2**20}
_KINDS = "Full|Youth|Non|Forgn|Life|Spons|Limit"
_ROW = re.compile(rf"[^\t]*\t\s*[0-9]{{1,6}}\s*\t\s*(?:{_KINDS})\b")
_RATING = re.compile(r"-?[0-9]{1,2}(\.[0-9]{1,6})?\Z")


def sniff(head: str, file: str = "") -> list[str]:
    """The first row is name, number and kind of membership, between tabs."""
    return [NAME] if _ROW.match(next((line for line in head.split("\n") if line.strip()), "")) else []


def read(
    data: bytes, file: str = "", *, kind: str = "", today: int | None = None, told: Told = NOTHING
) -> Reading:
    """Read a list; `detail` of the reading is a RatingList. Raises Refused where it has nobody."""
    findings = Findings(file)
    people = People(file, findings)
    without = 0
    for number, line in enumerate(lines_of(data, findings), 1):
        if line.strip():
            without += _take(line, number, people, findings)
    if without:
        findings.add("list-no-rating", NOTE, f"Without rating: {without} players.")
    day = day_of_list(told, NO_DAY, findings, today_() if today is None else today)
    detail = people.close(day, "AGA")
    return Reading(people.sheet, findings.listed(), NAME, detail)


def _take(line: str, number: int, people: People, findings: Findings) -> bool:
    """Take a row; whether it is one without rating."""
    raw = line.split("\t")
    cells = [clean(cell) for cell in raw]
    member = raw[1].strip() if len(raw) > 2 else ""
    if not re.match(r"[0-9]{1,6}\Z", member):
        people.unreadable(line, number)
        return False
    last, _, first = cells[0].partition(",")
    name = clean(f"{last} {first}")
    if not last.strip() or not name:
        people.nobody(number)
        return False
    text = raw[3].strip() if len(raw) > 3 else ""
    rating = float(text) if _RATING.match(text) else None
    if rating is not None and -1 < rating < 1:
        rating = None
    if text and rating is None:
        message = f"'{clean(text)[:40]}' of {name[:60]} is no rating."
        findings.add("player-rating-shape", WARNING, message, "", number, len("\t".join(raw[:3])) + 2)
    people.add(
        member,
        SheetPerson(
            name[:TEXT_LIMIT], (("aga", member),), club=cells[5][:TEXT_LIMIT] if len(cells) > 5 else "",
            rating=rating, line=number,
        ),
    )  # fmt: skip
    return not text


__all__ = ["FORMATS", "NAME", "read", "sniff"]
