"""Taking a file into the ledger: first a preview that writes nothing, then one recording.

    request = Request(pool, sheet, (SheetFile("spring.h9", "EGD table", data, sheet.digest(), whole=True),))
    preview = plan(request)
    preview.questions, preview.conflicts      what somebody has to decide first
    done = record(preview, author="2")        done.recording; or done.preview, where it came out otherwise

A file speaks of an event that was taken before: same name, same declared start. What differs becomes
voids and replacements, where the file is a later state of the one before; what somebody else reported
differently is a conflict.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from arpad.domain.problems import Problem
from arpad.domain.results import write_result
from arpad.ledger.sheet import Sheet, SheetCorrection
from arpad.store.matching import Answer, decide
from arpad.store.models import Organisation, Pool, RawFile, Recording
from arpad.store.named_effect import NamedEffect, named_effect
from arpad.store.recorded import Feed, Stored
from arpad.store.recorder import PIECE, LedgerMoved, Recorder, Ref, recording
from arpad.store.settle import Settler
from arpad.store.told import News, day_of, write_told
from arpad.store.versions import Played

LARGE = 100_000  # games from which a recording is written in pieces
EFFECT_LIMIT = 50_000  # new games above which a preview tells no effect
ATTEMPTS = 5


class SheetFile(NamedTuple):
    """A file that a sheet was read from."""

    name: str
    format: str
    data: bytes | None  # None: nothing to keep
    digest: str  # of what it says, Sheet.digest()
    whole: bool  # a format that always holds a whole event, such as a tournament file

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.data or b"").hexdigest()


@dataclass(frozen=True)
class Request:
    """What is to be taken, and what was decided about it."""

    pool: Pool
    sheet: Sheet  # games, and first ratings and corrections of the files beside it
    files: tuple[SheetFile, ...]  # that of the games first
    who: Mapping[str, int | None] = field(default_factory=dict)  # spelling -> person's key; None: new
    accept_new: bool = False  # whoever is not known is somebody new
    conflicts: str = "ask"  # "file": as the file says; "ledger": as is recorded
    keep_missing: bool = False  # games that a later state lacks stay
    replaces: int | None = None  # key of the event that the sheet's one event is a later state of
    clubs: bool = False  # record the clubs that the file tells
    effect: bool = True
    using: str = "default"

    @property
    def organisation(self) -> Organisation:
        return self.pool.organisation


@dataclass
class EventPlan:
    """What becomes of one event of the sheet. `stored` None: it is new; `feed` None: it joins the pool."""

    stored: Ref | None
    feed: Feed | None
    refeed: bool = False  # its class or place in the day changes


class Conflict(NamedTuple):
    """Two reports of one game from different sources: the sheet's game and what is recorded."""

    game: int
    stored: Stored
    told: Played


@dataclass
class Preview:
    """What a file would add, change and withdraw, as recording `seen` left the ledger."""

    request: Request
    seen: int
    already: Recording | None = None  # the recording that took the same content
    names: list[str] = field(default_factory=list)  # of everybody in the sheet
    people: list[int] = field(default_factory=list)  # key; -1: new
    questions: list[Answer] = field(default_factory=list)
    events: list[EventPlan] = field(default_factory=list)
    same: int = 0
    new: array[int] = field(default_factory=lambda: array("i"))  # the sheet's games
    changed: list[tuple[Stored, int]] = field(default_factory=list)
    withdrawn: list[Stored] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)
    first_ratings: list[int] = field(default_factory=list)  # the sheet's
    corrections: list[SheetCorrection] = field(default_factory=list)
    told: list[News] = field(default_factory=list)  # of people: ids, birth, sex, title, federation, club
    clubs: list[tuple[str, str]] = field(default_factory=list)  # (name, club) that is not recorded yet
    problems: list[Problem] = field(default_factory=list)
    effect: NamedEffect | None = None

    @property
    def new_people(self) -> list[str]:
        asked = {answer.spelling for answer in self.questions}
        people = zip(self.names, self.people, strict=True)
        return [name for name, key in people if key < 0 and name not in asked]

    @property
    def blocked(self) -> bool:
        """Something must be decided first."""
        return bool(self.questions or self.conflicts)

    @property
    def empty(self) -> bool:
        """There is nothing to record."""
        fed = any(event.feed is None or event.refeed for event in self.events)
        games = len(self.new) + len(self.changed) + len(self.withdrawn)
        told = len(self.first_ratings) + len(self.corrections) + len(self.told)
        return self.already is not None or not (fed or games or told or -1 in self.people)

    def gist(self) -> tuple[object, ...]:
        """What was shown: two previews of one file are the same where these are equal."""
        events = [(e.stored, e.feed and e.feed.ref, e.refeed) for e in self.events]
        effect = self.effect and (set(self.effect.changed), self.effect.newcomers)
        return (
            self.already and self.already.pk, self.people, events, self.new.tobytes(), self.changed,
            self.withdrawn, self.questions, self.conflicts, self.first_ratings, self.corrections, self.told,
            effect,
        )  # fmt: skip


