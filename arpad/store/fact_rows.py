"""A pool's facts as rows of the database, read by ranges of recordings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from arpad.store.bulk import select
from arpad.store.models import Pool

Rows = Iterable[tuple[Any, ...]]
IN_RANGE = (
    "JOIN store_recording r ON r.id = f.recording_id "
    "WHERE f.organisation_id = %s AND r.number > %s AND r.number <= %s"
)
GAMES = (
    "f.id, f.uuid, f.event_id, f.day, f.round, f.board, f.sequence, f.player1_id, f.player2_id, "
    "f.result, f.best_of, f.stones, f.weight, f.size"
)
FEEDS = 'f.id, f.event_id, e.name, e.start, e.order_key, f.event_class, f."order"'


class Recorded:
    """The facts of the recordings after `after` up to `to`, in the order they were written.

    People, merges and voids are those of the whole organisation, everything else is the pool's. Each
    method gives the columns that PoolLedger takes.
    """

    def __init__(self, pool: Pool, using: str, after: int, to: int) -> None:
        self.pool, self.using, self.after, self.to = pool, using, after, to

    def _rows(self, query: str, *more: Any) -> Rows:
        return select(self.using, query, [self.pool.organisation_id, self.after, self.to, *more])

    def _of_pool(self, table: str, columns: str) -> Rows:
        query = f"SELECT {columns} FROM {table} f {IN_RANGE} AND f.pool_id = %s ORDER BY f.id"
        return self._rows(query, self.pool.pk)

    def people(self) -> Rows:
        return self._rows(f"SELECT f.id, f.uuid, f.order_key FROM store_person f {IN_RANGE} ORDER BY f.id")

    def feeds(self) -> Rows:
        """Events that are made to count in the pool, with the class they have there."""
        query = (
            f"SELECT {FEEDS} FROM store_eventinpool f JOIN store_event e ON e.id = f.event_id "
            f"{IN_RANGE} AND f.pool_id = %s ORDER BY f.id"
        )
        return self._rows(query, self.pool.pk)

    def games(self) -> Rows:
        query = (
            f"SELECT {GAMES} FROM store_game f {IN_RANGE} AND f.event_id IN "
            "(SELECT event_id FROM store_eventinpool WHERE pool_id = %s) ORDER BY f.id"
        )
        return self._rows(query, self.pool.pk)

    def earlier_games(self, event: int) -> Rows:
        """Games of an event that were recorded up to `after`: it joins the pool only now."""
        query = (
            f"SELECT {GAMES} FROM store_game f JOIN store_recording r ON r.id = f.recording_id "
            "WHERE f.event_id = %s AND r.number <= %s ORDER BY f.id"
        )
        return select(self.using, query, [event, self.after])

    def applications(self) -> Rows:
        return self._of_pool("store_application", "f.id, f.person_id, f.day, f.content")

    def corrections(self) -> Rows:
        return self._of_pool("store_correction", "f.id, f.person_id, f.day, f.rating")

    def postings(self) -> Rows:
        return self._of_pool("store_posting", "f.id, f.day, f.points")

    def parameters(self) -> Rows:
        return self._of_pool("store_parameterchange", "f.id, f.day, f.name, f.value")

    def merges(self) -> Rows:
        return self._rows(
            f"SELECT f.id, f.kept_id, f.merged_id FROM store_sameperson f {IN_RANGE} ORDER BY f.id"
        )

    def voids(self) -> Rows:
        return self._rows(
            f"SELECT f.id, f.target_kind, f.target_key FROM store_void f {IN_RANGE} ORDER BY f.id"
        )
