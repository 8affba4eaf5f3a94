"""Finds out which format a file has, by its content, and reads it.

A format is a module with FORMATS, sniff() and read(); a test sees to it that MODULES names them all.
Formats that are known but not read yet are refused by name.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

from arpad.domain.problems import FATAL
from arpad.formats.reading import Findings, Reading, refuse_what_is_no_text

# Named, so that looking for a format does not import all of this folder.
MODULES = ("egd", "flat", "opengotha")
HEAD = 4096  # bytes that are looked at
PART = 2**20  # bytes that are read at once
LIMIT = 10 * 2**20  # bytes of a file, as long as nobody says otherwise
GAMES_LIMIT = 2**31  # bytes of games.csv from the command line
# Programs' binary files, by their first bytes: name, what to do.
_MAGIC = (
    (b"SQLite format 3\0", "an SQLite database", "Export the games as CSV."),
    (b"\xd0\xcf\x11\xe0", "an old or encrypted spreadsheet (XLS)", "Save it as CSV."),
    (b"\x93\xff\x89\x44", "a Swiss-Manager file", "Export it as CSV from Swiss-Manager."),
    (b"\x00\x01\x00\x00Standard Jet DB", "an Access database", "Export the games as CSV."),
    (b"\x28\xb5\x2f\xfd", "a zstd archive", "Unpack it first."),
    (b"\x1f\x8b", "a gzip archive", "Unpack it first."),
    (
        b"PK\x03\x04",
        "a spreadsheet (XLSX, ODS) or a ZIP archive",
        "Save the table as CSV, or unpack the archive.",
    ),
    (b"\x89PNG", "a picture", "Choose the file of the results."),
    (b"%PDF", "a PDF document", "Ask for the file it was made from."),
)
# Texts of formats that are not read yet, in the order in which they are tried.
_TEXTS = (
    (r"\s*(<\?xml[^>]*>)?\s*(<!--.*?-->\s*)*<TournamentData[\s>]", "MacMahon XML"),
    (r"\s*(<\?xml[^>]*>)?\s*<playerslist", "a FIDE rating list"),
    (r"\s*<", "XML or HTML"),
    (r'\s*\{.*"gobanSize"', "a Pairgoth tournament"),
    (r"(.*\n)?(001 {1,4}[0-9 ]{1,4}[0-9]|012 )", "a FIDE tournament report (TRF)"),
    (r"(.*\n)*;(name=|Num Nom Prenom)", "an FFG tournament (.tou)"),
    (r"#Echelle au", "an FFG rating list"),
    (r"ID Number.*Fed", "a FIDE rating list"),
    (r"\s*TOURNEY\b", "an AGA report"),
    (r'\s*\[Event "', "PGN"),
    (r"No\tName", "a SwissPerfect table"),
    (r"\s*[\[{]", "JSON"),
)
_SHARED = ("registry", "reading", "xmlfile", "mapped", "cells", "csvfile", "files", "outputs", "plot")
REMEDY = "Export it as an EGD table (.h9) or as games.csv (date,player1,player2,result)."


@cache
def modules() -> tuple[ModuleType, ...]:
    """The modules that are formats."""
    return tuple(importlib.import_module(f"arpad.formats.{name}") for name in MODULES)


def names() -> list[str]:
    """The formats that can be read."""
    return [name for module in modules() for name in module.FORMATS]


def sniff(data: bytes, file: str = "") -> list[str]:
    """The formats that this may be, from its first 4 KiB; empty where it is none that is read."""
    head = _head(data)
    return [name for module in modules() for name in module.sniff(head, file)]


def read(
    source: bytes | str | Path,
    file: str = "",
    *,
    kind: str = "",
    today: int | None = None,
    limit: int | None = None,
) -> Reading:
    """Read a file, or bytes, in whatever format it is. Raises Refused where it cannot be taken.

    `kind` names the format and leaves the guessing out; `limit` is the largest size in bytes.
    """
    if not isinstance(source, bytes):
        file = file or str(source)
        source = _bytes(Path(source), file, limit)
    findings = Findings(file)
    _refuse_by_first_bytes(source, findings)
    if not kind:
        kind = _kind(source, file, findings)
    module = next((module for module in modules() if kind in module.FORMATS), None)
    if module is None:
        message = f"There is no format '{kind}'."
        findings.add("file-unknown-format", FATAL, message, f"Use one of {', '.join(names())}.")
        findings.refuse()
    most = limit if limit is not None else GAMES_LIMIT if kind == "games.csv" else LIMIT
    if len(source) > most:
        _too_large(len(source), most, findings)
    reading = module.read(source, file, kind=kind, today=today)
    assert isinstance(reading, Reading)
    return reading


def _bytes(path: Path, file: str, limit: int | None) -> bytes:
    findings = Findings(file)
    try:
        size = path.stat().st_size
        most = GAMES_LIMIT if limit is None else limit
        if size > most:
            _too_large(size, most, findings)
        with path.open("rb") as stream:
            head = stream.read(HEAD)
            if head.strip():  # a device has no end: what is no text is refused by its beginning
                _refuse_by_first_bytes(head, findings)
            parts, size = [head], len(head)
            while size <= most and (part := stream.read(PART)):
                parts.append(part)
                size += len(part)
    except OSError as error:
        reason = error.strerror or "it cannot be opened"
        findings.add("file-unreadable", FATAL, f"The file cannot be read: {reason}.", "Check its name.")
        findings.refuse()
    if size > most:
        _too_large(size, most, findings)
    return b"".join(parts)


def _too_large(size: int, most: int, findings: Findings) -> None:
    message = f"The file has {size} bytes; {most} are the limit."
    findings.add("file-too-large", FATAL, message, "Split it, or raise the limit.")
    findings.refuse()


def _refuse_by_first_bytes(data: bytes, findings: Findings) -> None:
    for magic, what, remedy in _MAGIC:
        if data.startswith(magic):
            findings.add("file-binary", FATAL, f"The file is {what}, which is not read.", remedy)
            findings.refuse()
    refuse_what_is_no_text(data, findings)


def _kind(data: bytes, file: str, findings: Findings) -> str:
    found = sniff(data, file)
    if len(found) == 1:
        return found[0]
    if found:
        message = f"The file may be {' or '.join(found)}."
        remedy = "Name the format, or name the file after it."
        findings.add("file-ambiguous-format", FATAL, message, remedy)
    else:
        findings.add("file-unknown-format", FATAL, *_unknown(data))
    findings.refuse()


def _unknown(data: bytes) -> tuple[str, str]:
    """Message and remedy for a text in no format that is read."""
    head = _head(data)
    for pattern, what in _TEXTS:
        if re.match(pattern, head, re.DOTALL if "<" in pattern or "{" in pattern else 0):
            return f"The file is {what}, which is not read yet.", REMEDY
    return f"The file is in none of the known formats: {'; '.join(_why_not(head))}.", REMEDY


def _why_not(head: str) -> Iterator[str]:
    first = next((line.strip() for line in head.splitlines() if line.strip()), "")[:40]
    yield "no EGD table, for no line such as ; CL[A] stands in its heading"
    yield f"no flat file (games.csv ...), for its first line '{first}' names no two known columns"


def _head(data: bytes) -> str:
    return data[:HEAD].decode("utf-8", "replace").lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
