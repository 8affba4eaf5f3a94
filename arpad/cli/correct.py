"""`arpad correct`: a game was otherwise than it was recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from arpad.cli.choosing import (
    BoardOption,
    DateOption,
    EventOption,
    GameId,
    PlayerOption,
    RoundOption,
    find_game,
    played_on,
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
from arpad.cli.people import find_person
from arpad.cli.say import Format, FormatOption
from arpad.domain.problems import FATAL, Problem, Refused

if TYPE_CHECKING:
    from arpad.domain.results import Result
    from arpad.store.models import Game, Organisation

NUMBER, STONES = 2**31 - 1, 9  # the largest that a file may tell
SomebodyElse = "Who it was: a name or an id."


def correct(
    game: GameId = "",
    event: EventOption = "",
    round: RoundOption = None,
    board: BoardOption = None,
    date: DateOption = "",
    player: PlayerOption = None,
    result: Annotated[
        str, typer.Option("--result", help="The right one, such as 0-1 or 3-2.", metavar="R")
    ] = "",
    swap: Annotated[bool, typer.Option("--swap", help="The result was entered the wrong way round.")] = False,
    set_player1: Annotated[str, typer.Option("--set-player1", help=SomebodyElse, metavar="NAME")] = "",
    set_player2: Annotated[str, typer.Option("--set-player2", help=SomebodyElse, metavar="NAME")] = "",
    set_date: Annotated[str, typer.Option("--set-date", help="The right day.", metavar="DAY")] = "",
    set_round: Annotated[
        int | None, typer.Option("--set-round", help="The right round.", metavar="N", min=0, max=NUMBER)
    ] = None,
    set_board: Annotated[
        int | None, typer.Option("--set-board", help="The right board.", metavar="N", min=0, max=NUMBER)
    ] = None,
    set_handicap: Annotated[
        int | None,
        typer.Option("--set-handicap", help="Stones that player 2 received.", metavar="N", min=0, max=STONES),
    ] = None,
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
    """Correct a game: its result, players, day, round, board or handicap. The old one stays, void."""
    with_database(data)
    from arpad.store.edits import change_game, swap_result

    owner = find_organisation(organisation)
    found = find_game(owner, game, wanted(event, round, board, date, player))
    numbers = {"round": set_round, "board": set_board, "stones": set_handicap}
    changes: dict[str, Any] = {name: value for name, value in numbers.items() if value is not None}
    if set_date:
        changes["day"] = played_on(owner, set_date, "--set-date")
    for name, text in (("player1", set_player1), ("player2", set_player2)):
        if text:
            changes[name] = _person(owner, text)
    if result:
        changes["result"] = _result(result, found)
    if swap == bool(changes):
        message = "say what is right: --result, --swap, or one or more of --set-..."
        raise typer.BadParameter(message, param_hint="'correct'")
    edit = swap_result(owner, found.uuid) if swap else change_game(owner, found.uuid, **changes)
    what = [f"game:  {told_game(found)}", f"right: {_told(found, changes, swap, set_player1, set_player2)}"]
    carry_out(owner, edit, what, How(reason, author, pool, dry_run, yes, settle, form))


def _person(owner: Organisation, text: str) -> Any:
    from arpad.store.models import Person

    return Person.objects.get(pk=find_person(owner, text)).uuid


def _result(text: str, game: Game) -> Result:
    from arpad.domain.results import read_result

    found = read_result(text, game.best_of)
    if found is None:
        message = f"'{text}' is no result."
        raise Refused(Problem("result-unreadable", FATAL, message, "Write it as 1-0, 1/2-1/2, 3-2 or +--."))
    return found


def _told(game: Game, changes: dict[str, Any], swap: bool, *players: str) -> str:
    from arpad.domain.dates import day_text
    from arpad.domain.results import mirrored, write_result
    from arpad.store.edits import result_of

    if swap:
        return write_result(mirrored(result_of(game)))
    told = dict(zip(("player1", "player2"), players, strict=True))
    if "day" in changes:
        told["day"] = day_text(changes["day"])
    if "result" in changes:
        told["result"] = write_result(changes["result"])
    return ", ".join(f"{name} {told.get(name, value)}" for name, value in changes.items())
