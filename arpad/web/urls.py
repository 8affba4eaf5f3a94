"""Every address of the site. /<language>/<organisation>/[<pool>/]...; without a language: a redirect."""

from __future__ import annotations

from django.contrib.auth.views import LoginView, LogoutView
from django.urls import path, register_converter

from arpad.web.converters import DayConverter, EditionConverter, FormConverter, IdConverter, LanguageConverter
from arpad.web.here import action, page
from arpad.web.models import ADMIN, OFFICER
from arpad.web.pages import (
    about,
    calculator,
    clubs,
    doors,
    event_files,
    events,
    first_run,
    home,
    list_files,
    members,
    players,
    publishing,
    rating_list,
    rules,
    statistics,
)

register_converter(LanguageConverter, "language")
register_converter(IdConverter, "id")
register_converter(DayConverter, "day")
register_converter(EditionConverter, "edition")
register_converter(FormConverter, "form")


class SignIn(LoginView):
    template_name = "arpad/sign_in.html"
    redirect_authenticated_user = True
    next_page = "/"


ORG = "<language:language>/<slug:org>/"
POOL = ORG + "<slug:pool>/"

urlpatterns = [
    path("", doors.front, name="front"),
    path("set-up/<str:token>", first_run.set_up, name="set-up"),
    path("sign-in", SignIn.as_view(), name="sign-in"),
    path("sign-out", LogoutView.as_view(next_page="/"), name="sign-out"),
    path("<language:language>/", doors.organisations, name="organisations"),
    path(ORG, page(home.home), name="home"),
    path(ORG + "search", page(home.search), name="search"),
    path(POOL + "list/latest", page(rating_list.latest, pool=True), name="pool-list"),
    path(POOL + "list/<day:day>", page(rating_list.of_day, pool=True), name="pool-list-day"),
    path(POOL + "list/latest.<form:form>", page(list_files.latest, pool=True), name="pool-list-file"),
    path(POOL + "list/<day:day>.<form:form>", page(list_files.of_day, pool=True), name="pool-list-day-file"),
    path(POOL + "players/<id:person>", page(players.player, pool=True), name="pool-player"),
    path(POOL + "events", page(events.events, pool=True), name="pool-events"),
    path(POOL + "events/<id:event>", page(events.event, pool=True), name="pool-event"),
    path(POOL + "events/<id:event>.<form:form>", page(event_files.event, pool=True), name="pool-event-file"),
    path(ORG + "about", page(about.about), name="about"),
    path(POOL + "clubs", page(clubs.clubs, pool=True), name="pool-clubs"),
    path(POOL + "clubs/<id:club>", page(clubs.club, pool=True), name="pool-club"),
    path(POOL + "statistics", page(statistics.statistics, pool=True), name="pool-statistics"),
    path(POOL + "compare", action(statistics.compare, OFFICER, pool=True), name="pool-compare"),
    path(POOL + "start", action(members.members, ADMIN, pool=True), name="pool-start"),
    path(POOL + "publish", action(publishing.publish, ADMIN, pool=True), name="pool-publish"),
    path(POOL + "calculator", page(calculator.calculator, pool=True), name="pool-calculator"),
    path(ORG + "rules/", page(rules.index), name="rules-index"),
    path(ORG + "rules/<slug:ruleset>/<edition:edition>", page(rules.ruleset), name="rules"),
    path("<path:rest>", doors.without_language, name="without-language"),
]
handler404 = doors.not_found
handler500 = doors.broken
