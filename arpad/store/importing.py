"""A complete export into an empty database, of either kind: the same UUIDs, links and settled digests."""

from __future__ import annotations

import base64
import datetime
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from django.db import connections, models, transaction

from arpad.domain.problems import FATAL, Problem, Refused
from arpad.store.bulk import insert, reserve
from arpad.store.chain import READ_IN_ORDER
from arpad.store.export import LISTS, PUBLIC, SETTINGS, Line, side_columns, side_models
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
    Void,
)
from arpad.store.restore import Restored
from arpad.store.settle import Settler
from arpad.store.source import column_field
from arpad.store.verify import verify
from arpad.store.verify_export import ExportFact, ExportFiles, verify_export


def import_export(folder: Path, using: str = "default") -> Restored:
    """Import a complete export; its organisation must not be there yet. The pools are settled anew.

    Raises Refused: what verify_export() says, `export-public`, `restore-not-empty`, `derived-differs`.
    """
    from django.core.management import call_command

    from arpad.store.erasure import apply_journal

    found = verify_export(folder)
    if found.bad:
        raise Refused([Problem(bad.code, FATAL, bad.message, file=bad.place()) for bad in found.bad])
    files = ExportFiles(folder)
    if files.kind == PUBLIC:
        message = "A public export has no names; it can be verified, not gone on with."
        raise Refused(Problem("export-public", FATAL, message, "Use a complete export."))
    connection = connections[using]
    if connection.vendor == "sqlite":
        Path(str(connection.settings_dict["NAME"])).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    call_command("migrate", database=using, verbosity=0, interactive=False)
    identity = files.manifest["organisation"]["uuid"]
    if Organisation.objects.using(using).filter(uuid=identity).exists():
        message = f"The organisation {files.slug} is there already; nothing was imported."
        raise Refused(
            Problem("restore-not-empty", FATAL, message, "Restore into another folder or database.")
        )
    with transaction.atomic(using=using):
        organisation = _Importer(files, using).run()
    erased = apply_journal(using=using)
    for pool in Pool.objects.using(using).filter(organisation=organisation).order_by("pk"):
        _settle(pool, files, using)
    return Restored(verify(using), erased)


def _settle(pool: Pool, files: ExportFiles, using: str) -> None:
    said = next(said for said in files.manifest["pools"] if said["uuid"] == pool.uuid.hex)
    if not said["digest"]:
        return
    done = Settler(pool, using).settle()
    if done.digest != said["digest"]:
        message = f"{pool.slug}: its ratings here are not those of the export."
        raise Refused(Problem("derived-differs", FATAL, message, "Compare the releases: the rules differ."))


