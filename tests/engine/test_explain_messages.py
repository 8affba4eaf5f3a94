"""Every sentence of arpad/locale can be said: its key is looked up and its placeholders are there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from string import Formatter

import pytest

from arpad.domain.play import Tally
from arpad.engine.messages import COMMON, ENGLISH, LOCALE, Messages, lineage, read
from arpad.engine.reasons import WORDS
from arpad.rulesets.catalogue import Ruleset, find, names

GAME = {"player", "other", "date", "event", "round", "result"}
GAME |= {"score", "best_of", "stones", "weight", "before", "other_before"}
STATES = {"player", "before", "after", "label", "label_before"}
ACT = STATES | {"date", "reason", "points"}

# Terms that never have a sentence of their own: they stand in another's, or say what another has said.
SILENT = {
    "own", "opponent", "rated", "unrounded", "counted",  # in headings and in the sentences of other terms
    "rank", "rating", "lost_below", "kept_until",  # belgian-go: in those of promotion, held and floor
    "best_of",  # us-table-tennis: in that of K
    "p", "formula", "average", "dp",  # chess: in those of the performance
    "opening", "k", "state",
    "bonus",  # chess: of a federation that sets one (knsb)
}  # fmt: skip

SILENT_IN = {"us-table-tennis": {"difference", "expected"}}  # in the sentence of pv

# Keys that are looked up by name, not by a term.
FIXED = {
    "entry": {"rating", "rank", "league", "unrated", "standard", "reason"},
    "corrected": {"text", "text_undated", "reason"},
    "posting": {"text", "points", "unrated", "reason"},
    "newcomer": {"text", "waiting", "game"},
    "reason": set(WORDS),
    "clause": set(WORDS),
}


def known(rules: Ruleset, table: str, key: str) -> set[str] | None:
    """The placeholders of a sentence; None where the key is never looked up for this ruleset."""
    term = re.sub(r"(\.(pos|neg|zero))?(\.one)?\Z", "", key)
    step, settled = set(rules.module.Step._fields), set(rules.module.Settled._fields) - {"state"}
    if table == "step":
        return GAME | step if term in step | {"contrary"} else None
    if table == "settle":
        return STATES | {"period"} | set(Tally._fields) | settled if term in settled else None
    if table in ("reason", "clause"):
        return GAME if key in FIXED[table] else None
    if table == "newcomer" and term == "game":
        return GAME - {"score", "best_of", "stones", "weight", "before"}
    if table == "newcomer":
        return STATES | {"period", "games", "score"} if term in FIXED[table] else None
    if table == "entry":
        own = {"rating", "rank", "percentage", "standard", "league", "adjustment"}
        return ACT | own if term in FIXED[table] | {"adjustment"} else None
    return ACT if term in FIXED.get(table, ()) else None


def sentences(ruleset: str, language: str) -> Iterator[tuple[str, str, str, str]]:
    """(file, table, key, sentence) of every file that speaks for a ruleset."""
    for name in lineage(ruleset):
        for table, found in read(language, name)[1].items():
            yield from ((name, table, key, sentence) for key, sentence in found.items())


LANGUAGES = sorted(path.name for path in LOCALE.iterdir() if path.is_dir())
FRAME = ("format", "result", "layout", "outcome", "role")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("ruleset", names())
def test_placeholders_are_terms_of_the_item(ruleset: str, language: str) -> None:
    rules = find(ruleset)
    parameters = {f"rules.{field}" for field in rules.params_type._fields}
    for file, table, key, sentence in sentences(ruleset, language):
        if table in FRAME:
            continue
        there = known(rules, table, key)
        assert there is not None or file in (COMMON, *lineage(ruleset)[1:]), f"{file} [{table}] {key}"
        if there is None:
            continue
        for _, field, spec, _ in Formatter().parse(sentence):
            if field is not None:
                assert field in there | parameters, f"{file} [{table}] {key}: {field}"
                assert re.fullmatch(r"|\+|size|\.\d", spec or ""), f"{file} [{table}] {key}: {spec}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_are_whole(language: str) -> None:
    for path in sorted((LOCALE / language).glob("*.toml")):
        for table, found in read(language, path.stem)[1].items():
            for key, sentence in found.items():
                where = f"{path.name} [{table}] {key}"
                assert sentence == sentence.strip() and "  " not in sentence, where
                if sentence and table not in FRAME:
                    assert sentence.endswith(".") == (table != "clause"), where


@pytest.mark.parametrize("ruleset", names())
def test_every_term_has_a_sentence_or_is_silent_on_purpose(ruleset: str) -> None:
    rules, messages = find(ruleset), Messages(ENGLISH, ruleset)
    for table, kind in (("step", rules.module.Step), ("settle", rules.module.Settled)):
        for field in kind._fields:
            values = [(value, one) for value in (1, -1, 0) for one in (True, False)]
            said = any(messages.of_term(table, field, *value) for value in values)
            silent = SILENT | SILENT_IN.get(ruleset, set())
            told_by_games = table == "settle" and field in ("change", "games")
            assert said or field in silent or told_by_games, f"[{table}] {field}"


def test_every_reason_has_a_sentence() -> None:
    assert set(read(ENGLISH, COMMON)[1]["reason"]) == set(WORDS)


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != ENGLISH])
def test_a_language_has_no_keys_that_english_lacks(language: str) -> None:
    for path in sorted((LOCALE / language).glob("*.toml")):
        english = read(ENGLISH, path.stem)[1]
        for table, found in read(language, path.stem)[1].items():
            assert set(found) <= set(english.get(table, ())), f"{language}/{path.name} [{table}]"


def test_a_language_falls_back_key_by_key(monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        ("en", "common"): ("", {"step": {"k": "K {k}", "a": "A", "b": "B"}}),
        ("en", "toy"): ("", {"step": {"a": "toy A", "b": ""}}),
        ("nl", "common"): ("", {"step": {"k": "de K", "a": "de A", "b": "de B"}}),
        ("nl-be", "toy"): ("", {"step": {"a": "den A"}}),
    }
    monkeypatch.setattr(
        "arpad.engine.messages.read", lambda language, name: files.get((language, name), ("", {}))
    )
    found = {
        language: [Messages(language, "toy").get("step", key) for key in "kab"]
        for language in ("en", "nl", "nl-BE", "fr")
    }
    assert found["en"] == found["fr"] == ["K {k}", "toy A", ""]
    assert found["nl"] == ["de K", "toy A", ""]  # the ruleset's own sentence before the general one
    assert found["nl-BE"] == ["de K", "den A", ""]
