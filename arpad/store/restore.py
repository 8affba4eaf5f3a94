"""Restoring a backup into an empty place: read, checked, erased again, and only then given its name.

An erasure that came after the backup is repeated from the journal, which is in no backup, before
anything can be served. Whatever stops a restore leaves the place as empty as it was.
"""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from django.db import connections, transaction

from arpad.domain.problems import FATAL, Problem, Refused
from arpad.store.backup import MANIFEST, Archive, tables
from arpad.store.verify import Report, verify

SQLITE_HEAD = b"SQLite format 3\0"
ALIAS = "restoring"
# Nobody stays signed in, nobody is settling, over a restore.
ENDED = ("django_session", "store_lease")


class Restored(NamedTuple):
    """What a restore brought back."""

    report: Report
    erased: int  # people erased again


def restore(file: Path, using: str = "default") -> Restored:
    """Restore a backup into the empty database of a connection.

    Raises Refused: `backup-unreadable`, `backup-other-database`, `restore-not-empty`, `backup-newer`,
    `backup-bad` (what came back does not verify: nothing is kept).
    """
    kind = _kind(file)
    connection = connections[using]
    wanted = "sqlite" if kind == "sqlite" else "postgresql"
    if connection.vendor != wanted:
        message = f"This is a backup of a {wanted} database; the one in use is {connection.vendor}."
        remedy = "Export the ledger from a database of that kind: `arpad export`, `arpad restore --export`."
        raise Refused(Problem("backup-other-database", FATAL, message, remedy))
    _refuse_full(using)
    return _sqlite(file, using) if kind == "sqlite" else _postgres(file, using)


