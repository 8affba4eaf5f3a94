"""Publishing the list of a day."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect

from arpad.domain.dates import read_day
from arpad.store import current
from arpad.store.models import OrganisationPage
from arpad.web.here import Here
from arpad.web.worker.client import NotPossible, WorkerAway, ask


def publish(here: Here) -> HttpResponse:
    """Say what will be frozen; freeze it."""
    day = read_day(here.request.POST.get("day", "")) or here.today
    rated, everybody = current.count(here.pool)
    context: dict[str, Any] = {
        "tab": "list",
        "day": day,
        "rated": rated,
        "everybody": everybody,
        "open": here.page.open,
    }
    if here.request.method != "POST":
        return here.render("publish.html", **context)
    try:
        ask("publish", pool=here.pool.pk, day=day, author=here.reader.author)
    except NotPossible as refused:
        return here.render("publish.html", status=409, refused=refused, **context)
    except WorkerAway:
        return here.render("publish.html", status=503, away=True, **context)
    if here.request.POST.get("open"):
        OrganisationPage.objects.filter(organisation=here.organisation).update(open=True)
    return redirect(here.url("pool-list-day", day))
