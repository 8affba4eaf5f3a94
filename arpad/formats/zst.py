"""Zstandard files as streams that know whether they ended where they should."""

from __future__ import annotations

import io
from typing import Any, BinaryIO

from arpad.domain.problems import FATAL
from arpad.formats.reading import Findings

_SKIPPED = b"\x2a\x4d\x18"  # ends the magic number of a frame that holds nothing to unpack


class Frames:
    """Follows the frames of a packed file by their headers (RFC 8878, section 3.1) as its bytes pass."""

    def __init__(self) -> None:
        self._head = bytearray()
        self._skip = 0
        self._within = False  # a frame, whose blocks follow
        self._checksum = 0

    @property
    def whole(self) -> bool:
        """Whether the bytes so far end with a frame."""
        return not (self._head or self._skip or self._within)

    def feed(self, data: bytes) -> None:
        at = 0
        while at < len(data):
            step = min(self._skip, len(data) - at)
            self._skip -= step
            at += step
            if not self._skip and at < len(data):
                self._head.append(data[at])
                at += 1
                self._look()

    def _look(self) -> None:
        head = self._head
        if self._within:
            if len(head) == 3:
                self._block(int.from_bytes(head, "little"))
        elif len(head) == 8 and head[1:4] == _SKIPPED:
            self._skip = int.from_bytes(head[4:], "little")
            head.clear()
        elif len(head) > 4 and head[1:4] != _SKIPPED and len(head) == _header_size(head[4]):
            self._within, self._checksum = True, 4 * (head[4] >> 2 & 1)
            head.clear()

    def _block(self, header: int) -> None:
        self._skip = 1 if header >> 1 & 3 == 1 else header >> 3
        if header & 1:
            self._within = False
            self._skip += self._checksum
        self._head.clear()


def is_whole(data: bytes) -> bool:
    """Whether the bytes end with a frame: the library's reader takes a cut file for a short one."""
    frames = Frames()
    frames.feed(data)
    return frames.whole


def _header_size(descriptor: int) -> int:
    """Bytes of a frame's header, magic number included."""
    single = descriptor >> 5 & 1
    content = (single, 2, 4, 8)[descriptor >> 6]
    return 5 + (not single) + (0, 1, 2, 4)[descriptor & 3] + content


class _Source:
    """The packed bytes, watched."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.frames = Frames()

    def read(self, size: int) -> bytes:
        data = self._stream.read(size)
        self.frames.feed(data)
        return data


class _Unpacked(io.RawIOBase):
    def __init__(self, reader: Any, source: _Source) -> None:
        self._reader, self._source = reader, source

    def readable(self) -> bool:
        return True

    def read1(self, size: int) -> bytes:
        """As read(); EOFError where the packed bytes end in the middle."""
        found: bytes = self._reader.read(size)
        if not found and not self._source.frames.whole:
            raise EOFError("a frame ends in the middle")
        return found

    def readinto(self, buffer: Any) -> int:
        found = self.read1(len(buffer))
        buffer[: len(found)] = found
        return len(found)


def open_zst(stream: BinaryIO, head: bytes, findings: Findings, window: int) -> BinaryIO:
    """What a zstd file holds, of any number of frames. Raises Refused where it asks for more than `window`.

    head  its first bytes, which are read again from `stream`
    """
    import zstandard

    try:
        asked = zstandard.get_frame_parameters(head).window_size
    except zstandard.ZstdError:
        asked = 0
    if asked > window:
        message = f"Unpacking takes {asked} bytes of memory; {window} are the limit."
        findings.add("file-too-large", FATAL, message, "Unpack it with `zstd -d --long=31` first.")
        findings.refuse()
    source = _Source(stream)
    machine = zstandard.ZstdDecompressor(max_window_size=window)
    reader = machine.stream_reader(source, read_size=2**17, read_across_frames=True)  # type: ignore[arg-type]
    return _Unpacked(reader, source)  # type: ignore[return-value]
