"""`arpad import`: a file into the ledger. First what it would do, then one recording."""

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
from arpad.cli.inputs import Players, Strict, Tell, answers
from arpad.cli.say import Format, FormatOption, counted, say_problems
from arpad.cli.tables import AcceptMap, Map, MapFile, mapping_of, pairs, read_file, refuse_unconfirmed
from arpad.domain.problems import FATAL, HELD, Problem, Refused

if TYPE_CHECKING:
    from arpad.formats.reading import Reading
    from arpad.formats.table_map import Mapping
    from arpad.ledger.sheet import Sheet
    from arpad.store.intake import Preview, SheetFile
    from arpad.store.models import Organisation

File = Annotated[Path, typer.Argument(help="A file in any format that is read.", metavar="FILE")]
Same = Annotated[
    list[str] | None,
    typer.Option(
        "--same",
        help="Who a spelling is: a known name, or 'new'. Remembered. May be repeated.",
        metavar="SPELLING=NAME",
    ),
]
Winner = Annotated[
    list[str] | None,
    typer.Option("--winner", help="With --map: who a misspelt winner is.", metavar="SPELLING=NAME"),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show what would change; record nothing.")]
AcceptNew = Annotated[
    bool, typer.Option("--accept-new", help="Whoever is not known by this very name is new.")
]
Conflicts = Annotated[
    str,
    typer.Option("--conflicts", help="Where another source differs: ask, file or ledger.", metavar="C"),
]
Keep = Annotated[bool, typer.Option("--keep", help="Recorded games that the file lacks stay.")]
Clubs = Annotated[bool, typer.Option("--clubs", help="Record the clubs that the file tells of players.")]
Replaces = Annotated[
    str,
    typer.Option(
        "--replaces", help="The event this is a later state of: NAME or NAME@FIRST-DAY.", metavar="EVENT"
    ),
]
Start = Annotated[
    float | None,
    typer.Option("--start", help="The first rating of whoever comes without one.", metavar="RATING"),
]
Settle = Annotated[
    bool, typer.Option("--settle/--no-settle", help="Rate at once, and tell what changed for whom.")
]


def import_(
    file: File,
    pool: PoolOption = "",
    players: Players = None,
    dry_run: DryRun = False,
    accept_new: AcceptNew = False,
    same: Same = None,
    conflicts: Conflicts = "ask",
    keep: Keep = False,
    clubs: Clubs = False,
    replaces: Replaces = "",
    mapping: Map = None,
    map_file: MapFile = None,
    accept_map: AcceptMap = False,
    winner: Winner = None,
    tell: Tell = None,
    strict: Strict = False,
    start: Start = None,
    settle: Settle = True,
    reason: Reason = "",
    author: Author = OPERATOR,
    organisation: OrganisationOption = "",
    data: Data = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Take a file of games into a pool: new ones, changed ones, withdrawn ones."""
    from arpad.cli.imported import say_outcome, say_preview

    if conflicts not in ("ask", "file", "ledger"):
        raise typer.BadParameter(f"'{conflicts}' is not ask, file or ledger.", param_hint="'--conflicts'")
    with_database(data)
    owner = find_organisation(organisation)
    where = find_pool(owner, pool)
    sheet, files, problems = _read(
        file, players, mapping_of(mapping, map_file, winner), answers(tell), accept_map
    )
    say_problems(problems)
    if start is not None:
        _give_start(sheet, start)
    if strict and any(problem.severity == HELD for problem in problems):
        raise typer.Exit(1)
    from arpad.store.intake import Request, plan, record
    from arpad.store.settle import Settler

    request = Request(
        where, sheet, files, _who(owner, same), accept_new, conflicts, keep, _event(owner, replaces), clubs,
    )  # fmt: skip
    settler = Settler(where)
    preview = plan(request, settler)
    say_problems(preview.problems)
    if dry_run or preview.blocked or preview.empty:
        say_preview(preview, form)
        if preview.blocked and not dry_run:
            say_problems(_undecided(preview))
            raise typer.Exit(1)
        return
    done = record(preview, author=author, reason=reason, settler=settler)
    if done.recording is None:
        say_preview(done.preview, form)
        message = "The ledger has moved meanwhile, and the file would now do something else."
        raise Refused(Problem("ledger-moved", FATAL, message, "Look at it again, and repeat the command."))
    say_outcome(done, settler if settle else None, form)


def _read(
    file: Path, players: Path | None, mapping: Mapping | None, told: dict[str, str], accept_map: bool
) -> tuple[Sheet, tuple[SheetFile, ...], list[Problem]]:
    """The sheet of all files together, the files, and what the readers found. Raises Refused."""
    from arpad.formats import registry
    from arpad.formats.flat import PLAYERS, together
    from arpad.formats.ratinglist import RatingList
    from arpad.store.intake import SheetFile

    readings: list[tuple[Path, Reading]] = [(file, read_file(file, mapping, told))]
    if not accept_map:
        refuse_unconfirmed(readings[0][1])
    if isinstance(readings[0][1].detail, RatingList):
        message = f"The file is a rating list ({readings[0][1].format}), without games."
        remedy = "Give a file of games; of a list, `arpad people from-list` takes first ratings."
        raise Refused(Problem("file-no-games", FATAL, message, remedy, str(file), 1, 1))
    _apply(readings[0][1])
    if players is not None:
        readings.append((players, registry.read(players, kind=PLAYERS)))
    problems = [problem for _, reading in readings for problem in reading.problems]
    if len(readings) == 2:
        problems += together(readings[0][1], readings[1][1], None)
    files = tuple(
        SheetFile(
            path.name, reading.format, _bytes(path), reading.sheet.digest(), registry.is_whole(reading.format)
        )
        for path, reading in readings
    )
    sheet = readings[0][1].sheet
    for _, reading in readings[1:]:
        # what players.csv says goes before what stands in the file of games
        sheet.first_ratings[:0] = reading.sheet.first_ratings
    return sheet, files, problems


def _apply(reading: Reading) -> None:
    """A table of people says what their first ratings are, from the day of its mapping on."""
    from arpad.domain.dates import NO_DAY, read_day
    from arpad.formats.table import Detail

    detail = reading.detail
    if isinstance(detail, Detail):
        day = read_day(detail.mapping.day) or NO_DAY
        for name, application in detail.applications.items():
            reading.sheet.first_rating(name, application, day, reading.sheet.people[name].line)


def _give_start(sheet: Sheet, rating: float) -> None:
    """A first rating for every player of whom the files give none."""
    from arpad.domain.play import Application

    listed = {entry.player for entry in sheet.first_ratings}
    for name in sheet.players:
        if name not in listed:
            sheet.first_rating(name, Application(rating=rating))


def _bytes(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        message = f"The file cannot be read: {error.strerror}."
        raise Refused(
            Problem("file-unreadable", FATAL, message, "Check its name.", str(file), 1, 1)
        ) from error


def _who(owner: Organisation, texts: list[str] | None) -> dict[str, int | None]:
    """Spelling -> person's key; None: somebody new. A name, or the person's id."""
    from arpad.store.matching import recognise
    from arpad.store.models import Person

    found: dict[str, int | None] = {}
    for spelling, name in pairs(texts, "--same"):
        if name == "new":
            found[spelling] = None
            continue
        answer = recognise(owner, [name], suggestions=False)[name]
        person = answer.person
        if person is None and len(name.replace("-", "")) == 32:
            row = Person.objects.filter(organisation=owner, uuid=name).first()
            person = row.pk if row else None
        if person is None:
            message = f"There is not one person '{name}'."
            raise Refused(Problem("person-unknown", FATAL, message, "Give a known name, or the person's id."))
        found[spelling] = person
    return found


def _event(owner: Organisation, text: str) -> int | None:
    """Key of the event of NAME or NAME@FIRST-DAY. Raises Refused (`event-unknown`)."""
    if not text:
        return None
    from arpad.domain.dates import day_text, read_day
    from arpad.store.models import Event

    name, at, day = text.rpartition("@") if read_day(text.rpartition("@")[2]) else (text, "", "")
    rows = Event.objects.filter(organisation=owner, name=name, recording__number__isnull=False)
    if at:
        rows = rows.filter(start=day)
    found = list(rows.order_by("-pk"))
    if not found or len({row.start for row in found}) > 1:
        days = ", ".join(day_text(row.start.toordinal()) if row.start else "no day" for row in found)
        message = f"There is no event '{text}'." if not found else f"'{name}' began on {days}: say which."
        raise Refused(Problem("event-unknown", FATAL, message, "Write it as NAME@2026-05-30."))
    return found[0].pk


def _undecided(preview: Preview) -> list[Problem]:
    found = []
    if preview.questions:
        message = f"{counted(len(preview.questions), 'name')} to decide; nothing is recorded."
        remedy = "Say who they are with --same, or that they are all new with --accept-new."
        found.append(Problem("intake-undecided", FATAL, message, remedy, preview.request.sheet.file))
    if preview.conflicts:
        games = counted(len(preview.conflicts), "game")
        message = f"{games} reported otherwise by another source; nothing is recorded."
        remedy = "Take --conflicts file or --conflicts ledger."
        found.append(Problem("intake-conflict", FATAL, message, remedy, preview.request.sheet.file))
    return found
