"""A pool's rows as readers see them now, page by page, straight from the tables: no ledger is loaded.

Readers take the newest row that is not above the pool's current settlement; a superseded row may still
lie beside it until it is swept.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from arpad.domain.units import UNRATED
from arpad.store.bulk import select
from arpad.store.holding import marks
from arpad.store.models import Pool, Settlement

# + keeps SQLite from going by the index of settlements, which tells next to nothing apart
NEWEST = (
    "{t}.pool_id = %s AND +{t}.settlement <= %s AND NOT {t}.gone AND NOT EXISTS (SELECT 1 FROM {table} newer "
    "WHERE newer.pool_id = {t}.pool_id AND {same} AND +newer.settlement > {t}.settlement "
    "AND +newer.settlement <= %s)"
)
STANDING = NEWEST.format(t="s", table="store_standing", same="newer.person_id = s.person_id")
CHANGE = NEWEST.format(
    t="c",
    table="store_change",
    same="newer.person_id = c.person_id AND newer.kind = c.kind AND newer.subject = c.subject",
)
LINE = "s.person_id, s.rating, s.label, s.games, s.last_played"


class Line(NamedTuple):
    """A line of the list. `person` is a key; a rating is in grains."""

    person: int
    rating: int | None
    label: str
    games: int
    last_played: int  # day; 0: never


class Wanted(NamedTuple):
    """Which lines of a list are asked for."""

    club: int = 0  # key; 0: all
    played_since: int = 0  # day
    lowest: int | None = None  # grains, for a band of ratings
    highest: int | None = None  # grains, not included
    people: tuple[int, ...] | None = None  # only these
    without: tuple[int, ...] = ()  # persons who are in no list
    day: str = ""  # ISO date on which membership counts


EVERYBODY = Wanted()


class Step(NamedTuple):
    """One change of one player's rating, as Change says it."""

    person: int
    kind: int
    subject: int
    day: int
    place: int
    opponent: int
    before: int
    expected: int
    change: int
    after: int | None


def settlement_of(pool: Pool, using: str = "default") -> Settlement | None:
    """The settlement that was current when the pool was read: what the rest of a page is read by."""
    return Settlement.objects.using(using).filter(pool=pool, number=pool.current).first()


def _head(pool: Pool) -> list[Any]:
    return [pool.pk, pool.current, pool.current]


def _where(wanted: Wanted) -> tuple[str, list[Any]]:
    conditions, values = "", []
    if wanted.club:
        conditions += (
            " AND s.person_id IN (SELECT m.person_id FROM store_membership m "
            "JOIN store_recording r ON r.id = m.recording_id WHERE m.club_id = %s AND r.number IS NOT NULL "
            "AND (m.since IS NULL OR m.since <= %s) AND (m.until IS NULL OR m.until >= %s) "
            "AND NOT EXISTS (SELECT 1 FROM store_void v WHERE v.target_uuid = m.uuid))"
        )
        values += [wanted.club, wanted.day, wanted.day]
    if wanted.played_since:
        conditions += " AND s.last_played >= %s"
        values.append(wanted.played_since)
    if wanted.lowest is not None:
        conditions += " AND s.rating >= %s"
        values.append(wanted.lowest)
    if wanted.highest is not None:
        conditions += " AND s.rating < %s"
        values.append(wanted.highest)
    for people, negated in ((wanted.people, ""), (wanted.without or None, "NOT ")):
        if people is not None:
            conditions += f" AND s.person_id {negated}IN ({marks(people) or 'NULL'})"
            values += people
    return conditions, values


def page(
    pool: Pool, wanted: Wanted, limit: int, *, after: tuple[int, int] | None = None,
    before: tuple[int, int] | None = None, using: str = "default",
) -> list[Line]:  # fmt: skip
    """Up to `limit` lines by rating, then key; after or before a (rating in grains, person key).

    Who has no rating stands at the end, with UNRATED as the rating of the key.
    """
    conditions, values = _where(wanted)
    order = "s.rating DESC, s.person_id"
    if after is not None:
        conditions += " AND s.rating <= %s AND (s.rating < %s OR s.person_id > %s)"
        values += [after[0], *after]
    if before is not None:
        conditions += " AND s.rating >= %s AND (s.rating > %s OR s.person_id < %s)"
        values += [before[0], *before]
        order = "s.rating, s.person_id DESC"
    query = f"SELECT {LINE} FROM store_standing s WHERE {STANDING}{conditions} ORDER BY {order} LIMIT %s"
    lines = [_line(row) for row in select(using, query, [*_head(pool), *values, limit])]
    return lines[::-1] if before is not None else lines


