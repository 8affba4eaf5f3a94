"""Members pasted at the start: a name a line, with today's rating or rank where there is one."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from arpad.domain.play import Application
from arpad.domain.problems import Refused
from arpad.domain.ranks import rank_index
from arpad.ledger.sheet import Sheet
from arpad.rulesets.catalogue import Ruleset
from arpad.store.intake import Request, plan, record
from arpad.web.here import Here
from arpad.web.worker.client import WorkerAway, ask

MOST = 5_000  # lines of one paste
START = 1500.0  # proposed where a ruleset needs a first rating
SEPARATORS = re.compile(r"\t|;|,(?=\s*[-−+]?\d+([.,]\d+)?\s*$)|\s{2,}")
NUMBER = re.compile(r"[-−+]?\d{1,4}([.,]\d{1,2})?\Z")


class Member(NamedTuple):
    """One line as it was understood."""

    line: int
    name: str
    rating: float | None
    rank: str
    problem: str  # "" = none


def members(here: Here) -> HttpResponse:
    """Paste, look, record. Nothing is saved before the last."""
    text = here.request.POST.get("text", "")
    start = here.request.POST.get("start", f"{START:.0f}")
    needs = not here.rules.enters_unrated and "Rank" not in str(here.rules.state_type.__annotations__)
    found = read_members(text, here.rules)
    bad = [member for member in found if member.problem]
    context: dict[str, Any] = {
        "tab": "list",
        "text": text,
        "start": start,
        "needs_start": needs,
        "members": found,
        "bad": bad,
    }
    if here.request.method != "POST" or not found or bad or "record" not in here.request.POST:
        status = 422 if here.request.method == "POST" and (bad or not found) else 200
        return here.render("members.html", status=status, asked=here.request.method == "POST", **context)
    try:
        _record(here, found, start if needs else "")
    except Refused as refused:
        return here.render("members.html", status=422, asked=True, refused=refused.problems, **context)
    return redirect(here.url("pool-list"))


def read_members(text: str, rules: Ruleset) -> list[Member]:
    """The lines of a paste. What stands after the name is a rating, or a rank (go).

    >>> from arpad.rulesets.catalogue import find
    >>> [m[1:4] for m in read_members("’t Hart, Noor; 1512\\nOkabe Ren", find("elo-logistic"))]
    [('’t Hart, Noor', 1512.0, ''), ('Okabe Ren', None, '')]
    """
    found: list[Member] = []
    seen: dict[str, int] = {}
    for number, line in enumerate(text.splitlines()[:MOST], 1):
        if not line.strip():
            continue
        name, value = _parts(line.strip())
        rank = value if rank_index(value) is not None else ""
        rating = None if rank or not value else float(value.replace("−", "-").replace(",", "."))
        problem = ""
        if not re.search(r"[^\W\d]", name):
            problem = _("There is no name in this line.")
        elif name in seen:
            problem = _("The same name stands in line %(line)s.") % {"line": seen[name]}
        elif rank and not _ranked(rules):
            problem = _("These rules know no ranks: give a rating.")
        seen.setdefault(name, number)
        found.append(Member(number, name[:200], rating, rank, problem))
    return found


def _ranked(rules: Ruleset) -> bool:
    return not rules.label(rules.state_type()._replace(rating=0)).lstrip("-").isdigit()


def _parts(line: str) -> tuple[str, str]:
    """The name, and what stands after it; "" where it is neither a rating nor a rank."""
    parts = [part.strip() for part in SEPARATORS.split(line) if part and part.strip()]
    for at in range(len(parts) - 1, 0, -1):
        if NUMBER.match(parts[at]) or rank_index(parts[at]) is not None:
            return parts[0], parts[at]
    name, blank, last = line.rpartition(" ")
    if blank and (NUMBER.match(last) or (rank_index(last) is not None and last[0].isdigit())):
        return name.rstrip(" ,;"), last
    return line, ""


def _record(here: Here, found: list[Member], start: str) -> None:
    """Everybody new enters with the rating that was told."""
    sheet = Sheet("members")
    for member in found:
        sheet.player(member.name)
        rank = rank_index(member.rank) if member.rank else None
        if member.rating is not None:
            sheet.first_rating(member.name, Application(rating=member.rating))
        elif rank is not None:
            sheet.first_rating(member.name, Application(rank=rank))
        elif start:
            sheet.first_rating(member.name, Application(rating=float(start)))
    preview = plan(Request(here.pool, sheet, (), accept_new=True, effect=False))
    record(preview, author=here.reader.author, reason=_("the members’ list"))
    try:
        ask("settle", pool=here.pool.pk)
    except WorkerAway:  # it settles by itself as soon as it is there
        return
