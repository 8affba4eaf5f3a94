"""Which fact, of which recording, a difference comes from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from arpad.engine.acts import ENTRY, KIND_NAMES, POSTING
from arpad.engine.diff import ACT, ADDED, CHANGED, GAME, GONE, RULES, Key
from arpad.store.bulk import select
from arpad.store.change_rows import act_subject
from arpad.store.pool_ledger import PoolLedger

RESTORED = "fact-restored"  # a void was undone
TABLES = {
    "game": "store_game", "application": "store_application", "correction": "store_correction",
    "posting": "store_posting", "parameter": "store_parameterchange", "merge": "store_sameperson",
    "event-in-pool": "store_eventinpool",
}  # fmt: skip


class FactCause(NamedTuple):
    """A fact and what became of it."""

    cause: str  # fact-added, fact-gone, fact-changed, fact-restored or rules
    kind: str = ""
    key: int = 0
    recording: int = 0  # number of the recording that did it


class FactCauses:
    """The facts that were recorded or voided after recording `since`, asked for by row.

    Facts that are not recorded yet have keys below 0 and count as of the next recording; `drafted` are
    the targets of such voids.
    """

    def __init__(self, facts: PoolLedger, since: int, drafted: Iterable[tuple[str, int]] = ()) -> None:
        self.facts, self.since = facts, since
        self._drafted = [(kind, key, since + 1) for kind, key in drafted]
        self._number: dict[tuple[str, int], int] = {}
        self._merge: FactCause | None = None
        self._read_voids()

    def _read_voids(self) -> None:
        """What was voided since, and what was restored, with the recording's number."""
        self._gone: dict[tuple[str, int], int] = {}
        self._restored: dict[tuple[str, int], int] = {}
        query = (
            "SELECT f.target_kind, f.target_key, r.number FROM store_void f "
            "JOIN store_recording r ON r.id = f.recording_id "
            "WHERE f.organisation_id = %s AND r.number > %s ORDER BY f.id"
        )
        organisation = self.facts.pool.organisation_id
        recorded = list(select(self.facts.using, query, [organisation, self.since]))
        for kind, target, number in [*recorded, *self._drafted]:
            undone = False
            while kind == "void":
                undone = not undone
                found = "SELECT target_kind, target_key FROM store_void WHERE id = %s"
                ((kind, target),) = select(self.facts.using, found, [target])
            (self._restored if undone else self._gone)[kind, target] = number

    # --- by row -----------------------------------------------------------------------------------

    def of(self, key: Key | None, cause: str) -> FactCause | None:
        """The fact behind a row that came, went or changed; None where no fact of its own was touched."""
        if key is None or cause == RULES:
            return self.rules()
        if key.kind == GAME:
            return self._game(key.subject, cause)
        return self._act(key, cause) if key.kind == ACT else None

    def rules(self) -> FactCause:
        """The newest change of a parameter since; the rules themselves where there is none."""
        found = self._newest("parameter", " AND f.pool_id = %s")
        return found or FactCause(RULES)

    def _game(self, number: int, cause: str) -> FactCause | None:
        key = self.facts.keys["game"][number]
        event = self.facts.ledger.games.event[number]
        found = self._touched("game", key)
        if cause == CHANGED or found is None:
            found = self._event(event, cause) or found
        return found or self._merges()

    def _event(self, event: int, cause: str) -> FactCause | None:
        """An event that came to count, or no longer counts, or counts otherwise."""
        key = self.facts.event_key(event)
        feeds = [feed for feed, _, _ in self.facts._feeds[event]]
        new = [(feed, self._recorded("event-in-pool", feed)) for feed in feeds]
        added = [(number, feed) for feed, number in new if number > self.since]
        if cause != GONE and added:
            number, feed = max(added)
            return FactCause(CHANGED if len(feeds) > 1 else ADDED, "event-in-pool", feed, number)
        for kind, target in [("event", key), *(("event-in-pool", feed) for feed in reversed(feeds))]:
            found = self._touched(kind, target)
            if found is not None:
                return found
        return None

    def _act(self, key: Key, cause: str) -> FactCause | None:
        name, day, _, reason = key.subject
        kind = KIND_NAMES.index(name)
        if kind == ENTRY:
            return self._entry(key.person, day)
        if ":" not in reason:  # a posting of the ruleset itself
            return None
        fact = act_subject(kind, day, reason)
        found = self._touched("posting" if kind == POSTING else "correction", fact)
        return found or self._merges() if cause != CHANGED else found

    def _entry(self, person: int, day: int) -> FactCause | None:
        key = self.facts.first_rating_key(person, day)
        found = self._touched("application", key) if key else None
        if found is None or found.cause != ADDED:
            return found or self._merges()
        changed = any(kind == "application" for kind, _ in self._gone)
        return found._replace(cause=CHANGED) if changed else found

    # --- by fact ----------------------------------------------------------------------------------

    def _touched(self, kind: str, key: int) -> FactCause | None:
        """What became of a fact since: gone, restored or added; None: nothing."""
        if (kind, key) in self._gone and self._gone[kind, key] >= self._restored.get((kind, key), 0):
            return FactCause(GONE, kind, key, self._gone[kind, key])
        number = self._recorded(kind, key)
        if number > self.since:
            return FactCause(ADDED, kind, key, number)
        if (kind, key) in self._restored:
            return FactCause(RESTORED, kind, key, self._restored[kind, key])
        return None

    def _recorded(self, kind: str, key: int) -> int:
        """The number of the recording that brought a fact."""
        if key < 0:
            return self.since + 1
        found = self._number.get((kind, key))
        if found is None and kind in TABLES:
            query = (
                f"SELECT r.number FROM {TABLES[kind]} f JOIN store_recording r ON r.id = f.recording_id "
                "WHERE f.id = %s"
            )
            rows = list(select(self.facts.using, query, [key]))
            found = rows[0][0] if rows else 0
        self._number[kind, key] = found or 0
        return found or 0

    def _merges(self) -> FactCause | None:
        """The newest merge since, or one that was undone."""
        if self._merge is None:
            self._merge = self._newest("merge") or FactCause("")
        return self._merge if self._merge.kind else None

    def _newest(self, kind: str, condition: str = "") -> FactCause | None:
        """The newest fact of a kind since, or else one that went or came back."""
        drafted = [key for key in self.facts.keys[kind] if key < 0]
        if drafted:
            return FactCause(CHANGED if kind == "merge" else ADDED, kind, drafted[-1], self.since + 1)
        query = (
            f"SELECT f.id, r.number FROM {TABLES[kind]} f JOIN store_recording r ON r.id = f.recording_id "
            f"WHERE f.organisation_id = %s AND r.number > %s{condition} ORDER BY f.id DESC LIMIT 1"
        )
        pool = self.facts.pool
        parameters: list[Any] = [pool.organisation_id, self.since, *([pool.pk] if condition else [])]
        for key, number in select(self.facts.using, query, parameters):
            return FactCause(CHANGED if kind == "merge" else ADDED, kind, key, number)
        for cause, table in ((GONE, self._gone), (RESTORED, self._restored)):
            for (voided, key), number in reversed(table.items()):
                if voided == kind and (kind == "merge" or self.facts.number(kind, key) is not None):
                    return FactCause(cause, kind, key, number)
        return None
