"""Problems as values: what a reader, a ruleset or a command found wrong, where, and what to do.

Codes are stable, never renamed, never reused; docs/reference/problems.md lists every one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

FATAL = "fatal"  # nothing is taken
HELD = "held"  # this game, row or field is kept out, the rest is taken
WARNING = "warning"  # taken; a person should look
NOTE = "note"  # taken; for the record


class Problem(NamedTuple):
    """One finding. `line` and `column` are 1-based and counted in characters; 0: no such place."""

    code: str
    severity: str
    message: str  # one sentence with the value found
    remedy: str = ""  # what the reader of the message can do
    file: str = ""
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}" if self.line else (self.file or "arpad")
        remedy = f" {self.remedy}" if self.remedy else ""
        return f"{place}: {self.code}: {self.message}{remedy}"


class Refused(Exception):
    """Nothing was taken. `problems` says why; at least one is fatal (or held, where held is fatal)."""

    def __init__(self, problems: Iterable[Problem] | Problem) -> None:
        self.problems = [problems] if isinstance(problems, Problem) else list(problems)
        super().__init__("\n".join(str(p) for p in self.problems))


class RuleRefusal(Exception):
    """A ruleset does not know this value (class, result, size, league ...); the caller adds the place."""

    def __init__(self, code: str, message: str, remedy: str = "") -> None:
        self.code, self.message, self.remedy = code, message, remedy
        super().__init__(f"{code}: {message} {remedy}".strip())
