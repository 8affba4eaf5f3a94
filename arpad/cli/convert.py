"""`arpad convert`: any file that is read, written as a flat file (or as an EGD table, or a TRF)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arpad.cli.check import File
from arpad.cli.inputs import Strict, Tell, answers
from arpad.cli.say import Format, FormatOption, counted, say, say_csv, say_json, say_problems
from arpad.cli.tables import Map, MapFile, mapping_of, read_file
from arpad.domain.problems import FATAL, HELD, Problem, Refused

if TYPE_CHECKING:
    from arpad.formats.reading import Reading

ENDING = re.compile(r"\.(csv|txt|h\d*|trf\w*)")
COLUMNS = ("file", "holds", "rows")


def convert(
    file: File,
    to: Annotated[
        Path,
        typer.Option(
            "--to",
            help="The file to write: .csv, .h9 for an EGD table, .trf or .trf16 for a FIDE report.",
            metavar="FILE",
        ),
    ],
    force: Annotated[
        bool, typer.Option("--force", help="Replace a players.csv that stands beside it.")
    ] = False,
    tell: Tell = None,
    mapping: Map = None,
    map_file: MapFile = None,
    for_egd: Annotated[
        bool, typer.Option("--for-egd", help="Write the table as the European Go Database takes it.")
    ] = False,
    strict: Strict = False,
    form: FormatOption = Format.TABLE,
) -> None:
    """Write a file as games.csv; first ratings go into players.csv beside it."""
    from arpad.cli.writing import write_files, writer_of

    _refuse_target(file, to)
    reading = read_file(file, mapping_of(mapping, map_file), answers(tell))
    if strict and any(problem.severity == HELD for problem in reading.problems):
        raise Refused(reading.problems)
    say_problems(reading.problems)
    if to.suffix[:4].lower() == ".trf":
        made = _report(reading, to)
    else:
        made = _table(reading, to, for_egd) if to.suffix[:2].lower() == ".h" else _flat(reading, to, force)
    write_files({target: writer_of(data) for target, (data, _, _) in made.items()})
    written = [(str(target), holds, rows) for target, (_, holds, rows) in made.items()]
    if form is Format.JSON:
        say_json([dict(zip(COLUMNS, row, strict=True)) for row in written])
    elif form is Format.CSV:
        say_csv(COLUMNS, written)
    else:
        for target, holds, rows in written:
            say(f"wrote {target}: {counted(rows, holds)}")


def _refuse_target(file: Path, to: Path) -> None:
    """No file is written over what it is made from, nor under an ending that says something else."""
    if not ENDING.fullmatch(to.suffix.lower()) and not to.is_dir():
        message = f"{to} has an ending that is not written."
        raise Refused(Problem("output-form", FATAL, message, "End the name in .csv, .h9, .trf or .trf16."))
    if to.exists() and file.exists() and to.samefile(file):
        message = f"{to} is the file that is read."
        raise Refused(Problem("output-exists", FATAL, message, "Give another name."))


Made = dict[Path, tuple[bytes, str, int]]  # file -> content, what a row is, how many


def _flat(reading: Reading, to: Path, force: bool) -> Made:
    from arpad.formats.flat import write_corrections, write_games, write_players

    sheet = reading.sheet
    made: Made = {}
    if len(sheet.games):
        made[to] = (write_games(sheet), "row", len(sheet.games))
        beside = to.with_name("players.csv")
    else:
        beside = to
    if sheet.first_ratings:
        data = write_players(sheet)
        if beside != to and beside.exists() and not force and beside.read_bytes() != data:
            message = f"{beside} is there already, with other first ratings."
            raise Refused(
                Problem("output-exists", FATAL, message, "Move it away, or replace it with --force.")
            )
        made[beside] = (data, "first rating", len(sheet.first_ratings))
    if sheet.corrections:
        made[to if not made else to.with_name("corrections.csv")] = (
            write_corrections(sheet), "correction", len(sheet.corrections),
        )  # fmt: skip
    return made


def _table(reading: Reading, to: Path, for_egd: bool) -> Made:
    from arpad.formats import egd
    from arpad.formats.egd_table import Table
    from arpad.formats.reading import Findings

    sheet, findings = reading.sheet, Findings(str(to))
    if len(sheet.events) != 1:
        message = f"An EGD table holds one event, not {len(sheet.events)}."
        raise Refused(Problem("file-two-in-one", FATAL, message, "Write games.csv, or one event at a time."))
    heading = reading.detail.heading if isinstance(reading.detail, Table) else None
    dialect = egd.EGD if for_egd else egd.OWN
    table = egd.table_of(sheet, 0, dialect, heading=heading, findings=findings)
    if for_egd:
        say_problems(findings.listed() + egd.left_out(table, str(to)))
    return {to: (egd.write(table, dialect), "game", len(table.games))}


def _report(reading: Reading, to: Path) -> Made:
    """A FIDE report: TRF16 by the ending .trf16, else TRF26."""
    from arpad.formats import trf
    from arpad.formats.reading import Findings

    sheet, findings = reading.sheet, Findings(str(to))
    if len(sheet.events) != 1:
        message = f"A TRF holds one event, not {len(sheet.events)}."
        raise Refused(Problem("file-two-in-one", FATAL, message, "Write games.csv, or one event at a time."))
    detail = reading.detail
    tournament = detail if isinstance(detail, trf.Tournament) else trf.tournament_of(sheet, 0, findings)
    dialect = trf.TRF16 if to.suffix.lower() == ".trf16" else trf.TRF26
    first, last = sheet.events[0].start, max(sheet.games.day, default=0)
    made = trf.as_dialect(tournament, dialect, first=first, last=last, findings=findings)
    say_problems(findings.listed())
    return {to: (trf.write(made), "game", reading.games)}
