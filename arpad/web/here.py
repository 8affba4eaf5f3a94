"""What a page needs to know before it begins: who reads, where, in which language, of which day.

    page(rating_list)            -> a view of an organisation
    page(rating_list, pool=True) -> a view of one of its pools

Rights come first: what a reader may not see answers 404, before any redirect or check of the question.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, wraps
from typing import Any, TypeVar
from urllib.parse import urlencode

from django.conf import settings
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse

from arpad.rulesets.catalogue import Ruleset, find
from arpad.store.current import settlement_of
from arpad.store.days import today
from arpad.store.models import Organisation, OrganisationPage, Pool, Settlement
from arpad.web import figures
from arpad.web.ids import span
from arpad.web.reader import Reader, find_organisation, listed, pools_for
from arpad.web.shown import Names

M = TypeVar("M", bound=Model)


class Here:
    """One request's place. Pages get it as their only argument beside what the address names."""

    def __init__(
        self, request: HttpRequest, organisation: Organisation, page: OrganisationPage, reader: Reader,
        pools: list[Pool], pool: Pool | None,
    ) -> None:  # fmt: skip
        self.request, self.organisation, self.page, self.reader = request, organisation, page, reader
        self.pools, self._pool = pools, pool
        self.language: str = request.LANGUAGE_CODE

    @property
    def pool(self) -> Pool:
        """The pool of the address."""
        assert self._pool is not None
        return self._pool

    @cached_property
    def rules(self) -> Ruleset:
        """The pool's ruleset."""
        return find(self.pool.ruleset)

    @cached_property
    def settlement(self) -> Settlement | None:
        """The settlement that is shown."""
        return settlement_of(self.pool)

    @cached_property
    def today(self) -> int:
        """The day it is where the organisation is."""
        return today(self.organisation)

    @cached_property
    def names(self) -> Names:
        """Names as this reader may see them."""
        youth = self._pool is not None and self._pool.page.youth
        return Names(self.organisation, self.page, self.reader, youth)

    def find(self, rows: QuerySet[M], ident: str, field: str = "uuid") -> M | None:
        """The newest of some facts of this organisation whose id it is; None where there is none.

        field  that holds the UUID: another one's, as event__uuid, where the rows refer to the fact
        """
        try:
            first, last = span(self.organisation, ident)
        except ValueError:
            return None
        mine = {"organisation": self.organisation, "recording__number__isnull": False}
        return rows.filter(**mine, **{f"{field}__range": (first, last)}).order_by("-pk").first()

    def get(self, rows: QuerySet[M], ident: str, field: str = "uuid") -> M:
        """As find(). Raises Http404."""
        found = self.find(rows, ident, field)
        if found is None:
            raise Http404
        return found

    def number(self, name: str) -> int:
        """A whole number of the query; 0 where it is none."""
        text = self.request.GET.get(name, "")
        return int(text) if text.isascii() and text.isdigit() and len(text) < 8 else 0

    def url(self, name: str, *args: object) -> str:
        """The address of a page of this organisation (of this pool: names that begin with "pool-")."""
        where: list[object] = [self.language, self.organisation.slug]
        if name.startswith("pool-"):
            where.append(self.pool.slug)
        return reverse(name, args=[*where, *args])

    def rating(self, grains: int | None, detail: bool = False) -> str:
        """A rating as the language writes it."""
        return figures.rating(grains, self.rules, self.language, detail)

    def change(self, units: int, detail: bool = False, per_point: int = 0) -> str:
        """A change with its sign."""
        return figures.change(units, self.rules, self.language, detail, per_point)

    def render(self, template: str, status: int = 200, **context: Any) -> HttpResponse:
        """The page, with what every page shows around it."""
        frame = {
            "here": self, "organisation": self.organisation, "page_settings": self.page,
            "pool": self._pool, "pools": listed(self.pools, self.reader), "reader": self.reader,
            "language": self.language, "languages": self._other_languages(), "today": self.today,
            "settlement": self.settlement if self._pool else None, **self._settled(),
        }  # fmt: skip
        return render(self.request, f"arpad/{template}", {**frame, **context}, status=status)

    def _settled(self) -> dict[str, Any]:
        if self._pool is None or self.settlement is None:
            return {}
        day, time = figures.moment(self.settlement.started, self.organisation.time_zone)
        waiting = self.organisation.chain_number - self.settlement.through
        return {"settled_day": day, "settled_time": time, "waiting": max(0, waiting)}

    def _other_languages(self) -> list[dict[str, Any]]:
        """The same page in each language."""
        rest = self.request.get_full_path()[len(self.language) + 1 :]
        return [
            {"code": code, "name": name, "url": f"/{code}{rest}", "current": code == self.language}
            for code, name in settings.LANGUAGES
        ]


def page(view: Callable[..., HttpResponseBase], *, pool: bool = False) -> Callable[..., HttpResponseBase]:
    """A Django view from a function of Here. Only GET and HEAD."""

    @wraps(view)
    def answer(request: HttpRequest, language: str, org: str, **rest: Any) -> HttpResponseBase:
        here = here_of(request, org, rest.pop("pool") if pool else None)
        if request.method not in ("GET", "HEAD"):
            return HttpResponse(status=405, headers={"Allow": "GET, HEAD"})
        return view(here, **rest)

    return answer


def action(
    view: Callable[..., HttpResponseBase], role: str, *, pool: bool = False
) -> Callable[..., HttpResponseBase]:
    """A Django view that may write, for a role and those above it. Who has not signed in is sent to do so."""

    @wraps(view)
    def answer(request: HttpRequest, language: str, org: str, **rest: Any) -> HttpResponseBase:
        here = here_of(request, org, rest.pop("pool") if pool else None)
        if not here.reader.may(role):
            if request.user.is_authenticated:
                raise Http404
            return redirect(f"{reverse('sign-in')}?{urlencode({'next': request.get_full_path()})}")
        response = view(here, **rest)
        response.headers["Cache-Control"] = "no-store"
        return response

    return answer


def here_of(request: HttpRequest, org: str, pool: str | None = None) -> Here:
    """The place of a request. Raises Http404 for what this reader may not see."""
    organisation, settings_, reader = find_organisation(request, org)
    pools = pools_for(organisation, reader)
    found = None
    if pool is not None:
        found = next((one for one in pools if one.slug == pool), None)
        if found is None:
            raise Http404
    return Here(request, organisation, settings_, reader, pools, found)
