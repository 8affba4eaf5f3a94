"""What a file tells of people beside games (Sheet.people): outside ids, birth, sex, title, federation, club.

Planning compares it with what is known and says what would be added; what contradicts is held and told,
never overwritten. An older file fills gaps alone; title and federation follow a newer one. Clubs are facts
and are recorded only where that is asked for, since files spell them in many ways.
"""

from __future__ import annotations

import datetime
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, TypeVar

from django.db.models import Model

from arpad.domain.problems import HELD
from arpad.ledger.sheet import ID_KINDS, Sheet, SheetPerson
from arpad.store.bulk import insert, reserve
from arpad.store.holding import Same, chunks
from arpad.store.known_ids import Id, numbers, other_number, told_ids
from arpad.store.models import BirthDate, Organisation, OutsideId, PersonDetail, PersonName
from arpad.store.people import SEXES, club, clubs_of, join
from arpad.store.recorder import Recorder, Ref

Row = TypeVar("Row", bound=Model)
Say = Callable[[str, str, str, str, int], None]  # code, severity, message, remedy, line
_DATE = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?\Z", re.ASCII)
DETAILS = ("sex", "title", "federation")


class Birth(NamedTuple):
    year: int
    day: datetime.date | None = None


class News(NamedTuple):
    """What a file adds to what is known of one person."""

    name: str  # in the sheet
    ids: tuple[Id, ...] = ()
    birth: Birth | None = None
    details: tuple[tuple[str, str], ...] = ()  # (column of PersonDetail, value)
    club: str = ""
    since: datetime.date | None = None  # of the membership


def read_birth(text: str) -> Birth | None:
    """A birth as files tell it; a month alone is left out. None where it is none.

    >>> read_birth("2011-03-08").day.day, read_birth("2011-03"), read_birth("11")
    (8, Birth(year=2011, day=None), None)
    """
    found = _DATE.match(text.strip())
    if not found:
        return None
    year = int(found[1])
    if not found[3]:
        return Birth(year)
    try:
        return Birth(year, datetime.date(year, int(found[2]), int(found[3])))
    except ValueError:
        return None


def day_of(sheet: Sheet) -> datetime.date:
    """Of which day a file speaks: its last game; without games, today."""
    day = max(sheet.games.day, default=0)
    return datetime.date.fromordinal(day) if day else datetime.datetime.now(datetime.UTC).date()


def shared_ids(sheet: Sheet) -> set[Id]:
    """Ids that two players of a sheet carry: they identify nobody."""
    counts = Counter(one for person in sheet.people.values() for one in set(told_ids(person.ids)))
    return {one for one, count in counts.items() if count > 1}