class _Importer:
    def __init__(self, files: ExportFiles, using: str) -> None:
        self.files, self.using = files, using
        self.keys: dict[str, dict[str, int]] = {}  # kind -> UUID -> new key
        self.texts: dict[str | None, int | None] = {None: None}
        self.recordings: dict[int, int] = {}
        self.organisation = Organisation()

    def run(self) -> Organisation:
        said = self.files.manifest["organisation"]
        self.organisation = Organisation.objects.using(self.using).create(
            uuid=said["uuid"], slug=said["slug"], name=said["name"], language=said["language"],
            time_zone=said["time_zone"], salt=bytes.fromhex(said["salt"]),
            chain_number=self.files.manifest["recordings"],
            chain_link=bytes.fromhex(self.files.manifest["link"]),
        )  # fmt: skip
        self._side(Text)
        self._recordings()
        for model in READ_IN_ORDER:
            self._facts(model)
        for side in side_models():
            if side is not Text:
                self._side(side)
        self._lists()
        return self.organisation

    def _insert(
        self, model: type[models.Model], columns: Sequence[str], rows: list[Sequence[Any]],
        keys: Sequence[int] | None = None,
    ) -> Sequence[int]:  # fmt: skip
        """Insert rows under new keys, which are returned."""
        if not rows:
            return []
        keys = reserve(self.using, model, len(rows)) if keys is None else keys
        insert(
            self.using, model, ("id", *columns), ((key, *row) for key, row in zip(keys, rows, strict=True))
        )
        return keys

    def _recordings(self) -> None:
        columns = ("organisation_id", "uuid", "number", "kind", "author", "role", "reason_id", "reason_mac",
                   "recorded", "facts", "digest", "link", "key")  # fmt: skip
        rows: list[Sequence[Any]] = [
            (self.organisation.pk, line["uuid"], line["number"], line["kind"], line["author"], line["role"],
             self.texts[line["reason"]], bytes.fromhex(line["reason_mac"]), _time(line["recorded"]),
             line["facts"], bytes.fromhex(line["digest"]), bytes.fromhex(line["link"]), line["key"])
            for line in self.files.recordings
        ]  # fmt: skip
        keys = self._insert(Recording, columns, rows)
        numbers = (line["number"] for line in self.files.recordings)
        self.recordings = dict(zip(numbers, keys, strict=True))

    def _facts(self, model: type[Fact]) -> None:
        facts = self.files.facts[model.KIND]
        keys = reserve(self.using, model, len(facts)) if facts else []
        # known before the rows are made: a void may be of a void
        self.keys[model.KIND] = {fact.uuid: key for fact, key in zip(facts, keys, strict=True)}
        columns = [field.column for field in model._meta.local_concrete_fields]
        extra = self._extra(model)
        names = ["organisation_id", "recording_id", "uuid"]
        content = [f"{name}_id" if f"{name}_id" in columns else name for name in model.CONTENT]
        readers = [self._reader(model, column) for column in content]
        rows: list[Sequence[Any]] = [
            (self.organisation.pk, self.recordings[fact.recording], fact.uuid,
             *(read(value) for read, value in zip(readers, fact.content, strict=True)),
             *(made(fact) for made in extra.values()))
            for fact in facts
        ]  # fmt: skip
        self._insert(model, [*names, *content, *extra], rows, keys)

    def _extra(self, model: type[Fact]) -> dict[str, Any]:
        """Columns that are no content: how each is made from a fact."""
        if model in WITH_REASON:
            return {"reason_id": lambda fact: self.texts[fact.reason]}
        if model is Void:
            return {"target_key": self._target}
        if model is Pool:
            said = {pool["uuid"]: pool for pool in self.files.manifest["pools"]}
            settings = {name: _setting(said, name) for name in SETTINGS}
            return {**settings, "current": lambda fact: 0}
        return {}

    def _target(self, fact: ExportFact) -> int:
        return self.keys[fact.content[0]][fact.content[1]]

    def _reader(self, model: type[Fact], column: str) -> Any:
        field = column_field(model, column)
        target = field.related_model
        if isinstance(target, type) and issubclass(target, Fact):
            keys = self.keys[target.KIND]
            return lambda value: None if value is None else keys[value]
        if isinstance(field, models.BinaryField):
            return bytes.fromhex
        return lambda value: value

    def _side(self, model: type[models.Model]) -> None:
        columns = side_columns(model)
        fields = {column: column_field(model, column) for column in columns}
        lines = list(self.files.lines(f"side/{model._meta.model_name}.jsonl"))
        rows: list[Sequence[Any]] = [
            (self.organisation.pk, *(self._cell(fields[column], line[column]) for column in columns))
            for line in lines
        ]
        keys = self._insert(model, ("organisation_id", *columns), rows)
        if model is Text:
            self.texts |= {line["uuid"]: key for line, key in zip(lines, keys, strict=True)}

    def _cell(self, field: models.Field[Any, Any], value: Any) -> Any:
        if value is None:
            return None
        if isinstance(field, models.BinaryField):
            return base64.b64decode(value)
        if isinstance(field, models.DateTimeField):
            return _time(value)
        if field.is_relation:
            return self.keys[Person.KIND][value]
        return value

    def _lists(self) -> None:
        pools, people = self.keys[Pool.KIND], self.keys[Person.KIND]
        columns = ("organisation_id", "pool_id", "uuid", "day", "version", "published", "author", "through",
                   "settlement", "ruleset_digest", "digest", "withdrawn", "withdrawn_reason_id")  # fmt: skip
        for line in self.files.lines(LISTS):
            row: Iterator[Any] = (line[name] for name in columns[6:11])
            withdrawn = None if line["withdrawn"] is None else _time(line["withdrawn"])
            head = (self.organisation.pk, pools[line["pool"]], line["uuid"], line["day"], line["version"])
            values = (*head, _time(line["published"]), *row, withdrawn, self.texts[line["withdrawn_reason"]])
            (key,) = self._insert(RatingList, columns, [values])
            entries: list[Sequence[Any]] = [
                (self.organisation.pk, key, people[who], *rest) for who, *rest in line["entries"]
            ]
            names = ("organisation_id", "list_id", "person_id", "rating", "label", "games")
            self._insert(ListEntry, names, entries)


def _setting(said: dict[str, Line], name: str) -> Any:
    return lambda fact: said[fact.uuid][name]


def _time(text: str) -> datetime.datetime:
    return datetime.datetime.fromisoformat(text)
