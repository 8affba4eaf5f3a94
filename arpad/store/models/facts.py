"""Facts: written once, never changed, refused UPDATE and DELETE by triggers once sealed.

Every fact has a UUID (what digests and exports speak of), an integer key (internal, in no digest),
its organisation and the recording that brought it. `canonical()` is its content for the hash chain.
"""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import models

from arpad.store.models.tenancy import same_organisation

CANONICAL_VERSION = 1  # of the form below; a recording is verified under the version it was made with


class Fact(models.Model):
    """What all facts have. `CONTENT` names the columns that are hashed, in order."""

    CONTENT: ClassVar[tuple[str, ...]] = ()
    KIND: ClassVar[str] = ""

    id = models.BigAutoField(primary_key=True)
    # no index of its own: the key with the organisation has one; no constraint either: the one of the
    # recording contains it, and each costs a bulk import seconds
    organisation = models.ForeignKey(
        "store.Organisation", models.PROTECT, related_name="+", db_index=False, db_constraint=False
    )
    recording = models.ForeignKey(
        "store.Recording", models.PROTECT, db_constraint=False, related_name="+", db_index=True
    )
    uuid = models.UUIDField(unique=True, editable=False)

    class Meta:
        abstract = True


def _facts(prefix: str, set_wise: bool = False, **columns: str) -> list[Any]:
    """Constraints of a fact: its key with its organisation, its recording, and what it refers to.

    `set_wise`: facts that come by the thousand.
    """
    key = models.UniqueConstraint(fields=["organisation", "id"], name=f"{prefix}_org")
    return [key, *same_organisation(prefix, set_wise, recording="Recording", **columns)]


def _to(model: str, **options: Any) -> Any:
    """A reference inside the organisation; the composite constraint keeps it there."""
    options = {"db_constraint": False, "related_name": "+", "db_index": False, **options}
    return models.ForeignKey(f"store.{model}", models.PROTECT, **options)


class Person(Fact):
    """Somebody who plays. The name is in a side table; its HMAC and the order key stay."""

    KIND, CONTENT = "person", ("name_mac", "order_key")
    name_mac = models.BinaryField(max_length=32)
    order_key = models.CharField(max_length=16)  # HMAC of the name as first reported: breaks last ties

    class Meta:
        constraints = _facts("person", set_wise=True)


class Club(Fact):
    KIND, CONTENT = "club", ("name",)
    name = models.CharField(max_length=120)

    class Meta:
        constraints = _facts("club")


class Membership(Fact):
    KIND, CONTENT = "membership", ("person", "club", "since", "until")
    person, club = _to("Person"), _to("Club")
    since = models.DateField(null=True)
    until = models.DateField(null=True)

    class Meta:
        constraints = _facts("membership", person="Person", club="Club")
        indexes = [
            models.Index(fields=["person"], name="membership_person"),
            models.Index(fields=["club"], name="membership_club"),
        ]


class Pool(Fact):
    """Players rated together under one ruleset. Only its pointer to the current settlement moves."""

    KIND, CONTENT = "pool", ("slug", "ruleset")
    slug = models.SlugField(max_length=60)
    name = models.CharField(max_length=120)
    ruleset = models.CharField(max_length=40)
    policy = models.CharField(max_length=20, default="published-stay")  # or "recompute", "window"
    window_days = models.IntegerField(default=0)
    headline = models.CharField(max_length=20, default="")  # "live", "published"; "" = by the period
    current = models.BigIntegerField(default=0)  # number of the current settlement; 0 = none

    class Meta:
        constraints = [
            *_facts("pool"),
            models.UniqueConstraint(fields=["organisation", "slug"], name="pool_slug"),
        ]


class Import(Fact):
    """A file that was read: its sha256, and the digest of what it says in whatever order of rows."""

    KIND, CONTENT = "import", ("sha256", "content_digest", "format")
    sha256 = models.CharField(max_length=64)
    content_digest = models.CharField(max_length=64, db_index=True)
    format = models.CharField(max_length=30)

    class Meta:
        constraints = _facts("import")


class Event(Fact):
    """A tournament, evening or round of a league; renaming or moving it is a new event and voids."""

    KIND, CONTENT = "event", ("name", "start", "order_key")
    name = models.CharField(max_length=200)  # "" = games without an event, one event a day
    start = models.DateField(null=True)
    order_key = models.CharField(max_length=16)

    class Meta:
        constraints = _facts("event")
        indexes = [models.Index(fields=["organisation", "name"], name="event_name")]


