"""Names for comparing and searching: folded parts (rules of finding; sorting is the site's affair)."""

from __future__ import annotations

import re
import unicodedata

_APOSTROPHES = str.maketrans(dict.fromkeys("’‘`´ʼ", "'"))
_LETTERS = str.maketrans(
    {"ß": "ss", "œ": "oe", "æ": "ae", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"}
)
PARTICLES = frozenset(
    [
        "van",
        "vande",
        "vanden",
        "vander",
        "de",
        "der",
        "den",
        "del",
        "della",
        "di",
        "da",
        "dos",
        "das",
        "du",
        "des",
        "la",
        "le",
        "les",
        "het",
        "ter",
        "ten",
        "te",
        "op",
        "in",
        "von",
        "zu",
        "zum",
        "zur",
        "vom",
        "of",
        "af",
        "el",
        "al",
        "bin",
        "ibn",
        "'t",
        "'s",
        "d'",
        "l'",
        "o'",
        "y",
        "e",
    ]
)


def folded(text: str) -> str:
    """Lower case, no accents, one kind of apostrophe, blanks for hyphens and full stops.

    >>> folded("D’Hondt, Çağla-Müller")
    "d'hondt, cagla muller"
    """
    plain = unicodedata.normalize("NFKD", text.translate(_APOSTROPHES).casefold().translate(_LETTERS))
    plain = "".join(c for c in plain if not unicodedata.combining(c)).translate(_LETTERS)
    return " ".join(re.sub(r"[-._/]+", " ", plain).split())


def words(name: str) -> list[str]:
    """Folded words, particles split off where an apostrophe glues them: d'hondt -> d', hondt."""
    found: list[str] = []
    for word in folded(name).replace(",", " ").split():
        head, mark, tail = word.partition("'")
        if mark and tail and len(head) <= 2:
            found += [head + mark, tail]
        elif mark and tail:
            found.append(word.replace("'", ""))
        else:
            found.append(word)
    return found


def name_parts(name: str) -> set[str]:
    """What a search may begin with: every word, the words without apostrophes, umlauts as one letter or two."""
    parts = set()
    for spelling in (name, _spelled_out(name)):
        for word in words(spelling):
            parts.add(word)
            parts.add(word.replace("'", ""))
        parts.add(folded(spelling).replace("'", "").replace(" ", ""))
    # ij and y are one letter in Dutch
    parts |= {part.replace("ij", "y") for part in parts}
    return {part[:80] for part in parts if part}


def _spelled_out(name: str) -> str:
    return (
        name.replace("ä", "ae")
        .replace("ö", "oe")
        .replace("ü", "ue")
        .replace("Ä", "Ae")
        .replace("Ö", "Oe")
        .replace("Ü", "Ue")
    )
