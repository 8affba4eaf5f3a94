"""Checkpoints: where a replay can go on without its past. Keyed by game and person, never by row."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.domain.units import NOT_RATED
from arpad.engine.specialise import glue
from arpad.ledger.order import VECTORISED_FROM

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
    load, everybody = glue(plan.ruleset)["load"], history.states.tolist()
    states = {person: load(everybody, person) for person in plan.players}
    opened: dict[tuple[int, int], int] = {}
    openings: dict[int, list[tuple[int, int, int]]] = {}
    row = plan.row_of_place(place)
    if work is not None:
        games = plan.order.games
        if plan.ticks is not None and not plan.lists_are_periods:
            for side in _open_sides(plan.ticks.sides, plan.ticks.opens[place], row):
                opened[games[side // 2], side % 2] = int(history.before[side])
        heads = work.open_head.tolist()
        for person in plan.players:
            side = heads[person]
            while side >= 0:
                found = (games[side // 2], side % 2, int(history.before[side ^ 1]))
                openings.setdefault(person, []).append(found)
                side = int(work.open_next[side])
    return Checkpoint(day, states, opened, openings, place, row, settled, history)


def _open_sides(sides: Sequence[int], stop: int, row: int) -> list[int]:
    """Of the first `stop` sides that lists write, those of rows from `row` on."""
    if stop < VECTORISED_FROM:
        return [side for side in sides[:stop] if side // 2 >= row]
    import numpy as np

    written = np.asarray(sides)[:stop]
    return [int(side) for side in written[written >= 2 * row]]


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
    row_of = _rows_of_games(plan, checkpoint)
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
    # who joined the ledger since has first ratings and postings of before
    first = plan.opening.acts(glue(plan.ruleset)["load"], but=checkpoint.states)
    for at, act in (*((0, act) for act in first), *plan.acts):
        if at < place:
            people = plan.players if act.person < 0 else [act.person]
            for person in people:
                if person not in checkpoint.states:
                    apply(at, act, person)
    return place, settled


def _rows_of_games(plan: Plan, checkpoint: Checkpoint) -> dict[int, int]:
    """The rows of the games that a checkpoint holds."""
    games = {game for game, _ in checkpoint.opened}
    games |= {game for chain in checkpoint.openings.values() for game, _, _ in chain}
    if not games or plan.rows < VECTORISED_FROM:
        return {game: row for row, game in enumerate(plan.order.games) if game in games}
    import numpy as np

    row_of = np.full(len(plan.ledger.games), -1, np.int32)
    row_of[np.asarray(plan.order.games)] = np.arange(plan.rows, dtype=np.int32)
    return {game: int(row_of[game]) for game in games}


def _copy_past(checkpoint: Checkpoint, history: History, place: int) -> int:
    """Rows before the checkpoint, as its history has them; without one they read "not rated"."""
    row, width = history.plan.row_of_place(place), len(history.plan.ruleset.state_type._fields)
    past = checkpoint.history
    if past is None or row != checkpoint.row or place != checkpoint.place:
        blank = array("i", [0]) * (2 * row)
        _copy(history.before, blank, 2 * row)
        _copy(history.change, blank, 2 * row)
        _copy(history.expected, array("i", [NOT_RATED]) * (2 * row), 2 * row)
        history.begins = row
        return 2 * row if history.plan.ticks is None else 0
    for name, stop in (("before", 2 * row), ("expected", 2 * row), ("change", 2 * row)):
        _copy(getattr(history, name), getattr(past, name), stop)
    settled = 2 * row if history.plan.ticks is None else checkpoint.settled
    _copy(history.settled_state, past.settled_state, settled * width)
    if history.plan.ticks is not None:
        _copy(history.settled_player, past.settled_player, settled)
        _copy(history.tick_settled, past.tick_settled, place + 1)
    history.add_outcomes(past.outcomes_before(place))
    history.checkpoints += [kept for kept in past.checkpoints if kept.day < checkpoint.day]
    return settled


def _copy(target: Any, source: Any, stop: int) -> None:
    if isinstance(target, array):
        target[:stop] = (
            source[:stop] if isinstance(source, array) else array(target.typecode, source[:stop].tolist())
        )
    elif stop:
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
    if old.dated.rows != new.dated.rows or old.dated.days != new.dated.days:
        return 0, 0
    row = _first_unequal(_row_columns(old, new))
    if old.ticks is None or new.ticks is None:
        place = row
    else:
        place = _first_tick(old, new)
    if old.opening != new.opening:
        place = 0
    for before, after in zip([*old.acts, None], [*new.acts, None], strict=False):
        if before != after:
            place = min([place] + [act[0] for act in (before, after) if act is not None])
            break
    return row, place


_FAR = 2**62  # beyond every row


def _first_unequal(pairs: Iterable[tuple[Sequence[int], Sequence[int]]]) -> int:
    """The first index at which the columns of any pair differ, also by ending; _FAR where none does."""
    first = _FAR
    for old, new in pairs:
        common = min(len(old), len(new), first)
        if common >= VECTORISED_FROM:
            import numpy as np

            unequal = np.asarray(old[:common]) != np.asarray(new[:common])
            found = int(unequal.argmax()) if unequal.any() else common
        else:
            found = next((i for i in range(common) if old[i] != new[i]), common)
        if found < common or len(old) != len(new):
            first = min(first, found)
    return first


def _row_columns(old: Plan, new: Plan) -> Iterator[tuple[Sequence[int], Sequence[int]]]:
    """What makes a row what it is, column by column; kinds of both plans under common numbers."""
    numbers: dict[tuple[object, ...], int] = {}
    kinds = []
    for plan in (old, new):
        tables = zip(*plan.kinds[1:7], strict=True)
        common = array("i", [numbers.setdefault(kind, len(numbers)) for kind in tables])
        kinds.append(_looked_up(common, plan.kind))
    yield old.order.games, new.order.games
    yield old.player1, new.player1
    yield old.player2, new.player2
    yield old.day, new.day
    yield kinds[0], kinds[1]


def _looked_up(table: array[int], column: Sequence[int]) -> Sequence[int]:
    if len(column) < VECTORISED_FROM:
        return array("i", [table[i] for i in column])
    import numpy as np

    found: Sequence[int] = np.asarray(table)[np.asarray(column)]
    return found


def _first_tick(old: Plan, new: Plan) -> int:
    """The first tick that differs; in pools with lists, the opening one of its pair."""
    before, after = old.ticks, new.ticks
    assert before is not None and after is not None
    tick = _first_unequal(
        [(before.month, after.month), (before.row[1:], after.row[1:]), (before.day, after.day)]
    )
    tick = min(tick, _first_unequal([(before.opens[1:], after.opens[1:])]))
    side = _first_unequal([(_written(old), _written(new)), (_writers(old), _writers(new))])
    if side < _FAR:
        tick = min(tick, bisect_right(before.opens, side) - 1, bisect_right(after.opens, side) - 1)
    return tick if old.lists_are_periods or tick == _FAR else tick - tick % 2


def _written(plan: Plan) -> Sequence[int]:
    """The sides that lists write, in that order, as 2 * game + turn."""
    assert plan.ticks is not None
    games, sides = plan.order.games, plan.ticks.sides
    if len(sides) < VECTORISED_FROM:
        return array("q", [2 * games[side // 2] + side % 2 for side in sides])
    import numpy as np

    side = np.asarray(sides)
    found: Sequence[int] = 2 * np.asarray(games).astype(np.int64)[side // 2] + side % 2
    return found


def _writers(plan: Plan) -> Sequence[int]:
    """Whose ratings those are: a merge may have given a side to somebody else."""
    assert plan.ticks is not None
    players, sides = (plan.player1, plan.player2), plan.ticks.sides
    if len(sides) < VECTORISED_FROM:
        return array("i", [players[side % 2][side // 2] for side in sides])
    import numpy as np

    side = np.asarray(sides)
    first, second = (np.asarray(column)[side // 2] for column in players)
    found: Sequence[int] = np.where(side % 2 == 0, first, second)
    return found
