"""A player's games in groups, as the page of a player shows them: an event (or a rating period) each."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from arpad.domain.results import read_result
from arpad.domain.units import NOT_RATED, UNRATED
from arpad.store.current import Step
from arpad.store.holding import chunks
from arpad.store.models import Event, Game
from arpad.web import figures
from arpad.web.here import Here
from arpad.web.ids import short

GAME, SETTLED, ENTRY, POSTING, CORRECTION = range(5)


class GameLine(NamedTuple):
    """One game from the player's side."""

    round: int
    day: int
    opponent: str
    opponent_id: str
    result: str
    outcome: str  # "won", "lost", "drawn", "" (no game)
    stones: int  # received; negative: given
    black: bool | None  # None: this game has no colours
    expected: str
    change: str
    rated: bool


class Group(NamedTuple):
    """An event's games, or an entry, correction or posting."""

    kind: str  # "event", "entry", "correction", "posting"
    name: str
    id: str  # of the event
    key: int  # of the event, for the worker
    day: int
    games: list[GameLine]
    won: str  # "3–2"
    expected: str
    change: str
    after: str


def groups(here: Here, person: int, steps: list[Step], limit: int, skip: int = 0) -> tuple[list[Group], int]:
    """The newest groups, `skip` left out: (groups, how many there are)."""
    played = [step for step in steps if step.kind == GAME]
    event_of = _events_of([step.subject for step in played])
    in_order = _in_order(here, steps, event_of)
    wanted = in_order[::-1][skip : skip + limit]
    games = _games([step.subject for _key, some in wanted for step in some if step.kind == GAME])
    events = Event.objects.in_bulk({key for key, _some in wanted if key})
    here.names.load(step.opponent for _key, some in wanted for step in some)
    return [_group(here, events.get(key), some, games) for key, some in wanted], len(in_order)


def _events_of(subjects: list[int]) -> dict[int, int]:
    found: dict[int, int] = {}
    for some in chunks(subjects):
        found.update(Game.objects.filter(pk__in=some).values_list("pk", "event_id"))
    return found


def _in_order(here: Here, steps: list[Step], event_of: dict[int, int]) -> list[tuple[int, list[Step]]]:
    """(event's key or 0, its steps), oldest first: by the last thing that happened in each."""
    by_event: dict[int, list[Step]] = defaultdict(list)
    single: list[tuple[int, list[Step]]] = []
    for step in steps:
        if step.kind == GAME:
            by_event[event_of.get(step.subject, 0)].append(step)
        elif step.kind == SETTLED and here.rules.period == "event":
            by_event[step.subject].append(step)
        elif step.kind != SETTLED:
            single.append((0, [step]))
    found = [*by_event.items(), *single]
    return sorted(found, key=lambda pair: (pair[1][-1].day, pair[1][-1].place))


def _games(keys: list[int]) -> dict[int, Game]:
    found: dict[int, Game] = {}
    for some in chunks(keys):
        found.update(Game.objects.in_bulk(list(some)))
    return found


def _group(here: Here, event: Event | None, steps: list[Step], games: dict[int, Game]) -> Group:
    last = steps[-1]
    lines = [_line(here, step, games[step.subject]) for step in steps if step.kind == GAME]
    rated = [step for step in steps if step.kind == GAME and step.expected != NOT_RATED]
    after = next((step.after for step in reversed(steps) if step.after is not None), None)
    kind = {ENTRY: "entry", POSTING: "posting", CORRECTION: "correction"}.get(last.kind, "event")
    if kind == "event":
        total = (
            here.change(sum(step.change for step in rated), per_point=here.rules.change_per_point)
            if rated
            else ""
        )
        name = (event.name if event else "") or _("games without an event")
    else:
        both = after is not None and after != UNRATED and last.before != UNRATED
        total = here.change((after or 0) - last.before) if both else ""
        name = {"entry": _("First rating"), "posting": _("Adjustment for everybody")}.get(
            kind, _("Correction")
        )
    return Group(
        kind, name, short(here.organisation, event.uuid) if event else "", event.pk if event else 0,
        last.day, lines, _score(lines),
        figures.share(sum(s.expected for s in rated), here.language) if rated else "",
        total, here.rating(after),
    )  # fmt: skip


def _score(lines: list[GameLine]) -> str:
    won = sum(line.outcome == "won" for line in lines)
    lost = sum(line.outcome == "lost" for line in lines)
    drawn = sum(line.outcome == "drawn" for line in lines)
    return f"{won}–{lost}" if not drawn else f"{won}–{lost}–{drawn}"


def _line(here: Here, step: Step, game: Game) -> GameLine:
    # a merged person is entered under another key: then the opponent tells the side
    first = game.player1_id == step.person or game.player2_id == step.opponent or not step.opponent
    shown = here.names[step.opponent] if step.opponent else None
    outcome, text = outcome_of(game.result, first)
    rated = step.expected != NOT_RATED
    stones = 0 if not game.stones else (-game.stones if first else game.stones)
    return GameLine(
        game.round, game.day, shown.text if shown else "", shown.id if shown else "",
        text, outcome, stones, None if not here.rules.max_stones else not first,
        figures.share(step.expected, here.language) if rated else "",
        here.change(step.change, detail=True, per_point=here.rules.change_per_point) if rated else "", rated,
    )  # fmt: skip


def outcome_of(result: str, first: bool) -> tuple[str, str]:
    """How a game went for one side, and the result with that side's score first."""
    found: Any = read_result(result)
    if found is None:
        return "", result
    mine, other = (found.first, found.second) if first else (found.second, found.first)
    kind = found.kind
    if kind in ("pending", "void"):
        return "", {"pending": "…", "void": "×"}[kind]
    outcome = "won" if mine > other else "lost" if mine < other else "drawn"
    if kind == "forfeit":
        return "", "+" if mine else "−"
    if kind == "game":
        text = {2: "1–0", 1: "½–½", 0: "0–1"}.get(mine, "")
        return outcome, text
    return outcome, f"{mine}–{other}"
