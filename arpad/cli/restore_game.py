"""`arpad restore-game`: a withdrawn game holds again."""

from __future__ import annotations

from arpad.cli.choosing import (
    BoardOption,
    DateOption,
    EventOption,
    GameId,
    PlayerOption,
    RoundOption,
    find_game,
    told_game,
    wanted,
)
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
from arpad.cli.say import Format, FormatOption


def restore_game(
    game: GameId = "",
    event: EventOption = "",
    round: RoundOption = None,
    board: BoardOption = None,
    date: DateOption = "",
    player: PlayerOption = None,
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
    """Bring a withdrawn game back. `arpad games --withdrawn` lists them."""
    with_database(data)
    from arpad.store.edits import restore_game as restored

    owner = find_organisation(organisation)
    found = find_game(owner, game, wanted(event, round, board, date, player), withdrawn=True)
    how = How(reason, author, pool, dry_run, yes, settle, form)
    carry_out(owner, restored(owner, found.uuid), [f"bring back: {told_game(found)}"], how)
