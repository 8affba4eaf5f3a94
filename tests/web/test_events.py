"""An event's page and the list of events."""

from __future__ import annotations

import re

import pytest

from tests.web.conftest import LANGUAGES

EVENTS = "/en/go/go/events"


def address_of(site, name, where="/en/go/go"):
    page = site.get(f"{where}/events", q=name).content.decode()
    return re.search(rf'href="({where}/events/[a-z0-9]+)">{re.escape(name)}', page)[1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_wall_list_in_each_language(site, language):
    answer = site.get(address_of(site, "Printemps de Mons", f"/{language}/go/go"))
    assert answer.status_code == 200 and 'class="wall"' in answer.content.decode()


def test_the_changes_of_the_wall_list_are_those_of_the_games(site):
    """Every change of a game stands in the list of games; a player's sum stands in the wall list."""
    page = site.get(address_of(site, "Printemps de Mons")).content.decode()
    assert "27 of 27" in page
    wall, games = page.split("<h2>Games</h2>")
    row = re.search(r'<th scope="row"><a class="who"[^>]*>Rachid Moens.*?</tr>', wall, re.S)[0]
    shown = [float(text.replace("−", "-")) for text in re.findall(r"</svg>([+−][0-9.]+)", row)]
    own = 0.0
    for line in re.findall(r"<tr>.*?</tr>", games, re.S):
        cells = re.findall(r">(?:<svg.*?</svg>)?([+−][0-9.]+)<", line)
        if ">Rachid Moens<" in line and len(cells) == 2:
            white = line.index(">Rachid Moens<") < line.index('class="c nb"')
            own += float(cells[0 if white else 1].replace("−", "-"))
    assert abs(own - shown[0]) < 0.051


def test_a_late_sheet_is_the_event_s_own_version(site):
    events = site.get(EVENTS).content.decode()
    for address in re.findall(r'href="(/en/go/go/events/[a-z0-9]+)"', events):
        page = site.get(address).content.decode()
        if "a sheet found in the club box" in page:
            assert "shown ratings changed" in page or "Version 1" in page
            return
    pytest.skip("the late sheet's event is on a later page")


def test_events_can_be_looked_up_and_paged(site):
    assert "No event of that name" in site.get(EVENTS, q="zzz").content.decode()
    first = site.get(EVENTS).content.decode()
    assert site.get(EVENTS, skip="50").content.decode() != first
    assert site.get(EVENTS, skip="x").status_code == 200


def test_an_event_of_elsewhere_is_404(site):
    found = address_of(site, "Clubavond 2", "/en/table-tennis/clubrating").rpartition("/")[2]
    assert site.get(f"{EVENTS}/{found}").status_code == 404
    assert site.get(f"{EVENTS}/0000000000000000").status_code == 404


def test_an_event_costs_few_queries(site):
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    address = address_of(site, "Printemps de Mons")
    with CaptureQueriesContext(connection) as queries:
        site.get(address)
    assert len(queries) <= 15, [q["sql"][:90] for q in queries]
