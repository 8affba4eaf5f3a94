"""kbsb worked out a second time, quarter by quarter."""

from __future__ import annotations

import datetime
from fractions import Fraction
from typing import NamedTuple

from tests.oracle.facts import Entry, Facts, Occasion, Outcome
from tests.oracle.tables import away, dp, percentage, share

APRIL_2024 = datetime.date(2024, 4, 1).toordinal()
CAP_400_FROM = datetime.date(2021, 1, 1).toordinal()


def quarter_number(when: int) -> int:
    date = datetime.date.fromordinal(when)
    return 4 * date.year + (date.month - 1) // 3


def quarter_start(quarter: int) -> int:
    return datetime.date(quarter // 4, 3 * (quarter % 4) + 1, 1).toordinal()


class Line(NamedTuple):
    rating: int | None = None
    games: int = 0


class Player:
    def __init__(self) -> None:
        self.lists: dict[int, Line] = {}
        self.open: list[tuple[int, int]] = []  # opponent, score in hundredths
        self.entered: dict[int, tuple[int, int]] = {}  # by quarter: day and rating of a first rating in it

    def on(self, when: int) -> int | None:
        """The rating in force on a day: the list's, or a first rating since."""
        quarter = quarter_number(when)
        rating = self.lists[quarter].rating
        if rating is None and quarter in self.entered and self.entered[quarter][0] <= when:
            return self.entered[quarter][1]
        return rating


class Tally:
    """A player's rated games of one quarter."""

    def __init__(self) -> None:
        self.games = 0
        self.score = 0
        self.change = 0
        self.met = 0


def own_value(facts: Facts, name: str, when: int, default: int) -> int:
    """A club's own parameter in force on a day."""
    for change in facts.changes:
        if change.name == name and change.day <= when:
            default = int(change.value)
    return default


def k_of(rating: int, games: int, k_first: int) -> int:
    """By the games before the period plus one."""
    if games + 1 <= 100:
        return k_first
    if games + 1 <= 300:
        return 24
    if rating <= 2000:
        return 16
    return 12 if rating <= 2200 else 10


def floor_on(when: int) -> int:
    return 1400 if when >= APRIL_2024 else 1150


def compressed(rating: int) -> int:
    return away(rating + Fraction((2000 - rating) * 250, 2000 - 1150)) if rating < 2000 else rating


def one_event(
    occasion: Occasion, players: dict[str, Player], tallies: dict[str, Tally], outcome: Outcome
) -> None:
    longer = occasion.last - occasion.start + 1 > 30
    cap = 400 if occasion.start >= CAP_400_FROM else 350
    for game in occasion.games:
        used = game.day if longer else occasion.start
        own, other = players[game.white].on(used), players[game.black].on(used)
        counts = game.kind == "game" and game.for_rating and game.weight != 0
        sides = []
        for name, mine, theirs, halves in (
            (game.white, own, other, game.first),
            (game.black, other, own, game.second),
        ):
            if counts and mine is None and theirs is not None:
                players[name].open.append((theirs, 50 * halves))
            if not counts or mine is None or theirs is None:
                sides.append((mine, None, 0))
                continue
            expected = percentage(max(-cap, min(cap, mine - theirs)))
            tally = tallies[name]
            tally.games += 1
            tally.score += 50 * halves
            tally.change += 50 * halves - expected
            tally.met += theirs
            sides.append((mine, 10000 * expected, 50 * halves - expected))
        outcome.sides[game.number] = (sides[0], sides[1])


def performance(met: int, score: int, games: int) -> int:
    return away(Fraction(met, games) + dp(share(Fraction(score, 100), games)))


def settled(player: Player, quarter: int, base: int | None, tally: Tally, facts: Facts) -> Line:
    line, start = player.lists[quarter], quarter_start(quarter)
    rating, games = line.rating if base is None else base, line.games
    if rating is not None:
        if tally.games:
            k = k_of(rating, games, own_value(facts, "k_first", start, 32))
            change = away(Fraction(k * tally.change, 100))
            if tally.games > own_value(facts, "many_games", start, 25) and abs(change) > 150:
                rating = performance(tally.met, tally.score, tally.games)
            else:
                rating += change
            games += tally.games
        player.open.clear()
    elif len(player.open) >= 5:
        first = player.open[:5]
        rating = performance(sum(met for met, _ in first), sum(score for _, score in first), 5)
        games += len(player.open)
        player.open.clear()
    if rating is not None:
        rating = max(rating, floor_on(start))
    return Line(rating, games)


def opened(line: Line, quarter: int, facts: Facts) -> Line:
    """A list's line after what is given to everybody when it opens, by day; the raise is first of its day."""
    gifts = [(b.day, 1, b.points) for b in facts.bonuses if quarter_number(b.day - 1) + 1 == quarter]
    if quarter_start(quarter) == APRIL_2024:
        gifts.append((APRIL_2024, 0, 0.0))
    for when, kind, points in sorted(gifts):
        if line.rating is not None:
            raised = line.rating + away(Fraction(repr(points))) if kind else compressed(line.rating)
            line = line._replace(rating=max(floor_on(when), raised))
    return line


def rate(facts: Facts) -> Outcome:
    players = {name: Player() for name in facts.players}
    outcome = Outcome({}, {}, [])
    days = [fact.day for fact in (*facts.entries, *facts.bases, *facts.bonuses) if fact.day]
    days.append(APRIL_2024 - 1)  # the raise comes, whether anybody plays or not
    days += [when for occasion in facts.occasions for when in (occasion.start, occasion.last)]
    days += [game.day for occasion in facts.occasions for game in occasion.games]
    first, last = quarter_number(min(days)) - 1, quarter_number(max(days))
    for player in players.values():
        player.lists[first] = Line()
    for quarter in range(first, last + 1):
        bases: dict[str, int] = {}
        acts = [(e.day, 0, e) for e in facts.entries if e.day == 0 and quarter == first]
        acts += [(e.day, 0, e) for e in facts.entries if e.day and quarter_number(e.day) == quarter]
        acts += [(b.day, 1, b) for b in facts.bases if quarter_number(b.day) == quarter]
        for when, kind, act in sorted(acts, key=lambda a: a[:2]):
            if kind == 1:
                bases[act.player] = max(floor_on(when), away(Fraction(repr(act.rating))))
            else:
                enter(players[act.player], act, quarter, when in (0, quarter_start(quarter)), bases)
        tallies = {name: Tally() for name in facts.players}
        for name, player in players.items():
            outcome.course.append((quarter_start(quarter), name, player.lists[quarter].rating))
        for name, player in players.items():
            if quarter in player.entered:
                when, rating = player.entered[quarter]
                outcome.course.append((when, name, rating))
        for occasion in facts.occasions:
            if quarter_number(occasion.last) == quarter:
                one_event(occasion, players, tallies, outcome)
        for name, player in players.items():
            line = settled(player, quarter, bases.get(name), tallies[name], facts)
            player.lists[quarter + 1] = opened(line, quarter + 1, facts)
    for name, player in players.items():
        line = player.lists[last + 1]
        outcome.final[name] = (
            line.rating,
            "unrated" if line.rating is None else str(line.rating),
            line.games,
        )
        outcome.course.append((quarter_start(last + 1), name, line.rating))
    return outcome


def enter(player: Player, entry: Entry, quarter: int, on_list: bool, bases: dict[str, int]) -> None:
    """A first rating of whoever has none: on a list of its own day, else from that day on."""
    given, line = entry.given, player.lists[quarter]
    if line.rating is not None or entry.player in bases:
        return
    line = line._replace(games=line.games + given.games)
    if given.rating is not None:
        rating = max(floor_on(entry.day), away(Fraction(repr(given.rating))))
        if on_list:
            line = line._replace(rating=rating)
        else:
            bases[entry.player] = rating
            player.entered[quarter] = (entry.day, rating)
    player.lists[quarter] = line
