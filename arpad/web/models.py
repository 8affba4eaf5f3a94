"""Who may do what: roles of accounts in organisations. An account itself is Django's user."""

from __future__ import annotations

from django.conf import settings
from django.db import models

ENTRY, OFFICER, ADMIN = "entry", "officer", "admin"
ROLES = (ENTRY, OFFICER, ADMIN)  # each may do what those before it may


class Role(models.Model):
    """An account's role in an organisation, until a day. `author`: its number in the ledger, no name."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="roles")
    organisation = models.ForeignKey("store.Organisation", models.CASCADE, related_name="+")
    club = models.ForeignKey("store.Club", models.CASCADE, null=True, db_constraint=False, related_name="+")
    role = models.CharField(max_length=10)
    author = models.CharField(max_length=40)
    until = models.DateField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "organisation"], name="role_user"),
            models.UniqueConstraint(fields=["organisation", "author"], name="role_author"),
        ]
