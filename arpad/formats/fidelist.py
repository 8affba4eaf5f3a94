"""FIDE's rating lists, text and XML: people with FIDE id, title, federation, year of birth and rating.

docs/reference/formats/fide-lists.md describes them. The combined list has three ratings; the standard one
is taken unless another is asked for. Lists of any size are read row by row.
"""

from __future__ import annotations

import datetime
import io
import re
from collections.abc import Mapping
from pathlib import PurePath
from typing import BinaryIO

from arpad.domain.dates import NO_DAY, read_day
from arpad.domain.problems import FATAL
from arpad.formats.cells import TEXT_LIMIT
from arpad.formats.fidelist_columns import MONTHS, Columns, columns_of, first_of_month
from arpad.formats.fidelist_stream import Parts, encoding_of, lines_of_stream, players_of_xml
from arpad.formats.ratinglist import DAY, WIDEST, People, Wanted, day_of_list
from arpad.formats.reading import NOTE, WARNING, Findings, Reading, clean
from arpad.formats.reading import today as today_
from arpad.ledger.sheet import SheetPerson

TXT, XML = "FIDE list", "FIDE list XML"
FORMATS = (TXT, XML)
WHICH = "list-rating"
RATINGS = ("standard", "rapid", "blitz")
TOLD = (DAY, WHICH)
CHOOSES = True
LIMITS = {TXT: 2**30, XML: 2**31}  # the combined list has some 250 MB as text, twice as much as XML
EARLIEST = 1850  # year of birth
Told = Mapping[str, str]
NOTHING: Told = {}
_HEAD = re.compile(r"\s*ID number\s+Name\s.*Fed\b", re.IGNORECASE)
_ROOT = re.compile(r"\s*(<\?xml[^>]*>)?\s*(<!--.{0,2000}?-->\s*)?<playerslist[\s>]", re.DOTALL)
# In text, titles may run over into the column, in front of the number.
_NUMBER = re.compile(r"([A-Z,]+(?:\s+|\Z))?([0-9]{1,5})?\Z")
_TITLES = {"GM", "IM", "FM", "CM", "WGM", "WIM", "WFM", "WCM"}
# the letters of the lists of 2011 and before
_OLD = {"g": "GM", "m": "IM", "f": "FM", "c": "CM", "wg": "WGM", "wm": "WIM", "wf": "WFM", "wc": "WCM"}
_DATED = re.compile(
    rf"(?<![0-9])((?:19|20)[0-9]{{2}})[-_.]?(0[1-9]|1[0-2])(?![0-9])|({'|'.join(MONTHS)})([0-9]{{2}})(?![0-9])",
    re.IGNORECASE,
)


def sniff(head: str, file: str = "") -> list[str]:
    """The header's `ID Number`, `Name` and `Fed`; or the element playerslist."""
    if _ROOT.match(head):
        return [XML]
    first = next((line for line in head.split("\n") if line.strip()), "")
    return [TXT] if _HEAD.match(first[:WIDEST]) else []


def read(
    data: bytes, file: str = "", *, kind: str = "", today: int | None = None, told: Told = NOTHING
) -> Reading:
    """Read a list; `detail` of the reading is a RatingList. Raises Refused where it has nobody."""
    kind = kind or (XML if _ROOT.match(data[:4096].decode("utf-8", "replace").lstrip("\ufeff")) else TXT)
    encoding = encoding_of(data.removeprefix(b"\xef\xbb\xbf")) if kind == TXT else ""
    return _read(io.BytesIO(data), file, kind, today, told, None, encoding)


def read_stream(
    stream: BinaryIO, file: str = "", *, kind: str, today: int | None = None, told: Told = NOTHING,
    wanted: Wanted | None = None,
) -> Reading:  # fmt: skip
    """The same, row by row. `wanted`: only the rows for which it says so are kept."""
    return _read(stream, file, kind, today, told, wanted, "")


def _read(
    stream: BinaryIO,
    file: str,
    kind: str,
    today: int | None,
    told: Told,
    wanted: Wanted | None,
    encoding: str,
) -> Reading:
    findings = Findings(file)
    today = today_() if today is None else today
    which = told.get(WHICH, "").strip().lower()
    if which and which not in RATINGS:
        message = f"The answer {WHICH}={which[:40]} is no kind of rating."
        findings.add("list-rating-unknown", FATAL, message, f"Say {', '.join(RATINGS)}.")
        findings.refuse()
    rows = _Rows(People(file, findings, wanted), findings, which, today)
    parts = Parts(stream, findings, LIMITS[kind])
    date = NO_DAY
    if kind == XML:
        rows.combined = b"<rapid_rating" in parts.head or b"<blitz_rating" in parts.head
        for row, line in players_of_xml(parts, findings):
            rows.take(row, line)
    else:
        date = _text(parts, encoding, rows, findings)
    date = day_of_list(told, date or _day_of_name(file), findings, today)
    return rows.finish(date, _system(which, rows.combined, file), kind)


