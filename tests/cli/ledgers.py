"""A small ledger for the commands that correct one: four people with awkward names, two evenings."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pytest

from arpad.cli.database import with_database
from tests.cli.conftest import Arpad

TEMPLATE = Path(tempfile.mkdtemp(prefix="arpad-cli-")) / "club"
PEOPLE = ("Noor ’t Hart", "D’Hondt <b>", "Tim Peeters", "An Claes")
# event, first day, round, board, players, result
GAMES = (
    ("Spring Cup", "2026-03-05", 1, 7, 0, 1, "3-0"),
    ("Spring Cup", "2026-03-05", 2, 1, 0, 2, "1-3"),
    ("Club evening", "2026-03-12", 1, 1, 0, 1, "3-1"),
    ("Club evening", "2026-03-12", 1, 1, 0, 1, "3-1"),  # equal rows are games of their own
    ("Club evening", "2026-03-12", 2, 1, 3, 2, "3-2"),
)


@pytest.fixture
def club(arpad: Arpad, folder: Path) -> Arpad:
    """arpad(..., --data club) on that ledger, settled."""
    if not TEMPLATE.exists():
        assert arpad("organisation", "add", "Our club", "--data", "club").status == 0
        assert arpad("pool", "add", "Main", "--ruleset", "us-table-tennis", "--data", "club").status == 0
        fill()
        assert arpad("settle", "--data", "club").status == 0
        from django.db import connections

        connections.close_all()
        shutil.copytree(folder / "club", TEMPLATE)
    else:  # making the tables takes a second
        shutil.copytree(TEMPLATE, folder / "club")
        with_database(folder / "club")

    def run(*arguments: object):
        return arpad(*arguments, "--data", "club")

    return run


def fill() -> None:
    """Record the people and games: recording 2."""
    from arpad.domain.dates import read_day
    from arpad.domain.play import Application
    from arpad.domain.results import read_result
    from arpad.store.models import Organisation, Pool
    from arpad.store.recorder import recording, ref

    pool = ref(Pool.objects.get())
    with recording(Organisation.objects.get(), author="1", kind="import", reason="the season") as r:
        people = [r.person(name) for name in PEOPLE]
        for number, person in enumerate(people):
            r.first_rating(pool, person, Application(rating=1500 + 10 * number))
        events = {}
        for line, (name, day, round_, board, one, two, text) in enumerate(GAMES, 1):
            start, result = read_day(day), read_result(text)
            assert start is not None and result is not None
            if name not in events:
                events[name] = r.event(name, start)
                r.feed(pool, events[name], "")
            r.game(
                events[name], start, people[one], people[two], result, round=round_, board=board, line=line
            )


def results(club: Arpad, event: str = "Spring Cup") -> list[str]:
    """The results of an event's games that hold, in playing order."""
    import json

    return [row["result"] for row in json.loads(club("games", "--event", event, "--format", "json").out)]
