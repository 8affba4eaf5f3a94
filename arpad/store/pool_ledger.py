"""A pool's facts as the engine's ledger, in memory, brought up to a recording and kept there.

Numbers in the ledger are positions; the maps here lead to the database's keys and UUIDs and back. A
number, once given, stays: what an event no longer feeds is void in the ledger, not gone from it, so
that two replays of one PoolLedger can always be compared.
"""

from __future__ import annotations

import copy
import datetime
from array import array
from itertools import islice
from typing import Any, Protocol

import numpy as np

from arpad.domain.play import Application
from arpad.domain.results import read_result
from arpad.ledger.columns import NO_WEIGHT, GameColumns
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
from arpad.rulesets.catalogue import find
from arpad.store.fact_rows import Recorded, Rows
from arpad.store.models import Pool
from arpad.store.recorder import application_value

KINDS = ("person", "event", "game", "application", "correction", "posting", "parameter", "merge", "void")
BLOCK = 50_000  # games taken at a time
# Kinds whose void speaks of an event as a whole.
OF_EVENTS = ("event", "event-in-pool")
COLUMNS = (
    "player1", "player2", "event", "day", "round", "board", "sequence", "result", "stones", "weight", "size",
)  # fmt: skip


class Source(Protocol):
    """Where facts come from: the database (Recorded), or a draft that is not recorded yet."""

    def people(self) -> Rows: ...
    def feeds(self) -> Rows: ...
    def games(self) -> Rows: ...
    def earlier_games(self, event: int) -> Rows: ...
    def applications(self) -> Rows: ...
    def corrections(self) -> Rows: ...
    def postings(self) -> Rows: ...
    def parameters(self) -> Rows: ...
    def merges(self) -> Rows: ...
    def voids(self) -> Rows: ...


