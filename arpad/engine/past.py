"""What stood where: the State of a person as any period began, from what a replay has recorded."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from arpad.domain.units import UNRATED
from arpad.engine.acts import Outcome
from arpad.engine.specialise import glue

if TYPE_CHECKING:
    from arpad.engine.history import History


class Past:
    """The settlements and acts of some persons (or of everybody), found in one pass.

    A *place* is a tick, or a row where every game is a period of its own.
    """

    def __init__(self, history: History, persons: Collection[int] | None = None) -> None:
        self.history = history
        self._settled = settlements_of(history, persons)
        self._acts: dict[int, list[Outcome]] = {}
        for outcome in history.outcomes:
            if persons is None or outcome.person in persons:
                self._acts.setdefault(outcome.person, []).append(outcome)

    def last(self, person: int, place: int) -> int:
        """The last settlement of a person before `place`; -1: none."""
        entries = self._settled.get(person, ())
        at = bisect_left(entries, self.history.settled_before(place))
        return int(entries[at - 1]) if at else -1

    def settlement(self, person: int, place: int) -> int:
        """The settlement of a person in the period at `place`; -1: none."""
        found = self.last(person, place + 1)
        return found if found >= self.history.settled_before(place) else -1

    def place_of(self, index: int) -> int:
        """The period that settlement `index` closed."""
        history = self.history
        return index // 2 if history.plan.ticks is None else bisect_right(history.tick_settled, index) - 1

    def last_rated(self, person: int, place: int) -> int:
        """The last settlement of a person before `place` that left a rating; -1: none."""
        entries, width = self._settled.get(person, ()), len(self.history.plan.ruleset.state_type._fields)
        at = bisect_left(entries, self.history.settled_before(place)) - 1
        while at >= 0 and self.history.settled_state[int(entries[at]) * width] == UNRATED:
            at -= 1
        return int(entries[at]) if at >= 0 else -1

    def acts(self, person: int) -> Sequence[Outcome]:
        """What changed a person's State without a game, in order."""
        return self._acts.get(person, ())

    def settled_state(self, index: int) -> Any:
        """The State after a settlement; -1: that of somebody who never had one."""
        history = self.history
        if index < 0:
            return history.plan.ruleset.state_type()
        return plain(glue(history.plan.ruleset)["load"](history.settled_state, index))

    def state(self, person: int, place: int) -> Any:
        """The State as the period at `place` begins, with the acts that fall before it."""
        last = self.last(person, place)
        done = [act for act in self.acts(person) if act.place <= place]
        if done and self.history.settled_before(done[-1].place) > last:
            return plain(done[-1].after)
        return self.settled_state(last)


def plain(state: Any) -> Any:
    """A State of plain whole numbers; a compiled run leaves numpy's."""
    return type(state)(*map(int, state))


def settlements_of(history: History, persons: Collection[int] | None) -> dict[int, Sequence[int]]:
    """By person, the numbers of the settlements, ascending."""
    if history.compiled:
        return _settlements_vectorised(history, persons)
    found: dict[int, list[int]] = {}
    for index in range(history.settled):
        person = history.settled_person(index)
        if persons is None or person in persons:
            found.setdefault(person, []).append(index)
    return dict(found)


def _settlements_vectorised(history: History, persons: Collection[int] | None) -> dict[int, Sequence[int]]:
    import numpy as np

    plan = history.plan
    if persons is not None and plan.ticks is None:
        order, who = _sides_of(history, list(persons))
    else:
        if plan.ticks is None:
            who = np.empty(history.settled, np.int32)
            who[0::2] = np.frombuffer(plan.player1, np.int32)
            who[1::2] = np.frombuffer(plan.player2, np.int32)
        else:
            who = history.settled_player[: history.settled]
        order = np.argsort(who, kind="stable") if persons is None else _sorted_of(who, list(persons))
        who = who[order]
    if not order.size:  # split() makes one empty piece of nothing
        return {}
    people, starts = np.unique(who, return_index=True)
    return dict(zip(people.tolist(), np.split(order, starts[1:]), strict=True))


def _sides_of(history: History, persons: list[int]) -> tuple[Any, Any]:
    """The sides of some persons, by person, ascending; and whose each is."""
    import numpy as np

    wanted = np.zeros(len(history.plan.ledger.names), bool)
    wanted[persons] = True
    packed = []
    for turn, players in enumerate((history.plan.player1, history.plan.player2)):
        column = np.frombuffer(players, np.int32)
        rows = np.flatnonzero(wanted[column])
        packed.append(column[rows].astype(np.int64) << 32 | 2 * rows + turn)
    found = np.sort(np.concatenate(packed))
    return found & 0xFFFFFFFF, found >> 32


def _sorted_of(who: Any, persons: list[int]) -> Any:
    """The entries of some persons, by person, ascending."""
    import numpy as np

    wanted = np.zeros(max(int(who.max(initial=0)), max(persons, default=0)) + 1, bool)
    wanted[persons] = True
    found = np.flatnonzero(wanted[who])
    return found[np.argsort(who[found], kind="stable")]
