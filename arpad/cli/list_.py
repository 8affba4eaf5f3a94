"""`arpad list`: the ratings of a day, as known now or on another day, or as they were published."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arpad.cli.database import (
    Data,
    OrganisationOption,
    PoolOption,
    find_organisation,
    find_pool,
    with_database,
)
from arpad.cli.inputs import day_of
from arpad.cli.listed import write_list
from arpad.cli.say import Format, FormatOption, say, say_csv, say_json, say_table
from arpad.cli.settle import by_name
from arpad.domain.problems import Refused

if TYPE_CHECKING:
    from arpad.store.asof import Line
    from arpad.store.models import Pool
    from arpad.store.settle import Settler

COLUMNS = ("player", "rating", "label", "games", "last_played")
THEN = ("player", "published", "label", "games", "now", "label_now", "games_now")


def list_(
    pool: PoolOption = "",
    at: Annotated[
        str | None, typer.Option("--at", help="The list of that day; today's by default.", metavar="DAY")
    ] = None,
    known: Annotated[
        str | None, typer.Option("--known", help="As it was known at the end of that day.", metavar="DAY")
    ] = None,
    published: Annotated[
        str | None,
        typer.Option(
            "--published", help="The list published for that day, and what is otherwise now.", metavar="DAY"
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            help="Write it as a file, with names in full: .pdf, .csv, .xlsx, .ods, .json or .html.",
            metavar="FILE",
        ),
    ] = None,
    organisation: OrganisationOption = "",
    data: Data = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Print a rating list, or write it: of a day, as known on a day, or as it was published."""
    if published is not None and (at is not None or known is not None):
        raise typer.BadParameter("not together with --at or --known.", param_hint="'--published'")
    with_database(data)
    from arpad.store.settle import Settler

    found = find_pool(find_organisation(organisation), pool)
    settler = Settler(found)
    try:
        if published is not None:
            _say_published(settler, day_of(published, "--published"), form, out)
            return
        days = [day_of(text, option) if text else 0 for text, option in ((at, "--at"), (known, "--known"))]
        _say_list(settler, days[0], days[1] or None, form, out)
    except Refused as refused:
        raise by_name(refused, found) from None


def _say_list(settler: Settler, day: int, known: int | None, form: Format, out: Path | None) -> None:
    from arpad.domain.dates import day_text
    from arpad.store.asof import as_of, headline
    from arpad.store.settle import waiting

    pool = settler.pool
    found = as_of(settler, day, known)
    rows = [(name, *cells[1:]) for name, cells in _rows(pool, found.lines)]
    about: dict[str, Any] = {
        "pool": pool.slug, "ruleset": pool.ruleset, "headline": headline(pool, settler.rules.period),
        "at": day_text(day), "known": day_text(known or 0), "recording": found.recording,
        "waiting": waiting(pool), "rules_changed": found.rules_changed,
    }  # fmt: skip
    if out is not None:
        told = (
            f"Ratings of {day_text(day)}" if day else "Ratings of everything played",
            f"as known on {day_text(known)}" if known else "as known now",
            f"settled up to no. {found.recording}",
        )
        write_list(out, pool, found.lines, told, about)
    elif form is Format.JSON:
        say_json({**about, "players": [dict(zip(COLUMNS, row, strict=True)) for row in rows]})
    elif form is Format.CSV:
        say_csv(COLUMNS, rows)
    else:
        of = f"of {day_text(day)}" if day else "of everything played"
        when = f"as known on {day_text(known)}" if known else "as known now"
        say(f"{pool.name} ({pool.ruleset}), {of}, {when}: up to recording {found.recording}")
        if found.rules_changed:
            say("This version of the program computes other ratings than were shown then.")
        say_table(COLUMNS, rows, right=("rating", "games"))


def _rows(pool: Pool, lines: list[Line]) -> list[tuple[str, tuple[Any, ...]]]:
    """(name, (person, points, label, games, day)) of each line."""
    from arpad.domain.dates import day_text
    from arpad.store.people import shown_names

    names = shown_names([line.person for line in lines])
    return [
        (
            names.get(line.person, "…"),
            (line.person, _points(pool, line), line.label, line.games, day_text(line.last_played)),
        )
        for line in lines
    ]


def _points(pool: Pool, line: Line | None) -> float | None:
    from arpad.rulesets.catalogue import find

    return None if line is None or line.rating is None else line.rating / find(pool.ruleset).per_point


def _say_published(settler: Settler, day: int, form: Format, out: Path | None) -> None:
    from arpad.domain.dates import day_text
    from arpad.store.lists import differences, entries_of, find_list, intact
    from arpad.store.people import shown_names

    pool = settler.pool
    found = find_list(pool, day)
    lines = entries_of(found)
    changed = {difference.person: difference for difference in differences(found, settler)}
    people = [line.person for line in lines] + [p for p, d in changed.items() if d.published is None]
    then, names = {line.person: line for line in lines}, shown_names(people)
    rows = []
    for person in people:
        old, new = then.get(person), changed[person].now if person in changed else then.get(person)
        cells = [(_points(pool, line), line and line.label, line and line.games) for line in (old, new)]
        rows.append((names.get(person, "…"), *cells[0], *(cells[1] if person in changed else (None,) * 3)))
    reason = found.withdrawn_reason
    about = {
        "pool": pool.slug, "day": day_text(day), "version": found.version,
        "published": found.published.isoformat(timespec="seconds"), "recording": found.through,
        "digest": found.digest, "intact": intact(found), "changed": len(changed),
        "withdrawn": found.withdrawn and found.withdrawn.isoformat(timespec="seconds"),
        "reason": reason and reason.body,
    }  # fmt: skip
    if out is not None:
        told = [f"Ratings of {day_text(day)}", f"as published, version {found.version}"]
        told += ["This list was withdrawn."] if found.withdrawn else []
        write_list(out, pool, lines, told, about, foot=(f"sha256 {found.digest}",), played=False)
    elif form is Format.JSON:
        say_json({**about, "players": [dict(zip(THEN, row, strict=True)) for row in rows]})
    elif form is Format.CSV:
        say_csv(THEN, rows)
    else:
        say(f"{pool.name}, list of {day_text(day)}, version {found.version}, recording {found.through}")
        if found.withdrawn:
            say(f"withdrawn: {reason.body if reason else ''}")
        if not about["intact"]:
            say("The list is not what its hash says.")
        say_table(THEN, rows, right=("published", "games", "now", "games_now"))
        say(f"changed since publication: {len(changed)}")
