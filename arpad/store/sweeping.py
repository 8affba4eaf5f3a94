"""Removing what a crash left: recordings that were never sealed, with everything that came with them."""

from __future__ import annotations

from typing import Any

from django.apps import apps
from django.db import models, transaction
from django.db.models import Q

from arpad.store.at_work import is_at_work
from arpad.store.bulk import raw_delete
from arpad.store.models import FACTS, WITH_REASON, Import, Person, RawFile, Recording, Text


def sweep(using: str = "default", recording_key: int | None = None, *, spare: bool = False) -> int:
    """Remove unsealed recordings (or one of them) with their facts; how many there were.

    spare  leave those that another connection is writing now, as every start must (arpad.store.starting)
    """
    unsealed = Recording.objects.using(using).filter(number=None)
    if recording_key is not None:
        unsealed = unsealed.filter(pk=recording_key)
    found = list(unsealed.values_list("pk", "uuid"))
    return sum(_sweep(key, using) for key, identity in found if not (spare and is_at_work(identity, using)))


def _sweep(key: int, using: str) -> bool:
    with transaction.atomic(using=using):
        # A killed writer's last piece may still be on its way in the database server. It needs this row:
        # it came before us, then we wait for it and see it, or it comes after us and is refused.
        recordings = Recording.objects.using(using).filter(pk=key, number=None)
        row = recordings.select_for_update().first()
        if row is None:
            return False
        texts = _texts(row, using)
        files = list(Import.objects.using(using).filter(recording_id=key).values_list("sha256", flat=True))
        people = Person.objects.using(using).filter(recording_id=key)
        for model, fields in _about_people():
            about = Q()
            for name in fields:
                about |= Q(**{f"{name}__in": people})
            model._default_manager.using(using).filter(about).delete()
        for fact in reversed(FACTS):
            raw_delete(using, fact, key)
        recordings.delete()
        Text.objects.using(using).filter(pk__in=texts).delete()
        mine = Import.objects.using(using).filter(organisation_id=row.organisation_id)
        kept = set(mine.filter(sha256__in=files).values_list("sha256", flat=True))
        gone = [sha256 for sha256 in files if sha256 not in kept]
        raw = RawFile.objects.using(using).filter(organisation_id=row.organisation_id)
        raw.filter(sha256__in=gone).delete()
    return True


def _texts(row: Recording, using: str) -> list[int]:
    """Keys of the reasons that came with a recording."""
    found = [row.reason_id]
    for model in WITH_REASON:
        reasons: models.QuerySet[Any] = model._default_manager.using(using).filter(recording_id=row.pk)
        found += reasons.values_list("reason_id", flat=True)
    return [key for key in found if key is not None]


def _about_people() -> list[tuple[type[models.Model], list[str]]]:
    """The erasable tables that speak of people, with the fields that do."""
    found = []
    for model in apps.get_app_config("store").get_models():
        fields = [field.name for field in model._meta.local_concrete_fields if field.related_model is Person]
        if fields and model.__module__ == Text.__module__:
            found.append((model, fields))
    return found
