"""`arpad init`, `arpad organisation add`, `arpad pool add`: what a newcomer starts with."""

from __future__ import annotations

from typing import Annotated

import typer

from arpad.cli.database import (
    OPERATOR,
    Author,
    Data,
    OrganisationOption,
    find_organisation,
    slug_of,
    with_database,
)
from arpad.cli.say import Format, FormatOption, say, say_rows
from arpad.domain.problems import FATAL, Problem, Refused

organisation = typer.Typer(help="Organisations: the federations and clubs whose ledgers are kept here.")
pool = typer.Typer(help="Pools: players rated together under one ruleset.")
Short = Annotated[
    str, typer.Option("--short", help="Its short name; made from the name by default.", metavar="S")
]
POLICIES = ("published-stay", "recompute", "window")


def init(data: Data = None) -> None:
    """Make the data folder and its tables. Harmless where they are there."""
    with_database(data, create=True)
    from django.db import connections

    say(f"ready: {connections['default'].settings_dict['NAME']}")


@organisation.command("add")
def organisation_add(
    name: Annotated[str, typer.Argument(help="What it is called.")],
    short: Short = "",
    time_zone: Annotated[
        str, typer.Option("--time-zone", help="Its days and minors are reckoned there.", metavar="ZONE")
    ] = "Europe/Brussels",
    language: Annotated[str, typer.Option("--language", help="nl, fr, de or en.", metavar="L")] = "en",
    data: Data = None,
) -> None:
    """Add an organisation; the database is made where there is none."""
    with_database(data, create=True)
    from zoneinfo import available_timezones

    from arpad.store.models import Organisation

    slug = short or slug_of(name)
    if time_zone not in available_timezones():
        message = f"There is no time zone '{time_zone}'."
        raise Refused(Problem("time-zone-unknown", FATAL, message, "Write it as Europe/Brussels."))
    _refuse_taken("organisation", Organisation.objects.filter(slug=slug).exists(), slug)
    Organisation.objects.create(slug=slug, name=name, time_zone=time_zone, language=language)
    say(f"organisation {slug}: {name}")


@organisation.command("list")
def organisation_list(data: Data = None, form: FormatOption = Format.TABLE) -> None:
    """List the organisations."""
    with_database(data)
    from arpad.store.models import Organisation

    rows = [(o.slug, o.name, o.time_zone, o.chain_number) for o in Organisation.objects.order_by("slug")]
    say_rows(form, ("organisation", "name", "time_zone", "recordings"), rows, right=("recordings",))


@pool.command("add")
def pool_add(
    name: Annotated[str, typer.Argument(help="What its officer calls it, such as Rapid.")],
    ruleset: Annotated[str, typer.Option("--ruleset", help="The rules: see `arpad rulesets`.", metavar="R")],
    short: Short = "",
    policy: Annotated[
        str,
        typer.Option(
            "--policy", help="What a late result does: published-stay, recompute or window.", metavar="P"
        ),
    ] = "published-stay",
    window: Annotated[int, typer.Option("--window", help="Days, for the policy window.", metavar="DAYS")] = 0,
    organisation: OrganisationOption = "",
    author: Author = OPERATOR,
    data: Data = None,
) -> None:
    """Add a pool of players rated together."""
    with_database(data)
    from arpad.rulesets.catalogue import find
    from arpad.store.models import Pool
    from arpad.store.recorder import recording

    owner = find_organisation(organisation)
    rules = find(ruleset)
    if policy not in POLICIES or (policy == "window") != (window > 0):
        message = f"The policy {policy} with a window of {window} days is none."
        raise Refused(
            Problem("pool-policy", FATAL, message, f"Use one of {', '.join(POLICIES)}; a window needs days.")
        )
    slug = short or slug_of(name)
    _refuse_taken("pool", Pool.objects.filter(organisation=owner, slug=slug).exists(), slug)
    with recording(owner, author=author, kind="set-up", role="administrator", reason=f"pool {name}") as r:
        r.pool(slug, name, rules.id, policy=policy, window_days=window)
    say(f"pool {slug}: {name}, {rules.id}")


@pool.command("list")
def pool_list(
    organisation: OrganisationOption = "", data: Data = None, form: FormatOption = Format.TABLE
) -> None:
    """List the pools of an organisation."""
    with_database(data)
    from arpad.store.models import Pool

    owner = find_organisation(organisation)
    pools = Pool.objects.filter(organisation=owner, recording__number__isnull=False).order_by("slug")
    rows = [(p.slug, p.name, p.ruleset, p.policy, p.current) for p in pools]
    say_rows(form, ("pool", "name", "ruleset", "policy", "settlement"), rows, right=("settlement",))


def _refuse_taken(what: str, taken: bool, slug: str) -> None:
    if taken:
        message = f"There is a {what} {slug} already."
        raise Refused(Problem("name-taken", FATAL, message, "Give another one with --short."))
