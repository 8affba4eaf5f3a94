"""XML from anywhere: no entities, no document types, nothing fetched; every element knows its place."""

from __future__ import annotations

from typing import Any
from xml.etree.ElementTree import Element, ParseError, TreeBuilder
from xml.parsers.expat import errors

from arpad.domain.problems import FATAL
from arpad.formats.reading import Findings

LINE, COLUMN = "\0line", "\0column"  # attributes that no XML can have
TOO_SHORT = {
    errors.codes[text]
    for text in (
        errors.XML_ERROR_NO_ELEMENTS,
        errors.XML_ERROR_UNCLOSED_TOKEN,
        errors.XML_ERROR_UNCLOSED_CDATA_SECTION,
    )
}
ELEMENTS = 100_000  # of a file; a tournament of 3000 players has fewer
NESTING = 64


class _TooMuch(Exception):
    """More elements, or deeper ones, than any tournament has."""


class _Builder(TreeBuilder):
    """Notes where each element begins; stops before a file fills the memory."""

    expat: Any = None

    def __init__(self, lines_before: int) -> None:
        super().__init__()
        self._before, self._count, self._depth = lines_before, 0, 0

    def start(self, tag: Any, attrs: Any) -> Any:
        self._count += 1
        self._depth += 1
        if self._count > ELEMENTS or self._depth > NESTING:
            raise _TooMuch
        line = self.expat.CurrentLineNumber + self._before
        return super().start(tag, {**attrs, LINE: str(line), COLUMN: str(self.expat.CurrentColumnNumber + 1)})

    def end(self, tag: Any) -> Any:
        self._depth -= 1
        return super().end(tag)


def parse(data: bytes, findings: Findings) -> Element:
    """The root element.

    Raises Refused: `markup-invalid` for what is no XML, `file-truncated` where it ends too early,
    `xml-forbidden` for entities.
    """
    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import DefusedXMLParser

    blanks = data[: len(data) - len(data.lstrip(b" \t\r\n"))]  # before the declaration, which XML forbids
    before = len(blanks.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")) - 1
    builder = _Builder(before)
    parser = DefusedXMLParser(target=builder, forbid_dtd=True, forbid_entities=True, forbid_external=True)
    builder.expat = parser.parser
    remedy = "Save it anew from the program."
    try:
        parser.feed(data[len(blanks) :])
        root: Element = parser.close()
    except DefusedXmlException:
        message = "The file has a document type, entities or references to other files."
        findings.add("xml-forbidden", FATAL, message, remedy)
    except _TooMuch:
        message = f"The file has more than {ELEMENTS} elements, or more than {NESTING} in each other."
        findings.add("markup-invalid", FATAL, message, remedy)
    except ParseError as error:
        line, column = error.position
        line += before
        if error.code in TOO_SHORT:
            message = "The file ends in the middle."
            findings.add("file-truncated", FATAL, message, "Transfer it again.", line, column + 1)
            findings.refuse()
        message = f"The file is no whole XML: {str(error).partition(':')[0]}."
        findings.add("markup-invalid", FATAL, message, remedy, line, column + 1)
    except (LookupError, ValueError) as error:  # an encoding that nobody knows
        findings.add("markup-invalid", FATAL, f"The file cannot be decoded: {error}.", remedy)
    else:
        return root
    findings.refuse()


def place_of(element: Element) -> tuple[int, int]:
    """Line and column at which an element begins, from 1."""
    return int(element.get(LINE, "1")), int(element.get(COLUMN, "1"))


def text_of(element: Element, name: str) -> str:
    """An attribute without blanks around it; "" where there is none."""
    return (element.get(name) or "").strip()
