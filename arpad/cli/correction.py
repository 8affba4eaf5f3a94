"""`arpad correction`: the committee sets a rating, and says publicly why."""

from __future__ import annotations

from typing import Annotated

import typer

from arpad.cli.database import (
    OPERATOR,
    Author,
    Data,
    OrganisationOption,
    PoolOption,
    find_organisation,
    find_pool,
    with_database,
)
from arpad.cli.edited import DryRun, How, Settle, Yes, carry_out
from arpad.cli.inputs import day_of
from arpad.cli.people import find_person
from arpad.cli.say import Format, FormatOption, say, say_rows

correction = typer.Typer(help="Ratings that the committee sets.")
COLUMNS = ("recording", "day", "player", "rating", "reason", "state")


@correction.command("add")
def add(
    player: Annotated[str, typer.Option("--player", help="Whose rating: a name or an id.", metavar="NAME")],
    rating: Annotated[float, typer.Option("--rating", help="The rating, in points.", metavar="POINTS")],
    date: Annotated[str, typer.Option("--date", help="From that day on.", metavar="DAY")],
    reason: Annotated[str, typer.Option("--reason", help="Why: everybody can read it.", metavar="TEXT")] = "",
    pool: PoolOption = "",
    dry_run: DryRun = False,
    yes: Yes = False,
    settle: Settle = True,
    author: Author = OPERATOR,
    organisation: OrganisationOption = "",
    data: Data = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Set a player's rating from a day on. `arpad undo` takes it back."""
    with_database(data)
    from arpad.store.edits import correct_rating
    from arpad.store.models import Person

    owner = find_organisation(organisation)
    where = find_pool(owner, pool)
    who = Person.objects.get(pk=find_person(owner, player))
    edit = correct_rating(where, who.uuid, day_of(date, "--date"), rating, reason)
    what = [f"{where.slug}: the rating of {player} is {rating:g} from {date} on", f"for everybody: {reason}"]
    carry_out(owner, edit, what, How(reason, author, where.slug, dry_run, yes, settle, form), "correction")


@correction.command("list")
def list_(
    pool: PoolOption = "",
    organisation: OrganisationOption = "",
    data: Data = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """List the ratings that were set, in the order they were recorded."""
    with_database(data)
    from arpad.domain.dates import day_text
    from arpad.store.holding import voided
    from arpad.store.models import Correction
    from arpad.store.people import shown_names

    owner = find_organisation(organisation)
    rows = Correction.objects.filter(pool=find_pool(owner, pool), recording__number__isnull=False)
    found = list(rows.select_related("recording", "reason").order_by("pk"))
    gone = voided(owner, "correction", [row.uuid for row in found])
    names = shown_names([row.person_id for row in found])
    told = [
        (row.recording.number, day_text(row.day), names.get(row.person_id, "…"), row.rating,
         row.reason.body if row.reason else "", "withdrawn" if row.uuid in gone else "")
        for row in found
    ]  # fmt: skip
    if not told and form is Format.TABLE:
        say("no corrections")
        return
    say_rows(form, COLUMNS, told, right=("recording", "rating"))
