"""`arpad verify-export`: an export, verified from its files alone."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arpad.cli.say import Format, FormatOption, say, say_json, say_problems, say_rows
from arpad.domain.problems import FATAL, NOTE, Problem

Folder = Annotated[Path, typer.Argument(help="A folder that `arpad export` wrote.", metavar="DIR")]


def verify_export(folder: Folder, form: FormatOption = Format.TABLE) -> None:
    """Compute the chain and every rating of an export again. No database is needed."""
    from arpad.store import setup

    setup.start()
    from arpad.store.verify_export import verify_export as verified

    found = verified(folder)
    say_problems(Problem(bad.code, FATAL, bad.message, file=bad.place()) for bad in found.bad)
    message = (
        "The ruleset of this release is not the one of the export; equal digests still mean equal ratings."
    )
    say_problems(Problem("rules-differ", NOTE, message, file=slug) for slug in found.other_rules)
    if form is Format.JSON:
        bad = [entry._asdict() for entry in found.bad]
        say_json(found._asdict() | {"bad": bad, "good": not found.bad})
    else:
        say_rows(form, ("what", "count"), list(found.counts.items()), right=("count",))
        if form is Format.TABLE:
            say(f"{found.kind} export of {found.organisation}")
            say(f"link of the last recording: {found.link}")
            for slug, digest in found.digests.items():
                say(f"{slug}: settled digest {digest or '(no events)'}")
            say("nothing wrong" if not found.bad else f"{len(found.bad):,} wrong")
    if found.bad:
        raise typer.Exit(1)
