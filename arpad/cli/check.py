"""`arpad check`: what is in a file, and what is wrong with it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arpad.cli.inputs import Strict
from arpad.cli.say import Format, FormatOption, say_csv, say_json, say_problems, say_table
from arpad.domain.problems import FATAL, HELD, Problem, Refused

if TYPE_CHECKING:
    from arpad.formats.reading import Reading

File = Annotated[
    Path, typer.Argument(help="A file in any format that is read.", metavar="FILE", readable=False)
]


def check(file: File, strict: Strict = False, form: FormatOption = Format.TABLE) -> None:
    """Read a file and name its problems. Nothing is written."""
    from arpad.formats import registry

    found: dict[str, object] = {"file": str(file)}
    refused = False
    try:
        reading = registry.read(file)
    except Refused as refusal:
        problems, refused = refusal.problems, True
    else:
        problems = reading.problems
        found |= _contents(reading)
    say_problems(problems)
    refused = refused or any(p.severity == FATAL or (strict and p.severity == HELD) for p in problems)
    found["taken"] = not refused
    if form is Format.JSON:
        say_json(found | {"problems": [problem._asdict() for problem in problems]})
    elif form is Format.CSV:
        say_csv(Problem._fields, problems)
    else:
        shown = {
            name: ("yes" if value else "no") if name == "taken" else value for name, value in found.items()
        }
        say_table(("what", "found"), [(name.replace("_", " "), value) for name, value in shown.items()])
    if refused:
        raise typer.Exit(1)


def _contents(reading: Reading) -> dict[str, object]:
    from arpad.domain.dates import day_text

    sheet = reading.sheet
    days = sheet.games.day
    return {
        "format": reading.format,
        "events": len(sheet.events),
        "players": len(sheet.players),
        "games": reading.games,
        "byes": reading.byes,
        "first_ratings": len(sheet.first_ratings),
        "corrections": len(sheet.corrections),
        "first_day": day_text(min(days)) if days else "",
        "last_day": day_text(max(days)) if days else "",
    }