class Done(NamedTuple):
    """`recording` is None where nothing was recorded: the ledger had moved, see `preview`."""

    recording: Recording | None
    preview: Preview


def plan(request: Request, settler: Settler | None = None) -> Preview:
    """What taking the file would do. Writes nothing. Raises Refused where the rules refuse it."""
    from arpad.store.planning import Planning

    preview = Planning(request).preview
    if preview.empty or preview.blocked:
        return preview
    if len(preview.new) > EFFECT_LIMIT:
        _try_alone(preview)
    elif request.effect:
        settler = settler or Settler(request.pool, request.using)
        preview.effect = named_effect(settler, lambda draft: write(draft, preview))
    return preview


def _try_alone(preview: Preview) -> None:
    """Rate a large sheet by itself, so that nothing enters the ledger which the rules refuse.

    Where it stands on what was recorded before, this cannot be told; settling will then refuse it.
    """
    from arpad.engine.replay import replay
    from arpad.ledger.ledger import Ledger
    from arpad.rulesets.catalogue import find

    if all(key < 0 for key in preview.people):
        ledger = Ledger()
        ledger.add_sheet(preview.request.sheet)
        replay(ledger, find(preview.request.pool.ruleset))


def record(
    preview: Preview, *, author: str, role: str = "results officer", reason: str = "", key: str | None = None,
    settler: Settler | None = None,
) -> Done:  # fmt: skip
    """Record what was shown. Where the ledger has moved and another preview comes of it, that is returned.

    key   an idempotency key: AlreadyRecorded is raised where it was used before
    """
    for _ in range(ATTEMPTS):
        if preview.blocked:
            raise ValueError("something is to be decided first")
        if preview.empty:
            return Done(None, preview)
        try:
            return Done(_record(preview, author, role, reason, key), preview)
        except LedgerMoved:
            again = plan(preview.request, settler)
            if again.gist() != preview.gist():
                return Done(None, again)
            preview = again
    return Done(None, preview)


def _record(preview: Preview, author: str, role: str, reason: str, key: str | None) -> Recording:
    request = preview.request
    large = len(preview.new) > LARGE
    with recording(
        request.organisation, author=author, kind="import", role=role, reason=reason, key=key, large=large,
        using=request.using,
    ) as r:  # fmt: skip
        r.expected = preview.seen
        refs = write(r, preview)
        write_told(r, preview.told, refs, day_of(request.sheet))
        for spelling, person in request.who.items():
            decide(request.organisation, spelling, person, by=author, using=request.using)
    return r.row


# --- the facts of a preview -------------------------------------------------------------------------


