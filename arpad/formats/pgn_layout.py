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
    return Parts(
        ends, start[found], stop[found], start[found + 1], stop[found + 1], line[found], lines[found]
    )


def words_of(block: bytes) -> Numbers:
    """The eight bytes from each place on, as a number; of a block of at least eight."""
    return np.ndarray((len(block) - _WORD + 1,), "<u8", block, strides=(1,))


def layouts(block: bytes, raw: Numbers, words: Numbers, parts: Parts) -> Iterator[Layout]:
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
            fits, at = _fitting(raw, words, parts, left, names)
            yield Layout(
                left[fits], {name.lower(): (one[fits], two[fits]) for name, (one, two) in at.items()}
            )
            left = left[~fits]


def _names(tags: bytes) -> list[bytes] | None:
    """The names of a game's tags; None where they are not regular."""
    found = [_LINE.match(line) for line in tags.split(b"\n")]
    names = [match[1] for match in found if match is not None]
    regular = len(names) == len(found) == len({name.lower() for name in names})
    return names if regular else None


def _fitting(
    raw: Numbers, words: Numbers, parts: Parts, games: Numbers, names: list[bytes]
) -> tuple[Numbers, dict[bytes, tuple[Numbers, Numbers]]]:
    """Which games have exactly these tags, a line each, and where the values are."""
    fits = np.ones(len(games), bool)
    start, at = parts.start[games], {}
    for number, name in enumerate(names):
        stop = parts.ends[parts.line[games] + number]
        begins = b"[" + name + b' "'
        fits &= (stop - start >= len(begins) + 2) & (raw[stop - 1] == 0x5D) & (raw[stop - 2] == 0x22)
        fits &= stands_at(words, start, begins)
        at[name] = (start + len(begins), stop - 2)
        start = stop + 1
    return fits, at


def stands_at(words: Numbers, places: Numbers, text: bytes) -> Numbers:
    """Whether a text stands at each place; not told of the last eight bytes of the block."""
    found = np.ones(len(places), bool)
    for at in range(0, len(text), _WORD):
        at = max(min(at, len(text) - _WORD), 0)
        piece = text[at : at + _WORD]
        inside = places + at < len(words)
        found &= inside
        here = words[np.where(inside, places + at, 0)]
        if len(piece) < _WORD:
            here &= np.uint64(2 ** (8 * len(piece)) - 1)
        found &= here == np.uint64(int.from_bytes(piece, "little"))
    return found


def ends_at(words: Numbers, places: Numbers, text: bytes) -> Numbers:
    """Whether a text of up to eight bytes ends at each place."""
    here = words[places - _WORD] >> np.uint64(8 * (_WORD - len(text)))
    return here == np.uint64(int.from_bytes(text, "little"))
