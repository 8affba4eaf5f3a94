"""Statistics of a pool, and comparing rules: for officers only."""

from __future__ import annotations

import re

import pytest

from tests.web.conftest import LANGUAGES

PAGE = "/en/go/go/statistics"
COMPARE = "/en/go/go/compare"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "where", ["go/go", "table-tennis/clubrating", "chess/standard", "youth-chess/jeunes"]
)
def test_the_page_in_each_language(site, language, where):
    answer = site.get(f"/{language}/{where}/statistics")
    assert answer.status_code == 200 and "calibration" in answer.content.decode()


def test_the_spread_holds_everybody_who_played_last_year(site):
    from arpad.store.models import Standing

    page = site.get(PAGE).content.decode()
    spread = page.split("</table>")[0]
    counted = sum(int(n) for n in re.findall(r'<td class="n">(\d+)</td>', spread))
    from arpad.store.days import today
    from arpad.store.models import Organisation

    since = today(Organisation.objects.get(slug="go")) - 365
    played = Standing.objects.filter(pool__slug="go", gone=False, last_played__gte=since, rating__gt=-(2**31))
    assert abs(counted - played.values("person").distinct().count()) <= 2


def test_comparing_is_for_officers(site):
    assert site.get(COMPARE).status_code == 302
    assert site.get(COMPARE, role="entry").status_code == 404
    assert site.get(COMPARE, role="officer").status_code == 200


def test_the_same_rules_move_nobody(site):
    page = site.get(COMPARE, role="officer", ruleset="belgian-go").content.decode()
    assert "no larger than chance" in page and re.search(r"(\d+) of \1 players keep their place", page)


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ({"ruleset": "bridge"}, 422),
        ({"ruleset": "belgian-go", "set": "k=40"}, 422),
        ({"ruleset": "belgian-go", "set": "ceiling=x"}, 422),
        ({"ruleset": "belgian-go", "set": "ceiling=1.0"}, 200),
    ],
)
def test_what_is_asked_is_understood_or_said(site, query, status):
    assert site.get(COMPARE, role="officer", **query).status_code == status
