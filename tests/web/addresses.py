"""An address for every route of the site: a route without one fails the tests that go through them all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

LANGUAGE = "en"


def routes() -> list[str]:
    """The name of every route."""
    from arpad.web.urls import urlpatterns

    return [str(pattern.name) for pattern in urlpatterns]


def example(site: Any, name: str, slug: str = "go", pool: str = "go") -> str:
    """An address of a route in an organisation of the demonstration."""
    return FIXTURES[name](Place(slug, pool))


class Place:
    """The facts that addresses need."""

    def __init__(self, slug: str, pool: str) -> None:
        from arpad.store.models import Organisation

        self.slug, self.pool = slug, pool
        self.organisation = Organisation.objects.get(slug=slug)
        self.org = f"/{LANGUAGE}/{slug}/"
        self.here = f"{self.org}{pool}/"

    def id_of(self, model: str) -> str:
        """The id of the newest fact of a kind."""
        from django.apps import apps

        from arpad.web.ids import short

        rows = apps.get_model("store", model).objects.filter(organisation=self.organisation)
        row = rows.exclude(name="").last() if model == "Event" else rows.last()
        return short(self.organisation, row.uuid) if row else "0" * 16


FIXTURES: dict[str, Callable[[Place], str]] = {
    "front": lambda p: "/",
    "organisations": lambda p: f"/{LANGUAGE}/",
    "set-up": lambda p: "/set-up/no-such-token",
    "sign-in": lambda p: "/sign-in",
    "sign-out": lambda p: "/sign-out",
    "without-language": lambda p: f"/{p.slug}/{p.pool}/list/latest",
    "home": lambda p: p.org,
    "search": lambda p: f"{p.org}search?q=van",
    "about": lambda p: f"{p.org}about",
    "pool-list": lambda p: f"{p.here}list/latest",
    "pool-list-day": lambda p: f"{p.here}list/2026-06-01",
    "pool-player": lambda p: f"{p.here}players/{p.id_of('Person')}",
    "pool-events": lambda p: f"{p.here}events",
    "pool-event": lambda p: f"{p.here}events/{p.id_of('Event')}",
    "pool-clubs": lambda p: f"{p.here}clubs",
    "pool-club": lambda p: f"{p.here}clubs/{p.id_of('Club')}",
    "pool-statistics": lambda p: f"{p.here}statistics",
    "pool-compare": lambda p: f"{p.here}compare?ruleset=elo-logistic",
    "pool-list-file": lambda p: f"{p.here}list/latest.csv",
    "pool-list-day-file": lambda p: f"{p.here}list/2026-06-01.json",
    "pool-event-file": lambda p: f"{p.here}events/{p.id_of('Event')}.csv",
    "pool-calculator": lambda p: f"{p.here}calculator?own=-1450&opponent=-750&handicap=4",
    "rules-index": lambda p: f"{p.org}rules/",
    "rules": lambda p: f"{p.org}rules/belgian-go/latest",
    "pool-start": lambda p: f"{p.here}start",
    "pool-publish": lambda p: f"{p.here}publish",
}


def everywhere(site: Any, slug: str = "go", pool: str = "go") -> Iterator[tuple[str, str]]:
    """(route, address) of every route that has a fixture."""
    place = Place(slug, pool)
    for name, make in FIXTURES.items():
        yield name, make(place)
