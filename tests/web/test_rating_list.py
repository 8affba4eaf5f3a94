"""The rating list: order, places, filters, pages and jumps."""

from __future__ import annotations

import re

import pytest

LIST = "/en/go/go/list/latest"


def names(answer):
    return re.findall(r'<a class="who" href="[^"]*players[^"]*">([^<]+)</a>', answer.content.decode())


def places(answer):
    return [int(place) for place in re.findall(r'class="n place">(\d+)', answer.content.decode())]


def test_the_first_page_has_a_hundred_lines_by_rating(site):
    answer = site.get(LIST)
    assert answer.status_code == 200
    assert len(names(answer)) == 100
    assert places(answer) == sorted(places(answer)) and places(answer)[0] == 1


def test_pages_hold_everybody_once(site):
    seen, address = [], LIST
    while address:
        answer = site.get(address)
        seen += names(answer)
        found = re.search(r'rel="next" href="([^"]+)"', answer.content.decode())
        address = LIST + found[1].replace("&amp;", "&") if found else None
    assert len(seen) == len(set(seen)) == 200
    back = re.search(r'rel="prev" href="([^"]+)"', answer.content.decode())
    assert names(site.get(LIST + back[1].replace("&amp;", "&"))) == seen[:100]


def test_places_under_a_filter_are_those_of_the_whole_list(site):
    whole = dict(zip(names(site.get(LIST)), places(site.get(LIST)), strict=True))
    some = site.get(LIST, rank="1")
    assert 0 < len(names(some)) < 100
    assert places(some) == [whole[name] for name in names(some) if name in whole]


@pytest.mark.parametrize("go", ["Bart Uytterhoeven", "122", "-1253"])
def test_go_to_a_name_a_place_or_a_rating(site, go):
    assert names(site.get(LIST, go=go))[0] == "Bart Uytterhoeven"


@pytest.mark.parametrize(
    "query",
    [
        {"after": "x.y"},
        {"after": "1.0000000000000000"},
        {"rank": "999"},
        {"club": "'"},
        {"go": "\x00"},
        {"go": "1e400"},
        {"go": "nan"},
    ],
)
def test_nonsense_is_no_error(site, query):
    assert site.get(LIST, **query).status_code == 200


@pytest.mark.parametrize(("query", "most"), [({}, 15), ({"rank": "-5", "active": "1"}, 15)])
def test_a_page_costs_few_queries(site, query, most):
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as queries:
        site.get(LIST, **query)
    assert len(queries) <= most


def test_the_official_list_stays_and_says_so(site):
    answer = site.get("/en/go/go/list/2026-06-01").content.decode()
    assert "as published" in answer
    assert len(re.findall(r'class="who"', answer)) == 100
    computed = site.get("/en/go/go/list/2026-06-01", computed="1").content.decode()
    assert "as known today" in computed
    assert computed != answer


def test_a_list_of_any_day_as_known_on_another(site):
    assert "as known on" in site.get("/en/go/go/list/2025-06-01", known="2026-11-30").content.decode()
    assert site.get("/en/go/go/list/2025-02-30").status_code == 404
