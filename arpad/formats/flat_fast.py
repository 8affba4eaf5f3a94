"""Reads a large games.csv by columns with polars. Whatever is unusual is left to the slow reader.

The same functions judge the cells (arpad.formats.cells), each once per different text, so both readers
give the same sheet (a test compares them). None is returned where the file has blank or uneven rows,
quotation marks that do not enclose a whole cell, another encoding than UTF-8, or anything that would be a
problem or a warning of one row: the slow reader then says what and where.
"""

from __future__ import annotations

import re
from array import array
from typing import Any

from arpad.domain.problems import Refused
from arpad.formats import cells
from arpad.formats.cells import Bad
from arpad.formats.csvfile import read_header
from arpad.formats.flat_rows import COLUMNS, HEADINGS, NEEDED, PLACES, read_result, readers
from arpad.formats.flat_whole import Draft, DraftEvent, DraftResult
from arpad.formats.reading import LINE_LIMIT, Findings, clean
from arpad.ledger.columns import GameColumns

_LARGE = 10 * cells.TEXT_LIMIT  # bytes; a longer cell may make a line too long
_ODD = "[\x00\ufffdÃÂ]"  # the slow reader refuses or reports these


class _Unusual(Exception):
    """Something for the slow reader."""


def read_columns(data: bytes, file: str, today: int) -> tuple[Draft, Findings] | None:
    """The draft of a file in which nothing is unusual, and what was found in its header; else None."""
    findings = Findings(file)
    try:
        return _Columns(data, findings, today).draft(), findings
    except (_Unusual, Refused):
        return None


def _table(data: bytes, findings: Findings) -> Any:
    """The cells as text, named by column."""
    import polars as pl
    from polars.exceptions import PolarsError

    data = data.removeprefix(b"\xef\xbb\xbf")
    if b"\r" in data and data.count(b"\r") != data.count(b"\r\n"):
        raise _Unusual
    names = _names(data, findings)
    quoted = b'"' in data
    try:
        table = pl.read_csv(data, new_columns=names, infer_schema=False, quote_char='"' if quoted else None)
        table = table.with_columns(pl.all().fill_null(""))
    except PolarsError:
        raise _Unusual from None
    rows = len(table) + 1
    if table.columns != names or _marks(data, quoted) != (rows, rows * (len(names) - 1)):
        raise _Unusual
    for name in names:
        if name not in COLUMNS and _is_odd(table[name]):
            raise _Unusual
    return table


def _names(data: bytes, findings: Findings) -> list[str]:
    """The column of each cell of the header; a number for one that is not known."""
    try:
        line = data[: data.find(b"\n")].decode("utf-8").rstrip("\r")
    except UnicodeDecodeError:
        raise _Unusual from None
    if len(line) > LINE_LIMIT or re.search(_ODD, line):
        raise _Unusual
    header = read_header([line], HEADINGS, NEEDED, findings)
    known = {index: name for name, index in header.at.items()}
    return [known.get(index, str(index)) for index in range(header.width)]


def _marks(data: bytes, quoted: bool) -> tuple[int, int]:
    """Lines, and commas between cells: as many as there should be, unless rows are blank or uneven."""
    import numpy as np

    marks = np.frombuffer(data, np.uint8)  # counting in numpy is ten times faster than bytes.count
    ends = marks == ord("\n")
    lines = int(np.count_nonzero(ends)) + (not data.endswith(b"\n"))
    commas = marks == ord(",")
    if not quoted:
        return lines, int(np.count_nonzero(commas))
    quotes = marks == ord('"')
    at = np.flatnonzero(quotes)
    if len(at) % 2:
        raise _Unusual
    opening, closing = at[0::2], at[1::2]
    line = np.searchsorted(np.flatnonzero(ends), at)
    before = np.where(opening > 0, marks[opening - 1], ord(","))
    after = marks[np.minimum(closing + 1, len(marks) - 1)]
    after[closing == len(marks) - 1] = ord(",")
    # A cell is quoted as a whole, on one line; a mark inside is doubled.
    if (
        (line[0::2] != line[1::2]).any()
        or not np.isin(before, bytearray(b',\n"')).all()
        or not np.isin(after, bytearray(b',\r\n"')).all()
    ):
        raise _Unusual
    inside = np.bitwise_xor.accumulate(quotes.view(np.uint8)).view(bool)
    return lines, int(np.count_nonzero(commas & ~inside))


