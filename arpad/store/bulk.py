"""Bulk writing and reading past the ORM: statements of many rows on SQLite, COPY on PostgreSQL."""

from __future__ import annotations

import datetime
import gc
import re
import sqlite3
import uuid
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import chain, islice
from types import NoneType
from typing import Any

from django.db import Error, connections, models

BLOCK = 20_000  # rows turned into columns at a time
PARAMETERS = 2_000  # of one statement on SQLite


def reserve(using: str, model: type[models.Model], count: int) -> Sequence[int]:
    """Integer keys for `count` new rows; nobody else gets them."""
    connection, table = connections[using], model._meta.db_table
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                # the sequence's name is looked up once, not for each key
                "SELECT nextval((SELECT pg_get_serial_sequence(%s, 'id')::regclass)) "
                "FROM generate_series(1, %s)",
                [table, count],
            )
            return [row[0] for row in cursor.fetchall()]
        cursor.execute(
            "UPDATE sqlite_sequence SET seq = seq + %s WHERE name = %s RETURNING seq", [count, table]
        )
        row = cursor.fetchone()
        if row is None:
            cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, count])
            return range(1, count + 1)
        return range(row[0] - count + 1, row[0] + 1)


def insert(
    using: str, model: type[models.Model], columns: Sequence[str], rows: Iterable[Sequence[Any]]
) -> None:
    """Insert rows of database values (UUID, bytes, numbers, text, dates) into a model's table."""
    rest = iter(rows)
    while block := list(islice(rest, BLOCK)):
        insert_columns(using, model, columns, list(zip(*block, strict=True)))


def insert_columns(
    using: str, model: type[models.Model], names: Sequence[str], columns: Sequence[Sequence[Any]]
) -> None:
    """The same of rows that are given as columns, all of one length; all in memory at once."""
    if not len(columns[0]):
        return
    connection, table = connections[using], model._meta.db_table
    listed = ", ".join(f'"{name}"' for name in names)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            statement = f"COPY {table} ({listed}) FROM STDIN"
            with connection.wrap_database_errors, cursor.copy(statement) as copy:
                copy.write(copy_text(columns))
        else:
            _insert_sqlite(_sqlite(cursor), f"INSERT INTO {table} ({listed}) VALUES ", columns)


def select(using: str, query: str, parameters: Sequence[Any] = ()) -> Iterable[tuple[Any, ...]]:
    """Rows of a query, read in blocks."""
    with connections[using].cursor() as cursor:
        cursor.execute(query, list(parameters))
        while rows := cursor.fetchmany(20_000):
            yield from rows


def analyse(using: str, tables: Iterable[type[models.Model]]) -> None:
    """Let PostgreSQL look at tables to which much was added; it would join a million rows like ten."""
    connection = connections[using]
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            for model in tables:
                cursor.execute(f"ANALYZE {model._meta.db_table}")


def raw_delete(using: str, model: type[models.Model], recording_key: int) -> None:
    """Delete the facts of an unsealed recording (a trigger refuses sealed ones)."""
    with connections[using].cursor() as cursor:
        cursor.execute(f"DELETE FROM {model._meta.db_table} WHERE recording_id = %s", [recording_key])


# --- much at once ---------------------------------------------------------------------------------

# What a commit waits for, inside and afterwards; and on SQLite how many pages may wait in the log.
HASTE = {
    "sqlite": ("PRAGMA synchronous=NORMAL", "PRAGMA wal_autocheckpoint=8000"),
    "postgresql": ("SET synchronous_commit=off",),
}
CARE = {
    "sqlite": ("PRAGMA synchronous=FULL", "PRAGMA wal_autocheckpoint=1000"),
    "postgresql": ("SET synchronous_commit=on",),
}


