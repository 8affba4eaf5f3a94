"""An organisation's front page, and the search."""

from __future__ import annotations

import datetime

from django.http import HttpResponse
from django.utils.translation import gettext as _

from arpad.store.models import Event
from arpad.store.search import find
from arpad.web.here import Here
from arpad.web.reader import listed

LATEST = 8
FOUND = 30


def home(here: Here) -> HttpResponse:
    """The pools, the latest events."""
    events = Event.objects.filter(organisation=here.organisation, recording__number__isnull=False)
    latest = events.exclude(name="").exclude(start=None).order_by("-start", "-pk")[:LATEST]
    return here.render(
        "home.html", open_pools=listed(here.pools, here.reader),
        events=[(event, event.start.toordinal()) for event in latest if event.start],
    )  # fmt: skip


def search(here: Here) -> HttpResponse:
    """People by half a name, without accents. What is hidden from this reader is not found."""
    query = " ".join(here.request.GET.get("q", "").split())[:80]
    found = []
    if query:
        today = datetime.date.fromordinal(here.today)
        people = find(here.organisation, query, limit=FOUND, listed_on=today)
        here.names.load(one.person for one in people)
        for one in people:
            shown = here.names[one.person]
            if shown.level == "full":
                found.append((shown, one.meant))
    pools = listed(here.pools, here.reader)
    return here.render(
        "search.html", query=query, found=found, meant=any(meant for _shown, meant in found),
        where=pools[0] if pools else None, title=_("Search"),
    )  # fmt: skip
