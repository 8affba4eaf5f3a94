"""Files of lists and events: what is in them, who gets them, and what is in none of them."""

from __future__ import annotations

import csv
import datetime
import io
import json
import re
import zipfile
import zlib

import openpyxl
import pytest

from arpad.formats import egd, listing_pdf, registry, table, trf
from tests.formats.helpers import TODAY

LIST = "/en/go/go/list/latest"
PAST = "/en/go/go/list/2026-06-01"
FORMS = ("csv", "xlsx", "ods", "json", "html", "pdf")


def body(answer):
    return b"".join(answer.streaming_content) if answer.streaming else answer.content


def rows(answer):
    return list(csv.DictReader(io.StringIO(body(answer).decode("utf-8-sig"))))


def text_of(data, form):
    """All text of a file, for looking through. A PDF: the document it is printed from (see `printed`)."""
    if form in ("xlsx", "ods"):
        with zipfile.ZipFile(io.BytesIO(data)) as book:
            return "".join(book.read(name).decode("utf-8", "replace") for name in book.namelist())
    return data.decode("utf-8", "replace")


@pytest.fixture
def printed(monkeypatch):
    """PDFs are the documents they would be printed from: to be read, and quicker."""
    from arpad.web import outgoing

    outgoing.costly = outgoing._Costly()
    monkeypatch.setattr(listing_pdf, "printed", lambda text: text.encode())


@pytest.fixture
def event(site):
    """The address of the newest event."""
    page = site.get("/en/go/go/events").content.decode()
    return re.search(r'href="(/en/go/go/events/[^"?]+)"', page)[1]


@pytest.mark.parametrize("form", FORMS)
def test_the_list_in_every_form(site, form, printed):
    answer = site.get(f"{LIST}.{form}")
    assert answer.status_code == 200
    assert re.fullmatch(rf'attachment; filename="go-go-20..-..-..\.{form}"', answer["Content-Disposition"])
    assert answer["X-Robots-Tag"] == "noindex"
    assert "Bart Uytterhoeven" in text_of(body(answer), form)
    assert site.get(f"{LIST}.{form}", club="'", rank="999", known="x", go="\x00").status_code == 200


def test_the_csv_is_the_list_of_the_page(site):
    found = rows(site.get(f"{LIST}.csv"))
    page = site.get(LIST).content.decode()
    names = re.findall(r'<a class="who" href="[^"]*players[^"]*">([^<]+)</a>', page)
    assert [row["Name"] for row in found[:100]] == names
    assert [int(row["Place"]) for row in found[:100]] == [
        int(place) for place in re.findall(r'class="n place">(\d+)', page)
    ]
    shown = [
        float(text.replace("−", "-")) for text in re.findall(r'class="n r">(?:<span[^>]*>)?(−?\d+\.\d)', page)
    ]
    assert [float(row["Rating"]) for row in found[: len(shown)]] == pytest.approx(shown, abs=0.051)
    assert all(re.fullmatch(r"-?\d+\.\d+", row["Rating"]) for row in found if row["Rating"])
    assert {row["Rank"][-1] for row in found} <= {"d", "k", "C"}


@pytest.mark.parametrize("language", ["en", "nl", "fr", "de"])
@pytest.mark.parametrize("form", ["csv", "xlsx", "ods"])
def test_our_own_reader_reads_the_list_back(site, form, language):
    data = body(site.get(f"/{language}/go/go/list/latest.{form}"))
    people = registry.read(data, f"list.{form}", today=TODAY).sheet.people
    told = json.loads(body(site.get(f"{LIST}.json")))["players"]
    assert [(p.name, p.club, p.rating) for p in people.values()] == [
        (row["player"], row["club"], row["rating"]) for row in told
    ]


def test_a_filter_of_the_page_holds_for_the_file(site):
    whole = {row["Name"]: row["Place"] for row in rows(site.get(f"{LIST}.csv"))}
    some = rows(site.get(f"{LIST}.csv", rank="1"))
    assert 0 < len(some) < 100
    assert all(whole[row["Name"]] == row["Place"] and row["Rating"] for row in some)
    assert f'href="{LIST}.csv?rank=1"' in site.get(LIST, rank="1", go="3").content.decode()


def test_the_official_list_has_its_hash(site, printed):
    told = json.loads(body(site.get(f"{PAST}.json")))
    from arpad.store.models import RatingList

    assert told["sha256"] == RatingList.objects.get(pool__slug="go").digest
    assert (told["day"], told["version"], len(told["players"])) == ("2026-06-01", 1, 200)
    paper = body(site.get(f"{PAST}.pdf")).decode()
    assert told["sha256"] in paper
    assert "http://testserver/go/go/list/2026-06-01" in paper
    assert "Ratings of 1 June 2026" in paper and "as published, version 1" in paper
    computed = json.loads(body(site.get(f"{PAST}.json", computed="1")))
    assert "sha256" not in computed and computed["known"]
    assert computed["players"] != told["players"]
    assert f'href="{PAST}.csv?computed=1"' in site.get(PAST, computed="1").content.decode()


