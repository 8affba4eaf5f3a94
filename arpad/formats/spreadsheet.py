"""Tables for spreadsheet programs, which take a cell that begins with = + - or @ for a formula.

Free text (names, clubs, notes; never numbers, dates or words such as `+--`) that begins, after any
apostrophes, with = + - @ tab or carriage return gets one apostrophe more in CSV; unescaped() takes one
away in exactly these cases, so that `'t Hart`, `=SUM(A1)` and `'=x` read back unchanged. XLSX and ODS
have cells that are text by type, and need none. The machine files of the command line are never altered.
"""

from __future__ import annotations

import codecs
import csv
import datetime
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

Value = str | int | float | datetime.date | None
_DANGER = re.compile(r"'*[=+\-@\t\r]")
_PIECE = 2**16  # characters of a piece of CSV
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")  # what XML cannot hold


class Column(NamedTuple):
    """One column. `free`: its texts come from people (names, clubs, notes)."""

    heading: str
    free: bool = False
    width: int = 13  # of XLSX, in characters
    number_format: str = ""  # of XLSX, for numbers and days


def escaped(text: str) -> str:
    """Free text as it is written into CSV.

    >>> escaped("=SUM(A1)"), escaped("'=x"), escaped("'t Hart"), escaped("Ada")
    ("'=SUM(A1)", "''=x", "'t Hart", 'Ada')
    """
    return f"'{text}" if _DANGER.match(text) else text


def unescaped(text: str) -> str:
    """Free text as it was before escaped().

    >>> unescaped("'=SUM(A1)"), unescaped("''=x"), unescaped("'t Hart"), unescaped("=x")
    ('=SUM(A1)', "'=x", "'t Hart", '=x')
    """
    return text[1:] if text[:1] == "'" and _DANGER.match(text) else text


def write_csv(
    columns: Sequence[Column], rows: Iterable[Sequence[Value]], *, delimiter: str = ",", bom: bool = True
) -> bytes:
    """UTF-8 with a header and CRLF; `bom` for Excel, `;` where a comma is the decimal sign."""
    return b"".join(csv_pieces(columns, rows, delimiter=delimiter, bom=bom))


def csv_pieces(
    columns: Sequence[Column], rows: Iterable[Sequence[Value]], *, delimiter: str = ",", bom: bool = True
) -> Iterator[bytes]:
    """The same some rows at a time, so that a long list need not be held as one text."""
    target = io.StringIO()
    writer = csv.writer(target, delimiter=delimiter, lineterminator="\r\n")
    writer.writerow([column.heading for column in columns])
    if bom:
        yield codecs.BOM_UTF8
    for row in rows:
        pairs = zip(row, columns, strict=True)
        writer.writerow([escaped(str(v)) if c.free and v is not None else _text(v) for v, c in pairs])
        if target.tell() > _PIECE:
            yield target.getvalue().encode()
            target.seek(0)
            target.truncate()
    yield target.getvalue().encode()


class Part(NamedTuple):
    """One sheet of a book."""

    name: str
    columns: Sequence[Column]
    rows: Iterable[Sequence[Value]]


def write_xlsx(columns: Sequence[Column], rows: Iterable[Sequence[Value]], title: str = "Sheet") -> bytes:
    """One sheet; every text is a text cell, never a formula. Invisible control characters are left out."""
    return write_book([Part(title, columns, rows)])


def write_book(parts: Iterable[Part]) -> bytes:
    """An XLSX file of several sheets, whose headings stay in sight; cells as in write_xlsx()."""
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell

    book = Workbook(write_only=True)
    for part in parts:
        sheet = book.create_sheet(re.sub(r"[\[\]:*?/\\]", " ", part.name)[:31] or "Sheet")
        sheet.freeze_panes = "A2"
        for at, column in enumerate(part.columns):
            letters = chr(ord("A") + at) if at < 26 else ""
            if letters:
                sheet.column_dimensions[letters].width = column.width

        def made(value: Value, number_format: str = "", sheet: Any = sheet) -> object:
            if not isinstance(value, str) and (not number_format or value is None):
                return value
            cell: Any = WriteOnlyCell(sheet)
            if isinstance(value, str):
                cell._value = _CONTROL.sub("", value)[:32767]  # by its setter, =x would become a formula
                cell.data_type = "s"
            else:
                cell.value = value
                cell.number_format = number_format
            return cell

        sheet.append([made(column.heading) for column in part.columns])
        formats = [column.number_format for column in part.columns]
        for row in part.rows:
            sheet.append([made(value, shape) for value, shape in zip(row, formats, strict=True)])
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def write_ods(columns: Sequence[Column], rows: Iterable[Sequence[Value]], title: str = "Sheet") -> bytes:
    """One sheet; every text is a text cell."""
    from odfdo import Cell, Document, Row, Table

    document = Document("spreadsheet")
    document.body.clear()
    table = Table(title or "Sheet")
    for row in [[column.heading for column in columns], *rows]:
        line = Row()
        for value in row:
            if isinstance(value, str):
                line.append_cell(Cell(_CONTROL.sub("", value), cell_type="string"))
            else:
                line.append_cell(Cell(value) if value is not None else Cell())
        table.append_row(line)
    document.body.append(table)
    target = io.BytesIO()
    document.save(target)
    return target.getvalue()


def _text(value: Value) -> str:
    return "" if value is None else str(value)
