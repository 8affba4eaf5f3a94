"""Puts a replay and an oracle's outcome side by side, and says in words where they differ."""

from __future__ import annotations

from typing import Any

from arpad.domain.dates import day_text
from arpad.domain.units import UNRATED
from tests.oracle.facts import Outcome

Told = tuple[int, str]  # day, what


def differences(history: Any, outcome: Outcome, days: tuple[int, ...] = ()) -> list[str]:
    """Every difference, games first and in playing order."""
    ledger = history.plan.ledger
    told: list[Told] = []
    seen = set()
    for index in range(2 * history.plan.rows):
        side = history.side(index)
        seen.add(side.game)
        engine = (
            None if side.before == UNRATED else side.before,
            side.expected if side.rated else None,
            side.change,
        )
        oracle = outcome.sides[side.game][side.turn]
        if engine != oracle:
            names = f"{ledger.names[side.person]} - {ledger.names[side.opponent]}"
            event = ledger.events[side.event].name
            told.append(
                (side.day, f"{day_text(side.day)} {event!r} game {side.game} {names}: {engine} != {oracle}")
            )
    told += [(10**7, f"game {game} is not in the history") for game in sorted(set(outcome.sides) - seen)]
    for line in history.ratings():
        rating = None if line.state.rating == UNRATED else line.state.rating
        engine_line = (rating, line.label, line.games)
        if engine_line != outcome.final[line.player]:
            told.append((10**7, f"{line.player}: {engine_line} != {outcome.final[line.player]}"))
    for day in days:
        then = ratings_on(outcome, day)
        for person, state in history.at(day).items():
            rating = None if state.rating == UNRATED else state.rating
            name = ledger.names[person]
            if rating != then.get(name):
                told.append((day, f"{name} on {day_text(day)}: {rating} != {then.get(name)}"))
    return [text for _, text in sorted(told, key=lambda one: one[0])]


def ratings_on(outcome: Outcome, day: int) -> dict[str, int | None]:
    return {name: rating for since, name, rating in outcome.course if since <= day}
