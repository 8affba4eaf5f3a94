"""What a replay leaves behind: every number of every game, and the state of everybody at any time."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.domain.dates import NO_DAY, month_of
from arpad.domain.play import When
from arpad.domain.units import NOT_RATED, UNRATED
from arpad.engine.acts import ENTRY, Act, Opening, Outcome
from arpad.engine.checkpoint import Checkpoint
from arpad.engine.extend import Growth
from arpad.engine.plan import Plan
from arpad.engine.specialise import glue
from arpad.engine.ticks import months

if TYPE_CHECKING:
    from arpad.engine.explain import Explanation
    from arpad.engine.past import Past


class Rating(NamedTuple):
    """One line of a rating list."""

    player: str
    rating: float | None  # points; None: unrated
    label: str  # what a list shows: "5 kyu", "1683", "NC"
    games: int  # rated games
    last_played: int  # day of the last rated game; 0: none
    person: int  # number in the ledger
    state: Any


class Side(NamedTuple):
    """One player's side of one game, as rated."""

    row: int  # place in playing order
    turn: int  # 0: player 1, 1: player 2
    game: int  # number in the ledger
    person: int
    opponent: int
    event: int
    day: int
    before: int  # the rating used, grains; UNRATED
    opponent_before: int
    expected: int  # millionths; NOT_RATED where the game does not count for this side
    change: int  # in the ruleset's change unit

    @property
    def rated(self) -> bool:
        return self.expected != NOT_RATED


class Everybody(NamedTuple):
    """What an act did to everybody: States before and after, not yet as an Outcome a person."""

    place: int
    act: Act
    before: Any  # as History.states
    after: Any


class Follows(NamedTuple):
    """From which history one was continued: what stands before a place is the same in both."""

    history: Any  # a weak reference, so that they do not hold each other
    place: int  # tick or row
    growth: Growth


def _each(found: Outcome | Opening | Everybody, load: Any) -> Iterator[Outcome]:
    """The outcomes that stand together in one entry; `load` reads a State."""
    if isinstance(found, Outcome):
        yield found
    elif isinstance(found, Opening):
        for act in found.acts(load):
            default = type(act.entered)()
            if act.entered != default:
                yield Outcome(0, act, act.person, default, act.entered)
    else:
        import numpy as np

        width = len(load(found.before, 0))
        changed = (found.before != found.after).reshape(-1, width).any(axis=1)
        for person in np.flatnonzero(changed).tolist():
            yield Outcome(
                found.place, found.act, person, load(found.before, person), load(found.after, person)
            )


