"""What a command says: problems and progress on standard error, results on standard output."""

from __future__ import annotations

import enum
import sys
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any

import typer

from arpad.domain.problems import Problem

PATIENCE = 1.0  # seconds before a progress bar appears
BAR = 30  # its width
LISTED = 21  # problems of one code and file that are printed; readers give 20 and a count


class Format(enum.StrEnum):
    """How a result is printed: for a person, for a spreadsheet, for a program."""

    TABLE = "table"
    CSV = "csv"
    JSON = "json"


FormatOption = Annotated[Format, typer.Option("--format", help="How to print the result.")]


def say(text: str) -> None:
    """Print to standard output."""
    typer.echo(text)


def say_problems(problems: Iterable[Problem]) -> None:
    """One problem a line: file:line:column: code: message remedy. Of one code and file, the first ones."""
    counts: Counter[tuple[str, str]] = Counter()
    for problem in problems:
        counts[problem.code, problem.file] += 1
        if counts[problem.code, problem.file] <= LISTED:
            typer.echo(_one_line(str(problem)), err=True)
    for (code, file), count in counts.items():
        if count > LISTED:
            typer.echo(f"{file or 'arpad'}: {code}: {count - LISTED:,} more of this kind.", err=True)


def _one_line(text: str) -> str:
    """Text from a file as a terminal may show it: no control characters."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def say_json(data: Any) -> None:
    import json

    say(json.dumps(data, ensure_ascii=False, indent=2))


def say_csv(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Rows as the flat file writes them; None is an empty cell."""
    from arpad.formats.csvfile import write_rows

    cells = ([_cell(value) for value in row] for row in rows)
    say(write_rows(columns, cells).decode("utf-8").removesuffix("\n"))


def say_table(columns: Sequence[str], rows: Iterable[Sequence[object]], right: Iterable[str] = ()) -> None:
    """Columns below their headings; those named in `right` are set to the right."""
    table = [list(columns), *([_cell(value) for value in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    to_right = [column in set(right) for column in columns]
    for row in table:
        cells = zip(row, widths, to_right, strict=True)
        line = "  ".join(text.rjust(width) if end else text.ljust(width) for text, width, end in cells)
        say(_one_line(line.rstrip()))


def say_rows(
    form: Format, columns: Sequence[str], rows: Sequence[Sequence[object]], right: Iterable[str] = ()
) -> None:
    """The same rows as a table, as CSV, or as a JSON list of objects."""
    if form is Format.JSON:
        say_json([dict(zip(columns, row, strict=True)) for row in rows])
    elif form is Format.CSV:
        say_csv(columns, rows)
    else:
        say_table(columns, rows, right)


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "1" if value else "0"
    return repr(value) if isinstance(value, float) else str(value)


def counted(number: int, noun: str) -> str:
    """A number with its noun.

    >>> counted(1, "game"), counted(1200, "game")
    ('1 game', '1,200 games')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def listed(counts: Mapping[str, int]) -> str:
    """Words with their counts: "forfeit 33, friendly 2"."""
    return ", ".join(f"{word} {count:,}" for word, count in counts.items())


class Progress:
    """A bar on standard error, once the work has taken a second and if somebody can see it."""

    def __init__(self, what: str) -> None:
        self.what, self.start, self.shown = what, time.monotonic(), False
        self.visible = sys.stderr.isatty()

    def __call__(self, done: int, total: int) -> None:
        """`done` of `total` games."""
        if not self.visible or time.monotonic() - self.start < PATIENCE or not total:
            return
        self.shown = True
        filled = BAR * done // total
        sys.stderr.write(f"\r{self.what} [{'#' * filled}{'.' * (BAR - filled)}] {done:,} of {total:,} games")
        sys.stderr.flush()

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self.shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