def lines(pool: Pool, people: Sequence[int], using: str = "default") -> dict[int, Line]:
    """The lines of some persons, by key."""
    if not people:
        return {}
    query = f"SELECT {LINE} FROM store_standing s WHERE {STANDING} AND s.person_id IN ({marks(people)})"
    return {row[0]: _line(row) for row in select(using, query, [*_head(pool), *people])}


def _line(row: Sequence[Any]) -> Line:
    person, rating, label, games, played = row
    return Line(person, None if rating == UNRATED else rating, label, games, played)


def count(pool: Pool, wanted: Wanted = EVERYBODY, using: str = "default") -> tuple[int, int]:
    """How many lines there are: with a rating, and in all."""
    conditions, values = _where(wanted)
    query = (
        f"SELECT COUNT(*), SUM(CASE WHEN s.rating > {UNRATED} THEN 1 ELSE 0 END) "
        f"FROM store_standing s WHERE {STANDING}{conditions}"
    )
    ((everybody, rated),) = select(using, query, [*_head(pool), *values])
    return int(rated or 0), int(everybody)


def places(
    pool: Pool, ratings: Sequence[int], wanted: Wanted = EVERYBODY, using: str = "default"
) -> dict[int, int]:
    """Rating (grains) -> its place: one more than those above it. Equal ratings share it.

    One query, and one walk down the index however many ratings are asked for.
    """
    falling = sorted(set(ratings), reverse=True)
    if not falling:
        return {}
    conditions, values = _where(wanted)
    one = f"SELECT COUNT(*) FROM store_standing s WHERE {STANDING}{conditions} AND s.rating > %s"
    parts, parameters = [], []
    for at, rating in enumerate(falling):
        parts.append(f"SELECT {at} AS at, ({one}{' AND s.rating <= %s' if at else ''}) AS above")
        parameters += [*_head(pool), *values, rating, *([falling[at - 1]] if at else [])]
    rows = select(using, " UNION ALL ".join(parts) + " ORDER BY at", parameters)
    found, above = {}, 0
    for at, more in rows:
        above += int(more)
        found[falling[at]] = above + 1
    return found


STEP = "c.person_id, c.kind, c.subject, c.day, c.place, c.opponent, c.before, c.expected, c.change, c.after"


def steps(
    pool: Pool, people: Sequence[int], *, since: int = 0, kinds: Sequence[int] = (), using: str = "default"
) -> list[Step]:
    """The changes of some persons from a day on, in playing order."""
    if not people:
        return []
    condition, values = "", [*people]
    if since:
        condition += " AND c.day >= %s"
        values.append(since)
    if kinds:
        condition += f" AND c.kind IN ({marks(kinds)})"
        values += kinds
    query = (
        f"SELECT {STEP} FROM store_change c WHERE {CHANGE} AND c.person_id IN ({marks(people)}){condition} "
        "ORDER BY c.day, c.place"
    )
    return [Step(*row) for row in select(using, query, [*_head(pool), *values])]


def steps_of_event(pool: Pool, event: int, using: str = "default") -> list[Step]:
    """The changes that the games of an event (a key) made, for whoever is the player now."""
    query = (
        f"SELECT {STEP} FROM store_game g JOIN store_change c ON c.pool_id = %s AND c.kind = 0 "
        "AND c.subject = g.id AND c.person_id IN (g.player1_id, g.player2_id) "
        f"WHERE g.event_id = %s AND {CHANGE}"
    )
    return [Step(*row) for row in select(using, query, [pool.pk, event, *_head(pool)])]


