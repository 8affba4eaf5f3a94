"""Where a person is named in free text and in raw files."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from django.db.models import Q

from arpad.store.likeness import parsed
from arpad.store.models import (
    Application,
    Correction,
    Decision,
    Organisation,
    OutsideId,
    PersonName,
    RawFile,
    Recording,
    SamePerson,
    Text,
)
from arpad.store.names import folded, spelled_out

SHORTEST = 3  # letters of a word that can give somebody away
NEAR = 100  # letters between the parts of a name in a file


class Mentions(NamedTuple):
    """Texts by UUID and raw files by sha256 that name a person; `to_decide`: perhaps."""

    texts: tuple[uuid.UUID, ...]
    to_decide: tuple[uuid.UUID, ...]
    files: tuple[str, ...]


def names_of(people: Iterable[int], using: str = "default") -> list[str]:
    """Every name of some persons, the shown ones first, without pseudonyms."""
    rows = PersonName.objects.using(using).filter(person__in=list(people)).exclude(salt=b"")
    return list(dict.fromkeys(rows.order_by("-shown", "pk").values_list("name", flat=True)))


def spellings_of(people: Iterable[int], using: str = "default") -> list[str]:
    """Every name of some persons, and every spelling that was decided to be one of them."""
    decided = Decision.objects.using(using).filter(person__in=list(people))
    return list(dict.fromkeys([*names_of(people, using), *decided.values_list("spelling", flat=True)]))


def mentions(
    organisation: Organisation, people: Sequence[int], names: Sequence[str], using: str = "default"
) -> Mentions:
    """Texts and files that name any of some persons, who go by `names`.

    A text names a person where a whole name stands in it, in either order, or one of the outside ids; or
    where a word of a name stands in a text that is about that person (the reason of a correction or of a
    merge). Any other text with such a word is for somebody to decide: it may be a namesake.
    """
    ids = list(OutsideId.objects.using(using).filter(person__in=people).values_list("value", flat=True))
    own = _about(people, using)
    full, part = _patterns(names, ids)
    texts, to_decide = [], []
    rows = Text.objects.using(using).filter(organisation=organisation, erased=False)
    for key, of, body in rows.values_list("pk", "uuid", "body").iterator():
        said = _plain(body)
        if full.search(said) or (key in own and part.search(said)):
            texts.append(of)
        elif part.search(said):
            to_decide.append(of)
    files = []
    raw = RawFile.objects.using(using).filter(organisation=organisation)
    for sha256, content in raw.values_list("sha256", "content").iterator(chunk_size=1):
        said = _plain(_text(bytes(content)))
        if full.search(said) or any(_near(said, parsed(name).words) for name in names):
            files.append(sha256)
    return Mentions(tuple(texts), tuple(to_decide), tuple(files))


def _near(said: str, words: Sequence[str]) -> bool:
    """Whether all words of a name stand near each other, as in <player first="Jan" last="Peeters">."""
    telling = sorted((word for word in words if len(word) > 1), key=len, reverse=True)
    if len(telling) < 2:
        return False
    for found in re.finditer(rf"\s{re.escape(telling[0])}\s", said):
        around = said[max(0, found.start() - NEAR) : found.end() + NEAR]
        if all(f" {word} " in around for word in telling[1:]):
            return True
    return False


def _about(people: Sequence[int], using: str) -> set[int]:
    """Keys of the texts that are reasons of facts about some persons."""
    corrections = Correction.objects.using(using).filter(person__in=people)
    merges = SamePerson.objects.using(using).filter(Q(kept__in=people) | Q(merged__in=people))
    entries = Application.objects.using(using).filter(person__in=people)
    recordings = {
        *corrections.values_list("recording", flat=True),
        *merges.values_list("recording", flat=True),
        *entries.filter(recording__kind="edit").values_list("recording", flat=True),
    }
    reasons = Recording.objects.using(using).filter(pk__in=recordings, reason__isnull=False)
    found = {
        *corrections.filter(reason__isnull=False).values_list("reason", flat=True),
        *entries.filter(reason__isnull=False).values_list("reason", flat=True),
        *reasons.values_list("reason", flat=True),
    }
    return {key for key in found if key is not None}


def _plain(text: str) -> str:
    """Folded, with everything but letters and digits as single blanks."""
    return " " + re.sub(r"[^\w]+", " ", folded(text).replace("'", " ")) + " "


def _patterns(names: Sequence[str], ids: Sequence[str]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """A whole name in any order of given and family name, or an id; and any telling word of a name."""
    whole, parts = set(), set()
    for name in {*names, *map(spelled_out, names)}:
        plain = _plain(name).split()
        for turn in range(len(plain)):  # Jan de Vries, de Vries Jan, Vries Jan de
            whole.add(" ".join(plain[turn:] + plain[:turn]))
        parts |= {word for word in parsed(name).words if len(word) >= SHORTEST}
        parts |= {word for word in plain if len(word) > SHORTEST}
    whole |= {_plain(value).strip() for value in ids if len(value) >= SHORTEST}
    return _any(whole), _any(parts)


def _any(values: Iterable[str]) -> re.Pattern[str]:
    found = sorted((value for value in values if value), key=len, reverse=True)
    if not found:
        return re.compile(r"(?!)")  # nothing
    return re.compile(r"(?<=\s)(?:" + "|".join(map(re.escape, found)) + r")(?=\s)")


def _text(content: bytes) -> str:
    """A raw file as text, packed or not."""
    import gzip
    import zlib

    if content[:2] == b"\x1f\x8b":
        content = gzip.decompress(content)
    elif content[:2] in (b"x\x9c", b"x\xda", b"x\x01"):
        content = zlib.decompress(content)
    for encoding in ("utf-8", "cp1252"):
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    return content.decode("latin-1")
