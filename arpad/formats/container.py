"""Packed files, unpacked with the bytes counted: ZIP, gzip, bzip2, Zstandard. One level, one file inside.

Sizes that an archive declares are never believed: what comes out is counted, and unpacking stops at the
limit. An archive that holds an archive, several files, links or unsafe names is refused, and so is one
that grows beyond the limit or, above 5 MB, a hundredfold.
"""

from __future__ import annotations

import bz2
import io
import stat
import zipfile
import zlib
from collections.abc import Iterator
from typing import Any, BinaryIO, NoReturn

from arpad.domain.problems import FATAL
from arpad.formats.reading import Findings

ZIP, GZIP, BZIP2, ZST = "zip", "gzip", "bzip2", "zst"
PART = 2**16  # bytes that are unpacked at once
MEMBERS = 2000  # files of an archive, at most
FREE = 5 * 2**20  # bytes up to which any growth is believed
RATIO = 100
WINDOW = 2**27  # bytes that a zstd frame may ask for, as the tool's own default
STREAM_WINDOW = 2**28  # the same for files that are read as they come
_MAGIC = (
    (b"PK\x03\x04", ZIP), (b"PK\x05\x06", ZIP), (b"\x1f\x8b", GZIP), (b"BZh", BZIP2),
    (b"\x28\xb5\x2f\xfd", ZST),
)  # fmt: skip
_OTHERS = (b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07", b"\xfd7zXZ\x00")
_SEND = "Send it unpacked."
_CENTRAL = b"PK\x01\x02"  # begins each entry of a ZIP's table of contents


def packing(data: bytes) -> str:
    """ZIP, GZIP, BZIP2, ZST, or "" where the bytes are not packed."""
    return next((kind for magic, kind in _MAGIC if data.startswith(magic)), "")


def is_archive(data: bytes) -> bool:
    """Packed in any way that is known, also one that is not read."""
    return bool(packing(data)) or data.startswith(_OTHERS)


def peek(data: bytes, findings: Findings, size: int = 4096) -> bytes:
    """The first bytes of the one file inside. Raises Refused, as unpack() does."""
    found = b""
    for part in _parts(data, findings)[0]:
        found += part
        if len(found) >= size:
            break
    return found[:size]


def unpack(data: bytes, findings: Findings, most: int) -> tuple[bytes, str]:
    """The one file inside, and its name, "" where it has none. Raises Refused.

    most  bytes that may come out
    """
    parts, name = _parts(data, findings)
    unpacked = b"".join(_counted(parts, len(data), most, findings))
    if is_archive(unpacked):
        _refuse(findings, "file-archive", "The archive holds an archive.", _SEND)
    return unpacked, name


def unpack_all(data: bytes, findings: Findings, most: int) -> dict[str, bytes]:
    """All files of a ZIP by name, for formats that are several files. Raises Refused."""
    found = {}
    for member in members(data, findings):
        found[member.filename] = b"".join(
            _counted(_inflated(data, member, findings), len(data), most, findings)
        )
        most -= len(found[member.filename])
    return found


def open_stream(stream: BinaryIO, findings: Findings) -> BinaryIO:
    """What a gzip, bzip2 or zstd file holds, for formats that are read as they come; else the stream.

    What comes out is counted against what was read: Refused (`file-bomb`) while reading where it grows a
    hundredfold. How much is read at all is the reader's limit. Damage, and an end in the middle, show as
    EOFError, zlib.error, OSError or zstandard.ZstdError while reading.
    """
    head = stream.read(32)
    stream.seek(0)
    kind = packing(head)
    if kind == GZIP:
        import gzip

        return _Growing(gzip.GzipFile(fileobj=stream), stream, findings)  # type: ignore[return-value]
    if kind == BZIP2:
        return _Growing(bz2.BZ2File(stream), stream, findings)  # type: ignore[return-value]
    if kind == ZST:
        from arpad.formats.zst import open_zst

        unpacked = open_zst(stream, head, findings, STREAM_WINDOW)
        return _Growing(unpacked, stream, findings)  # type: ignore[return-value]
    if kind:
        _refuse(findings, "file-archive", "A ZIP archive of this size is not read.", _SEND)
    return stream


class _Growing:
    """A stream that is unpacked, its growth watched."""

    def __init__(self, unpacked: Any, packed: BinaryIO, findings: Findings) -> None:
        self._unpacked, self._packed, self._findings, self._size = unpacked, packed, findings, 0
        self._read = getattr(unpacked, "read1", unpacked.read)

    def read(self, size: int = -1) -> bytes:
        return self._watched(self._unpacked.read(size))

    def read1(self, size: int = -1) -> bytes:
        return self._watched(self._read(size))

    def _watched(self, part: bytes) -> bytes:
        self._size += len(part)
        _refuse_growth(self._size, self._packed.tell(), self._findings)
        return part

    def __getattr__(self, name: str) -> Any:
        return getattr(self._unpacked, name)


# --- ZIP ------------------------------------------------------------------------------------------


def members(data: bytes, findings: Findings) -> list[zipfile.ZipInfo]:
    """The files of a ZIP, none of them unsafe; folders and a Mac's side files left out. Raises Refused.

    The table of contents is what the library says; sizes in it are still nothing but claims.
    """
    if data.count(_CENTRAL) > MEMBERS:
        message = f"The archive holds more than {MEMBERS} files."
        _refuse(findings, "file-archive", message, "Send the files one by one.")
    try:
        found = zipfile.ZipFile(io.BytesIO(data)).infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError, EOFError):
        _truncated(findings)
    files = [member for member in found if not member.is_dir() and not _is_side_file(member.filename)]
    for member in files:
        _refuse_unsafe(member, findings)
    if sum(member.compress_size for member in files) > len(data):
        _refuse(findings, "file-bomb", "The archive says that it holds more than itself.", _SEND)
    if len({member.filename for member in files}) < len(files):
        _refuse(findings, "file-archive", "The archive holds two files of one name.", _SEND)
    return files


