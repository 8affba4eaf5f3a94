"""What rating lists share: a list has a day and people with ids and ratings, and no games.

A list proposes first ratings and ids; it never overwrites a rating that Arpad computes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from arpad.domain.dates import NO_DAY, day_text, read_day
from arpad.domain.problems import FATAL, HELD, WARNING
from arpad.formats.reading import Findings
from arpad.ledger.sheet import Sheet, SheetPerson

WIDEST = 400  # characters of a row; what is longer is none
DAY = "list-day"  # the answer that tells the day of a list without one
Wanted = Callable[[str, str], bool]  # (the list's own number, name) -> whether that row is to be kept


class RatingList(NamedTuple):
    """`detail` of the Reading of a list: the fact "list L of day D says R" without its rows.

    The rows are `sheet.people`, in the order of `sheet.players`.
    """

    date: int  # NO_DAY where neither the file nor anybody told it
    system: str  # whose list: "EGF", "FFG", "AGA", "FIDE standard" ...
    rows: int  # people taken
    left_out: int = 0  # rows that are nobody: (undefined), Anonymous, without name
    inactive: frozenset[str] = frozenset()  # numbers of people whom the list itself marks as inactive


class People:
    """Takes the rows of one list into a sheet; an id twice is one person, a name twice is two.

    wanted  which rows are kept, for lists of which only a few matter; the others are counted by nobody
    """

    def __init__(self, file: str, findings: Findings, wanted: Wanted | None = None) -> None:
        self.sheet, self.findings, self.wanted = Sheet(file), findings, wanted
        self.inactive: set[str] = set()
        self._seen: dict[str, int] = {}
        self.left_out = self._first_left_out = 0

    def add(self, key: str, person: SheetPerson) -> None:
        """One row; `key` is the list's own number, "" where it has none."""
        if key and key in self._seen:
            message = f"{key} stands in line {self._seen[key]} already; that row is used."
            self.findings.add("list-duplicate-id", WARNING, message, "", person.line)
            return
        if key:
            self._seen[key] = person.line
        name = person.name
        if name in self.sheet.people:
            name = f"{name} ({key or f'line {person.line}'})"
        self.sheet.person(person._replace(name=name) if name != person.name else person)

    def unreadable(self, text: str, line: int) -> None:
        """A row that is none."""
        shown = " ".join(text.split())[:60]
        self.findings.add("list-row-unreadable", HELD, f"'{shown}' is no row of this list.", "", line)

    def nobody(self, line: int) -> None:
        """A row for no person: counted, told once by close()."""
        self.left_out += 1
        self._first_left_out = self._first_left_out or line

    def close(self, date: int, system: str) -> RatingList:
        """The list's detail. Raises Refused where it has nobody."""
        if self.left_out:
            message = f"Left out: {self.left_out} rows that are nobody, such as (undefined) or Anonymous."
            self.findings.add("player-placeholder", WARNING, message, "", self._first_left_out)
        if not self.sheet.people and self.wanted is None:
            self.findings.add("player-none", FATAL, "The list has no player.", "Choose the file again.")
        self.findings.refuse_where(FATAL)
        inactive = frozenset(self.inactive)
        return RatingList(date, system, len(self.sheet.people), self.left_out, inactive)


def day_of_list(told: Mapping[str, str], found: int, findings: Findings, today: int, line: int = 1) -> int:
    """The day that was told, else the one found in the list; `list-date-missing` where there is none."""
    if DAY in told:
        day = read_day(told[DAY].strip())
        if day is None:
            message = f"The answer {DAY}={told[DAY][:40]} is no date."
            findings.add("date-unreadable", FATAL, message, "Write it as 2026-05-30.")
            return NO_DAY
        found = day
    if not found:
        message = "The list does not say of which day it is."
        findings.add("list-date-missing", WARNING, message, f"Give it: {DAY}=2026-05-01.", line)
    if found > today:
        message = f"{day_text(found)} lies in the future (today is {day_text(today)})."
        findings.add("date-future", FATAL, message, "Correct the date.", line)
    return found
