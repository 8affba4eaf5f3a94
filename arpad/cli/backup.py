"""`arpad backup`: everything into one file, while others write."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arpad.cli.database import Data, with_database
from arpad.cli.say import Format, FormatOption, counted, say, say_json

Target = Annotated[Path, typer.Argument(help="The file to write.", metavar="FILE")]


def backup(file: Target, data: Data = None, form: FormatOption = Format.TABLE) -> None:
    """Write one consistent state of the whole database into a file and verify it; others may write on."""
    with_database(data)
    from arpad.store.backup import backup as backed_up

    done = backed_up(file)
    counts = done.report.counts
    if form is not Format.TABLE:
        say_json({"file": str(file), "bytes": done.size, "counts": counts})
        return
    say(f"wrote {file}: {done.size:,} bytes, {counted(counts['recordings'], 'recording')}, verified")
