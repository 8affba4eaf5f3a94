"""Writes what a replay gives: ratings.csv (the list) and history.csv (everything that moved a rating).

docs/reference/flat-file.md describes the columns. Long histories are written by columns with a
data-frame library, to the same bytes (a test compares them).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from arpad.domain.dates import day_text
from arpad.domain.results import mirrored, write_result
from arpad.domain.units import NOT_RATED, UNRATED
from arpad.engine.account import KINDS, REASONS, Block, Periods, account
from arpad.engine.account_loops import GAME, POSTING
from arpad.engine.reasons import reason_of
from arpad.formats.csvfile import quoted, write_rows

if TYPE_CHECKING:
    from arpad.engine.history import History

RATINGS_FILE, HISTORY_FILE = "ratings.csv", "history.csv"
RATINGS = ("player", "rating", "label", "games", "last_played")
HISTORY = (
    "kind", "period", "date", "event", "round", "player", "opponent", "result", "rated", "reason",
    "opening", "before", "expected", "k", "change", "after",
)  # fmt: skip
FAST_FROM = 100_000  # games from which history.csv is written by columns
BY_THE_RULES = "ruleset"  # the reason of a posting that the ruleset itself orders
Progress = Callable[[int, int], None]


def write_ratings(history: History, file: BinaryIO) -> None:
    """ratings.csv: by rating, then player; who has none comes last, with an empty rating."""
    file.write(write_rows(RATINGS, ratings_rows(history)))


def ratings_rows(history: History, most: int | None = None) -> list[tuple[str, ...]]:
    """The cells of ratings.csv, of the first `most` lines."""
    return [
        (
            line.player,
            "" if line.rating is None else cents_text(round(line.rating * 100)),
            line.label,
            str(line.games),
            day_text(line.last_played),
        )
        for line in history.ratings()[:most]
    ]


def write_history(
    history: History, file: BinaryIO, *, progress: Progress | None = None, fast: bool | None = None
) -> None:
    """history.csv, in playing order; inside a period the games first, then what closes it.

    `fast`: by columns; None: by the number of games. `progress` is called with (games done, games in all).
    """
    file.write((",".join(HISTORY) + "\n").encode("utf-8"))
    if history.plan.rows >= FAST_FROM if fast is None else fast:
        from arpad.formats.outputs_fast import write_blocks

        write_blocks(history, file, progress)
        return
    cells = Cells(history)
    done = 0
    for block in account(history):
        file.write("".join(f"{','.join(row)}\n" for row in cells.rows(block)).encode("utf-8"))
        if progress is not None:
            done += len(block) // 2
            progress(min(done, history.plan.rows), history.plan.rows)


# --- cells ----------------------------------------------------------------------------------------


def cents_text(cents: int) -> str:
    """Hundredths of a point as points with two decimals.

    >>> cents_text(-5), cents_text(168350)
    ('-0.05', '1683.50')
    """
    return f"{cents / 100:.2f}"


def millionths_text(millionths: int) -> str:
    """An expected score, from millionths.

    >>> millionths_text(118996)
    '0.118996'
    """
    return f"{millionths / 1e6:.6f}"


def k_text(ten_thousandths: int) -> str:
    """K, with as many decimals as it has, at most four.

    >>> k_text(200000), k_text(434471)
    ('20', '43.4471')
    """
    return f"{ten_thousandths / 1e4:.4f}".rstrip("0").rstrip(".")


class Cells:
    """The words of the cells: tables by number, quoted as they are written."""

    def __init__(self, history: History) -> None:
        self.history, self.plan = history, history.plan
        ledger = self.plan.ledger
        self.cents = 100 // self.plan.ruleset.per_point
        self.periods = Periods(history)
        self.names = [quoted(name) for name in ledger.names]
        self.events = [quoted(event.name) for event in ledger.events_now()]
        self.results = [(write_result(result), write_result(mirrored(result))) for result in ledger.results]

    def rows(self, block: Block) -> Iterator[list[str]]:
        """The cells of each row of a block."""
        rows = block.rows
        kind, side, place = rows.kind, rows.side, rows.place
        period_of: dict[int, str] = {}
        for n in range(len(block)):
            at = int(place[n])
            if block.outcomes:
                yield self.act(block, n)
                continue
            if at not in period_of:
                period_of[at] = self.periods.name(at)
            rating = (self.rating(rows.opening[n]), cents_text(rows.change[n]), self.rating(rows.after[n]))
            player = self.names[rows.person[n]]
            if kind[n] == GAME:
                yield self.game(side[n], period_of[at], player, round(rows.k[n] * 1e4), *rating)
                continue
            day = day_text(self.periods.days[at])
            event = self.event_of(at)
            reason = REASONS.get(int(rows.why[n]), "")
            yield [
                KINDS[kind[n]], period_of[at], day, event, "", player, "", "", "", reason,
                rating[0], "", "", "", rating[1], rating[2],
            ]  # fmt: skip

    def game(
        self, side: int, period: str, player: str, k: int, opening: str, change: str, after: str
    ) -> list[str]:
        """One side of a game."""
        plan, history = self.plan, self.history
        row, turn = divmod(int(side), 2)
        game = plan.order.games[row]
        games = plan.ledger.games
        opponent = self.names[plan.player1[row] if turn else plan.player2[row]]
        rated = history.expected[side] != NOT_RATED
        expected = millionths_text(history.expected[side]) if rated else ""
        return [
            KINDS[GAME], period, day_text(plan.day[row]), self.events[plan.event[row]],
            str(games.round[game] or ""), player, opponent, self.results[games.result[game]][turn],
            "1" if rated else "0", quoted(reason_of(history, side)), opening,
            self.rating(history.before[side]), expected, k_text(k) if rated and k >= 0 else "", change, after,
        ]  # fmt: skip

    def act(self, block: Block, n: int) -> list[str]:
        """A first rating, a correction or a posting."""
        rows, act = block.rows, block.outcomes[n].act
        place = int(rows.place[n])
        period = self.periods.name(place) if place >= 0 else day_text(act.day)
        reason = act.reason or (BY_THE_RULES if rows.kind[n] == POSTING else "")
        return [
            KINDS[rows.kind[n]], period, day_text(act.day), "", "", self.names[rows.person[n]], "", "", "",
            quoted(reason), self.rating(rows.opening[n]), "", "", "", cents_text(rows.change[n]),
            self.rating(rows.after[n]),
        ]  # fmt: skip

    def event_of(self, place: int) -> str:
        """The event of a period; "" where a list's period holds many."""
        if self.periods.lists:
            return ""
        ticks = self.plan.ticks
        return self.events[self.plan.event[place if ticks is None else ticks.row[place]]]

    def rating(self, grains: int) -> str:
        return "" if grains == UNRATED else cents_text(int(grains) * self.cents)


# --- the short of it ------------------------------------------------------------------------------


class Summary(NamedTuple):
    """Counts of a replay. A game is rated where it counts for one of its players at least."""

    players: int
    games: int
    rated: int
    unrated: dict[str, int]  # by reason, most first


def summary(history: History) -> Summary:
    """How many players and games there are, and why games were not rated."""
    rows = history.plan.rows
    if history.compiled:
        import numpy as np

        none = (history.expected[0::2] == NOT_RATED) & (history.expected[1::2] == NOT_RATED)
        unrated = np.flatnonzero(none).tolist()
    else:
        both = zip(history.expected[0::2], history.expected[1::2], strict=True)
        unrated = [row for row, (one, two) in enumerate(both) if one == NOT_RATED and two == NOT_RATED]
    reasons = Counter(_reason_of_game(history, row) for row in unrated)
    return Summary(len(history.plan.players), rows, rows - len(unrated), dict(reasons.most_common()))


def _reason_of_game(history: History, row: int) -> str:
    """The reason of the side that says more: "newcomer" rather than "opponent-unrated"."""
    first, second = reason_of(history, 2 * row), reason_of(history, 2 * row + 1)
    return second if first == "opponent-unrated" else first
