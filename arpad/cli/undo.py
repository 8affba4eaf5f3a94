"""`arpad recordings` and `arpad undo`: what was recorded, and taking it back."""

from __future__ import annotations

from typing import Annotated

import typer

from arpad.cli.database import (
    OPERATOR,
    Author,
    Data,
    OrganisationOption,
    Reason,
    find_organisation,
    with_database,
)
from arpad.cli.edited import DryRun, How, In, Settle, Yes, carry_out
from arpad.cli.say import Format, FormatOption, counted, say, say_rows
from arpad.domain.problems import FATAL, Problem, Refused

COLUMNS = ("recording", "recorded", "kind", "author", "facts", "reason")
Limit = Annotated[int, typer.Option("--limit", help="How many at most.", metavar="N", min=1, max=1_000_000)]


def recordings(
    limit: Limit = 20,
    organisation: OrganisationOption = "",
    data: Data = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """List what was recorded, the newest first, with the numbers that `arpad undo` takes."""
    with_database(data)
    from arpad.store.models import Recording

    owner = find_organisation(organisation)
    rows = Recording.objects.filter(organisation=owner, number__isnull=False).select_related("reason")
    told = [
        (row.number, row.recorded.isoformat(" ", "minutes")[:16], row.kind, row.author, row.facts,
         row.reason.body if row.reason else "")
        for row in rows.order_by("-number")[:limit]
    ]  # fmt: skip
    if not told and form is Format.TABLE:
        say("nothing was recorded yet")
        return
    say_rows(form, COLUMNS, told, right=("recording", "facts"))


def undo(
    recording: Annotated[int, typer.Argument(help="Its number: see `arpad recordings`.", metavar="NUMBER")],
    reason: Reason = "",
    pool: In = "",
    dry_run: DryRun = False,
    yes: Yes = False,
    settle: Settle = True,
    author: Author = OPERATOR,
    organisation: OrganisationOption = "",
    data: Data = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Take a recording back: what it added is void, what it withdrew holds again."""
    with_database(data)
    from arpad.store.models import Recording
    from arpad.store.undoing import undo as undone

    owner = find_organisation(organisation)
    rows = Recording.objects.filter(organisation=owner, number=recording).select_related("organisation")
    found = rows.first()
    if found is None:
        message = f"There is no recording {recording}."
        raise Refused(Problem("recording-unknown", FATAL, message, "Look at `arpad recordings`."))
    said = f": {found.reason.body}" if found.reason and found.reason.body else ""
    what = [f"undo recording {recording} ({found.kind}, {counted(found.facts, 'fact')}){said}"]
    carry_out(owner, undone(found), what, How(reason, author, pool, dry_run, yes, settle, form))
