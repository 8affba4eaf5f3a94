"""people from-list: numbers and first ratings from a rating list; import of a table of people."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Arpad
from tests.cli.ledgers import club as club

HEAD = f"{'ID Number':<15}{'Name':<61}Fed Sex Tit  WTit OTit           "
LIST = "\n".join(
    [
        f"{HEAD}JAN26 Gms K  B-day Flag",
        f"{'9900001':<15}{'Claes, An':<61}BEL F{'':27} 1812  7   20 2001  i",
        f"{'9900002':<15}{'Peeters, Tim':<61}BEL M{'':27} 1950  0   20 1999",
        f"{'9900003':<15}{'Nobody, Known':<61}BEL M{'':27} 1950  0   20 1999",
        "",
    ]
)


def rows(done: object) -> list[dict[str, str]]:
    found: list[dict[str, str]] = json.loads(done.out)  # type: ignore[attr-defined]
    return found


def test_numbers_and_ratings_of_a_list(club: Arpad, folder: Path) -> None:
    (folder / "list.txt").write_text(LIST)
    assert club("people", "id", "An Claes", "fide", "9900001").status == 0
    shown = club("people", "from-list", "list.txt", "--dry-run")
    assert shown.status == 0
    assert shown.out.startswith("FIDE, 2026-01-01\n")
    assert "by name alone: 1 player, not taken without --by-name" in shown.out
    assert shown.out.endswith("nothing was recorded\n")
    assert rows(club("people", "from-list", "list.txt", "--dry-run", "--format", "json")) == [
        {"player": "An Claes", "by": "number", "listed_as": "Claes, An", "number": "fide 9900001",
         "first_rating": "", "remark": "has a first rating; inactive"},
        {"player": "Tim Peeters", "by": "name", "listed_as": "Peeters, Tim", "number": "fide 9900002",
         "first_rating": "", "remark": "has a first rating"},
    ]  # fmt: skip
    assert "recorded as no. 3, and settled" in club("people", "from-list", "list.txt").out
    assert "2001" in club("people", "data", "An Claes").out
    assert "9900002" not in club("people", "data", "Tim Peeters").out
    assert "recorded as no. 4" in club("people", "from-list", "list.txt", "--by-name", "--no-settle").out
    assert "9900002" in club("people", "data", "Tim Peeters").out
    assert "list-waiting" in club("people", "from-list", "list.txt").err


def test_what_cannot_be_a_list(club: Arpad, folder: Path) -> None:
    (folder / "games.csv").write_text("date,player1,player2,result\n2026-01-01,A,B,3-1\n")
    assert "list-no-people" in club("people", "from-list", "games.csv").err
    (folder / "list.txt").write_text(LIST)
    done = club("import", "list.txt")
    assert done.status == 1 and "file-no-games" in done.err and "from-list" in done.err
    assert "date-unreadable" in club("people", "from-list", "list.txt", "--day", "soon").err
    assert "file-unreadable" in club("people", "from-list", "nothing.txt").err


def test_a_table_of_people_is_imported(club: Arpad, folder: Path) -> None:
    """Who is new gets the first rating that the table gives; who has one keeps it."""
    (folder / "members.csv").write_text("Naam;Elo;Geboortejaar\nAn Claes;1900;2001\nBo Nieuw;1450;1980\n")
    assert "mapping-unconfirmed" in club("import", "members.csv").err
    assert "mapping-unconfirmed" in club("people", "from-list", "members.csv").err
    done = club("import", "members.csv", "--accept-map")
    assert done.status == 0, done.err
    assert "new players: 1: Bo Nieuw" in done.out and "first ratings: 1\n" in done.out
    lines = club("list", "--format", "csv").out.splitlines()
    assert any(line.startswith("Bo Nieuw,1450") for line in lines), lines
    assert not any(line.startswith("An Claes,1900") for line in lines)
