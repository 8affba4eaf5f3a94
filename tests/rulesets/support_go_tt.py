"""What the tests of belgian-go and us-table-tennis share: reading vectors."""

from __future__ import annotations

import csv
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

VECTORS = Path(__file__).parent / "vectors"


def cases(name: str, **fixed: str) -> list[Any]:
    """The rows of a vector file whose columns have the fixed values, as parameters with their id."""
    with (VECTORS / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if all(row[k] == v for k, v in fixed.items())]
    assert rows, (name, fixed)
    return [pytest.param(row, id=row["id"]) for row in rows]


def grains(points: str) -> int:
    """Exact grains of 0.01 point from a decimal."""
    value = Decimal(points) * 100
    assert value == int(value), points
    return int(value)
