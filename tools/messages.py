"""The site's sentences in four languages: `messages.py` brings the .po files up to the sources.

English stands in the templates and pages themselves; arpad/web/locale/<language>/LC_MESSAGES/django.po holds
the others. `--check` only says what is missing: a sentence without a translation, one that is fuzzy, one
whose placeholders differ, one that nobody says any more.
"""

from __future__ import annotations

import io
import math
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po

from repository import ROOT

WEB = ROOT / "arpad" / "web"
LANGUAGES = ("nl", "fr", "de")
PLURALS = {
    "nl": "nplurals=2; plural=(n != 1);",
    "fr": "nplurals=2; plural=(n > 1);",
    "de": "nplurals=2; plural=(n != 1);",
}
KEYWORDS: Any = {
    "gettext": None, "_": None, "gettext_lazy": None, "gettext_noop": None, "ngettext": (1, 2),
    "pgettext": ((1, "c"), 2), "npgettext": ((1, "c"), 2, 3),
}  # fmt: skip
PLACEHOLDER = re.compile(r"%\((\w+)\)s")
KEPT = re.compile(r"%\(\w+\)s|</?[a-z]+>|%%")  # what a translation must not touch
LONGER = 1.4  # German against English, at most
ACCENTED = str.maketrans("aeiouyAEIOUYcn", "àéîöûÿÀÉÎÖÛŸçñ")


def said() -> Catalog:
    """Every sentence of the templates and pages."""
    catalogue = Catalog(charset="utf-8")
    for source in _sources():
        for _line, message, _comments, context in extract("python", io.BytesIO(source), keywords=KEYWORDS):
            catalogue.add(message, context=context, auto_comments=[])
    return catalogue


def _sources() -> Iterator[bytes]:
    from django.conf import settings
    from django.utils.translation.template import templatize

    if not settings.configured:
        settings.configure()
    for path in sorted(WEB.rglob("*.html")):
        yield templatize(path.read_text("utf-8"), str(path)).encode()
    for path in sorted(WEB.rglob("*.py")):
        yield path.read_bytes()


def file_of(language: str) -> Path:
    return WEB / "locale" / language / "LC_MESSAGES" / "django.po"


def stored(language: str) -> Catalog:
    """The catalogue of a language as it is; an empty one where there is none."""
    path = file_of(language)
    if not path.is_file():
        return Catalog(locale=language, charset="utf-8")
    with path.open("rb") as stream:
        return read_po(stream, locale=language)


def update(language: str, now: Catalog) -> None:
    """Add what is new, take out what nobody says; translations stay."""
    old = stored(language)
    new = Catalog(locale=language, charset="utf-8", fuzzy=False, header_comment=f"# The site in {language}.")
    new._num_plurals = 2  # type: ignore[assignment] # CLDR's third form of French is for millions
    for message in sorted(_messages(now), key=_key):
        known = old.get(message.id, context=message.context)
        new.add(message.id, known.string if known else None, context=message.context)
    path = file_of(language)
    path.parent.mkdir(parents=True, exist_ok=True)
    text = io.BytesIO()
    write_po(text, new, omit_header=True, width=110)
    head = f'# The site in {language}.\nmsgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n'
    head += f'"Language: {language}\\n"\n"Plural-Forms: {PLURALS[language]}\\n"\n\n'
    path.write_bytes(head.encode() + text.getvalue())


def _messages(catalogue: Catalog) -> list[Message]:
    return [message for message in catalogue if message.id]


def _key(message: Message) -> tuple[str, str]:
    first = message.id if isinstance(message.id, str) else message.id[0]
    return first, message.context or ""


def faults(language: str, now: Catalog) -> Iterator[str]:
    """What is wrong with a language's catalogue."""
    there = stored(language)
    for message in _messages(now):
        known = there.get(message.id, context=message.context)
        first = _key(message)[0]
        strings = (
            []
            if known is None
            else [known.string]
            if isinstance(known.string, str)
            else list(known.string or ())
        )
        if not strings or not all(strings):
            yield f"{language}: not translated: {first!r}"
            continue
        wanted = set(PLACEHOLDER.findall(first))
        for text in strings:
            if not set(PLACEHOLDER.findall(text)) <= wanted | _of_plural(message):
                yield f"{language}: other placeholders: {first!r}"
        if known is not None and known.fuzzy:
            yield f"{language}: fuzzy: {first!r}"
    for message in _messages(there):
        if now.get(message.id, context=message.context) is None:
            yield f"{language}: nobody says this any more: {_key(message)[0]!r}"


def _of_plural(message: Message) -> set[str]:
    return (
        set()
        if isinstance(message.id, str)
        else {n for text in message.id for n in PLACEHOLDER.findall(text)}
    )


def pseudo(text: str) -> str:
    """The sentence with accents, between brackets and 40 % longer: what is cut off or untranslated shows."""
    parts, at = [], 0
    for kept in KEPT.finditer(text):
        parts += [text[at : kept.start()].translate(ACCENTED), kept[0]]
        at = kept.end()
    parts.append(text[at:].translate(ACCENTED))
    seen = len(KEPT.sub("", text))
    return f"[{''.join(parts)}{'~' * max(0, math.ceil(seen * LONGER) - seen - 2)}]"


def pseudo_catalogue(now: Catalog) -> Catalog:
    """A language that nobody speaks, to look at pages with."""
    made = Catalog(charset="utf-8", fuzzy=False)
    for message in _messages(now):
        one = message.id if isinstance(message.id, str) else None
        made.add(message.id, pseudo(one) if one else tuple(map(pseudo, message.id)), context=message.context)
    return made


def main() -> int:
    now = said()
    if "--check" not in sys.argv:
        for language in LANGUAGES:
            update(language, now)
        print(f"messages: {len(_messages(now))} sentences")
        return 0
    found = [fault for language in LANGUAGES for fault in faults(language, now)]
    print("\n".join([*found[:40], f"messages: {len(_messages(now))} sentences, {len(found)} faults"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
