"""The effect of facts that are not recorded yet, without lease or writes.

seen = preview(settler, lambda r: r.void(game))
seen.players            whose shown rating would change, and since when
seen.recording          the newest recording it saw: where the ledger has moved on, compute it again
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from arpad.engine.diff import Differences
from arpad.engine.follow import follow
from arpad.engine.history import History
from arpad.engine.replay import replay
from arpad.store.change_rows import stored_otherwise
from arpad.store.effects import EFFECT_COLUMNS, effects
from arpad.store.fact_rows import Recorded, Rows
from arpad.store.models import (
    Application,
    Correction,
    Event,
    EventInPool,
    Fact,
    Game,
    Organisation,
    ParameterChange,
    Person,
    Pool,
    Posting,
    RatingList,
    SamePerson,
    Void,
)
from arpad.store.pool_ledger import PoolLedger
from arpad.store.recorder import Recorder
from arpad.store.settle import Settler


class PlayerEffect(NamedTuple):
    """A player whose shown rating would change."""

    person: int  # key; below 0: somebody new
    day: int  # of the first rating that would be shown otherwise
    old: int | None  # that rating in grains; None: none
    new: int | None
    old_now: int | None  # the rating of today
    new_now: int | None
    old_label: str
    new_label: str


class Preview(NamedTuple):
    """What a recording would change in one pool."""

    recording: int  # the newest that it saw
    players: list[PlayerEffect]  # the largest change of today's rating first
    rows: int  # rows that would change
    lists: list[int]  # days of published lists that now would be computed otherwise; they stay as they are
    seconds: float

    @property
    def largest(self) -> int:
        """The largest change of a rating of today, grains."""
        return max((_size(player) for player in self.players), default=0)


class Draft(Recorder):
    """Takes facts as a Recorder does, and keeps them: nothing reaches the database. New keys are below 0."""

    def __init__(self, organisation: Organisation, using: str = "default") -> None:
        super().__init__(organisation, "0", "draft", "", "", None, None, False, using)
        self._last = 0

    def open(self) -> None:
        """Nothing is opened."""

    def write(self) -> None:
        """Nothing is written."""

    def seal(self) -> None:
        """A draft is never sealed."""
        raise TypeError("a draft cannot be recorded; write the facts with recording()")

    def key(self, model: Any) -> int:
        self._last -= 1
        return self._last

    def rows(self, model: type[Fact], *columns: str) -> list[tuple[Any, ...]]:
        """Columns of the facts of a kind, in order."""
        if model not in self._columns:
            return []
        places = [self._columns[model].index(column) for column in columns]
        return [tuple(row[place] for place in places) for row in self._waiting.get(model, [])]


class Drafted:
    """A draft's facts for one pool, as PoolLedger takes them."""

    def __init__(self, draft: Draft, pool: Pool, through: int) -> None:
        self.draft, self.pool = draft, pool
        self._recorded = Recorded(pool, draft.using, through, through)

    def people(self) -> Rows:
        return self.draft.rows(Person, "id", "uuid", "order_key")

    def feeds(self) -> Rows:
        new = {row[0]: row[1:] for row in self.draft.rows(Event, "id", "name", "start", "order_key")}
        for key, pool, event, event_class, order in self.draft.rows(
            EventInPool, "id", "pool_id", "event_id", "event_class", "order"
        ):
            if pool == self.pool.pk:
                yield (key, event, *(new.get(event) or self._event(event)), event_class, order)

    def _event(self, key: int) -> tuple[Any, ...]:
        events = Event.objects.using(self.draft.using)
        return events.values_list("name", "start", "order_key").get(pk=key)

    def games(self) -> Rows:
        rows = self.draft.rows(
            Game, "id", "uuid", "event_id", "day", "round", "board", "sequence", "player1_id", "player2_id",
            "result", "best_of", "stones", "weight", "size",
        )  # fmt: skip
        return [(*row, self._late(row[3])) for row in rows]

    def _late(self, day: int) -> int:
        """The day on which a fact counts that would be recorded now; 0: on its own."""
        return self._recorded.window.late(day, self.draft.row.recorded)

    def earlier_games(self, event: int) -> Rows:
        return self._recorded.earlier_games(event) if event > 0 else ()

    def _of_pool(self, model: type[Fact], *columns: str) -> Rows:
        rows = self.draft.rows(model, "pool_id", *columns)
        return [row[1:] for row in rows if row[0] == self.pool.pk]

    def applications(self) -> Rows:
        return self._of_pool(Application, "id", "person_id", "day", "content")

    def corrections(self) -> Rows:
        rows = self._of_pool(Correction, "id", "person_id", "day", "rating")
        return [(*row[:2], self._late(row[2]) or row[2], row[3]) for row in rows]

    def postings(self) -> Rows:
        return [
            (row[0], self._late(row[1]) or row[1], row[2])
            for row in self._of_pool(Posting, "id", "day", "points")
        ]

    def parameters(self) -> Rows:
        return self._of_pool(ParameterChange, "id", "day", "name", "value")

    def merges(self) -> Rows:
        return self.draft.rows(SamePerson, "id", "kept_id", "merged_id")

    def voids(self) -> Rows:
        return self.draft.rows(Void, "id", "target_kind", "target_key")


def preview(settler: Settler, write: Callable[[Draft], object]) -> Preview:
    """What the facts that `write` would record change in a pool; nothing is kept of it.

    Raises Refused where the rules do not take them. The settler keeps its own ledger untouched.
    """
    started = time.perf_counter()
    draft = Draft(settler.pool.organisation, settler.using)
    write(draft)
    facts, old, tip = _now(settler)
    facts.take(Drafted(draft, settler.pool, tip))
    new = follow(old, facts.ledger)
    differences = Differences(old, new)
    drafted = [(kind, key) for _, kind, key in Drafted(draft, settler.pool, tip).voids()]
    rows = list(effects(facts, differences, (0, 0, 0), tip, drafted))
    players = sorted(map(_player, rows), key=lambda player: (-_size(player), player.person))
    days = _changed_lists(settler, players)
    changed = int(stored_otherwise(differences).sum())
    return Preview(tip, players, changed, days, time.perf_counter() - started)


def holds(seen: Preview, settler: Settler) -> bool:
    """Whether the ledger stands where the preview saw it."""
    return settler.tip() == seen.recording


def _now(settler: Settler) -> tuple[PoolLedger, History, int]:
    """A copy of the pool's ledger up to the newest recording, the history it gives, and that recording."""
    tip = settler.tip()
    if settler.at_hand(tip):
        return settler.facts.copy(), settler.warm(tip), tip
    facts = (
        settler.facts.copy() if 0 < settler.facts.through <= tip else PoolLedger(settler.pool, settler.using)
    )
    facts.advance(tip)
    old = replay(facts.ledger, settler.rules)
    return facts.copy(), old, tip


def _player(row: Sequence[Any]) -> PlayerEffect:
    values = dict(zip(EFFECT_COLUMNS, row, strict=True))
    return PlayerEffect(values["person_id"], *(values[name] for name in PlayerEffect._fields[1:]))


def _size(player: PlayerEffect) -> int:
    return abs((player.new_now or 0) - (player.old_now or 0))


def _changed_lists(settler: Settler, players: Sequence[PlayerEffect]) -> list[int]:
    """The days of the published lists from the first change on."""
    if not players:
        return []
    first = min(player.day for player in players)
    lists = RatingList.objects.using(settler.using).filter(pool=settler.pool, withdrawn=None, day__gte=first)
    return sorted(set(lists.values_list("day", flat=True)))