def _is_odd(texts: Any) -> bool:
    """Whether a column may have something that the slow reader would report."""
    longest: int = texts.str.len_bytes().max() or 0
    return longest > _LARGE or bool(texts.str.contains(_ODD).any())


class _Columns:
    def __init__(self, data: bytes, findings: Findings, today: int) -> None:
        import numpy as np

        self.np = np
        self.table = _table(data, findings)
        self.rows = len(self.table)
        if not self.rows:
            raise _Unusual
        self.readers = readers(today)
        self.made = Draft(findings.file)

    def draft(self) -> Draft:
        draft, games = self.made, self.made.games
        self._players()
        days, day_codes = self._values("date")
        self._take("day", self.np.array(days, self.np.int32)[day_codes])
        event = self._events(days, day_codes)
        self._event_facts(event)
        self._take("event", event)
        self._results(event)
        for column in PLACES:
            numbers = self._numbers(column)
            if numbers is None:
                self._take(column, self._full(0))
                continue
            given = numbers >= 0
            draft.placed.update(self.np.unique(event[given]).tolist())
            self._take(column, self.np.where(given, numbers, 0))
        self._take("stones", self._plain("handicap", self.np.int8))
        self._take("size", self._plain("size", self.np.int8))
        self._take("weight", self._plain("weight", self.np.float64))
        self._take("line", self.np.arange(2, self.rows + 2))
        assert all(len(getattr(games, name)) == self.rows for name in GameColumns.__slots__)
        return draft

    def _take(self, name: str, values: Any) -> None:
        code = GameColumns.TYPES[name]
        column: array[Any] = array(code)
        column.frombytes(self.np.ascontiguousarray(values, self.np.dtype(code)).tobytes())
        setattr(self.made.games, name, column)

    def _full(self, value: int) -> Any:
        return self.np.full(self.rows, value, self.np.int32)

    def _coded(self, series: Any) -> tuple[list[str], Any]:
        """The different texts of a column in the order of their first row, and each row's number of text."""
        import polars as pl

        texts = series.unique(maintain_order=True)
        if _is_odd(texts):
            raise _Unusual
        codes = series.cast(pl.Enum(texts)).to_physical().to_numpy()
        return texts.to_list(), codes.astype(self.np.int32)

    def _values(self, column: str) -> tuple[list[Any], Any]:
        """The values of a column's different texts, and each row's number among them."""
        if column not in self.table.columns:
            return [self.readers[column]("")], self._full(0)
        texts, codes = self._coded(self.table[column])
        values = [self.readers[column](text) for text in texts]
        if any(type(value) is Bad for value in values):
            raise _Unusual
        return values, codes

    def _plain(self, column: str, kind: Any) -> Any:
        values, codes = self._values(column)
        return self.np.array(values, kind)[codes]

    def _numbers(self, column: str) -> Any:
        """Whole numbers, -1 for an empty cell; None where the column is not there."""
        import polars as pl

        if column not in self.table.columns:
            return None
        series = self.table[column]
        if series.head(1000).n_unique() > 500 and series.str.contains(r"^[0-9]{1,9}$").all():
            return series.cast(pl.Int32).to_numpy()
        return self._plain(column, self.np.int32)

    def _players(self) -> None:
        """Players are numbered in the order of their first row, player 1 before player 2."""
        import polars as pl

        np = self.np
        both = pl.concat([self.table["player1"], self.table["player2"]])
        texts, codes = self._coded(both)
        if any(clean(text) != text or len(text) > cells.TEXT_LIMIT for text in texts):
            raise _Unusual
        first, second = codes[: self.rows], codes[self.rows :]
        empty = texts.index("") if "" in texts else -1
        if (first == second).any() or (first == empty).any():
            raise _Unusual
        pairs = np.empty(2 * self.rows, np.int32)
        pairs[0::2], pairs[1::2] = first, second
        number, seen = self._by_first_row(pairs, len(texts))
        order = np.argsort(number)
        if empty >= 0:  # no opponent: not a player
            order = order[order != empty]
            number[number > number[empty]] -= 1
            number[empty] = -1
        self.made.players = [texts[text] for text in order.tolist()]
        self.made.player_lines = (seen[order] // 2 + 2).tolist()
        self.second_missing = second == empty
        self._take("player1", number[first])
        self._take("player2", number[second])

    def _by_first_row(self, codes: Any, count: int) -> tuple[Any, Any]:
        """For each code: its place in the order of first rows, and its first row."""
        np = self.np
        seen = np.empty(count, np.int64)
        seen[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)  # the last assignment is the first row
        number = np.empty(count, np.int32)
        number[np.argsort(seen)] = np.arange(count, dtype=np.int32)
        return number, seen

    def _events(self, days: list[int], day_codes: Any) -> Any:
        np = self.np
        names, name_codes = self._values("event")
        starts, start_codes = self._values("start")
        name_of, names = self._merged(names)
        start = np.array(starts, np.int64)[start_codes]
        name = name_of[name_codes]
        nameless = names.index("") if "" in names else -1
        loose = (name == nameless) & (start == 0)
        start = np.where(loose, np.array(days, np.int64)[day_codes], start)
        codes, keys = self._packed(name.astype(np.int64) * 2**32 + start)
        number, seen = self._by_first_row(codes, len(keys))
        for at in np.argsort(number).tolist():
            self.made.events.append(DraftEvent(names[int(keys[at]) // 2**32], int(keys[at]) % 2**32))
            self.made.event_lines.append(int(seen[at]) + 2)
        return number[codes]

    def _packed(self, keys: Any) -> tuple[Any, Any]:
        """Keys numbered by value. Runs of one key are reduced first: files come event by event."""
        np = self.np
        starts = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
        values, codes = np.unique(keys[starts], return_inverse=True)
        return np.repeat(codes, np.diff(np.append(starts, len(keys)))), values

    def _merged(self, values: list[Any]) -> tuple[Any, list[Any]]:
        """Numbers of values that may repeat (two texts, one meaning), and the values without repeats."""
        place: dict[Any, int] = {}
        numbers = [place.setdefault(value, len(place)) for value in values]
        return self.np.array(numbers, self.np.int32), list(place)

    def _event_facts(self, event: Any) -> None:
        """Class and order of each event; two of them are left to the slow reader to report."""
        np = self.np
        for column, facts in (("class", self.made.event_class), ("event_order", self.made.event_order)):
            values, codes = self._values(column)
            value_of, values = self._merged(values)
            keys = np.unique(self._packed(event.astype(np.int64) * 2**32 + value_of[codes])[1])
            for key in keys.tolist():
                number, value = key // 2**32, values[key % 2**32]
                if value in ("", -1):
                    continue
                if number in facts:
                    raise _Unusual
                facts[number] = value

    def _results(self, event: Any) -> None:
        np = self.np
        texts, text_codes = self._coded(self.table["result"])
        lengths, length_codes = self._values("best_of")
        keys = (text_codes.astype(np.int64) * len(lengths) + length_codes) * 2 + self.second_missing
        values, codes = np.unique(keys, return_inverse=True)
        results: list[DraftResult] = []
        for key in values.tolist():
            text, length = divmod(key // 2, len(lengths))
            value, doubtful = read_result(texts[text], lengths[length], bool(key % 2))
            if isinstance(value, Bad) or doubtful:
                raise _Unusual
            results.append(value)
        number_of, results = self._merged(results)
        numbers = number_of[codes]
        order, _ = self._by_first_row(numbers, len(results))
        self.made.results = [results[at] for at in np.argsort(order).tolist()]
        self._take("result", order[numbers])
