"""An event: its state, the wall list (or the games), what it did to ratings, its versions; and all events."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, NamedTuple

from django.http import HttpResponse
from django.utils.translation import gettext as _

from arpad.domain.units import NOT_RATED, UNRATED
from arpad.formats.listing import FORMS
from arpad.store import current
from arpad.store.current import Step
from arpad.store.holding import same
from arpad.store.models import Event, EventInPool, Recording, Settlement
from arpad.store.recorded import Stored, feeds_of, stored_games
from arpad.web import bands, figures
from arpad.web.here import Here
from arpad.web.ids import short
from arpad.web.outgoing import links
from arpad.web.pages.player_games import outcome_of
from arpad.web.pages.rating_list import clubs_today

PAGE = 50  # events of a page
ROUNDS = 20  # columns of a wall list at most
SURPRISES = 5
MARKS = {"won": "+", "lost": "−", "drawn": "½"}


class Cell(NamedTuple):
    """One round of one player: 7+ won against number 7."""

    number: int  # the opponent's; 0: a bye
    mark: str
    won: bool
    black: bool | None


class Player(NamedTuple):
    """A line of the wall list."""

    number: int
    name: str
    id: str
    club: str
    rank: str
    cells: list[list[Cell]]
    won: str
    before: str
    change: str
    after: str


class GameRow(NamedTuple):
    """A game of the list of games."""

    round: int
    day: int
    white: str
    white_id: str
    black: str
    black_id: str
    result: str
    stones: int
    expected: str
    white_change: str
    black_change: str
    rated: bool


class Surprise(NamedTuple):
    winner: str
    winner_id: str
    loser: str
    expected: str
    change: str


def forms_of(here: Here) -> tuple[str, ...]:
    """The kinds of file an event of this pool can be had in."""
    if here.rules.max_stones:
        return (*FORMS, "h9")
    return (*FORMS, "trf") if "1/2-1/2" in here.rules.results else FORMS


def event(here: Here, event: str) -> HttpResponse:
    """The page of an event in a pool."""
    row, feed = find_event(here, event)
    people = same(here.organisation)
    games = stored_games(here.organisation, [row.pk], people)
    steps = current.steps_of_event(here.pool, row.pk)
    by_game = {(step.subject, step.person): step for step in steps}
    persons = list(dict.fromkeys(p for g in games for p in (g.played.player1, g.played.player2) if p))
    here.names.load(persons)
    wall = _wall(here, row.pk, games, steps, persons)
    lines = [_game_row(here, game, by_game) for game in games]
    rated = [line for line in lines if line.rated]
    days = [game.played.day for game in games]
    return here.render(
        "event.html", tab="events", event=row, event_name=row.name or _("Games without an event"),
        first=min(days, default=0), last=max(days, default=0), event_class=feed.event_class,
        games=sorted(lines, key=lambda line: (line.day, line.round)), rated=len(rated), players=len(persons),
        wall=wall, rounds=rounds_of(games), surprises=_surprises(here, games, by_game),
        versions=_versions(here, row.pk), colours=bool(here.rules.max_stones),
        expected=_favourites(games, by_game, here.language), ranked=figures.ranked(here.rules),
        exports=links(here, "pool-event-file", event, forms=forms_of(here)),
    )  # fmt: skip


def events(here: Here) -> HttpResponse:
    """The pool's events, newest first; of one name with ?q=."""
    fed = feeds_of(here.pool)
    query = " ".join(here.request.GET.get("q", "").split())[:80]
    rows = Event.objects.filter(organisation=here.organisation, recording__number__isnull=False)
    if query:
        rows = rows.filter(name__istartswith=query)
    skip = here.number("skip")
    found = [row for row in rows.exclude(name="").order_by("-start", "-pk") if row.pk in fed]
    shown = found[skip : skip + PAGE]
    return here.render(
        "events.html", tab="events", query=query, total=len(found),
        events=[
            (short(here.organisation, row.uuid), row.name, row.start.toordinal() if row.start else 0,
             fed[row.pk].event_class)
            for row in shown
        ],
        older=skip + PAGE if skip + PAGE < len(found) else 0, newer=max(0, skip - PAGE) if skip else None,
    )  # fmt: skip


