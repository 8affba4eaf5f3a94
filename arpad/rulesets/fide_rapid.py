"""FIDE rapid: the international rating for rapid games. The system of fide-standard, with its own list.

**Source**: FIDE Handbook B.02, the rapid and blitz regulations that apply the standard ones, texts
effective 1 January 2022, 1 March 2024 and 1 December 2024.

**Scale**, **Period**: as fide-standard.

**Choices**: those of fide-standard, and
- Editions and the compression of 1 March 2024 are those of fide-standard, from 2006 on, but for the rule
  for 2650 and more of 2025, which the source calls "standard only".
- `k`, `k_new`, `k_junior`, `k_top`: 20 for everybody before 1 March 2024, as standard since.
- A player without a rapid rating but with a `standard` rating enters at that, in every edition; it
  counts as published (so a peak of 2400 gives the K of 10).
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
from arpad.rulesets.fide_standard import EDITIONS as _STANDARD

_standard = dict(_STANDARD)
_2024_03 = _standard["2024-03-01"]
EDITIONS = (
    *(
        (day, params._replace(k_new=20, k_junior=20, k=20, k_top=20))
        for day, params in _STANDARD
        if day < "2024-03-01"
    ),
    ("2024-03-01", _2024_03),
    # Not rated: a difference of 600 or more where one of the two is rated above 2600.
    ("2024-12-01", _2024_03._replace(unrated_difference=600, unrated_above=2600)),
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
