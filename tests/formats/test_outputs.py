"""ratings.csv and history.csv: every row adds up, by rows or by columns, interpreted or compiled."""

from __future__ import annotations

import csv
import io
from decimal import Decimal
from functools import lru_cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arpad.domain.dates import read_day
from arpad.domain.play import Application
from arpad.domain.results import read_result
from arpad.engine.history import History
from arpad.engine.replay import replay
from arpad.formats.outputs import HISTORY, Summary, summary, write_history, write_ratings
from arpad.ledger.ledger import Ledger
from arpad.rulesets.catalogue import find, names
from tests.engine.random_ledgers import random_ledger

Row = dict[str, str]
SEEDS = st.integers(0, 10_000)


def written(history: History, fast: bool = False) -> bytes:
    file = io.BytesIO()
    write_history(history, file, fast=fast)
    return file.getvalue()


def rows_of(history: History) -> list[Row]:
    return list(csv.DictReader(io.StringIO(written(history).decode("utf-8"))))


def list_of(history: History) -> dict[str, str]:
    file = io.BytesIO()
    write_ratings(history, file)
    return {
        row["player"]: row["rating"] for row in csv.DictReader(io.StringIO(file.getvalue().decode("utf-8")))
    }


def points(cell: str) -> Decimal:
    """No rating counts as nothing."""
    return Decimal(cell or "0")


def assert_adds_up(rows: list[Row], ratings: dict[str, str]) -> None:
    """Per player and period opening + changes = after; the next period opens there; the last is the list."""
    spans: dict[tuple[str, str], tuple[str, str]] = {}
    changes: dict[tuple[str, str], Decimal] = {}
    for row in rows:
        key = (row["player"], row["period"])
        assert spans.setdefault(key, (row["opening"], row["after"])) == (row["opening"], row["after"])
        changes[key] = changes.get(key, Decimal(0)) + Decimal(row["change"])
    now: dict[str, str] = {}
    for (player, period), (opening, after) in spans.items():
        assert now.get(player, "") == opening, (player, period)
        assert points(opening) + changes[player, period] == points(after), (player, period)
        now[player] = after
    assert {player: now.get(player, "") for player in ratings} == ratings


def assert_k_is_the_factor(rows: list[Row], tolerance: str, plain: set[str] | None = None) -> None:
    """change = K x (score - expected), from what is printed; the score from the result."""
    scores = {"1-0": Decimal(1), "1/2-1/2": Decimal("0.5"), "0-1": Decimal(0)}
    for row in rows:
        if row["rated"] != "1" or row["k"] == "0" or (plain is not None and row["event"] not in plain):
            continue
        found = Decimal(row["k"]) * (scores[row["result"]] - Decimal(row["expected"]))
        assert abs(found - Decimal(row["change"])) <= Decimal(tolerance), row


@pytest.mark.parametrize("ruleset", names())
@given(seed=SEEDS)
@settings(max_examples=12)
def test_every_period_adds_up(ruleset: str, seed: int) -> None:
    history = replay(random_ledger(ruleset, seed), ruleset, compile=False)
    rows = rows_of(history)
    assert_adds_up(rows, list_of(history))
    games = [row for row in rows if row["kind"] == "game"]
    assert len(games) == 2 * history.plan.rows
    assert all((row["rated"] == "1") == (row["reason"] == "") for row in games)
    assert all((row["rated"] == "1") == (row["expected"] != "") == (row["k"] != "") for row in games)


@pytest.mark.parametrize("ruleset", names())
@given(seed=SEEDS)
@settings(max_examples=8)
def test_by_columns_gives_the_same_bytes(ruleset: str, seed: int) -> None:
    history = replay(random_ledger(ruleset, seed), ruleset, compile=False)
    assert written(history, fast=True) == written(history)


@pytest.mark.parametrize("ruleset", ["belgian-go", "fide-standard", "youth-realtime"])
def test_compiled_gives_the_same_bytes(ruleset: str) -> None:
    ledger = random_ledger(ruleset, 11)
    plain = replay(ledger, ruleset, compile=False)
    fast = replay(ledger, ruleset, compile=True)
    assert written(fast) == written(plain)
    assert written(fast, fast=True) == written(plain)
    assert list_of(fast) == list_of(plain)
    assert summary(fast) == summary(plain)
    ledger.game("P0", "P1", read_day("2025-06-01"), read_result("1-0"))  # numpy looks at it no more


