"""Triggers of PostgreSQL that keep references inside an organisation, for all rows of a statement at once.

They stand in for the foreign keys of tables that are written by the thousand (SameOrganisation, set_wise):
what is written must refer to rows of its own organisation that are there, and what others refer to cannot
be deleted or get another key. As a foreign key does, writing holds on to the unsealed recordings that the
rows and what they refer to belong to: whoever sweeps one comes before or after, never in between.
"""

from __future__ import annotations

from collections.abc import Iterator

from django.apps import apps

from arpad.store.models.tenancy import SameOrganisation

RECORDING = "store_recording"
Reference = tuple[str, str, str]  # table, column, table referred to


def references() -> list[Reference]:
    """Every reference that triggers look after."""
    return [
        (model._meta.db_table, constraint.column, apps.get_model("store", constraint.target)._meta.db_table)
        for model in apps.get_app_config("store").get_models()
        for constraint in model._meta.constraints
        if isinstance(constraint, SameOrganisation) and constraint.set_wise
    ]


def names() -> set[str]:
    """The triggers there must be."""
    found = {f"{table}_refers_{event}" for table, _, _ in references() for event in ("insert", "update")}
    return found | {f"{to}_referred_{event}" for _, _, to in references() for event in ("delete", "update")}


def statements(existing: set[str]) -> Iterator[str]:
    """SQL that makes the triggers of these tables anew."""
    every = [one for one in references() if {one[0], one[2]} <= existing]
    for table in dict.fromkeys(table for table, _, _ in every):
        function = f"{table}_refers"
        yield _written(function, table, {column: to for one, column, to in every if one == table})
        for event in ("insert", "update"):
            name, rows = f"{function}_{event}", "NEW TABLE AS written"
            yield from _trigger(name, table, f"AFTER {event}", rows, function)
    for target in dict.fromkeys(target for _, _, target in every):
        function = f"{target}_referred"
        yield _gone(function, [(table, column) for table, column, to in every if to == target])
        yield from _trigger(f"{function}_delete", target, "AFTER DELETE", "OLD TABLE AS gone", function)
        yield from _fixed(f"{function}_update", target)


def _trigger(name: str, table: str, event: str, rows: str, function: str) -> Iterator[str]:
    yield f"DROP TRIGGER IF EXISTS {name} ON {table}"
    yield (
        f"CREATE TRIGGER {name} {event.upper()} ON {table} REFERENCING {rows} "
        f"FOR EACH STATEMENT EXECUTE FUNCTION {function}()"
    )


def _written(function: str, table: str, to: dict[str, str]) -> str:
    """What is written must refer to what is there.

    EXECUTE, because a plan that is kept would be the one for the first row ever written.
    """
    checks, held = "", []
    for column, target in to.items():
        mine = f"(SELECT DISTINCT organisation_id, {column} AS key FROM written WHERE {column} IS NOT NULL) w"
        there = "t.id = w.key AND t.organisation_id = w.organisation_id"
        missing = f"FROM {mine} WHERE NOT EXISTS (SELECT 1 FROM {target} t WHERE {there})"
        checks += _refuse(missing, table, column)
        owner = "id" if target == RECORDING else "recording_id"
        held.append(f"SELECT t.{owner} FROM {mine} JOIN {target} t ON {there}")
    unsealed = f"number IS NULL AND id IN ({' UNION '.join(held)})"
    # first: what was swept while we waited for it is then found missing
    lock = f"EXECUTE $q$SELECT 1 FROM {RECORDING} WHERE {unsealed} FOR KEY SHARE$q$; "
    return _function(function, lock + checks)


def _gone(function: str, by: list[tuple[str, str]]) -> str:
    """What is deleted must not be referred to."""
    checks = "".join(
        _refuse(f"FROM {table} f WHERE f.{column} IN (SELECT id FROM gone)", table, column)
        for table, column in by
    )
    return _function(function, f"IF EXISTS (SELECT 1 FROM gone) THEN {checks}END IF; ")


def _fixed(name: str, table: str) -> Iterator[str]:
    """Keys that are referred to stay, also while a recording is not sealed."""
    yield (
        f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger AS $$ BEGIN "
        f"RAISE EXCEPTION '{table}: the key of a row stays' USING ERRCODE = 'foreign_key_violation'; "
        "END $$ LANGUAGE plpgsql"
    )
    yield f"DROP TRIGGER IF EXISTS {name} ON {table}"
    yield (
        f"CREATE TRIGGER {name} BEFORE UPDATE ON {table} FOR EACH ROW "
        "WHEN (OLD.id <> NEW.id OR OLD.organisation_id <> NEW.organisation_id) "
        f"EXECUTE FUNCTION {name}()"
    )


def _refuse(found: str, table: str, column: str) -> str:
    return (
        f"EXECUTE $q$SELECT EXISTS (SELECT 1 {found})$q$ INTO wrong; "
        f"IF wrong THEN RAISE EXCEPTION '{table}: {column} refers to nothing in its organisation' "
        "USING ERRCODE = 'foreign_key_violation'; END IF; "
    )


def _function(name: str, body: str) -> str:
    return (
        f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger AS $$ DECLARE wrong boolean; "
        f"BEGIN {body}RETURN NULL; END $$ LANGUAGE plpgsql"
    )
