"""The sentences of arpad/locale: a file per ruleset over common.toml, by language.

A file holds tables ([step], [settle], [entry] ...) of sentences. A ruleset's file may begin with
`like = "<ruleset>"`: what it does not say itself, that file says. A sentence that is missing or
empty is silent. In each file English stands in for the sentences that a language lacks.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

LOCALE = Path(__file__).resolve().parent.parent / "locale"
ENGLISH = "en"
COMMON = "common"

Tables = dict[str, dict[str, str]]


@lru_cache(maxsize=256)
def read(language: str, name: str) -> tuple[str, Tables]:
    """What a file is like ("" = nothing), and its tables; empty where there is no such file."""
    path = LOCALE / language / f"{name}.toml"
    if not path.is_file():
        return "", {}
    content = tomllib.loads(path.read_text("utf-8"))
    return content.pop("like", ""), content


class Messages:
    """The sentences of one ruleset in one language."""

    def __init__(self, language: str, ruleset: str) -> None:
        self.language = language.lower()
        self._layers = [self._layer(name) for name in lineage(ruleset)]

    def _layer(self, name: str) -> Tables:
        """One file: English, with the language's own sentences on top ("nl-be" over "nl")."""
        merged: Tables = {}
        wider = self.language.split("-")[0]
        for language in dict.fromkeys((ENGLISH, wider, self.language)):
            for table, sentences in read(language, name)[1].items():
                merged.setdefault(table, {}).update(sentences)
        return merged

    def find(self, table: str, key: str) -> str | None:
        """The sentence; None where no file has it (one that is empty is found, and is silent)."""
        for layer in self._layers:
            found = layer.get(table, {}).get(key)
            if found is not None:
                return found
        return None

    def get(self, table: str, *keys: str) -> str:
        """The sentence of the first key that a file has, nearest file first; "" = silent."""
        for layer in self._layers:
            for key in keys:
                found = layer.get(table, {}).get(key)
                if found is not None:
                    return found
        return ""

    def of_term(self, table: str, field: str, value: object, singular: bool = False) -> str:
        """The sentence of a term, by the sign of its value and whether it counts as one.

        Looked up in turn: field.pos.one, field.pos, field.one, field (also neg, zero).
        """
        return self.get(table, *keys_of_term(field, value, singular))


def keys_of_term(field: str, value: object, singular: bool = False) -> Iterator[str]:
    """The keys under which a term's sentence may stand, in the order of looking up."""
    if isinstance(value, (int, float)):
        sign = "pos" if value > 0 else "neg" if value < 0 else "zero"
        if singular:
            yield f"{field}.{sign}.one"
        yield f"{field}.{sign}"
        if singular:
            yield f"{field}.one"
    yield field


def lineage(ruleset: str) -> list[str]:
    """The files that speak for a ruleset, nearest first; common.toml last."""
    names: list[str] = []
    name = ruleset
    while name and name not in names:
        names.append(name)
        name = read(ENGLISH, name)[0]
    return [*names, COMMON]
