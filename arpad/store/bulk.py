"""Bulk writing and reading past the ORM: executemany on SQLite, COPY on PostgreSQL."""

from __future__ import annotations

import sqlite3
import uuid
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from django.db import connections, models


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
    connection, table = connections[using], model._meta.db_table
    names = ", ".join(f'"{column}"' for column in columns)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY {table} ({names}) FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
            return
        marks = ", ".join(["?"] * len(columns))
        if _has_dates(model):
            rows = map(_plain, rows)
        _sqlite(cursor).executemany(f"INSERT INTO {table} ({names}) VALUES ({marks})", rows)


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


def _sqlite(cursor: Any) -> Any:
    """The driver's own cursor: Django's rewrites every statement and its parameters."""
    return cursor.connection.cursor()


# Without going through every value of every row: numbers, text and bytes need nothing.
sqlite3.register_adapter(uuid.UUID, lambda value: value.hex)


@cache
def _has_dates(model: type[models.Model]) -> bool:
    """Whether a column holds what SQLite keeps as text: days and times."""
    return any(isinstance(field, models.DateField) for field in model._meta.local_concrete_fields)


def _plain(row: Sequence[Any]) -> tuple[Any, ...]:
    """Values as Django's SQLite backend stores them."""
    return tuple(_sqlite_value(value) for value in row)


def _sqlite_value(value: Any) -> Any:
    kind = type(value)
    if kind is int or kind is str or kind is float or value is None:
        return value
    if kind is uuid.UUID:
        return value.hex
    if kind is bool:
        return int(value)
    if kind is bytes:
        return value
    if hasattr(value, "utcoffset"):  # an aware datetime: UTC without its offset
        return str(value.replace(tzinfo=None))
    if hasattr(value, "isoformat"):
        return value.isoformat()
    return value
