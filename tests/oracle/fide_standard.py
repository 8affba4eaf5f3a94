"""fide-standard worked out a second time, list by list; whole points and whole hundredths of a score.

Every list is kept, so that a game can look up the one in force on any day.
"""

from __future__ import annotations

import datetime
from fractions import Fraction
from typing import NamedTuple

from tests.oracle.facts import Bonus, Entry, Facts, Meeting, Occasion, Outcome
from tests.oracle.tables import away, dp, percentage, share


def day(year: int, month: int, number: int = 1) -> int:
    return datetime.date(year, month, number).toordinal()


def month_number(when: int) -> int:
    date = datetime.date.fromordinal(when)
    return 12 * date.year + date.month - 1


def month_start(month: int) -> int:
    return day(month // 12, month % 12 + 1)


class Line(NamedTuple):
    """A player on one list."""

    rating: int | None = None
    games: int = 0
    peak: int = 0  # highest rating on any list, or said at entry
    born: int = 0


class Opening(NamedTuple):
    """A game of an unrated player against a rated one."""

    opponent: int
    score: int  # hundredths
    month: int
    event: int


class Player:
    def __init__(self) -> None:
        self.lists: dict[int, Line] = {}  # by month
        self.open: list[Opening] = []
        self.base: int | None = None  # of the month: the list's rating, or what replaces it
        self.entered: dict[int, tuple[int, int]] = {}  # by month: day and rating of a first rating inside it

    def on(self, when: int) -> int | None:
        """The rating in force on a day: the list's, or a first rating since."""
        month = month_number(when)
        rating = self.lists[month].rating
        if rating is None and month in self.entered and self.entered[month][0] <= when:
            return self.entered[month][1]
        return rating


# --- what holds when ----------------------------------------------------------------------------


class Own(NamedTuple):
    """A club's own parameters by day, and which of the federations' lists this is."""

    changes: tuple[tuple[int, str, float], ...] = ()
    needed: int = 5  # games for a first rating
    fast: bool = False  # rapid and blitz

    def get(self, name: str, when: int, default: float) -> float:
        for since, changed, value in self.changes:
            if changed == name and since <= when:
                default = value
        return default


COMPRESSION = day(2024, 3)


def cap_on(start: int, month: int, own: Own) -> int:
    """The edition's of the event's start; a club's own from the first period after its day."""
    return int(own.get("cap", month_start(month), 350 if start < day(2009, 7) else 400))


def floor_on(when: int) -> int:
    return 1400 if when >= day(2024, 3) else -(10**9)


def k_on(when: int, line: Line, own: Own) -> int:
    """K as published on the list of the day `when`."""
    year = datetime.date.fromordinal(when).year
    since_2014 = when >= day(2014, 7)
    if own.fast and when < day(2024, 3):
        return 20
    if line.peak >= 2400:
        return int(own.get("k_top", when, 10))
    if since_2014 and line.born and year - line.born <= 18 and line.peak < 2300:
        return 40
    if line.games < own.get("new_games", when, 30):
        return 40 if since_2014 else 30 if when >= day(2011, 7) else 25
    return int(own.get("k", when, 20 if since_2014 else 15))


# --- one event ------------------------------------------------------------------------------------


def day_used(occasion: Occasion, game: Meeting) -> int:
    """The day whose ratings a game uses."""
    longer = occasion.last - occasion.start + 1 > 30
    return game.day if longer else occasion.start


def once_capped(occasion: Occasion, players: dict[str, Player], cap: int) -> dict[tuple[str, int], bool]:
    """2022: (player, game) -> the cap may be used upwards, for the one game with the largest difference."""
    best: dict[str, tuple[int, int]] = {}
    for game in occasion.games:  # by date, round, board: the first among equals stays
        used = day_used(occasion, game)
        own, other = players[game.white].on(used), players[game.black].on(used)
        if own is None or other is None or not for_rating(game):
            continue
        for name, difference in ((game.white, own - other), (game.black, other - own)):
            if difference > cap and (name not in best or difference > best[name][0]):
                best[name] = (difference, game.number)
    return {(name, number): True for name, (_, number) in best.items()}


def for_rating(game: Meeting) -> bool:
    return game.kind == "game" and game.for_rating and game.weight != 0


def difference_used(mine: int, other: int, start: int, may_cap: bool, cap: int, own: Own) -> int:
    difference = mine - other
    if start >= day(2025, 10) and mine >= 2650 and not own.fast:
        return difference
    if day(2022, 1) <= start < day(2024, 3) and difference > cap and not may_cap:
        return difference
    return max(-cap, min(cap, difference))


def too_far(mine: int, other: int, start: int, own: Own) -> bool:
    """Rapid and blitz: not rated at all."""
    return own.fast and start >= day(2024, 12) and abs(mine - other) >= 600 and max(mine, other) > 2600


class Period(NamedTuple):
    """What one month adds up to, by player."""

    games: dict[str, int]
    change: dict[str, int]
    opened: set[str]


def one_event(
    occasion: Occasion, month: int, players: dict[str, Player], period: Period, outcome: Outcome, club: Own
) -> None:
    cap = cap_on(occasion.start, month, club)
    capped_once = once_capped(occasion, players, cap)
    for game in occasion.games:
        used = day_used(occasion, game)
        own, other = players[game.white].on(used), players[game.black].on(used)
        sides: list[tuple[int | None, int | None, int]] = []
        for name, mine, theirs, halves in (
            (game.white, own, other, game.first),
            (game.black, other, own, game.second),
        ):
            player = players[name]
            if not for_rating(game) or theirs is None:
                sides.append((mine, None, 0))
            elif player.base is None:  # also who has just fallen out of the list
                player.open.append(Opening(theirs, 50 * halves, month, occasion.number))
                period.opened.add(name)
                sides.append((mine, None, 0))
            elif mine is None or too_far(mine, theirs, occasion.start, club):  # None: entered since it began
                sides.append((mine, None, 0))
            else:
                may_cap = (name, game.number) in capped_once
                expected = percentage(difference_used(mine, theirs, occasion.start, may_cap, cap, club))
                change = 50 * halves - expected
                period.games[name] = period.games.get(name, 0) + 1
                period.change[name] = period.change.get(name, 0) + change
                sides.append((mine, 10000 * expected, change))
        outcome.sides[game.number] = (sides[0], sides[1])


# --- one list ---------------------------------------------------------------------------------------


def first_rating(games: list[Opening], month: int, needed: int) -> tuple[int, int] | None:
    """Of the games in the 26 months up to `month`, with their number; None: not yet."""
    kept = [game for game in games if game.month > month - 26]
    first_event = kept[0].event
    if sum(game.score for game in kept if game.event == first_event) == 0:
        kept = [game for game in kept if game.event != first_event]
    n = len(kept)
    if n < needed:
        return None
    met = sum(game.opponent for game in kept)
    won = Fraction(sum(game.score for game in kept), 100)
    if month_start(month) >= day(2024, 3):
        rating = away(Fraction(met + 2 * 1800, n + 2) + dp(share(won + 1, n + 2)))
        rating = min(2200, rating)
        return (rating, n) if rating >= 1400 else None
    average = Fraction(met, n)
    halves_above = 2 * won - n
    if halves_above >= 0:
        return away(average + 20 * halves_above), n
    return away(average + dp(share(won, n))), n


def compressed(rating: int) -> int:
    return away(rating + Fraction(2, 5) * (2000 - rating)) if rating < 2000 else rating


def settled(player: Player, name: str, month: int, period: Period, own: Own) -> Line:
    """The line on the list after `month`."""
    line, start = player.lists[month], month_start(month)
    rating, games, peak = player.base, line.games, line.peak
    if rating is not None:
        n, total = period.games.get(name, 0), period.change.get(name, 0)
        if n:
            k = k_on(start, line, own)
            if n * k > 700:
                k = 700 // n
            rating += away(Fraction(k * total, 100))
            games += n
        player.open.clear()
    elif name in period.opened:
        found = first_rating(player.open, month, own.needed)
        if found is not None:
            player.open.clear()
            rating, games = found[0], min(found[1], int(own.get("new_games", start, 30)) - 1)
    return listed(Line(rating, games, peak, line.born), start)


def listed(line: Line, when: int) -> Line:
    """A line as a list shows it: nothing below the floor, and who falls out begins anew; a peak is kept."""
    if line.rating is None:
        return line
    if line.rating < floor_on(when):
        return line._replace(rating=None, games=0)
    return line._replace(peak=max(line.peak, line.rating))


def opened(line: Line, month: int, bonuses: tuple[Bonus, ...]) -> Line:
    """A list's line after what everybody is given as it opens, by day; the compression first."""
    gifts = [(b.day, 1, b.points) for b in bonuses if (month_number(b.day - 1) + 1 if b.day else 0) == month]
    if month == month_number(COMPRESSION):
        gifts.append((COMPRESSION, 0, 0.0))
    for when, kind, points in sorted(gifts):
        if line.rating is not None:
            more = away(Fraction(repr(points)))
            line = listed(line._replace(rating=line.rating + more if kind else compressed(line.rating)), when)
    return line


def rate(facts: Facts, needed: int = 5, fast: bool = False) -> Outcome:
    players = {name: Player() for name in facts.players}
    outcome = Outcome({}, {}, [])
    own = Own(tuple(facts.changes), needed, fast)
    if not facts.occasions and not facts.entries:
        return outcome
    dated = [fact.day for fact in (*facts.entries, *facts.bases, *facts.bonuses) if fact.day]
    dated.append(day(2024, 2))  # the compression comes, whether anybody plays or not
    days = dated + [occasion.start for occasion in facts.occasions] + [o.last for o in facts.occasions]
    days += [game.day for occasion in facts.occasions for game in occasion.games]
    first, last = month_number(min(days)) - 1, month_number(max(days))
    for player in players.values():
        player.lists[first] = Line()
    for month in range(first, last + 1):
        bases: dict[str, int | None] = {}  # None: set below the floor, which takes a player off the list
        acts = [(e.day, 0, e) for e in facts.entries if e.day == 0 and month == first]
        acts += [(e.day, 0, e) for e in facts.entries if e.day and month_number(e.day) == month]
        acts += [(b.day, 1, b) for b in facts.bases if month_number(b.day) == month]
        for when, kind, act in sorted(acts, key=lambda a: a[:2]):
            if kind == 1:
                rating = away(Fraction(repr(act.rating)))
                line = players[act.player].lists[month]
                fallen = rating < floor_on(when)
                games = 0 if fallen else line.games
                players[act.player].lists[month] = line._replace(games=games, peak=max(line.peak, rating))
                bases[act.player] = None if fallen else rating
            else:
                on_list = when == 0 or when == month_start(month)
                enter(players[act.player], act, month, on_list, bases)
        for name, player in players.items():
            outcome.course.append((month_start(month), name, player.lists[month].rating))
        for name, player in players.items():
            if month in player.entered:
                when, rating = player.entered[month]
                outcome.course.append((when, name, rating))
        period = Period({}, {}, set())
        for name, player in players.items():
            player.base = bases.get(name, player.lists[month].rating)
        for occasion in facts.occasions:
            if month_number(occasion.last) == month:
                one_event(occasion, month, players, period, outcome, own)
        for name, player in players.items():
            line = settled(player, name, month, period, own)
            player.lists[month + 1] = opened(line, month + 1, facts.bonuses)
    for name, player in players.items():
        line = player.lists[last + 1]
        outcome.final[name] = (
            line.rating,
            "unrated" if line.rating is None else str(line.rating),
            line.games,
        )
        outcome.course.append((month_start(last + 1), name, line.rating))
    return outcome


def enter(player: Player, entry: Entry, month: int, on_list: bool, bases: dict[str, int | None]) -> None:
    """A first rating: on the list of a first of the month, else on the next one."""
    given = entry.given
    if given.rating is None:
        given = given._replace(rating=given.standard)
    line = player.lists[month]
    if line.rating is not None or bases.get(entry.player) is not None:
        return
    line = line._replace(born=given.born)
    if given.peak is not None:
        line = line._replace(peak=max(line.peak, away(Fraction(repr(given.peak)))))
    if given.rating is not None and given.rating >= floor_on(entry.day):
        rating = away(Fraction(repr(given.rating)))
        line = line._replace(games=line.games + given.games, peak=max(line.peak, rating))
        if on_list:
            line = line._replace(rating=rating)
        else:
            bases[entry.player] = rating
            player.entered.setdefault(month, (entry.day, rating))
    player.lists[month] = line
