"""Names as a reader may see them. The stricter of two policies holds; what is hidden is in no answer.

A minor is shown by first name and initial, or not at all; who is of unknown age counts as the
organisation says, and as a minor in a youth pool.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from typing import NamedTuple

from django.utils.translation import gettext as _

from arpad.store.bulk import select
from arpad.store.days import today
from arpad.store.holding import chunks, marks
from arpad.store.models import Organisation, OrganisationPage
from arpad.store.names import PARTICLES, folded
from arpad.web.ids import short
from arpad.web.reader import Reader

STRICT = {"full": 0, "initial": 1, "hidden": 2}
LEVELS = ("full", "initial", "hidden")


class Shown(NamedTuple):
    """A person as this reader sees him or her."""

    name: str  # "" = hidden, or erased
    id: str  # for addresses
    level: str  # of LEVELS
    minor: bool  # never told to readers; pages of minors are in no index
    erased: bool = False

    @property
    def text(self) -> str:
        """The name, or the words that stand for one that this reader may not see."""
        return self.name or _("name not shown")


class Names:
    """Looks up persons for one reader of one organisation, each once."""

    def __init__(
        self, organisation: Organisation, page: OrganisationPage, reader: Reader, youth: bool = False
    ) -> None:
        self.organisation, self.page, self.reader, self.youth = organisation, page, reader, youth
        self._found: dict[int, Shown] = {}
        self._today = today(organisation)

    def __getitem__(self, person: int) -> Shown:
        if person not in self._found:
            self.load([person])
        return self._found[person]

    def load(self, people: Iterable[int]) -> Names:
        """Look up many at once."""
        wanted = sorted({person for person in people if person and person not in self._found})
        for some in chunks(wanted):
            self._load(list(some))
        for person in wanted:
            self._found.setdefault(person, Shown("", "", "hidden", True, True))
        return self

    def _load(self, some: list[int]) -> None:
        query = (
            "SELECT p.id, p.uuid, n.name, n.salt, b.year, b.day, c.shown FROM store_person p "
            "LEFT JOIN store_personname n ON n.person_id = p.id AND n.shown "
            "LEFT JOIN store_birthdate b ON b.person_id = p.id "
            "LEFT JOIN store_personprivacy c ON c.person_id = p.id "
            f"WHERE p.organisation_id = %s AND p.id IN ({marks(some)})"
        )
        for person, identity, name, salt, year, day, chosen in select(
            "default", query, [self.organisation.pk, *some]
        ):
            kept = bool(salt) and bool(name)
            minor = self._is_minor(year, day)
            level = self._level(minor, chosen or "")
            self._found[person] = Shown(
                self._name(name if kept else "", level), short(self.organisation, str(identity)), level,
                minor, not kept,
            )  # fmt: skip

    def _is_minor(self, year: int | None, day: datetime.date | str | None) -> bool:
        if year is None:
            return self.youth or self.page.unknown_age == "minor"
        if isinstance(day, str):  # SQLite
            day = datetime.date.fromisoformat(day)
        return is_minor(year, day, datetime.date.fromordinal(self._today))

    def _level(self, minor: bool, chosen: str) -> str:
        if self.reader.may_enter:  # officers see whom they enter
            return "full"
        policy = self.page.minors if minor else "full"
        if chosen == "full":  # a consent opens what the policy closes for minors
            return "full"
        return max(policy, chosen or "full", key=STRICT.__getitem__)

    def _name(self, name: str, level: str) -> str:
        if level == "full" or not name:
            return name
        return initialled(name, self.page.initial_of) if level == "initial" else ""


def is_minor(year: int, day: datetime.date | None, now: datetime.date) -> bool:
    """Under 18 on a day; with a birth year alone until the end of the year of the 18th birthday.

    >>> is_minor(2008, None, datetime.date(2026, 12, 31)), is_minor(2008, None, datetime.date(2027, 1, 1))
    (True, False)
    """
    if day is None:
        return now.year <= year + 18
    eighteenth = (day.year + 18, day.month, day.day)
    return (now.year, now.month, now.day) < eighteenth


def initialled(name: str, initial_of: str = "core") -> str:
    """First name and the letter of the family name: of its core, or (Belgium) of the whole.

    >>> initialled("Noor van den Berg"), initialled("Noor van den Berg", "whole"), initialled("Emma ’t Hooft")
    ('Noor B.', 'Noor V.', 'Emma H.')
    """
    last, comma, first = name.partition(",")
    words = f"{first} {last}".split() if comma else name.split()
    if len(words) < 2:
        return f"{name[:1]}." if name else ""
    family = words[1:]
    if initial_of == "core":
        while len(family) > 1 and folded(family[0]) in PARTICLES:
            family = family[1:]
    core = family[0].lstrip("'’‘`")
    head, mark, tail = core.replace("’", "'").partition("'")
    if initial_of == "core" and mark and tail and len(head) <= 2:  # D'Hondt, d'Arville
        core = tail
    letter = next((c for c in core if c.isalpha()), core[:1])
    return f"{words[0]} {letter.upper()}."
