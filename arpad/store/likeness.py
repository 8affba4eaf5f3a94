"""How alike two spellings of a name are: accents, initials, order, particles, one typing error.

Pure arithmetic on two texts. What a name is to a search stands in arpad.store.names; who the candidates
are and what was decided about them in arpad.store.matching.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from rapidfuzz.distance import OSA

from arpad.store.names import PARTICLES, folded, spelled_out

# Factors of a score, multiplied. They order candidates; no one is joined because of them.
TURNED = 0.98  # family name first, without a comma that says so
RUN_TOGETHER = 0.985  # De Damme, Dedamme
PARTICLE_MISSING = 0.97
PARTICLE_OTHER = 0.93
WORD_MISSING = 0.92  # a middle name that only one of the two has
LETTER_MISSING = 0.96  # the same for an initial
# Likeness of two words.
TYPO = 0.9
INITIAL = 0.86
SHORT_FORM = 0.75  # Alex, Alexander
UNLIKE = 0.25
TYPO_FROM = 4  # letters a word must have for a typing error to be told from another word

_SAINTS = frozenset(["sint", "saint", "sankt"])
_GLUED = re.compile(r"(vanden|vander|vande|van(?=.{5}))(?:')?(.{4,})")
_QUOTED = re.compile(r"(?:^|(?<=\s))'\s?([ts])(?=\s|$)")


class Parsed(NamedTuple):
    """A name taken apart: words in the order given name, family name, as far as a comma says so."""

    words: tuple[str, ...]  # without particles
    particles: str  # joined: "vander", "t", "d"
    joined: str  # everything as one word, given name first where a comma says so


@lru_cache(maxsize=65536)
def parsed(name: str) -> Parsed:
    """The words and particles of a name.

    >>> parsed("Berg, J. v.d.")
    Parsed(words=('j', 'berg'), particles='vd', joined='jvdberg')
    >>> parsed("Noor ’t Hart").particles, parsed("Karel Vandenbroeck").words
    ('t', ('karel', 'broeck'))
    """
    text = folded(name)
    text = _QUOTED.sub(r" \1' ", text)
    last, comma, first = text.partition(",")
    told = f"{first} {last}" if comma and first.strip() else text
    told = re.sub(r"\b([dlo])'(?=\w)", r"\1' ", told.replace(",", " "))
    told = re.sub(r"\bv d (?=\w)|\bv d$|\bvd\b", " vd' ", told)
    words, particles = [], []
    for word in told.split():
        glued = _GLUED.fullmatch(word)
        if glued:
            particles.append(glued[1])
            words.append(glued[2].replace("ij", "y"))
        elif word.endswith("'") or (word in PARTICLES and len(word) > 1):  # "e" and "y" are initials
            particles.append(word.strip("'"))
        else:
            words.append("st" if word in _SAINTS else word.replace("'", "").replace("ij", "y"))
    if not words:  # a name made of particles alone: Le, De, Zu
        words, particles = particles, []
    joined = re.sub(r"\W", "", told).replace("ij", "y")
    return Parsed(tuple(word for word in words if word), "".join(particles), joined)


def likeness(one: str, other: str) -> float:
    """How alike two spellings are, 0..1; 1 is equality when folded.

    >>> likeness("Zoé Janssens", "ZOE JANSSENS")
    1.0
    >>> likeness("Vries, J. de", "Jan de Vries") > 0.9 > likeness("Jan de Vries", "Joke de Vries")
    True
    """
    if folded(one) == folded(other):
        return 1.0
    best = _alike(parsed(one), parsed(other))
    for a, b in ((spelled_out(one), other), (one, spelled_out(other))):
        if (a, b) != (one, other):
            best = max(best, _alike(parsed(a), parsed(b)))
    return round(min(best, 0.999), 4)  # 1 is kept for equality


def _alike(one: Parsed, other: Parsed) -> float:
    particles = _particles(one.particles, other.particles)
    if "".join(one.words) == "".join(other.words):
        return particles
    if one.joined == other.joined:
        return RUN_TOGETHER
    short, long = sorted((one.words, other.words), key=len)
    pairs = _aligned(short, long)
    if not pairs or not any(min(len(short[i]), len(long[j])) > 1 and like >= TYPO for i, j, like in pairs):
        return 0.0  # nothing but initials
    weights = [_weight(short[i], long[j]) for i, j, _ in pairs]
    total = sum(like * weight for (_, _, like), weight in zip(pairs, weights, strict=True)) / sum(weights)
    if any(like <= UNLIKE for _, _, like in pairs):
        total *= 0.6
    used = {j for _, j, _ in pairs}
    for number, word in enumerate(long):
        if number not in used:
            total *= WORD_MISSING if len(word) > 1 else LETTER_MISSING
    if len(short) == 1 < len(long):
        total *= 0.75  # a family name alone is little to go by
    turned = [j for _, j, _ in sorted(pairs)] != sorted(used)
    return total * particles * (TURNED if turned else 1.0)


def _weight(a: str, b: str) -> int:
    """Letters, at most six; an initial says little, whatever it stands for."""
    return 3 if min(len(a), len(b)) == 1 else min(6, max(len(a), len(b)))


def _aligned(short: tuple[str, ...], long: tuple[str, ...]) -> list[tuple[int, int, float]]:
    """Each word of the shorter name beside one of the longer, the most alike first."""
    # among equals the pair in place first, so that equal words are not seen as turned round
    every = sorted(
        ((word_likeness(a, b), -abs(i - j), i, j) for i, a in enumerate(short) for j, b in enumerate(long)),
        reverse=True,
    )
    pairs: list[tuple[int, int, float]] = []
    left, right = set(range(len(short))), set(range(len(long)))
    for like, _, i, j in every:
        if i in left and j in right:
            pairs.append((i, j, like))
            left.discard(i)
            right.discard(j)
    return pairs


def word_likeness(a: str, b: str) -> float:
    """Likeness of two folded words, 0..1.

    >>> word_likeness("jansens", "janssens"), word_likeness("j", "jan"), word_likeness("jan", "joke")
    (0.9, 0.86, 0.25)
    """
    if a == b:
        return 1.0
    short, long = sorted((a, b), key=len)
    if len(short) == 1:
        return INITIAL if long[0] == short else 0.0
    if len(long) >= TYPO_FROM and len(short) >= 3 and OSA.distance(a, b, score_cutoff=1) <= 1:
        return TYPO
    if len(short) >= 2 and len(long) == 3 and OSA.distance(a, b, score_cutoff=1) <= 1:
        return SHORT_FORM  # Tmi, Tim; but Tom and Tim are two people
    if len(short) >= 3 and long.startswith(short):
        return SHORT_FORM
    if len(short) >= 7 and OSA.distance(a, b, score_cutoff=2) <= 2:
        return SHORT_FORM
    return UNLIKE if a[0] == b[0] else 0.0


def _particles(one: str, other: str) -> float:
    if one == other:
        return 1.0
    if not one or not other:
        return PARTICLE_MISSING
    if one.startswith(other) or other.startswith(one) or {one[:1], other[:1]} == {"v"}:
        return 0.985  # van de, van der, vd
    return PARTICLE_OTHER
