"""The rules' pages: made from the rulesets, in every language, with numbers that are computed."""

from __future__ import annotations

import re

import pytest

from arpad.rulesets.catalogue import find, names
from arpad.web import points, rules_prose, rules_tables

LANGUAGES = ("nl", "fr", "de", "en")


def plain(answer) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()))


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_ruleset_has_a_page(site, language):
    index = site.get(f"/{language}/go/rules/")
    assert index.status_code == 200
    for name in names():
        assert f"/{language}/go/rules/{name}/latest" in index.content.decode()
        answer = site.get(f"/{language}/go/rules/{name}/latest")
        page = answer.content.decode()
        assert answer.status_code == 200, name
        assert all(f'id="p-{field}"' in page for field in find(name).params_type._fields), name
        assert 'id="step"' in page and 'id="afterwards"' in page
        ids = re.findall(r' id="([^"]+)"', page.partition("<main")[2])
        assert len(ids) == len(set(ids)), name
        links = set(re.findall(r'href="#([^"]+)"', page))
        assert links - {"main"} <= set(ids) | set(re.findall(r'<symbol id="([^"]+)"', page)), name


def test_the_page_says_which_edition(site):
    page = plain(site.get("/en/go/rules/belgian-go/2003-02-01"))
    assert "Edition of 1 June 2001" in page and "This is not the edition in force today." in page
    page = plain(site.get("/en/go/rules/belgian-go/latest"))
    assert "Edition in force: 1 January 2021" in page and "not the edition in force" not in page


def test_what_an_edition_changed_is_computed(site):
    page = plain(site.get("/en/go/rules/belgian-go/latest"))
    editions = page[
        page.index("An event is rated by the edition") : page.index("No parameter is changed here")
    ]
    assert re.search(r"1 January 2021 this page .*board_13 .* 1 0\.5 .*board_9 .* 1 0\.3 ", editions)
    assert re.search(r"1 May 2004 .*giver_squared .* 0 1 .*1 June 2001 The first edition", editions)


def test_the_worked_examples_are_run(site):
    page = plain(site.get("/en/go/rules/belgian-go/latest"))
    for printed, computed in (("46.4", "+46.40"), ("38.6", "+37.61"), ("41.22", "+41.22")):
        assert re.search(rf"the source prints {printed}\s+{re.escape(computed)}", page), printed
    early = plain(site.get("/en/go/rules/belgian-go/2003-02-01"))  # the giver's factor was not squared
    assert "+37.61" not in early and "+41.22" in early
    assert "−5.00" in plain(site.get("/en/go/rules/us-table-tennis/latest"))


def test_the_contradiction_is_told(site):
    page = plain(site.get("/en/go/rules/belgian-go/latest"))
    assert "Text and table disagree in 24 of 54 numbers" in page
    assert "5 kyu beats somebody 200 weaker: +9.4" in page and "5 kyu beats somebody 200 weaker: +8.7" in page
    assert points.contradiction(738_000, 1.0, "en").differ == 0


def test_the_federations_own_table_cell_for_cell():
    """54 published cells: tests/rulesets/vectors/belgian-go-points.csv."""
    import csv
    from pathlib import Path

    path = Path(__file__).parents[1] / "rulesets" / "vectors" / "belgian-go-points.csv"
    rows = list(csv.DictReader(path.read_text("utf-8").splitlines()))
    shown = [cell.printed for row in points.table(738_000, 0.986, "en") for cell in row.cells]
    assert sorted(map(float, shown)) == sorted(float(row["won"]) for row in rows)


def test_tables_are_read_off_the_rules():
    rules = find("belgian-go")
    found = {table.id: table for table in rules_tables.tables(rules, rules.editions[-1][1], "en")}
    assert found["con-and-a"].lines[0].cells == ("−1950", "20 kyu", "116", "200")
    assert len(found["con-and-a"].lines) == 27
    assert found["handicaps"].lines[3].cells == ("4", "350", "0.65", "0.4225")
    assert [line.cells[::2] for line in found["classes"].lines] == [
        ("A", "1.2"), ("B", "1"), ("C", "0.8"), ("D", "0"),
    ]  # fmt: skip
    chess = find("fide-standard")
    found = {table.id: table for table in rules_tables.tables(chess, chess.editions[-1][1], "fr")}
    assert found["table-8-1-2"].lines[0].cells == ("0–3", "0,50", "0,50")
    assert found["table-8-1-2"].lines[-1].cells == ("736+", "1,00", "0,00")
    assert found["table-8-1-1"].lines[0].cells == ("1,00", "800")


def test_a_clubs_own_parameters_are_marked(site):
    from arpad.store.models import Organisation, Pool
    from arpad.store.recorder import recording, ref

    organisation = Organisation.objects.get(slug="go")
    pool = Pool.objects.get(organisation=organisation)
    address = "/en/go/rules/belgian-go/"
    assert "own parameters" not in plain(site.get(address + "latest"))
    with recording(organisation, author="1", role="administrator", kind="set-up") as r:
        r.parameter(ref(pool), "ceiling", 1.0, day=738_000)
    page = site.get(address + "latest")
    assert "Go: own parameters" in plain(page) and "<s>0.986</s> 1" in page.content.decode()
    early = site.get(address + "2015-01-01").content.decode()
    assert "<s>0.986</s>" not in early
    # another organisation does not see it
    assert "own parameters" not in plain(site.get("/en/chess/rules/belgian-go/latest"))


@pytest.mark.parametrize(
    "rest",
    ["belgian-go/1999-01-01", "belgian-go/2024-13-01", "belgian-go/x", "nothing/latest", "parts/latest"],
)
def test_what_is_not_there(site, rest):
    assert site.get(f"/en/go/rules/{rest}").status_code == 404


def test_a_private_organisation_has_no_rules_for_visitors(site):
    from arpad.store.models import OrganisationPage

    OrganisationPage.objects.filter(organisation__slug="go").update(open=False)
    assert site.get("/en/go/rules/").status_code == 404
    assert site.get("/en/go/rules/belgian-go/latest").status_code == 404
    assert site.get("/en/go/rules/belgian-go/latest", role="officer").status_code == 200


def test_the_receipt_leads_to_the_clause(site):
    address = "/en" + site.player("Bart Uytterhoeven")
    page = site.get(address).content.decode()
    why = re.search(r'why=([a-z0-9]+)#[^"]+">why\?<span class="vh"> Driekoningen', page)[1]
    told = site.get(address, why=why).content.decode()
    link = re.search(r'href="(/en/go/rules/belgian-go/[0-9-]+)#step"', told)[1]
    assert 'id="step"' in site.get(link).content.decode()


def test_few_queries(site):
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as queries:
        site.get("/en/go/rules/belgian-go/latest")
    assert len(queries) <= 8, [query["sql"] for query in queries]


def test_prose_is_escaped():
    assert rules_prose.inline("a `b<i>` *c* 2 x 3 and -5", ("b",)) == (
        "a <code>b&lt;i&gt;</code> <em>c</em> 2 × 3 and −5"
    )
    (paragraph, items) = rules_prose.blocks("head\n- one\n- two")
    assert paragraph.text == "Head" and items.items == ("one", "two")
