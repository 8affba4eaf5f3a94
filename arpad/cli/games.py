"""`arpad games`: the recorded games, each with the id by which it is corrected or withdrawn."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arpad.cli.choosing import (
    BoardOption,
    DateOption,
    EventOption,
    PlayerOption,
    RoundOption,
    holding,
    rows_of,
    short,
    wanted,
)
from arpad.cli.database import (
    Data,
    OrganisationOption,
    PoolOption,
    find_organisation,
    find_pool,
    with_database,
)
from arpad.cli.say import Format, FormatOption, say, say_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arpad.store.models import Game, Organisation

COLUMNS = ("id", "day", "event", "round", "board", "player1", "player2", "result", "stones", "state")


def games(
    pool: PoolOption = "",
    event: EventOption = "",
    round: RoundOption = None,
    board: BoardOption = None,
    date: DateOption = "",
    player: PlayerOption = None,
    withdrawn: Annotated[
        bool, typer.Option("--withdrawn", help="Also those that were withdrawn or replaced.")
    ] = False,
    limit: Annotated[
        int, typer.Option("--limit", help="How many at most.", metavar="N", min=1, max=1_000_000)
    ] = 50,
    organisation: OrganisationOption = "",
    data: Data = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """List recorded games, the newest first, with their ids."""
    with_database(data)
    owner = find_organisation(organisation)
    rows = rows_of(owner, wanted(event, round, board, date, player), find_pool(owner, pool) if pool else None)
    found = list(islice(rows if withdrawn else holding(owner, rows), limit + 1))
    told = _rows(owner, found[:limit], whole=form is not Format.TABLE)
    if form is Format.TABLE and not told:
        say("no games")
        return
    say_rows(form, COLUMNS, told, right=("round", "board", "stones"))
    if form is Format.TABLE and len(found) > limit:
        say(f"... and more: --limit {2 * limit} shows them")


def _rows(owner: Organisation, found: Sequence[Game], whole: bool) -> list[tuple[Any, ...]]:
    """The columns of each game; ids in full for a program, or where the short ones would be equal."""
    from arpad.domain.dates import day_text
    from arpad.store.people import shown_names

    states = _states(owner, found)
    names = shown_names({key for game in found for key in (game.player1_id, game.player2_id) if key})
    shorts = [short(game.uuid) for game in found]
    return [
        (
            game.uuid.hex if whole or shorts.count(digits) > 1 else digits, day_text(game.day),
            game.event.name, game.round or None, game.board or None, names.get(game.player1_id, "…"),
            names.get(game.player2_id, "…") if game.player2_id else "", game.result, game.stones or None,
            states.get(game.uuid, ""),
        )
        for game, digits in zip(found, shorts, strict=True)
    ]  # fmt: skip


def _states(owner: Organisation, found: Sequence[Game]) -> dict[Any, str]:
    """Of games that hold no more: what became of them."""
    from arpad.store.holding import voided
    from arpad.store.models import Void

    gone = voided(owner, "game", [game.uuid for game in found])
    rows = Void.objects.filter(
        organisation=owner, target_uuid__in=gone, recording__number__isnull=False
    ).order_by("pk")
    voids = list(rows.values_list("uuid", "target_uuid", "replaced_by", "recording__number"))
    undone = voided(owner, "void", [row[0] for row in voids])
    return {
        target: f"{'replaced' if new else 'withdrawn'} by recording {number}"
        for of, target, new, number in voids
        if of not in undone
    }
