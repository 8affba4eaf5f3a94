"""The effect of what is not recorded yet, in points and with the names that lists show."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from arpad.domain.problems import Problem, Refused
from arpad.store.models import Person, PersonName
from arpad.store.preview import Draft, preview
from arpad.store.settle import Settler


class Shown(NamedTuple):
    """A player whose shown rating changes. Ratings are points; None: none."""

    person: int  # key; below 0: somebody new
    name: str
    day: int  # of the first rating that is shown otherwise
    old_now: float | None
    new_now: float | None
    old_label: str
    new_label: str


class NamedEffect(NamedTuple):
    """What a recording would change in a pool, the largest change first."""

    seen: int  # the newest recording it was computed on
    changed: tuple[Shown, ...]
    newcomers: int  # how many of them are somebody new


def named_effect(settler: Settler, write: Callable[[Draft], object]) -> NamedEffect:
    """preview() with names. Raises Refused where the rules do not take the facts."""
    drafts: list[Draft] = []

    def noted(draft: Draft) -> None:
        drafts.append(draft)
        write(draft)

    try:
        seen = preview(settler, noted)
    except Refused as refused:
        raise Refused(with_names(refused.problems, *drafts)) from refused
    names = shown_names((player.person for player in seen.players), settler.using)
    names |= _drafted(drafts[0])

    def points(grains: int | None) -> float | None:
        return None if grains is None else grains / settler.rules.per_point

    changed = tuple(
        Shown(
            p.person, names.get(p.person, ""), p.day, points(p.old_now), points(p.new_now), p.old_label,
            p.new_label,
        )
        for p in seen.players
    )  # fmt: skip
    return NamedEffect(seen.recording, changed, sum(1 for player in seen.players if player.person < 0))


def _drafted(draft: Draft) -> dict[int, str]:
    """Names of the persons of a draft, by key."""
    names: Any = PersonName  # a side table, kept with the facts
    return dict(draft.rows(names, "person_id", "name"))


def with_names(problems: Iterable[Problem], *drafts: Draft) -> list[Problem]:
    """Problems of a replay, which knows persons by UUID, with the names that lists show."""
    names: dict[str, str] = {}
    for draft in drafts:
        drafted = _drafted(draft)
        people = draft.rows(Person, "id", "uuid")
        names |= {getattr(identity, "hex", identity): drafted[key] for key, identity in people}
    told = list(problems)
    asked = {found for p in told for found in re.findall(r"[0-9a-f]{32}", p.message)} - set(names)
    rows = PersonName.objects.filter(shown=True, person__uuid__in=asked)
    names |= {identity.hex: name for identity, name in rows.values_list("person__uuid", "name")}
    return [
        problem._replace(
            message=re.sub(r"[0-9a-f]{32}", lambda found: names.get(found[0], found[0]), problem.message)
        )
        for problem in told
    ]


def shown_names(persons: Iterable[int], using: str = "default") -> dict[int, str]:
    """Person's key -> the name that lists show."""
    known = [person for person in persons if person > 0]
    rows = PersonName.objects.using(using).filter(shown=True, person_id__in=known)
    return dict(rows.values_list("person_id", "name"))