class Telling:
    """Compares a sheet's people with what is known. Reads only; `news` and `clubs` are the outcome."""

    def __init__(
        self, organisation: Organisation, sheet: Sheet, who: dict[str, int], people: Same, say: Say,
        with_clubs: bool, using: str,
    ) -> None:  # fmt: skip
        """`who`: the key of the person behind each name that is decided, -1 for somebody new."""
        self.organisation, self.sheet, self.people, self.using = organisation, sheet, people, using
        self.say, self.with_clubs, self.day = say, with_clubs, day_of(sheet)
        self.shared = shared_ids(sheet)
        self.news: list[News] = []
        self.clubs: list[tuple[str, str]] = []  # (name, club) that is not recorded, with_clubs or not
        told = [(person, who[person.name]) for person in sheet.people.values() if person.name in who]
        if not told:
            return
        known = sorted({key for _, key in told if key >= 0})
        self._read(told, known)
        for person, key in told:
            if key not in self.erased:
                self._compare(person, key)

    def _read(self, told: Sequence[tuple[SheetPerson, int]], known: Sequence[int]) -> None:
        values = {value for person, _ in told for _, value in told_ids(person.ids)}
        self.numbers = numbers(self.organisation, values, self.people, self.day, self.using, known)
        members = [member for key in known for member in self.people.members(key)]
        self.births: dict[int, list[Birth]] = defaultdict(list)
        self.details: dict[int, PersonDetail] = {}
        self.member_of: dict[int, set[str]] = defaultdict(set)
        self.erased: set[int] = set()
        root = self.people.root
        clubs = any(person.club for person, _ in told)
        for some in chunks(members):
            for row in BirthDate.objects.using(self.using).filter(person__in=some):
                self.births[root(row.person_id)].append(Birth(row.year, row.day))
            for detail in PersonDetail.objects.using(self.using).filter(person__in=some).order_by("told"):
                self.details[root(detail.person_id)] = detail
            names = PersonName.objects.using(self.using).filter(person__in=some, salt=b"")
            self.erased |= {root(person) for person in names.values_list("person_id", flat=True)}
            for membership in clubs_of(self.organisation, some, using=self.using) if clubs else ():
                if membership.until is None or membership.until >= self.day:
                    self.member_of[root(membership.person_id)].add(membership.club.name.casefold())
        self.first_days = self._first_days() if self.with_clubs and clubs else {}

    def _first_days(self) -> dict[int, int]:
        """The first day of the first event that each player of the sheet takes part in."""
        found: dict[int, int] = {}
        games, events = self.sheet.games, self.sheet.events
        for event, day, *players in zip(games.event, games.day, games.player1, games.player2, strict=True):
            first = min(events[event].start or day, day)
            for player in players:
                found[player] = min(found.get(player, first), first)
        return found

    def _compare(self, person: SheetPerson, key: int) -> None:
        ids = tuple(one for one in told_ids(person.ids) if self._is_free(one, person, key))
        birth, details = self._birth(person, key), self._details(person, key)
        where, since = "", None
        if person.club and person.club.casefold() not in self.member_of.get(key, ()):
            self.clubs.append((person.name, person.club))
            if self.with_clubs:
                day = self.first_days.get(self.sheet.player(person.name), 0)
                where, since = person.club, datetime.date.fromordinal(day) if day else None
        news = News(person.name, ids, birth, details, where, since)
        if news != News(person.name):
            self.news.append(news)

    def _is_free(self, one: Id, person: SheetPerson, key: int) -> bool:
        kind, value = one
        held = self.numbers.of.get(key, {}) if key >= 0 else {}
        if value in held.get(kind, ()) or kind not in ID_KINDS:
            return False
        if one in self.shared:
            message = f"Two players carry {kind} {value}, {person.name} among them; it is not used."
            self.say("player-same-id", HELD, message, "Correct one of the two.", person.line)
            return False
        if self.numbers.holders.get(one, set()) - {key}:
            message = f"{kind} {value} of {person.name} is recorded as somebody else's; it stays there."
            remedy = "End it there first, or merge the two if they are one person."
            self.say("id-taken", HELD, message, remedy, person.line)
            return False
        differs = other_number(held, [one])
        if differs:
            message = f"{person.name} {differs}; what is recorded stays."
            self.say("id-differs", HELD, message, "Say which is right, or that they are two.", person.line)
            return False
        return True

    def _birth(self, person: SheetPerson, key: int) -> Birth | None:
        told = read_birth(person.birth)
        known = self.births.get(key, []) if key >= 0 else []
        if told is None or told in known:
            return None
        for birth in known:
            if birth.year != told.year or (birth.day and told.day and birth.day != told.day):
                message = f"{person.name} is recorded with another birth than the file's; that one stays."
                remedy = "Correct what is wrong, or say that they are two persons."
                self.say("birth-differs", HELD, message, remedy, person.line)
                return None
        return None if known and (told.day is None or any(birth.day for birth in known)) else told

    def _details(self, person: SheetPerson, key: int) -> tuple[tuple[str, str], ...]:
        row = self.details.get(key) if key >= 0 else None
        newer = row is None or row.told is None or row.told < self.day
        found = []
        for name, limit in zip(DETAILS, (1, 5, 10), strict=True):
            value = getattr(person, name).strip()[:limit]
            value = value.lower() if name == "sex" else value.upper()
            was = getattr(row, name) if row is not None else ""
            if not value or value == was or (name == "sex" and value not in SEXES):
                continue
            if was and name == "sex":
                message = f"{person.name} is recorded with sex '{was}', not '{value}'; that stays."
                self.say("sex-differs", HELD, message, "Correct what is wrong.", person.line)
            elif not was or (newer and len(was) == len(value)) or (newer and name == "title"):
                found.append((name, value))  # BE and BEL are two spellings of one federation
        return tuple(found)


