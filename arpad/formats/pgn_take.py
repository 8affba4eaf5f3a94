"""Games of a PGN file as a sheet: who, when, in which event, with what outcome."""

from __future__ import annotations

import datetime
import re
from array import array
from collections import Counter, defaultdict
from collections.abc import Mapping

from arpad.domain.dates import NO_DAY, day_text, read_day
from arpad.domain.problems import FATAL, HELD, NOTE, WARNING
from arpad.domain.results import BYE as A_BYE
from arpad.domain.results import FORFEIT, Result
from arpad.formats.flat_whole import LONGEST_EVENT
from arpad.formats.go_told import DAYS
from arpad.formats.pgn_outcome import RATED, UNRATED, Said, halves_of, is_casual, judge
from arpad.formats.pgn_people import NAME_LIMIT, REFUSED, SIDES, People, is_plain_text
from arpad.formats.pgn_scan import RawGame, Tag, column, text_of
from arpad.formats.reading import LISTED, Findings
from arpad.formats.trf_dates import read_date
from arpad.formats.trf_event import minutes, speed
from arpad.ledger.columns import GameRow
from arpad.ledger.sheet import Sheet

LAST_DAY = DAYS[1]
RATINGS, DECIDED, PART = "ratings", "decided", "part"
ANSWERS = {RATINGS: ("file", "none"), DECIDED: (RATED, UNRATED), PART: ("accept", "refuse")}
LEAD = len(b"https://lichess.org/")  # what stands before the game's own letters in its address
GAME_ADDRESS = re.compile(rb"https://lichess\.org/[A-Za-z0-9]{8,12}\Z")
_DECIDING = (*SIDES, b"result", b"date")
_ROUND = re.compile(rb"([0-9]{1,6})(?:\.([0-9]{1,6}))?\Z")
_NO_ROUND = (b"", b"?", b"-", b"0")
_SORTED_FROM = 100_000  # games from which numpy looks for equal ones


