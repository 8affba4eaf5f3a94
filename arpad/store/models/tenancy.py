"""Composite foreign keys: what belongs to an organisation refers only to what belongs to the same one."""

from __future__ import annotations

from typing import Any

from django.apps import apps
from django.db.models import BaseConstraint


class SameOrganisation(BaseConstraint):
    """FOREIGN KEY (organisation, column) REFERENCES target (organisation, id), part of the table itself.

    Django has no composite foreign key; a table constraint survives SQLite's remaking of tables.
    """

    def __init__(self, *, name: str, column: str, target: str) -> None:
        self.column, self.target = column, target
        super().__init__(name=name)

    def deconstruct(self) -> tuple[str, tuple[Any, ...], dict[str, Any]]:
        path, args, kwargs = super().deconstruct()
        return path, tuple(args), {**kwargs, "column": self.column, "target": self.target}

    def constraint_sql(self, model: Any, schema_editor: Any) -> str:
        quote = schema_editor.quote_name
        table = apps.get_model("store", self.target)._meta.db_table
        return (
            f"CONSTRAINT {quote(self.name)} FOREIGN KEY (organisation_id, {quote(self.column)}) "
            f"REFERENCES {quote(table)} (organisation_id, id) DEFERRABLE INITIALLY DEFERRED"
        )

    def create_sql(self, model: Any, schema_editor: Any) -> str:
        quote = schema_editor.quote_name
        return f"ALTER TABLE {quote(model._meta.db_table)} ADD {self.constraint_sql(model, schema_editor)}"

    def remove_sql(self, model: Any, schema_editor: Any) -> str:
        quote = schema_editor.quote_name
        return f"ALTER TABLE {quote(model._meta.db_table)} DROP CONSTRAINT {quote(self.name)}"

    def validate(self, model: Any, instance: Any, exclude: Any = None, using: str = "default") -> None:
        """The database checks it."""

    def __eq__(self, other: object) -> bool:
        if isinstance(other, SameOrganisation):
            return (self.name, self.column, self.target) == (other.name, other.column, other.target)
        return NotImplemented

    __hash__ = BaseConstraint.__hash__


def same_organisation(prefix: str, **columns: str) -> list[BaseConstraint]:
    """A constraint for each column=target model."""
    return [
        SameOrganisation(name=f"{prefix}_{column}_org", column=f"{column}_id", target=target)
        for column, target in columns.items()
    ]
