"""A player's page: the number, its reasons, what changed afterwards."""

from __future__ import annotations

import re

import pytest

PLAYERS = ("Bart Uytterhoeven", "Willem Roth", "Thijs Dierckx", "Mehmet Schreurs")


@pytest.mark.parametrize("name", PLAYERS)
@pytest.mark.parametrize("language", ["nl", "fr", "de", "en"])
def test_the_page_of_a_player(site, name, language):
    answer = site.get(f"/{language}{site.player(name)}")
    assert answer.status_code == 200
    assert answer.headers["Content-Language"] == language
    assert '<svg class="chart wide"' in answer.content.decode()


def test_why_opens_the_derivation(site):
    address = "/en" + site.player("Bart Uytterhoeven")
    page = site.get(address).content.decode()
    why = re.search(r'why=([a-z0-9]+)#[^"]+">why\?<span class="vh"> Driekoningen', page)[1]
    told = site.get(address, why=why).content.decode()
    assert "How this came about" in told and "Con × weight × handicap factor" in told


def test_a_change_after_the_fact_is_told_to_its_origin(site):
    page = site.get("/en" + site.player("Bart Uytterhoeven")).content.decode()
    assert "a sheet found in the club box" in page


def test_a_minor_is_shown_by_first_name_and_initial(site):
    page = site.get("/fr" + site.player("Thijs Dierckx"))
    assert "Thijs D." in page.content.decode() and "Dierckx" not in page.content.decode()
    assert page.headers["X-Robots-Tag"] == "noindex"
    assert "Dierckx" in site.get("/fr" + site.player("Thijs Dierckx"), role="officer").content.decode()


def test_nobody_is_404(site):
    assert site.get("/en/go/go/players/0000000000000000").status_code == 404
    elsewhere = site.player("Willem Roth").rpartition("/")[2]
    assert site.get(f"/en/go/go/players/{elsewhere}").status_code == 404
