"""The calculator: what is at stake in a game that is supposed, by the rules that make the list.

Everything stands in the address, so that it can be shared; every number comes from arpad.engine.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from arpad.domain.dates import month_of, read_day
from arpad.domain.play import Application, Game
from arpad.domain.problems import RuleRefusal
from arpad.domain.results import GAME, mirrored, read_result, write_result
from arpad.engine import rules_text
from arpad.engine.expect import Expectation, expect, params_on, side_state, weight_of
from arpad.engine.wording import say_step
from arpad.ledger.facts import ParameterChange
from arpad.rulesets.catalogue import Ruleset, find, names
from arpad.store.pool_rules import own_parameters, predictions
from arpad.web import bands, figures, points
from arpad.web.here import Here
from arpad.web.pages import supposed
from arpad.web.sides import Side, read

GAMES = 100  # rated games of a side that is a number, unless told
MOST_GAMES = 100_000
ROWS = 4  # stones that the table of handicaps goes to at least
CLOSE = 0.05  # points: changes this near are opposite


class Asked(NamedTuple):
    """What the query says, as far as it was understood."""

    rules: Ruleset
    params: Any  # of the day; None where the day has none
    own: tuple[ParameterChange, ...]  # the pool's own parameters
    a: Side
    b: Side
    sides: dict[str, Side]  # of every field
    stones: int  # that a receives; negative: gives
    event_class: str
    games: dict[str, int]
    day: int
    date: str  # as typed
    best_of: int  # 0 = every length
    problems: dict[str, str]  # field -> what is wrong


class Outcome(NamedTuple):
    label: str
    change: str
    other: str  # the opponent's change


class Handicap(NamedTuple):
    label: str
    difference: str
    expected: str
    win: str
    loss: str
    fair: bool  # the closest to an even game
    asked: bool


def calculator(here: Here) -> HttpResponse:
    """Two sides, what is expected, what each result would change; handicaps; a whole tournament."""
    asked = _read(here)
    if isinstance(asked, str):
        return redirect(asked)
    states = _states(asked)
    found: dict[str, Any] = {}
    if "a" in states and "b" in states and not asked.problems:
        try:
            found = _answer(here, asked, states["a"], states["b"])
        except RuleRefusal as refused:
            asked.problems["b"] = f"{refused} {refused.remedy}"
    tournament = supposed.tournament(here, asked, states)
    go = asked.rules.id == points.RULESET and asked.params is not None
    return here.render(
        "calculator.html", tab="calculator", form=_form(here, asked, states), asked=asked, found=found,
        tournament=tournament, ruleset_name=rules_text.text(asked.rules).name,
        here_address=here.request.get_full_path(), **(_points(here, asked) if go else {}),
    )  # fmt: skip


def _with_ids(here: Here, sides: dict[str, Side]) -> str:
    """The address with the ids of people found by name, so that it holds for ever; "" = it has them."""
    found = [side for side in sides.values() if side.typed]
    if not found or any(side.problem for side in sides.values()):
        return ""
    query = here.request.GET.copy()
    for side in found:
        query[side.field], query[f"{side.field}_id"] = side.name, side.id
    return f"{here.request.path}?{query.urlencode()}"


# --- what is asked --------------------------------------------------------------------------------------


def _read(here: Here) -> Asked | str:
    """What the query says; or the address with ids, where people were found by name."""
    query = here.request.GET
    name = query.get("rules", "")
    rules = find(name) if name in names() else here.rules
    problems: dict[str, str] = {}
    games = {field: _games(query.get(field, ""), field, problems) for field in ("games", "games_b")}
    sides = read(here, rules, ["a", "b", *supposed.fields(query)], games["games"])
    if moved := _with_ids(here, sides):
        return moved
    own = tuple(own_parameters(here.pool)) if rules.id == here.rules.id else ()
    date = query.get("date", "").strip()[:20]
    day = read_day(date) if date else here.today
    if day is None:
        problems["date"] = _("Write the day as 2026-11-30.")
        day = here.today
    params = _params(rules, day, own, problems, here.language)
    stones = _whole(query.get("stones", ""))
    if abs(stones) > rules.max_stones:
        if rules.max_stones:
            most = {"most": rules.max_stones}
            problems["stones"] = _("These rules know at most %(most)s stones.") % most
        stones = 0
    event_class = query.get("class", "")
    if event_class not in rules.classes:
        event_class = rules.default_class
    lengths = _lengths(rules)
    best_of = _whole(query.get("best_of", ""))
    problems |= {name: sides[name].problem for name in ("a", "b") if sides[name].problem}
    return Asked(
        rules, params, own, sides["a"], sides["b"], sides, stones, event_class, games, day, date,
        best_of if best_of in lengths else lengths[0] if lengths else 0, problems,
    )  # fmt: skip


def _whole(text: str) -> int:
    """A small whole number; 0 for everything else."""
    plain = text.strip().replace(figures.MINUS, "-")
    return int(plain) if plain.isascii() and plain.lstrip("-").isdigit() and len(plain) < 5 else 0


def _games(text: str, field: str, problems: dict[str, str]) -> int:
    plain = text.strip()
    if not plain:
        return GAMES
    if plain.isascii() and plain.isdigit() and len(plain) < 9 and int(plain) <= MOST_GAMES:
        return int(plain)
    problems[field] = _("Give a number of games, such as 12.")
    return GAMES


def _params(
    rules: Ruleset, day: int, own: Iterable[ParameterChange], problems: dict[str, str], language: str
) -> Any:
    """The parameters of the day; None, and a problem, where the rules refuse it."""
    try:
        return params_on(rules, day, own)
    except RuleRefusal as refused:
        if refused.code == "date-before-ruleset":
            first = {"day": figures.date_text(rules.editions[0][0], language, sentence=True)}
            problems["date"] = _("These rules begin on %(day)s. Give a later day.") % first
        else:
            problems["rules"] = f"{refused} {refused.remedy}"
        return None


def _lengths(rules: Ruleset) -> list[int]:
    """Lengths of match that the ruleset's results have, the longest first; none where a game is a game."""
    found = [read_result(text) for text in rules.results]
    return sorted({2 * max(r.first, r.second) - 1 for r in found if r and r.kind != GAME}, reverse=True)


