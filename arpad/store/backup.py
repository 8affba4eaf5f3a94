"""Backups: one consistent state of everything, taken while others write, verified before it gets its name.

SQLite: a copy of the database file, made with SQLite's own online backup, which anybody can open.
PostgreSQL: a zip of manifest.json and one file a table in PostgreSQL's COPY text format, all read in one
REPEATABLE READ transaction; no program of PostgreSQL's is needed for writing or restoring it.
Recordings that are not sealed are left out of both. The file is for its owner alone (0600).
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import sqlite3
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from django.apps import apps
from django.db import connections, models

from arpad.domain.problems import FATAL, Problem, Refused
from arpad.store.models import FACTS, Fact, Recording
from arpad.store.source import Row, column_field, reader_of_text, snapshot, sqlite_file
from arpad.store.verify import Report, verify_facts

FORMAT = 1  # of the zip
MANIFEST = "manifest.json"
SEALED = "SELECT id FROM store_recording WHERE number IS NOT NULL"
COLUMNS = (
    "SELECT column_name FROM information_schema.columns WHERE table_schema = current_schema() "
    "AND table_name = %s ORDER BY ordinal_position"
)
_ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


class Backup(NamedTuple):
    """A backup that was written and read again."""

    path: Path
    size: int  # bytes
    report: Report


def backup(target: Path, using: str = "default", check: bool = True) -> Backup:
    """Write a backup. Raises Refused: `output-exists`, `output-unwritable`, `backup-bad`.

    check   False: of a database whose tables are those of an earlier release, which only it can verify
    """
    if target.exists():
        message = f"{target} is there already."
        raise Refused(Problem("output-exists", FATAL, message, "Give another name; nothing was written."))
    part = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        report = _write(part, using, check)
        if not report.good:
            bad = report.bad[0]
            message = f"What was written is not good: {bad.place()}: {bad.message}"
            raise Refused(
                Problem("backup-bad", FATAL, message, "Run `arpad verify`; keep the older backups.")
            )
        size = _safe(part)
        part.replace(target)
        _sync_folder(target.parent)
    except (OSError, sqlite3.OperationalError) as error:
        reason = getattr(error, "strerror", None) or error
        message = f"{target} cannot be written: {reason}. Nothing was written."
        problem = Problem("output-unwritable", FATAL, message, "Choose another folder, or make room.")
        raise Refused(problem) from error
    finally:
        for left in (part, part.with_name(part.name + "-journal"), part.with_name(part.name + "-wal")):
            with contextlib.suppress(OSError):
                left.unlink(missing_ok=True)
    return Backup(target, size, report)


def _write(part: Path, using: str, check: bool) -> Report:
    connection = connections[using]
    unchecked = Report({}, [], 0, 0.0)
    if connection.vendor == "postgresql":
        with snapshot(using) as source:
            write_archive(part, source.database)  # type: ignore[attr-defined]
        with zipfile.ZipFile(part) as archive:
            return verify_facts(Archive(archive)) if check else unchecked
    copy_sqlite(Path(str(connection.settings_dict["NAME"])), part)
    with sqlite_file(part) as source:
        return verify_facts(source) if check else unchecked


def _safe(path: Path) -> int:
    with path.open("rb") as file:
        os.fsync(file.fileno())
    return path.stat().st_size


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


# --- what is in a backup --------------------------------------------------------------------------


def tables() -> list[type[models.Model]]:
    """Every model with a table of its own."""
    return [m for m in apps.get_models(include_auto_created=True) if m._meta.managed and not m._meta.proxy]


def left_out(model: type[models.Model]) -> str:
    """SQL condition of the rows that no backup holds: those of recordings that are not sealed. "": none."""
    if model is Recording:
        return "number IS NULL"
    if issubclass(model, Fact):
        return f"recording_id NOT IN ({SEALED})"
    unsealed = [
        f'"{field.column}" IN (SELECT id FROM {target._meta.db_table} WHERE recording_id NOT IN ({SEALED}))'
        for field in model._meta.local_concrete_fields
        if isinstance(target := field.related_model, type) and issubclass(target, Fact)
    ]
    return " OR ".join(unsealed)


# --- SQLite -----------------------------------------------------------------------------------------


def copy_sqlite(database: Path, target: Path) -> None:
    """An online copy as it stands at one moment, without what is not sealed."""
    with (
        contextlib.closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=30)) as source,
        contextlib.closing(sqlite3.connect(target, timeout=30)) as copy,
    ):
        source.backup(copy)  # all pages in one step: writers go on in the log
        copy.execute("PRAGMA journal_mode=DELETE")  # one file, without a log beside it
        copy.execute("PRAGMA secure_delete=ON")
        (unsealed,) = copy.execute("SELECT COUNT(*) FROM store_recording WHERE number IS NULL").fetchone()
        if unsealed:
            _drop_unsealed(copy)
        (found,) = copy.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            message = f"The copy of the database is damaged: {found}"
            raise Refused(
                Problem("backup-bad", FATAL, message, "Run `arpad verify`; keep the older backups.")
            )


def _drop_unsealed(copy: sqlite3.Connection) -> None:
    there = {row[0] for row in copy.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    last: list[type[models.Model]] = [*FACTS[::-1], Recording]
    with copy:
        for model in [
            *(model for model in tables() if model not in last),
            *last,
        ]:  # what refers to a fact goes before the fact
            if model._meta.db_table in there and left_out(model):
                copy.execute(f"DELETE FROM {model._meta.db_table} WHERE {left_out(model)}")


# --- PostgreSQL -------------------------------------------------------------------------------------


def write_archive(path: Path, database: Any) -> None:
    """Every table of a snapshot into a zip."""
    manifest: dict[str, Any] = {"format": FORMAT, "program": "arpad", "tables": {}}
    query = "SELECT app, name FROM django_migrations ORDER BY id"
    manifest["migrations"] = [list(row) for row in database.execute(query).fetchall()]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for model in tables():
            table = model._meta.db_table
            columns = [row[0] for row in database.execute(COLUMNS, [table]).fetchall()]
            if not columns:  # a table of a later release
                continue
            manifest["tables"][table] = columns
            names = ", ".join(f'"{column}"' for column in columns)
            where = f" WHERE ({left_out(model)}) IS NOT TRUE" if left_out(model) else ""
            statement = f"COPY (SELECT {names} FROM {table}{where}) TO STDOUT"
            with (
                archive.open(_member(table), "w", force_zip64=True) as file,
                database.cursor() as cursor,
                cursor.copy(statement) as copy,
            ):
                for data in copy:
                    file.write(data)
        archive.writestr(MANIFEST, json.dumps(manifest, indent=1))


def _member(table: str) -> str:
    return f"tables/{table}.copy"


class Archive:
    """An archive as a source of rows."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self.archive = archive
        self.manifest: dict[str, Any] = json.loads(archive.read(MANIFEST))

    def rows(self, model: type[models.Model], columns: Sequence[str]) -> Iterator[Row]:
        """The named columns of every row."""
        table = model._meta.db_table
        order = self.manifest["tables"].get(table, [])
        cells = [(order.index(column), reader_of_text(column_field(model, column))) for column in columns]
        with self.archive.open(_member(table)) as file:
            for line in file:
                texts = line.decode("utf-8", "backslashreplace").removesuffix("\n").split("\t")
                yield tuple(_cell(texts[at], read) for at, read in cells)

    def lines(self, table: str) -> Iterator[bytes]:
        """A table's rows as they were copied out, in blocks."""
        with self.archive.open(_member(table)) as file:
            while block := file.read(1 << 20):
                yield block


def _cell(text: str, read: Any) -> Any:
    if text == "\\N":
        return None
    if "\\" in text:
        text = re.sub(r"\\(.)", lambda found: _ESCAPES.get(found[1], found[1]), text)
    return read(text)
