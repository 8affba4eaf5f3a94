"""What the commands of the ledger share: which database, which organisation, which pool.

with_database(data)                     DATABASE_URL, else arpad.sqlite3 in --data (default arpad-data)
organisation = find_organisation(name)  "" = the only one
pool = find_pool(organisation, name)    "" = the only one
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arpad.domain.problems import FATAL, Problem, Refused

if TYPE_CHECKING:
    from arpad.store.models import Organisation, Pool

Data = Annotated[
    Path | None,
    typer.Option(
        "--data", help="The data folder; default arpad-data. DATABASE_URL goes before it.", metavar="DIR"
    ),
]
OrganisationOption = Annotated[
    str, typer.Option("--organisation", help="Its short name; not needed where there is one.", metavar="O")
]
PoolOption = Annotated[
    str, typer.Option("--pool", help="Its short name; not needed where there is one.", metavar="P")
]
Author = Annotated[
    str, typer.Option("--author", help="The number of who does it, never a name.", metavar="NUMBER")
]
Reason = Annotated[str, typer.Option("--reason", help="Why: kept with the recording.", metavar="TEXT")]
OPERATOR = "0"  # who works on the server's console


def start(data: Path | None = None) -> None:
    """Start Django on the database in use, whether it has tables or not."""
    if data is not None:
        os.environ["ARPAD_DATA"] = str(data)
    from arpad.store import setup

    setup.start()
    _point(data)


def with_database(data: Path | None = None, *, create: bool = False) -> None:
    """Start Django on the database in use. Raises Refused where it has no tables; `create` makes them."""
    start(data)
    from django.db import DatabaseError, connections

    from arpad.store import setup

    if create:
        setup.migrate()
        return
    connection = connections["default"]
    where = "DATABASE_URL" if os.environ.get("DATABASE_URL") else str(connection.settings_dict["NAME"])
    try:
        sqlite = connection.vendor == "sqlite"
        found = not sqlite or Path(str(connection.settings_dict["NAME"])).is_file()
        tables = connection.introspection.table_names() if found else []
    except DatabaseError as error:
        message = f"The database at {where} cannot be opened: {' '.join(str(error).split())}."
        raise Refused(Problem("store-unreachable", FATAL, message, "Check its address.")) from error
    if "store_organisation" not in tables:
        message = f"There is no ledger at {where}."
        raise Refused(Problem("store-missing", FATAL, message, "Make one with `arpad init`."))
    from arpad.store.starting import start as put_right

    put_right()


def _point(data: Path | None) -> None:
    """Where Django was started before (in a test, in a notebook): use the folder that is named now."""
    from django.conf import settings
    from django.db import connections

    if data is None or os.environ.get("DATABASE_URL"):
        return
    from arpad.store.settings import database

    wanted = database(f"sqlite:///{data.absolute() / 'arpad.sqlite3'}")
    if str(settings.DATABASES["default"]["NAME"]) == wanted["NAME"]:
        return
    connections["default"].close()
    settings.DATABASES["default"] = wanted
    connections.databases["default"] = connections.configure_settings({"default": wanted})["default"]
    if hasattr(connections._connections, "default"):  # type: ignore[attr-defined]
        delattr(connections._connections, "default")  # type: ignore[attr-defined]


def find_organisation(name: str = "") -> Organisation:
    """The organisation of that short name; "" is the only one. Raises Refused (`organisation-unknown`)."""
    from arpad.store.models import Organisation

    rows = list(Organisation.objects.order_by("slug"))
    found = [row for row in rows if row.slug == name] if name else rows
    if len(found) == 1:
        return found[0]
    remedy = "Make one with `arpad organisation add NAME`."
    told = _which("organisation", name, [row.slug for row in rows], remedy)
    raise Refused(Problem("organisation-unknown", FATAL, *told))


def find_pool(organisation: Organisation, name: str = "") -> Pool:
    """The pool of that short name; "" is the only one. Raises Refused (`pool-unknown`)."""
    from arpad.store.models import Pool

    rows = list(
        Pool.objects.filter(organisation=organisation, recording__number__isnull=False).order_by("slug")
    )
    found = [row for row in rows if row.slug == name] if name else rows
    if len(found) == 1:
        return found[0]
    remedy = "Make one with `arpad pool add NAME --ruleset R`."
    raise Refused(Problem("pool-unknown", FATAL, *_which("pool", name, [row.slug for row in rows], remedy)))


def _which(what: str, name: str, there: Sequence[str], remedy: str) -> tuple[str, str]:
    """Message and remedy where there is not one of that name."""
    if not there:
        return f"There is no {what} yet.", remedy
    message = f"There is no {what} '{name}'." if name else f"There are {len(there)}: say which --{what}."
    return message, f"There is {', '.join(there)}."


def slug_of(name: str) -> str:
    """A short name for addresses and options.

    >>> slug_of("Club d’Échecs 1923")
    'club-d-echecs-1923'
    """
    import re
    import unicodedata

    letters = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
    plain = re.sub(r"[^a-z0-9]+", "-", letters.lower()).strip("-")
    return plain[:60] or "organisation"
