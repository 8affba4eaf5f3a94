"""Names for comparing and searching: folded parts (rules of finding; sorting is the site's affair)."""

from __future__ import annotations

import unicodedata

_APOSTROPHES = str.maketrans(dict.fromkeys("’‘`´ʼ", "'"))
_BLANKS = str.maketrans(dict.fromkeys("-._/", " "))
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
    if text.isascii():  # most are; the same, five times as fast
        plain = text.replace("`", "'").lower()
    else:
        plain = unicodedata.normalize("NFKD", text.translate(_APOSTROPHES).casefold().translate(_LETTERS))
        plain = "".join(c for c in plain if not unicodedata.combining(c)).translate(_LETTERS)
    return " ".join(plain.translate(_BLANKS).split())


def words(name: str) -> list[str]:
    """Folded words, particles split off where an apostrophe glues them: d'hondt -> d', hondt."""
    found: list[str] = []
    for word in folded(name).replace(",", " ").split():
        head, mark, tail = word.partition("'")
        if word in PARTICLES:  # 't, 's
            found.append(word)
        elif mark and tail and len(head) <= 2:
            found += [head + mark, tail]
        elif mark and tail:
            found.append(word.replace("'", ""))
        else:
            found.append(word)
    return found


def name_parts(name: str) -> set[str]:
    """What a search may begin with: every word, the words without apostrophes, umlauts as one or two letters.

    A family name is also there as one word with its particles, so that Van den Broeck and Vandenbroeck
    meet; so is the whole name (see whole()).

    >>> sorted(name_parts("Noor van den Berg"))
    ['berg', 'den', 'noor', 'noorvandenberg', 'van', 'vanden', 'vandenberg']
    """
    parts = set()
    for spelling in {name, spelled_out(name)}:
        run = ""  # particles so far, as one word
        for word in words(spelling):
            plain = word.replace("'", "")
            parts.add(word)
            parts.add(plain)
            if run:
                parts.add(run + plain)
            run = run + plain if word in PARTICLES else ""
        parts.add(whole(spelling))
    # ij and y are one letter in Dutch
    parts |= {part.replace("ij", "y") for part in parts}
    return {part[:80] for part in parts if part}


def whole(name: str) -> str:
    """The folded name as one word: equal names are found by it."""
    return folded(name).replace("'", "").replace(" ", "")[:80]


def spelled_out(name: str) -> str:
    """A name with ä, ö and ü written as two letters."""
    return (
        name.replace("ä", "ae")
        .replace("ö", "oe")
        .replace("ü", "ue")
        .replace("Ä", "Ae")
        .replace("Ö", "Oe")
        .replace("Ü", "Ue")
    )
