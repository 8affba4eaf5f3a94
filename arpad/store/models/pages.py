"""What the site needs to know beside the ledger: who may see what, and what an organisation says of itself.

Settings and privacy choices, no facts: they change in place, stand in no digest and can be erased.
"""

from __future__ import annotations

from django.db import models

from arpad.store.models.tenancy import same_organisation

MINORS = ("initial", "hidden", "full")  # how the name of a minor is shown
AGES = ("minor", "adult")  # what somebody of unknown age counts as, for privacy
VISIBLE = ("public", "unlisted", "members")


class OrganisationPage(models.Model):
    """An organisation on the site. Without a row it is private and careful."""

    organisation = models.OneToOneField("store.Organisation", models.CASCADE, related_name="page")
    open = models.BooleanField(default=False)  # visitors may see its public pools
    introduction = models.TextField(default="", blank=True)  # plain text, its own words
    committee = models.TextField(default="", blank=True)
    contact = models.CharField(max_length=200, default="", blank=True)
    corrections = models.TextField(default="", blank=True)  # its policy, in words
    closing = models.CharField(max_length=200, default="", blank=True)  # when lists close and appear
    minors = models.CharField(max_length=10, default="initial")
    unknown_age = models.CharField(max_length=10, default="minor")
    initial_of = models.CharField(max_length=10, default="core")  # "core" (NL, FR, DE) or "whole" (BE)
    privacy_version = models.BigIntegerField(default=0)  # rises with every choice that hides or shows


class PoolPage(models.Model):
    """A pool on the site. Without a row it is public within its organisation, and no youth pool."""

    organisation = models.ForeignKey("store.Organisation", models.CASCADE, related_name="+")
    pool = models.OneToOneField("store.Pool", models.CASCADE, db_constraint=False, related_name="page")
    visible = models.CharField(max_length=10, default="public")
    youth = models.BooleanField(default=False)  # who is of unknown age is a minor
    quiet = models.BooleanField(default=False)  # ratings are not shown unless asked for
    order = models.IntegerField(default=0)

    class Meta:
        constraints = same_organisation("poolpage", pool="Pool")


class PersonPrivacy(models.Model):
    """What a person (or a parent) chose. The stricter of this and the organisation's policy holds."""

    organisation = models.ForeignKey("store.Organisation", models.CASCADE, related_name="+")
    person = models.OneToOneField("store.Person", models.CASCADE, db_constraint=False, related_name="privacy")
    shown = models.CharField(max_length=10)  # of MINORS; "full" is a consent
    decided = models.DateTimeField()
    by = models.CharField(max_length=40, default="", blank=True)  # author number

    class Meta:
        constraints = same_organisation("personprivacy", person="Person")
