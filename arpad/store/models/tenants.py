"""Organisations and their recordings."""

from __future__ import annotations

import secrets
import uuid

from django.db import models


def _salt() -> bytes:
    return secrets.token_bytes(16)


class Organisation(models.Model):
    """A tenant. Its row is locked while a recording takes its number in the chain."""

    uuid = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=120)
    language = models.CharField(max_length=5, default="en")
    time_zone = models.CharField(max_length=60, default="Europe/Brussels")
    salt = models.BinaryField(max_length=16, default=_salt)  # of its order keys; never exported publicly
    chain_number = models.BigIntegerField(default=0)  # number of the newest sealed recording
    chain_link = models.BinaryField(max_length=32, default=bytes(32))

    def __str__(self) -> str:
        return self.name


class Recording(models.Model):
    """One transaction of facts with author and reason: the unit of preview, undo and cause.

    Without a number it is unsealed: invisible to every reader and in no chain.
    """

    organisation = models.ForeignKey(Organisation, models.PROTECT)
    uuid = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    number = models.BigIntegerField(null=True)  # place in the organisation's chain, from 1
    kind = models.CharField(max_length=20)  # import, edit, evening, merge, ...
    author = models.CharField(max_length=40)  # an author number and role, never a name
    role = models.CharField(max_length=40, default="results officer")
    reason = models.ForeignKey("store.Text", models.PROTECT, null=True, db_constraint=False, related_name="+")
    reason_mac = models.BinaryField(max_length=32, default=b"")
    recorded = models.DateTimeField()  # UTC
    facts = models.BigIntegerField(default=0)
    digest = models.BinaryField(max_length=32, default=b"")  # of its facts
    link = models.BinaryField(max_length=32, default=b"")  # sha256(previous link + what this says)
    key = models.CharField(max_length=120, null=True)  # idempotency key

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organisation", "id"], name="recording_org"),
            models.UniqueConstraint(fields=["organisation", "number"], name="recording_number"),
            models.UniqueConstraint(fields=["organisation", "key"], name="recording_key"),
        ]

    def __str__(self) -> str:
        return f"recording {self.number}" if self.number else "an unsealed recording"
