"""KeizerForClubs' tournament file (`.s3db`, SQLite): read into a sheet.

docs/reference/formats/keizer.md describes it. The bytes are opened in memory: no file, no extension and
no code of the database is run. Points of the Keizer table are not read. Places of problems are rows of
the table that is named.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from arpad.domain.problems import FATAL, HELD
from arpad.domain.results import BYE, FORFEIT, GAME, PENDING, Result
from arpad.formats.club_event import NOTHING, ROUNDS, TOLD, ClubEvent, ClubGame, Told
from arpad.formats.keizer_sqlite import SQLITE, Row, is_whole, tables
from arpad.formats.reading import Findings, Reading
from arpad.formats.reading import today as today_
from arpad.ledger.sheet import SheetPerson

NAME = "KeizerForClubs"
FORMATS = (NAME,)
WHOLE = True
PLAYER = ("id", "name", "rating")
PAIRING = ("Rnd", "board", "PID_W", "PID_B", "Result")
_PLAYED = {
    1: Result(GAME, 2, 0), 2: Result(GAME, 1, 1), 3: Result(GAME, 0, 2),
    8: Result(FORFEIT, 2, 0), 9: Result(FORFEIT, 0, 2), 10: Result(FORFEIT, 0, 0),
}  # fmt: skip
_OPEN = (-1, 0, 11)  # not entered, adjourned
# free win; hindered, excused, unexcused, not yet started
_ALONE = {4: Result(BYE, 2)} | dict.fromkeys((5, 6, 7, 12), Result(BYE, 0))
_REMEDY = "Correct it in KeizerForClubs."
_MOST = 2**31 - 1


def sniff(head: str, file: str = "") -> list[str]:
    """It is no text."""
    return []


def sniff_bytes(data: bytes, file: str = "") -> list[str]:
    """An SQLite database with the tables Player and Pairing; where only its beginning is there, perhaps."""
    if not data.startswith(SQLITE):
        return []
    named = all(re.search(rb"CREATE TABLE\s+[\"\[`]?%s\b" % name, data) for name in (b"Player", b"Pairing"))
    return [NAME] if named or (len(data) >= 4096 and not is_whole(data)) else []


def read(
    data: bytes, file: str = "", *, kind: str = "", today: int | None = None, told: Told = NOTHING
) -> Reading:
    """Read a tournament; days and name are asked for. Raises Refused where anything is fatal."""
    findings = Findings(file)
    found = tables(data, {"Player": PLAYER, "Pairing": PAIRING}, findings)
    event = ClubEvent(file, told, findings, today_() if today is None else today)
    for line, row in enumerate(found["Player"], 1):
        _player(row, line, event)
    for line, row in enumerate(found["Pairing"], 1):
        _pairing(row, line, event)
    return Reading(event.close(), findings.listed(), NAME)


def _player(row: Row, line: int, event: ClubEvent) -> None:
    number, name, rating = row
    if not isinstance(number, int) or isinstance(name, float):
        _unreadable("Player", row, line, event)
        return
    points = float(rating) if isinstance(rating, int) and 0 < rating < 10_000 else None
    event.declare(str(number), SheetPerson("" if name is None else str(name), rating=points, line=line))


def _pairing(row: Row, line: int, event: ClubEvent) -> None:
    numbers = [-1 if place == 4 and value is None else value for place, value in enumerate(row)]
    whole = [value for value in numbers if isinstance(value, int) and abs(value) <= _MOST]
    if len(whole) < len(numbers) or not 1 <= whole[0] <= ROUNDS:
        _unreadable("Pairing", row, line, event)
        return
    round_, board, white, black, code = whole
    game = ClubGame(round_, max(0, board), str(white), str(black), _PLAYED.get(code, Result(PENDING)), line)
    if code not in _PLAYED and code not in _ALONE and code not in _OPEN:
        message = f"Pairing, row {line}: {code} is no result."
        event.findings.add("result-code-unknown", FATAL, message, _REMEDY, line)
    elif (black > 0) == (code in _ALONE) or (code in _PLAYED and black <= 0):
        if code in _OPEN:
            event.known(game, game.first)
            return  # nobody on the other side, and nothing entered
        what = "an opponent" if black > 0 else "no opponent"
        message = f"Pairing, row {line}: result {code} with {what}; the row is left out."
        event.findings.add("bye-with-opponent", HELD, message, _REMEDY, line)
    elif black > 0:
        event.game(game)
    elif code in _ALONE:
        event.bye(game._replace(board=0, result=_ALONE[code]))
    else:
        event.known(game, game.first)


def _unreadable(table: str, row: Sequence[object], line: int, event: ClubEvent) -> None:
    message = f"{table}, row {line}: {str(tuple(row))[:60]} is no row of this table."
    event.findings.add("club-row-unreadable", FATAL, message, _REMEDY, line)


__all__ = ["FORMATS", "NAME", "TOLD", "read", "sniff", "sniff_bytes"]
