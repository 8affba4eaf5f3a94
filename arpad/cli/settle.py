"""`arpad settle`: bring the ratings up to the newest recording."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from arpad.cli.database import Data, OrganisationOption, find_organisation, find_pool, with_database
from arpad.cli.say import Format, FormatOption, say_rows
from arpad.domain.problems import Refused

if TYPE_CHECKING:
    from arpad.store.models import Pool
    from arpad.store.settle import Done

COLUMNS = ("pool", "settlement", "recording", "rows", "players", "seconds", "digest")


def settle(
    pool: Annotated[str, typer.Option("--pool", help="One pool; all of them by default.", metavar="P")] = "",
    full: Annotated[bool, typer.Option("--full", help="Everything from nothing, every row anew.")] = False,
    organisation: OrganisationOption = "",
    data: Data = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Compute what the newest recordings change: rows that changed, players who are shown otherwise."""
    with_database(data)
    from arpad.store.models import Pool

    owner = find_organisation(organisation)
    every = Pool.objects.filter(organisation=owner, recording__number__isnull=False).order_by("slug")
    pools = [find_pool(owner, pool)] if pool or not every else list(every)
    rows = []
    for one in pools:
        done = settled(one, full)
        number = (done.settlement, done.through, done.rows_written, done.players_changed)
        rows.append((one.slug, *number, round(done.seconds, 2), done.digest[:16]))
    say_rows(form, COLUMNS, rows, right=COLUMNS[1:6])


def settled(pool: Pool, full: bool = False) -> Done:
    """Settle a pool. Raises Refused, players by their names."""
    from arpad.store.settle import Settler

    try:
        return Settler(pool).settle(full=full)
    except Refused as refused:
        raise by_name(refused, pool) from None


def by_name(refused: Refused, pool: Pool) -> Refused:
    """The same problems: a pool's ledger knows its players by their UUIDs, a reader by their names."""
    import re
    from uuid import UUID

    from arpad.store.models import PersonName

    def name(match: re.Match[str]) -> str:
        names = PersonName.objects.filter(
            organisation_id=pool.organisation_id, person__uuid=UUID(match[0]), shown=True
        )
        return names.values_list("name", flat=True).first() or match[0]

    return Refused(
        problem._replace(message=re.sub(r"\b[0-9a-f]{32}\b", name, problem.message))
        for problem in refused.problems
    )
