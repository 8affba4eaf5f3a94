"""FIDE blitz: the international rating for blitz games. The system and editions of fide-rapid.

**Source**: FIDE Handbook B.02, the rapid and blitz regulations that apply the standard ones, texts
effective 1 January 2022, 1 March 2024 and 1 December 2024.

**Scale**, **Period**: as fide-standard.

**Choices**: those of fide-rapid; a player without a blitz rating but with a `standard` rating enters at it.
"""

from __future__ import annotations

from arpad.rulesets.fide_rapid import EDITIONS
from arpad.rulesets.fide_standard import (
    CHANGE_UNITS,
    ENTERS_UNRATED,
    GRAIN,
    PERIOD,
    POSTINGS,
    RESULTS,
    Params,
    Settled,
    State,
    Step,
    claim,
    corrected,
    enter,
    is_inactive,
    label,
    newcomer,
    posting,
    score,
    settle,
    step,
    weigh,
)

__all__ = [
    "CHANGE_UNITS",
    "EDITIONS",
    "ENTERS_UNRATED",
    "GRAIN",
    "PERIOD",
    "POSTINGS",
    "RESULTS",
    "Params",
    "Settled",
    "State",
    "Step",
    "claim",
    "corrected",
    "enter",
    "is_inactive",
    "label",
    "newcomer",
    "posting",
    "score",
    "settle",
    "step",
    "weigh",
]
