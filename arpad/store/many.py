"""Many facts of one kind at once, given by columns: the same facts as Recorder.add() makes, much faster."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b, sha256
from itertools import repeat
from typing import Any

from arpad.store import canonical
from arpad.store import recorder as writing
from arpad.store.models.facts import CANONICAL_VERSION, Fact

HEAD = ["id", "organisation_id", "recording_id", "uuid"]


def add_many(
    r: writing.Recorder,
    model: type[Fact],
    columns: dict[str, Sequence[Any]],
    content: Sequence[Sequence[int] | Sequence[str]],
) -> tuple[list[int], list[str]]:
    """Record facts; their keys, and the 32 digits of their UUIDs.

    columns   of the table, after those that every fact has, in the order in which add() writes them
    content   what is hashed, in the order of CONTENT: whole numbers, or texts as canonical.value_text()
    """
    contents = _contents(content)
    identities, digests = _named(r, model.KIND, contents)
    keys = [r.key(model) for _ in contents]
    r.count += len(contents)
    r.digests += digests
    whose = repeat(r.organisation.pk), repeat(r.row.pk)
    r.wait(model, [*HEAD, *columns], zip(keys, *whose, identities, *columns.values(), strict=False))
    r.counted(len(contents))
    return keys, identities


def _contents(columns: Sequence[Sequence[Any]]) -> list[str]:
    """content_text() of each fact."""
    marks, varying = [], []
    for column in columns:
        if column.count(column[0]) == len(column):
            marks.append(str(column[0]).replace("%", "%%"))
        else:
            marks.append("%s")
            varying.append(column)
    line = "\n".join(marks)
    if not varying:
        return [line.replace("%%", "%")] * len(columns[0])
    return list(map(line.__mod__, zip(*varying, strict=True)))


def _named(r: writing.Recorder, kind: str, contents: Sequence[str]) -> tuple[list[str], list[bytes]]:
    """fact_uuid() and fact_digest() of each."""
    identities: list[str] = []
    digests: list[bytes] = []
    head, prefix = canonical.uuid_head(r.row.uuid), f"{CANONICAL_VERSION}\n{kind}\n"
    keyed = blake2b(f"{kind}\n".encode(), digest_size=4, key=bytes(r.organisation.salt)).copy
    for number, content in enumerate(contents, 0x80000000 | r.count):
        mark = keyed()
        mark.update(content.encode())
        identity = f"{head}{number:08x}{mark.hexdigest()}"
        identities.append(identity)
        digests.append(sha256(f"{prefix}{identity}\n{content}".encode()).digest())
    return identities, digests
