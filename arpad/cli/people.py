"""`arpad people`: find somebody, merge two records of one person, undo that, erase, give the data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated
from uuid import UUID

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
from arpad.cli.say import Format, FormatOption, counted, say, say_json, say_rows
from arpad.domain.problems import FATAL, Problem, Refused

if TYPE_CHECKING:
    from arpad.store.merging import Side
    from arpad.store.models import Organisation

people = typer.Typer(help="The people of an organisation.")
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would be done, and do nothing.")]
Somebody = Annotated[str, typer.Argument(help="A name, or the id that `people find` prints.")]


@people.command("find")
def find(
    name: Annotated[str, typer.Argument(help="The beginning of any part of a name; several parts together.")],
    limit: Annotated[
        int, typer.Option("--limit", help="How many at most.", metavar="N", min=1, max=1_000_000)
    ] = 20,
    organisation: OrganisationOption = "",
    data: Data = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Find people by the beginning of a part of their name."""
    with_database(data)
    from arpad.store import search
    from arpad.store.holding import same
    from arpad.store.mentions import names_of
    from arpad.store.merging import games_of

    owner = find_organisation(organisation)
    merged = same(owner)
    rows = []
    for found in search.find(owner, name, limit=limit):
        members = merged.members(found.person)
        also = "; ".join(other for other in names_of(members) if other != found.name)
        games = games_of(owner, members).count()
        rows.append((found.uuid.hex, found.name, games, also, found.meant))
    if form is Format.TABLE:
        if not rows:
            say("nobody")
            return
        if rows[0][4]:
            say("Nobody by that name. Did you mean:")
        say_rows(form, ("id", "name", "games", "also"), [row[:4] for row in rows], right=("games",))
        return
    say_rows(form, ("id", "name", "games", "also", "did_you_mean"), rows)


@people.command("merge")
def merge(
    kept: Somebody,
    merged: Somebody,
    anyway: Annotated[
        bool, typer.Option("--anyway", help="Although they were found to be different before.")
    ] = False,
    dry_run: DryRun = False,
    reason: Reason = "",
    author: Author = OPERATOR,
    organisation: OrganisationOption = "",
    data: Data = None,
) -> None:
    """Two records are one person: the first one's name is shown. `people unmerge` undoes it."""
    with_database(data)
    from arpad.store import merging

    owner = find_organisation(organisation)
    one, other = find_person(owner, kept), find_person(owner, merged)
    plan = merging.plan_merge(owner, one, other, anyway=anyway)
    if plan.refusal is not None:
        raise Refused(plan.refusal)
    say(f"kept:   {_side(plan.kept)}")
    say(f"merged: {_side(plan.merged)}")
    if dry_run:
        say("nothing was recorded")
        return
    merging.merge(owner, one, other, author=author, reason=reason, anyway=anyway)
    _say_recorded(owner)


@people.command("unmerge")
def unmerge(
    merged: Annotated[str, typer.Argument(help="Who was merged into somebody: a name as entered, or an id.")],
    different: Annotated[
        bool, typer.Option("--different", help="They are two persons: never suggest it again.")
    ] = False,
    dry_run: DryRun = False,
    reason: Reason = "",
    author: Author = OPERATOR,
    organisation: OrganisationOption = "",
    data: Data = None,
) -> None:
    """Undo a merge. Each gets the games back that were entered under that name."""
    with_database(data)
    from arpad.domain.dates import day_text
    from arpad.store import merging
    from arpad.store.models import Game

    owner = find_organisation(organisation)
    who = find_person(owner, merged, as_entered=True)
    plan = merging.plan_unmerge(owner, who)
    if not dry_run:
        plan = merging.unmerge(owner, who, author=author, reason=reason, different=different)
    say(f"kept:     {_side(plan.kept)}")
    say(f"returned: {_side(plan.returned)}")
    if plan.to_decide:
        say(f"entered after the merge, to be decided: {counted(len(plan.to_decide), 'game')}")
        for game in Game.objects.filter(pk__in=plan.to_decide).select_related("event").order_by("day", "pk"):
            say(f"  {day_text(game.day)} {game.event.name} round {game.round}: {game.result}")
    if dry_run:
        say("nothing was recorded")
        return
    _say_recorded(owner)


@people.command("erase")
def erase(
    person: Somebody,
    yes: Annotated[bool, typer.Option("--yes", help="Erase. It cannot be undone.")] = False,
    also_text: Annotated[
        list[UUID] | None,
        typer.Option("--also-text", help="A text that is about this person too.", metavar="ID"),
    ] = None,
    organisation: OrganisationOption = "",
    data: Data = None,
) -> None:
    """Erase a person's data for good. Games and ratings stay, under a pseudonym."""
    with_database(data)
    from arpad.store import erasure
    from arpad.store.models import Text

    owner = find_organisation(organisation)
    key = find_person(owner, person)
    plan = erasure.plan_erasure(owner, key)
    say(
        f"{counted(len(plan.names), 'name')}, {counted(plan.outside_ids, 'outside id')}, "
        f"{counted(plan.decisions, 'decision')}, {counted(len(plan.texts), 'text')}, "
        f"{counted(len(plan.files), 'raw file')}"
    )
    left = [of for of in plan.to_decide if of not in (also_text or [])]
    for text in Text.objects.filter(uuid__in=left).order_by("pk"):
        say(f"not erased without --also-text {text.uuid}: {text.body}")
    if not yes:
        say("nothing was erased; --yes erases, for good")
        return
    done = erasure.erase(owner, key, also_texts=also_text or [])
    say(f"erased; now listed as {erasure.pseudonym(done.people[0])}")
    for place in done.left:
        say(f"still there: {place}")


@people.command("data")
def data_of(person: Somebody, organisation: OrganisationOption = "", data: Data = None) -> None:
    """Print everything that is kept about a person, as JSON."""
    with_database(data)
    from arpad.store.person_data import person_data

    owner = find_organisation(organisation)
    say_json(person_data(owner, find_person(owner, person)))


def find_person(organisation: Organisation, text: str, *, as_entered: bool = False) -> int:
    """Key of the person of that id or name. Raises Refused (`person-unknown`, `person-ambiguous`).

    as_entered  the record itself, not the one it is merged into
    """
    from arpad.store.holding import same
    from arpad.store.matching import bearers
    from arpad.store.models import Person

    found: set[int]
    try:
        of = UUID(text)
    except ValueError:
        found = bearers(organisation, text)
    else:
        rows = Person.objects.filter(organisation=organisation, uuid=of, recording__number__isnull=False)
        found = set(rows.values_list("pk", flat=True))
    if not as_entered:
        merged = same(organisation)
        found = {merged.root(person) for person in found}
    if len(found) == 1:
        return found.pop()
    if not found:
        remedy = "Look the person up with `arpad people find`."
        raise Refused(Problem("person-unknown", FATAL, f"There is nobody called '{text}'.", remedy))
    ids = ", ".join(of.hex for of in Person.objects.filter(pk__in=found).values_list("uuid", flat=True))
    message = f"{len(found)} people are called '{text}'."
    raise Refused(Problem("person-ambiguous", FATAL, message, f"Give the id: {ids}."))


def _side(side: Side) -> str:
    names = "; ".join(side.names)
    return f"{names}: {counted(side.games, 'game')}"


def _say_recorded(organisation: Organisation) -> None:
    organisation.refresh_from_db(fields=["chain_number"])
    say(f"recorded as no. {organisation.chain_number}; `arpad settle` brings the ratings up to it")
