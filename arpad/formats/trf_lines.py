"""A player's line of a FIDE tournament report: cut into its fields, put right where its columns have moved.

Columns are counted in characters. A line fits where every field has its shape and stands between blanks;
where one does not, other readings are tried, each told by its code.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

from arpad.formats.reading import has_invisible
from arpad.formats.trf_table import GRID, NAME_FIELD, NAME_FROM, NAME_TO, NOTHING, ROUNDS, STEP, Cell

# Columns 1 to 91, from the start number on; what may stand in each field.
_START = r"(?P<code>...) (?P<number>[ 0-9]{4}) (?P<sex>.)(?P<title>...) (?P<name>.{33}) "
_STRICT = re.compile(
    _START + r"(?P<rating>[ 0-9]{4}) (?P<federation>[A-Za-z ]{3}) (?P<id>[A-Za-z0-9 ]{11}) "
    r"(?P<birth>[-0-9./ ]{10}) (?P<points> *[0-9]+[.,][0-9] *| {4}) (?P<rank>[ 0-9]{4})  \Z"
)
# The same columns, whatever stands in those that touch nobody's identity.
_LOOSE = re.compile(
    _START + r"(?P<rating>.{4}) (?P<federation>.{3}) (?P<id>.{11}) "
    r"(?P<birth>.{10}) (?P<points>.{4}) (?P<rank>.{4})  \Z"
)
_CELL = re.compile(r"( *[0-9]{0,4} *) ([wbsWBS -]) (.)\Z")
_NUMBER = re.compile(r"0*[1-9][0-9]*\Z")
_POINTS = re.compile(r"(?<= )[0-9]{1,2}[.,][0-9](?= |\Z)")
_BIRTH = re.compile(r"[0-9]{4}([-./][0-9]{2}[-./][0-9]{2})?\Z|[0-9]{2}[-./][0-9]{2}[-./][0-9]{4}\Z")
_SWALLOWED = re.compile(r"\S {2,}\S|[0-9]| [A-Z]{3}\Z")  # in a name: other fields
_BLANKS = re.compile(r"[^\S\t ]")  # no-break blanks and their kind
TAB = 8
BY_BYTE, SHIFTED, TABS, LOOSE = "trf-columns-by-byte", "trf-columns-shifted", "trf-tabs", "loose"


class Fields(NamedTuple):
    """A line cut up: fields by name, stripped; cells; how it was read ("": as it stands)."""

    text: dict[str, str]
    cells: tuple[Cell, ...]
    how: str = ""
    moved: int = 0  # columns by which the grid of rounds lies too far right
    ends: int = 0  # rounds up to the line's last character


def cut(line: str) -> Fields | None:
    """The fields of a player's line, or of a national one; None where it fits no reading."""
    line = _BLANKS.sub(" ", line).rstrip()
    found = None if "\t" in line else _fixed(line, _STRICT)
    if found is not None:
        return found
    for how, reading in _readings(line):
        found = reading()
        if found is not None:
            return found._replace(how=how)
    return None


def _readings(line: str) -> Iterator[tuple[str, Callable[[], Fields | None]]]:
    """The other readings of a line that does not fit as it stands, in the order in which they are tried."""
    if "\t" in line:
        yield TABS, lambda: _fixed(line.expandtabs(TAB), _STRICT)
        yield TABS, lambda: _fixed(line.replace("\t", " " * TAB), _STRICT)
        yield TABS, lambda: _by_shape(_one_gap(line))
        return
    if unicodedata.normalize("NFC", line) != line:  # padded by what is seen
        yield SHIFTED, lambda: _fixed(unicodedata.normalize("NFC", line), _STRICT)
    if has_invisible(line):
        yield SHIFTED, lambda: _fixed("".join(c for c in line if not has_invisible(c)), _STRICT)
    if not line.isascii():
        yield BY_BYTE, lambda: _by_byte(line)
    yield SHIFTED, lambda: _by_shape(line)
    yield LOOSE, lambda: _fixed(line, _LOOSE)


