"""`arpad check`: what is in a file, and what is wrong with it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arpad.cli.inputs import Strict, Tell, answers
from arpad.cli.say import Format, FormatOption, say_csv, say_json, say_problems, say_table
from arpad.cli.tables import Map, MapFile, SaveMap, mapping_of, read_file
from arpad.domain.problems import FATAL, HELD, Problem, Refused

if TYPE_CHECKING:
    from arpad.formats.reading import Reading

File = Annotated[
    Path, typer.Argument(help="A file in any format that is read.", metavar="FILE", readable=False)
]


def check(
    file: File,
    tell: Tell = None,
    mapping: Map = None,
    map_file: MapFile = None,
    save_map: SaveMap = None,
    strict: Strict = False,
    form: FormatOption = Format.TABLE,
) -> None:
    """Read a file and name its problems; of a table, show its mapping. Nothing is written but that."""
    found: dict[str, object] = {"file": str(file)}
    refused = False
    try:
        reading = read_file(file, mapping_of(mapping, map_file), answers(tell))
    except Refused as refusal:
        problems, refused = refusal.problems, True
    else:
        problems = reading.problems
        found |= _contents(reading)
        if save_map is not None:
            _save(reading, save_map)
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
    from arpad.formats.ratinglist import RatingList
    from arpad.formats.table import Detail

    sheet = reading.sheet
    detail = reading.detail if isinstance(reading.detail, Detail) else None
    mapping = detail.mapping.shown() if detail else []
    title = detail.title if detail else {}
    columns = detail.mapping.columns if detail else {}
    days = sheet.games.day
    listed = reading.detail if isinstance(reading.detail, RatingList) else None
    return {
        "format": reading.format,
        **({"list": f"{listed.system} {day_text(listed.date)}".strip()} if listed else {}),
        "events": len(sheet.events),
        "players": len(sheet.players),
        "games": reading.games,
        "byes": reading.byes,
        "first_ratings": len(sheet.first_ratings),
        "corrections": len(sheet.corrections),
        "first_day": day_text(min(days)) if days else "",
        "last_day": day_text(max(days)) if days else "",
        **({"people": len(sheet.people)} if sheet.people else {}),
        **{f"{name} from the title": value for name, value in title.items()},
        **{f"column of {name}" if name in columns else f"setting {name}": value for name, value in mapping},
    }


def _save(reading: Reading, target: Path) -> None:
    """Write the mapping of a table. Raises Refused where the file is none, or cannot be written."""
    from arpad.cli.writing import write_files, writer_of
    from arpad.formats.table import Detail

    if not isinstance(reading.detail, Detail):
        message = f"{reading.format} needs no mapping."
        raise Refused(
            Problem("mapping-needless", FATAL, message, "Leave out --save-map.", reading.sheet.file)
        )
    write_files({target: writer_of(reading.detail.mapping.to_json())})
