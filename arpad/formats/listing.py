"""A rating list or an event, written for people and for other programs: CSV, XLSX, ODS, JSON, HTML.

    page = ListPage("Rating list", ..., parts=(Part("players", "Players", columns, rows),))
    csv(page), xlsx(page), ods(page), json_text(page), html(page); listing_pdf.pdf(page)

Plain values in, bytes out. Headings are the caller's, in a reader's language; the keys of JSON are English
for ever. Numbers in files have a full stop, a hyphen for the minus and all their decimals; on paper and in
HTML the caller's `say` writes them. docs/reference/formats/outputs.md describes every format.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import NamedTuple

from arpad.domain.problems import FATAL, Problem, Refused
from arpad.formats import spreadsheet
from arpad.formats.spreadsheet import Value

FREE, WORD, NUMBER, CHANGE, DAY = "free", "word", "number", "change", "day"
NUMBERS = (NUMBER, CHANGE)
FORMS = ("csv", "xlsx", "ods", "json", "html", "pdf")
BOOK_ROWS = 20_000  # of XLSX, which is made in one piece: 4 s of a processor
ODS_ROWS = 2_000  # 5 s
_WIDTHS = {FREE: 28, WORD: 10, NUMBER: 10, CHANGE: 10, DAY: 12}


class Column(NamedTuple):
    """One column. `key` is its name in JSON."""

    key: str
    heading: str
    kind: str = WORD  # FREE: from people (names, clubs); WORD: ours; NUMBER, CHANGE; DAY: a date
    decimals: int = 0  # that are shown; files have all of them
    strong: bool = False  # a name, a rating
    file_only: bool = False  # too much for paper
    json_only: bool = False


class Part(NamedTuple):
    """One table. CSV holds the first of a page, the other formats all."""

    key: str
    name: str
    columns: tuple[Column, ...]
    rows: Iterable[Sequence[Value]]
    marks: Sequence[str] = ()  # for each row on paper: d0, d1, k0, k1 (band of the rating), "" for none


class ListPage(NamedTuple):
    """What goes out, with what it is of."""

    title: str
    organisation: str
    pool: str
    language: str
    dateline: tuple[str, ...]  # in words: of which day, as known when
    parts: tuple[Part, ...]
    facts: Mapping[str, Value | bool]  # the same for programs: day, known, recording, digest ...
    foot: tuple[str, ...] = ()  # hash, address


Say = Callable[[Column, Value], str]


def plain(column: Column, value: Value) -> str:
    """A value on paper, in English: a real minus, ISO days.

    >>> plain(Column("rating", "Rating", NUMBER, 1), -1450.05), plain(Column("games", "Games", NUMBER), 3)
    ('−1450.1', '3')
    """
    if value is None:
        return ""
    if column.kind in NUMBERS and isinstance(value, (int, float)):
        text = f"{abs(value) + 1e-9:.{column.decimals}f}"
        return f"−{text}" if value < 0 and text.strip("0.") else text
    return str(value)


# --- for programs -----------------------------------------------------------------------------------


def csv_pieces(page: ListPage) -> Iterator[bytes]:
    """CSV of the first table in pieces: UTF-8 with byte-order mark, comma, CRLF."""
    part = page.parts[0]
    columns = _files(part)
    return spreadsheet.csv_pieces(_plain_columns(columns), _cells(part, columns))


def csv(page: ListPage) -> bytes:
    """CSV of the first table. Free text that a spreadsheet would take for a formula gets an apostrophe."""
    return b"".join(csv_pieces(page))


def json_pieces(page: ListPage) -> Iterator[bytes]:
    """JSON in pieces: what the page is of, then each table as a list of objects."""
    head = {
        "title": page.title, "organisation": page.organisation, "pool": page.pool,
        "language": page.language, **page.facts,
    }  # fmt: skip
    yield _json(head)[:-1].encode()
    for part in page.parts:
        keys = [column.key for column in part.columns]
        yield f",{_json(part.key)}:[".encode()
        piece, comma = "", "\n"
        for row in part.rows:
            piece += comma + _json(dict(zip(keys, row, strict=True)))
            comma = ",\n"
            if len(piece) > 2**16:
                yield piece.encode()
                piece = ""
        yield f"{piece}\n]".encode()
    yield b"}\n"


def json_text(page: ListPage) -> bytes:
    """JSON, UTF-8."""
    return b"".join(json_pieces(page))


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=datetime.date.isoformat)


# --- for spreadsheets -------------------------------------------------------------------------------


def xlsx(page: ListPage) -> bytes:
    """XLSX: a sheet for each table, and one that says what they are of. Refused for what is too long."""
    # a reader takes the name of a sheet of games for the event's
    parts = [_sheet(part, page.title if not at else part.name) for at, part in enumerate(page.parts)]
    told: list[tuple[Value, Value]] = [
        ("organisation", page.organisation), ("pool", page.pool), ("title", page.title),
        *((key, _number_or_text(value)) for key, value in page.facts.items() if key != "pool"),
    ]  # fmt: skip
    about = [spreadsheet.Column("About", width=16), spreadsheet.Column("", free=True, width=70)]
    return spreadsheet.write_book([*parts, spreadsheet.Part("About", about, told)])


def ods(page: ListPage) -> bytes:
    """ODS of the first table. Refused for what is too long."""
    part = _sheet(page.parts[0], page.title, ODS_ROWS)
    return spreadsheet.write_ods(part.columns, part.rows, part.name)


def _number_or_text(value: Value | bool) -> Value:
    return str(value).lower() if isinstance(value, bool) else value


def _sheet(part: Part, name: str, most: int = BOOK_ROWS) -> spreadsheet.Part:
    columns = _files(part)
    rows = list(_cells(part, columns))
    if len(rows) > most:
        message = f"{len(rows)} lines are too many for a spreadsheet that is made at once ({most})."
        raise Refused(
            Problem("listing-too-long", FATAL, message, "Take the CSV file, or a part of the list.")
        )
    return spreadsheet.Part(name, _plain_columns(columns), rows)


def _files(part: Part) -> list[tuple[int, Column]]:
    return [(at, column) for at, column in enumerate(part.columns) if not column.json_only]


def _cells(part: Part, columns: Sequence[tuple[int, Column]]) -> Iterator[Sequence[Value]]:
    places = [at for at, _column in columns]
    return ([row[at] for at in places] for row in part.rows)


def _plain_columns(columns: Sequence[tuple[int, Column]]) -> list[spreadsheet.Column]:
    return [
        spreadsheet.Column(column.heading, column.kind == FREE, _WIDTHS[column.kind], _shape(column))
        for _at, column in columns
    ]


def _shape(column: Column) -> str:
    if column.kind == DAY:
        return "yyyy-mm-dd"
    return "0." + "0" * column.decimals if column.kind in NUMBERS and column.decimals else ""


# --- for people -------------------------------------------------------------------------------------


def html(page: ListPage, say: Say = plain) -> bytes:
    """A fragment for a page of one's own: no style, no script, every text escaped."""
    return f'<div class="arpad" lang="{escape(page.language)}">\n{body(page, say)}</div>\n'.encode()


