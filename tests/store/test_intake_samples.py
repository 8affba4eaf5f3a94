"""Real files: five states of one tournament, and a club ladder with equal rows."""

from __future__ import annotations

from pathlib import Path

import pytest

from arpad.domain.play import Application
from arpad.formats import registry, table
from arpad.store import edits
from arpad.store.intake import Request, SheetFile, plan, record
from arpad.store.models import Event
from arpad.store.settle import Settler

LADDER = {"date": "timestamp", "player1": "Player 1", "player2": "Player 2", "winner": "Winner"}
WINNERS = {"Fredric C": "Fredrik C", "Fabian S. Roenningen": "Fabian S. Rønningen"}


def take(pool, path, reading, settler, whole, **decisions):
    file = SheetFile(path.name, reading.format, path.read_bytes(), reading.sheet.digest(), whole)
    preview = plan(Request(pool, reading.sheet, (file,), **decisions), settler)
    if preview.already is not None:
        return preview
    done = record(preview, author="1", settler=settler)
    assert done.recording is not None
    settler.settle()
    return done.preview


def test_five_states_of_one_tournament(samples: Path, make_pool):
    """As new, changed, withdrawn and same games; counted by hand from the files' pairings and results."""
    pool = make_pool("belgian-go")
    settler, found = Settler(pool), []
    files = sorted((samples / "go").glob("*PPiK2010.xml"))
    for path in files:
        preview = take(pool, path, registry.read(path), settler, True)
        found.append((len(preview.new), len(preview.changed), len(preview.withdrawn), preview.same))
        assert preview.effect is not None
    assert found == [(8, 0, 0, 0), (11, 8, 0, 0), (12, 8, 0, 11), (22, 5, 0, 26), (11, 10, 0, 43)]
    assert take(pool, files[-1], registry.read(files[-1]), settler, True).already is not None
    (event,) = Event.objects.all()
    assert len(list(edits.games_of(event))) == 64  # 60 pairings and 4 byes
    # the same as the last state taken alone
    alone = make_pool("belgian-go", "alone")
    other = Settler(alone)
    take(alone, files[-1], registry.read(files[-1]), other, True)
    lists = [
        sorted((line.player, line.rating) for line in s.warm(s.tip()).ratings()) for s in (settler, other)
    ]
    assert lists[0] == lists[1]


def test_equal_rows_of_a_ladder_stay_games(samples: Path, make_pool):
    pool = make_pool("elo-logistic")
    settler, found = Settler(pool), []
    for name in ("ipk_matches_backup.csv", "ipk_matches.csv"):
        path = samples / "clubs" / name
        reading = table.read(path.read_bytes(), name, mapping=table.given(LADDER, winners=WINNERS))
        for player in reading.sheet.players:
            reading.sheet.first_rating(player, Application(rating=1500))
        preview = take(pool, path, reading, settler, False, accept_new=True)
        found.append((len(preview.new), len(preview.changed), len(preview.withdrawn), preview.same))
    # 436 and 828 rows, of which 1 and 3 name a winner who did not play
    assert found == [(435, 0, 0, 0), (390, 0, 0, 435)]
    games = [game for event in Event.objects.all() for game in edits.games_of(event)]
    rows = [(g.day, g.player1_id, g.player2_id, g.result) for g in games]
    assert len(rows) == 825
    assert len(rows) - len(set(rows)) == pytest.approx(158, abs=3)  # equal rows of the file; 3 rows are held
