"""Comma-separated rows: one record a line, a header that names its columns, cells with their places."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from arpad.domain.problems import FATAL, HELD, NOTE, WARNING
from arpad.formats.reading import Findings, clean

COLUMN_LIMIT = 10_000


class Header(NamedTuple):
    """Where each known column stands."""

    line: int  # of the header itself
    at: dict[str, int]  # column -> index of its cell
    width: int  # cells of the header


def normal(heading: str) -> str:
    """A heading as it is compared: lower case, blanks and hyphens as underscores.

    >>> normal(" Best of ")
    'best_of'
    """
    return clean(heading).lower().replace(" ", "_").replace("-", "_")


def split(line: str, mark: str = ",") -> list[str] | int:
    """The cells of a line, separated by `mark`, or the index of the quotation mark that does not fit.

    >>> split('a,"b')
    2
    """
    if '"' not in line:
        return line.split(mark)
    return [text for text, _ in cells] if isinstance(cells := _quoted(line, mark), list) else cells


def column(line: str, index: int, mark: str = ",") -> int:
    """The column, from 1, at which cell `index` of `line` starts."""
    cells = _quoted(line, mark)
    if isinstance(cells, int) or index >= len(cells):
        return 1
    return cells[index][1] + 1


def _quoted(line: str, mark: str = ",") -> list[tuple[str, int]] | int:
    """Cells with the index where each starts; the index of an unfitting quotation mark."""
    cells: list[tuple[str, int]] = []
    blanks = " \t".replace(mark, "")
    at = 0
    while True:
        start = at
        while at < len(line) and line[at] in blanks:
            at += 1
        if at < len(line) and line[at] == '"':
            opening, pieces, at = at, [], at + 1
            while True:
                end = line.find('"', at)
                if end < 0:
                    return opening
                pieces.append(line[at:end])
                if line[end + 1 : end + 2] != '"':
                    break
                pieces.append('"')
                at = end + 2
            at = end + 1
            while at < len(line) and line[at] in blanks:
                at += 1
            if at < len(line) and line[at] != mark:
                return end
            cells.append(("".join(pieces), start))
        else:
            end = line.find(mark, start)
            at = len(line) if end < 0 else end
            cells.append((line[start:at], start))
        if at >= len(line):
            return cells
        at += 1


def read_header(
    lines: Sequence[str], known: Mapping[str, str], needed: Iterable[str], findings: Findings
) -> Header:
    """Find the header in the first line that is not blank. Raises Refused where columns are missing.

    `known`: heading -> column, aliases included.
    """
    number = next((n for n, line in enumerate(lines, 1) if line.strip(" \t,")), 1)
    cells = split(lines[number - 1])
    if isinstance(cells, int):
        message = "A quotation mark of the header does not fit."
        findings.add("table-quote", FATAL, message, "Correct the line.", number, cells + 1)
        findings.refuse()
    if len(cells) > COLUMN_LIMIT:
        message = f"The header has {len(cells)} columns; {COLUMN_LIMIT} are the limit."
        findings.add("table-header-missing", FATAL, message, "Export the file again.", number)
        findings.refuse()
    at: dict[str, int] = {}
    for index, cell in enumerate(cells):
        _take_heading(cell, index, known, at, findings, number, lines[number - 1])
    missing = [name for name in needed if name not in at]
    hint = _separator(lines[number - 1])
    if not at:
        remedy = hint or f"Begin with a line such as: {','.join(needed)}"
        findings.add("table-header-missing", FATAL, "The first line names no known column.", remedy, number)
    for name in missing if at else ():
        remedy = hint or f"Add it; {_aliases(name, known)}."
        findings.add("table-column-missing", FATAL, f"There is no column '{name}'.", remedy, number)
    findings.refuse_where(FATAL)
    return Header(number, at, len(cells))


def _take_heading(
    cell: str,
    index: int,
    known: Mapping[str, str],
    at: dict[str, int],
    findings: Findings,
    number: int,
    line: str,
) -> None:
    heading = normal(cell)
    name = known.get(heading)
    if name is None:
        if heading:
            near = difflib.get_close_matches(heading, known, n=1, cutoff=0.75)
            remedy = f"Did you mean '{near[0]}'?" if near else "It is not used."
            message = f"The column '{clean(cell)[:40]}' is not known and is ignored."
            findings.add("table-column-unknown", WARNING, message, remedy, number, column(line, index))
    elif name in at:
        message = f"Two columns are '{name}'."
        remedy = f"Keep one; {_aliases(name, known)}."
        findings.add("table-column-ambiguous", FATAL, message, remedy, number, column(line, index))
    else:
        at[name] = index


def _aliases(name: str, known: Mapping[str, str]) -> str:
    also = [heading for heading, column_ in known.items() if column_ == name and heading != name]
    return f"it may also be called {' or '.join(also)}" if also else "the order of the columns is free"


def _separator(line: str) -> str:
    """What to do about a header that is not separated by commas."""
    for separator, words in ((";", "semicolons"), ("\t", "tabs")):
        if separator in line:
            return f"The cells seem to be separated by {words}: save the file with commas."
    return ""


def read_rows(lines: Sequence[str], header: Header, findings: Findings) -> Iterator[tuple[int, list[str]]]:
    """Line number and cells of each row after the header; rows that cannot be split are reported."""
    width = header.width
    for number in range(header.line + 1, len(lines) + 1):
        line = lines[number - 1]
        cells = split(line)
        if isinstance(cells, int):
            message = "A quoted cell does not end on its line, or text stands beside its quotation marks."
            remedy = 'Quote the whole cell, double the quotation marks inside ("") and use no line breaks.'
            findings.add("table-quote", HELD, message, remedy, number, cells + 1)
            continue
        if not line.strip(" \t,"):
            findings.add("table-row-ignored", NOTE, "The row is empty.", "", number)
        elif len(cells) == width or _fits(cells, width, line, number, findings):
            yield number, cells


def _fits(cells: list[str], width: int, line: str, number: int, findings: Findings) -> bool:
    """Whether a row of another length than the header can be read: empty cells too many do no harm."""
    if len(cells) > width:
        if not any(cell.strip() for cell in cells[width:]):
            return True
        message = f"The row has {len(cells)} cells, the header {width}."
        remedy = 'Quote cells that hold a comma: "Peeters, Jan".'
        findings.add("table-row-long", HELD, message, remedy, number, column(line, width))
        return False
    message = f"The row has {len(cells)} cells, the header {width}."
    findings.add("table-row-short", HELD, message, "Complete the row.", number, len(line) + 1)
    return False


def quoted(cell: str) -> str:
    """A cell as it is written.

    >>> quoted('Peeters, Jan'), quoted('plain')
    ('"Peeters, Jan"', 'plain')
    """
    if "," in cell or '"' in cell or cell != cell.strip():
        return '"' + cell.replace('"', '""') + '"'
    return cell


def write_rows(names: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    """UTF-8, comma, one line feed a row."""
    lines = [",".join(names)]
    lines += [",".join(map(quoted, row)) for row in rows]
    return ("\n".join(lines) + "\n").encode("utf-8")


def number_text(value: float) -> str:
    """The shortest text that reads back as the same number.

    >>> number_text(1800.0), number_text(0.1)
    ('1800', '0.1')
    """
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
