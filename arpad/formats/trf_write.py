"""Writes a FIDE tournament report line by line: UTF-8 without byte-order mark, CRLF, columns by character."""

from __future__ import annotations

from collections import defaultdict

from arpad.domain.problems import FATAL, Problem, Refused
from arpad.formats.trf_table import NAME_FIELD, NOTHING, NUMBERS, Cell, Entry, Tournament

_WIDTHS = {"sex": 1, "title": 3, "name": NAME_FIELD, "rating": 4, "federation": 3, "id": 11, "birth": 10,
           "points": 4, "rank": 4}  # fmt: skip
EMPTY = " " * 8


def write(tournament: Tournament) -> bytes:
    """The report as it stands in the values: nothing is added, moved or made up.

    Raises Refused (`trf-field-too-long`) where a text does not fit its columns.
    """
    records: dict[int, list[str]] = defaultdict(list)
    for record in tournament.records:
        records[min(record.before, len(tournament.entries))].append(record.text)
    lines: list[str] = []
    rounds = tournament.rounds
    for index, entry in enumerate(tournament.entries):
        lines += records[index]
        lines.append(_line(entry, rounds))
    lines += records[len(tournament.entries)]
    return "".join(f"{line}\r\n" for line in lines).encode("utf-8")


def _line(entry: Entry, rounds: int) -> str:
    for field, width in _WIDTHS.items():
        if len(getattr(entry, field)) > width or not 0 < entry.number <= NUMBERS:
            message = f"'{getattr(entry, field)}' of player {entry.number} does not fit its {width} columns."
            raise Refused(Problem("trf-field-too-long", FATAL, message, "Shorten it."))
    cells = (*entry.cells, *(NOTHING,) * (rounds - len(entry.cells)))
    return (
        f"001 {entry.number:>4} {entry.sex:1}{entry.title:>3} {entry.name:<33} {entry.rating:>4} "
        f"{entry.federation:>3} {entry.id:>11} {entry.birth:<10} {entry.points:>4} {entry.rank:>4}"
    ) + "".join(f"  {_cell(cell)}" for cell in cells)


def _cell(cell: Cell) -> str:
    if cell == NOTHING:
        return EMPTY
    number = f"{cell.opponent:>4}" if cell.opponent else "0000"
    return f"{number} {cell.colour:1} {cell.code:1}"


__all__ = ["write"]
