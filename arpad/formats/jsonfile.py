"""JSON from anywhere: nesting is limited, nothing is run, every object knows its line and column."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from typing import Any

from arpad.domain.problems import FATAL
from arpad.formats.reading import Findings, lines_of

NESTING = 64
PARTS = 100_000  # objects and lists of a file; a tournament of 3000 players has fewer
VALUES = 500_000  # and so many values between commas
_TOKENS = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]', re.DOTALL)


class Object(dict[str, Any]):
    """A JSON object with its place: line and column, from 1."""

    line: int = 1
    column: int = 1

    @property
    def place(self) -> tuple[int, int]:
        return self.line, self.column

    def text(self, name: str) -> str:
        """A value as text, "" where there is none or it is no single value."""
        value = self.get(name)
        if value is None or isinstance(value, dict | list):
            return ""
        if isinstance(value, bool):
            return "true" if value else "false"
        return f"{value:g}" if isinstance(value, float) else str(value).strip()


def parse(data: bytes, findings: Findings) -> object:
    """The value. Raises Refused: `file-truncated` where it ends too early, else `markup-invalid`.

    Lines and columns are those of the file; duplicate names in an object are refused, for nobody can say
    which one holds.
    """
    remedy = "Save it anew from the program."
    if data.count(b"{") + data.count(b"[") > PARTS or data.count(b",") > VALUES:
        message = f"The file has more than {PARTS} objects and lists, or {VALUES} values."
        findings.add("markup-invalid", FATAL, message, remedy)
        findings.refuse()
    text = "\n".join(lines_of(data, findings))
    deepest = _depth(text)
    if deepest > NESTING:
        message = f"Lists and objects stand {deepest} deep in each other; {NESTING} are the limit."
        findings.add("markup-invalid", FATAL, message, remedy)
        findings.refuse()
    try:
        return _Decoder(text).decode(text)
    except json.JSONDecodeError as error:
        if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string"):
            message = "The file ends in the middle."
            findings.add("file-truncated", FATAL, message, "Transfer it again.", error.lineno, error.colno)
        else:
            message = f"The file is no JSON: {error.msg}."
            findings.add("markup-invalid", FATAL, message, remedy, error.lineno, error.colno)
    except ValueError as error:  # a number of more digits than Python reads
        findings.add("markup-invalid", FATAL, f"A number cannot be read: {str(error)[:60]}.", remedy)
    findings.refuse()


def _depth(text: str) -> int:
    """How deep lists and objects stand in each other."""
    depth = deepest = 0
    for match in _TOKENS.finditer(text):
        token = match[0]
        depth += (token in "[{") - (token in "]}")
        deepest = max(deepest, depth)
    return deepest


class _Decoder(json.JSONDecoder):
    """Notes the place of every object, by the library's own scanner in Python."""

    def __init__(self, text: str) -> None:
        super().__init__(parse_constant=self._no_constant)
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]
        self.parse_object = self._object
        self.scan_once = json.scanner.py_make_scanner(self)  # type: ignore[attr-defined]

    def _object(self, s_and_end: tuple[str, int], *rest: Any) -> tuple[Object, int]:
        start = s_and_end[1] - 1
        pairs: list[tuple[str, Any]] = []
        # strict, scan_once, object_hook, object_pairs_hook, memo: the pairs are wanted as they stand
        strict, scan_once, _, _, *memo = rest
        _, end = json.decoder.JSONObject(s_and_end, strict, scan_once, None, pairs.extend, *memo)  # type: ignore[attr-defined]
        found = Object(pairs)
        if len(found) < len(pairs):
            raise json.JSONDecodeError("A name stands twice in an object", s_and_end[0], start)
        found.line, found.column = self._place(start)
        return found, end

    def _place(self, at: int) -> tuple[int, int]:
        line = bisect_right(self._starts, at)
        return line, at - self._starts[line - 1] + 1

    @staticmethod
    def _no_constant(name: str) -> Any:
        raise ValueError(f"{name} is no number")


__all__ = ["NESTING", "Object", "parse"]
