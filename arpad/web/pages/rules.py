"""The rules: each ruleset's page, made from the ruleset itself; every number on it is computed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from django.http import Http404, HttpResponse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arpad.domain.dates import NO_DAY, day_text
from arpad.domain.problems import RuleRefusal
from arpad.engine import rules_text
from arpad.engine.expect import expect, params_on
from arpad.engine.sentences import Wording, terms_of
from arpad.ledger.facts import ParameterChange
from arpad.rulesets.catalogue import Ruleset, find, names
from arpad.store.models import Pool
from arpad.store.pool_rules import own_parameters
from arpad.web import figures, points, rules_tables
from arpad.web.examples import EXAMPLES, Example
from arpad.web.here import Here
from arpad.web.reader import listed
from arpad.web.rules_prose import UNITS, blocks, headed, inline

PERIODS = {
    "game": gettext_lazy("after every game"), "event": gettext_lazy("after every event"),
    "month": gettext_lazy("every month"), "quarter": gettext_lazy("every quarter"),
}  # fmt: skip
LATEST = "latest"
HIDDEN = {"unrounded", "change", "rated", "state"}  # terms that an example sums up in its last line


class Parameter(NamedTuple):
    name: str
    value: str
    published: str  # "" = the value is the published one
    before: str  # "0.5, from 1 Jan 2021 0.3": where editions differ
    meaning: SafeString
    choice: bool


class Edition(NamedTuple):
    day: int
    address: str
    current: bool  # the one that the page shows
    changes: tuple[tuple[str, str, str, SafeString], ...]  # name, old, new, meaning


class Clause(NamedTuple):
    id: str
    heading: str
    text: SafeString
    terms: tuple[tuple[str, SafeString], ...]


class Worked(NamedTuple):
    text: str
    lines: tuple[tuple[str, SafeString, str], ...]  # term, what it is, value
    change: str
    printed: str
    remark: str
    refused: str


# --- which pool -----------------------------------------------------------------------------------------


def beside(here: Here, ruleset: str) -> tuple[Here, Pool | None]:
    """The same reader in a pool that plays by these rules: ?pool=..., or the first; so the tabs stay."""
    wanted = here.request.GET.get("pool", "")
    pools = [pool for pool in here.pools if pool.slug == wanted]
    pools += [pool for pool in listed(here.pools, here.reader) if not ruleset or pool.ruleset == ruleset]
    pools += listed(here.pools, here.reader)[:1]
    pool = pools[0] if pools else None
    return Here(here.request, here.organisation, here.page, here.reader, here.pools, pool), pool


def _playing(here: Here, ruleset: str) -> list[Pool]:
    """The pools with these rules whose parameters this reader may see."""
    wanted = here.request.GET.get("pool", "")
    shown = {pool.pk for pool in listed(here.pools, here.reader)}
    return [p for p in here.pools if p.ruleset == ruleset and (p.pk in shown or p.slug == wanted)]


def index(here: Here) -> HttpResponse:
    """All rulesets, those of the organisation's pools first."""
    there, _pool = beside(here, "")
    ours: dict[str, list[str]] = {}
    for pool in listed(here.pools, here.reader):
        ours.setdefault(pool.ruleset, []).append(pool.name)
    rows = []
    for name in names():
        rules = find(name)
        rows.append({
            "id": name, "name": rules_text.text(rules).name,
            "title": rules_text.text(rules).title.partition(": ")[2],
            "period": PERIODS[rules.period], "editions": len(rules.editions), "pools": ours.get(name, []),
        })  # fmt: skip
    rows.sort(key=lambda row: (not row["pools"], row["id"]))
    return there.render("rules_index.html", tab="rules", rows=rows, ours=bool(ours))


# --- one ruleset ----------------------------------------------------------------------------------------


def ruleset(here: Here, ruleset: str, edition: int | str) -> HttpResponse:
    """A ruleset in the edition of a day, or in force today."""
    if ruleset not in names():
        raise Http404
    rules, day = find(ruleset), here.today if edition == LATEST else int(edition)
    first = rules.editions[0][0]
    if day < first:
        raise Http404
    there, pool = beside(here, ruleset)
    playing = _playing(here, ruleset)
    own = {one.pk: own_parameters(one) for one in playing}
    mine = own.get(pool.pk, []) if pool is not None else []
    number = max(i for i, (since, _params) in enumerate(rules.editions) if since <= day)
    published, ours = rules.editions[number][1], _params(rules, day, mine)
    text, fields = rules_text.text(rules), rules.params_type._fields
    tables = rules_tables.tables(rules, ours, here.language)
    examples = [_worked(there, rules, example, day) for example in EXAMPLES.get(ruleset, ())]
    told = {"scale": blocks(text.scale, fields), "choices": blocks(text.choices, fields),
            "source": blocks(text.source, fields), "period": blocks(text.period, fields)}  # fmt: skip
    return there.render(
        "rules.html", tab="rules", rules_id=ruleset, text=text, told=told, day=day,
        since=rules.editions[number][0], newest=rules.editions[-1][0], dated=bool(first),
        in_force=_in_force(rules, here.today) == number, period=PERIODS[rules.period],
        grain=rules_tables.number(1 / rules.per_point, here.language),
        clauses=(said := _clauses(rules, fields)), tables=tables, examples=examples,
        contradiction=_contradiction(there, rules, day, published),
        editions=_editions(there, rules, number), parameters=_parameters(there, rules, published, ours),
        own=[(one, _own(rules, own[one.pk], here.language)) for one in playing if own[one.pk]],
        policies=playing, step_number=[clause.id for clause in said].index("step") + 1,
        toc=_contents(tables, examples, ruleset),
    )  # fmt: skip


