"""PGN line by line: tags, how many moves were made, and the mark at their end. Nothing else is kept.

A game's moves may be of any length and a comment of any number of lines: both are read past.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from arpad.domain.problems import FATAL, WARNING
from arpad.formats.reading import LINE_LIMIT, Findings

_TAG = re.compile(rb'\s*\[\s*([A-Za-z0-9_]+)\s*"([^"\\]*(?:\\.[^"\\]*)*)"\s*\]')
_LOOSE = re.compile(rb'\s*\[\s*([A-Za-z0-9_]+)\s*"(.*)"\s*\]\s*\Z')  # quotation marks inside, not escaped
_TAG_BEGINS = re.compile(rb"\s*\[\s*[A-Za-z0-9_]")
_TOKEN = re.compile(rb"\{[^}]*\}?|;.*|[()]|[^\s{}();]+")
_NUMBER = re.compile(rb"[0-9]+\.+|[0-9]+\Z")
_COMMENT = re.compile(rb"\{[^}]*\}")
_BRANCHING = re.compile(rb"[();]")
_GLYPHS = (b"$", b"!", b"?")  # begin what is said of a move
_MARKS = {
    b"1-0": "1-0", b"0-1": "0-1", b"1/2-1/2": "1/2-1/2", b"*": "*", b"1/2": "1/2-1/2",
    "½-½".encode(): "1/2-1/2", "½-½".encode("cp1252"): "1/2-1/2",
}  # fmt: skip


class Tag(NamedTuple):
    """One value as it stands, escapes and all, and its place."""

    value: bytes
    line: int
    text: bytes  # the whole line
    at: int  # where the value begins in it, in bytes


class RawGame:
    """One game: tags by small letters, and what is needed of its moves."""

    __slots__ = ("line", "mark", "moves", "plies", "tags", "twice")

    def __init__(self) -> None:
        self.line = 0  # of its first tag
        self.tags: dict[bytes, Tag] = {}
        self.twice: list[tuple[bytes, Tag]] = []  # a second, other value of a tag
        self.plies = 0  # moves of both sides; of more than one, only that they are more
        self.mark = ""  # "1-0", "0-1", "1/2-1/2", "*", or "" where the moves end without one
        self.moves = 0  # a hash of the lines of moves, the same within one run of the program


def text_of(raw: bytes) -> str:
    """Bytes of a file: UTF-8, else Windows-1252."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("cp1252", "replace")


def column(text: bytes, at: int) -> int:
    """The column, counted in characters from 1, of byte `at` of a line."""
    return len(text_of(text[:at])) + 1


