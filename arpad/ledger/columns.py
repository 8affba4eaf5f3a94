"""Games as columns: one flat array a field, so that ten million of them fit and numpy can view them."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Iterator
from typing import NamedTuple

NO_WEIGHT = math.nan  # the game carries no weight of its own


class GameRow(NamedTuple):
    """One game as it was reported. Indices point into the tables of the sheet or ledger that holds it."""

    player1: int
    player2: int  # -1: a bye
    event: int
    day: int  # domain.dates
    round: int = 0
    board: int = 0
    sequence: int = 0
    result: int = 0
    stones: int = 0  # that player 2 (Black) receives
    weight: float = NO_WEIGHT
    size: int = 0  # board size; 0 = not said
    line: int = 0  # in the source file; 0 = none


class GameColumns:
    """Parallel arrays named as the fields of GameRow; index = game."""

    __slots__ = GameRow._fields
    TYPES = dict.fromkeys(GameRow._fields, "i") | {"weight": "d", "stones": "b", "size": "b"}

    def __init__(self) -> None:
        for name, code in self.TYPES.items():
            setattr(self, name, array(code))

    player1: array[int]
    player2: array[int]
    event: array[int]
    day: array[int]
    round: array[int]
    board: array[int]
    sequence: array[int]
    result: array[int]
    stones: array[int]
    weight: array[float]
    size: array[int]
    line: array[int]

    def __len__(self) -> int:
        return len(self.player1)

    def __getitem__(self, game: int) -> GameRow:
        return GameRow(*(getattr(self, name)[game] for name in self.__slots__))

    def __iter__(self) -> Iterator[GameRow]:
        return (GameRow(*row) for row in zip(*(getattr(self, name) for name in self.__slots__), strict=True))

    def append(self, row: GameRow) -> int:
        """Add one game; its index is returned."""
        for name, value in zip(self.__slots__, row, strict=True):
            getattr(self, name).append(value)
        return len(self) - 1

    def extend(self, rows: Iterable[GameRow]) -> None:
        """Add games one by one."""
        for row in rows:
            self.append(row)

    def extend_columns(self, columns: GameColumns, **replaced: array[int]) -> None:
        """Add all games of `columns`; a column given by name replaces theirs (re-numbered indices)."""
        for name in self.__slots__:
            getattr(self, name).extend(replaced.get(name, getattr(columns, name)))
