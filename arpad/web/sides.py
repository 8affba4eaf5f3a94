"""A side of a supposed game, as typed: a name, a rank or a rating. Between two who fit nobody guesses."""

from __future__ import annotations

import datetime
import re
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from arpad.domain.play import Application
from arpad.domain.ranks import rank_index
from arpad.domain.units import UNRATED
from arpad.rulesets.catalogue import Ruleset
from arpad.store import current
from arpad.store.holding import same
from arpad.store.models import Person
from arpad.store.people import unlisted
from arpad.store.pool_rules import states
from arpad.store.search import find
from arpad.web import figures
from arpad.web.here import Here
from arpad.web.ids import span

NUMBER = re.compile(r"[-+]?\d{1,6}([.,]\d{1,6})?\Z")
GRADE = re.compile(r"(\d)\s*(?:er|e|\.)\s*(?=[kd])", re.IGNORECASE)  # 5e kyu, 1er dan, 2. Dan
LARGEST = 5000  # points, above or below zero, that a field takes
OFFERED = 12  # people shown where several fit


class Choice(NamedTuple):
    name: str
    id: str
    rating: str


class Side(NamedTuple):
    """What a field came to."""

    field: str
    text: str  # as it stands in the field
    id: str = ""  # of the person
    name: str = ""  # of the person, as this reader may see it
    value: Any = None  # a State, an Application or a number: a side of expect(); None = nothing, or a problem
    person: int = 0
    problem: str = ""
    choices: tuple[Choice, ...] = ()


def read(here: Here, rules: Ruleset, fields: list[str], games: int = 0) -> dict[str, Side]:
    """The sides in some fields of the query (`a`, with the person's id in `a_id`), all at once.

    rules  may be others than the pool's: then a person's rating counts as a number
    games  rated games so far of a side that is a rank
    """
    asked = here.request.GET
    texts = {name: " ".join(asked.get(name, "").split())[:80] for name in fields}
    people = _by_id(here, {name: asked.get(f"{name}_id", "") for name in fields})
    here.names.load(people.values())
    found: dict[str, Side] = {}
    for name, text in texts.items():
        key = people.get(name, 0)
        shown = (here.names[key].name or _("name not shown")) if key else ""
        if key and text in ("", shown):
            found[name] = Side(name, shown, here.names[key].id, shown, person=key)
        elif not text:
            found[name] = Side(name, "")
        else:
            found[name] = _typed(rules, name, text, games) or _named(here, name, text)
    return _rated(here, rules, found)


def _by_id(here: Here, ids: dict[str, str]) -> dict[str, int]:
    """Field -> the person whose id stands in it, in one query; what is no id is left out."""
    spans = {}
    for name, ident in ids.items():
        try:
            spans[name] = span(here.organisation, ident)
        except ValueError:
            continue
    if not spans:
        return {}
    from django.db.models import Q

    condition = Q()
    for low, high in spans.values():
        condition |= Q(uuid__range=(low, high))
    rows = Person.objects.filter(
        condition, organisation=here.organisation, recording__number__isnull=False
    ).values_list("uuid", "pk")
    people = same(here.organisation)
    return {
        name: people.root(key)
        for name, (low, high) in spans.items()
        for uuid, key in rows
        if low <= uuid <= high
    }


def _typed(rules: Ruleset, field: str, text: str, games: int) -> Side | None:
    """A number or a rank; None where it is neither."""
    plain = text.replace(figures.MINUS, "-").replace(" ", "")
    if NUMBER.match(plain):
        value = float(plain.replace(",", "."))
        if abs(value) > LARGEST:
            most = {"low": f"{figures.MINUS}{LARGEST}", "high": LARGEST}
            return Side(field, text, problem=_("Give a rating between %(low)s and %(high)s.") % most)
        return Side(field, text, value=value)
    rank = rank_index(GRADE.sub(r"\1 ", text))
    if rank is None:
        return None
    if not figures.ranked(rules):
        return Side(field, text, problem=_("These rules know no ranks: give a rating."))
    return Side(field, text, value=Application(rank=rank, games=games))


def _named(here: Here, field: str, text: str) -> Side:
    """Who is called so, of those whom this reader may see by name and who have a rating here."""
    nobody = Side(
        field, text, problem=_("Nobody with a rating is called “%(name)s”. Give a name, a rank or a rating.")
        if figures.ranked(here.rules)
        else _("Nobody with a rating is called “%(name)s”. Give a name or a rating."),
    )  # fmt: skip
    nobody = nobody._replace(problem=nobody.problem % {"name": text})
    if not re.search(r"[^\W\d]", text):
        return nobody
    away = unlisted(here.organisation, datetime.date.fromordinal(here.today))
    people = [one for one in find(here.organisation, text, limit=OFFERED) if one.person not in away]
    here.names.load(one.person for one in people)
    lines = current.lines(here.pool, [one.person for one in people])
    rated = {key for key, line in lines.items() if line.rating is not None}
    seen = [one for one in people if here.names[one.person].level == "full" and one.person in rated]
    exact = [one for one in seen if here.names[one.person].name.casefold() == text.casefold()]
    if len(exact) == 1:
        seen = exact
    if not seen:
        return nobody
    if len(seen) == 1 and not seen[0].meant:
        shown = here.names[seen[0].person]
        return Side(field, shown.name, shown.id, shown.name, person=seen[0].person)
    choices = tuple(
        Choice(here.names[one.person].name, here.names[one.person].id, here.rating(lines[one.person].rating))
        for one in seen
    )
    said = _("Choose one. We do not guess between two people.") if len(seen) > 1 else _("Did you mean:")
    return Side(field, text, problem=said, choices=choices)


def _rated(here: Here, rules: Ruleset, found: dict[str, Side]) -> dict[str, Side]:
    """People with their State of today."""
    known = states(here.pool, sorted({side.person for side in found.values() if side.person}))
    for name, side in found.items():
        if not side.person:
            continue
        state = known.get(side.person)
        if state is None or (state.rating == UNRATED and not here.rules.steps_unrated):
            problem = _("%(name)s has no rating here yet. Give a rating.") % {"name": side.name}
            found[name] = side._replace(problem=problem)
        elif rules.id == here.rules.id:
            found[name] = side._replace(value=state)
        else:
            found[name] = side._replace(value=state.rating / here.rules.per_point)
    return found
