"""Checkpoints: where a replay can go on without its past. Keyed by game and person, never by row."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.domain.units import NOT_RATED
from arpad.engine.specialise import glue

if TYPE_CHECKING:
    from arpad.engine.history import History
    from arpad.engine.plan import Plan


class Checkpoint(NamedTuple):
    """Everything before `day` is in it: games before that day, events that ended before it, lists
    whose period closed before it."""

    day: int
    states: dict[int, Any]  # person -> State
    opened: dict[tuple[int, int], int]  # (game, turn) -> rating of the list in force, period not closed
    openings: dict[int, list[tuple[int, int, int]]]  # person -> (game, turn, opponent's rating used)
    place: int  # tick or row in the plan it was taken from
    row: int
    settled: int
    history: Any  # the History it belongs to; None: rows before it are not known


def take(history: History, work: Any, place: int, settled: int, day: int) -> Checkpoint:
    """The checkpoint before tick (or row) `place`."""
    plan = history.plan
    load = glue(plan.ruleset)["load"]
    states = {person: load(history.states, person) for person in plan.players}
    opened: dict[tuple[int, int], int] = {}
    openings: dict[int, list[tuple[int, int, int]]] = {}
    row = plan.row_of_place(place)
    if work is not None:
        games = plan.order.games
        if plan.ticks is not None and not plan.lists_are_periods:
            for side in plan.ticks.sides[: plan.ticks.opens[place]]:
                if side // 2 >= row:
                    opened[games[side // 2], side % 2] = int(history.before[side])
        for person in plan.players:
            side = int(work.open_head[person])
            while side >= 0:
                found = (games[side // 2], side % 2, int(history.before[side ^ 1]))
                openings.setdefault(person, []).append(found)
                side = int(work.open_next[side])
    return Checkpoint(day, states, opened, openings, place, row, settled, history)


def restore(
    checkpoint: Checkpoint, history: History, work: Any, apply: Callable[[int, Any, int], bool]
) -> tuple[int, int]:
    """Put a checkpoint into an empty history. Returns the place to go on from and the settlements so far."""
    plan = history.plan
    place = plan.place_of_day(checkpoint.day)
    store = glue(plan.ruleset)["store"]
    for person, state in checkpoint.states.items():
        store(history.states, person, state)
    settled = _copy_past(checkpoint, history, place)
    row_of = (
        {game: row for row, game in enumerate(plan.order.games)}
        if checkpoint.opened or checkpoint.openings
        else {}
    )
    for (game, turn), rating in checkpoint.opened.items():
        history.before[2 * row_of[game] + turn] = rating
    for person, chain in checkpoint.openings.items():
        previous = -1
        for game, turn, rating in chain:
            side = 2 * row_of[game] + turn
            history.before[side ^ 1] = rating
            work.open_next[side] = -1
            if previous < 0:
                work.open_head[person] = side
            else:
                work.open_next[previous] = side
            previous = work.open_tail[person] = side
    load = glue(plan.ruleset)["load"]
    first = ((0, act) for act in plan.opening.acts(load))
    for at, act in (
        *first,
        *plan.acts,
    ):  # who joined the ledger since has first ratings and postings of before
        if at < place:
            people = plan.players if act.person < 0 else [act.person]
            for person in people:
                if person not in checkpoint.states:
                    apply(at, act, person)
    return place, settled


def _copy_past(checkpoint: Checkpoint, history: History, place: int) -> int:
    """Rows before the checkpoint, as its history has them; without one they read "not rated"."""
    row, width = history.plan.row_of_place(place), len(history.plan.ruleset.state_type._fields)
    past = checkpoint.history
    if past is None or row != checkpoint.row or place != checkpoint.place:
        for side in range(2 * row):
            history.before[side], history.expected[side], history.change[side] = 0, NOT_RATED, 0
        history.begins = row
        return 2 * row if history.plan.ticks is None else 0
    for name, stop in (("before", 2 * row), ("expected", 2 * row), ("change", 2 * row)):
        _copy(getattr(history, name), getattr(past, name), stop)
    settled = 2 * row if history.plan.ticks is None else checkpoint.settled
    _copy(history.settled_state, past.settled_state, settled * width)
    if history.plan.ticks is not None:
        _copy(history.settled_player, past.settled_player, settled)
        _copy(history.tick_settled, past.tick_settled, place + 1)
    history.add_outcomes(outcome for outcome in past.outcomes if outcome.place < place)
    history.checkpoints += [kept for kept in past.checkpoints if kept.day < checkpoint.day]
    return settled


def _copy(target: Any, source: Any, stop: int) -> None:
    if isinstance(target, array):
        target[:stop] = (
            source[:stop] if isinstance(source, array) else array(target.typecode, source[:stop].tolist())
        )
    else:
        target[:stop] = source[:stop]


def latest_valid(history: History, plan: Plan) -> Checkpoint | None:
    """The latest checkpoint of `history` before everything in which `plan` differs from its plan."""
    first_row, first_place = _first_difference(history.plan, plan)

    def holds(c: Checkpoint) -> bool:
        place = plan.place_of_day(c.day)  # a late fact of the days before shifts it
        unmoved = place == c.place and plan.row_of_place(place) == c.row
        return unmoved and c.row <= first_row and c.place <= first_place

    valid = [c for c in history.checkpoints if holds(c)]
    return max(valid, key=lambda c: c.day, default=None)


def _first_difference(old: Plan, new: Plan) -> tuple[int, int]:
    """First row and first tick (or row) at which two plans differ; past the end where they do not."""
    far = 2**62
    row = far
    for r in range(max(old.rows, new.rows)):
        if r >= old.rows or r >= new.rows or _row(old, r) != _row(new, r):
            row = r
            break
    place = far
    if old.ticks is not None and new.ticks is not None:
        ticks = max(len(old.ticks.month), len(new.ticks.month))
        for t in range(ticks):
            if t >= len(old.ticks.month) or t >= len(new.ticks.month) or _tick(old, t) != _tick(new, t):
                place = t - t % 2 if not old.lists_are_periods else t
                break
    elif row < far:
        place = row
    if old.opening != new.opening:
        place = 0
    for before, after in zip([*old.acts, None], [*new.acts, None], strict=False):
        if before != after:
            place = min([place] + [act[0] for act in (before, after) if act is not None])
            break
    if old.dated.rows != new.dated.rows or old.dated.days != new.dated.days:
        return 0, 0
    return row, place


def _row(plan: Plan, r: int) -> tuple[object, ...]:
    kinds, k = plan.kinds, plan.kind[r]
    tables = tuple(column[k] for column in kinds[1:7])
    return (plan.order.games[r], plan.player1[r], plan.player2[r], plan.day[r], tables)


def _tick(plan: Plan, t: int) -> tuple[object, ...]:
    ticks = plan.ticks
    assert ticks is not None
    games = plan.order.games
    sides = [(games[side // 2], side % 2) for side in ticks.sides[ticks.opens[t] : ticks.opens[t + 1]]]
    return (ticks.month[t], ticks.row[t + 1], ticks.day[t], sides)
