"""The players of a FIDE tournament report as persons: ids, birth, sex, title, federation, ratings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from arpad.domain.dates import day_text
from arpad.domain.play import Application
from arpad.domain.problems import FATAL, HELD, NOTE, WARNING
from arpad.formats.go_told import Told
from arpad.formats.reading import Findings, is_lost
from arpad.formats.trf_dates import read_birth
from arpad.formats.trf_rows import Rows
from arpad.formats.trf_table import GRID, Entry, National
from arpad.ledger.sheet import Sheet, SheetPerson

IDS, RATINGS = "ids", "ratings"
FIDE, NATIONAL, NONE = "fide", "national", "none"
COLUMNS = {"sex": 10, "title": 11, "name": 15, "rating": 49, "federation": 54, "id": 58, "birth": 70}
TITLES = ("GM", "IM", "FM", "CM", "WGM", "WIM", "WFM", "WCM")
OLD_TITLES = {"G": "GM", "M": "IM", "F": "FM", "C": "CM", "WG": "WGM", "WM": "WIM", "WF": "WFM", "WC": "WCM"}
_SEXES = {"m": "m", "w": "f", "f": "f", "x": "x", "u": "", "": ""}
_NOBODY = re.compile(r"n\.? ?n\.?|bye|spielfrei|freilos|exempt|vacant|dummy|unpaired", re.IGNORECASE)
_FIDE_ID = re.compile(r"[0-9]{4,11}\Z")
_OTHER_ID = re.compile(r"[A-Z0-9]{1,11}\Z")


class People:
    """Takes every player of a report into a sheet; `numbers` are theirs in it, by start number."""

    def __init__(
        self, rows: Rows, sheet: Sheet, event: str, first: int, told: Told, findings: Findings, today: int
    ) -> None:
        self.rows, self.sheet, self.findings, self.today = rows, sheet, findings, today
        self.event, self.first = event, first
        self.id_kind = _answer(told, IDS, (FIDE, NATIONAL, NONE), findings)
        self.pool = _answer(told, RATINGS, (FIDE, NATIONAL, NONE), findings) or FIDE
        self.nobody = {e.number for e in rows.tournament.entries if _NOBODY.fullmatch(e.name)}
        self.nationals = self._nationals()
        self.numbers: dict[int, int] = {}
        self._lines: dict[str, int] = {}
        self._ids = {entry.number: self._ids_of(entry) for entry in rows.tournament.entries}
        self._counts = Counter(one for ids in self._ids.values() for one in ids)

    def take(self) -> None:
        """Every player."""
        for entry in self.rows.tournament.entries:
            if entry.number in self.nobody:
                message = f"'{entry.name}' (number {entry.number}) stands for nobody; no person is made."
                self._add("player-placeholder", WARNING, message, "", entry, "name")
            else:
                self.numbers[entry.number] = self._person(entry)

    def _nationals(self) -> Mapping[int, National]:
        known = {entry.number for entry in self.rows.tournament.entries}
        found: dict[int, National] = {}
        for one in self.rows.nationals:
            if one.number not in known or one.number in found:
                what = "no player has it" if one.number not in known else "it has one already"
                message = f"A national rating line for number {one.number}: {what}."
                self.findings.add("trf-record-shape", WARNING, message, "", one.line, 5)
            else:
                found[one.number] = one
        return found

    def _person(self, entry: Entry) -> int:
        name = self._distinct(entry)
        birth = read_birth(entry.birth, self.today)
        if birth is None:
            message = f"'{entry.birth}' is no date of birth."
            self._add("player-birth-shape", WARNING, message, "Enter the year.", entry, "birth")
        elif birth and len(birth) < 10:
            what = "Year and month" if len(birth) > 4 else "Only the year"
            message = f"{what} of birth of {name}: {birth}."
            self._add("player-birth-partial", NOTE, message, "", entry, "birth")
        rating = self._rating(entry)
        person = SheetPerson(
            name, tuple(one for one in self._ids[entry.number] if self._is_own(one, entry)),
            birth or "", self._sex(entry), self._title(entry), entry.federation.upper(), "", rating, "",
            entry.line,
        )  # fmt: skip
        born = int(birth[:4]) if birth else 0
        if self.pool == NONE:
            rating = None
        elif self.pool == NATIONAL:
            national = self.nationals.get(entry.number)
            rating = _points(national.rating) if national is not None else None
        if rating is not None or born:
            application = Application(rating=rating, born=born)
            self.sheet.first_rating(name, application, self.first, entry.line)
        return self.sheet.person(person)

    def _distinct(self, entry: Entry) -> str:
        """No two lines are one person, and nobody whose name is lost is somebody else."""
        name = entry.name
        if not name:
            message = f"Number {entry.number} has no name."
            self._add("player-name-missing", WARNING, message, "Enter the name.", entry, "name")
        elif is_lost(name):
            self._add("text-name-lost", WARNING, f"The name '{name}' is lost.", "Enter it.", entry, "name")
        elif name in self._lines:
            message = f"'{name}' stands in lines {self._lines[name]} and {entry.line}; taken as two persons."
            remedy = "Confirm that they are two, or correct the file."
            self._add("player-same-name", WARNING, message, remedy, entry, "name")
        if not name or is_lost(name) or name in self._lines:
            return f"{name or '?'} ({self.event} {day_text(self.first)}, number {entry.number})"
        self._lines[name] = entry.line
        return name

    def _rating(self, entry: Entry) -> float | None:
        if not entry.rating or not entry.rating.strip("0"):
            return None
        found = _points(entry.rating)
        if found is None:
            message = f"The rating '{entry.rating}' is no number and is ignored."
            self._add("player-rating-shape", WARNING, message, "Enter it.", entry, "rating")
        return found

    def _sex(self, entry: Entry) -> str:
        found = _SEXES.get(entry.sex.lower())
        if found is None:
            message = f"'{entry.sex}' is no sex that is known; left out."
            self._add("player-sex-unknown", NOTE, message, "Write m, w or x.", entry, "sex")
        return found or ""

    def _title(self, entry: Entry) -> str:
        title = entry.title.upper()
        title = OLD_TITLES.get(title, title)
        if title and title not in TITLES:
            message = f"'{entry.title}' is no title that is known; left out."
            self._add("player-title-unknown", NOTE, message, "Write GM, WFM ...", entry, "title")
            return ""
        return title

    # --- ids ------------------------------------------------------------------------------------

    def _ids_of(self, entry: Entry) -> tuple[tuple[str, str], ...]:
        """The id of 58-68, and the number of the national line."""
        ids: list[tuple[str, str]] = []
        national = self.nationals.get(entry.number)
        theirs = national.id.upper() if national is not None else ""
        value = entry.id.upper()
        if value.strip("0"):
            kind = self.id_kind or (NATIONAL if value == theirs or not value.isdigit() else FIDE)
            fits = (_FIDE_ID if kind == FIDE else _OTHER_ID).match(value)
            if not fits or (len(value) > 4 and not value.strip("1")):
                message = f"'{entry.id}' cannot be an id and is ignored."
                self._add("player-id-shape", WARNING, message, "Correct it.", entry, "id")
            elif kind != NONE:
                ids.append((kind, value))
        if national is not None and theirs.strip("0") and _OTHER_ID.match(theirs):
            ids.append((NATIONAL, theirs))
        return tuple(dict.fromkeys(ids))

    def _is_own(self, one: tuple[str, str], entry: Entry) -> bool:
        """An id that two players carry identifies nobody."""
        if self._counts[one] < 2:
            return True
        message = f"{self._counts[one]} players carry the number {one[1]}; it is not used."
        self._add("player-same-id", HELD, message, "Correct one of them.", entry, "id")
        return False

    def _add(self, code: str, severity: str, message: str, remedy: str, entry: Entry, field: str) -> None:
        moved = self.rows.moved.get(entry.line, 0) if field not in ("sex", "title", "name") else 0
        place = self.rows.within(entry.line, min(COLUMNS[field] + moved, GRID))
        self.findings.add(code, severity, message, remedy, *place)


def _points(text: str) -> float | None:
    """A rating of up to four digits above 0."""
    return float(text) if re.match(r"[0-9]{1,4}\Z", text) and text.strip("0") else None


def _answer(told: Told, name: str, values: tuple[str, ...], findings: Findings) -> str:
    found = told.get(name, "").strip().lower()
    if found and found not in values:
        message = f"The answer {name}={found[:40]} is none of those known."
        findings.add("answer-unknown", FATAL, message, f"Say one of {', '.join(values)}.")
        return ""
    return found


__all__ = ["IDS", "OLD_TITLES", "RATINGS", "TITLES", "People"]
