"""Small ledgers whose explanation is written by hand: tests/golden/<ruleset>/<case>.txt.

The texts come from the rules and a pocket calculator, never from the program.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from arpad.domain.dates import read_day
from arpad.domain.play import Application
from arpad.domain.results import read_result
from arpad.ledger.ledger import Ledger

Played = tuple[str, str, str, str, str, dict[str, Any]]


class Case(NamedTuple):
    """What is asked of which ledger."""

    ruleset: str
    name: str
    ledger: Callable[[], Ledger]
    player: str
    asked: dict[str, Any] = {}  # noqa: RUF012


def day(text: str) -> int:
    found = read_day(text)
    assert found is not None, text
    return found


def ledger(
    players: Mapping[str, Any],
    games: Iterable[tuple[Any, ...]],
    classes: Mapping[str, str] | None = None,
    starts: Mapping[str, str] | None = None,
    corrections: Iterable[tuple[str, str, float, str]] = (),
    parameters: Iterable[tuple[str, float, str]] = (),
    entered: str = "",
) -> Ledger:
    """Players: a rating, or the fields of an application. Games: (date, event, player 1, player 2, result)
    and, where needed, more fields of the game."""
    made = Ledger()
    for name, known in players.items():
        fields = known if isinstance(known, dict) else {"rating": known}
        made.first_rating(name, Application(**fields), day(entered) if entered else 0)
    for date, event, one, two, text, *more in games:
        result = read_result(text)
        assert result is not None, text
        start = day((starts or {})[event]) if event in (starts or {}) else (0 if event else day(date))
        number = made.event(event, start, event_class=(classes or {}).get(event, ""))
        made.game(one, two, day(date), result, event=number, **(more[0] if more else {}))
    for date, name, rating, reason in corrections:
        made.correction(name, day(date), rating, reason)
    for name, value, date in parameters:
        made.parameter(name, value, day(date))
    return made


def in_round(number: int, **more: Any) -> dict[str, Any]:
    return {"round": number, **more}


# --- belgian-go -----------------------------------------------------------------------------------


def go_second_example() -> Ledger:
    """The page's second worked example: A gives B one stone and wins."""
    return ledger(
        {"Ada": -1903.6, "Ben": -1996.4},
        [("2024-09-03", "Club evening", "Ada", "Ben", "1-0", {"stones": 1})],
        {"Club evening": "C"},
    )


def go_third_example() -> Ledger:
    """The page's third worked example: A receives four stones and wins."""
    return ledger(
        {"Ada": -1450, "Ben": -750},
        [("2024-09-03", "Club evening", "Ben", "Ada", "0-1", {"stones": 4})],
        {"Club evening": "C"},
    )


def go_first_example() -> Ledger:
    """The page's first worked example: equal ratings."""
    return ledger(
        {"Ada": -1950, "Ben": -1950},
        [("2024-09-03", "Club evening", "Ada", "Ben", "1-0")],
        {"Club evening": "C"},
    )


def go_ranks() -> Ledger:
    return ledger(
        {"Noor": -410, "Tim": -410, "Eva": -400},
        [
            ("2025-04-12", "Spring Cup", "Noor", "Tim", "1-0", in_round(1)),
            ("2025-05-10", "May Cup", "Eva", "Noor", "1-0", in_round(1)),
        ],
        {"Spring Cup": "A", "May Cup": "B"},
    )


def go_demotion() -> Ledger:
    names = ("Tess", "Tom", "Ties", "Thea")
    return ledger(
        {"Sam": -495, **dict.fromkeys(names, -495)},
        [("2025-07-05", "Open", "Sam", name, "0-1", in_round(i)) for i, name in enumerate(names, 1)],
        {"Open": "A"},
    )


def go_floor() -> Ledger:
    return ledger(
        {"Sam": -2445, "Tom": -2445},
        [("2025-01-11", "Winter Cup", "Sam", "Tom", "0-1", in_round(1))],
        {"Winter Cup": "B"},
    )


def go_newcomer() -> Ledger:
    return ledger(
        {"Kim": {"unclassified": True}, "Ann": -600, "Bob": -500, "Cas": -700},
        [
            ("2024-09-07", "September evening", "Kim", "Ann", "1-0"),
            ("2024-10-05", "Autumn Cup", "Kim", "Bob", "0-1", in_round(1)),
            ("2024-10-05", "Autumn Cup", "Cas", "Kim", "0-1", in_round(2)),
        ],
        {"September evening": "C", "Autumn Cup": "B"},
    )


