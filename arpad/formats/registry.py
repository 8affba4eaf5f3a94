"""Finds out which format a file has, by its content, and reads it.

A format is a module; a test sees to it that MODULES names them all. It has

    FORMATS                       the names of the formats it reads
    sniff(head, file)             which of them a text may be, from its first 4 KiB
    read(data, file, *, kind, today) -> Reading

and, where it needs them,

    TOLD = (names)                what may be told of a file; read() takes it as `told`, a mapping
    sniff_bytes(data, file)       which of them binary bytes may be (perhaps only the first); asked first
    WHOLE = True                  a file always speaks of a whole event
    LAST = True                   asked only where no other module knows the text
    LIMITS = {format: bytes}      the largest file of a format that may be larger than LIMIT, unpacked
    read_stream(stream, file, *, kind, today)   reads a file of any size by its path, unpacked as it comes;
                                  with `told` where the module has TOLD
    CHOOSES = True                its read_stream takes `wanted`, which rows of a rating list are kept

gzip, bzip2, zstd and a ZIP that holds one file are unpacked first, unless a module knows the packed bytes.
Formats that are known but not read yet are refused by name.
"""

from __future__ import annotations

import importlib
import os
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from arpad.domain.problems import FATAL, Refused
from arpad.formats import container, flat
from arpad.formats.ratinglist import Wanted
from arpad.formats.reading import Findings, Reading, refuse_what_is_no_text

# Named, so that looking for a format does not import all of this folder.
MODULES = (
    "aga", "agalist", "challonge", "egd", "egdlist", "ffglist", "fidelist", "flat", "keizer", "macmahon",
    "opengotha", "pairgoth", "pgn", "swissperfect", "tou", "trf", "table",
)  # fmt: skip
HEAD = 4096  # bytes that are looked at
PART = 2**20  # bytes that are read at once
LIMIT = 10 * 2**20  # bytes of a file, as long as nobody says otherwise
PATH_LIMIT = 2**31  # bytes that are read at all, from the command line
# Programs' binary files, by their first bytes: name, what to do.
_MAGIC = (
    (b"SQLite format 3\0", "an SQLite database", "Export the games as CSV."),
    (b"\xd0\xcf\x11\xe0", "an old or encrypted spreadsheet (XLS)", "Save it as CSV."),
    (b"\x93\xff\x89\x44", "a Swiss-Manager file", "Export it as CSV from Swiss-Manager."),
    (b"\x00\x01\x00\x00Standard Jet DB", "an Access database", "Export the games as CSV."),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", "Unpack it first."),
    (b"Rar!\x1a\x07", "a RAR archive", "Unpack it first."),
    (b"\xfd7zXZ\x00", "an xz archive", "Unpack it first."),
    (b"\x89PNG", "a picture", "Choose the file of the results."),
    (b"%PDF", "a PDF document", "Ask for the file it was made from."),
)
# Texts of formats that are not read yet, in the order in which they are tried.
_TEXTS = (
    (r"\s*<", "XML or HTML"),
    (r"\s*[\[{]", "JSON"),
)
REMEDY = "Export it as an EGD table (.h9) or games.csv (date,player1,player2,result), or map a table (--map)."


@cache
def modules() -> tuple[ModuleType, ...]:
    """The modules that are formats."""
    return tuple(importlib.import_module(f"arpad.formats.{name}") for name in MODULES)


def is_whole(kind: str) -> bool:
    """Whether a file of that format always speaks of a whole event."""
    return any(getattr(module, "WHOLE", False) for module in modules() if kind in module.FORMATS)


def names() -> list[str]:
    """The formats that can be read."""
    return [name for module in modules() for name in module.FORMATS]


def sniff(data: bytes, file: str = "") -> list[str]:
    """The formats that this may be, by its content; empty where it is none that is read."""
    known = _binary(data, file)
    if known:
        return known
    if container.packing(data):
        try:
            data = container.peek(data, Findings(file), HEAD)
        except Refused:
            return []
        known = _binary(data, file)
    return known or _text(_head(data), file)


