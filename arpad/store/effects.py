"""Effects: whose shown rating changed in a settlement, where first, and because of which fact."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np

from arpad.domain.rounding import divided
from arpad.domain.units import UNRATED
from arpad.engine.acts import Outcome
from arpad.engine.diff import OPPONENT, Differences
from arpad.engine.history import History
from arpad.engine.past import plain, settlements_of
from arpad.engine.rows import Rows
from arpad.engine.specialise import glue
from arpad.rulesets.catalogue import Ruleset
from arpad.store.change_rows import subject_of
from arpad.store.fact_causes import FactCause, FactCauses
from arpad.store.pool_ledger import PoolLedger

EFFECT_COLUMNS = (
    "organisation_id", "pool_id", "settlement", "person_id", "day", "kind", "subject", "old", "new",
    "old_now", "new_now", "old_label", "new_label", "cause", "through", "through_game",
    "fact_kind", "fact_key", "recording",
)  # fmt: skip


class Origin(NamedTuple):
    """Where a difference comes from."""

    fact: FactCause  # at the end of the chain
    opponent: int  # the first other person on the way; -1: none
    game: int  # in which game they met; -1: none


def effects(
    facts: PoolLedger,
    differences: Differences,
    head: tuple[int, int, int],
    since: int,
    drafted: Sequence[tuple[str, int]] = (),
) -> Iterator[tuple[Any, ...]]:
    """A row of Effect for each player whose shown rating changed.

    since    the recordings up to this one are no cause
    drafted  targets (kind, key) of voids that are not recorded yet
    """
    origins = _Origins(differences, FactCauses(facts, since, drafted))
    people, games = facts.keys["person"], facts.keys["game"]
    shown = _Shown(differences)
    for person in shown.persons:
        first = shown.first(person)
        if first is None:
            continue
        origin = origins.of(first.number)
        fact, key = origin.fact, differences.key(first.number)
        side = differences.after if differences.right[first.number] >= 0 else differences.before
        old_now, new_now = (_standing(rows, person) for rows in (differences.before, differences.after))
        through = people[origin.opponent] if origin.opponent >= 0 else 0
        game = games[origin.game] if origin.game >= 0 else 0
        yield (
            *head, people[person], first.day, *subject_of(facts, side, key), first.old, first.new,
            old_now[0], new_now[0], old_now[1], new_now[1], fact.cause, through, game, fact.kind, fact.key,
            fact.recording,
        )  # fmt: skip


def shown_as(ruleset: Ruleset, state: Any) -> tuple[str, int | None]:
    """What lists show of a State: its label and whole points; no points where there is no rating."""
    if state is None or state.rating == UNRATED:
        return "", None
    return ruleset.label(state), divided(int(state.rating), ruleset.per_point)


class First(NamedTuple):
    """The first day on which a player is shown otherwise."""

    day: int
    number: int  # of the row of that day that says why
    old: int | None  # rating at the end of the day, grains; None: none
    new: int | None


class _Shown:
    """What two histories show of a player at the end of a day."""

    def __init__(self, differences: Differences) -> None:
        self.differences = differences
        self._may = _may_show(differences)
        persons = set(differences.person[self._may].tolist())
        self.persons = [person for person in differences.persons() if person in persons]
        self._ends = [_Ends(rows.history, self.persons) for rows in (differences.before, differences.after)]

    def first(self, person: int) -> First | None:
        """The first day of a player's rows that differ at whose end another rating is shown; None: no day."""
        rules = self.differences.after.plan.ruleset
        for day, found in groupby(self.differences.of(person), key=self.differences.day):
            numbers = list(found)
            if not self._may[numbers].any():
                continue
            old, new = (end.at(person, day) for end in self._ends)
            if shown_as(rules, old) != shown_as(rules, new):
                return First(day, self._telling(numbers), _rating(old), _rating(new))
        return None

    def _telling(self, numbers: list[int]) -> int:
        """Of one day's rows that differ, the first whose own fact was touched; else the first."""
        differences = self.differences
        own = (n for n in numbers if differences.kind[n] != 2 and differences.cause(n)[1] < 0)
        return next(own, numbers[0])


def _may_show(differences: Differences) -> Any:
    """By row that differs, whether another rating may be shown at the end of its day.

    What is shown at the end of a day is what its last row left behind. So only those days need looking at
    on which a row came, went, or leaves something else to be shown behind.
    """
    rules, width = differences.after.plan.ruleset, differences.after.width
    left, right, kind = differences.left, differences.right, differences.kind
    found = (left < 0) | (right < 0) | (kind == 0)
    closing = np.flatnonzero(~found & (kind == (1 if differences.after.plan.ticks is None else 2)))
    states = [
        np.asarray(rows.history.settled_state).reshape(-1, width)[index[closing]]
        for rows, index in ((differences.before, left), (differences.after, right))
    ]
    moved = closing[(states[0] != states[1]).any(axis=1)]
    states = [side[(states[0] != states[1]).any(axis=1)] for side in states]
    points = [_points(side[:, 0].astype(np.int64), rules.per_point) for side in states]
    otherwise = points[0] != points[1]
    found[moved[otherwise]] = True
    if not _label_is_points(rules):
        _other_labels(rules, found, moved[~otherwise], [side[~otherwise] for side in states])
    if differences.closing:  # in pools with lists an act may show only some time after its day
        found |= kind == 1
    return found


