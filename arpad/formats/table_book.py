"""XLSX and ODS: looked through with the bytes counted, then read by calamine.

The library makes room for every cell between the first and the last, so a file of a few bytes could ask for
more memory than there is: the places of all filled cells are looked up first, in parts, and nothing is read
of a book that goes beyond the limits, holds document types or lies about its sizes.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from typing import Any

from arpad.domain.problems import FATAL, HELD, NOTE
from arpad.formats import container
from arpad.formats.reading import Findings
from arpad.formats.table_grid import COLUMN_LIMIT, ROW_LIMIT, Grid, too_large

XLSX, ODS = "XLSX table", "ODS table"
GROWTH = 8  # times the limit of a file, for the XML inside
AREA_LIMIT = 4_000_000  # cells between the first and the last of a sheet
SHEETS = 200
OVERLAP = 4096  # bytes kept of a part, for a tag cut in two
_ODS_TYPE = b"application/vnd.oasis.opendocument.spreadsheet"
_FORBIDDEN = re.compile(rb"<!(DOCTYPE|ENTITY)", re.IGNORECASE)
_CELL = re.compile(
    rb"<c\s(?:[^>]*?\s)?r\s*=\s*[\"']([A-Za-z]{1,7})([0-9]{1,10})[\"'][^>]*(?<!/)>(?!</c>)"
    rb"(<f[^>]*>[^<]*</f>)?(<v>[^<])?"
)
_UNPLACED = re.compile(rb"<c(?=[\s>])(?![^>]*\sr\s*=)[^>]*(?<!/)>")
_ROW = re.compile(rb"<row\s(?:[^>]*?\s)?r\s*=\s*[\"']([0-9]{1,10})[\"'][^>]*(?<!/)>")
_HIDDEN_ROW = re.compile(rb"<row\s[^>]*\bhidden\s*=\s*[\"'](?:1|true)[\"']")
_ODS_TAG = re.compile(rb"<(/?)table:(table-row|table-cell|covered-table-cell|table)(?=[\s/>])([^>]*)>")
_REPEATED = re.compile(rb"number-(?:rows|columns)-repeated\s*=\s*[\"']([0-9]{1,12})[\"']")


def kind_of(data: bytes) -> str:
    """XLSX or ODS by what the archive holds; "" for any other."""
    if not data.startswith(b"PK\x03\x04"):
        return ""
    if data[30:38] == b"mimetype" and _ODS_TYPE in data[38:120]:
        return ODS
    if data.count(b"PK\x01\x02") > container.MEMBERS:
        return ""
    try:
        names = set(zipfile.ZipFile(io.BytesIO(data)).namelist())
    except (zipfile.BadZipFile, ValueError, NotImplementedError, EOFError):
        return ""
    if "xl/workbook.xml" in names:
        return XLSX
    return ODS if "content.xml" in names and "styles.xml" in names else ""


def read_book(data: bytes, kind: str, findings: Findings, most: int) -> list[Grid]:
    """The sheets of a book. Raises Refused where it is damaged, too large, or not to be trusted.

    most  bytes of the file; its XML may grow to GROWTH times as much
    """
    members = {member.filename: member for member in container.members(data, findings)}
    left = most * GROWTH
    parts: dict[str, bytes] = {}
    areas: list[_Area] = []
    for name, member in members.items():
        stream = container.inflated(data, member, findings, left)
        wanted = name in ("xl/workbook.xml", "xl/_rels/workbook.xml.rels", "META-INF/manifest.xml")
        size = 0
        area = _Area(name, kind)
        for chunk, whole in _overlapping(stream):
            size += len(chunk)
            if _FORBIDDEN.search(whole):
                message = f"'{name}' in the book has a document type or entities."
                findings.add("xml-forbidden", FATAL, message, "Save it anew from the spreadsheet program.")
                findings.refuse()
            if wanted and size <= container.FREE:
                parts[name] = parts.get(name, b"") + chunk
            area.look(whole, findings)
        left -= size
        if area.counts:
            areas.append(area)
    if b"encryption-data" in parts.get("META-INF/manifest.xml", b""):
        findings.add("file-encrypted", FATAL, "The book has a password.", "Save it without a password.")
        findings.refuse()
    for area in areas:
        area.refuse_where_too_large(findings)
    return _grids(data, kind, findings, areas, parts)


class _Area:
    """How far the filled cells of one sheet reach, found without reading it."""

    def __init__(self, name: str, kind: str) -> None:
        self.name = name
        self.counts = name.startswith("xl/worksheets/") if kind == XLSX else name == "content.xml"
        self.ods = kind == ODS
        self.rows = self.columns = self.hidden = 0
        self.unsaved: set[tuple[int, int]] = set()
        self._row = self._cells = self._filled = 0
        self._repeat = 1

    def look(self, part: bytes, findings: Findings) -> None:
        if not self.counts:
            return
        if self.ods:
            self._look_ods(part)
        else:
            self._look_xlsx(part)

    def _look_xlsx(self, part: bytes) -> None:
        last: dict[bytes, int] = {}
        for match in _CELL.finditer(part):
            column, number = match[1], match[2]
            last[column] = max(last.get(column, 0), int(number))
            if match[3] and not match[4]:
                self.unsaved.add((int(number), _column(column)))
        for column, row in last.items():
            self.rows = max(self.rows, row)
            self.columns = max(self.columns, _column(column) + 1)
        if _UNPLACED.search(part):  # cells without a place stand in the row that was begun
            self.rows = max([self.rows, *map(int, _ROW.findall(part))])
            self.columns = max(self.columns, 1)
        self.hidden += len(_HIDDEN_ROW.findall(part))

    def _look_ods(self, part: bytes) -> None:
        """Rows and cells with their repetitions; what is blank at the end of a row or a sheet is nothing."""
        for match in _ODS_TAG.finditer(part):
            closing, tag, attributes = match[1], match[2], match[3]
            repeated = _REPEATED.search(attributes)
            times = int(repeated[1]) if repeated else 1
            if tag == b"table":
                self._row = 0
            elif tag == b"table-row":
                if closing or attributes.endswith(b"/"):
                    self._row += self._repeat if closing else times
                    if closing and self._filled:
                        self.rows = max(self.rows, self._row)
                        self.columns = max(self.columns, self._filled)
                else:
                    self._repeat, self._cells, self._filled = times, 0, 0
            elif not closing:
                self._cells += times
                if b"value" in attributes or not attributes.endswith(b"/"):
                    self._filled = self._cells

    def refuse_where_too_large(self, findings: Findings) -> None:
        if self.columns > COLUMN_LIMIT:
            too_large(findings, self.columns, "columns", COLUMN_LIMIT)
        if self.rows > ROW_LIMIT:
            too_large(findings, self.rows, "rows", ROW_LIMIT)
        if self.rows * self.columns > AREA_LIMIT:
            too_large(findings, self.rows * self.columns, "cells", AREA_LIMIT)


def _column(letters: bytes) -> int:
    number = 0
    for letter in letters.upper():
        number = number * 26 + letter - 64
    return number - 1


def _overlapping(stream: Iterator[bytes]) -> Iterator[tuple[bytes, bytes]]:
    """Each part alone, and with the end of the one before up to its last whole tag."""
    kept = b""
    for part in stream:
        whole = kept + part
        cut = max(whole.rfind(b"<row"), whole.rfind(b"<c "), whole.rfind(b"<table:"))
        cut = cut if cut > len(whole) - OVERLAP else len(whole)
        yield part, whole[:cut]
        kept = whole[cut:]
    if kept:
        yield b"", kept


# --- the sheets themselves --------------------------------------------------------------------------


def _grids(
    data: bytes, kind: str, findings: Findings, areas: list[_Area], parts: dict[str, bytes]
) -> list[Grid]:
    book = _opened(data, findings)
    targets = _targets(parts) if kind == XLSX else {}
    by_name = {area.name: area for area in areas}
    epoch = 1904 if re.search(rb"date1904\s*=\s*[\"'](1|true)", parts.get("xl/workbook.xml", b"")) else 1900
    grids = []
    for data_of in book.sheets_metadata[:SHEETS]:
        if str(data_of.typ) != "SheetTypeEnum.WorkSheet":
            continue
        rows = _rows(book, data_of.name, findings)
        area = by_name.get(targets.get(data_of.name, ""))
        hidden = str(data_of.visible) != "SheetVisibleEnum.Visible"
        unsaved = frozenset(area.unsaved) if area else frozenset()
        grids.append(
            Grid(data_of.name, rows, range(1, len(rows) + 1), hidden=hidden, epoch=epoch, unsaved=unsaved)
        )
        if area and area.hidden:
            message = f"{area.hidden} hidden rows of the sheet '{data_of.name}' are read too."
            findings.add("table-hidden", NOTE, message, "Take them out if they do not count.")
    return grids


def _opened(data: bytes, findings: Findings) -> Any:
    import python_calamine

    try:
        return python_calamine.load_workbook(io.BytesIO(data))
    except python_calamine.PasswordError:
        findings.add("file-encrypted", FATAL, "The book has a password.", "Save it without a password.")
    except (python_calamine.CalamineError, ValueError, OSError) as error:
        _damaged(findings, error)
    except BaseException as error:  # a panic of the library is no Exception
        if type(error).__name__ != "PanicException":
            raise
        _damaged(findings, error)
    findings.refuse()


def _rows(book: Any, name: str, findings: Findings) -> list[Any]:
    import python_calamine

    try:
        rows: list[Any] = book.get_sheet_by_name(name).to_python(skip_empty_area=False)
    except (python_calamine.CalamineError, ValueError, OSError) as error:
        findings.add(
            "table-sheet-unreadable", HELD, f"The sheet '{name}' cannot be read: {error}.", "Save it anew."
        )
        return []
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        findings.add("table-sheet-unreadable", HELD, f"The sheet '{name}' cannot be read.", "Save it anew.")
        return []
    return rows


def _damaged(findings: Findings, error: BaseException) -> None:
    message = f"The book is damaged: {str(error)[:100]}."
    findings.add("file-truncated", FATAL, message, "Open and save it in the spreadsheet program.")


def _targets(parts: dict[str, bytes]) -> dict[str, str]:
    """The name of each sheet -> the file of the archive that holds it."""
    from xml.etree.ElementTree import ParseError

    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import fromstring

    try:
        book = fromstring(parts.get("xl/workbook.xml", b""))
        relations = fromstring(parts.get("xl/_rels/workbook.xml.rels", b""))
    except (ParseError, DefusedXmlException, ValueError, LookupError):
        return {}
    files = {relation.get("Id"): relation.get("Target", "") for relation in relations}
    found = {}
    for sheet in book.iter():
        if sheet.tag.endswith("}sheet"):
            key = next((value for name, value in sheet.attrib.items() if name.endswith("}id")), None)
            target = files.get(key, "").lstrip("/")
            found[sheet.get("name", "")] = target if target.startswith("xl/") else f"xl/{target}"
    return found