class EventInPool(Fact):
    """An event feeds a pool, with the class it has there."""

    KIND, CONTENT = "event-in-pool", ("pool", "event", "event_class", "order")
    pool, event = _to("Pool"), _to("Event")
    event_class = models.CharField(max_length=10, default="")
    order = models.IntegerField(default=0)

    class Meta:
        constraints = _facts("eventinpool", pool="Pool", event="Event")
        indexes = [models.Index(fields=["pool"], name="eventinpool_pool")]


class Game(Fact):
    """One game as it was entered; player2 is empty for a bye."""

    KIND = "game"
    CONTENT = (
        "event", "day", "round", "board", "sequence", "player1", "player2", "result", "best_of",
        "stones", "weight", "size", "line",
    )  # fmt: skip
    event = _to("Event", db_index=True)
    day = models.IntegerField()  # proleptic ordinal of the local playing day
    round = models.IntegerField(default=0)
    board = models.IntegerField(default=0)
    sequence = models.IntegerField(default=0)
    player1 = _to("Person")
    player2 = _to("Person", null=True)
    result = models.CharField(max_length=16)
    best_of = models.SmallIntegerField(default=0)
    stones = models.SmallIntegerField(default=0)
    weight = models.FloatField(null=True)
    size = models.SmallIntegerField(default=0)
    line = models.IntegerField(default=0)  # where it stood in its file; no rating looks at it

    class Meta:
        # nothing refers to a game inside its organisation, so that key has no index here
        constraints = same_organisation(
            "game", set_wise=True, recording="Recording", event="Event", player1="Person", player2="Person"
        )


class Application(Fact):
    """A first rating in a pool: what is known of a newcomer, as JSON with sorted keys, without the reason."""

    KIND, CONTENT = "application", ("pool", "person", "day", "content", "reason_mac")
    pool, person = _to("Pool"), _to("Person")
    day = models.IntegerField(default=0)  # 0 = before everything
    content = models.CharField(max_length=500)
    reason = _to("Text", null=True)  # public
    reason_mac = models.BinaryField(max_length=32, default=b"")

    class Meta:
        constraints = [
            *_facts("application", set_wise=True, pool="Pool", person="Person"),
            *same_organisation("application", reason="Text"),
        ]
        indexes = [models.Index(fields=["pool"], name="application_pool")]


class Correction(Fact):
    KIND, CONTENT = "correction", ("pool", "person", "day", "rating", "reason_mac")
    pool, person = _to("Pool"), _to("Person")
    day = models.IntegerField()
    rating = models.FloatField()  # points
    reason = _to("Text", null=True)  # public
    reason_mac = models.BinaryField(max_length=32, default=b"")

    class Meta:
        constraints = _facts("correction", pool="Pool", person="Person", reason="Text")


class Posting(Fact):
    KIND, CONTENT = "posting", ("pool", "day", "points", "reason_mac")
    pool = _to("Pool")
    day = models.IntegerField()
    points = models.FloatField()
    reason = _to("Text", null=True)
    reason_mac = models.BinaryField(max_length=32, default=b"")

    class Meta:
        constraints = _facts("posting", pool="Pool", reason="Text")


class ParameterChange(Fact):
    """A club's own parameter from a day on."""

    KIND, CONTENT = "parameter", ("pool", "day", "name", "value")
    pool = _to("Pool")
    day = models.IntegerField(default=0)
    name = models.CharField(max_length=40)
    value = models.FloatField()

    class Meta:
        constraints = _facts("parameter", pool="Pool")


class SamePerson(Fact):
    KIND, CONTENT = "merge", ("kept", "merged")
    kept, merged = _to("Person"), _to("Person")

    class Meta:
        constraints = _facts("sameperson", kept="Person", merged="Person")


class Void(Fact):
    """A fact no longer holds; voiding a void makes it hold again."""

    KIND, CONTENT = "void", ("target_kind", "target_uuid", "replaced_by")
    target_kind = models.CharField(max_length=20)
    target_uuid = models.UUIDField(db_index=True)
    target_key = models.BigIntegerField()  # its integer key
    replaced_by = models.UUIDField(null=True)

    class Meta:
        constraints = _facts("void")


FACTS: tuple[type[Fact], ...] = (
    Person, Club, Membership, Pool, Import, Event, EventInPool, Game, Application, Correction, Posting,
    ParameterChange, SamePerson, Void,
)  # fmt: skip
WITH_REASON: tuple[type[Fact], ...] = (Application, Correction, Posting)  # a Text, and its HMAC
