"""A database that nobody trusts: opened in memory, read only, plain tables alone, with all limits set."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence

from arpad.domain.problems import FATAL, WARNING
from arpad.formats.reading import Findings

SQLITE = b"SQLite format 3\0"
ROWS = 50_000  # of a table
STEPS, TIMES = 100_000, 300  # instructions between two looks at the clock, and how often
Value = int | float | str | None
Row = Sequence[Value]
_LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: 2**16, sqlite3.SQLITE_LIMIT_SQL_LENGTH: 2**14,
    sqlite3.SQLITE_LIMIT_COLUMN: 100, sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 20,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 2, sqlite3.SQLITE_LIMIT_VDBE_OP: 20_000,
    sqlite3.SQLITE_LIMIT_FUNCTION_ARG: 4, sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 1, sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}  # fmt: skip


def is_whole(data: bytes) -> bool:
    """Whether all pages are there that the header tells of."""
    size = int.from_bytes(data[16:18], "big")
    pages = int.from_bytes(data[28:32], "big")
    return len(data) >= (65536 if size == 1 else size) * pages


def tables(data: bytes, wanted: Mapping[str, Sequence[str]], findings: Findings) -> dict[str, list[Row]]:
    """The rows of some tables, in their order, with the columns named. Raises Refused.

    Told: `file-truncated` for a damaged database, `schema-unknown` where a table or column is missing or
    is no plain table.
    """
    damaged = "The database is damaged, or ends in the middle."
    if not is_whole(data):
        findings.add("file-truncated", FATAL, damaged, "Transfer it again.")
        findings.refuse()
    connection = sqlite3.connect(":memory:")
    try:
        # a database in WAL mode asks for a file beside it, which does not exist here
        connection.deserialize(data[:18] + b"\x01\x01" + data[20:])
        for limit, value in _LIMITS.items():
            connection.setlimit(limit, value)
        for pragma in ("trusted_schema = OFF", "query_only = ON", "cell_size_check = ON", "mmap_size = 0"):
            connection.execute(f"PRAGMA {pragma}")
        left = iter(range(TIMES))
        connection.set_progress_handler(lambda: next(left, None) is None, STEPS)
        connection.text_factory = bytes
        if connection.execute("PRAGMA quick_check(1)").fetchone() != (b"ok",):
            raise sqlite3.DatabaseError
        _check(connection, wanted, findings)
        connection.set_authorizer(_allowed)
        return {name: _rows(connection, name, columns, findings) for name, columns in wanted.items()}
    except (sqlite3.Error, UnicodeDecodeError, OverflowError):
        findings.add("file-truncated", FATAL, damaged, "Transfer it again.")
    finally:
        connection.close()
    findings.refuse()


def _allowed(action: int, *_: object) -> int:
    """Reading, and nothing else: no functions, no pragmas, no other databases."""
    return (
        sqlite3.SQLITE_OK if action in (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ) else sqlite3.SQLITE_DENY
    )


def _check(connection: sqlite3.Connection, wanted: Mapping[str, Sequence[str]], findings: Findings) -> None:
    plain = {
        name
        for name, sql in connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'")
        if isinstance(sql, bytes) and sql[:12].upper() == b"CREATE TABLE"  # no virtual one
    }
    for table, columns in wanted.items():
        there = {
            name.decode("utf-8", "replace")
            for _, name, _, _, _, _, hidden in connection.execute(f"PRAGMA table_xinfo({table})")
            if not hidden  # a generated column would have to be worked out
        }
        missing = [name for name in columns if name not in there]
        if table.encode() not in plain or missing:
            what = f"has no {missing[0]}" if there and missing else "is missing, or no plain table"
            message = f"The table {table} {what}."
            findings.add("schema-unknown", FATAL, message, "Save it anew with a current version.")
    findings.refuse_where(FATAL)


def _rows(
    connection: sqlite3.Connection, table: str, columns: Sequence[str], findings: Findings
) -> list[Row]:
    names = ", ".join(f'"{name}"' for name in columns)
    found: list[Row] = []
    for row in connection.execute(f"SELECT {names} FROM {table} NOT INDEXED"):
        if len(found) >= ROWS:
            message = f"The table {table} has more than {ROWS} rows."
            findings.add("file-too-large", FATAL, message, "Check the file.")
            findings.refuse()
        found.append([_text(value, findings, len(found) + 1) for value in row])
    return found


def _text(value: object, findings: Findings, line: int) -> Value:
    if not isinstance(value, bytes):
        return value if isinstance(value, int | float) else None
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        text = value.decode("cp1252", "replace")
        message = f"A text is no UTF-8 and was read as Windows-1252: {text[:60]}"
        findings.add("text-not-utf8", WARNING, message, "Check the accented names.", line)
        return text