def _fixed(line: str, shape: re.Pattern[str]) -> Fields | None:
    """The line by its columns."""
    match = shape.match(line[:GRID].ljust(GRID))
    if match is None or not _NUMBER.match(match["number"].strip()):
        return None
    cells = cells_of(line[GRID:])
    if cells is None:
        return None
    text = {name: value.strip() for name, value in match.groupdict().items()}
    return Fields(text, cells, "", 0, -(-max(len(line) - GRID, 0) // STEP))


def _by_byte(line: str) -> Fields | None:
    """A line whose name was padded by the bytes of its UTF-8."""
    data = line.encode("utf-8")
    try:
        name, rest = data[NAME_FROM:NAME_TO].decode("utf-8"), data[NAME_TO:].decode("utf-8")
    except UnicodeDecodeError:
        return None
    if not data[:NAME_FROM].isascii():
        return None
    return _fixed(line[:NAME_FROM] + name.ljust(NAME_FIELD) + rest, _STRICT)


def _one_gap(line: str) -> str:
    """A line with tabs as gaps of any width; the first behind a name ends its field."""
    name, tab, rest = line[NAME_FROM:].partition("\t")
    if tab and len(name) <= NAME_FIELD:
        line = f"{line[:NAME_FROM]}{name:<{NAME_FIELD}} {rest}"
    return line.replace("\t", " ")


def _by_shape(line: str) -> Fields | None:
    """A line whose columns have moved behind the name: fields by their shapes, the grid behind the rank.

    Nothing is believed where what follows the name may have moved into it.
    """
    head = re.match(_START.removesuffix(" "), line)
    points = _POINTS.search(line, NAME_TO, GRID + 60)
    if head is None or points is None or not _NUMBER.match(head["number"].strip()):
        return None
    straddles = len(line[NAME_TO - 1 : NAME_TO + 1].replace(" ", "")) == 2
    if straddles or _SWALLOWED.search(head["name"].strip()):
        return None
    named = _named(line[NAME_TO : points.start()].split())
    if named is None:
        return None
    for rank, grid in _ranks(line, points.end()):
        cells = cells_of(line[grid:]) if not line[grid - 2 : grid].strip() else None
        if cells is not None:
            text = {name: value.strip() for name, value in head.groupdict().items()}
            text |= named | {"points": points[0], "rank": rank}
            return Fields(text, cells, "", grid - GRID, -(-max(len(line) - grid, 0) // STEP))
    return None


def _ranks(line: str, end: int) -> Iterator[tuple[str, int]]:
    """What the rank behind the points may be, and where the grid then begins."""
    rank = re.compile(r" {1,6}([0-9]{1,4})(?= |\Z)").match(line, end)
    if rank:
        yield rank[1], rank.end() + 2
    yield "", end + 7


def _named(words: list[str]) -> dict[str, str] | None:
    """Rating, federation, id and birth by their shapes, in this order; each may be missing."""
    found = dict.fromkeys(("rating", "federation", "id", "birth"), "")
    federation = next((at for at, word in enumerate(words) if re.match(r"[A-Za-z]{3}\Z", word)), None)
    before, behind = ([], words) if federation is None else (words[:federation], words[federation + 1 :])
    if federation is not None:
        found["federation"] = words[federation]
    elif behind and re.match(r"[0-9]{1,4}\Z", behind[0]):
        before, behind = behind[:1], behind[1:]
    if len(before) > 1 or (before and not re.match(r"[0-9]{1,4}\Z", before[0])):
        return None
    found["rating"] = before[0] if before else ""
    if len(behind) == 1 and re.match(r"[0-9]{4}\Z", behind[0]):
        return found  # an id or a year: nobody knows
    if behind and _BIRTH.match(behind[-1]):
        found["birth"] = behind.pop()
    if behind and re.match(r"[A-Za-z0-9]{1,11}\Z", behind[0]):
        found["id"] = behind.pop(0)
    return None if behind else found


def cells_of(text: str) -> tuple[Cell, ...] | None:
    """The rounds' cells of a grid that begins at once; None where one does not fit it.

    >>> cells_of("   4 w 1  0000 - H")
    (Cell(opponent=4, colour='w', code='1'), Cell(opponent=0, colour='-', code='H'))
    """
    if len(text) > STEP * ROUNDS:  # no tournament has so many
        return None
    cells = []
    for at in range(0, len(text), STEP):
        cell = _cell(text[at : at + STEP])
        if cell is None:
            return None
        cells.append(cell)
    while cells and cells[-1] == NOTHING:
        cells.pop()
    return tuple(cells)


@lru_cache(maxsize=2**16)
def _cell(piece: str) -> Cell | None:
    match = _CELL.match(piece[:8].ljust(8))
    if match is None or piece[8:].strip() or len(match[1]) != 4:
        return None
    colour = match[2].strip().lower()
    number = match[1].strip()
    code = match[3].strip().upper() if match[3].isascii() else match[3]
    return Cell(int(number or 0), "b" if colour == "s" else colour, code)
