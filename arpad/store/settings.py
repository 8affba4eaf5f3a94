"""Django settings for the command line and the worker; the site extends them.

DATABASE_URL    e.g. postgres://user:password@host/name; default: SQLite in the data folder
ARPAD_DATA      the data folder; default ./arpad-data
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import dj_database_url

DATA = Path(os.environ.get("ARPAD_DATA") or "arpad-data").absolute()


def database(url: str) -> dict[str, Any]:
    """Django's entry for a database address, with what Arpad relies on."""
    entry: dict[str, Any] = dict(dj_database_url.parse(url, conn_max_age=None))
    if entry["ENGINE"] == "django.db.backends.sqlite3":
        entry["OPTIONS"] = {
            "timeout": 30,
            "transaction_mode": "IMMEDIATE",
            "init_command": (
                "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;"
                "PRAGMA secure_delete=ON; PRAGMA recursive_triggers=ON;"
                "PRAGMA cache_size=-65536; PRAGMA temp_store=MEMORY;"
            ),
        }
    return entry


DATABASES = {"default": database(os.environ.get("DATABASE_URL") or f"sqlite:///{DATA / 'arpad.sqlite3'}")}
INSTALLED_APPS = ["arpad.store"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
USE_TZ = True
TIME_ZONE = "UTC"
SECRET_KEY = "the command line signs nothing"
