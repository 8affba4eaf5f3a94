"""Published lists: frozen, hashed, dated. What is learnt later stands beside them as differences.

A wrong list is withdrawn with a reason and published again as version 2; both are kept. Triggers refuse
every other change.
"""

from __future__ import annotations

import datetime
import hashlib
import secrets
import uuid
from collections.abc import Iterable
from typing import NamedTuple

from django.db import transaction

from arpad.domain.dates import day_text
from arpad.domain.problems import FATAL, Problem, Refused
from arpad.domain.units import UNRATED
from arpad.store.asof import Line, List, as_of
from arpad.store.bulk import insert, select
from arpad.store.days import today
from arpad.store.models import ListEntry, Organisation, Person, Pool, RatingList, Text
from arpad.store.settle import Settler, ruleset_digest, waiting

ENTRY = ("organisation_id", "list_id", "person_id", "rating", "label", "games")


class Difference(NamedTuple):
    """A player whose line is no longer what was published."""

    person: int
    published: Line | None  # None: was not on the list
    now: Line | None  # None: would not be on it


def publish(settler: Settler, day: int, author: str) -> RatingList:
    """Freeze the list of a day as it is known now.

    Raises Refused: `list-published` where that day has a list that was not withdrawn, `list-future`
    for a day that is still to come, `list-waiting` while recordings wait to be settled.
    """
    pool, using = settler.pool, settler.using
    _refuse(pool, day, using)
    found = as_of(settler, day)
    lists = RatingList.objects.using(using).filter(pool=pool, day=day)
    entries = [
        (line.person, UNRATED if line.rating is None else line.rating, *line[2:4]) for line in found.lines
    ]
    with transaction.atomic(using=using):
        # one at a time: the version is the next one
        Organisation.objects.using(using).select_for_update().get(pk=pool.organisation_id)
        _refuse(pool, day, using)
        made = RatingList.objects.using(using).create(
            organisation_id=pool.organisation_id, pool=pool, uuid=uuid.uuid4(), day=day,
            version=lists.count() + 1, published=datetime.datetime.now(datetime.UTC), author=author,
            through=found.recording, settlement=pool.current,
            ruleset_digest=ruleset_digest(settler.rules.module.__file__),
            digest=entries_digest(_with_uuids(pool, entries, using)),
        )  # fmt: skip
        insert(using, ListEntry, ENTRY, ((pool.organisation_id, made.pk, *entry) for entry in entries))
    return made


def _refuse(pool: Pool, day: int, using: str) -> None:
    pool.refresh_from_db(using=using, fields=["current"])
    if day > today(pool.organisation):
        message = f"{day_text(day)} is still to come."
        raise Refused(Problem("list-future", FATAL, message, "Publish it on its day."))
    if waiting(pool, using):
        message = f"Recordings that are not settled yet: {waiting(pool, using)}."
        raise Refused(Problem("list-waiting", FATAL, message, "Settle first: arpad settle."))
    lists = RatingList.objects.using(using).filter(pool=pool, day=day, withdrawn=None)
    if lists.exists():
        message = f"The list of {day_text(day)} is published already."
        raise Refused(Problem("list-published", FATAL, message, "Withdraw it first, with a reason."))


def withdraw(published: RatingList, reason: str, using: str = "default") -> None:
    """Mark a list as withdrawn. It is kept; another version may be published. Raises Refused."""
    if not reason.strip():
        raise Refused(Problem("list-reason", FATAL, "A list is not withdrawn without a reason.", "Give one."))
    with transaction.atomic(using=using):
        # Django stores a time; only while it is empty, so that the first withdrawal stays
        text = Text.objects.using(using).create(
            organisation_id=published.organisation_id, body=reason, salt=secrets.token_bytes(16)
        )
        rows = RatingList.objects.using(using).filter(pk=published.pk, withdrawn=None)
        if not rows.update(withdrawn=datetime.datetime.now(datetime.UTC), withdrawn_reason=text):
            message = f"The list of {day_text(published.day)} was withdrawn before."
            raise Refused(Problem("list-withdrawn", FATAL, message))
    published.refresh_from_db(using=using)


def find_list(pool: Pool, day: int, using: str = "default") -> RatingList:
    """The newest version of the list published for a day. Raises Refused (`list-unknown`)."""
    lists = RatingList.objects.using(using).filter(pool=pool, day=day)
    found = lists.order_by("-version").first()
    if found is None:
        days = RatingList.objects.using(using).filter(pool=pool).order_by("day").values_list("day", flat=True)
        remedy = (
            f"Published: {', '.join(map(day_text, sorted(set(days))))}." if days else "None is published yet."
        )
        raise Refused(Problem("list-unknown", FATAL, f"No list of {day_text(day)} is published.", remedy))
    return found


def entries_of(published: RatingList, using: str = "default") -> list[Line]:
    """The lines as they were frozen."""
    rows = ListEntry.objects.using(using).filter(list=published).order_by("pk")
    return [
        Line(person, None if rating == UNRATED else rating, label, games, 0)
        for person, rating, label, games in rows.values_list("person_id", "rating", "label", "games")
    ]


def differences(published: RatingList, settler: Settler) -> list[Difference]:
    """What would stand otherwise in a published list if it were computed now: the largest change first."""
    now = as_of(settler, published.day).by_person()
    then = {line.person: line for line in entries_of(published, settler.using)}
    found = []
    for person in then | now:
        old, new = then.get(person), now.get(person)
        if (old and old[1:4]) != (new and new[1:4]):
            found.append(Difference(person, old, new))
    return sorted(found, key=lambda d: (-abs(_rating(d.now) - _rating(d.published)), d.person))


def _rating(line: Line | None) -> int:
    return line.rating if line is not None and line.rating is not None else 0


def shown(settler: Settler, day: int) -> tuple[List | None, RatingList | None]:
    """The list that a pool shows for a day, by its policy: computed now, or as it was published.

    Policy "recompute": computed now, whatever was published. Otherwise the published list stays where
    there is one that was not withdrawn.
    """
    if settler.pool.policy != "recompute":
        lists = RatingList.objects.using(settler.using).filter(pool=settler.pool, day=day, withdrawn=None)
        published = lists.order_by("-version").first()
        if published is not None:
            return None, published
    return as_of(settler, day), None


# --- the hash -----------------------------------------------------------------------------------------


def entries_digest(entries: Iterable[tuple[str, int, str, int]]) -> str:
    """sha256 over (person's UUID, rating in grains, label, games) of every line, ordered by UUID."""
    lines = sorted(f"{who}\n{rating}\n{label}\n{games}" for who, rating, label, games in entries)
    return hashlib.sha256("\n\n".join(lines).encode()).hexdigest()


def _with_uuids(
    pool: Pool, entries: Iterable[tuple[int, int, str, int]], using: str
) -> list[tuple[str, int, str, int]]:
    people = Person.objects.using(using).filter(organisation_id=pool.organisation_id)
    uuids = {key: value.hex for key, value in people.values_list("pk", "uuid")}
    return [(uuids[key], *rest) for key, *rest in entries]  # type: ignore[misc]


def intact(published: RatingList, using: str = "default") -> bool:
    """Whether a published list is what its hash says."""
    query = "SELECT e.person_id, e.rating, e.label, e.games FROM store_listentry e WHERE e.list_id = %s"
    rows = list(select(using, query, [published.pk]))
    return published.digest == entries_digest(_with_uuids(published.pool, rows, using))
