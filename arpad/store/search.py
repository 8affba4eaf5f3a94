"""Finding people by the beginning of any part of any of their names, by the index alone.

Tiers, each tried only where the one before finds nobody: every word as typed; particles left off, run
together, or an umlaut spelled out; one typing error ("did you mean").
"""

from __future__ import annotations

import datetime
import uuid
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from django.db import connections

from arpad.store.bulk import select
from arpad.store.holding import marks, same
from arpad.store.matching import one_edit
from arpad.store.models import Organisation, PersonStatus
from arpad.store.names import PARTICLES, spelled_out, words

LAST = "\U0010ffff"  # above every letter: part >= x and part < x + LAST are the parts that begin with x
FEW = 1_000  # a word that this many parts begin with is common enough
WORDS = 6  # of a query that are looked at


class Found(NamedTuple):
    """Somebody whose name begins like the query."""

    person: int  # key of the person that is kept
    uuid: uuid.UUID
    name: str  # the one that lists show
    meant: bool = False  # one typing error away: "did you mean"


def find(
    organisation: Organisation, query: str, *, limit: int = 20, listed_on: datetime.date | None = None,
    using: str = "default",
) -> list[Found]:  # fmt: skip
    """Persons of whom every word of the query begins a part of a name. Merged ones are found once.

    Shorter parts come first; nobody who is not recorded yet, or whose name was erased, is found.

    listed_on  without whoever has left, is deceased or is not to be listed on that day; None: everybody
    """
    people = same(organisation, using)
    for number, tier in enumerate(_tiers(query)):
        roots: list[int] = []
        for alternatives in tier:
            keys = _look_up(organisation, alternatives, limit * 3, listed_on, using)
            roots += [people.root(key) for key in keys]
        every = list(dict.fromkeys(roots))
        if listed_on is not None:  # whoever is somebody else by now has the status of any of them
            members = {member: root for root in every for member in people.members(root)}
            hidden = {members[one] for one in _unlisted(list(members), listed_on, using)}
            every = [root for root in every if root not in hidden]
        found = _shown(every[:limit], using, meant=number == 2)
        if found:
            return found
    return []


def _unlisted(people: Sequence[int], day: datetime.date, using: str) -> list[int]:
    rows = PersonStatus.objects.using(using).filter(person__in=people, since__lte=day)
    return list(rows.exclude(until__lt=day).values_list("person_id", flat=True))


# For each word of a query the beginnings it may stand for; more than one are whole parts, not beginnings.
Wanted = list[list[str]]


def _tiers(query: str) -> list[list[Wanted]]:
    plain = _plain(query)
    if not plain:
        return []
    core = [word for word in plain if word not in PARTICLES] or plain
    others = [_plain(spelled_out(query)), core]
    others += [[*plain[:i], "".join(plain[i:j]), *plain[j:]] for i, j in _run_together(plain)]
    others.append(["sint" if word == "st" else word for word in plain])
    meant = [
        [sorted(one_edit(word)) if i == wrong else [word] for i, word in enumerate(core)]
        for wrong, typed in enumerate(core)
        if 4 <= len(typed) <= 20
    ]
    return [[_each(plain)], [_each(other) for other in others if other and other != plain], meant]


def _run_together(plain: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Stretches of words that may be one: two neighbours, or particles with the word after them."""
    for i in range(len(plain) - 1):
        yield i, i + 2
        j = i + 2
        while j < len(plain) and all(word in PARTICLES for word in plain[i:j]):
            j += 1
            yield i, j


def _plain(query: str) -> list[str]:
    found = [word.replace("'", "").replace("ij", "y") for word in words(query)]
    return [word for word in found if word][:WORDS]


def _each(plain: Sequence[str]) -> Wanted:
    return [[word] for word in plain]


def _look_up(
    organisation: Organisation, wanted: Wanted, limit: int, listed_on: datetime.date | None, using: str
) -> list[int]:
    """Persons who have a part for each word: by the rarest word first."""
    if not wanted:
        return []
    rarest, few = 0, False
    if len(wanted) > 1:
        counts = [(_how_many(organisation, word, using), -len(word[0])) for word in wanted]
        rarest = counts.index(min(counts))
        few = counts[rarest][0] < FEW
    postgres = connections[using].vendor == "postgresql"
    of_person = "store_namekey o WHERE o.person_id = k.person_id"
    # OFFSET 0: by person, whatever PostgreSQL thinks of how many parts begin so (it thinks: one)
    of_person = f"(SELECT part FROM {of_person}{' OFFSET 0' if postgres else ''}) o"
    condition, values = _begins("k", wanted[rarest], using)
    hits = f"SELECT k.person_id, k.part FROM store_namekey k WHERE k.organisation_id = %s AND {condition}"
    parameters: list[object] = [organisation.pk, *values]
    for i, beginnings in enumerate(wanted):
        if i != rarest:
            condition, values = _begins("o", beginnings, using)
            hits += f" AND EXISTS (SELECT 1 FROM {of_person} WHERE {condition})"
            parameters += values
    if listed_on is not None:
        hits += (
            " AND NOT EXISTS (SELECT 1 FROM store_personstatus s WHERE s.person_id = k.person_id "
            "AND s.since <= %s AND (s.until IS NULL OR s.until >= %s))"
        )
        parameters += [listed_on, listed_on]
    by_bytes = " USING ~<~" if postgres else ""
    # few are gathered first, or PostgreSQL reads all people for them; many come in order until enough
    head = f"WITH hits AS MATERIALIZED ({hits}) SELECT" if few else "SELECT"
    query = (
        f"{head} hits.person_id FROM {'hits' if few else f'({hits}) hits'} "
        "JOIN store_person p ON p.id = hits.person_id "
        "JOIN store_recording r ON r.id = p.recording_id WHERE r.number IS NOT NULL "
        f"ORDER BY hits.part{by_bytes} LIMIT %s"
    )
    return list(dict.fromkeys(key for (key,) in select(using, query, [*parameters, limit])))


def _how_many(organisation: Organisation, beginnings: Sequence[str], using: str) -> int:
    """How many parts begin so, counted no further than FEW."""
    condition, values = _begins("k", beginnings, using)
    query = (
        "SELECT COUNT(*) FROM (SELECT 1 FROM store_namekey k "
        f"WHERE k.organisation_id = %s AND {condition} LIMIT {FEW}) counted"
    )
    ((count,),) = select(using, query, [organisation.pk, *values])
    return int(count)


def _begins(table: str, beginnings: Sequence[str], using: str) -> tuple[str, list[str]]:
    """A condition on the parts of names and its values: a range of the index, or one of several parts."""
    if len(beginnings) > 1:
        return f"{table}.part IN ({marks(beginnings)})", list(beginnings)
    low = beginnings[0]
    if connections[using].vendor == "postgresql":  # by bytes, as the index is, whatever the collation
        return f"{table}.part ~>=~ %s AND {table}.part ~<~ %s", [low, low + LAST]
    return f"{table}.part >= %s AND {table}.part < %s", [low, low + LAST]


def _shown(people: Sequence[int], using: str, meant: bool) -> list[Found]:
    if not people:
        return []
    query = (
        "SELECT p.id, p.uuid, n.name FROM store_person p LEFT JOIN store_personname n "
        f"ON n.person_id = p.id AND n.shown WHERE p.id IN ({marks(people)})"
    )
    rows = {
        key: Found(key, uuid.UUID(str(of)), name or "", meant)
        for key, of, name in select(using, query, people)
    }
    return [rows[key] for key in people if key in rows]
