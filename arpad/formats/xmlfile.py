"""XML from anywhere: no entities, no document types, nothing fetched; every element knows its line."""

from __future__ import annotations

from typing import Any
from xml.etree.ElementTree import Element, ParseError, TreeBuilder

from arpad.domain.problems import FATAL
from arpad.formats.reading import Findings

LINE = "\0line"  # an attribute that no XML can have


class _Builder(TreeBuilder):
    """Notes the line on which each element begins."""

    expat: Any = None

    def start(self, tag: Any, attrs: Any) -> Any:
        return super().start(tag, {**attrs, LINE: str(self.expat.CurrentLineNumber)})


def parse(data: bytes, findings: Findings) -> Element:
    """The root element. Raises Refused: `markup-invalid` for what is no XML, `xml-forbidden` for entities."""
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


def text_of(element: Element, name: str) -> str:
    """An attribute without blanks around it; "" where there is none."""
    return (element.get(name) or "").strip()
