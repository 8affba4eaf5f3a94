"""The command line: one module a command. What a command needs is imported when it runs."""

from __future__ import annotations

import sys
from typing import Annotated, TextIO

import typer

from arpad.cli import (
    backup,
    check,
    convert,
    correct,
    correction,
    event,
    expect,
    explain,
    export,
    from_list,
    games,
    import_,
    list_,
    organise,
    publish,
    rate,
    restore,
    restore_game,
    rulesets,
    serve,
    settle,
    undo,
    upgrade,
    verify,
    verify_export,
    void,
    why,
)
from arpad.cli.say import say_problems
from arpad.domain.problems import FATAL, Problem, Refused, RuleRefusal

# Without rich: importing it takes longer than rating a club's evening.
app = typer.Typer(
    name="arpad",
    help="Ratings by the published rules of a federation, each of them explained.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
for command in (rate, explain, expect, rulesets, check, convert, verify, settle, publish, why):
    app.command()(getattr(command, command.__name__.rpartition(".")[2]))
for command in (backup, restore, export, upgrade, serve):
    app.command()(getattr(command, command.__name__.rpartition(".")[2]))
for command in (games, correct, void, undo):
    app.command()(getattr(command, command.__name__.rpartition(".")[2]))
app.command("restore-game")(restore_game.restore_game)
app.command()(undo.recordings)
app.command("verify-export")(verify_export.verify_export)
app.command()(organise.init)
app.command("import")(import_.import_)
app.command("list")(list_.list_)
app.command()(publish.withdraw)
app.add_typer(organise.organisation, name="organisation", no_args_is_help=True)
app.add_typer(organise.pool, name="pool", no_args_is_help=True)
app.add_typer(event.event, name="event", no_args_is_help=True)
app.add_typer(correction.correction, name="correction", no_args_is_help=True)
app.add_typer(from_list.people, name="people", no_args_is_help=True)


def _show_version(asked: bool) -> None:
    """Print the version and stop, before a command is asked for."""
    if asked:
        from arpad import __version__

        typer.echo(f"arpad {__version__}")
        raise typer.Exit


@app.callback()
def program(
    version: Annotated[
        bool,
        typer.Option("--version", help="Print the version and stop.", is_eager=True, callback=_show_version),
    ] = False,
) -> None:
    """Ratings by the published rules of a federation, each of them explained."""


def main() -> None:
    """Run the program. Exit status: 0 fine, 1 refused (nothing written), 2 wrong usage."""
    for stream in (sys.stdout, sys.stderr):
        _never_stumble(stream)
    try:
        app()
    except Refused as refused:
        say_problems(refused.problems)
    except RuleRefusal as refusal:
        say_problems([Problem(refusal.code, FATAL, refusal.message, refusal.remedy)])
    except _database_errors() as error:
        message = f"The database refuses: {' '.join(str(error).split())}. Nothing was recorded."
        remedy = "Make room on its disk, see that its folder can be written, and repeat the command."
        say_problems([Problem("database-failed", FATAL, message, remedy)])
    except OSError as error:  # the output is full or closed
        say_problems(
            [Problem("output-unwritable", FATAL, f"The output cannot be written: {error.strerror}.")]
        )
    sys.exit(1)


def _database_errors() -> tuple[type[Exception], ...]:
    """What a database raises; none before a command has started Django."""
    django = sys.modules.get("django.db")
    return (django.DatabaseError,) if django else ()


def _never_stumble(stream: TextIO) -> None:
    """Names have letters that an old terminal cannot show."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")