def _in_force(rules: Ruleset, day: int) -> int:
    return max((i for i, (since, _params) in enumerate(rules.editions) if since <= day), default=0)


def _params(rules: Ruleset, day: int, own: Iterable[ParameterChange]) -> Any:
    """With a club's own parameters; the published ones where those are refused."""
    try:
        return params_on(rules, day, own)
    except RuleRefusal:
        return params_on(rules, day)


def _contents(tables: list[Any], examples: list[Worked], ruleset: str) -> list[tuple[str, str]]:
    """(anchor, heading) of the page's sections."""
    found = [("scale", _("Scale and period")), ("clauses", _("How a rating changes"))]
    if tables:
        found.append(("tables", _("Tables")))
    if examples:
        found.append(("examples", _("Worked examples")))
    if ruleset == points.RULESET:
        found.append(("contradiction", _("A contradiction")))
    return [
        *found, ("editions", _("Editions")), ("parameters", _("Parameters")),
        ("choices", _("Where the source is silent")), ("afterwards", _("Why ratings change afterwards")),
    ]  # fmt: skip


def _clauses(rules: Ruleset, fields: tuple[str, ...]) -> list[Clause]:
    shown = {"step": getattr(rules.module, "Step", None), "settle": getattr(rules.module, "Settled", None)}
    found = []
    for name, text in rules_text.clauses(rules):
        heading, said = headed(text, name)
        kind = shown.get(name)
        terms = [
            (meaning.name, inline(meaning.text or str(UNITS.get(meaning.unit, "")), fields))
            for meaning in (rules_text.meanings(kind) if kind else ())
            if meaning.unit != "State"
        ]
        found.append(Clause(name, heading, inline(said, fields), tuple(terms)))
    return found


def _value(here: Here, value: float) -> str:
    return rules_tables.number(value, here.language)


def _parameters(here: Here, rules: Ruleset, published: Any, ours: Any) -> list[Parameter]:
    found = []
    for name, _unit, text in rules_text.meanings(rules.params_type):
        value, usual = getattr(ours, name), getattr(published, name)
        first, *later = rules_text.by_edition(rules, name)
        before = [_value(here, first[1])] + [
            _("%(value)s from %(day)s")
            % {"value": _value(here, new), "day": figures.date_text(since, here.language)}
            for since, new in later
        ]
        choice, said = text.startswith("choice: "), text.removeprefix("choice: ")
        found.append(Parameter(
            name, _value(here, value), _value(here, usual) if value != usual else "",
            "; ".join(before) if later else "", inline(said), choice,
        ))  # fmt: skip
    return found


def _editions(here: Here, rules: Ruleset, shown: int) -> list[Edition]:
    """Newest first, each with what it changed: the difference of two sets of parameters."""
    meanings = {meaning.name: meaning.text for meaning in rules_text.meanings(rules.params_type)}
    found = []
    for number, (since, _params) in enumerate(rules.editions):
        changes = [
            (name, _value(here, old), _value(here, new), inline(meanings[name].removeprefix("choice: ")))
            for name, old, new in rules_text.changed(rules, number)
        ]
        address = here.url("rules", rules.id, day_text(since) if since != NO_DAY else LATEST)
        found.append(Edition(since, address, number == shown, tuple(changes)))
    return found[::-1]


def _own(rules: Ruleset, own: list[ParameterChange], language: str) -> list[tuple[int, str, str, SafeString]]:
    """A pool's own parameters, the newest first."""
    meanings = {meaning.name: meaning.text for meaning in rules_text.meanings(rules.params_type)}
    return [
        (one.day, one.name, rules_tables.number(one.value, language), inline(meanings.get(one.name, "")))
        for one in own[::-1]
    ]


# --- computed -------------------------------------------------------------------------------------------


def _worked(here: Here, rules: Ruleset, example: Example, day: int) -> Worked:
    """The example by the published parameters of that day, with every term on the way."""
    text, remark = str(example.text), str(example.remark)
    try:
        found = expect(
            rules, example.own, example.opponent, handicap=example.handicap, date=day,
            event_class=example.event_class, own_games=example.games,
        )  # fmt: skip
    except RuleRefusal as refused:
        return Worked(text, (), "", example.printed, remark, str(refused))
    step, wording = found.steps[example.result], Wording(rules, here.language)
    kind: Any = type(step)
    meanings = {m.name: inline(m.text) for m in rules_text.meanings(kind)}
    lines = [
        (name, meanings[name], str(wording.shown(term)))
        for name, term in terms_of(step).items()
        if name not in HIDDEN and (term.unit != "Flag" or term.value)
    ]
    change = figures.gained(found.changes[example.result], here.language, 2)
    return Worked(text, tuple(lines), change, example.printed, remark, "")


def _contradiction(here: Here, rules: Ruleset, day: int, published: Any) -> dict[str, Any] | None:
    """The Belgian page against its own table, both ways."""
    if rules.id != points.RULESET:
        return None
    found = points.contradiction(day, published.ceiling, here.language)
    return {
        "found": found,
        "written": _value(here, published.ceiling), "printed": _value(here, points.PRINTED),
        "most": figures.fixed(round(found.most * 10), 10, 1, here.language),
        "heads": points.heads(here.language), "rows": points.table(day, published.ceiling, here.language),
    }  # fmt: skip
