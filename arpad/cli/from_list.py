"""`arpad people from-list`: first ratings and numbers out of a rating list, shown before they are taken."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arpad.cli.database import (
    OPERATOR,
    Author,
    Data,
    OrganisationOption,
    PoolOption,
    Reason,
    find_organisation,
    find_pool,
    with_database,
)
from arpad.cli.inputs import Tell, answers, day_of
from arpad.cli.known import people as people  # its commands are added to
from arpad.cli.people import DryRun
from arpad.cli.say import Format, FormatOption, counted, say, say_problems, say_rows
from arpad.cli.tables import AcceptMap, Map, MapFile, mapping_of, read_file, refuse_unconfirmed
from arpad.domain.dates import NO_DAY, day_text, read_day
from arpad.domain.problems import FATAL, Problem, Refused

if TYPE_CHECKING:
    from arpad.formats.reading import Reading
    from arpad.formats.table_map import Mapping
    from arpad.store.from_list import Found, Listing, Take
    from arpad.store.intake import Preview
    from arpad.store.models import Pool
    from arpad.store.settle import Settler

COLUMNS = ("player", "by", "listed_as", "number", "first_rating", "remark")


@people.command("from-list")
def from_list(
    file: Annotated[Path, typer.Argument(help="A rating list, or a table of people.", metavar="FILE")],
    pool: PoolOption = "",
    by_name: Annotated[
        bool, typer.Option("--by-name", help="Take those too who are known by their name alone.")
    ] = False,
    ratings: Annotated[
        bool, typer.Option("--ratings/--no-ratings", help="Take first ratings, or only numbers and the like.")
    ] = True,
    day: Annotated[
        str, typer.Option("--day", help="The day of a list that does not tell it.", metavar="DAY")
    ] = "",
    mapping: Map = None,
    map_file: MapFile = None,
    accept_map: AcceptMap = False,
    tell: Tell = None,
    dry_run: DryRun = False,
    settle: Annotated[bool, typer.Option("--settle/--no-settle", help="Rate at once.")] = True,
    reason: Reason = "",
    author: Author = OPERATOR,
    organisation: OrganisationOption = "",
    data: Data = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Fill in first ratings, FIDE ids and other numbers of a pool's people from a rating list.

    Who has a first rating or a rating keeps it. Nobody new is made.
    """
    with_database(data)
    from arpad.store import intake
    from arpad.store.from_list import propose, request
    from arpad.store.settle import Settler

    where = find_pool(find_organisation(organisation), pool)
    found_in, system = _listing(where, file, mapping_of(mapping, map_file), accept_map, answers(tell), day)
    found = propose(where, found_in)
    takes = [take for take in found.takes if take.how == "number" or (by_name and take.how == "name")]
    _say_found(found, found_in, system, by_name, form)
    settler = Settler(where)
    preview = intake.plan(request(where, found_in, takes, ratings=ratings), settler)
    say_problems(preview.problems)
    if form is Format.TABLE:
        _say_effect(preview)
    if dry_run or preview.empty:
        told = "nothing was recorded"
    else:
        dated = f" of {day_text(found_in.day)}" if found_in.day else ""
        told = (
            f"recorded as no. {_record(preview, settler, author, reason or f'{system or file.name}{dated}')}"
        )
        if settle:
            settler.settle()
            told += ", and settled"
    if form is Format.TABLE:
        say(told)


def _record(preview: Preview, settler: Settler, author: str, reason: str) -> int | None:
    """Record what was shown; the recording's number. Raises Refused (`ledger-moved`)."""
    from arpad.store import intake

    done = intake.record(preview, author=author, reason=reason, settler=settler)
    if done.recording is None:
        message = "The ledger has moved meanwhile, and the list would now do something else."
        raise Refused(Problem("ledger-moved", FATAL, message, "Look at it again, and repeat the command."))
    return done.recording.number


def _listing(
    pool: Pool, file: Path, mapping: Mapping | None, accept_map: bool, told: dict[str, str], day: str
) -> tuple[Listing, str]:
    """What the file tells of people, and whose list it is. Raises Refused."""
    from arpad.formats import registry
    from arpad.formats.ratinglist import RatingList
    from arpad.formats.table import Detail
    from arpad.store.from_list import Listing, wanted

    reading: Reading
    if mapping is None:
        reading = registry.select(file, wanted(pool), told=told)
    else:
        reading = read_file(file, mapping, told)
    if not accept_map:
        refuse_unconfirmed(reading)
    say_problems(reading.problems)
    detail = reading.detail
    of = day_of(day, "--day") if day else NO_DAY
    if isinstance(detail, RatingList):
        return Listing(reading.sheet, of or detail.date, detail.inactive), detail.system
    if not reading.sheet.people:
        message = f"The file ({reading.format}) tells nothing of people."
        remedy = "Give a rating list, or a table of people."
        raise Refused(Problem("list-no-people", FATAL, message, remedy, str(file), 1, 1))
    if not isinstance(detail, Detail):
        return Listing(reading.sheet, of), ""
    of = of or read_day(detail.mapping.day) or NO_DAY
    return Listing(reading.sheet, of, applications=detail.applications), ""


def _say_found(found: Found, listing: Listing, system: str, by_name: bool, form: Format) -> None:
    rows = [_row(take) for take in found.takes]
    if form is not Format.TABLE:
        say_rows(form, COLUMNS, rows)
        return
    if system:
        say(f"{system}{f', {day_text(listing.day)}' if listing.day else ''}")
    if rows:
        say_rows(form, COLUMNS, rows, right=("first_rating",))
    for name, count in found.ambiguous:
        say(f"{name}: {count} rows of that name; nothing is taken")
    say(f"not in the list: {counted(found.without, 'player')}")
    proposals = sum(take.how == "name" for take in found.takes)
    if proposals and not by_name:
        say(f"by name alone: {counted(proposals, 'player')}, not taken without --by-name")


def _row(take: Take) -> tuple[str, ...]:
    rating = take.application
    shown = ""
    if rating is not None and rating.rating is not None:
        shown = f"{rating.rating:g}"
    elif rating is not None:
        shown = take.row.rank or rating.league
    remark = "; ".join(filter(None, (take.why, "inactive" if take.inactive else "")))
    numbers = ", ".join(f"{kind} {value}" for kind, value in take.row.ids)
    return take.name, take.how, take.row.name, numbers, shown, remark


def _say_effect(preview: Preview) -> None:
    say(f"first ratings: {len(preview.first_ratings):,}; more of players: {len(preview.told):,}")
    changed = preview.effect.changed if preview.effect else []
    if changed:
        say(f"ratings changed: {counted(len(changed), 'player')}")


__all__ = ["from_list"]
