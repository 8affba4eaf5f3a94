"""Lists that go out: each kind reads back, holds no formula, and on paper fetches nothing."""

from __future__ import annotations

import csv
import datetime
import io
import json
import re
import shutil
import subprocess
import zlib
from html.parser import HTMLParser

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arpad.domain.problems import Refused
from arpad.formats import flat, listing, listing_pdf, registry
from arpad.formats.listing import CHANGE, DAY, FREE, NUMBER, WORD, Column, ListPage, Part
from arpad.formats.reading import clean
from tests.formats.helpers import TODAY

# what the site says, or will: words of the field
HEADINGS = {
    "en": ("Place", "Name", "Club", "Rank", "Rating", "Games", "Last played"),
    "nl": ("Plaats", "Naam", "Club", "Rang", "Rating", "Partijen", "Laatst gespeeld"),
    "fr": ("Place", "Nom", "Club", "Niveau", "Cote", "Parties", "Dernière partie"),
    "de": ("Platz", "Name", "Verein", "Rang", "Rating", "Partien", "Zuletzt gespielt"),
}
GAME_HEADINGS = {
    "en": ("Event", "Played on", "Round", "First player", "Second player", "Result", "Change (First player)"),
    "nl": ("Toernooi", "Gespeeld op", "Ronde", "Wit", "Zwart", "Uitslag", "Verschil (Wit)"),
    "fr": ("Tournoi", "Joué le", "Ronde", "Blanc", "Noir", "Résultat", "Variation (Blanc)"),
    "de": ("Turnier", "Gespielt am", "Runde", "Weiß", "Schwarz", "Ergebnis", "Änderung (Weiß)"),
}
KINDS = (NUMBER, FREE, FREE, WORD, NUMBER, NUMBER, DAY)
KEYS = ("place", "player", "club", "label", "rating", "games", "last_played")
DAYS = datetime.date(2026, 6, 1)
# names as they are kept, beginning like formulas and like names with an apostrophe
BEFORE = st.sampled_from(["", "'", "''", "=", "'=", "'t ", "-", "@", "+", "''-", "'@'"])
NAMES = st.builds(
    "{}{}Ada".format, BEFORE, st.text(max_size=8).map(lambda text: re.sub("[/&+ÂÃ?]", "", text))
).map(lambda name: clean(name.encode("utf-8", "ignore").decode()))
RATINGS = st.none() | st.integers(-300_000, 300_000).map(lambda grains: grains / 100)
PEOPLE = st.lists(
    st.tuples(NAMES, st.sampled_from(["", "=SUM(A1)", "'=x", "Gent", "+32"]), RATINGS),
    min_size=1, max_size=4, unique_by=lambda person: person[0],
)  # fmt: skip


def page(people, language="en", foot=()):
    columns = tuple(
        Column(key, heading, kind, strong=key in ("player", "rating"))
        for key, heading, kind in zip(KEYS, HEADINGS[language], KINDS, strict=True)
    )
    rows = [
        (at, name, club, "5k" if rating is not None else "NC", rating, at, DAYS)
        for at, (name, club, rating) in enumerate(people, 1)
    ]
    part = Part("players", "Players", columns, rows, ["k0"] * len(rows))
    return ListPage("List", "Club", "Go", language, ("Ratings of 1 June 2026",), (part,), {"day": DAYS}, foot)


WRITERS = {"csv": listing.csv, "xlsx": listing.xlsx, "ods": listing.ods}


@pytest.mark.parametrize("form", WRITERS)
@pytest.mark.parametrize("language", HEADINGS)
@settings(max_examples=15, deadline=None)
@given(PEOPLE)
def test_people_read_back(form, language, people):
    data = WRITERS[form](page(people, language))
    reading = registry.read(data, f"list.{form}", today=TODAY)
    told = [(p.name, p.club, p.rating, p.rank) for p in reading.sheet.people.values()]
    assert told == [(name, club, rating, "" if rating is None else "5k") for name, club, rating in people]


