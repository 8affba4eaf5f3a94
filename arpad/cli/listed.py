"""`arpad list --out`: a rating list as a file for a notice board, a spreadsheet or another program."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arpad.cli.say import counted, say
from arpad.domain.problems import FATAL, Problem, Refused

if TYPE_CHECKING:
    from arpad.formats.listing import ListPage
    from arpad.store.asof import Line
    from arpad.store.models import Pool


def write_list(
    out: Path, pool: Pool, lines: Sequence[Line], dateline: Sequence[str], facts: dict[str, Any], *,
    foot: tuple[str, ...] = (), played: bool = True,
) -> None:  # fmt: skip
    """Write the lines of a list, in the kind of file that the name ends in.

    dateline  of which day it is and as known when, in words; facts: the same for programs
    played    the lines tell when each player last played
    Raises Refused (`output-form`, `listing-too-long`, `listing-pdf-failed`, `output-unwritable`).
    """
    from arpad.cli.writing import write_files, writer_of

    data = made(out, page_of(pool, lines, dateline, facts, foot, played))
    write_files({out: writer_of(data)})
    say(f"wrote {out}: {counted(len(lines), 'player')}")


def made(out: Path, page: ListPage) -> bytes:
    """A page in the kind of file that a name ends in."""
    from arpad.formats import listing, listing_pdf

    makers = {
        "csv": listing.csv, "xlsx": listing.xlsx, "ods": listing.ods, "json": listing.json_text,
        "html": listing.html, "pdf": listing_pdf.pdf,
    }  # fmt: skip
    form = out.suffix.lower().removeprefix(".")
    if form not in makers:
        message = f"'{out.name}' tells no kind of file that a list can be."
        remedy = f"End it in {', '.join(f'.{known}' for known in makers)}."
        raise Refused(Problem("output-form", FATAL, message, remedy))
    return makers[form](page)


def page_of(
    pool: Pool, lines: Sequence[Line], dateline: Sequence[str], facts: dict[str, Any],
    foot: tuple[str, ...], played: bool,
) -> ListPage:  # fmt: skip
    """The list in English, with names in full; equal ratings share a place."""
    from arpad.formats.listing import DAY, FREE, NUMBER, WORD, Column, ListPage, Part
    from arpad.rulesets.catalogue import find
    from arpad.store.people import shown_names

    names, per = shown_names([line.person for line in lines]), find(pool.ruleset).per_point
    ranked = any(line.rating is not None and not line.label.lstrip("-").isdigit() for line in lines)
    columns = (
        Column("place", "Place", NUMBER), Column("player", "Name", FREE, strong=True),
        *([Column("label", "Rank", WORD)] if ranked else []),
        Column("rating", "Rating", NUMBER, 1 if ranked else 0, strong=True), Column("games", "Games", NUMBER),
        *([Column("last_played", "Last played", DAY)] if played else []),
    )  # fmt: skip
    rows: list[tuple[Any, ...]] = []
    places: dict[int, int] = {}
    for at, line in enumerate(lines, 1):
        place = None if line.rating is None else places.setdefault(line.rating, at)
        rating = line.rating if line.rating is None or per == 1 else line.rating / per
        when = datetime.date.fromordinal(line.last_played) if played and line.last_played else None
        rows.append((
            place, names.get(line.person, "…"), *([line.label] if ranked else []), rating, line.games,
            *([when] if played else []),
        ))  # fmt: skip
    return ListPage(
        "Rating list", pool.organisation.name, pool.name, "en", tuple(dateline),
        (Part("players", "Players", columns, rows),), facts, foot,
    )  # fmt: skip


__all__ = ["made", "page_of", "write_list"]
