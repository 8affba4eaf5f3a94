"""Dated rules: which Params hold on which day, published editions and a club's own changes together."""

from __future__ import annotations

import difflib
import math
from array import array
from bisect import bisect_right
from collections.abc import Iterable
from typing import Any, NamedTuple

from arpad.domain.dates import NO_DAY
from arpad.domain.problems import RuleRefusal
from arpad.ledger.facts import ParameterChange
from arpad.rulesets.catalogue import Ruleset


class DatedParams(NamedTuple):
    """Rows of parameters, each holding from its day until the next row's."""

    days: list[int]
    rows: list[Any]  # Params
    table: array[float]  # the same, flat, for the loops
    first_edition: int  # games before this day are refused; NO_DAY: none
    edition_days: list[int]
    own_days: list[int]  # on which a club's own parameters change
    mixed: dict[tuple[int, int], int]  # (number of edition, changes so far) -> row

    def row_for(self, start: int, own_day: int) -> int:
        """The row of the edition in force on `start` with the club's changes up to `own_day`."""
        edition = max(0, bisect_right(self.edition_days, start) - 1)
        return self.mixed[edition, bisect_right(self.own_days, own_day)]

    def row_at(self, day: int) -> int:
        """The row in force on a day; before the first edition: its row (the caller refuses games)."""
        return max(0, bisect_right(self.days, day) - 1)

    def at(self, day: int) -> Any:
        """The Params in force on a day."""
        return self.rows[self.row_at(day)]


def check_parameter(ruleset: Ruleset, name: str, value: float) -> float:
    """The value as the parameter takes it. Raises RuleRefusal (`parameter-unknown`, `parameter-value`)."""
    fields = ruleset.params_type._fields
    if name not in fields:
        near = difflib.get_close_matches(name, fields, n=3, cutoff=0.3) or fields
        raise RuleRefusal(
            "parameter-unknown", f"{ruleset.id} has no parameter '{name}'.", f"Nearest: {', '.join(near)}."
        )
    published = getattr(ruleset.editions[-1][1], name)
    if not math.isfinite(value) or (isinstance(published, int) and value != int(value)):
        kind = "a whole number" if isinstance(published, int) else "a number"
        raise RuleRefusal(
            "parameter-value", f"{name} = {value} is not {kind}.", f"Give {kind}, such as {published}."
        )
    return int(value) if isinstance(published, int) else float(value)


def dated_params(ruleset: Ruleset, changes: Iterable[ParameterChange], params: Any = None) -> DatedParams:
    """Editions with the changes on top; `params` replaces every edition by one set of parameters."""
    editions = [(NO_DAY, params)] if params is not None else list(ruleset.editions)
    own = [c._replace(value=check_parameter(ruleset, c.name, c.value)) for c in changes]
    own.sort(key=lambda c: (c.day, c.name, c.value))
    days = sorted({day for day, _ in editions} | {max(c.day, editions[0][0]) for c in own})
    rows = []
    for day in days:
        edition = [p for first, p in editions if first <= day][-1]
        rows.append(edition._replace(**{c.name: c.value for c in own if c.day <= day}))
    own_days = sorted({c.day for c in own})
    mixed = {}
    for number, (_, edition) in enumerate(editions):
        for changes_so_far, day in enumerate([NO_DAY - 1, *own_days]):
            row = edition._replace(**{c.name: c.value for c in own if c.day <= day})
            if row not in rows:  # such as the older edition with a newer change
                rows.append(row)
            mixed[number, changes_so_far] = rows.index(row)
    table = array("d", [float(value) for row in rows for value in row])
    return DatedParams(
        days, rows, table, ruleset.editions[0][0], [day for day, _ in editions], own_days, mixed
    )
