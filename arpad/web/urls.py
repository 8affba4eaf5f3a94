"""Every address of the site. /<language>/<organisation>/[<pool>/]...; without a language: a redirect."""

from __future__ import annotations

from django.urls import path, register_converter

from arpad.web.converters import DayConverter, IdConverter, LanguageConverter
from arpad.web.here import page
from arpad.web.pages import doors, events, home, players, rating_list

register_converter(LanguageConverter, "language")
register_converter(IdConverter, "id")
register_converter(DayConverter, "day")

ORG = "<language:language>/<slug:org>/"
POOL = ORG + "<slug:pool>/"

urlpatterns = [
    path("", doors.front, name="front"),
    path("<language:language>/", doors.organisations, name="organisations"),
    path(ORG, page(home.home), name="home"),
    path(ORG + "search", page(home.search), name="search"),
    path(POOL + "list/latest", page(rating_list.latest, pool=True), name="pool-list"),
    path(POOL + "list/<day:day>", page(rating_list.of_day, pool=True), name="pool-list-day"),
    path(POOL + "players/<id:person>", page(players.player, pool=True), name="pool-player"),
    path(POOL + "events", page(events.events, pool=True), name="pool-events"),
    path(POOL + "events/<id:event>", page(events.event, pool=True), name="pool-event"),
    path("<path:rest>", doors.without_language, name="without-language"),
]
handler404 = doors.not_found
handler500 = doors.broken