class Games:
    """Takes games one after another."""

    def __init__(self, file: str, findings: Findings, today: int, told: Mapping[str, str]) -> None:
        self.sheet, self.findings, self.today = Sheet(file), findings, today
        self.people = People(self.sheet, findings)
        self.told = _checked(told, findings)
        self.day_told = _day_told(told, findings, today)
        self.seen = 0  # games in the file, held ones too
        self.keys = array("q")  # a hash of each game, to find equal ones
        self.speeds: Counter[bytes] = Counter()  # time controls
        self.days: set[tuple[int, int]] = set()  # event, day
        self.placed: set[int] = set()  # events with rounds or boards
        self.event_lines: list[int] = []
        self.moved = False  # a move stands in the file
        self._days: dict[bytes, int] = {}
        self._events: dict[tuple[bytes, bytes, bytes], int] = {}
        self._moveless = array("i")  # games without moves, or with one side's only
        self._as_played = array("i")  # their results, should no game of the file have moves
        self._moveless_at: list[tuple[str, int, int]] = []  # of the first of them: message, line, column

    def take(self, raw: RawGame) -> None:
        """One game; what is wrong with it is told, and what cannot be taken is left out."""
        self.seen += 1
        self.moved = self.moved or raw.plies > 0
        if self._is_doubtful(raw):
            return
        numbers = [self.people.number(raw, side) for side in SIDES]
        if REFUSED in numbers or max(numbers) < 0:
            return
        day = self.day(raw)
        if not day:
            return
        numbers = [
            self.people.with_id(number, raw, side) if number >= 0 else number
            for number, side in zip(numbers, SIDES, strict=True)
        ]
        if numbers[0] == numbers[1]:
            name = self.sheet.players[numbers[0]]
            message = f"{name} plays against himself or herself."
            self._add("game-self", HELD, message, "Correct a name.", raw.tags[b"black"], raw)
            return
        result = self._bye(raw, numbers) if min(numbers) < 0 else self._result(raw)
        if result is None:
            return
        self._append(raw, numbers, day, result)

    def _is_doubtful(self, raw: RawGame) -> bool:
        """A tag that decides stands twice."""
        held = False
        for name, tag in raw.twice:
            severity = HELD if name in _DECIDING else WARNING
            held = held or severity == HELD
            message = f"{name.decode().title()} stands twice in one game, with other values."
            self._add("pgn-tag-twice", severity, message, "Keep one of the two.", tag, raw)
        return held

    def _append(self, raw: RawGame, numbers: list[int], day: int, result: Result) -> None:
        one, two = numbers if numbers[0] >= 0 else reversed(numbers)
        for number, side in zip(numbers, SIDES, strict=True):
            if number >= 0:
                self.people.tell(number, raw, side, day)
        event = self.event(raw)
        round_, board = self._round(raw)
        if round_ or board:
            self.placed.add(event)
        self.days.add((event, day))
        if (tag := raw.tags.get(b"timecontrol")) is not None:
            self.speeds[tag.value] += 1
        self.keys.append(self._key(raw))
        number = self.sheet.result(result)
        row = GameRow(one, max(two, -1), event, day, round_, board, result=number, line=raw.line)
        self.sheet.games.append(row)

    def _key(self, raw: RawGame) -> int:
        tags = raw.tags
        site = tags[b"site"].value if b"site" in tags else b""
        if GAME_ADDRESS.match(site):
            return hash(site[LEAD:])
        names = (*SIDES, b"date", b"utcdate", b"round", b"result")
        values = tuple(tags[name].value if name in tags else b"" for name in names)
        return hash((values, site, raw.moves))

    # --- result ---------------------------------------------------------------------------------

    def _said(self, raw: RawGame) -> Said:
        tags = raw.tags

        def text(name: bytes) -> str:
            tag = tags.get(name)
            return "" if tag is None else text_of(tag.value).strip()

        stated = text(b"plycount")
        plies = int(stated) if not raw.plies and re.fullmatch("[0-9]{1,4}", stated) else raw.plies
        titles = (text(b"whitetitle").upper(), text(b"blacktitle").upper())
        return Said(
            text(b"result"), raw.mark, plies, text(b"termination"), text(b"event"), titles, text(b"variant"),
            text(b"fen"), text(b"setup"),
        )  # fmt: skip

    def _result(self, raw: RawGame) -> Result | None:
        said = self._said(raw)
        verdict = judge(said, self.told.get(DECIDED, ""))
        tag = raw.tags.get(b"result")
        if verdict.played is not None and verdict.result is not None:
            played = verdict.result if b"plycount" in raw.tags and not raw.plies else verdict.played
            *remarks, last = verdict.remarks
            self._moveless.append(len(self.sheet.games))
            self._as_played.append(self.sheet.result(played))
            if len(self._moveless_at) <= LISTED:
                place = (tag.line, column(tag.text, tag.at)) if tag is not None else (raw.line, 1)
                self._moveless_at.append((last.message, *place))
        else:
            remarks = list(verdict.remarks)
        for remark in remarks:
            self._add(*remark, tag, raw)
        return verdict.result

    def _bye(self, raw: RawGame, numbers: list[int]) -> Result:
        halves = halves_of(self._said(raw))
        return Result(A_BYE, halves[0] if numbers[0] >= 0 else halves[1])

    # --- when and where -------------------------------------------------------------------------

    def day(self, raw: RawGame) -> int:
        """The day of a game, 0 where there is none that can be; then it was told."""
        for name in (b"date", b"utcdate", b"eventdate"):
            tag = raw.tags.get(name)
            if tag is None:
                continue
            day = self._days.get(tag.value)
            if day is None:
                day = self._days[tag.value] = _read_date(tag.value, self.today)
            if day < 0:
                message = f"'{text_of(tag.value)[:40]}' is no date."
                self._add("date-unreadable", HELD, message, "Write it as 2026.05.31.", tag, raw)
                return 0
            if day > self.today:
                message = f"{day_text(day)} lies in the future (today is {day_text(self.today)})."
                self._add("date-future", HELD, message, "Correct the date.", tag, raw)
                return 0
            if day:
                return day
        if not self.day_told:
            tag = raw.tags.get(b"date")
            what = f"'{text_of(tag.value)[:40]}' is no whole date" if tag is not None else "There is no Date"
            message = f"{what}, and no other tag has one."
            self._add("date-missing", HELD, message, f"Complete it, or tell {LAST_DAY}=2026-05-31.", tag, raw)
        return self.day_told

    def plain_day(self, value: bytes) -> int:
        """The day of a `Date` by itself; 0 where the slow way must look at it."""
        day = self._days.get(value)
        if day is None:
            day = self._days[value] = _read_date(value, self.today)
        return day if 0 < day <= self.today else 0

    def plain_event(self, value: bytes) -> int:
        """The number of an event without EventDate by its name; -1: not known yet, -2: for the slow way."""
        if is_casual(text_of(value)):
            return -2
        number = self._events.get((value, b"", b""), -1)
        return number if number >= 0 or (is_plain_text(value) and len(value) <= NAME_LIMIT) else -2

    def add_plain_event(self, value: bytes, line: int) -> int:
        """A new event of such a name."""
        found = self._events[value, b"", b""] = self._numbered(value.decode("ascii"), NO_DAY, line)
        return found

    def event(self, raw: RawGame) -> int:
        """The number of the game's event in the sheet."""
        tags = raw.tags
        key = tuple(tags[name].value if name in tags else b"" for name in (b"event", b"site", b"eventdate"))
        if key[0].strip(b" ?-"):
            key = (key[0], b"", key[2])
        assert len(key) == 3
        found = self._events.get(key)
        if found is None:
            found = self._events[key] = self._new_event(raw)
        return found

    def _new_event(self, raw: RawGame) -> int:
        named = (raw.tags.get(name) for name in (b"event", b"site"))
        tag = next((one for one in named if one is not None and one.value.strip(b" ?-")), None)
        name = self.people.text(tag)[:NAME_LIMIT] if tag is not None else ""
        if tag is None or tag is raw.tags.get(b"site"):
            what = f"its place, {name}, is used" if name else "it has none"
            message = f"The event has no name; {what}."
            self._add("event-name-missing", WARNING, message, "Give it one.", raw.tags.get(b"event"), raw)
        start = NO_DAY
        if (dated := raw.tags.get(b"eventdate")) is not None:
            start = _read_date(dated.value, self.today)
            if start < 0:
                message = f"'{text_of(dated.value)[:40]}' is no date; the event has no first day."
                self._add("date-unreadable", WARNING, message, "Write it as 2026.05.31.", dated, raw)
            start = max(start, NO_DAY)
        return self._numbered(name, start, raw.line)

    def _numbered(self, name: str, start: int, line: int) -> int:
        number = self.sheet.event(name, start)
        if number == len(self.event_lines):
            self.event_lines.append(line)
        return number

    def _round(self, raw: RawGame) -> tuple[int, int]:
        found = [0, 0]
        tag = raw.tags.get(b"round")
        if tag is not None and tag.value.strip() not in _NO_ROUND:
            match = _ROUND.match(tag.value.strip())
            if match is None:
                message = f"'{text_of(tag.value)[:40]}' is no round, and none is kept."
                self._add(
                    "pgn-round-shape", NOTE, message, "Write 3, or 3.2 for board 2 of round 3.", tag, raw
                )
            else:
                found = [int(match[1]), int(match[2] or 0)]
        tag = raw.tags.get(b"board")
        if tag is not None and not found[1] and re.match(rb"[0-9]{1,6}\Z", tag.value.strip()):
            found[1] = int(tag.value)
        return found[0], found[1]

    def _add(
        self, code: str, severity: str, message: str, remedy: str, tag: Tag | None, raw: RawGame
    ) -> None:
        place = (raw.line, 1) if tag is None else (tag.line, column(tag.text, tag.at))
        self.findings.add(code, severity, message, remedy, *place)

    # --- the whole file -------------------------------------------------------------------------

    def finish(self) -> Sheet:
        """What can be said only when every game is read. Raises Refused where there is none."""
        if not self.seen:
            self.findings.add("player-none", FATAL, "The file has no game.", "Choose the file again.")
        self.findings.refuse_where(FATAL)
        self._settle_moveless()
        self._give_positions()
        self._tell_equal()
        self._check_events()
        self._tell_speeds()
        self.people.finish(self.told.get(RATINGS, "file") != "none")
        return self.sheet

    def _settle_moveless(self) -> None:
        """Games without moves are forfeits, unless no game of the file has any."""
        if self._moveless and not self.moved:
            message = (
                "No game of the file has moves; the results are read as those of games that were played."
            )
            line = self.sheet.games.line[self._moveless[0]]
            self.findings.add("pgn-no-moves", NOTE, message, "Take out what was not played.", line)
        for number, (game, played) in enumerate(zip(self._moveless, self._as_played, strict=True)):
            if not self.moved:
                self.sheet.games.result[game] = played
            if self.moved or self.sheet.results[played].kind == FORFEIT:
                message, *place = self._moveless_at[min(number, LISTED)]
                self.findings.add("pgn-not-rated", NOTE, message, "", *place)

    def _give_positions(self) -> None:
        """Where an event has neither rounds nor boards, the position in the file is content."""
        games = self.sheet.games
        if not self.placed:
            games.sequence = array("i", range(1, len(games) + 1))
            return
        for game, event in enumerate(games.event):
            if event not in self.placed:
                games.sequence[game] = game + 1

    def _tell_equal(self) -> None:
        for game, first in _equal(self.keys):
            line, other = self.sheet.games.line[game], self.sheet.games.line[first]
            message = f"The game is equal to that in line {other}; kept as a game of its own."
            self.findings.add("game-equal-row", NOTE, message, "Take one out if it is a repeat.", line)

    def _check_events(self) -> None:
        played: defaultdict[int, list[int]] = defaultdict(list)
        for event, day in self.days:
            played[event].append(day)
        started = {event.name for event in self.sheet.events if event.start != NO_DAY}
        for number, days in sorted(played.items()):
            what, line = self.sheet.events[number], self.event_lines[number]
            first, last = min(days), max(days)
            if what.start == NO_DAY and what.name and last - first > LONGEST_EVENT:
                message = f"The games of '{what.name}' span {last - first} days and are taken as one event."
                remedy = "Give EventDate (the event's first day) where it is several events."
                self.findings.add("event-span", WARNING, message, remedy, line)
            if what.start == NO_DAY and what.name in started:
                message = f"Games of '{what.name}' without EventDate are an event of their own."
                self.findings.add(
                    "event-start-missing", WARNING, message, "Give every game its EventDate.", line
                )
            if first < what.start:
                message = (
                    f"'{what.name}' starts on {day_text(what.start)}, but has a game on {day_text(first)}."
                )
                self.findings.add("date-outside-event", WARNING, message, "Correct one of the dates.", line)

    def _tell_speeds(self) -> None:
        """Standard, rapid or blitz, by the minutes for 60 moves: for the officer to choose the pool."""
        found: Counter[str] = Counter()
        for value, count in self.speeds.items():
            text = text_of(value).strip()
            per_game = minutes(text.removeprefix("*"))
            if per_game is not None:
                found[speed(per_game)] += count
        if found:
            counts = ", ".join(f"{kind} {count}" for kind, count in found.most_common())
            message = f"Games by their time controls: {counts}."
            self.findings.add("event-class-derived", NOTE, message, "Rate each in the pool of that speed.")


