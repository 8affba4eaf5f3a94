"""Many people and first ratings at once: the same facts as Recorder.person() and first_rating() make."""

from __future__ import annotations

from collections.abc import Sequence
from hmac import digest
from typing import Any
from uuid import UUID

from arpad.domain.play import Application as ApplicationValue
from arpad.store.canonical import value_text
from arpad.store.many import add_many
from arpad.store.models import Application, NameKey, Person, PersonName
from arpad.store.names import name_parts
from arpad.store.recorder import NAME_KEY, PIECE, Recorder, Ref, application_text, new_salts

NAMES = [
    "id", "organisation_id", "person_id", "name", "shown", "first", "salt", "recorded", "recorded_by",
]  # fmt: skip


def add_people(r: Recorder, names: Sequence[str]) -> list[Ref]:
    """Somebody new for each name."""
    made: list[Ref] = []
    for start in range(0, len(names), PIECE):
        made += _people(r, names[start : start + PIECE])
    return made


def _people(r: Recorder, names: Sequence[str]) -> list[Ref]:
    salts, owner = new_salts(len(names)), bytes(r.organisation.salt)
    spelt = [name.encode() for name in names]
    macs = [digest(salt, name, "sha256") for salt, name in zip(salts, spelt, strict=True)]
    order = [digest(owner, name, "sha256").hex()[:16] for name in spelt]
    columns: dict[str, Sequence[Any]] = {"name_mac": macs, "order_key": order}
    keys, identities = add_many(r, Person, columns, [[mac.hex() for mac in macs], order])
    whose, name_keys = r.organisation.pk, [r.key(PersonName) for _ in keys]
    when, author = r.row.recorded, r.row.author
    r.wait(PersonName, NAMES, (
        (key, whose, person, name, True, True, salt, when, author)
        for key, person, name, salt in zip(name_keys, keys, names, salts, strict=True)
    ))  # fmt: skip
    for key, name in zip(keys, names, strict=True):
        r.wait(NameKey, NAME_KEY, [(whose, key, part) for part in name_parts(name)])
    return [Ref(Person.KIND, key, UUID(hex=one)) for key, one in zip(keys, identities, strict=True)]


def add_first_ratings(
    r: Recorder, pool: Ref, people: Sequence[Ref], applications: Sequence[ApplicationValue],
    days: Sequence[int],
) -> None:  # fmt: skip
    """A first rating in a pool for each of the people."""
    for start in range(0, len(people), PIECE):
        piece = slice(start, start + PIECE)
        _first_ratings(r, pool, people[piece], applications[piece], days[piece])


def _first_ratings(
    r: Recorder, pool: Ref, people: Sequence[Ref], applications: Sequence[ApplicationValue],
    days: Sequence[int],
) -> None:  # fmt: skip
    reasons = [r.reason_of(application.reason) for application in applications]
    keys, macs = (list(column) for column in zip(*reasons, strict=True))
    texts: dict[ApplicationValue, str] = {}
    contents = []
    for application in applications:
        text = texts.get(application)
        if text is None:
            text = texts[application] = application_text(application._replace(reason=""))
        contents.append(text)
    columns: dict[str, Sequence[Any]] = {
        "pool_id": [pool.key] * len(people), "person_id": [person.key for person in people],
        "day": days, "content": contents, "reason_id": keys, "reason_mac": macs,
    }  # fmt: skip
    told: list[Sequence[Any]] = [
        [pool.uuid.hex] * len(people), [person.uuid.hex for person in people], days,
        list(map(value_text, contents)), [mac.hex() for mac in macs],
    ]  # fmt: skip
    add_many(r, Application, columns, told)
