"""Arpad: one ledger of results, many published rulesets; every rating explained and retroactively right.

>>> import arpad
>>> ledger = arpad.Ledger()
>>> entered = ledger.first_rating("Ada", arpad.Application(rating=1800))
>>> entered = ledger.first_rating("Ben", arpad.Application(rating=1650))
>>> game = ledger.game("Ada", "Ben", arpad.day("2024-09-03"), arpad.result("3-2"))
>>> [(line.player, line.rating) for line in arpad.replay(ledger, "us-table-tennis").ratings()]
[('Ada', 1795.0), ('Ben', 1655.0)]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from arpad.domain.dates import day_text
    from arpad.domain.dates import read_day as day
    from arpad.domain.play import Application
    from arpad.domain.problems import Problem, Refused, RuleRefusal
    from arpad.domain.results import read_result as result
    from arpad.engine.diff import diff
    from arpad.engine.expect import Expectation, expect
    from arpad.engine.explain import Explanation
    from arpad.engine.history import History, Rating
    from arpad.engine.replay import replay, resume
    from arpad.formats.files import read
    from arpad.formats.outputs import write_history, write_ratings
    from arpad.ledger.ledger import Ledger
    from arpad.rulesets.catalogue import names as ruleset_names

# Name -> (module, its name there): imported when first asked for, so that `import arpad` costs nothing.
_PLACES = {
    "Application": ("domain.play", "Application"),
    "Expectation": ("engine.expect", "Expectation"),
    "Explanation": ("engine.explain", "Explanation"),
    "History": ("engine.history", "History"),
    "Ledger": ("ledger.ledger", "Ledger"),
    "Problem": ("domain.problems", "Problem"),
    "Rating": ("engine.history", "Rating"),
    "Refused": ("domain.problems", "Refused"),
    "RuleRefusal": ("domain.problems", "RuleRefusal"),
    "day": ("domain.dates", "read_day"),
    "day_text": ("domain.dates", "day_text"),
    "diff": ("engine.diff", "diff"),
    "expect": ("engine.expect", "expect"),
    "read": ("formats.files", "read"),
    "replay": ("engine.replay", "replay"),
    "result": ("domain.results", "read_result"),
    "resume": ("engine.replay", "resume"),
    "ruleset_names": ("rulesets.catalogue", "names"),
    "write_history": ("formats.outputs", "write_history"),
    "write_ratings": ("formats.outputs", "write_ratings"),
}

__all__ = [
    "Application", "Expectation", "Explanation", "History", "Ledger", "Problem", "Rating", "Refused",
    "RuleRefusal", "__version__", "day", "day_text", "diff", "expect", "read", "replay", "result", "resume",
    "ruleset_names", "write_history", "write_ratings",
]  # fmt: skip


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module 'arpad' has no attribute '{name}'")
    from importlib import import_module

    module, there = _PLACES[name]
    found: object = getattr(import_module(f"arpad.{module}"), there)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return __all__
