"""MacMahon's tournament file (Gerlach's program, XML): read into a sheet.

docs/reference/formats/macmahon.md describes it. The file tells neither days nor, for certain, whose point
stands first in `1-0`: both are asked for. Four programs that read such files, Pairgoth among them, take
the first point as Black's; one remark in the converter it came from says the opposite.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from arpad.domain.problems import FATAL, WARNING
from arpad.formats import go_event, go_told
from arpad.formats.cells import TEXT_LIMIT
from arpad.formats.go_event import GoEvent, GoGame, GoPlayer, Occasion
from arpad.formats.go_terms import read_id
from arpad.formats.go_told import FIRST_POINT, NOTHING, Told
from arpad.formats.reading import Findings, Reading, clean
from arpad.formats.reading import today as today_
from arpad.formats.xmlfile import parse, place_of

NAME = "MacMahon XML"
FORMATS = (NAME,)
WHOLE = True
TOLD = (*go_told.DAYS, go_told.CLASS, FIRST_POINT)
UNNAMED = "(unnamed tournament)"
_OPENING = r"\s*(<\?xml[^>]*>)?\s*(<!--.*?-->\s*)*"
_ROOT = re.compile(rf"{_OPENING}<(TournamentData[\s>]|Tournament\s[^>]*\btypeversion=)", re.DOTALL)
_OTHER_ROOT = re.compile(rf"{_OPENING}<Tournament[\s>]", re.DOTALL)
_SCORES = {
    "1-0": "first", "0-1": "second", "½-½": go_event.JIGO, "1/2-1/2": go_event.JIGO,
    "0-0": go_event.BOTH_LOSE, "1-1": go_event.BOTH_WIN, "?-?": go_event.NONE, "": go_event.NONE,
}  # fmt: skip


def sniff(head: str, file: str = "") -> list[str]:
    """The root is <TournamentData>, or a <Tournament> with the elements of this program."""
    if _ROOT.match(head) or (
        _OTHER_ROOT.match(head) and re.search(r"<(IndividualParticipant|GoPlayer)>", head)
    ):
        return [NAME]
    return []


def read(
    data: bytes, file: str = "", *, kind: str = "", today: int | None = None, told: Told = NOTHING
) -> Reading:
    """Read a tournament; `detail` of the reading is its Occasion. Raises Refused where anything is fatal."""
    findings = Findings(file)
    root = parse(data, findings)
    players = [one for one in root.iter() if one.tag in ("Player", "IndividualParticipant")]
    rounds = [one for one in root.iter() if one.tag in ("Round", "TournamentRound")]
    tournament = root if root.tag == "Tournament" else root.find("Tournament")
    if tournament is None or (root.find(".//GoPlayer") is None and players):
        message = f"The root is <{str(root.tag)[:40]}>, and there is no tournament with players in it."
        findings.add("schema-unknown", FATAL, message, "Save it anew with MacMahon.", *place_of(root))
        findings.refuse()
    occasion = _occasion(tournament, findings, told, today_() if today is None else today)
    _refuse_doubles(root, findings)
    event = GoEvent(file, occasion, findings)
    _players(players, event, findings)
    games = list(_games(rounds, event, findings))
    side = go_told.first_point(told, findings) or _ask(games, event, findings)
    for game in games:
        event.game(game._replace(outcome=_outcome(game.outcome, side)))
    event.close()
    return Reading(event.sheet, findings.listed(), NAME, occasion)


def _occasion(tournament: Element, findings: Findings, told: Told, today: int) -> Occasion:
    place = place_of(tournament)
    name = clean(_text(tournament, "Name"))
    if len(name) > TEXT_LIMIT:
        message = f"The event's name has {len(name)} characters; {TEXT_LIMIT} are the limit."
        findings.add("cell-too-long", FATAL, message, "Shorten it.", *place)
    if not name:
        findings.add("event-name-missing", WARNING, "The tournament has no name.", "Give it a name.", *place)
    first, last = go_told.days(told, 0, 0, findings, today)
    if not told.keys() & set(go_told.DAYS):
        message = "This format tells no days."
        remedy = "Give the event's last day: last-day=2026-05-30; first-day too, if it is another."
        findings.add("date-missing", FATAL, message, remedy, *place)
    event_class = go_told.event_class(told, findings)
    if not event_class:
        message = "This format tells neither class nor time settings."
        findings.add("event-class-missing", WARNING, message, "Choose the class: class=A.", *place)
    return Occasion(name[:TEXT_LIMIT] or UNNAMED, event_class, first, last)


def _refuse_doubles(root: Element, findings: Findings) -> None:
    """Refuse a player, pairing or round that says something twice: nobody knows which one holds."""
    for element in root.iter():
        if element.tag in (
            "Player",
            "IndividualParticipant",
            "GoPlayer",
            "Pairing",
            "Round",
            "TournamentRound",
        ):
            counts = Counter(str(child.tag) for child in element)
            for tag in counts.keys() - {"NotPlayingInRound", "Pairing"}:
                if counts[tag] > 1:
                    message = f"<{tag[:40]}> stands twice in one <{element.tag}>."
                    findings.add(
                        "schema-unknown", FATAL, message, "Save it anew with MacMahon.", *place_of(element)
                    )


def _text(element: Element, name: str) -> str:
    """The text of a child, "" where there is none."""
    return (element.findtext(name) or "").strip()


def _players(elements: list[Element], event: GoEvent, findings: Findings) -> None:
    present, wrong = [], False
    for element in elements:
        key, person = _text(element, "Id"), element.find("GoPlayer")
        if person is None or not re.match(r"[0-9]{1,9}\Z", key) or key in event.players:
            message = f"The player's Id '{key[:20]}' stands twice or is no number."
            remedy = "Save it anew with MacMahon."
            findings.add("player-duplicate-number", FATAL, message, remedy, *place_of(element))
            wrong = True
            continue
        event.declare(key, _player(person, findings))
        if _text(element, "PreliminaryRegistration") != "true":
            present.append(key)
    if not event.players:
        findings.add("player-none", FATAL, "There are no players.", "Check the export.")
    if wrong or not event.players:
        findings.refuse()
    for key in present:
        event.join(key)


def _player(person: Element, findings: Findings) -> GoPlayer:
    place, rating = place_of(person), _text(person, "Rating")
    country = clean(_text(person, "Country")).upper()
    return GoPlayer(
        _text(person, "Surname"), _text(person, "FirstName"), _text(person, "GoLevel"),
        float(rating) if re.match(r"-?[0-9]{1,4}\Z", rating) and int(rating) else None,
        read_id("egd", _text(person, "EgdPin"), findings, *place),
        "UK" if country == "GB" else country[:40], clean(_text(person, "Club"))[:TEXT_LIMIT], place,
    )  # fmt: skip


# --- games ------------------------------------------------------------------------------------------


def _games(rounds: list[Element], event: GoEvent, findings: Findings) -> Iterator[GoGame]:
    """The games, their outcome being a score; byes are taken at once."""
    for number, round_ in enumerate(rounds, 1):
        told = _text(round_, "RoundNumber")
        at = int(told) if re.match(r"[0-9]{1,3}\Z", told) else number
        for pairing in round_.iter("Pairing"):
            place = place_of(pairing)
            white, black = _text(pairing, "White"), _text(pairing, "Black")
            if _text(pairing, "PairingWithBye") == "true":
                event.bye(at, black if white in ("", "0") else white, place)
                continue
            score = _text(pairing, "Result").replace(" ", "")
            if score.removesuffix("!") not in _SCORES:
                message = f"'{score[:40]}' is no result."
                findings.add("result-code-unknown", FATAL, message, "Enter the result again.", *place)
                continue
            forfeit = score.endswith("!") or _text(pairing, "ResultByReferee") == "true"
            board = _text(pairing, "BoardNumber")
            yield GoGame(
                at, int(board) if re.match(r"[0-9]{1,5}\Z", board) else 0, white, black,
                _SCORES[score.removesuffix("!")], _text(pairing, "Handicap") or "0", forfeit, place=place,
            )  # fmt: skip


def _ask(games: list[GoGame], event: GoEvent, findings: Findings) -> str:
    """Refuse until somebody says whose point stands first, showing one game; no need where nobody won."""
    shown = next((game for game in games if game.outcome in ("first", "second")), None)
    if shown is not None:
        names = [event.players[key] for key in (shown.black, shown.white) if key in event.players]
        black, white = (
            [clean(f"{one.name} {one.first_name}") for one in names] if len(names) == 2 else ("?", "?")
        )
        score = "1-0" if shown.outcome == "first" else "0-1"
        message = (
            f"Round {shown.round}: Black {black}, White {white}, Result {score}. Whose point stands first?"
        )
        remedy = f"Say {FIRST_POINT}=black or {FIRST_POINT}=white, whichever makes this game right."
        findings.add("result-side-unknown", FATAL, message, remedy, *shown.place)
    return "white"


def _outcome(score: str, first: str) -> str:
    if score not in ("first", "second"):
        return score
    return first if score == "first" else {"white": go_event.BLACK, "black": go_event.WHITE}[first]


__all__ = ["FORMATS", "NAME", "TOLD", "read", "sniff"]
