"""The loops of arpad.engine.account: one for periods of a single game, one for every longer period.

Bound to one ruleset and run interpreted or compiled as those of arpad.engine.loops are, and long for
the same reason. They step nothing anew: what moved a rating is what the replay recorded; step() and
settle() are asked again only for the K and the terms of the period's closing.
"""

# ruff: noqa: F821 - names are bound to one ruleset's kernels when the loops are used (docs/adr/0003)

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.domain.play import Game, Tally, When
from arpad.domain.units import NOT_RATED, UNRATED

if TYPE_CHECKING:
    CENTS: int  # hundredths of a point in a grain
    CHANGE_CENTS: int  # ... in a unit of Step.change; 0: a unit is worth K of them
    STEPS_UNRATED: bool
    HAS_NEWCOMER: bool
    K_OF_SETTLE: bool
    load: Any
    load_as: Any
    store: Any
    params_at: Any
    k_of_step: Any  # (Params, State, State, Game) -> K
    terms_of_settle: Any  # (Params, State, Tally, When) -> (K, change, bonus, by performance)

GAME, ENTRY, CORRECTION, POSTING, ROUNDING, FLOOR = range(6)
NO_REASON, NEWCOMER_LEVEL, FIRST_RATING, PERFORMANCE, BONUS = range(5)
NO_SIDE = -1
NO_K = -1.0


class Rows(NamedTuple):
    """Rows of the account as columns: flat arrays of the standard library or of numpy."""

    kind: Any  # GAME, ENTRY ...
    side: Any  # of a game, as in History; NO_SIDE for the other kinds
    person: Any
    place: Any  # tick (or row) of the period; -1: an act with a day of its own
    opening: Any  # rating as the period opened, grains; UNRATED
    k: Any  # K used; NO_K where the game is not rated or the row is no game
    change: Any  # hundredths of a point
    after: Any  # rating as the period closed, grains; UNRATED
    why: Any  # NO_REASON, NEWCOMER_LEVEL ...


class Played(NamedTuple):
    """The replay's columns that the loops read."""

    player1: Any
    player2: Any
    kind: Any
    kind_counted: Any
    kind_score: Any
    kind_best_of: Any
    kind_stones: Any
    kind_weight: Any
    kind_params: Any
    table: Any
    before: Any
    expected: Any
    change: Any
    settled_player: Any
    settled_state: Any


class Ticking(NamedTuple):
    """The ticks' columns that the loop of longer periods reads."""

    month: Any
    params: Any
    row: Any
    settled: Any


# Fields of `work`, WIDTH numbers a person: what is known of the period at hand.
(
    OPENED_AT,  # tick + 1 of the period that `OPENING` is of
    OPENING,  # rating as it opened, grains
    SUMMED_AT,  # tick + 1 of the period that the fields below are of
    GAMES,  # these five: the tally
    SCORE,
    CHANGE,
    OPPONENTS,
    AGAINST_UNRATED,
    TOUCHED,  # 1: stepped or opened a game already
    CLOSING,  # rating as it closes, grains
    WRITTEN,  # changes of the rows written, hundredths of a point
    MOVED,  # what settle() says the games changed, hundredths of a point
    EXTRA,  # of that, a bonus
    BY_PERFORMANCE,
    WIDTH,
) = range(15)


def game_rows(
    start: int, stop: int, played: Played, day: Any, day0: int, day_month: Any, states: Any, out: Rows
) -> int:
    """Periods of one game, rows start..stop. Returns the number of rows written: at most 4 a game."""
    n = 0
    for g in range(start, stop):
        kind = played.kind[g]
        one = load(states, played.player1[g])
        two = load(states, played.player2[g])
        for turn in range(2):
            side = 2 * g + turn
            me = one if turn == 0 else two
            opponent = two if turn == 0 else one
            after = load(played.settled_state, side).rating
            worth = 0
            k = NO_K
            if played.expected[side] != NOT_RATED:
                score = played.kind_score[kind] + 0 if turn == 0 else 100 - played.kind_score[kind]
                stones = played.kind_stones[kind] + 0 if turn == 1 else -played.kind_stones[kind]
                month = day_month[day[g] - day0] + 0
                game = Game(score, played.kind_best_of[kind] + 0, stones, played.kind_weight[kind], month, 0)
                k = k_of_step(params_at(played.table, played.kind_params[kind]), me, opponent, game)
                worth = played.change[side] * CHANGE_CENTS
            rest = -worth  # what the game's change leaves unexplained
            if after != UNRATED:
                rest += after * CENTS
            if me.rating != UNRATED:
                rest -= me.rating * CENTS
            # A newcomer's level comes before the game, what a floor adds after it.
            for part in range(3):
                if part != 1 and (rest == 0 or (me.rating == UNRATED) != (part == 0)):
                    continue
                out.kind[n] = GAME if part == 1 else (ENTRY if part == 0 else FLOOR)
                out.side[n] = side if part == 1 else NO_SIDE
                out.person[n] = played.player1[g] if turn == 0 else played.player2[g]
                out.place[n] = g
                out.opening[n] = me.rating
                out.k[n] = k if part == 1 else NO_K
                out.change[n] = worth if part == 1 else rest
                out.after[n] = after
                out.why[n] = NEWCOMER_LEVEL if part == 0 else NO_REASON
                n += 1
        store(states, played.player1[g], load(played.settled_state, 2 * g))
        store(states, played.player2[g], load(played.settled_state, 2 * g + 1))
    return n


