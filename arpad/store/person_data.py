"""Everything the ledger holds about one person, as plain data for JSON: the answer to a data request.

Other people are named as lists name them today: by `name_of`, so that a privacy policy can be put in.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable
from typing import Any

from django.db.models import Q

from arpad.domain.dates import day_text
from arpad.domain.problems import FATAL, Problem, Refused
from arpad.rulesets.catalogue import find
from arpad.store.holding import same, voided
from arpad.store.mentions import mentions, spellings_of
from arpad.store.merging import games_of
from arpad.store.models import (
    Application,
    BirthDate,
    Change,
    Correction,
    Decision,
    Effect,
    Game,
    Organisation,
    OutsideId,
    Person,
    PersonDetail,
    PersonName,
    PersonStatus,
    Pool,
    Recording,
    SamePerson,
    Text,
)
from arpad.store.people import clubs_of, shown_names

KINDS = ("game", "settlement", "first rating", "posting", "correction")  # Change.kind
Names = Callable[[Iterable[int]], dict[int, str]]


def person_data(
    organisation: Organisation, person: int, *, name_of: Names | None = None, using: str = "default"
) -> dict[str, Any]:
    """All data of a person and of everybody merged with that person.

    Ratings and changes are in the ruleset's points; days are ISO dates. Raises Refused (`person-unknown`).
    """
    rows = Person.objects.using(using).filter(
        pk=person, organisation=organisation, recording__number__isnull=False
    )
    if not rows.exists():
        raise Refused(Problem("person-unknown", FATAL, f"There is no person {person}."))
    people = same(organisation, using).members(person)
    uuids = dict(Person.objects.using(using).filter(pk__in=people).values_list("pk", "uuid"))
    names = name_of or (lambda keys: shown_names(keys, using))
    return {
        "organisation": organisation.name,
        "person": str(uuids[people[0]]),
        "also_recorded_as": [str(uuids[key]) for key in people[1:]],
        **_side(organisation, people, using),
        "games": _games(organisation, people, names, using),
        "first_ratings": _first_ratings(organisation, people, using),
        "corrections": _corrections(organisation, people, using),
        "pools": [_pool(pool, people[0], using) for pool in _pools(organisation, using)],
        "recordings": _recordings(organisation, people, using),
    }


def _side(organisation: Organisation, people: list[int], using: str) -> dict[str, Any]:
    names = PersonName.objects.using(using).filter(person__in=people).order_by("-shown", "pk")
    ids = OutsideId.objects.using(using).filter(person__in=people).order_by("kind", "pk")
    births = BirthDate.objects.using(using).filter(person__in=people)
    details = PersonDetail.objects.using(using).filter(person__in=people).order_by("pk")
    statuses = PersonStatus.objects.using(using).filter(person__in=people).order_by("since", "pk")
    decided = Decision.objects.using(using).filter(person__in=people).order_by("pk")
    return {
        "names": [
            {
                "name": row.name,
                "shown": row.shown,
                "first_reported": row.first,
                "recorded": _iso(row.recorded),
            }
            for row in names
        ],
        "spellings": [{"spelling": row.spelling, "decided": _iso(row.recorded)} for row in decided],
        "outside_ids": [
            {"kind": row.kind, "value": row.value, "since": _iso(row.since), "until": _iso(row.until)}
            for row in ids
        ],
        "born": [{"year": row.year, "day": _iso(row.day)} for row in births],
        "details": [
            {"sex": row.sex, "title": row.title, "federation": row.federation, "told": _iso(row.told)}
            for row in details
        ],
        "statuses": [
            {"status": row.status, "since": _iso(row.since), "until": _iso(row.until)} for row in statuses
        ],
        "clubs": [
            {"club": row.club.name, "since": _iso(row.since), "until": _iso(row.until)}
            for row in clubs_of(organisation, people, using=using)
        ],
    }


def _games(organisation: Organisation, people: list[int], names: Names, using: str) -> list[dict[str, Any]]:
    own = set(people)
    rows = list(games_of(organisation, people, using=using).select_related("event", "recording"))
    opponents = [row.player2_id if row.player1_id in own else row.player1_id for row in rows]
    told = names({key for key in opponents if key is not None})
    return [
        {
            "game": str(row.uuid),
            "day": day_text(row.day),
            "event": row.event.name,
            "round": row.round,
            "board": row.board,
            "side": 1 if row.player1_id in own else 2,
            "opponent": told.get(opponent, "") if opponent is not None else None,
            "result": row.result,
            "handicap": row.stones,
            "recording": row.recording.number,
        }
        for row, opponent in sorted(zip(rows, opponents, strict=True), key=lambda pair: pair[0].day)
    ]


def _first_ratings(organisation: Organisation, people: list[int], using: str) -> list[dict[str, Any]]:
    import json

    rows = Application.objects.using(using).filter(
        organisation=organisation, person__in=people, recording__number__isnull=False
    )
    found = list(rows.select_related("pool", "recording", "reason").order_by("pk"))
    gone = voided(organisation, Application.KIND, [row.uuid for row in found], using)
    return [
        {
            "pool": row.pool.slug, "day": day_text(row.day) or None, "holds": row.uuid not in gone,
            "content": json.loads(row.content), "reason": row.reason.body if row.reason else "",
            "recording": row.recording.number,
        }
        for row in found
    ]  # fmt: skip


def _corrections(organisation: Organisation, people: list[int], using: str) -> list[dict[str, Any]]:
    rows = Correction.objects.using(using).filter(
        organisation=organisation, person__in=people, recording__number__isnull=False
    )
    found = list(rows.select_related("pool", "recording", "reason").order_by("day", "pk"))
    gone = voided(organisation, Correction.KIND, [row.uuid for row in found], using)
    return [
        {
            "pool": row.pool.slug, "day": day_text(row.day), "rating": row.rating,
            "reason": row.reason.body if row.reason else "", "holds": row.uuid not in gone,
            "recording": row.recording.number,
        }
        for row in found
    ]  # fmt: skip


def _pools(organisation: Organisation, using: str) -> list[Pool]:
    rows = Pool.objects.using(using).filter(organisation=organisation, current__gt=0)
    return list(rows.order_by("slug"))


def _pool(pool: Pool, person: int, using: str) -> dict[str, Any]:
    """The changes and effects of a person in a pool, as its current settlement has them."""
    rules = find(pool.ruleset)
    rows = Change.objects.using(using).filter(pool=pool, person=person, settlement__lte=pool.current)
    newest: dict[tuple[int, int], Change] = {}
    for row in rows.order_by("settlement", "pk"):
        newest[row.kind, row.subject] = row
    held = sorted((row for row in newest.values() if not row.gone), key=lambda row: (row.day, row.place))
    games = dict(
        Game.objects.using(using)
        .filter(pk__in=[row.subject for row in held if row.kind == 0])
        .values_list("pk", "uuid")
    )
    effects = Effect.objects.using(using).filter(pool=pool, person=person, settlement__lte=pool.current)

    def points(grains: int | None) -> float | None:
        return None if grains is None or grains < -(2**30) else grains / rules.per_point

    return {
        "pool": pool.slug,
        "ruleset": pool.ruleset,
        "changes": [
            {
                "kind": KINDS[row.kind], "day": day_text(row.day), "before": points(row.before),
                "after": points(row.after), "change": row.change, "expected": _share(row.expected),
                "game": str(games[row.subject]) if row.subject in games and row.kind == 0 else None,
            }
            for row in held
        ],
        "effects": [
            {
                "day": day_text(row.day), "old": points(row.old), "new": points(row.new),
                "rating_before": points(row.old_now), "rating_after": points(row.new_now),
                "cause": row.cause, "recording": row.recording,
            }
            for row in effects.order_by("settlement", "pk")
        ],
    }  # fmt: skip


def _share(millionths: int) -> float | None:
    return None if millionths < 0 else millionths / 1_000_000


def _recordings(organisation: Organisation, people: list[int], using: str) -> list[dict[str, Any]]:
    """The recordings with a fact about the person, or a reason that names the person."""
    keys: set[int] = set()
    about = {
        Person: Q(pk__in=people), Application: Q(person__in=people), Correction: Q(person__in=people),
        Game: Q(player1__in=people) | Q(player2__in=people),
        SamePerson: Q(kept__in=people) | Q(merged__in=people),
    }  # fmt: skip
    for model, condition in about.items():
        rows = model._default_manager.using(using).filter(condition, organisation=organisation)
        keys.update(rows.values_list("recording", flat=True))
    found = mentions(organisation, people, spellings_of(people, using), using)
    texts = Text.objects.using(using).filter(uuid__in=found.texts).values_list("pk", flat=True)
    named = Recording.objects.using(using).filter(
        Q(pk__in=keys) | Q(reason__in=list(texts)), organisation=organisation, number__isnull=False
    )
    return [
        {
            "number": row.number, "kind": row.kind, "recorded": _iso(row.recorded), "by": row.role,
            "reason": row.reason.body if row.reason else "",
        }
        for row in named.select_related("reason").order_by("number")
    ]  # fmt: skip


def _iso(value: datetime.date | datetime.datetime | None) -> str | None:
    return None if value is None else value.isoformat()