def _binary(data: bytes, file: str) -> list[str]:
    able = (module for module in modules() if hasattr(module, "sniff_bytes"))
    return [name for module in able for name in module.sniff_bytes(data, file)]


def _text(head: str, file: str) -> list[str]:
    first = [m for m in modules() if not getattr(m, "LAST", False)]
    last = [m for m in modules() if getattr(m, "LAST", False)]
    known = [name for module in first for name in module.sniff(head, file)]
    # a table may name two columns of games.csv by chance; it is one if the others have names too
    if known == ["games.csv"] and not flat.is_whole(head) and any(m.is_whole(head) for m in last):
        known = []
    return known or [name for module in last for name in module.sniff(head, file)]


def read(
    source: bytes | str | Path,
    file: str = "",
    *,
    kind: str = "",
    today: int | None = None,
    limit: int | None = None,
    told: Mapping[str, str] | None = None,
) -> Reading:
    """Read a file, or bytes, in whatever format it is. Raises Refused where it cannot be taken.

    `kind` names the format and leaves the guessing out; `limit` is the largest size in bytes, packed and
    unpacked; `told` is what somebody says of the file that it does not say itself, by the names in the
    module's TOLD.
    """
    if not isinstance(source, bytes) and limit is None:
        streamed = _streamed(Path(source), file or str(source), kind, today, told)
        if streamed is not None:
            return streamed
    data, module, kind = prepare(source, file, kind=kind, limit=limit)
    name = file or ("" if isinstance(source, bytes) else str(source))
    answers = _answers(module, kind, told, Findings(name)) if told else {}
    reading = module.read(data, name, kind=kind, today=today, **answers)
    assert isinstance(reading, Reading)
    return reading


def select(
    path: Path,
    wanted: Wanted,
    *,
    kind: str = "",
    today: int | None = None,
    told: Mapping[str, str] | None = None,
) -> Reading:
    """Read a rating list of which only some rows matter. Raises Refused as read() does.

    A list that is read row by row keeps those alone in memory; of any other the rest is left in.
    """
    reading = _streamed(path, str(path), kind, today, told, wanted)
    return reading or read(path, kind=kind, today=today, told=told)


def _answers(module: ModuleType, kind: str, told: Mapping[str, str], findings: Findings) -> dict[str, Any]:
    """The argument for a module that asks; refused where it does not ask for one of them."""
    asked = getattr(module, "TOLD", ())
    for name in told:
        if name not in asked:
            message = f"'{name}' is nothing that {kind} asks for."
            remedy = f"It asks for {', '.join(asked)}." if asked else "Leave it out."
            findings.add("answer-unknown", FATAL, message, remedy)
    findings.refuse_where(FATAL)
    return {"told": told}


def prepare(
    source: bytes | str | Path, file: str = "", *, kind: str = "", limit: int | None = None
) -> tuple[bytes, ModuleType, str]:
    """The unpacked bytes of a file, the module that reads them, and the format. Raises Refused."""
    if not isinstance(source, bytes):
        file = file or str(source)
        source = _bytes(Path(source), file, limit)
    findings = Findings(file)
    known = _binary(source, file)
    packed = not known and container.packing(source)
    head = container.peek(source, findings, HEAD) if packed else source
    if packed:
        if container.is_archive(head):
            findings.add("file-archive", FATAL, "The archive holds an archive.", "Send it unpacked.")
            findings.refuse()
        known = _binary(head, file)
    if not known:
        _refuse_by_first_bytes(head, findings)
    module, kind = _module(kind or _one(known or _text(_head(head), file), head, findings), findings)
    most = limit if limit is not None else getattr(module, "LIMITS", {}).get(kind, LIMIT)
    if len(source) > most:
        _too_large(len(source), most, findings)
    if packed:
        source, _ = container.unpack(source, findings, most)
        if not known:
            refuse_what_is_no_text(source, findings)
    return source, module, kind


