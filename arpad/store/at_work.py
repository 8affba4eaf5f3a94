"""Who is at work on an unsealed recording: a start removes what a crash left, never what is being written.

PostgreSQL: a lock of the writer's session. SQLite: a lock on a small file beside the database. Both are gone
with the process that held them, however it ended.
"""

from __future__ import annotations

import os
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from django.db import DatabaseError, connections

if sys.platform != "win32":  # there nobody is known to be at work
    import fcntl


@contextmanager
def at_work(recording: uuid.UUID, using: str = "default") -> Iterator[None]:
    """Hold the lock of a recording that is being written."""
    if connections[using].vendor == "postgresql":
        _postgres("SELECT pg_advisory_lock(%s)", recording, using)
        try:
            yield
        finally:
            with suppress(DatabaseError):  # a connection that is lost holds nothing
                _postgres("SELECT pg_advisory_unlock(%s)", recording, using)
        return
    path = _file(recording, using)
    handle = _locked(path, os.O_CREAT)
    try:
        yield
    finally:
        if handle is not None:
            with suppress(OSError):
                path.unlink()
            os.close(handle)


def is_at_work(recording: uuid.UUID, using: str = "default") -> bool:
    """Whether another connection is writing a recording."""
    if connections[using].vendor == "postgresql":
        if not _postgres("SELECT pg_try_advisory_lock(%s)", recording, using):
            return True
        _postgres("SELECT pg_advisory_unlock(%s)", recording, using)
        return False
    path = _file(recording, using)
    if not path.exists():
        return False
    handle = _locked(path)
    if handle is None:
        return path.exists()
    with suppress(OSError):  # left by a writer that was killed
        path.unlink()
    os.close(handle)
    return False


def _postgres(statement: str, recording: uuid.UUID, using: str) -> object:
    with connections[using].cursor() as cursor:
        cursor.execute(statement, [recording.int >> 65])  # the first 63 bits
        return cursor.fetchone()[0]


def _file(recording: uuid.UUID, using: str) -> Path:
    name = Path(str(connections[using].settings_dict["NAME"]))
    return name.with_name(f".{name.name}.{recording.hex}")


def _locked(path: Path, flags: int = 0) -> int | None:
    """The file, locked; None where it cannot be had (a folder that takes no file takes no recording)."""
    if sys.platform == "win32":
        return None
    try:
        handle = os.open(path, os.O_RDWR | flags, 0o600)
    except OSError:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        return None
    return handle
