"""What a rating list says of a pool's people: first ratings and outside ids to take, for somebody to confirm.

    reading = registry.select(path, wanted(pool))
    listing = Listing(reading.sheet, day)
    found = propose(pool, listing)
    found.takes                              who is which row, by number or by name alone
    preview = plan(request(pool, listing, found.certain))     arpad.store.intake, with the effect on ratings
    record(preview, author="2", reason=...)

A number that both have settles who somebody is where the names are alike; a name alone is a proposal. A
rating is proposed only for who has neither a first rating nor a rating in the pool: a list never replaces
what the ledger computes.
"""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from arpad.domain.dates import NO_DAY
from arpad.domain.play import Application
from arpad.domain.problems import FATAL, Problem, Refused
from arpad.domain.ranks import rank_index
from arpad.domain.units import UNRATED
from arpad.ledger.sheet import Sheet, SheetPerson
from arpad.store import recorded
from arpad.store.bulk import select
from arpad.store.current import STANDING
from arpad.store.holding import chunks, same
from arpad.store.intake import Request
from arpad.store.known_ids import ALIKE, Id, numbers, other_number, told_ids
from arpad.store.likeness import likeness
from arpad.store.models import PersonName, Pool
from arpad.store.names import words
from arpad.store.settle import waiting

How = Literal["number", "name", "doubtful"]  # doubtful: the number is the same, the name is another


class Listing(NamedTuple):
    """A rating list, or any other file that tells of people; who they are stands in `sheet.people`."""

    sheet: Sheet
    day: int = NO_DAY  # of the list
    inactive: frozenset[str] = frozenset()  # numbers of people whom the list marks so
    applications: Mapping[str, Application] | None = None  # by name, where ratings alone do not say it


class Take(NamedTuple):
    """A person of the pool and the row of the list that may be the same person."""

    person: int  # key, as merged
    name: str  # as lists show it
    row: SheetPerson
    how: How
    application: Application | None  # the first rating to take; None: has one, is rated, or the list has none
    why: str = ""  # why no rating is taken, or what is doubtful, in words
    inactive: bool = False  # the list says so


class Found(NamedTuple):
    """`takes` in the order of their names."""

    takes: list[Take]
    ambiguous: list[tuple[str, int]]  # (name, rows of the list that bear it); nothing is taken
    without: int  # people of the pool of whom the list says nothing

    @property
    def certain(self) -> list[Take]:
        """Those by number whose names are alike."""
        return [take for take in self.takes if take.how == "number"]


class _Person(NamedTuple):
    key: int
    rated: bool
    names: list[str]  # the shown one first
    ids: dict[str, set[str]]  # kind -> numbers


# --- who is in the pool ---------------------------------------------------------------------------


def _people(pool: Pool, using: str) -> list[_Person]:
    """Everybody who stands in the pool's list, rated or not. Raises Refused (`list-waiting`)."""
    if waiting(pool, using):
        message = f"Recordings that are not settled yet: {waiting(pool, using)}."
        raise Refused(Problem("list-waiting", FATAL, message, "Settle first: arpad settle."))
    query = f"SELECT s.person_id, s.rating FROM store_standing s WHERE {STANDING}"
    rows = select(using, query, [pool.pk, pool.current, pool.current])
    rated = {key: rating != UNRATED for key, rating in rows}
    people = same(pool.organisation, using)
    today = datetime.datetime.now(datetime.UTC).date()
    ids = numbers(pool.organisation, (), people, today, using, rated).of
    names: dict[int, list[str]] = defaultdict(list)
    for some in chunks(sorted({member for key in rated for member in people.members(key)})):
        held = PersonName.objects.using(using).filter(person__in=some).exclude(salt=b"")
        for person, name in held.order_by("-shown", "pk").values_list("person_id", "name"):
            names[people.root(person)].append(name)
    return [_Person(key, rated[key], names[key], ids.get(key, {})) for key in rated if names[key]]


def _key(name: str) -> str:
    """Equal for names of the same words in any order, folded."""
    return " ".join(sorted(word.strip(",") for word in words(name)))


def wanted(pool: Pool, using: str = "default") -> Callable[[str, str], bool]:
    """Which rows of a list can concern a pool: (the list's number, name) -> bool, for registry.select()."""
    people = _people(pool, using)
    values = {value for person in people for held in person.ids.values() for value in held}
    keys = {_key(name) for person in people for name in person.names}
    known = {word for key in keys for word in key.split()}

    def wants(number: str, name: str) -> bool:
        if number in values:
            return True
        plain = name.partition(",")[0].lower()
        if plain.isascii() and plain.replace(" ", "").isalpha() and plain.split()[-1] not in known:
            return False  # most rows of a long list
        return _key(name) in keys

    return wants


