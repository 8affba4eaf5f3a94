"""Challonge's matches and participants (JSON, API v1): read into a sheet.

docs/reference/formats/challonge.md describes it. The two files together in a ZIP, one array of both, or
one object with a tournament. Each match gets the day on which it was played; matches stand in the order
of playing, without rounds.
"""

from __future__ import annotations

import datetime
import re
from typing import Any, NamedTuple, NoReturn

from arpad.domain.dates import NO_DAY
from arpad.domain.problems import FATAL, HELD
from arpad.domain.results import FORFEIT, GAME, PENDING, SETS, Result
from arpad.formats import container
from arpad.formats.cells import Bad
from arpad.formats.club_event import NOTHING, TOLD, ClubEvent, ClubGame, Told
from arpad.formats.jsonfile import Object, parse
from arpad.formats.reading import Findings, Reading
from arpad.formats.reading import today as today_
from arpad.ledger.sheet import SheetPerson

NAME = "Challonge"
FORMATS = (NAME,)
WHOLE = True
MOST = 10 * 2**20
FILES = ("matches.json", "participants.json")
_REMEDY = "Send matches.json and participants.json together in a ZIP."
_PAIR = re.compile(r"\s*([0-9]{1,3})\s*-\s*([0-9]{1,3})\s*\Z")


class Match(NamedTuple):
    object: Object
    day: int
    order: tuple[Any, ...]


def sniff(head: str, file: str = "") -> list[str]:
    """An array of match or participant, or an object that begins with tournament."""
    start = r'\s*(\[\s*\{\s*"(match|participant)"|\{\s*"tournament")\s*:\s*\{'
    return [NAME] if re.match(start, head) else []


def sniff_bytes(data: bytes, file: str = "") -> list[str]:
    """A ZIP of the two files, or the beginning of one."""
    if not data.startswith(b"PK\x03\x04") or b"matches.json" not in data[:400] + data[-400:]:
        return []
    return [NAME] if b"participants.json" in data[:400] + data[-400:] or len(data) <= 4096 else []


def read(
    data: bytes, file: str = "", *, kind: str = "", today: int | None = None, told: Told = NOTHING
) -> Reading:
    """Read a tournament. Raises Refused where anything is fatal."""
    findings = Findings(file)
    today = today_() if today is None else today
    name, participants, matches = _parts(data, findings)
    event = ClubEvent(file, told, findings, today, name)
    keys: dict[str, str] = {}
    for one in participants:
        _participant(one, keys, event)
    found = [match for place, one in enumerate(matches) for match in _dated(one, place, findings)]
    for number, match in enumerate(sorted(found, key=lambda one: one.order), 1):
        _match(match, number, keys, event)
    return Reading(event.close(), findings.listed(), NAME)


def _parts(data: bytes, findings: Findings) -> tuple[str, list[Object], list[Object]]:
    """Name of the tournament, "" where there is none; participants; matches. Raises Refused."""
    name = ""
    if container.packing(data):
        files = container.unpack_all(data, findings, MOST)
        by_name = {path.rpartition("/")[2]: content for path, content in files.items()}
        if len(by_name) != len(FILES) or set(by_name) != set(FILES):
            message = f"The archive holds {', '.join(by_name)[:100]}."
            findings.add("file-archive", FATAL, message, _REMEDY)
            findings.refuse()
        items = [one for part in FILES for one in _list(parse(by_name[part], findings), part, findings)]
    else:
        root = parse(data, findings)
        if isinstance(root, Object):
            tournament = root.get("tournament")
            if not isinstance(tournament, Object):
                _no_schema("There is no tournament.", findings, root)
            name = tournament.text("name")
            items = [
                one for part in ("matches", "participants")
                for one in _list(tournament.get(part), part, findings)
            ]  # fmt: skip
        else:
            items = _list(root, "file", findings)
    kinds: dict[str, list[Object]] = {"participant": [], "match": []}
    for item in items:
        kind = next(iter(item), "")
        value = item.get(kind)
        if kind not in kinds or len(item) != 1 or not isinstance(value, Object):
            _no_schema("Among matches and participants stands something else.", findings, item)
        kinds[kind].append(value)
    if not kinds["participant"] or not kinds["match"]:
        missing = next(kind for kind, found in kinds.items() if not found)
        _no_schema(f"There is no {missing} in it; matches and participants are both needed.", findings)
    return name, kinds["participant"], kinds["match"]


def _list(value: object, what: str, findings: Findings) -> list[Object]:
    if isinstance(value, list) and all(isinstance(one, Object) for one in value):
        return value
    _no_schema(f"The {what} is no list of objects.", findings)


def _no_schema(message: str, findings: Findings, at: Object | None = None) -> NoReturn:
    findings.add("schema-unknown", FATAL, message, _REMEDY, *(at.place if at is not None else (1, 1)))
    findings.refuse()


