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
    typed: bool = False  # found by what was typed: the address does not hold the id yet


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
    wanted: dict[str, str] = {}  # field -> a name to look for
    for name, text in texts.items():
        key = people.get(name, 0)
        shown = here.names[key].text if key else ""
        if key and text in ("", shown):
            found[name] = Side(name, shown, here.names[key].id, shown, person=key)
        elif not text:
            found[name] = Side(name, "")
        else:
            side = _typed(rules, name, text, games)
            found[name] = side or Side(name, text)
            wanted |= {} if side else {name: text}
    seen = _look_up(here, wanted)
    keys = {side.person for side in found.values()} | {key for some in seen.values() for key, _meant in some}
    known = states(here.pool, sorted(keys - {0}))
    for name, text in wanted.items():
        found[name] = _named(here, name, text, seen[name], known)
    return {name: _rated(here, rules, side, known) for name, side in found.items()}


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


def _look_up(here: Here, wanted: dict[str, str]) -> dict[str, list[tuple[int, bool]]]:
    """Field -> (person, one typing error away) of those called so whom this reader may see by name."""
    if not wanted:
        return {}
    away = unlisted(here.organisation, datetime.date.fromordinal(here.today))
    found = {
        name: find(here.organisation, text, limit=OFFERED) if re.search(r"[^\W\d]", text) else []
        for name, text in wanted.items()
    }
    here.names.load(one.person for some in found.values() for one in some)
    return {
        name: [
            (one.person, one.meant)
            for one in some
            if one.person not in away and here.names[one.person].level == "full"
        ]
        for name, some in found.items()
    }


def _named(here: Here, field: str, text: str, people: list[tuple[int, bool]], known: dict[int, Any]) -> Side:
    """The one who is called so and has a rating here; of several the reader chooses."""
    seen = [(key, meant) for key, meant in people if key in known and known[key].rating != UNRATED]
    exact = [one for one in seen if here.names[one[0]].name.casefold() == text.casefold()]
    if len(exact) == 1:
        seen = exact
    if not seen:
        said = (
            _("Nobody with a rating is called “%(name)s”. Give a name, a rank or a rating.")
            if figures.ranked(here.rules)
            else _("Nobody with a rating is called “%(name)s”. Give a name or a rating.")
        )
        return Side(field, text, problem=said % {"name": text})
    if len(seen) == 1 and not seen[0][1]:
        shown = here.names[seen[0][0]]
        return Side(field, shown.name, shown.id, shown.name, person=seen[0][0], typed=True)
    choices = tuple(
        Choice(here.names[key].name, here.names[key].id, here.rating(known[key].rating))
        for key, _meant in seen
    )
    said = _("Choose one. We do not guess between two people.") if len(seen) > 1 else _("Did you mean:")
    return Side(field, text, problem=said, choices=choices)


def _rated(here: Here, rules: Ruleset, side: Side, known: dict[int, Any]) -> Side:
    """A person with the State of today."""
    if not side.person:
        return side
    state = known.get(side.person)
    if state is None or (state.rating == UNRATED and not here.rules.steps_unrated):
        problem = _("%(name)s has no rating here yet. Give a rating.") % {"name": side.name}
        return side._replace(problem=problem)
    if rules.id == here.rules.id:
        return side._replace(value=state)
    return side._replace(value=state.rating / here.rules.per_point)
