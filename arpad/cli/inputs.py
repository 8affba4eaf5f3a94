"""What several commands take: files of games and what stands beside them, rules, parameters, days."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arpad.cli.say import Progress, say_problems
from arpad.domain.problems import FATAL, Problem, Refused

if TYPE_CHECKING:
    from arpad.engine.history import History
    from arpad.ledger.ledger import Ledger

# `readable=False`: typer does not try to open the file; the readers do, and say why it cannot be read.
Files = Annotated[
    list[Path],
    typer.Argument(help="Files of games: games.csv, EGD tables.", metavar="FILE...", readable=False),
]
RulesetOption = Annotated[
    str, typer.Option("--ruleset", help="The rules, such as belgian-go: see `arpad rulesets`.")
]
Players = Annotated[
    Path | None,
    typer.Option("--players", help="players.csv: first ratings.", metavar="FILE", readable=False),
]
Corrections = Annotated[
    Path | None,
    typer.Option(
        "--corrections",
        help="corrections.csv: ratings set by the committee.",
        metavar="FILE",
        readable=False,
    ),
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        help="A parameter of the rules, from a day on: k=40 or k=40@2024-09-01. May be repeated.",
        metavar="NAME=VALUE[@DAY]",
    ),
]
Until = Annotated[
    str | None,
    typer.Option("--until", help="The list of that day: what counts later is left out.", metavar="DAY"),
]
Tell = Annotated[
    list[str] | None,
    typer.Option(
        "--tell",
        help="What the file does not say: last-day=2026-05-30. May be repeated.",
        metavar="NAME=VALUE",
    ),
]
Strict = Annotated[bool, typer.Option("--strict", help="Refuse files of which a game had to be left out.")]


def answers(texts: list[str] | None) -> dict[str, str]:
    """The answers of --tell by name."""
    found = {}
    for text in texts or ():
        name, equals, value = text.partition("=")
        if not (equals and name.strip() and value.strip()):
            raise typer.BadParameter(f"'{text}' is not NAME=VALUE.", param_hint="'--tell'")
        found[name.strip()] = value.strip()
    return found


def read_ledger(
    files: list[Path],
    players: Path | None,
    corrections: Path | None,
    settings: list[str] | None,
    strict: bool,
) -> Ledger:
    """Read everything; say what the readers found. Raises Refused."""
    from arpad.formats.files import read

    parameters = settings_of(settings)
    ledger = read(*files, players=players, corrections=corrections, strict=strict)
    say_problems(ledger.problems)
    for name, value, day in parameters:
        ledger.parameter(name, value, day)
    return ledger


def replay_said(ledger: Ledger, ruleset: str, until: str | None) -> History:
    """Rate a ledger, with a progress bar; say what the rules found."""
    from arpad.engine.replay import replay
    from arpad.rulesets.catalogue import find

    rules = find(ruleset)
    try:
        with Progress("rating ") as progress, computed(ruleset):
            history = replay(ledger, rules, until=day_of(until, "--until") if until else 0, progress=progress)
    except Refused as refused:
        from arpad.formats.places import with_columns

        raise Refused(with_columns(refused.problems)) from None
    say_problems(history.plan.problems)
    return history


@contextlib.contextmanager
def computed(ruleset: str) -> Iterator[None]:
    """Raise Refused (`parameter-value`) where parameters lead to a division by zero or beyond all numbers."""
    try:
        yield
    except ArithmeticError as error:
        message = f"With these parameters the ratings cannot be computed ({error})."
        remedy = f"`arpad rulesets {ruleset}` shows the usual values."
        raise Refused(Problem("parameter-value", FATAL, message, remedy)) from None


def settings_of(texts: list[str] | None) -> list[tuple[str, float, int]]:
    """Every --set. Raises Refused where two of one day contradict each other."""
    found = [setting(text) for text in texts or ()]
    given: dict[tuple[str, int], float] = {}
    for name, value, day in found:
        if given.setdefault((name, day), value) != value:
            message = f"{name} is set to {given[name, day]:g} and to {value:g} from the same day on."
            raise Refused(Problem("parameter-value", FATAL, message, "Keep one of the two."))
    return found


def setting(text: str) -> tuple[str, float, int]:
    """(name, value, day) of NAME=VALUE[@DAY]. Raises Refused for a value or day that is none."""
    from arpad.formats.cells import number

    assignment, at, day = text.partition("@")
    name, equals, value = (part.strip() for part in assignment.partition("="))
    if not name or not equals:
        raise typer.BadParameter(f"'{text}' is not NAME=VALUE or NAME=VALUE@DAY.", param_hint="'--set'")
    found = number(value)
    if found is None:
        message = f"{name} = {value} is not a number."
        raise Refused(Problem("parameter-value", FATAL, message, "Give a number, with a point for decimals."))
    return name, found, day_of(day.strip(), "--set") if at else 0


def day_of(text: str, option: str) -> int:
    """The day of an option. Raises Refused (`date-unreadable`)."""
    from arpad.domain.dates import read_day

    day = read_day(text)
    if day is None:
        message = f"'{text}' after {option} is no date."
        raise Refused(Problem("date-unreadable", FATAL, message, "Write it as 2024-09-01."))
    return day
