"""An event as a file: its games and its wall list; in go as an EGD table, else as FIDE's report (TRF)."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Any, NamedTuple

from django.http import Http404, HttpResponseBase
from django.utils.translation import gettext as _

from arpad.domain.dates import day_text
from arpad.domain.problems import Refused
from arpad.domain.results import read_result
from arpad.domain.units import NOT_RATED
from arpad.formats.listing import CHANGE, DAY, FORMS, FREE, NUMBER, WORD, Column, ListPage, Part
from arpad.formats.spreadsheet import Value
from arpad.ledger.columns import NO_WEIGHT, GameRow
from arpad.ledger.sheet import Sheet, SheetPerson
from arpad.store import current
from arpad.store.current import Step
from arpad.store.holding import same
from arpad.store.models import BirthDate, Event, OutsideId, PersonDetail
from arpad.store.recorded import Stored, origins, stored_games
from arpad.web import bands, figures
from arpad.web.here import Here
from arpad.web.outgoing import (
    MILLION,
    address,
    answer,
    dateline,
    facts,
    file_answer,
    numbered,
    points,
    refuse,
    told_apart,
)
from arpad.web.pages.events import Cell, Standing, find_event, forms_of, rounds_of, standings
from arpad.web.pages.rating_list import clubs_today

# formats whose names stand as "van den Berg Noor"
FAMILY_FIRST = {"EGD table", "FFG table", "MacMahon XML", "OpenGotha XML", "Pairgoth"}


class Told(NamedTuple):
    """An event as it goes out: names as this reader may see them, no two alike where a file needs it."""

    row: Event
    event_class: str
    games: list[Stored]
    steps: list[Step]
    lines: list[Standing]
    names: dict[int, str]
    clubs: dict[int, str]

    @property
    def days(self) -> tuple[int, int]:
        """The first and the last day played."""
        days = [game.played.day for game in self.games]
        return min(days, default=0), max(days, default=0)


def event(here: Here, event: str, form: str) -> HttpResponseBase:
    """The event of that id in one of forms_of()."""
    if form not in forms_of(here):
        raise Http404
    told = _told(here, event)
    name = f"{here.organisation.slug}-{here.pool.slug}-{day_text(told.days[0])}-{event}"
    if form in FORMS:
        return answer(here, form, name, _page(here, told, event, form))
    try:
        return file_answer(here, form, name, _table(here, told) if form == "h9" else _report(here, told))
    except Refused as refused:
        return refuse(here, refused)


def _told(here: Here, ident: str) -> Told:
    row, feed = find_event(here, ident)
    games = stored_games(here.organisation, [row.pk], same(here.organisation))
    steps = current.steps_of_event(here.pool, row.pk)
    persons = list(dict.fromkeys(p for g in games for p in (g.played.player1, g.played.player2) if p))
    here.names.load(persons)
    lines = standings(here, row.pk, games, steps, persons)
    people = [line.person for line in lines]
    clubs = {person: name for person, (_ident, name) in clubs_today(here, people).items()}
    names = told_apart([here.names[p].name for p in people], [clubs.get(p, "") for p in people])
    return Told(row, feed.event_class, games, steps, lines, dict(zip(people, names, strict=True)), clubs)


# --- games and wall list ----------------------------------------------------------------------------


def _page(here: Here, told: Told, ident: str, form: str) -> ListPage:
    first, last = told.days
    title = told.row.name or _("Games without an event")
    when = figures.date_text(first, here.language, True)
    if last != first:
        when = f"{when} – {figures.date_text(last, here.language, True)}"
    more = facts(
        here, id=ident, event=told.row.name, first_day=day_text(first), last_day=day_text(last),
        event_class=told.event_class,
    )  # fmt: skip
    parts = [Part("games", _("Games"), _game_columns(here), _game_rows(here, told, title))]
    if rounds_of(told.games):
        parts.append(_wall(here, told))
    if form in ("html", "pdf"):
        parts.reverse()  # people look at the wall list first
    return ListPage(
        title, here.organisation.name, here.pool.name, here.language, (when, *dateline(here)), tuple(parts),
        more, (address(here, "pool-event", ident),),
    )  # fmt: skip


def _game_columns(here: Here) -> tuple[Column, ...]:
    """Headings that our own reader of tables knows, and that do not look like games.csv."""
    colours = bool(here.rules.max_stones)
    first, second = (_("White"), _("Black")) if colours else (_("First player"), _("Second player"))
    stones = [Column("handicap", _("Handicap"), NUMBER)] if colours else []
    places = figures.decimals(here.rules, detail=True)
    return (
        Column("event", _("Event"), FREE, file_only=True),
        Column("date", _("Played on"), DAY),
        Column("round", _("Round"), NUMBER),
        Column("player1", first, FREE, strong=True),
        Column("player2", second, FREE),
        Column("result", _("Result"), WORD),
        *stones,
        Column("expected", _("Expected"), NUMBER, 2),
        Column("change1", _("Change (%(who)s)") % {"who": first}, CHANGE, places),
        Column("change2", _("Change (%(who)s)") % {"who": second}, CHANGE, places),
    )


def _game_rows(here: Here, told: Told, title: str) -> list[Sequence[Value]]:
    """By day and round. Expected and changes are empty where the game is not rated."""
    steps = {(step.subject, step.person): step for step in told.steps}
    hidden, per = _("name not shown"), here.rules.change_per_point
    rows: list[Sequence[Value]] = []
    for game in sorted(told.games, key=lambda one: (one.played.day, one.played.round)):
        played = game.played
        one, two = (steps.get((game.ref.key, person)) for person in (played.player1, played.player2))
        changes = [
            points(here, step.change, per) if step is not None and step.expected != NOT_RATED else None
            for step in (one, two)
        ]
        rated = one is not None and one.expected != NOT_RATED
        second = (told.names.get(played.player2) or hidden) if played.player2 else _("bye")
        rows.append((
            title, datetime.date.fromordinal(played.day), played.round or None,
            told.names.get(played.player1) or hidden, second, played.result,
            *([played.stones or None] if here.rules.max_stones else []),
            one.expected / MILLION if one is not None and rated else None, *changes,
        ))  # fmt: skip
    return rows


def _wall(here: Here, told: Told) -> Part:
    ranked = figures.ranked(here.rules)
    places = figures.decimals(here.rules)
    rank = [Column("label", _("Rank"), WORD)] if ranked else []
    rounds = [Column(f"round{number}", str(number), WORD) for number in rounds_of(told.games)]
    columns = (
        Column("number", _("Place"), NUMBER), Column("player", _("Name"), FREE, strong=True),
        Column("id", "id", WORD, json_only=True), Column("club", _("Club"), FREE), *rank, *rounds,
        Column("won", _("Wins"), NUMBER), Column("before", _("Before"), NUMBER, places),
        Column("change", _("Change"), CHANGE, places), Column("after", _("After"), NUMBER, places, True),
    )  # fmt: skip
    rows: list[Sequence[Value]] = []
    for line in told.lines:
        cells = [" ".join(_cell(cell) for cell in some) for some in line.cells]
        won = line.halves // 2 if line.halves % 2 == 0 else line.halves / 2
        rows.append((
            line.number, told.names[line.person] or _("name not shown"), here.names[line.person].id,
            told.clubs.get(line.person, ""), *([_rank(here, line)] if ranked else []), *cells, won,
            points(here, line.before), points(here, line.change, here.rules.change_per_point),
            points(here, line.after),
        ))  # fmt: skip
    name = _("Wall list") if ranked else _("Crosstable")
    return Part("players", name, columns, rows)


def _cell(cell: Cell) -> str:
    """7+ won against number 7; 7 3-1 in sets."""
    mark = cell.mark.replace(figures.MINUS, "-").replace("–", "-")
    return f"{cell.number or ''}{' ' if cell.number and mark[:1].isdigit() else ''}{mark}"


def _rank(here: Here, line: Standing) -> str:
    """The rank of the rating before, as a table writes it: 5k."""
    if line.before is None:
        return ""
    name = bands.name(here.rules, bands.of(here.rules, line.before), "en")
    return bands.rank(name, "en", short=True)


# --- EGD table, TRF ---------------------------------------------------------------------------------


def _table(here: Here, told: Told) -> bytes:
    """As the European Go Database takes it. Raises Refused for what no table can hold."""
    from arpad.formats import egd
    from arpad.formats.reading import Findings

    table = egd.table_of(_sheet(here, told), 0, egd.EGD, findings=Findings())
    return egd.write(table, egd.EGD)


def _report(here: Here, told: Told) -> bytes:
    """A TRF26. Raises Refused for what no report can hold."""
    from arpad.formats import trf

    first, last = told.days
    made = trf.tournament_of(_sheet(here, told))
    return trf.write(trf.as_dialect(made, trf.TRF26, first=first, last=last))


def _sheet(here: Here, told: Told) -> Sheet:
    """The event as a sheet, players in the order of the wall list, each under a name of its own."""
    sheet = Sheet()
    people = [line.person for line in told.lines]
    names = numbered(_names(here, told, people))
    known = _known(here, people)
    at = {}
    for line, name in zip(told.lines, names, strict=True):
        rating = points(here, line.before)
        person = SheetPerson(
            name, club=told.clubs.get(line.person, ""), rating=rating, rank=_rank(here, line)
        )
        at[line.person] = sheet.person(person._replace(**known.get(line.person, {})))
    start = told.row.start.toordinal() if told.row.start else told.days[0]
    number = sheet.event(told.row.name, start, 0, told.event_class)
    for game in told.games:
        one = game.played
        result = read_result(one.result, one.best_of)
        if result is None:
            continue
        sheet.games.append(GameRow(
            at[one.player1], at[one.player2] if one.player2 else -1, number, one.day, one.round, one.board,
            one.sequence, sheet.result(result), one.stones,
            NO_WEIGHT if one.weight is None else one.weight, one.size,
        ))  # fmt: skip
    return sheet


def _names(here: Here, told: Told, people: list[int]) -> list[str]:
    """ "van den Berg, Noor": these files want the family name first.

    A name without a comma begins with the first name, as everywhere on the site; but for names of go files,
    which are kept in the order of the file, the family name first.
    """
    hidden = _("name not shown")
    found = [here.names[person].name for person in people]
    if here.rules.max_stones:
        files = origins(game.recording for game in told.games).values()
        if any(file.format in FAMILY_FIRST for some in files for file in some):
            return [name or hidden for name in found]
    return [_turned(name) or hidden for name in found]


def _turned(name: str) -> str:
    first, blank, family = name.partition(" ")
    return name if "," in name or not blank else f"{family}, {first}"


def _known(here: Here, people: list[int]) -> dict[int, dict[str, Any]]:
    """Numbers, births, sex, title and federation: for officers alone, who send these files."""
    found: dict[int, dict[str, Any]] = {person: {} for person in people}
    if not here.reader.is_officer:
        return found
    mine = {"organisation": here.organisation, "person__in": people}
    for person, kind, value in (
        OutsideId.objects.filter(**mine).order_by("pk").values_list("person_id", "kind", "value")
    ):
        found[person]["ids"] = (*found[person].get("ids", ()), (kind, value))
    for person, year, day in BirthDate.objects.filter(**mine).values_list("person_id", "year", "day"):
        found[person]["birth"] = day.isoformat() if day else str(year)
    for person, sex, title, federation in PersonDetail.objects.filter(**mine).values_list(
        "person_id", "sex", "title", "federation"
    ):
        found[person] |= {"sex": sex, "title": title, "federation": federation}
    return found
