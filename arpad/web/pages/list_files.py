"""The rating list as a file: as it is now (with the page's filter), as published, or of another day."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from django.http import Http404, HttpResponseBase
from django.utils.translation import gettext as _

from arpad.domain.dates import day_text, read_day
from arpad.domain.units import UNRATED
from arpad.formats.listing import DAY, FORMS, FREE, NUMBER, WORD, Column, ListPage, Part
from arpad.formats.spreadsheet import Value
from arpad.store import current
from arpad.store.current import Wanted
from arpad.web import bands, figures
from arpad.web.here import Here
from arpad.web.outgoing import address, answer, dateline, facts, points, told_apart
from arpad.web.pages import past_list
from arpad.web.pages.rating_list import asked_for, clubs_today, filter_of
from arpad.web.worker.client import NotPossible, WorkerAway

CHUNK = 5_000  # lines of one query


class Entry(NamedTuple):
    """A line of any list; a rating in grains."""

    place: int | None
    person: int
    rating: int | None
    label: str
    games: int
    played: int | None = None  # None: this list does not say


def latest(here: Here, form: str) -> HttpResponseBase:
    """The list as it is now, or the part of it that the filter of the page shows."""
    _only_lists(form)
    wanted, choices = asked_for(here)
    lines = list(_all(here, wanted))
    whole = _all(here, Wanted(without=wanted.without)) if filter_of(here) else lines
    places = _places([line.rating for line in whole])
    entries = [
        Entry(places.get(line.rating), line.person, line.rating, line.label, line.games, line.last_played)
        for line in lines
    ]
    told = [_("Ratings of %(day)s") % {"day": figures.date_text(here.today, here.language, True)}]
    told += dateline(here) + _filter_told(here, choices)
    day = day_text(here.today)
    page = _page(here, entries, told, facts(here, day=day, known=day), (address(here, "pool-list"),))
    return answer(here, form, f"{here.organisation.slug}-{here.pool.slug}-{day}", page)


def of_day(here: Here, day: int, form: str) -> HttpResponseBase:
    """The official list of a day where there is one; ?computed=1, ?known= or another day: computed now."""
    _only_lists(form)
    known = read_day(here.request.GET.get("known", "")) or None
    try:
        found = past_list.find(here, day, known)
    except WorkerAway:
        return here.render("list_away.html", status=503, day=day, past=True, tab="list")
    except NotPossible as refused:
        return here.render("list_away.html", status=409, day=day, past=True, tab="list", why=refused.message)
    places = _places([rating for _person, rating, *_rest in found.lines])
    entries = [
        Entry(places.get(rating), person, rating, label, games)
        for person, rating, label, games in found.lines
    ]
    told = [_("Ratings of %(day)s") % {"day": figures.date_text(day, here.language, True)}]
    more: dict[str, Any] = {"day": day_text(day)}
    foot = [address(here, "pool-list-day", day)]
    if found.published is not None:
        told.append(_("as published, version %(version)s") % {"version": found.published.version})
        if found.facts["withdrawn"]:
            told.append(_("This list was withdrawn."))
        more |= {
            "recording": found.published.through, "version": found.published.version,
            "published": found.published.published.isoformat(timespec="seconds"),
            "withdrawn": bool(found.facts["withdrawn"]), "sha256": found.published.digest,
        }  # fmt: skip
        foot.insert(0, f"sha256 {found.published.digest}")
    else:
        then = figures.date_text(known or here.today, here.language, True)
        told.append(_("as known on %(day)s") % {"day": then})
        more |= {"known": day_text(known or here.today), "recording": found.facts["recording"]}
        if found.facts["rules_changed"]:
            told.append(_("the rules or the program have changed since"))
            more["rules_changed"] = True
    told += dateline(here)[-1:] if here.reader.may_enter else []
    page = _page(here, entries, told, facts(here, **more), tuple(foot))
    return answer(here, form, f"{here.organisation.slug}-{here.pool.slug}-{day_text(day)}", page)


def _only_lists(form: str) -> None:
    """EGD tables and TRF are of events."""
    if form not in FORMS:
        raise Http404


def _all(here: Here, wanted: Wanted) -> Iterator[current.Line]:
    """Every line that is wanted."""
    after = None
    while True:
        lines = current.page(here.pool, wanted, CHUNK, after=after)
        yield from lines
        if len(lines) < CHUNK:
            return
        last = lines[-1]
        after = (UNRATED if last.rating is None else last.rating, last.person)


def _places(ratings: Sequence[int | None]) -> dict[int | None, int]:
    """Rating -> place; equal ratings share one, and who has none has none."""
    places: dict[int | None, int] = {}
    for at, rating in enumerate(ratings, 1):
        if rating is not None:
            places.setdefault(rating, at)
    return places


def _filter_told(here: Here, choices: dict[str, Any]) -> list[str]:
    told = [name for _ident, name, chosen in choices["clubs"] if chosen]
    told += [text for _value, text, chosen in choices["ranks"] if chosen]
    return [*told, *([_("Played in the last year")] if choices["active"] else [])]


def _page(
    here: Here, entries: list[Entry], told: list[str], more: dict[str, Any], foot: tuple[str, ...]
) -> ListPage:
    people = [entry.person for entry in entries]
    here.names.load(people)
    clubs: dict[int, tuple[str, str]] = {}
    for at in range(0, len(people), CHUNK):
        clubs |= clubs_today(here, people[at : at + CHUNK])
    of = [clubs[person][1] if person in clubs else "" for person in people]
    names = told_apart([here.names[person].name for person in people], of)
    hidden = _("name not shown")
    dated = any(entry.played is not None for entry in entries)
    rows: list[Sequence[Value]] = []
    for entry, name, club in zip(entries, names, of, strict=True):
        played = [datetime.date.fromordinal(entry.played) if entry.played else None] if dated else []
        label = bands.rank(entry.label, here.language, short=True)
        rank = [label] if figures.ranked(here.rules) else []
        rows.append((
            entry.place, name or hidden, here.names[entry.person].id, club, *rank,
            points(here, entry.rating), entry.games, *played,
        ))  # fmt: skip
    marks = [bands.of(here.rules, entry.rating).style for entry in entries]
    part = Part("players", _("Players"), _columns(here, dated), rows, marks)
    return ListPage(
        _("Rating list"), here.organisation.name, here.pool.name, here.language, tuple(told), (part,), more,
        foot,
    )  # fmt: skip


def _columns(here: Here, dated: bool) -> tuple[Column, ...]:
    """Headings that our own reader of tables knows, and that are not those of the machine files."""
    ranked = [Column("label", _("Rank"), WORD)] if figures.ranked(here.rules) else []
    played = [Column("last_played", _("Last played"), DAY)] if dated else []
    return (
        Column("place", _("Place"), NUMBER),
        Column("player", _("Name"), FREE, strong=True),
        Column("id", "id", WORD, json_only=True),
        Column("club", _("Club"), FREE),
        *ranked,
        Column("rating", _("Rating"), NUMBER, figures.decimals(here.rules), strong=True),
        Column("games", _("Games"), NUMBER),
        *played,
    )