def write(r: Recorder, preview: Preview) -> dict[str, Ref]:
    """Put the facts of games and ratings into a recording, or a draft of one; who everybody is."""
    from arpad.store.many_people import add_first_ratings

    request = preview.request
    _write_files(r, request)
    people = _write_people(r, preview)
    events = _write_events(r, preview)
    _write_games(r, preview, events, people)
    pool = Ref("pool", request.pool.pk, request.pool.uuid)
    number = {name: place for place, name in enumerate(preview.names)}
    entries = [request.sheet.first_ratings[place] for place in preview.first_ratings]
    rated = [people[number[entry.player]] for entry in entries]
    add_first_ratings(r, pool, rated, [e.application for e in entries], [e.day for e in entries])
    for fact in preview.corrections:
        r.correction(pool, people[number[fact.player]], fact.day, fact.rating, fact.reason)
    return dict(zip(preview.names, people, strict=True))


def _write_files(r: Recorder, request: Request) -> None:
    kept = RawFile.objects.using(request.using).filter(organisation=request.organisation)
    for file in request.files:
        sha256 = file.sha256
        r.imported(sha256, file.digest, file.format)
        if file.data is not None and not kept.filter(sha256=sha256).exists():
            r.side(RawFile, sha256=sha256, name=file.name[:200], content=file.data)


def _write_people(r: Recorder, preview: Preview) -> list[Ref]:
    """A Ref for each name of the preview."""
    from arpad.store.many_people import add_people
    from arpad.store.models import Person

    known = [key for key in preview.people if key >= 0]
    uuids = Person.objects.using(preview.request.using).in_bulk(known)
    people = list(zip(preview.names, preview.people, strict=True))
    new = iter(add_people(r, [name for name, key in people if key < 0]))
    return [Ref("person", key, uuids[key].uuid) if key >= 0 else next(new) for _, key in people]


def _write_events(r: Recorder, preview: Preview) -> list[Ref]:
    request = preview.request
    pool = Ref("pool", request.pool.pk, request.pool.uuid)
    refs = []
    for told, event in zip(request.sheet.events, preview.events, strict=True):
        made = event.stored or r.event(told.name, told.start)
        if event.feed is None:
            r.feed(pool, made, told.event_class, told.order)
        elif event.refeed:
            r.void(event.feed.ref, r.feed(pool, made, told.event_class, told.order))
        refs.append(made)
    return refs


def _write_games(r: Recorder, preview: Preview, events: Sequence[Ref], people: Sequence[Ref]) -> None:
    from arpad.store.many_games import Names, add_game_columns

    sheet = preview.request.sheet
    place = {name: at for at, name in enumerate(preview.names)}
    persons = [people[place[name]] for name in sheet.players]
    where, who = Names(events), Names(persons)
    for stored, game in preview.changed:
        row, result = sheet.games[game], sheet.results[sheet.games.result[game]]
        made = r.game(
            events[row.event], row.day, persons[row.player1],
            persons[row.player2] if row.player2 >= 0 else None, result, round=row.round, board=row.board,
            sequence=row.sequence, stones=row.stones, weight=None if row.weight != row.weight else row.weight,
            size=row.size, line=row.line,
        )  # fmt: skip
        r.void(stored.ref, made)
    for stored in preview.withdrawn:
        r.void(stored.ref)
    games, everything = sheet.games, len(preview.new) == len(sheet.games)
    texts = [(write_result(result), result.best_of) for result in sheet.results]
    before = (games.event, games.day, games.player1, games.player2)
    after = (games.round, games.board, games.sequence, games.stones)
    for start in range(0, len(preview.new), PIECE):
        piece = preview.new[start : start + PIECE]

        def of(column: Any, piece: Any = piece, start: int = start) -> Any:
            return column[start : start + PIECE] if everything else [column[game] for game in piece]

        told, best_of = zip(*(texts[number] for number in of(games.result)), strict=True)
        weight = [None if w != w else w for w in of(games.weight)]
        columns = (*map(of, before), told, best_of, *map(of, after), weight, of(games.size), of(games.line))
        add_game_columns(r, where, who, columns)
