"""Worked examples of the rulesets' pages: what is asked. The numbers are computed when the page is made."""

from __future__ import annotations

from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class Example(NamedTuple):
    """One game, from the side of `own`."""

    text: str | Promise
    own: float
    opponent: float
    result: str = "1-0"
    handicap: int = 0
    event_class: str = ""
    games: int = 0  # rated games so far
    printed: str = ""  # the number that the source prints for it
    remark: str | Promise = ""


_ELO = (Example(_("Two players of 1500 meet; one of them wins."), 1500, 1500),
        Example(_("A player of 1500 beats one of 1700."), 1500, 1700))  # fmt: skip
_CHESS = (
    Example(_("A player of 1500 with 50 rated games beats one of 1700."), 1500, 1700, games=50),
    Example(_("A player of 2200 with 50 rated games loses to one of 1700."), 2200, 1700, "0-1", games=50),
)
EXAMPLES: dict[str, tuple[Example, ...]] = {
    "belgian-go": (
        Example(
            _("Two players of −1950 play a club game; one of them wins."), -1950, -1950, event_class="C",
            printed="46.4",
        ),
        Example(
            _("A player of −1903.6 gives one of −1996.4 a stone, and wins a club game."), -1903.6, -1996.4,
            handicap=-1, event_class="C", printed="38.6",
            remark=_(
                "The source made this one with a giver’s factor that is not squared and with 1 for 0.986."
            ),
        ),
        Example(
            _("A player of −1450 receives 4 stones from one of −750, and wins a club game."), -1450, -750,
            handicap=4, event_class="C", printed="41.22",
        ),
    ),
    "us-table-tennis": (
        Example(
            _("A player of 1800 beats one of 1650 by 3–2: too few sets, so the winner loses points."),
            1800, 1650, "3-2", printed="−5",
        ),
        Example(_("The same two, 3–0."), 1800, 1650, "3-0"),
    ),
    "fide-standard": _CHESS, "fide-rapid": _CHESS, "fide-blitz": _CHESS, "knsb": _CHESS, "kbsb": _CHESS,
    "youth-realtime": (
        Example(_("A player of 1100 in the tenth game beats one of 1250."), 1100, 1250, games=9),
        Example(_("The same with 50 rated games."), 1100, 1250, games=50),
    ),
    "elo-logistic": _ELO, "elo-normal": _ELO,
}  # fmt: skip
