"""A club's own table of games or of people: CSV, TSV, XLSX or ODS, read with a mapping.

    read(data, "matches.csv")                                          # the mapping is proposed, and told
    read(data, "matches.csv", mapping=given({"date": "Datum", ...}))   # it is given
    read(data, "matches.csv", mapping=from_json(saved))                # it was saved: mapping.to_json()

Nothing is guessed in silence: `detail` of the reading holds the mapping, what is not used, and the first
rows as understood; a mapping that nobody has confirmed is told as `mapping-proposed`, and neither `rate` nor
`import` takes it. A row that is not understood is held back, and keeps its place; equal rows are games of
their own. docs/reference/formats/tables.md describes it.
"""

from __future__ import annotations

from collections.abc import Mapping as Pairs
from dataclasses import dataclass, field

from arpad.domain.dates import read_day
from arpad.domain.play import Application
from arpad.domain.problems import FATAL, NOTE, WARNING, Refused
from arpad.formats.reading import Findings, Reading
from arpad.formats.reading import today as today_
from arpad.formats.table_book import ODS, XLSX, kind_of, read_book
from arpad.formats.table_dates import is_dated
from arpad.formats.table_grid import NAMES, Grid, find_delimiter, read_csv, text_of
from arpad.formats.table_header import Layout, lay_out, propose, settle
from arpad.formats.table_map import GAMES, PEOPLE, SETTINGS, Mapping, check, from_json, given, key_of, needs
from arpad.formats.table_people import People
from arpad.formats.table_rows import Rows
from arpad.formats.table_words import GAME_FIELDS, PEOPLE_FIELDS
from arpad.ledger.sheet import Sheet

CSV = "CSV table"
FORMATS = (CSV, XLSX, ODS)
LAST = True
TOLD = (*GAME_FIELDS, *PEOPLE_FIELDS, *SETTINGS, "kind", "event_name", "day")
LIMIT = 10 * 2**20  # bytes of a book; what it holds may be larger (table_book.GROWTH)
LIMITS = {CSV: 10 * 2**20}
_NOT = ("<", "{", "[", "%", "\x00")


@dataclass
class Detail:
    """How a table was understood."""

    mapping: Mapping
    key: str = ""  # what a saved mapping is found by (table_map.key_of)
    delimiter: str = ""
    sheets: list[str] = field(default_factory=list)  # that were read
    title: dict[str, str] = field(default_factory=dict)  # what the rows above the header give for all
    unused: list[str] = field(default_factory=list)  # headings that stand for nothing
    applications: dict[str, Application] = field(default_factory=dict)  # possible first ratings of a list


def sniff(head: str, file: str = "") -> list[str]:
    """A text whose first rows hold a header of games or of people."""
    return [CSV] if _proposed(head) is not None else []


def is_whole(head: str, file: str = "") -> bool:
    """Whether the columns of games are all there, by names that are known."""
    mapping = _proposed(head)
    return mapping is not None and not needs(mapping)


def _proposed(head: str) -> Mapping | None:
    """The mapping of a text of which only the first 4 KiB may be there."""
    text = head.lstrip()
    if not text or text.startswith(_NOT):
        return None
    whole = head if len(head) < 4000 else head[: head.rfind("\n")]
    try:
        grid = read_csv(whole.replace("\x00", "").encode(), Findings())
    except Refused:
        return None
    found = propose(grid, Findings())
    return found[0] if found else None


def sniff_bytes(data: bytes, file: str = "") -> list[str]:
    """XLSX and ODS, by what the archive holds."""
    return [found] if (found := kind_of(data)) else []


def read(
    data: bytes,
    file: str = "",
    *,
    kind: str = "",
    today: int | None = None,
    mapping: Mapping | Pairs[str, str] | None = None,
    told: Pairs[str, str] | None = None,
    limit: int = LIMIT,
) -> Reading:
    """Read a table. Raises Refused where its columns cannot be told, or the file cannot be trusted.

    mapping  how to read it: a Mapping, or pairs as for given(); what it lacks is proposed
    told     the same as pairs, by way of the registry
    limit    bytes of an XLSX or ODS file
    """
    findings = Findings(file)
    book = kind if kind in (XLSX, ODS) else kind_of(data)
    grids = read_book(data, book, findings, limit) if book else [read_csv(data, findings)]
    mapping = told if mapping is None else mapping
    asked = mapping if isinstance(mapping, Mapping) or mapping is None else given(mapping, file=file)
    day = today_() if today is None else today
    table = _Table(file, findings, day, many=len(grids) > 1)
    for grid in grids:
        table.take(grid, asked)
    detail = table.finish(grids, asked)
    return Reading(table.sheet, findings.listed(), book or CSV, detail)


