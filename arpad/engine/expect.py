"""What a game would do to two ratings, before it is played: a ruleset's step() and settle(), asked once."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias

from arpad.domain.dates import day_text, month_of
from arpad.domain.play import Application, Game, Tally, When
from arpad.domain.problems import RuleRefusal
from arpad.domain.results import read_result
from arpad.domain.units import UNRATED
from arpad.engine.parameters import dated_params
from arpad.engine.sentences import units_of
from arpad.ledger.facts import ParameterChange
from arpad.rulesets.catalogue import Ruleset, find

LARGEST_RATING = 100_000  # points, above or below zero
Side: TypeAlias = Any  # a rating in points, an Application, or a State of the ruleset
Parameters: TypeAlias = Mapping[str, float] | Iterable[ParameterChange]


class Expectation(NamedTuple):
    """What `own` may expect."""

    difference: float  # points: the difference that the ruleset looks up, handicap included
    expected: float  # 0..1
    changes: dict[str, float]  # result, own first -> unrounded change of own, points
    rated: bool  # False: the rules say that such a game does not count
    steps: dict[str, Any] = {}  # noqa: RUF012 - result -> the ruleset's Step, every term of that change


def expect(
    ruleset: str | Ruleset,
    own: Side,
    opponent: Side,
    *,
    handicap: int = 0,
    event_class: str = "",
    own_games: int = 0,
    date: int = 0,
    parameters: Parameters = (),
) -> Expectation:
    """The expected score and the unrounded change of `own` for each result the ruleset knows.

    own, opponent   ratings, points; or who they are: an Application (an estimated rank), or a State of
                    the ruleset, with the games and the peak it carries
    handicap        stones that own receives; negative: gives
    event_class     where the ruleset has classes; "": the one it takes by default
    own_games       rated games so far of a side given as a number, as `games` in players.csv
    date            the day (domain.dates) that picks the edition; 0: today
    parameters      a club's own: name -> value, or dated changes

    In rulesets with a period longer than a game the change is K times that of this one game.
    Raises RuleRefusal for what the ruleset does not know.

    >>> at = expect("elo-logistic", 1500, 1500)
    >>> at.expected, at.changes
    (0.5, {'1-0': 10.0, '1/2-1/2': 0.0, '0-1': -10.0})
    """
    rules = find(ruleset) if isinstance(ruleset, str) else ruleset
    day = date or today()
    p = params_on(rules, day, parameters)
    me, other = (side_state(rules, p, side, own_games) for side in (own, opponent))
    check_handicap(rules, handicap)
    weight = weight_of(rules, p, event_class)
    marked = int(rules.claim is not None and rules.claim(p, me, other) > 0)
    month = month_of(day)
    changes: dict[str, float] = {}
    steps: dict[str, Any] = {}
    for text in rules.results:
        result = read_result(text)
        assert result is not None, f"{rules.id}: RESULTS has '{text}'"
        score, best_of = rules.score(p, result)
        steps[text] = rules.step(p, me, other, Game(score, best_of, handicap, weight, month, marked))
        changes[text] = _change(rules, p, me, steps[text], score, month)
    first = steps[rules.results[0]]
    difference = _points(rules, first, "difference")
    return Expectation(difference, float(first.expected), changes, bool(first.rated), steps)


def today() -> int:
    """The day it is on this machine."""
    return datetime.datetime.now(tz=datetime.UTC).astimezone().date().toordinal()


def params_on(rules: Ruleset, day: int, parameters: Parameters = ()) -> Any:
    """The Params of a day. Raises RuleRefusal `date-before-ruleset`, or what check_parameter raises."""
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


def side_state(rules: Ruleset, p: Any, side: Side, games: int = 0) -> Any:
    """The State of a side: as it is, or entered as players.csv would.

    Raises RuleRefusal (`rating-range`, `number-shape`, `player-no-first-rating`, or what enter() raises).
    """
    if not 0 <= games <= 1_000_000:
        raise RuleRefusal("number-shape", f"{games} is no number of games.", "Give the rated games so far.")
    if isinstance(side, rules.state_type):
        state = side
    elif isinstance(side, Application):
        state = rules.enter(p, side)
    elif not math.isfinite(side) or abs(side) > LARGEST_RATING:
        raise RuleRefusal("rating-range", f"A rating of {side} is none.", "Give points, such as 1500.")
    else:
        state = rules.enter(p, Application(rating=side, games=games))
    if state.rating == UNRATED and not rules.steps_unrated:
        raise RuleRefusal(
            "player-no-first-rating", f"Under {rules.id} that is no rating.", "Give one that lists may show."
        )
    return state


def weight_of(rules: Ruleset, p: Any, event_class: str) -> float:
    """What a game of that class weighs on a board of the usual size. Raises RuleRefusal `class-unknown`."""
    return float(rules.weigh(p, _class(rules, event_class), rules.sizes[0] if rules.sizes else 0, None))


def check_handicap(rules: Ruleset, stones: int) -> None:
    """Raises RuleRefusal (`handicap-unknown`, `handicap-range`)."""
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
