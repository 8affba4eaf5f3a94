"""Who is reading, and what of an organisation that reader may see. What may not be seen is 404."""

from __future__ import annotations

from typing import NamedTuple

from django.http import Http404, HttpRequest

from arpad.store.days import today
from arpad.store.models import Organisation, OrganisationPage, Pool, PoolPage
from arpad.web.models import ADMIN, ENTRY, OFFICER, ROLES, Role


class Reader(NamedTuple):
    """A visitor (no role), or somebody with a role in this organisation."""

    role: str = ""
    author: str = ""
    club: int = 0  # key of the club whose results he or she may enter; 0: all
    user: int = 0

    def may(self, role: str) -> bool:
        """Whether the reader has this role or one above it."""
        return bool(self.role) and ROLES.index(self.role) >= ROLES.index(role)

    @property
    def is_officer(self) -> bool:
        return self.may(OFFICER)

    @property
    def is_admin(self) -> bool:
        return self.may(ADMIN)

    @property
    def may_enter(self) -> bool:
        return self.may(ENTRY)


def reader_of(request: HttpRequest, organisation: Organisation) -> Reader:
    """The reader's role in an organisation, while it holds."""
    user = request.user
    if not user.is_authenticated:
        return Reader()
    row = Role.objects.filter(user=user.pk, organisation=organisation).first()
    if row is None or (row.until is not None and row.until.toordinal() < today(organisation)):
        return Reader(user=user.pk)
    return Reader(row.role, row.author, row.club_id or 0, user.pk)


def page_of(organisation: Organisation) -> OrganisationPage:
    """What the organisation says of itself; the careful defaults where it said nothing."""
    return organisation.page if hasattr(organisation, "page") else OrganisationPage(organisation=organisation)


def find_organisation(request: HttpRequest, slug: str) -> tuple[Organisation, OrganisationPage, Reader]:
    """The organisation, for somebody who may know that it exists."""
    organisation = Organisation.objects.select_related("page").filter(slug=slug).first()
    if organisation is None:
        raise Http404
    page, reader = page_of(organisation), reader_of(request, organisation)
    if not page.open and not reader.role:
        raise Http404
    return organisation, page, reader


def pools_for(organisation: Organisation, reader: Reader) -> list[Pool]:
    """The pools a reader may see, in the organisation's order. `pool.page` is never missing."""
    rows = list(
        Pool.objects.filter(organisation=organisation, recording__number__isnull=False).select_related("page")
    )
    found = []
    for pool in rows:
        pool.organisation = organisation
        if not hasattr(pool, "page"):
            pool.page = PoolPage(organisation=organisation, pool=pool)
        if pool.page.visible != "members" or reader.role:
            found.append(pool)
    return sorted(found, key=lambda pool: (pool.page.order, pool.pk))


def listed(pools: list[Pool], reader: Reader) -> list[Pool]:
    """Those that navigation names: an unlisted pool is found by its address alone."""
    return [pool for pool in pools if pool.page.visible == "public" or reader.role]
