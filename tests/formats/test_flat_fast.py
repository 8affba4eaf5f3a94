"""The reader by columns gives the same sheet as the one by rows, and leaves what is unusual to it."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings

from arpad.formats import flat
from arpad.formats.flat_fast import read_columns
from arpad.formats.reading import Reading
from arpad.ledger.columns import GameColumns
from arpad.ledger.sheet import Sheet
from tests.formats.helpers import TODAY
from tests.formats.strategies import sheets
from tests.formats.test_mutations import damaged

NEVER = 2**40  # bytes


def assert_same(one: Reading, other: Reading) -> None:
    assert one.problems == other.problems
    assert (one.sheet.players, one.sheet.events) == (other.sheet.players, other.sheet.events)
    assert one.sheet.results == other.sheet.results
    for name in GameColumns.__slots__:
        mine, theirs = getattr(one.sheet.games, name), getattr(other.sheet.games, name)
        assert mine.typecode == theirs.typecode
        assert mine.tobytes() == theirs.tobytes(), name


def both(data: bytes) -> None:
    fast = flat.read_games(data, "f", today=TODAY, fast_from=0)
    assert_same(fast, flat.read_games(data, "f", today=TODAY, fast_from=NEVER))


@given(sheets())
@settings(max_examples=60)
def test_any_sheet(sheet: Sheet) -> None:
    both(flat.write_games(sheet))


def league(rows: int, ends: str = "\n") -> bytes:
    """A season without anything unusual: clubs' evenings and cups, retirements, byes, dates mixed up."""
    rng = random.Random(7)
    players = [f"Player {number}" for number in range(60)] + ["Zoë Ünder", "’t Hart"]
    lines = ["start,date,Event,class,round,board,sequence,home,away,result,handicap,weight,size,best_of"]
    for row in range(rows):
        first, second = rng.sample(players, 2)
        event, start = rng.choice([("", ""), ("Cup", "2025-03-01"), ("Cup", "2025-09-01"), ("League", "")])
        day = f"2025-{rng.randint(1, 9):02}-{rng.randint(1, 28):02}"
        result, length = rng.choice(
            [("3-1", "5"), ("1-1 ret1", ""), ("2-0", ""), ("+--", "5"), (" 1-0 ", "")]
        )
        if rng.random() < 0.02:
            second, result, length = "", "half", ""
        round_ = rng.choice(["", "1", "2"]) if event else ""
        cells = [
            start,
            day,
            event,
            "A" if event == "League" else "",
            round_,
            "",
            str(row) if rng.random() < 0.5 else "",
        ]
        cells += [first, second, result, rng.choice(["", "0", "3"]), rng.choice(["", "0.5", "1"]), "", length]
        lines.append(",".join(cells))
    return (ends.join(lines) + ends).encode()


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_a_league(ends: str) -> None:
    data = league(4000, ends)
    assert read_columns(data, "f", TODAY) is not None, "left to the slow reader: the test would show nothing"
    both(data)
    both(b"\xef\xbb\xbf" + data)


def test_numbers_that_are_all_different() -> None:
    rows = "".join(f"2025-01-01,A,B,1-0,{number}\n" for number in range(3000))
    both(b"date,white,black,result,sequence\n" + rows.encode())


USUAL = b"date,white,black,result\n2025-01-05,A,B,1-0\n2025-01-06,B,C,1-0\n"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"A", b'"A" x'), (b"A", b' "A"'), (b"A", b'A "x"'), (b"A", b'"A'), (b"A", b'"A\nB"'),
        (b"A", b'""'), (b"A", b"A "), (b"1-0\n2", b'"1-0"\n"2'), (b"1-0\n2", b'"1-0,\n2"'),
        (b"A", b"A\xe2\x80\x8b"), (b"A", b"Jos\xe9"), (b"A", b"A\x00"), (b"A", b"Jos\xc3\x83\xc2\xa9"),
        (b"A", b""), (b"A", b"B"), (b"A", b"x" * 300),
        (b"\n2025-01-06", b"\n\n2025-01-06"),
        (b"2025-01-05", b"2025-13-05"), (b"2025-01-05", b""), (b"1-0\n2", b"1-0,\n2"), (b"1-0\n2", b"1-0\r2"),
        (b"B,1-0\n", b"B\n"), (b"C,1-0", b",1-0"), (b"1-0\n2", b"9-9\n2"), (b"black", b"black,"),
        (b"white", b"black"), (b"date", b"day"), (b"date", b"date\x00"), (b"1-0\n2", b"\n2"),
    ],
)  # fmt: skip
def test_what_is_unusual_is_left_to_the_other_reader(old: bytes, new: bytes) -> None:
    assert read_columns(USUAL, "f", TODAY) is not None
    assert old in USUAL
    assert read_columns(USUAL.replace(old, new, 1), "f", TODAY) is None


@pytest.mark.parametrize("ends", [b"\n", b"\r\n"])
@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"A", b'"A"'), (b"A", b'"A, ""Doc"" B"'), (b"A", b'"""A"""'), (b"A", b'",,"'), (b"A", b'"A"""'),
        (b",1-0", b',"1-0"'), (b"date", b'"Date"'), (b"C", b'""'), (b"white", b"Home"),
        (b"black,result\n2025-01-05,A,B", b'black,colour,result\n2025-01-05,A,B,"w, b"'),
    ],
)  # fmt: skip
def test_quotation_marks_and_unknown_columns_are_usual(old: bytes, new: bytes, ends: bytes) -> None:
    data = USUAL.replace(old, new)
    if b"colour" in data:
        data = data.replace(b"B,C,1-0", b"B,C,,1-0")
    if b',"",1-0' in data:
        data = data.replace(b',"",1-0', b',"",half')
    data = data.replace(b"\n", ends)
    assert read_columns(data, "f", TODAY) is not None
    both(data)
    both(data.rstrip())


def test_a_small_file_needs_no_data_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> None:
        raise AssertionError("the fast reader was called")

    monkeypatch.setattr("arpad.formats.flat_fast.read_columns", never)
    assert flat.read_games(USUAL, "f", today=TODAY).games == 2


def test_damaged_files_are_never_read_faster_than_rightly() -> None:
    """The fast reader takes nothing that the other one refuses or reads otherwise."""
    rng = random.Random(3)
    data, taken = league(25) + b'2025-03-01,2025-03-02,Cup,,1,,,"Doe, J","x ""y"" z",3-1,,,,5\n', 0
    for _ in range(400):
        copy = damaged(data, rng)
        if read_columns(copy, "f", TODAY) is not None:
            taken += 1
            both(copy)
    assert taken > 40
