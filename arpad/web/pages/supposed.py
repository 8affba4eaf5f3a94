"""What if: a whole tournament, of opponents and results in the address."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from django.http import QueryDict
from django.utils.translation import gettext as _

from arpad.domain.problems import RuleRefusal
from arpad.engine.what_if import Outlook, Supposed, what_if
from arpad.engine.wording import say_settled
from arpad.web import bands, figures
from arpad.web.here import Here
from arpad.web.sides import Side

if TYPE_CHECKING:
    from arpad.web.pages.calculator import Asked

MOST = 12  # games
EMPTY = 2  # rows left empty below those that are filled
LEAST = 4
FIELD = re.compile(r"o([1-9]|1[0-2])\Z")


class Row(NamedTuple):
    """A game as typed, and what it comes to."""

    number: int
    side: Side
    result: str
    stones: int
    problem: str
    rating: str = ""
    expected: str = ""
    change: str = ""
    rated: bool = True


def fields(query: QueryDict) -> list[str]:
    """Fields of the query that name an opponent."""
    found = [
        name
        for name in query
        if FIELD.match(name) and (query.get(name, "").strip() or query.get(f"{name}_id"))
    ]
    found += [
        name.removesuffix("_id")
        for name in query
        if name.endswith("_id") and FIELD.match(name[:-3]) and query[name]
    ]
    return sorted(set(found), key=lambda name: int(name[1:]))


def tournament(here: Here, asked: Asked, states: dict[str, Any]) -> dict[str, Any]:
    """The rows of the form, and the outlook where all of them are understood."""
    rows = _rows(here, asked)
    filled = [row for row in rows if row.side.text]
    found: dict[str, Any] = {}
    if filled and not asked.a.text:
        return {"rows": rows, "refused": _("Say who plays."), "results": _results(asked)}
    ready = filled and all(not row.problem and f"o{row.number}" in states for row in filled)
    if ready and "a" in states and not asked.problems.keys() & {"a", "date", "rules", "games"}:
        games = [Supposed(states[f"o{row.number}"], row.result, row.stones) for row in filled]
        try:
            outlook = what_if(
                asked.rules, states["a"], games, event_class=asked.event_class, date=asked.day,
                parameters=asked.own,
            )  # fmt: skip
        except RuleRefusal as refused:
            return {"rows": rows, "refused": f"{refused} {refused.remedy}", "results": _results(asked)}
        found = _told(here, asked, outlook)
        filled = [
            _with(here, asked, row, game, states[f"o{row.number}"])
            for row, game in zip(filled, outlook.games, strict=True)
        ]
    numbers = {row.number: row for row in filled}
    rows = [numbers.get(row.number, row) for row in rows]
    return {"rows": rows, "found": found, "results": _results(asked), "asked": bool(filled)}


def _results(asked: Asked) -> list[tuple[str, str]]:
    from arpad.web.pages.calculator import label

    return [(text, label(asked.rules, text)) for text in asked.rules.results]


def _rows(here: Here, asked: Asked) -> list[Row]:
    query, filled = here.request.GET, [int(name[1:]) for name in asked.sides if FIELD.match(name)]
    many = min(MOST, max([LEAST, *(number + EMPTY for number in filled)]))
    rows = []
    for number in range(1, many + 1):
        side = asked.sides.get(f"o{number}", Side(f"o{number}", ""))
        result, stones = query.get(f"r{number}", ""), query.get(f"s{number}", "")
        problem = side.problem or asked.problems.get(f"o{number}", "")
        if side.text and not problem and result not in asked.rules.results:
            problem = _("Choose a result.")
        limit = asked.rules.max_stones
        given = int(stones) if re.fullmatch(r"-?[0-9]{1,2}", stones) else 0
        rows.append(Row(number, side, result, given if abs(given) <= limit else 0, problem))
    return rows


def _with(here: Here, asked: Asked, row: Row, game: Any, state: Any) -> Row:
    rules = asked.rules
    return row._replace(
        rating=figures.rating(state.rating, rules, here.language),
        expected=figures.share(round(game.expected * 1_000_000), here.language),
        change=figures.change(game.step.change, rules, here.language, True, rules.change_per_point),
        rated=game.rated,
    )


def _told(here: Here, asked: Asked, outlook: Outlook) -> dict[str, Any]:
    """From where to where, and why."""
    rules, language = asked.rules, here.language
    before, after = outlook.before, outlook.after
    labels = [bands.label(rules.label(state), language) for state in (before, after)]
    sentences: list[str] = []
    if outlook.settled is not None and rules.period != "game":
        player = asked.a.name or _("The player")
        sentences = say_settled(rules, language, asked.params, before, outlook.settled, player)
    return {
        "before": figures.rating(before.rating, rules, language),
        "after": figures.rating(after.rating, rules, language),
        "change": figures.change(after.rating - before.rating, rules, language),
        "labels": labels if figures.ranked(rules) else [], "sentences": sentences,
        "expected": figures.share(
            round(sum(game.expected for game in outlook.games if game.rated) * 1_000_000), language
        ),
    }  # fmt: skip
