"""belgian-go worked out a second time: decimals with 40 digits, fractions for Con, A and the weights."""

from __future__ import annotations

import math
from datetime import date
from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from typing import Any

from tests.oracle.facts import Facts, Meeting, Occasion, Outcome

CON = {
    -1950: 116, -1850: 110, -1750: 105, -1650: 100, -1550: 95, -1450: 90, -1350: 85, -1250: 80, -1150: 75,
    -1050: 70, -950: 65, -850: 60, -750: 55, -650: 51, -550: 47, -450: 43, -350: 39, -250: 35, -150: 31,
    -50: 27, 50: 24, 150: 21, 250: 18, 350: 15, 450: 13, 550: 11, 650: 10,
}  # fmt: skip
SPREAD = {row: 200 - 5 * place for place, row in enumerate(sorted(CON))}
CLASSES = {"A": Fraction(6, 5), "B": Fraction(1), "C": Fraction(4, 5), "D": Fraction(0)}
BOARDS = {13: Fraction(1, 2), 9: Fraction(3, 10)}
LOWEST = -245000
SQUARED_FROM = date(2004, 5, 1).toordinal()
BOARDS_FROM = date(2021, 1, 1).toordinal()
NOTHING = Decimal(10) ** -10  # hundredths of a game: a score missed by less counts as met
PRECISE = Context(prec=40, rounding=ROUND_HALF_UP)
LONG = Context(prec=400, rounding=ROUND_HALF_UP)  # a share far below the fortieth digit still breaks a tie


def line(rows: dict[int, int], rating: Fraction) -> Fraction:
    """Linear between the rows, and on beyond the first and the last."""
    known = sorted(rows)
    low = known[0]
    for row in known[:-1]:
        if row <= rating:
            low = row
    high = known[known.index(low) + 1]
    return rows[low] + (rows[high] - rows[low]) * (rating - low) / (high - low)


def con(rating: Fraction) -> Fraction:
    return max(Fraction(1), line(CON, rating))


def spread(rating: Fraction) -> Fraction:
    return max(Fraction(5), line(SPREAD, rating))


def decimal(x: Fraction) -> Decimal:
    return PRECISE.divide(Decimal(x.numerator), Decimal(x.denominator))


def expected(own: Fraction, difference: Fraction, ceiling: Decimal) -> Decimal:
    """By the two formulas of the page; `difference` is adjusted for handicap."""
    a = spread(own)
    ratio = abs(difference) / a
    context = PRECISE if ratio < 40 else LONG
    power = context.exp(context.divide(Decimal(ratio.numerator), Decimal(ratio.denominator)))
    low = context.divide(Decimal(1), context.add(power, Decimal(1)))
    return low if difference <= 0 else context.subtract(ceiling, low)


def nearest(x: Decimal) -> int:
    return int(x.to_integral_value(rounding=ROUND_HALF_UP))


def nearest_fraction(x: Fraction) -> int:
    whole = int(abs(x) + Fraction(1, 2))
    return whole if x >= 0 else -whole


def rank_at_entry(grains: int) -> int:
    return math.ceil(Fraction(grains, 10000))


def judged(held: int, grains: int) -> int:
    """The rank after an event."""
    if grains > 10000 * held:
        return rank_at_entry(grains)
    if grains < 10000 * (held - 1) - 10000:
        return math.floor(Fraction(grains, 10000)) + 2
    return held


def rank_text(rank: int) -> str:
    return f"{rank} dan" if rank > 0 else f"{1 - rank} kyu"


class Player:
    def __init__(self) -> None:
        self.rating: int | None = None
        self.rank = 0
        self.games = 0
        self.open: list[tuple[Fraction, int]] = []  # adjusted opponent in points, score in hundredths

    def put(self, grains: int) -> None:
        self.rating, self.rank = grains, rank_at_entry(grains)


def rules_on(start: int, facts: Facts) -> dict[str, float]:
    """What holds for an event that starts on that day."""
    rules: dict[str, float] = {
        "ceiling": 0.986,
        "giver_squared": 1 if start >= SQUARED_FROM else 0,
        "small_boards": 1 if start >= BOARDS_FROM else 0,
        "nc_games": 3,
    }
    for change in facts.changes:
        if change.day <= start:
            rules[change.name] = change.value
    return rules


def enter(player: Player, given: Any) -> None:
    if player.rating is not None or given.unclassified:
        return
    if given.rating is not None:
        player.put(nearest(Decimal(repr(given.rating)) * 100))
    elif given.rank is not None:
        player.put(max(LOWEST, 10000 * min(given.rank, 99) - 5000))


def score_of(game: Meeting) -> int | None:
    """White's score in hundredths; None where the game is not for rating."""
    if game.kind != "game" or not game.for_rating:
        return None
    return 50 * game.first