def body(page: ListPage, say: Say) -> str:
    """Head, dateline, tables and foot."""
    foot = "".join(f"<span>{_linked(text)}</span> " for text in page.foot)
    sections = "".join(_section(page, part, say) for part in page.parts)
    return (
        f'<h1>{escape(page.title)}</h1>\n<p class="of">{escape(f"{page.organisation} · {page.pool}")}</p>\n'
        f'<p class="dateline">{_spans(page.dateline)}</p>\n{sections}<p class="foot">{foot.rstrip()}</p>\n'
    )


def _spans(texts: Iterable[str]) -> str:
    return " ".join(f"<span>{escape(text)}</span>" for text in texts)


def _linked(text: str) -> str:
    shown = escape(text)
    return f'<a href="{shown}">{shown}</a>' if text.startswith(("https://", "http://")) else shown


def _section(page: ListPage, part: Part, say: Say) -> str:
    rows = list(part.rows)
    columns = [
        (at, column)
        for at, column in enumerate(part.columns)
        if not (column.json_only or column.file_only) and any(row[at] not in (None, "") for row in rows)
    ]
    heads = "".join(
        f'<th scope="col"{_class(column)}>{escape(column.heading)}</th>' for _at, column in columns
    )
    caption = f"<h2>{escape(part.name)}</h2>\n" if len(page.parts) > 1 else ""
    lines = [f'{caption}<table class="{escape(part.key)}">\n<thead><tr>{heads}</tr></thead>\n<tbody>\n']
    marks = part.marks
    for number, row in enumerate(rows):
        mark = marks[number] if number < len(marks) else ""
        ends = bool(mark) and number + 1 < len(marks) and marks[number + 1] != mark
        style = f' class="{mark}{" band" if ends else ""}"' if mark else ""
        cells = "".join(_cell(column, say(column, row[at])) for at, column in columns)
        lines.append(f"<tr{style}>{cells}</tr>\n")
    return "".join([*lines, "</tbody>\n</table>\n"])


def _cell(column: Column, text: str) -> str:
    if column.strong and column.kind == FREE:
        return f'<th scope="row">{escape(text)}</th>'
    return f"<td{_class(column)}>{escape(text)}</td>"


def _class(column: Column) -> str:
    letters = {NUMBER: ["n"], CHANGE: ["n"], DAY: ["d"]}.get(column.kind, []) + ["r"] * column.strong
    return f' class="{" ".join(letters)}"' if letters else ""


__all__ = ["FORMS", "Column", "ListPage", "Part", "csv", "html", "json_text", "ods", "plain", "xlsx"]
