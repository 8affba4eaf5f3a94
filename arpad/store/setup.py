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
        _sweep_half_made()
    call_command("migrate", verbosity=0, interactive=False)


def _sweep_half_made() -> None:
    """Take tables away that were made, but not noted as made, when the disk was full or the process died.

    The library notes a first migration after its tables are there; without the note every later start
    stops at tables that exist. Only where nothing was ever recorded in them.
    """
    from django.apps import apps
    from django.db import connection

    tables = set(connection.introspection.table_names())
    if "store_organisation" not in tables or "django_migrations" not in tables:
        return
    ours = {config.label for config in apps.get_app_configs() if config.name.startswith("arpad.")}
    with connection.cursor() as cursor:
        cursor.execute("SELECT DISTINCT app FROM django_migrations")
        noted = {app for (app,) in cursor.fetchall()}
        cursor.execute("SELECT EXISTS (SELECT 1 FROM store_organisation)")
        (used,) = cursor.fetchone()
        if used:
            return
        cursor.execute("PRAGMA foreign_keys = OFF")
        for table in sorted(tables):
            if table.partition("_")[0] in ours - noted:
                cursor.execute(f'DROP TABLE IF EXISTS "{table}"')
        cursor.execute("PRAGMA foreign_keys = ON")