def go_unrated() -> Ledger:
    return ledger(
        {"Ada": {"rank": -9}, "Ben": {"rank": -9}},
        [
            ("2024-06-01", "Picnic", "Ada", "Ben", "1-0"),
            ("2024-06-08", "Cup", "Ada", "Ben", "+--", in_round(1)),
        ],
        {"Picnic": "D", "Cup": "B"},
    )


def go_correction() -> Ledger:
    return ledger(
        {"Noor": -1020, "Tim": -1020},
        [("2025-03-01", "Spring Cup", "Noor", "Tim", "1/2-1/2")],
        {"Spring Cup": "B"},
        corrections=[("2025-09-01", "Noor", -950, "results lagged behind playing strength")],
    )


# --- us-table-tennis ------------------------------------------------------------------------------


def tt_season() -> Ledger:
    return ledger(
        {"Ada": 1800, "Ben": 1650},
        [
            ("2024-09-03", "Club evening", "Ada", "Ben", "3-2"),
            ("2024-09-10", "Second evening", "Ada", "Ben", "--+"),
            ("2024-10-08", "Third evening", "Ben", "Ada", "1-3"),
            ("2024-11-05", "Fourth evening", "Ada", "Ben", "3-2"),
        ],
        corrections=[("2024-10-01", "Ada", 1750, "played abroad for a year")],
        parameters=[("k", 40, "2024-11-01")],
    )


def tt_cup() -> Ledger:
    return ledger(
        {
            "Cas": 2000,
            "Dee": 1600,
            "Eef": 1600.5,
            "Fay": 1500,
            "Gus": {
                "league": "2e klasse",
                "percentage": 65.0,
                "adjustment": -100.0,
                "reason": "long absence",
            },
            "Hal": 1575,
        },
        [
            ("2024-09-07", "Cup", "Cas", "Dee", "3-0"),
            ("2024-09-07", "Cup", "Fay", "Eef", "1-2"),
            ("2024-09-07", "Cup", "Gus", "Hal", "3-1"),
        ],
    )


def tt_evening() -> Ledger:
    return ledger(
        {"Ada": 1600, "Ben": 1600, "Cas": 1600},
        [
            ("2024-09-03", "Club evening", "Ada", "Ben", "3-1", in_round(1)),
            ("2024-09-03", "Club evening", "Cas", "Ada", "0-3", in_round(2)),
        ],
    )


# --- chess, monthly and quarterly lists -----------------------------------------------------------


def rated(rating: int, games: int = 50, **more: Any) -> dict[str, Any]:
    return {"rating": rating, "games": games, **more}


def chess_pair(
    date: str, event: str, one: Any, two: Any, result: str = "1-0", entered: str = "2025-01-01"
) -> Callable[[], Ledger]:
    """One game of two players, both (name, application)."""
    game = (date, event, one[0], two[0], result, in_round(1))
    return lambda: ledger(dict([one, two]), [game], entered=entered)


def fide_cap_once() -> Ledger:
    return ledger(
        {"Ada": rated(2100), "Ben": rated(1600), "Cas": rated(1650)},
        [
            ("2023-06-03", "Open", "Ada", "Ben", "1-0", in_round(1)),
            ("2023-06-03", "Open", "Cas", "Ada", "0-1", in_round(2)),
        ],
    )


def fide_marathon() -> Ledger:
    """18 games in one month: 10 won, 8 lost, against the same rating."""
    return ledger(
        {"Jo": rated(1800, 5), "Max": rated(1800)},
        [
            ("2025-05-10", "Marathon", "Jo", "Max", "1-0" if number <= 10 else "0-1", in_round(number))
            for number in range(1, 19)
        ],
        entered="2025-01-01",
    )


def kbsb_marathon() -> Ledger:
    """26 games in one quarter: 20 won, 6 lost, against 400 points more."""
    return ledger(
        {"Lea": rated(1500, 0), "Max": rated(1900)},
        [
            ("2024-07-06", "Marathon", "Lea", "Max", "1-0" if number <= 20 else "0-1", in_round(number))
            for number in range(1, 27)
        ],
        entered="2024-04-02",
    )


