"""Triggers that refuse to change or delete a sealed fact, on both databases.

They are a guard-rail against mistakes; the proof is the hash chain. Facts of an unsealed recording may
be swept, and a recording may be sealed once. Published lists are guarded the same way.
"""

from __future__ import annotations

from django.db import connections
from django.db.models import Model

from arpad.store import references
from arpad.store.models import FACTS, ListEntry, Pool, RatingList, Recording

# What may still change in a guarded row.
MOVES: dict[type[Model], tuple[str, ...]] = {
    Pool: ("name", "policy", "window_days", "headline", "current"),
    RatingList: ("withdrawn", "withdrawn_reason_id"),
}
SEALED = "(SELECT number FROM store_recording WHERE id = OLD.recording_id) IS NOT NULL"


def guarded() -> list[tuple[type[Model], str]]:
    """(model, condition under which a row is sealed) of every guarded table."""
    facts: list[tuple[type[Model], str]] = [(model, SEALED) for model in FACTS]
    return [*facts, (Recording, "OLD.number IS NOT NULL"), (RatingList, "1 = 1"), (ListEntry, "1 = 1")]


def _fixed(model: type[Model]) -> str:
    """Condition: a column that must not change has changed."""
    meta = model._meta
    columns = [
        field.column for field in meta.local_concrete_fields if field.column not in MOVES.get(model, ())
    ]
    return " OR ".join(f'NEW."{column}" IS DISTINCT FROM OLD."{column}"' for column in columns)


def install(using: str = "default") -> None:
    """Make every trigger anew. Safe to repeat."""
    connection = connections[using]
    make = _postgres if connection.vendor == "postgresql" else _sqlite
    existing = set(connection.introspection.table_names())
    with connection.cursor() as cursor:
        for model, sealed in guarded():
            table = model._meta.db_table
            if table in existing:
                for statement in make(model, table, sealed):
                    cursor.execute(statement)
        if connection.vendor == "postgresql":
            for statement in references.statements(existing):
                cursor.execute(statement)


def names(using: str = "default") -> set[str]:
    """The triggers present now."""
    connection = connections[using]
    if connection.vendor == "postgresql":
        query = "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal"
    else:
        query = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
    with connection.cursor() as cursor:
        cursor.execute(query)
        return {row[0] for row in cursor.fetchall()}


def expected(using: str = "default") -> set[str]:
    """The triggers that must be present."""
    postgres = connections[using].vendor == "postgresql"
    kinds = ("update", "delete", "truncate") if postgres else ("update", "delete")
    found = {f"{model._meta.db_table}_no_{kind}" for model, _ in guarded() for kind in kinds}
    return found | references.names() if postgres else found


def _sqlite(model: type[Model], table: str, sealed: str) -> list[str]:
    changed = _fixed(model).replace("IS DISTINCT FROM", "IS NOT")
    statements = []
    for event, condition in (("update", f"({sealed}) AND ({changed})"), ("delete", sealed)):
        name = f"{table}_no_{event}"
        statements.append(f"DROP TRIGGER IF EXISTS {name}")
        statements.append(
            f"CREATE TRIGGER {name} BEFORE {event.upper()} ON {table} WHEN {condition} "
            f"BEGIN SELECT RAISE(ABORT, 'sealed: {table} takes no {event}'); END"
        )
    return statements


def _postgres(model: type[Model], table: str, sealed: str) -> list[str]:
    function = f"{table}_sealed"
    refuse = f"RAISE EXCEPTION 'sealed: {table} takes no %'"
    body = (
        f"CREATE OR REPLACE FUNCTION {function}() RETURNS trigger AS $$ BEGIN "
        f"IF TG_OP = 'TRUNCATE' THEN {refuse}, 'truncate'; END IF; "
        f"IF TG_OP = 'DELETE' THEN IF {sealed} THEN {refuse}, 'delete'; END IF; RETURN OLD; END IF; "
        f"IF ({sealed}) AND ({_fixed(model)}) THEN {refuse}, 'update'; END IF; "
        f"RETURN NEW; END $$ LANGUAGE plpgsql"
    )
    statements = [body]
    for event, each in (("update", "ROW"), ("delete", "ROW"), ("truncate", "STATEMENT")):
        name = f"{table}_no_{event}"
        statements.append(f"DROP TRIGGER IF EXISTS {name} ON {table}")
        statements.append(
            f"CREATE TRIGGER {name} BEFORE {event.upper()} ON {table} "
            f"FOR EACH {each} EXECUTE FUNCTION {function}()"
        )
    return statements
