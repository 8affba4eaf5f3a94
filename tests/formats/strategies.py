"""Sheets at random: names with commas, quotation marks, accents; every kind of result."""

from __future__ import annotations

import math

from hypothesis import strategies as st

from arpad.domain.dates import read_day
from arpad.domain.play import Application
from arpad.domain.results import Result, read_result
from arpad.formats.reading import clean
from arpad.ledger.columns import NO_WEIGHT, GameRow
from arpad.ledger.sheet import Sheet
from tests.formats.helpers import TODAY

FIRST = read_day("1950-01-01") or 0
ODD_NAMES = [
    "Peeters, Jan",
    'Jan "Jef"',
    '"',
    '""',
    "'t Hart",
    "D’Hondt <b>",
    "½",
    "=1+1",
    "#",
    ";",
    "NC",
    "a",
    "Á",
]
NAMES = st.one_of(
    st.sampled_from(ODD_NAMES),
    st.text(st.characters(exclude_categories=("Cs", "Cc", "Cf", "Cn")), min_size=1, max_size=20),
    st.text(st.sampled_from("ab ,\"';|½é"), min_size=1, max_size=8),
).map(clean).filter(bool)  # fmt: skip
DAYS = st.integers(FIRST, TODAY)
WHOLE = st.one_of(st.just(0), st.integers(0, 3), st.integers(0, 2**31 - 1))
PLAYED = [
    "1-0", "0-1", "1/2-1/2", "+--", "--+", "---", "3-1", "2-3", "2-0", "1-0 unrated", "3-1 unrated",
    "1-1 ret1", "0-0 ret2", "2-1 ret2", "pending", "void",
]  # fmt: skip
BYES = [Result("bye", 2), Result("bye", 1), Result("bye", 0)]
POINTS = st.one_of(st.integers(-3000, 3000).map(float), st.floats(-1e5, 1e5).map(lambda x: x + 0.0))


@st.composite
def played(draw: st.DrawFn) -> Result:
    """A result between two players that games.csv can say."""
    text = draw(st.sampled_from(PLAYED))
    result = read_result(text)
    assert result is not None
    if result.kind == "sets":
        most = max(result.first, result.second)
        lengths = [0, 5, 7] if result.retired and most < 3 else [0, 2 * most - 1]
        return result._replace(best_of=draw(st.sampled_from(lengths)))
    if result.kind == "forfeit":
        return result._replace(best_of=draw(st.sampled_from([0, 3])))
    return result


@st.composite
def sheets(draw: st.DrawFn) -> Sheet:
    """A sheet of games."""
    sheet = Sheet("games.csv")
    names = draw(st.lists(NAMES, min_size=2, max_size=6, unique=True))
    for name in draw(st.lists(st.one_of(st.just(""), NAMES), min_size=1, max_size=4)):
        start = draw(DAYS if not name else st.one_of(st.just(0), DAYS))
        event_class = draw(st.sampled_from(["", "A", "B, fast"]))
        sheet.event(name, start, draw(WHOLE), event_class)
    for _ in range(draw(st.integers(1, 8))):
        first, second = draw(st.permutations(names))[:2]
        alone = draw(st.integers(0, 9)) == 0
        result = draw(st.sampled_from(BYES)) if alone else draw(played())
        event = draw(st.integers(0, len(sheet.events) - 1))
        start = sheet.events[event].start
        near = draw(st.booleans()) and start
        sheet.games.append(
            GameRow(
                sheet.player(first), -1 if alone else sheet.player(second), event,
                start if near else draw(DAYS),
                draw(WHOLE), draw(WHOLE), draw(WHOLE), sheet.result(result), draw(st.integers(0, 9)),
                draw(st.one_of(st.just(NO_WEIGHT), st.floats(0, 1000).map(abs))),
                draw(st.sampled_from([0, 19, 13, 9])),
            )
        )  # fmt: skip
    return sheet


def content(sheet: Sheet) -> list[object]:
    """Games of a sheet in their order, without numbers that only the sheet knows."""
    told: list[object] = []
    for row in sheet.games:
        event = sheet.events[row.event]
        second = sheet.players[row.player2] if row.player2 >= 0 else ""
        weight = None if math.isnan(row.weight) else row.weight
        told.append(
            (
                sheet.players[row.player1], second, event[:4], row.day, row.round, row.board, row.sequence,
                sheet.results[row.result], row.stones, weight, row.size,
            )
        )  # fmt: skip
    return told


@st.composite
def applications(draw: st.DrawFn) -> Application:
    """A first rating that players.csv can say."""
    start = draw(st.sampled_from(["rating", "rank", "NC", "league", ""]))
    return Application(
        rating=draw(POINTS) if start == "rating" else None,
        rank=draw(st.integers(-29, 9)) if start == "rank" else None,
        unclassified=start == "NC",
        league=draw(NAMES) if start == "league" else "",
        percentage=draw(st.floats(0, 100).map(abs)) if start == "league" else None,
        adjustment=draw(st.one_of(st.just(0.0), POINTS)),
        reason=draw(st.one_of(st.just(""), NAMES)),
        born=draw(st.one_of(st.just(0), st.integers(1800, 2026))),
        games=draw(st.integers(0, 1000)),
        peak=draw(st.one_of(st.none(), POINTS)),
        standard=draw(st.one_of(st.none(), POINTS)),
    )
