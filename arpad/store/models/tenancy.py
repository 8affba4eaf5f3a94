"""Composite foreign keys: what belongs to an organisation refers only to what belongs to the same one."""

from __future__ import annotations

from typing import Any

from django.apps import apps
from django.db.models import BaseConstraint


class SameOrganisation(BaseConstraint):
    """FOREIGN KEY (organisation, column) REFERENCES target (organisation, id), part of the table itself.

    Django has no composite foreign key; a table constraint survives SQLite's remaking of tables.
    `set_wise`: on PostgreSQL triggers look at all rows of a statement at once (arpad.store.references). A
    foreign key locks what it refers to row by row, which takes five times as long as writing the rows.
    """

    def __init__(self, *, name: str, column: str, target: str, set_wise: bool = False) -> None:
        self.column, self.target, self.set_wise = column, target, set_wise
        super().__init__(name=name)

    def deconstruct(self) -> tuple[str, tuple[Any, ...], dict[str, Any]]:
        path, args, kwargs = super().deconstruct()
        more = {"set_wise": True} if self.set_wise else {}
        return path, tuple(args), {**kwargs, "column": self.column, "target": self.target, **more}

    def constraint_sql(self, model: Any, schema_editor: Any) -> str:
        """Part of CREATE TABLE; empty where triggers do it."""
        if self.set_wise and schema_editor.connection.vendor == "postgresql":
            return ""
        quote = schema_editor.quote_name
        table = apps.get_model("store", self.target)._meta.db_table
        return (
            f"CONSTRAINT {quote(self.name)} FOREIGN KEY (organisation_id, {quote(self.column)}) "
            f"REFERENCES {quote(table)} (organisation_id, id) DEFERRABLE INITIALLY DEFERRED"
        )

    def create_sql(self, model: Any, schema_editor: Any) -> str:
        quote = schema_editor.quote_name
        constraint = self.constraint_sql(model, schema_editor)
        return constraint and f"ALTER TABLE {quote(model._meta.db_table)} ADD {constraint}"

    def remove_sql(self, model: Any, schema_editor: Any) -> str:
        quote = schema_editor.quote_name
        return f"ALTER TABLE {quote(model._meta.db_table)} DROP CONSTRAINT IF EXISTS {quote(self.name)}"

    def validate(self, model: Any, instance: Any, exclude: Any = None, using: str = "default") -> None:
        """The database checks it."""

    def __eq__(self, other: object) -> bool:
        if isinstance(other, SameOrganisation):
            return self.deconstruct() == other.deconstruct()
        return NotImplemented

    __hash__ = BaseConstraint.__hash__


def same_organisation(prefix: str, set_wise: bool = False, **columns: str) -> list[BaseConstraint]:
    """A constraint for each column=target model."""
    return [
        SameOrganisation(
            name=f"{prefix}_{column}_org", column=f"{column}_id", target=target, set_wise=set_wise
        )
        for column, target in columns.items()
    ]
