"""What is known of a person: names, outside ids, birth, clubs, and whether he or she is still listed.

Names, ids, birth, status, sex, title and federation are side rows: they can be erased and are in no
digest; each says who wrote it. Membership of a club is a fact. Whose name a spelling is:
arpad.store.matching; two records of one person: arpad.store.merging.
"""

from __future__ import annotations

import datetime
import secrets
from collections.abc import Iterable
from typing import TypeVar

from django.db import transaction
from django.db.models import Model, Q, QuerySet

from arpad.domain.problems import FATAL, Problem, Refused
from arpad.ledger.sheet import ID_KINDS
from arpad.store.days import today
from arpad.store.holding import same, voided
from arpad.store.models import (
    BirthDate,
    Club,
    Membership,
    NameKey,
    Organisation,
    OutsideId,
    Person,
    PersonName,
    PersonStatus,
)
from arpad.store.names import name_parts
from arpad.store.recorder import Recorder, Ref, ref

Row = TypeVar("Row", bound=Model)
SEXES = ("f", "m", "x", "")
STATUSES = ("left", "not listed", "deceased")
PSEUDONYM = "Player"  # in front of eight letters and digits, where a name was erased


# --- names ----------------------------------------------------------------------------------------


def shown_names(people: Iterable[int], using: str = "default") -> dict[int, str]:
    """Key -> the name that lists show; a pseudonym where it was erased."""
    rows = PersonName.objects.using(using).filter(person__in=list(people), shown=True)
    return dict(rows.values_list("person_id", "name"))


def add_name(
    organisation: Organisation, person: int, name: str, *, by: str, shown: bool = False,
    using: str = "default",
) -> PersonName:  # fmt: skip
    """Another name that a person goes by; `shown`: the one lists show from now on (a rename).

    `by` is whoever says so, an author number, here and below. The names before stay as aliases, and
    the one first reported stays in playing order.
    Raises Refused (`person-erased`, `person-unknown`).
    """
    name = " ".join(name.split())
    with transaction.atomic(using=using):
        _refuse_unknown(organisation, person, using)
        names = PersonName.objects.using(using).filter(person=person)
        row = names.filter(name=name).first()
        if row is None:
            row = PersonName.objects.using(using).create(
                organisation=organisation, person_id=person, name=name, shown=False,
                salt=secrets.token_bytes(16), recorded_by=by,
            )  # fmt: skip
        if shown and not row.shown:
            names.filter(shown=True).update(shown=False)
            row.shown, row.recorded, row.recorded_by = True, _now(), by
            row.save(using=using, update_fields=["shown", "recorded", "recorded_by"])
        rebuild_keys(organisation, person, using)
        return row


def rename(
    organisation: Organisation, person: int, name: str, *, by: str, using: str = "default"
) -> PersonName:
    """From now on lists show this name."""
    return add_name(organisation, person, name, by=by, shown=True, using=using)


def rebuild_keys(organisation: Organisation, person: int, using: str = "default") -> None:
    """Make the search keys of a person anew from the names."""
    names = PersonName.objects.using(using).filter(person=person).exclude(salt=b"")
    wanted = {part for name in names.values_list("name", flat=True) for part in name_parts(name)}
    keys = NameKey.objects.using(using).filter(person=person)
    keys.exclude(part__in=wanted).delete()
    there = set(keys.values_list("part", flat=True))
    NameKey.objects.using(using).bulk_create(
        NameKey(organisation=organisation, person_id=person, part=part) for part in sorted(wanted - there)
    )


# --- outside ids ----------------------------------------------------------------------------------


def set_outside_id(
    organisation: Organisation, person: int, kind: str, value: str, *, by: str,
    since: datetime.date | None = None, until: datetime.date | None = None, using: str = "default",
) -> OutsideId:  # fmt: skip
    """A number that others give a person (`kind`: see ID_KINDS), and between which days it holds.

    `until` is its last day; None: no limit. One holder at a time: refused (`id-taken`) where somebody
    else holds it on any of those days.
    """
    if kind not in ID_KINDS:
        message = f"There is no kind of number '{kind}'."
        raise Refused(Problem("id-kind-unknown", FATAL, message, f"It is one of {', '.join(ID_KINDS)}."))
    value = plain_id(value)
    with transaction.atomic(using=using):
        Organisation.objects.using(using).select_for_update().get(pk=organisation.pk)
        _refuse_unknown(organisation, person, using)
        own = same(organisation, using).members(person)
        rows = OutsideId.objects.using(using).filter(organisation=organisation, kind=kind, value=value)
        holder = _between(rows, since, until).exclude(person__in=own).first()
        if holder is not None:
            message = f"{kind} {value} is somebody else's on those days."
            remedy = "End it there first, or merge the two if they are one person."
            raise Refused(Problem("id-taken", FATAL, message, remedy))
        found = _between(rows, since, until).filter(person=person).first()
        if found is not None:  # said again, with other days
            found.since, found.until, found.recorded, found.recorded_by = since, until, _now(), by
            found.save(using=using)
            return found
        return rows.create(
            organisation=organisation, person_id=person, kind=kind, value=value, since=since, until=until,
            recorded_by=by,
        )  # fmt: skip


