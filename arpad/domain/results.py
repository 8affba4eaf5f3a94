"""Results as the flat file spells them (design, section 6)."""

from __future__ import annotations

import re
from typing import NamedTuple

GAME = "game"  # 1-0, 1/2-1/2, 0-1
SETS = "sets"  # 3-1, 0-2
FORFEIT = "forfeit"  # +-- --+ ---
BYE = "bye"  # no opponent
PENDING = "pending"  # paired, no result
VOID = "void"  # annulled


class Result(NamedTuple):
    """One result. `first` and `second` are halves of a game (2, 1, 0) or sets won."""

    kind: str
    first: int = 0
    second: int = 0
    retired: int = 0  # 0, or 1 / 2: the player who retired
    unrated: bool = False  # stands in the standings, is not for rating
    best_of: int = 0  # the event's length of match where it is given; 0: not known

    def __str__(self) -> str:
        return write_result(self)


_SCORES = {"1-0": (2, 0), "0-1": (0, 2), "1/2-1/2": (1, 1), "½-½": (1, 1)}
_FORFEITS = {"+--": (2, 0), "--+": (0, 2), "---": (0, 0)}
_BYES = {"full": 2, "half": 1, "zero": 0, "pairing": 2}
_SETS = re.compile(r"(\d{1,2})-(\d{1,2})\Z")


def read_result(text: str, best_of: int = 0) -> Result | None:
    """The result spelt by `text`, or None where no result is spelt so.

    >>> read_result("3-1")
    Result(kind='sets', first=3, second=1, retired=0, unrated=False, best_of=0)
    >>> read_result("1-1 ret1", best_of=5).retired
    1
    """
    words = text.split()
    if not words or len(words) > 2:
        return None
    head, tail = words[0], words[1] if len(words) == 2 else ""
    if tail not in ("", "ret1", "ret2", "unrated"):
        return None
    retired = int(tail[3]) if tail.startswith("ret") else 0
    unrated = tail == "unrated"
    if head in _FORFEITS and not tail:
        return Result(FORFEIT, *_FORFEITS[head], best_of=best_of)
    if head in _BYES and not tail:
        return Result(BYE, _BYES[head])
    if head in ("pending", "void") and not tail:
        return Result(head)
    if head in _SCORES and not retired and best_of <= 1:
        return Result(GAME, *_SCORES[head], unrated=unrated)
    match = _SETS.match(head)
    if match is None:
        return None
    return Result(SETS, int(match[1]), int(match[2]), retired, unrated, best_of)


def write_result(result: Result) -> str:
    """The flat file's spelling; read_result(write_result(r), r.best_of) == r."""
    if result.kind == FORFEIT:
        return {(2, 0): "+--", (0, 2): "--+"}.get((result.first, result.second), "---")
    if result.kind == BYE:
        return {2: "full", 1: "half"}.get(result.first, "zero")
    if result.kind in (PENDING, VOID):
        return result.kind
    if result.kind == GAME:
        text = {(2, 0): "1-0", (0, 2): "0-1"}.get((result.first, result.second), "1/2-1/2")
    else:
        text = f"{result.first}-{result.second}"
    if result.retired:
        return f"{text} ret{result.retired}"
    return f"{text} unrated" if result.unrated else text


def mirrored(result: Result) -> Result:
    """The same result with the players swapped."""
    retired = 3 - result.retired if result.retired else 0
    return result._replace(first=result.second, second=result.first, retired=retired)