# --- proposals ------------------------------------------------------------------------------------


def propose(pool: Pool, listing: Listing, using: str = "default") -> Found:
    """Who of the pool's people is in a list. Reads only. Raises Refused (`list-waiting`)."""
    by_id: dict[Id, SheetPerson] = {}
    by_name: dict[str, list[SheetPerson]] = defaultdict(list)
    for row in listing.sheet.people.values():
        for one in told_ids(row.ids):
            by_id.setdefault(one, row)
        by_name[_key(_plain(row))].append(row)
    have = recorded.with_first_rating(pool, same(pool.organisation, using), using)
    takes, ambiguous, without = [], [], 0
    for person in sorted(_people(pool, using), key=lambda person: person.names[0].casefold()):
        found = _row_of(person, by_id, by_name)
        if found is None:
            without += 1
        elif isinstance(found, int):
            ambiguous.append((person.names[0], found))
        else:
            row, how, why = found
            application = _application(row, listing)
            if application is not None and (person.key in have or person.rated):
                application = None
                why = why or ("has a first rating" if person.key in have else "is rated by games")
            marked = any(value in listing.inactive for _, value in row.ids)
            takes.append(Take(person.key, person.names[0], row, how, application, why, marked))
    return Found(takes, ambiguous, without)


def _plain(row: SheetPerson) -> str:
    """The name without the number that tells two of one name apart."""
    for _, value in row.ids:
        row = row._replace(name=row.name.removesuffix(f" ({value})"))
    return row.name


def _row_of(
    person: _Person, by_id: dict[Id, SheetPerson], by_name: dict[str, list[SheetPerson]]
) -> tuple[SheetPerson, How, str] | int | None:
    """The row, how it was found, and what is doubtful; how many there are; or None."""
    for kind, values in sorted(person.ids.items()):
        for value in sorted(values):
            row = by_id.get((kind, value))
            if row is not None:
                score = max(likeness(name, _plain(row)) for name in person.names)
                if score >= ALIKE:
                    return row, "number", ""
                return row, "doubtful", f"has the same {kind} {value}, another name"
    rows = {id(row): row for name in person.names for row in by_name.get(_key(name), ())}
    free = [row for row in rows.values() if not other_number(person.ids, told_ids(row.ids))]
    if len(free) == 1:
        return free[0], "name", ""
    return len(free) or None


def _application(row: SheetPerson, listing: Listing) -> Application | None:
    """What could be the first rating: what the file says it is, else the rating, else the grade."""
    if listing.applications is not None:
        return listing.applications.get(row.name)
    if row.rating is not None:
        return Application(rating=row.rating)
    return Application(rank=rank_index(row.rank)) if row.rank else None


# --- taking ---------------------------------------------------------------------------------------


def request(
    pool: Pool, listing: Listing, takes: Iterable[Take], *, ratings: bool = True, using: str = "default"
) -> Request:
    """What intake.plan() and record() take: the ids and first ratings of some proposals, dated by the list.

    Nobody new is made and no file is kept: lists may not be passed on. Raises Refused
    (`list-date-missing`) where a rating would have no day, (`list-row-twice`) where two rows are one person.
    """
    takes = list(takes)
    _refuse_twice(takes)
    sheet, day = Sheet(listing.sheet.file), listing.day
    who: dict[str, int | None] = {}
    for take in takes:
        sheet.person(take.row)
        who[take.row.name] = take.person
        if ratings and take.application is not None:
            if not day:
                message = "The list does not say of which day it is, so its ratings have none."
                remedy = "Give it: --tell list-day=2026-05-01, or --day."
                raise Refused(Problem("list-date-missing", FATAL, message, remedy, sheet.file, 1, 1))
            sheet.first_rating(take.row.name, take.application, day, take.row.line)
    return Request(pool, sheet, (), who, using=using)


def _refuse_twice(takes: Sequence[Take]) -> None:
    seen: dict[str, str] = {}
    for take in takes:
        other = seen.setdefault(take.row.name, take.name)
        if other != take.name:
            message = f"'{take.row.name}' of the list would be {other} and {take.name}."
            raise Refused(Problem("list-row-twice", FATAL, message, "Merge the two, or leave one out."))


__all__ = ["Found", "Listing", "Take", "propose", "request", "wanted"]
