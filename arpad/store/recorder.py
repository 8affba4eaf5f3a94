"""Writing a recording: facts with author and reason, sealed into the organisation's hash chain.

    with recording(organisation, author="2", reason="board 7 was entered the wrong way round") as r:
        r.void(game)
        r.game(...)

A small recording is one transaction. A large one (large=True) writes its facts in pieces under an
unsealed recording that no reader sees; sealing is the one small transaction. Whatever stops it in the
middle, sweep() removes what was not sealed.
"""

from __future__ import annotations

import datetime
import json
import secrets
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from operator import itemgetter
from typing import Any, NamedTuple

from django.db import IntegrityError, transaction

from arpad.domain.dates import NO_DAY
from arpad.domain.play import Application as ApplicationValue
from arpad.domain.results import Result, write_result
from arpad.ledger.facts import event_key
from arpad.store import canonical
from arpad.store.at_work import at_work
from arpad.store.bulk import analyse, at_length, insert, reserve
from arpad.store.models import (
    FACTS,
    Application,
    Correction,
    Event,
    EventInPool,
    Fact,
    Game,
    Import,
    NameKey,
    Organisation,
    ParameterChange,
    Person,
    PersonName,
    Pool,
    Posting,
    Recording,
    SamePerson,
    Text,
    Void,
)
from arpad.store.models.side import Authored
from arpad.store.names import name_parts
from arpad.store.sweeping import sweep as sweep

_PART = itemgetter(2)
ORDER = {model: place for place, model in enumerate((Text, *FACTS))}
PIECE = 20_000  # facts written at a time in a large recording: about 150 ms
NAME_KEY = ["organisation_id", "person_id", "part"]  # columns of NameKey
MANY = 5_000  # facts after which the database should look at its tables anew


class Ref(NamedTuple):
    """A fact: the kind, its integer key and its UUID."""

    kind: str
    key: int
    uuid: uuid.UUID


class LedgerMoved(Exception):
    """Something was recorded since the number the recorder was told to expect; nothing of it is kept."""