class Scanner:
    """Takes lines, hands over games. `idle` between two games: whatever follows begins a new one."""

    def __init__(self, findings: Findings, take: Callable[[RawGame], None]) -> None:
        self.findings, self._take = findings, take
        self._game = RawGame()
        self._blank = False  # a blank line since the last tag
        self._moving = False  # the moves have begun
        self._depth = 0  # of variations
        self._comment: tuple[int, int] | None = None  # where it was opened
        self._stray = False  # text between games was told of

    @property
    def idle(self) -> bool:
        return not (self._game.tags or self._moving or self._comment)

    @property
    def tagged(self) -> bool:
        """Tags of a game were read, and nothing behind them."""
        return bool(self._game.tags) and not (self._moving or self._comment)

    def feed(self, lines: Iterable[bytes], number: int) -> None:
        """Read lines, the first being line `number` of the file. Raises Refused for an overlong one."""
        for number, line in enumerate(lines, number):  # noqa: B020 - goes on from there
            if len(line) > LINE_LIMIT:
                refuse_long_line(number, self.findings)
            if self._comment is not None:
                self._read_moves(line, number)
            elif not line or line.isspace():
                self._blank = True
                if self._moving and self._game.mark:
                    self._finish()
            elif line.startswith(b"%"):
                continue
            elif _TAG_BEGINS.match(line) or (line[0] == 0x5B and not self._moving):  # [
                self._read_tags(line, number)
            else:
                self._read_moves(line, number)

    def end(self) -> None:
        """The file ends here. A comment that is still open has swallowed what came after it."""
        if self._comment is not None:
            message = "A comment that begins here never ends, so that the games after it cannot be seen."
            remedy = "Close it with }, or transfer the file again."
            self.findings.add("file-truncated", FATAL, message, remedy, *self._comment)
        self._finish()

    def drop(self) -> None:
        """Forget the game that has not ended."""
        self._reset()

    def hand_over(self, plies: int, mark: str, moves: int) -> None:
        """End the game whose tags were fed; somebody else has looked at its moves."""
        self._game.plies, self._game.mark, self._game.moves = plies, mark, moves
        self._finish()

    def _finish(self) -> None:
        game = self._game
        self._reset()
        if game.tags:
            self._take(game)

    def _reset(self) -> None:
        self._game = RawGame()
        self._blank = self._moving = self._stray = False
        self._depth, self._comment = 0, None

    # --- tags -----------------------------------------------------------------------------------

    def _read_tags(self, line: bytes, number: int) -> None:
        if self._moving:
            self._finish()
        at = 0
        while match := _TAG.match(line, at):
            self._tag(match, line, number)
            at = match.end()
        rest = line[at:].strip()
        if not rest or rest.startswith(b";"):
            return
        loose = _LOOSE.match(line, at)
        if at and not rest.startswith(b"["):
            self._read_moves(line, number, at)
            return
        message = f"'{text_of(rest)[:60]}' is no tag."
        if loose and b'"]' not in loose[2].replace(b" ", b""):
            self._tag(loose, line, number)
            message = f"'{text_of(rest)[:60]}' has quotation marks inside; read up to the last one."
        place = column(line, len(line) - len(line[at:].lstrip()))
        self.findings.add("pgn-tag-shape", WARNING, message, 'Write [White "Name"].', number, place)

    def _tag(self, match: re.Match[bytes], line: bytes, number: int) -> None:
        name = match[1].lower()
        game = self._game
        if self._blank and game.tags and (name == b"event" or name in game.tags):
            self._finish()
            game = self._game
        self._blank = False
        tag = Tag(match[2], number, line, match.start(2))
        known = game.tags.setdefault(name, tag)
        if known is not tag and known.value != tag.value:
            game.twice.append((name, tag))
        game.line = game.line or number

    # --- moves ----------------------------------------------------------------------------------

    def _read_moves(self, line: bytes, number: int, at: int = 0) -> None:
        game = self._game
        if self._comment is not None:
            end = line.find(b"}", at)
            if end < 0:
                return
            self._comment, at = None, end + 1
        elif game.tags:
            self._moving = True
        game.moves = hash((game.moves, line))
        if game.tags and not self._depth and not _BRANCHING.search(line, at):
            self._read_plain(line, number, at)
            return
        for match in _TOKEN.finditer(line, at):
            token = match[0]
            if token[0] == 0x7B:  # {
                if token[-1] != 0x7D:
                    self._comment = (number, column(line, match.start()))
            elif token == b"(":
                self._depth += 1
            elif token == b")":
                self._depth = max(self._depth - 1, 0)
            elif token[0] != 0x3B and not self._depth:  # ;
                self._token(token, line, number, match.start())

    def _read_plain(self, line: bytes, number: int, at: int) -> None:
        """A line without variations: as the loop does, but only as far as anything depends on it."""
        text = _COMMENT.sub(b" ", line[at:])
        opened = text.find(b"{")
        if opened >= 0:
            text = text[:opened]
            place = line.find(b"{", max(line.rfind(b"}"), at - 1) + 1)
            self._comment = (number, column(line, place))
        tokens = text.replace(b"}", b" ").split()
        game = self._game
        for done, token in enumerate(tokens, 1):
            self._token(token, line, number, at)
            if game.plies > 1:
                rest = tokens[done:]
                while len(rest) > 1 and rest[-1].startswith(_GLYPHS):
                    rest.pop()
                for last in rest[-1:]:
                    self._token(last, line, number, at)
                return

    def _token(self, token: bytes, line: bytes, number: int, at: int) -> None:
        game = self._game
        if not game.tags:
            if not self._stray:
                self._stray = True
                message = f"'{text_of(token)[:40]}' stands between two games and is read past."
                remedy = "Look for a damaged tag."
                self.findings.add("pgn-tag-shape", WARNING, message, remedy, number, column(line, at))
            return
        mark = _MARKS.get(token)
        if mark is not None:
            game.mark = mark
        elif not token.startswith(_GLYPHS):
            number_ = _NUMBER.match(token)
            move = token[number_.end() :] if number_ else token
            game.mark = ""
            game.plies += move.startswith(b"0-0") or re.search(rb"[A-Za-z\x80-\xff]", move) is not None


def refuse_long_line(number: int, findings: Findings) -> None:
    """Raise Refused for a line that is too long."""
    message = f"The line has more than {LINE_LIMIT} characters, which are the limit."
    findings.add("line-too-long", FATAL, message, "Export the file again.", number, LINE_LIMIT + 1)
    findings.refuse()
