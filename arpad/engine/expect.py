"""What a game would do to two ratings, before it is played: a ruleset's step() and settle(), asked once."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from arpad.domain.dates import day_text, month_of
from arpad.domain.play import Application, Game, Tally, When
from arpad.domain.problems import RuleRefusal
from arpad.domain.results import read_result
from arpad.engine.parameters import dated_params
from arpad.engine.sentences import units_of
from arpad.ledger.facts import ParameterChange
from arpad.rulesets.catalogue import Ruleset, find

LARGEST_RATING = 100_000  # points, above or below zero


class Expectation(NamedTuple):
    """What `own` may expect."""

    difference: float  # points: the difference that the ruleset looks up, handicap included
    expected: float  # 0..1
    changes: dict[str, float]  # result, own first -> unrounded change of own, points
    rated: bool  # False: the rules say that such a game does not count


def expect(
    ruleset: str | Ruleset,
    own: float,
    opponent: float,
    *,
    handicap: int = 0,
    event_class: str = "",
    own_games: int = 0,
    date: int = 0,
    parameters: Mapping[str, float] | Iterable[ParameterChange] = (),
) -> Expectation:
    """The expected score and the unrounded change of `own` for each result the ruleset knows.

    own, opponent   ratings, points
    handicap        stones that own receives; negative: gives
    event_class     where the ruleset has classes; "": the one it takes by default
    own_games       rated games of own so far, as `games` in players.csv
    date            the day (domain.dates) that picks the edition; 0: today
    parameters      a club's own: name -> value, or dated changes

    In rulesets with a period longer than a game the change is K times that of this one game.
    Raises RuleRefusal for what the ruleset does not know.

    >>> at = expect("elo-logistic", 1500, 1500)
    >>> at.expected, at.changes
    (0.5, {'1-0': 10.0, '1/2-1/2': 0.0, '0-1': -10.0})
    """
    rules = find(ruleset) if isinstance(ruleset, str) else ruleset
    day = date or datetime.datetime.now(tz=datetime.UTC).astimezone().date().toordinal()
    p = _params(rules, day, parameters)
    me, other = (
        _state(rules, p, rating, games) for rating, games in ((own, own_games), (opponent, own_games))
    )
    _check_handicap(rules, handicap)
    weight = float(rules.weigh(p, _class(rules, event_class), rules.sizes[0] if rules.sizes else 0, None))
    marked = int(rules.claim is not None and rules.claim(p, me, other) > 0)
    month = month_of(day)
    changes: dict[str, float] = {}
    first: Any = None
    for text in rules.results:
        result = read_result(text)
        assert result is not None, f"{rules.id}: RESULTS has '{text}'"
        score, best_of = rules.score(p, result)
        terms = rules.step(p, me, other, Game(score, best_of, handicap, weight, month, marked))
        changes[text] = _change(rules, p, me, terms, score, month)
        first = first or terms
    return Expectation(_points(rules, first, "difference"), float(first.expected), changes, bool(first.rated))


def _params(rules: Ruleset, day: int, parameters: Mapping[str, float] | Iterable[ParameterChange]) -> Any:
    if isinstance(parameters, Mapping):
        parameters = [ParameterChange(0, name, value) for name, value in parameters.items()]
    dated = dated_params(rules, parameters)
    if dated.first_edition and day < dated.first_edition:
        raise RuleRefusal(
            "date-before-ruleset",
            f"{day_text(day)} is before the first edition of {rules.id} ({day_text(dated.first_edition)}).",
            "Give a later date.",
        )
    return dated.at(day)


def _state(rules: Ruleset, p: Any, rating: float, games: int) -> Any:
    """A player of that rating, entered as players.csv would."""
    if not math.isfinite(rating) or abs(rating) > LARGEST_RATING:
        raise RuleRefusal("rating-range", f"A rating of {rating} is none.", "Give points, such as 1500.")
    if not 0 <= games <= 1_000_000:
        raise RuleRefusal("number-shape", f"{games} is no number of games.", "Give the rated games so far.")
    return rules.enter(p, Application(rating=rating, games=games))


def _check_handicap(rules: Ruleset, stones: int) -> None:
    if abs(stones) <= rules.max_stones:
        return
    if not rules.max_stones:
        raise RuleRefusal("handicap-unknown", f"{rules.id} knows no handicap.", "Leave it out.")
    raise RuleRefusal(
        "handicap-range", f"A handicap of {abs(stones)} stones is beyond {rules.max_stones}.", "Correct it."
    )


def _class(rules: Ruleset, event_class: str) -> str:
    given = event_class.strip().upper()
    if not rules.classes:
        return ""
    if given and given not in rules.classes:
        raise RuleRefusal(
            "class-unknown",
            f"{rules.id} knows no class '{event_class}'.",
            f"Use one of {', '.join(rules.classes)}.",
        )
    return given or rules.default_class


def _change(rules: Ruleset, p: Any, me: Any, terms: Any, score: int, month: int) -> float:
    """Points, unrounded; where step() adds up scores, K (that settle() names) times the surplus."""
    if not terms.rated:
        return 0.0
    if rules.change_per_point == rules.per_point:
        return float(terms.unrounded)
    tally = Tally(1, score, terms.change, terms.opponent, 0)
    settled = rules.settle(p, me, tally, When(month // 12, month % 12 + 1))
    return float(settled.k * terms.unrounded / rules.change_per_point)


def _points(rules: Ruleset, terms: Any, name: str) -> float:
    """A term in points, whether the ruleset holds it in grains or in points."""
    value, unit = getattr(terms, name), units_of(type(terms))[name]
    return float(value / rules.per_point if unit == "Grains" else value)
