"""Corrections by hand, each one recording with a reason, each previewed and undone in the same way.

    edit = swap_result(organisation, game)              nothing happens yet
    effect = effect_of(pool, edit)                      whose rating would change
    row = make(organisation, edit, author="2", reason="board 7 was entered the wrong way round")
    make(organisation, undo(row), author="2", reason="it was right after all")

An edit is a function that writes facts into a Recorder, or into the draft of a preview. Changing is
voiding and entering anew.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from typing import Any

from arpad.domain.problems import FATAL, Problem, Refused
from arpad.domain.results import Result, mirrored, read_result
from arpad.store.holding import same, voided
from arpad.store.models import Event, EventInPool, Game, Organisation, Person, Pool, Recording, Void
from arpad.store.named_effect import NamedEffect, named_effect
from arpad.store.recorder import Recorder, Ref, recording, ref
from arpad.store.self_play import refuse_self_play
from arpad.store.settle import Settler
from arpad.store.undoing import LARGE, undo

Edit = Callable[[Recorder], None]
KEEP: Any = object()  # a field that stays as it is


def make(
    organisation: Organisation, edit: Edit, *, author: str, reason: str, role: str = "results officer",
    kind: str = "", key: str | None = None, expected: int | None = None, using: str = "default",
) -> Recording:  # fmt: skip
    """Record an edit. Raises Refused; nothing is kept then.

    `reason-missing`, what the edit refuses, and `game-self` where what it brings back makes somebody
    play against the same person.

    expected  the newest recording that was seen; LedgerMoved where there is a newer one
    """
    need_reason(reason)
    large = getattr(edit, "facts", 0) > LARGE
    told = kind or getattr(edit, "kind", "edit")
    with recording(
        organisation, author=author, kind=told, role=role, reason=reason, key=key, large=large, using=using
    ) as r:
        r.expected = expected
        write(edit, r)
        refuse_self_play(r)
    return r.row


def need_reason(reason: str) -> None:
    """Raises Refused (`reason-missing`) where none is given."""
    if not reason.strip():
        message = "A correction needs a reason."
        raise Refused(Problem("reason-missing", FATAL, message, "Say in a few words why."))


def write(edit: Edit, r: Recorder) -> None:
    """Write the facts of an edit. Raises Refused (`edit-empty`) where there are none."""
    before = r.count
    edit(r)
    if r.count == before:
        message = "There is nothing to change."
        raise Refused(Problem("edit-empty", FATAL, message, "Look at what is recorded."))


def effect_of(pool: Pool, edit: Edit, settler: Settler | None = None) -> NamedEffect:
    """Whose shown rating the edit would change in a pool, without lease or writes."""
    return named_effect(settler or Settler(pool), lambda r: write(edit, r))


# --- one game -------------------------------------------------------------------------------------


def void_game(organisation: Organisation, game: uuid.UUID) -> Edit:
    """The game is withdrawn."""
    return lambda r: void(r, _game(organisation, game, r))


def restore_game(organisation: Organisation, game: uuid.UUID) -> Edit:
    """A withdrawn game holds again. Raises Refused (`fact-replaced`) where it was replaced by another."""

    def edit(r: Recorder) -> None:
        rows = Void.objects.using(r.using).filter(
            organisation=organisation,
            target_kind=Game.KIND,
            target_uuid=game,
            recording__number__isnull=False,
        )
        voids = list(rows.order_by("pk"))
        undone = voided(organisation, Void.KIND, [row.uuid for row in voids], r.using)
        for row in voids:
            if row.uuid in undone:
                continue
            new = row.replaced_by
            if new is not None and not voided(organisation, Game.KIND, [new], r.using):
                message = f"The game {game} was replaced by {new}."
                remedy = "Correct that one, or undo the recording that replaced it."
                raise Refused(Problem("fact-replaced", FATAL, message, remedy))
            r.void(ref(row))

    return edit


def void(r: Recorder, game: Game) -> None:
    """Withdraw a game that holds."""
    r.void(ref(game))


def change_game(
    organisation: Organisation, game: uuid.UUID, *, result: Result = KEEP, player1: uuid.UUID = KEEP,
    player2: uuid.UUID | None = KEEP, day: int = KEEP, round: int = KEEP, board: int = KEEP,
    sequence: int = KEEP, stones: int = KEEP, weight: float | None = KEEP, size: int = KEEP,
) -> Edit:  # fmt: skip
    """The game with other content; what is not given stays. Persons are named by UUID."""
    fields = {
        "result": result, "day": day, "round": round, "board": board, "sequence": sequence,
        "stones": stones, "weight": weight, "size": size,
    }  # fmt: skip

    def edit(r: Recorder) -> None:
        old = _game(organisation, game, r)
        changes = {name: value for name, value in fields.items() if value is not KEEP}
        for side, person in (("player1", player1), ("player2", player2)):
            if person is not KEEP:
                changes[side] = None if person is None else _person(organisation, person, r)
        replace(r, old, **changes)

    return edit


def swap_result(organisation: Organisation, game: uuid.UUID) -> Edit:
    """The result was entered the wrong way round."""

    def edit(r: Recorder) -> None:
        old = _game(organisation, game, r)
        replace(r, old, result=mirrored(result_of(old)))

    return edit


def add_game(
    organisation: Organisation, event: uuid.UUID, day: int, player1: uuid.UUID, player2: uuid.UUID | None,
    result: Result, **place: Any,
) -> Edit:  # fmt: skip
    """One more game of an event; `place` is what Recorder.game() takes: round, board, stones ..."""

    def edit(r: Recorder) -> None:
        second = None if player2 is None else _person(organisation, player2, r)
        first = _person(organisation, player1, r)
        _refuse_self_play(r, first, second)
        r.game(ref(_event(organisation, event, r)), day, first, second, result, **place)

    return edit


def replace(r: Recorder, old: Game, **changes: Any) -> Ref:
    """Void a game and enter it anew with some fields changed; the new one is returned."""
    fields: dict[str, Any] = {
        "event": ref(old.event),
        "day": old.day,
        "player1": ref(old.player1),
        "player2": ref(old.player2) if old.player2 else None,
        "result": result_of(old),
        **{name: getattr(old, name) for name in ("round", "board", "sequence", "stones", "weight", "size")},
        "line": old.line,
    }
    fields |= changes
    _refuse_self_play(r, fields["player1"], fields["player2"])
    new = r.game(**fields)
    r.void(ref(old), new)
    return new


def result_of(game: Game) -> Result:
    """The result of a recorded game."""
    result = read_result(game.result, game.best_of)
    assert result is not None  # it was written by write_result()
    return result


# --- a whole event --------------------------------------------------------------------------------


def void_event(organisation: Organisation, event: uuid.UUID) -> Edit:
    """All games of the event are withdrawn."""

    def edit(r: Recorder) -> None:
        for game in games_of(_event(organisation, event, r), r.using):
            r.void(ref(game))

    return edit


def restore_event(organisation: Organisation, event: uuid.UUID) -> Edit:
    """The games that were last withdrawn together hold again."""

    def edit(r: Recorder) -> None:
        what = _event(organisation, event, r)
        games = Game.objects.using(r.using).filter(event=what, recording__number__isnull=False)
        rows = Void.objects.using(r.using).filter(
            organisation=organisation, target_uuid__in=games.values("uuid"), replaced_by=None,
            recording__number__isnull=False,
        )  # fmt: skip
        voids = list(rows.select_related("recording"))
        undone = voided(organisation, "void", [row.uuid for row in voids], r.using)
        holding = [row for row in voids if row.uuid not in undone]
        newest = max((row.recording.number or 0 for row in holding), default=0)
        for row in holding:
            if row.recording.number == newest:
                r.void(ref(row))

    return edit


def move_event(organisation: Organisation, event: uuid.UUID, start: int) -> Edit:
    """The event began on another day: it and its games move by as many days, in every pool."""

    def edit(r: Recorder) -> None:
        old = _event(organisation, event, r)
        games = list(games_of(old, r.using))
        began = old.start.toordinal() if old.start else min((game.day for game in games), default=start)
        new = r.event(old.name, start)
        for feed in feeds_of_event(old, r.using):
            r.feed(ref(feed.pool), new, feed.event_class, feed.order)
        for game in games:
            replace(r, game, event=new, day=game.day + start - began)
        r.void(ref(old), new)

    return edit


def class_event(organisation: Organisation, event: uuid.UUID, event_class: str, pool: Pool) -> Edit:
    """The event counts in the pool under another class."""

    def edit(r: Recorder) -> None:
        what = _event(organisation, event, r)
        for feed in feeds_of_event(what, r.using):
            if feed.pool_id == pool.pk and feed.event_class != event_class:
                r.void(ref(feed), r.feed(ref(pool), ref(what), event_class, feed.order))

    return edit


def correct_rating(pool: Pool, person: uuid.UUID, day: int, rating: float, public_reason: str) -> Edit:
    """The committee sets a rating (points) from a day on; the reason is public.

    Raises Refused (`reason-missing`, `person-unknown`).
    """
    need_reason(public_reason)

    def edit(r: Recorder) -> None:
        r.correction(ref(pool), _person(pool.organisation, person, r), day, rating, public_reason)

    return edit


def give_games(organisation: Organisation, event: uuid.UUID, person: uuid.UUID, other: uuid.UUID) -> Edit:
    """All games of a person in the event were another's."""

    def edit(r: Recorder) -> None:
        people = same(organisation, r.using)
        theirs = set(people.members(_person(organisation, person, r).key))
        to = _person(organisation, other, r)
        for game in games_of(_event(organisation, event, r), r.using):
            sides = [s for s in ("player1", "player2") if getattr(game, f"{s}_id") in theirs]
            if sides:
                replace(r, game, **dict.fromkeys(sides, to))

    return edit