# --- writing --------------------------------------------------------------------------------------


def write_told(r: Recorder, news: Iterable[News], refs: dict[str, Ref], day: datetime.date) -> None:
    """Record the news: memberships as facts, the rest as side rows, together with the seal.

    A number that went to somebody else since the preview is left out.
    """
    news = list(news)
    clubs: dict[str, Ref] = {}
    for one in news:
        if one.club:
            key = one.club.casefold()
            clubs[key] = clubs.get(key) or club(r, one.club)
            join(r, refs[one.name], clubs[key], one.since)
    side = [one for one in news if one.ids or one.birth or one.details]
    if side:
        r.before_seal.append(lambda: _write_side(r, side, refs, day))


def _write_side(r: Recorder, news: Sequence[News], refs: dict[str, Ref], day: datetime.date) -> None:
    who = {one.name: refs[one.name].key for one in news}
    ids = [(kind, value, who[one.name]) for one in news for kind, value in one.ids]
    taken: set[Id] = set()
    for some in chunks([value for _, value, _ in ids]):
        held = OutsideId.objects.using(r.using).filter(organisation=r.organisation, value__in=some)
        taken |= set(held.filter(until__isnull=True).values_list("kind", "value"))
    _insert(
        r, OutsideId, ("kind", "value", "person_id", "since", "until"),
        [(*row, None, None) for row in ids if row[:2] not in taken],
    )  # fmt: skip
    births = {who[one.name]: one.birth for one in news if one.birth}
    for row in _there(r, BirthDate, births):
        row.day = births.pop(row.person_id).day
        _save(r, row, "day")
    columns = ("person_id", "year", "day")
    _insert(r, BirthDate, columns, [(key, *birth) for key, birth in births.items()])
    details = {who[one.name]: dict(one.details) for one in news if one.details}
    for detail in _there(r, PersonDetail, details):
        for name, value in details.pop(detail.person_id).items():
            setattr(detail, name, value)
        detail.told = max(day, detail.told or day)
        _save(r, detail, *DETAILS, "told")
    empty = dict.fromkeys(DETAILS, "")
    rows = [(key, *(empty | given).values(), day) for key, given in details.items()]
    _insert(r, PersonDetail, ("person_id", *DETAILS, "told"), rows)


def _there(r: Recorder, model: type[Row], wanted: dict[int, Any]) -> list[Row]:
    """The rows of a table that some persons have already."""
    found: list[Row] = []
    for some in chunks(sorted(wanted)):
        found += model._default_manager.using(r.using).filter(person__in=some)
    return found


def _save(r: Recorder, row: Any, *columns: str) -> None:
    row.recorded, row.recorded_by = r.row.recorded, r.row.author
    row.save(using=r.using, update_fields=[*columns, "recorded", "recorded_by"])


def _insert(r: Recorder, model: type[Model], columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    if not rows:
        return
    names = ("id", "organisation_id", "recorded", "recorded_by", *columns)
    head = (r.organisation.pk, r.row.recorded, r.row.author)
    keys = reserve(r.using, model, len(rows))
    insert(r.using, model, names, ((key, *head, *row) for key, row in zip(keys, rows, strict=True)))
