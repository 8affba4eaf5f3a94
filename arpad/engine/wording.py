"""The sentences of one Step or Settled, outside a replay: for games that are only supposed."""

from __future__ import annotations

from typing import Any

from arpad.domain.play import Game
from arpad.engine.narrate import LEADING, game_terms
from arpad.engine.sentences import TEXT, Term, Terms, Wording, placeholders, terms_of
from arpad.rulesets.catalogue import Ruleset


def say_step(
    rules: Ruleset, language: str, params: Any, game: Game, step: Any, player: str, other: str, result: str
) -> list[str]:
    """Each term of one game's change, in reading order, as an explanation says it."""
    words: Terms = {
        "player": Term(player, TEXT), "other": Term(other, TEXT), "result": Term(result, TEXT),
        **game_terms(game), **terms_of(step),
    }  # fmt: skip
    fields = [name for name in step._fields if name not in LEADING]
    return _said(rules, language, "step", fields, words, params)


def say_settled(
    rules: Ruleset, language: str, params: Any, before: Any, settled: Any, player: str
) -> list[str]:
    """What closing the event came to."""
    after = settled.state
    words: Terms = {
        "player": Term(player, TEXT),
        "before": Term(int(before.rating), "Grains"), "after": Term(int(after.rating), "Grains"),
        "label_before": Term(rules.label(before), TEXT), "label": Term(rules.label(after), TEXT),
        **terms_of(settled),
    }  # fmt: skip
    fields = [name for name in settled._fields if name in words]
    return _said(rules, language, "settle", fields, words, params)


def _said(
    rules: Ruleset, language: str, table: str, fields: list[str], words: Terms, params: Any
) -> list[str]:
    wording, found = Wording(rules, language), []
    for name in fields:
        template = wording.messages.of_term(table, name, words[name].value, wording.is_one(words[name]))
        known = all(one in words or one.startswith("rules.") for one in placeholders(template))
        if template and known:  # what speaks of the period as a whole stays silent
            found.append(wording.sentence(template, words, params))
    return found