def _states(asked: Asked) -> dict[str, Any]:
    """Field -> State of each side that is there; what the rules do not take is a problem at its field."""
    found: dict[str, Any] = {}
    if asked.params is None:
        return found
    for name, side in asked.sides.items():
        if side.value is None:
            continue
        value = side.value
        if isinstance(value, float):
            value = Application(rating=value, games=asked.games["games_b" if name == "b" else "games"])
        try:
            found[name] = side_state(asked.rules, asked.params, value)
        except RuleRefusal as refused:
            lowest = getattr(asked.params, "floor", 0)
            said = _("Under these rules no rating is below %(lowest)s.") % {"lowest": lowest}
            asked.problems[name] = said if lowest else f"{refused} {refused.remedy}"
    return found


@lru_cache(maxsize=32)
def _games_matter(rules_id: str) -> bool:
    """Whether a newcomer's game changes another number of points than an old hand's."""
    rules = find(rules_id)
    at = 50 if figures.ranked(rules) else 1600
    few, many = (expect(rules, at, at, own_games=games).changes for games in (0, 1000))
    return few != many


def _form(here: Here, asked: Asked, states: dict[str, Any]) -> dict[str, Any]:
    """The fields as the page shows them."""
    rules = asked.rules
    order = sorted(names(), key=lambda name: (name != here.rules.id, name))
    stones = range(-rules.max_stones, rules.max_stones + 1)
    classes = []
    for name in rules.classes:
        weight = f"× {rules.weigh(asked.params, name, 0, None):g}" if asked.params is not None else ""
        classes.append((name, f"{name}, {weight.replace('.', figures.decimal_mark(here.language))}"))
    return {
        "rules": [(name, rules_text.text(find(name)).name) for name in order],
        "stones": [(number, _stones(number)) for number in stones] if rules.max_stones else [],
        "classes": classes, "lengths": _lengths(rules), "games": _games_matter(rules.id),
        "ranked": figures.ranked(rules), "problems": asked.problems,
        "sides": [
            (asked.a, _("Player"), _rating(here, rules, states.get("a"))),
            (asked.b, _("Opponent"), _rating(here, rules, states.get("b"))),
        ],
    }  # fmt: skip


def _rating(here: Here, rules: Ruleset, state: Any) -> str:
    """The rating that is computed with, and its rank."""
    if state is None:
        return ""
    number = figures.rating(state.rating, rules, here.language)
    return f"{number} · {bands.label(rules.label(state), here.language)}" if figures.ranked(rules) else number


def _stones(number: int) -> str:
    if not number:
        return _("none")
    if number > 0:
        return ngettext("receives %(n)s", "receives %(n)s", number) % {"n": number}
    return ngettext("gives %(n)s", "gives %(n)s", -number) % {"n": -number}


# --- the answer -----------------------------------------------------------------------------------------


