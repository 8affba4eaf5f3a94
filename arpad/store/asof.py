"""Rating lists by two times: as of a day that was played, as known on a day when we looked.

as_of(settler)                        the list of today
as_of(settler, day)                   the list of that day, as known now
as_of(settler, day, known)            ... as known at the end of another day
"""

from __future__ import annotations

import datetime
import threading
from collections import OrderedDict
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from arpad.domain.units import UNRATED
from arpad.engine.history import History
from arpad.engine.replay import replay
from arpad.store.digest import digest
from arpad.store.models import Organisation, Pool, Recording, Settlement
from arpad.store.pool_ledger import PoolLedger
from arpad.store.settle import Settler, ruleset_digest


class Line(NamedTuple):
    """One player's line."""

    person: int  # key
    rating: int | None  # grains; None: none
    label: str
    games: int
    last_played: int  # day; 0: never


class List(NamedTuple):
    """A rating list: by rating, who has none last."""

    day: int  # of which it is; 0: of everything played
    recording: int  # the newest that is known in it
    lines: list[Line]
    rules_changed: bool  # today's program computes other ratings than were shown then

    def by_person(self) -> dict[int, Line]:
        """The lines by person key."""
        return {line.person: line for line in self.lines}


class Cache:
    """Lists that were made, by what they depend on; the ones asked for longest ago go first."""

    def __init__(self, limit: int) -> None:
        self.limit = limit  # lines of all lists together
        self._lists: OrderedDict[tuple[Any, ...], List] = OrderedDict()
        self._size = 0
        self._lock = threading.Lock()

    def get(self, key: tuple[Any, ...]) -> List | None:
        """A copy that the caller may change."""
        with self._lock:
            found = self._lists.get(key)
            if found is None:
                return None
            self._lists.move_to_end(key)
            return found._replace(lines=list(found.lines))

    def put(self, key: tuple[Any, ...], made: List) -> None:
        """Keep a list, unless it alone is above the limit."""
        with self._lock:
            if key in self._lists or len(made.lines) > self.limit:
                return
            self._lists[key] = made._replace(lines=list(made.lines))
            self._size += len(made.lines)
            while self._size > self.limit:
                _, gone = self._lists.popitem(last=False)
                self._size -= len(gone.lines)

    def __len__(self) -> int:
        return len(self._lists)


CACHE = Cache(500_000)  # about 80 MB


def _key(settler: Settler, day: int, through: int, known: bool) -> tuple[Any, ...]:
    """What a list depends on: the facts up to a link of the chain, the rules, and the pool's policy."""
    pool = settler.pool
    links = Recording.objects.using(settler.using).filter(organisation=pool.organisation_id, number=through)
    link = bytes(links.values_list("link", flat=True).first() or b"")
    shown = 0
    if known:  # whether today's rules give other numbers is told of a known day, by the settlement of then
        settled = Pool.objects.using(settler.using).filter(pk=pool.pk)
        shown = settled.values_list("current", flat=True).get()
    rules = ruleset_digest(settler.rules.module.__file__)
    return (pool.uuid, day, link, rules, pool.policy, pool.window_days, known, shown)


def as_of(settler: Settler, day: int = 0, known: int | None = None) -> List:
    """The list of a day (0: of everything played) as known on another (None: now).

    Pools with lists (a month, a quarter): the list in force on that day. `known`: a day of the
    organisation's time zone; what was sealed by its end counts. Raises Refused where the rules did not
    take what was known then.
    """
    tip = settler.tip()
    through = tip if known is None else known_on(settler.pool.organisation, known, settler.using)
    at_hand = not day and settler.at_hand(through)
    key = None if at_hand else _key(settler, day, through, known is not None)
    found = None if key is None else CACHE.get(key)
    if found is not None:
        return found
    if at_hand:
        facts, history = settler.facts, settler.warm(through)
    else:
        facts = _facts(settler, through)
        history = replay(facts.ledger, settler.rules, until=day)
    changed = known is not None and _other_rules(settler, facts, through, history if not day else None)
    made = List(day, through, lines_of(facts, history), changed)
    if key is not None:
        CACHE.put(key, made)
    return made


def known_on(organisation: Organisation, day: int, using: str = "default") -> int:
    """The newest recording that was sealed by the end of a day in the organisation's time zone."""
    zone = ZoneInfo(organisation.time_zone)
    end = datetime.datetime.combine(datetime.date.fromordinal(day + 1), datetime.time(), zone)
    recordings = Recording.objects.using(using).filter(organisation=organisation, number__isnull=False)
    # a recording is timed when it is opened and numbered when it is sealed: what follows a later one is later
    later = recordings.filter(recorded__gte=end).order_by("number").values_list("number", flat=True).first()
    if later is not None:
        return later - 1
    return recordings.order_by("-number").values_list("number", flat=True).first() or 0


def _facts(settler: Settler, through: int) -> PoolLedger:
    """The pool's ledger up to a recording; the settler's own stays where it is."""
    if settler.facts.through == through and through:
        return settler.facts
    facts = PoolLedger(settler.pool, settler.using)
    facts.advance(through)
    return facts


def lines_of(facts: PoolLedger, history: History) -> list[Line]:
    """A history's list with the database's keys."""
    keys = facts.keys["person"]
    return [
        Line(
            keys[line.person], None if line.rating is None else _grains(line.state), line.label, line.games,
            line.last_played,
        )
        for line in history.ratings()
    ]  # fmt: skip


def _grains(state: Any) -> int | None:
    return None if state.rating == UNRATED else int(state.rating)


def _other_rules(settler: Settler, facts: PoolLedger, through: int, history: History | None) -> bool:
    """Whether today's program computes other ratings from what was known than were shown."""
    settlements = Settlement.objects.using(settler.using).filter(
        pool=settler.pool, done=True, through__lte=through
    )
    shown = settlements.order_by("-number").first()
    if shown is None or shown.ruleset_digest == ruleset_digest(settler.rules.module.__file__):
        return False
    if shown.through != through:  # shown before the newest of it was settled
        facts = PoolLedger(settler.pool, settler.using)
        facts.advance(shown.through)
        history = None
    return shown.digest != digest(facts, history or replay(facts.ledger, settler.rules))


# --- which number (headline and projection) ---------------------------------------------------------


def headline(pool: Pool, period: str) -> str:
    """The number a pool shows first: "live" or "published"."""
    return pool.headline or ("live" if period in ("game", "event") else "published")


def projection(settler: Settler) -> List | None:
    """Pools with lists: what closing the period now would publish; None where every game counts at once.

    It is never used in a later difference.
    """
    if settler.rules.period in ("game", "event"):
        return None
    return as_of(settler)