def find_event(here: Here, ident: str) -> tuple[Event, EventInPool]:
    """The event of an id and how it feeds the pool. Raises Http404."""
    feed = here.get(EventInPool.objects.filter(pool=here.pool).select_related("event"), ident, "event__uuid")
    return feed.event, feed


# --- the wall list --------------------------------------------------------------------------------------


def rounds_of(games: list[Stored]) -> list[int]:
    found = sorted({game.played.round for game in games if game.played.round})
    return found if len(found) <= ROUNDS else []


class Standing(NamedTuple):
    """A line of the wall list in numbers. Ratings in grains, `change` in the ruleset's units."""

    person: int
    number: int
    halves: int  # twice the points
    before: int | None
    change: int | None
    after: int | None
    cells: list[list[Cell]]


def standings(
    here: Here, event: int, games: list[Stored], steps: list[Step], persons: list[int]
) -> list[Standing]:
    """By points, then rating before. Without rounds nobody has cells."""
    mine: dict[int, list[Step]] = defaultdict(list)
    for step in steps:
        mine[step.person].append(step)
    before = {p: next((s.before for s in mine[p] if s.before != UNRATED), None) for p in persons}
    halves: dict[int, int] = defaultdict(int)
    for game in games:
        for person, first in ((game.played.player1, True), (game.played.player2, False)):
            if person:
                outcome, text = outcome_of(game.played.result, first)
                halves[person] += {"won": 2, "drawn": 1}.get(outcome, 2 if text == "+" else 0)
    order = sorted(persons, key=lambda person: (-halves[person], -_or_lowest(before[person]), person))
    number = {person: at for at, person in enumerate(order, 1)}
    cells = _cells(games, rounds_of(games), number, bool(here.rules.max_stones))
    closing = current.closing(here.pool, event, order) if here.rules.period == "event" else {}
    lines = []
    for person in order:
        own = [step for step in mine[person] if step.expected != NOT_RATED]
        after = closing.get(person)
        if after is None:
            after = next((s.after for s in reversed(mine[person]) if s.after is not None), None)
        change = sum(step.change for step in own) if own else None
        lines.append(
            Standing(person, number[person], halves[person], before[person], change, after, cells[person])
        )
    return lines


def _wall(here: Here, event: int, games: list[Stored], steps: list[Step], persons: list[int]) -> list[Player]:
    """The wall list as it is printed; none where the games have no rounds."""
    if not rounds_of(games):
        return []
    found = standings(here, event, games, steps, persons)
    clubs = clubs_today(here, [one.person for one in found])
    lines = []
    for one in found:
        shown = here.names[one.person]
        rank = bands.of(here.rules, one.before) if one.before is not None else None
        per = here.rules.change_per_point
        lines.append(Player(
            one.number, shown.text, shown.id,
            clubs[one.person][1] if one.person in clubs else "",
            bands.name(here.rules, rank, here.language) if rank else "", one.cells,
            f"{one.halves // 2}{'½' if one.halves % 2 else ''}", here.rating(one.before),
            here.change(one.change, per_point=per) if one.change is not None else "", here.rating(one.after),
        ))  # fmt: skip
    return lines


def _or_lowest(rating: int | None) -> int:
    return UNRATED if rating is None else rating


def _cells(
    games: list[Stored], rounds: list[int], number: dict[int, int], colours: bool
) -> dict[int, list[list[Cell]]]:
    """Person -> for each round its games: one as a rule."""
    place = {round_: at for at, round_ in enumerate(rounds)}
    found: dict[int, list[list[Cell]]] = {person: [[] for _round in rounds] for person in number}
    for game in games:
        played = game.played
        if played.round not in place:
            continue
        for me, other, first in (
            (played.player1, played.player2, True),
            (played.player2, played.player1, False),
        ):
            if me:
                outcome, text = outcome_of(played.result, first)
                mark = MARKS.get(outcome, "") if played.result.count("-") < 2 else text
                sets = text if outcome and "½" not in text and played.result not in ("1-0", "0-1") else ""
                black = (not first) if colours and outcome else None
                cell = Cell(number.get(other, 0), sets or mark or text, outcome == "won", black)
                found[me][place[played.round]].append(cell)
    return found


