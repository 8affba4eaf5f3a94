"""A pool's facts as the engine's ledger, in memory, brought up to a recording and kept there.

Numbers in the ledger are positions; the maps here lead to the database's keys and UUIDs and back.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import Any

from arpad.domain.play import Application
from arpad.domain.results import Result, read_result
from arpad.ledger.columns import NO_WEIGHT
from arpad.ledger.facts import (
    Correction,
    Event,
    Fact,
    FirstRating,
    ParameterChange,
    Posting,
    SamePerson,
    Void,
)
from arpad.ledger.ledger import Ledger
from arpad.store.bulk import select
from arpad.store.models import Pool
from arpad.store.recorder import application_value

IN_RANGE = (
    "JOIN store_recording r ON r.id = f.recording_id "
    "WHERE f.organisation_id = %s AND r.number > %s AND r.number <= %s"
)
GAME_COLUMNS = (
    "f.id, f.uuid, f.event_id, f.day, f.round, f.board, f.sequence, f.player1_id, f.player2_id, "
    "f.result, f.best_of, f.stones, f.weight, f.size"
)
# Kinds whose void can be applied to a ledger in memory; any other makes it anew.
VOIDABLE = ("game", "application", "correction", "posting", "parameter", "merge", "void")


class PoolLedger:
    """The ledger of one pool with everything up to recording `through`."""

    def __init__(self, pool: Pool, using: str = "default") -> None:
        self.pool, self.using, self.through = pool, using, 0
        self._empty()

    def _empty(self) -> None:
        self.ledger = Ledger()
        self.through = 0
        self.keys: dict[str, array[int]] = {
            kind: array("q")
            for kind in (
                "person",
                "event",
                "game",
                "application",
                "correction",
                "posting",
                "parameter",
                "merge",
                "void",
            )
        }
        self.person_uuids: list[bytes] = []
        self.game_uuids = bytearray()  # 16 bytes a game
        self._number: dict[str, dict[int, int]] = {kind: {} for kind in self.keys}
        self._results: dict[tuple[str, int], int] = {}
        self._first: dict[tuple[int, int], int] = {}
        self._merged_at = -1

    # --- up to a recording ----------------------------------------------------------------------

    def advance(self, to: int) -> bool:
        """Take the facts of the recordings after `through` up to `to`; whether there were any for this pool."""
        if to <= self.through:
            return False
        before = self._size()
        if self.through and self._needs_rebuild(to):
            self._empty()
        for take in (
            self._people, self._events, self._games, self._applications, self._corrections, self._postings,
            self._parameters, self._merges, self._voids,
        ):  # fmt: skip
            take(to)
        self.through = to
        return self._size() != before

    def _size(self) -> tuple[int, ...]:
        ledger = self.ledger
        tables = (
            ledger.games, ledger.events, ledger.first_ratings, ledger.corrections, ledger.postings,
            ledger.parameters, ledger.merges, ledger.voids,
        )  # fmt: skip
        return tuple(len(table) for table in tables)

    def _needs_rebuild(self, to: int) -> bool:
        """An event left the pool or got another class: the ledger is made anew."""
        query = f"SELECT f.target_kind FROM store_void f {IN_RANGE}"
        return any(kind not in VOIDABLE for (kind,) in self._rows(query, to))

    def _rows(self, query: str, to: int, *more: Any) -> Iterable[tuple[Any, ...]]:
        return select(self.using, query, [self.pool.organisation_id, self.through, to, *more])

    def _of_pool(self, table: str, columns: str, to: int) -> Iterable[tuple[Any, ...]]:
        query = f"SELECT {columns} FROM {table} f {IN_RANGE} AND f.pool_id = %s ORDER BY f.id"
        return self._rows(query, to, self.pool.pk)

    def _new(self, kind: str, key: int) -> int:
        """Number the next fact of a kind."""
        number = len(self.keys[kind])
        self.keys[kind].append(key)
        if kind != "game":  # a million entries nobody may ask for: see game_number()
            self._number[kind][key] = number
        return number

    def _people(self, to: int) -> None:
        query = f"SELECT f.id, f.uuid, f.order_key FROM store_person f {IN_RANGE} ORDER BY f.id"
        for key, uuid, order_key in self._rows(query, to):
            self._new("person", key)
            raw = _uuid_bytes(uuid)
            self.person_uuids.append(raw)
            self.ledger.add_person(raw.hex(), order_key)

    def _events(self, to: int) -> None:
        """Events that feed the pool; one that joined late brings the games recorded before."""
        gone = self._voided_keys("event-in-pool", to)
        query = (
            'SELECT f.id, f.event_id, e.name, e.start, e.order_key, f.event_class, f."order" '
            f"FROM store_eventinpool f JOIN store_event e ON e.id = f.event_id {IN_RANGE} AND f.pool_id = %s ORDER BY f.id"
        )
        late = []
        for key, event, name, start, order_key, event_class, order in self._rows(query, to, self.pool.pk):
            if key in gone or event in self._number["event"]:
                continue
            self._new("event", event)
            self.ledger.events.append(Event(name, _day(start), order, event_class, order_key))
            late.append(event)
        if self.through:
            for event in late:
                query = (
                    f"SELECT {GAME_COLUMNS} FROM store_game f JOIN store_recording r ON r.id = f.recording_id "
                    "WHERE f.event_id = %s AND r.number <= %s ORDER BY f.id"
                )
                self._add_games(select(self.using, query, [event, self.through]))

    def _voided_keys(self, kind: str, to: int) -> set[int]:
        query = (
            "SELECT f.target_key, f.id FROM store_void f JOIN store_recording r ON r.id = f.recording_id "
            "WHERE f.organisation_id = %s AND r.number <= %s AND f.target_kind IN (%s, 'void') ORDER BY f.id DESC"
        )
        rows = list(select(self.using, query, [self.pool.organisation_id, to, kind]))
        kinds = "SELECT target_kind FROM store_void WHERE id = %s"
        undone: set[int] = set()
        gone = set()
        for target, key in rows:
            if key in undone:
                continue
            ((target_kind,),) = list(select(self.using, kinds, [key]))
            if target_kind == "void":
                undone.add(target)
            else:
                gone.add(target)
        return gone

    def _games(self, to: int) -> None:
        query = (
            f"SELECT {GAME_COLUMNS} FROM store_game f {IN_RANGE} AND f.event_id IN "
            "(SELECT event_id FROM store_eventinpool WHERE pool_id = %s) ORDER BY f.id"
        )
        self._add_games(self._rows(query, to, self.pool.pk))

    def _add_games(self, rows: Iterable[tuple[Any, ...]]) -> None:
        games, person, event = self.ledger.games, self._number["person"], self._number["event"]
        columns: list[list[Any]] = [[] for _ in range(11)]
        p1, p2, ev, day, rnd, board, seq, res, stones, weight, size = columns
        uuids: list[bytes] = []
        for row in rows:
            where = event.get(row[2])
            if where is None:  # the event left this pool
                continue
            self.keys["game"].append(row[0])
            uuids.append(_uuid_bytes(row[1]))
            ev.append(where)
            day.append(row[3])
            rnd.append(row[4])
            board.append(row[5])
            seq.append(row[6])
            p1.append(person[row[7]])
            p2.append(-1 if row[8] is None else person[row[8]])
            res.append(self._result(row[9], row[10]))
            stones.append(row[11])
            weight.append(NO_WEIGHT if row[12] is None else row[12])
            size.append(row[13])
        names = (
            "player1",
            "player2",
            "event",
            "day",
            "round",
            "board",
            "sequence",
            "result",
            "stones",
            "weight",
            "size",
        )
        for name, values in zip(names, columns, strict=True):
            getattr(games, name).extend(values)
        games.line.extend([0] * len(p1))
        self.ledger.sheet_of.extend([-1] * len(p1))
        self.game_uuids += b"".join(uuids)

    def _result(self, text: str, best_of: int) -> int:
        found = self._results.get((text, best_of))
        if found is None:
            result = read_result(text, best_of)
            if result is None:
                raise ValueError(f"a recorded result is unreadable: {text!r}")
            found = self._results[text, best_of] = self.ledger.result_number(result)
        return found

    def _applications(self, to: int) -> None:
        person, kept = self._number["person"], dict[str, Application]()
        for key, who, day, content in self._of_pool(
            "store_application", "f.id, f.person_id, f.day, f.content", to
        ):
            self._new("application", key)
            value = kept.get(content)
            if value is None:
                value = kept[content] = application_value(content)
            self.ledger.first_ratings.append(FirstRating(person[who], day, value))

    def _corrections(self, to: int) -> None:
        for key, who, day, rating in self._of_pool(
            "store_correction", "f.id, f.person_id, f.day, f.rating", to
        ):
            self._new("correction", key)
            self.ledger.corrections.append(
                Correction(self._number["person"][who], day, rating, f"correction:{key}")
            )

    def _postings(self, to: int) -> None:
        for key, day, points in self._of_pool("store_posting", "f.id, f.day, f.points", to):
            self._new("posting", key)
            self.ledger.postings.append(Posting(day, points, f"posting:{key}"))

    def _parameters(self, to: int) -> None:
        for key, day, name, value in self._of_pool(
            "store_parameterchange", "f.id, f.day, f.name, f.value", to
        ):
            self._new("parameter", key)
            self.ledger.parameters.append(ParameterChange(day, name, value))

    def _merges(self, to: int) -> None:
        query = f"SELECT f.id, f.kept_id, f.merged_id FROM store_sameperson f {IN_RANGE} ORDER BY f.id"
        person = self._number["person"]
        for key, kept, merged in self._rows(query, to):
            self._new("merge", key)
            self.ledger.merges.append(SamePerson(person[kept], person[merged]))

    def _voids(self, to: int) -> None:
        query = f"SELECT f.id, f.target_kind, f.target_key FROM store_void f {IN_RANGE} ORDER BY f.id"
        for key, kind, target in self._rows(query, to):
            number = self._new("void", key)
            found = self.number(kind, target) if kind in VOIDABLE else None
            # a void of another pool's fact keeps its place, so that voids of voids find theirs
            self.ledger.voids.append(
                Void(Fact(kind, found) if found is not None else Fact("elsewhere", number), "")
            )

    def first_rating_key(self, person: int, day: int) -> int:
        """The key of the application that a person (as merged) entered with on a day; 0 where it is gone."""
        if len(self._first) != len(self.ledger.first_ratings) or self._merged_at != len(self.ledger.merges):
            merged = self.ledger.effective().person
            keys = self.keys["application"]
            self._first = {}
            for number, fact in reversed(list(enumerate(self.ledger.first_ratings))):
                self._first[merged[fact.person], fact.day] = keys[number]
            self._merged_at = len(self.ledger.merges)
        return self._first.get((person, day), 0)

    # --- maps -----------------------------------------------------------------------------------

    def number(self, kind: str, key: int) -> int | None:
        """The ledger's number of a fact; None where it is not in this pool."""
        if kind == "game" and len(self._number["game"]) != len(self.keys["game"]):
            self._number["game"] = {k: n for n, k in enumerate(self.keys["game"])}
        return self._number[kind].get(key)


def _uuid_bytes(value: Any) -> bytes:
    """SQLite stores a UUID as 32 hexadecimal digits, PostgreSQL gives an object."""
    return bytes.fromhex(value) if isinstance(value, str) else bytes(value.bytes)


def _day(value: Any) -> int:
    """The day of a date column; SQLite gives text."""
    if not value:
        return 0
    import datetime

    return (datetime.date.fromisoformat(value) if isinstance(value, str) else value).toordinal()


def result_of(text: str, best_of: int) -> Result:
    """A stored result."""
    result = read_result(text, best_of)
    assert result is not None
    return result
