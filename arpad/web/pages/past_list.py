"""The list of another day: as it was published, or as that day is known now, or was known on another."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.http import HttpResponse

from arpad.domain.dates import read_day
from arpad.domain.units import UNRATED
from arpad.store.models import ListEntry, RatingList
from arpad.web import bands, figures
from arpad.web.here import Here
from arpad.web.outgoing import links
from arpad.web.pages.rating_list import SIZE, clubs_today
from arpad.web.worker.client import NotPossible, WorkerAway, ask


class Old(NamedTuple):
    """A line of a list of the past."""

    place: int | None
    name: str
    id: str
    club: str
    label: str
    rating: str
    games: int
    band: str


class Found(NamedTuple):
    """A list of the past: (person, rating in grains, label, games) of each line."""

    lines: list[tuple[int, int | None, str, int]]
    facts: dict[str, Any]
    published: RatingList | None


def find(here: Here, day: int, known: int | None) -> Found:
    """The official list of a day where there is one; ?computed=1, `known` or another day: computed now.

    Raises WorkerAway, NotPossible.
    """
    published = None
    if known is None and not here.request.GET.get("computed"):
        rows = RatingList.objects.filter(pool=here.pool, day=day)
        published = rows.order_by("-version").first()
    return Found(*(_published(published) if published else _computed(here, day, known)), published)


def of_day(here: Here, day: int) -> HttpResponse:
    """The page of find()."""
    known = read_day(here.request.GET.get("known", "")) or None
    try:
        lines, facts, published = find(here, day, known)
    except WorkerAway:
        return here.render("list_away.html", status=503, day=day, past=True, tab="list")
    except NotPossible as refused:
        return here.render("list_away.html", status=409, day=day, past=True, tab="list", why=refused.message)
    skip = here.number("skip")
    rows_shown = _lines(here, lines, skip)
    return here.render(
        "past_list.html", tab="list", past=True, day=day, known=known, published=published, rows=rows_shown,
        total=len(lines), older=skip + SIZE if skip + SIZE < len(lines) else 0,
        newer=max(0, skip - SIZE) if skip else None, ranked=figures.ranked(here.rules),
        exports=links(here, "pool-list-day-file", day), **facts,
    )  # fmt: skip


def _published(found: RatingList) -> tuple[list[tuple[int, int | None, str, int]], dict[str, Any]]:
    rows = ListEntry.objects.filter(list=found).order_by("pk")
    lines = [
        (person, None if rating == UNRATED else rating, label, games)
        for person, rating, label, games in rows.values_list("person_id", "rating", "label", "games")
    ]
    reason = found.withdrawn_reason.body if found.withdrawn and found.withdrawn_reason else ""
    return lines, {"withdrawn": found.withdrawn, "withdrawn_reason": reason, "digest": found.digest}


def _computed(
    here: Here, day: int, known: int | None
) -> tuple[list[tuple[int, int | None, str, int]], dict[str, Any]]:
    answer = ask("as-of", pool=here.pool.pk, day=day, known=known)
    lines = [(person, rating, label, games) for person, rating, label, games, _played in answer["lines"]]
    return lines, {"rules_changed": answer["rules_changed"], "recording": answer["recording"]}


def _lines(here: Here, lines: list[tuple[int, int | None, str, int]], skip: int) -> list[Old]:
    shown = lines[skip : skip + SIZE]
    people = [person for person, *_rest in shown]
    here.names.load(people)
    clubs = clubs_today(here, people)
    places = _places([rating for _person, rating, _label, _games in lines[: skip + SIZE]])[skip:]
    return [
        Old(
            place, here.names[person].text, here.names[person].id,
            clubs[person][1] if person in clubs else "", bands.label(label, here.language),
            here.rating(rating), games, bands.of(here.rules, rating).style,
        )
        for place, (person, rating, label, games) in zip(places, shown, strict=True)
    ]  # fmt: skip


def _places(ratings: list[int | None]) -> list[int | None]:
    """Equal ratings share a place; who has no rating has none."""
    places: list[int | None] = []
    for at, rating in enumerate(ratings):
        same = at and ratings[at - 1] == rating
        places.append(None if rating is None else places[-1] if same else at + 1)
    return places
