"""Upgrading a ledger to this release: backup, migrate, verify; or everything as it was."""

from __future__ import annotations

import datetime
import os
import shutil
import zipfile
from pathlib import Path
from typing import NamedTuple

from django.db import connections

from arpad.domain.problems import FATAL, Problem, Refused
from arpad.store import triggers
from arpad.store.backup import Archive, backup
from arpad.store.restore import drop_tables, fill
from arpad.store.verify import Report, verify


class Upgraded(NamedTuple):
    """What an upgrade did."""

    applied: tuple[str, ...]  # migrations, in order; empty: nothing was to be done
    backup: Path | None  # of the state before
    report: Report


def waiting(using: str = "default") -> tuple[str, ...]:
    """Migrations of this release that the database has not had yet, in order."""
    from django.db.migrations.executor import MigrationExecutor

    executor = MigrationExecutor(connections[using])
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return tuple(f"{migration.app_label} {migration.name}" for migration, _ in plan)


def upgrade(folder: Path, using: str = "default") -> Upgraded:
    """Bring a database up to this release; nobody else may be at work.

    folder   where the backup of the state before goes

    Raises Refused: `upgrade-failed`, with everything as it was; what backup() raises.
    """
    from django.core.management import call_command

    applied = waiting(using)
    if not applied:
        triggers.install(using)
        return Upgraded((), None, verify(using))
    now = datetime.datetime.now(datetime.UTC).strftime("%Y%m%dT%H%M%SZ")
    kept = backup(folder / f"before-upgrade-{now}.backup", using, check=False).path
    try:
        call_command("migrate", database=using, verbosity=0, interactive=False)
        triggers.install(using)
        report = verify(using)
        reason = "" if report.good else f"{report.bad[0].place()}: {report.bad[0].message}"
    except Exception as error:  # noqa: BLE001 - whatever a migration raises, the ledger is put back
        reason = f"{type(error).__name__}: {error}"
    if reason:
        put_back(kept, using)
        message = f"The upgrade failed: {' '.join(reason.split())} Everything is as it was before."
        raise Refused(Problem("upgrade-failed", FATAL, message, "Go on with the release you had."))
    return Upgraded(applied, kept, report)


def put_back(kept: Path, using: str = "default") -> None:
    """The database as it was when a backup was taken; what came after is lost."""
    connection = connections[using]
    if connection.vendor == "postgresql":
        drop_tables(using)
        with zipfile.ZipFile(kept) as archive:
            fill(Archive(archive), using)
        return
    connection.close()
    database = Path(str(connection.settings_dict["NAME"]))
    part = database.with_name(f"{database.name}.restoring")
    shutil.copyfile(kept, part)
    part.chmod(0o600)
    with part.open("rb") as file:
        os.fsync(file.fileno())
    for end in ("-wal", "-shm"):
        database.with_name(database.name + end).unlink(missing_ok=True)
    part.replace(database)
