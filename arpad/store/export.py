"""The whole ledger of an organisation as JSON lines: importable elsewhere, verifiable without a database.

manifest.json         what this is, the chain's end, the pools with their settled digests, sha256 of the rest
recordings.jsonl      a recording a line, with its link
facts.jsonl           a fact a line: recording, kind, uuid, content in CONTENT's order, references by UUID
side/*.jsonl          names, texts, files ...: what can be erased; in the complete export only
lists.jsonl           published lists with their lines; in the complete export only

The public export has pseudonyms (the UUIDs), no free text, no files, no clubs, and a birth year only where
a ruleset's numbers cannot be had without it (arpad.store.public). Its chain is one of its own, over what
it holds: from the ledger's own links a birth year or a name could be found by trying them all.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

from django.apps import apps
from django.db import models

from arpad.engine.replay import replay
from arpad.rulesets.catalogue import find
from arpad.store import canonical, public
from arpad.store.chain import READ_IN_ORDER, FactReader, Recorded, Tenant, recordings, tenants
from arpad.store.digest import digest
from arpad.store.models import (
    WITH_REASON,
    Fact,
    ListEntry,
    Organisation,
    Person,
    Pool,
    RatingList,
    Recording,
    Text,
)
from arpad.store.models.facts import CANONICAL_VERSION
from arpad.store.pool_ledger import PoolLedger
from arpad.store.settle import ruleset_digest
from arpad.store.source import Source, column_field

FORMAT = 1
COMPLETE, PUBLIC = "complete", "public"
MANIFEST, RECORDINGS, FACT_LINES, LISTS = "manifest.json", "recordings.jsonl", "facts.jsonl", "lists.jsonl"
SETTINGS = ("name", "policy", "window_days", "headline")  # of a pool: what may change
LIST_COLUMNS = (
    "id", "uuid", "day", "version", "published", "author", "through", "settlement", "ruleset_digest",
    "digest", "withdrawn", "withdrawn_reason_id", "pool_id", "organisation_id",
)  # fmt: skip
UNSEALED = object()  # in place of a person who is not recorded yet
Writer = Callable[[BinaryIO], None]
Line = dict[str, Any]


class Export:
    """One organisation's ledger, to be written file by file; the manifest comes last.

    `pools` holds each pool's ledger as the engine takes it, for whoever writes flat files beside.
    """

    def __init__(self, source: Source, organisation: Organisation, kind: str, using: str = "default") -> None:
        self.source, self.organisation, self.kind, self.using = source, organisation, kind, using
        self.tenant: Tenant = tenants(source)[organisation.pk]
        found, _ = recordings(source)
        mine = [recorded for recorded in found.values() if recorded.organisation == organisation.pk]
        self.recorded: list[Recorded] = sorted(mine, key=lambda recorded: recorded.number)
        self.digests: dict[int, list[bytes]] = {recorded.key: [] for recorded in self.recorded}
        self.sums: dict[str, str] = {}
        self.pools: list[tuple[Pool, PoolLedger]] = []
        self.settled: list[Line] = []
        self.years = public.Years()
        for pool in Pool.objects.using(using).filter(
            organisation=organisation, recording__number__isnull=False
        ):
            self._pool(pool)

    def _pool(self, pool: Pool) -> None:
        """Rate a pool from nothing: what a third party must find again."""
        facts = PoolLedger(pool, self.using)
        facts.advance(self.tenant.chain_number)
        self.pools.append((pool, facts))
        rules = find(pool.ruleset)
        settled = ""
        if facts.ledger.events:
            settled = digest(facts, replay(facts.ledger, rules))
        said: Line = {
            "uuid": pool.uuid.hex, "slug": pool.slug, "ruleset": pool.ruleset, "digest": settled,
            "ruleset_digest": ruleset_digest(rules.module.__file__),
        }  # fmt: skip
        said |= {name: getattr(pool, name) for name in SETTINGS}
        if self.kind == PUBLIC and settled:
            self.years.choose(pool, facts, settled)
        self.settled.append(said)

    # --- files ------------------------------------------------------------------------------------

    def files(self) -> dict[str, Writer]:
        """What writes each file, in the order in which they must be written."""
        lines: dict[str, Callable[[], Iterator[Line]]] = {
            FACT_LINES: self._facts,
            RECORDINGS: self._recordings,
        }
        if self.kind == COMPLETE:
            lines |= {f"side/{model._meta.model_name}.jsonl": self._side_of(model) for model in side_models()}
            lines[LISTS] = self._lists
        writers = {name: self._writer(name, made) for name, made in lines.items()}
        writers[MANIFEST] = lambda file: _write(file, json.dumps(self._manifest(), indent=1) + "\n")
        return writers

    def noted(self, name: str, data: bytes) -> bytes:
        """A file that is written beside: the manifest names its sha256 too."""
        self.sums[name] = hashlib.sha256(data).hexdigest()
        return data

    def _writer(self, name: str, made: Callable[[], Iterator[Line]]) -> Writer:
        def write(file: BinaryIO) -> None:
            found = hashlib.sha256()
            for line in made():
                data = (json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n").encode()
                found.update(data)
                file.write(data)
            self.sums[name] = found.hexdigest()

        return write

    def _facts(self) -> Iterator[Line]:
        reader = FactReader(self.source)
        numbers = {recorded.key: recorded.number for recorded in self.recorded}
        texts = self._texts()
        for model in READ_IN_ORDER:
            more = ("reason_id",) if model in WITH_REASON else ()
            for row in reader.read(model, more):
                number = numbers.get(row.recording)
                if number is None:
                    continue
                content = [value.hex() if isinstance(value, bytes) else value for value in row.content]
                if self.kind == PUBLIC:
                    hidden = public.content_of(model, row, content, self.years)
                    if hidden is None:
                        continue
                    content = hidden
                self.digests[row.recording].append(canonical.fact_digest(model.KIND, row.uuid, content))
                line: Line = {"recording": number, "kind": model.KIND, "uuid": row.uuid, "content": content}
                if more and self.kind == COMPLETE:
                    line["reason"] = texts.get(row.more[0])
                yield line

    def _recordings(self) -> Iterator[Line]:
        texts = self._texts()
        keys: dict[int, str | None] = dict(self.source.rows(Recording, ("id", "key")))
        link = bytes(32)
        for recorded in self.recorded:
            line: Line = {
                "number": recorded.number, "uuid": recorded.uuid, "kind": recorded.kind,
                "author": recorded.author, "role": recorded.role, "reason_mac": recorded.reason_mac.hex(),
                "recorded": recorded.recorded, "facts": len(self.digests[recorded.key]),
            }  # fmt: skip
            if self.kind == COMPLETE:
                line |= {"digest": recorded.digest.hex(), "link": recorded.link.hex()}
                line |= {"reason": texts.get(recorded.reason), "key": keys[recorded.key]}
            else:
                line |= {"author": "", "reason_mac": ""}
                facts = canonical.facts_digest(self.digests[recorded.key])
                link = canonical.link(link, content_of_recording(line), facts)
                line |= {"digest": facts.hex(), "link": link.hex()}
            yield line

    def _manifest(self) -> Line:
        organisation = self.organisation
        said: Line = {
            "format": FORMAT, "kind": self.kind, "canonical": CANONICAL_VERSION,
            "organisation": {"uuid": self.tenant.uuid, "slug": self.tenant.slug, "name": organisation.name,
                             "language": organisation.language, "time_zone": organisation.time_zone},
            "recordings": self.tenant.chain_number, "pools": self.settled,
            "files": dict(sorted(self.sums.items())),
        }  # fmt: skip
        if self.kind == COMPLETE:
            said["organisation"]["salt"] = self.tenant.salt.hex()
            said["link"] = self.tenant.chain_link.hex()
        else:
            said["birth_years"] = self.years.told()
        return said

    # --- what can be erased -------------------------------------------------------------------------

    def _texts(self) -> dict[int | None, str]:
        return dict(self.source.rows(Text, ("id", "uuid"))) if self.kind == COMPLETE else {}

    def _people(self) -> dict[int, str]:
        rows = self.source.rows(Person, ("id", "uuid", "recording_id"))
        return {key: identity for key, identity, recording in rows if recording in self.digests}

    def _side_of(self, model: type[models.Model]) -> Callable[[], Iterator[Line]]:
        columns = side_columns(model)

        def lines() -> Iterator[Line]:
            people = self._people()
            fields = {column: column_field(model, column) for column in columns}
            for owner, *values in self.source.rows(model, ("organisation_id", *columns)):
                if owner == self.organisation.pk:
                    cells = zip(columns, values, strict=True)
                    line = {column: _cell(fields[column], value, people) for column, value in cells}
                    if UNSEALED not in line.values():
                        yield line

        return lines

    def _lists(self) -> Iterator[Line]:
        people, texts = self._people(), self._texts()
        pools = {pool.pk: pool.uuid.hex for pool, _ in self.pools}
        entries: dict[int, list[Any]] = {}
        for of, person, rating, label, games in self.source.rows(
            ListEntry, ("list_id", "person_id", "rating", "label", "games")
        ):
            entries.setdefault(of, []).append([people[person], rating, label, games])
        for row in self.source.rows(RatingList, LIST_COLUMNS):
            line: Line = dict(zip(LIST_COLUMNS, row, strict=True))
            if line.pop("organisation_id") == self.organisation.pk:
                line["pool"] = pools[line.pop("pool_id")]
                line["withdrawn_reason"] = texts.get(line.pop("withdrawn_reason_id"))
                line["entries"] = entries.get(line.pop("id"), [])
                yield line


def content_of_recording(line: Line) -> tuple[Any, ...]:
    """What the chain says of a recording (recorder.recording_content)."""
    return tuple(
        line[name] for name in ("number", "uuid", "kind", "author", "role", "reason_mac", "recorded")
    )


def side_models() -> list[type[models.Model]]:
    """The erasable tables."""
    module = Text.__module__
    return [model for model in apps.get_app_config("store").get_models() if model.__module__ == module]


def side_columns(model: type[models.Model]) -> list[str]:
    """The columns of an erasable table that are exported."""
    skipped = ("id", "organisation_id")
    return [str(field.column) for field in model._meta.local_concrete_fields if field.column not in skipped]


def _cell(field: models.Field[Any, Any], value: Any, people: dict[int, str]) -> Any:
    if value is None:
        return None
    if isinstance(field, models.BinaryField):
        return base64.b64encode(bytes(value)).decode()
    if isinstance(field, models.BooleanField):
        return bool(value)
    if isinstance(target := field.related_model, type) and issubclass(target, Fact):
        return people.get(value, UNSEALED)
    return value


def _write(file: BinaryIO, text: str) -> None:
    file.write(text.encode())
