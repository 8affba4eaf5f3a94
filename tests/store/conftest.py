"""Every test here runs on both databases."""

from __future__ import annotations

import pytest

from arpad.store import setup
from tests.store import databases


@pytest.fixture(params=databases.KINDS)
def address(request, tmp_path):
    """The address of a fresh database with its tables; Django's default connection uses it."""
    found = databases.url(request.param, tmp_path)
    databases.use(found)
    yield found
    from django.db import connections

    connections.close_all()


@pytest.fixture
def organisation(address):
    """An organisation with fixed salts, so that both databases compute the same digests."""
    from uuid import UUID

    from arpad.store.models import Organisation

    return Organisation.objects.create(
        slug="club", name="A club", uuid=UUID(int=1), salt=b"0123456789abcdef", time_zone="Europe/Brussels"
    )


@pytest.fixture
def make_pool(organisation):
    """make_pool("us-table-tennis") -> Pool"""
    from arpad.store.models import Pool
    from arpad.store.recorder import recording

    def make(ruleset: str, slug: str = "main") -> Pool:
        with recording(organisation, author="1", role="administrator", kind="set-up") as r:
            made = r.pool(slug, slug.title(), ruleset)
        return Pool.objects.get(pk=made.key)

    return make


setup.start()
