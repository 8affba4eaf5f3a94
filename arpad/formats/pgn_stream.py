"""The bytes of a PGN file as they come: blocks that end with whole lines, if possible with whole games."""

from __future__ import annotations

import queue
import threading
import zlib
from collections.abc import Iterator
from typing import BinaryIO

from arpad.domain.problems import FATAL
from arpad.formats.reading import LINE_LIMIT, Findings, refuse_what_is_no_text

SIZE = 2**22  # bytes of a block, about
MOST = 2**38  # bytes that are read at all, unpacked
_AHEAD = 4  # blocks that are unpacked while others are looked at
_BOM = b"\xef\xbb\xbf"


class Blocks:
    """Iterates over blocks with LF at the ends of lines. `cut`: the stream ended where it should not."""

    def __init__(self, stream: BinaryIO, findings: Findings, most: int = MOST) -> None:
        self._findings, self._most = findings, most
        self._read = getattr(stream, "read1", stream.read)
        self.cut = False

    def __iter__(self) -> Iterator[bytes]:
        """Raises Refused for what is no text, or too much."""
        rest, size, first = b"", 0, True
        for part in self._parts():
            size += len(part)
            if size > self._most:
                message = f"The file holds more than {self._most} bytes."
                self._findings.add("file-too-large", FATAL, message, "Split it, or raise the limit.")
                self._findings.refuse()
            if first:
                refuse_what_is_no_text(part, self._findings)
                part, first = part.removeprefix(_BOM), False
            at = _cut(part)
            if not at and rest:  # a game, or a line, of more than one part
                part, rest = rest + part, b""
                at = _cut(part)
            if at:
                yield rest + part[:at]
                rest = part[at:]
            else:
                rest = part
                if len(rest) > 4 * LINE_LIMIT:
                    yield rest
                    rest = b""
        if first:
            refuse_what_is_no_text(b"", self._findings)
        if rest:
            yield rest

    def _parts(self) -> Iterator[bytes]:
        """About SIZE bytes at a time, CR and CRLF made LF."""
        held = b""
        while not self.cut:
            pieces, size = [held], len(held)
            while size < SIZE:
                piece = self._piece(SIZE - size)
                if not piece:
                    break
                pieces.append(piece)
                size += len(piece)
            part = b"".join(pieces)
            if not part:
                return
            ended = size < SIZE
            held = b""
            if b"\r" in part:
                if part.endswith(b"\r") and not ended:
                    part, held = part[:-1], b"\r"
                part = part.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
            yield part
            if ended:
                return

    def _piece(self, size: int) -> bytes:
        try:
            return self._read(size)
        except (EOFError, OSError, zlib.error):
            self.cut = True
        except Exception as error:
            if type(error).__name__ != "ZstdError":  # named, so that the library is not imported for it
                raise
            self.cut = True
        return b""


def _cut(data: bytes) -> int:
    """Where a block ends: before the last tag that follows a blank line, else after the last line."""
    at = data.rfind(b"\n\n[")
    return at + 2 if at >= 0 else data.rfind(b"\n") + 1


def ahead(blocks: Blocks) -> Iterator[bytes]:
    """The same blocks, read by a thread of their own while the caller works; unpacking needs no lock."""
    waiting: queue.Queue[bytes | BaseException | None] = queue.Queue(_AHEAD)
    stop = threading.Event()

    def put(one: bytes | BaseException | None) -> None:
        while not stop.is_set():
            try:
                waiting.put(one, timeout=0.2)
            except queue.Full:
                continue
            return

    def run() -> None:
        try:
            for one in blocks:
                put(one)
                if stop.is_set():
                    return
        except BaseException as error:  # noqa: BLE001 - raised again where the blocks are wanted
            put(error)
        put(None)

    thread = threading.Thread(target=run, daemon=True, name="pgn")
    thread.start()
    try:
        while (one := waiting.get()) is not None:
            if isinstance(one, BaseException):
                raise one
            yield one
    finally:
        stop.set()
        thread.join()