@pytest.mark.parametrize("form", WRITERS)
@pytest.mark.parametrize("language", GAME_HEADINGS)
def test_games_read_back(form, language):
    kinds = (FREE, DAY, NUMBER, FREE, FREE, WORD, CHANGE)
    columns = tuple(Column(h, h, kind) for h, kind in zip(GAME_HEADINGS[language], kinds, strict=True))
    rows = [
        ("'=Open", DAYS, 1, "'t Hart, Jop", "=SUM(A1)", "1-0", 3.25),
        ("'=Open", DAYS, 1, "'=x", "@Ada", "+--", None),
        ("'=Open", DAYS, 2, "'=x", "'t Hart, Jop", "1/2-1/2", -0.5),
    ]
    data = WRITERS[form](ListPage("Open", "Club", "Go", language, (), (Part("g", "G", columns, rows),), {}))
    sheet = registry.read(data, f"e.{form}", today=TODAY).sheet
    assert [
        (sheet.players[g.player1], sheet.players[g.player2], str(sheet.results[g.result]), g.round)
        for g in sheet.games
    ] == [(row[3], row[4], row[5], row[2]) for row in rows]
    assert [event.name for event in sheet.events] == ["'=Open"]


def test_no_list_is_taken_for_a_machine_file():
    """There free text is never changed: a list would get its apostrophes into names."""
    for language in HEADINGS:
        head = listing.csv(page([("Ada", "", 1.0)], language)).decode("utf-8-sig")
        assert flat.sniff(head) == [] and registry.sniff(head.encode()) == ["CSV table"]


def test_what_is_no_free_text_stays():
    columns = (Column("a", "A", WORD), Column("b", "B", NUMBER), Column("c", "C", FREE))
    data = listing.csv(ListPage("", "", "", "en", (), (Part("x", "X", columns, [("+--", -5.25, "-5")]),), {}))
    assert list(csv.reader(io.StringIO(data.decode("utf-8-sig"))))[1] == ["+--", "-5.25", "'-5"]


def test_a_long_list_comes_in_pieces():
    one = page([("Ada", "Gent", -1450.05)])
    rows = [one.parts[0].rows[0]] * 30_000
    long = one._replace(parts=(one.parts[0]._replace(rows=rows),))
    for pieces in (listing.csv_pieces(long), listing.json_pieces(long)):
        sizes = [len(piece) for piece in pieces]
        assert len(sizes) > 5 and max(sizes) < 200_000
    assert len(json.loads(listing.json_text(long))["players"]) == 30_000
    for write in (listing.xlsx, listing.ods, listing_pdf.pdf):
        with pytest.raises(Refused, match="listing-too-long"):
            write(long)


def test_cells_of_a_book_have_types():
    book = openpyxl.load_workbook(io.BytesIO(listing.xlsx(page([("=SUM(A1)", "'=x", -1450.05)]))))
    cells = next(book.worksheets[0].iter_rows(min_row=2))
    assert [cell.data_type for cell in cells] == ["n", "s", "s", "s", "n", "n", "d"]
    assert [cell.value for cell in cells][1:5] == ["=SUM(A1)", "'=x", "5k", -1450.05]
    assert book.worksheets[1]["A1"].value == "About"


def test_json_tells_what_it_is_of():
    told = json.loads(listing.json_text(page([("=x", "", None)])))
    assert (told["organisation"], told["day"]) == ("Club", "2026-06-01")
    assert told["players"] == [dict(zip(KEYS, (1, "=x", "", "NC", None, 1, "2026-06-01"), strict=True))]


