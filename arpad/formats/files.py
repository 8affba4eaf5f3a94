"""From files to a ledger: games in any format that is read; players.csv and corrections.csv beside them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from arpad.domain.problems import FATAL, HELD, WARNING, Problem, Refused
from arpad.formats import registry
from arpad.formats.flat import CORRECTIONS, PLAYERS, together
from arpad.formats.ratinglist import RatingList
from arpad.formats.reading import Reading
from arpad.ledger.ledger import Ledger, fold
from arpad.ledger.sheet import Sheet

Name = str | Path


def read(
    *games: Name,
    players: Name | None = None,
    corrections: Name | None = None,
    strict: bool = False,
    today: int | None = None,
) -> Ledger:
    """A ledger from files of games; `ledger.problems` is what the readers found that did not refuse them.

    games        files in any format of `arpad.formats.registry.names()`; ranks in a tournament table
                 are first ratings. Sheets with equal content are taken once.
    players      players.csv, first ratings
    corrections  corrections.csv
    strict       refuse where any game or row had to be left out
    today        day (domains.dates) after which a date lies in the future; None: by this machine's clock

    Raises Refused with the problems of all files, where nothing can be taken.
    """
    wanted = [(name, "") for name in games]
    wanted += [
        (name, kind) for name, kind in ((players, PLAYERS), (corrections, CORRECTIONS)) if name is not None
    ]
    readings: list[tuple[str, Reading]] = []
    problems: list[Problem] = []
    for name, kind in wanted:
        try:
            reading = registry.read(name, kind=kind, today=today)
        except Refused as refused:
            problems += refused.problems
            continue
        problems += reading.problems
        problems += _unconfirmed(reading)
        readings.append((kind, reading))
        if not kind and reading.format in (PLAYERS, CORRECTIONS):
            option = "--players" if reading.format == PLAYERS else "--corrections"
            message = f"The file is a {reading.format}, without games."
            problems.append(Problem("file-no-games", FATAL, message, f"Give it with {option}.", str(name)))
        if isinstance(reading.detail, RatingList):
            message = f"The file is a rating list ({reading.format}), without games."
            remedy = "Give a file of games; a list fills in first ratings and numbers."
            problems.append(Problem("file-no-games", FATAL, message, remedy, str(name), 1, 1))
    complete = len(readings) == len(wanted)
    if complete:
        problems += _together(readings)
    if not complete or _refused(problems, strict):
        raise Refused(problems)
    ledger = Ledger()
    for _, reading in readings:
        if not ledger.add_sheet(reading.sheet):
            message = "An earlier file has the same content; nothing is added."
            problems.append(Problem("file-repeat", WARNING, message, "Leave it out.", reading.sheet.file))
    ledger.problems = problems
    return ledger


def _unconfirmed(reading: Reading) -> list[Problem]:
    """A table is not rated by a mapping that nobody has seen."""
    mapping = getattr(reading.detail, "mapping", None)
    if mapping is None or mapping.confirmed:
        return []
    message = "Nobody has confirmed what the columns of the table mean."
    remedy = "Look at it with `arpad check`, and convert it to games.csv."
    return [Problem("mapping-unconfirmed", FATAL, message, remedy, reading.sheet.file, 1, 1)]


def _refused(problems: Iterable[Problem], strict: bool) -> bool:
    """Problems between files of the flat kind refuse them, as those inside do."""
    held = {problem.code for problem in problems if problem.severity == HELD}
    fatal = any(problem.severity == FATAL for problem in problems)
    return fatal or "correction-player-unknown" in held or (strict and bool(held))


def _together(readings: list[tuple[str, Reading]]) -> list[Problem]:
    """What only the files together show."""
    played = [reading for kind, reading in readings if not kind]
    beside = {kind: reading for kind, reading in readings if kind}
    everybody = Sheet(played[0].sheet.file if len(played) == 1 else "another file of games")
    for reading in played:
        for name in reading.sheet.players:
            everybody.player(name)
    games = Reading(everybody, [], "games.csv")
    problems = together(games, beside.get(PLAYERS), beside.get(CORRECTIONS))
    return problems + (_similar(played) if len(played) > 1 else [])


def _similar(played: list[Reading]) -> list[Problem]:
    """Names of one file that nearly agree with a name of an earlier one."""
    known: set[str] = set()
    folded: dict[str, tuple[str, str]] = {}
    problems: list[Problem] = []
    for reading in played:
        sheet = reading.sheet
        for name in sheet.players:
            near, file = folded.setdefault(fold(name), (name, sheet.file))
            if name not in known and near != name and file != sheet.file:
                message = f"'{name}' is written '{near}' in {file}."
                remedy = "If it is one person, write the name in one way."
                problems.append(Problem("player-similar-name", WARNING, message, remedy, sheet.file))
            known.add(name)
    return problems
