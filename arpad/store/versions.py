"""Two reports of one event, game by game: what is the same, changed, gone, or new.

Games are compared as multisets, for equal rows are games of their own. What counts as one game grows
wider step by step: equal in everything; then same round, board and pair; same pair on that day; and a
seat where one of the two names was corrected. Nothing here knows a database.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from itertools import pairwise
from typing import NamedTuple

from arpad.domain.results import mirrored, read_result, write_result


class Played(NamedTuple):
    """What one report says of a game. Persons are any whole numbers that name them."""

    day: int
    round: int
    board: int
    sequence: int
    player1: int
    player2: int  # 0: a bye
    result: str  # as results.write_result spells it
    best_of: int = 0
    stones: int = 0
    weight: float | None = None
    size: int = 0

    @property
    def pair(self) -> tuple[int, int]:
        """Both players, whatever their colours."""
        return min(self.player1, self.player2), max(self.player1, self.player2)


class Matching(NamedTuple):
    """Places in the older and the newer report."""

    same: list[tuple[int, int]]
    changed: list[tuple[int, int]]
    gone: list[int]
    added: list[int]


Key = Callable[[Played], Hashable]


def match(
    old: Sequence[Played], new: Sequence[Played], *, whole: bool, ordered: bool = True, strict: bool = False
) -> Matching:
    """Which game of the newer report is which of the older.

    whole    both reports speak of the whole event: a game may then have moved to another day
    strict   only games of the same day, round and pair are the same: reports of different sources; of a
             whole event the day may differ, for a pair meets once a round
    ordered  the newer report's sequence says in which order the games were played
    """
    left_old, left_new = list(range(len(old))), list(range(len(new)))
    pairs: list[list[tuple[int, int]]] = []
    steps = _steps(whole)
    if strict:
        steps = steps[:2] + ([_in_round] if whole else [])
    for key in (_content, *steps):
        found, left_old, left_new = _pair_off(old, new, left_old, left_new, key)
        pairs.append(found)
    same, changed = pairs[0], [pair for some in pairs[1:] for pair in some]
    if ordered:
        same, moved = _out_of_order(old, new, same, changed, left_new)
        changed += moved
    return Matching(sorted(same), sorted(changed), left_old, left_new)


def agree(one: Played, other: Played) -> bool:
    """Whether two sources tell the same of a game, as far as both tell it.

    A file without boards or sizes says nothing about them, and one without colours names either player
    first. Between equals colours are no part of the outcome; with stones they are.
    """
    if one.player1 == other.player2 and one.player2 == other.player1 and not (one.stones or other.stones):
        other = _turned(other)
    if not (one.board and other.board):
        one, other = one._replace(board=0), other._replace(board=0)
    if not (one.size and other.size):
        one, other = one._replace(size=0), other._replace(size=0)
    return _content(one) == _content(other)


def _turned(game: Played) -> Played:
    result = read_result(game.result, game.best_of)
    text = game.result if result is None else write_result(mirrored(result))
    return game._replace(player1=game.player2, player2=game.player1, result=text)


def _content(game: Played) -> Hashable:
    return game._replace(sequence=0)


def _in_round(game: Played) -> Hashable:
    return (game.round, game.pair) if game.round else None


def _steps(whole: bool) -> list[Key]:
    """Ever wider ideas of the same game."""
    steps: list[Key] = [
        lambda g: (g.day, g.round, g.board, g.pair),
        lambda g: (g.day, g.round, g.pair),
        lambda g: (g.day, g.pair),
    ]
    if whole:
        steps += [lambda g: (g.round, g.board, g.pair), lambda g: (g.round, g.pair)]
    # one name of a seat was corrected: the other player is still there
    for side in ("player1", "player2"):
        steps.append(lambda g, side=side: _seat(g, side, whole))  # type: ignore[misc]
    return steps


def _seat(game: Played, side: str, whole: bool) -> Hashable:
    if not game.round or not game.board:
        return None  # no seat
    return (0 if whole else game.day, game.round, game.board, getattr(game, side))


def _pair_off(
    old: Sequence[Played], new: Sequence[Played], left_old: list[int], left_new: list[int], key: Key
) -> tuple[list[tuple[int, int]], list[int], list[int]]:
    """Pairs with one key, in the order of their sequence; and what is left."""
    if not left_old or not left_new:
        return [], left_old, left_new
    waiting: dict[Hashable, list[int]] = defaultdict(list)
    for place in sorted(left_old, key=lambda place: -old[place].sequence):
        wanted = key(old[place])
        if wanted is not None:
            waiting[wanted].append(place)
    found, rest = [], []
    for place in sorted(left_new, key=lambda place: new[place].sequence):
        candidates = waiting.get(key(new[place]))
        if candidates:
            found.append((candidates.pop(), place))
        else:
            rest.append(place)
    taken = {a for a, _ in found}
    return found, [place for place in left_old if place not in taken], sorted(rest)


def _out_of_order(
    old: Sequence[Played], new: Sequence[Played], same: list[tuple[int, int]],
    changed: list[tuple[int, int]], added: list[int],
) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:  # fmt: skip
    """Equal games keep the sequence they were recorded with, unless another order would come of it.

    A row inserted further up moves the numbers of all rows below, but not their order.
    """
    groups: dict[Hashable, list[tuple[int, int]]] = defaultdict(list)  # (newer, kept sequence)
    for a, b in same:
        groups[_place(new[b])].append((new[b].sequence, old[a].sequence))
    if all(x == y for group in groups.values() for x, y in group):
        return same, []
    for b in [*(b for _, b in changed), *added]:
        groups[_place(new[b])].append((new[b].sequence, new[b].sequence))
    broken = {place for place, group in groups.items() if not _rises(group)}
    kept: list[tuple[int, int]] = []
    moved: list[tuple[int, int]] = []
    for a, b in same:
        wrong = _place(new[b]) in broken and old[a].sequence != new[b].sequence
        (moved if wrong else kept).append((a, b))
    return kept, moved


def _place(game: Played) -> Hashable:
    """Games that only their sequence puts in order."""
    return game.day, game.round, game.board


def _rises(group: list[tuple[int, int]]) -> bool:
    """Whether kept sequences stand in the order of the newer ones; equal ones stay equal."""
    group.sort()
    return all((x[0] < y[0]) == (x[1] < y[1]) and x[1] <= y[1] for x, y in pairwise(group))
