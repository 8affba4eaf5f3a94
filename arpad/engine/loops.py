"""The two loops of the engine: one for periods of a single game, one for every longer period.

They are written once against the names below; arpad.engine.specialise binds those names to one
ruleset's kernels and runs the result as it is or under numba. The loops are long on purpose: a
helper that takes many arrays costs three times as much when compiled.

Row g is the g-th game in playing order; side 2g is player 1, side 2g + 1 player 2. `states` holds
the State fields of player i from i * (number of fields) on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from arpad.domain.play import Game, Openings, Tally, When
from arpad.domain.rounding import rounded
from arpad.domain.units import NOT_RATED, UNRATED

LARGEST = 1_000_000_000  # grains, of a rating or a change: two of them still fit into 32 bits
MOST_EXPECTED = 2000.0  # as an expected score, which is kept in millionths

if TYPE_CHECKING:
    Ints = Any  # array('i') or a numpy view of one
    STEPS_UNRATED: bool
    HAS_CLAIM: bool
    HAS_NEWCOMER: bool
    LISTS_ARE_PERIODS: bool
    load: Any  # (states, i) -> State
    load_as: Any  # (states, i, rating) -> State, with another rating
    store: Any  # (states, i, State)
    params_at: Any  # (table, row) -> Params
    step: Any
    settle: Any
    claim: Any
    newcomer: Any
    corrected: Any
    posting: Any


def run_games(
    start: int,
    stop: int,
    player1: Ints,
    player2: Ints,
    kind: Ints,
    day: Ints,
    day0: int,
    day_month: Ints,
    kind_counted: Ints,
    kind_score: Ints,
    kind_best_of: Ints,
    kind_stones: Ints,
    kind_weight: Any,
    kind_params: Ints,
    table: Any,
    states: Ints,
    before: Ints,
    expected: Ints,
    change: Ints,
    after: Ints,
) -> int:
    """Rows start..stop, each a period of its own: both sides from both ratings before the game.

    Returns stop, or -1 - g where row g leaves the range of ratings.
    """
    for g in range(start, stop):
        a = player1[g]
        b = player2[g]
        k = kind[g]
        one = load(states, a)
        two = load(states, b)
        side = 2 * g
        if kind_counted[k] == 0 or not (STEPS_UNRATED or (one.rating != UNRATED and two.rating != UNRATED)):
            before[side] = one.rating
            before[side + 1] = two.rating
            expected[side] = NOT_RATED
            expected[side + 1] = NOT_RATED
            change[side] = 0
            change[side + 1] = 0
            store(after, side, one)
            store(after, side + 1, two)
            continue
        p = params_at(table, kind_params[k])
        month = day_month[day[g] - day0] + 0
        when = When(month // 12, month % 12 + 1)
        score = kind_score[k] + 0
        best_of = kind_best_of[k] + 0
        stones = kind_stones[k] + 0
        weight = kind_weight[k]
        first = step(p, one, two, Game(score, best_of, -stones, weight, month, 0))
        second = step(p, two, one, Game(100 - score, best_of, stones, weight, month, 0))
        # Whole numbers of 32 bits would wrap without a word when compiled: refuse before that.
        if abs(first.expected) > MOST_EXPECTED or abs(second.expected) > MOST_EXPECTED:
            return -1 - g
        if abs(first.change) > LARGEST or abs(second.change) > LARGEST:
            return -1 - g
        before[side] = first.own
        before[side + 1] = second.own
        if first.rated != 0:
            expected[side] = rounded(first.expected * 1e6)
            change[side] = first.change
            one = settle(p, one, Tally(1, score, first.change, first.opponent, 0), when).state
        else:
            expected[side] = NOT_RATED
            change[side] = 0
        if second.rated != 0:
            expected[side + 1] = rounded(second.expected * 1e6)
            change[side + 1] = second.change
            two = settle(p, two, Tally(1, 100 - score, second.change, second.opponent, 0), when).state
        else:
            expected[side + 1] = NOT_RATED
            change[side + 1] = 0
        if (abs(one.rating) > LARGEST and one.rating != UNRATED) or (
            abs(two.rating) > LARGEST and two.rating != UNRATED
        ):
            return -1 - g
        store(states, a, one)
        store(states, b, two)
        store(after, side, one)
        store(after, side + 1, two)
    return stop


def run_periods(
    tick_from: int,
    tick_to: int,
    settled: int,
    player1: Ints,
    player2: Ints,
    kind: Ints,
    event: Ints,
    event_month: Ints,
    kind_counted: Ints,
    kind_score: Ints,
    kind_best_of: Ints,
    kind_stones: Ints,
    kind_weight: Any,
    kind_params: Ints,
    table: Any,
    tick_month: Ints,
    tick_params: Ints,
    tick_row: Ints,
    tick_list: Ints,
    list_side: Ints,
    states: Ints,
    before: Ints,
    expected: Ints,
    change: Ints,
    settled_player: Ints,
    settled_state: Ints,
    tick_settled: Ints,
    sum_games: Ints,
    sum_score: Ints,
    sum_change: Ints,
    sum_opponents: Ints,
    sum_unrated: Ints,
    touched: Ints,
    touched_at: Ints,
    open_head: Ints,
    open_tail: Ints,
    open_next: Ints,
    open_rating: Ints,
    open_stones: Ints,
    open_score: Ints,
    open_month: Ints,
    open_event: Ints,
    claim_best: Ints,
    claim_side: Ints,
    claim_at: Ints,
) -> int:
    """Ticks tick_from..tick_to: open a list, step the period's rows, settle who played.

    `settled` counts the settlements so far and is returned as it stands afterwards; -1 - t where
    tick t leaves the range of ratings.
    """
    for t in range(tick_from, tick_to):
        month = tick_month[t] + 0
        when = When(month // 12, month % 12 + 1)
        # A list opens: its ratings are written where they will be used.
        if LISTS_ARE_PERIODS:
            for g in range(tick_row[t], tick_row[t + 1]):
                before[2 * g] = load(states, player1[g]).rating
                before[2 * g + 1] = load(states, player2[g]).rating
        else:
            for i in range(tick_list[t], tick_list[t + 1]):
                side = list_side[i]
                who = player1[side // 2] if side % 2 == 0 else player2[side // 2]
                before[side] = load(states, who).rating
        n = 0
        for g in range(tick_row[t], tick_row[t + 1]):
            # `claim`: at an event's first row, find each player's largest claim in that event.
            if HAS_CLAIM and (g == tick_row[t] or event[g] != event[g - 1]):
                h = g
                while h < tick_row[t + 1] and event[h] == event[g]:
                    left = before[2 * h] + 0
                    right = before[2 * h + 1] + 0
                    if kind_counted[kind[h]] != 0 and left != UNRATED and right != UNRATED:
                        p = params_at(table, kind_params[kind[h]])
                        one = load_as(states, player1[h], left)
                        two = load_as(states, player2[h], right)
                        for turn in range(2):
                            c = claim(p, one, two) if turn == 0 else claim(p, two, one)
                            who = player1[h] if turn == 0 else player2[h]
                            if c > 0 and (claim_at[who] != g + 1 or c > claim_best[who]):
                                claim_at[who] = g + 1
                                claim_best[who] = c
                                claim_side[who] = 2 * h + turn
                    h += 1
            k = kind[g]
            side = 2 * g
            expected[side] = NOT_RATED
            expected[side + 1] = NOT_RATED
            change[side] = 0
            change[side + 1] = 0
            if kind_counted[k] == 0:
                continue
            p = params_at(table, kind_params[k])
            stones = kind_stones[k] + 0
            for turn in range(2):
                a = player1[g] if turn == 0 else player2[g]
                b = player2[g] if turn == 0 else player1[g]
                mine = before[side + turn] + 0
                other = before[side + 1 - turn] + 0
                me_now = load(states, a)
                if other == UNRATED and not STEPS_UNRATED:
                    if touched_at[a] == t + 1:
                        sum_unrated[a] += 1
                    continue
                opens = HAS_NEWCOMER and me_now.rating == UNRATED
                if not opens and not STEPS_UNRATED and (mine == UNRATED or me_now.rating == UNRATED):
                    continue
                if touched_at[a] != t + 1:
                    touched_at[a] = t + 1
                    touched[n] = a
                    n += 1
                    sum_games[a] = 0
                    sum_score[a] = 0
                    sum_change[a] = 0
                    sum_opponents[a] = 0
                    sum_unrated[a] = 0
                if opens:
                    open_next[side + turn] = -1
                    if open_head[a] < 0:
                        open_head[a] = side + turn
                    else:
                        open_next[open_tail[a]] = side + turn
                    open_tail[a] = side + turn
                    continue
                score = kind_score[k] + 0 if turn == 0 else 100 - kind_score[k]
                marked = 1 if HAS_CLAIM and claim_at[a] != 0 and claim_side[a] == side + turn else 0
                result = step(
                    p,
                    load_as(states, a, mine),
                    load_as(states, b, other),
                    Game(
                        score,
                        kind_best_of[k] + 0,
                        stones if turn == 1 else -stones,
                        kind_weight[k],
                        month,
                        marked,
                    ),
                )
                if abs(result.expected) > MOST_EXPECTED or abs(sum_change[a] + result.change) > LARGEST:
                    return -1 - t
                if result.rated != 0:
                    before[side + turn] = result.own
                    expected[side + turn] = rounded(result.expected * 1e6)
                    change[side + turn] = result.change
                    sum_games[a] += 1
                    sum_score[a] += score
                    sum_change[a] += result.change
                    sum_opponents[a] += result.opponent
        p = params_at(table, tick_params[t])
        for i in range(n):
            a = touched[i]
            me = load(states, a)
            if HAS_NEWCOMER and me.rating == UNRATED:
                count = 0
                side = open_head[a] + 0
                while side >= 0:
                    g = side // 2
                    k = kind[g]
                    turn = side % 2
                    open_rating[count] = before[side + 1 - 2 * turn]
                    open_stones[count] = kind_stones[k] if turn == 1 else -kind_stones[k]
                    open_score[count] = kind_score[k] if turn == 0 else 100 - kind_score[k]
                    open_month[count] = event_month[event[g]]
                    open_event[count] = event[g]
                    count += 1
                    side = open_next[side] + 0
                me = newcomer(
                    p, me, Openings(open_rating, open_stones, open_score, open_month, open_event), count, when
                )
            elif sum_games[a] > 0:
                tally = Tally(
                    sum_games[a] + 0,
                    sum_score[a] + 0,
                    sum_change[a] + 0,
                    sum_opponents[a] + 0,
                    sum_unrated[a] + 0,
                )
                me = settle(p, me, tally, when).state
            else:
                continue
            if me.rating != UNRATED:
                open_head[a] = -1
                if abs(me.rating) > LARGEST:
                    return -1 - t
            store(states, a, me)
            settled_player[settled] = a
            store(settled_state, settled, me)
            settled += 1
        tick_settled[t + 1] = settled
    return settled


def run_posting(
    players: Ints, table: Any, row: int, own: int, points: int, year: int, month: int, states: Ints
) -> int:
    """Everybody with a rating: the ruleset's own posting (`own`), or `points` (grains) more."""
    p = params_at(table, row)
    when = When(year, month)
    for i in range(len(players)):
        me = load(states, players[i])
        if me.rating != UNRATED:
            if own != 0:
                store(states, players[i], posting(p, me, when))
            else:
                store(states, players[i], corrected(p, me, me.rating + points))
    return len(players)
