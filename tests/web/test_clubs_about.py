"""Clubs with their members, and what an organisation says of itself."""

from __future__ import annotations

import re

import pytest

from tests.web.conftest import LANGUAGES

CLUBS = "/en/go/go/clubs"


def test_every_club_and_its_members(site):
    page = site.get(CLUBS).content.decode()
    addresses = re.findall(r'href="(/en/go/go/clubs/[a-z0-9]+)"', page)
    counts = [int(number) for number in re.findall(r'<td class="n">(\d+)</td>', page)]
    assert len(addresses) == 8 and sum(counts) == 200
    shown = site.get(addresses[0]).content.decode()
    assert shown.count('<th scope="row">') == counts[0]


def test_a_club_of_elsewhere_is_404(site):
    found = re.search(r"/clubs/([a-z0-9]+)", site.get(CLUBS).content.decode())[1]
    assert site.get(f"/en/chess/standard/clubs/{found}").status_code == 404
    assert site.get(f"{CLUBS}/0000000000000000").status_code == 404
    assert "No clubs yet" in site.get("/en/chess/standard/clubs").content.decode()


@pytest.mark.parametrize("language", LANGUAGES)
def test_about(site, language):
    from arpad.store.models import OrganisationPage

    OrganisationPage.objects.filter(organisation__slug="go").update(contact="<b>secretary</b>")
    page = site.get(f"/{language}/go/about").content.decode()
    assert "&lt;b&gt;secretary" in page and 'id="privacy"' in page


def test_a_private_organisation_is_not_there(site):
    from arpad.store.models import OrganisationPage

    OrganisationPage.objects.filter(organisation__slug="go").update(open=False)
    for address in ("/en/go/", "/en/go/about", "/go", "/go/go/list/latest", CLUBS, "/en/go/search?q=bart"):
        assert site.get(address).status_code == 404, address
        assert site.get(address, role="entry").status_code in (200, 302), address
    assert "A go federation" not in site.get("/en/").content.decode()


def test_a_members_pool_is_not_there_for_visitors(site):
    from arpad.store.models import PoolPage

    PoolPage.objects.filter(pool__slug="go").update(visible="members")
    assert site.get("/en/go/go/list/latest").status_code == 404
    assert site.get("/en/go/go/list/latest", role="entry").status_code == 200
    assert "/go/go/" not in site.get("/en/go/").content.decode()
