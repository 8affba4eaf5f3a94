"""Clubs: all of them, and one with its members in a pool."""

from __future__ import annotations

import datetime

from django.http import HttpResponse

from arpad.store import current
from arpad.store.current import Wanted
from arpad.store.models import Club
from arpad.store.people import unlisted
from arpad.web import figures
from arpad.web.here import Here
from arpad.web.ids import short
from arpad.web.pages.rating_list import rows_of

MEMBERS = 500  # lines of a club's page


def clubs(here: Here) -> HttpResponse:
    """The organisation's clubs with how many of their members the list knows."""
    day = datetime.date.fromordinal(here.today).isoformat()
    rows = Club.objects.filter(organisation=here.organisation, recording__number__isnull=False).order_by(
        "name"
    )
    counts = current.members(here.pool, day)
    found = [(short(here.organisation, row.uuid), row.name, counts.get(row.pk, 0)) for row in rows]
    return here.render("clubs.html", tab="clubs", clubs=found)


def club(here: Here, club: str) -> HttpResponse:
    """A club's members by rating."""
    row = here.get(Club.objects.all(), club)
    day = datetime.date.fromordinal(here.today)
    wanted = Wanted(club=row.pk, without=tuple(unlisted(here.organisation, day)), day=day.isoformat())
    lines = current.page(here.pool, wanted, MEMBERS)
    rated = [line.rating for line in lines if line.rating is not None]
    return here.render(
        "club.html", tab="clubs", club=row, rows=rows_of(here, lines, wanted), members=len(lines),
        mean=here.rating(sum(rated) // len(rated)) if rated else "", ranked=figures.ranked(here.rules),
    )  # fmt: skip
