"""XML from anywhere: no entities, no document types, nothing fetched; every element knows its place."""

from __future__ import annotations

from typing import Any
from xml.etree.ElementTree import Element, ParseError, TreeBuilder
from xml.parsers.expat import errors

from arpad.domain.problems import FATAL
from arpad.formats.reading import Findings

LINE, COLUMN = "\0line", "\0column"  # attributes that no XML can have
_TOO_SHORT = {
    errors.codes[text]
    for text in (
        errors.XML_ERROR_NO_ELEMENTS,
        errors.XML_ERROR_UNCLOSED_TOKEN,
        errors.XML_ERROR_UNCLOSED_CDATA_SECTION,
    )
}


class _Builder(TreeBuilder):
    """Notes where each element begins."""

    expat: Any = None

    def start(self, tag: Any, attrs: Any) -> Any:
        place = {LINE: str(self.expat.CurrentLineNumber), COLUMN: str(self.expat.CurrentColumnNumber + 1)}
        return super().start(tag, {**attrs, **place})


def parse(data: bytes, findings: Findings) -> Element:
    """The root element.

    Raises Refused: `markup-invalid` for what is no XML, `file-truncated` where it ends too early,
    `xml-forbidden` for entities.
    """
    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import DefusedXMLParser

    builder = _Builder()
    parser = DefusedXMLParser(target=builder, forbid_dtd=True, forbid_entities=True, forbid_external=True)
    builder.expat = parser.parser
    remedy = "Save it anew from the program."
    try:
        parser.feed(data)
        root: Element = parser.close()
    except DefusedXmlException:
        message = "The file has a document type, entities or references to other files."
        findings.add("xml-forbidden", FATAL, message, remedy)
    except ParseError as error:
        line, column = error.position
        if error.code in _TOO_SHORT:
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


def line_of(element: Element) -> int:
    """The line of the file on which an element begins."""
    return int(element.get(LINE, "1"))


def place_of(element: Element) -> tuple[int, int]:
    """Line and column at which an element begins, from 1."""
    return int(element.get(LINE, "1")), int(element.get(COLUMN, "1"))


def text_of(element: Element, name: str) -> str:
    """An attribute without blanks around it; "" where there is none."""
    return (element.get(name) or "").strip()
