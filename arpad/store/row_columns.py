"""Rows of whole numbers as columns, a few bytes a value, and where two tables of them differ.

A table is a list of columns of one length. What is empty is EMPTY, and what a damaged database
holds in place of a whole number is ODD: neither equals any number that a rating can be.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

import numpy as np
from django.db import connections

from arpad.store.bulk import select

EMPTY, ODD = -(2**62), -(2**62) + 1
BLOCK = 20_000  # rows turned at a time
# COPY ... (FORMAT BINARY): 11 bytes of signature, flags, length of an extension; at the end a count of -1.
HEAD, TAIL = 19, 2

Columns = list[Any]


def columns_of(rows: Iterable[Sequence[Any]], width: int, skip: int = 0) -> Columns:
    """The last `width` values of each row, after `skip` others, as columns."""
    return _joined((list(zip(*block, strict=True))[skip:] for block in _blocks(rows)), width)


def stored_columns(using: str, table: str, columns: Sequence[str], where: str) -> Columns:
    """Columns of the rows of a table; a boolean is 0 or 1. `where` holds nothing but numbers and names."""
    if connections[using].vendor == "postgresql":
        return _copied(using, table, columns, where)
    # +column has no declared type, so that no converter is called for every value
    values = ", ".join(f"+{column}" for column in columns)
    rows = select(using, f"SELECT {values} FROM {table} WHERE {where}")
    return columns_of(rows, len(columns))


def _copied(using: str, table: str, columns: Sequence[str], where: str) -> Columns:
    """PostgreSQL sends every value as 8 bytes behind their count: records of one length."""
    values = ", ".join(f"COALESCE({column}::int::int8, {EMPTY})" for column in columns)
    for wide in ("id", "subject", "place", "opponent", "settlement"):
        values = values.replace(f"{wide}::int::int8", f"{wide}::int8")
    record = np.dtype([("fields", ">i2")] + [(f"{i}{p}", t) for i in range(len(columns)) for p, t in PARTS])

    def blocks() -> Iterator[list[Any]]:
        waiting, skip = bytearray(), HEAD
        with connections[using].cursor() as cursor:
            query = f"COPY (SELECT {values} FROM {table} WHERE {where}) TO STDOUT (FORMAT BINARY)"
            with cursor.copy(query) as copy:
                for data in copy:
                    waiting += data
                    if len(waiting) >= BLOCK * record.itemsize + HEAD + TAIL:
                        yield split(waiting, skip)
                        skip = 0
        yield split(waiting, skip)

    def split(waiting: bytearray, skip: int) -> list[Any]:
        whole = (len(waiting) - skip) // record.itemsize
        end = skip + whole * record.itemsize
        found = np.frombuffer(bytes(waiting[skip:end]), record)
        del waiting[:end]
        return [found[f"{i}value"] for i in range(len(columns))]

    return _joined(blocks(), len(columns))


PARTS = (("length", ">i4"), ("value", ">i8"))


def _blocks(rows: Iterable[Sequence[Any]]) -> Iterator[list[Sequence[Any]]]:
    rest = iter(rows)
    while block := list(islice(rest, BLOCK)):
        yield block


def _joined(blocks: Iterable[Sequence[Any]], width: int) -> Columns:
    parts: list[Columns] = [[] for _ in range(width)]
    for block in blocks:
        for part, column in zip(parts, block, strict=True):
            part.append(_whole(column))
    return [_drained(part) for part in parts]


def _drained(part: list[Any]) -> Any:
    """One array; column after column, so that not all of a table is there twice."""
    found = np.concatenate(part) if part else np.empty(0, np.int64)
    part.clear()
    return found


def _whole(column: Any) -> Any:
    """A block of a column, in 4 bytes a value where all fit."""
    if not isinstance(column, np.ndarray):
        try:
            column = np.frombuffer(array("q", column), np.int64)
        except (TypeError, OverflowError):
            column = np.array([_number(value) for value in column], np.int64)
    small = not len(column) or (column.min() > -(2**31) - 1 and column.max() < 2**31)
    return column.astype(np.int32 if small else np.int64)


def _number(value: Any) -> int:
    if value is None:
        return EMPTY
    return value if isinstance(value, int) and abs(value) < 2**63 else ODD


def newest(columns: Columns, keys: int, version: int) -> Columns:
    """Of the rows equal in the first `keys` columns those of the highest version, sorted by the keys.

    Two rows of one version both stay: that should not be, and is to be seen.
    """
    order = np.lexsort((columns[version], *reversed(columns[:keys])))
    if not len(order):
        return columns
    last = _changes(columns[:keys], order)  # True where the next row has another key
    group = np.concatenate(([0], np.cumsum(last)[:-1]))
    versions = columns[version][order]
    kept = order[versions == versions[last][group]]
    return [column[kept] for column in columns]


def in_order(columns: Columns, keys: int) -> Columns:
    """The same rows sorted by the first `keys` columns."""
    order = np.lexsort(tuple(reversed(columns[:keys])))
    return [column[order] for column in columns]


def _changes(keys: Columns, order: Any) -> Any:
    """Whether a row, in that order, is the last one of its key."""
    found = np.zeros(len(order), bool)
    for key in keys:
        ordered = key[order]
        found[:-1] |= ordered[1:] != ordered[:-1]
    found[-1] = True
    return found


def equal(one: Columns, other: Columns) -> bool:
    """Whether two tables hold the same rows in the same order."""
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def first_difference(
    stored: Columns, expected: Columns, keys: int, place: Sequence[int]
) -> tuple[list[list[int]], list[list[int]]]:
    """The stored and the expected rows of the first key that has not one of each, equal to the other.

    First by the columns `place`, then by key. Both are empty where the tables are equal.
    """
    both = [np.concatenate(pair) for pair in zip(expected, stored, strict=True)]
    source = np.repeat([0, 1], [len(expected[0]), len(stored[0])])
    order = np.lexsort((source, *reversed(both[:keys])))
    if not len(order):
        return [], []
    last = np.flatnonzero(_changes(both[:keys], order))
    start = np.concatenate(([0], last[:-1] + 1))
    good = (last - start == 1) & (source[order[start]] == 0) & (source[order[last]] == 1)
    for column in both:
        good &= column[order[start]] == column[order[last]]
    wrong = np.flatnonzero(~good)
    if not len(wrong):
        return [], []
    seen = order[start[wrong]]
    at = wrong[np.lexsort(tuple(reversed([both[i][seen] for i in (*place, *range(keys))])))[0]]
    rows = order[start[at] : last[at] + 1]
    found = [[int(column[row]) for column in both] for row in rows]
    split = int((source[rows] == 0).sum())
    return found[split:], found[:split]
