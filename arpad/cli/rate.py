"""`arpad rate`: games and rules in, ratings.csv and history.csv out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO

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
from arpad.cli.say import Format, FormatOption, Progress, counted, listed, say, say_csv, say_json, say_table

if TYPE_CHECKING:
    from arpad.engine.history import History
    from arpad.formats.outputs import Summary

TOP = 10  # lines of the list that are shown
Out = Annotated[Path, typer.Option("--out", help="Folder for ratings.csv and history.csv.", metavar="DIR")]


def rate(
    files: Files,
    ruleset: RulesetOption,
    out: Out,
    players: Players = None,
    corrections: Corrections = None,
    settings: Settings = None,
    until: Until = None,
    strict: Strict = False,
    form: FormatOption = Format.TABLE,
) -> None:
    """Rate games: write the list and the history of every rating into a folder."""
    from arpad.cli.writing import write_files
    from arpad.formats.outputs import HISTORY_FILE, RATINGS_FILE, summary, write_history, write_ratings

    history = replay_said(read_ledger(files, players, corrections, settings, strict), ruleset, until)
    targets = (out / RATINGS_FILE, out / HISTORY_FILE)
    with Progress("writing") as progress:

        def write_rows(file: BinaryIO) -> None:
            write_history(history, file, progress=progress)

        write_files({targets[0]: lambda file: write_ratings(history, file), targets[1]: write_rows})
    _say(history, summary(history), targets, form)


def _say(history: History, counts: Summary, targets: tuple[Path, ...], form: Format) -> None:
    from arpad.domain.dates import day_text
    from arpad.formats.outputs import RATINGS, ratings_rows

    if form is Format.CSV:
        say_csv(RATINGS, ratings_rows(history))
        return
    lines = history.ratings()
    if form is Format.JSON:
        rows = (
            (line.player, None if line.rating is None else float(line.rating), line.label, int(line.games))
            for line in lines
        )
        shown = [
            dict(zip(RATINGS, (*row, day_text(line.last_played) or None), strict=True))
            for row, line in zip(rows, lines, strict=True)
        ]
        data = {"ruleset": history.plan.ruleset.id, **counts._asdict(), "files": [str(t) for t in targets]}
        say_json(data | {"ratings": shown})
        return
    games = f"{counted(counts.players, 'player')}, {counted(counts.games, 'game')}: {counts.rated:,} rated"
    if counts.unrated:
        games += f", {counts.games - counts.rated:,} not rated ({listed(counts.unrated)})"
    say(games)
    say(f"wrote {' and '.join(map(str, targets))}")
    say("")
    top = [(place, *row) for place, row in enumerate(ratings_rows(history, TOP), 1)]
    say_table(("place", *RATINGS), top, right=("place", "rating", "games"))
    if len(lines) > TOP:
        say(f"... and {len(lines) - TOP:,} more")
