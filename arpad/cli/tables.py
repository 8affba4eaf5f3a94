"""What the commands that read a club's own table share: giving a mapping, saving it, saying yes to it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arpad.domain.problems import FATAL, Problem, Refused

if TYPE_CHECKING:
    from arpad.formats.reading import Reading
    from arpad.formats.table_map import Mapping

Map = Annotated[
    list[str] | None,
    typer.Option(
        "--map",
        help="A club's own table: which column is what, such as date=Datum,player1=Wit. May be repeated.",
        metavar="FIELD=COLUMN",
    ),
]
MapFile = Annotated[
    Path | None,
    typer.Option("--map-file", help="A mapping saved by `arpad check --save-map`.", metavar="FILE"),
]
SaveMap = Annotated[
    Path | None,
    typer.Option("--save-map", help="Write the mapping of a table, for the next time.", metavar="FILE"),
]
AcceptMap = Annotated[
    bool, typer.Option("--accept-map", help="Take a table by the mapping that `arpad check` shows.")
]


def pairs(texts: list[str] | None, option: str) -> list[tuple[str, str]]:
    """A=B texts, split. Raises BadParameter."""
    found = []
    for text in texts or ():
        name, equals, value = text.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise typer.BadParameter(f"'{text}' is not A=B.", param_hint=f"'{option}'")
        found.append((name.strip(), value.strip()))
    return found


def mapping_of(given: list[str] | None, file: Path | None, winner: list[str] | None = None) -> Mapping | None:
    """The mapping of the options; None where there are none. Raises Refused."""
    from arpad.formats import table

    saved = None
    if file is not None:
        try:
            saved = table.from_json(file.read_bytes(), str(file))
        except OSError as error:
            message = f"The file cannot be read: {error.strerror}."
            problem = Problem("file-unreadable", FATAL, message, "Check its name.", str(file), 1, 1)
            raise Refused(problem) from error
    if not given and not winner:
        return saved
    columns = dict(pairs([part for text in given or () for part in text.split(",")], "--map"))
    return table.given(columns, saved, winners=dict(pairs(winner, "--winner")))


def read_file(file: Path, mapping: Mapping | None, told: dict[str, str] | None = None) -> Reading:
    """A file in any format, with what is told of it; with a mapping, a table. Raises Refused."""
    from arpad.formats import registry, table

    if mapping is None:
        return registry.read(file, told=told)
    data, _, _ = registry.prepare(file, kind=table.CSV)
    return table.read(data, str(file), mapping=mapping)


def refuse_unconfirmed(reading: Reading) -> None:
    """Raise Refused for a table whose mapping nobody has seen."""
    from arpad.formats.table import Detail

    if isinstance(reading.detail, Detail) and not reading.detail.mapping.confirmed:
        message = "Nobody has confirmed what the columns of the table mean."
        remedy = "Look at it with `arpad check`; then give --map, --map-file or --accept-map."
        problem = Problem("mapping-unconfirmed", FATAL, message, remedy, reading.sheet.file, 1, 1)
        raise Refused([*reading.problems, problem])
