"""A site with the demonstration in it, made once a run; each test gets a copy of its own."""

from __future__ import annotations

import shutil
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from arpad.store import setup
from tests.store import databases

setup.start()
LANGUAGES = ("nl", "fr", "de", "en")


@lru_cache(maxsize=1)
def _made() -> None:
    """Static files and translations, once a process."""
    from django.conf import settings
    from django.core.management import call_command

    from arpad.web.made import make

    make(settings.DATA)
    Path(settings.STATIC_ROOT).mkdir(parents=True, exist_ok=True)
    call_command("collectstatic", verbosity=0, interactive=False)


@lru_cache(maxsize=1)
def _demonstration() -> Path:
    from arpad.demo.site import fill

    path = Path(tempfile.mkdtemp(prefix="arpad-demo-")) / "arpad.sqlite3"
    databases.use(f"sqlite:///{path}", migrate=True)
    fill()
    databases._close()
    return path


@pytest.fixture
def site(tmp_path: Path, settings_restored: Any) -> Any:
    """The demonstration on SQLite, this test's own: write to it at will."""
    _made()
    shutil.copy(_demonstration(), tmp_path / "arpad.sqlite3")
    databases.use(f"sqlite:///{tmp_path / 'arpad.sqlite3'}")
    from arpad.web.worker import client

    client._inline.cache_clear()
    yield Site()
    client._inline.cache_clear()
    databases._close()


@pytest.fixture
def settings_restored() -> Any:
    """django.conf.settings as they were, afterwards."""
    from django.conf import settings

    hosts = settings.ALLOWED_HOSTS
    settings.ALLOWED_HOSTS = ["testserver", *hosts]
    yield settings
    settings.ALLOWED_HOSTS = hosts


class Site:
    """What tests ask of the demonstration."""

    def client(self, role: str = "") -> Any:
        """A browser: a visitor, or signed in as "entry", "officer" or "admin"."""
        from django.contrib.auth import get_user_model
        from django.test import Client

        client = Client()
        if role:
            client.force_login(get_user_model().objects.get(username=f"demo-{role}"))
        return client

    def get(self, address: str, role: str = "", **query: str) -> Any:
        """The answer to one request."""
        return self.client(role).get(address, query)

    def player(self, name: str) -> str:
        """The address (without language) of a player's page: /go/go/players/..."""
        from arpad.store.models import PersonName, Pool
        from arpad.web.ids import short

        row = PersonName.objects.select_related("person__organisation").get(name=name, shown=True)
        organisation = row.person.organisation
        pool = Pool.objects.get(organisation=organisation)
        return f"/{organisation.slug}/{pool.slug}/players/{short(organisation, row.person.uuid)}"
