"""Tables for spreadsheet programs: no free text becomes a formula, and all of it reads back unchanged."""

from __future__ import annotations

import csv
import io
import re

import openpyxl
import python_calamine
from hypothesis import given, settings
from hypothesis import strategies as st

from arpad.formats import table
from arpad.formats.reading import clean
from arpad.formats.spreadsheet import Column, escaped, unescaped, write_csv, write_ods, write_xlsx
from tests.formats.helpers import TODAY

DANGEROUS = ("=", "+", "-", "@", "\t", "\r")
COLUMNS = [Column("Datum"), Column("Thuis", free=True), Column("Uit", free=True), Column("Uitslag")]
TELLING = st.text(alphabet="'=+-@\t\rAéß, ;\"1x(", max_size=8) | st.text(max_size=8)
# names as they are kept: clean, and of one person
BEFORE = st.sampled_from(["", "'", "''", "=", "'=", "'t ", "-", "@", "+", "''-", "'@'", "="])
NAMES = st.builds(
    "{}{}Ada".format, BEFORE, st.text(max_size=10).map(lambda text: re.sub("[/&+ÂÃ?]", "", text))
).map(lambda name: clean(name.encode("utf-8", "ignore").decode()))


@given(TELLING)
def test_free_text_reads_back(text: str) -> None:
    assert unescaped(escaped(text)) == text
    assert not escaped(text).startswith(DANGEROUS)
    assert len(escaped(text)) - len(text) == (text.lstrip("'")[:1] in DANGEROUS and bool(text.lstrip("'")))


def test_what_is_no_free_text_stays() -> None:
    data = write_csv(COLUMNS, [("2026-06-01", "=SUM(A1)", "'t Hart", "+--"), (None, "-5", "'=x", -0.5)])
    rows = list(csv.reader(io.StringIO(data.decode("utf-8-sig"))))
    assert rows[1:] == [["2026-06-01", "'=SUM(A1)", "'t Hart", "+--"], ["", "'-5", "''=x", "-0.5"]]
    assert data.startswith(b"\xef\xbb\xbf")
    assert b"\r\n" in data


@settings(max_examples=40)
@given(st.lists(st.tuples(NAMES, NAMES).filter(lambda pair: pair[0] != pair[1]), min_size=1, max_size=3))
def test_names_read_back_from_every_kind(pairs: list[tuple[str, str]]) -> None:
    rows = [("2026-06-01", first, second, "+--") for first, second in pairs]
    mapping = table.given({"date": "Datum", "player1": "Thuis", "player2": "Uit", "result": "Uitslag"})
    for data in (
        write_csv(COLUMNS, rows),
        write_csv(COLUMNS, rows, delimiter=";", bom=False),
        write_xlsx(COLUMNS, rows),
    ):
        sheet = table.read(data, "f", mapping=mapping, today=TODAY).sheet
        told = [(sheet.players[row.player1], sheet.players[row.player2]) for row in sheet.games]
        assert told == pairs


@settings(max_examples=30)
@given(st.lists(TELLING, min_size=1, max_size=4))
def test_books_hold_no_formula(texts: list[str]) -> None:
    kept = ["".join(c for c in text if c.isprintable()).strip() or "x" for text in texts]
    columns = [Column("Naam", free=True)]
    data = write_xlsx(columns, [(text,) for text in kept], "a/b[c]")
    cells = [row[0] for row in openpyxl.load_workbook(io.BytesIO(data)).active.iter_rows(min_row=2)]
    assert [(cell.data_type, cell.value) for cell in cells] == [("s", text) for text in kept]
    book = python_calamine.load_workbook(io.BytesIO(write_ods(columns, [(text,) for text in kept])))
    assert [row[0] for row in book.get_sheet_by_index(0).to_python()[1:]] == kept
