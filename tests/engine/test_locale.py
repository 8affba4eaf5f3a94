"""The explanations in Dutch, French and German: every key of English, its values, no English left over."""

from __future__ import annotations

import re
from collections.abc import Iterator
from string import Formatter

import pytest

from arpad.domain.units import UNRATED
from arpad.engine.messages import ENGLISH, LOCALE, Messages, Tables, read
from arpad.engine.replay import replay
from arpad.engine.sentences import DAY, Term, Wording
from arpad.rulesets.catalogue import find, names
from tests.engine.explain_cases import CASES, Case, day

LANGUAGES = ("nl", "fr", "de")
FILES = sorted(path.stem for path in (LOCALE / ENGLISH).glob("*.toml"))
# Words of English that none of the three languages has, and no name in the cases.
ENGLISH_WORDS = re.compile(r"\b(the|than|with|this|that|which|their|expected|above|below|from)\b", re.I)
FRENCH_GAP = re.compile(r"(?<![\s«])[?!;»]|(?<!\u00a0):(?=\s|\Z)|(?<![\u202f])[?!;]|«(?!\u00a0)|(?<!\u00a0)»")


def pairs(language: str, file: str) -> Iterator[tuple[str, str, str, str]]:
    """(table, key, English, the language's own) of a file."""
    there = read(language, file)[1]
    for table, sentences in read(ENGLISH, file)[1].items():
        for key, sentence in sentences.items():
            yield table, key, sentence, there.get(table, {}).get(key, "")


def keys(tables: Tables) -> set[tuple[str, str]]:
    return {(table, key) for table, sentences in tables.items() for key in sentences}


def values(sentence: str) -> set[str]:
    """The values in braces; without how they are written, which a language decides."""
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("file", FILES)
def test_a_language_says_what_english_says(language: str, file: str) -> None:
    assert keys(read(language, file)[1]) == keys(read(ENGLISH, file)[1])
    assert read(language, file)[0] == read(ENGLISH, file)[0]  # what it is like
    for table, key, english, own in pairs(language, file):
        assert bool(own) == bool(english), (table, key)  # silent in both


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("file", FILES)
def test_the_same_values_are_told(language: str, file: str) -> None:
    several = {(table, key): values(english) for table, key, english, _ in pairs(language, file)}
    for table, key, english, own in pairs(language, file):
        most = values(english) | several.get((table, key.removesuffix(".one")), set())
        least = values(english) - {"role"} if "{role}" in english else values(english)
        if table == "format":  # "1er"; no pattern needs more than it is given
            continue
        assert least <= values(own) <= most, (table, key, own)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("file", FILES)
def test_no_sentence_is_english(language: str, file: str) -> None:
    for table, key, english, own in pairs(language, file):
        if len(re.findall(r"[a-z]{3,}", re.sub(r"\{[^}]*\}", "", english))) > 2 and table != "clause":
            assert own != english, (table, key)
        if key != "singular":  # a word for the program
            assert not ENGLISH_WORDS.search(re.sub(r"\{[^}]*\}", "", own)), (table, key, own)


@pytest.mark.parametrize("file", FILES)
def test_french_marks_stand_apart(file: str) -> None:
    for table, key, _, own in pairs("fr", file):
        assert not FRENCH_GAP.search(re.sub(r"\{[^}]*\}", "x", own)), (table, key, own)
        assert "'" not in own, (table, key, own)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("case", [pytest.param(case, id=f"{case.ruleset}/{case.name}") for case in CASES])
def test_each_case_is_explained_in_each_language(case: Case, language: str) -> None:
    history = replay(case.ledger(), case.ruleset, compile=False)
    told = history.explain(case.player, language=language, **case.asked).text()
    names = "|".join(re.escape(name) for name in history.plan.ledger.names)
    events = "|".join(re.escape(event.name) for event in history.plan.ledger.events_now() if event.name)
    plain = re.sub(f"{names}|{events}" if events else names, "", told)
    plain = re.sub(r"FIDE Handbook.*", "", plain)
    assert "{" not in told
    assert not ENGLISH_WORDS.search(plain), told


def test_every_ruleset_has_a_case() -> None:
    assert {case.ruleset for case in CASES} == set(names())


@pytest.mark.parametrize(
    ("language", "first", "other", "kyu", "dan", "unrated"),
    [
        ("nl", "1 maart 2026", "12 maart 2026", "5 kyu", "1 dan", "ongeklasseerd"),
        ("fr", "1er mars 2026", "12 mars 2026", "5e kyu", "1er dan", "non classé"),
        ("de", "1. März 2026", "12. März 2026", "5.\u00a0Kyu", "1.\u00a0Dan", "ohne Rating"),
        ("en", "1 March 2026", "12 March 2026", "5 kyu", "1 dan", "unrated"),
    ],
)
def test_days_ranks_and_no_rating(
    language: str, first: str, other: str, kyu: str, dan: str, unrated: str
) -> None:
    go, chess = Wording(find("belgian-go"), language), Wording(find("fide-standard"), language)
    assert [go.day(day("2026-03-01")), go.day(day("2026-03-12"))] == [first, other]
    assert [go.rank(-4), go.rank(1)] == [kyu, dan]
    assert str(chess.shown(Term(UNRATED, "Grains"))) == unrated
    assert str(go.shown(Term(UNRATED, "Grains"))) == "NC"
    assert str(go.shown(Term(day("2026-03-01"), DAY))) == first


@pytest.mark.parametrize(
    ("language", "text"), [("nl", "−0,04"), ("fr", "−0,04"), ("de", "−0,04"), ("en", "−0.04")]
)
def test_small_figures(language: str, text: str) -> None:
    wording = Wording(find("belgian-go"), language)
    assert str(wording.shown(Term(-4, "Grains"))) == text
    assert str(wording.shown(Term(0, "Grains"))) == "0"
    assert str(wording.shown(Term(123456, "Grains"))).startswith("1234")  # ratings are never grouped


@pytest.mark.parametrize(
    ("language", "points", "text"),
    [
        ("nl", 50, "kost Noor 0,50 punten"), ("nl", 100, "kost Noor 1 punt."),
        ("nl", 200, "kost Noor 2 punten"),
        ("fr", 50, "coûte 0,50 point à"), ("fr", 100, "coûte 1 point à"), ("fr", 150, "coûte 1,50 point à"),
        ("fr", 200, "coûte 2 points à"), ("fr", 1000, "coûte 10 points à"),
        ("de", 50, "kostet Noor 0,50 Punkte"), ("de", 100, "kostet Noor 1 Punkt."),
        ("de", 500, "kostet Noor 5 Punkte"),
    ],
)  # fmt: skip
def test_the_noun_agrees(language: str, points: int, text: str) -> None:
    wording = Wording(find("belgian-go"), language)
    term = Term(-points, "Grains")
    template = wording.messages.of_term("step", "change", term.value, wording.is_one(term))
    said = wording.sentence(template, {"change": term, "player": Term("Noor", "Text")})
    assert text in said


@pytest.mark.parametrize("language", (*LANGUAGES, ENGLISH))
def test_a_weight_of_less_than_one_is_told_in_each_language(language: str) -> None:
    wording = Wording(find("belgian-go"), language)
    told = [
        wording.messages.of_term("step", "event_weight", weight, wording.is_one(Term(weight, "Factor")))
        for weight in (0.5, 1.0)
    ]
    assert told[0] and not told[1]


def test_who_did_it_has_a_word_in_each_language() -> None:
    for language in LANGUAGES:
        found = Messages(language, "causes")
        assert found.get("role", "results officer") not in ("", "results officer")
