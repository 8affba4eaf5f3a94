"""`arpad verify`: is everything as it was recorded, and is what readers see what it gives?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from arpad.cli.database import Data, with_database
from arpad.cli.say import Format, FormatOption, say, say_json, say_problems, say_rows
from arpad.domain.problems import FATAL, Problem

if TYPE_CHECKING:
    from arpad.store.verify import Report


def verify(data: Data = None, form: FormatOption = Format.TABLE) -> None:
    """Compute the hash chain, every digest and every rating again, and name the first entry that is wrong."""
    with_database(data)
    from django.db import DatabaseError

    from arpad.store.verify import verify as verified

    try:
        report = verified()
    except DatabaseError as error:
        message = f"The database cannot be read: {' '.join(str(error).split())}."
        say_problems([Problem("database-damaged", FATAL, message, "Restore the newest backup.")])
        raise typer.Exit(1) from None
    say_report(report, form)
    if not report.good:
        raise typer.Exit(1)


def say_report(report: Report, form: Format) -> None:
    """Counts on standard output, what is wrong on standard error."""
    say_problems(Problem(bad.code, FATAL, bad.message, file=bad.place()) for bad in report.bad)
    if form is Format.JSON:
        bad = [entry._asdict() for entry in report.bad]
        say_json({"good": report.good, "counts": report.counts, "bad": bad, "found": report.found})
        return
    say_rows(form, ("what", "count"), list(report.counts.items()), right=("count",))
    if form is Format.TABLE:
        wrong = f"{report.found:,} wrong, first {report.bad[0].place()}" if report.bad else "nothing wrong"
        say(f"verified in {report.seconds:.1f} s: {wrong}")
