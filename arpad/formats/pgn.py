"""PGN: games of chess programs and servers. Tags and the end of the moves are read, no move is checked.

docs/reference/formats/pgn.md describes it. Files of any size are read as they come; of a game nothing stays
but its row. Choices: persons are known by their names as written, and by their FIDE ids where one name has
two; the rating in the earliest game of the file is the first rating; an event is its name and EventDate.
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from typing import BinaryIO, NoReturn

from arpad.domain.problems import FATAL, WARNING
from arpad.formats.pgn_scan import Scanner
from arpad.formats.pgn_stream import Blocks, ahead
from arpad.formats.pgn_take import DECIDED, LAST_DAY, PART, RATINGS, Games
from arpad.formats.reading import Findings, Reading
from arpad.formats.reading import today as today_

NAME = "PGN"
FORMATS = (NAME,)
LIMITS = {NAME: 2**28}  # bytes of an upload, unpacked; a file is read as it comes
TOLD = (LAST_DAY, RATINGS, DECIDED, PART)
FAST_FROM = 2**18  # bytes of a block from which it is looked at as a whole
_TAG = re.compile(r'[ \t]*\[[ \t]*(Event|Site|Date|Round|White|Black|Result)[ \t]+"', re.IGNORECASE)
_NOTHING: Mapping[str, str] = {}


def sniff(head: str, file: str = "") -> list[str]:
    """A tag of those that every game has, at the beginning of a line."""
    return [NAME] if any(_TAG.match(line) for line in head.split("\n")) else []


def read(
    data: bytes,
    file: str = "",
    *,
    kind: str = NAME,
    today: int | None = None,
    told: Mapping[str, str] = _NOTHING,
) -> Reading:
    """Read games. Raises Refused where nothing can be taken.

    told  last-day: of games without a date; ratings: file or none, whether ratings in the file are first
          ratings; decided: rated or unrated, games decided by adjudication, death or emergency; part:
          accept, take the games before the place where the file is cut
    """
    return read_stream(io.BytesIO(data), file, kind=kind, today=today, told=told)


def read_stream(
    stream: BinaryIO,
    file: str = "",
    *,
    kind: str = NAME,
    today: int | None = None,
    told: Mapping[str, str] = _NOTHING,
    fast_from: int | None = None,
) -> Reading:
    """Read games from a stream of unpacked bytes, block by block; see read()."""
    findings = Findings(file)
    games = Games(file, findings, today_() if today is None else today, told)
    scanner = Scanner(findings, games.take)
    blocks = Blocks(stream, findings)
    fast_from = FAST_FROM if fast_from is None else fast_from
    line = 1
    for block in blocks if isinstance(stream, io.BytesIO) else ahead(blocks):
        if b"\x00" in block:
            _refuse_nul(block, line, findings)
        if len(block) < fast_from:
            lines = block.split(b"\n")
            scanner.feed(lines if lines[-1] else lines[:-1], line)
            line += len(lines) - 1
        else:
            from arpad.formats.pgn_fast import read_block

            line += read_block(block, line, scanner, games)
    if blocks.cut:
        severity = WARNING if told.get(PART) == "accept" else FATAL
        message = f"The file is damaged, or ends in the middle, after {games.seen} games."
        remedy = f"Transfer it again, or take the games before with {PART}=accept."
        findings.add("file-truncated", severity, message, remedy)
        scanner.drop()
    scanner.end()
    return Reading(games.finish(), findings.listed(), NAME)


def _refuse_nul(block: bytes, line: int, findings: Findings) -> NoReturn:
    at = block.find(b"\x00")
    place = (line + block.count(b"\n", 0, at), at - block.rfind(b"\n", 0, at))
    message = "A byte is NUL, so the file is no text."
    findings.add("file-binary", FATAL, message, "Export the file again as text.", *place)
    findings.refuse()


__all__ = ["FORMATS", "NAME", "read", "read_stream", "sniff"]