def compression() -> Ledger:
    return ledger(
        {"Kai": rated(1500, 200), "Lou": rated(1500, 200)},
        [("2024-02-10", "Cup", "Kai", "Lou", "1/2-1/2")],
    )


def newcomer(date: str) -> Callable[[], Ledger]:
    """Five games against 2000: three won, two lost. A sixth, won, in the month after; and a walkover."""
    names = ("Ann", "Bea", "Cas", "Dan", "Eva")

    def made() -> Ledger:
        games: list[tuple[Any, ...]] = [
            (date, "Open", "Sam", name, "1-0" if number <= 3 else "0-1", in_round(number))
            for number, name in enumerate(names, 1)
        ]
        games += [
            ("2024-11-02", "Cup", "Fay", "Sam", "0-1", in_round(1)),
            ("2024-11-02", "Cup", "Ann", "Bea", "+--", in_round(1)),
        ]
        return ledger({name: rated(2000) for name in (*names, "Fay")}, games)

    return made


def fide_correction() -> Ledger:
    return ledger(
        {"Mia": rated(1900), "Noa": rated(1900)},
        [("2025-03-08", "Cup", "Mia", "Noa", "1-0", in_round(1))],
        corrections=[("2025-03-15", "Mia", 1950, "an older tournament was added")],
        entered="2025-01-01",
    )


def fide_bridge() -> Ledger:
    """An event that begins in January and ends in February, after a gain in January."""
    return ledger(
        {"Uma": rated(2000), "Vik": rated(2000), "Wim": rated(2000)},
        [
            ("2025-01-10", "Cup", "Uma", "Vik", "1-0"),
            ("2025-02-02", "Bridge", "Wim", "Uma", "1/2-1/2", in_round(2)),
        ],
        starts={"Bridge": "2025-01-30"},
    )


def knsb_bonus() -> Ledger:
    return ledger(
        {"Tess": rated(1700, born=2012), "Vera": rated(1700)},
        [("2024-05-04", "Cup", "Tess", "Vera", "1/2-1/2", in_round(1))],
        parameters=[("youth_bonus", 8, "2024-05-01")],
        entered="2024-04-02",
    )


# --- youth-realtime, elo ----------------------------------------------------------------------------


def youth_newcomer() -> Ledger:
    return ledger(
        {"Bas": {"born": 2014}, "Cor": 1000, "Dot": 200},
        [
            ("2024-10-05", "October evening", "Bas", "Cor", "1-0", in_round(1)),
            ("2024-10-05", "October evening", "Dot", "Bas", "0-1", in_round(2)),
        ],
    )


def youth_child() -> Ledger:
    return ledger(
        {"Eli": rated(1200, 30, born=2014), "Fay": rated(1100, 30, born=2014)},
        [
            ("2024-10-05", "October evening", "Eli", "Fay", "1-0"),
            ("2024-10-12", "Second evening", "Eli", "Fay", "---"),
        ],
        corrections=[("2024-10-19", "Eli", 1300, "strong results elsewhere")],
    )


def elo_pair() -> Ledger:
    return ledger({"Ada": 1600, "Ben": 1500}, [("2024-05-03", "", "Ada", "Ben", "1/2-1/2")])


GO, TT, FIDE, YOUTH = "belgian-go", "us-table-tennis", "fide-standard", "youth-realtime"

FIDE_CAP = chess_pair("2025-04-05", "Open", ("Ada", rated(2100)), ("Ben", rated(1600)))
FIDE_REAL = chess_pair("2025-11-08", "Open", ("Xia", rated(2700)), ("Yan", rated(2200)))
FIDE_FLOOR = chess_pair("2025-06-07", "Cup", ("Pim", rated(1405)), ("Rik", rated(1405)), "0-1")
RAPID_FAR = chess_pair("2025-01-10", "Cup", ("Ada", rated(2650)), ("Ben", rated(2050)))
BLITZ = chess_pair("2025-01-10", "Cup", ("Zoe", {"standard": 1900.0, "games": 50}), ("Ann", rated(1900)))
KBSB_FLOOR = chess_pair(
    "2024-07-06", "Cup", ("Rob", rated(1402, 400)), ("Sia", rated(1402, 400)), "0-1", "2024-04-02"
)