def _module(kind: str, findings: Findings) -> tuple[ModuleType, str]:
    for module in modules():
        if kind in module.FORMATS:
            return module, kind
    message = f"There is no format '{kind}'."
    findings.add("file-unknown-format", FATAL, message, f"Use one of {', '.join(names())}.")
    findings.refuse()


def _streamed(
    path: Path, file: str, kind: str, today: int | None, told: Mapping[str, str] | None,
    wanted: Wanted | None = None,
) -> Reading | None:  # fmt: skip
    """The reading of a file whose format is read as a stream; None for any other, and for what is damaged."""
    able = [module for module in modules() if hasattr(module, "read_stream")]
    try:
        if not path.is_file():  # what a pipe has given once is gone
            return None
        with path.open("rb") as stream:
            head = stream.read(2**20) if able else b""  # bzip2 packs almost as much at once
            if container.packing(head) == container.ZIP:
                return None
            found = [kind] if kind else sniff(head, file) if head else []
            for module in able:
                if len(found) == 1 and found[0] in module.FORMATS:
                    stream.seek(0)
                    unpacked = container.open_stream(stream, Findings(file))
                    more = _answers(module, found[0], told, Findings(file)) if told else {}
                    if wanted is not None and getattr(module, "CHOOSES", False):
                        more["wanted"] = wanted
                    reading = module.read_stream(unpacked, file, kind=found[0], today=today, **more)
                    assert isinstance(reading, Reading)
                    return reading
    except OSError:  # told by whoever reads it whole
        return None
    return None


def _bytes(path: Path, file: str, limit: int | None) -> bytes:
    findings = Findings(file)
    try:
        size = path.stat().st_size
        most = PATH_LIMIT if limit is None else limit
        if size > most:
            _too_large(size, most, findings)
        with open(path, "rb", opener=_at_once) as stream:
            head = stream.read(HEAD)
            # a device has no end: what is no text is refused by its beginning
            if head.strip() and not container.packing(head) and not _binary(head, file):
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


def _at_once(name: str, flags: int) -> int:
    """Open a file; a pipe that nobody writes into is empty, instead of waited for without end."""
    found = os.open(name, flags | getattr(os, "O_NONBLOCK", 0))
    os.set_blocking(found, True)
    return found


def _too_large(size: int, most: int, findings: Findings) -> None:
    message = f"The file has {size} bytes; {most} are the limit."
    findings.add("file-too-large", FATAL, message, "Split it, or raise the limit.")
    findings.refuse()


def _refuse_by_first_bytes(data: bytes, findings: Findings) -> None:
    if data.startswith(b"\xd0\xcf\x11\xe0") and "EncryptedPackage".encode("utf-16-le") in data:
        message = "The file is a spreadsheet with a password."
        findings.add("file-encrypted", FATAL, message, "Save it without a password.")
        findings.refuse()
    for magic, what, remedy in _MAGIC:
        if data.startswith(magic):
            findings.add("file-binary", FATAL, f"The file is {what}, which is not read.", remedy)
            findings.refuse()
    refuse_what_is_no_text(data, findings)


def _one(found: list[str], data: bytes, findings: Findings) -> str:
    if len(found) == 1:
        return found[0]
    if found:
        message = f"The file may be {' or '.join(found)}."
        remedy = "Name the format, or name the file after it."
        findings.add("file-ambiguous-format", FATAL, message, remedy)
    elif b"<!ENTITY" in data[:HEAD]:
        message = "The file has a document type with entities."
        findings.add("xml-forbidden", FATAL, message, "Save it anew from the program.")
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
    yield "no table, for none of its first rows names two known columns, such as Datum;Wit;Zwart;Uitslag"
    yield f"no flat file (games.csv ...), for its first line '{first}' names no two known columns"


def _head(data: bytes) -> str:
    return data[:HEAD].decode("utf-8", "replace").lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
