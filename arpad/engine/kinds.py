"""Kinds of games: everything of a game that is neither who nor when, in small tables.

Games of one result, class, size, weight, handicap and set of parameters are one kind; a ruleset's
score() and weigh() are asked once a kind, not once a game, and the loops look the answer up.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from typing import Any, NamedTuple

from arpad.domain.dates import day_text
from arpad.domain.problems import FATAL, WARNING, Problem, RuleRefusal
from arpad.domain.results import BYE, FORFEIT, GAME, PENDING, SETS, VOID, Result, write_result
from arpad.engine.parameters import DatedParams
from arpad.ledger.facts import Event
from arpad.ledger.ledger import Ledger
from arpad.ledger.order import VECTORISED_FROM, PlayingOrder, ints
from arpad.rulesets.catalogue import Ruleset

# Why a game is not counted, as stable words: messages explain them (`reason.<word>`).
REASONS = {FORFEIT: "forfeit", BYE: "bye", PENDING: "pending", VOID: "void"}


class Kind(NamedTuple):
    """One kind of game, as reported."""

    result: int
    stones: int
    size: int
    weight: float  # its own; NaN: none
    event_class: str
    params: int  # row of DatedParams used by step()


class Columns(NamedTuple):
    """Who, where and when, by row in playing order; persons as merged."""

    player1: array[int]
    player2: array[int]
    event: array[int]
    day: array[int]


class Kinds(NamedTuple):
    """Tables read by the loops, index = kind."""

    kinds: list[Kind]
    counted: array[int]  # 0: never stepped
    score: array[int]  # hundredths of player 1
    best_of: array[int]
    stones: array[int]
    weight: array[float]
    params: array[int]
    reasons: list[str]  # "" where counted


def kind_tables(
    ruleset: Ruleset, dated: DatedParams, results: Sequence[Result], kinds: list[Kind]
) -> tuple[Kinds, dict[int, RuleRefusal]]:
    """Kinds with what the ruleset says of each, and the refusals by kind."""
    columns: list[array[Any]] = [array("b"), array("i"), array("i"), array("i"), array("d"), array("i")]
    reasons: list[str] = []
    refused: dict[int, RuleRefusal] = {}
    for number, kind in enumerate(kinds):
        try:
            scored = _scored(ruleset, dated.rows[kind.params], results[kind.result], kind)
        except RuleRefusal as refusal:
            refused[number] = refusal
            scored = (0, 0, 0, 0, 0.0, "refused")
        for column, value in zip(columns, (*scored[:5], kind.params), strict=True):
            column.append(value)
        reasons.append(scored[5])
    counted, score, best_of, stones, weight, params = columns
    return Kinds(kinds, counted, score, best_of, stones, weight, params, reasons), refused


def _scored(ruleset: Ruleset, p: Any, result: Result, kind: Kind) -> tuple[int, int, int, int, float, str]:
    """(counted, score, best_of, stones, weight, reason). Raises RuleRefusal."""
    if kind.stones > ruleset.max_stones:
        if not ruleset.max_stones:
            raise RuleRefusal(
                "handicap-unknown", f"{ruleset.id} knows no handicap; {kind.stones} stones were given.",
                "Leave the column 'handicap' empty.",
            )  # fmt: skip
        raise RuleRefusal(
            "handicap-range",
            f"A handicap of {kind.stones} stones is beyond {ruleset.max_stones}.",
            "Correct it.",
        )
    if ruleset.sizes and kind.size and kind.size not in ruleset.sizes:
        known = ", ".join(map(str, ruleset.sizes))
        raise RuleRefusal(
            "size-unknown", f"{ruleset.id} knows no board of {kind.size}.", f"Use one of {known}."
        )
    own = None if kind.weight != kind.weight else kind.weight
    size = kind.size or (ruleset.sizes[0] if ruleset.sizes else 0)
    weight = float(ruleset.weigh(p, kind.event_class, size, own))
    reason = REASONS.get(result.kind, "")
    if reason:
        return 0, 0, 0, kind.stones, weight, reason
    score, best_of = ruleset.score(p, result)
    if result.unrated:
        reason = "unrated-result"
    elif weight == 0.0:
        reason = "no-weight" if own is not None else "friendly"
    return int(not reason), score, best_of, kind.stones, weight, reason


def class_of_events(ruleset: Ruleset, ledger: Ledger, used: Sequence[int]) -> tuple[list[str], list[Problem]]:
    """The class of each event as the ruleset takes it; `used` > 0 marks events that hold games."""
    events = ledger.events_now()
    given = {text: text.strip().upper() for text in {event.event_class for event in events}}
    if not ruleset.classes:
        ignored = sum(1 for event, day in zip(events, used, strict=True) if day and given[event.event_class])
        message = f"{ruleset.id} knows no classes; the class of {ignored} events was ignored."
        return [""] * len(events), [Problem("class-ignored", WARNING, message)] if ignored else []
    classes = [given[event.event_class] for event in events]
    problems: list[Problem] = []
    first: dict[int, int] = {}  # event -> its first game, once it is needed
    for number, name in enumerate(classes):
        if name not in ruleset.classes:
            told = len(problems)
            classes[number] = _other_class(ruleset, events[number], name, used[number], problems)
            if len(problems) > told:
                first = first or {event: g for g, event in reversed(list(enumerate(ledger.games.event)))}
                file, line, column = place_of(ledger, first[number])
                problems[-1] = problems[-1]._replace(file=file, line=line, column=column)
    return classes, problems


def _other_class(ruleset: Ruleset, event: Event, given: str, day: int, problems: list[Problem]) -> str:
    """The class of an event that has none, or one that is not known; what is wrong goes to `problems`."""
    if not event.name and not given:
        return ruleset.loose_class
    if not day:  # no games
        return given
    name = event.name or "games without an event"
    if given:
        known = ", ".join(ruleset.classes)
        message = f"'{name}' has class '{event.event_class}', which {ruleset.id} does not know."
        problems.append(Problem("class-unknown", FATAL, message, f"Use one of {known}."))
    elif ruleset.default_class:
        given = ruleset.default_class
        message = f"'{name}' of {day_text(day)} has no class; taken as {given}."
        problems.append(Problem("event-class-missing", WARNING, message, "Fill in the column 'class'."))
    return given


def kind_of_rows(
    ledger: Ledger,
    order: PlayingOrder,
    columns: Columns,
    classes: list[str],
    dated: DatedParams,
    of_event: Sequence[int] | None,
) -> tuple[array[int], list[Kind]]:
    """The kind of each row in playing order, and the kinds met.

    `of_event`: the row of parameters of each event; None: by the day of the game.
    """
    if len(order.games) >= VECTORISED_FROM:
        return _kinds_vectorised(ledger, order, columns, classes, dated, of_event)
    games = ledger.games
    found: dict[tuple[int, int, int, float | None, str, int], int] = {}
    column = array("i")
    for g in order.games:
        event = games.event[g]
        params = dated.row_at(games.day[g]) if of_event is None else of_event[event]
        weight = games.weight[g]
        key = (
            games.result[g], games.stones[g], games.size[g], None if weight != weight else weight,
            classes[event], params,
        )  # fmt: skip
        column.append(found.setdefault(key, len(found)))
    none = float("nan")
    kinds = [
        Kind(result, stones, size, none if own is None else own, name, row)
        for result, stones, size, own, name, row in found
    ]
    return column, kinds


class Shapes(NamedTuple):
    """What games say of themselves: result, stones, size and weight, numbered."""

    column: array[int]  # by game of the ledger
    shapes: list[tuple[int, int, int, float]]


def _kinds_vectorised(
    ledger: Ledger,
    order: PlayingOrder,
    columns: Columns,
    classes: list[str],
    dated: DatedParams,
    params: Sequence[int] | None,
) -> tuple[array[int], list[Kind]]:
    """The same for many games: a kind is a game's shape, its event's class and a row of parameters."""
    import numpy as np

    column, shapes = ledger.kept("shapes", None, lambda: _shapes(ledger))
    names = sorted(set(classes))
    many, rows = len(shapes), len(dated.rows)
    constant = len(names) <= 1 and rows == 1
    if constant and order.in_arrival:
        return column, [Kind(*shape, names[0] if names else "", 0) for shape in shapes]
    code: Any = np.frombuffer(column, np.int32)
    if not order.in_arrival:
        code = code[np.frombuffer(order.games, np.int32)]
    if not constant:
        number = {name: at for at, name in enumerate(names)}
        of_event = np.array([number[name] for name in classes], np.int32)
        if params is not None:
            of_event += len(names) * np.array(params, np.int32)
        if many * len(names) * rows >= 2**31:
            code, of_event = code.astype(np.int64), of_event.astype(np.int64)
        code = code + (many * of_event)[np.frombuffer(columns.event, np.int32)]
        if params is None and rows > 1:
            day = np.frombuffer(columns.day, np.int32)
            code += many * len(names) * _rows_of_days(dated, day)
    codes, kind = _numbered(code)
    kinds = []
    for found in codes:
        where, shape = divmod(found, many)
        row, event_class = divmod(where, max(1, len(names)))
        kinds.append(Kind(*shapes[shape], names[event_class] if names else "", row))
    return ints(kind), kinds


def rows_at(dated: DatedParams, days: Any) -> Any:
    """DatedParams.row_at() of many days."""
    import numpy as np

    return np.maximum(np.searchsorted(np.array(dated.days), days, "right") - 1, 0)


def _rows_of_days(dated: DatedParams, day: Any) -> Any:
    """The row of parameters of every game; days are looked up once each where they lie close together."""
    import numpy as np

    first, last = int(day.min()), int(day.max())
    if last - first > day.size:
        return rows_at(dated, day).astype(np.int32)
    return rows_at(dated, np.arange(first, last + 1)).astype(np.int32)[day - first]


def _shapes(ledger: Ledger) -> Shapes:
    import numpy as np

    games = ledger.games
    weight = np.frombuffer(games.weight, np.float64)
    weights, weight_code = [math.nan], np.zeros(1, np.int32)
    if not np.isnan(weight).all():
        found, code = np.unique(weight, return_inverse=True)
        weights, weight_code = found.tolist(), code.astype(np.int32)
    code = np.frombuffer(games.result, np.int32)
    bases = [len(ledger.results)]
    parts: list[Any] = [
        np.frombuffer(games.stones, np.uint8),
        np.frombuffer(games.size, np.uint8),
        weight_code,
    ]
    for part, base in zip(parts, (256, 256, len(weights)), strict=True):
        if base > 1 and part.any():
            code = code + part.astype(np.int64) * math.prod(bases)
            bases.append(base)
        else:
            bases.append(1)
    codes, column = _numbered(code)
    shapes = []
    for number in codes:
        digits = []
        for base in bases:
            number, digit = divmod(number, base)
            digits.append(digit)
        result, stones, size, own = digits
        shapes.append((result, stones - 256 * (stones > 127), size - 256 * (size > 127), weights[own]))
    return Shapes(ints(column), shapes)


def _numbered(code: Any) -> tuple[list[int], Any]:
    """The distinct codes, ascending, and each row's position among them."""
    import numpy as np

    if not code.size:
        return [], code.astype(np.int32)
    if code.max() < 1 << 22:
        present = np.flatnonzero(np.bincount(code))
        if present[-1] == present.size - 1:
            return present.tolist(), code.astype(np.int32, copy=False)
        table = np.zeros(int(present[-1]) + 1, np.int32)
        table[present] = np.arange(present.size, dtype=np.int32)
        return present.tolist(), table[code]
    codes, kind = np.unique(code, return_inverse=True)
    return codes.tolist(), kind.astype(np.int32)


