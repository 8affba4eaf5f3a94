"""Derived rows: what settling computed. Every one can be dropped and is made again, to the same digest.

A row that changed is inserted with its settlement's number, never updated; readers take the newest
row not above the pool's current settlement.

Change and Standing have no foreign keys: they are made from facts, which have them, by the million, and a
key costs a PostgreSQL server five times what the row itself does. `arpad verify` holds every row against
a replay.
"""

from __future__ import annotations

from typing import Any

from django.db import models

from arpad.store.models.tenancy import same_organisation


def _to(model: str, **options: Any) -> Any:
    options = {"db_constraint": False, "related_name": "+", "db_index": False, **options}
    return models.ForeignKey(f"store.{model}", models.CASCADE, **options)


class Settlement(models.Model):
    """One settling of a pool: up to which recording, what it changed, how long it took."""

    organisation = models.ForeignKey("store.Organisation", models.PROTECT)
    pool = models.ForeignKey("store.Pool", models.PROTECT, db_constraint=False, related_name="settlements")
    number = models.BigIntegerField()  # 1, 2, 3 ... in its pool
    through = models.BigIntegerField()  # the newest recording it contains
    full = models.BooleanField(default=False)
    done = models.BooleanField(default=False)
    digest = models.CharField(max_length=64, default="")  # of every number of the replay
    ruleset_digest = models.CharField(max_length=64, default="")
    rows_changed = models.BigIntegerField(default=0)
    rows_written = models.BigIntegerField(default=0)
    players_changed = models.BigIntegerField(default=0)
    rated_through = models.IntegerField(default=0)  # last day played
    started = models.DateTimeField()
    seconds = models.FloatField(default=0.0)

    class Meta:
        constraints = [
            *same_organisation("settlement", pool="Pool"),
            models.UniqueConstraint(fields=["organisation", "id"], name="settlement_org"),
            models.UniqueConstraint(fields=["pool", "number"], name="settlement_number"),
        ]


class Change(models.Model):
    """One step of one player's rating: a side of a game, a period's settlement, or an act.

    kind 0 = game, 1 = settlement of a period, 2 = entry, 3 = posting, 4 = correction. `subject` is the
    game's key (kind 0), the period (kind 1: the event's key or the month), the day of an entry, or the
    fact's key (kinds 3 and 4; a posting of the ruleset itself: minus its day).
    Ratings are grains, the ruleset's UNRATED where there is none; `after` is null where the row does
    not close anything (a game in a longer period).
    """

    organisation = _to("Organisation")
    pool = _to("Pool")
    settlement = models.BigIntegerField()
    person = _to("Person")
    kind = models.SmallIntegerField()
    subject = models.BigIntegerField()
    day = models.IntegerField()  # on which it counts
    place = models.BigIntegerField()  # orders the rows of a day: rises in playing order
    opponent = models.BigIntegerField(default=0)  # person's key; 0: none
    before = models.IntegerField()
    expected = models.IntegerField(default=-1)  # millionths; -1: not rated
    change = models.IntegerField(default=0)  # the ruleset's change unit
    after = models.IntegerField(null=True)
    gone = models.BooleanField(default=False)  # the row exists no more from this settlement on

    class Meta:
        indexes = [
            models.Index(fields=["pool", "person", "kind", "subject"], name="change_person"),
            models.Index(fields=["pool", "settlement"], name="change_settlement"),
        ]


class Standing(models.Model):
    """A player's line in the pool's list as it is now."""

    organisation = _to("Organisation")
    pool = _to("Pool")
    settlement = models.BigIntegerField()
    person = _to("Person")
    rating = models.IntegerField()  # grains; UNRATED
    label = models.CharField(max_length=20)
    games = models.IntegerField()
    last_played = models.IntegerField(default=0)
    state = models.CharField(max_length=200)  # JSON list of the ruleset's State
    gone = models.BooleanField(default=False)

    class Meta:
        indexes = [
            models.Index(fields=["pool", "person", "settlement"], name="standing_person"),
            models.Index(fields=["pool", "rating"], name="standing_rating"),
        ]