CASES = [
    Case(GO, "even-game", go_first_example, "Ada"),
    Case(GO, "giver-of-a-handicap", go_second_example, "Ada"),
    Case(GO, "receiver-of-a-handicap", go_third_example, "Ada"),
    Case(GO, "promotion", go_ranks, "Noor", {"event": "Spring Cup"}),
    Case(GO, "rank-held", go_ranks, "Noor"),
    Case(GO, "demotion", go_demotion, "Sam", {"event": "Open", "round": 2}),
    Case(GO, "floor", go_floor, "Sam"),
    Case(GO, "newcomer", go_newcomer, "Kim"),
    Case(GO, "newcomer-waiting", go_newcomer, "Kim", {"event": "September evening"}),
    Case(GO, "opponent-unrated", go_newcomer, "Ann"),
    Case(GO, "friendly", go_unrated, "Ada", {"event": "picnic"}),
    Case(GO, "forfeit", go_unrated, "Ada"),
    Case(GO, "correction", go_correction, "Noor"),
    Case(TT, "winner-loses-points", tt_season, "Ada", {"event": "Club evening"}),
    Case(TT, "loser-gains-points", tt_season, "Ben", {"event": "Club evening"}),
    Case(TT, "walkover", tt_season, "Ada", {"event": "Second evening"}),
    Case(TT, "correction", tt_season, "Ada", {"event": "Third evening"}),
    Case(TT, "dated-k", tt_season, "Ada"),
    Case(TT, "capped-difference", tt_cup, "Cas"),
    Case(TT, "rounding", tt_cup, "Eef"),
    Case(TT, "newcomer", tt_cup, "Gus"),
    Case(TT, "evening", tt_evening, "Ada", {"event": "Club evening"}),
    Case(FIDE, "capped-difference", FIDE_CAP, "Ada"),
    Case(FIDE, "cap-once", fide_cap_once, "Ada", {"event": "Open", "round": 2}),
    Case(FIDE, "rounding", FIDE_REAL, "Xia"),
    Case(FIDE, "n-times-k", fide_marathon, "Jo", {"event": "Marathon", "round": 1}),
    Case(FIDE, "compression", compression, "Kai"),
    Case(FIDE, "newcomer", newcomer("2024-10-05"), "Sam", {"event": "Open"}),
    Case(FIDE, "opponent-unrated", newcomer("2024-10-05"), "Bea", {"event": "Open"}),
    Case(FIDE, "forfeit", newcomer("2024-10-05"), "Bea"),
    Case(FIDE, "correction", fide_correction, "Mia"),
    Case(FIDE, "floor", FIDE_FLOOR, "Pim"),
    Case(FIDE, "list-in-force", fide_bridge, "Uma"),
    Case("fide-rapid", "by-rule", RAPID_FAR, "Ada"),
    Case("fide-blitz", "newcomer", BLITZ, "Zoe"),
    Case("knsb", "newcomer-waiting", newcomer("2024-10-05"), "Sam", {"event": "Open", "round": 5}),
    Case("knsb", "newcomer", newcomer("2024-10-05"), "Sam"),
    Case("knsb", "bonus", knsb_bonus, "Tess"),
    Case("kbsb", "compression", compression, "Kai"),
    Case("kbsb", "newcomer", newcomer("2024-07-06"), "Sam", {"event": "Open", "round": 1}),
    Case("kbsb", "many-games", kbsb_marathon, "Lea", {"event": "Marathon", "round": 1}),
    Case("kbsb", "floor", KBSB_FLOOR, "Rob"),
    Case(YOUTH, "newcomer", youth_newcomer, "Bas", {"event": "October evening", "round": 1}),
    Case(YOUTH, "winner-loses-points", youth_newcomer, "Bas"),
    Case(YOUTH, "child", youth_child, "Eli", {"event": "October evening"}),
    Case(YOUTH, "forfeit", youth_child, "Eli", {"event": "Second evening"}),
    Case(YOUTH, "correction", youth_child, "Eli"),
    Case("elo-logistic", "draw", elo_pair, "Ada"),
    Case("elo-normal", "draw", elo_pair, "Ada"),
]  # fmt: skip
