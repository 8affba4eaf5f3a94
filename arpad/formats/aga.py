"""The American Go Association's result file: read into a sheet.

docs/reference/formats/aga.md describes it. Choices: a name written `Last, First` is "Last First", as in an
EGD table; no stones and no komi are one stone (Black without komi) only where the file comes from
OpenGotha, or where every other komi is an ordinary one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from arpad.domain.dates import day_text
from arpad.domain.problems import FATAL, HELD, NOTE, WARNING
from arpad.formats import go_event, go_told
from arpad.formats.cells import TEXT_LIMIT
from arpad.formats.go_event import GoEvent, GoGame, GoPlayer, Occasion
from arpad.formats.go_terms import read_date, read_id
from arpad.formats.go_told import NOTHING, Told
from arpad.formats.reading import Findings, Reading, clean, lines_of
from arpad.formats.reading import today as today_

NAME = "AGA report"
FORMATS = (NAME,)
WHOLE = True
TOLD = (*go_told.DAYS, go_told.CLASS)
UNNAMED = "(unnamed tournament)"
ORDINARY = (6, 8)  # komi of an even game
LAST_MEMBER = 99_999  # temporary numbers count down from it
_SECTION = re.compile(r"\s*(TOURNEY|PLAYERS|GAMES|END)\b[\s:]*(.*)\Z", re.IGNORECASE)
_SETTING = re.compile(r"([A-Za-z]+)\s*=\s*(.*)\Z")
_PLAYER = re.compile(r"([0-9]{1,6})[\s,]+(\S.*)\Z")
_GRADE = re.compile(r"([0-9]{1,2}[kdp]|-?[0-9]{1,2}\.[0-9]+)\Z", re.IGNORECASE)
_GAME = re.compile(
    r"([0-9]{1,6})\s+([0-9]{1,6})\s+(\S)(?:\s+(-?[0-9]{1,3})(?:\s+(-?[0-9]{1,3}(?:\.[0-9]+)?))?)?\Z"
)
_WINNERS = {"w": go_event.WHITE, "b": go_event.BLACK}


class _Line(NamedTuple):
    number: int
    text: str
    round: int = 0


class _Parts:
    """The lines of a file by their sections."""

    def __init__(self) -> None:
        self.name = ""
        self.name_line = 1
        self.settings: dict[str, tuple[str, int]] = {}
        self.players: list[_Line] = []
        self.games: list[_Line] = []
        self.comments: list[str] = []


class _Game(NamedTuple):
    line: _Line
    white: str
    black: str
    winner: str
    stones: int
    komi: float | None


def sniff(head: str, file: str = "") -> list[str]:
    """The first line that says anything begins with TOURNEY."""
    lines = (line for line in head.split("\n") if line.strip() and not line.lstrip().startswith("#"))
    return [NAME] if re.match(r"\s*TOURNEY\b", next(lines, ""), re.IGNORECASE) else []


def read(
    data: bytes, file: str = "", *, kind: str = "", today: int | None = None, told: Told = NOTHING
) -> Reading:
    """Read a report; `detail` of the reading is its Occasion. Raises Refused where anything is fatal."""
    findings = Findings(file)
    parts = _split(lines_of(data, findings), findings)
    occasion = _occasion(parts, findings, told, today_() if today is None else today)
    event = GoEvent(file, occasion, findings)
    _players(parts.players, event, findings)
    games = [game for line in parts.games if (game := _read_game(line, findings)) is not None]
    one_stone = _is_one_stone(games, parts.comments)
    for game in games:
        event.game(_game(game, one_stone, findings))
    event.close()
    return Reading(event.sheet, findings.listed(), NAME, occasion)


def _split(lines: Sequence[str], findings: Findings) -> _Parts:
    parts, section, rounds = _Parts(), "", 0
    for number, text in enumerate(lines, 1):
        if text.lstrip().startswith("#"):
            parts.comments.append(text)
            continue
        match = _SECTION.match(text)
        if match and (match[1].upper() != "END" or not match[2]):
            section = match[1].upper()
            rest = clean(match[2])
            if section == "TOURNEY":
                if parts.players or parts.games:
                    message = f"A second event begins: {rest[:60]}."
                    findings.add(
                        "file-two-in-one", FATAL, message, "Split the file before this line.", number
                    )
                parts.name, parts.name_line = rest.partition(",")[0].strip(), number
            elif section == "GAMES":
                rounds += 1
                rounds = int(rest) if re.match(r"[0-9]{1,2}\Z", rest) else rounds
            continue
        if text.strip():
            _sort(_Line(number, text, rounds), section, parts, findings)
    return parts


def _sort(line: _Line, section: str, parts: _Parts, findings: Findings) -> None:
    """Put a line where it belongs."""
    setting = _SETTING.match(line.text.strip())
    if setting and section in ("", "TOURNEY"):
        value = setting[2].strip("'\"")
        parts.settings.setdefault(setting[1].lower(), (clean(value), line.number))
    elif section == "TOURNEY" and not parts.name:
        parts.name, parts.name_line = clean(line.text.partition(",")[0]), line.number
    elif section == "PLAYERS":
        parts.players.append(line)
    elif section == "GAMES":
        parts.games.append(line)
    elif section != "TOURNEY":
        message = f"'{clean(line.text)[:60]}' stands in no section."
        findings.add("aga-line-ignored", NOTE, message, "", line.number)


# --- event ------------------------------------------------------------------------------------------


def _occasion(parts: _Parts, findings: Findings, told: Told, today: int) -> Occasion:
    if not parts.name:
        message = "There is no name behind TOURNEY."
        findings.add("event-name-missing", WARNING, message, "Give it a name.", parts.name_line)
    if len(parts.name) > TEXT_LIMIT:
        message = f"The event's name has {len(parts.name)} characters; {TEXT_LIMIT} are the limit."
        findings.add("cell-too-long", FATAL, message, "Shorten it.", parts.name_line)
    first, last = (_day(parts, name, findings, today) for name in ("start", "finish"))
    known = parts.settings.keys() & {"start", "finish"} or told.keys() & set(go_told.DAYS)
    if not known:
        remedy = "Add lines start= and finish=, or tell it: last-day=2026-05-30."
        findings.add("date-missing", FATAL, "There is neither start= nor finish=.", remedy, parts.name_line)
    first, last = go_told.days(told, first, last, findings, today)
    event_class = go_told.event_class(told, findings)
    if not event_class:
        message = "This format tells neither class nor time settings."
        findings.add("event-class-missing", WARNING, message, "Choose the class: class=A.", parts.name_line)
    return Occasion(parts.name[:TEXT_LIMIT] or UNNAMED, event_class, first, last)


def _day(parts: _Parts, name: str, findings: Findings, today: int) -> int:
    text, line = parts.settings.get(name, ("", 1))
    day = read_date(text, today, month_first=True)
    if text and day is None:
        message = f"{name}={text[:40]} is no date."
        findings.add("date-unreadable", FATAL, message, "Write 2026-05-30, or 5/30/2026.", line)
    elif day and day > today:
        message = f"{day_text(day)} lies in the future (today is {day_text(today)})."
        findings.add("date-future", FATAL, message, "Correct the date.", line)
        return 0
    return day or 0


# --- players ----------------------------------------------------------------------------------------


def _players(lines: Sequence[_Line], event: GoEvent, findings: Findings) -> None:
    found: dict[str, tuple[_Line, str]] = {}
    for line in lines:
        match = _PLAYER.match(line.text.strip())
        if match is None:
            message = f"'{clean(line.text)[:60]}' is no player: number, name, grade."
            findings.add("aga-line-unreadable", FATAL, message, "Correct it.", line.number)
        elif str(int(match[1])) in found:
            message = f"The number {match[1]} stands twice."
            findings.add("player-duplicate-number", FATAL, message, "Correct one of them.", line.number)
        else:
            found[str(int(match[1]))] = line, match[2]
    if not found:
        findings.add("player-none", FATAL, "There are no players.", "Check the export.")
    if len(found) < len(lines) or not found:
        findings.refuse()
    temporary = _temporary(found)
    for key, (line, text) in found.items():
        event.declare(key, _player(key, text, line, key in temporary, findings))
    for key in found:
        event.join(key)


def _temporary(numbers: dict[str, tuple[_Line, str]]) -> set[str]:
    """Numbers counting down from 99999 without a gap: given by the pairing program, no members."""
    found, number = set(), LAST_MEMBER
    while str(number) in numbers:
        found.add(str(number))
        number -= 1
    return found


def _player(key: str, text: str, line: _Line, temporary: bool, findings: Findings) -> GoPlayer:
    place = (line.number, len(line.text) - len(line.text.lstrip()) + 1)
    words = text.replace("\t", " ").split()
    while len(words) > 1 and "=" in words[-1]:  # CLUB=..., as some programs add
        words.pop()
    grade = words.pop() if len(words) > 1 and _GRADE.match(words[-1]) else ""
    if not grade:
        message = f"No grade follows the name '{' '.join(words)[:60]}'."
        findings.add("player-rank-shape", WARNING, message, "Write 5k or 2d behind the name.", *place)
    last, _, first = " ".join(words).partition(",")
    if temporary:
        message = f"{key} is a number of this event only; it is not kept."
        findings.add("aga-temporary-id", NOTE, message, "", *place)
    ids = () if temporary else read_id("aga", key, findings, *place)
    return GoPlayer(last, first.strip(), _grade_of(grade), None, ids, place=place)


def _grade_of(text: str) -> str:
    """A grade, or the grade of an AGA rating: 1.00 to 1.99 is 1 dan, -1.00 to -1.99 is 1 kyu.

    >>> _grade_of("5.3"), _grade_of("-12.01"), _grade_of("4K")
    ('5d', '12k', '4K')
    """
    if "." not in text:
        return text
    whole = int(float(text))
    return f"{whole}d" if whole > 0 else f"{-whole}k"


# --- games ------------------------------------------------------------------------------------------


def _read_game(line: _Line, findings: Findings) -> _Game | None:
    match = _GAME.match(line.text.strip())
    if match is None:
        message = f"'{clean(line.text)[:60]}' is no game: White, Black, W or B, handicap, komi."
        findings.add("result-unreadable", HELD, message, "Correct it.", line.number)
        return None
    white, black = str(int(match[1])), str(int(match[2]))
    komi = float(match[5]) if match[5] else None
    return _Game(line, white, black, match[3].lower(), int(match[4] or 0), komi)


def _is_one_stone(games: Sequence[_Game], comments: Sequence[str]) -> bool:
    """Whether no stones and no komi mean that Black played without komi, which is one stone."""
    if any("opengotha" in comment.lower() for comment in comments):
        return True
    even = [game.komi for game in games if not game.stones and game.komi]
    return bool(even) and all(ORDINARY[0] <= komi <= ORDINARY[1] for komi in even)


def _game(game: _Game, one_stone: bool, findings: Findings) -> GoGame:
    place = (game.line.number, len(game.line.text) - len(game.line.text.lstrip()) + 1)
    stones = game.stones
    if one_stone and not stones and game.komi == 0:
        stones = 1
        message = f"{game.white} - {game.black}: no stones and no komi are taken as one stone."
        findings.add("handicap-derived", NOTE, message, "Confirm it.", *place)
    return GoGame(
        game.line.round, 0, game.white, game.black, _WINNERS.get(game.winner, go_event.NONE), str(stones),
        place=place,
    )  # fmt: skip


__all__ = ["FORMATS", "NAME", "TOLD", "read", "sniff"]
