"""A block of PGN looked at as a whole: regular games by columns, all others by the slow way, in their order.

A game is regular where its tags are a line each, in the same order as in others of the block, without
escapes, and its moves are one line without variations that ends, outside of comments, with the same result
as its tag, and where nothing has to be told of it. Both ways give the same sheet (a test compares them).
Dumps of servers consist of such games nearly throughout.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable
from operator import eq
from typing import Any

import numpy as np

from arpad.domain.results import GAME, Result
from arpad.formats.pgn_layout import Layout, Numbers, Parts, ends_at, layouts, parts_of, stands_at, words_of
from arpad.formats.pgn_scan import Scanner
from arpad.formats.pgn_take import LEAD, Games
from arpad.formats.reading import LINE_LIMIT
from arpad.formats.trf_people import TITLES
from arpad.ledger.columns import NO_WEIGHT

# Both sides have moved: a move, perhaps a comment, and the other's.
_MOVED = re.compile(rb"1\. ?[A-Za-z][^\s{}();]* (?:\{[^{}]*\} )?(?:1\.\.\. ?)?[A-Za-z]").match
_NEEDED = (b"event", b"site", b"date", b"white", b"black")  # and the result
# Tags that tell more of a person or an event, or may forbid rating: such games go the slow way.
_SLOW = {
    b"whitefideid", b"blackfideid", b"whiteteam", b"blackteam", b"eventdate", b"board", b"variant", b"fen",
    b"setup", b"plycount",
}  # fmt: skip
_NO_ROUNDS = (b"-", b"?")
_PLAIN_ENDS = (b"Normal", b"Time forfeit")
_TITLES = {title.encode() for title in TITLES}
_ADDRESS = b"https://lichess.org/"
_DATE = len("2026.05.31")
_SCORES = ((b"1-0", 2, 0), (b"0-1", 0, 2), (b"1/2-1/2", 1, 1))
_SHORTEST = 16  # bytes of moves
_NEW = -9  # a player who is not known yet
_AT_ONCE = 256  # games that are taken at once


def read_block(block: bytes, line: int, scanner: Scanner, games: Games) -> int:
    """Read a block that begins with line number `line` of the file; the number of its line ends."""
    raw = np.frombuffer(block, np.uint8)
    if len(raw) < 4 * _SHORTEST:
        _feed(block, 0, len(block), line, scanner)
        return block.count(b"\n")
    parts = parts_of(raw)
    found = _Regular(block, raw, parts, games)
    at, first, count = 0, 0, len(parts.start)  # what is read so far: bytes, lines; games
    starts, lasts, lines = parts.start.tolist(), parts.last.tolist(), parts.line.tolist()
    game = 0
    while game < count:
        if starts[game] > at or not scanner.idle:
            _feed(block, at, starts[game], line + first, scanner)
            at, first = starts[game], lines[game]
        last = game
        if scanner.idle:
            last = found.run(game)
            if last > game:
                last = found.take(game, last, line)
        if last > game:
            at, first = lasts[last - 1] + 2, lines[last - 1] + int(parts.lines[last - 1]) + 3
            game = last
            continue
        at, first = _slowly(block, parts, found, game, line, scanner, first)
        game += 1
    _feed(block, at, len(block), line + first, scanner)
    return len(parts.ends)


def _slowly(
    block: bytes, parts: Parts, found: _Regular, game: int, line: int, scanner: Scanner, first: int
) -> tuple[int, int]:
    """One game the slow way; its moves are read past where they are known to be regular."""
    start, stop, moves, last = (int(one[game]) for one in (parts.start, parts.stop, parts.moves, parts.last))
    lines = int(parts.lines[game])
    mark = found.mark(game) if scanner.idle else ""
    if mark:
        _feed(block, start, stop + 1, line + first, scanner)
        if scanner.tagged:
            scanner.hand_over(2, mark, hash((0, block[moves:last])))
        else:
            _feed(block, stop + 1, last + 2, line + first + lines, scanner)
    else:
        _feed(block, start, last + 2, line + first, scanner)
    return last + 2, first + lines + 3


def _feed(block: bytes, start: int, stop: int, number: int, scanner: Scanner) -> None:
    lines = block[start:stop].split(b"\n")
    if not lines[-1]:
        lines.pop()
    scanner.feed(lines, number)


class _Regular:
    """The games of a block by columns; `good` where a game is regular so far as it is known by itself."""

    def __init__(self, block: bytes, raw: Numbers, parts: Parts, games: Games) -> None:
        self.block, self.raw, self.parts, self.games = block, raw, parts, games
        count = len(parts.start)
        self.good = np.zeros(count, bool)
        names = (*_NEEDED, b"timecontrol", b"whitetitle", b"blacktitle")
        self._values = {name: np.full(count, b"", object) for name in names}
        self._elo = {b"whiteelo": np.zeros((count, 2), int), b"blackelo": np.zeros((count, 2), int)}
        self._score = np.full(count, -1)
        self._moves = np.zeros(count, np.int8)  # 1: regular
        if count:
            self._words = words_of(block)
            self._look_at_moves()
            for layout in layouts(block, self._words, parts):
                self._look_at_tags(layout)
            self._refuse_odd_tags()
        self._days = _Known(games.plain_day)
        self._events = _Known(games.plain_event)
        self.bad = [*np.flatnonzero(~self.good).tolist(), count]
        self._next = 0

    # --- moves ----------------------------------------------------------------------------------

    def _look_at_moves(self) -> None:
        """Which moves end with a result outside of comments, after moves of both sides."""
        block, words, parts = self.block, self._words, self.parts
        begins, last = parts.moves, parts.last
        fits = (last - begins >= _SHORTEST) & (last - begins < LINE_LIMIT)
        at = np.where(fits, last, 2 * _SHORTEST)
        closed = np.zeros(len(last), bool)  # a comment ends right before the result
        for number, (text, _, _) in enumerate(_SCORES):
            before = at - len(text) - 1
            here = fits & ends_at(words, at, b" " + text)
            self._score[here] = number
            closed |= here & (self.raw[before - 1] == 0x7D)
        fits &= self._score >= 0
        spots = list(zip(begins.tolist(), last.tolist(), fits.tolist(), closed.tolist(), strict=True))
        good = [fit and _MOVED(block, one, two) is not None for one, two, fit, _ in spots]
        for game in np.flatnonzero(~closed & fits).tolist():
            good[game] = good[game] and block.find(b"{", spots[game][0], spots[game][1]) < 0
        for sign in (b"(", b")", b";"):
            if block.find(sign) >= 0:
                good = [
                    one and block.find(sign, a, b) < 0 for one, (a, b, _, _) in zip(good, spots, strict=True)
                ]
        self._moves = np.array(good, bool)

    def mark(self, game: int) -> str:
        """The result at the end of regular moves, "" where they are not."""
        return _SCORES[self._score[game]][0].decode() if self._moves[game] else ""

    # --- tags -----------------------------------------------------------------------------------

    def _look_at_tags(self, layout: Layout) -> None:
        at, games = layout.at, layout.games
        if not all(name in at for name in (*_NEEDED, b"result")) or not _SLOW.isdisjoint(at):
            return
        good = self._moves[games] & self._is_result(layout)
        site, end = at[b"site"]
        good &= stands_at(self._words, site, _ADDRESS) & (end - site >= LEAD + 8) & (end - site <= LEAD + 12)
        for name in (b"whiteelo", b"blackelo"):
            if name in at:
                good &= self._is_number(*at[name])
                self._elo[name][games] = np.column_stack(at[name])
        for name, texts in ((b"round", _NO_ROUNDS), (b"termination", _PLAIN_ENDS)):
            if name in at:
                start, stop = at[name]
                allowed = [
                    (stop - start == len(text)) & stands_at(self._words, start, text) for text in texts
                ]
                good &= np.logical_or.reduce(allowed)
        at[b"site"] = (np.minimum(site + LEAD, end), end)
        for name, column in self._values.items():
            if name in at:
                column[games] = found = self._slices(*at[name])
                if name == b"site":
                    good &= np.array(list(map(bytes.isalnum, found)), bool)
                elif name.endswith(b"title"):
                    good &= np.array([title in _TITLES for title in found], bool)
        self.good[games] = good

    def _slices(self, start: Numbers, stop: Numbers) -> Any:
        """The values as an array of bytes objects; one object where all are the same date."""
        block, found = self.block, np.empty(len(start), object)
        if len(start) and int(stop[0] - start[0]) == _DATE:
            first = block[int(start[0]) : int(stop[0])]
            if (stop - start == _DATE).all() and stands_at(self._words, start, first).all():
                found[:] = first
                return found
        found[:] = [block[one:two] for one, two in zip(start.tolist(), stop.tolist(), strict=True)]
        return found

    def _is_result(self, layout: Layout) -> Numbers:
        """Whether the tag says what the moves end with."""
        start, _ = layout.at[b"result"]
        score = self._score[layout.games]
        same = np.zeros(len(start), bool)
        for number, (text, _, _) in enumerate(_SCORES):
            same |= (score == number) & stands_at(self._words, start, text + b'"')
        return same

    def _is_number(self, start: Numbers, stop: Numbers) -> Numbers:
        fits = (stop - start >= 1) & (stop - start <= 4)
        for place in range(4):
            digit = self.raw[np.minimum(start + place, stop - 1)]
            fits &= (digit >= 0x30) & (digit <= 0x39)
        return fits

    def _refuse_odd_tags(self) -> None:
        """Escapes, and quotation marks within a value."""
        block, parts = self.block, self.parts
        quotes = int(np.count_nonzero(self.raw == 0x22))
        odd = quotes != 2 * int(parts.lines.sum())
        if odd or b"\\" in block:
            spots = zip(parts.start.tolist(), parts.stop.tolist(), parts.lines.tolist(), strict=True)
            self.good &= np.array(
                [block.count(b'"', a, b) == 2 * n and block.find(b"\\", a, b) < 0 for a, b, n in spots], bool
            )

    # --- games ----------------------------------------------------------------------------------

    def run(self, game: int) -> int:
        """The index behind the last of the regular games that follow one another from `game` on."""
        while self.bad[self._next] < game:
            self._next += 1
        stop = self.bad[self._next]
        starts, lasts = self.parts.start[game:stop], self.parts.last[game:stop]
        gaps = np.flatnonzero(starts[1:] != lasts[:-1] + 2)
        return game + int(gaps[0]) + 1 if len(gaps) else stop

    def take(self, first: int, last: int, line: int) -> int:
        """Take some of the games first..last-1, as far as they are regular; the index behind the last one."""
        last = min(last, first + _AT_ONCE)
        people = self.games.people
        known = people.known.get
        values = {name: column[first:last].tolist() for name, column in self._values.items()}
        lines = (self.parts.line[first:last] + line).tolist()
        days = list(map(self._days.__getitem__, values[b"date"]))
        events = list(map(self._events.__getitem__, values[b"event"]))
        white, black = ([known(one, _NEW) for one in values[name]] for name in (b"white", b"black"))
        if (
            min(map(min, (days, events, white, black))) >= 0
            and 0 not in days
            and not any(map(eq, white, black))
        ):
            self._append(first, last - first, (white, black, events, days), values, lines)
            return last
        for game in range(last - first):
            if days[game] and min(events[game], white[game], black[game]) >= 0 and white[game] != black[game]:
                continue
            names = (values[b"white"][game], values[b"black"][game])
            if not days[game] or not self._add_new(names, values[b"event"][game], lines[game]):
                last = first + game
                break
        count = last - first
        if count:
            white, black = (
                [people.known[one] for one in values[name][:count]] for name in (b"white", b"black")
            )
            events = [self._events[value] for value in values[b"event"][:count]]
            self._append(first, count, (white, black, events, days[:count]), values, lines[:count])
        return last

    def _add_new(self, names: tuple[bytes, bytes], event: bytes, line: int) -> bool:
        """Add players and event of a game that are new; False, and nothing added, where something is odd."""
        people = self.games.people
        if names[0] == names[1] or self._events[event] < -1:
            return False
        if any(people.known.get(name, 0) < 0 for name in names):
            return False
        new = [name for name in names if name not in people.known]
        if not all(map(people.is_plain, new)):
            return False
        if not new and people.known[names[0]] == people.known[names[1]]:
            return False
        for name in new:
            people.add_plain(name, line)
        if self._events[event] < 0:
            self._events[event] = self.games.add_plain_event(event, line)
        return True

    def _append(
        self, first: int, count: int, columns: tuple[list[Any], ...], values: dict[bytes, list[bytes]],
        lines: list[int],
    ) -> None:  # fmt: skip
        games, sheet = self.games, self.games.sheet
        white, black, events, days = columns
        self._meet(first, white, black, days)
        for numbers, name in ((white, b"whitetitle"), (black, b"blacktitle")):
            titles = values[name][:count]
            if any(titles):
                for number, title in zip(numbers, titles, strict=True):
                    if title and not games.people.people[number].title:
                        games.people.people[number].title = title.decode()
        scores = self._score[first : first + count].tolist()
        results = _Known(lambda score: sheet.result(Result(GAME, *_SCORES[score][1:])))
        rows = sheet.games
        nothing = bytes(4 * count)
        for column, found in (
            (rows.player1, white), (rows.player2, black), (rows.event, events), (rows.day, days),
            (rows.result, map(results.__getitem__, scores)), (rows.line, lines),
        ):  # fmt: skip
            column.extend(found)
        for column in (rows.round, rows.board, rows.sequence):
            column.frombytes(nothing)
        for column in (rows.stones, rows.size):
            column.frombytes(bytes(count))
        rows.weight.extend(array("d", (NO_WEIGHT,)) * count)
        games.keys.extend(map(hash, values[b"site"][:count]))
        games.days.update(zip(events, days, strict=True))
        if any(values[b"timecontrol"]):
            games.speeds.update(filter(None, values[b"timecontrol"][:count]))
        games.seen += count
        games.moved = True

    def _meet(self, first: int, white: list[int], black: list[int], days: list[int]) -> None:
        """Ratings of those who have none yet, and of everybody where games do not follow their days."""
        people = self.games.people
        everybody = min(days) < max(people.latest, *days)
        if not everybody and people.unrated.isdisjoint(white) and people.unrated.isdisjoint(black):
            return
        for game, (one, two, day) in enumerate(zip(white, black, days, strict=True), first):
            if everybody or one in people.unrated:
                people.meet(one, day, self._rating(b"whiteelo", game))
            if everybody or two in people.unrated:
                people.meet(two, day, self._rating(b"blackelo", game))

    def _rating(self, name: bytes, game: int) -> int:
        start, stop = self._elo[name][game].tolist()
        return int(self.block[start:stop]) if stop else 0


class _Known(dict[Any, int]):
    """Asks for a value once."""

    def __init__(self, ask: Callable[[Any], int]) -> None:
        self._ask = ask

    def __missing__(self, key: Any) -> int:
        found = self[key] = self._ask(key)
        return found
