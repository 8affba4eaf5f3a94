"""SwissPerfect's cross-table: a small one by hand, and everything it can get wrong."""

from __future__ import annotations

import pytest

from arpad.domain.problems import Refused
from arpad.formats import registry
from arpad.formats.reading import Reading
from arpad.ledger.sheet import SheetPerson
from tests.formats.helpers import FILES, TODAY, found, games

TABLE = (FILES / "herfst-crosstable.txt").read_bytes().decode().replace("\r\n", "\n")
TOLD = {"days": "2026-10-03,2026-10-10,2026-10-17", "event-name": "Herfst"}
NOOR, JOP, REN, ADA, BO = "Voorbeeld, Noor", "'t Hart, Jop", "Okabe, Ren", "Muster, Ada", "Fictief, Bo"


def read(text: str = TABLE, **told: str) -> Reading:
    return registry.read(text.encode(), "f", kind="SwissPerfect table", today=TODAY, told=told or TOLD)


def told_of(text: str) -> list[tuple[str, int, int]]:
    try:
        return found(read(text).problems)
    except Refused as refusal:
        return found(refusal.problems, "fatal")


def changed(old: str, new: str) -> str:
    assert old in TABLE
    return TABLE.replace(old, new, 1)


def results(reading: Reading) -> list[tuple[int, str, str, str]]:
    return [(g.round, g.player1, g.player2, g.result) for g in games(reading.sheet)]


def test_a_table_by_hand() -> None:
    reading = registry.read(FILES / "herfst-crosstable.txt", today=TODAY, told=TOLD)
    assert reading.format == "SwissPerfect table"
    assert results(reading) == [
        (1, NOOR, JOP, "1-0"),
        (2, NOOR, REN, "+--"),
        (3, NOOR, ADA, "1/2-1/2"),
        (2, JOP, "", "full"),
        (3, JOP, REN, "---"),
        (1, REN, ADA, "1-0"),
        (2, ADA, "", "half"),
        (2, BO, "", "zero"),
    ]
    assert {(g.round, g.date) for g in games(reading.sheet)} == {
        (1, "2026-10-03"), (2, "2026-10-10"), (3, "2026-10-17"),
    }  # fmt: skip
    assert list(reading.sheet.people.values())[:3] == [
        SheetPerson(
            NOOR, (("fide", "9900001"), ("national", "101")), title="WFM", federation="BEL", rating=1650,
            line=3,
        ),
        SheetPerson(JOP, (("national", "102"),), rating=1500, line=4),
        SheetPerson(REN, line=5),
    ]  # fmt: skip
    assert found(reading.problems) == [
        ("result-forfeit-count", 1, 1), ("colour-missing", 1, 1), ("points-differ", 6, 1),
    ]  # fmt: skip


def test_the_shortest_table() -> None:
    text = "No\tName\t1\n1\tA\t2:L\n2\tB\t1:W\n"
    assert registry.sniff(text.encode()) == ["SwissPerfect table"]
    assert results(read(text, days="2026-01-06")) == [(1, "A", "B", "0-1")]
    assert registry.sniff(b"No\tName\tPoints\n1\tA\t2\n") != ["SwissPerfect table"]


def test_a_half_that_is_missing() -> None:
    """The game is taken from the half that is there, with the points of its own side."""
    for old, code in (("1:L", "1-0"), ("2:W", "1-0"), ("3:L", "1-0"), ("4:W", "1-0")):
        reading = read(changed(old, " : "))
        pair = (NOOR, JOP) if old in ("1:L", "2:W") else (REN, ADA)
        assert (1, *pair, code) in results(reading)
        assert "game-one-sided" in {p.code for p in reading.problems}


@pytest.mark.parametrize(
    ("halves", "result"),
    [
        ("W L", "1-0"), ("L W", "0-1"), ("D D", "1/2-1/2"), ("+ -", "+--"), ("- +", "--+"), ("- -", "---"),
        ("= =", "1/2-1/2 unrated"), ("  ", "pending"),
    ],
)  # fmt: skip
def test_two_halves(halves: str, result: str) -> None:
    one, other = halves[:1].strip(), halves[-1:].strip()
    assert (1, NOOR, JOP, result) in results(read(changed("2:W", f"2:{one}").replace("1:L", f"1:{other}")))


@pytest.mark.parametrize("halves", ["WW", "WD", "LL", "W-", "+L", "++", "+=", "=D", "W ", " -"])
def test_two_halves_that_do_not_fit(halves: str) -> None:
    text = changed("2:W", f"2:{halves[0].strip()}").replace("1:L", f"1:{halves[1].strip()}")
    reading = read(text)
    assert ("game-contradiction", 3, 61) in found(reading.problems, "held")
    assert not [one for one in results(reading) if one[:3] == (1, NOOR, JOP)]


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("1:L", "3:L", ("game-not-mutual", 3, 61)),
        ("1:L", " : ", ("game-one-sided", 3, 61)),
        ("0:+", "0:W", ("bye-code", 4, 66)),
        ("2,5", "3,5", ("points-differ", 3, 1)),
        ("9900001", "99/0001", ("player-id-shape", 3, 28)),
        ("1650", "16x0", ("player-rating-shape", 3, 43)),
        ("wfm", "xyz", ("player-title-unknown", 3, 48)),
        (REN, NOOR, ("player-same-name", 5, 4)),
        (REN, "??", ("text-name-lost", 5, 4)),
        (REN, "", ("player-name-missing", 5, 4)),
    ],
)
def test_what_is_told(old: str, new: str, problem: tuple[str, int, int]) -> None:
    place = found(read(changed(old, new)).problems)
    assert problem in place, place
    assert problem not in found(read().problems)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("2:W", "2:X", ("result-code-unknown", 3, 61)),
        ("2:W", "2:w", ("result-code-unknown", 3, 61)),
        ("2:W", "2 W", ("result-code-unknown", 3, 61)),
        ("2:W", "9:W", ("player-missing", 3, 61)),
        ("2:W", "1:W", ("game-self", 3, 61)),
        ("2 \t", "1 \t", ("player-duplicate-number", 4, 4)),
        ("2 \t", "x \t", ("club-row-unreadable", 4, 1)),
        ("2 \t", "0 \t", ("club-row-unreadable", 4, 1)),
        (REN, "x" * 300, ("cell-too-long", 5, 4)),
        ("\t 2  ", "\t 5  ", ("table-column-missing", 1, 1)),
        ("\t 2  ", "\t 1  ", ("table-column-ambiguous", 1, 66)),
        ("Name ", "Neam ", ("table-column-missing", 1, 1)),
    ],
)
def test_what_is_refused(old: str, new: str, problem: tuple[str, int, int]) -> None:
    place = told_of(changed(old, new))
    assert problem in place, place


def test_nothing_but_a_header() -> None:
    assert ("player-none", 1, 1) in told_of(TABLE.split("\n")[0])


def test_days_are_asked_for() -> None:
    with pytest.raises(Refused) as caught:
        read(**{"event-name": "Herfst"})
    assert found(caught.value.problems, "fatal") == [("date-missing", 1, 1)]