def _equal(keys: array[int]) -> list[tuple[int, int]]:
    """(game, an earlier one with the same key), by game."""
    if len(keys) < _SORTED_FROM:
        first: dict[int, int] = {}
        pairs = ((game, first.setdefault(key, game)) for game, key in enumerate(keys))
        return [(game, other) for game, other in pairs if other != game]
    import numpy as np

    table = np.frombuffer(keys, np.int64)
    order = np.argsort(table, kind="stable")
    later = np.flatnonzero(table[order[1:]] == table[order[:-1]]) + 1
    return sorted((int(order[at]), int(order[at - 1])) for at in later)


def _read_date(value: bytes, today: int) -> int:
    """The day; 0 where a part is unknown, -1 where it is none."""
    text = text_of(value).strip()
    if not text.strip("?-./ 0"):
        return 0
    match = re.match(r"([0-9]{4})\.([0-9]{2})\.([0-9]{2})\Z", text)
    if match:
        if "00" in (match[2], match[3]):
            return 0
        try:
            day = datetime.date(int(match[1]), int(match[2]), int(match[3])).toordinal()
        except ValueError:
            return -1
        return day if match[1] >= "1800" else -1
    if "?" in text or re.match(r"[0-9]{4}(\.[0-9]{2})?\Z", text):
        return 0 if re.match(r"[0-9?]{4}([-./][0-9?]{1,2}){0,2}\Z", text) else -1
    if not re.search(r"(?<![0-9])[0-9]{4}(?![0-9])", text):
        return -1
    return read_date(text[:40], today) or -1


def _checked(told: Mapping[str, str], findings: Findings) -> Mapping[str, str]:
    for name, values in ANSWERS.items():
        if name in told and told[name] not in values:
            message = f"The answer {name}={told[name][:40]} is none of those known."
            findings.add("answer-unknown", FATAL, message, f"Say one of {', '.join(values)}.")
    return told


def _day_told(told: Mapping[str, str], findings: Findings, today: int) -> int:
    if LAST_DAY not in told:
        return 0
    day = read_day(told[LAST_DAY].strip())
    if day is None or day > today:
        message = f"The answer {LAST_DAY}={told[LAST_DAY][:40]} is no date that has been."
        findings.add("date-unreadable", FATAL, message, "Write it as 2026-05-31.")
    return day or 0


__all__ = ["DECIDED", "GAME_ADDRESS", "LAST_DAY", "LEAD", "PART", "RATINGS", "Games"]
