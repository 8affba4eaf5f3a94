"""OpenGotha's tournament file (XML): read into a sheet.

docs/reference/formats/opengotha.md describes it. Choices: persons are known by `name firstName`, as in
an EGD table; all games get the event's last day; the grade that a player professes is the first rating
(rank, rating and dates in the file are those of the day of import); a tournament that still has the
program's name for a new one is called by its short name; both winning by decision is no result (void).
"""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple
from xml.etree.ElementTree import Element

from arpad.domain.dates import day_text, read_day
from arpad.domain.play import Application
from arpad.domain.problems import FATAL, HELD, NOTE, WARNING
from arpad.domain.ranks import rank_index
from arpad.domain.results import BYE, FORFEIT, GAME, PENDING, VOID, Result
from arpad.formats.cells import TEXT_LIMIT
from arpad.formats.go_terms import read_id
from arpad.formats.reading import Findings, Reading, clean, is_lost
from arpad.formats.reading import today as today_
from arpad.formats.xmlfile import line_of, parse, text_of
from arpad.ledger.columns import GameRow
from arpad.ledger.sheet import Sheet, SheetPerson

NAME = "OpenGotha XML"
FORMATS = (NAME,)
WHOLE = True
UNNAMED = "(unnamed tournament)"
DEFAULT_NAME = "Tournament name"  # what the program calls a new tournament
_ROOT = re.compile(r"\s*(<\?xml[^>]*>)?\s*(<!--.*?-->\s*)*<Tournament[\s>]", re.DOTALL)
_POINTS = {"WHITEWINS": (2, 0), "BLACKWINS": (0, 2), "EQUAL": (1, 1)}
# EGF classes by basic time, basic time with Fischer's increment, and adjusted time, in minutes.
_CLASSES = (("A", 60, 45, 75), ("B", 40, 30, 50), ("C", 25, 20, 30))
_ONLINE = (40, 30, 50)
_IDS = {"egfPin": "egd", "ffgLicence": "licence", "agaId": "aga"}


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
    """The root is <Tournament>, in this very spelling."""
    return (
        [NAME]
        if _ROOT.match(head) and not re.search(r"\btypeversion=|<(IndividualParticipant|GoPlayer)>", head)
        else []
    )


def read(data: bytes, file: str = "", *, kind: str = "", today: int | None = None) -> Reading:
    """Read a tournament; `detail` of the reading is its Settings. Raises Refused where anything is fatal."""
    findings = Findings(file)
    root = parse(data, findings)
    if root.tag != "Tournament" or root.find("Players") is None:
        message = f"The root is <{str(root.tag)[:40]}>, or there are no <Players>."
        findings.add("schema-unknown", FATAL, message, "Save it anew with OpenGotha.", line_of(root))
        findings.refuse()
    settings = _settings(root, findings, today_() if today is None else today)
    _report_privacy(root, findings)
    sheet = _Tournament(root, settings, file, findings).sheet
    findings.refuse_where(FATAL)
    return Reading(sheet, findings.listed(), NAME, settings)


# --- general parameters -----------------------------------------------------------------------------


def _settings(root: Element, findings: Findings, today: int) -> Settings:
    general = root.find("TournamentParameterSet/GeneralParameterSet")
    if general is None:
        message = "There are no <GeneralParameterSet> with name and dates."
        findings.add("schema-unknown", FATAL, message, "Save it anew with OpenGotha.", line_of(root))
        findings.refuse()
    saved = text_of(root, "saveDT")
    saved_day = read_day(f"{saved[:4]}-{saved[4:6]}-{saved[6:8]}") or 0
    first, last = _dates(general, saved_day, findings, today)
    size = _whole(general, "size", 19)
    if size != 19:
        message = f"The games were played on {size}x{size}."
        findings.add("event-small-board", WARNING, message, "Check the weight.", line_of(general))
    online = text_of(general, "bInternet") == "true"
    name, event_class = _name(general, findings), _class(general, online, findings)
    return Settings(name, event_class, first, last, size, saved_day, online)


