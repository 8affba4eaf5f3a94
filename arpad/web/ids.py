"""Ids in addresses: sixteen letters and digits: opaque, the same for ever, found without a table.

A fact's UUID says which recording brought it and the how-manieth fact it was (arpad.store.canonical). An
id is those two, scrambled with the organisation's own key, so that it tells neither a count nor an order.
"""

from __future__ import annotations

import hashlib
import uuid
from functools import lru_cache

from arpad.store.canonical import uuid_number
from arpad.store.models import Organisation

LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"  # without i, l, o and u
LENGTH = 16
HALF = 40  # bits of each half of an id
HEAD = 64 - 16  # bits of a UUID that tell the recording
ROUNDS = 4


def short(organisation: Organisation, identity: uuid.UUID | str) -> str:
    """The id of a fact."""
    digits = identity.hex if isinstance(identity, uuid.UUID) else identity.replace("-", "")
    number, _mark = uuid_number(digits)
    return _short(bytes(organisation.salt), int(digits[:12], 16), number)


@lru_cache(maxsize=200_000)
def _short(salt: bytes, head: int, number: int) -> str:
    bits = _scrambled(salt, head << 32 | number, range(ROUNDS))
    return "".join(LETTERS[bits >> 5 * place & 31] for place in reversed(range(LENGTH)))


def span(organisation: Organisation, text: str) -> tuple[uuid.UUID, uuid.UUID]:
    """The first and the last UUID that a fact with this id can have. ValueError for what is no id."""
    if len(text) != LENGTH:
        raise ValueError(text)
    bits = 0
    for letter in text:
        bits = bits << 5 | LETTERS.index(letter)
    left, right = bits >> HALF, bits & (1 << HALF) - 1
    plain = _scrambled(bytes(organisation.salt), right << HALF | left, reversed(range(ROUNDS)))
    plain = (plain & (1 << HALF) - 1) << HALF | plain >> HALF
    head, number = plain >> 32, plain & 0xFFFFFFFF
    if number >> 30:
        raise ValueError(text)
    first = head << 80 | 0x8 << 76 | 0x2 << 62 | number << 32
    return uuid.UUID(int=first), uuid.UUID(int=first | 0xFFFFFFFF)


def _scrambled(salt: bytes, bits: int, rounds: object) -> int:
    """A Feistel network over two halves."""
    left, right = bits >> HALF, bits & (1 << HALF) - 1
    for turn in rounds:  # type: ignore[attr-defined]
        mixed = hashlib.blake2b(
            right.to_bytes(5, "big"), digest_size=5, key=salt, person=bytes([turn])
        ).digest()
        left, right = right, left ^ int.from_bytes(mixed, "big")
    return left << HALF | right
