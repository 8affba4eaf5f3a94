"""What changes a rating without a game: postings for everybody, first ratings, corrections.

On one day: postings, then first ratings, then corrections, then games.
"""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from itertools import chain
from operator import itemgetter
from typing import Any, NamedTuple

from arpad.domain.dates import NO_DAY, day_text, first_day, month_of, quarter_start
from arpad.domain.play import Application, When
from arpad.domain.problems import FATAL, WARNING, Problem, RuleRefusal
from arpad.domain.rounding import rounded
from arpad.domain.units import UNRATED
from arpad.engine.kinds import place_of
from arpad.engine.parameters import DatedParams
from arpad.ledger.facts import FirstRating
from arpad.ledger.ledger import Effective, Ledger
from arpad.ledger.order import VECTORISED_FROM
from arpad.rulesets.catalogue import Ruleset

POSTING, ENTRY, CORRECTION = 0, 1, 2  # in the order of one day
KIND_NAMES = ("posting", "entry", "correction")


class Act(NamedTuple):
    """One act. Sorting them gives their order: day, kind, then content."""

    day: int
    kind: int
    person: int  # -1: everybody
    points: float  # a correction's rating, a club's posting; NaN: the ruleset's own posting
    reason: str = ""
    application: Application | None = None
    entered: Any = None  # the State that an application gives


class Outcome(NamedTuple):
    """What an act did to one person."""

    place: int  # the tick or row before which it acted
    act: Act
    person: int
    before: Any  # State
    after: Any  # State


class Opening(NamedTuple):
    """First ratings without a day, one a person: all enter at once, before any game.

    There may be as many as players, so they are columns; as acts they are made when asked for.
    """

    facts: list[FirstRating]
    states: array[int]  # State fields of fact i from i * width on

    def acts(self, load: Callable[[Any, int], Any], but: Container[int] = ()) -> Iterator[Act]:
        """The same as acts, but for some persons; `load` reads a State."""
        for i, fact in enumerate(self.facts):
            if fact.person not in but:
                yield _entry(fact, load(self.states, i))


def acts_of(
    ledger: Ledger, now: Effective, ruleset: Ruleset, dated: DatedParams, until: int
) -> tuple[Opening, list[Act], list[int], list[Problem]]:
    """Acts in order, the first of them apart; the persons who take part; what is missing."""
    problems: list[Problem] = []
    corrections = [
        Act(fact.day, CORRECTION, fact.person, fact.rating, fact.reason) for fact in now.corrections
    ]
    others = [Act(day, POSTING, -1, math.nan) for day in ruleset.postings]
    others += [Act(fact.day, POSTING, -1, fact.points, fact.reason) for fact in now.postings]
    bare = all(act.day != NO_DAY for act in others)  # nothing comes before the first ratings
    others += corrections
    facts, states, refusals = _enter(ledger, now, ruleset, dated)
    problems += refusals
    problems += _check_numbers(ledger, corrections)
    entered = {fact.person for fact in facts}
    playing = ledger.kept("playing", None, lambda: _persons_in_games(ledger, now))
    if not ruleset.enters_unrated:
        problems += _without_first_rating(ledger, ruleset, playing - entered)
    undated = bisect_right(facts, NO_DAY, key=lambda fact: fact.day)
    if not bare or len(entered) < len(facts):
        undated = 0
    opening = Opening(facts[:undated], array("i", chain.from_iterable(states[:undated])))
    entries = [_entry(fact, state) for fact, state in zip(facts[undated:], states[undated:], strict=True)]
    if len(entered) < len(facts):  # somebody entered twice: the earlier counts
        entries.sort(key=_entry_order)
    entries.sort(key=itemgetter(0, 4))  # day, reason
    others.sort(key=_order_of_others)
    acts = others + entries
    if until:
        limit = _correction_limit(ruleset, until)
        acts = [act for act in acts if act.day <= (limit if act.kind == CORRECTION else until)]
    acts.sort(key=itemgetter(0, 1))  # day, kind; what follows is in order already
    return opening, acts, sorted(playing.union(entered, (act.person for act in corrections))), problems


def _entry(fact: FirstRating, state: Any) -> Act:
    return Act(fact.day, ENTRY, fact.person, math.nan, fact.application.reason, fact.application, state)


def _order_of_others(act: Act) -> tuple[Any, ...]:
    """Postings, or corrections, of one day: the ruleset's own posting first."""
    own = act.points != act.points
    return (not own, 0.0 if own else act.points, act.reason)


def _entry_order(act: Act) -> tuple[Any, ...]:
    """Two first ratings of a person: the earlier counts; on one day the lower in this order."""
    return (act.day, act.person, repr(act.application))


def _correction_limit(ruleset: Ruleset, until: int) -> int:
    """Pools with lists: a correction shows on the list after its day, not on the one in force."""
    if ruleset.period in ("game", "event"):
        return until
    month = month_of(until)
    return first_day(quarter_start(month) if ruleset.period == "quarter" else month) - 1


def _persons_in_games(ledger: Ledger, now: Effective) -> set[int]:
    games = ledger.games
    if not now.left_out and not ledger.merges:
        if len(games) >= VECTORISED_FROM:
            import numpy as np

            both = [np.frombuffer(column, np.int32) for column in (games.player1, games.player2)]
            met = np.zeros(len(ledger.names) + 1, bool)  # the last place is that of -1, a bye
            for column in both:
                met[column] = True
            return set(np.flatnonzero(met[:-1]).tolist())
        seen = set(games.player1) | set(games.player2)
    else:
        held = [g for g in range(len(games)) if g not in now.left_out]
        seen = {now.person[games.player1[g]] for g in held}
        seen |= {now.person[games.player2[g]] for g in held if games.player2[g] >= 0}
    seen.discard(-1)
    return seen


