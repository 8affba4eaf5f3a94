"""OpenGotha's tournament file (XML): read into a sheet.

docs/reference/formats/opengotha.md describes it. Choices: persons are known by `name firstName`, as in
an EGD table; all games get the event's last day; the grade that a player professes is the first rating
(rank, rating and dates in the file are those of the day of import); a tournament that still has the
program's name for a new one is called by its short name; both winning by decision is no result (void).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import NamedTuple
from xml.etree.ElementTree import Element

from arpad.domain.dates import day_text, read_day
from arpad.domain.problems import FATAL, NOTE, WARNING
from arpad.formats import go_event, go_told
from arpad.formats.cells import TEXT_LIMIT
from arpad.formats.egd_table import read_grade
from arpad.formats.go_event import GoEvent, GoGame, GoPlayer, Occasion
from arpad.formats.go_terms import (
    CANADIAN,
    FISCHER,
    JAPANESE,
    SUDDEN_DEATH,
    Time,
    board_size,
    derived_class,
    read_id,
)
from arpad.formats.go_told import NOTHING, Told
from arpad.formats.reading import Findings, Reading, clean
from arpad.formats.reading import today as today_
from arpad.formats.xmlfile import parse, place_of, text_of

NAME = "OpenGotha XML"
FORMATS = (NAME,)
WHOLE = True
TOLD = (*go_told.DAYS, go_told.CLASS)
UNNAMED = "(unnamed tournament)"
DEFAULT_NAME = "Tournament name"  # what the program calls a new tournament
MANY_ROUNDS = 5  # more of them are seldom played on one day
_ROOT = re.compile(r"\s*(<\?xml[^>]*>)?\s*(<!--.*?-->\s*)*<Tournament[\s>]", re.DOTALL)
_MACMAHON = re.compile(r"\btypeversion=|<(IndividualParticipant|GoPlayer)>")
_OUTCOMES = {
    "WHITEWINS": go_event.WHITE, "BLACKWINS": go_event.BLACK, "EQUAL": go_event.JIGO,
    "BOTHWIN": go_event.BOTH_WIN, "BOTHLOSE": go_event.BOTH_LOSE, "BOTHLOOSE": go_event.BOTH_LOSE,
    "UNKNOWN": go_event.NONE, "": go_event.NONE,
}  # fmt: skip
_SYSTEMS = {
    "SUDDENDEATH": SUDDEN_DEATH, "STDBYOYOMI": JAPANESE, "CANBYOYOMI": CANADIAN, "FISCHER": FISCHER,
}  # fmt: skip
_PERIODS = {JAPANESE: "stdByoYomiTime", CANADIAN: "canByoYomiTime", FISCHER: "fischerTime"}
_IDS = (("egfPin", "egd"), ("ffgLicence", "licence"), ("agaId", "aga"))
_NO_RATING = re.compile(r"\s*(INI\b|FFG *: *-9999|\Z)", re.IGNORECASE)


class Settings(NamedTuple):
    """The general parameters of a tournament."""

    name: str
    event_class: str  # A, B, C, D by the time settings; X: not for rating
    first: int
    last: int
    size: int
    saved: int  # day on which the file was saved; 0: not said
    online: bool


def sniff(head: str, file: str = "") -> list[str]:
    """The root is <Tournament>, in this very spelling, and nothing of MacMahon's stands in it."""
    return [NAME] if _ROOT.match(head) and not _MACMAHON.search(head) else []


def read(
    data: bytes, file: str = "", *, kind: str = "", today: int | None = None, told: Told = NOTHING
) -> Reading:
    """Read a tournament; `detail` of the reading is its Settings. Raises Refused where anything is fatal."""
    findings = Findings(file)
    root = parse(data, findings)
    if root.tag != "Tournament" or root.find("Players") is None:
        message = f"The root is <{str(root.tag)[:40]}>, or there are no <Players>."
        findings.add("schema-unknown", FATAL, message, "Save it anew with OpenGotha.", *place_of(root))
        findings.refuse()
    settings = _settings(root, findings, told, today_() if today is None else today)
    _report_privacy(root, findings)
    occasion = Occasion(settings.name, settings.event_class, settings.first, settings.last, settings.size)
    event = GoEvent(file, occasion, findings)
    _players(root, event, findings)
    _games(root, event, findings)
    _byes(root, event, findings)
    if root.find("Teams/Team") is not None:
        message = "A team event: the games count for the players."
        findings.add("event-team", NOTE, message, "", *place_of(root))
    event.close()
    return Reading(event.sheet, findings.listed(), NAME, settings)