def _kind(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            head = opened.read(16)
        if head == SQLITE_HEAD:
            return "sqlite"
        with zipfile.ZipFile(file) as archive:
            if MANIFEST in archive.namelist():
                return "zip"
        reason = "it is no backup of Arpad's"
    except (OSError, zipfile.BadZipFile) as error:
        reason = str(getattr(error, "strerror", None) or error)
    message = f"{file} cannot be restored: {reason}."
    raise Refused(Problem("backup-unreadable", FATAL, message, "Choose a file that `arpad backup` wrote."))


def _refuse_full(using: str) -> None:
    connection = connections[using]
    if connection.vendor == "sqlite" and not Path(str(connection.settings_dict["NAME"])).exists():
        return
    if "store_organisation" in connection.introspection.table_names():
        with connection.cursor() as cursor:
            cursor.execute("SELECT COUNT(*) FROM store_organisation")
            if cursor.fetchone()[0] == 0:
                return
        message = "There is a ledger already; nothing was restored over it."
        raise Refused(
            Problem("restore-not-empty", FATAL, message, "Restore into another folder or database.")
        )


def _finish(using: str) -> Restored:
    """What both databases need before anybody may look."""
    from django.core.management import call_command

    from arpad.store.erasure import apply_journal
    from arpad.store.recorder import sweep

    call_command("migrate", database=using, verbosity=0, interactive=False)
    sweep(using)
    there = connections[using].introspection.table_names()
    with connections[using].cursor() as cursor:
        for table in ENDED:
            if table in there:
                cursor.execute(f"DELETE FROM {table}")
    erased = apply_journal(using=using)
    report = verify(using)
    if not report.good:
        bad = report.bad[0]
        message = f"What came back is not good: {bad.place()}: {bad.message} Nothing was kept."
        raise Refused(Problem("backup-bad", FATAL, message, "Use an older backup."))
    return Restored(report, erased)


# --- SQLite -----------------------------------------------------------------------------------------


def _sqlite(file: Path, using: str) -> Restored:
    from arpad.store.settings import database

    connections[using].close()
    target = Path(str(connections[using].settings_dict["NAME"]))
    target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    part = target.with_name(f"{target.name}.restoring")
    _clear(part)
    try:
        part.touch(mode=0o600)
        shutil.copyfile(file, part)
        with _registered(ALIAS, database(f"sqlite:///{part}")):
            _refuse_newer(_migrations_of(ALIAS))
            restored = _finish(ALIAS)
        with contextlib.closing(sqlite3.connect(part)) as last:
            last.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            last.execute("PRAGMA journal_mode=DELETE")
        for left in _beside(target):
            left.unlink(missing_ok=True)
        part.replace(target)
    except (OSError, sqlite3.DatabaseError) as error:
        message = f"{target} cannot be restored: {getattr(error, 'strerror', None) or error}."
        problem = Problem("output-unwritable", FATAL, message, "Choose another folder, or make room.")
        raise Refused(problem) from error
    finally:
        _clear(part)
    return restored


@contextlib.contextmanager
def _registered(alias: str, entry: dict[str, Any]) -> Iterator[None]:
    """Another database of this process, for a while."""
    connections.databases[alias] = connections.configure_settings({"default": entry})["default"]
    try:
        yield
    finally:
        connections[alias].close()
        del connections.databases[alias]
        del connections[alias]


def _beside(path: Path) -> list[Path]:
    return [path.with_name(path.name + end) for end in ("-wal", "-shm", "-journal")]


def _clear(part: Path) -> None:
    for path in (part, *_beside(part)):
        path.unlink(missing_ok=True)


# --- PostgreSQL -------------------------------------------------------------------------------------


def _postgres(file: Path, using: str) -> Restored:
    """Make the tables as they were, fill them in one transaction, bring them up to date."""
    with zipfile.ZipFile(file) as zipped:
        archive = Archive(zipped)
        _refuse_newer([(app, name) for app, name in archive.manifest["migrations"]])
        try:
            fill(archive, using)
            return _finish(using)
        except BaseException:
            drop_tables(using)
            raise


def fill(archive: Archive, using: str) -> None:
    """Into a database without tables: those of the archive, as they were."""
    from django.core.management import call_command

    for app, name in dict(archive.manifest["migrations"]).items():  # the last one of each
        call_command("migrate", app, name, database=using, verbosity=0, interactive=False)
    with transaction.atomic(using=using):
        _copy_in(archive, using)


REFERRED = ("store_organisation", "store_text", "store_recording")


def _copy_in(archive: Archive, using: str) -> None:
    connection = connections[using]
    keyed = {model._meta.db_table: model for model in tables()}
    with connection.cursor() as cursor:
        tables_in = archive.manifest["tables"]
        # what many refer to comes first: triggers look at a table when it is filled
        first = [table for table in REFERRED if table in tables_in]
        for table in dict.fromkeys([*first, *tables_in]):
            columns = tables_in[table]
            cursor.execute(f"DELETE FROM {table}")  # content types, permissions: the backup's are kept
            names = ", ".join(f'"{column}"' for column in columns)
            with cursor.copy(f"COPY {table} ({names}) FROM STDIN") as copy:
                for block in archive.lines(table):
                    copy.write(block)
            if table in keyed and "id" in columns:
                sequence = f"pg_get_serial_sequence('{table}', 'id')"
                cursor.execute(
                    f"SELECT setval({sequence}, GREATEST((SELECT MAX(id) FROM {table}), 1)) "
                    f"WHERE {sequence} IS NOT NULL"
                )


def drop_tables(using: str) -> None:
    """Take every table away."""
    connection = connections[using]
    connection.close()
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names():
            cursor.execute(f'DROP TABLE IF EXISTS "{table}" CASCADE')


# --- versions ---------------------------------------------------------------------------------------


def _migrations_of(using: str) -> list[tuple[str, str]]:
    with connections[using].cursor() as cursor:
        cursor.execute("SELECT app, name FROM django_migrations ORDER BY id")
        return [(app, name) for app, name in cursor.fetchall()]


def _refuse_newer(migrations: list[tuple[str, str]]) -> None:
    from django.db.migrations.loader import MigrationLoader

    known = MigrationLoader(None, ignore_no_migrations=True).disk_migrations or {}
    newer = [f"{app} {name}" for app, name in migrations if (app, name) not in known]
    if newer:
        message = f"The backup was made by a newer release: it has {newer[0]}."
        raise Refused(Problem("backup-newer", FATAL, message, "Install that release, then restore."))
