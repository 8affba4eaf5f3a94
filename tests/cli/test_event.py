"""event: whole events are listed, withdrawn, brought back, moved, reclassed and given away."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import Arpad
from tests.cli.ledgers import club as club
from tests.cli.ledgers import results

WHY = ("--reason", "as the arbiter says", "--yes")


def listed(club: Arpad) -> list[tuple[str, str, int]]:
    rows = json.loads(club("event", "list", "--format", "json").out)
    return [(row["event"], row["start"], row["games"]) for row in rows]


def test_a_whole_event_is_withdrawn_and_brought_back(club: Arpad) -> None:
    before = club("list", "--format", "csv").out
    assert listed(club) == [("Club evening", "2026-03-12", 3), ("Spring Cup", "2026-03-05", 2)]
    seen = club("event", "void", "Spring Cup", "--dry-run")
    assert "withdraw: Spring Cup of 2026-03-05 (2 games)" in seen.out and "would change" in seen.out
    assert club("event", "void", "Spring Cup", *WHY).status == 0
    assert ("Spring Cup", "2026-03-05", 0) in listed(club)
    assert "edit-empty" in club("event", "void", "Spring Cup", *WHY).err
    assert club("event", "restore", "Spring Cup@2026-03-05", *WHY).status == 0
    assert results(club) == ["3-0", "1-3"] and club("list", "--format", "csv").out == before


def test_an_event_without_a_declared_day_began_with_its_first_game(club: Arpad) -> None:
    from arpad.domain.dates import read_day
    from arpad.store.edits import add_game, make, result_of
    from arpad.store.models import Game, Organisation, Pool
    from arpad.store.recorder import recording, ref

    owner, game = Organisation.objects.get(), Game.objects.earliest("pk")
    with recording(owner, author="1") as r:
        event = r.event("Spring Cup")
        r.feed(ref(Pool.objects.get()), event, "")
    day = read_day("2026-04-02")
    assert day is not None and game.player2 is not None
    late = add_game(owner, event.uuid, day, game.player1.uuid, game.player2.uuid, result_of(game))
    make(owner, late, author="1", reason="late")
    refused = club("event", "void", "Spring Cup", *WHY)
    assert "is 2 events" in refused.err and f"{event.uuid.hex} of 2026-04-02" in refused.err
    for name in ("Spring Cup@2026-04-02", event.uuid.hex):
        assert "withdraw: Spring Cup of 2026-04-02 (1 game)" in club("event", "void", name, "--dry-run").out
    assert ("Spring Cup", "2026-04-02", 1) in listed(club)


def test_an_event_moves(club: Arpad) -> None:
    assert club("event", "move", "Spring Cup", "--to", "2026-03-19", "--dry-run").status == 0
    assert club("event", "move", "Spring Cup", "--to", "2026-03-19", *WHY).status == 0
    assert listed(club) == [("Spring Cup", "2026-03-19", 2), ("Club evening", "2026-03-12", 3)]
    days = {row["day"] for row in json.loads(club("games", "--event", "Spring Cup", "--format", "json").out)}
    assert days == {"2026-03-19"}
    assert "event-unknown" in club("event", "void", "Spring Cup@2026-03-05", *WHY).err


def test_games_go_to_another(club: Arpad) -> None:
    give = ("event", "give", "Spring Cup", "--player", "noor 't hart", "--to", "An Claes")
    assert "all games of noor 't hart" in club(*give, "--dry-run").out
    assert club(*give, *WHY).status == 0
    games = json.loads(club("games", "--event", "Spring Cup", "--format", "json").out)
    assert [game["player1"] for game in games] == ["An Claes", "An Claes"]
    back = ("event", "give", "Spring Cup", "--player", "An Claes", "--to", "Tim Peeters")
    assert "game-self" in club(*back, *WHY).err


def test_a_class_changes_the_ratings(arpad: Arpad) -> None:
    from tests.cli.conftest import TABLE

    assert "CL[A]" in TABLE
    assert arpad("organisation", "add", "Go", "--data", "go").status == 0
    assert arpad("pool", "add", "Main", "--ruleset", "belgian-go", "--data", "go").status == 0
    done = arpad("import", "spring.h9", "--data", "go")
    assert done.status == 0, done.err
    before = arpad("list", "--format", "csv", "--data", "go").out
    change = ("event", "class", "Spring Tournament", "--data", "go")
    assert "class-unknown" in arpad(*change, "--to", "Z", *WHY).err
    assert "edit-empty" in arpad(*change, "--to", "A", *WHY).err
    assert arpad(*change, "--to", "D", *WHY).status == 0
    assert arpad("list", "--format", "csv", "--data", "go").out != before
    assert json.loads(arpad("event", "list", "--format", "json", "--data", "go").out)[0]["class"] == "D"


@pytest.mark.parametrize("command", ["void", "restore", "move", "class", "give"])
def test_what_is_refused(club: Arpad, command: str) -> None:
    more = {"move": ("--to", "2026-01-01"), "class": ("--to", "A"), "give": ("--player", "x", "--to", "y")}
    done = club("event", command, "No such", *more.get(command, ()), *WHY)
    assert done.status == 1 and "event-unknown" in done.err