class Seen(HTMLParser):
    """Tags and texts."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.words = [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.words.append(data)


@given(st.text(max_size=30))
def test_a_fragment_holds_texts_as_texts(text):
    text = text.replace("\r", "").replace("\x00", "")
    fragment = Seen(listing.html(page([(f"<script>{text}", f"x{text}", 5.0)], foot=(text,))).decode())
    plain = Seen(listing.html(page([("Ada", "x", 5.0)], foot=("x",))).decode())
    links = [(tag, attrs) for tag, attrs in fragment.tags if tag != "a"]
    assert [tag for tag, _ in links] == [tag for tag, _ in plain.tags]
    assert not [a for _, attrs in fragment.tags for a in attrs if a.startswith("on") or a == "style"]
    assert f"<script>{text}" in "".join(fragment.words)


def test_columns_for_files_and_for_json_are_not_on_paper():
    columns = (Column("a", "A"), Column("b", "B", file_only=True), Column("c", "C", json_only=True))
    one = ListPage("", "", "", "en", (), (Part("x", "X", columns, [("1a", "2b", "3c")]),), {})
    assert ["2b" in text for text in (listing.csv(one).decode(), listing.html(one).decode())] == [True, False]
    assert [
        "3c" in text
        for text in (listing.csv(one).decode(), listing.html(one).decode(), listing.json_text(one).decode())
    ] == [False, False, True]


# --- paper ----------------------------------------------------------------------------------------------


def streams(data: bytes) -> bytes:
    """Everything in a PDF, its streams unpacked."""
    out = [data]
    for found in re.finditer(rb"stream\r?\n(.*?)endstream", data, re.DOTALL):
        try:
            out.append(zlib.decompressobj().decompress(found[1]))
        except zlib.error:
            continue
    return b"\n".join(out)


@pytest.fixture(scope="module")
def paper():
    people = [("'t Hart, Jop", "=x", 150.0), *((f"Speler {n}", "Gent", 100.0 - n) for n in range(99))]
    return listing_pdf.pdf(
        page(people, foot=("sha256 " + "ab" * 32, "https://example.org/club/go/list/latest"))
    )


def test_a_pdf_has_pages_of_a4_in_our_typefaces(paper, tmp_path):
    everything = streams(paper)
    assert paper.startswith(b"%PDF-")
    sizes = {
        (float(w), float(h)) for w, h in re.findall(rb"/MediaBox ?\[ ?0 0 ([\d.]+) ([\d.]+)", everything)
    }
    assert [(round(width), round(height)) for width, height in sizes] == [(595, 842)]
    assert len(re.findall(rb"/Type ?/Page\b(?!s)", everything)) == 3
    assert {b"Arpad-Sans", b"Arpad-Serif-Semi-Bold"} <= set(
        re.findall(rb"/BaseFont ?/[A-Z]+\+([\w-]+)", everything)
    )
    if shutil.which("pdftotext"):  # Debian's poppler-utils; its text is looked at where it is there
        (tmp_path / "a.pdf").write_bytes(paper)
        command = ["pdftotext", "-layout", str(tmp_path / "a.pdf"), "-"]
        pages = subprocess.run(command, capture_output=True, check=True, text=True).stdout.split("\f")[:3]
        for text in pages:  # heads, dateline, hash and address on each
            assert "Last played" in text and "Ratings of 1 June 2026" in text
            assert "ab" * 32 in text and "https://example.org/club/go/list/latest" in text
        assert "'t Hart, Jop" in pages[0] and "Speler 98" in pages[2]


def test_nothing_is_fetched_but_the_typefaces(monkeypatch, tmp_path):
    import socket
    import urllib.request

    from weasyprint import HTML

    secret = tmp_path / "secret.svg"
    secret.write_text('<svg xmlns="http://www.w3.org/2000/svg"><rect width="9" height="9"/></svg>')
    asked = []

    def refuse(*args, **more):
        asked.append(args)
        raise OSError("nothing goes out")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(urllib.request.OpenerDirector, "open", refuse)
    fetched = []

    class Watched(type(listing_pdf.fetcher())):
        def fetch(self, url, headers=None):
            fetched.append(url)
            return super().fetch(url, headers)

    text = listing_pdf.document(page([("Ada", "", 1.0)])).replace(
        "</body>",
        f'<img src="{secret.as_uri()}"><img src="http://127.0.0.1/x.png"><img src="x.png">'
        '<link rel="stylesheet" href="https://example.org/x.css">'
        '<img src="data:image/png;base64,AAAA"></body>',
    )
    assert HTML(string=text, base_url="arpad:", url_fetcher=Watched()).write_pdf().startswith(b"%PDF-")
    assert len(set(fetched) - set(listing_pdf.FONTS)) >= 4  # it was asked for all of them
    assert asked == []
    for url in set(fetched) - set(listing_pdf.FONTS):
        with pytest.raises(ValueError):
            listing_pdf.fetcher().fetch(url)


def test_the_document_itself_refers_to_nothing_else():
    text = listing_pdf.document(page([("url(http://x)", "", 1.0)], foot=("https://example.org/",)))
    assert set(re.findall(r'url\("([^"]+)"\)', text)) == set(listing_pdf.FONTS)
    assert not re.search(r"<(img|link|script|object|iframe|svg)|@import|src=", text)


def test_what_fails_in_the_other_process_is_a_problem(monkeypatch):
    class Done:
        stdout, returncode = b"", 3

    monkeypatch.setattr(subprocess, "run", lambda *args, **more: Done)
    with pytest.raises(Refused, match=r"listing-pdf-failed.*Pango"):
        listing_pdf.printed("<p>")
    Done.returncode = -9
    with pytest.raises(Refused, match="could not be printed"):
        listing_pdf.printed("<p>")
