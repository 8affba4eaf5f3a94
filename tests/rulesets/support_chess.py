"""What the chess tests share: reading vectors, and one way to run each kind of case through a ruleset."""

from __future__ import annotations

import csv
import json
import re
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from arpad.domain.dates import read_day
from arpad.domain.play import UNRATED, Game, Openings, Tally, When
from arpad.domain.rounding import divided
from arpad.rulesets.catalogue import find
from arpad.rulesets.chess_parts import percentage, performance
from arpad.rulesets.parts import fide_difference

HERE = Path(__file__).parent
MARCH = 2026 * 12 + 2
WHEN = When(2026, 3)


def rows(name: str) -> list[dict[str, str]]:
    """The rows of a vector file."""
    with (HERE / "vectors" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


class Case(NamedTuple):
    """One row of a vector file: what goes in and what the source says comes out."""

    id: str
    kind: str
    day: str
    given: dict[str, Any]
    expected: dict[str, Any]


def cases(*names: str) -> list[Any]:
    """The cases of vector files, as parameters with their id."""
    found = [
        Case(row["id"], row["kind"], row["edition"], json.loads(row["input"]), json.loads(row["expected"]))
        for name in names
        for row in rows(name)
    ]
    assert len({case.id for case in found}) == len(found), names
    return [pytest.param(case, id=case.id) for case in found]


def params(ruleset: str, day: str) -> Any:
    """The edition in force on a day; "" is the oldest."""
    editions = find(ruleset).editions
    wanted = read_day(day) if day else editions[0][0]
    return [p for first, p in editions if first <= wanted][-1]


def hundredths(text: str) -> int:
    value = Decimal(text) * 100
    assert value == int(value), text
    return int(value)


def game(score: str = "1", marked: int = 0, month: int = MARCH) -> Game:
    return Game(hundredths(score), 0, 0, 1.0, month, marked)


def openings(
    games: list[tuple[int, str]], months: list[int] | None = None, events: list[int] | None = None
) -> Any:
    """Openings of (opponent's rating, score), and their number."""
    n = len(games)
    spare = [99] * 3  # columns are longer than the number of games handed over
    columns = ([r for r, _ in games], [0] * n, [hundredths(s) for _, s in games], months or [MARCH] * n)
    return Openings(*(c + spare for c in columns), (events or [7] * n) + spare), n


def split(total: str, n: int) -> list[str]:
    """n scores that add up to the total: wins, then a draw, then losses."""
    halves = int(Fraction(total) * 2)
    return ["1"] * (halves // 2) + ["0.5"] * (halves % 2) + ["0"] * (n - halves // 2 - halves % 2)


def opponents(given: dict[str, Any]) -> list[tuple[int, str]]:
    if "opp_avg" in given:
        return [(given["opp_avg"], score) for score in split(given["score"], given["n"])]
    return [(int(r), s) for r, s in (text.split(":") for text in given["opps"])]


class Chess:
    """Runs the cases of the FIDE family and kbsb through one ruleset's own functions."""

    def __init__(self, ruleset: str) -> None:
        self.name, self.rules = ruleset, find(ruleset)

    def check(self, case: Case) -> None:
        """The case's kind names the method; every number of its `expected` must come out."""
        got = getattr(self, case.kind)(params(self.name, case.day), **case.given)
        for key, wanted in case.expected.items():
            value = Decimal(wanted) if isinstance(wanted, str) else wanted
            assert got[key] == value, f"{key}: {got}"

    def state(self, rating: int, games: int = 100, born: int = 0, peak: int = 0) -> Any:
        known = {"rating": rating, "games": games, "born": born, "peak": max(peak, rating)}
        fields = self.rules.state_type._fields
        return self.rules.state_type(**{name: known[name] for name in fields})

    def only_k(self, p: Any, k: int) -> Any:
        """The edition with one K for everybody, so that a case can name it."""
        return p._replace(
            **{name: k for name in p._fields if re.fullmatch("k(_[a-z]+)?", name)} | self.no_matrix(p)
        )

    def no_matrix(self, p: Any) -> dict[str, int]:
        return {name: 0 for name in p._fields if name.startswith(("k_matrix", "k_young", "k_adult"))}

    def settle(self, p: Any, me: Any, games: int, total: int, when: When = WHEN, **more: int) -> Any:
        tally = Tally(games, more.get("score", 0), total, more.get("opponents", 0), 0)
        return self.rules.settle(p, me, tally, when)

    def step(self, p: Any, own: int, opp: int, score: str = "1", marked: int = 0) -> Any:
        return self.rules.step(p, self.state(own), self.state(opp), game(score, marked))

    # kinds of cases

    def game_change(
        self, p: Any, own: int, opp: int, score: str, K: int, chapter: str = ""
    ) -> dict[str, Any]:
        step = self.step(p, own, opp, score)
        settled = self.settle(self.only_k(p, K), self.state(own), 1, step.change)
        new = self.state(own).rating + settled.change
        return {"change": Decimal(settled.exact) / 100, "rounded": settled.change, "new": new}

    def game_change_rounded(self, p: Any, **given: Any) -> dict[str, Any]:
        return {"change": self.game_change(p, **given)["rounded"]}

    def expected(self, p: Any, own: int, opp: int, cap: int = 0, marked: int = 0) -> dict[str, Any]:
        assert cap in (0, p.cap)
        step = self.step(p, own, opp, marked=marked)
        return {"PD": Decimal(100 - step.change) / 100}

    def rated(self, p: Any, own: int, opp: int) -> dict[str, Any]:
        step = self.step(p, own, opp)
        assert (step.change != 0) == step.rated
        return {"rated": step.rated}

    def tournament_change(self, p: Any, own: int, K: int, start: str, opps: list[str]) -> dict[str, Any]:
        total = sum(self.step(p, own, r, s).change for r, s in opponents({"opps": opps}))
        return {"sum_dR": Decimal(total) / 100, "K_sum": Decimal(K * total) / 100}

    def period_change(
        self, p: Any, base: int, K: int, n: int, tournament_changes: list[str]
    ) -> dict[str, Any]:
        exact = [hundredths(text) for text in tournament_changes]
        settled = self.settle(p, self.state(base), n, sum(exact) // K)
        assert settled.k == K
        by_tournament = sum(divided(value, 100) for value in exact)
        return {
            "sum": Decimal(settled.exact) / 100,
            "rounded_once": settled.change,
            "rounded_per_tournament": by_tournament,
        }

    def round_change(self, p: Any, x: str) -> dict[str, Any]:
        return {"change": self.settle(self.only_k(p, 1), self.state(1800), 1, hundredths(x)).change}

    def period_rounding(self, p: Any, sum: str) -> dict[str, Any]:
        return {"rounded_once": self.round_change(p, sum)["change"]}

    def k_cap(self, p: Any, K: int, n: int) -> dict[str, Any]:
        return {"K": self.settle(self.only_k(p, K), self.state(1800), n, 0).k}

    def k(
        self, p: Any, rating: int, birth_year: int = 0, list_year: int = 2026, **given: Any
    ) -> dict[str, Any]:
        if "game_number" in given:
            me = self.state(rating, given["game_number"] - 1)
        else:
            reached = 2400 if given.get("ever_2400") else 2300 if given.get("ever_2300") else 0
            me = self.state(rating, given["games"], birth_year, given.get("peak", reached))
        settled = self.settle(p, me, 1, 0, When(list_year, 3))
        return {"K": settled.k}

    def initial(self, p: Any, **given: Any) -> dict[str, Any]:
        games = opponents(given)
        state = self.rules.newcomer(p, self.rules.state_type(), *openings(games), WHEN)
        score, n = sum(hundredths(s) for _, s in games), len(games)
        total = sum(r for r, _ in games) + p.draws * p.draws_against
        share = percentage(score + 50 * p.draws, n + p.draws)
        average = (Decimal(total) / (n + p.draws)).quantize(Decimal("0.01"))
        return {"Ru": state.rating, "Ra": average, "p": Decimal(share) / 100, "dp": fide_difference(share)}

    def performance(self, p: Any, opps: list[str]) -> dict[str, Any]:
        games = opponents({"opps": opps})
        total, score = sum(r for r, _ in games), sum(hundredths(s) for _, s in games)
        return {"Rp": performance(total, score, len(games), 1)}

    def compression_2024(self, p: Any, rating: int) -> dict[str, Any]:
        exact = Decimal(rating) + max(0, 2000 - rating) * Decimal("0.4")
        return {"rounded": self.rules.posting(p, self.state(rating), WHEN).rating, "exact": exact}

    def floor(self, p: Any, opening: int, change: int) -> dict[str, Any]:
        settled = self.settle(self.only_k(p, 1), self.state(opening), 1, 100 * change)
        return {"new": None if settled.state.rating == UNRATED else settled.state.rating}
