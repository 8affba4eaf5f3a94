"""`arpad init` goes on where a full disk or a kill stopped it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.conftest import Arpad


def forget(file: Path) -> None:
    """The state between the tables and the note that they are there."""
    from django.db import connections

    connections.close_all()
    with closing(sqlite3.connect(file)) as database:
        database.execute("DELETE FROM django_migrations WHERE app IN ('store', 'web')")
        database.commit()


@pytest.mark.parametrize("used", [False, True])
def test_tables_that_were_made_but_not_noted(arpad: Arpad, folder: Path, used: bool) -> None:
    assert arpad("init", "--data", "new").status == 0
    if used:  # then it is no first start, and nothing may go
        assert arpad("organisation", "add", "Our club", "--data", "new").status == 0
    forget(folder / "new" / "arpad.sqlite3")
    done = arpad("init", "--data", "new")
    if used:
        assert done.status == 1 and "database-failed" in done.err
        with closing(sqlite3.connect(folder / "new" / "arpad.sqlite3")) as database:
            assert database.execute("SELECT count(*) FROM store_organisation").fetchone() == (1,)
    else:
        assert done.status == 0, done.err
        assert arpad("organisation", "add", "Our club", "--data", "new").status == 0
        assert arpad("verify", "--data", "new").status == 0