@pytest.mark.parametrize("form", [*FORMS, "h9"])
def test_an_event_in_every_form(site, event, form, printed):
    answer = site.get(f"{event}.{form}")
    assert answer.status_code == 200
    name = re.search(r'class="who"[^>]*>([^<]+)<', site.get(event).content.decode())[1]
    assert name.split()[-1] in text_of(body(answer), form)
    assert f"{event}.{form}" in site.get(event).content.decode() or form in ("ods", "html")


def test_an_event_reads_back(site, event):
    told = json.loads(body(site.get(f"{event}.json")))
    games = [(g["player1"], g["player2"], g["result"], g["round"]) for g in told["games"]]
    for form in ("csv", "xlsx"):
        sheet = table.read(body(site.get(f"{event}.{form}")), f"e.{form}", today=TODAY).sheet
        assert [
            (
                sheet.players[row.player1],
                sheet.players[row.player2],
                str(sheet.results[row.result]),
                row.round,
            )
            for row in sheet.games
        ] == games
        assert sheet.events[0].name == told["event"]
    sums = {}
    for game in told["games"]:
        for name, change in ((game["player1"], game["change1"]), (game["player2"], game["change2"])):
            sums[name] = sums.get(name, 0) + (change or 0)
    assert {p["player"]: round(p["change"] or 0, 2) for p in told["players"]} == {
        name: round(total, 2) for name, total in sums.items()
    }
    read = egd.read(body(site.get(f"{event}.h9")), "e.h9", today=TODAY)
    name = told["players"][0]["player"]
    assert read.sheet.players[0] == f"{name.partition(' ')[2]} {name.partition(' ')[0]}"
    # a forfeit is a free win there, and no game
    assert sum(row.player2 >= 0 for row in read.sheet.games) == sum("+" not in game[2] for game in games)


def test_chess_has_a_report_and_no_egd_table(site):
    page = site.get("/en/chess/standard/events").content.decode()
    address = re.search(r'href="(/en/chess/standard/events/[^"?]+)"', page)[1]
    report = trf.read(body(site.get(f"{address}.trf")), "e.trf", today=TODAY)
    assert report.games == len(json.loads(body(site.get(f"{address}.json")))["games"])
    assert site.get(f"{address}.h9").status_code == 404
    assert site.get(f"{LIST}.trf").status_code == 404


def test_what_may_not_be_seen_is_not_there(site, event):
    from arpad.store.models import OrganisationPage, PoolPage

    tag = site.get(f"{LIST}.csv")["ETag"]
    addresses = [f"{LIST}.{form}" for form in FORMS] + [f"{PAST}.csv", f"{event}.csv", f"{event}.h9"]
    other = event.replace("/go/go/", "/chess/standard/")
    assert site.get(f"{other}.csv").status_code == 404
    assert site.get("/en/go/go/events/0000000000000000.csv").status_code == 404
    PoolPage.objects.filter(pool__slug="go").update(visible="members")
    assert {site.client().get(a, headers={"If-None-Match": tag}).status_code for a in addresses} == {404}
    assert site.get(f"{LIST}.csv", "officer").status_code == 200
    PoolPage.objects.filter(pool__slug="go").update(visible="public")
    OrganisationPage.objects.filter(organisation__slug="go").update(open=False)
    assert {site.get(a).status_code for a in addresses} == {404}


