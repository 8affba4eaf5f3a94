"""The first run: from the printed link to an organisation, a pool and its first administrator."""

from __future__ import annotations

import re
import unicodedata

from django import forms
from django.conf import settings
from django.contrib.auth import get_user_model, login
from django.contrib.auth.password_validation import validate_password
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _

from arpad.store.models import Organisation, OrganisationPage, Pool, PoolPage
from arpad.store.recorder import recording
from arpad.web import first_run
from arpad.web.models import ADMIN, Role

# What a club plays -> the rules it begins with; all can be changed later.
GAMES = (
    ("us-table-tennis", _("table tennis")),
    ("belgian-go", _("go")),
    ("fide-standard", _("chess, as FIDE rates it")),
    ("youth-realtime", _("chess, youth: a rating after every game")),
    ("elo-logistic", _("another game: plain Elo")),
)
MINORS = (
    ("initial", _("first name and initial")),
    ("hidden", _("not shown at all")),
    ("full", _("full name (we have their parents’ consent)")),
)
RESERVED = {code for code, _name in settings.LANGUAGES} | {
    "static", "live", "api", "embed", "accounts", "set-up", "sign-in", "sign-out",
}  # fmt: skip
FIRST_AUTHOR = "1"


class SetUp(forms.Form):
    """What the site must know before anything else."""

    name = forms.CharField(label=_("Name of your club or federation"), max_length=120)
    game = forms.ChoiceField(label=_("What you play"), choices=GAMES)
    language = forms.ChoiceField(label=_("Language"), choices=settings.LANGUAGES)
    minors = forms.ChoiceField(label=_("How names of minors are shown"), choices=MINORS)
    username = forms.CharField(label=_("Your name for signing in"), max_length=60)
    password = forms.CharField(
        label=_("Password"), widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text=_("At least ten characters."), min_length=10,
    )  # fmt: skip

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        validate_password(password)
        return password


def set_up(request: HttpRequest, token: str) -> HttpResponse:
    """The one page of the set-up link."""
    if not first_run.is_good(token) or get_user_model().objects.exists():
        raise Http404
    language = request.LANGUAGE_CODE
    form = SetUp(request.POST or None, initial={"language": language})
    if request.method == "POST" and form.is_valid():
        organisation, pool = _make(request, form.cleaned_data)
        return redirect("pool-start", organisation.language, organisation.slug, pool.slug)
    status = 422 if request.method == "POST" else 200
    return render(request, "arpad/set_up.html", {"form": form, "language": language}, status=status)


@transaction.atomic
def _make(request: HttpRequest, told: dict[str, str]) -> tuple[Organisation, Pool]:
    """The organisation, its pool, its page and its administrator, all or nothing."""
    organisation = Organisation.objects.create(
        slug=slug_of(told["name"]), name=told["name"], language=told["language"]
    )
    OrganisationPage.objects.create(organisation=organisation, minors=told["minors"])
    game = dict(GAMES)[told["game"]]
    with recording(organisation, author=FIRST_AUTHOR, role="administrator", kind="set-up") as r:
        made = r.pool("main", str(game).split(",")[0].split(":")[0].capitalize(), told["game"])
    pool = Pool.objects.get(pk=made.key)
    PoolPage.objects.create(organisation=organisation, pool=pool, youth=told["game"] == "youth-realtime")
    user = get_user_model().objects.create_user(username=told["username"], password=told["password"])
    Role.objects.create(user=user, organisation=organisation, role=ADMIN, author=FIRST_AUTHOR)
    first_run.used()
    login(request, user)
    return organisation, pool


def slug_of(name: str) -> str:
    """A short name for addresses, one that nobody has."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:40] or "club"
    taken, number, found = set(Organisation.objects.values_list("slug", flat=True)) | RESERVED, 2, slug
    while found in taken:
        found, number = f"{slug}-{number}", number + 1
    return found
