"""What a ruleset says about itself: the parts of its docstring, its functions' and its parameters' texts.

Read from the sources, where they are written once; the command line, the reference and the site print them.
"""

from __future__ import annotations

import inspect
import re
from functools import cache
from typing import Any, NamedTuple

from arpad.domain.dates import day_text
from arpad.engine.sentences import units_of
from arpad.rulesets.catalogue import Ruleset

FIELD = re.compile(r"^ {4}(\w+): \w+(?: = [^#\n]*?)?(?: *# (.*))?$", re.MULTILINE)
PART = re.compile(r"^(?:\*\*\w+\*\*(?:, )?)+", re.MULTILINE)  # "**Scale**, **Period**: as ..." is two
CHOICES = "**Choices**"


class Text(NamedTuple):
    """A ruleset's docstring by its parts; each as written, without the part's name."""

    name: str  # "Belgian Go Federation"
    title: str  # the first sentence
    source: str
    scale: str
    period: str
    choices: str


class Clause(NamedTuple):
    """One function of the ruleset: a clause of the text it follows."""

    name: str  # of the function, and of the anchor
    text: str  # the first paragraph of its docstring


class Meaning(NamedTuple):
    """A field of Params, Step or Settled."""

    name: str
    unit: str  # of arpad.domain.units
    text: str  # the comment behind it


class Changed(NamedTuple):
    """A parameter that an edition set anew."""

    name: str
    old: float
    new: float


def whole(ruleset: Ruleset) -> str:
    """The docstring as it stands."""
    return inspect.getdoc(ruleset.module) or ""


def text(ruleset: Ruleset) -> Text:
    """The docstring by its parts; a part that is not there is empty."""
    written = whole(ruleset)
    head, *_rest = written.split("\n\n")
    title = " ".join(head.split()).rstrip(".")
    parts = {"source": "", "scale": "", "period": "", "choices": ""}
    found = list(PART.finditer(written))
    ends = [match.start() for match in found[1:]] + [len(written)]
    for match, end in zip(found, ends, strict=True):
        said = written[match.end() : end].strip().lstrip(":,").strip()
        parts |= {name.lower(): said for name in re.findall(r"\w+", match[0])}
    return Text(title.partition(":")[0], title, **parts)


def choices(ruleset: Ruleset) -> str:
    """The docstring from its **Choices** on. ValueError where there are none."""
    written = whole(ruleset)
    start = written.find(CHOICES)
    if start < 0:
        raise ValueError(f"{ruleset.id}: the docstring has no {CHOICES}")
    return written[start:].strip()


@cache
def meanings(kind: Any) -> tuple[Meaning, ...]:
    """The fields of a NamedTuple of a ruleset with the comments behind them; "" without the sources."""
    try:
        said = dict(FIELD.findall(inspect.getsource(kind)))
    except OSError:  # the package without its sources
        said = {}
    units = units_of(kind)
    return tuple(Meaning(name, units[name], said.get(name, "")) for name in kind._fields)


def by_edition(ruleset: Ruleset, name: str) -> list[tuple[int, float]]:
    """(day, value) of each edition that set the parameter anew, oldest first."""
    told: list[tuple[int, float]] = []
    for day, params in ruleset.editions:
        value = getattr(params, name)
        if not told or value != told[-1][1]:
            told.append((day, value))
    return told


def told(ruleset: Ruleset, name: str) -> str:
    """The value, edition by edition: `350; 400 from 2009-07-01`."""
    first, *later = by_edition(ruleset, name)
    return "; ".join([f"{first[1]}", *(f"{value} from {day_text(day)}" for day, value in later)])


def changed(ruleset: Ruleset, edition: int) -> list[Changed]:
    """What the edition (its number, from 0) set anew; nothing for the first."""
    if not edition:
        return []
    old, new = ruleset.editions[edition - 1][1], ruleset.editions[edition][1]
    pairs = zip(ruleset.params_type._fields, old, new, strict=True)
    return [Changed(name, before, after) for name, before, after in pairs if before != after]


def clauses(ruleset: Ruleset) -> list[Clause]:
    """The functions of the ruleset that say what they do, in the order in which they are written."""
    home = inspect.getmodule(ruleset.step) or ruleset.module  # fide-rapid takes them from fide-standard
    found: list[tuple[int, Clause]] = []
    for name, function in vars(home).items():
        if name.startswith("_") or not inspect.isfunction(function) or function.__module__ != home.__name__:
            continue
        said = (inspect.getdoc(function) or "").split("\n\n")[0]
        if said:
            found.append((function.__code__.co_firstlineno, Clause(name, " ".join(said.split()))))
    return [clause for _line, clause in sorted(found)]