class History:
    """The result of replay(). Side 2r is player 1 of row r, side 2r + 1 player 2."""

    def __init__(self, plan: Plan, compiled: bool) -> None:
        self.plan, self.compiled = plan, compiled
        self.params: Any = None  # the one set of parameters in place of every edition, where there was one
        self.checkpoints: list[Checkpoint] = []
        self._outcomes: list[Outcome | Opening | Everybody] = []
        self.settled = 0
        self.begins = 0  # the first row that is known: above 0 after a restart without the past
        self.follows: Follows | None = None
        self._views: dict[int, Any] = {}
        self._past: Past | None = None
        self._expanded: list[Outcome] | None = None
        self._last_played: Any = None

    states: Any  # State fields of person i from i * width on
    before: Any
    expected: Any
    change: Any
    settled_player: Any  # one entry a settlement; empty where every row settles both sides
    settled_state: Any
    tick_settled: Any  # settlements before tick t
    day0: int
    day_month: Any

    @classmethod
    def empty(cls, plan: Plan, compiled: bool) -> History:
        """Arrays of the right size, nothing in them."""
        self = cls(plan, compiled)
        width, sides = len(plan.ruleset.state_type._fields), 2 * plan.rows
        self.before, self.expected, self.change = (self.new("i", sides, bare=True) for _ in range(3))
        self.settled_state = self.new("i", sides * width, bare=True)
        game_loop = plan.ticks is None
        self.settled_player = self.new("i", 0 if game_loop else sides, bare=True)
        self.tick_settled = self.new("i", 1 if plan.ticks is None else len(plan.ticks.month) + 1)
        self.day0, self.day_month = _months(plan)
        return self

    def start(self, with_first_ratings: bool) -> None:
        """Everybody's State before the first game; first ratings without a day are entered, or not yet."""
        rules, opening = self.plan.ruleset, self.plan.opening
        default = rules.state_type()
        width, people = len(default), len(self.plan.ledger.names)
        states = array("i", default) * people
        self.states = self.view(states).copy() if self.compiled else states
        if not with_first_ratings or not opening.facts:
            return
        persons = [fact.person for fact in opening.facts]
        if self.compiled:
            self.states.reshape(-1, width)[persons] = self.view(opening.states).reshape(-1, width)
        else:
            for i, person in enumerate(persons):
                states[person * width : (person + 1) * width] = opening.states[i * width : (i + 1) * width]
        self._outcomes.append(opening)

    # --- what happened without a game -------------------------------------------------------------

    @property
    def outcomes(self) -> list[Outcome]:
        """What every act did to every person, in order."""
        if self._expanded is None:
            load = glue(self.plan.ruleset)["load"]
            self._expanded = [outcome for found in self._outcomes for outcome in _each(found, load)]
        return self._expanded

    def outcomes_apart(self, since: int = 0) -> list[Outcome]:
        """The same without the first ratings that have no day: there may be as many as players.

        since  only what acted at this tick (or row) or later
        """
        return [o for o in self.acted(since) if o.act.kind != ENTRY or o.act.day != NO_DAY]

    def acted(self, since: int = 0) -> Iterator[Outcome]:
        """What acts did that are not of the plan's opening, from a tick (or row) on."""
        load = glue(self.plan.ruleset)["load"]
        chosen = (
            found for found in self._outcomes if not isinstance(found, Opening) and found.place >= since
        )
        return (outcome for found in chosen for outcome in _each(found, load))

    def add_outcomes(self, outcomes: Iterable[Outcome | Opening | Everybody]) -> None:
        """More acts have acted."""
        self._outcomes += outcomes
        self._expanded = None

    def outcomes_before(self, place: int) -> list[Outcome | Opening | Everybody]:
        """What acted before a tick (or row), for add_outcomes() of another history."""
        return [
            found for found in self._outcomes if (0 if isinstance(found, Opening) else found.place) < place
        ]

    # --- arrays ---------------------------------------------------------------------------------

    def new(self, code: str, length: int, fill: int = 0, bare: bool = False) -> Any:
        """A flat array; compiled: numpy's, so that untouched memory costs nothing."""
        if not self.compiled:
            return array(code, [fill]) * length
        import numpy as np

        kind = {"i": np.int32, "q": np.int64}[code]
        if bare:
            return np.empty(length, kind)
        return np.full(length, fill, kind) if fill else np.zeros(length, kind)

    def view(self, column: Any) -> Any:
        """The column as the loop takes it: itself, or numpy's view of the same memory."""
        if not self.compiled or not isinstance(column, array):
            return column
        found = self._views.get(id(column))
        if found is None:
            import numpy as np

            found = self._views[id(column)] = (
                np.frombuffer(column, np.dtype(column.typecode))
                if column
                else np.zeros(0, np.dtype(column.typecode))
            )
        return found

    def close(self, settled: int) -> None:
        """The run is over: drop what was not needed."""
        self._views.clear()
        if self.plan.ticks is None:
            self.settled = 2 * self.plan.rows
            return
        self.settled = settled
        width = len(self.plan.ruleset.state_type._fields)
        if self.compiled and settled < len(self.settled_player) // 2:
            self.settled_player = self.settled_player[:settled].copy()
            self.settled_state = self.settled_state[: settled * width].copy()
        else:
            self.settled_player = self.settled_player[:settled]
            self.settled_state = self.settled_state[: settled * width]

    def when(self, place: int) -> When:
        """The month of the period at `place`, as acts are told; year 0 where every game is a period."""
        ticks = self.plan.ticks
        if ticks is None or not len(ticks.month):
            return When(0, 1)
        month = int(ticks.month[min(place, len(ticks.month) - 1)])
        return When(month // 12, month % 12 + 1)

    # --- states ---------------------------------------------------------------------------------

    def past(self) -> Past:
        """Everybody's States as any period began; made once, when first asked for."""
        if self._past is None:
            from arpad.engine.past import Past

            self._past = Past(self)
        return self._past

    def explain(
        self, player: str, *, event: str | None = None, round: int | None = None, language: str = "en"
    ) -> Explanation:
        """How a player's rating came about: see arpad.engine.explain.explain."""
        from arpad.engine.explain import explain

        return explain(self, player, event=event, round=round, language=language)

    def state(self, person: int) -> Any:
        """The State of a person at the end."""
        width = len(self.plan.ruleset.state_type._fields)
        mine = self.states[person * width : (person + 1) * width].tolist()  # no numbers of numpy's
        return glue(self.plan.ruleset)["load"](mine, 0)

    def at(self, day: int) -> dict[int, Any]:
        """The State of every player as it stood at the end of `day` (pools with lists: the list in force)."""
        cut = self.plan.place_after_day(day)
        index = self.settled_before(cut)
        load, default = glue(self.plan.ruleset)["load"], self.plan.ruleset.state_type()
        last = self._last_settlement(index)
        states = {
            p: (load(self.settled_state, last[p]) if last[p] >= 0 else default) for p in self.plan.players
        }
        for outcome in self.outcomes:
            # a first rating is in force from its day, inside a list's period too
            inside = outcome.act.day <= day and (outcome.place <= cut or outcome.act.kind == ENTRY)
            if inside and last[outcome.person] < self.settled_before(outcome.place):
                states[outcome.person] = outcome.after
        return states

    def settled_before(self, place: int) -> int:
        """The number of settlements before a tick (or row)."""
        return (
            2 * place
            if self.plan.ticks is None
            else int(self.tick_settled[min(place, len(self.tick_settled) - 1)])
        )

    def settled_person(self, index: int) -> int:
        """Whose settlement entry `index` is."""
        if self.plan.ticks is not None:
            return int(self.settled_player[index])
        row, turn = divmod(index, 2)
        return int((self.plan.player2 if turn else self.plan.player1)[row])

    def _last_settlement(self, stop: int) -> Any:
        """By person, the last settlement entry before `stop`; -1: none."""
        people = len(self.plan.ledger.names)
        if not self.compiled:
            last = [-1] * people
            for index in range(stop):
                last[self.settled_person(index)] = index
            return last
        import numpy as np

        if self.plan.ticks is None:
            who = np.empty(stop, np.int32)
            who[0::2] = np.frombuffer(self.plan.player1, np.int32)[: stop // 2]
            who[1::2] = np.frombuffer(self.plan.player2, np.int32)[: stop // 2]
        else:
            who = self.settled_player[:stop]
        found = np.full(people, -1, np.int64)
        found[who] = np.arange(stop)
        return found

    # --- games ----------------------------------------------------------------------------------

    def side(self, index: int) -> Side:
        """One side of one game."""
        plan, (row, turn) = self.plan, divmod(index, 2)
        people = (plan.player1[row], plan.player2[row])
        return Side(
            row, turn, plan.order.games[row], people[turn], people[1 - turn], plan.event[row],
            plan.day[row], int(self.before[index]), int(self.before[index ^ 1]),
            int(self.expected[index]), int(self.change[index]),
        )  # fmt: skip

    def sides_of(self, person: int) -> Iterator[Side]:
        """A player's games in playing order."""
        plan = self.plan
        for row in range(plan.rows):
            if plan.player1[row] == person:
                yield self.side(2 * row)
            if plan.player2[row] == person:
                yield self.side(2 * row + 1)

    def continues(self, other: History) -> int:
        """The place (tick or row) before which this history has the numbers of `other`; 0: not known."""
        follows = self.follows
        return follows.place if follows is not None and follows.history() is other else 0

    def last_played(self) -> Any:
        """By person, the day of the last rated game; 0: none."""
        if self._last_played is None or len(self._last_played) != len(self.plan.ledger.names):
            self._last_played = self._days_last_played()
        return self._last_played

    def _days_last_played(self) -> Any:
        plan = self.plan
        people = len(plan.ledger.names)
        if not self.compiled:
            last = [0] * people
            for row in range(plan.rows):
                for turn, person in enumerate((plan.player1[row], plan.player2[row])):
                    if self.expected[2 * row + turn] != NOT_RATED and plan.day[row] > last[person]:
                        last[person] = plan.day[row]
            return last
        import numpy as np

        found = np.zeros(people, np.int32)
        days = np.frombuffer(plan.day, np.int32)
        for turn, column in enumerate((plan.player1, plan.player2)):
            counted = self.expected[turn::2] != NOT_RATED
            who, when = np.frombuffer(column, np.int32)[counted], days[counted]
            if plan.ticks is None:  # days rise: the last one written is the latest
                latest = np.zeros(people, np.int32)
                latest[who] = when
                np.maximum(found, latest, out=found)
            else:
                np.maximum.at(found, who, when)
        return found

    def ratings(self) -> list[Rating]:
        """The rating list: by rating, then player; who has none comes last."""
        last, states = self.last_played(), self.states.tolist()
        lines = [self.line(person, int(last[person]), states) for person in self.plan.players]
        lines.sort(key=lambda line: (line.rating is None, -(line.rating or 0.0), line.player))
        return lines

    def line(self, person: int, last_played: int, states: Any = None) -> Rating:
        """One player's line of the list. `states` are those of the end, as a list where many are read."""
        rules, names = self.plan.ruleset, self.plan.ledger.names
        state = glue(rules)["load"](self.states if states is None else states, person)
        if states is None:  # numpy's numbers become Python's
            state = type(state)(*map(int, state))
        points = None if state.rating == UNRATED else state.rating / rules.per_point
        return Rating(names[person], points, rules.label(state), state.games, last_played, person, state)


def _months(plan: Plan) -> tuple[int, Any]:
    """The first day played and, for each day from it on, its month (the game loop looks it up)."""
    if plan.ticks is not None or not plan.rows:
        return 0, array("i", [0])
    first, last = plan.day[0], plan.day[-1]
    if last - first < 20 * plan.rows:
        return first, months(range(first, last + 1))
    found = array("i", [0]) * (last - first + 1)
    for day in set(plan.day):
        found[day - first] = month_of(day)
    return first, found
