"""Pairgoth's tournament file (`.tour`, JSON): read into a sheet.

docs/reference/formats/pairgoth.md describes it. Choices: all games get the event's last day; the level is
the first rating; games of teams, of pairs and of rengo are no games of one person against another, and
none of them is taken.
"""

from __future__ import annotations

import re

from arpad.domain.dates import day_text, read_day
from arpad.domain.problems import FATAL, HELD, NOTE, WARNING
from arpad.formats import go_event
from arpad.formats.cells import TEXT_LIMIT
from arpad.formats.go_event import GoEvent, GoGame, GoPlayer, Occasion
from arpad.formats.go_terms import (
    CANADIAN,
    FISCHER,
    JAPANESE,
    SUDDEN_DEATH,
    Time,
    board_size,
    class_of,
    derived_class,
    read_id,
)
from arpad.formats.jsonfile import Object, parse
from arpad.formats.reading import Findings, Reading, clean
from arpad.formats.reading import today as today_

NAME = "Pairgoth"
FORMATS = (NAME,)
WHOLE = True
UNNAMED = "(unnamed tournament)"
SMALL = 600  # seconds of basic time below which minutes may have been meant
_KEYS = ("gobanSize", "players", "games")
_SYSTEMS = {
    "CANADIAN": CANADIAN, "JAPANESE": JAPANESE, "STANDARD": JAPANESE, "FISCHER": FISCHER,
    "SUDDEN_DEATH": SUDDEN_DEATH,
}  # fmt: skip
_RESULTS = {
    "w": go_event.WHITE, "b": go_event.BLACK, "=": go_event.JIGO, "?": go_event.NONE, "": go_event.NONE,
    "#": go_event.BOTH_WIN, "0": go_event.BOTH_LOSE, "x": go_event.CANCELLED,
}  # fmt: skip
_IDS = (("egf", "egd"), ("ffg", "licence"), ("aga", "aga"))
_REMEDY = "Save it anew with Pairgoth."


def sniff(head: str, file: str = "") -> list[str]:
    """An object with the size of the board; players and games may stand beyond the first 4 KiB."""
    return [NAME] if re.match(r"\s*\{", head) and re.search(r'"gobanSize"\s*:', head) else []


def read(data: bytes, file: str = "", *, kind: str = "", today: int | None = None) -> Reading:
    """Read a tournament; `detail` of the reading is its Occasion. Raises Refused where anything is fatal."""
    findings = Findings(file)
    root = parse(data, findings)
    if not isinstance(root, Object) or not all(isinstance(root.get(name), list) for name in _KEYS[1:]):
        message = "There is no tournament with players and games."
        findings.add("schema-unknown", FATAL, message, _REMEDY)
        findings.refuse()
    occasion = _occasion(root, findings, today_() if today is None else today)
    event = GoEvent(file, occasion, findings)
    kind_ = root.text("type").upper() or "INDIVIDUAL"
    _players(root, event, findings)
    if kind_ == "INDIVIDUAL":
        _games(root, event, findings)
    else:
        _of_several(root, kind_, findings)
    event.close()
    return Reading(event.sheet, findings.listed(), NAME, occasion)


def _occasion(root: Object, findings: Findings, today: int) -> Occasion:
    place = root.place
    name = clean(root.text("name"))
    if len(name) > TEXT_LIMIT:
        message = f"The event's name has {len(name)} characters; {TEXT_LIMIT} are the limit."
        findings.add("cell-too-long", FATAL, message, "Shorten it.", *place)
    if not name:
        name = clean(root.text("shortName")) or clean(root.text("location")) or UNNAMED
        message = f"The tournament has no name; it is called '{name[:40]}'."
        findings.add("event-name-missing", WARNING, message, "Give it a name.", *place)
    first, last = _dates(root, findings, today)
    size = board_size(root.text("gobanSize"), findings, *place)
    online = root.text("online") == "true"
    if online:
        findings.add("event-online", NOTE, "Played on a server.", "Check the class.", *place)
    return Occasion(name[:TEXT_LIMIT], _class(root, online, findings), first, last, size)


def _dates(root: Object, findings: Findings, today: int) -> tuple[int, int]:
    texts = [root.text(name) for name in ("startDate", "endDate")]
    first, last = (read_day(text) or 0 for text in texts)
    if not any(texts):
        message = "There is neither startDate nor endDate."
        findings.add("date-missing", FATAL, message, "Give both.", *root.place)
    elif not (first and last):
        message = f"startDate '{texts[0][:20]}' or endDate '{texts[1][:20]}' is no date."
        findings.add("date-unreadable", FATAL, message, "Write both as 2026-05-30.", *root.place)
    findings.refuse_where(FATAL)
    if first > last:
        message = f"The first day, {texts[0]}, lies after the last, {texts[1]}; they were swapped."
        findings.add("date-order", WARNING, message, "Check the dates.", *root.place)
        first, last = last, first
    if last > today:
        message = f"{day_text(last)} lies in the future (today is {day_text(today)})."
        findings.add("date-future", FATAL, message, "Correct the date.", *root.place)
    return first, last