# --- general parameters -----------------------------------------------------------------------------


def _settings(root: Element, findings: Findings, told: Told, today: int) -> Settings:
    general = root.find("TournamentParameterSet/GeneralParameterSet")
    if general is None:
        message = "There are no <GeneralParameterSet> with name and dates."
        findings.add("schema-unknown", FATAL, message, "Save it anew with OpenGotha.", *place_of(root))
        findings.refuse()
    place = place_of(general)
    saved = text_of(root, "saveDT")
    saved_day = read_day(f"{saved[:4]}-{saved[4:6]}-{saved[6:8]}") or 0
    first, last = _dates(general, saved_day, findings, told, today)
    size = board_size(text_of(general, "size"), findings, *place)
    online = text_of(general, "bInternet") == "true"
    if online:
        findings.add("event-online", NOTE, "Played on a server.", "Check the class.", *place)
    event_class = go_told.event_class(told, findings) or _class(general, online, findings)
    return Settings(_name(general, findings), event_class, first, last, size, saved_day, online)


def _name(general: Element, findings: Findings) -> str:
    name, short = clean(text_of(general, "name")), clean(text_of(general, "shortName"))
    if len(name) > TEXT_LIMIT:
        message = f"The event's name has {len(name)} characters; {TEXT_LIMIT} are the limit."
        findings.add("cell-too-long", FATAL, message, "Shorten it.", *place_of(general))
    if name and name != DEFAULT_NAME:
        return name
    used = (short or clean(text_of(general, "location")))[:TEXT_LIMIT] or UNNAMED
    message = f"The tournament has no name of its own; it is called '{used}'."
    findings.add("event-name-missing", WARNING, message, "Give it a name.", *place_of(general))
    return used


def _dates(general: Element, saved: int, findings: Findings, told: Told, today: int) -> tuple[int, int]:
    texts = [text_of(general, name) for name in ("beginDate", "endDate")]
    place = place_of(general)
    first, last = (read_day(text) or 0 for text in texts)
    if told.keys() & set(go_told.DAYS):
        first, last = go_told.days(told, first, last, findings, today)
        findings.refuse_where(FATAL)
        return first, last
    if not any(texts):
        findings.add("date-missing", FATAL, "There is neither first nor last day.", "Give both.", *place)
    elif not (first and last):
        shown = f"beginDate '{texts[0][:20]}' or endDate '{texts[1][:20]}' is no date."
        findings.add("date-unreadable", FATAL, shown, "Write both as 2026-05-30.", *place)
    findings.refuse_where(FATAL)
    if first > last:
        message = f"The first day, {texts[0]}, lies after the last, {texts[1]}; they were swapped."
        findings.add("date-order", WARNING, message, "Check the dates.", *place)
        first, last = last, first
    if last > today:
        message = f"{day_text(last)} lies in the future (today is {day_text(today)})."
        findings.add("date-future", FATAL, message, "Correct the date.", *place)
    rounds = _whole(general, "numberOfRounds", 0)
    if first == last and (rounds > MANY_ROUNDS or last == saved or 0 < last < saved - 7):
        message = f"{rounds} rounds are dated {day_text(first)}, first and last day alike."
        remedy = "Check the dates, or give last-day=2026-05-31: an event counts on its last day."
        findings.add("date-suspect", WARNING, message, remedy, *place)
    return first, last


def _class(general: Element, online: bool, findings: Findings) -> str:
    """EGF class by the time settings; the best that basic and adjusted time allow."""
    system = _SYSTEMS.get(text_of(general, "complementaryTimeSystem"), SUDDEN_DEATH)
    time = Time(
        _whole(general, "basicTime", 0), system, _whole(general, _PERIODS.get(system, ""), 0),
        _whole(general, "nbMovesCanTime", 1),
    )  # fmt: skip
    line, column = place_of(general)
    return derived_class(
        time.basic,
        time.adjusted,
        findings,
        fischer=system == FISCHER,
        online=online,
        line=line,
        column=column,
    )


def _whole(element: Element, name: str, default: int) -> int:
    text = text_of(element, name)
    return int(text) if re.match(r"[0-9]{1,6}\Z", text) else default


