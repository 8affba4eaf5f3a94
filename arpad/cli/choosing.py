"""Naming a game or an event on the command line.

A game: the id that `arpad games` shows (its last eight digits do), or --event, --round, --board, --date and
--player (once or twice), as far as is needed to leave one. An event: NAME, or NAME@FIRST-DAY, or its id.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Annotated, NamedTuple
from uuid import UUID

import typer

from arpad.cli.inputs import day_of
from arpad.cli.people import find_person
from arpad.domain.problems import FATAL, Problem, Refused

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from arpad.store.models import Event, Game, Organisation, Pool

SHORT = 8  # digits of an id that are shown
LISTED = 10  # candidates that are named
EARLIEST = 657_072  # 1800-01-01: a date before it is a slip of the pen, in files too

GameId = Annotated[
    str,
    typer.Argument(help="The id that `arpad games` shows; or say which by the options.", metavar="[GAME]"),
]
EventOption = Annotated[
    str, typer.Option("--event", help="Its event: NAME, or NAME@FIRST-DAY.", metavar="EVENT")
]
RoundOption = Annotated[int | None, typer.Option("--round", help="Its round.", metavar="N")]
BoardOption = Annotated[int | None, typer.Option("--board", help="Its board.", metavar="N")]
DateOption = Annotated[str, typer.Option("--date", help="The day it was played.", metavar="DAY")]
PlayerOption = Annotated[
    list[str] | None,
    typer.Option("--player", help="Who played it: a name or an id. Twice: both.", metavar="NAME"),
]
EventName = Annotated[
    str, typer.Argument(help="NAME, NAME@FIRST-DAY, or the id that `event list` shows.", metavar="EVENT")
]


class Wanted(NamedTuple):
    """Which games are asked for; what is not given does not matter."""

    event: str = ""
    round: int | None = None
    board: int | None = None
    date: str = ""
    players: tuple[str, ...] = ()

    def some(self) -> bool:
        """Whether anything was said."""
        return self != Wanted()


def played_on(owner: Organisation, text: str, option: str) -> int:
    """The day of an option that says when a game was played. Raises Refused, as a file is."""
    from arpad.domain.dates import day_text
    from arpad.store.days import today

    day, now = day_of(text, option), today(owner)
    if day < EARLIEST:
        message = f"'{text}' after {option} lies before 1800."
        raise Refused(Problem("date-unreadable", FATAL, message, "Correct the year."))
    if day > now:
        message = f"'{text}' after {option} lies in the future (today is {day_text(now)})."
        raise Refused(Problem("date-future", FATAL, message, "Correct the date."))
    return day


def wanted(event: str, round: int | None, board: int | None, date: str, players: list[str] | None) -> Wanted:
    """The options of a command."""
    if len(players or ()) > 2:
        raise typer.BadParameter("a game has two players.", param_hint="'--player'")
    return Wanted(event, round, board, date, tuple(players or ()))


def rows_of(owner: Organisation, which: Wanted, pool: Pool | None = None) -> QuerySet[Game]:
    """Recorded games, withdrawn ones too, the newest day first. Raises Refused where a name is not known."""
    from django.db.models import Q

    from arpad.store.holding import same
    from arpad.store.models import EventInPool, Game

    rows = Game.objects.filter(organisation=owner, recording__number__isnull=False)
    if pool is not None:
        rows = rows.filter(event__in=EventInPool.objects.filter(pool=pool).values("event"))
    if which.event:
        rows = rows.filter(event=find_event(owner, which.event))
    if which.date:
        rows = rows.filter(day=day_of(which.date, "--date"))
    for name in ("round", "board"):
        if getattr(which, name) is not None:
            rows = rows.filter(**{name: getattr(which, name)})
    for player in which.players:
        members = same(owner).members(find_person(owner, player))
        rows = rows.filter(Q(player1__in=members) | Q(player2__in=members))
    return rows.select_related("event", "player1", "player2").order_by(
        "-day", "event", "round", "board", "pk"
    )


def holding(owner: Organisation, rows: QuerySet[Game]) -> Iterator[Game]:
    """Those that are not withdrawn or replaced."""
    from arpad.store.holding import voided

    every = iter(rows.iterator(chunk_size=500))
    while some := list(islice(every, 500)):
        gone = voided(owner, "game", [game.uuid for game in some])
        yield from (game for game in some if game.uuid not in gone)


def find_game(owner: Organisation, game: str, which: Wanted, *, withdrawn: bool = False) -> Game:
    """The one game that is meant. Raises Refused (`game-unknown`, `game-ambiguous`).

    withdrawn  also among those that hold no more
    """
    if bool(game) == which.some():
        message = "Say which game: by its id, or by --event, --round, --board, --date or --player."
        raise typer.BadParameter(message, param_hint="'GAME'")
    rows = _by_id(owner, game) if game else rows_of(owner, which)
    found = list(islice(rows.iterator() if withdrawn or game else holding(owner, rows), LISTED + 1))
    if len(found) == 1:
        return found[0]
    if not found:
        message = f"There is no game '{game}'." if game else "There is no such game."
        raise Refused(Problem("game-unknown", FATAL, message, "Look at `arpad games`."))
    more = ", ..." if len(found) > LISTED else ""
    told = "; ".join(f"{found_.uuid.hex} {told_game(found_)}" for found_ in found[:LISTED])
    number = f"More than {LISTED}" if more else f"{len(found)}"
    raise Refused(
        Problem("game-ambiguous", FATAL, f"{number} games are meant.", f"Give the id: {told}{more}.")
    )


def _by_id(owner: Organisation, text: str) -> QuerySet[Game]:
    from arpad.store.models import Game

    digits = text.replace("-", "").lower()
    rows = Game.objects.filter(organisation=owner, recording__number__isnull=False)
    if re.fullmatch(r"[0-9a-f]{32}", digits):
        rows = rows.filter(uuid=UUID(digits))
    elif re.fullmatch(r"[0-9a-f]{6,12}", digits):
        rows = rows.filter(uuid__endswith=digits)
    else:
        raise Refused(Problem("game-unknown", FATAL, f"'{text}' is no id of a game.", "See `arpad games`."))
    return rows.select_related("event", "player1", "player2").order_by("pk")


def short(of: UUID) -> str:
    """The digits of an id that are shown: of a game those made from its content."""
    return of.hex[-SHORT:]


def told_game(game: Game) -> str:
    """A game in one line."""
    from arpad.domain.dates import day_text
    from arpad.store.people import shown_names

    names = shown_names([key for key in (game.player1_id, game.player2_id) if key])
    place = [game.event.name or "no event"]
    place += [f"{what} {number}" for what, number in (("round", game.round), ("board", game.board)) if number]
    second = names.get(game.player2_id, "…") if game.player2_id else "bye"
    first = names.get(game.player1_id, "…")
    return f"{day_text(game.day)} {', '.join(place)}: {first} - {second} {game.result}"


def events_of(owner: Organisation, pool: Pool | None = None) -> QuerySet[Event]:
    """Recorded events, moved ones too, the newest first."""
    from arpad.store.models import Event, EventInPool

    rows = Event.objects.filter(organisation=owner, recording__number__isnull=False)
    if pool is not None:
        rows = rows.filter(pk__in=EventInPool.objects.filter(pool=pool).values("event"))
    return rows.order_by("-start", "-pk")


def first_day(event: Event) -> str:
    """The day an event began, as declared or else that of its first game; "" where it has neither."""
    from arpad.domain.dates import day_text
    from arpad.store.edits import games_of

    if event.start is not None:
        return event.start.isoformat()
    return day_text(min((game.day for game in games_of(event)), default=0))


def find_event(owner: Organisation, text: str) -> Event:
    """The event of NAME, NAME@FIRST-DAY or an id. Raises Refused (`event-unknown`)."""
    from arpad.domain.dates import read_day
    from arpad.store.holding import voided

    rows = events_of(owner)
    digits = text.replace("-", "").lower()
    name, _, day = text.rpartition("@")
    if re.fullmatch(r"[0-9a-f]{32}", digits):
        rows, day = rows.filter(uuid=UUID(digits)), ""
    elif name and read_day(day):
        rows = rows.filter(name=name)
    else:
        rows, day = rows.filter(name=text), ""
    found = [event for event in rows if not day or first_day(event) == day]
    gone = voided(owner, "event", [event.uuid for event in found])
    found = [event for event in found if event.uuid not in gone]
    if len(found) == 1:
        return found[0]
    if not found:
        message = f"There is no event '{text}'."
        raise Refused(Problem("event-unknown", FATAL, message, "Look at `arpad event list`."))
    told = ", ".join(f"{event.uuid.hex} of {first_day(event) or 'no day'}" for event in found[:LISTED])
    message = f"'{text}' is {len(found)} events: say which."
    raise Refused(Problem("event-unknown", FATAL, message, f"Write NAME@2026-05-30, or the id: {told}."))
