"""One moment of a whole database, read beside whoever writes; equal values from SQLite and PostgreSQL.

UUIDs come as 32 hexadecimal digits, dates and times as ISO text (times in UTC, to the microsecond),
binary columns as bytes. Reading takes no lock that a writer would wait for.
"""

from __future__ import annotations

import datetime
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import quote

from django.db import connections, models

BLOCK = 20_000  # rows fetched at a time
Row = tuple[Any, ...]


class Source(Protocol):
    """Whatever gives the rows of a model's table: a database, a copy of one, an archive."""

    def rows(self, model: type[models.Model], columns: Sequence[str]) -> Iterator[Row]:
        """The named columns of every row."""
        ...


@contextmanager
def snapshot(using: str = "default") -> Iterator[Source]:
    """The database of a Django connection as it is now, whatever is written meanwhile."""
    connection = connections[using]
    if connection.vendor == "postgresql":
        with _postgres(connection.get_connection_params()) as source:
            yield source
        return
    with sqlite_file(Path(str(connection.settings_dict["NAME"]))) as source:
        yield source


@contextmanager
def sqlite_file(path: Path) -> Iterator[Source]:
    """A SQLite file, opened for reading alone."""
    database = sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True, timeout=30)
    try:
        # a damaged byte must be found, not stumbled over
        database.text_factory = lambda data: data.decode("utf-8", "backslashreplace")
        database.isolation_level = None
        database.execute("BEGIN")
        database.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()  # here the moment is taken
        yield _Sqlite(database)
    finally:
        database.close()


@contextmanager
def _postgres(parameters: dict[str, Any]) -> Iterator[Postgres]:
    import psycopg

    options = {k: v for k, v in parameters.items() if k not in ("cursor_factory", "context")}
    with psycopg.connect(**options) as database:
        database.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        database.read_only = True
        database.execute("SET TIME ZONE 'UTC'")
        yield Postgres(database)
        database.rollback()


class _Sqlite:
    def __init__(self, database: sqlite3.Connection) -> None:
        self.database = database

    def rows(self, model: type[models.Model], columns: Sequence[str]) -> Iterator[Row]:
        names = ", ".join(f'"{column}"' for column in columns)
        cursor = self.database.cursor()
        cursor.arraysize = BLOCK
        cursor.execute(f"SELECT {names} FROM {model._meta.db_table}")
        return _through(_times(model, columns), iter(cursor))


class Postgres:
    """A PostgreSQL server, in one transaction that sees one moment."""

    def __init__(self, database: Any) -> None:
        self.database = database

    def rows(self, model: type[models.Model], columns: Sequence[str]) -> Iterator[Row]:
        names = ", ".join(_as_sqlite(model, column) for column in columns)
        with self.database.cursor(name="rows") as cursor:
            cursor.itersize = BLOCK
            cursor.execute(f"SELECT {names} FROM {model._meta.db_table}")
            yield from _through(_times(model, columns), iter(cursor))


def _as_sqlite(model: type[models.Model], column: str) -> str:
    field = column_field(model, column)
    if isinstance(field, models.UUIDField):
        return f"replace(\"{column}\"::text, '-', '')"
    if isinstance(field, models.DateTimeField):
        return f"\"{column}\" AT TIME ZONE 'UTC'"
    if isinstance(field, models.DateField):
        return f'"{column}"::text'
    return f'"{column}"'


def column_field(model: type[models.Model], column: str) -> models.Field[Any, Any]:
    """The field behind a column."""
    return next(field for field in model._meta.local_concrete_fields if field.column == column)


def _times(model: type[models.Model], columns: Sequence[str]) -> list[int]:
    return [i for i, c in enumerate(columns) if isinstance(column_field(model, c), models.DateTimeField)]


def _through(times: list[int], rows: Iterator[Row]) -> Iterator[Row]:
    return rows if not times else (_with_times(row, times) for row in rows)


def _with_times(row: Row, times: list[int]) -> Row:
    cells = list(row)
    for at in times:
        cells[at] = utc_text(cells[at])
    return tuple(cells)


def utc_text(value: Any) -> Any:
    """A time as the hash chain writes it; what is no time comes back as it is, to be found wrong.

    >>> utc_text("2024-09-03 20:15:00")
    '2024-09-03T20:15:00.000000+00:00'
    """
    if isinstance(value, str):
        try:
            value = datetime.datetime.fromisoformat(value)
        except ValueError:
            return value
    if not isinstance(value, datetime.datetime):
        return value
    zoned = value.replace(tzinfo=datetime.UTC) if value.tzinfo is None else value.astimezone(datetime.UTC)
    return zoned.isoformat(timespec="microseconds")


def reader_of_text(field: models.Field[Any, Any]) -> Callable[[str], Any]:
    """Turns a cell of PostgreSQL's text format into the value that rows() gives."""
    if isinstance(field, models.UUIDField):
        return lambda text: text.replace("-", "")
    if isinstance(field, models.BinaryField):
        return lambda text: bytes.fromhex(text[2:])
    if isinstance(field, models.DateTimeField):
        return utc_text
    if isinstance(field, models.BooleanField):
        return lambda text: text == "t"
    if isinstance(field, models.FloatField):
        return float
    if isinstance(field, models.IntegerField | models.AutoField | models.ForeignKey | models.OneToOneField):
        return int
    return lambda text: text