class Effect(models.Model):
    """A player whose shown rating changed in a settlement: where first, from what to what, and why.

    The cause is another player's effect in the same settlement (`through`), or a fact (`fact_kind`,
    `fact_key`, `cause`: added, gone, changed) of a recording.
    """

    organisation = models.ForeignKey("store.Organisation", models.PROTECT, db_index=False)
    pool = _to("Pool")
    settlement = models.BigIntegerField()
    person = _to("Person")
    day = models.IntegerField()  # of the first row that changed
    kind = models.SmallIntegerField()  # of that row, as Change.kind
    subject = models.BigIntegerField()
    old = models.IntegerField(null=True)  # rating there before; null: no such row
    new = models.IntegerField(null=True)
    old_now = models.IntegerField(null=True)  # the current rating before and after this settlement
    new_now = models.IntegerField(null=True)
    old_label = models.CharField(max_length=20, default="")
    new_label = models.CharField(max_length=20, default="")
    cause = models.CharField(max_length=20)  # "fact-added", "fact-gone", "fact-changed", "opponent", "rules"
    through = models.BigIntegerField(default=0)  # person whose effect this follows from
    through_game = models.BigIntegerField(default=0)  # in which game they met
    fact_kind = models.CharField(max_length=20, default="")
    fact_key = models.BigIntegerField(default=0)
    recording = models.BigIntegerField(default=0)  # number of the recording that brought the fact

    class Meta:
        constraints = same_organisation("effect", pool="Pool", person="Person")
        indexes = [
            models.Index(fields=["pool", "settlement"], name="effect_settlement"),
            models.Index(fields=["pool", "person"], name="effect_person"),
        ]


class RatingList(models.Model):
    """A published list: frozen, hashed, dated. A wrong one is withdrawn and replaced; both are kept."""

    organisation = models.ForeignKey("store.Organisation", models.PROTECT)
    pool = models.ForeignKey("store.Pool", models.PROTECT, db_constraint=False, related_name="lists")
    uuid = models.UUIDField(unique=True)
    day = models.IntegerField()  # the day it says
    version = models.IntegerField(default=1)
    published = models.DateTimeField()
    author = models.CharField(max_length=40)
    through = models.BigIntegerField()  # recording known then
    settlement = models.BigIntegerField()
    ruleset_digest = models.CharField(max_length=64)
    digest = models.CharField(max_length=64)
    withdrawn = models.DateTimeField(null=True)
    withdrawn_reason = models.ForeignKey(
        "store.Text", models.PROTECT, null=True, db_constraint=False, related_name="+"
    )

    class Meta:
        constraints = [
            *same_organisation("ratinglist", pool="Pool"),
            models.UniqueConstraint(fields=["organisation", "id"], name="ratinglist_org"),
            models.UniqueConstraint(fields=["pool", "day", "version"], name="ratinglist_version"),
        ]


class ListEntry(models.Model):
    """One line of a published list: ids and numbers only; the name is put in when it is shown."""

    organisation = models.ForeignKey("store.Organisation", models.PROTECT, db_index=False)
    list = models.ForeignKey(RatingList, models.PROTECT, db_constraint=False, related_name="entries")
    person = _to("Person")
    rating = models.IntegerField()
    label = models.CharField(max_length=20)
    games = models.IntegerField()

    class Meta:
        constraints = same_organisation("listentry", list="RatingList", person="Person")
        indexes = [models.Index(fields=["list", "person"], name="listentry_person")]


class Lease(models.Model):
    """Who settles a pool now. `fence` rises with every holder, so that a late one can be turned away."""

    pool = models.OneToOneField("store.Pool", models.CASCADE, primary_key=True, db_constraint=False)
    holder = models.CharField(max_length=80, default="")
    fence = models.BigIntegerField(default=0)
    until = models.FloatField(default=0.0)  # seconds since 1970