# --- games, surprises -----------------------------------------------------------------------------------


def _game_row(here: Here, game: Stored, steps: dict[tuple[int, int], Step]) -> GameRow:
    played, per = game.played, here.rules.change_per_point
    one = steps.get((game.ref.key, played.player1))
    two = steps.get((game.ref.key, played.player2))
    white = here.names[played.player1]
    black = here.names[played.player2] if played.player2 else None
    rated = one is not None and one.expected != NOT_RATED

    def change(step: Step | None) -> str:
        counts = step is not None and step.expected != NOT_RATED
        return here.change(step.change, detail=True, per_point=per) if step and counts else ""

    _outcome, text = outcome_of(played.result, True)
    return GameRow(
        played.round, played.day, white.text, white.id,
        black.text if black else _("bye"), black.id if black else "", text,
        played.stones, figures.share(one.expected, here.language) if one and rated else "", change(one),
        change(two), rated,
    )  # fmt: skip


def _winner(game: Stored) -> tuple[int, int] | None:
    """(who won, who lost) of a played game."""
    outcome, _text = outcome_of(game.played.result, True)
    if outcome == "won":
        return game.played.player1, game.played.player2
    return (game.played.player2, game.played.player1) if outcome == "lost" else None


def _surprises(here: Here, games: list[Stored], steps: dict[tuple[int, int], Step]) -> list[Surprise]:
    """The wins that were least expected: the winner is named first."""
    found = []
    for game in games:
        who = _winner(game)
        step = steps.get((game.ref.key, who[0])) if who else None
        if who and step is not None and 0 <= step.expected < 400_000:
            found.append((step.expected, who, step))
    per = here.rules.change_per_point
    return [
        Surprise(
            here.names[winner].text, here.names[winner].id,
            here.names[loser].text, figures.share(expected, here.language),
            here.change(step.change, detail=True, per_point=per),
        )
        for expected, (winner, loser), step in sorted(found, key=lambda one: one[0])[:SURPRISES]
    ]  # fmt: skip


def _favourites(
    games: list[Stored], steps: dict[tuple[int, int], Step], language: str
) -> dict[str, Any] | None:
    """How often the favourite won, and how often that was expected."""
    won, games_with, expected = 0, 0, 0
    for game in games:
        who = _winner(game)
        step = steps.get((game.ref.key, who[0])) if who else None
        if step is None or step.expected == NOT_RATED:
            continue
        games_with += 1
        won += step.expected >= 500_000
        expected += max(step.expected, 1_000_000 - step.expected)
    if not games_with:
        return None
    return {"won": won, "games": games_with, "expected": figures.share(expected, language, 1)}


# --- versions -------------------------------------------------------------------------------------------


def _versions(here: Here, event: int) -> list[dict[str, Any]]:
    """The recordings that touched the event, oldest first: what each brought, withdrew and changed."""
    brought, withdrawn = current.recordings_of_event(event)
    numbers = sorted({*brought, *withdrawn})
    rows = Recording.objects.filter(organisation=here.organisation, number__in=numbers).select_related(
        "reason"
    )
    settled = Settlement.objects.filter(pool=here.pool, done=True, through__gte=min(numbers, default=0))
    by_through = sorted(settled.values_list("through", "players_changed"))
    found = []
    for at, row in enumerate(sorted(rows, key=lambda one: one.number or 0), 1):
        day, time = figures.moment(row.recorded, here.organisation.time_zone)
        moved = next((players for through, players in by_through if through >= (row.number or 0)), None)
        found.append({
            "version": at, "day": day, "time": time, "added": brought.get(row.number or 0, 0),
            "withdrawn": withdrawn.get(row.number or 0, 0), "role": row.role,
            "reason": row.reason.body if row.reason else "", "players": moved if at > 1 else None,
            "settled": moved is not None,
        })  # fmt: skip
    return found
