"""The demonstration on the site: four invented organisations in a database file of their own."""

from __future__ import annotations

import secrets
from typing import NamedTuple

from django.contrib.auth import get_user_model
from django.db import transaction

from arpad.demo import DEMOS, LATE, Demo, sheets
from arpad.domain.dates import read_day
from arpad.ledger.sheet import Sheet
from arpad.store.intake import Request, SheetFile, plan, record
from arpad.store.lists import publish
from arpad.store.models import Organisation, OrganisationPage, Pool, PoolPage
from arpad.store.people import club, join
from arpad.store.recorder import recording, ref
from arpad.store.settle import Settler
from arpad.web.models import ADMIN, ENTRY, OFFICER, Role

CLUBS = ("Antwerp", "Brussels", "Ghent", "Leuven", "Liège", "Namur", "Bruges", "Hasselt")
# demo -> (short name of the organisation, its language, name of the pool)
PLACES = {
    "go-federation": ("go", "nl", "Go"),
    "table-tennis-club": ("table-tennis", "nl", "Clubrating"),
    "youth-chess": ("youth-chess", "fr", "Jeunes"),
    "chess-club": ("chess", "en", "Standard"),
}
LAST_LIST = read_day("2026-06-01") or 0


class Login(NamedTuple):
    """A login that `make run` prints."""

    role: str
    name: str
    password: str


def fill() -> list[Login]:
    """Take in the demonstration; the logins, a role each. The database must be empty."""
    assert not Organisation.objects.exists(), "the demonstration has a database file of its own"
    for demo in DEMOS:
        _organisation(demo)
    return logins()


def logins() -> list[Login]:
    """Accounts with new passwords, a role each."""
    return [_login(role) for role in (ENTRY, OFFICER, ADMIN)]


def _organisation(demo: Demo) -> None:
    slug, language, pool_name = PLACES[demo.name]
    organisation = Organisation.objects.create(slug=slug, name=demo.title, language=language)
    youth = demo.name == "youth-chess"
    OrganisationPage.objects.create(
        organisation=organisation, open=True, unknown_age="minor" if youth else "adult",
        initial_of="whole", introduction=f"{demo.title}. All people and games here are invented.",
    )  # fmt: skip
    with recording(organisation, author="1", role="administrator", kind="set-up") as r:
        made = r.pool(pool_name.lower(), pool_name, demo.ruleset)
    pool = Pool.objects.get(pk=made.key)
    PoolPage.objects.create(organisation=organisation, pool=pool, youth=youth)
    found = sheets(demo)
    late = found.pop(LATE)
    games = found.pop("games.csv")
    for sheet in found.values():
        games.first_ratings += sheet.first_ratings
        games.corrections += sheet.corrections
    settler = Settler(pool)
    _take(pool, settler, games, "games.csv", "the season so far")
    if demo.name == "go-federation":
        _clubs(organisation)
    settler.settle()
    publish(settler, LAST_LIST, "1")
    _take(pool, settler, late, LATE, "a sheet found in the club box")
    settler.settle()


def _take(pool: Pool, settler: Settler, sheet: Sheet, name: str, reason: str) -> None:
    file = SheetFile(name, "games.csv", None, sheet.digest(), False)
    preview = plan(Request(pool, sheet, (file,), accept_new=True, effect=False), settler)
    done = record(preview, author="2", reason=reason, settler=settler)
    assert done.recording is not None


def _clubs(organisation: Organisation) -> None:
    """Everybody a member of a club, in turn."""
    from arpad.store.models import Person

    people = list(Person.objects.filter(organisation=organisation).order_by("pk"))
    with recording(organisation, author="1", role="administrator", kind="set-up") as r:
        clubs = [club(r, name) for name in CLUBS]
        for number, person in enumerate(people):
            join(r, ref(person), clubs[number * 7 % len(clubs)])


@transaction.atomic
def _login(role: str) -> Login:
    password = secrets.token_urlsafe(9)
    user, _made = get_user_model().objects.get_or_create(username=f"demo-{role}")
    user.set_password(password)
    user.save()
    for organisation in Organisation.objects.all():
        Role.objects.get_or_create(
            user=user, organisation=organisation, defaults={"role": role, "author": str(user.pk + 100)}
        )
    return Login(role, user.username, password)