def _name(general: Element, findings: Findings) -> str:
    name, short = clean(text_of(general, "name")), clean(text_of(general, "shortName"))
    if len(name) > TEXT_LIMIT:
        message = f"The event's name has {len(name)} characters; {TEXT_LIMIT} are the limit."
        findings.add("cell-too-long", FATAL, message, "Shorten it.", line_of(general))
    if name and name != DEFAULT_NAME:
        return name
    used = short or clean(text_of(general, "location")) or UNNAMED
    message = f"The tournament has no name of its own; it is called '{used}'."
    findings.add("event-name-missing", WARNING, message, "Give it a name.", line_of(general))
    return used


def _dates(general: Element, saved: int, findings: Findings, today: int) -> tuple[int, int]:
    texts = [text_of(general, name) for name in ("beginDate", "endDate")]
    line = line_of(general)
    first, last = (read_day(text) or 0 for text in texts)
    if not any(texts):
        findings.add("date-missing", FATAL, "There is neither first nor last day.", "Give both.", line)
    elif not (first and last):
        shown = f"beginDate '{texts[0]}' or endDate '{texts[1]}' is no date."
        findings.add("date-unreadable", FATAL, shown, "Write both as 2026-05-30.", line)
    findings.refuse_where(FATAL)
    if first > last:
        message = f"The first day, {texts[0]}, lies after the last, {texts[1]}; they were swapped."
        findings.add("date-order", WARNING, message, "Check the dates.", line)
        first, last = last, first
    if last > today:
        message = f"{day_text(last)} lies in the future (today is {day_text(today)})."
        findings.add("date-future", FATAL, message, "Correct the date.", line)
    rounds = _whole(general, "numberOfRounds", 0)
    if first == last and (rounds > 5 or last == saved or 0 < last < saved - 7):
        message = f"{rounds} rounds are dated {day_text(first)}, first and last day alike."
        findings.add(
            "date-suspect", WARNING, message, "Check the dates: an event counts on its last day.", line
        )
    return first, last


def _class(general: Element, online: bool, findings: Findings) -> str:
    """EGF class by the time settings; the best that basic and adjusted time allow."""
    basic, system = _whole(general, "basicTime", 0), text_of(general, "complementaryTimeSystem")
    fischer = system == "FISCHER"
    extra = {
        "STDBYOYOMI": 45 * _whole(general, "stdByoYomiTime", 0) / 60,
        "CANBYOYOMI": _whole(general, "canByoYomiTime", 0) / max(_whole(general, "nbMovesCanTime", 1), 1),
        "FISCHER": 2 * _whole(general, "fischerTime", 0),
    }.get(system, 0)
    found = "X"
    classes = (("D", *_ONLINE),) if online else _CLASSES
    for name, plain, with_fischer, adjusted in classes:
        if basic >= (with_fischer if fischer else plain) and basic + extra >= adjusted:
            found = name
            break
    where = "online" if online else "over the board"
    message = f"{basic} minutes and {basic + extra:g} adjusted, {where}, make class {found}."
    findings.add("event-class-derived", NOTE, message, "Check the time settings.", line_of(general))
    if found == "X":
        message = "Class X: the games are taken as not for rating, in class D."
        findings.add("event-not-rated", NOTE, message, "", line_of(general))
    return found


def _whole(element: Element, name: str, default: int) -> int:
    text = text_of(element, name)
    return int(text) if re.match(r"[0-9]{1,6}\Z", text) else default


def _report_privacy(root: Element, findings: Findings) -> None:
    kept = [name for name in ("externalIPAddress", "macAddress") if root.get(name)]
    if kept:
        message = f"{' and '.join(kept)} of the computer that saved the file: not taken."
        findings.add("privacy-dropped", NOTE, message, "", line_of(root))


# --- players, games, byes ---------------------------------------------------------------------------


