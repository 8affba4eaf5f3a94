"""What must hold on every page: no GET writes, headers, no name of a minor, nothing of another tenant."""

from __future__ import annotations

import hashlib
import re

import pytest

from tests.web.addresses import FIXTURES, everywhere, routes

ROLES = ("", "entry", "officer", "admin")
CANARY = "Zwartbrug-Quaegebeur"  # a family name that occurs nowhere else
FIRST = "Xaveria"


def test_every_route_has_an_example():
    assert sorted(set(routes()) - set(FIXTURES)) == []


def tables():
    """A digest of every table that is not a session."""
    from django.db import connection

    found = hashlib.sha256()
    with connection.cursor() as cursor:
        for table in sorted(connection.introspection.table_names(cursor)):
            if "session" not in table:
                cursor.execute(f"SELECT * FROM {table}")
                rows = [row for row in cursor.fetchall() if table != "auth_user"]
                found.update(repr((table, rows)).encode())
    return found.hexdigest()


@pytest.mark.parametrize("role", ROLES)
def test_looking_changes_nothing_and_never_fails(site, role):
    browser, before = site.client(role), tables()
    for name, address in everywhere(site):
        for ask in (browser.get, browser.head):
            answer = ask(address)
            assert answer.status_code < 500, (name, address)
    assert tables() == before


def test_headers_of_every_page(site):
    for name, address in everywhere(site):
        answer = site.get(address)
        policy = answer.headers["Content-Security-Policy"]
        assert "unsafe" not in policy and "default-src 'none'" in policy, name
        for header in ("X-Content-Type-Options", "X-Frame-Options", "Referrer-Policy", "Permissions-Policy"):
            assert header in answer.headers, (name, header)
        assert answer.headers["Cache-Control"], name
        if answer.headers.get("Content-Type", "").startswith("text/html"):
            text = answer.content.decode()
            assert not re.search(r"<style|<[^>]+ style=|<script(?![^>]*src=)| on[a-z]+=\"", text), name


@pytest.fixture
def canary(site):
    """A minor with a name that occurs nowhere else, in the go federation: (person's key, id)."""
    import datetime

    from arpad.store.models import BirthDate, Organisation, OutsideId, Person, PersonName, Pool
    from arpad.store.people import rebuild_keys
    from arpad.store.settle import Settler
    from arpad.web.ids import short

    organisation = Organisation.objects.get(slug="go")
    row = PersonName.objects.get(name="Bart Uytterhoeven", shown=True)
    PersonName.objects.filter(pk=row.pk).update(name=f"{FIRST} {CANARY}")
    rebuild_keys(organisation, row.person_id)
    now = datetime.datetime.now(datetime.UTC)
    BirthDate.objects.create(
        organisation=organisation, person=row.person, year=now.year - 12,
        day=datetime.date(now.year - 12, 7, 13), recorded=now, recorded_by="1",
    )  # fmt: skip
    OutsideId.objects.create(
        organisation=organisation, person=row.person, kind="fide", value="99887766", recorded=now,
        recorded_by="1",
    )  # fmt: skip
    pool = Pool.objects.get(organisation=organisation)
    Settler(pool).settle()
    identity = Person.objects.get(pk=row.person_id).uuid
    return row.person_id, short(organisation, identity)


def _texts(site, role, person):
    browser = site.client(role)
    extra = [
        f"/en/go/go/players/{person}", f"/en/go/search?q={CANARY[:6]}", f"/en/go/search?q={FIRST}",
        f"/en/go/go/list/latest?go={CANARY}", "/en/go/go/list/2025-06-01", "/sitemap.xml", "/robots.txt",
        f"/en/go/go/players/{person}?why=x",
    ]  # fmt: skip
    pages = [address for _name, address in everywhere(site)] + extra
    from tests.web.test_players import re as _re

    page = browser.get(f"/en/go/go/players/{person}")
    whys = _re.findall(r"why=([a-z0-9]+)#", page.content.decode()) if page.status_code == 200 else []
    pages += [f"/en/go/go/players/{person}?why={why}" for why in whys[:3]]
    pages += _re.findall(r'href="(/en/go/go/events/[a-z0-9]+)"', page.content.decode())[:5]
    for address in pages:
        answer = browser.get(address)
        body = b"".join(answer.streaming_content) if answer.streaming else answer.content
        yield address, body.decode("utf-8", "replace") + repr(dict(answer.headers))


@pytest.mark.parametrize("level", ["initial", "hidden"])
def test_what_is_hidden_of_a_minor_occurs_nowhere(site, canary, level):
    from arpad.store.models import OrganisationPage

    OrganisationPage.objects.filter(organisation__slug="go").update(minors=level)
    for address, text in _texts(site, "", canary[1]):
        told = text.replace(f"q={CANARY[:6]}", "").replace(f"go={CANARY}", "")
        told = re.sub(r'value="[^"]*"|“[^”]*”|Location[^,]*|href="[^"]*"|Nobody is called[^<]*', "", told)
        assert CANARY[:8] not in told and "99887766" not in told and "-07-13" not in told, address
        if level == "hidden":
            assert FIRST not in told, address


def test_an_officer_sees_whom_he_enters(site, canary):
    assert CANARY in site.get(f"/en/go/go/players/{canary[1]}", role="officer").content.decode()


def test_another_organisation_s_administrator_sees_nothing(site, canary):
    from django.contrib.auth import get_user_model

    from arpad.store.models import Organisation, OrganisationPage
    from arpad.web.models import ADMIN, Role

    OrganisationPage.objects.filter(organisation__slug="go").update(open=False)
    user = get_user_model().objects.create_user(username="elsewhere", password="x")
    other = Organisation.objects.get(slug="chess")
    Role.objects.create(user=user, organisation=other, role=ADMIN, author="900")
    browser = site.client()
    browser.force_login(user)
    for name, address in everywhere(site):
        answer = browser.get(address)
        if "/go" in address:
            assert answer.status_code in (404, 302), (name, address)
            assert "Location" not in answer.headers or "sign-in" in answer.headers["Location"], address
        assert CANARY not in answer.content.decode(), address