class AlreadyRecorded(Exception):
    """The idempotency key was used before; `recording` is what it recorded."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        super().__init__(f"recorded before as no. {recording.number}")


def new_salts(count: int) -> list[bytes]:
    """Random salts of 16 bytes."""
    drawn = secrets.token_bytes(16 * count)
    return [drawn[at : at + 16] for at in range(0, len(drawn), 16)]


def ref(fact: Fact) -> Ref:
    """The Ref of a fact read from the database."""
    return Ref(fact.KIND, fact.pk, fact.uuid)


@contextmanager
def recording(
    organisation: Organisation,
    *,
    author: str,
    kind: str = "edit",
    role: str = "results officer",
    reason: str = "",
    key: str | None = None,
    identity: uuid.UUID | None = None,
    large: bool = False,
    using: str = "default",
) -> Iterator[Recorder]:
    """A recorder whose facts are sealed when the block ends, and gone when it fails.

    key       an idempotency key: AlreadyRecorded is raised where it was used before
    identity  the recording's UUID (restoring an export gives the one of the original)
    """
    recorder = Recorder(organisation, author, kind, role, reason, key, identity, large, using)
    if large:
        with ExitStack() as lock:
            with transaction.atomic(using=using):
                recorder.open()
                lock.enter_context(at_work(recorder.row.uuid, using))  # before anybody can see it
            try:
                with at_length(using):
                    yield recorder
                    recorder.write()
                with transaction.atomic(using=using):
                    recorder.seal()
            except BaseException:
                sweep(using, recorder.row.pk)
                raise
        recorder.written()
        return
    with transaction.atomic(using=using):
        recorder.open()
        yield recorder
        recorder.write()
        recorder.seal()
    recorder.written()


class Recorder:
    """Collects the facts of one recording."""

    def __init__(
        self, organisation: Organisation, author: str, kind: str, role: str, reason: str, key: str | None,
        identity: uuid.UUID | None, large: bool, using: str,
    ) -> None:  # fmt: skip
        self.organisation, self.large, self.using = organisation, large, using
        self.reason = reason
        self.expected: int | None = None  # the newest recording there may be; None: any
        self.row = Recording(
            organisation=organisation, uuid=identity or uuid.uuid4(), kind=kind, author=author, role=role,
            recorded=datetime.datetime.now(datetime.UTC), key=key,
        )  # fmt: skip
        self.before_seal: list[Callable[[], None]] = []  # written together with the seal, under the lock
        self.count = 0
        self.digests: list[bytes] = []
        self._waiting: dict[Any, list[tuple[Any, ...]]] = {}
        self._columns: dict[Any, list[str]] = {}
        self._keys: dict[type[Fact], Iterator[int]] = {}
        self._blocks: dict[Any, int] = {}
        self._waits = 0

    # --- life -----------------------------------------------------------------------------------

    def open(self) -> None:
        """Insert the recording, unsealed."""
        if self.row.key is not None:
            done = (
                Recording.objects.using(self.using)
                .filter(organisation=self.organisation, key=self.row.key)
                .first()
            )
            if done is not None:
                raise AlreadyRecorded(done)
        if self.reason:
            self.row.reason_id, self.row.reason_mac = self.reason_of(self.reason)
        try:
            with transaction.atomic(using=self.using):
                self.row.save(using=self.using)
        except IntegrityError:  # somebody with the same key was a moment faster
            found = Recording.objects.using(self.using).filter(organisation=self.organisation)
            first = found.filter(key=self.row.key, key__isnull=False).first()
            if first is None:
                raise
            raise AlreadyRecorded(first) from None

    def write(self) -> None:
        """Write the facts that wait."""
        # what is referred to comes first: PostgreSQL looks at the rows of a statement when it ends
        for model, rows in sorted(self._waiting.items(), key=lambda item: ORDER.get(item[0], len(ORDER))):
            if rows:
                if model is NameKey:
                    rows.sort(key=_PART)  # the index by part is walked once
                with transaction.atomic(using=self.using):
                    insert(self.using, model, self._columns[model], rows)
                rows.clear()
        self._waits = 0

    def written(self) -> None:
        """After the end, where there was much: statistics of the tables it went into."""
        if self.count >= MANY:
            analyse(self.using, self._waiting)

    def seal(self) -> None:
        """Take the next number of the chain under the organisation's row lock.

        Raises LedgerMoved; Refused (`game-self`) where somebody would play against the same person.
        """
        from arpad.store.self_play import refuse_self_play

        locked = Organisation.objects.using(self.using).select_for_update().get(pk=self.organisation.pk)
        if self.expected is not None and locked.chain_number != self.expected:
            raise LedgerMoved(f"recording {locked.chain_number} came after {self.expected}")
        refuse_self_play(self)  # whatever others recorded since these facts were thought of
        for write in self.before_seal:
            write()
        row = self.row
        row.number, row.facts = locked.chain_number + 1, self.count
        row.digest = canonical.facts_digest(self.digests)
        row.link = canonical.link(bytes(locked.chain_link), recording_content(row), row.digest)
        row.save(using=self.using, update_fields=["number", "facts", "digest", "link"])
        Organisation.objects.using(self.using).filter(pk=locked.pk).update(
            chain_number=row.number, chain_link=row.link
        )
        self.organisation.chain_number, self.organisation.chain_link = row.number, row.link

    # --- facts ----------------------------------------------------------------------------------

    def add(self, model: type[Fact], refs: dict[str, Ref | None] | None = None, **values: Any) -> Ref:
        """Any fact: references by name, then plain columns."""
        refs = refs or {}
        content = canonical.content_text(_content(name, refs, values) for name in model.CONTENT)
        mark = canonical.mark(bytes(self.organisation.salt), model.KIND, content)
        identity = canonical.fact_uuid(self.row.uuid, self.count, mark)
        self.count += 1
        self.digests.append(canonical.fact_digest(model.KIND, identity, content))
        key = self.key(model)
        columns = {
            "id": key, "organisation_id": self.organisation.pk, "recording_id": self.row.pk, "uuid": identity,
            **{f"{name}_id": to.key if to else None for name, to in refs.items()}, **values,
        }  # fmt: skip
        names = self._columns.setdefault(model, list(columns))
        self.wait(model, names, [tuple(columns[name] for name in names)])
        self.counted(1)
        return Ref(model.KIND, key, identity)

    def wait(self, model: Any, columns: list[str], rows: Iterable[tuple[Any, ...]]) -> None:
        """Rows of a table that go with the next piece; always in the columns in which they first came."""
        if self._columns.setdefault(model, columns) != columns:
            raise AssertionError(f"{model.__name__} was written in other columns: {self._columns[model]}")
        self._waiting.setdefault(model, []).extend(rows)

    def counted(self, facts: int) -> None:
        """So many facts more wait: a large recording is written in pieces."""
        self._waits += facts
        if self.large and self._waits >= PIECE:
            self.write()

    def person(self, name: str, order_key: str = "") -> Ref:
        """Somebody new. Whether a name is somebody known is decided before (arpad.store.people)."""
        salt = secrets.token_bytes(16)
        made = self.add(
            Person,
            name_mac=canonical.text_mac(salt, name),
            order_key=order_key or canonical.order_key(bytes(self.organisation.salt), name),
        )
        self.side(
            PersonName,
            person_id=made.key,
            name=name,
            shown=True,
            first=True,
            salt=salt,
        )
        owner = self.organisation.pk
        self.wait(NameKey, NAME_KEY, [(owner, made.key, part) for part in sorted(name_parts(name))])
        return made

    def event(self, name: str, start: int = NO_DAY) -> Ref:
        """A tournament or evening; start is a day (arpad.domain.dates), NO_DAY where none is declared."""
        date = datetime.date.fromordinal(start) if start else None
        return self.add(Event, name=name, start=date, order_key=event_key(name, start))

    def game(
        self, event: Ref, day: int, player1: Ref, player2: Ref | None, result: Result, *, round: int = 0,
        board: int = 0, sequence: int = 0, stones: int = 0, weight: float | None = None, size: int = 0,
        line: int = 0,
    ) -> Ref:  # fmt: skip
        """A game as it was reported; player2 is None for a bye."""
        return self.add(
            Game,
            {"event": event, "player1": player1, "player2": player2},
            day=day, round=round, board=board, sequence=sequence, result=write_result(result),
            best_of=result.best_of, stones=stones, weight=None if weight is None else float(weight),
            size=size, line=line,
        )  # fmt: skip

    def first_rating(self, pool: Ref, person: Ref, application: ApplicationValue, day: int = NO_DAY) -> Ref:
        """A first rating in a pool; fields not given are left out of its content, the reason is a text."""
        text, mac = self.reason_of(application.reason)
        content = application_text(application._replace(reason=""))
        refs: dict[str, Ref | None] = {"pool": pool, "person": person}
        return self.add(Application, refs, day=day, content=content, reason_id=text, reason_mac=mac)

    def correction(self, pool: Ref, person: Ref, day: int, rating: float, reason: str = "") -> Ref:
        """The committee sets a rating; the reason is public."""
        text, mac = self.reason_of(reason)
        refs: dict[str, Ref | None] = {"pool": pool, "person": person}
        return self.add(Correction, refs, day=day, rating=float(rating), reason_id=text, reason_mac=mac)

    def posting(self, pool: Ref, day: int, points: float, reason: str = "") -> Ref:
        """Points for everybody who has a rating."""
        text, mac = self.reason_of(reason)
        return self.add(
            Posting, {"pool": pool}, day=day, points=float(points), reason_id=text, reason_mac=mac
        )

    def parameter(self, pool: Ref, name: str, value: float, day: int = NO_DAY) -> Ref:
        return self.add(ParameterChange, {"pool": pool}, day=day, name=name, value=float(value))

    def feed(self, pool: Ref, event: Ref, event_class: str = "", order: int = 0) -> Ref:
        """The event counts in the pool."""
        return self.add(EventInPool, {"pool": pool, "event": event}, event_class=event_class, order=order)

    def same_person(self, kept: Ref, merged: Ref) -> Ref:
        return self.add(SamePerson, {"kept": kept, "merged": merged})

    def void(self, target: Ref, replaced_by: Ref | None = None) -> Ref:
        """The target holds no more. Voiding a void makes its target hold again."""
        replacement = replaced_by.uuid if replaced_by else None
        return self.add(
            Void,
            target_kind=target.kind,
            target_uuid=target.uuid,
            target_key=target.key,
            replaced_by=replacement,
        )

    def imported(self, sha256: str, content_digest: str, format: str) -> Ref:
        return self.add(Import, sha256=sha256, content_digest=content_digest, format=format)

    def pool(self, slug: str, name: str, ruleset: str, **options: Any) -> Ref:
        """A pool under a ruleset; options are columns of the model such as policy."""
        columns = {"policy": "published-stay", "window_days": 0, "headline": "", "current": 0, **options}
        return self.add(Pool, slug=slug, name=name, ruleset=ruleset, **columns)

    # --- side rows ------------------------------------------------------------------------------

    def side(self, model: Any, **columns: Any) -> int:
        """A row of an erasable table, written with the facts and by their author. Its key is returned."""
        key = self.key(model)
        row = {"id": key, "organisation_id": self.organisation.pk, **columns}
        if issubclass(model, Authored):
            row |= {"recorded": self.row.recorded, "recorded_by": self.row.author}
        names = self._columns.setdefault(model, list(row))
        self.wait(model, names, [tuple(row[name] for name in names)])
        return key

    def text(self, body: str) -> tuple[int, bytes]:
        """Free text in its side table: its key, and the HMAC a fact keeps."""
        salt = secrets.token_bytes(16)
        key = self.side(Text, uuid=uuid.uuid4(), body=body, salt=salt, erased=False)
        return key, canonical.text_mac(salt, body)

    def reason_of(self, reason: str) -> tuple[int | None, bytes]:
        return self.text(reason) if reason else (None, b"")

    def key(self, model: Any) -> int:
        """The next integer key of a table, from a block that is reserved."""
        keys = self._keys.get(model)
        key = next(keys, None) if keys is not None else None
        if key is None:
            # ever larger blocks: an evening takes few keys, a file of games is not one query a dozen
            block = self._blocks[model] = min(PIECE, 4 * self._blocks.get(model, PIECE if self.large else 4))
            keys = self._keys[model] = iter(reserve(self.using, model, block))
            key = next(keys)
        return key


def _content(name: str, refs: dict[str, Ref | None], values: dict[str, Any]) -> Any:
    if name in refs:
        to = refs[name]
        return to.uuid if to else None
    return values[name]


def recording_content(row: Recording) -> tuple[Any, ...]:
    """What the chain says of a recording."""
    when = row.recorded.astimezone(datetime.UTC).isoformat(timespec="microseconds")
    return (row.number, row.uuid, row.kind, row.author, row.role, bytes(row.reason_mac), when)


def application_text(application: ApplicationValue) -> str:
    """JSON of what is given, keys sorted; application_value() reads it back."""
    default = ApplicationValue()
    given = {k: v for k, v in application._asdict().items() if v != getattr(default, k)}
    return json.dumps(given, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def application_value(text: str) -> ApplicationValue:
    """The application written by application_text()."""
    return ApplicationValue(**json.loads(text))