def _enter(
    ledger: Ledger, now: Effective, ruleset: Ruleset, dated: DatedParams
) -> tuple[list[FirstRating], list[Any], list[Problem]]:
    """First ratings by day, with the State each gives; all refusals told together."""
    facts: list[FirstRating] = []
    states: list[Any] = []
    problems = []
    enter, day, p = ruleset.enter, -1, None
    known: dict[Application, Any] = {}  # many enter alike: at one level, or from one list
    for fact in sorted(now.first_ratings, key=itemgetter(1)):  # by day
        if fact.day != day:
            day, p = fact.day, dated.at(fact.day)
            known.clear()
        try:
            state = known.get(fact.application)
            if state is None:
                state = known[fact.application] = enter(p, fact.application)
            states.append(state)
            facts.append(fact)
        except RuleRefusal as refusal:
            name = ledger.names[fact.person]
            problems.append(Problem(refusal.code, FATAL, f"{name}: {refusal.message}", refusal.remedy))
    return facts, states, problems


def _check_numbers(ledger: Ledger, corrections: Iterable[Act]) -> list[Problem]:
    """Ratings that no ruleset can hold, and two corrections of one person on one day."""
    problems, seen = [], set()
    for act in corrections:
        if not abs(act.points) <= 100_000:
            name = ledger.names[act.person]
            problems.append(Problem("rating-range", FATAL, f"{name}: a rating of {act.points} is none."))
        if (act.day, act.person) in seen:
            name, day = ledger.names[act.person], day_text(act.day)
            message = f"{name} has two corrections on {day}; the higher is taken last."
            problems.append(Problem("correction-twice", WARNING, message, "Void one of them."))
        seen.add((act.day, act.person))
    return problems


def _without_first_rating(ledger: Ledger, ruleset: Ruleset, missing: set[int]) -> list[Problem]:
    remedy = "Add a row with a rating to players.csv."
    if ruleset.id == "belgian-go":
        remedy = "Add a row with a rank (or NC) to players.csv."
    code = "player-no-first-rating"
    people = sorted(missing, key=lambda person: ledger.names[person])
    problems = [
        Problem(
            code, FATAL, f"{ledger.names[person]} has no first rating.", remedy, *_first_met(ledger, person)
        )
        for person in people[:20]
    ]
    if len(people) > 20:
        problems.append(Problem(code, FATAL, f"{len(people)} players in all.", remedy))
    return problems


def _first_met(ledger: Ledger, person: int) -> tuple[str, int, int]:
    """File, line and column of the first game of a player; ("", 0, 0) where there is no such place."""
    games = ledger.games
    met = [column.index(person) for column in (games.player1, games.player2) if person in column]
    return place_of(ledger, min(met)) if met else ("", 0, 0)


def place_of_entries(tick_days: Sequence[int], act: Act) -> int:
    """Pools with lists: the tick before which an act acts. Even ticks open a list, odd ones close it.

    A posting acts before the first list that opens on its day or later. A first rating or correction
    acts inside the period of its day: after that period's list has opened (a correction replaces the
    previous list, not the list used for differences); without a day, before everything.
    """
    if act.day == NO_DAY:
        return 0
    if act.kind == POSTING:
        at = bisect_left(tick_days, act.day)
        return at + at % 2
    return bisect_left(tick_days, act.day) | 1 if act.day >= tick_days[0] else 0


def apply(ruleset: Ruleset, dated: DatedParams, act: Act, state: Any, when: Any) -> Any:
    """The State after an act; the same object where it does nothing."""
    p = dated.at(act.day)
    if act.kind == ENTRY:
        return act.entered if state.rating == UNRATED else state
    if act.kind == CORRECTION:
        return ruleset.corrected(p, state, rounded(act.points * ruleset.per_point))
    if state.rating == UNRATED:
        return state
    if act.points != act.points:
        return ruleset.posting(p, state, when)
    return ruleset.corrected(p, state, state.rating + rounded(act.points * ruleset.per_point))


def posted_before_games(
    ledger: Ledger, ruleset: Ruleset, dated: DatedParams, opening: Opening, first_days: Iterable[int]
) -> list[Problem]:
    """A warning where a posting of the rules changes ratings that were given without a date.

    Without a date means before everything, so also before a compression years ago; whoever copies
    today's list means its own date.
    """
    first = min((day for day in first_days if day), default=0)
    width = len(ruleset.state_type._fields)
    for day in ruleset.postings:
        if day > first:
            continue
        p, month = dated.at(day), month_of(day)
        when = When(month // 12, month % 12 + 1)
        for i, fact in enumerate(opening.facts):
            state = ruleset.state_type(*opening.states[i * width : (i + 1) * width])
            if state.rating != UNRATED and ruleset.posting(p, state, when) != state:
                message = (
                    f"A first rating without a date counts from before everything: the general change of "
                    f"{day_text(day)} is applied to it (first to that of {ledger.names[fact.person]}), "
                    f"although the first game is later."
                )
                remedy = "Write the date of the list in the column 'date' of players.csv."
                return [Problem("rating-before-posting", WARNING, message, remedy)]
    return []
