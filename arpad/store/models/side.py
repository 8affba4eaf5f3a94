"""Erasable side tables: names, dates of birth, outside ids, free text, raw files. No fact stands here."""

from __future__ import annotations

import datetime
import secrets
import uuid

from django.db import models

from arpad.store.models.tenancy import same_organisation


def _salt() -> bytes:
    return secrets.token_bytes(16)


def _now() -> datetime.datetime:
    return datetime.datetime.now(datetime.UTC)


class Authored(models.Model):
    """A row that somebody wrote: who (an author number, never a name) and when (UTC)."""

    recorded = models.DateTimeField(default=_now)
    recorded_by = models.CharField(max_length=40, default="")

    class Meta:
        abstract = True


class Text(models.Model):
    """Free text that facts refer to. A fact keeps its HMAC; erasing deletes body and salt."""

    organisation = models.ForeignKey("store.Organisation", models.PROTECT)
    uuid = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    body = models.TextField(default="")
    salt = models.BinaryField(max_length=16, default=_salt)
    erased = models.BooleanField(default=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["organisation", "id"], name="text_org")]


class PersonName(Authored):
    """A name a person goes or went by."""

    organisation = models.ForeignKey("store.Organisation", models.PROTECT)
    person = models.ForeignKey("store.Person", models.PROTECT, db_constraint=False, related_name="names")
    name = models.CharField(max_length=200)
    shown = models.BooleanField(default=False)  # the one that lists show
    first = models.BooleanField(default=False)  # as first reported: the fact keeps its HMAC
    salt = models.BinaryField(max_length=16, default=_salt)

    class Meta:
        indexes = [models.Index(fields=["organisation", "name"], name="name_lookup")]
        constraints = same_organisation("personname", set_wise=True, person="Person")


class NameKey(models.Model):
    """Folded parts of names for searching; rebuilt with the names, erased with them."""

    organisation = models.ForeignKey("store.Organisation", models.PROTECT, db_index=False)
    person = models.ForeignKey(
        "store.Person", models.PROTECT, db_constraint=False, related_name="+", db_index=False
    )
    part = models.CharField(max_length=80)

    class Meta:
        # by bytes on both databases, whatever the collation: a prefix is then a range of the index
        indexes = [
            models.Index(
                fields=["organisation", "part"],
                name="namekey_part",
                opclasses=["int8_ops", "varchar_pattern_ops"],
            ),
            models.Index(fields=["person"], name="namekey_person"),
        ]
        constraints = same_organisation("namekey", set_wise=True, person="Person")


class BirthDate(Authored):
    """A date of birth, for privacy only; the year a ruleset needs stands in the application."""

    organisation = models.ForeignKey("store.Organisation", models.PROTECT)
    person = models.ForeignKey("store.Person", models.PROTECT, db_constraint=False, related_name="+")
    year = models.IntegerField()
    day = models.DateField(null=True)

    class Meta:
        constraints = [
            *same_organisation("birthdate", person="Person"),
            models.UniqueConstraint(fields=["person"], name="birthdate_person"),
        ]


class PersonDetail(Authored):
    """Sex, title and federation, for lists and reports alone; nothing is rated by them."""

    organisation = models.ForeignKey("store.Organisation", models.PROTECT)
    person = models.ForeignKey("store.Person", models.PROTECT, db_constraint=False, related_name="+")
    sex = models.CharField(max_length=1, default="")  # "f", "m", "x"; "": not known
    title = models.CharField(max_length=5, default="")  # as FIDE writes it: GM, WFM
    federation = models.CharField(max_length=10, default="")  # as it was told: BEL, BE
    told = models.DateField(null=True)  # of which day it is: what is older does not replace it

    class Meta:
        constraints = [
            *same_organisation("persondetail", person="Person"),
            models.UniqueConstraint(fields=["person"], name="persondetail_person"),
        ]


class OutsideId(Authored):
    """FIDE id, national number, EGD PIN, licence; with the days between which it held."""

    organisation = models.ForeignKey("store.Organisation", models.PROTECT)
    person = models.ForeignKey(
        "store.Person", models.PROTECT, db_constraint=False, related_name="outside_ids"
    )
    kind = models.CharField(max_length=20)
    value = models.CharField(max_length=40)
    since = models.DateField(null=True)
    until = models.DateField(null=True)

    class Meta:
        indexes = [models.Index(fields=["organisation", "kind", "value"], name="outsideid_lookup")]
        constraints = same_organisation("outsideid", person="Person")


class Decision(Authored):
    """A spelling that was decided once: it is this person, or (person empty) somebody new each time."""

    organisation = models.ForeignKey("store.Organisation", models.PROTECT)
    spelling = models.CharField(max_length=200)
    person = models.ForeignKey(
        "store.Person", models.PROTECT, null=True, db_constraint=False, related_name="+"
    )

    class Meta:
        constraints = [
            *same_organisation("decision", person="Person"),
            models.UniqueConstraint(fields=["organisation", "spelling"], name="decision_spelling"),
        ]


class KeptApart(Authored):
    """Two persons an officer found to be different: namesakes that are never suggested to be one."""

    organisation = models.ForeignKey("store.Organisation", models.PROTECT)
    person = models.ForeignKey("store.Person", models.PROTECT, db_constraint=False, related_name="+")
    other = models.ForeignKey("store.Person", models.PROTECT, db_constraint=False, related_name="+")

    class Meta:
        constraints = [
            *same_organisation("keptapart", person="Person", other="Person"),
            models.UniqueConstraint(fields=["person", "other"], name="keptapart_pair"),
        ]


class PersonStatus(Authored):
    """From a day on a person has left, is not to be listed, or is deceased: out of lists and type-ahead."""

    organisation = models.ForeignKey("store.Organisation", models.PROTECT)
    person = models.ForeignKey("store.Person", models.PROTECT, db_constraint=False, related_name="+")
    status = models.CharField(max_length=20)  # "left", "not listed", "deceased"
    since = models.DateField()
    until = models.DateField(null=True)

    class Meta:
        constraints = same_organisation("personstatus", person="Person")


class RawFile(models.Model):
    """The bytes of an uploaded file; the fact Import keeps their sha256."""

    organisation = models.ForeignKey("store.Organisation", models.PROTECT)
    sha256 = models.CharField(max_length=64)
    name = models.CharField(max_length=200)
    content = models.BinaryField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["organisation", "sha256"], name="rawfile_sha")]
