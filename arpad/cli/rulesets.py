"""`arpad rulesets`: which rules there are, and what one of them says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from arpad.cli.say import Format, FormatOption, say, say_csv, say_json, say_rows, say_table

if TYPE_CHECKING:
    from arpad.rulesets.catalogue import Ruleset

COLUMNS = ("ruleset", "period", "editions", "title")


def rulesets(
    ruleset: Annotated[str | None, typer.Argument(help="Show this one.", metavar="[ID]")] = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """List the rulesets; with an ID, show its source, choices, editions and parameters."""
    from arpad.rulesets.catalogue import find, names

    if ruleset is None:
        found = [find(name) for name in names()]
        rows = [(rules.id, rules.period, len(rules.editions), _title(rules)) for rules in found]
        say_rows(form, COLUMNS, rows, right=("editions",))
        return
    rules = find(ruleset)
    parameters = _parameters(rules)
    if form is Format.JSON:
        say_json(_data(rules, parameters))
    elif form is Format.CSV:
        columns = ("parameter", *(edition or "always" for edition in _editions(rules)), "meaning")
        say_csv(columns, [(name, *values, meaning) for name, values, meaning in parameters])
    else:
        _show(rules, parameters)


Parameter = tuple[str, list[float], str]  # name, value by edition, meaning


def _title(rules: Ruleset) -> str:
    from arpad.engine.rules_text import text

    return text(rules).title


def _text(rules: Ruleset) -> str:
    from arpad.engine.rules_text import whole

    return whole(rules)


def _editions(rules: Ruleset) -> list[str]:
    from arpad.domain.dates import day_text

    return [day_text(day) for day, _ in rules.editions]


def _parameters(rules: Ruleset) -> list[Parameter]:
    """Every parameter with its comment in the source, which is where its meaning is written."""
    from arpad.engine.rules_text import meanings

    return [
        (name, [getattr(params, name) for _, params in rules.editions], text)
        for name, _unit, text in meanings(rules.params_type)
    ]


def _data(rules: Ruleset, parameters: list[Parameter]) -> dict[str, Any]:
    return {
        "ruleset": rules.id,
        "period": rules.period,
        "grain": 1 / rules.per_point,
        "text": _text(rules),
        "results": list(rules.results),
        "classes": list(rules.classes),
        "max_handicap": rules.max_stones,
        "editions": [
            {"from": day or None, "parameters": params._asdict()}
            for day, (_, params) in zip(_editions(rules), rules.editions, strict=True)
        ],
        "meanings": {name: meaning for name, _, meaning in parameters},
    }


def _show(rules: Ruleset, parameters: list[Parameter]) -> None:
    say(_text(rules))
    say("")
    dated = [day for day in _editions(rules) if day]
    say(f"Editions: {', '.join(dated) if dated else 'one, for all years'}.")
    if rules.classes:
        say(f"Classes: {', '.join(rules.classes)}.")
    say(f"Results: {', '.join(rules.results)}.")
    say("")
    say("Parameters (--set NAME=VALUE, or NAME=VALUE@DAY):")
    rows = [(name, _by_edition(rules, values), meaning) for name, values, meaning in parameters]
    say_table(("name", "value", "meaning"), rows)


def _by_edition(rules: Ruleset, values: list[float]) -> str:
    """The value, edition by edition where it changed: "350; 400 from 2009-07-01"."""
    told: list[str] = []
    for number, (day, value) in enumerate(zip(_editions(rules), values, strict=True)):
        if not number or value != values[number - 1]:
            told.append(f"{value:g} from {day}" if told else f"{value:g}")
    return "; ".join(told)
