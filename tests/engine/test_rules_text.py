"""What a ruleset says about itself is found, whole."""

from __future__ import annotations

import pytest

from arpad.engine import rules_text
from arpad.rulesets.catalogue import find, names


@pytest.mark.parametrize("ruleset", names())
def test_each_part_is_there(ruleset: str) -> None:
    rules = find(ruleset)
    text = rules_text.text(rules)
    assert all(text), text
    assert "**Source**" not in text.title + text.choices
    assert all(meaning.text for meaning in rules_text.meanings(rules.params_type))
    assert {clause.name for clause in rules_text.clauses(rules)} >= {"enter", "step"}
    assert rules_text.changed(rules, 0) == []


def test_two_names_before_one_text() -> None:
    text = rules_text.text(find("fide-rapid"))
    assert text.scale == text.period == "as fide-standard."


def test_what_an_edition_changed() -> None:
    rules = find("belgian-go")
    assert [(c.name, c.old, c.new) for c in rules_text.changed(rules, 1)] == [("giver_squared", 0, 1)]
    assert [c.name for c in rules_text.changed(rules, 2)] == ["board_13", "board_9"]
    assert rules_text.told(rules, "giver_squared") == "0; 1 from 2004-05-01"


def test_units_and_comments_of_terms() -> None:
    found = {meaning.name: meaning for meaning in rules_text.meanings(find("belgian-go").module.Step)}
    assert found["handicap"].unit == "Points" and found["handicap"].text.startswith("+ received")