def _class(root: Object, online: bool, findings: Findings) -> str:
    settings = root.get("timeSystem")
    system = _SYSTEMS.get(settings.text("type").upper()) if isinstance(settings, Object) else None
    if not isinstance(settings, Object) or system is None:
        message = "There are no time settings that are known."
        findings.add("event-class-missing", WARNING, message, "Choose the class.", *root.place)
        return ""
    main = _whole(settings.text("mainTime"))
    period = _whole(settings.text("increment" if system == FISCHER else "byoyomi"))
    time = Time(main / 60, system, period, _whole(settings.text("stones")) or 1)
    line, column = settings.place
    fischer = system == FISCHER
    found = derived_class(
        time.basic, time.adjusted, findings, fischer=fischer, online=online, line=line, column=column
    )
    minutes = time._replace(basic=main)
    meant = class_of(minutes.basic, minutes.adjusted, fischer=fischer, online=online)
    if 0 < main < SMALL and meant != found:
        message = f"mainTime is {main} seconds; as minutes the settings would make class {meant}."
        remedy = "Choose the class; the seconds were taken."
        findings.add("event-class-differs", WARNING, message, remedy, line, column)
    return found


def _whole(text: str) -> int:
    return int(text) if re.match(r"[0-9]{1,6}\Z", text) else 0


# --- players and games ------------------------------------------------------------------------------


def _players(root: Object, event: GoEvent, findings: Findings) -> None:
    present = []
    for player in _objects(root["players"], "players", root, findings):
        key = player.text("id")
        if key in event.players or not re.match(r"[0-9]{1,9}\Z", key):
            message = f"The player's id '{key[:20]}' stands twice or is no number."
            findings.add("player-duplicate-number", FATAL, message, _REMEDY, *player.place)
            continue
        event.declare(key, _player(player, findings))
        if player.text("final") != "false":
            present.append(key)
    if not event.players:
        findings.add("player-none", FATAL, "There are no players.", "Check the export.")
    findings.refuse_where(FATAL)
    for key in present:
        event.join(key)


def _objects(value: object, what: str, root: Object, findings: Findings) -> list[Object]:
    """A list of objects; refused where it is anything else, so that nothing is read past."""
    if isinstance(value, list) and all(isinstance(one, Object) for one in value):
        return value
    findings.add("schema-unknown", FATAL, f"Among the {what} stands something else.", _REMEDY, *root.place)
    findings.refuse()


def _player(player: Object, findings: Findings) -> GoPlayer:
    ids = [read_id(kind, player.text(name), findings, *player.place) for name, kind in _IDS]
    rating = player.text("rating")
    return GoPlayer(
        player.text("name"), player.text("firstname"), _grade(player.text("rank")),
        float(rating) if re.match(r"-?[0-9]{1,4}\Z", rating) else None,
        tuple(one for found in ids for one in found),
        clean(player.text("country")).upper()[:40], clean(player.text("club"))[:TEXT_LIMIT], player.place,
    )  # fmt: skip


def _grade(level: str) -> str:
    """The grade of a level: 0 is 1d, -1 is 1k; what is no level stays as it is.

    >>> _grade("0"), _grade("-12"), _grade("5k")
    ('1d', '12k', '5k')
    """
    if not re.match(r"-?[0-9]{1,3}\Z", level):
        return level
    number = int(level)
    return f"{number + 1}d" if number >= 0 else f"{-number}k"


def _games(root: Object, event: GoEvent, findings: Findings) -> None:
    played = 0
    for round_, games in enumerate(root["games"], 1):
        for game in _objects(games, "games", root, findings):
            white, black = game.text("w"), game.text("b")
            if "0" in (white, black):
                if (white, black) != ("0", "0"):
                    event.bye(round_, white if black == "0" else black, game.place)
                continue
            outcome = _RESULTS.get(game.text("r").lower())
            if outcome is None:
                message = f"'{game.text('r')[:20]}' is no result."
                findings.add("result-code-unknown", FATAL, message, "Enter the result again.", *game.place)
                continue
            played += 1
            event.game(
                GoGame(
                    round_, _whole(game.text("t")), white, black, outcome, game.text("h") or "0",
                    place=game.place,
                )
            )  # fmt: skip
    if played:
        message = f"None of the {played} games is marked as a forfeit; this format has no mark for it."
        remedy = "Leave out what was not played."
        findings.add("result-forfeit-unmarked", WARNING, message, remedy, *root.place)


def _of_several(root: Object, kind: str, findings: Findings) -> None:
    """Teams meet as teams here, and pairs sit at one board: there is no game of two persons to take."""
    games = sum(len(games) for games in root["games"] if isinstance(games, list))
    if kind.startswith("TEAM"):
        message = f"A team event ({kind[:20]}): the file tells who won as a team, not at the boards."
        findings.add("event-team", NOTE, message, "", *root.place)
    message = f"{games} results of several persons a side ({kind[:20]}): none is taken."
    findings.add("event-pairs", HELD, message, "Send the games of single persons.", *root.place)


__all__ = ["FORMATS", "NAME", "read", "sniff"]
