"""Files that nobody means well with, made here: each is to be refused at once, in little memory."""

from __future__ import annotations

import gzip
import io
import stat
import struct
import zipfile
import zlib

import zstandard

GROWN = 60 * 2**20  # bytes that a bomb grows to
SHEET = '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>{}</sheetData></worksheet>'
BOOK = (
    '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">'
    '<sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>'
)
RELATIONS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet"'
    ' Target="worksheets/sheet1.xml"/></Relationships>'
)
LAUGHS = (
    '<!DOCTYPE t [<!ENTITY a "ha">'
    + "".join(f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(9))
    + "]>"
)
CSV = b"Datum;Wit;Zwart;Uitslag\n06-06-2026;Ada;Ren;1-0\n"
ODS = (
    '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:spreadsheet>'
    '<table:table table:name="S">{}</table:table></office:spreadsheet></office:body>'
    "</office:document-content>"
)
REPEATED = (
    '<table:table-row table:number-rows-repeated="1000000"><table:table-cell office:value-type="float" '
    'office:value="1" table:number-columns-repeated="9000"/></table:table-row>'
)


def zipped(files: dict[str, bytes | str], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return target.getvalue()


def xlsx(rows: str, before: str = "") -> bytes:
    """A book of one sheet, by the XML of its rows."""
    sheet = before + SHEET.format(rows)
    parts = {
        "xl/workbook.xml": BOOK,
        "xl/_rels/workbook.xml.rels": RELATIONS,
        "xl/worksheets/sheet1.xml": sheet,
    }
    return zipped({"[Content_Types].xml": "<Types/>", **parts})


def cell(place: str) -> str:
    number = place.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    return f'<row r="{number}"><c r="{place}"><v>1</v></c></row>'


def ods(rows: str) -> bytes:
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    return zipped({"mimetype": kind, "content.xml": ODS.format(rows), "styles.xml": "<x/>"})


def member(name: str, mode: int = 0, flag: int = 0) -> bytes:
    """A ZIP with one member of that name, kind and flags."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        info = zipfile.ZipInfo(name)
        info.create_system = 3
        info.external_attr = (mode | 0o644) << 16
        archive.writestr(info, CSV)
    data = bytearray(target.getvalue())
    if flag:
        data[data.index(b"PK\x01\x02") + 8] |= flag
    return bytes(data)


def lying(size: int) -> bytes:
    """A ZIP whose table of contents tells another size than comes out."""
    data = bytearray(zipped({"a.csv": CSV * 1000}))
    at = data.index(b"PK\x01\x02")
    data[at + 24 : at + 28] = struct.pack("<I", size)
    data[at + 16 : at + 20] = struct.pack("<I", zlib.crc32((CSV * 1000)[:size]))
    return bytes(data)


def overlapping(times: int = 200) -> bytes:
    """A ZIP of which many entries are one and the same packed piece."""
    data = zipped({"a": b"\0" * 2**20})
    start, end = data.index(b"PK\x01\x02"), data.index(b"PK\x05\x06")
    entry, tail = data[start:end], bytearray(data[end:])
    entries = b"".join(
        entry[:46] + bytes([97 + n % 26]) + entry[47:] if n < 26 else entry[:46] + b"z" + entry[47:]
        for n in range(times)
    )
    tail[8:12] = struct.pack("<HH", times, times)
    tail[12:16] = struct.pack("<I", len(entries))
    return data[:start] + entries + bytes(tail)


def files() -> dict[str, tuple[bytes, str]]:
    """Name -> the file, and the code it is refused with."""
    text = CSV + b"06-06-2026;Ada;Ren;1-0\n" * (GROWN // 23)
    return {
        "zip bomb": (zipped({"a.csv": text}), "file-bomb"),
        "gzip bomb": (gzip.compress(text), "file-bomb"),
        "zst bomb": (zstandard.compress(text), "file-bomb"),
        "gzip of much text": (gzip.compress(CSV + b"x;y;z\n" * 2_500_000), "file-bomb"),
        "bomb in a book": (xlsx(f"<!--{'x' * GROWN}-->"), "file-bomb"),
        "zip that says less": (lying(40), "file-bomb"),
        "zip that says more": (lying(10**9), "file-bomb"),
        "overlapping entries": (overlapping(), "file-bomb"),
        "zip in a zip": (zipped({"a.zip": zipped({"a.csv": CSV})}), "file-archive"),
        "gzip in a zip": (zipped({"a.csv": gzip.compress(CSV)}), "file-archive"),
        "gzip in gzip": (gzip.compress(gzip.compress(CSV)), "file-archive"),
        "book in a zip": (zipped({"a.xlsx": xlsx(cell("A1"))}), "file-archive"),
        "two files": (zipped({"a.csv": CSV, "b.csv": CSV}), "file-archive"),
        "many files": (zipped({f"{n}": b"" for n in range(20_000)}, zipfile.ZIP_STORED), "file-archive"),
        "link": (member("a.csv", stat.S_IFLNK), "file-archive"),
        "device": (member("a.csv", stat.S_IFCHR), "file-archive"),
        "absolute name": (member("/etc/games.csv"), "file-archive"),
        "name upwards": (member("../games.csv"), "file-archive"),
        "name upwards in Windows": (member("..\\games.csv"), "file-archive"),
        "drive": (member("C:games.csv"), "file-archive"),
        "password": (member("a.csv", flag=1), "file-encrypted"),
        "lzma": (zipped({"a.csv": CSV}, zipfile.ZIP_LZMA), "file-archive"),
        "cut zip": (zipped({"a.csv": CSV * 100})[:-30], "file-truncated"),
        "cut gzip": (gzip.compress(CSV * 100)[:-9], "file-truncated"),
        "cut zst": (zstandard.compress(CSV * 100)[:-9], "file-truncated"),
        "wide CSV": (CSV.replace(b"\n", b";" * 10_000 + b"\n", 1), "file-too-large"),
        "wide book": (xlsx(cell("A1") + cell("XFD1")), "file-too-large"),
        "long book": (xlsx(cell("A1") + cell("B1048577")), "file-too-large"),
        "sparse book": (xlsx(cell("A1") + cell("CV1048576")), "file-too-large"),
        "row without places": (xlsx('<row r="9000000"><c><v>1</v></c></row>'), "file-too-large"),
        "repeated cells": (ods(REPEATED), "file-too-large"),
        "laughs in a book": (xlsx(cell("A1"), LAUGHS), "xml-forbidden"),
        "laughs": (f"<?xml version='1.0'?>{LAUGHS}<Tournament>&j;</Tournament>".encode(), "xml-forbidden"),
        "entity from a file": (
            b"<?xml version='1.0'?><!DOCTYPE t [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><Tournament/>",
            "xml-forbidden",
        ),
        "NUL in text": (CSV + b"07-06-2026;A\0da;Ren;1-0\n", "file-binary"),
        "UTF-16": (CSV.decode().encode("utf-16"), "text-utf16"),
        "too large": (CSV + b";;;\n" * 3_000_000, "file-too-large"),
        "long line": (CSV + b"x" * 9_000_000, "line-too-long"),
    }  # fmt: skip
