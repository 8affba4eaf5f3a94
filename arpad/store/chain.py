"""Organisations, recordings and facts of a source, in the form that the hash chain speaks of."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any, NamedTuple

from django.db import models

from arpad.store import canonical
from arpad.store.models import (
    FACTS,
    Application,
    Club,
    Correction,
    Event,
    EventInPool,
    Fact,
    Game,
    Import,
    Membership,
    Organisation,
    ParameterChange,
    Person,
    Pool,
    Posting,
    Recording,
    SamePerson,
    Void,
)
from arpad.store.source import Source, column_field

# What facts refer to comes first, so that one pass resolves every reference.
READ_IN_ORDER: tuple[type[Fact], ...] = (
    Person, Club, Pool, Event, Membership, Import, EventInPool, Game, Application, Correction, Posting,
    ParameterChange, SamePerson, Void,
)  # fmt: skip
assert set(READ_IN_ORDER) == set(FACTS)
ORGANISATION = ("id", "uuid", "slug", "salt", "chain_number", "chain_link")
RECORDING = (
    "id", "organisation_id", "number", "uuid", "kind", "author", "role", "reason_id", "reason_mac",
    "recorded", "facts", "digest", "link",
)  # fmt: skip
HEAD = ("id", "organisation_id", "recording_id", "uuid")


class Tenant(NamedTuple):
    """An organisation and the end of its chain."""

    key: int
    uuid: str
    slug: str
    salt: bytes
    chain_number: int
    chain_link: bytes


class Recorded(NamedTuple):
    """A sealed recording as it is stored."""

    key: int
    organisation: int
    number: int
    uuid: str
    kind: str
    author: str
    role: str
    reason: int | None
    reason_mac: bytes
    recorded: str
    facts: int
    digest: bytes
    link: bytes

    def content(self) -> tuple[Any, ...]:
        """What the chain says of it (recorder.recording_content)."""
        return self.number, self.uuid, self.kind, self.author, self.role, self.reason_mac, self.recorded


class FactRow(NamedTuple):
    """A fact, its references as UUIDs."""

    key: int
    organisation: int
    recording: int  # its key
    uuid: str
    content: list[Any]
    more: tuple[Any, ...]  # the columns asked for beside the content


class Dangling(NamedTuple):
    """A reference that leads nowhere, in place of the UUID."""

    key: Any

    def __str__(self) -> str:
        return f"?{self.key}"


def tenants(source: Source) -> dict[int, Tenant]:
    """Organisations by key."""
    found = (Tenant(*row) for row in source.rows(Organisation, ORGANISATION))
    return {t.key: t._replace(salt=raw(t.salt), chain_link=raw(t.chain_link)) for t in found}


def recordings(source: Source) -> tuple[dict[int, Recorded], set[int]]:
    """Sealed recordings by key, and the keys of those that are not sealed."""
    sealed, unsealed = {}, set()
    for row in source.rows(Recording, RECORDING):
        if row[2] is None:
            unsealed.add(row[0])
        else:
            sealed[row[0]] = _recorded(Recorded(*row))
    return sealed, unsealed


def _recorded(row: Recorded) -> Recorded:
    """Values of the types that are expected, whatever damage was done."""
    number, facts = (value if isinstance(value, int) else -1 for value in (row.number, row.facts))
    return row._replace(
        number=number,
        facts=facts,
        uuid=str(row.uuid),
        reason_mac=raw(row.reason_mac),
        digest=raw(row.digest),
        link=raw(row.link),
    )


def raw(value: Any) -> bytes:
    """A binary column; SQLite takes anything there."""
    return bytes(value) if isinstance(value, bytes | memoryview) else str(value).encode()


class FactReader:
    """Reads facts kind by kind, in the order of READ_IN_ORDER, and knows the UUIDs they refer to."""

    def __init__(self, source: Source) -> None:
        self.source = source
        referred = {target for model in FACTS for target in _targets(model).values()}
        self.uuids: dict[type[models.Model], dict[int, str]] = {model: {} for model in referred}

    def read(self, model: type[Fact], more: tuple[str, ...] = ()) -> Iterator[FactRow]:
        """Every fact of a kind, sealed or not."""
        references = _targets(model)
        columns = [f"{name}_id" if name in references else name for name in model.CONTENT]
        known = self.uuids.get(model)
        resolve = [(i, self.uuids[references[n]]) for i, n in enumerate(model.CONTENT) if n in references]
        end = len(HEAD) + len(columns)
        for row in self.source.rows(model, (*HEAD, *columns, *more)):
            content = list(row[4:end])
            for at, table in resolve:
                if content[at] is not None:
                    content[at] = table.get(content[at]) or Dangling(content[at])
            if known is not None:
                known[row[0]] = row[3]
            yield FactRow(row[0], row[1], row[2], str(row[3]), content, row[end:])


def _targets(model: type[Fact]) -> dict[str, type[Fact]]:
    """Names in CONTENT that are references, with what they refer to."""
    found: dict[str, type[Fact]] = {}
    names = {field.column for field in model._meta.local_concrete_fields}
    for name in model.CONTENT:
        if f"{name}_id" in names:
            found[name] = column_field(model, f"{name}_id").related_model  # type: ignore[assignment]
    return found


def link_of(previous: bytes, recorded: Recorded, digest: bytes) -> bytes:
    """The link that a recording should have."""
    return canonical.link(previous, recorded.content(), digest)


def head_of(recorded: Recorded) -> str:
    """The first 16 digits of its facts' UUIDs; "" where its own UUID is none."""
    try:
        return canonical.uuid_head(uuid.UUID(recorded.uuid))
    except ValueError:
        return ""
