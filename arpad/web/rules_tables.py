"""The tables of a ruleset, read off the ruleset: none is written down here."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from arpad.domain.ranks import rank_name
from arpad.domain.results import read_result
from arpad.engine import rules_text
from arpad.rulesets import parts
from arpad.rulesets.catalogue import Ruleset
from arpad.web import bands, figures


class Head(NamedTuple):
    text: str
    number: bool = True


class Line(NamedTuple):
    cells: tuple[str, ...]
    style: str = ""  # of the ribbon: arpad.web.bands


class Table(NamedTuple):
    id: str  # of its anchor
    title: str
    note: str
    head: tuple[Head, ...]
    lines: tuple[Line, ...]

    @property
    def ribbon(self) -> bool:
        """Whether its lines are of ranks."""
        return any(line.style for line in self.lines)

    @property
    def rows(self) -> list[tuple[str, list[tuple[str, bool]]]]:
        """(style, cells as (text, whether it is a number)) of each line."""
        numbers = [head.number for head in self.head]
        return [(line.style, list(zip(line.cells, numbers, strict=True))) for line in self.lines]


def tables(rules: Ruleset, p: Any, language: str) -> list[Table]:
    """Every table of the ruleset with the parameters p."""
    return [*_go(rules, p, language), *_sets(rules, p, language), *_fide(rules, language)]


def number(value: float, language: str, places: int = 4) -> str:
    """A number with as many decimals as it has, at most `places`."""
    text = figures.fixed(round(value * 10**places), 10**places, places, language)
    mark = figures.decimal_mark(language)
    return text.rstrip("0").rstrip(mark) if mark in text else text


# --- go -----------------------------------------------------------------------------------------------------


def _go(rules: Ruleset, p: Any, language: str) -> Iterator[Table]:
    module = rules.module
    if rules.classes:
        meanings = {meaning.name: meaning.text for meaning in rules_text.meanings(rules.params_type)}
        yield Table(
            "classes", _("Weight by class"), "",
            (Head(_("Class"), False), Head(_("What it is for"), False), Head(_("Weight"))),
            tuple(
                Line((name, meanings.get(f"{name.lower()}_weight", "").partition(": ")[2],
                      number(rules.weigh(p, name, 0, None), language)))
                for name in rules.classes
            ),
        )  # fmt: skip
    if hasattr(module, "con_at"):
        yield Table(
            "con-and-a", _("Con and A"), _("Between two rows the value lies on the straight line."),
            (Head(_("Rating")), Head(_("Rank"), False), Head("Con"), Head("A")),
            tuple(_con(rules, p, points, language) for points in range(-1950, 651, 100)),
        )  # fmt: skip
    if hasattr(module, "handicap_factor"):
        yield Table(
            "handicaps", _("Handicap"), "",
            (Head(_("Stones")), Head(_("Points")), Head(_("Factor, receiver")), Head(_("Factor, giver"))),
            tuple(
                Line((str(stones), number(module.handicap_points(p, stones), language),
                      number(module.handicap_factor(p, stones), language),
                      number(module.handicap_factor(p, -stones), language)))
                for stones in range(1, rules.max_stones + 1)
            ),
        )  # fmt: skip


def _con(rules: Ruleset, p: Any, points: int, language: str) -> Line:
    grains = points * rules.per_point
    rank = bands.rank(rank_name(rules.module.nominal(p, grains)), language)
    con, a = rules.module.con_at(p, grains), rules.module.a_at(p, grains)
    cells = (figures.fixed(points, 1, 0, language), rank, number(con, language), number(a, language))
    return Line(cells, bands.at(rules, points).style)


# --- table tennis -------------------------------------------------------------------------------------------


def _sets(rules: Ruleset, p: Any, language: str) -> Iterator[Table]:
    if "3-1" not in rules.results:
        return
    lines = []
    for text in rules.results:
        result = read_result(text)
        assert result is not None
        share, best_of = rules.score(p, result)
        lines.append(Line((text.replace("-", "–"), str(best_of), f"{share}")))
    yield Table(
        "sets", _("What a result is worth"), _("Per cent of the match."),
        (Head(_("Result"), False), Head(_("Best of")), Head("Pw")), tuple(lines),
    )  # fmt: skip
    ladder = getattr(rules.module, "LADDER", ())
    yield Table(
        "ladder", _("First rating by league"), _("For half of the sets won in that class last season."),
        (Head(_("League"), False), Head(_("Rating"))),
        tuple(Line((" / ".join(names), str(base))) for base, names in ladder),
    )  # fmt: skip


# --- chess --------------------------------------------------------------------------------------------------


def _fide(rules: Ruleset, language: str) -> Iterator[Table]:
    home = __import__(rules.step.__module__, fromlist=["step"])
    if not hasattr(home, "fide_expected"):
        return
    lines = []
    for high, some in groupby(range(len(parts.FIDE_EXPECTED)), key=parts.fide_expected):
        span = list(some)
        differences = f"{span[0]}–{span[-1]}" if high < 100 else f"{span[0]}+"
        shares = (figures.fixed(share, 100, 2, language) for share in (high, 100 - high))
        lines.append(Line((differences, *shares)))
    yield Table(
        "table-8-1-2", _("Expected score by difference (table 8.1.2)"), "",
        (Head(_("Difference")), Head(_("Stronger side")), Head(_("Weaker side"))), tuple(lines),
    )  # fmt: skip
    if not hasattr(home, "performance") and not hasattr(home, "fide_difference"):
        return
    yield Table(
        "table-8-1-1", _("Difference by score (table 8.1.1)"), _("Below a half the same with a minus."),
        (Head(_("Score")), Head("dp")),
        tuple(
            Line((figures.fixed(share, 100, 2, language),
                  figures.fixed(parts.fide_difference(share), 1, 0, language)))
            for share in range(100, 49, -1)
        ),
    )  # fmt: skip
