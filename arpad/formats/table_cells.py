"""Results as clubs write them: scores, words, forfeits, and points of single sets with or without signs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from arpad.domain.results import FORFEIT, GAME, PENDING, SETS, VOID, Result
from arpad.formats.cells import Bad
from arpad.formats.table_dates import is_dated, looks_dated, order_of
from arpad.formats.table_map import LETTERS

MOST_SETS = 5  # won by one side: best of nine
TARGET = 11  # points of a set
PLAYED, RETIRED, WALKOVER, DISQUALIFIED = "played", "retired", "walkover", "disqualified"
RETYPE = "Write 1-0, 0-1, 1/2-1/2, sets as 3-1, or leave the cell empty."
_DRAWS = {
    "=", "=-=", "remise", "rem", "gelijk", "gelijkspel", "draw", "drawn", "nulle", "nul", "unentschieden",
    "remis", "x-x",
}  # fmt: skip
_PENDING = {"", "-", "?", "*", "adj", "afg", "afg.", "reporte", "reporté", "verlegt", "hangpartij", "pending"}
_VOID = {"vervallen", "geannuleerd", "annule", "annulé", "gestrichen", "annulliert", "void"}
_MARKS = {
    WALKOVER: r"ff|wo|w\.o\.?|w/o|forfait|nop|niet opgekomen|afwezig(?:heid)?|absent|abs|kampflos|kl|n\.a\.?"
    r"|nicht angetreten|walkover|def",
    RETIRED: r"ret(?:ired)?|opg(?:ave|egeven)?|ab|abandon|abd|aufg(?:abe|egeben)?",
    DISQUALIFIED: r"dsq|disq(?:ualified)?",
}
_NUMBER = r"(?:[0-9]{1,3}(?:\.[0-9]+)?|\.[0-9]+)"
_SCORE = re.compile(rf"(-?{_NUMBER})\s*[-:/]\s*(-?{_NUMBER})\Z")
_BYES = {
    "bye", "vrij", "vrijgeloot", "oneven", "exempt", "exempté", "exempte", "spielfrei", "freilos", "n.n.",
    "nn", "---", "-",
}  # fmt: skip


class Score(NamedTuple):
    """What a cell says: the numbers of both sides where it gives any, and what happened."""

    numbers: tuple[float, float] | None = None
    what: str = PLAYED


def read_score(text: str, style: str = "", letters: str = "") -> Score | Result | Bad:
    """A cell of results; a Result where nothing else can change it."""
    text = _plain(text)
    if text in _PENDING:
        return Result(PENDING)
    if text in _VOID:
        return Result(VOID)
    signs = re.sub(r"\s", "", text).replace(":", "-").replace("/", "-")
    if signs in ("+--", "+-", "1-0r", "1f-0f", "1-f", "1-0f"):
        return Result(FORFEIT, 2, 0)
    if signs in ("--+", "-+", "0-1r", "0f-1f", "f-1", "0f-1"):
        return Result(FORFEIT, 0, 2)
    if signs in ("---", "--", "0f-0f"):
        return Result(FORFEIT, 0, 0)
    if text in _DRAWS or signs == "=-=":
        return Score((0.5, 0.5))
    for what, words in _MARKS.items():
        match = re.fullmatch(rf"(?P<score>.*?)\s*\(?\b(?:{words})\.?\)?", text) or re.fullmatch(
            rf"\(?(?:{words})\b\.?\)?\s*(?P<score>.*)", text
        )
        if match:
            inner = _numbers(match["score"], style) if match["score"] else None
            if not match["score"] or inner is not None:
                return Score(inner, what)
    numbers = _numbers(text, style)
    if numbers is not None:
        return Score(numbers)
    if letters and len(text) == 1 and text in LETTERS[letters]:
        points = (1.0, 0.5, 0.0)[LETTERS[letters].index(text)]
        return Score((points, 1.0 - points))
    return Bad("result-unreadable", f"'{text[:40]}' is no result that is known.", RETYPE)


def result_of(numbers: tuple[float, float], style: str) -> Result | Bad:
    """The result that two numbers are: a game, or sets."""
    first, second = numbers
    told = f"{first:g} - {second:g}"
    if min(numbers) < 0 or max(numbers) >= 99 or max(numbers) == 0:
        message = f"{told} is no score: perhaps the author's own mark for a game that was not played."
        return Bad("result-unreadable", message, "Write +-- or --+ for a forfeit, or take the row out.")
    if style == "points2" and first + second == 2 and first in (0, 1, 2):
        return Result(GAME, int(first), int(second))
    if first + second == 1 and first in (0, 0.5, 1):
        return Result(GAME, int(2 * first), int(2 * second))
    if not (first.is_integer() and second.is_integer()):
        return Bad("result-unreadable", f"{told} is neither a game nor sets.", RETYPE)
    if first == second:
        return Bad("set-illegal", f"{told} ends no match.", "Correct the score, or add who retired.")
    if max(numbers) > MOST_SETS:
        message = f"{told} is no score of a match of at most {2 * MOST_SETS - 1} sets."
        return Bad("set-illegal", message, "Correct the score, or map the column of sets won.")
    return Result(SETS, int(first), int(second))


def is_score(text: str) -> bool:
    """Whether a text is two small numbers: a result, no list of sets."""
    numbers = _numbers(_plain(text), "")
    return numbers is not None and max(numbers) < TARGET - 1


def is_bye(name: str) -> bool:
    """Words for no opponent."""
    return name.strip().lower() in _BYES


def style_of(texts: Iterable[str]) -> str:
    """Whether a column of results tells games or sets: sets where any number is above one."""
    plain = {_plain(text) for text in texts}
    found = [numbers for text in plain if (numbers := _numbers(text, "sets")) is not None and text != "1/2"]
    return "sets" if any(max(numbers) > 1 for numbers in found) else "game"


def letters_of(texts: Iterable[str]) -> tuple[str, str]:
    """The language of a column of letters, "" where there are none; what is doubtful, in words."""
    seen = {_plain(text) for text in texts}
    seen = {text for text in seen if len(text) == 1 and text.isalpha() and text != "x"}
    fitting = [name for name, letters in LETTERS.items() if seen <= set(letters)]
    meanings = {tuple(LETTERS[name].index(letter) for letter in sorted(seen)) for name in fitting}
    if not seen or len(meanings) == 1:
        return (fitting[0] if seen else ""), ""
    shown = ", ".join(sorted(seen)).upper()
    if not fitting:
        return "", f"The letters {shown} in the column of results are not those of one language."
    return "", f"The letters {shown} in the column of results can mean won or lost."


def _plain(text: str) -> str:
    text = text.replace("\u00a0", " ").strip().lower()
    if text.isdecimal():
        return text
    text = re.sub("[–—−‐‑]", "-", text)
    text = re.sub(r"(?<=[0-9])½", ".5", text).replace("½", ".5")
    return re.sub(r"(?<![0-9]),(?=[0-9])|(?<=[0-9]),(?=[05]\b)", ".", text)


def _numbers(text: str, style: str) -> tuple[float, float] | None:
    text = text.strip()
    if re.fullmatch(r"1/2\s*[-:]\s*1/2", text) or (text == "1/2" and style != "sets"):
        return 0.5, 0.5
    if match := _SCORE.match(text):
        return float(match[1]), float(match[2])
    if style != "sets" and re.fullmatch(rf"{_NUMBER}", text) and float(text) in (0, 0.5, 1):
        return float(text), 1 - float(text)
    return None


# --- sets -------------------------------------------------------------------------------------------


class Sets(NamedTuple):
    """The sets of a match: 1 or 2 for who won each, 0 where the sign is lost; the total in brackets."""

    winners: tuple[int, ...] = ()
    total: tuple[int, int] | None = None


def read_sets(texts: Sequence[str]) -> Sets | Bad:
    """The sets of one cell a set, or of one list. Raises nothing; Bad where one cannot be."""
    joined = " , ".join(text for text in map(_dashed, texts) if text)
    total = None
    if bracket := re.search(r"\(\s*([0-9])\s*[-:/]\s*([0-9])\s*\)\s*$", joined):
        total = int(bracket[1]), int(bracket[2])
        joined = joined[: bracket.start()]
    joined = re.sub(r"([0-9])\s*[:/]\s*([0-9])", r"\1:\2", joined)
    joined = re.sub(r"([0-9]) ?- ([0-9])|([0-9])-([0-9])", r"\1\3:\2\4", joined)
    winners = []
    for token in filter(None, re.split(r"[\s,;|]+", joined)):
        won = _set(token)
        if isinstance(won, Bad):
            return won
        winners.append(won)
    return Sets(tuple(winners), total)


def is_set_list(text: str) -> bool:
    """Whether a text is a list of set points."""
    sets = read_sets([text])
    return isinstance(sets, Sets) and len(sets.winners) > 1


def _dashed(text: str) -> str:
    return re.sub("[–—−‐‑]", "-", text.replace("\u00a0", " ")).strip()


def _set(token: str) -> int | Bad:
    """Who won a set, 0 where that is not told."""
    remedy = "Write both points (11-7), or the loser's with a sign (7, -8)."
    if match := re.fullmatch(r"([0-9]{1,2}):([0-9]{1,2})", token):
        first, second = int(match[1]), int(match[2])
        high, low = max(first, second), min(first, second)
        if high < TARGET or high - low < 2 or (high > TARGET and high - low != 2):
            return Bad("set-illegal", f"{first}-{second} is no score of a set to {TARGET}.", remedy)
        return 1 if first > second else 2
    if not (match := re.fullmatch(r"([+-]?)([0-9]{1,2})", token)):
        return Bad("set-illegal", f"'{token[:20]}' is no score of a set.", remedy)
    if match[1] == "-":
        return 2
    return 1 if int(match[2]) or match[1] == "+" else 0


def settle_sets(sets: Sets, score: tuple[float, float] | None) -> tuple[tuple[int, int], int] | Bad:
    """Sets won by each side, checked against the score, and how many had lost their sign."""
    total = score if score is not None else sets.total
    won, lost, unknown = (sets.winners.count(side) for side in (1, 2, 0))
    if sets.total is not None and score is not None and score != sets.total:
        shown = f"{sets.total[0]}-{sets.total[1]}"
        return Bad("set-count-differs", f"The total {shown} is not the score.", "Correct one of them.")
    if unknown:
        missing = int(total[0]) - won if total is not None else -1
        if missing not in (0, unknown) or total is None or sum(total) != len(sets.winners):
            message = "A set with 0 does not say who won it."
            return Bad("set-sign-lost", message, "Write -0 or +0, in a column of text.")
        won, lost = won + missing, lost + unknown - missing
    if total is not None and (won, lost) != total:
        message = f"The sets are {won}-{lost}, the score is {total[0]:g}-{total[1]:g}."
        return Bad("set-count-differs", message, "Correct one of them.")
    if won == lost or (sets.winners[-1] and (sets.winners[-1] == 1) != (won > lost)):
        message = f"The sets are {won}-{lost}, and the last one does not decide."
        return Bad("set-illegal", message, "Correct the sets, or add who retired.")
    return (won, lost), unknown


__all__ = [
    "Score", "Sets", "is_bye", "is_dated", "is_score", "is_set_list", "letters_of", "looks_dated", "order_of",
    "read_score", "read_sets", "result_of", "settle_sets", "style_of",
]  # fmt: skip
