"""What is recorded of some events: games that hold, who reported them, what was voided by hand."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from arpad.domain.dates import NO_DAY
from arpad.store.bulk import select
from arpad.store.holding import Same, chunks, marks, voided
from arpad.store.models import Event, EventInPool, Import, Organisation, Pool, RawFile, Recording
from arpad.store.recorder import Ref
from arpad.store.versions import Played

GAMES = (
    "SELECT g.id, g.uuid, g.recording_id, g.event_id, g.player1_id, g.player2_id, g.day, g.round, g.board, "
    "g.sequence, g.result, g.best_of, g.stones, g.weight, g.size, g.line FROM store_game g "
    "JOIN store_recording r ON r.id = g.recording_id WHERE r.number IS NOT NULL AND g.organisation_id = %s "
)
VOIDS = (
    "SELECT v.uuid, v.target_key, v.replaced_by, v.recording_id FROM store_void v "
    "JOIN store_recording r ON r.id = v.recording_id WHERE r.number IS NOT NULL AND v.organisation_id = %s "
    "AND r.kind <> 'undo' AND v.target_kind = 'game' AND v.target_uuid "
)


class Stored(NamedTuple):
    """A game that is recorded. `played` names persons by the keys of those that are kept."""

    ref: Ref
    recording: int  # key
    event: int
    player1: int  # as entered
    player2: int  # 0: a bye
    line: int
    played: Played


class Origin(NamedTuple):
    """One file of an import."""

    format: str
    file: str  # its name; "" where the bytes were erased


class HandVoid(NamedTuple):
    """A game that somebody, not a file, took back or replaced."""

    played: Played
    replaced_by: uuid.UUID | None
    recording: int


class Feed(NamedTuple):
    """An event in the pool."""

    ref: Ref
    event_class: str
    order: int


def as_uuid(value: Any) -> uuid.UUID:
    """A UUID as raw SQL gives it: text on SQLite, an object on PostgreSQL."""
    return value if isinstance(value, uuid.UUID) else uuid.UUID(str(value))


def find_events(
    organisation: Organisation, wanted: Sequence[tuple[str, int]], using: str = "default"
) -> dict[tuple[str, int], Ref]:
    """(name, declared start) -> the event. Of several, the newest that has games."""
    import datetime

    found: dict[tuple[str, int], tuple[bool, Ref]] = {}
    names = sorted({name for name, _ in wanted})
    asked = set(wanted)
    for some in chunks(names, 500):
        query = (
            "SELECT e.id, e.uuid, e.name, e.start, "
            "EXISTS (SELECT 1 FROM store_game g WHERE g.event_id = e.id) "
            "FROM store_event e JOIN store_recording r ON r.id = e.recording_id WHERE r.number IS NOT NULL "
            f"AND e.organisation_id = %s AND e.name IN ({marks(some)}) ORDER BY e.id"
        )
        for key, identity, name, start, played in select(using, query, [organisation.pk, *some]):
            if isinstance(start, str):
                start = datetime.date.fromisoformat(start)
            where = (name, start.toordinal() if start else NO_DAY)
            if where in asked and (played or where not in found or not found[where][0]):
                found[where] = (bool(played), Ref("event", key, as_uuid(identity)))
    return {where: ref for where, (_, ref) in found.items()}


def starts_of(
    organisation: Organisation, names: Iterable[str], using: str = "default"
) -> dict[str, list[int]]:
    """Name -> the declared starts of its events in the order they were recorded; NO_DAY: none declared."""
    found: dict[str, list[int]] = {}
    for some in chunks(sorted(names), 500):
        events = Event.objects.using(using).filter(
            organisation=organisation, name__in=some, recording__number__isnull=False
        )
        for name, start in events.order_by("pk").values_list("name", "start"):
            found.setdefault(name, []).append(start.toordinal() if start else NO_DAY)
    return found


def stored_games(
    organisation: Organisation, events: Sequence[int], people: Same, using: str = "default"
) -> list[Stored]:
    """The games of some events that hold, in the order they were recorded."""
    rows: list[Stored] = []
    for some in chunks(list(events), 500):
        query = f"{GAMES} AND g.event_id IN ({marks(some)}) ORDER BY g.id"
        rows += [stored(row, people) for row in select(using, query, [organisation.pk, *some])]
    gone = voided(organisation, "game", [row.ref.uuid for row in rows], using) if rows else set()
    return [row for row in rows if row.ref.uuid not in gone] if gone else rows


def stored(row: Sequence[Any], people: Same) -> Stored:
    """One row of GAMES."""
    key, identity, recording, event, player1, player2 = row[:6]
    day, round_, board, sequence, result, best_of, stones, weight, size, line = row[6:]
    one, two = people.root(player1), people.root(player2) if player2 else 0
    played = Played(day, round_, board, sequence, one, two, result, best_of, stones, weight, size)
    return Stored(Ref("game", key, as_uuid(identity)), recording, event, player1, player2 or 0, line, played)


def origins(recordings: Iterable[int], using: str = "default") -> dict[int, list[Origin]]:
    """Recording's key -> the files it took; none for what was entered by hand."""
    found: dict[int, list[Origin]] = {}
    for some in chunks(sorted(set(recordings))):
        imports = list(
            Import.objects.using(using)
            .filter(recording_id__in=some)
            .values_list("recording_id", "format", "sha256", "organisation_id")
        )
        names = dict(
            RawFile.objects.using(using)
            .filter(organisation_id__in={row[3] for row in imports}, sha256__in={row[2] for row in imports})
            .values_list("sha256", "name")
        )
        for recording, format_, sha256, _ in imports:
            found.setdefault(recording, []).append(Origin(format_, names.get(sha256, "")))
    return found


