"""`arpad event`: list events; withdraw one, bring it back, move it, change its class, give games away."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from arpad.cli.choosing import EventName, events_of, find_event, first_day, played_on
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
from arpad.cli.edited import DryRun, How, In, Settle, Yes, carry_out
from arpad.cli.people import find_person
from arpad.cli.say import Format, FormatOption, counted, say, say_rows
from arpad.domain.problems import FATAL, Problem, Refused

if TYPE_CHECKING:
    from arpad.store.models import Event

event = typer.Typer(help="Tournaments, evenings and rounds of a league as a whole.")
COLUMNS = ("id", "event", "start", "games", "class")


@event.command("list")
def list_(
    pool: PoolOption = "",
    limit: Annotated[
        int, typer.Option("--limit", help="How many at most.", metavar="N", min=1, max=1_000_000)
    ] = 50,
    organisation: OrganisationOption = "",
    data: Data = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """List events, the newest first, with their games that hold and their class in each pool."""
    with_database(data)
    from arpad.store.edits import feeds_of_event, games_of
    from arpad.store.holding import voided

    owner = find_organisation(organisation)
    rows = list(events_of(owner, find_pool(owner, pool) if pool else None)[: limit + 1])
    gone = voided(owner, "event", [row.uuid for row in rows])
    told = []
    for row in rows[:limit]:
        if row.uuid not in gone:
            feeds = sorted({feed.event_class for feed in feeds_of_event(row)} - {""})
            games = sum(1 for _ in games_of(row))
            told.append((row.uuid.hex, row.name, first_day(row), games, ", ".join(feeds)))
    say_rows(form, COLUMNS, told, right=("games",))
    if form is Format.TABLE and len(rows) > limit:
        say(f"... and more: --limit {2 * limit} shows them")


@event.command("void")
def void(
    event: EventName,
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
    """Withdraw all games of an event."""
    with_database(data)
    from arpad.store.edits import void_event

    owner = find_organisation(organisation)
    found = find_event(owner, event)
    how = How(reason, author, pool, dry_run, yes, settle, form)
    carry_out(owner, void_event(owner, found.uuid), [f"withdraw: {_told(found)}"], how)


@event.command("restore")
def restore(
    event: EventName,
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
    """Bring back the games of an event that were last withdrawn together."""
    with_database(data)
    from arpad.store.edits import restore_event

    owner = find_organisation(organisation)
    found = find_event(owner, event)
    how = How(reason, author, pool, dry_run, yes, settle, form)
    carry_out(owner, restore_event(owner, found.uuid), [f"bring back: {_told(found)}"], how)


@event.command("move")
def move(
    event: EventName,
    to: Annotated[str, typer.Option("--to", help="The day it began.", metavar="DAY")],
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
    """Move an event and its games to the day it really began."""
    with_database(data)
    from arpad.store.edits import move_event

    owner = find_organisation(organisation)
    found, start = find_event(owner, event), played_on(owner, to, "--to")
    how = How(reason, author, pool, dry_run, yes, settle, form)
    carry_out(owner, move_event(owner, found.uuid, start), [f"move: {_told(found)} to {to}"], how)


@event.command("class")
def class_(
    event: EventName,
    to: Annotated[str, typer.Option("--to", help="The right class, as its rules call it.", metavar="CLASS")],
    reason: Reason = "",
    pool: PoolOption = "",
    dry_run: DryRun = False,
    yes: Yes = False,
    settle: Settle = True,
    author: Author = OPERATOR,
    organisation: OrganisationOption = "",
    data: Data = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Give an event another class in a pool."""
    with_database(data)
    from arpad.rulesets.catalogue import find
    from arpad.store.edits import class_event

    owner = find_organisation(organisation)
    found, where = find_event(owner, event), find_pool(owner, pool)
    classes = find(where.ruleset).classes
    if to not in classes:
        message = f"{where.ruleset} knows no class '{to}'."
        told = f"Use {', '.join(classes)}." if classes else "It has no classes."
        raise Refused(Problem("class-unknown", FATAL, message, told))
    how = How(reason, author, where.slug, dry_run, yes, settle, form)
    carry_out(owner, class_event(owner, found.uuid, to, where), [f"class: {_told(found)} is {to}"], how)


@event.command("give")
def give(
    event: EventName,
    player: Annotated[
        str, typer.Option("--player", help="Under whom they stand: name or id.", metavar="NAME")
    ],
    to: Annotated[str, typer.Option("--to", help="Who played them: a name or an id.", metavar="NAME")],
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
    """Give all games of one person in an event to another."""
    with_database(data)
    from arpad.store.edits import give_games
    from arpad.store.models import Person

    owner = find_organisation(organisation)
    found = find_event(owner, event)
    one, other = (Person.objects.get(pk=find_person(owner, text)).uuid for text in (player, to))
    how = How(reason, author, pool, dry_run, yes, settle, form)
    what = [f"all games of {player} in {_told(found)} go to {to}"]
    carry_out(owner, give_games(owner, found.uuid, one, other), what, how)


def _told(found: Event) -> str:
    from arpad.store.edits import games_of

    games = counted(sum(1 for _ in games_of(found)), "game")
    return f"{found.name or 'no name'} of {first_day(found) or 'no day'} ({games})"
