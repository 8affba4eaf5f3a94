"""Ledgers on which engine and text are known to part: each has a small case in test_against_oracle.py."""

from __future__ import annotations

import datetime

from tests.oracle.facts import Facts


def period_of(day: int, months: int) -> int:
    """The number of the list period of so many months that a day lies in."""
    date = datetime.date.fromordinal(day)
    return (12 * date.year + date.month - 1) // months


def undecided(facts: Facts, months: int) -> bool:
    """Whether a period of `months` months holds a first rating that a correction or a long event meets."""
    for entry in facts.entries:
        if not entry.day:
            continue
        period = period_of(entry.day, months)
        if any(
            base.player == entry.player and base.day >= entry.day and period_of(base.day, months) == period
            for base in facts.bases
        ):
            return True
        for occasion in facts.occasions:
            if occasion.last - occasion.start + 1 > 30 and occasion.start < entry.day:
                for game in occasion.games:
                    same = game.day >= entry.day and period_of(game.day, months) == period
                    if same and entry.player in (game.white, game.black):
                        return True
    return False