class _Tournament:
    """Reads the players, then what names them by key."""

    def __init__(self, root: Element, settings: Settings, file: str, findings: Findings) -> None:
        self.root, self.settings, self.findings = root, settings, findings
        self.sheet = Sheet(file)
        self.elements: dict[str, Element] = {}  # by key
        self.numbers: dict[str, int] = {}  # in the sheet
        self.ids: Counter[tuple[str, str]] = Counter()
        self.unrated = settings.event_class == "X"
        event_class = "D" if self.unrated else settings.event_class
        self.event = self.sheet.event(settings.name, settings.first, 0, event_class)
        self._collect_players()
        self._take_games()
        self._take_byes()
        if root.find("Teams/Team") is not None:
            findings.add(
                "event-team", NOTE, "A team event: the games count for the players.", "", line_of(root)
            )

    def _collect_players(self) -> None:
        for element in self.root.iterfind("Players/Player"):
            key = _key(text_of(element, "name") + text_of(element, "firstName"))
            if key in self.elements:
                message = f"Two players have the key {key}, by which the games name them."
                remedy = "Add an initial to one of them in OpenGotha."
                self.findings.add("og-key-collision", FATAL, message, remedy, line_of(element))
            self.elements[key] = element
            self.ids.update((kind, _joined(element, name)) for name, kind in _IDS.items())
        if not self.elements:
            self.findings.add("player-none", FATAL, "There are no players.", "Check the export.")
        self.findings.refuse_where(FATAL)
        for key, element in self.elements.items():
            if text_of(element, "registeringStatus") != "PRE":
                self._player(key)

    def _player(self, key: str) -> int:
        """The number of the player with that key; who is only registered joins when paired."""
        found = self.numbers.get(key)
        if found is None:
            element = self.elements[key]
            name = clean(f"{text_of(element, 'name')} {text_of(element, 'firstName')}")
            found = self.numbers[key] = self.sheet.person(self._told(self._distinct(name, element), element))
            self._first_rating(self.sheet.players[found], element)
        return found

    def _told(self, name: str, element: Element) -> SheetPerson:
        """What the file says of a player. An id that two players carry identifies neither."""
        ids = []
        for attribute, kind in _IDS.items():
            text = _joined(element, attribute)
            for one in read_id(kind, text, self.findings, line_of(element), 1):
                if self.ids[kind, text] > 1:
                    message = f"{self.ids[kind, text]} players carry the number {text}; it is not used."
                    remedy = "Correct one of them."
                    self.findings.add("player-same-id", HELD, message, remedy, line_of(element))
                else:
                    ids.append(one)
        rating = text_of(element, "rating").strip()
        country, club = text_of(element, "country").strip().upper(), clean(text_of(element, "club"))
        return SheetPerson(
            name, tuple(ids), federation="" if country == "XX" else country[:3],
            club="" if club.lower() == "xxxx" else club[:TEXT_LIMIT],
            rating=float(rating) if re.match(r"-?[0-9]{1,4}\Z", rating) else None,
            rank=text_of(element, "rank").strip().lower(), line=line_of(element),
        )  # fmt: skip

    def _distinct(self, name: str, element: Element) -> str:
        """No two players of a tournament are one person, and nobody whose name is lost is somebody else."""
        if len(name) > TEXT_LIMIT:
            message = f"The name has {len(name)} characters; {TEXT_LIMIT} are the limit."
            self.findings.add("cell-too-long", FATAL, message, "Shorten it.", line_of(element))
        pairs = re.search(r"[&/+]", name)
        if pairs:
            message = f"'{name}' seems to be two persons."
            self.findings.add(
                "event-pairs", WARNING, message, "Leave pair go and rengo out.", line_of(element)
            )
        lost = is_lost(name) or not name
        if lost:
            message = f"The name '{name}' is lost."
            self.findings.add("text-name-lost", WARNING, message, "Enter the name.", line_of(element))
        if lost or name in self.sheet.players:
            number = len(self.sheet.players) + 1
            return f"{name or '?'} ({self.settings.name} {day_text(self.settings.first)}, row {number})"
        return name

    def _first_rating(self, name: str, element: Element) -> None:
        grade = text_of(element, "grade") or text_of(element, "rank")
        if grade.upper() == "NC":
            application = Application(unclassified=True)
        elif rank_index(grade) is not None:
            application = Application(rank=rank_index(grade))
        else:
            if grade:
                message = f"'{grade}' of {name} is no grade."
                remedy = "Write 5K, 2D, 3P or NC."
                self.findings.add("player-rank-shape", WARNING, message, remedy, line_of(element))
            return
        self.sheet.first_rating(name, application, self.settings.first, line_of(element))

    # --- games ----------------------------------------------------------------------------------

    def _take_games(self) -> None:
        seen: set[tuple[int, str]] = set()
        counts: Counter[str] = Counter()
        for element in self.root.iterfind("Games/Game"):
            keys = [_key(text_of(element, name)) for name in ("whitePlayer", "blackPlayer")]
            round_ = _whole(element, "roundNumber", 0)
            if not self._is_game(element, keys):
                continue
            twice = [key for key in keys if (round_, key) in seen]
            if twice:
                message = f"{twice[0]} plays twice in round {round_}."
                remedy = "Remove one of the games."
                self.findings.add("game-double-booked", HELD, message, remedy, line_of(element))
                continue
            seen |= {(round_, key) for key in keys}
            result = self._result(element)
            counts[result.kind] += 1
            stones = self._stones(element)
            if stones is not None:
                self._append(element, keys, round_, result, stones)
        if counts[FORFEIT]:
            message = f"{counts[FORFEIT]} forfeits, which are not rated."
            self.findings.add("result-forfeit-count", NOTE, message)

    def _append(self, element: Element, keys: list[str], round_: int, result: Result, stones: int) -> None:
        if text_of(element, "knownColor") == "false":
            self.findings.add("colour-missing", NOTE, "The colours are not known.", "", line_of(element))
        players = [self._player(key) for key in keys]
        size = self.settings.size if self.settings.size != 19 else 0
        table = _whole(element, "tableNumber", 0)
        self.sheet.games.append(
            GameRow(
                players[0], players[1], self.event, self.settings.last, round_, table,
                result=self.sheet.result(result), stones=stones, size=size, line=line_of(element),
            )
        )  # fmt: skip

    def _is_game(self, element: Element, keys: list[str]) -> bool:
        line = line_of(element)
        missing = [key for key in keys if key not in self.elements]
        if missing:
            message = f"A game names the player '{missing[0]}', who is not in the list."
            self.findings.add("player-missing", FATAL, message, "Export it again with all players.", line)
        elif keys[0] == keys[1]:
            message = f"{keys[0]} plays against the same person."
            self.findings.add("game-self", FATAL, message, "Correct one of the two.", line)
        else:
            return True
        return False

    def _stones(self, element: Element) -> int | None:
        text = text_of(element, "handicap") or "0"
        if re.match(r"[0-9]\Z", text):
            return int(text)
        message = f"The handicap '{text}' is not 0 to 9 stones."
        self.findings.add("handicap-shape", HELD, message, "Write one digit.", line_of(element))
        return None

    def _result(self, element: Element) -> Result:
        text, line = text_of(element, "result").removeprefix("RESULT_"), line_of(element)
        word = text.removesuffix("_BYDEF")
        points = _POINTS.get(word)
        if word == "BOTHWIN" or (points == (1, 1) and word != text):
            message = "Both won by the director's decision; not rated."
            self.findings.add("result-both-win", WARNING, message, "", line)
            return Result(VOID)
        if word in ("BOTHLOSE", "BOTHLOOSE"):
            message = "Both lost by the director's decision; not rated."
            self.findings.add("result-both-lose", WARNING, message, "", line)
            return Result(FORFEIT, 0, 0)
        if points is None:
            message = "The game has no result yet." if word in ("", "UNKNOWN") else f"'{text}' is no result."
            self.findings.add("result-pending", NOTE, message, "Send the file again later.", line)
            return Result(PENDING)
        if word != text:
            return Result(FORFEIT, *points)
        return Result(GAME, *points, unrated=self.unrated)

    def _take_byes(self) -> None:
        for element in self.root.iterfind("ByePlayers//*"):
            key = _key(text_of(element, "player"))
            if not key:
                continue
            if key not in self.elements:
                message = f"A bye names the player '{key}', who is not in the list."
                self.findings.add("player-missing", FATAL, message, "Export it again.", line_of(element))
                continue
            row = GameRow(
                self._player(key), -1, self.event, self.settings.last, _whole(element, "roundNumber", 0),
                result=self.sheet.result(Result(BYE, 2)), line=line_of(element),
            )  # fmt: skip
            self.sheet.games.append(row)


def _joined(element: Element, name: str) -> str:
    return "".join(text_of(element, name).split())


def _key(text: str) -> str:
    """How games name a player: name and first name, blanks removed, upper case."""
    return "".join(text.split()).upper()


__all__ = ["FORMATS", "NAME", "Settings", "read", "sniff"]