@contextmanager
def at_length(using: str) -> Iterator[None]:
    """While much is written that nobody sees yet, pieces do not wait for the disk one by one.

    What makes them count is to be committed afterwards, outside: that commit waits for the log, in which
    they stand before it. Python's search for cycles waits too: it would go through millions of rows.
    """
    connection, collecting = connections[using], gc.isenabled()
    if connection.in_atomic_block:  # one transaction: nothing is waited for in between
        yield
        return
    _say(connection, HASTE)
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()
        with suppress(Error):  # a connection that is lost comes back as it was
            _say(connection, CARE)


def _say(connection: Any, statements: dict[str, tuple[str, ...]]) -> None:
    with connection.cursor() as cursor:
        for statement in statements[connection.vendor]:
            cursor.execute(statement)


# --- SQLite ---------------------------------------------------------------------------------------


def _insert_sqlite(cursor: sqlite3.Cursor, insert: str, columns: Sequence[Sequence[Any]]) -> None:
    """Many rows in a statement: a row of its own costs SQLite's driver three times what the row does."""
    marks, varying = [], []
    for column in columns:
        value = _sqlite_value(column[0])
        if type(value) in (int, NoneType) and column.count(column[0]) == len(column):
            marks.append("NULL" if value is None else str(value))
        else:
            marks.append("?")
            varying.append(column if set(map(type, column)) <= _PLAIN else list(map(_sqlite_value, column)))
    row = f"({', '.join(marks)})"
    if not varying:
        cursor.execute(insert + ", ".join([row] * len(columns[0])))
        return
    values, width = list(chain.from_iterable(zip(*varying, strict=True))), len(varying)
    step = max(1, min(len(columns[0]), PARAMETERS // width)) * width
    whole = len(values) // step * step
    statement = insert + ", ".join([row] * (step // width))
    for start in range(0, whole, step):
        cursor.execute(statement, values[start : start + step])
    if whole < len(values):
        cursor.execute(insert + ", ".join([row] * ((len(values) - whole) // width)), values[whole:])


def _sqlite(cursor: Any) -> Any:
    """The driver's own cursor: Django's rewrites every statement and its parameters."""
    return cursor.connection.cursor()


_PLAIN = {int, str, float, bytes, NoneType}


def _sqlite_value(value: Any) -> Any:
    """A value as Django's SQLite backend stores it."""
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is uuid.UUID:
        return value.hex
    if kind is bool:
        return int(value)
    if hasattr(value, "utcoffset"):  # an aware datetime: UTC without its offset
        return str(value.replace(tzinfo=None))
    if hasattr(value, "isoformat"):
        return value.isoformat()
    return value


# --- PostgreSQL -----------------------------------------------------------------------------------


def copy_text(columns: Sequence[Sequence[Any]]) -> str:
    """Columns as COPY ... FROM STDIN reads them, a row a line."""
    marks, varying = [], []
    for column in columns:
        first, kinds = column[0], set(map(type, column))
        if len(kinds) == 1 and column.count(first) == len(column):
            marks.append(_copied(first).replace("%", "%%"))
            continue
        if kinds == {str} and not _SPECIAL.search("".join(column)):
            texts: Iterable[Any] = column
        else:
            texts = column if kinds == {int} else map(_copied, column)
        marks.append("%d" if kinds == {int} else "%s")
        varying.append(texts)
    line = "\t".join(marks) + "\n"
    if not varying:
        return line.replace("%%", "%") * len(columns[0])
    return "".join(map(line.__mod__, zip(*varying, strict=True)))


_SPECIAL = re.compile(r"[\\\t\n\r]")
_ESCAPED = str.maketrans({"\\": r"\\", "\t": r"\t", "\n": r"\n", "\r": r"\r"})


def _copied(value: Any) -> str:
    """A value in the text form of COPY."""
    if value is None:
        return r"\N"
    if isinstance(value, str):
        return value.translate(_ESCAPED)
    if isinstance(value, (bytes, memoryview)):
        return r"\\x" + bytes(value).hex()
    if isinstance(value, bool):
        return "t" if value else "f"
    return value.isoformat() if isinstance(value, datetime.date) else str(value)
