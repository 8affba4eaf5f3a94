"""The canonical form of a fact and the links of the hash chain.

A fact's digest is sha256 over its kind, UUID and content in a form with a version of its own; what it
refers to is named by UUID, free text by an HMAC. So digests are equal on every database, survive
erasing, and can be recomputed from an export.
"""

from __future__ import annotations

import datetime
import hashlib
import hmac
import uuid
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from arpad.store.models.facts import CANONICAL_VERSION


def value_text(value: Any) -> str:
    """One value. Text is escaped so that fields cannot run into each other."""
    if type(value) is int:  # most are
        return str(value)
    if value is None:
        return ""
    if isinstance(value, str):
        return value.replace("\\", "\\\\").replace("\n", "\\n") if "\\" in value or "\n" in value else value
    if isinstance(value, uuid.UUID):
        return value.hex
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, (bytes, memoryview)):
        return bytes(value).hex()
    if isinstance(value, datetime.date):
        return value.isoformat()
    return str(value)


def content_text(content: Iterable[Any]) -> str:
    """The columns of CONTENT in order, one a line; references as UUIDs."""
    return "\n".join(map(value_text, content))


def fact_digest(
    kind: str, fact: uuid.UUID | str, content: Iterable[Any] | str, version: int = CANONICAL_VERSION
) -> bytes:
    """sha256 of a fact: its UUID (or its 32 digits) and its content (or content_text() of it)."""
    if version != 1:
        raise ValueError(f"canonical form {version} is not known")
    identity = fact if isinstance(fact, str) else fact.hex
    text = content if isinstance(content, str) else content_text(content)
    return hashlib.sha256(f"{version}\n{kind}\n{identity}\n{text}".encode()).digest()


def facts_digest(digests: Iterable[bytes]) -> bytes:
    """The digest of a recording's facts, whatever order they are read in."""
    return hashlib.sha256(b"".join(sorted(digests))).digest()


def link(previous: bytes, recording: Sequence[Any], facts: bytes) -> bytes:
    """sha256(previous link + what the recording says + its facts).

    `recording` is (number, UUID, kind, author, role, reason's HMAC, recorded in UTC).
    """
    text = "\n".join(map(value_text, recording))
    return hashlib.sha256(bytes(previous) + text.encode() + b"\n" + facts).digest()


def text_mac(salt: bytes, body: str) -> bytes:
    """What a fact keeps of a name or free text: worthless once the salt is erased."""
    return hmac.digest(bytes(salt), body.encode(), "sha256")


def order_key(salt: bytes, name: str) -> str:
    """What playing order keeps of a name: equal names give equal keys inside one organisation."""
    return hmac.digest(bytes(salt), name.encode(), "sha256").hex()[:16]


def mark(salt: bytes, kind: str, content: str) -> int:
    """32 bits by which a damaged fact names itself. Keyed: nobody outside can try contents against it."""
    found = hashlib.blake2b(f"{kind}\n{content}".encode(), digest_size=4, key=bytes(salt)).digest()
    return int.from_bytes(found, "big")


@lru_cache(maxsize=64)
def uuid_head(recording: uuid.UUID) -> str:
    """The first 16 digits of the UUIDs of a recording's facts."""
    return hashlib.sha256(recording.bytes).hexdigest()[:12] + "8000"


def fact_uuid(recording: uuid.UUID, number: int, mark: int = 0) -> uuid.UUID:
    """The UUID of the n-th fact of a recording: of version 8, rising, so that indexes grow at their end.

    Its end is the mark of the content; 0: none.
    """
    return uuid.UUID(int=int(uuid_head(recording), 16) << 64 | 0x2 << 62 | number << 32 | mark)


def uuid_number(digits: str) -> tuple[int, int]:
    """(number, mark) of a fact's UUID, given as 32 digits. ValueError where it has another shape."""
    value = int(digits[16:], 16)
    if len(digits) != 32 or value >> 62 != 0x2:
        raise ValueError(digits)
    return value >> 32 & 0x3FFFFFFF, value & 0xFFFFFFFF
