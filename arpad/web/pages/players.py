"""A player in a pool: the curve, events and games with their why, what changed afterwards, opponents."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, NamedTuple

from django.http import Http404, HttpResponseBase
from django.shortcuts import redirect

from arpad.domain.units import NOT_RATED, UNRATED
from arpad.store import current
from arpad.store.causes import Story, stories
from arpad.store.current import Line, Step
from arpad.store.holding import same
from arpad.store.models import Event, ListEntry, Person, RatingList
from arpad.web import bands, figures
from arpad.web.charts.curve import Point, curves
from arpad.web.here import Here
from arpad.web.pages.player_games import CORRECTION, GAME, groups
from arpad.web.pages.rating_list import clubs_today
from arpad.web.worker.client import NotPossible, WorkerAway, ask

EVENTS = 20  # groups of a page
CHANGES = 10  # stories told at once
MET = 10  # opponents listed
CLAUSES = {  # kind of an item -> the clause on the ruleset's page
    "game": "step", "settlement": "settle", "entry": "enter", "correction": "corrected", "posting": "posting",
}  # fmt: skip
ZOOMS = {"1": 366, "3": 3 * 366, "": 0}  # years -> days; all


class Opponent(NamedTuple):
    name: str
    id: str
    games: int
    score: str
    expected: str
    last: int


def find_person(here: Here, ident: str) -> tuple[int, int]:
    """(key as addressed, key of the person that is kept). Raises Http404."""
    row = here.get(Person.objects.all(), ident)
    return row.pk, same(here.organisation).root(row.pk)


def player(here: Here, person: str) -> HttpResponseBase:
    """The page of a player."""
    key, root = find_person(here, person)
    if key != root:  # merged: never 301, a merge can be undone
        moved = redirect(here.url("pool-player", here.names[root].id) + "?merged=1")
        moved.headers["Cache-Control"] = "no-store"
        return moved
    line = current.lines(here.pool, [root]).get(root)
    if line is None:
        raise Http404
    shown = here.names[root]
    steps = current.steps(here.pool, [root])
    skip = here.number("skip")
    events, total = groups(here, root, steps, EVENTS, skip)
    told = stories(here.pool, root)[::-1]
    response = here.render(
        "player.html", tab="list", person=shown, name=shown.text, line=line,
        label=bands.label(line.label, here.language), rating=here.rating(line.rating),
        ranked=figures.ranked(here.rules), provisional=bands.is_provisional(here.rules, line.games),
        place=current.places(here.pool, [line.rating])[line.rating] if line.rating is not None else None,
        players=current.count(here.pool)[0], club=clubs_today(here, [root]).get(root),
        since=steps[0].day if steps else 0, best=_best(here, steps), gain=_since_list(here, root, line),
        groups=events, total=total, skip=skip, older=skip + EVENTS if skip + EVENTS < total else 0,
        newer=max(0, skip - EVENTS) if skip else None, merged=bool(here.request.GET.get("merged")),
        changes=[_told(here, story) for story in told[:CHANGES]], more_changes=max(0, len(told) - CHANGES),
        opponents=_opponents(here, steps), why=_why(here, root), **_chart(here, root, steps, told),
    )  # fmt: skip
    if shown.minor:
        response.headers["X-Robots-Tag"] = "noindex"
    return response


def _best(here: Here, steps: list[Step]) -> str:
    values = [step.after for step in steps if step.after is not None and step.after != UNRATED]
    return here.rating(max(values)) if values else ""


def _since_list(here: Here, person: int, line: Line) -> dict[str, Any] | None:
    published = RatingList.objects.filter(pool=here.pool, withdrawn=None).order_by("-day").first()
    if published is None or line.rating is None:
        return None
    entry = ListEntry.objects.filter(list=published, person=person).first()
    if entry is None or entry.rating == UNRATED:
        return None
    return {"day": published.day, "change": here.change(line.rating - entry.rating)}


# --- the curve ------------------------------------------------------------------------------------------


def _chart(here: Here, person: int, steps: list[Step], told: list[Story]) -> dict[str, Any]:
    late = {link.day for story in told for link in story.links[:1] if link.day > 0}
    by_day: dict[int, Point] = {}
    for step in steps:
        if step.after is None or step.after == UNRATED:
            continue
        mark = "correction" if step.kind == CORRECTION else "late" if step.day in late else ""
        earlier = by_day.get(step.day)
        by_day[step.day] = Point(step.day, step.after, mark or (earlier.mark if earlier else ""))
    points = [by_day[day] for day in sorted(by_day) if day > 1]
    zoom = here.request.GET.get("years", "")
    days = ZOOMS.get(zoom, 0)
    first = max(points[0].day, here.today - days) if points and days else points[0].day if points else 0
    last = max(here.today, points[-1].day) if points else 0
    return {
        "curves": curves(here, points, _published(here, person, points), first, last),
        "zoom": zoom if zoom in ZOOMS else "",
        "numbers": [(point.day, here.rating(point.value), point.mark) for point in points[::-1]][:500],
    }


def _published(here: Here, person: int, points: list[Point]) -> list[Point]:
    """What lists said then; nothing where they all agree with what is known now."""
    rows = ListEntry.objects.filter(list__pool=here.pool, list__withdrawn=None, person=person)
    said = [
        Point(day, rating)
        for day, rating in rows.order_by("list__day").values_list("list__day", "rating")
        if rating != UNRATED
    ]
    known, at, differs = None, 0, False
    for point in said:
        while at < len(points) and points[at].day <= point.day:
            known, at = points[at].value, at + 1
        differs = differs or (known is not None and known != point.value)
    return said if differs else []


# --- why ------------------------------------------------------------------------------------------------


def _why(here: Here, person: int) -> dict[str, Any] | None:
    """The derivation of the event that is asked for (?why=<id>), made by the worker."""
    ident = here.request.GET.get("why", "")
    if not ident:
        return None
    event = here.find(Event.objects.all(), ident)
    if event is None:
        return None
    found: dict[str, Any] = {"event": ident, "key": event.pk, "rules": _rules(here, event)}
    try:
        answer = ask(
            "explain", pool=here.pool.pk, person=person, event=event.pk, role=here.reader.role,
            language=here.language,
        )  # fmt: skip
    except WorkerAway:
        return {**found, "away": True}
    except NotPossible as refused:
        return {**found, "refused": refused.message}
    for item in answer["items"] if answer else ():
        item["clause"] = CLAUSES.get(item["kind"], "")
    return {**found, "told": answer}


def _rules(here: Here, event: Event) -> str:
    """The address of the rules in force on an event's first day."""
    dated = event.start is not None and event.start.toordinal() >= here.rules.editions[0][0]
    day = event.start.isoformat() if dated and event.start else "latest"
    return here.url("rules", here.rules.id, day) + (f"?pool={here.pool.slug}" if len(here.pools) > 1 else "")


