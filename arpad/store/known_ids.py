"""Whose number is that? What a file's outside ids (FIDE, EGD, licences) say about who its players are.

A player who carries a number that somebody is known by is that person where the name is alike too; else
it is to be decided, with that person suggested first. Where a name is somebody's who has another number
of the same kind, it is to be decided as well: two different numbers are, as a rule, two persons.
"""

from __future__ import annotations

import datetime
import uuid
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from django.db.models import Q

from arpad.store.holding import Same, chunks
from arpad.store.likeness import likeness
from arpad.store.matching import Answer, Suggestion
from arpad.store.models import Organisation, OutsideId, Person, PersonName
from arpad.store.people import plain_id

PROGRAM = "program"  # numbers that a program gave: another file's mean somebody else
ALIKE = 0.8  # likeness of names from which a number settles it: initials, a typing error, a middle name
BY_NUMBER = 0.95  # score of whoever has the number, whatever the name

Id = tuple[str, str]  # (kind, value)
Ids = Mapping[str, Sequence[Id]]  # by spelling


class Numbers(NamedTuple):
    """Outside ids that hold on a day, of persons as merged."""

    holders: dict[Id, set[int]]
    of: dict[int, dict[str, set[str]]]  # person -> kind -> values


def told_ids(ids: Iterable[Id]) -> tuple[Id, ...]:
    """Ids as they are kept and compared; those of a program say nothing outside it."""
    return tuple(dict.fromkeys((kind, plain_id(value)) for kind, value in ids if kind != PROGRAM and value))


def numbers(
    organisation: Organisation, values: Iterable[str], people: Same, day: datetime.date,
    using: str = "default", of: Iterable[int] = (),
) -> Numbers:  # fmt: skip
    """Who holds any of some numbers on a day, and every number of those persons and of `of` (as merged)."""
    rows = OutsideId.objects.using(using).filter(
        Q(since__isnull=True) | Q(since__lte=day), Q(until__isnull=True) | Q(until__gte=day),
        organisation=organisation, person__recording__number__isnull=False,
    )  # fmt: skip
    found = Numbers(defaultdict(set), defaultdict(lambda: defaultdict(set)))
    for some in chunks(sorted(set(values))):
        for kind, value, person in rows.filter(value__in=some).values_list("kind", "value", "person_id"):
            found.holders[kind, value].add(people.root(person))
    theirs = {person for holders in found.holders.values() for person in holders} | set(of)
    for persons in chunks(sorted({member for person in theirs for member in people.members(person)})):
        for kind, value, person in rows.filter(person__in=persons).values_list("kind", "value", "person_id"):
            found.of[people.root(person)][kind].add(value)
    return found


def other_number(held: Mapping[str, set[str]], told: Iterable[Id]) -> str:
    """In words, a number of a kind that somebody holds with another value; "" where there is none."""
    for kind, value in told:
        values = held.get(kind)
        if values and value not in values:
            return f"has {kind} {', '.join(sorted(values))}, not {value}"
    return ""


def by_numbers(
    organisation: Organisation, answers: Mapping[str, Answer], ids: Ids, people: Same, day: datetime.date,
    using: str = "default",
) -> dict[str, Answer]:  # fmt: skip
    """The answers (matching.recognise) in the light of the numbers that stand beside the names."""
    told = {spelling: told_ids(ids[spelling]) for spelling in answers if ids.get(spelling)}
    values = {value for pairs in told.values() for _, value in pairs}
    named = {a.person for s, a in answers.items() if s in told and a.person is not None}
    suggested = {s.person for spelling in told for s in answers[spelling].suggestions}
    known = numbers(organisation, values, people, day, using, named | suggested)
    if not known.holders and not known.of:
        return dict(answers)
    holders = {s: {who for one in pairs for who in known.holders.get(one, ())} for s, pairs in told.items()}
    everybody = {who for some in holders.values() for who in some} | named
    names = _Names(everybody, people, using)
    found = dict(answers)
    for spelling, pairs in told.items():
        found[spelling] = _answer(answers[spelling], pairs, holders[spelling], known, names)
    return found


def _answer(answer: Answer, told: Sequence[Id], owners: set[int], known: Numbers, names: _Names) -> Answer:
    spelling = answer.spelling
    because = {
        who: "has the same " + ", ".join(f"{kind} {v}" for kind, v in told if who in known.holders[kind, v])
        for who in owners
    }
    differs = {who: other_number(known.of.get(who, {}), told) for who in {*owners, answer.person} if who}
    if len(owners) == 1:
        (owner,) = owners
        score, _ = names.nearest(owner, spelling)
        # who equals the name of somebody else needs the very name of the owner too
        equal = answer.how in ("known", "decided") and answer.person not in (None, owner)
        if not differs[owner] and (answer.person == owner or score >= (1.0 if equal else ALIKE)):
            return Answer(spelling, "id", owner)
    elif not owners and (answer.person is None or not differs[answer.person]):
        return answer._replace(suggestions=tuple(_marked(answer.suggestions, told, known)))
    first = [_suggestion(who, spelling, because[who], names, BY_NUMBER) for who in sorted(owners)]
    if answer.person is not None and answer.person not in owners:
        first.append(_suggestion(answer.person, spelling, differs[answer.person], names, 0.0))
    listed = {suggestion.person for suggestion in first}
    rest = _marked((s for s in answer.suggestions if s.person not in listed), told, known)
    return Answer(spelling, "ask", None, (*first, *rest))


def _suggestion(person: int, spelling: str, why: str, names: _Names, least: float) -> Suggestion:
    score, name = names.nearest(person, spelling)
    return Suggestion(person, names.uuids[person], name, max(score, least), why)


def _marked(suggestions: Iterable[Suggestion], told: Sequence[Id], known: Numbers) -> list[Suggestion]:
    """Those who have another number of the same kind come last, and it is said."""
    marked = [s._replace(why=other_number(known.of.get(s.person, {}), told) or s.why) for s in suggestions]
    return sorted(marked, key=lambda suggestion: bool(suggestion.why))


class _Names:
    """The names of some persons, as merged."""

    def __init__(self, persons: Iterable[int], people: Same, using: str) -> None:
        wanted = sorted(persons)
        self.names: dict[int, list[str]] = defaultdict(list)
        self.uuids: dict[int, uuid.UUID] = {}
        for some in chunks(wanted):
            self.uuids.update(Person.objects.using(using).filter(pk__in=some).values_list("pk", "uuid"))
        for some in chunks([member for person in wanted for member in people.members(person)]):
            rows = PersonName.objects.using(using).filter(person__in=some).exclude(salt=b"")
            for person, name in rows.order_by("-shown", "pk").values_list("person_id", "name"):
                self.names[people.root(person)].append(name)

    def nearest(self, person: int, spelling: str) -> tuple[float, str]:
        """The name most like a spelling, and how much."""
        found = [(likeness(spelling, name), name) for name in self.names[person]]
        return max(found, key=lambda pair: pair[0], default=(0.0, ""))
