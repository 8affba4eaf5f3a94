"""Lists larger than memory should hold: bytes that are counted as they come, rows one at a time."""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterator
from typing import Any, BinaryIO
from xml.etree.ElementTree import ParseError

from arpad.domain.problems import FATAL, WARNING
from arpad.formats.reading import LINE_LIMIT, Findings, refuse_what_is_no_text
from arpad.formats.xmlfile import TOO_SHORT

PART = 2**18
FIELDS, LONGEST = 60, 400  # of one player in XML: elements, and characters of one
_AGAIN = "Save it anew, or fetch it again."


class Parts:
    """The bytes of a stream in parts, without a byte-order mark. Raises Refused above `most` bytes."""

    def __init__(self, stream: BinaryIO, findings: Findings, most: int) -> None:
        self.stream, self.findings, self.most = stream, findings, most
        self.size = 0
        self.head = self._read().removeprefix(b"\xef\xbb\xbf")
        while self.head and not self.head.strip() and (more := self._read()):
            self.head += more
        refuse_what_is_no_text(self.head, findings)

    def __iter__(self) -> Iterator[bytes]:
        part = self.head
        while part:
            if b"\x00" in part:
                message = f"One of the first {self.size} bytes is NUL, so the file is no text."
                self.findings.add("file-binary", FATAL, message, "Export the file again as text.")
                self.findings.refuse()
            yield part
            part = self._read()

    def _read(self) -> bytes:
        from zstandard import ZstdError

        try:
            part = self.stream.read(PART)
        except (EOFError, zlib.error, OSError, ZstdError):
            message = "The packed file is damaged, or ends in the middle."
            self.findings.add("file-truncated", FATAL, message, "Transfer it again.")
            self.findings.refuse()
        self.size += len(part)
        if self.size > self.most:
            message = f"The file has more than {self.most} bytes, which are the limit."
            self.findings.add("file-too-large", FATAL, message, "Split it.")
            self.findings.refuse()
        return part


def lines_of_stream(parts: Parts, encoding: str, findings: Findings) -> Iterator[str]:
    """The lines; they end with CRLF, LF or CR.

    encoding  "" where the whole was not looked at: each line is UTF-8, else Windows-1252
    """
    told, number, left = encoding == "utf-8", 0, b""
    for part in parts:
        part = left + part
        whole = part.splitlines(keepends=True)
        # a CR at the very end may be half of a CRLF
        left = whole.pop() if not part.endswith(b"\n") else b""
        if len(left) > LINE_LIMIT:
            message = f"The line has more than {LINE_LIMIT} characters."
            findings.add("line-too-long", FATAL, message, "Fetch the list again.", number + len(whole) + 1)
            findings.refuse()
        for line in whole:
            number += 1
            text, told = _decoded(line, encoding, told, number, findings)
            yield text
    for line in left.splitlines():
        number += 1
        yield _decoded(line, encoding, told, number, findings)[0]


def _decoded(line: bytes, encoding: str, told: bool, number: int, findings: Findings) -> tuple[str, bool]:
    line = line.rstrip(b"\r\n")
    if encoding != "cp1252":
        try:
            return line.decode("utf-8"), told
        except UnicodeDecodeError:
            pass
    text = line.decode("cp1252", "replace")
    if not told and not line.isascii():
        message = (
            f"The file is no UTF-8 and was read as Windows-1252; a line that changed: {text[:60].strip()}"
        )
        findings.add("text-not-utf8", WARNING, message, "Check the accented names.", number)
        told = True
    if "\ufffd" in text:
        message = f"Bytes that are no character: {text[:60].strip()}"
        findings.add(
            "text-undecodable", WARNING, message, "Correct the name.", number, text.index("\ufffd") + 1
        )
    return text, told


def encoding_of(data: bytes) -> str:
    """ "utf-8", or "cp1252" where the bytes are no UTF-8."""
    decoder = io.TextIOWrapper(io.BytesIO(data), "utf-8")
    try:
        while decoder.read(PART):
            pass
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"


# --- XML ------------------------------------------------------------------------------------------


class _Stop(Exception):
    """What stands in the file is no list of players."""


class _Players:
    """A parser's target: collects the texts of one `player` at a time."""

    expat: Any = None

    def __init__(self) -> None:
        self.rows: list[tuple[dict[str, str], int]] = []
        self.depth = 0
        self._row: dict[str, str] = {}
        self._text: list[str] = []
        self._line = 1

    def start(self, tag: str, attrs: dict[str, str]) -> None:
        self.depth += 1
        if self.depth == 1 and tag != "playerslist":
            raise _Stop(f"the outer element is '{tag[:40]}', not playerslist")
        if self.depth == 2:
            if tag != "player":
                raise _Stop(f"among the players stands '{tag[:40]}'")
            self._row, self._line = {}, self.expat.CurrentLineNumber
        if self.depth > 3 or len(self._row) > FIELDS:
            raise _Stop("a player has elements in elements, or too many")
        self._text = []

    def data(self, text: str) -> None:
        if self.depth == 3:
            self._text.append(text)

    def end(self, tag: str) -> None:
        if self.depth == 3:
            if tag in self._row:
                raise _Stop(f"a player has '{tag[:40]}' twice")
            self._row[tag] = "".join(self._text)[: LONGEST + 1]
        elif self.depth == 2:
            self.rows.append((self._row, self._line))
        self.depth -= 1

    def close(self) -> None:
        """Nothing is built."""


def players_of_xml(parts: Parts, findings: Findings) -> Iterator[tuple[dict[str, str], int]]:
    """Each player's elements by name, and the line. Raises Refused; what came before is to be thrown away."""
    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import DefusedXMLParser

    target = _Players()
    parser = DefusedXMLParser(target=target, forbid_dtd=True, forbid_entities=True, forbid_external=True)
    target.expat = parser.parser
    lead = parts.head[: len(parts.head) - len(parts.head.lstrip(b" \t\r\n"))]
    before = len(lead.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")) - 1
    line, column = 1, 1
    try:
        for number, part in enumerate(parts):
            parser.feed(part[len(lead) :] if not number else part)
            yield from ((row, at + before) for row, at in target.rows)
            target.rows.clear()
        parser.close()
        return
    except DefusedXmlException:
        message = "The file has a document type, entities or references to other files."
        findings.add("xml-forbidden", FATAL, message, _AGAIN)
    except _Stop as stop:
        line, column = parser.parser.CurrentLineNumber + before, parser.parser.CurrentColumnNumber + 1
        findings.add("schema-unknown", FATAL, f"This is no list: {stop}.", _AGAIN, line, column)
    except ParseError as error:
        line, column = error.position[0] + before, error.position[1] + 1
        if error.code in TOO_SHORT:
            message = "The file ends in the middle."
            findings.add("file-truncated", FATAL, message, "Transfer it again.", line, column)
        else:
            message = f"The file is no whole XML: {str(error).partition(':')[0]}."
            findings.add("markup-invalid", FATAL, message, _AGAIN, line, column)
    except (LookupError, ValueError) as error:  # an encoding that nobody knows
        findings.add("markup-invalid", FATAL, f"The file cannot be decoded: {error}.", _AGAIN)
    findings.refuse()