class _Table:
    """Takes the sheets of one file."""

    def __init__(self, file: str, findings: Findings, today: int, many: bool) -> None:
        self.sheet, self.findings, self.today, self.many = Sheet(file), findings, today, many
        self.detail: Detail | None = None

    def take(self, grid: Grid, asked: Mapping | None) -> None:
        """One sheet: with the mapping that is asked for, else with the one that is proposed."""
        trial = Findings(self.findings.file)
        found = _mapped(grid, asked, trial, self.many)
        if found is None:
            return
        mapping, layout = found
        lacks = needs(mapping)
        if lacks:
            message = f"{grid.name}{': ' if grid.name else ''}No column is known to be {' or '.join(lacks)}."
            remedy = f"Say which it is with --map; there is {', '.join(filter(None, layout.headings))[:300]}."
            trial.add("table-column-missing", FATAL, message, remedy, grid.numbers[layout.header])
        if self.many and mapping.kind == GAMES and "event" not in layout.at and "event" not in layout.fixed:
            layout.fixed["event"] = mapping.event_name or grid.name
        if mapping.kind == GAMES and "date" not in layout.at and "date" not in layout.fixed:
            _date_of(grid, mapping, layout, trial)
        mapping = settle(mapping, layout, grid, trial)
        self.findings.extend(trial.listed())
        if any(problem.severity == FATAL for problem in trial.listed()):
            return
        self._rows(grid, mapping, layout)

    def _rows(self, grid: Grid, mapping: Mapping, layout: Layout) -> None:
        if grid.hidden:
            message = f"The hidden sheet '{grid.name}' is read too."
            self.findings.add("table-hidden", NOTE, message, "Take it out if it does not count.")
        detail = self.detail or Detail(mapping, key_of(layout.headings), grid.delimiter)
        if mapping.kind == PEOPLE:
            people = People(grid, mapping, layout, self.sheet, self.findings, self.today)
            people.take_all()
            detail.applications |= people.applications
        else:
            Rows(grid, mapping, layout, self.sheet, self.findings, self.today).take_all()
            if detail.mapping.kind != GAMES:
                detail.mapping = mapping
        detail.sheets.append(grid.name)
        for name, value in layout.fixed.items():
            detail.title.setdefault(name, text_of(value))
        detail.unused += [heading for heading in layout.unused if heading not in detail.unused]
        self.detail = detail

    def finish(self, grids: list[Grid], asked: Mapping | None) -> Detail:
        """What was understood. Raises Refused where that is nothing."""
        findings = self.findings
        findings.refuse_where(FATAL)
        if self.detail is None:
            message = "No row names the columns of a table of games or of people."
            remedy = "Give the mapping: --map date=Datum,player1=Wit,player2=Zwart,result=Uitslag."
            findings.add("table-header-missing", FATAL, message, remedy)
            findings.refuse()
        if not len(self.sheet.games) and not self.sheet.people:
            message = "No row was understood as a game or a person."
            findings.add("table-no-rows", FATAL, message, "Check the mapping.")
            findings.refuse()
        for grid in grids:
            if grid.name and grid.name not in self.detail.sheets and grid.rows:
                message = f"The sheet '{grid.name}' is not read: it is no table of games or people."
                findings.add("table-sheet-ignored", NOTE, message, "None needed.")
        if not self.detail.mapping.confirmed:
            findings.add(
                "mapping-proposed", WARNING, _shown(self.detail), "Confirm it, or correct it with --map."
            )
        return self.detail


def _mapped(
    grid: Grid, asked: Mapping | None, findings: Findings, many: bool
) -> tuple[Mapping, Layout] | None:
    """The mapping of a sheet and its places. What is asked for goes before what is proposed; where it is
    enough by itself, nothing is added."""
    if asked is None or not asked.columns:
        proposed = propose(grid, findings)
        if proposed is None or asked is None:
            return proposed
        mapping = proposed[0]
        settings = {name: value for name, value in asked._asdict().items() if value and name != "kind"}
        return mapping._replace(**settings | {"columns": mapping.columns}), proposed[1]
    check(asked, findings)
    if needs(asked):
        proposed = propose(grid, Findings(findings.file))
        if proposed is not None and proposed[0].kind == asked.kind:
            columns = {
                name: text for name, text in proposed[0].columns.items() if text not in asked.columns.values()
            }
            asked = asked._replace(columns=columns | dict(asked.columns), confirmed=False)
    else:
        asked = asked._replace(confirmed=True)
    layout = lay_out(grid, asked, findings, many)
    return None if layout is None else (asked, layout)


def _date_of(grid: Grid, mapping: Mapping, layout: Layout, findings: Findings) -> None:
    """A date for a table without any: the sheet's name, or what the officer says."""
    between = any(
        sum(cell not in ("", None) for cell in row) == 1 and any(cell and is_dated(cell) for cell in row)
        for row in grid.rows[layout.header + 1 :]
    )
    if read_day(mapping.day) or between:
        return
    start = layout.fixed.get("end") or layout.fixed.get("start")
    if start or is_dated(grid.name):
        layout.fixed["date"] = start or grid.name
        return
    message = f"{grid.name}{': ' if grid.name else ''}There is no date anywhere."
    findings.add("date-missing", FATAL, message, "Give it: --map day=2026-05-31.")


def _shown(detail: Detail) -> str:
    told = ", ".join(f"{name} = {value}" for name, value in detail.mapping.shown())
    marks = f" Separated by {NAMES.get(detail.delimiter, 'something else')}s." if detail.delimiter else ""
    unused = f" Not used: {', '.join(detail.unused)[:200]}." if detail.unused else ""
    title = ", ".join(f"{name} = {value[:60]}" for name, value in detail.title.items())
    above = f" From the title or the sheet's name: {title}." if title else ""
    return f"Read as {detail.mapping.kind}: {told}.{above}{marks}{unused}"


__all__ = [
    "CSV", "FORMATS", "GAMES", "LAST", "LIMITS", "ODS", "PEOPLE", "XLSX", "Detail", "Mapping",
    "find_delimiter", "from_json", "given", "key_of", "read", "sniff", "sniff_bytes",
]  # fmt: skip
