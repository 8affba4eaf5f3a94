"""Finds the rulesets: every module of this folder that has EDITIONS. Adding a file adds a ruleset.

A ruleset module holds, in reading order (design, section 3):

PERIOD       "game" | "event" | "month" | "quarter"
GRAIN        points a grain is worth: 0.01, or 1 for chess lists
Params       NamedTuple of whole numbers and floats, every number of the text
EDITIONS     ((ISO date from which it holds, Params), ...); "" = from ever
State        NamedTuple of whole numbers, `rating` (grains, UNRATED) first; what is carried per player
enter        (p, Application) -> State                         plain Python; may raise RuleRefusal
score        (p, Result) -> (hundredths of player 1, best_of)  plain Python; may raise RuleRefusal
weigh        (p, class, size, own weight or None) -> float     plain Python; 0 = never rated
corrected    (p, me, rating in grains) -> State
posting      (p, me, When) -> State                            with POSTINGS
step         (p, me, opponent, Game) -> Step                   kernel
settle       (p, me, Tally, When) -> Settled                   kernel
label        (state) -> str                                    what a list shows
and, where it needs them: claim, newcomer (kernels), used, and the constants below.

Step ends with `unrounded` (points, or the change unit), `rated` (0: the rules say it does not
count) and `change`; it has `own`, `opponent` (ratings used, grains) and `expected` (0..1).
Settled has `k` where there is one K a period, `floor` (grains added by a floor) where there is a
floor, and ends with `state`.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import Any, NamedTuple

from arpad.domain.dates import NO_DAY, read_day
from arpad.domain.kernel import kernel
from arpad.domain.problems import RuleRefusal


class Ruleset(NamedTuple):
    """A ruleset module with the defaults of what it leaves out filled in."""

    id: str
    module: ModuleType
    period: str
    per_point: int  # grains a point
    editions: tuple[tuple[int, Any], ...]  # (first day, Params), oldest first
    postings: tuple[int, ...]  # days on which posting() applies to everybody
    params_type: Any
    state_type: Any
    enter: Callable[..., Any]
    score: Callable[..., tuple[int, int]]
    weigh: Callable[..., float]
    corrected: Callable[..., Any]
    posting: Callable[..., Any]
    step: Callable[..., Any]
    settle: Callable[..., Any]
    claim: Callable[..., int] | None
    newcomer: Callable[..., Any] | None
    label: Callable[[Any], str]
    steps_unrated: bool  # STEPS_UNRATED: step() is called for unrated sides too
    enters_unrated: bool  # ENTERS_UNRATED: who is absent from players.csv is an unrated newcomer
    change_per_point: int  # CHANGE_UNITS: units of Step.change in a point (grains: per_point; FIDE: 100)
    classes: tuple[str, ...]  # CLASSES known; () = no classes, a class is ignored with a warning
    default_class: str  # DEFAULT_CLASS: taken with a warning where an event has none; "" = none needed
    loose_class: str  # LOOSE_CLASS: class of games without an event
    sizes: tuple[int, ...]  # SIZES of board known; () = a size is ignored
    max_stones: int  # MAX_STONES: largest handicap; 0 = handicaps are refused
    results: tuple[str, ...]  # RESULTS: what `expect` lists, best for player 1 first


@kernel
def _keep(p: Any, me: Any, when: Any) -> Any:
    """The posting of a ruleset without postings."""
    return me


def names() -> list[str]:
    """Every ruleset's id, in alphabetical order."""
    package = importlib.import_module("arpad.rulesets")
    modules = [info.name for info in pkgutil.iter_modules(package.__path__)]
    return sorted(m.replace("_", "-") for m in modules if m != "catalogue" and not m.endswith("parts"))


@cache
def find(name: str) -> Ruleset:
    """The ruleset of that id. Raises RuleRefusal (`ruleset-unknown`) naming the nearest ids."""
    known = names()
    if name not in known:
        near = difflib.get_close_matches(name, known, n=3, cutoff=0.4) or known
        raise RuleRefusal("ruleset-unknown", f"There is no ruleset '{name}'.", f"Nearest: {', '.join(near)}.")
    return wrap(name, importlib.import_module(f"arpad.rulesets.{name.replace('-', '_')}"))


def wrap(name: str, module: ModuleType) -> Ruleset:
    """A Ruleset from a module that keeps the contract above."""
    per_point = round(1 / module.GRAIN)
    editions = tuple((_day(text), params) for text, params in module.EDITIONS)
    return Ruleset(
        id=name,
        module=module,
        period=module.PERIOD,
        per_point=per_point,
        editions=editions,
        postings=tuple(_day(text) for text in getattr(module, "POSTINGS", ())),
        params_type=module.Params,
        state_type=module.State,
        enter=module.enter,
        score=module.score,
        weigh=module.weigh,
        corrected=module.corrected,
        posting=getattr(module, "posting", _keep),
        step=module.step,
        settle=module.settle,
        claim=getattr(module, "claim", None),
        newcomer=getattr(module, "newcomer", None),
        label=module.label,
        steps_unrated=getattr(module, "STEPS_UNRATED", False),
        enters_unrated=getattr(module, "ENTERS_UNRATED", False),
        change_per_point=getattr(module, "CHANGE_UNITS", per_point),
        classes=getattr(module, "CLASSES", ()),
        default_class=getattr(module, "DEFAULT_CLASS", ""),
        loose_class=getattr(module, "LOOSE_CLASS", ""),
        sizes=getattr(module, "SIZES", ()),
        max_stones=getattr(module, "MAX_STONES", 0),
        results=module.RESULTS,
    )


def _day(text: str) -> int:
    if not text:
        return NO_DAY
    day = read_day(text)
    if day is None:
        raise ValueError(f"not a date: {text!r}")
    return day