def ask(asked: Asked, own: Any, other: Any, stones: int) -> Expectation:
    """The engine's answer for one side."""
    return expect(
        asked.rules, own, other, handicap=stones, event_class=asked.event_class, date=asked.day,
        parameters=asked.own,
    )  # fmt: skip


def _answer(here: Here, asked: Asked, a: Any, b: Any) -> dict[str, Any]:
    rules, language = asked.rules, here.language
    mine, theirs = ask(asked, a, b, asked.stones), ask(asked, b, a, -asked.stones)
    other = {text: _mirror(text) for text in rules.results}
    shown = [text for text in rules.results if not asked.best_of or _length(text) == asked.best_of]
    outcomes = [
        Outcome(label(rules, text), figures.gained(mine.changes[text], language),
                figures.gained(theirs.changes[other[text]], language))
        for text in shown
    ]  # fmt: skip
    apart = max(abs(mine.changes[text] + theirs.changes[other[text]]) for text in shown)
    told = None
    if rules.id == here.rules.id:
        told = predictions(here.pool, here.settlement, mine.expected)
    return {
        "expected": figures.share(round(mine.expected * 1_000_000), language),
        "difference": figures.gained(mine.difference, language).lstrip("+"),
        "outcomes": outcomes, "apart": apart > CLOSE, "rated": mine.rated,
        "longer": rules.change_per_point != rules.per_point,
        "steps": _steps(here, asked, a, b, mine, shown[0]), "step_result": label(rules, shown[0]),
        "handicaps": _handicaps(here, asked, a, b) if rules.max_stones else [],
        "receives": ask(asked, a, b, 0).expected < 0.5,
        "told": told and {
            "low": figures.share(round(told.low * 1e6), language),
            "high": figures.share(round(told.high * 1e6), language),
            "games": told.games, "scored": figures.share(round(told.scored * 1e6), language),
        },
    }  # fmt: skip


def _mirror(text: str) -> str:
    result = read_result(text)
    assert result is not None
    return write_result(mirrored(result))


def _length(text: str) -> int:
    result = read_result(text)
    return 0 if result is None or result.kind == GAME else 2 * max(result.first, result.second) - 1


def label(rules: Ruleset, text: str) -> str:
    """A result in the words of the game."""
    words = {"1-0": _("Win"), "0-1": _("Loss"), "1/2-1/2": _("Jigo") if rules.max_stones else _("Draw")}
    return words.get(text, text.replace("-", "–"))


def _steps(here: Here, asked: Asked, a: Any, b: Any, found: Expectation, text: str) -> list[str]:
    """Every term of the change for the first result, in sentences."""
    rules, result = asked.rules, read_result(text)
    assert result is not None
    score, best_of = rules.score(asked.params, result)
    weight, month = weight_of(rules, asked.params, asked.event_class), month_of(asked.day)
    game = Game(score, best_of, asked.stones, weight, month, 0)
    player = asked.a.name or _("The player")
    other = asked.b.name or _("the opponent")
    return say_step(
        rules, here.language, asked.params, game, found.steps[text], player, other, text.replace("-", "–")
    )


def _handicaps(here: Here, asked: Asked, a: Any, b: Any) -> list[Handicap]:
    """Stones for the weaker side, up to a little beyond the number that is closest to an even game."""
    language, most = here.language, asked.rules.max_stones
    sign = 1 if ask(asked, a, b, 0).expected < 0.5 else -1
    found = [ask(asked, a, b, sign * stones) for stones in range(most + 1)]
    fair = min(range(most + 1), key=lambda stones: abs(found[stones].expected - 0.5))
    rows = []
    for stones, one in enumerate(found[: max(ROWS, fair + 2) + 1]):
        rows.append(Handicap(
            _handicap(stones), figures.gained(one.difference, language).lstrip("+"),
            figures.share(round(one.expected * 1_000_000), language, 3),
            figures.gained(one.changes["1-0"], language), figures.gained(one.changes["0-1"], language),
            stones == fair, sign * stones == asked.stones,
        ))  # fmt: skip
    return rows


def _handicap(stones: int) -> str:
    if not stones:
        return _("even game")
    if stones == 1:
        return _("1 stone, no komi")
    return ngettext("%(n)s stone", "%(n)s stones", stones) % {"n": stones}


def _points(here: Here, asked: Asked) -> dict[str, Any]:
    """The federation's table; small what this pool's own reading gives."""
    ceiling = asked.params.ceiling
    return {
        "points_heads": points.heads(here.language),
        "points_rows": points.table(asked.day, ceiling, here.language),
        "points_differ": points.contradiction(asked.day, ceiling, here.language),
    }