def _text(parts: Parts, encoding: str, rows: _Rows, findings: Findings) -> int:
    """Take the rows of a text; the day that the header tells."""
    columns: Columns | None = None
    for number, line in enumerate(lines_of_stream(parts, encoding, findings), 1):
        if not line.strip():
            continue
        if columns is None:
            columns = columns_of(line.rstrip(), findings, number)
            rows.combined = any(name.endswith("_rating") for name in columns.at)
            rows.columns = columns.at
        elif not rows.wants(line[columns.at["fideid"]], line[columns.at["name"]]):
            continue
        elif len(line) > WIDEST:
            rows.people.unreadable(line, number)
        else:
            rows.take({name: line[at] for name, at in columns.at.items()}, number, line)
    if columns is None:
        findings.add("file-empty", FATAL, "The file is empty.", "Choose the file again.")
        findings.refuse()
    return columns.date


def _system(which: str, combined: bool, file: str) -> str:
    """Whose ratings they are: "FIDE standard"; "FIDE" where a single list does not say which."""
    if not which:
        named = [kind for kind in RATINGS if kind in PurePath(file).name.lower()]
        which = "standard" if combined else named[0] if len(named) == 1 else ""
    return f"FIDE {which}".strip()


def _day_of_name(file: str) -> int:
    """The first of the month that a file is named after: standard_jan26frl.txt, list-2026-01.xml."""
    found = list(_DATED.finditer(PurePath(file).name))
    if len(found) != 1:
        return NO_DAY
    year, month, word, short = found[0].groups()
    return first_of_month(word + short) if word else read_day(f"{year}-{month}-01") or NO_DAY


class _Rows:
    """From the fields of a row, named as in the XML list, to a person."""

    def __init__(self, people: People, findings: Findings, which: str, today: int) -> None:
        self.people, self.findings, self.which = people, findings, which
        self.year = datetime.date.fromordinal(today).year
        self.combined = False
        self.columns: dict[str, slice] = {}

    def wants(self, key: str, name: str) -> bool:
        """Whether that row is to be kept."""
        return self.people.wanted is None or self.people.wanted(key.strip(), name.strip())

    def take(self, row: Mapping[str, str], line: int, text: str = "") -> None:
        """One row. What is left of a list's own number or federation settles that it is a row at all."""
        key, name = row.get("fideid", "").strip(), row.get("name", "")
        if not self.wants(key, name):
            return
        country = row.get("country", "").strip()
        if (
            not re.fullmatch(r"[0-9]{4,10}", key)
            or not re.fullmatch(r"[A-Z]{3}|", country)
            or len(name) > WIDEST
        ):
            self.people.unreadable(text or f"{key} {name} {country}", line)
            return
        name = clean(name)
        if not name:
            self.people.nobody(line)
            return
        rating = self._rating(row, name, line)
        # in the combined list the flag speaks of the standard rating alone
        if "i" in row.get("flag", "") and not (self.combined and self.which in ("rapid", "blitz")):
            self.people.inactive.add(key)
        self.people.add(
            key,
            SheetPerson(
                name[:TEXT_LIMIT], (("fide", key),), self._birth(row, name, line), self._sex(row, line),
                self._title(row, line), country, "", rating, line=line,
            ),
        )  # fmt: skip

    def finish(self, date: int, system: str, kind: str) -> Reading:
        """The reading. Raises Refused where the list has nobody."""
        without = sum(person.rating is None for person in self.people.sheet.people.values())
        if without:
            self.findings.add("list-no-rating", NOTE, f"Without rating: {without} players.")
        detail = self.people.close(date, system)
        return Reading(self.people.sheet, self.findings.listed(), kind, detail)

    def _rating(self, row: Mapping[str, str], name: str, line: int) -> float | None:
        field = f"{self.which}_rating" if self.combined and self.which in ("rapid", "blitz") else "rating"
        text = row.get(field, "").strip()
        match = _NUMBER.match(text)
        if match is None or (match[1] and not self.columns):
            message = f"'{text[:20]}' of {name[:60]} is no rating."
            self._say("player-rating-shape", WARNING, message, field, line)
            return None
        value = int(match[2] or 0)
        return float(value) if value else None

    def _birth(self, row: Mapping[str, str], name: str, line: int) -> str:
        text = row.get("birthday", "").strip()
        if not text.strip("0"):
            return ""
        year = int(text[:4]) if re.match(r"[0-9]{4}(?:[-./][0-9./-]*)?\Z", text) else 0
        if EARLIEST <= year <= self.year:
            return str(year)
        message = f"'{text[:20]}' of {name[:60]} is no year of birth."
        self._say("player-birth-shape", WARNING, message, "birthday", line)
        return ""

    def _sex(self, row: Mapping[str, str], line: int) -> str:
        text = row.get("sex", "").strip()
        if text.upper() in ("M", "F"):
            return text.lower()
        if text:
            message = f"'{text[:20]}' is no sex that is known, and is left out."
            self._say("player-sex-unknown", NOTE, message, "sex", line)
        return ""

    def _title(self, row: Mapping[str, str], line: int) -> str:
        for field in ("title", "w_title"):
            text = row.get(field, "").strip()
            if text:
                found = _OLD.get(text, text.upper())
                if found in _TITLES:
                    return found
                message = f"'{text[:20]}' is no title, and is left out."
                self._say("player-title-unknown", NOTE, message, field, line)
        return ""

    def _say(self, code: str, severity: str, message: str, field: str, line: int) -> None:
        at = self.columns.get(field)
        self.findings.add(code, severity, message, "", line, at.start + 1 if at else 1)


__all__ = ["FORMATS", "TXT", "WHICH", "XML", "read", "read_stream", "sniff"]
