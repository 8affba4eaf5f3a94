"""The rating list: now, of a day, as known on another; filtered, in pages, with jumps."""

from __future__ import annotations

import datetime
import re
from typing import Any, NamedTuple

from django.http import HttpResponse

from arpad.domain.units import UNRATED
from arpad.store import current
from arpad.store.current import Line, Wanted
from arpad.store.models import Club, ListEntry, Person, RatingList
from arpad.store.people import unlisted
from arpad.store.search import find
from arpad.web import bands, figures
from arpad.web.charts.spark import sparklines
from arpad.web.here import Here
from arpad.web.ids import short
from arpad.web.outgoing import links

SIZE = 100  # lines of a page
ACTIVE = 365  # days: who played within them is active


class Row(NamedTuple):
    """A line as it is printed."""

    place: int | None
    within: int | None  # place under the filter, where there is one
    name: str
    id: str
    club: str
    club_id: str
    label: str
    rating: str
    gain: str  # since the list before; "" = was not on it
    spark: Any
    games: int
    played: int
    band: str  # class of the ribbon
    last_of_band: bool
    held: str  # "2 kyu" where the rating is of another rank than the one held
    provisional: bool


def latest(here: Here) -> HttpResponse:
    """The list as it is now."""
    wanted, choices = asked_for(here)
    lines, earlier, later = _page(here, wanted)
    lists = _lists(here)
    rows = rows_of(here, lines, wanted, lists[0] if lists else None)
    rated, everybody = current.count(here.pool, wanted)
    return here.render(
        "rating_list.html", tab="list", rows=rows, rated=rated, everybody=everybody, lists=lists[:12],
        published=lists[0] if lists else None, ranked=figures.ranked(here.rules), choices=choices,
        filtered=bool(filter_of(here)), previous=_cursor(here, lines[0]) if earlier and lines else None,
        next=_cursor(here, lines[-1]) if later and lines else None, exports=links(here, "pool-list-file"),
    )  # fmt: skip


def of_day(here: Here, day: int) -> HttpResponse:
    """The list published for a day; where there is none, the list of that day as known now."""
    from arpad.web.pages.past_list import of_day as past

    return past(here, day)


# --- what is asked for ----------------------------------------------------------------------------------


def filter_of(here: Here) -> dict[str, str]:
    asked = here.request.GET
    return {name: asked[name] for name in ("club", "rank", "active") if asked.get(name)}


def asked_for(here: Here) -> tuple[Wanted, dict[str, Any]]:
    """The filter of the query, and what its fields offer. What is not understood filters nothing."""
    asked = filter_of(here)
    clubs = [(short(here.organisation, club.uuid), club.name, club.pk) for club in _clubs(here)]
    club = next((key for ident, _name, key in clubs if ident == asked.get("club")), 0)
    low, high = bands.limits(here.rules, asked.get("rank", ""))
    played = here.today - ACTIVE if asked.get("active") else 0
    day = datetime.date.fromordinal(here.today)
    without = tuple(unlisted(here.organisation, day))
    wanted = Wanted(club, played, low, high, None, without, day.isoformat())
    choices = {
        "clubs": [(ident, name, ident == asked.get("club")) for ident, name, _key in clubs],
        "ranks": [(value, text, value == asked.get("rank")) for value, text in bands.choices(here.rules)],
        "active": bool(asked.get("active")),
    }
    return wanted, choices


def _clubs(here: Here) -> list[Club]:
    rows = Club.objects.filter(organisation=here.organisation, recording__number__isnull=False)
    return list(rows.order_by("name"))


def _page(here: Here, wanted: Wanted) -> tuple[list[Line], bool, bool]:
    """The lines asked for, and whether there are any before and after them."""
    asked = here.request.GET
    after, before = (_read_cursor(here, asked.get(name, "")) for name in ("after", "before"))
    if before is not None and after is None:
        lines = current.page(here.pool, wanted, SIZE + 1, before=before)
        return lines[-SIZE:], len(lines) > SIZE, True
    start = after or _jump(here, asked.get("go", "").strip())
    lines = current.page(here.pool, wanted, SIZE + 1, after=start)
    return lines[:SIZE], start is not None, len(lines) > SIZE


