"""Cleaning the database's own files after an erasure: what was deleted must not be readable in them.

SQLite overwrites what it deletes (secure_delete), but rows that moved between pages may have left copies,
and the write-ahead log holds the pages as they were. So the log is emptied, the file is searched, and
rebuilt where something is still there. PostgreSQL keeps dead rows, and names in its statistics: the side
tables and the statistics are rewritten. Its write-ahead log keeps the past until it is recycled; archives
of it are outside our reach (docs/reference/cli.md says so).
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from django.db import DatabaseError, connections

from arpad.store.models import (
    BirthDate,
    Decision,
    KeptApart,
    NameKey,
    Organisation,
    OutsideId,
    PersonDetail,
    PersonName,
    PersonStatus,
    RawFile,
    Text,
)

SIDE = (
    PersonName, NameKey, BirthDate, PersonDetail, OutsideId, Decision, KeptApart, PersonStatus, Text, RawFile,
)  # fmt: skip
PATIENCE = 30.0  # seconds to wait for readers of the log
BLOCK = 1 << 24
TELLING = 5  # letters of a part that says who it was


def telling_parts(organisation: Organisation, people: Sequence[int], using: str = "default") -> set[str]:
    """The folded parts of some persons' names that nobody else has: what would give them away in a file."""
    keys = NameKey.objects.using(using)
    own = set(keys.filter(person__in=people).values_list("part", flat=True))
    others = keys.filter(organisation=organisation, part__in=own).exclude(person__in=people)
    return {part for part in own - set(others.values_list("part", flat=True)) if len(part) >= TELLING}


def scrub(names: Iterable[str], parts: Iterable[str], using: str = "default") -> list[str]:
    """Clean the files of a database. What is said is where a name still stands; nothing: nowhere.

    names  that were erased. One may stand in a fact, such as the name of an event, and then stays
    parts  telling_parts() of the persons, taken before they were erased

    Not inside a transaction.
    """
    connection = connections[using]
    if connection.in_atomic_block:
        raise RuntimeError("files are cleaned after the transaction")
    if connection.vendor == "postgresql":
        return _postgres(using)
    return _sqlite(using, [name.encode() for name in names], [part.encode() for part in parts])


def _sqlite(using: str, names: Sequence[bytes], parts: Sequence[bytes]) -> list[str]:
    file = Path(str(connections[using].settings_dict["NAME"]))
    log = file.with_name(f"{file.name}-wal")
    waits = [f"{log.name}: somebody reads the database; clean again later"]
    if not _empty_log(using):
        return waits
    if found_in(file, [*names, *parts]):
        try:
            _rebuild(using)
        except DatabaseError as error:
            return [f"{file.name}: {' '.join(str(error).split())}"]
        if not _empty_log(using):
            return waits
    return [f"{path.name}: {name.decode()}" for path in (file, log) for name in found_in(path, names)]


def _rebuild(using: str) -> None:
    """Write the whole file anew from its rows; on disk, for it may be larger than the memory."""
    with connections[using].cursor() as cursor:
        cursor.execute("PRAGMA temp_store=FILE")
        try:
            cursor.execute("VACUUM")
        finally:
            cursor.execute("PRAGMA temp_store=MEMORY")


def _empty_log(using: str) -> bool:
    """Bring the write-ahead log into the database and cut it to nothing; False where a reader holds it."""
    end = time.monotonic() + PATIENCE
    while True:
        with connections[using].cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            busy = cursor.fetchone()[0]
        if not busy:
            return True
        if time.monotonic() > end:
            return False
        time.sleep(0.1)


def found_in(path: Path, needles: Sequence[bytes]) -> list[bytes]:
    """Which of some byte strings stand in a file."""
    if not needles or not path.exists():
        return []
    found: set[bytes] = set()
    overlap = max(map(len, needles))
    tail = b""
    with path.open("rb") as file:
        while block := file.read(BLOCK):
            block = tail + block
            found |= {needle for needle in needles if needle in block}
            tail = block[-overlap:]
    return sorted(found)


def _postgres(using: str) -> list[str]:
    left = []
    tables = ", ".join(model._meta.db_table for model in SIDE)
    with connections[using].cursor() as cursor:
        cursor.execute(f"VACUUM (FULL, ANALYZE) {tables}")
        # ANALYZE keeps common values of a column; the old row of the statistics is dead, not gone
        for statement in ("VACUUM FULL pg_catalog.pg_statistic", "CHECKPOINT"):
            try:
                cursor.execute(statement)
            except DatabaseError as error:
                left.append(f"{statement}: {' '.join(str(error).split())}")
    return left
