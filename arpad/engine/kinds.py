"""Kinds of games: everything of a game that is neither who nor when, in small tables.

Games of one result, class, size, weight, handicap and set of parameters are one kind; a ruleset's
score() and weigh() are asked once a kind, not once a game, and the loops look the answer up.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.domain.dates import day_text
from arpad.domain.problems import FATAL, WARNING, Problem, RuleRefusal
from arpad.domain.results import BYE, FORFEIT, GAME, PENDING, SETS, VOID, Result, write_result
from arpad.engine.parameters import DatedParams
from arpad.ledger.ledger import Ledger
from arpad.ledger.order import VECTORISED_FROM, PlayingOrder
from arpad.rulesets.catalogue import Ruleset

if TYPE_CHECKING:
    from numpy.typing import NDArray

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
    classes, problems = [], []
    ignored = 0
    for number, event in enumerate(ledger.events_now()):
        given = event.event_class.strip().upper()
        name = event.name or "games without an event"
        if not ruleset.classes:
            ignored += bool(given and used[number])
            given = ""
        elif not event.name and not given:
            given = ruleset.loose_class
        elif not given and ruleset.default_class and used[number]:
            given = ruleset.default_class
            problems.append(
                Problem(
                    "event-class-missing",
                    WARNING,
                    f"'{name}' of {day_text(used[number])} has no class; taken as {given}.",
                    "Fill in the column 'class'.",
                )
            )
        elif given and given not in ruleset.classes and used[number]:
            known = ", ".join(ruleset.classes)
            message = f"'{name}' has class '{event.event_class}', which {ruleset.id} does not know."
            problems.append(Problem("class-unknown", FATAL, message, f"Use one of {known}."))
        classes.append(given)
    if ignored:
        message = f"{ruleset.id} knows no classes; the class of {ignored} events was ignored."
        problems.append(Problem("class-ignored", WARNING, message))
    return classes, problems


def kind_of_rows(
    ledger: Ledger, order: PlayingOrder, classes: list[str], dated: DatedParams, by_event: bool
) -> tuple[array[int], list[Kind]]:
    """The kind of each row in playing order, and the kinds met."""
    if len(order.games) >= VECTORISED_FROM:
        return _kinds_vectorised(ledger, order, classes, dated, by_event)
    games = ledger.games
    found: dict[tuple[int, int, int, float | None, str, int], int] = {}
    column = array("i")
    for g in order.games:
        event = games.event[g]
        day = order.first_day[event] if by_event else games.day[g]
        weight = games.weight[g]
        key = (
            games.result[g], games.stones[g], games.size[g], None if weight != weight else weight,
            classes[event], dated.row_at(day),
        )  # fmt: skip
        column.append(found.setdefault(key, len(found)))
    none = float("nan")
    kinds = [
        Kind(result, stones, size, none if own is None else own, name, row)
        for result, stones, size, own, name, row in found
    ]
    return column, kinds


def _kinds_vectorised(
    ledger: Ledger, order: PlayingOrder, classes: list[str], dated: DatedParams, by_event: bool
) -> tuple[array[int], list[Kind]]:
    import numpy as np

    def column(name: str, kind: Any = np.int32) -> NDArray[Any]:
        values = np.frombuffer(getattr(ledger.games, name), kind)
        return values if order.in_arrival else values[rows]

    rows = np.frombuffer(order.games, np.int32)
    event = column("event")
    names = sorted(set(classes))
    class_code = np.array([names.index(c) for c in classes], np.int32)
    params: Any
    if len(dated.days) == 1:
        params = np.zeros(1, np.int32)
    elif by_event:
        params = np.array([dated.row_at(day) for day in order.first_day], np.int32)[event]
    else:
        params = np.maximum(np.searchsorted(np.array(dated.days), column("day"), "right") - 1, 0).astype(
            np.int32
        )
    weight = column("weight", np.float64)
    weight_code: Any
    if np.isnan(weight).all():
        weights, weight_code = np.array([np.nan]), np.zeros(1, np.int32)
    else:
        weights, weight_code = np.unique(weight, return_inverse=True)
    parts = [
        (column("result"), len(ledger.results)),
        (column("stones", np.int8), 128),
        (column("size", np.int8), 128),
        (weight_code, len(weights)),
        (class_code[event] if len(names) > 1 else np.zeros(1, np.int32), len(names)),
        (params, len(dated.rows)),
    ]
    packed, bases = _packed(parts)
    codes, kind = _numbered(packed, int(np.prod([base for base in bases if base > 1] or [1])))
    out = array("i")
    out.frombytes(kind.tobytes())
    kinds = []
    for code in codes:
        digits = []
        for base in bases:
            digits.append(code % base)
            code //= base
        result, stones, size, at, event_class, row = digits
        kinds.append(Kind(result, stones, size, float(weights[at]), names[event_class], row))
    return out, kinds


def _packed(parts: list[tuple[Any, int]]) -> tuple[Any, list[int]]:
    """The columns as digits of one number, first column least; constant columns of zeros cost nothing."""
    import numpy as np

    total, place, bases = parts[0][0], parts[0][1], [parts[0][1]]
    for values, base in parts[1:]:
        if base == 1 or not values.any():
            bases.append(1)
            continue
        total = total.astype(np.int64) + values.astype(np.int64) * place
        bases.append(base)
        place *= base
    return total, bases


def _numbered(packed: Any, limit: int) -> tuple[list[int], Any]:
    """The distinct codes, ascending, and each row's position among them."""
    import numpy as np

    if limit <= 1 << 22:
        present = np.flatnonzero(np.bincount(packed, minlength=1))
        if present.size and present[-1] == present.size - 1:
            return present.tolist(), packed.astype(np.int32, copy=False)
        table = np.zeros(int(present[-1]) + 1 if present.size else 1, np.int32)
        table[present] = np.arange(present.size, dtype=np.int32)
        return present.tolist(), table[packed]
    codes, kind = np.unique(packed, return_inverse=True)
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


def game_problem(ledger: Ledger, g: int, code: str, message: str, remedy: str = "") -> Problem:
    """A fatal problem at the place where game g stands in its file; by hand: named in the message."""
    sheet = ledger.sheet_of[g]
    if sheet < 0 or not ledger.games.line[g]:
        row = ledger.games[g]
        second = ledger.names[row.player2] if row.player2 >= 0 else "nobody"
        result = write_result(ledger.results[row.result])
        message = f"{ledger.names[row.player1]} against {second}, {day_text(row.day)}, {result}: {message}"
        return Problem(code, FATAL, message, remedy)
    return Problem(code, FATAL, message, remedy, ledger.files[sheet], ledger.games.line[g], 1)


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
