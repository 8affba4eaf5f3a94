"""Why a game is not rated for a player, as a stable word. Messages explain the words (`[reason]`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.domain.units import NOT_RATED, UNRATED

if TYPE_CHECKING:
    from arpad.engine.history import History
    from arpad.engine.past import Past

NEWCOMER = "newcomer"  # counts towards the player's first rating
SELF_UNRATED = "self-unrated"
OPPONENT_UNRATED = "opponent-unrated"
BY_RULE = "by-rule"  # the ruleset's step() says so: too large a difference, for instance

# Every word there is. The first seven are of the game (arpad.engine.kinds), the others of one side.
WORDS = (
    "forfeit", "bye", "pending", "void", "unrated-result", "friendly", "no-weight",
    NEWCOMER, SELF_UNRATED, OPPONENT_UNRATED, BY_RULE,
)  # fmt: skip


def reason_of(history: History, side: int, past: Past | None = None) -> str:
    """Why side 2r (player 1 of row r) or 2r + 1 (player 2) is not rated; "" where it is.

    `past`: of persons that include this side's; without it everybody's is made once and kept.
    """
    if history.expected[side] != NOT_RATED:
        return ""
    plan = history.plan
    row, turn = divmod(side, 2)
    kind = plan.kind[row]
    if not plan.kinds.counted[kind]:
        return plan.kinds.reasons[kind]
    if history.before[side ^ 1] == UNRATED and not plan.ruleset.steps_unrated:
        return OPPONENT_UNRATED
    person = (plan.player2 if turn else plan.player1)[row]
    if plan.ticks is not None and plan.ruleset.newcomer is not None and _opens(history, side, person, past):
        return NEWCOMER
    if history.before[side] == UNRATED and not plan.ruleset.steps_unrated:
        return SELF_UNRATED
    return BY_RULE


def _opens(history: History, side: int, person: int, past: Past | None) -> bool:
    """Whether the player had no rating as the period began: then the game counts for the first one.

    In pools with lists that may differ from the rating used, which is of the event's start.
    """
    if history.plan.lists_are_periods:
        return bool(history.before[side] == UNRATED)
    state = (past or history.past()).state(person, history.plan.place_of_row(side // 2))
    return bool(state.rating == UNRATED)
