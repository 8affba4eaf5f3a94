"""FIDE's rating lists as text: where each column stands, by the header alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from arpad.domain.dates import NO_DAY, read_day
from arpad.domain.problems import FATAL
from arpad.formats.reading import Findings

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WORD = re.compile(r"ID number|\S+", re.IGNORECASE)
_MONTH = re.compile(rf"({'|'.join(MONTHS)})([0-9]{{2}})\Z", re.IGNORECASE)
# Words of the lists of 2011 and before that stand without a blank between them.
_GLUED = {"titlfed": ("titl", "fed"), "gamesborn": ("games", "born")}
# Named as the elements of the XML list are.
_NAMES = {
    "id number": "fideid", "name": "name", "fed": "country", "sex": "sex", "tit": "title", "titl": "title",
    "wtit": "w_title", "otit": "o_title", "foa": "foa_title", "b-day": "birthday", "born": "birthday",
    "flag": "flag", "srtng": "rating", "sgm": "games", "sk": "k", "gms": "games", "games": "games", "k": "k",
    "rrtng": "rapid_rating", "rgm": "rapid_games", "rk": "rapid_k",
    "brtng": "blitz_rating", "bgm": "blitz_games", "bk": "blitz_k",
}  # fmt: skip
_NEEDED = ("fideid", "name", "country", "rating")


class Columns(NamedTuple):
    """Where each field stands in a row, and the day that the header tells."""

    at: dict[str, slice]
    date: int = NO_DAY


def first_of_month(text: str) -> int:
    """The first day of a month such as JAN26; NO_DAY where the text is none.

    >>> from arpad.domain.dates import day_text
    >>> day_text(first_of_month("JAN23")), first_of_month("Gms")
    ('2023-01-01', 0)
    """
    match = _MONTH.match(text)
    if not match:
        return NO_DAY
    year = int(match[2])
    month = MONTHS.index(match[1].lower()) + 1
    return read_day(f"{1900 + year if year >= 70 else 2000 + year}-{month:02d}-01") or NO_DAY


def columns_of(header: str, findings: Findings, line: int) -> Columns:
    """The columns of a list: each begins where its word begins and ends before the next one.

    Raises Refused (`list-header-unknown`) at the first word that is not known.
    """
    found: list[tuple[str, int]] = []
    date = NO_DAY
    for word, at in _words(header):
        month = first_of_month(word)
        name = "rating" if month else _NAMES.get(word.lower(), "")
        if not name or name in dict(found):
            message = f"The header has a column '{word[:40]}' that is not known, or stands twice."
            _unknown(message, findings, line, at + 1)
            break
        date = month or date
        found.append((name, at))
    missing = [name for name in _NEEDED if name not in dict(found)]
    if missing and not any(name.endswith("_rating") for name, _ in found):
        _unknown(f"The header has no column for {' and '.join(missing)}.", findings, line, 1)
    findings.refuse_where(FATAL)
    ends = [at for _, at in found[1:]] + [10_000]
    columns = {name: slice(start, end) for (name, start), end in zip(found, ends, strict=True)}
    return Columns(columns, date)


def _words(header: str) -> Iterator[tuple[str, int]]:
    for match in _WORD.finditer(header):
        at = match.start()
        for part in _GLUED.get(match[0].lower(), (match[0],)):
            yield part, at
            at += len(part)


def _unknown(message: str, findings: Findings, line: int, column: int) -> None:
    findings.add("list-header-unknown", FATAL, message, "Send us the header.", line, column)
