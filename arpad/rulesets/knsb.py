"""KNSB: the national rating of the Netherlands. FIDE's system with a first rating after 6 games.

**Source**: the schaakrating page on how ratings are calculated, which says that the KNSB uses FIDE's system;
the federation's announcement of the raise of 1 March 2024. Not available: the federation's own rule text.

**Scale**, **Period**: as fide-standard; monthly lists.

**Choices**: those of fide-standard, and
- `first_games`: 6, in every edition.
- `youth_bonus`, `youth_bonus_below`, the K matrix (`k_matrix_from`, `k_young_below`, `k_young_from`,
  `k_adult_below`, `k_adult_from`): 0, that is FIDE's rule, because the rule text was not available. Once
  set, the bonus goes to juniors (`junior_age`) in a month with a rated game, and a cell of the matrix
  replaces the K of players with 30 games and more.
- The rule for 2650 and more of 2025 is taken over with FIDE's edition of that date.
- A FIDE rating in the column `standard` counts as an outside rating where there is no other.
"""

from __future__ import annotations

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
from arpad.rulesets.fide_standard import EDITIONS as _FIDE

EDITIONS = tuple((day, params._replace(first_games=6)) for day, params in _FIDE)

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