def test_an_unchanged_file_is_not_sent_again(site, printed):
    first = site.get(f"{LIST}.pdf")
    again = site.client().get(f"{LIST}.pdf", headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    tags = {
        first["ETag"],
        site.get("/fr/go/go/list/latest.pdf")["ETag"],
        site.get(f"{LIST}.pdf", "officer")["ETag"],
    }
    from arpad.store.models import OrganisationPage, PersonName

    OrganisationPage.objects.filter(organisation__slug="go").update(privacy_version=7)
    tags.add(site.get(f"{LIST}.pdf")["ETag"])
    PersonName.objects.filter(name="Bart Uytterhoeven").update(name="Bart Anders")
    renamed = site.get(f"{LIST}.pdf")
    assert len(tags | {renamed["ETag"]}) == 5
    assert b"Bart Anders" in renamed.content and b"Uytterhoeven" not in renamed.content


@pytest.fixture
def canary(site):
    """A child of the youth pool with a name, a day of birth and a number that occur nowhere else."""
    from arpad.store.models import BirthDate, Game, OutsideId, PersonName
    from arpad.web.ids import short

    game = Game.objects.filter(organisation__slug="youth-chess", player2__isnull=False).latest("pk")
    person, organisation = game.player1, game.organisation
    PersonName.objects.filter(person=person).update(name="Zazie Quokkaberg")
    BirthDate.objects.filter(person=person).delete()
    BirthDate.objects.create(
        organisation=organisation, person=person, year=2019, day=datetime.date(2019, 8, 7)
    )
    OutsideId.objects.create(organisation=organisation, person=person, kind="fide", value="98765432")
    return f"/en/youth-chess/jeunes/events/{short(organisation, game.event.uuid)}"


@pytest.mark.parametrize("policy", ["initial", "hidden"])
def test_what_is_hidden_of_a_minor_is_in_no_file(site, canary, policy, printed):
    from arpad.store.models import OrganisationPage

    OrganisationPage.objects.filter(organisation__slug="youth-chess").update(minors=policy)
    youth = "/en/youth-chess/jeunes/list"
    addresses = [f"{youth}/latest", f"{youth}/2026-06-01", canary]
    never = ("uokkaberg", "98765432") + (("Zazie",) if policy == "hidden" else ())
    born = re.compile(r"(?<![0-9a-f])2019(?![0-9a-f])")  # a list's hash may hold the digits
    for address in addresses:
        for form in (*FORMS, *(("trf",) if address == canary else ())):
            answer = site.get(f"{address}.{form}")
            assert answer.status_code == 200, (address, form)
            found = text_of(body(answer), form)
            assert ("Zazie" in found) == (policy == "initial"), (address, form)
            assert not [word for word in never if word in found + str(answer.headers)], (address, form)
            assert not born.search(found + str(answer.headers)), (address, form)
    report = body(site.get(f"{canary}.trf", "officer")).decode()
    assert "Quokkaberg, Zazie" in report and "98765432" in report and "2019/08/07" in report


def test_equal_shown_names_are_told_apart(site):
    from arpad.store.models import PersonName
    from arpad.web.outgoing import numbered, told_apart

    people = list(PersonName.objects.filter(organisation__slug="go", shown=True).order_by("pk")[:3])
    PersonName.objects.filter(pk__in=[one.pk for one in people]).update(name="Ada Gelijk")
    names = [row["Name"] for row in rows(site.get(f"{LIST}.csv")) if row["Name"].startswith("Ada Gelijk")]
    assert len(set(names)) == 3
    assert told_apart(["A", "A", "B", "", ""], ["", "", "", "", "x"]) == ["A 1", "A 2", "B", "", ""]
    assert numbered(["A", "A", "A 1"]) == ["A 2", "A 3", "A 1"]


def test_a_list_too_long_to_print_says_what_to_do(site, monkeypatch):
    monkeypatch.setattr(listing_pdf, "PDF_ROWS", 50)
    answer = site.get(f"{LIST}.pdf")
    assert answer.status_code == 409
    assert "too long for this kind of file" in answer.content.decode()


def test_the_xlsx_has_numbers_days_and_an_about(site):
    book = openpyxl.load_workbook(io.BytesIO(body(site.get(f"{LIST}.xlsx"))))
    sheet = book.worksheets[0]
    assert [cell.data_type for cell in sheet[2]] == ["n", "s", "s", "s", "n", "n", "d"]
    assert dict(book["About"].iter_rows(values_only=True))["ruleset"] == "belgian-go"


@pytest.mark.parametrize("form", ["csv", "json"])
def test_a_file_costs_few_queries(site, form, event):
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    for address in (LIST, PAST, event):
        with CaptureQueriesContext(connection) as queries:
            body(site.get(f"{address}.{form}"))
        assert len(queries) <= 15, address


def test_a_pdf_is_one(site):
    assert body(site.get(f"{PAST}.pdf")).startswith(b"%PDF-")


def test_on_paper_results_and_numbers_are_those_of_the_language(site, event, printed):
    paper = body(site.get(f"{event.replace('/en/', '/nl/')}.pdf")).decode()
    assert re.search(r"<td>\d+−</td>", paper) and "<td>1–0</td>" in paper
    assert re.search(r'<td class="n">[+−]\d+,\d</td>', paper)
    fragment = body(site.get(f"{event}.html")).decode()
    assert fragment.startswith('<div class="arpad" lang="en">') and fragment.count("<table") == 2


def test_a_packed_stream_is_one_and_whole(site):
    answer = site.client().get(f"{LIST}.csv", headers={"Accept-Encoding": "gzip"})
    unpacked = zlib.decompressobj(31)
    data = unpacked.decompress(body(answer))
    assert unpacked.eof and not unpacked.unused_data
    assert data == body(site.get(f"{LIST}.csv"))
    assert answer["Content-Encoding"] == "gzip" and answer["ETag"].startswith('W/"')
    again = site.client().get(f"{LIST}.csv", headers={"If-None-Match": answer["ETag"]})
    assert again.status_code == 304
