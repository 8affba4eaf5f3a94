"""What the tests of belgian-go and us-table-tennis share: reading vectors and texts."""

from __future__ import annotations

import csv
import re
import tomllib
from decimal import Decimal
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

VECTORS = Path(__file__).parent / "vectors"
TEXTS = Path(__file__).resolve().parents[2] / "arpad" / "locale" / "en"
PRINTED = {"player", "other", "score", "weight", "stones", "result", "event", "date"}


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


def check_texts(name: str, module: ModuleType) -> None:
    """Keys name a field of their NamedTuple, with a sign; placeholders are known to the printer."""
    texts = tomllib.loads((TEXTS / f"{name}.toml").read_text("utf-8"))
    known = PRINTED | {*module.Step._fields, *module.Settled._fields, *module.State._fields}
    for table, fields in (("step", module.Step._fields), ("settle", module.Settled._fields)):
        for key in texts[table]:
            field, _, sign = key.partition(".")
            assert field in fields, f"[{table}] {key}"
            assert sign in ("", "pos", "neg", "zero"), f"[{table}] {key}"
    for table in texts.values():
        for key, sentence in table.items():
            unknown = set(re.findall(r"\{(\w*)\}", sentence)) - known
            assert not unknown, f"{key}: {unknown}"
            assert sentence == sentence.strip() and sentence.endswith("."), key