def _jump(here: Here, text: str) -> tuple[int, int] | None:
    """Just before a place ("14"), a rating ("1683" above the number of players), or a name."""
    if not text:
        return None
    number = text.replace(figures.MINUS, "-").replace(",", ".")
    if not re.fullmatch(r"[-+]?[0-9]{1,6}(\.[0-9]{1,6})?", number):
        found = find(here.organisation, text, limit=5)
        keys = [one.person for one in found if here.names[one.person].level == "full"]
        line = next(iter(current.lines(here.pool, keys).values()), None)
        return None if line is None else (_grains(line), line.person - 1)
    value = float(number)
    rated, _everybody = current.count(here.pool)
    if value == int(value) and 1 <= value <= rated and not number.startswith(("-", "+")):
        line = current.line_at(here.pool, int(value))
        return None if line is None else (_grains(line), line.person - 1)
    return (round(value * here.rules.per_point), 0)


def _grains(line: Line) -> int:
    return UNRATED if line.rating is None else line.rating


def _cursor(here: Here, line: Line) -> str:
    return f"{_grains(line)}.{here.names[line.person].id}"


def _read_cursor(here: Here, text: str) -> tuple[int, int] | None:
    rating, _dot, ident = text.rpartition(".")
    if not re.fullmatch(r"-?[0-9]{1,10}", rating) or abs(int(rating)) > 2**31:
        return None
    person = here.find(Person.objects.only("pk"), ident)
    return None if person is None else (int(rating), person.pk)


# --- what is printed ------------------------------------------------------------------------------------


def _lists(here: Here) -> list[RatingList]:
    """The lists that were published and not withdrawn, newest first."""
    return list(RatingList.objects.filter(pool=here.pool, withdrawn=None).order_by("-day"))


def rows_of(here: Here, lines: list[Line], wanted: Wanted, published: RatingList | None = None) -> list[Row]:
    people = [line.person for line in lines]
    here.names.load(people)
    clubs = clubs_today(here, people)
    before = _before(published, people)
    sparks = sparklines(here, people)
    places = _places(here, lines, Wanted(without=wanted.without))
    within = _places(here, lines, wanted) if filter_of(here) else [None] * len(lines)
    rows = []
    for at, line in enumerate(lines):
        band = bands.of(here.rules, line.rating)
        following = bands.of(here.rules, lines[at + 1].rating) if at + 1 < len(lines) else band
        shown = here.names[line.person]
        club = clubs.get(line.person)
        rows.append(Row(
            places[at], within[at], shown.text, shown.id, club[1] if club else "",
            club[0] if club else "", bands.label(line.label, here.language),
            here.rating(line.rating), _gain(here, line, before), sparks.get(line.person),
            line.games, line.last_played, band.style, band.rank != following.rank,
            bands.other_rank(here.rules, line, here.language), bands.is_provisional(here.rules, line.games),
        ))  # fmt: skip
    return rows


def clubs_today(here: Here, people: list[int]) -> dict[int, tuple[str, str]]:
    """Person -> (id, name) of the club today."""
    found = current.clubs(people, datetime.date.fromordinal(here.today).isoformat())
    return {person: (short(here.organisation, identity), name) for person, (identity, name) in found.items()}


def _before(published: RatingList | None, people: list[int]) -> dict[int, int]:
    if published is None:
        return {}
    rows = ListEntry.objects.filter(list=published, person__in=people)
    return dict(rows.values_list("person_id", "rating"))


def _gain(here: Here, line: Line, before: dict[int, int]) -> str:
    old = before.get(line.person, UNRATED)
    if line.rating is None or old == UNRATED:
        return ""
    return here.change(line.rating - old)


def _places(here: Here, lines: list[Line], wanted: Wanted) -> list[int | None]:
    """Equal ratings share a place; who has no rating has none."""
    found = current.places(here.pool, [line.rating for line in lines if line.rating is not None], wanted)
    return [None if line.rating is None else found[line.rating] for line in lines]