def weight_of(game: Meeting, occasion: Occasion, rules: dict[str, float]) -> Fraction:
    if game.weight is not None:
        return Fraction(repr(game.weight))
    event_class = occasion.event_class or ("B" if occasion.name else "C")
    weight = CLASSES[event_class]
    if event_class == "C" and "c_weight" in rules:
        weight = Fraction(repr(rules["c_weight"]))
    if rules["small_boards"]:
        weight *= BOARDS.get(game.size, Fraction(1))
    return weight


def rate(facts: Facts) -> Outcome:
    """Everything, event by event."""
    players = {name: Player() for name in facts.players}
    outcome = Outcome({}, {}, [])
    acts = sorted(
        [(entry.day, 0, entry.player, entry) for entry in facts.entries]
        + [(base.day, 1, base.player, base) for base in facts.bases]
        + [(bonus.day, -1, name, bonus) for bonus in facts.bonuses for name in facts.players],
        key=lambda act: act[:3],
    )
    done = 0

    def act_until(day: int) -> None:
        nonlocal done
        while done < len(acts) and acts[done][0] <= day:
            when, what, name, fact = acts[done]
            if what == 0:
                enter(players[name], fact.given)
            elif what == -1:
                if players[name].rating is not None:
                    players[name].put(
                        max(LOWEST, players[name].rating + nearest(Decimal(repr(fact.points)) * 100))
                    )
            else:
                players[name].put(nearest(Decimal(repr(fact.rating)) * 100))
            outcome.course.append((when, name, players[name].rating))
            done += 1

    for occasion in facts.occasions:
        act_until(occasion.last)
        one_event(occasion, players, rules_on(occasion.start, facts), outcome)
    act_until(10**9)
    for name, player in players.items():
        label = "NC" if player.rating is None else rank_text(player.rank)
        outcome.final[name] = (player.rating, label, player.games)
    return outcome


def one_event(
    occasion: Occasion, players: dict[str, Player], rules: dict[str, float], outcome: Outcome
) -> None:
    sums: dict[str, int] = {}
    newly_open: set[str] = set()
    for game in occasion.games:
        white, black = players[game.white], players[game.black]
        score, weight = score_of(game), weight_of(game, occasion, rules)
        sides = []
        for me, other, mine, stones in (
            (white, black, score, -game.stones),
            (black, white, None if score is None else 100 - score, game.stones),
        ):
            if mine is None or weight == 0 or other.rating is None:
                sides.append((me.rating, None, 0))
                continue
            help_ = (
                Fraction(0)
                if not stones
                else Fraction(100 * (abs(stones) * 2 - 1), 2) * (1 if stones > 0 else -1)
            )
            if me.rating is None:
                me.open.append((Fraction(other.rating, 100) - help_, mine))
                newly_open.add(game.white if me is white else game.black)
                sides.append((None, None, 0))
                continue
            own = Fraction(me.rating, 100)
            difference = own - Fraction(other.rating, 100) + help_
            chance = expected(own, difference, Decimal(repr(rules["ceiling"])))
            factor = Fraction(1)
            if stones:
                factor = max(Fraction(1, 10), 1 - (abs(stones) - Fraction(1, 2)) / 10)
                if stones < 0 and rules["giver_squared"]:
                    factor *= factor
            terms = 100 * con(own) * weight * factor * (Fraction(mine, 100) - Fraction(chance))
            change = nearest_fraction(terms)
            name = game.white if me is white else game.black
            sums[name] = sums.get(name, 0) + change
            me.games += 1
            sides.append((me.rating, nearest(chance * 1000000), change))
        outcome.sides[game.number] = (sides[0], sides[1])
    for name, total in sums.items():
        player = players[name]
        assert player.rating is not None
        player.rating = max(LOWEST, player.rating + total)
        player.rank = judged(player.rank, player.rating)
        outcome.course.append((occasion.last, name, player.rating))
    for name in sorted(newly_open):
        player = players[name]
        if player.rating is None and len(player.open) >= rules["nc_games"]:
            player.put(start_of(player.open))
            player.games += len(player.open)
            outcome.course.append((occasion.last, name, player.rating))


def start_of(games: list[tuple[Fraction, int]]) -> int:
    """The smallest grain at which the expected scores reach the score."""
    score = sum(mine for _, mine in games)
    highest = math.floor(100 * max(opponent for opponent, _ in games)) + 20000

    def reached(grains: int) -> bool:
        own = Fraction(grains, 100)
        total = sum((expected(own, own - opponent, Decimal(1)) for opponent, _ in games), Decimal(0))
        return total * 100 >= score - NOTHING

    low, high = LOWEST, max(LOWEST, highest)
    if not reached(high):
        return high
    while low < high:
        middle = (low + high) // 2
        if reached(middle):
            high = middle
        else:
            low = middle + 1
    return low
