"""FIDE's tournament report (TRF): TRF06, TRF16, TRF26 and their extensions, read and written.

docs/reference/formats/trf.md describes it. Choices: persons are known by their names as written (`Last,
First`); a name that is lost, or that an earlier line has, gets event and start number behind it, so that
two persons are never joined; each game counts on its round's day, else on the event's last; the rating in
a player's line is the first rating of who has none.
"""

from __future__ import annotations

import re

from arpad.domain.dates import day_text
from arpad.domain.problems import FATAL
from arpad.domain.results import BYE, Result
from arpad.formats import trf_event, trf_teams
from arpad.formats.go_told import DAYS, NOTHING, Told
from arpad.formats.reading import Findings, Reading, lines_of
from arpad.formats.reading import today as today_
from arpad.formats.trf_dates import Days, read_days
from arpad.formats.trf_made import as_dialect, tournament_of
from arpad.formats.trf_pairs import Pairs, pair
from arpad.formats.trf_people import IDS, RATINGS, People
from arpad.formats.trf_rows import Rows, read_rows
from arpad.formats.trf_table import TRF16, TRF26, Tournament
from arpad.formats.trf_write import write
from arpad.ledger.columns import GameRow
from arpad.ledger.sheet import Sheet

NAME = "TRF"
FORMATS = (NAME,)
WHOLE = True
TOLD = (*DAYS, IDS, RATINGS)
_LINE = re.compile(r"001 [ 0-9]{3}[0-9 ] .|012 ")


def sniff(head: str, file: str = "") -> list[str]:
    """A player's line with a number in its columns, or the record of the event's name."""
    return [NAME] if any(_LINE.match(line) for line in re.split(r"[\r\n]+", head)) else []


def read(
    data: bytes, file: str = "", *, kind: str = "", today: int | None = None, told: Told = NOTHING
) -> Reading:
    """Read a report; `detail` of the reading is the Tournament. Raises Refused where anything is fatal.

    told  first-day, last-day; ids: fide, national or none, whose the numbers in columns 58-68 are;
          ratings: fide (49-52), national (the national lines) or none, which are first ratings
    """
    findings = Findings(file)
    today = today_() if today is None else today
    rows = read_rows(lines_of(data, findings), findings)
    if not rows.tournament.entries:
        findings.refuse()
    name = trf_event.name_of(rows, findings)
    days = read_days(rows, findings, told, today)
    sheet = Sheet(file)
    people = People(rows, sheet, name, days.first, told, findings, today)
    pairs = pair(rows, people.nobody, days.future, findings)
    findings.refuse_where(FATAL)
    people.take()
    trf_event.report(rows, findings)
    trf_teams.report_shapes(rows, findings)
    busy = {(number, game.round) for game in pairs.games for number in (game.white, game.black)}
    busy |= {(bye.number, bye.round) for bye in pairs.byes}
    asked = trf_teams.asked_byes(rows, busy, findings)
    pairs.byes.extend(bye for bye in asked if bye.round not in days.future)
    _take_games(sheet, name, rows, days, people, pairs)
    return Reading(sheet, findings.listed(), NAME, _with_told(rows.tournament, days, told))


def _with_told(tournament: Tournament, days: Days, told: Told) -> Tournament:
    """The report with the days that were told in the place of its own."""
    told_days = {code: day for code, name, day in (("042", DAYS[0], days.first), ("052", DAYS[1], days.last))
                 if name in told}  # fmt: skip
    records = [
        record._replace(text=f"{record.code} {day_text(told_days[record.code]).replace('-', '/')}")
        if record.code in told_days
        else record
        for record in tournament.records
    ]
    return tournament._replace(records=tuple(records))


def _take_games(sheet: Sheet, name: str, rows: Rows, days: Days, people: People, pairs: Pairs) -> None:
    event = sheet.event(name, days.first)
    boards = trf_teams.boards(rows.tournament)
    numbers = people.numbers
    for game in pairs.games:
        board = boards.get((game.round, game.white)) or boards.get((game.round, game.black)) or 0
        sheet.games.append(
            GameRow(
                numbers[game.white], numbers[game.black], event, days.of(game.round), game.round, board,
                result=sheet.result(game.result), line=game.line,
            )
        )  # fmt: skip
    for bye in pairs.byes:
        if bye.number in numbers:
            result = sheet.result(Result(BYE, bye.halves))
            row = GameRow(
                numbers[bye.number], -1, event, days.of(bye.round), bye.round, result=result, line=bye.line
            )
            sheet.games.append(row)


__all__ = [
    "FORMATS",
    "NAME",
    "TRF16",
    "TRF26",
    "Tournament",
    "as_dialect",
    "read",
    "sniff",
    "tournament_of",
    "write",
]
