"""Records of a FIDE tournament report beside players and event: teams, line-ups, byes asked for, points.

They are kept line by line, as they stand. Here is what they mean, as far as players' games need it, and
whether they have their shape; one that has not is told and stops nothing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from arpad.domain.problems import WARNING
from arpad.formats.reading import Findings, clean
from arpad.formats.trf_pairs import Bye
from arpad.formats.trf_rows import Rows
from arpad.formats.trf_table import FORFEITS, NOTHING, Record, Tournament

_COUNT, _POINTS, _ANY = r" *[0-9]* *", r" *(-?[0-9]+([.,][0-9]+)?)? *", r".*"
_WHOLE = r" *[0-9]+ *"
# Fields of a record (first and last column, shape), and where a list of start numbers begins (0: none).
Layout = tuple[tuple[tuple[int, int, str], ...], int]
_LAYOUTS: dict[str, tuple[Layout, ...]] = {
    "013": ((((5, 36, _ANY),), 37),),
    "310": ((((5, 7, _WHOLE), (9, 40, _ANY), (42, 46, _ANY), (48, 53, _POINTS), (55, 60, _POINTS),
              (62, 67, _POINTS), (69, 71, _COUNT)), 74),),
    "300": ((((5, 7, _WHOLE), (9, 11, _WHOLE), (13, 15, _COUNT)), 17),),
    "330": ((((5, 6, r"[+-][+-]"), (8, 10, _WHOLE), (12, 14, _COUNT), (16, 18, _COUNT)), 0),),
    "240": ((((5, 5, "[FHZfhz]"), (7, 9, _WHOLE)), 11),),
    "250": ((((5, 8, _POINTS), (10, 13, _POINTS), (15, 17, _COUNT), (19, 21, _COUNT), (23, 26, _COUNT),
              (28, 31, _COUNT)), 0),),
    "260": ((((5, 7, _COUNT), (9, 11, _COUNT)), 13),),
    "299": (
        (((5, 5, "[-WDLFHZ+ ]"), (8, 11, _POINTS), (14, 17, _POINTS), (20, 22, _COUNT)), 24),
        (((5, 5, "[-WDLFHZ+ ]"), (7, 10, _POINTS), (12, 15, _POINTS), (17, 19, _COUNT)), 21),
    ),
    "142": ((((5, 14, _WHOLE),), 0),),
    "XXR": ((((5, 14, _WHOLE),), 0),),
    "152": ((((5, 5, "[WBwb]"),), 0),),
}  # fmt: skip
_PAIRED_POINTS = re.compile(r"\s*([A-Z] *[0-9]+([.,][0-9]+)? *)+\Z")
_LIST = 5  # columns from one start number to the next
_HALVES = {"F": 2, "H": 1, "Z": 0}


class Team(NamedTuple):
    """A team of 310 or 013; number 0 where the record has none."""

    number: int
    name: str
    members: tuple[int, ...]


def report_shapes(rows: Rows, findings: Findings) -> None:
    """Tell records that have not their shape."""
    for record in rows.tournament.records:
        if not _fits(record):
            message = (
                f"The record {record.code} is malformed; it is kept as it stands: {clean(record.text)[:60]}"
            )
            findings.add("trf-record-shape", WARNING, message, "Compare its columns.", record.line)


def _fits(record: Record) -> bool:
    text = record.text.replace("\t", " ")
    if record.code == "162":
        return _PAIRED_POINTS.match(text[4:]) is not None
    layouts = _LAYOUTS.get(record.code)
    if layouts is None:
        return True
    return any(_has(text, fields, at) for fields, at in layouts)


def _has(text: str, fields: Sequence[tuple[int, int, str]], numbers_from: int) -> bool:
    """Whether a line has its fields between blanks, and start numbers behind them."""
    end = numbers_from - 1 if numbers_from else max(len(text), fields[-1][1])
    text = text.ljust(end)
    behind = 3
    for first, last, shape in fields:
        if text[behind : first - 1].strip() or not re.fullmatch(shape, text[first - 1 : last]):
            return False
        behind = last
    return not text[behind:end].strip() and (not numbers_from or _numbers(text, numbers_from) is not None)


def _numbers(text: str, first: int) -> list[int] | None:
    """Start numbers in four columns each from `first` on; 0 where blank; None where one is no number."""
    found = []
    for at in range(first - 1, len(text), _LIST):
        piece = text[at : at + _LIST]
        if piece[4:].strip() or not re.match(r" *[0-9]{0,4} *\Z", piece[:4]):
            return None
        found.append(int(piece[:4].strip() or 0))
    return found


def teams(tournament: Tournament) -> list[Team]:
    """The teams of 310, or of 013 where there is none."""
    found = []
    for record in tournament.all("310") or tournament.all("013"):
        text = record.text.replace("\t", " ")
        if _fits(record):
            new = record.code == "310"
            name = clean(text[8:40] if new else text[4:36])
            members = _numbers(text, 74 if new else 37) or []
            found.append(Team(int(text[4:7]) if new else 0, name, tuple(filter(None, members))))
    return found


def boards(tournament: Tournament) -> dict[tuple[int, int], int]:
    """The board of (round, start number), by the line-ups of 300."""
    found: dict[tuple[int, int], int] = {}
    for record in tournament.all("300"):
        if _fits(record):
            numbers = _numbers(record.text.replace("\t", " "), 17) or []
            for board, number in enumerate(numbers, 1):
                if number:
                    found.setdefault((int(record.text[4:7]), number), board)
    return found


def asked_byes(rows: Rows, busy: Collection[tuple[int, int]], findings: Findings) -> Iterator[Bye]:
    """Byes of 240 in rounds of which the player's line says nothing; one that contradicts it is told.

    busy  start numbers and rounds in which a game or bye was found
    """
    tournament = rows.tournament
    entries = {entry.number: entry for entry in tournament.entries}
    members = {team.number: team.members for team in teams(tournament) if team.number}
    taken = set(busy)
    for record in tournament.all("240"):
        if not _fits(record):
            continue
        text = record.text.replace("\t", " ")
        round_, halves = int(text[6:9]), _HALVES[text[4].upper()]
        for named in filter(None, _numbers(text, 11) or []):
            for number in members.get(named, (named,) if not members else ()):
                entry = entries.get(number)
                if entry is None:
                    continue
                cell = entry.cells[round_ - 1] if 0 < round_ <= len(entry.cells) else NOTHING
                if cell == NOTHING and (number, round_) not in taken:
                    taken.add((number, round_))
                    yield Bye(round_, number, halves, record.line)
                elif cell.opponent and cell.code not in tuple(FORFEITS):
                    message = f"A bye in round {round_} for number {number}, whose line has a game there."
                    findings.add("trf-record-shape", WARNING, message, "Check the bye.", record.line, 5)


__all__ = ["Team", "asked_byes", "boards", "report_shapes", "teams"]
