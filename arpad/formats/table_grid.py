"""The cells of a table, whatever it was saved as: CSV with any delimiter, XLSX, ODS."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from arpad.domain.problems import FATAL, HELD
from arpad.formats import csvfile
from arpad.formats.reading import Findings, lines_of

Cell = str | float | bool | datetime.date | datetime.datetime | datetime.time | datetime.timedelta
COLUMN_LIMIT = 10_000
ROW_LIMIT = 1_048_576
DELIMITERS = ";,\t|"
LOOKED_AT = 50  # rows by which delimiter and header are found
JOINED = 20  # lines that one quoted cell may hold
LONGEST = 20_000  # characters of a row whose quoted cells hold line ends
TRIES = 100  # rows with unfitting quotation marks for whose end the next lines are searched
NAMES = {";": "semicolon", ",": "comma", "\t": "tab", "|": "bar"}


@dataclass
class Grid:
    """One sheet. `numbers` are the rows' own numbers, from 1; `lines` the lines of a text file."""

    name: str  # of the sheet; "" for CSV
    rows: list[Sequence[Cell]]
    numbers: Sequence[int]
    lines: list[str] = field(default_factory=list)
    delimiter: str = ""
    hidden: bool = False
    epoch: int = 1900  # of serial days
    unsaved: frozenset[tuple[int, int]] = frozenset()  # row number, column: formulas without value

    def place(self, row: int, column: int) -> tuple[int, int]:
        """Line and column, from 1, of a cell; in a sheet they are the row and the column."""
        number = self.numbers[row]
        if not self.delimiter:
            return number, column + 1
        return number, csvfile.column(self.lines[number - 1], column, self.delimiter)

    def where(self, row: int, column: int) -> str:
        """A cell as a spreadsheet names it, "Sheet!B3: "; "" for CSV."""
        return "" if self.delimiter else f"{self.name}!{letters(column)}{self.numbers[row]}: "


def letters(column: int) -> str:
    """The name of a column, from 0.

    >>> letters(0), letters(26)
    ('A', 'AA')
    """
    name, column = "", column + 1
    while column:
        column, rest = divmod(column - 1, 26)
        name = chr(65 + rest) + name
    return name


def text_of(cell: Cell) -> str:
    """A cell as text: whole numbers without point, dates in ISO order.

    >>> text_of(3.0), text_of(0.5), text_of(datetime.date(2026, 5, 31))
    ('3', '0.5', '2026-05-31')
    """
    if isinstance(cell, str):
        return cell
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, int | float):
        return csvfile.number_text(float(cell) + 0.0)
    return str(cell)


# --- CSV --------------------------------------------------------------------------------------------


def read_csv(data: bytes, findings: Findings) -> Grid:
    """The rows of a text file. Raises Refused where it is no text, or too wide or long."""
    lines = lines_of(data, findings)
    start = 0
    delimiter = ""
    if lines and lines[0].lower().startswith("sep=") and len(lines[0].strip()) == 5:
        delimiter, start = lines[0].strip()[4], 1
    if delimiter not in tuple(DELIMITERS):
        delimiter = find_delimiter(lines[start:])
    grid = Grid("", [], numbers := [], lines, delimiter)
    at, tries = start, TRIES
    while at < len(lines):
        cells, taken = _cells(lines, at, delimiter, tries > 0)
        if isinstance(cells, int):
            tries -= 1
            message = "A quoted cell does not end, or text stands beside its quotation marks."
            remedy = 'Quote the whole cell and double the quotation marks inside ("").'
            findings.add("table-quote", HELD, message, remedy, at + 1, cells + 1)
        else:
            if len(cells) > COLUMN_LIMIT:
                too_large(findings, len(cells), "columns", COLUMN_LIMIT, at + 1)
            grid.rows.append(cells)
            numbers.append(at + 1)
        at += taken
    if len(grid.rows) > ROW_LIMIT:
        too_large(findings, len(grid.rows), "rows", ROW_LIMIT)
    if grid.rows:
        _drop_index(grid)
    return grid


def too_large(findings: Findings, found: int, what: str, most: int, line: int = 1) -> None:
    """Refuse a table with too many columns or rows."""
    message = f"The table has {found} {what}; {most} are the limit."
    findings.add("file-too-large", FATAL, message, "Leave out what is no result.", line)
    findings.refuse()


def find_delimiter(lines: Sequence[str]) -> str:
    """The delimiter by which most of the first rows get the same number of cells, two at least."""
    best, score = ",", (0.0, 0)
    looked_at = [line for line in lines[: LOOKED_AT * 2] if line.strip()][:LOOKED_AT]
    for delimiter in DELIMITERS:
        widths: Counter[int] = Counter()
        for line in looked_at:
            cells = csvfile.split(line[:20_000], delimiter)
            width = len(cells) if not isinstance(cells, int) else 1
            if width > 1:
                widths[width] += 1
        if widths:
            width, rows = max(widths.items(), key=lambda item: (item[1], item[0]))
            if (rows, width) > score:
                best, score = delimiter, (rows, width)
    return best


def _cells(lines: Sequence[str], at: int, delimiter: str, join: bool) -> tuple[list[str] | int, int]:
    """The cells of the row that begins on a line, and its lines; where its quotation marks do not fit,
    the index of the mark, and one line."""
    line = lines[at]
    cells = csvfile.split(line, delimiter)
    if not isinstance(cells, int):
        return ([cell.strip() for cell in cells] if "  " in line or " " in line else cells), 1
    # a line may end inside quotation marks: then the next lines belong to the cell
    joined = line
    for more in range(1, min(JOINED, len(lines) - at) if join else 0):
        if len(joined) > LONGEST:
            break
        joined += "\n" + lines[at + more]
        together = csvfile.split(joined, delimiter)
        if not isinstance(together, int):
            return [cell.strip() for cell in together], more + 1
    return cells, 1


def _drop_index(grid: Grid) -> None:
    """Blank an unnamed first column of 0, 1, 2 ...: the index of a data frame."""
    first = [row[0] if row else "" for row in grid.rows]
    if len(first) > 1 and not first[0] and first[1:] == [str(n) for n in range(len(first) - 1)]:
        grid.rows = [["", *row[1:]] for row in grid.rows]
