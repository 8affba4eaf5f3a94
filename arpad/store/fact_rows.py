"""A pool's facts as rows of the database, read by ranges of recordings."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from functools import cached_property
from typing import Any
from zoneinfo import ZoneInfo

from django.db import connections

from arpad.store.bulk import select
from arpad.store.models import Pool

Rows = Iterable[tuple[Any, ...]]
RECORDED = "JOIN store_recording r ON r.id = {}f.recording_id WHERE f.organisation_id = %s AND r.number "
IN_RANGE = RECORDED + "> %s AND r.number <= %s"
FEW = 200  # recordings that are named one by one: the database goes by them, not through all facts
GAMES = (
    "f.id, f.uuid, f.event_id, f.day, f.round, f.board, f.sequence, f.player1_id, f.player2_id, "
    "f.result, f.best_of, f.stones, f.weight, f.size"
)
FEEDS = 'f.id, f.event_id, e.name, e.start, e.order_key, f.event_class, f."order"'


class Window:
    """A pool's policy "window": what is recorded more than some days after its day counts on the day it
    was recorded, so that lists older than the window stay as they were. Voids count on the day of what
    they void.
    """

    def __init__(self, pool: Pool) -> None:
        self.days = pool.window_days if pool.policy == "window" else None
        self._zone = ZoneInfo(pool.organisation.time_zone) if self.days is not None else None

    def late(self, day: int, recorded: Any) -> int:
        """The day on which a fact of `day` counts, in the organisation's time zone; 0: on its own."""
        if self.days is None or not day:
            return 0
        if isinstance(recorded, str):  # SQLite: UTC without saying so
            recorded = datetime.datetime.fromisoformat(recorded)
        if recorded.tzinfo is None:
            recorded = recorded.replace(tzinfo=datetime.UTC)
        known: int = recorded.astimezone(self._zone).date().toordinal()
        return known if known - day > self.days else 0


class Recorded:
    """The facts of the recordings after `after` up to `to`, in the order they were written.

    People, merges and voids are those of the whole organisation, everything else is the pool's. Each
    method gives the columns that PoolLedger takes.
    """

    def __init__(self, pool: Pool, using: str, after: int, to: int) -> None:
        self.pool, self.using, self.after, self.to = pool, using, after, to
        self.window = Window(pool)

    @cached_property
    def _range(self) -> tuple[str, list[Any]]:
        """The condition that a fact is of these recordings, and its parameters."""
        organisation = self.pool.organisation_id
        # from nothing: + leaves SQLite no index, so that it walks the facts in order and sorts none
        walk = "+" if not self.after and connections[self.using].vendor == "sqlite" else ""
        if self.to - self.after > FEW:
            return IN_RANGE.format(walk), [organisation, self.after, self.to]
        query = "SELECT id FROM store_recording WHERE organisation_id = %s AND number > %s AND number <= %s"
        keys = [key for (key,) in select(self.using, query, [organisation, self.after, self.to])]
        chosen = ", ".join(map(str, keys)) or "NULL"
        condition = f"{RECORDED.format(walk)} > %s AND {walk}f.recording_id IN ({chosen})"
        return condition, [organisation, self.after]

    def _rows(self, query: str, *more: Any) -> Rows:
        where, values = self._range
        return select(self.using, query.format(where), [*values, *more])

    def _of_pool(self, table: str, columns: str) -> Rows:
        return self._rows(
            f"SELECT {columns} FROM {table} f {{}} AND f.pool_id = %s ORDER BY f.id", self.pool.pk
        )

    def people(self) -> Rows:
        return self._rows("SELECT f.id, f.uuid, f.order_key FROM store_person f {} ORDER BY f.id")

    def feeds(self) -> Rows:
        """Events that are made to count in the pool, with the class they have there."""
        query = (
            f"SELECT {FEEDS} FROM store_eventinpool f JOIN store_event e ON e.id = f.event_id "
            "{} AND f.pool_id = %s ORDER BY f.id"
        )
        return self._rows(query, self.pool.pk)

    def games(self) -> Rows:
        """Games as they were entered; last the day on which one counts that came late, or 0."""
        query = f"SELECT {GAMES}, {self._when} FROM store_game f {{}}"
        if self.to - self.after <= FEW:  # PoolLedger leaves out what feeds another pool
            return self._with_late(self._rows(f"{query} ORDER BY f.id"))
        query += (
            " AND f.event_id IN (SELECT event_id FROM store_eventinpool WHERE pool_id = %s) ORDER BY f.id"
        )
        return self._with_late(self._rows(query, self.pool.pk))

    @property
    def _when(self) -> str:
        """When a game was recorded, where it matters: a time takes longer to read than all the rest."""
        return "0" if self.window.days is None else "r.recorded"

    def _with_late(self, rows: Rows) -> Rows:
        if self.window.days is None:
            return rows
        late = self.window.late
        return ((*row[:-1], late(row[3], row[-1])) for row in rows)

    def earlier_games(self, event: int) -> Rows:
        """Games of an event that were recorded up to `after`: it joins the pool only now."""
        query = (
            f"SELECT {GAMES}, {self._when} FROM store_game f JOIN store_recording r ON r.id = f.recording_id "
            "WHERE f.event_id = %s AND r.number <= %s ORDER BY f.id"
        )
        return self._with_late(select(self.using, query, [event, self.after]))

    def applications(self) -> Rows:
        return self._of_pool("store_application", "f.id, f.person_id, f.day, f.content")

    def corrections(self) -> Rows:
        rows = self._of_pool("store_correction", "f.id, f.person_id, f.day, f.rating, r.recorded")
        return ((*row[:2], self.window.late(row[2], row[4]) or row[2], row[3]) for row in rows)

    def postings(self) -> Rows:
        rows = self._of_pool("store_posting", "f.id, f.day, f.points, r.recorded")
        return ((row[0], self.window.late(row[1], row[3]) or row[1], row[2]) for row in rows)

    def parameters(self) -> Rows:
        return self._of_pool("store_parameterchange", "f.id, f.day, f.name, f.value")

    def merges(self) -> Rows:
        return self._rows("SELECT f.id, f.kept_id, f.merged_id FROM store_sameperson f {} ORDER BY f.id")

    def voids(self) -> Rows:
        return self._rows("SELECT f.id, f.target_kind, f.target_key FROM store_void f {} ORDER BY f.id")
