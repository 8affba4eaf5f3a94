"""Where the tags of regular games stand in a block of PGN, found for all games of one order at once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

Numbers = Any  # np.ndarray of whole numbers
_LINE = re.compile(rb'\[([A-Za-z0-9_]+) "[^"\\\n]*"\]\Z')
_LAYOUTS = 3  # orders of tags that are tried for games with equally many
_WORD = 8
_LONGEST = 256  # bytes of a tag's name, at most, and more


class Parts(NamedTuple):
    """Tags and moves of the games of a block, by game. Places are bytes of the block."""

    ends: Numbers  # where each line of the block ends
    start: Numbers  # of the tags
    stop: Numbers
    moves: Numbers  # where they begin
    last: Numbers  # where they end
    line: Numbers  # index of the line of the first tag
    lines: Numbers  # how many tags


class Layout(NamedTuple):
    """Games whose tags are the same, in the same order; `at` has where each value begins and ends."""

    games: Numbers  # their indices in Parts
    at: dict[bytes, tuple[Numbers, Numbers]]  # by name in small letters


def parts_of(raw: Numbers) -> Parts:
    """Pieces with tags that are followed by one line, between blank lines."""
    ends = np.flatnonzero(raw == 0x0A)
    blank = np.flatnonzero(ends[1:] == ends[:-1] + 1)  # the line after this one is blank
    start = np.concatenate(([0], ends[blank + 1] + 1))[:-1]
    line = np.concatenate(([0], blank + 2))[:-1]
    stop, lines = ends[blank], blank + 1 - line
    if len(blank) < 2:
        empty = start[:0]
        return Parts(ends, empty, empty, empty, empty, empty, empty)
    tagged = (raw[start] == 0x5B) & (lines > 0)  # [
    found = np.flatnonzero(tagged[:-1] & ~tagged[1:] & (lines[1:] == 1))
    found = found[stop[found] + _LONGEST < len(raw)]  # the words behind every tag lie in the block
    return Parts(
        ends, start[found], stop[found], start[found + 1], stop[found + 1], line[found], lines[found]
    )


def words_of(block: bytes) -> Numbers:
    """The eight bytes from each place on, as a number; of a block of at least eight."""
    return np.ndarray((len(block) - _WORD + 1,), "<u8", block, strides=(1,))


def layouts(block: bytes, words: Numbers, parts: Parts) -> Iterator[Layout]:
    """Every order of tags that is found often, with its games."""
    for lines in np.unique(parts.lines).tolist():
        left = np.flatnonzero(parts.lines == lines)
        for _ in range(_LAYOUTS):
            if not len(left):
                break
            names = _names(block[int(parts.start[left[0]]) : int(parts.stop[left[0]])])
            if names is None:
                left = left[1:]
                continue
            fits, at = _fitting(words, parts, left, names)
            yield Layout(
                left[fits], {name.lower(): (one[fits], two[fits]) for name, (one, two) in at.items()}
            )
            left = left[~fits]


def _names(tags: bytes) -> list[bytes] | None:
    """The names of a game's tags; None where they are not regular."""
    found = [_LINE.match(line) for line in tags.split(b"\n")]
    names = [match[1] for match in found if match is not None]
    if max(map(len, names), default=0) > _LONGEST // 2:
        return None
    regular = len(names) == len(found) == len({name.lower() for name in names})
    return names if regular else None


def _fitting(
    words: Numbers, parts: Parts, games: Numbers, names: list[bytes]
) -> tuple[Numbers, dict[bytes, tuple[Numbers, Numbers]]]:
    """Which games have exactly these tags, a line each, and where the values are."""
    line, start = parts.line[games], parts.start[games]
    begins = b"[" + names[0] + b' "'
    fits, at = stands_at(words, start, begins), {}
    start = start + len(begins)
    for number, name in enumerate(names):
        last = number + 1 == len(names)
        stop = parts.ends[line + number] - 2
        between = b'"]\n' + (b"" if last else b"[" + names[number + 1] + b' "')
        fits &= stands_at(words, stop, between)
        fits &= stop >= start
        at[name] = (start, stop)
        start = stop + len(between)
    return fits, at


def stands_at(words: Numbers, places: Numbers, text: bytes) -> Numbers:
    """Whether a text stands at each place."""
    found = None
    for at in range(0, len(text), _WORD):
        at = max(min(at, len(text) - _WORD), 0)
        piece = text[at : at + _WORD]
        here = words[places + at] if at else words[places]
        if len(piece) < _WORD:
            here &= np.uint64(2 ** (8 * len(piece)) - 1)
        same = here == np.uint64(int.from_bytes(piece, "little"))
        found = same if found is None else found & same
    return found


def ends_at(words: Numbers, places: Numbers, text: bytes) -> Numbers:
    """Whether a text of up to eight bytes ends at each place."""
    here = words[places - _WORD] >> np.uint64(8 * (_WORD - len(text)))
    return here == np.uint64(int.from_bytes(text, "little"))
