"""Rated or not: what the tags and the end of the moves make of one game of a PGN file."""

from __future__ import annotations

import re
from typing import NamedTuple

from arpad.domain.problems import HELD, NOTE
from arpad.domain.results import FORFEIT, GAME, PENDING, Result

_RESULTS = {
    "1-0": (2, 0), "0-1": (0, 2), "1/2-1/2": (1, 1), "1/2": (1, 1), "½-½": (1, 1), "0-0": (0, 0),
}  # fmt: skip
_OPEN = ("*", "?", "", "-")
_CASUAL = re.compile(r"\b(casual|unrated)\b", re.IGNORECASE)
_INITIAL = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
_LEFT = {"abandoned": "the game was abandoned", "rules infraction": "decided for breaking the rules"}
_OTHERS = ("adjudication", "death", "emergency")  # decided by others
RATED, UNRATED = "rated", "unrated"  # answers for those


class Said(NamedTuple):
    """What the file says of one game's end; texts without blanks at their ends, "" where a tag is missing."""

    result: str
    mark: str
    plies: int  # moves of both sides; 2 and more are a game
    termination: str = ""
    event: str = ""
    titles: tuple[str, str] = ("", "")
    variant: str = ""
    fen: str = ""
    setup: str = ""


class Remark(NamedTuple):
    code: str
    severity: str
    message: str
    remedy: str


class Verdict(NamedTuple):
    """`result` None: held. `played`: the result if nobody's moves stand in the file, else None."""

    result: Result | None
    remarks: tuple[Remark, ...] = ()
    played: Result | None = None


def judge(said: Said, decided: str = "") -> Verdict:
    """The outcome of a game between two players. `decided`: what was told of games decided by others."""
    points, remarks = _points(said)
    if points is None:
        if remarks and remarks[0].severity == HELD:
            return Verdict(None, remarks)
        return Verdict(Result(PENDING), (_unrated("it has no result yet"),))
    termination = said.termination.casefold()
    if termination == "unterminated":
        return Verdict(Result(PENDING), (*remarks, _unrated("it was not finished")))
    if points == (0, 0):
        return Verdict(Result(FORFEIT), (*remarks, _unrated("neither side has a point")))
    why = _why_not_rated(said, termination)
    if termination in _OTHERS and not why:
        if decided == UNRATED:
            why = f"it was decided by {termination}"
        elif termination != "adjudication" and decided != RATED:
            message = (
                f"The game was decided by {termination}; whether it counts is for the rating officer to say."
            )
            remark = Remark("pgn-decided-by-others", HELD, message, "Tell decided=rated or decided=unrated.")
            return Verdict(None, (*remarks, remark))
    result = Result(GAME, *points, unrated=bool(why))
    if said.plies < 2:
        left = result._replace(unrated=True) if points == (1, 1) else Result(FORFEIT, *points)
        what = "only one side has moved" if said.plies else "it has no moves"
        return Verdict(left, (*remarks, _unrated(what)), result)
    return Verdict(result, (*remarks, _unrated(why)) if why else remarks)


def halves_of(said: Said) -> tuple[int, int]:
    """Points in halves, for byes; nobody's where there is no result."""
    return _points(said)[0] or (0, 0)


def is_casual(event: str) -> bool:
    """Whether the name of an event says that its games are not rated."""
    return _CASUAL.search(event) is not None


def _points(said: Said) -> tuple[tuple[int, int] | None, tuple[Remark, ...]]:
    """By the tag; by the mark where the tag says nothing. None: no result, or (held) none that can be."""
    mark = _RESULTS.get(said.mark)
    if said.result in _OPEN:
        if mark is None:
            return None, ()
        tag = f"Result is '{said.result}'" if said.result else "There is no Result"
        return mark, (_one_place(f"{tag}; the moves end with {said.mark}, which is used."),)
    points = _RESULTS.get(said.result)
    if points is None:
        message = f"'{said.result[:40]}' is no result."
        remedy = "Write 1-0, 0-1, 1/2-1/2 or *."
        return None, (Remark("result-unreadable", HELD, message, remedy),)
    if mark is not None and mark != points:
        message = f"Result says {said.result}; the moves end with {said.mark}."
        return None, (Remark("pgn-result-differs", HELD, message, "Correct one of the two."),)
    if said.mark == "*" or (not said.mark and said.plies):
        how = f"with {said.mark}" if said.mark else "without a result"
        return points, (_one_place(f"The moves end {how}; Result says {said.result}, which is used."),)
    return points, ()


def _one_place(message: str) -> Remark:
    return Remark("pgn-result-once", NOTE, message, "")


def _unrated(why: str) -> Remark:
    return Remark("pgn-not-rated", NOTE, f"Not rated: {why}.", "")


def _why_not_rated(said: Said, termination: str) -> str:
    if termination in _LEFT:
        return _LEFT[termination]
    if "BOT" in said.titles:
        return "one side is a program"
    if is_casual(said.event):
        return f"the event is '{said.event[:60]}'"
    if said.variant.casefold() not in ("", "?", "standard"):
        return f"the variant is {said.variant[:40]}"
    if said.fen and said.setup != "0" and said.fen.split()[0] != _INITIAL:
        return "it began from a position that was set up"
    return ""