@pytest.mark.parametrize("ruleset", ["fide-standard", "fide-rapid", "fide-blitz", "knsb", "kbsb"])
def test_k_of_a_list_is_exact(ruleset: str) -> None:
    for seed in range(5):
        assert_k_is_the_factor(rows_of(replay(random_ledger(ruleset, seed), ruleset)), "0")


@pytest.mark.parametrize("ruleset", ["elo-logistic", "elo-normal", "youth-realtime"])
def test_k_of_a_game_is_that_of_the_rules(ruleset: str) -> None:
    """To half of the last digit printed, and what six decimals of the expected score lose."""
    for seed in range(5):
        ledger = random_ledger(ruleset, seed)
        for game, weight in enumerate(ledger.games.weight):
            if weight == 0.5:
                ledger.games.weight[game] = 1.0
        assert_k_is_the_factor(rows_of(replay(ledger, ruleset)), "0.0051")


# --- by hand ------------------------------------------------------------------------------------------


def game(ledger: Ledger, first: str, second: str, day: str, result: str, event: str = "") -> None:
    where = ledger.event(event, 0, 0, "B") if event else None
    found = read_result(result)
    assert found is not None
    ledger.game(first, second, read_day(day), found, event=where, sequence=len(ledger.games) + 1)


def cells(rows: list[Row], player: str, *columns: str) -> list[tuple[str, ...]]:
    return [tuple(row[column] for column in columns) for row in rows if row["player"] == player]


def test_the_columns() -> None:
    assert ",".join(HISTORY) == (
        "kind,period,date,event,round,player,opponent,result,rated,reason,opening,before,expected,k,change,after"
    )


def test_fides_month_is_closed_by_a_rounding_row() -> None:
    """K 20. Two equals, and one 30 points below (expected 0.54 by 8.1.2): 1.46 x 20 = 29.2, so 29."""
    ledger = Ledger()
    for name, rating in (("Ada", 1500), ("Ben", 1500), ("Cor", 1470), ("Dag", 1500)):
        ledger.first_rating(name, Application(rating=rating, games=100), read_day("2025-01-01"))
    for opponent in ("Ben", "Cor", "Dag"):
        game(ledger, "Ada", opponent, "2025-03-09", "1-0", "Open")
    rows = rows_of(replay(ledger, "fide-standard"))
    columns = (
        "kind",
        "period",
        "date",
        "event",
        "opponent",
        "opening",
        "before",
        "expected",
        "k",
        "change",
        "after",
    )
    month = ("2025-03", "2025-03-09", "Open")
    span = ("1500.00", "1500.00")
    assert cells(rows, "Ada", *columns)[1:] == [
        ("game", *month, "Ben", *span, "0.500000", "20", "10.00", "1529.00"),
        ("game", *month, "Cor", *span, "0.540000", "20", "9.20", "1529.00"),
        ("game", *month, "Dag", *span, "0.500000", "20", "10.00", "1529.00"),
        ("rounding", "2025-03", "2025-03-31", "", "", "1500.00", "", "", "", "-0.20", "1529.00"),
    ]


def test_a_rating_below_fides_floor_ends_in_a_floor_row() -> None:
    """1402 loses to 1402 with K 20: -10, and 1392 is not published."""
    ledger = Ledger()
    for name in ("Ada", "Ben"):
        ledger.first_rating(name, Application(rating=1402, games=100), read_day("2025-01-01"))
    game(ledger, "Ada", "Ben", "2025-03-09", "0-1")
    rows = rows_of(replay(ledger, "fide-standard"))
    assert cells(rows, "Ada", "kind", "opening", "change", "after") == [
        ("entry", "", "1402.00", "1402.00"),
        ("game", "1402.00", "-10.00", ""),
        ("floor", "1402.00", "-1392.00", ""),
    ]


def test_the_lowest_go_rating_is_a_floor_row() -> None:
    """-2450 loses to -2450, class B. Con goes on from 116 at -1950, 6 a row of 100: 146, and half of it."""
    ledger = Ledger()
    for name in ("Ada", "Ben"):
        ledger.first_rating(name, Application(rating=-2450))
    game(ledger, "Ada", "Ben", "2025-03-09", "0-1", "Club")
    rows = rows_of(replay(ledger, "belgian-go"))
    assert cells(rows, "Ada", "kind", "period", "date", "event", "k", "change", "after")[1:] == [
        ("game", "2025-03-09/1", "2025-03-09", "Club", "146", "-73.00", "-2450.00"),
        ("floor", "2025-03-09/1", "2025-03-09", "Club", "", "73.00", "-2450.00"),
    ]
    assert cells(rows, "Ben", "kind", "change") == [("entry", "-2450.00"), ("game", "73.00")]