def _label_is_points(rules: Ruleset) -> bool:
    """Whether a label is the whole points and nothing else: equal points, equal labels."""
    return rules.label.__code__.co_names[:2] == ("whole_label", "rating")


def _other_labels(rules: Ruleset, found: Any, numbers: Any, states: list[Any]) -> None:
    """Mark the rows whose States, of equal points, have different labels."""
    load = rules.state_type._make
    pairs = zip(*(map(load, side.tolist()) for side in states), strict=True)
    for at, (old, new) in zip(numbers.tolist(), pairs, strict=True):
        found[at] = shown_as(rules, old) != shown_as(rules, new)


def _points(grains: Any, per_point: int) -> Any:
    """divided() of many ratings."""
    size = (2 * np.abs(grains) + per_point) // (2 * per_point)
    return np.where(grains >= 0, size, -size)


class _Ends:
    """The States of some players at the end of a day."""

    def __init__(self, history: History, persons: Sequence[int]) -> None:
        plan, wanted = history.plan, set(persons)
        self.history, self.plan = history, plan
        self._load = glue(plan.ruleset)["load"]
        self._days = plan.day if plan.ticks is None else plan.ticks.day
        self._settled = settlements_of(history, wanted)
        self._acts: dict[int, list[Outcome]] = {}
        for outcome in history.outcomes_apart():
            if outcome.person in wanted:
                self._acts.setdefault(outcome.person, []).append(outcome)

    def at(self, person: int, day: int) -> Any:
        """The State at the end of a day (the last of a list's period: with its settlement); None: none."""
        history, cut = self.history, bisect_right(self._days, day)
        entries = self._settled.get(person, ())
        at = bisect_left(entries, history.settled_before(cut))
        last = int(entries[at - 1]) if at else -1
        acts = self._acts.get(person, ())
        done = [outcome for outcome in acts if outcome.place <= cut and outcome.act.day <= day]
        if done and history.settled_before(done[-1].place) > last:
            return plain(done[-1].after)
        return plain(self._load(history.settled_state, last)) if last >= 0 else self._entered(person)

    @cached_property
    def _opening(self) -> dict[int, int]:
        return {fact.person: i for i, fact in enumerate(self.plan.opening.facts)}

    def _entered(self, person: int) -> Any:
        """The State of a first rating without a day."""
        i = self._opening.get(person)
        if i is None:
            return None
        kind = self.plan.ruleset.state_type
        width = len(kind._fields)
        return kind(*self.plan.opening.states[i * width : (i + 1) * width])


def _rating(state: Any) -> int | None:
    return None if state is None or state.rating == UNRATED else int(state.rating)


def _standing(rows: Rows, person: int) -> tuple[int | None, str]:
    """(rating, label) of a player now; (None, "") who was not there yet."""
    if (person + 1) * rows.width > len(rows.history.states):
        return None, ""
    state = rows.history.state(person)
    return _rating(state), rows.plan.ruleset.label(state)


class _Origins:
    """The ends of chains, each walked once."""

    def __init__(self, differences: Differences, causes: FactCauses) -> None:
        self.differences, self.causes = differences, causes
        self._known: dict[int, Origin] = {}

    def of(self, number: int) -> Origin:
        """The origin of a row that differs."""
        differences = self.differences
        path: list[tuple[int, int, int]] = []
        seen: set[int] = set()
        at = number
        while at not in self._known:
            seen.add(at)
            cause, follows = differences.cause(at)
            fact = None
            if follows < 0:
                fact = self.causes.of(differences.key(at), cause)
                if fact is None:  # its own fact is as it was: a rating before it is not
                    follows = self._before(at)
            if fact is not None or follows < 0 or follows in seen:
                self._known[at] = Origin(fact or self.causes.rules(), -1, -1)
                break
            met = (-1, -1)
            if cause == OPPONENT and differences.kind[at] == 1:
                met = (int(differences.person[follows]), int(differences.subject[at]))
            path.append((at, *met))
            at = follows
        found = self._known[at]
        for row, opponent, game in reversed(path):
            if opponent >= 0:
                found = found._replace(opponent=opponent, game=game)
            self._known[row] = found
        return self._known[number]

    def _before(self, number: int) -> int:
        """The person's difference before this one; -1: none."""
        mine = self.differences.of(int(self.differences.person[number]))
        at = mine.index(number)
        return mine[at - 1] if at else -1
