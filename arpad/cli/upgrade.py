"""`arpad upgrade`: bring a ledger up to this release, or leave it as it was."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from arpad.cli.database import Data, with_database
from arpad.cli.say import Format, FormatOption, say, say_json
from arpad.cli.verify import say_report

Backups = Annotated[
    Path | None,
    typer.Option(
        "--backups", help="Where the backup goes; default: backups in the data folder.", metavar="DIR"
    ),
]


def upgrade(backups: Backups = None, data: Data = None, form: FormatOption = Format.TABLE) -> None:
    """Back up, bring the tables up to this release, verify; put everything back where that fails."""
    with_database(data)
    from arpad.store.upgrade import upgrade as upgraded

    folder = backups or Path(os.environ.get("ARPAD_DATA") or "arpad-data") / "backups"
    done = upgraded(folder)
    if form is Format.JSON:
        kept = str(done.backup) if done.backup else None
        say_json({"applied": done.applied, "backup": kept, "counts": done.report.counts})
    else:
        say(
            f"applied: {', '.join(done.applied)}"
            if done.applied
            else "nothing to do: the tables are up to date"
        )
        if done.backup:
            say(f"the state before: {done.backup}")
        say_report(done.report, form)
    if not done.report.good:
        raise typer.Exit(1)
