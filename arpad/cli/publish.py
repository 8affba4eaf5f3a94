"""`arpad publish` and `arpad withdraw`: lists that stay as they are."""

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
from arpad.cli.inputs import day_of
from arpad.cli.say import say
from arpad.cli.settle import by_name
from arpad.domain.problems import Refused

Date = Annotated[str, typer.Option("--date", help="The day of the list.", metavar="DAY")]


def publish(
    date: Date, pool: PoolOption = "", organisation: OrganisationOption = "", author: Author = OPERATOR,
    data: Data = None,
) -> None:  # fmt: skip
    """Freeze the list of a day. Later corrections appear beside it, never in it."""
    with_database(data)
    from arpad.store.lists import publish as freeze
    from arpad.store.models import ListEntry
    from arpad.store.settle import Settler

    found = find_pool(find_organisation(organisation), pool)
    try:
        made = freeze(Settler(found), day_of(date, "--date"), author)
    except Refused as refused:
        raise by_name(refused, found) from None
    players = ListEntry.objects.filter(list=made).count()
    say(f"published: {found.name}, list of {date}, version {made.version}, {players} players")
    say(f"recording {made.through}, sha256 {made.digest}")


def withdraw(
    date: Date,
    reason: Annotated[str, typer.Option("--reason", help="Why, for the public.", metavar="TEXT")],
    pool: PoolOption = "",
    organisation: OrganisationOption = "",
    data: Data = None,
) -> None:
    """Withdraw a published list. It is kept, and another version may be published."""
    with_database(data)
    from arpad.store.lists import find_list
    from arpad.store.lists import withdraw as mark

    found = find_pool(find_organisation(organisation), pool)
    published = find_list(found, day_of(date, "--date"))
    mark(published, reason)
    say(f"withdrawn: {found.name}, list of {date}, version {published.version}")
