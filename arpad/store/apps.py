"""The Django application: triggers are put back after every migration."""

from __future__ import annotations

from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class StoreConfig(AppConfig):
    name = "arpad.store"
    label = "store"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        post_migrate.connect(_guard, sender=self)


def _guard(using: str, **_: Any) -> None:
    """SQLite drops a table's triggers when a migration remakes it, so they are made again each time."""
    from arpad.store.triggers import install

    install(using)