def inflated(data: bytes, member: zipfile.ZipInfo, findings: Findings, most: int) -> Iterator[bytes]:
    """One file of a ZIP in parts, counted. Raises Refused above `most` bytes."""
    return _counted(_inflated(data, member, findings), len(data), most, findings)


def _is_side_file(name: str) -> bool:
    return name.startswith("__MACOSX/") or name.rpartition("/")[2] in (".DS_Store", "Thumbs.db")


def _refuse_unsafe(member: zipfile.ZipInfo, findings: Findings) -> None:
    name = member.filename
    shown = name[:60].encode("ascii", "backslashreplace").decode()
    parts = name.replace("\\", "/").split("/")
    if name[:1] in ("/", "\\") or ".." in parts or name[1:2] == ":" or "\x00" in member.orig_filename:
        message = f"The archive holds a file with the unsafe name '{shown}'."
        _refuse(findings, "file-archive", message, _SEND)
    kind = stat.S_IFMT(member.external_attr >> 16)
    if kind not in (0, stat.S_IFREG):
        _refuse(findings, "file-archive", f"'{shown}' in the archive is a link or a device.", _SEND)
    if member.flag_bits & 0x1:
        _refuse(findings, "file-encrypted", f"'{shown}' has a password.", "Save it without a password.")
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        _refuse(findings, "file-archive", f"'{shown}' is packed in a way that is not read.", _SEND)


def _inflated(data: bytes, member: zipfile.ZipInfo, findings: Findings) -> Iterator[bytes]:
    """The parts of a file, by its packed bytes alone: a size that is declared wrongly is refused.

    zipfile itself stops at the declared size, so that another library would see more than was counted.
    """
    at = member.header_offset
    start = at + 30 + int.from_bytes(data[at + 26 : at + 28], "little")
    start += int.from_bytes(data[at + 28 : at + 30], "little")
    packed = memoryview(data)[start : start + member.compress_size]
    if data[at : at + 4] != b"PK\x03\x04" or len(packed) < member.compress_size:
        _truncated(findings)
    size = 0
    stored = member.compress_type == zipfile.ZIP_STORED
    for part in _slices(packed) if stored else _zlib(packed, -15, findings):
        size += len(part)
        if size > member.file_size:
            break
        yield part
    if size != member.file_size:
        _refuse(findings, "file-bomb", "The archive says a wrong size of a file in it.", _SEND)


