"""Settling: bring a pool's derived rows up to the newest recording.

Idempotent and restartable: rows are written under the next settlement's number, which no reader looks
at until one small transaction makes it current; what a crash leaves behind is removed by the next
settling. Only rows that differ are written.
"""

from __future__ import annotations

import datetime
import hashlib
import json
import time
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from django.db import connections, transaction

from arpad.domain.problems import FATAL, Problem, Refused
from arpad.domain.units import UNRATED
from arpad.engine.diff import Differences
from arpad.engine.follow import follow
from arpad.engine.history import History
from arpad.engine.replay import replay
from arpad.engine.rows import Rows
from arpad.rulesets.catalogue import find
from arpad.store.bulk import at_length, insert, select
from arpad.store.change_rows import COLUMNS, all_rows, changed_rows
from arpad.store.digest import Pieces, pieces
from arpad.store.effects import EFFECT_COLUMNS, effects
from arpad.store.lease import Held
from arpad.store.models import Change, Effect, Organisation, Pool, Settlement, Standing
from arpad.store.pool_ledger import PoolLedger

SMALL = 2_000  # rows that differ: all is written in one transaction
BATCH = 20_000  # rows of one write transaction: about 150 ms
PIECE = 5_000  # rows of a settlement below which is swept in a transaction
STANDING = (
    "organisation_id", "pool_id", "settlement", "person_id", "rating", "label", "games", "last_played",
    "state", "gone",
)  # fmt: skip


# What makes two rows the same row in two settlements.
SAME: tuple[tuple[Any, tuple[str, ...]], ...] = (
    (Change, ("person_id", "kind", "subject")),
    (Standing, ("person_id",)),
)


class Done(NamedTuple):
    """What a settling did."""

    settlement: int  # number; that of the one before where there was nothing to do
    through: int
    rows_changed: int
    rows_written: int
    players_changed: int
    seconds: float
    digest: str