def games_of(event: Event, using: str = "default") -> Iterator[Game]:
    """The games of an event that hold, in the order they were recorded."""
    rows = Game.objects.using(using).filter(event=event, recording__number__isnull=False)
    games = list(rows.select_related("event", "player1", "player2").order_by("pk"))
    gone = voided(event.organisation, "game", [game.uuid for game in games], using) if games else set()
    return (game for game in games if game.uuid not in gone)


def feeds_of_event(event: Event, using: str = "default") -> list[EventInPool]:
    """How an event counts in the pools."""
    rows = EventInPool.objects.using(using).filter(event=event, recording__number__isnull=False)
    feeds = list(rows.select_related("pool").order_by("pk"))
    gone = (
        voided(event.organisation, "event-in-pool", [feed.uuid for feed in feeds], using) if feeds else set()
    )
    return [feed for feed in feeds if feed.uuid not in gone]


# --- finding --------------------------------------------------------------------------------------


def _game(organisation: Organisation, game: uuid.UUID, r: Recorder) -> Game:
    """A game that holds. Raises Refused (`fact-unknown`, `fact-void`)."""
    rows = Game.objects.using(r.using).filter(
        organisation=organisation, uuid=game, recording__number__isnull=False
    )
    found = rows.select_related("event", "player1", "player2").first()
    if found is None:
        raise Refused(Problem("fact-unknown", FATAL, f"There is no game {game}."))
    if voided(organisation, "game", [game], r.using):
        message = f"The game {game} was withdrawn or changed since."
        raise Refused(Problem("fact-void", FATAL, message, "Look at what is recorded now."))
    return found


