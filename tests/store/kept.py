"""A small ledger in which every kind of fact occurs, and a look into the tables that hold them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

from django.db import connection

from arpad.domain.dates import read_day
from arpad.domain.play import Application
from arpad.domain.results import read_result
from arpad.store import triggers
from arpad.store.models import FACTS, BirthDate, Club, Membership, OutsideId, Pool, RawFile
from arpad.store.recorder import Recorder, recording
from arpad.store.settle import Settler

DAYS = tuple(map(read_day, ("2023-03-04", "2023-09-02", "2024-01-13", "2024-06-22")))
NAMES = ("Noor ’t Hart", "D’Hondt <b>", "Çağla Öz", "Łukasz\nZięba", "Jo Twee", "Jo Drie")


WEIGHED = "elo-logistic"  # a ruleset that takes a game's own weight


def everything(organisation: Any, ruleset: str = WEIGHED, settle: bool = True) -> Pool:
    """Members, two pools, events, games, a bye, corrections, a merge, voids and a void of a void."""
    with recording(organisation, author="1", role="administrator", kind="set-up") as r:
        pools = [r.pool(slug, slug.title(), ruleset) for slug in ("main", "youth")]
        people = [r.person(name) for name in NAMES]
        club = r.add(Club, name="A club")
        for person in people[:2]:
            r.add(Membership, {"person": person, "club": club}, since=None, until=None)
        for number, person in enumerate(people):
            born = 2009 if number == 3 else 0
            reason = "a youth title abroad" if number == 3 else ""
            start = Application(rating=1500.0 + 50 * number, born=born, reason=reason)
            r.first_rating(pools[0], person, start)
            r.first_rating(pools[1], person, Application(rating=900.5 + number, born=born))
        r.parameter(pools[0], "k", 24.0, DAYS[2])
        r.side(BirthDate, person_id=people[3].key, year=2009, day=None)
        r.side(OutsideId, person_id=people[0].key, kind="fide", value="123", since=None, until=None)
    games = []
    with recording(organisation, author="2", kind="import", reason="the spring cup\nwas found") as r:
        sheet = b"\x00date,player1"
        r.imported(hashlib.sha256(sheet).hexdigest(), "cd" * 32, "games.csv")
        r.side(RawFile, sha256=hashlib.sha256(sheet).hexdigest(), name="spring.csv", content=sheet)
        for number, day in enumerate(DAYS):
            event = r.event(f"Cup {number}" if number else "", day)
            r.feed(pools[0], event, order=number)
            if number > 1:
                r.feed(pools[1], event)
            for board in range(3):
                white, black = people[2 * board], people[2 * board + 1]
                weight = 0.5 if board == 2 and ruleset == WEIGHED else None
                games.append(
                    r.game(
                        event,
                        day,
                        white,
                        black,
                        read_result("1-0"),
                        round=1,
                        board=board + 1,
                        weight=weight,
                        line=board + 2,
                    )
                )
            r.game(event, day, people[number], None, read_result("full"), round=2)
    with recording(organisation, author="2", reason="board 2 was entered the wrong way round") as r:
        void = r.void(games[1])
        r.correction(pools[0], people[0], DAYS[3], 1600.25, reason="the committee, 3 May")
        r.posting(pools[0], DAYS[3], 5.0, reason="a bonus for all")
        r.same_person(people[4], people[5])
        for game in games[2::3]:  # those two played each other
            r.void(game)
    with recording(organisation, author="3", role="administrator", reason="it was right after all") as r:
        r.void(void)
    found = Pool.objects.get(pk=pools[0].key)
    if settle:
        for pool in Pool.objects.filter(organisation=organisation):
            Settler(pool).settle()
        found.refresh_from_db()
    return found


def unsealed(organisation: Any) -> None:
    """What a crash in the middle of a large recording leaves behind."""
    r = Recorder(organisation, "1", "import", "results officer", "", None, None, True, "default")
    r.open()
    r.person("Somebody New")
    r.write()


def unguarded() -> None:
    """Take the triggers away, as somebody who damages a ledger would."""
    with connection.cursor() as cursor:
        for model, _ in triggers.guarded():
            table = model._meta.db_table
            for kind in ("update", "delete"):
                on = f" ON {table}" if connection.vendor == "postgresql" else ""
                cursor.execute(f"DROP TRIGGER {table}_no_{kind}{on}")


def cells() -> Iterator[tuple[str, str, int, Any]]:
    """(table, column, key, value) of every cell of every fact."""
    for model in FACTS:
        for row in model.objects.order_by("pk").values():
            for field in model._meta.local_concrete_fields:
                yield model._meta.db_table, field.column, row["id"], row[field.attname]