def period_rows(
    start: int, stop: int, played: Played, ticking: Ticking, states: Any, work: Any, k_of: Any, out: Rows
) -> int:
    """Longer periods, ticks start..stop. Returns the number of rows written: at most 8 a game."""
    n = 0
    before, expected = played.before, played.expected
    for t in range(start, stop):
        month = ticking.month[t] + 0
        when = When(month // 12, month % 12 + 1)
        # The tally of each player, added up as the replay did.
        for side in range(2 * ticking.row[t], 2 * ticking.row[t + 1]):
            g = side // 2
            turn = side % 2
            a = played.player1[g] if turn == 0 else played.player2[g]
            w = a * WIDTH
            rating = load(states, a).rating
            if work[w + OPENED_AT] != t + 1:
                work[w + OPENED_AT] = t + 1
                work[w + OPENING] = rating
            if work[w + SUMMED_AT] != t + 1:
                work[w + SUMMED_AT] = t + 1
                for field in range(GAMES, WIDTH):
                    work[w + field] = 0
                work[w + CLOSING] = rating
                k_of[a] = NO_K
            if played.kind_counted[played.kind[g]] == 0:
                continue
            other = before[side + 1 - 2 * turn] + 0
            if other == UNRATED and not STEPS_UNRATED:
                work[w + AGAINST_UNRATED] += work[w + TOUCHED]
                continue
            if (
                STEPS_UNRATED
                or (HAS_NEWCOMER and rating == UNRATED)
                or (before[side] != UNRATED and rating != UNRATED)
            ):
                work[w + TOUCHED] = 1
            if expected[side] != NOT_RATED:
                score = played.kind_score[played.kind[g]] + 0
                work[w + GAMES] += 1
                work[w + SCORE] += score if turn == 0 else 100 - score
                work[w + CHANGE] += played.change[side]
                work[w + OPPONENTS] += other
        # The closing of each player, so that each row can say where its period ends.
        p = params_at(played.table, ticking.params[t])
        for i in range(ticking.settled[t], ticking.settled[t + 1]):
            a = played.settled_player[i]
            w = a * WIDTH
            me = load(states, a)
            work[w + CLOSING] = load(played.settled_state, i).rating
            if me.rating != UNRATED or not HAS_NEWCOMER:
                tally = Tally(
                    work[w + GAMES] + 0,
                    work[w + SCORE] + 0,
                    work[w + CHANGE] + 0,
                    work[w + OPPONENTS] + 0,
                    work[w + AGAINST_UNRATED] + 0,
                )
                terms = terms_of_settle(p, me, tally, when)
                k_of[a] = terms[0]
                work[w + MOVED] = terms[1] * CENTS
                work[w + EXTRA] = terms[2] * CENTS
                work[w + BY_PERFORMANCE] = terms[3]
        # The games.
        for side in range(2 * ticking.row[t], 2 * ticking.row[t + 1]):
            g = side // 2
            turn = side % 2
            kind = played.kind[g]
            a = played.player1[g] if turn == 0 else played.player2[g]
            b = played.player2[g] if turn == 0 else played.player1[g]
            w = a * WIDTH
            worth = 0
            k = NO_K
            if expected[side] != NOT_RATED:
                if K_OF_SETTLE:
                    k = k_of[a] + 0.0
                else:
                    score = played.kind_score[kind] + 0 if turn == 0 else 100 - played.kind_score[kind]
                    stones = played.kind_stones[kind] + 0 if turn == 1 else -played.kind_stones[kind]
                    game = Game(
                        score, played.kind_best_of[kind] + 0, stones, played.kind_weight[kind], month, 0
                    )
                    mine = load_as(states, a, before[side] + 0)
                    theirs = load_as(states, b, before[side + 1 - 2 * turn] + 0)
                    k = k_of_step(params_at(played.table, played.kind_params[kind]), mine, theirs, game)
                worth = played.change[side] * (CHANGE_CENTS if CHANGE_CENTS != 0 else int(k))
                work[w + WRITTEN] += worth
            out.kind[n] = GAME
            out.side[n] = side
            out.person[n] = a
            out.place[n] = t
            out.opening[n] = work[w + OPENING]
            out.k[n] = k
            out.change[n] = worth
            out.after[n] = work[w + CLOSING]
            out.why[n] = NO_REASON
            n += 1
        # What else moved the rating as the period closed.
        for i in range(ticking.settled[t], ticking.settled[t + 1]):
            a = played.settled_player[i]
            w = a * WIDTH
            me = load(states, a)
            after = load(played.settled_state, i)
            moved = work[w + MOVED] - work[w + EXTRA] - work[w + WRITTEN]
            rest = 0  # a first rating, or what a floor adds
            if after.rating != UNRATED:
                rest += after.rating * CENTS
            if me.rating != UNRATED:
                rest -= me.rating * CENTS
            rest -= work[w + MOVED]
            for part in range(3):
                worth = moved if part == 0 else (work[w + EXTRA] if part == 1 else rest)
                if worth == 0:
                    continue
                why = NO_REASON
                if part == 0 and work[w + BY_PERFORMANCE] != 0:
                    why = PERFORMANCE
                elif part == 1:
                    why = BONUS
                elif part == 2 and me.rating == UNRATED:
                    why = FIRST_RATING
                out.kind[n] = (
                    ROUNDING if part == 0 else (POSTING if part == 1 else (ENTRY if why != 0 else FLOOR))
                )
                out.side[n] = NO_SIDE
                out.person[n] = a
                out.place[n] = t
                out.opening[n] = work[w + OPENING]
                out.k[n] = NO_K
                out.change[n] = worth
                out.after[n] = after.rating
                out.why[n] = why
                n += 1
            store(states, a, after)
    return n
