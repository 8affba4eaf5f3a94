"""The site's sentences in Dutch, French and German: all there, in the field's words, in the plural too."""

from __future__ import annotations

import csv
import gettext
import io
import re
from functools import lru_cache
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

import messages

LANGUAGES = ("nl", "fr", "de")
TERMS = Path(messages.__file__).with_name("terms.csv")

# Translations that read as the English does: the same word in both languages.
SAME = {
    "nl": {
        "Best of", "best of %(length)s", "Club", "Clubs", "Contact", "Filters", "Handicap", "Handicaps",
        "Jigo", "Later", "Parameter", "Parameters", "Pl.", "Privacy", "Rating", "Ratings", "Score", "bye",
        "go",
    },
    "fr": {
        "Club", "Clubs", "Contact", "Correction", "Corrections", "correction", "Date", "Handicap",
        "Handicaps", "Jigo", "Juniors", "Organisations", "Pl.", "Place", "Points", "points", "Score",
        "Source", "Surprises", "Version %(version)s", "version %(version)s", "go",
    },
    "de": {
        "Best of", "Jigo", "Name", "Parameter", "Pl.", "Rating", "Ratings", "Version %(version)s",
    },
}  # fmt: skip
MOST_SAME = 60

FRENCH_GAP = re.compile(r"[^\u202f][?!;]|[^\u00a0]:(?!\w)|«(?!\u00a0)|(?<!\u00a0)»")
PERSON = {
    "nl": r"\b(hij|zij|hem|haar)\b",
    "fr": r"\b(il/elle|celui-ci|celle-ci)\b|·",
    "de": r"\b(er|ihm|ihn)\b|\*in",
}

# English words that mean something else than the term of that name.
OTHER_SENSE = {
    "change": "the button beside a pool's name: take another one",
    "Share": "of the players, in a table; the term is the button",
    "Established": "head of a column, so in the plural",
}


@lru_cache(maxsize=1)
def said() -> Catalog:
    return messages.said()


def translations(language: str) -> list[tuple[str, str]]:
    """(English, translation) of each text, singular and plural."""
    found = []
    for message in messages.stored(language):
        if isinstance(message.id, str) and message.id:
            found.append((message.id, str(message.string)))
        elif message.id:
            found += list(zip(message.id, message.string, strict=True))
    return found


def plain(text: str) -> str:
    return text.lower().replace("\u202f", " ").replace("\u00a0", " ")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_is_there(language: str) -> None:
    assert list(messages.faults(language, said())) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_left_in_english(language: str) -> None:
    same = {english for english, own in translations(language) if own == english}
    assert same <= SAME[language]
    assert sum(map(len, SAME.values())) <= MOST_SAME


@pytest.mark.parametrize("language", LANGUAGES)
def test_terms_are_those_of_the_field(language: str) -> None:
    terms: dict[str, set[str]] = {}
    with TERMS.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            terms.setdefault(row["en"].lower(), set()).add(plain(row[language]))
    checked = 0
    for english, own in translations(language):
        if english.lower() in terms and english not in OTHER_SENSE:
            assert plain(own) in terms[english.lower()], english
            checked += 1
    assert checked > 60


@pytest.mark.parametrize("language", LANGUAGES)
def test_tags_and_marks(language: str) -> None:
    for english, own in translations(language):
        assert sorted(re.findall(r"</?\w+>", own)) == sorted(re.findall(r"</?\w+>", english)), own
        assert "'" not in own, own  # typographic apostrophes
        if " " in english:  # no abbreviation of a table's head
            assert english.endswith(".") == own.endswith("."), own
        if language == "fr" and ";" not in english:  # a list to be typed has its semicolon as it is
            assert not FRENCH_GAP.search(own), own
        if language == "de":
            assert not re.search(r"[“‘]%|\b(du|dein\w*)\b", own), own


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_he_or_she(language: str) -> None:
    assert [own for _, own in translations(language) if re.search(PERSON[language], own)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_plurals(language: str) -> None:
    stream = io.BytesIO()
    write_mo(stream, messages.stored(language))
    stream.seek(0)
    found = gettext.GNUTranslations(stream)
    one, many = "%(games)s game received.", "%(games)s games received."
    texts = [found.ngettext(one, many, count) % {"games": count} for count in (0, 1, 2, 5)]
    words = {"nl": ("partij ", "partijen "), "fr": ("partie ", "parties "), "de": ("Partie ", "Partien ")}
    number = [0, 0, 1, 1] if language == "fr" else [1, 0, 1, 1]
    for count, text, form in zip((0, 1, 2, 5), texts, number, strict=True):
        assert text.startswith(f"{count} {words[language][form]}")


def test_each_count_has_both_forms() -> None:
    for language in LANGUAGES:
        for message in messages.stored(language):
            if not isinstance(message.id, str):
                assert len(message.string) == 2 and all(message.string), message.id


def test_a_language_that_nobody_speaks() -> None:
    made = messages.pseudo_catalogue(said())
    for message in made:
        if not message.id:
            continue
        pairs = zip(
            [message.id] if isinstance(message.id, str) else message.id,
            [message.string] if isinstance(message.id, str) else message.string,
            strict=True,
        )
        for english, own in pairs:
            assert messages.PLACEHOLDER.findall(own) == messages.PLACEHOLDER.findall(english)
            assert len(messages.KEPT.sub("", own)) >= messages.LONGER * len(messages.KEPT.sub("", english))
            assert own != english
    assert messages.pseudo("<b>%(day)s</b> Rules") == "[<b>%(day)s</b> Rûlés~]"
