"""Lists of members or entries: name, ids, birth, club, rating, and for table tennis class and percentage."""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence

from arpad.domain.dates import day_text
from arpad.domain.play import Application
from arpad.domain.problems import NOTE
from arpad.domain.ranks import rank_index
from arpad.formats import cells
from arpad.formats.cells import Bad
from arpad.formats.reading import Findings, clean
from arpad.formats.spreadsheet import unescaped
from arpad.formats.table_dates import date
from arpad.formats.table_grid import Cell, Grid, text_of
from arpad.formats.table_header import Layout
from arpad.formats.table_map import Mapping
from arpad.formats.table_rows import id_kind, name_of
from arpad.ledger.sheet import Sheet, SheetPerson

_SEXES = {
    "m": "m", "man": "m", "male": "m", "h": "m", "homme": "m", "mannlich": "m", "männlich": "m", "heer": "m",
    "f": "f", "v": "f", "w": "f", "vrouw": "f", "female": "f", "femme": "f", "weiblich": "f", "dame": "f",
    "x": "x",
}  # fmt: skip
_TITLES = {"GM", "IM", "FM", "CM", "WGM", "WIM", "WFM", "WCM"}


class People:
    """Takes the rows of one list. `applications` are what could be first ratings, for somebody to confirm."""

    def __init__(
        self, grid: Grid, mapping: Mapping, layout: Layout, sheet: Sheet, findings: Findings, today: int
    ) -> None:  # fmt: skip
        self.grid, self.mapping, self.layout = grid, mapping, layout
        self.sheet, self.findings, self.today = sheet, findings, today
        self.applications: dict[str, Application] = {}
        self.ids: dict[tuple[str, str], str] = {}
        self.index = 0
        self.row: Sequence[Cell] = ()

    def take_all(self) -> None:
        """Every row below the header."""
        for index in range(self.layout.header + 1, len(self.grid.rows)):
            self.index, self.row = index, self.grid.rows[index]
            if any(cell not in ("", None) for cell in self.row):
                self._take()

    def cell(self, field: str) -> Cell:
        column = self.layout.at.get(field, -1)
        return self.row[column] if 0 <= column < len(self.row) else ""

    def text(self, field: str) -> str:
        text = text_of(self.cell(field))
        return clean(unescaped(text) if self.grid.delimiter else text)

    def _take(self) -> None:
        name = name_of(self._name())
        if isinstance(name, Bad) or not name:
            bad = (
                name if isinstance(name, Bad) else Bad("player-name-missing", "There is no name.", "Give it.")
            )
            self._say(bad, "name")
            return
        if name in self.sheet.people:
            message = f"'{name}' stands in the list already."
            self._say(Bad("player-duplicate", message, "Keep one row, or tell the two apart."), "name")
            return
        rating = self._rating()
        person = SheetPerson(
            name, self._ids(name), self._birth(), self._sex(), self._title(), self.text("federation")[:30],
            self.text("club")[: cells.TEXT_LIMIT], rating, self._rank(), self.grid.numbers[self.index],
        )  # fmt: skip
        self.sheet.person(person)
        self._apply(name, person)

    def _name(self) -> str:
        """The name; where a column of given names stands beside one that is called name, both."""
        first, infix, last, name = (self.text(field) for field in ("first", "infix", "last", "name"))
        if name and first and not last and "," not in name:
            told = set(name.casefold().split())
            last, name = (name, "") if not told.issuperset(first.casefold().split()) else ("", name)
        return name or " ".join(filter(None, (first, infix, last)))

    def _apply(self, name: str, person: SheetPerson) -> None:
        """What could be the first rating: class and percentage, else rating, else grade."""
        league = self.text("league")
        percentage = self._number("percentage")
        if league and percentage is not None:
            self.applications[name] = Application(league=league, percentage=percentage)
        elif person.rating is not None:
            self.applications[name] = Application(rating=person.rating)
        elif person.rank:
            self.applications[name] = Application(rank=rank_index(person.rank))

    def _ids(self, name: str) -> tuple[tuple[str, str], ...]:
        found = []
        for field in ("id", "fide"):
            value = self.text(field)
            if not value or not value.strip("0-"):
                continue
            kind = "fide" if field == "fide" else id_kind(self.mapping.columns[field], self._fields())
            other = self.ids.setdefault((kind, value), name)
            if other != name:
                message = f"The number {value[:30]} is also that of '{other}'; it is not used here."
                self._say(Bad("player-same-id", message, "Correct one of the two."), field)
            elif len(value) <= 30:
                found.append((kind, value))
        return tuple(dict(found).items())

    def _fields(self) -> set[str]:
        chess = {"fide"} if {"fide", "title"} & self.layout.at.keys() else set()
        return chess | ({"sets"} if "percentage" in self.layout.at else set())

    def _birth(self) -> str:
        """The date, or as much of it as the list says."""
        cell = self.cell("born")
        text = text_of(cell).strip()
        if not text:
            return ""
        if match := re.fullmatch(r"([12][0-9]{3})([-/.](?:00|0?[1-9]|1[0-2]))?([-/.]00)?", text):
            month = int(match[2][1:]) if match[2] else 0
            year = int(match[1])
            if cells.EARLIEST_YEAR <= year <= datetime.date.fromordinal(self.today).year:
                return f"{year}-{month:02d}" if month else str(year)
        day = date(cell, self.mapping.dates, self.today, self.grid.epoch)
        if isinstance(day, int) and day:
            return day_text(day)
        message = f"'{text[:40]}' is no year or date of birth, and is left out."
        self._say(Bad("player-birth-shape", message, "Write 1987 or 31-05-1987."), "born")
        return ""

    def _sex(self) -> str:
        text = self.text("sex").lower()
        if text and text not in _SEXES:
            message = f"'{text[:20]}' is no sex that is known, and is left out."
            self._say(Bad("player-sex-unknown", message, "Write f, m or x.", NOTE), "sex")
        return _SEXES.get(text, "")

    def _title(self) -> str:
        text = self.text("title").upper()
        if text and text not in _TITLES:
            message = f"'{text[:20]}' is no title, and is left out."
            self._say(Bad("player-title-unknown", message, "Write GM, WFM ...", NOTE), "title")
        return text if text in _TITLES else ""

    def _rank(self) -> str:
        text = self.text("rank")
        if text.upper() == "NC":
            return ""
        if text and (not text.isascii() or rank_index(text) is None):
            self._say(Bad("player-rank-shape", f"'{text[:20]}' is no grade.", "Write 5k or 2 dan."), "rank")
            return ""
        return text

    def _rating(self) -> float | None:
        value = self._number("rating")
        if value == 0 and self.text("rating") == "0":
            return None  # as lists write that there is none
        if value is not None and abs(value) > cells.LARGEST_RATING:
            message = f"The rating {value:g} is out of range, and is left out."
            self._say(Bad("player-rating-shape", message, "Correct it."), "rating")
            return None
        return value

    def _number(self, field: str) -> float | None:
        """A number with point or comma; None where there is none."""
        text = self.text(field).removesuffix("%").strip().replace(",", ".")
        if not text or text in ("-", "NC", "nc"):
            return None
        value = cells.number(text)
        if value is None or (field == "percentage" and not 0 <= value <= 100):
            code = "player-percentage-shape" if field == "percentage" else "player-rating-shape"
            message = f"'{text[:20]}' is no {field}, and is left out."
            self._say(Bad(code, message, "Write a number."), field)
            return None
        return value

    def _say(self, bad: Bad, field: str) -> None:
        column = self.layout.at.get(field, 0)
        line, place = self.grid.place(self.index, column)
        where = self.grid.where(self.index, column)
        self.findings.add(bad.code, bad.severity, where + bad.message, bad.remedy, line, place)


__all__ = ["People"]
