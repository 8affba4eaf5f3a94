"""Effects: whose shown rating changed in a settlement, where first, and because of which fact."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from arpad.domain.units import UNRATED
from arpad.engine.diff import ACT, ADDED, CHANGED, GAME, GONE, OPPONENT, RULES, Differences, Key
from arpad.engine.rows import Row, Rows
from arpad.store.bulk import select
from arpad.store.change_rows import subject_of
from arpad.store.pool_ledger import PoolLedger

EFFECT_COLUMNS = (
    "organisation_id", "pool_id", "settlement", "person_id", "day", "kind", "subject", "old", "new", "old_now",
    "new_now", "old_label", "new_label", "cause", "through", "through_game", "fact_kind", "fact_key", "recording",
)  # fmt: skip


class Origin(NamedTuple):
    """Where a difference comes from."""

    cause: str  # of the last row in the chain: fact-added, fact-gone, fact-changed or rules
    row: Key | None
    opponent: int  # the first other person on the way; -1: none
    game: int  # in which game they met; -1: none


def effects(
    facts: PoolLedger, differences: Differences, head: tuple[int, int, int], since: int
) -> Iterator[tuple[Any, ...]]:
    """A row of Effect for each player whose shown rating changed; `since`: recordings before are no cause."""
    origins = _Origins(differences)
    fact_of = _Facts(facts, differences, since)
    people = facts.keys["person"]
    for person in differences.persons():
        first = first_shown(differences, person)
        if first is None:
            continue
        key, old, new = first
        origin = origins.of(key)
        side = differences.after if differences.after.row(key) is not None else differences.before
        row = side.row(key)
        assert row is not None
        kind, subject = subject_of(facts, side, key)
        now = [_standing(rows, person) for rows in (differences.before, differences.after)]
        fact_kind, fact_key, recording = fact_of.origin(origin)
        yield (
            *head, people[person], row.day, kind, subject, old, new, now[0][0], now[1][0], now[0][1], now[1][1],
            origin.cause, people[origin.opponent] if origin.opponent >= 0 else 0,
            facts.keys["game"][origin.game] if origin.game >= 0 else 0, fact_kind, fact_key, recording,
        )  # fmt: skip


def first_shown(differences: Differences, person: int) -> tuple[Key, int | None, int | None] | None:
    """The first row of a player after which another rating is shown: (key, old rating, new rating).

    A row that is new or gone counts where the rating it left differs from the one before it.
    """
    label = differences.after.plan.ruleset.label
    for key in differences.of(person):
        old, new = (_after(rows.row(key)) for rows in (differences.before, differences.after))
        if old is None and new is None:
            continue
        if old is None or new is None:
            if key.kind == GAME and (new or old).rating == _rating_before(differences, key):  # type: ignore[union-attr]
                continue
            return key, old and int(old.rating), new and int(new.rating)
        if label(old) != label(new):
            return key, int(old.rating), int(new.rating)
    return None


def _rating_before(differences: Differences, key: Key) -> Any:
    row = differences.after.row(key) or differences.before.row(key)
    return row and row.mine


def _after(row: Row | None) -> Any:
    return None if row is None else row.after


def _standing(rows: Rows, person: int) -> tuple[int | None, str]:
    """(rating, label) of a player now; (None, "") where he or she takes no part."""
    if person >= len(rows.plan.ledger.names) or (person + 1) * rows.width > len(rows.history.states):
        return None, ""
    state = rows.load(rows.history.states, person)
    state = type(state)(*map(int, state))
    return (
        (state.rating, rows.plan.ruleset.label(state))
        if state.rating != UNRATED
        else (None, rows.plan.ruleset.label(state))
    )


class _Origins:
    """The ends of chains, each walked once."""

    def __init__(self, differences: Differences) -> None:
        self.differences = differences
        self._known: dict[Key, Origin] = {}

    def of(self, key: Key) -> Origin:
        """The origin of a row that differs."""
        path: list[tuple[Key, int, int]] = []
        at: Key | None = key
        while at is not None and at not in self._known:
            cause = self.differences[at].cause
            if cause.row is None or any(at == seen for seen, _, _ in path):
                self._known[at] = Origin(cause.kind if cause.row is None else RULES, at, -1, -1)
                break
            met = (cause.row.person, at.subject) if cause.kind == OPPONENT and at.kind == GAME else (-1, -1)
            path.append((at, *met))
            at = cause.row
        assert at is not None
        found = self._known[at]
        for row, opponent, game in reversed(path):
            if opponent >= 0:
                found = found._replace(opponent=opponent, game=game)
            self._known[row] = found
        return self._known[key]


class _Facts:
    """Which fact, of which recording, an origin speaks of."""

    def __init__(self, facts: PoolLedger, differences: Differences, since: int) -> None:
        self.facts, self.differences, self.since = facts, differences, since
        self._recordings: dict[tuple[str, int], int] = {}

    def origin(self, origin: Origin) -> tuple[str, int, int]:
        """(kind of fact, its key, number of the recording that brought it)."""
        if origin.row is None or origin.cause == RULES or origin.row.kind not in (GAME, ACT):
            return self._newest_rule()
        present = self.differences.after.row(origin.row) is not None
        side = self.differences.after if present else self.differences.before
        row_kind, key = subject_of(self.facts, side, origin.row)
        kind = ("game", "", "application", "posting", "correction")[row_kind]
        if origin.cause == GONE:
            return self._void_of(kind, key)
        if origin.cause == CHANGED:
            return self._newest("sameperson", "merge")
        assert origin.cause == ADDED
        found = self._recordings.get((kind, key))
        if found is None:
            table = "store_" + kind
            query = f"SELECT r.number FROM {table} f JOIN store_recording r ON r.id = f.recording_id WHERE f.id = %s"
            rows = list(select(self.facts.using, query, [key]))
            found = self._recordings[kind, key] = rows[0][0] if rows else 0
        return kind, key, found

    def _void_of(self, kind: str, key: int) -> tuple[str, int, int]:
        found = self._recordings.get(("void of " + kind, key))
        if found is None:
            query = (
                "SELECT r.number FROM store_void f JOIN store_recording r ON r.id = f.recording_id "
                "WHERE f.target_kind = %s AND f.target_key = %s ORDER BY f.id DESC LIMIT 1"
            )
            rows = list(select(self.facts.using, query, [kind, key]))
            found = self._recordings["void of " + kind, key] = rows[0][0] if rows else 0
        return kind, key, found

    def _newest_rule(self) -> tuple[str, int, int]:
        return self._newest("parameterchange", "parameter")

    def _newest(self, table: str, kind: str) -> tuple[str, int, int]:
        """The newest fact of a kind since the settlement before, or a void of one."""
        pool = " AND f.pool_id = %s" if kind == "parameter" else ""
        query = (
            f"SELECT f.id, r.number FROM store_{table} f JOIN store_recording r ON r.id = f.recording_id "
            f"WHERE f.organisation_id = %s AND r.number > %s{pool} ORDER BY f.id DESC LIMIT 1"
        )
        organisation = self.facts.pool.organisation_id
        parameters = [organisation, self.since, *([self.facts.pool.pk] if pool else [])]
        rows = list(select(self.facts.using, query, parameters))
        if rows:
            return kind, rows[0][0], rows[0][1]
        query = (
            "SELECT f.target_key, r.number FROM store_void f JOIN store_recording r ON r.id = f.recording_id "
            "WHERE f.organisation_id = %s AND r.number > %s AND f.target_kind = %s ORDER BY f.id DESC LIMIT 1"
        )
        rows = list(select(self.facts.using, query, [organisation, self.since, kind]))
        return (kind, rows[0][0], rows[0][1]) if rows else ("", 0, 0)