def test_a_newcomer_enters_with_a_row() -> None:
    """After three games an NC player is rated: an entry row closes the event."""
    ledger = Ledger()
    ledger.first_rating("Nel", Application(unclassified=True))
    for name in ("Ada", "Ben", "Cor"):
        ledger.first_rating(name, Application(rank=-4))
    for number, name in enumerate(("Ada", "Ben", "Cor")):
        game(ledger, "Nel", name, "2025-03-09", ("1-0", "0-1", "1/2-1/2")[number], "Open")
    rows = cells(
        rows_of(replay(ledger, "belgian-go")), "Nel", "kind", "rated", "reason", "opening", "change", "after"
    )
    # one and a half out of three against 5 kyu (-450): rated -450
    assert rows == [
        *[("game", "0", "newcomer", "", "0.00", "-450.00")] * 3,
        ("entry", "", "first-rating", "", "-450.00", "-450.00"),
    ]


def test_a_childs_level_enters_before_the_first_game() -> None:
    ledger = Ledger()
    ledger.first_rating("Ada", Application(rating=800))
    game(ledger, "Kim", "Ada", "2025-03-09", "1/2-1/2")
    rows = cells(
        rows_of(replay(ledger, "youth-realtime")),
        "Kim",
        "kind",
        "reason",
        "opening",
        "before",
        "change",
        "after",
    )
    assert rows == [
        ("entry", "newcomer-level", "", "", "800.00", "800.00"),
        ("game", "", "", "800.00", "0.00", "800.00"),
    ]


def test_a_correction_inside_a_list_opens_from_the_list() -> None:
    """The committee's 1600 replaces the previous list; the difference still comes from the list of March."""
    ledger = Ledger()
    for name in ("Ada", "Ben"):
        ledger.first_rating(name, Application(rating=1500, games=100), read_day("2025-01-01"))
    ledger.correction("Ada", read_day("2025-03-15"), 1600, "mistake of 2024")
    game(ledger, "Ada", "Ben", "2025-03-09", "1-0")
    rows = rows_of(replay(ledger, "fide-standard"))
    columns = ("kind", "period", "date", "reason", "opening", "before", "change", "after")
    assert cells(rows, "Ada", *columns)[1:] == [
        ("correction", "2025-03", "2025-03-15", "mistake of 2024", "1500.00", "", "100.00", "1610.00"),
        ("game", "2025-03", "2025-03-09", "", "1500.00", "1500.00", "10.00", "1610.00"),
    ]


def test_a_compression_has_a_period_of_its_own() -> None:
    """1500 + 0.40 x (2000 - 1500) = 1700 on 1 March 2024."""
    ledger = Ledger()
    for name in ("Ada", "Ben"):
        ledger.first_rating(name, Application(rating=1500, games=100), read_day("2024-01-01"))
    game(ledger, "Ada", "Ben", "2024-03-09", "1-0")
    rows = rows_of(replay(ledger, "fide-standard"))
    assert cells(rows, "Ada", "kind", "period", "reason", "opening", "change", "after")[1:] == [
        ("posting", "2024-03-01", "ruleset", "1500.00", "200.00", "1700.00"),
        ("game", "2024-03", "", "1700.00", "10.00", "1710.00"),
    ]


def test_a_quarter_is_named() -> None:
    ledger = Ledger()
    for name in ("Ada", "Ben"):
        ledger.first_rating(name, Application(rating=1500, games=400), read_day("2025-01-01"))
    game(ledger, "Ada", "Ben", "2025-05-09", "1-0")
    assert cells(rows_of(replay(ledger, "kbsb")), "Ada", "kind", "period", "date", "k") == [
        ("entry", "2025-Q1", "2025-01-01", ""),
        ("game", "2025-Q2", "2025-05-09", "16"),
    ]


