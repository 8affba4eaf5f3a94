"""The texts of a ruleset's source as parts of a page: paragraphs, lists, names of parameters as links."""

from __future__ import annotations

import re
from typing import NamedTuple

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _

CODE = re.compile(r"`([^`]+)`")
STRESSED = re.compile(r"(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])")
TIMES = re.compile(r"(?<=[\w)]) x (?=[\w(])")
MINUS = re.compile(r"(?<![\w-])-(?=[\d ])|(?<=[( ])-(?=[a-z])")


class Block(NamedTuple):
    """A paragraph, or the items of a list."""

    text: SafeString = SafeString("")
    items: tuple[SafeString, ...] = ()


def inline(text: str, parameters: tuple[str, ...] = ()) -> SafeString:
    """`code`, *stress* and a times sign; names of parameters lead to their row."""

    def code(match: re.Match[str]) -> str:
        name = match[1]
        written = f"<code>{name}</code>"
        return f'<a href="#p-{name}">{written}</a>' if name in parameters else written

    said = escape(" ".join(text.split())).replace("&quot;", '"')
    said = MINUS.sub("−", TIMES.sub(" × ", said))
    said = STRESSED.sub(r"<em>\1</em>", said)
    return mark_safe(CODE.sub(code, said))  # escaped above; only our own tags are added


def blocks(text: str, parameters: tuple[str, ...] = ()) -> list[Block]:
    """Paragraphs and lists ("- ") of a docstring's part."""
    found: list[Block] = []
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        head, *items = re.split(r"^- ", paragraph, flags=re.MULTILINE)
        if head.strip():
            found.append(Block(inline(_sentence(head), parameters)))
        if items:
            found.append(Block(items=tuple(inline(item, parameters) for item in items)))
    return found


def _sentence(text: str) -> str:
    """With a capital: what stood behind a part's name."""
    text = text.strip()
    return text if text[1:2] == " " else text[:1].upper() + text[1:]


HEADINGS = {
    "enter": _("First rating"), "score": _("Score of a result"), "weigh": _("Weight of a game"),
    "corrected": _("Corrections"), "posting": _("Adjustment for everybody"), "newcomer": _("Newcomers"),
    "claim": _("Use of the cap"), "listed_k": _("K of the list"), "k_of": "K",
    "matrix_k": _("K by age and rating"), "is_junior": _("Juniors"), "is_inactive": _("Inactive players"),
    "first_rating": _("The first rating, computed"), "used": _("The rating that is used"),
    "opening_game": _("A newcomer’s first games"), "con_at": "Con", "a_at": "A",
    "step": _("Change of one game"), "settle": _("Closing the period"), "label": _("What lists show"),
}  # fmt: skip
UNITS = {
    "Grains": _("points"), "Points": _("points"), "Share": _("from 0 to 1"), "Factor": _("a factor"),
    "Count": _("a number"), "Flag": _("yes or no"), "Hundredths": _("hundredths"), "Rank": _("a rank"),
    "Year": _("a year"),
}  # fmt: skip


def headed(text: str, name: str) -> tuple[str, str]:
    """A clause as (heading, text); what no heading here names has its own, or the function's name."""
    head, colon, rest = text.partition(": ")
    own = bool(colon) and len(head) <= 48 and "." not in head and not head[0].isdigit()
    said = _sentence(rest) if own else text
    if name in HEADINGS:
        return str(HEADINGS[name]), said
    return (head if own else name.replace("_", " ").capitalize()), said