# --- one file inside ------------------------------------------------------------------------------


def _parts(data: bytes, findings: Findings) -> tuple[Iterator[bytes], str]:
    kind = packing(data)
    if kind == GZIP:
        return _zlib(memoryview(data), 31, findings), ""
    if kind == BZIP2:
        return _bzip2(memoryview(data), findings), ""
    if kind == ZST:
        return _zst(data, findings), ""
    files = members(data, findings)
    if len(files) != 1:
        message = f"The archive holds {len(files)} files; one is read."
        _refuse(findings, "file-archive", message, "Send the files one by one.")
    return _inflated(data, files[0], findings), files[0].filename


def _slices(data: memoryview) -> Iterator[bytes]:
    for at in range(0, len(data), PART):
        yield bytes(data[at : at + PART])


def _zlib(data: memoryview, window: int, findings: Findings) -> Iterator[bytes]:
    """Inflate in small steps; several gzip members follow one another. Raises Refused (`file-truncated`)."""
    at = 0
    while at < len(data):
        machine = zlib.decompressobj(window)
        fed = b""
        while not machine.eof:
            if not fed:
                fed = bytes(data[at : at + PART])
                at += len(fed)
            try:
                part = machine.decompress(fed, PART)
            except zlib.error:
                _truncated(findings)
            left = machine.unconsumed_tail
            if not part and not machine.eof and not left and at >= len(data):
                _truncated(findings)
            fed = left
            if part:
                yield part
        at -= len(machine.unused_data)
        if window < 0 or not bytes(data[at:]).strip(b"\x00"):
            return  # gzip may be filled up with zeros


def _bzip2(data: memoryview, findings: Findings) -> Iterator[bytes]:
    """As _zlib(): small steps, several streams. What follows the last one and is none is passed over."""
    left, streams = data, 0
    while left and (not streams or bytes(left[:3]) == b"BZh"):
        machine, at = bz2.BZ2Decompressor(), 0
        while not machine.eof:
            fed = left[at : at + PART] if machine.needs_input else b""
            if machine.needs_input and not fed:
                _truncated(findings)
            at += len(fed)
            try:
                part = machine.decompress(fed, PART)
            except OSError:
                _truncated(findings)
            if part:
                yield part
        left, streams = left[at - len(machine.unused_data) :], streams + 1


def _zst(data: bytes, findings: Findings) -> Iterator[bytes]:
    import zstandard

    from arpad.formats.zst import is_whole

    decompressor = zstandard.ZstdDecompressor(max_window_size=WINDOW)
    machine = decompressor.stream_reader(io.BytesIO(data), read_across_frames=True)
    try:
        while part := machine.read(PART):
            yield part
    except zstandard.ZstdError:
        _truncated(findings)
    if not is_whole(data):
        _truncated(findings)


def _counted(parts: Iterator[bytes], packed: int, most: int, findings: Findings) -> Iterator[bytes]:
    size = 0
    for part in parts:
        size += len(part)
        if size > most:
            message = f"The file grows to more than {most} bytes when it is unpacked."
            _refuse(findings, "file-bomb", message, "Send it unpacked, in parts, or raise the limit.")
        _refuse_growth(size, packed, findings)
        yield part


def _refuse_growth(size: int, packed: int, findings: Findings) -> None:
    """Raise Refused where so many bytes came out of so many packed ones that it is a bomb."""
    if size > FREE and size > RATIO * max(1, packed):
        message = f"The file grows more than {RATIO} times when it is unpacked."
        _refuse(findings, "file-bomb", message, _SEND)


def _truncated(findings: Findings) -> NoReturn:
    message = "The packed file is damaged, or ends in the middle."
    _refuse(findings, "file-truncated", message, "Transfer it again.")


def _refuse(findings: Findings, code: str, message: str, remedy: str) -> NoReturn:
    findings.add(code, FATAL, message, remedy)
    findings.refuse()