def plain_id(value: str) -> str:
    """A number as it is kept: without blanks, capital letters."""
    return "".join(value.split()).upper()


def find_by_id(
    organisation: Organisation, kind: str, value: str, day: datetime.date | None = None,
    using: str = "default",
) -> int | None:  # fmt: skip
    """Key of the person (as merged) who holds a number on a day; None: nobody.

    By default today, where the organisation is.
    """
    day = day or datetime.date.fromordinal(today(organisation))
    rows = OutsideId.objects.using(using).filter(
        organisation=organisation, kind=kind, value=plain_id(value),
        person__recording__number__isnull=False,
    )  # fmt: skip
    row = _between(rows, day, day).first()
    return None if row is None else same(organisation, using).root(row.person_id)


def _between(rows: QuerySet[Row], since: datetime.date | None, until: datetime.date | None) -> QuerySet[Row]:
    """The rows that hold on any day of a stretch."""
    if since is not None:
        rows = rows.filter(Q(until__isnull=True) | Q(until__gte=since))
    if until is not None:
        rows = rows.filter(Q(since__isnull=True) | Q(since__lte=until))
    return rows


# --- birth, status --------------------------------------------------------------------------------


def set_birth(
    organisation: Organisation, person: int, year: int, day: datetime.date | None = None, *, by: str,
    using: str = "default",
) -> None:  # fmt: skip
    """Year or date of birth, for privacy alone; what a ruleset computes with is a first rating's affair."""
    if day is not None and day.year != year:
        raise ValueError(f"{day} is not in {year}")
    _refuse_unknown(organisation, person, using)
    BirthDate.objects.using(using).update_or_create(
        organisation=organisation, person_id=person, defaults={"year": year, "day": day, **_said(by)}
    )


def set_status(
    organisation: Organisation, person: int, status: str, since: datetime.date,
    until: datetime.date | None = None, *, by: str, using: str = "default",
) -> None:  # fmt: skip
    """From a day on a person has left, is not to be listed, or is deceased; games and ratings stay."""
    if status not in STATUSES:
        raise ValueError(f"{status!r} is none of {STATUSES}")
    _refuse_unknown(organisation, person, using)
    PersonStatus.objects.using(using).update_or_create(
        organisation=organisation, person_id=person, status=status,
        defaults={"since": since, "until": until, **_said(by)},
    )  # fmt: skip


def unlisted(organisation: Organisation, day: datetime.date, using: str = "default") -> dict[int, str]:
    """Person -> why he or she is in no list or type-ahead on a day."""
    rows = PersonStatus.objects.using(using).filter(organisation=organisation)
    return dict(_between(rows, day, day).order_by("pk").values_list("person_id", "status"))


# --- clubs ----------------------------------------------------------------------------------------


def club(r: Recorder, name: str) -> Ref:
    """The club of that name, recorded where there is none."""
    found = Club.objects.using(r.using).filter(
        organisation=r.organisation, name=name, recording__number__isnull=False
    )
    for row in found:
        if row.uuid not in voided(r.organisation, Club.KIND, [row.uuid], r.using):
            return ref(row)
    return r.add(Club, name=name)


def join(
    r: Recorder, person: Ref, of: Ref, since: datetime.date | None = None, until: datetime.date | None = None
) -> Ref:
    """A person is a member of a club between two days, both included; None: not known, or still."""
    return r.add(Membership, {"person": person, "club": of}, since=since, until=until)


def leave(r: Recorder, membership: Membership, until: datetime.date) -> Ref:
    """A membership ended: a fact that replaces it."""
    new = join(r, ref(membership.person), ref(membership.club), membership.since, until)
    r.void(ref(membership), replaced_by=new)
    return new


def clubs_of(
    organisation: Organisation, people: Iterable[int], day: datetime.date | None = None,
    using: str = "default",
) -> list[Membership]:  # fmt: skip
    """Memberships of some persons (as entered) that hold: on a day, or all of them."""
    rows = Membership.objects.using(using).filter(
        organisation=organisation, person__in=list(people), recording__number__isnull=False
    )
    if day is not None:
        rows = _between(rows, day, day)
    found = list(rows.select_related("club", "person").order_by("since", "pk"))
    gone = voided(organisation, Membership.KIND, [row.uuid for row in found], using)
    return [row for row in found if row.uuid not in gone]


def _now() -> datetime.datetime:
    return datetime.datetime.now(datetime.UTC)


def _said(by: str) -> dict[str, object]:
    """Author and time of a row that is written anew."""
    return {"recorded": _now(), "recorded_by": by}


def _refuse_unknown(organisation: Organisation, person: int, using: str) -> None:
    rows = Person.objects.using(using).filter(
        pk=person, organisation=organisation, recording__number__isnull=False
    )
    if not rows.exists():
        raise Refused(Problem("person-unknown", FATAL, f"There is no person {person}."))
    if PersonName.objects.using(using).filter(person=person, salt=b"").exists():
        message = "That person's data were erased on request; nothing is added to them."
        raise Refused(Problem("person-erased", FATAL, message, "Enter somebody new if that was a mistake."))
