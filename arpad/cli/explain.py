"""`arpad explain`: how a player's rating came about."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arpad.cli.inputs import (
    Corrections,
    Files,
    Players,
    RulesetOption,
    Settings,
    Strict,
    Until,
    read_ledger,
    replay_said,
)
from arpad.cli.say import Format, FormatOption, say, say_csv, say_json

if TYPE_CHECKING:
    from arpad.engine.history import History

COLUMNS = ("item", "kind", "part", "name", "value")


def explain(
    files: Files,
    ruleset: RulesetOption,
    player: Annotated[str, typer.Option("--player", help="Name, as in the files.", metavar="NAME")],
    event: Annotated[
        str | None, typer.Option("--event", help="An event; or the day of games without one.", metavar="NAME")
    ] = None,
    round_: Annotated[int | None, typer.Option("--round", help="One round of it.", metavar="N")] = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", help="Draw the player's rating curve (SVG).", metavar="FILE")
    ] = None,
    players: Players = None,
    corrections: Corrections = None,
    settings: Settings = None,
    until: Until = None,
    strict: Strict = False,
    form: FormatOption = Format.TABLE,
) -> None:
    """Explain a player's rating: opening, each game, closing. By default of the last period."""
    history = replay_said(read_ledger(files, players, corrections, settings, strict), ruleset, until)
    explanation = history.explain(player, event=event, round=round_)
    if plot is not None:
        _draw(history, player, plot)
    if form is Format.JSON:
        say_json(explanation.data())
    elif form is Format.CSV:
        say_csv(COLUMNS, _rows(explanation.data()))
    else:
        say(explanation.text())


def _rows(data: dict[str, Any]) -> list[tuple[object, ...]]:
    """What is known of the period (item 0) and of each item, and the items' terms."""
    items = data.pop("items")
    rows: list[tuple[object, ...]] = [(0, "period", "fact", name, value) for name, value in data.items()]
    for number, item in enumerate(items, 1):
        kind, terms = item.pop("kind"), item.pop("terms")
        facts = [(name, value) for name, value in item.items() if name != "sentences"]
        rows += [(number, kind, "fact", *fact) for fact in facts]
        rows += [(number, kind, "term", *term) for term in terms.items()]
    return rows


def _draw(history: History, player: str, file: Path) -> None:
    from arpad.cli.writing import write_files, writer_of
    from arpad.formats.plot import curve, svg

    ledger = history.plan.ledger
    found = ledger.find_person(player)
    assert found is not None, "explained already"
    person = history.plan.now.person[found]
    picture = svg(f"{ledger.names[person]} ({history.plan.ruleset.id})", curve(history, person))
    write_files({file: writer_of(picture)})