def _event(organisation: Organisation, event: uuid.UUID, r: Recorder) -> Event:
    rows = Event.objects.using(r.using).filter(
        organisation=organisation, uuid=event, recording__number__isnull=False
    )
    found = rows.first()
    if found is None:
        raise Refused(Problem("fact-unknown", FATAL, f"There is no event {event}."))
    return found


def _person(organisation: Organisation, person: uuid.UUID, r: Recorder) -> Ref:
    rows = Person.objects.using(r.using).filter(
        organisation=organisation, uuid=person, recording__number__isnull=False
    )
    found = rows.first()
    if found is None:
        raise Refused(Problem("person-unknown", FATAL, f"There is no person {person}."))
    return ref(found)


def _refuse_self_play(r: Recorder, one: Ref, other: Ref | None) -> None:
    people = same(r.organisation, r.using)
    if other is not None and people.root(one.key) == people.root(other.key):
        message = "Somebody would have played against the same person."
        raise Refused(Problem("game-self", FATAL, message, "Correct that game first."))


__all__ = [
    "KEEP",
    "Edit",
    "add_game",
    "change_game",
    "class_event",
    "correct_rating",
    "effect_of",
    "games_of",
    "give_games",
    "make",
    "move_event",
    "need_reason",
    "restore_event",
    "restore_game",
    "swap_result",
    "undo",
    "void_event",
    "void_game",
    "write",
]  # fmt: skip