def _participant(one: Object, keys: dict[str, str], event: ClubEvent) -> None:
    """Declare a participant; in `keys` his or her numbers, those of a group too, to the first of them."""
    key = one.text("id")
    if not re.fullmatch(r"[0-9]{1,15}", key):
        message = f"'{key[:20]}' is no number of a participant."
        event.findings.add("club-row-unreadable", FATAL, message, _REMEDY, *one.place)
        return
    name = one.text("name") or one.text("username") or one.text("display_name")
    event.declare(key, SheetPerson(name, line=one.line), one.column)
    group = one.get("group_player_ids")
    for number in (
        [key, *(str(value) for value in group if isinstance(value, int))]
        if isinstance(group, list)
        else [key]
    ):
        if keys.setdefault(number, key) != key:
            message = f"The number {number} is that of two participants."
            event.findings.add("player-duplicate-number", FATAL, message, _REMEDY, *one.place)


def _dated(one: Object, place: int, findings: Findings) -> list[Match]:
    """A match with its day and its place in the order of playing; nothing where its day cannot be read."""
    times = [one.text(field) for field in ("started_at", "completed_at", "updated_at")]
    text = next(filter(None, times), "")
    day, moment = NO_DAY, float("inf")
    if text:
        try:
            time = datetime.datetime.fromisoformat(text)
            moment = time.timestamp() if time.tzinfo else time.replace(tzinfo=datetime.UTC).timestamp()
            day = time.date().toordinal()
        except (ValueError, OverflowError):
            message = f"'{text[:40]}' is no date; the match is left out."
            findings.add("date-unreadable", HELD, message, "Correct it.", *one.place)
            return []
    numbers = [one.get(field) for field in ("suggested_play_order", "round")]
    order = [float(n) if isinstance(n, int) and abs(n) < 10**9 else float("inf") for n in numbers]
    return [Match(one, day, (moment, *order, place))]


def _match(match: Match, number: int, keys: dict[str, str], event: ClubEvent) -> None:
    one, findings = match.object, event.findings
    sides = [one.text("player1_id"), one.text("player2_id")]
    state = one.text("state")
    if state != "complete" and not all(sides):
        return  # who will play is not known yet
    result = _result(one, sides) if state == "complete" else Result(PENDING)
    if isinstance(result, Bad):
        findings.add(result.code, result.severity, result.message, result.remedy, *one.place)
        return
    first, second = (keys.get(side, side) for side in sides)
    event.game(ClubGame(0, 0, first, second, result, *one.place, day=match.day, sequence=number))


def _result(one: Object, sides: list[str]) -> Result | Bad:
    winner, loser, scores = (one.text(field) for field in ("winner_id", "loser_id", "scores_csv"))
    shown = f"the match {one.text('identifier')[:20] or one.text('id')[:20]}"
    remedy = "Say which it is, or enter the score again."
    if winner and winner not in sides:
        return Bad("winner-not-a-player", f"The winner of {shown} is neither of the two.", remedy)
    if bool(winner) != bool(loser) or (winner and {winner, loser} != set(sides)):
        return Bad("winner-contradicts", f"Winner and loser of {shown} are not the two who played.", remedy)
    first_won = winner == sides[0]
    if one.get("forfeited") is True:
        if not winner:
            return Bad("result-unreadable", f"Nobody won {shown}, which is a forfeit.", remedy)
        return Result(FORFEIT, 2, 0) if first_won else Result(FORFEIT, 0, 2)
    pairs = [_PAIR.match(text) for text in scores.split(",")] if scores else []
    points = [(int(pair[1]), int(pair[2])) for pair in pairs if pair is not None]
    if len(points) < len(pairs):
        message = f"'{scores[:40]}' of {shown} is no score; a negative number marks what was not played."
        return Bad("result-unreadable", message, remedy)
    if len(points) > 1:
        if any(a == b for a, b in points):
            return Bad("set-illegal", f"'{scores[:40]}' of {shown} has a set that nobody won.", remedy)
        points = [(sum(a > b for a, b in points), sum(a < b for a, b in points))]
    a, b = points[0] if points else (0, 0)
    if max(a, b) > 99:
        return Bad("result-unreadable", f"'{scores[:40]}' of {shown} is no score in sets.", remedy)
    if points and (a - b > 0) - (a - b < 0) != (bool(winner) and (1 if first_won else -1)):
        return Bad("winner-contradicts", f"'{scores[:40]}' of {shown} does not fit its winner.", remedy)
    if not winner:
        return Result(GAME, 1, 1)
    return Result(SETS, a, b) if points else Result(GAME, *((2, 0) if first_won else (0, 2)))


__all__ = ["FORMATS", "NAME", "TOLD", "read", "sniff", "sniff_bytes"]
