"""`arpad restore`: a backup, or a complete export, into an empty place."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arpad.cli.database import Data, start
from arpad.cli.say import Format, FormatOption, counted, say, say_json

Source = Annotated[Path | None, typer.Argument(help="A file that `arpad backup` wrote.", metavar="[FILE]")]
Export = Annotated[
    Path | None,
    typer.Option("--export", help="A folder that `arpad export` wrote, instead of a file.", metavar="DIR"),
]


def restore(
    file: Source = None, export: Export = None, data: Data = None, form: FormatOption = Format.TABLE
) -> None:
    """Bring a backup back into an empty data folder or database. Who was erased since is erased again."""
    if (file is None) == (export is None):
        raise typer.BadParameter("Give a FILE or --export DIR.", param_hint="'FILE'")
    start(data)
    from arpad.store.erasure import journal_path

    what = "backup" if export is None else "export"
    if export is not None:
        from arpad.store.importing import import_export

        report, erased = import_export(export)
    else:
        from arpad.store.restore import restore as restored

        assert file is not None
        report, erased = restored(file)
    if form is not Format.TABLE:
        say_json({"counts": report.counts, "erased": erased})
        return
    counts = report.counts
    say(f"restored {counted(counts['recordings'], 'recording')}, {counted(counts['game'], 'game')}, verified")
    if erased:
        say(f"erased again: {counted(erased, 'person')}")
    elif not journal_path().is_file():
        say(f"no erasures.jsonl in this data folder: who was erased after the {what} has a name again")