def refusal_problems(
    ledger: Ledger,
    games: Sequence[int],
    kind: Sequence[int],
    results: Sequence[Result],
    refused: dict[int, RuleRefusal],
) -> list[Problem]:
    """One problem for each game of a refused kind, at its line; after 20 the count."""
    if not refused:
        return []
    problems: list[Problem] = []
    counts: dict[str, int] = {}
    for row, g in enumerate(games):
        refusal = refused.get(kind[row])
        if refusal is None:
            continue
        counts[refusal.code] = counts.get(refusal.code, 0) + 1
        if counts[refusal.code] <= 20:
            problems.append(game_problem(ledger, g, refusal.code, refusal.message, refusal.remedy))
    for code, count in counts.items():
        if count > 20:
            problems.append(Problem(code, FATAL, f"{count} games in all."))
    return problems


def place_of(ledger: Ledger, g: int) -> tuple[str, int, int]:
    """File, line and column where game g stands; ("", 0, 0) for one that was entered by hand."""
    sheet = ledger.sheet_of[g]
    if sheet < 0 or not ledger.games.line[g]:
        return "", 0, 0
    return ledger.files[sheet], ledger.games.line[g], 1


def game_problem(ledger: Ledger, g: int, code: str, message: str, remedy: str = "") -> Problem:
    """A fatal problem at the place where game g stands in its file; by hand: named in the message."""
    place = place_of(ledger, g)
    if not place[1]:
        row = ledger.games[g]
        second = ledger.names[row.player2] if row.player2 >= 0 else "nobody"
        result = write_result(ledger.results[row.result])
        message = f"{ledger.names[row.player1]} against {second}, {day_text(row.day)}, {result}: {message}"
        return Problem(code, FATAL, message, remedy)
    return Problem(code, FATAL, message, remedy, *place)


__all__ = [
    "GAME",
    "SETS",
    "Kind",
    "Kinds",
    "class_of_events",
    "kind_of_rows",
    "kind_tables",
    "refusal_problems",
]