class Settler:
    """Settles one pool, and keeps its ledger and history in memory between two settlings."""

    def __init__(self, pool: Pool, using: str = "default") -> None:
        self.pool, self.using = pool, using
        self.facts = PoolLedger(pool, using)
        self.history: History | None = None
        self._history_at = 0  # the recording up to which the history goes
        self._pieces: Pieces | None = None  # of the digest of a history of `facts`
        self.rules = find(pool.ruleset)

    # --- what is -------------------------------------------------------------------------------

    def tip(self) -> int:
        """The newest sealed recording of the organisation."""
        organisations = Organisation.objects.using(self.using)
        return int(organisations.values_list("chain_number", flat=True).get(pk=self.pool.organisation_id))

    def current(self) -> Settlement | None:
        """The settlement readers look at."""
        self.pool.refresh_from_db(using=self.using, fields=["current", "policy", "window_days"])
        if self.facts.window != (self.pool.policy, self.pool.window_days):
            self._forget()
        if not self.pool.current:
            return None
        return Settlement.objects.using(self.using).get(pool=self.pool, number=self.pool.current)

    def _forget(self) -> None:
        self.facts, self.history, self._pieces = PoolLedger(self.pool, self.using), None, None

    def _digest(self, history: History) -> str:
        """The digest of a history; what it has in common with the one before is not hashed again."""
        known = self._pieces
        if known is None or known.history is not history:
            self._pieces = known = pieces(self.facts, history, known)
        return known.digest()

    def at_hand(self, through: int) -> bool:
        """Whether the history up to a recording is in memory."""
        return self.history is not None and self._history_at == self.facts.through == through

    def warm(self, through: int) -> History:
        """The history up to a recording. Raises Refused where the rules do not take a fact."""
        if self.history is not None and self.at_hand(through):
            return self.history
        if self.facts.through > through:
            self._forget()
        if self.facts.advance(through) or self.history is None or self._history_at != self.facts.through:
            self.history = replay(self.facts.ledger, self.rules)
        self._history_at = through
        return self.history

    def _before(self, current: Settlement, full: bool) -> History | None:
        """The history that the current rows show.

        Another version of the program may compute other numbers from the same facts. Then the rows can
        only be made anew, and that is not done unasked: Refused (`rules-changed`) unless `full`.
        """
        at_hand = self.at_hand(current.through)
        try:
            old = self.warm(current.through)
        except Refused:
            if full:
                return None
            raise
        if at_hand or self._digest(old) == current.digest:
            return old
        if full:
            return None
        message = f"This version of the program computes other ratings for {self.pool.slug} than are shown."
        remedy = f"Run `arpad settle --pool {self.pool.slug} --full` to make every rating anew."
        raise Refused(Problem("rules-changed", FATAL, message, remedy))

    # --- settle --------------------------------------------------------------------------------

    def settle(self, full: bool = False) -> Done:
        """Settle up to the newest recording. `full`: everything from nothing, every row anew."""
        with Held(self.pool, self.using) as lease, ExitStack() as length:
            started = time.perf_counter()
            current = self.current()
            tip = self.tip()
            if current is not None and current.through == tip and not full:
                return Done(current.number, tip, 0, 0, 0, time.perf_counter() - started, current.digest)
            self._clear_unfinished()
            if full:
                self._forget()
            if full or current is None:
                length.enter_context(at_length(self.using))
            old = None if current is None else self._before(current, full)
            changed = self.facts.advance(tip)
            new = self._rated(old, changed)
            differences = Differences(old, new) if old is not None and old is not new else None
            found = current.digest if current and new is old else self._digest(new)
            anew = full or old is None
            with ExitStack() as last:
                # few rows: all in the last transaction, which costs one wait for the disk instead of six
                if not anew and (differences is None or len(differences) <= SMALL):
                    last.enter_context(transaction.atomic(using=self.using))
                settlement = self._open(tip, full)
                since = current.through if current else 0
                done = self._write_all(settlement, differences, new, since, anew, last)
                settlement.digest, settlement.seconds = found, time.perf_counter() - started
                length.close()
                self._make_current(lease, settlement, new)
            self.history, self._history_at, self.pool.current = new, tip, settlement.number
            self._sweep(settlement.number - 1)
            return Done(settlement.number, tip, *done, settlement.seconds, settlement.digest)

    def _make_current(self, lease: Held, settlement: Settlement, new: History) -> None:
        """The one moment from which readers see what was written."""
        settlement.done = True
        settlement.ruleset_digest = ruleset_digest(self.rules.module.__file__)
        settlement.rated_through = int(np.max(np.asarray(new.plan.day), initial=0))
        with transaction.atomic(using=self.using, savepoint=False):
            lease.check()
            settlement.save(using=self.using)
            Pool.objects.using(self.using).filter(pk=self.pool.pk).update(current=settlement.number)

    def _rated(self, old: History | None, changed: bool) -> History:
        """The history of the facts at hand."""
        if old is None:
            return replay(self.facts.ledger, self.rules)
        return follow(old, self.facts.ledger) if changed else old

    def _open(self, tip: int, full: bool) -> Settlement:
        """The next settlement, not yet looked at by anybody."""
        latest = Settlement.objects.using(self.using).filter(pool=self.pool).order_by("-number").first()
        return Settlement.objects.using(self.using).create(
            organisation_id=self.pool.organisation_id, pool=self.pool,
            number=latest.number + 1 if latest else 1, through=tip, full=full,
            started=datetime.datetime.now(datetime.UTC),
        )  # fmt: skip

    def _write_all(
        self, settlement: Settlement, differences: Differences | None, new: History, since: int, anew: bool,
        last: ExitStack,
    ) -> tuple[int, int, int]:  # fmt: skip
        """Write what differs: (rows that changed, rows written, players whose shown rating changed).

        The last transaction is opened on `last`, where it is not open yet.
        """
        number = settlement.number
        changed = told = standings = 0
        lines: Iterable[tuple[Any, ...]] = ()
        if anew:
            changed = self._write_changes(number, new, None)
            standings = self._write_standings(self._standings(number, None, new))
            for model, same in SAME:
                self._mark_gone(model, same, number)
        elif differences is not None:
            changed = self._write_changes(number, new, differences)
            lines = self._standings(number, differences.before.history, new)
        if differences is not None:
            rows = list(effects(self.facts, differences, self._head(number), since))
            last.enter_context(transaction.atomic(using=self.using, savepoint=False))
            standings += self._write_standings(lines)
            told = self._write_effects(rows)
        settlement.rows_changed, settlement.rows_written = changed, changed + standings
        settlement.players_changed = told
        return changed, changed + standings, told

    def _mark_gone(self, model: Any, same: tuple[str, ...], number: int) -> None:
        """After all rows were made anew: those of before that were not are gone."""
        table, columns = model._meta.db_table, COLUMNS if model is Change else STANDING
        names = ", ".join(f'"{column}"' for column in columns)
        values = {"settlement": "%s", "gone": "%s"}
        selected = ", ".join(values.get(column, f'o."{column}"') for column in columns)
        match = " AND ".join(f"n.{column} = o.{column}" for column in ("pool_id", *same))
        statement = (
            f"INSERT INTO {table} ({names}) SELECT {selected} FROM {table} o WHERE o.pool_id = %s "
            f"AND o.settlement < %s AND NOT o.gone AND NOT EXISTS "
            f"(SELECT 1 FROM {table} n WHERE {match} AND n.settlement = %s)"
        )
        with transaction.atomic(using=self.using), connections[self.using].cursor() as cursor:
            cursor.execute(statement, [number, True, self.pool.pk, number, number])

    def _clear_unfinished(self) -> None:
        """Rows of a settling that never became current; the first that it wrote says that it was there."""
        left = Settlement.objects.using(self.using).filter(pool=self.pool, number__gt=self.pool.current)
        if not left.exists():
            return
        for model in (Change, Standing, Effect):
            model.objects.using(self.using).filter(pool=self.pool, settlement__gt=self.pool.current).delete()
        left.delete()

    def _write(self, model: Any, columns: tuple[str, ...], rows: Iterable[tuple[Any, ...]]) -> int:
        count, batch = 0, []
        for row in rows:
            batch.append(row)
            if len(batch) >= BATCH:
                count += self._insert(model, columns, batch)
        return count + self._insert(model, columns, batch)

    def _insert(self, model: Any, columns: tuple[str, ...], batch: list[tuple[Any, ...]]) -> int:
        count = len(batch)
        if batch:
            with transaction.atomic(using=self.using, savepoint=False):
                insert(self.using, model, columns, batch)
            batch.clear()
        return count

    def _head(self, number: int) -> tuple[int, int, int]:
        return self.pool.organisation_id, self.pool.pk, number

    def _write_changes(self, number: int, new: History, differences: Differences | None) -> int:
        head = self._head(number)
        if differences is None:
            rows = all_rows(self.facts, Rows(new), head)
        else:
            rows = changed_rows(self.facts, differences, head)
        return self._write(Change, COLUMNS, rows)

    def _standings(self, number: int, old: History | None, new: History) -> Iterator[tuple[Any, ...]]:
        head, keys = self._head(number), self.facts.keys["person"]
        lines = {line.person: line for line in new.ratings()} if old is None else _moved(old, new)
        for person, line in lines.items():
            if line is None:
                yield (*head, keys[person], UNRATED, "", 0, 0, "", True)
                continue
            state = json.dumps(list(line.state))
            values = (line.state.rating, line.label, line.games, line.last_played, state)
            yield (*head, keys[person], *values, False)

    def _write_standings(self, rows: Iterable[tuple[Any, ...]]) -> int:
        return self._write(Standing, STANDING, rows)

    def _write_effects(self, rows: Iterable[tuple[Any, ...]]) -> int:
        return self._write(Effect, EFFECT_COLUMNS, rows)

    def _sweep(self, number: int) -> None:
        """Remove the rows that settlement `number` superseded, in pieces: it and the next stay readable."""
        settlement = Settlement.objects.using(self.using).filter(pool=self.pool, number=number).first()
        if settlement is None:
            return
        for model, same in SAME:
            table = model._meta.db_table
            if settlement.full:
                self._delete_in_pieces(table, "settlement < %s", [number])
            else:
                self._delete_superseded(table, same, number)
            # last, and only these: a row that is gone hides what an interrupted sweep left below it
            self._delete_in_pieces(table, "settlement = %s AND gone", [number])

    def _delete_superseded(self, table: str, same: tuple[str, ...], number: int) -> None:
        """Remove the rows that stand below those of a settlement, a piece of its rows at a time."""
        mine = [self.pool.pk, number]
        bounds = f"SELECT MIN(id), MAX(id) FROM {table} WHERE pool_id = %s AND settlement = %s"
        ((first, last),) = select(self.using, bounds, mine)
        # + so that SQLite goes by the row's key, not by settlement
        match = " AND ".join(f"o.{column} = n.{column}" for column in ("pool_id", *same))
        statement = (
            f"DELETE FROM {table} WHERE id IN (SELECT o.id FROM {table} n JOIN {table} o ON {match} "
            "AND +o.settlement < n.settlement WHERE n.pool_id = %s AND n.settlement = %s "
            "AND n.id >= %s AND n.id < %s)"
        )
        for start in range(first or 0, (last or -1) + 1, PIECE):
            with transaction.atomic(using=self.using), connections[self.using].cursor() as cursor:
                cursor.execute(statement, [*mine, start, start + PIECE])

    def _delete_in_pieces(self, table: str, condition: str, parameters: list[Any]) -> None:
        chosen = f"SELECT id FROM {table} WHERE pool_id = %s AND {condition} LIMIT {BATCH}"
        statement = f"DELETE FROM {table} WHERE id IN ({chosen})"
        count = BATCH
        while count >= BATCH:
            with transaction.atomic(using=self.using), connections[self.using].cursor() as cursor:
                cursor.execute(statement, [self.pool.pk, *parameters])
                count = cursor.rowcount


