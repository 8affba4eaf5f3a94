"""Rate the demonstration ledgers: `python -m arpad.demo`, or `python -m arpad.demo youth-chess` for one."""

from __future__ import annotations

import os
import sys
import textwrap
from collections.abc import Iterator

from arpad.demo import DEMOS, LATE, Demo, load, sheets
from arpad.domain.dates import day_text
from arpad.engine.history import History, Rating
from arpad.engine.replay import replay
from arpad.engine.sentences import Wording

WIDTH = 100  # columns of a terminal
SHOWN = 15  # players of the list


def report(demo: Demo) -> Iterator[str]:
    """What is printed of one demonstration, line by line."""
    before = replay(load(demo, late=False), demo.ruleset)
    after = replay(load(demo), demo.ruleset)
    yield f"{demo.title} ({demo.ruleset})"
    yield "=" * len(f"{demo.title} ({demo.ruleset})")
    yield from _wrapped(summary(after))
    yield ""
    yield from rating_list(after)
    yield ""
    yield from _wrapped(late_sheet(demo, before, after))
    yield ""
    yield from explanation(demo, after)


def summary(history: History) -> str:
    """Players, games, tournaments, and the days from the first to the last."""
    plan = history.plan
    names = [plan.ledger.events[event].name for event in plan.event]
    named = len({event for event, name in zip(plan.event, names, strict=True) if name})
    beside = f" and {names.count('')} games without an event" if "" in names else ""
    days = _wording(history).span(min(plan.day), max(plan.day))
    return f"{len(plan.players)} invented players, {plan.rows} games, {days}: {named} events{beside}."


def rating_list(history: History) -> Iterator[str]:
    """The first lines of the list, how many are left out, and who has no rating yet."""
    lines = history.ratings()
    rated = [line for line in lines if line.rating is not None]
    ranked = any(len(shown(line)) > 1 for line in rated)
    rank = f"  {'rank':<7}" if ranked else ""
    yield f"{'place':>5}  {'player':<28}{'rating':>9}{rank}{'games':>7}  last played"
    for place, line in enumerate(rated[:SHOWN], 1):
        yield _line(str(place), line, ranked)
    if len(rated) > SHOWN:
        yield f"{'...':>5}  {len(rated) - SHOWN} more with a rating"
    for line in lines[len(rated) :]:
        yield _line("", line, ranked)


def _line(place: str, line: Rating, ranked: bool) -> str:
    rating, *rank = shown(line)
    label = f"  {''.join(rank):<7}" if ranked else ""
    played = f"  {day_text(line.last_played)}" if line.last_played else ""
    return f"{place:>5}  {line.player:<28}{rating:>9}{label}{line.games:>7}{played}"


def shown(line: Rating) -> tuple[str, ...]:
    """What a list shows of a player's rating: the label where it is the number (or none), else both."""
    if line.rating is None or line.label.lstrip("-").isdigit():
        return (line.label,)
    return (f"{line.rating:.2f}".replace("-", "−"), line.label)


def late_sheet(demo: Demo, before: History, after: History) -> str:
    """Whose rating the late sheet moved, and the largest move."""
    sheet = sheets(demo)[LATE]
    old = {line.player: line for line in before.ratings()}
    pairs = [(old[line.player], line) for line in after.ratings()]
    moved = [(was, now) for was, now in pairs if shown(was) != shown(now)]
    was, now = max(moved, key=lambda pair: _apart(*pair))
    day, games = _wording(after).day(sheet.games.day[0]), len(sheet.games)
    slight = sum(_apart(*pair) < 1.0 for pair in moved)
    of_them = f", {slight} of them by less than a point" if slight else ""
    return (
        f"A sheet comes in late, after all the rest: {sheet.events[0].name}, {day}, {games} games by "
        f"{len(sheet.players)} players. It counts on its own day, so {len(moved)} of {len(old)} shown "
        f"ratings change{of_them}. The largest change: {now.player}, from "
        f"{_in_words(was)} to {_in_words(now)}."
    )


def _apart(was: Rating, now: Rating) -> float:
    """Points between two ratings of one player; 0 where either is none."""
    return 0.0 if was.rating is None or now.rating is None else abs(was.rating - now.rating)


def _in_words(line: Rating) -> str:
    rating, *rank = shown(line)
    return " ".join([rating, *(f"({label})" for label in rank)])


def _wording(history: History) -> Wording:
    return Wording(history.plan.ruleset, "en")


def explanation(demo: Demo, history: History) -> Iterator[str]:
    """One player's event, explained."""
    yield "Explained:"
    for line in history.explain(demo.player, event=demo.event, round=demo.round).text().splitlines():
        indent = "  " + " " * (len(line) - len(line.lstrip()))
        yield from textwrap.wrap(line.strip(), WIDTH, initial_indent=indent, subsequent_indent=indent) or [""]


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH)


def main(arguments: list[str]) -> int:
    """Print all demonstrations, or the one named. Exit status 2 for a name that is none."""
    known = [demo.name for demo in DEMOS]
    if len(arguments) > 1 or not set(arguments) <= set(known):
        print(f"usage: python -m arpad.demo [{' | '.join(known)}]", file=sys.stderr)
        return 2
    parts = ("\n".join(report(demo)) for demo in DEMOS if not arguments or demo.name in arguments)
    try:
        print(*parts, sep="\n\n\n", flush=True)
    except BrokenPipeError:  # whoever was reading has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
