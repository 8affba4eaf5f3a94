"""What a whole tournament would do to one rating: step() for each game, settle() for what they add up to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from arpad.domain.dates import month_of
from arpad.domain.play import Game, Tally, When
from arpad.domain.problems import RuleRefusal
from arpad.domain.results import read_result
from arpad.engine.expect import Parameters, Side, check_handicap, params_on, side_state, today, weight_of
from arpad.rulesets.catalogue import Ruleset, find


class Supposed(NamedTuple):
    """One game that is supposed."""

    opponent: Side  # as for expect()
    result: str  # own score first
    handicap: int = 0  # stones received; negative: given


class Reckoned(NamedTuple):
    """What one supposed game comes to."""

    expected: float  # 0..1
    rated: bool
    step: Any  # the ruleset's Step


class Outlook(NamedTuple):
    """What the games come to together."""

    games: tuple[Reckoned, ...]
    before: Any  # State
    after: Any
    settled: Any  # what settle() returned last; None where no game is rated


def what_if(
    ruleset: str | Ruleset, own: Side, games: Sequence[Supposed], *, event_class: str = "",
    own_games: int = 0, date: int = 0, parameters: Parameters = (),
) -> Outlook:  # fmt: skip
    """One event of supposed games. Where the period is the game each is settled before the next begins;
    in longer periods it is as if nothing else were played in that one.

    Raises RuleRefusal for what the ruleset does not know (`result-not-in-ruleset` for a result).

    >>> found = what_if("elo-logistic", 1500, [Supposed(1500, "1-0"), Supposed(1500, "1/2-1/2")])
    >>> found.after.rating / 100
    1509.71
    """
    rules = find(ruleset) if isinstance(ruleset, str) else ruleset
    day = date or today()
    p = params_on(rules, day, parameters)
    weight, month = weight_of(rules, p, event_class), month_of(day)
    me = before = side_state(rules, p, own, own_games)
    others = [side_state(rules, p, game.opponent) for game in games]
    each = rules.period == "game" or getattr(p, "game_by_game", False)
    marked = -1 if each else _marked(rules, p, me, others)
    when, settled = When(month // 12, month % 12 + 1), None
    reckoned, tally = [], Tally(0, 0, 0, 0, 0)
    for number, (game, other) in enumerate(zip(games, others, strict=True)):
        score, best_of = _score(rules, p, game)
        stones = game.handicap
        terms = rules.step(p, me, other, Game(score, best_of, stones, weight, month, int(number == marked)))
        reckoned.append(Reckoned(float(terms.expected), bool(terms.rated), terms))
        if not terms.rated:
            continue
        one = Tally(1, score, terms.change, terms.opponent, 0)
        if each:
            settled = rules.settle(p, me, one, when)
            me = settled.state
        else:
            tally = Tally(*(a + b for a, b in zip(tally, one, strict=True)))
    if tally.games:
        settled = rules.settle(p, me, tally, when)
        me = settled.state
    return Outlook(tuple(reckoned), before, me, settled)


def _score(rules: Ruleset, p: Any, game: Supposed) -> tuple[int, int]:
    """Hundredths of own, and the length of the match."""
    check_handicap(rules, game.handicap)
    result = read_result(game.result)
    if result is None:
        raise RuleRefusal(
            "result-not-in-ruleset",
            f"'{game.result}' is no result.",
            f"Use one of {', '.join(rules.results)}.",
        )
    return rules.score(p, result)


def _marked(rules: Ruleset, p: Any, me: Any, others: Sequence[Any]) -> int:
    """The number of the game with the largest positive claim, the first among equals; -1: none."""
    if rules.claim is None:
        return -1
    claims = [rules.claim(p, me, other) for other in others]
    best = max(claims, default=0)
    return claims.index(best) if best > 0 else -1


__all__ = ["Outlook", "Reckoned", "Supposed", "what_if"]
