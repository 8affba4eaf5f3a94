"""How a player's rating came about: every number from the ruleset itself, in sentences.

The terms are those that step() and settle() return when they are asked again (arpad.engine.retrace),
the sentences those of arpad/locale (arpad.engine.narrate). Nothing is calculated for display.
"""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.domain.dates import read_day
from arpad.domain.problems import FATAL, Problem, Refused
from arpad.engine.narrate import Item, Names, Narrator
from arpad.engine.retrace import Retrace
from arpad.engine.sentences import Terms, plain
from arpad.rulesets.catalogue import Ruleset

if TYPE_CHECKING:
    from arpad.engine.history import History


class Explanation(NamedTuple):
    """The way from one rating to another: text() for people, data() for programs."""

    ruleset: Ruleset
    header: Terms  # player, ruleset, edition, period, opening, closing and their labels
    title: tuple[str, ...]  # lines: who and when, by which rules
    before: str  # line: the opening rating
    items: tuple[Item, ...]  # entries, corrections, postings, games and settlements, in order
    after: str  # line: the closing rating
    notes: tuple[str, ...]

    def text(self) -> str:
        """The explanation as plain text, a sentence a line, without a line end after the last."""
        lines = [*self.title, "", self.before, ""]
        for item in self.items:
            sentences = [f"  {sentence}" for sentence in item.sentences]
            if item.heading:
                lines += [item.heading, *sentences, ""]
            elif sentences:  # belongs to the item above it
                lines[-1:] = [*sentences, ""]
        return "\n".join([*lines, self.after, *self.notes])

    def data(self) -> dict[str, Any]:
        """What JSON can hold: terms by name, in points, shares and counts; no rating is null.

        Keys: those of `header`, and `items`, each with kind, its facts, terms and sentences.
        """
        found: dict[str, Any] = {name: plain(term, self.ruleset) for name, term in self.header.items()}
        found["items"] = [
            {
                "kind": item.kind,
                **item.facts,
                "terms": {name: plain(term, self.ruleset) for name, term in item.terms.items()},
                "sentences": list(item.sentences),
            }
            for item in self.items
        ]
        return found


def explain(
    history: History, player: str | int, *, event: str | int | None = None, round: int | None = None,
    language: str = "en", names: Names | None = None,
) -> Explanation:  # fmt: skip
    """The last period in which something happened to a player; or an event (and a round) of the player's.

    player    a name, or a number in the ledger
    event     a name, or an ISO date: the games of that day that have no event. Of several events of one
              name the last is taken; or a number in the ledger. In pools with lists the whole period's
              sum stands below the games.
    round     of that event, or of the last period
    language  of the sentences; English stands in for what a language lacks
    names     number in the ledger -> the name to show, where a reader may not see the ledger's own

    Raises Refused (`player-unknown`, `event-unknown`, `round-unknown`; `explain-without-past` for a replay
    from a checkpoint whose history is not there), and Disagreement where a term computed again is not what
    the replay recorded: a bug.
    """
    if history.begins:
        message = "This replay began at a checkpoint, so what came before is not known here."
        raise Refused(Problem("explain-without-past", FATAL, message, "Replay from the start."))
    person = player if isinstance(player, int) else _person(history, player)
    names = history.plan.ledger.names if names is None else names
    found = Retrace(history, person)
    sides = _chosen(found, names[person], event, round)
    if sides is None:
        places = [found.last_place()]
        shown = set(found.by_place.get(places[0], ()))
    else:
        places = sorted({found.plan.place_of_row(side // 2) for side in sides})
        shown = set(sides)
    found.look_up(places)
    narrator = Narrator(found, names[person], language, event is not None, names)
    items: list[Item] = []
    opening = closing = None
    for place in places:
        period = narrator.period(place, shown, several=len(places) > 1, previous=closing)
        opening = period.opening if opening is None else opening
        closing = period.closing
        items += period.items
    header, title = narrator.header(places[-1], sorted(shown), opening, closing)
    return Explanation(
        history.plan.ruleset, header, title, narrator.line("before", opening), tuple(items),
        narrator.line("after", closing), narrator.notes(bool(items)),
    )  # fmt: skip


def _person(history: History, player: str) -> int:
    ledger = history.plan.ledger
    person = ledger.find_person(player)
    if person is None:
        near = difflib.get_close_matches(player, ledger.names, n=3, cutoff=0.5)
        remedy = f"Nearest: {', '.join(near)}." if near else "Names are written as in the file of games."
        raise Refused(Problem("player-unknown", FATAL, f"There is no player '{player}'.", remedy))
    return history.plan.now.person[person]


def _chosen(found: Retrace, player: str, event: str | int | None, round: int | None) -> list[int] | None:
    """The sides asked for; None: the last period, whatever is in it."""
    if event is None and round is None:
        return None
    sides = found.by_place.get(found.last_place(), []) if event is None else _of_event(found, player, event)
    if round is None:
        return sides
    rounds, games = found.plan.ledger.games.round, found.plan.order.games
    chosen = [side for side in sides if rounds[games[side // 2]] == round]
    if not chosen:
        known = sorted({rounds[games[side // 2]] for side in sides} - {0})
        listed = f"Rounds of {player}: {', '.join(map(str, known))}."
        remedy = listed if known else "These games have no rounds."
        raise Refused(Problem("round-unknown", FATAL, f"{player} has no game in round {round}.", remedy))
    return chosen


def _of_event(found: Retrace, player: str, event: str | int) -> list[int]:
    """The player's sides in an event: the last of that name, or the games of a day without an event."""
    if isinstance(event, int):
        return [side for side in found.sides if found.plan.event[side // 2] == event]
    plan, day = found.plan, read_day(event)
    events = plan.ledger.events_now()
    mine = {plan.event[side // 2] for side in found.sides}
    wanted = event.strip().casefold()
    matching = [e for e in mine if events[e].name and events[e].name.strip().casefold() == wanted]
    if not matching and day is not None:
        matching = [e for e in mine if not events[e].name and plan.order.last_day[e] == day]
    if not matching:
        names = sorted({events[e].name for e in mine if events[e].name})
        near = difflib.get_close_matches(event, names, n=3, cutoff=0.4) or names[:5]
        remedy = f"Events of {player}: {', '.join(near)}." if near else "Give the day, such as 2024-09-03."
        raise Refused(Problem("event-unknown", FATAL, f"{player} has no game in an event '{event}'.", remedy))
    last = max(matching, key=lambda e: (plan.order.last_day[e], e))
    return [side for side in found.sides if plan.event[side // 2] == last]


__all__ = ["Explanation", "Item", "explain"]