def hand_voids(
    organisation: Organisation, events: Sequence[int], people: Same, using: str = "default"
) -> list[HandVoid]:
    """Games of some events that were taken back or replaced by somebody, not by a later file."""
    rows: list[tuple[Any, ...]] = []
    for some in chunks(list(events), 500):
        games = f"IN (SELECT uuid FROM store_game WHERE event_id IN ({marks(some)}))"
        rows += select(using, VOIDS + games, [organisation.pk, *some])
    if not rows:
        return []
    undone = voided(organisation, "void", [as_uuid(row[0]) for row in rows], using)
    by_file = origins([row[3] for row in rows], using)
    rows = [row for row in rows if as_uuid(row[0]) not in undone and row[3] not in by_file]
    played: dict[int, Played] = {}
    for keys in chunks(sorted({row[1] for row in rows})):
        query = f"{GAMES} AND g.id IN ({marks(keys)})"
        for game in select(using, query, [organisation.pk, *keys]):
            played[game[0]] = stored(game, people).played
    return [
        HandVoid(played[target], as_uuid(new) if new else None, recording)
        for _, target, new, recording in rows
        if target in played
    ]


def feeds_of(pool: Pool, using: str = "default") -> dict[int, Feed]:
    """Event's key -> how it counts in the pool."""
    rows = list(
        EventInPool.objects.using(using)
        .filter(pool=pool, recording__number__isnull=False)
        .order_by("pk")
        .values_list("pk", "uuid", "event_id", "event_class", "order")
    )
    gone = voided(pool.organisation, "event-in-pool", [row[1] for row in rows], using) if rows else set()
    return {
        event: Feed(Ref("event-in-pool", key, identity), event_class, order)
        for key, identity, event, event_class, order in rows
        if identity not in gone
    }


def with_first_rating(pool: Pool, people: Same, using: str = "default") -> set[int]:
    """Persons (as merged) who have a first rating in the pool."""
    query = (
        "SELECT a.uuid, a.person_id FROM store_application a JOIN store_recording r ON r.id = a.recording_id "
        "WHERE r.number IS NOT NULL AND a.pool_id = %s"
    )
    rows = list(select(using, query, [pool.pk]))
    voids = "SELECT 1 FROM store_void WHERE organisation_id = %s AND target_kind = 'application' LIMIT 1"
    if list(select(using, voids, [pool.organisation_id])):
        gone = voided(pool.organisation, "application", [as_uuid(row[0]) for row in rows], using)
        rows = [row for row in rows if as_uuid(row[0]) not in gone]
    return {people.root(person) for _, person in rows}


def earlier_imports(
    organisation: Organisation, digests: Sequence[str], using: str = "default"
) -> dict[str, Recording]:
    """Content digest -> the recording that took a file of that content, and was not undone."""
    rows = list(
        Import.objects.using(using)
        .filter(organisation=organisation, content_digest__in=digests, recording__number__isnull=False)
        .select_related("recording")
        .order_by("pk")
    )
    gone = voided(organisation, "import", [row.uuid for row in rows], using) if rows else set()
    return {row.content_digest: row.recording for row in rows if row.uuid not in gone}
