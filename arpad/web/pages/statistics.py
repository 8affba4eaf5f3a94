"""Statistics of a pool, and comparing it with other rules on the same results."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _

from arpad.domain.problems import RuleRefusal
from arpad.rulesets import catalogue
from arpad.store.models import RatingList
from arpad.web import bands, figures
from arpad.web.here import Here
from arpad.web.worker.client import NotPossible, WorkerAway, ask

RISERS = 10
LOWEST = 0.3  # score at the foot of the chart of predictions


def statistics(here: Here) -> HttpResponse:
    """Distribution, risers, upsets, drift, quality of predictions, activity."""
    width = bands.RANK if figures.ranked(here.rules) else 100
    try:
        told = ask("statistics", pool=here.pool.pk, width=width)
    except WorkerAway:
        return here.render("statistics.html", tab="statistics", away=True, status=503)
    except NotPossible as refused:
        return here.render("statistics.html", tab="statistics", refused=refused.message, status=409)
    if told is None:
        return here.render("statistics.html", tab="statistics", empty=True)
    most = max((count for _low, count in told["distribution"]), default=1)
    here.names.load(key for one in told["upsets"] for key in one[1:3])
    return here.render(
        "statistics.html", tab="statistics",
        distribution=[
            {"name": _band(here, low, width), "count": count, "share": round(100 * count / most)}
            for low, count in told["distribution"][::-1]
        ],
        calibration=[_prediction(here, band) for band in told["calibration"]],
        years=[_year(here, year) for year in told["years"][::-1]],
        upsets=[
            {"winner": here.names[winner], "loser": here.names[loser], "day": day,
             "expected": figures.share(expected, here.language)}
            for _game, winner, loser, day, expected in told["upsets"]
        ],
        risers=_risers(here), games=told["loss"][2],
        lowest=figures.share(round(LOWEST * 1e6), here.language, 1),
    )  # fmt: skip


def _band(here: Here, low: int, width: int) -> str:
    band = bands.at(here.rules, low)
    return bands.name(here.rules, band, here.language) or f"{low}–{low + width - 1}"


def _prediction(here: Here, band: list[Any]) -> dict[str, Any]:
    low, high, games, expected, actual = band
    return {
        "band": f"{figures.share(low, here.language)}–{figures.share(high, here.language)}", "games": games,
        "expected": figures.share(round(expected * 1e6), here.language),
        "actual": figures.share(round(actual * 1e6), here.language),
        "x": round(40 + (expected - 0.5) * 600, 1),
        "y": round(320 - max(0.0, actual - LOWEST) * 300 / (1 - LOWEST), 1),
    }  # fmt: skip


def _year(here: Here, year: list[Any]) -> dict[str, Any]:
    number, games, players, established, mean = year
    shown = "" if mean is None else here.rating(round(mean * here.rules.per_point))
    return {"year": number, "games": games, "players": players, "established": established, "mean": shown}


def _risers(here: Here) -> dict[str, Any] | None:
    """Who gained most since the newest list that was published."""
    from arpad.store import current

    published = RatingList.objects.filter(pool=here.pool, withdrawn=None).order_by("-day").first()
    if published is None:
        return None
    found = current.risers(here.pool, published.pk, RISERS)
    here.names.load(person for person, _gain in found)
    rows = [{"person": here.names[person], "gain": here.change(gain)} for person, gain in found if gain > 0]
    return {"day": published.day, "rows": rows}


# --- comparing --------------------------------------------------------------------------------------------


def compare(here: Here) -> HttpResponse:
    """The pool against another ruleset, or its own with other parameters. Officers only."""
    asked = here.request.GET
    names = catalogue.names()
    ruleset = asked.get("ruleset") or here.pool.ruleset
    context: dict[str, Any] = {
        "tab": "statistics", "rulesets": names, "chosen": ruleset, "set": asked.get("set", ""),
        "asked": bool(asked),
    }  # fmt: skip
    if not asked:
        return here.render("compare.html", **context)
    try:
        parameters = _parameters(ruleset, asked.get("set", ""), names)
        told = ask("compare", timeout=60, pool=here.pool.pk, ruleset=ruleset, parameters=parameters)
    except ValueError as error:
        return here.render("compare.html", status=422, fault=str(error), **context)
    except (NotPossible, RuleRefusal) as refused:
        return here.render("compare.html", status=409, fault=refused.message, **context)
    except WorkerAway:
        return here.render("compare.html", status=503, away=True, **context)
    if told is not None:
        here.names.load(one[0] for one in told["moved"])
    return here.render("compare.html", **_compared(here, told), **context)


def _parameters(ruleset: str, text: str, names: list[str]) -> dict[str, float]:
    """k=40, cap=100 as a mapping. ValueError says in words what is not understood."""
    if ruleset not in names:
        raise ValueError(_("There is no ruleset of that name."))
    fields = catalogue.find(ruleset).params_type._fields
    found = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, _equals, value = (piece.strip() for piece in part.partition("="))
        if name not in fields:
            raise ValueError(_("%(name)s is no parameter of these rules.") % {"name": name[:40]})
        try:
            found[name] = float(value)
        except ValueError:
            raise ValueError(_("%(name)s needs a number.") % {"name": name}) from None
    return found


def _compared(here: Here, told: dict[str, Any] | None) -> dict[str, Any]:
    if told is None:
        return {"empty": True}
    (now, now_error, games), (other, other_error, other_games) = told["loss"]
    return {
        "players": told["players"], "same_place": told["same_place"],
        "quality": [
            {"loss": f"{now:.4f}", "error": f"{now_error:.4f}", "games": games},
            {"loss": f"{other:.4f}", "error": f"{other_error:.4f}", "games": other_games},
        ],
        "better": "" if abs(now - other) < now_error + other_error else "other" if other < now else "now",
        "moved": [
            {"person": here.names[key], "before": f"{before:.0f}", "after": f"{after:.0f}",
             "place": place, "to": to}
            for key, before, after, place, to in told["moved"]
        ],
    }  # fmt: skip
