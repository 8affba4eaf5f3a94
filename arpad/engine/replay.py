"""replay(): facts in playing order and a ruleset give a History. The same ledger, the same numbers."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from arpad.domain.dates import first_day
from arpad.domain.problems import FATAL, Problem, Refused
from arpad.domain.rounding import rounded
from arpad.domain.units import UNRATED
from arpad.engine import acts as acting
from arpad.engine.acts import ENTRY, Act, Outcome
from arpad.engine.checkpoint import Checkpoint, restore, take
from arpad.engine.history import Everybody, History
from arpad.engine.kinds import game_problem
from arpad.engine.plan import Plan, make_plan
from arpad.engine.specialise import Loops, compiled, glue, interpreted
from arpad.engine.ticks import is_long
from arpad.ledger.ledger import Ledger
from arpad.rulesets.catalogue import Ruleset, find

COMPILE_FROM = 100_000  # rows; below, loading numba costs more than running the loop as it is
CHUNK = 2_000_000  # rows between two reports of progress, compiled; a fiftieth of it interpreted

Progress = Callable[[int, int], None]


def replay(
    ledger: Ledger,
    ruleset: str | Ruleset,
    *,
    params: Any = None,
    until: int = 0,
    from_checkpoint: Checkpoint | None = None,
    checkpoints: Iterable[int] = (),
    compile: bool | None = None,
    progress: Progress | None = None,
) -> History:
    """Rate a ledger.

    ruleset          an id such as "belgian-go", or a Ruleset
    params           one set of Params in place of every edition
    until            day (domain.dates); what counts later is left out
    from_checkpoint  go on from there: right if nothing before it has changed (see resume())
    checkpoints      days before which to keep a checkpoint
    compile          True: under numba; False: as it is; None: by the number of games
    progress         called with (rows done, rows in all)

    Raises Refused with every problem found; RuleRefusal for an unknown ruleset.
    """
    rules = find(ruleset) if isinstance(ruleset, str) else ruleset
    plan = make_plan(ledger, rules, params, until)
    history = run(plan, from_checkpoint, sorted(checkpoints), compile, progress)
    history.params = params
    return history


def resume(history: History, ledger: Ledger, *, compile: bool | None = None) -> History:
    """Rate a ledger again after new facts, from the latest checkpoint of `history` that still holds.

    Equal to a full replay, also when an event has moved across a checkpoint.
    """
    old = history.plan
    plan = make_plan(ledger, old.ruleset, history.params, old.until)
    from arpad.engine.checkpoint import latest_valid

    days = [checkpoint.day for checkpoint in history.checkpoints]
    found = run(plan, latest_valid(history, plan), days, compile, None)
    found.params = history.params
    return found


def run(
    plan: Plan,
    checkpoint: Checkpoint | None,
    checkpoint_days: list[int],
    compile: bool | None,
    progress: Progress | None,
) -> History:
    """Run a plan from its start or from a checkpoint."""
    use_numba = plan.rows >= COMPILE_FROM if compile is None else compile
    return complete(History.empty(plan, use_numba), checkpoint, checkpoint_days, progress)


def complete(
    history: History,
    checkpoint: Checkpoint | None = None,
    checkpoint_days: Sequence[int] = (),
    progress: Progress | None = None,
) -> History:
    """Run the plan of a history in which nothing stands yet, or only what it follows."""
    plan, rules = history.plan, history.plan.ruleset
    loops = (
        compiled(rules.id, rules, plan.lists_are_periods)
        if history.compiled
        else interpreted(rules, plan.lists_are_periods)
    )
    try:
        return _Run(history, loops, progress).go(checkpoint, list(checkpoint_days))
    except ArithmeticError as error:  # a scale of 0, a number beyond all numbers
        message = f"With these parameters the ratings cannot be computed ({error})."
        remedy = f"`arpad rulesets {rules.id}` shows the usual values."
        raise Refused(Problem("parameter-value", FATAL, message, remedy)) from error


def _out_of_range(plan: Plan, row: int) -> Refused:
    """The refusal of ratings that no ruleset means: beyond ten million points, where 32 bits end."""
    g = plan.order.games[row]
    message = "From this game on a rating leaves the range that can be kept (ten million points)."
    remedy = (
        f"Look at the parameters and first ratings; `arpad rulesets {plan.ruleset.id}` shows the usual ones."
    )
    return Refused(game_problem(plan.ledger, g, "rating-range", message, remedy))


class _Run:
    """One run: the loops between the acts, the acts between the loops."""

    def __init__(self, history: History, loops: Loops, progress: Progress | None) -> None:
        self.history, self.loops, self.progress = history, loops, progress
        self.plan = history.plan
        self.glue = glue(self.plan.ruleset)
        self.settled = 0
        self.work = _Work(history) if self.plan.ticks is not None else None

    def go(self, checkpoint: Checkpoint | None, checkpoint_days: list[int]) -> History:
        plan, history = self.plan, self.history
        if history.follows is not None:
            return self._go_on(history.follows.place)
        stops = sorted({(plan.place_of_day(day), day) for day in checkpoint_days})
        # a checkpoint before the first game is taken before anybody has entered
        at_once = checkpoint is None and not (stops and stops[0][0] == 0)
        history.start(at_once)
        at, done = 0, 0
        if checkpoint is not None:
            at, self.settled = restore(checkpoint, history, self.work, self._apply)
            done = sum(1 for place, _ in plan.acts if place < at)
        stops = [stop for stop in stops if stop[0] >= at]
        if not at_once and at == 0:
            self._take(stops, 0)
            for act in plan.opening.acts(self.glue["load"]):
                self._apply(0, act, act.person)
        self._on(at, done, stops)
        return history

    def _go_on(self, place: int) -> History:
        """Go on where another history was followed to."""
        self.settled = self.history.settled_before(place)
        self._on(place, sum(1 for at, _ in self.plan.acts if at < place), [])
        return self.history

    def _on(self, at: int, done: int, stops: list[tuple[int, int]]) -> None:
        """From a place, with so many acts done, to the end."""
        plan, acts = self.plan, self.plan.acts
        end = plan.rows if plan.ticks is None else len(plan.ticks.month)
        while True:
            goal = min([acts[done][0] if done < len(acts) else end, stops[0][0] if stops else end, end])
            self._loop(at, goal)
            at = goal
            self._take(stops, at)
            first = done
            while done < len(acts) and acts[done][0] <= at:
                done += 1
            self._act(at, [act for _, act in acts[first:done]])
            if at >= end and done >= len(acts) and not stops:
                break
        self.history.close(self.settled)

    def _take(self, stops: list[tuple[int, int]], at: int) -> None:
        """Keep the checkpoints (place, day) that are due at a place."""
        history = self.history
        while stops and stops[0][0] <= at:
            history.checkpoints.append(take(history, self.work, at, self.settled, stops.pop(0)[1]))

    # --- between acts ---------------------------------------------------------------------------

    def _loop(self, start: int, stop: int) -> None:
        plan = self.plan
        while start < stop:
            chunk = CHUNK if self.history.compiled else CHUNK // 50
            if plan.ticks is None:
                goal = min(stop, start + chunk) if self.progress else stop
                self._games(start, goal)
                rows = goal
            else:
                goal = stop
                if self.progress:
                    offsets = plan.ticks.row
                    goal = start + 1
                    while goal < stop and offsets[goal] - offsets[start] < chunk:
                        goal += 1
                self._periods(start, goal)
                rows = plan.ticks.row[goal]
            start = goal
            if self.progress:
                self.progress(rows, plan.rows)

    def _games(self, start: int, stop: int) -> None:
        plan, h, view = self.plan, self.history, self.history.view
        reached = self.loops.games(
            start, stop, view(plan.player1), view(plan.player2), view(plan.kind), view(plan.day),
            h.day0, view(h.day_month), *(view(column) for column in plan.kinds[1:7]), view(plan.dated.table),
            view(h.states), view(h.before), view(h.expected), view(h.change), view(h.settled_state),
        )  # fmt: skip
        if reached < 0:
            raise _out_of_range(plan, -1 - reached)

    def _periods(self, start: int, stop: int) -> None:
        plan, h, view = self.plan, self.history, self.history.view
        ticks, work = plan.ticks, self.work
        assert ticks is not None and work is not None
        settled = self.loops.periods(
            start, stop, self.settled, view(plan.player1), view(plan.player2), view(plan.kind),
            view(plan.event), view(plan.event_month), *(view(column) for column in plan.kinds[1:7]),
            view(plan.dated.table), view(ticks.month), view(ticks.params), view(ticks.row), view(ticks.opens),
            view(ticks.sides), view(h.states), view(h.before), view(h.expected), view(h.change),
            view(h.settled_player), view(h.settled_state), view(h.tick_settled),
            *(view(column) for column in work.columns()),
        )  # fmt: skip
        if settled < 0:
            raise _out_of_range(plan, ticks.row[-1 - settled])
        self.settled = settled

    # --- acts -----------------------------------------------------------------------------------

    def _act(self, place: int, acts: list[Act]) -> None:
        entered: list[tuple[int, Act]] = []
        for act in acts:
            if act.person < 0 and self.history.compiled:
                self._post(place, act)
                continue
            people = self.plan.players if act.person < 0 else [act.person]
            moved = [person for person in people if self._apply(place, act, person)]
            if act.kind == ENTRY:
                entered += [(person, act) for person in moved]
        if entered and self.plan.ticks is not None and not self.plan.lists_are_periods and place:
            self._rate_open_list(place, entered)

    def _post(self, place: int, act: Act) -> None:
        """A posting, compiled: _apply() for everybody at once."""
        h, plan, when = self.history, self.plan, self.history.when(place)
        own = act.points != act.points
        points = 0 if own else rounded(act.points * plan.ruleset.per_point)
        before = h.states.copy()
        self.loops.post(
            h.view(array("i", plan.players)), h.view(plan.dated.table), plan.dated.row_at(act.day), int(own),
            points, when.year, when.month, h.states,
        )  # fmt: skip
        h.add_outcomes([Everybody(place, act, before, h.states.copy())])

    def _apply(self, place: int, act: Act, person: int) -> bool:
        """Apply an act to one person; whether it did anything."""
        h = self.history
        before = self.glue["load"](h.states, person)
        after = acting.apply(self.plan.ruleset, self.plan.dated, act, before, self.history.when(place))
        if after == before:
            return False
        self.glue["store"](h.states, person, after)
        if self.work is not None and after.rating != UNRATED:
            self.work.open_head[person] = -1
        h.add_outcomes([Outcome(place, act, person, before, after)])
        return True

    def _rate_open_list(self, place: int, entered: list[tuple[int, Act]]) -> None:
        """A first rating inside a list's period counts from its day: for events that start on it or later."""
        plan, h = self.plan, self.history
        ticks = plan.ticks
        assert ticks is not None
        acts = dict(entered)
        tick = place - 1  # the tick in which this period's list opened
        if tick < 0 or tick >= len(ticks.month):
            return
        for side in self._unrated_sides(ticks.opens[tick], ticks.opens[tick + 1], acts):
            row = side // 2
            person = plan.player2[row] if side % 2 else plan.player1[row]
            act = acts[person]
            event = plan.event[row]
            start = plan.order.first_day[event]
            long = is_long(start, plan.order.last_day[event])
            if max(plan.day[row] if long else start, first_day(ticks.month[tick])) >= act.day:
                h.before[side] = act.entered.rating

    def _unrated_sides(self, start: int, stop: int, persons: Collection[int]) -> list[int]:
        """Of the sides that a list writes, those of these persons that it found without a rating."""
        plan, h = self.plan, self.history
        assert plan.ticks is not None
        if not h.compiled:
            found = plan.ticks.sides[start:stop]
            return [
                side
                for side in found
                if h.before[side] == UNRATED
                and (plan.player2 if side % 2 else plan.player1)[side // 2] in persons
            ]
        import numpy as np

        sides = h.view(plan.ticks.sides)[start:stop]
        sides = sides[h.before[sides] == UNRATED]
        first, second = h.view(plan.player1)[sides // 2], h.view(plan.player2)[sides // 2]
        among = np.isin(np.where(sides % 2 == 1, second, first), list(persons))
        return [int(side) for side in sides[among]]


class _Work:
    """Arrays that the period loop needs while it runs, and nobody afterwards."""

    def __init__(self, history: History) -> None:
        plan, people = history.plan, len(history.plan.ledger.names)
        rules = plan.ruleset
        new = history.new
        self.sums = [new("i", people) for _ in range(3)] + [new("q", people), new("i", people)]
        self.touched, self.touched_at = new("i", people), new("i", people)
        self.open_head, self.open_tail = new("i", people, -1), new("i", people)
        newcomers = rules.newcomer is not None
        self.open_next = new("i", 2 * plan.rows if newcomers else 1)  # written before it is read
        longest = 1
        if newcomers:
            details = (rules.period, plan.until)
            longest = plan.ledger.kept("longest", details, lambda: _most_games(plan))
        self.open_columns = [new("i", longest + 1) for _ in range(5)]
        self.claims = [new("i", people), new("i", people, -1), new("i", people)]

    def columns(self) -> list[Any]:
        return [
            *self.sums, self.touched, self.touched_at, self.open_head, self.open_tail, self.open_next,
            *self.open_columns, *self.claims,
        ]  # fmt: skip


def _most_games(plan: Plan) -> int:
    if plan.rows >= COMPILE_FROM:
        import numpy as np

        columns = [np.frombuffer(column, np.int32) for column in (plan.player1, plan.player2)]
        people = len(plan.ledger.names)
        games = np.bincount(columns[0], minlength=people) + np.bincount(columns[1], minlength=people)
        return int(games.max())
    count = Counter(plan.player1)
    count.update(plan.player2)
    return max(count.values(), default=0)
