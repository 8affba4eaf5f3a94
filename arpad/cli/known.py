"""More of `arpad people`: what is known of a person. None of it moves a rating.

Names, numbers, birth and status are side rows, written at once; memberships are facts, one recording each.
"""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING, Annotated

import typer

from arpad.cli.database import (
    OPERATOR,
    Author,
    Data,
    OrganisationOption,
    Reason,
    find_organisation,
    with_database,
)
from arpad.cli.inputs import day_of
from arpad.cli.people import DryRun, Somebody, find_person
from arpad.cli.people import people as people  # its commands are added to
from arpad.cli.say import Format, FormatOption, say, say_rows
from arpad.domain.problems import FATAL, Problem, Refused

if TYPE_CHECKING:
    from arpad.store.models import Organisation

Since = Annotated[str, typer.Option("--since", help="From that day on; from ever by default.", metavar="DAY")]
Until = Annotated[
    str, typer.Option("--until", help="Up to and with that day; still by default.", metavar="DAY")
]
NOTHING = "nothing was recorded"


@people.command("rename")
def rename(
    person: Somebody,
    name: Annotated[str, typer.Argument(help="The name that lists show from now on.")],
    dry_run: DryRun = False,
    author: Author = OPERATOR,
    organisation: OrganisationOption = "",
    data: Data = None,
) -> None:
    """Show a person under another name. The names before are still found."""
    _name(person, name, True, dry_run, author, organisation, data)


@people.command("alias")
def alias(
    person: Somebody,
    name: Annotated[str, typer.Argument(help="Another name, by which the person is found.")],
    dry_run: DryRun = False,
    author: Author = OPERATOR,
    organisation: OrganisationOption = "",
    data: Data = None,
) -> None:
    """Add a name that a person also goes by."""
    _name(person, name, False, dry_run, author, organisation, data)


def _name(
    person: str, name: str, shown: bool, dry_run: bool, author: str, organisation: str, data: Data
) -> None:
    with_database(data)
    from arpad.store import people as known
    from arpad.store.matching import bearers

    owner = find_organisation(organisation)
    key = find_person(owner, person)
    name = " ".join(name.split())
    if not name:
        raise Refused(Problem("name-empty", FATAL, "A name has letters.", "Write the whole name."))
    others = bearers(owner, name) - {key}
    say(f"{_called(key)} {'is now shown as' if shown else 'is also'} {name}")
    if others:
        say(f"{len(others)} other with that name: the two are not joined")
    if dry_run:
        say(NOTHING)
        return
    known.add_name(owner, key, name, by=author, shown=shown)


@people.command("id")
def outside_id(
    person: Somebody,
    kind: Annotated[str, typer.Argument(help="Whose number: fide, national, egd, licence, ...")],
    value: Annotated[str, typer.Argument(help="The number.")],
    since: Since = "",
    until: Until = "",
    dry_run: DryRun = False,
    author: Author = OPERATOR,
    organisation: OrganisationOption = "",
    data: Data = None,
) -> None:
    """Note a federation's number of a person, and when it held."""
    with_database(data)
    from arpad.store import people as known

    owner = find_organisation(organisation)
    key = find_person(owner, person)
    days = _days(since, until)
    say(f"{_called(key)}: {kind} {known.plain_id(value)}{_period(*days)}")
    if dry_run:
        say(NOTHING)
        return
    known.set_outside_id(owner, key, kind, value, by=author, since=days[0], until=days[1])


@people.command("birth")
def birth(
    person: Somebody,
    born: Annotated[str, typer.Argument(help="The year, or the day as 2009-05-30.", metavar="YEAR|DAY")],
    dry_run: DryRun = False,
    author: Author = OPERATOR,
    organisation: OrganisationOption = "",
    data: Data = None,
) -> None:
    """Note a year or day of birth: for privacy alone. What rules compute with is a first rating's affair."""
    with_database(data)
    from arpad.store import people as known

    owner = find_organisation(organisation)
    key = find_person(owner, person)
    if born.isdecimal() and len(born) == 4:
        year, day = int(born), None
    else:
        day = datetime.date.fromordinal(day_of(born, "YEAR|DAY"))
        year = day.year
    if not 1850 <= year <= datetime.datetime.now(datetime.UTC).year:
        raise Refused(Problem("date-unreadable", FATAL, f"Nobody was born in {year}.", "Correct the year."))
    say(f"{_called(key)}: born {born}")
    if dry_run:
        say(NOTHING)
        return
    known.set_birth(owner, key, year, day, by=author)


@people.command("status")
def status(
    person: Somebody,
    what: Annotated[str, typer.Argument(help="left, not-listed or deceased.", metavar="STATUS")],
    since: Annotated[
        str, typer.Option("--since", help="From that day on; from today by default.", metavar="DAY")
    ] = "",
    until: Until = "",
    dry_run: DryRun = False,
    author: Author = OPERATOR,
    organisation: OrganisationOption = "",
    data: Data = None,
) -> None:
    """A person has left, is not to be listed, or is deceased: out of lists; games and ratings stay."""
    with_database(data)
    from arpad.store import people as known

    owner = find_organisation(organisation)
    said = what.replace("-", " ")
    if said not in known.STATUSES:
        raise typer.BadParameter(f"'{what}' is not left, not-listed or deceased.", param_hint="'STATUS'")
    key = find_person(owner, person)
    start, end = _days(since, until)
    start = start or _today(owner)
    say(f"{_called(key)}: {said}{_period(start, end)}")
    if dry_run:
        say(NOTHING)
        return
    known.set_status(owner, key, said, start, end, by=author)