def _told(here: Here, story: Story) -> dict[str, Any]:
    """A change after the fact, as a chain."""
    here.names.load(story.people())
    names = {person: here.names[person].name or "…" for person in story.people()}
    first, *rest = story.sentences(here.pool, names, language=here.language)
    day, time = figures.moment(story.told, here.organisation.time_zone)
    link = story.links[0]
    return {
        "day": day, "time": time, "first": first, "rest": rest,
        "old": here.rating(link.old), "new": here.rating(link.new), "at": max(0, link.day),
    }  # fmt: skip


# --- opponents ------------------------------------------------------------------------------------------


def _opponents(here: Here, steps: list[Step]) -> list[Opponent]:
    """Whom the player met most often in rated games."""
    met: dict[int, list[Step]] = defaultdict(list)
    for step in steps:
        if step.kind == GAME and step.expected != NOT_RATED and step.opponent:
            met[step.opponent].append(step)
    most = sorted(met.items(), key=lambda pair: (-len(pair[1]), -pair[1][-1].day))[:MET]
    here.names.load(person for person, _games in most)
    from arpad.store.models import Game

    games = Game.objects.in_bulk([step.subject for _person, some in most for step in some])
    found = []
    for person, some in most:
        shown = here.names[person]
        score = sum(_half_points(games[step.subject], person) for step in some)
        text = f"{score // 2}" + ("½" if score % 2 else "")
        expected = figures.share(sum(step.expected for step in some), here.language)
        name = shown.text
        found.append(Opponent(name, shown.id, len(some), text, expected, some[-1].day))
    return found


def _half_points(game: Any, opponent: int) -> int:
    from arpad.web.pages.player_games import outcome_of

    outcome, _text = outcome_of(game.result, game.player2_id == opponent)
    return {"won": 2, "drawn": 1}.get(outcome, 0)
