"""history.csv by columns with polars, for many games. The same bytes as arpad.formats.outputs writes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
import polars as pl

from arpad.domain.dates import day_text
from arpad.domain.units import NOT_RATED, UNRATED
from arpad.engine.account import KINDS, REASONS, Block, account
from arpad.engine.account_loops import GAME
from arpad.engine.reasons import reason_of
from arpad.formats.csvfile import quoted
from arpad.formats.outputs import HISTORY, Cells, Progress, cents_text, k_text, millionths_text

if TYPE_CHECKING:
    from arpad.engine.history import History


def write_blocks(history: History, file: BinaryIO, progress: Progress | None) -> None:
    """Every row of a replay, block by block."""
    columns = _Columns(history)
    done = 0
    for block in account(history):
        if block.outcomes:
            lines = (f"{','.join(columns.cells.act(block, n))}\n" for n in range(len(block)))
            file.write("".join(lines).encode("utf-8"))
            continue
        table = columns.table(block)
        # Every cell is quoted already where it must be.
        table.write_csv(file, include_header=False, quote_style="never", null_value="")
        if progress is not None:
            done += int((np.asarray(block.rows.kind) == GAME).sum()) // 2
            progress(done, history.plan.rows)


class _Numbers:
    """The texts of whole numbers, made once each."""

    def __init__(self, text: Callable[[int], str]) -> None:
        self.text = text
        self.low, self.high = 0, -1
        self.table = pl.Series([""], dtype=pl.String)

    def column(self, values: Any, missing: Any) -> pl.Series:
        """The texts of `values`; "" where `missing`."""
        present = values[~missing]
        if not present.size:
            return pl.repeat("", values.size, eager=True)
        low, high = int(present.min()), int(present.max())
        if self.high >= self.low:
            low, high = min(low, self.low), max(high, self.high)
        if high - low <= 10 * values.size:  # one table for all blocks, "" at its end
            if (low, high) != (self.low, self.high):
                self.low, self.high = low, high
                self.table = pl.Series([*map(self.text, range(low, high + 1)), ""], dtype=pl.String)
            return self.table.gather(np.where(missing, high - low + 1, values - low))
        found, codes = np.unique(present, return_inverse=True)
        at = np.full(values.size, found.size)
        at[~missing] = codes
        return pl.Series([*map(self.text, found.tolist()), ""], dtype=pl.String).gather(at)


class _Columns:
    def __init__(self, history: History) -> None:
        self.history, self.plan = history, history.plan
        self.cells = Cells(history)
        plan, ledger = self.plan, self.plan.ledger
        self.player = (self._whole(plan.player1), self._whole(plan.player2))
        self.day, self.event, self.order = (self._whole(c) for c in (plan.day, plan.event, plan.order.games))
        self.round, self.result = self._whole(ledger.games.round), self._whole(ledger.games.result)
        self.before, self.expected = np.asarray(history.before), np.asarray(history.expected)
        self.names = pl.Series([*self.cells.names, ""], dtype=pl.String)
        self.events = pl.Series([*self.cells.events, ""], dtype=pl.String)
        self.results = pl.Series([*(t for pair in self.cells.results for t in pair), ""], dtype=pl.String)
        self.kinds = pl.Series(KINDS)
        self.rated = pl.Series(["0", "1", ""])
        self.days = np.asarray(self.cells.periods.days, np.int64)
        self.opening, self.used, self.change, self.after = (_Numbers(cents_text) for _ in range(4))
        self.scores, self.ks, self.dates = _Numbers(millionths_text), _Numbers(k_text), _Numbers(day_text)
        self.rounds, self.numbers = _Numbers(str), _Numbers(str)

    @staticmethod
    def _whole(column: Any) -> Any:
        return np.frombuffer(column, np.int32) if len(column) else np.zeros(0, np.int32)

    def table(self, block: Block) -> pl.DataFrame:
        """The cells of a block of games and closings, as text."""
        rows = block.rows
        kind, side, person = (
            np.asarray(column).astype(np.int64) for column in (rows.kind, rows.side, rows.person)
        )
        place = np.asarray(rows.place).astype(np.int64)
        is_game = kind == GAME
        row = np.where(is_game, side >> 1, 0)
        turn = np.where(is_game, side & 1, 0)
        game = self.order[row]
        rated = is_game & (self.expected[np.where(is_game, side, 0)] != NOT_RATED)
        opponent = np.where(turn == 0, self.player[1][row], self.player[0][row])
        used = self.before[np.where(is_game, side, 0)].astype(np.int64)
        k = np.rint(np.asarray(rows.k) * 1e4).astype(np.int64)
        round_ = self.round[game].astype(np.int64)
        ends = self.days[place]
        cells = (
            self.kinds.gather(kind),
            self._periods(place, ends),
            self.dates.column(np.where(is_game, self.day[row], ends), np.zeros(len(kind), bool)),
            self._events(is_game, row, place),
            self.rounds.column(round_, ~is_game | (round_ == 0)),
            self.names.gather(person),
            self.names.gather(np.where(is_game, opponent, len(self.names) - 1)),
            self.results.gather(
                np.where(is_game, 2 * self.result[game].astype(np.int64) + turn, len(self.results) - 1)
            ),
            self.rated.gather(np.where(is_game, rated.astype(np.int64), 2)),
            self._reasons(side, np.asarray(rows.why), is_game & ~rated),
            self._points(self.opening, np.asarray(rows.opening)),
            self._points(self.used, used, ~is_game),
            self.scores.column(self.expected[np.where(is_game, side, 0)].astype(np.int64), ~rated),
            self.ks.column(k, ~rated | (k < 0)),
            self.change.column(np.asarray(rows.change).astype(np.int64), np.zeros(len(kind), bool)),
            self._points(self.after, np.asarray(rows.after)),
        )
        return pl.DataFrame(dict(zip(HISTORY, cells, strict=True)))

    def _points(self, numbers: _Numbers, grains: Any, hidden: Any = False) -> pl.Series:
        return numbers.column(grains.astype(np.int64) * self.cells.cents, (grains == UNRATED) | hidden)

    def _periods(self, place: Any, ends: Any) -> pl.Series:
        if self.cells.periods.lists:
            found, codes = np.unique(place, return_inverse=True)
            return pl.Series([self.cells.periods.name(at) for at in found.tolist()]).gather(codes)
        none = np.zeros(place.size, bool)
        number = place - np.searchsorted(self.days, ends) + 1
        days, numbers = self.dates.column(ends, none), self.numbers.column(number, none)
        return pl.select(pl.concat_str(days, pl.lit("/"), numbers)).to_series()

    def _events(self, is_game: Any, row: Any, place: Any) -> pl.Series:
        """Of a closing row: the event that is its period."""
        none = len(self.events) - 1
        if self.cells.periods.lists:
            closing = np.full(place.size, none)
        else:
            ticks = self.plan.ticks
            closing = self.event[place if ticks is None else np.asarray(ticks.row)[place]]
        return self.events.gather(np.where(is_game, self.event[row], closing).astype(np.int64))

    def _reasons(self, side: Any, why: Any, unrated: Any) -> pl.Series:
        words = ["", *(quoted(REASONS[number]) for number in sorted(REASONS))]
        numbers = dict(zip(words, range(len(words)), strict=True))
        codes = why.astype(np.int64)
        for at in np.flatnonzero(unrated).tolist():
            word = quoted(reason_of(self.history, int(side[at])))
            codes[at] = numbers.setdefault(word, len(numbers))
        return pl.Series(list(numbers), dtype=pl.String).gather(codes)
