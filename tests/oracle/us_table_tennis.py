"""us-table-tennis worked out a second time, in integers."""

from __future__ import annotations

import datetime
from fractions import Fraction
from typing import Any

from tests.oracle.facts import Facts, Meeting, Outcome, one_by_one
from tests.oracle.tables import away, percentage, whole_difference

WON = {
    5: {(3, 0): 100, (3, 1): 75, (3, 2): 60, (2, 3): 40, (1, 3): 25, (0, 3): 0},
    3: {(2, 0): 100, (2, 1): 67, (1, 2): 33, (0, 2): 0},
    7: {(4, 0): 100, (4, 1): 80, (4, 2): 67, (4, 3): 57, (3, 4): 43, (2, 4): 33, (1, 4): 20, (0, 4): 0},
}
LADDER = {
    "eredivisie": 2600, "1e divisie": 2400, "2e divisie": 2200, "3e divisie": 2000, "1e klasse": 1800,
    "2e klasse": 1600, "3e klasse": 1400, "4e klasse": 1200, "5e klasse": 1000, "6e klasse": 800,
    "7e klasse": 600, "8e klasse": 400,
}  # fmt: skip


K_NAMES = {3: "k_best_of_three", 5: "k", 7: "k_best_of_seven"}


def first_rating(given: Any) -> int | None:
    """In hundredths of a point."""
    if given.rating is not None:
        points = Fraction(repr(given.rating))
    elif given.league:
        points = LADDER[given.league] + 5 * (Fraction(repr(given.percentage)) - 50)
    else:
        return None
    return away(100 * (points + Fraction(repr(given.adjustment))))


def full_score(game: Meeting) -> tuple[int, int, int]:
    """Sets of white, sets of black, best of: a retired match is won by the other side."""
    white, black, best_of = game.first, game.second, game.best_of
    if game.retired:
        best_of = best_of or 5
        if game.retired == 1:
            black = best_of // 2 + 1
        else:
            white = best_of // 2 + 1
    else:
        best_of = 2 * max(white, black) - 1
    return white, black, best_of


def rate(facts: Facts, seven: bool = False) -> Outcome:
    ratings: dict[str, int | None] = dict.fromkeys(facts.players)
    played = dict.fromkeys(facts.players, 0)
    outcome = Outcome({}, {}, [])
    acts = sorted(
        [(e.day, 0, e.player, first_rating(e.given), e.given.games) for e in facts.entries]
        + [(b.day, 1, b.player, away(100 * Fraction(repr(b.rating))), 0) for b in facts.bases]
        + [
            (b.day, -1, name, away(100 * Fraction(repr(b.points))), 0)
            for b in facts.bonuses
            for name in facts.players
        ],
        key=lambda act: act[:3],
    )

    def act_until(day: int) -> None:
        while acts and acts[0][0] <= day:
            when, what, name, rating, before = acts.pop(0)
            held = ratings[name]
            if what == -1:
                ratings[name] = None if held is None else held + rating
                outcome.course.append((when, name, ratings[name]))
            elif what == 1 or held is None:
                ratings[name] = rating
                played[name] += before
                outcome.course.append((when, name, rating))

    for _, game in one_by_one(facts):
        act_until(game.day)
        rules = {"cap": 350.0, "k_best_of_three": 30.0, "k": 50.0, "k_best_of_seven": 70.0}
        for change in facts.changes:
            if change.day <= game.day:
                rules[change.name] = change.value
        own, other = ratings[game.white], ratings[game.black]
        if game.kind != "sets" or not game.for_rating or game.weight == 0 or own is None or other is None:
            outcome.sides[game.number] = ((own, None, 0), (other, None, 0))
            continue
        white, black, best_of = full_score(game)
        cap = int(100 * rules["cap"])
        difference = whole_difference(max(-cap, min(cap, own - other)))
        k = Fraction(repr(float(rules[K_NAMES[best_of]])))
        sides = []
        for rating, sign, pair in ((own, 1, (white, black)), (other, -1, (black, white))):
            expected = percentage(sign * difference)
            change_ = away(k * (WON[best_of][pair] - expected))
            sides.append((rating, 10000 * expected, change_))
        outcome.sides[game.number] = (sides[0], sides[1])
        for name, side in zip((game.white, game.black), sides, strict=True):
            ratings[name] = side[0] + side[2]
            played[name] += 1
            outcome.course.append((game.day, name, ratings[name]))
    act_until(datetime.date.max.toordinal())
    for name, rating in ratings.items():
        label = "unrated" if rating is None else str(away(Fraction(rating, 100)))
        outcome.final[name] = (rating, label, played[name])
    return outcome
