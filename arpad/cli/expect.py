"""`arpad expect`: what a game would change, before it is played."""

from __future__ import annotations

from typing import Annotated

import typer

from arpad.cli.inputs import RulesetOption, Settings, computed, day_of, settings_of
from arpad.cli.say import Format, FormatOption, say, say_csv, say_json, say_problems, say_table
from arpad.domain.problems import WARNING, Problem

COLUMNS = ("result", "change", "difference", "expected")


def expect(
    ruleset: RulesetOption,
    own: Annotated[float, typer.Option("--own", help="Own rating, points.", metavar="RATING")],
    opponent: Annotated[
        float, typer.Option("--opponent", help="The opponent's rating, points.", metavar="RATING")
    ],
    handicap: Annotated[
        int, typer.Option("--handicap", help="Stones that own receives; negative: gives.", metavar="STONES")
    ] = 0,
    event_class: Annotated[str, typer.Option("--class", help="Class of the event.", metavar="CLASS")] = "",
    own_games: Annotated[
        int, typer.Option("--own-games", help="Rated games of own so far.", metavar="N")
    ] = 0,
    date: Annotated[
        str | None,
        typer.Option("--date", help="Day that picks the edition of the rules; today.", metavar="DAY"),
    ] = None,
    settings: Settings = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """The expected score and the change of own for each result, before a game is played."""
    from arpad.engine.expect import expect as ask
    from arpad.ledger.facts import ParameterChange
    from arpad.rulesets.catalogue import find

    rules = find(ruleset)
    day = day_of(date, "--date") if date else 0
    parameters = [ParameterChange(since, name, value) for name, value, since in settings_of(settings)]
    with computed(ruleset):
        found = ask(
            rules, own, opponent, handicap=handicap, event_class=event_class, own_games=own_games, date=day,
            parameters=parameters,
        )  # fmt: skip
    if event_class and not rules.classes:
        message = f"{rules.id} knows no classes; '{event_class}' was ignored."
        say_problems([Problem("class-ignored", WARNING, message)])
    if form is Format.JSON:
        data = {"difference": found.difference, "expected": found.expected, "changes": found.changes}
        say_json(data)
    elif form is Format.CSV:
        rows = [(text, change, found.difference, found.expected) for text, change in found.changes.items()]
        say_csv(COLUMNS, rows)
    else:
        say(f"difference  {found.difference:+.2f} points")
        say(f"expected    {found.expected:.6f}")
        if not found.rated:
            say("Such a game is not rated.")
        say("")
        rows_ = [(text, f"{change:+.4f}") for text, change in found.changes.items()]
        say_table(COLUMNS[:2], rows_, right=("change",))