@people.command("apart")
def apart(
    one: Somebody,
    other: Somebody,
    dry_run: DryRun = False,
    author: Author = OPERATOR,
    organisation: OrganisationOption = "",
    data: Data = None,
) -> None:
    """Two persons are different, however alike their names: never suggest that they are one."""
    with_database(data)
    from arpad.store.matching import keep_apart

    owner = find_organisation(organisation)
    keys = find_person(owner, one), find_person(owner, other)
    if keys[0] == keys[1]:
        message = "They are one person here."
        raise Refused(
            Problem("merge-ring", FATAL, message, "Undo the merge with `people unmerge --different`.")
        )
    say(f"{_called(keys[0])} and {_called(keys[1])} are two persons")
    if dry_run:
        say(NOTHING)
        return
    keep_apart(owner, *keys, by=author)


# --- clubs ----------------------------------------------------------------------------------------


@people.command("join")
def join(
    person: Somebody,
    club: Annotated[str, typer.Argument(help="The club; recorded where there is none of that name.")],
    since: Since = "",
    until: Until = "",
    dry_run: DryRun = False,
    reason: Reason = "",
    author: Author = OPERATOR,
    organisation: OrganisationOption = "",
    data: Data = None,
) -> None:
    """A person is a member of a club."""
    with_database(data)
    from arpad.store import people as known
    from arpad.store.models import Person
    from arpad.store.recorder import recording, ref

    owner = find_organisation(organisation)
    key, days = find_person(owner, person), _days(since, until)
    say(f"{_called(key)}: member of {club}{_period(*days)}")
    if dry_run:
        say(NOTHING)
        return
    with recording(owner, author=author, kind="membership", reason=reason) as r:
        known.join(r, ref(Person.objects.get(pk=key)), known.club(r, club), *days)
    say(f"recorded as no. {r.row.number}")


@people.command("leave")
def leave(
    person: Somebody,
    club: Annotated[str, typer.Argument(help="The club.")],
    until: Annotated[
        str, typer.Option("--until", help="The last day; today by default.", metavar="DAY")
    ] = "",
    dry_run: DryRun = False,
    reason: Reason = "",
    author: Author = OPERATOR,
    organisation: OrganisationOption = "",
    data: Data = None,
) -> None:
    """A membership has ended."""
    with_database(data)
    from arpad.store import people as known
    from arpad.store.holding import same
    from arpad.store.recorder import recording

    owner = find_organisation(organisation)
    key = find_person(owner, person)
    day = _days("", until)[1] or _today(owner)
    members = known.clubs_of(owner, same(owner).members(key))
    found = [row for row in members if row.club.name == club and (row.until is None or row.until > day)]
    if not found:
        clubs = ", ".join(dict.fromkeys(row.club.name for row in members)) or "no club"
        message = f"{_called(key)} is no member of '{club}' after {day}."
        raise Refused(Problem("membership-unknown", FATAL, message, f"Known: {clubs}."))
    say(f"{_called(key)}: member of {club} until {day}")
    if dry_run:
        say(NOTHING)
        return
    with recording(owner, author=author, kind="membership", reason=reason) as r:
        for row in found:
            known.leave(r, row, day)
    say(f"recorded as no. {r.row.number}")


@people.command("clubs")
def clubs(
    person: Somebody,
    organisation: OrganisationOption = "",
    data: Data = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """List the clubs of a person."""
    with_database(data)
    from arpad.store import people as known
    from arpad.store.holding import same

    owner = find_organisation(organisation)
    rows = known.clubs_of(owner, same(owner).members(find_person(owner, person)))
    say_rows(
        form,
        ("club", "since", "until"),
        [(row.club.name, _text(row.since), _text(row.until)) for row in rows],
    )


# --- words ----------------------------------------------------------------------------------------


def _called(person: int) -> str:
    from arpad.store.people import shown_names

    return shown_names([person]).get(person, "…")


def _days(since: str, until: str) -> tuple[datetime.date | None, datetime.date | None]:
    found = [
        datetime.date.fromordinal(day_of(text, option)) if text else None
        for text, option in ((since, "--since"), (until, "--until"))
    ]
    if found[0] and found[1] and found[1] < found[0]:
        raise typer.BadParameter("it is before --since.", param_hint="'--until'")
    return found[0], found[1]


def _period(since: datetime.date | None, until: datetime.date | None) -> str:
    return (f" from {since}" if since else "") + (f" until {until}" if until else "")


def _text(day: datetime.date | None) -> str | None:
    return day.isoformat() if day else None


def _today(owner: Organisation) -> datetime.date:
    from arpad.store.days import today

    return datetime.date.fromordinal(today(owner))