def test_many_games_of_a_quarter_end_in_the_performance() -> None:
    """KBSB: 30 wins over an equal are 30 x 0.5 x 16 = 240, over 150 in over 25 games: so 1500 + 800 for the
    winner, 1500 - 800 for the loser, whom the floor brings back to 1400."""
    ledger = Ledger()
    for name in ("Ada", "Ben"):
        ledger.first_rating(name, Application(rating=1500, games=400), read_day("2025-01-01"))
    for _ in range(30):
        game(ledger, "Ada", "Ben", "2025-05-09", "1-0", "Marathon")
    rows = rows_of(replay(ledger, "kbsb"))
    columns = ("kind", "reason", "opening", "change", "after")
    assert cells(rows, "Ada", *columns)[1:] == [
        *[("game", "", "1500.00", "8.00", "2300.00")] * 30,
        ("rounding", "performance", "1500.00", "560.00", "2300.00"),
    ]
    assert cells(rows, "Ben", *columns)[31:] == [
        ("rounding", "performance", "1500.00", "-560.00", "1400.00"),
        ("floor", "", "1500.00", "700.00", "1400.00"),
    ]


def test_games_of_one_day_are_periods_of_their_own() -> None:
    ledger = Ledger()
    for name in ("Ada", "Ben"):
        ledger.first_rating(name, Application(rating=1500))
    for result in ("3-0", "0-3"):
        game(ledger, "Ada", "Ben", "2025-05-09", result)
    rows = cells(rows_of(replay(ledger, "us-table-tennis")), "Ada", "period", "opening", "change", "after")
    # equals: +25; then 1525 against 1475 (50: 57 per cent): -28.50
    assert rows[1:] == [
        ("2025-05-09/1", "1500.00", "25.00", "1525.00"),
        ("2025-05-09/2", "1525.00", "-28.50", "1496.50"),
    ]


def test_names_with_commas_and_quotes_are_quoted() -> None:
    ledger = Ledger()
    for name in ('Peeters, "Jan"', "Zoë"):
        ledger.first_rating(name, Application(rating=1500))
    game(ledger, 'Peeters, "Jan"', "Zoë", "2025-05-09", "1-0", "Open, A")
    history = replay(ledger, "elo-normal")
    assert '"Peeters, ""Jan""",Zoë,1-0' in written(history).decode("utf-8")
    assert written(history, fast=True) == written(history)
    assert list_of(history) == {'Peeters, "Jan"': "1510.00", "Zoë": "1490.00"}


def test_the_short_of_it() -> None:
    ledger = Ledger()
    ledger.first_rating("Ada", Application(rating=1500, games=100), read_day("2025-01-01"))
    game(ledger, "Ada", "New", "2025-05-09", "1-0")
    game(ledger, "New", "Newer", "2025-05-09", "1-0")
    game(ledger, "Ada", "Newer", "2025-05-09", "--+")
    found = summary(replay(ledger, "fide-standard"))
    # a game against an unrated player counts for that player's first rating: the word of the newcomer
    assert found == Summary(3, 3, 0, {"newcomer": 1, "opponent-unrated": 1, "forfeit": 1})


def test_many_games_are_written_by_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    """The progress tells every game, too."""
    history = replay(random_ledger("kbsb", 3), "kbsb", compile=False)
    told: list[tuple[int, int]] = []
    file = io.BytesIO()
    monkeypatch.setattr("arpad.formats.outputs.FAST_FROM", 1)
    monkeypatch.setattr("arpad.formats.outputs.Cells.rows", None)  # what writes row by row
    write_history(history, file, progress=lambda done, total: told.append((done, total)))
    monkeypatch.undo()
    assert file.getvalue() == written(history)
    assert told[-1] == (history.plan.rows, history.plan.rows)


def test_a_ledger_without_games() -> None:
    ledger = Ledger()
    ledger.first_rating("Ada", Application(rating=1500))
    history = replay(ledger, "elo-normal")
    assert written(history, fast=True) == written(history)
    assert cells(rows_of(history), "Ada", "kind", "after") == [("entry", "1500.00")]
    assert replay(Ledger(), "fide-standard").ratings() == []
    assert rows_of(replay(Ledger(), "fide-standard")) == []


@lru_cache(maxsize=1)
def _grains() -> set[int]:
    return {find(name).per_point for name in names()}


def test_two_decimals_hold_every_grain() -> None:
    """history.csv prints hundredths: a ruleset with a finer grain would need more."""
    assert _grains() <= {1, 10, 100}