def _moved(old: History, new: History) -> dict[int, Any]:
    """Lines of the list that differ; None for who is no longer in it."""
    players = [history.plan.players for history in (old, new)]
    before, after = (set(), set()) if players[0] is players[1] else map(set, players)
    width = len(new.plan.ruleset.state_type._fields)
    states = [np.asarray(h.states).reshape(-1, width) for h in (old, new)]
    played = [np.asarray(h.last_played()) for h in (old, new)]
    known = len(states[0])
    differ = (states[0] != states[1][:known]).any(axis=1) | (played[0][:known] != played[1][:known])
    moved = set(np.flatnonzero(differ).tolist()) | (after - before)
    lines: dict[int, Any] = dict.fromkeys(before - after)
    return lines | {
        person: new.line(person, int(played[1][person])) for person in moved if _in(players[1], person)
    }


def _in(players: list[int], person: int) -> bool:
    """Whether somebody is among players, who are sorted."""
    at = bisect_left(players, person)
    return at < len(players) and players[at] == person


@cache
def ruleset_digest(file: str | None) -> str:
    """sha256 of a ruleset's source and the parts it stands on: another digest may give other numbers."""
    from pathlib import Path

    import arpad.domain
    import arpad.engine

    found = hashlib.sha256()
    folders = [Path(module.__file__ or "").parent for module in (arpad.domain, arpad.engine)]
    paths = [path for folder in folders for path in sorted(folder.glob("*.py"))]
    here = Path(file or "")
    paths += [here, *sorted(here.parent.glob("*parts.py"))]
    for path in paths:
        found.update(path.read_bytes())
    return found.hexdigest()


def waiting(pool: Pool, using: str = "default") -> int:
    """How many recordings a pool has not settled yet."""
    query = (
        "SELECT o.chain_number - COALESCE((SELECT through FROM store_settlement s WHERE s.pool_id = p.id "
        "AND s.number = p.current), 0) FROM store_pool p "
        "JOIN store_organisation o ON o.id = p.organisation_id WHERE p.id = %s"
    )
    ((count,),) = select(using, query, [pool.pk])
    return int(count)
