"""Starts Django for the command line; the site does it by itself."""

from __future__ import annotations

import os


def start() -> None:
    """Load the settings and models. Harmless when done twice."""
    import django
    from django.apps import apps

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arpad.store.settings")
    if not apps.ready:
        django.setup()


def migrate() -> None:
    """Make or update the tables of the database in use."""
    from django.conf import settings
    from django.core.management import call_command

    if settings.DATABASES["default"]["ENGINE"].endswith("sqlite3"):
        from pathlib import Path

        Path(settings.DATABASES["default"]["NAME"]).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    call_command("migrate", verbosity=0, interactive=False)
