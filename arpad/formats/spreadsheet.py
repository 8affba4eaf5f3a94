"""Tables for spreadsheet programs, which take a cell that begins with = + - or @ for a formula.

Free text (names, clubs, notes; never numbers, dates or words such as `+--`) that begins, after any
apostrophes, with = + - @ tab or carriage return gets one apostrophe more in CSV; unescaped() takes one
away in exactly these cases, so that `'t Hart`, `=SUM(A1)` and `'=x` read back unchanged. XLSX and ODS
have cells that are text by type, and need none. The machine files of the command line are never altered.
"""

from __future__ import annotations

import csv
import datetime
import io
import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

Value = str | int | float | datetime.date | None
_DANGER = re.compile(r"'*[=+\-@\t\r]")
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")  # what XML cannot hold


class Column(NamedTuple):
    """One column. `free`: its texts come from people (names, clubs, notes)."""

    heading: str
    free: bool = False


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
    target = io.StringIO()
    writer = csv.writer(target, delimiter=delimiter, lineterminator="\r\n")
    writer.writerow([column.heading for column in columns])
    for row in rows:
        pairs = zip(row, columns, strict=True)
        writer.writerow([escaped(str(v)) if c.free and v is not None else _text(v) for v, c in pairs])
    return target.getvalue().encode("utf-8-sig" if bom else "utf-8")


def write_xlsx(columns: Sequence[Column], rows: Iterable[Sequence[Value]], title: str = "Sheet") -> bytes:
    """One sheet; every text is a text cell, never a formula. Invisible control characters are left out."""
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell

    book = Workbook(write_only=True)
    sheet = book.create_sheet(re.sub(r"[\[\]:*?/\\]", " ", title)[:31] or "Sheet")

    def made(value: Value) -> object:
        if not isinstance(value, str):
            return value
        cell: Any = WriteOnlyCell(sheet)
        cell._value = _CONTROL.sub("", value)[:32767]  # by its setter, =x would become a formula
        cell.data_type = "s"
        return cell

    sheet.append([made(column.heading) for column in columns])
    for row in rows:
        sheet.append([made(value) for value in row])
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