def clubs(people: Sequence[int], day: str, using: str = "default") -> dict[int, tuple[str, str]]:
    """Person -> (UUID, name) of the club on an ISO day; of several the one that was joined last."""
    if not people:
        return {}
    query = (
        "SELECT m.person_id, b.uuid, b.name FROM store_membership m JOIN store_club b ON b.id = m.club_id "
        "JOIN store_recording r ON r.id = m.recording_id WHERE r.number IS NOT NULL "
        f"AND m.person_id IN ({marks(people)}) AND (m.since IS NULL OR m.since <= %s) "
        "AND (m.until IS NULL OR m.until >= %s) "
        "AND NOT EXISTS (SELECT 1 FROM store_void v WHERE v.target_uuid = m.uuid) ORDER BY m.since, m.id"
    )
    rows = select(using, query, [*people, day, day])
    return {person: (str(identity), name) for person, identity, name in rows}


def line_at(pool: Pool, place: int, using: str = "default") -> Line | None:
    """The line that stands at a place, counted from 1; None where the list is shorter."""
    query = (
        f"SELECT {LINE} FROM store_standing s WHERE {STANDING} "
        "ORDER BY s.rating DESC, s.person_id LIMIT 1 OFFSET %s"
    )
    rows = select(using, query, [*_head(pool), place - 1])
    return next((_line(row) for row in rows), None)


def closing(pool: Pool, event: int, people: Sequence[int], using: str = "default") -> dict[int, int]:
    """Person -> the rating after an event, where the ruleset settles events as a whole."""
    query = (
        f"SELECT c.person_id, c.after FROM store_change c WHERE {CHANGE} AND c.kind = 1 AND c.subject = %s "
        f"AND c.person_id IN ({marks(people)})"
    )
    return dict(select(using, query, [*_head(pool), event, *people])) if people else {}


def recordings_of_event(event: int, using: str = "default") -> tuple[dict[int, int], dict[int, int]]:
    """Numbers of recordings -> how many games of an event each brought, and how many each withdrew."""
    query = (
        "SELECT r.number, COUNT(*) FROM store_game g JOIN store_recording r ON r.id = g.recording_id "
        "WHERE g.event_id = %s AND r.number IS NOT NULL GROUP BY r.number"
    )
    brought = dict(select(using, query, [event]))
    query = (
        "SELECT r.number, COUNT(*) FROM store_game g JOIN store_void v ON v.target_uuid = g.uuid "
        "JOIN store_recording r ON r.id = v.recording_id "
        "WHERE g.event_id = %s AND r.number IS NOT NULL GROUP BY r.number"
    )
    return brought, dict(select(using, query, [event]))


def members(pool: Pool, day: str, using: str = "default") -> dict[int, int]:
    """Club's key -> how many of its members on an ISO day have a line in the list."""
    query = (
        "SELECT m.club_id, COUNT(DISTINCT m.person_id) FROM store_membership m "
        "JOIN store_recording r ON r.id = m.recording_id JOIN store_standing s ON s.person_id = m.person_id "
        f"WHERE {STANDING} AND r.number IS NOT NULL AND m.organisation_id = %s "
        "AND (m.since IS NULL OR m.since <= %s) AND (m.until IS NULL OR m.until >= %s) "
        "AND NOT EXISTS (SELECT 1 FROM store_void v WHERE v.target_uuid = m.uuid) GROUP BY m.club_id"
    )
    return dict(select(using, query, [*_head(pool), pool.organisation_id, day, day]))


def risers(pool: Pool, published: int, limit: int, using: str = "default") -> list[tuple[int, int]]:
    """(person, gain in grains) of those who gained most since a published list (a key)."""
    query = (
        "SELECT s.person_id, s.rating - e.rating AS gain FROM store_listentry e "
        "JOIN store_standing s ON s.person_id = e.person_id AND s.rating <> e.rating "
        f"WHERE {STANDING} AND e.list_id = %s AND e.rating > {UNRATED} AND s.rating > {UNRATED} "
        "ORDER BY gain DESC, s.person_id LIMIT %s"
    )
    return [(person, gain) for person, gain in select(using, query, [*_head(pool), published, limit])]