class PoolLedger:
    """The ledger of one pool with everything up to recording `through`."""

    def __init__(self, pool: Pool, using: str = "default") -> None:
        self.pool, self.using, self.through = pool, using, 0
        self.window = (pool.policy, pool.window_days)
        self.ledger = Ledger()
        self.keys: dict[str, array[int]] = {kind: array("q") for kind in KINDS}
        self.person_uuids: list[bytes] = []
        self.game_uuids = bytearray()  # 16 bytes a game
        self._number: dict[str, dict[int, int]] = {kind: {} for kind in KINDS}
        self._results: dict[tuple[str, int], int] = {}
        self._feeds: dict[int, list[tuple[int, str, int]]] = {}  # event -> (key, class, order) of each feed
        self._fed: dict[int, int] = {}  # key of a feed -> event
        self._fed_again: set[int] = set()  # events with more than one feed
        self._hidden: dict[int, dict[int, int]] = {}  # event that does not count -> game -> its void here
        self._late: dict[tuple[int, int], int] = {}  # event, day on which a late game of it counts -> event
        self._late_of: dict[int, int] = {}  # the reverse: such an event -> the event it belongs to
        self._by_event = find(pool.ruleset).period != "game"
        self._elsewhere: dict[int, list[int]] = {}  # game's key, not (yet) in this pool -> its voids
        self._first: dict[tuple[int, int], int] = {}
        self._first_at: tuple[int, int, int] = (0, 0, 0)

    def copy(self) -> PoolLedger:
        """Another one with the same facts, for trying out what is not recorded."""
        new = copy.copy(self)
        new.ledger = _copied(self.ledger)
        new.keys = {kind: column[:] for kind, column in self.keys.items()}
        new.person_uuids, new.game_uuids = list(self.person_uuids), self.game_uuids[:]
        new._number = {kind: dict(numbers) for kind, numbers in self._number.items()}
        new._results, new._first = dict(self._results), dict(self._first)
        new._feeds = {event: list(feeds) for event, feeds in self._feeds.items()}
        new._fed, new._fed_again = dict(self._fed), set(self._fed_again)
        new._hidden = {event: dict(games) for event, games in self._hidden.items()}
        new._late, new._late_of = dict(self._late), dict(self._late_of)
        for late, event in self._late_of.items():
            new._feeds[late] = new._feeds[event]
        new._elsewhere = {key: list(voids) for key, voids in self._elsewhere.items()}
        return new

    # --- up to a recording ----------------------------------------------------------------------

    def advance(self, to: int) -> bool:
        """Take the facts of the recordings after `through` up to `to`; whether any concerns this pool."""
        if to <= self.through:
            return False
        changed = self.take(Recorded(self.pool, self.using, self.through, to))
        self.through = to
        return changed

    def take(self, source: Source) -> bool:
        """Take all facts of a source; whether there were any for this pool."""
        before = self._size()
        self._people(source.people())
        late = self._events(source.feeds())
        if self.through:
            for event in late:
                self._games(source.earlier_games(event))
        self._games(source.games())
        self._applications(source.applications())
        self._corrections(source.corrections())
        self._postings(source.postings())
        self._parameters(source.parameters())
        self._merges(source.merges())
        self._voids(source.voids())
        if self._size() == before:
            return False
        self._events_that_count()
        return True

    def _size(self) -> tuple[int, ...]:
        ledger = self.ledger
        tables = (
            ledger.names, ledger.games, ledger.events, ledger.first_ratings, ledger.corrections,
            ledger.postings, ledger.parameters, ledger.merges, ledger.voids,
        )  # fmt: skip
        return (*(len(table) for table in tables), len(self._fed))

    def _new(self, kind: str, key: int) -> int:
        """Number the next fact of a kind."""
        number = len(self.keys[kind])
        self.keys[kind].append(key)
        if kind != "game":  # a million entries nobody may ask for: see number()
            self._number[kind][key] = number
        return number

    def _people(self, rows: Rows) -> None:
        for key, uuid, order_key in rows:
            self._new("person", key)
            raw = _uuid_bytes(uuid)
            self.person_uuids.append(raw)
            self.ledger.add_person(raw.hex(), order_key)

    def _events(self, rows: Rows) -> list[int]:
        """Events that feed the pool; the keys of those that are new to it."""
        new = []
        for key, event, name, start, order_key, event_class, order in rows:
            number = self._number["event"].get(event)
            if number is None:
                number = self._new("event", event)
                self.ledger.events.append(Event(name, _day(start), order, event_class, order_key))
                new.append(event)
            feeds = self._feeds.setdefault(number, [])
            feeds.append((key, event_class, order))
            self._fed[key] = number
            if len(feeds) > 1:
                self._fed_again.add(number)
        return new

    def _games(self, rows: Rows) -> None:
        rest = iter(rows)
        while block := list(islice(rest, BLOCK)):
            columns = self._in_columns(block)
            if columns is None:
                values = [value for value in map(self._game, block) if value is not None]
                if not values:
                    continue
                columns = list(zip(*values, strict=True))
            ledger = self.ledger
            ledger._own_columns()
            for name, column in zip(COLUMNS, columns, strict=True):
                getattr(ledger.games, name).extend(column)
            ledger.games.line.extend([0] * len(columns[0]))
            ledger.sheet_of.extend([-1] * len(columns[0]))

    def _in_columns(self, block: list[tuple[Any, ...]]) -> list[Any] | None:
        """What _game() gives for each row, by columns; None where a row is not like most."""
        key, uuid, where, day, round_, board, sequence, one, two, *rest = zip(*block, strict=True)
        result, best_of, stones, weight, size, late = rest
        event = list(map(self._number["event"].get, where))
        if None in event or any(late) or not self._elsewhere.keys().isdisjoint(key):
            return None
        self.keys["game"].extend(key)
        if set(map(type, uuid)) == {str}:
            self.game_uuids += bytes.fromhex("".join(uuid))
        else:
            self.game_uuids += b"".join(map(_uuid_bytes, uuid))
        person = self._number["person"]
        number = {told: self._result(*told) for told in dict.fromkeys(zip(result, best_of, strict=True))}
        return [
            [person[who] for who in one], [-1 if who is None else person[who] for who in two], event, day,
            round_, board, sequence, [number[told] for told in zip(result, best_of, strict=True)], stones,
            [NO_WEIGHT if value is None else value for value in weight], size,
        ]  # fmt: skip

    def _game(self, row: tuple[Any, ...]) -> tuple[Any, ...] | None:
        """The values of a game, in the order of COLUMNS; None where its event joins this pool only later."""
        key, uuid, where, day, round_, board, sequence, one, two, *rest = row
        event = self._number["event"].get(where)
        if event is None:
            return None
        result, best_of, stones, weight, size, late = rest
        if late:
            day, event = late, self._late_event(event, late, key) if self._by_event else event
        if key in self._elsewhere:
            self._void_found(key, len(self.keys["game"]))
        self.keys["game"].append(key)
        self.game_uuids += _uuid_bytes(uuid)
        person = self._number["person"]
        return (
            person[one], -1 if two is None else person[two], event, day, round_, board, sequence,
            self._result(result, best_of), stones, NO_WEIGHT if weight is None else weight, size,
        )  # fmt: skip

    def _late_event(self, event: int, day: int, game: int) -> int:
        """The late games of an event count together, apart from those that were there in time."""
        found = self._late.get((event, day))
        if found is None:
            found = self._late[event, day] = len(self.keys["event"])
            self._late_of[found] = event
            self.keys["event"].append(-game)  # its first game names it
            self.ledger.events.append(self.ledger.events_now()[event]._replace(start=day))
            self._feeds[found] = self._feeds[event]
        return found

    def event_key(self, event: int) -> int:
        """The key of an event, also where it stands for late games alone."""
        return self.keys["event"][self._late_of.get(event, event)]

    def _void_found(self, key: int, game: int) -> None:
        """A game joins the pool that was void before it did."""
        for number in self._elsewhere.pop(key):
            self.ledger.voids[number] = self.ledger.voids[number]._replace(target=Fact("game", game))

    def _result(self, text: str, best_of: int) -> int:
        found = self._results.get((text, best_of))
        if found is None:
            result = read_result(text, best_of)
            if result is None:
                raise ValueError(f"a recorded result is unreadable: {text!r}")
            found = self._results[text, best_of] = self.ledger.result_number(result)
        return found

    def _applications(self, rows: Rows) -> None:
        person, kept = self._number["person"], dict[str, Application]()
        for key, who, day, content in rows:
            self._new("application", key)
            value = kept.get(content)
            if value is None:
                value = kept[content] = application_value(content)
            self.ledger.first_ratings.append(FirstRating(person[who], day, value))

    def _corrections(self, rows: Rows) -> None:
        for key, who, day, rating in rows:
            self._new("correction", key)
            person = self._number["person"][who]
            self.ledger.corrections.append(Correction(person, day, rating, f"correction:{key}"))

    def _postings(self, rows: Rows) -> None:
        for key, day, points in rows:
            self._new("posting", key)
            self.ledger.postings.append(Posting(day, points, f"posting:{key}"))

    def _parameters(self, rows: Rows) -> None:
        for key, day, name, value in rows:
            self._new("parameter", key)
            self.ledger.parameters.append(ParameterChange(day, name, value))

    def _merges(self, rows: Rows) -> None:
        person = self._number["person"]
        for key, kept, merged in rows:
            self._new("merge", key)
            self.ledger.merges.append(SamePerson(person[kept], person[merged]))

    def _voids(self, rows: Rows) -> None:
        """Voids of the organisation. Those of other pools keep their place, for voids of them."""
        for key, kind, target in rows:
            number = self._new("void", key)
            if kind in OF_EVENTS:
                fact = Fact(kind, target)  # by key: the ledger has no such kind
            else:
                found = self.number(kind, target) if kind in self.keys else None
                fact = Fact(kind, found) if found is not None else Fact("elsewhere", number)
                if kind == "game" and found is None:
                    self._elsewhere.setdefault(target, []).append(number)
            self.ledger.voids.append(Void(fact, ""))

    # --- events as a whole ----------------------------------------------------------------------

    def _events_that_count(self) -> None:
        """Leave out the games of events that no longer count; an event has the class of its newest feed."""
        ledger = self.ledger
        gone = {fact for fact in ledger._voided() if fact.kind in OF_EVENTS} if ledger.voids else set()
        for number in self._questionable(gone):
            key = self.event_key(number)
            feeds = self._feeds[number]
            holds = [feed for feed in feeds if Fact("event-in-pool", feed[0]) not in gone]
            if not holds or Fact("event", key) in gone:
                self._hide(number)
                continue
            if number in self._hidden:
                for void in self._hidden.pop(number).values():
                    self._own_void(Fact("void", void))
            _, event_class, order = holds[-1]
            now = ledger.events_now()[number]
            if (now.event_class, now.order) != (event_class, order):
                ledger.change_event(number, event_class=event_class, order=order)

    def _questionable(self, gone: set[Fact]) -> list[int]:
        """The events of which something was taken back, that were fed again, or that are hidden; rising."""
        asked = {fact.number for fact in gone if fact.kind == "event"}
        fed = {fact.number for fact in gone if fact.kind == "event-in-pool"}
        known = self._number["event"]
        found = {known[key] for key in asked if key in known} | set(self._hidden) | self._fed_again
        found |= {self._fed[feed] for feed in fed if feed in self._fed}
        found |= {late for late, event in self._late_of.items() if event in found}
        return sorted(found)

    def _hide(self, event: int) -> None:
        hidden = self._hidden.setdefault(event, {})
        games = np.flatnonzero(np.array(self.ledger.games.event, np.int32) == event).tolist()
        for game in games:
            if game not in hidden:
                hidden[game] = self._own_void(Fact("game", game))

    def _own_void(self, target: Fact) -> int:
        """A void that stands in no recording: it follows from that of an event."""
        self.keys["void"].append(0)
        self.ledger.voids.append(Void(target, ""))
        return len(self.ledger.voids) - 1

    # --- maps -----------------------------------------------------------------------------------

    def number(self, kind: str, key: int) -> int | None:
        """The ledger's number of a fact; None where it is not in this pool."""
        if kind == "game" and len(self._number["game"]) != len(self.keys["game"]):
            games = self._number["game"]
            for number in range(len(games), len(self.keys["game"])):
                games[self.keys["game"][number]] = number
        return self._number[kind].get(key)

    def first_rating_key(self, person: int, day: int) -> int:
        """The key of the application with which a person (as merged) entered on a day, one that holds first.

        0: there was none.
        """
        ledger = self.ledger
        now = (len(ledger.first_ratings), len(ledger.merges), len(ledger.voids))
        if now != self._first_at:
            gone, merged, keys = ledger._voided(), ledger.effective().person, self.keys["application"]
            facts = list(enumerate(ledger.first_ratings))
            facts.sort(key=lambda fact: (Fact("application", fact[0]) not in gone, -fact[0]))
            self._first = {(merged[fact.person], fact.day): keys[number] for number, fact in facts}
            self._first_at = now
        return self._first.get((person, day), 0)


def _copied(ledger: Ledger) -> Ledger:
    """The same facts in lists of their own."""
    new = copy.copy(ledger)
    for name, value in vars(ledger).items():
        if isinstance(value, (list, dict, set, array)) and not name.startswith("_kept"):
            setattr(new, name, value[:] if isinstance(value, array) else value.copy())
    new.games = GameColumns()
    new.games.extend_columns(ledger.games)
    new._lent = False
    return new


def _uuid_bytes(value: Any) -> bytes:
    """SQLite stores a UUID as 32 hexadecimal digits, PostgreSQL gives an object."""
    return bytes.fromhex(value) if isinstance(value, str) else bytes(value.bytes)


def _day(value: Any) -> int:
    """The day of a date column; SQLite gives text."""
    if not value:
        return 0
    return (datetime.date.fromisoformat(value) if isinstance(value, str) else value).toordinal()