def _report_privacy(root: Element, findings: Findings) -> None:
    kept = [name for name in ("externalIPAddress", "macAddress") if root.get(name)]
    if kept:
        message = f"{' and '.join(kept)} of the computer that saved the file: not taken."
        findings.add("privacy-dropped", NOTE, message, "", *place_of(root))


# --- players, games, byes ---------------------------------------------------------------------------


def _players(root: Element, event: GoEvent, findings: Findings) -> None:
    present = []
    for element in root.iterfind("Players/Player"):
        key = _key(text_of(element, "name") + text_of(element, "firstName"))
        if key in event.players:
            message = f"Two players have the key {key[:60]}, by which the games name them."
            remedy = "Add an initial to one of them in OpenGotha."
            findings.add("og-key-collision", FATAL, message, remedy, *place_of(element))
            continue
        event.declare(key, _player(element, findings))
        if text_of(element, "registeringStatus") != "PRE":
            present.append(key)
    if not event.players:
        findings.add("player-none", FATAL, "There are no players.", "Check the export.")
    findings.refuse_where(FATAL)
    for key in present:
        event.join(key)


def _player(element: Element, findings: Findings) -> GoPlayer:
    """A player as the file tells it. A rating that was derived from the grade, or is none, is not one."""
    place, rating = place_of(element), text_of(element, "rating")
    ids = [read_id(kind, text_of(element, name), findings, *place) for name, kind in _IDS]
    known = re.match(r"-?[0-9]{1,4}\Z", rating) and not _NO_RATING.match(element.get("ratingOrigin", "?"))
    return GoPlayer(
        text_of(element, "name"), text_of(element, "firstName"),
        _grade(element, findings), float(rating) if known else None,
        tuple(one for found in ids for one in found),
        clean(text_of(element, "country")).upper()[:3], clean(text_of(element, "club"))[:TEXT_LIMIT], place,
    )  # fmt: skip


def _grade(element: Element, findings: Findings) -> str:
    """The grade that the player professes; where that is none, the rank used for pairing, and it is told."""
    grade, rank = text_of(element, "grade"), text_of(element, "rank")
    if not grade or read_grade(grade) or not read_grade(rank):
        return grade or rank
    message = (
        f"'{grade[:20]}' of {clean(text_of(element, 'name'))[:60]} is no grade; the rank {rank} is used."
    )
    findings.add("player-rank-shape", WARNING, message, "Confirm it.", *place_of(element))
    return rank


def _games(root: Element, event: GoEvent, findings: Findings) -> None:
    outcomes: dict[int, Counter[str]] = defaultdict(Counter)
    for element in root.iterfind("Games/Game"):
        text, place = text_of(element, "result").removeprefix("RESULT_"), place_of(element)
        word = text.removesuffix("_BYDEF")
        outcome = _OUTCOMES.get(word)
        if outcome is None:
            message = f"'{text[:40]}' is no result."
            findings.add("result-code-unknown", FATAL, message, "Enter the result again.", *place)
            continue
        round_ = _whole(element, "roundNumber", 0)
        outcomes[round_][outcome] += 1
        event.game(
            GoGame(
                round_, _whole(element, "tableNumber", 0),
                _key(text_of(element, "whitePlayer")), _key(text_of(element, "blackPlayer")),
                outcome, text_of(element, "handicap") or "0", word != text,
                text_of(element, "knownColor") != "false", place,
            )
        )  # fmt: skip
    if outcomes and all(counts[go_event.BOTH_WIN] for counts in outcomes.values()):
        message = "In every round both sides of a game won by decision: this may be rengo or pair go."
        findings.add("event-pairs", WARNING, message, "Leave pair go and rengo out.", *place_of(root))


def _byes(root: Element, event: GoEvent, findings: Findings) -> None:
    """<ByePlayer> in <ByePlayers>, or nested in itself, as one program writes it."""
    for element in root.iter():
        for bye in element.findall("ByePlayer") if element.tag in ("ByePlayers", "ByePlayer") else ():
            key = _key(text_of(bye, "player"))
            if element.tag == "ByePlayer":
                message = "A bye stands inside another element <ByePlayer>; it is read."
                findings.add("og-bye-nesting", NOTE, message, "", *place_of(bye))
            if key:
                event.bye(_whole(bye, "roundNumber", 0), key, place_of(bye))


def _key(text: str) -> str:
    """How games name a player: name and first name, blanks removed, upper case."""
    return "".join(text.split()).upper()


__all__ = ["FORMATS", "NAME", "Settings", "read", "sniff"]
