"""The demonstration's go federation: 200 members of ten clubs, 3000 games in two seasons."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from demo_parts import (
    Chance,
    Game,
    Person,
    Span,
    games_csv,
    later,
    logistic,
    names,
    paired,
    strength,
    table,
    weekly,
)

GAMES = 3000
SPAN = Span("2024-09-01", "2026-06-28")
HOLIDAYS = (("2024-12-20", "2025-01-05"), ("2025-07-01", "2025-08-31"), ("2025-12-20", "2026-01-04"))
# Share of the members that is stronger, and the strength there: a dozen dan players, many kyu.
LADDER = ((0.0, 560), (0.01, 470), (0.05, 250), (0.12, 20), (0.5, -950), (0.82, -1950), (1.0, -2450))
# Club, members, and its first club evening: the weekday of the club.
CLUBS = (
    ("Gent", 32, "2024-09-03"), ("Leuven", 28, "2024-09-04"), ("Antwerpen", 28, "2024-09-05"),
    ("Brussel", 26, "2024-09-02"), ("Liège", 22, "2024-09-06"), ("Namur", 18, "2024-09-04"),
    ("Brugge", 14, "2024-09-05"), ("Hasselt", 12, "2024-09-03"), ("Mons", 12, "2024-09-06"),
    ("Eupen", 8, "2024-09-02"),
)  # fmt: skip
# Weekends: name, Saturday, players, rounds. Class A, even games.
WEEKENDS = (
    ("Herfstopen Antwerpen", "2024-10-12", 40, 5), ("Tournoi de la Citadelle", "2024-12-07", 36, 5),
    ("Winterweekend Leuven", "2025-02-08", 42, 5), ("Coupe de la Meuse", "2025-04-26", 36, 5),
    ("Federation Championship 2025", "2025-06-14", 24, 6), ("Herfstopen Antwerpen", "2025-10-11", 44, 5),
    ("Tournoi de la Citadelle", "2025-12-06", 34, 5), ("Winterweekend Leuven", "2026-02-07", 44, 5),
    ("Coupe de la Meuse", "2026-04-25", 38, 5), ("Federation Championship 2026", "2026-06-13", 24, 6),
)  # fmt: skip
# Saturdays: name, day, players, rounds, ranks taken off the handicap (-1: even games). Class B.
SATURDAYS = (
    ("Beginnersdag Hasselt", "2024-09-21", 22, 4, 0), ("Gentse Steen", "2024-11-09", 26, 4, 1),
    ("Tournoi du Perron", "2024-11-23", 24, 4, 1), ("Nieuwjaarstoernooi Brugge", "2025-01-18", 20, 3, 0),
    ("Brabants Handicap", "2025-03-29", 28, 4, 0), ("Printemps de Mons", "2025-05-10", 20, 3, 1),
    ("Eupener Brett", "2025-05-24", 18, 3, -1), ("Beginnersdag Hasselt", "2025-09-20", 24, 4, 0),
    ("Gentse Steen", "2025-11-08", 28, 4, 1), ("Tournoi du Perron", "2025-11-22", 22, 4, 1),
    ("Driekoningen Brugge", "2026-01-17", 21, 3, 0), ("Brabants Handicap", "2026-03-28", 30, 4, 0),
    ("Printemps de Mons", "2026-05-09", 18, 3, 1), ("Eupener Brett", "2026-05-23", 20, 3, -1),
)  # fmt: skip
LATE = ("Kempentoernooi", "2025-03-15", 26, 4, 1)
# Club championships: club, first evening, players, rounds, one every second week. Class C.
CHAMPIONSHIPS = (
    ("Gent", "2024-10-01", 14, 6), ("Leuven", "2025-01-15", 12, 6), ("Antwerpen", "2025-02-06", 12, 5),
    ("Brussel", "2025-09-15", 12, 6), ("Liège", "2025-10-03", 10, 5), ("Namur", "2026-01-14", 8, 5),
)  # fmt: skip
# Small boards on one evening: name, day, club, size, rounds. Class C.
SMALL_BOARDS = (
    ("Negen op negen", "2024-11-26", "Gent", 9, 5), ("Treize sur treize", "2025-03-21", "Liège", 13, 3),
    ("Negen op negen", "2025-11-25", "Gent", 9, 5), ("Dertienavond", "2026-03-11", "Leuven", 13, 4),
)  # fmt: skip
# Friendly days, class D: name, day, games.
FRIENDLY = (
    ("Opendeurdag Gent", "2024-09-14", 18), ("Japanfest Eupen", "2025-04-05", 14),
    ("Initiation Namur", "2025-09-27", 16), ("Opendeurdag Antwerpen", "2026-05-02", 18),
)  # fmt: skip
CORRECTED_ON = "2024-12-14"
OVERRATED = 10  # members whose club thought them two or three ranks stronger than they are
NEWCOMERS, VISITORS = 14, 3  # NC: without a rating; the visitors never play often enough to get one


class Member(NamedTuple):
    person: Person
    entry: dict[str, str]  # the row of players.csv


def nominal(points: float) -> int:
    """The rank as an index: 1 = 1 dan, 0 = 1 kyu; 6 dan and 25 kyu at most."""
    return max(-24, min(6, math.ceil(points / 100)))


def rank_name(index: int) -> str:
    return f"{index} dan" if index > 0 else f"{1 - index} kyu"


class Federation:
    """Members first, then one tournament after the other; the club evenings fill up to 3000 games."""

    def __init__(self) -> None:
        self.chance = Chance(20240901)
        self.games: list[Game] = []
        self.late: list[Game] = []
        self.played: Counter[str] = Counter()
        self.corrected = ""
        self.members = {member.person.name: member for member in self._members()}
        self.visitors = [name for name, m in self.members.items() if m.person.zeal == 0.0]
        self._tournaments()
        self._club_life()
        self._club_evenings()

    def files(self) -> dict[str, str]:
        """Name and text of every file."""
        reason = "Registered as 8 kyu, plays as 1 kyu: rating committee, 14 December 2024"
        correction = {"date": CORRECTED_ON, "player": self.corrected, "rating": "-60", "reason": reason}
        entries = sorted((m.entry for m in self.members.values()), key=lambda entry: entry["player"])
        # A sheet is typed in as a whole: events in the order of their days, their rounds together.
        games = sorted(self.games, key=lambda game: (game.start or game.date, game.event))
        return {
            **games_csv(games, self.late),
            "players.csv": table(entries),
            "corrections.csv": table([correction]),
        }

    # --- members --------------------------------------------------------------------------------

    def _members(self) -> list[Member]:
        chance, count = self.chance, sum(size for _, size, _ in CLUBS)
        clubs = chance.shuffled(club for club, size, _ in CLUBS for _ in range(size))
        starts = [_on_ladder((place + 0.5) / count) for place in range(count)]
        weak = chance.shuffled(place for place in range(count) if starts[place] < -900)
        newcomers = weak[:NEWCOMERS]
        improving = set(weak[NEWCOMERS : NEWCOMERS + 34])
        ageing = set(chance.shuffled(place for place in range(6, 110))[:18])
        typical = chance.shuffled(place for place in range(40, 130) if place not in ageing)
        overrated, corrected = set(typical[:OVERRATED]), typical[OVERRATED]
        members = []
        for place, (name, start, club) in enumerate(zip(names(chance, count), starts, clubs, strict=True)):
            gain = chance.normal(35)
            if place in improving:
                gain = chance.between(250, 350 - start * 0.35)
            elif place in ageing:
                gain = chance.between(-230, -80)
            joined = ""
            if place in newcomers or (place in weak and chance.happens(0.2)):
                joined = later(SPAN.first, 20 + chance.below(500))
            zeal = 0.0 if place in newcomers[:VISITORS] else 0.25 + 2.2 * chance.share() ** 2
            if place == corrected:
                start, gain, zeal, self.corrected = -70.0, 30.0, 3.0, name
            person = Person(name, start, gain, club, zeal, joined)
            guess = start + chance.normal(80)
            if place == corrected:
                guess = -750.0
            elif place in overrated:
                guess = start + chance.between(210, 320)
            members.append(Member(person, self._entry(person, guess, place in newcomers)))
        return members

    def _entry(self, person: Person, guess: float, newcomer: bool) -> dict[str, str]:
        """A row of players.csv: NC, or the rank their club estimated, or the rating they bring along."""
        entry = dict.fromkeys(("player", "rating", "rank", "games", "date"), "")
        entry |= {"player": person.name, "date": person.joined}
        if newcomer:
            entry["rank"] = "NC"
        elif person.joined or abs(guess - person.start) > 100 or self.chance.happens(0.25):
            entry["rank"] = rank_name(nominal(guess))
        else:
            rating = max(-2450.0, person.start + self.chance.normal(30))
            entry |= {"rating": f"{rating:.2f}", "games": str(15 + self.chance.below(300))}
        return entry

    def _listed(self, name: str, day: str) -> float:
        """About what the list says: the strength of two months ago."""
        return strength(self.members[name].person, SPAN, day, 60)

    def _present(self, day: str, club: str = "", low: float = -9999, high: float = 9999) -> dict[str, float]:
        """Who may come, and how likely."""
        return {
            name: m.person.zeal / (1.0 + 0.02 * self.played[name])
            for name, m in self.members.items()
            if m.person.zeal and m.person.joined <= day and club in ("", m.person.club)
            and low <= self._listed(name, day) <= high
        }  # fmt: skip

    # --- games ----------------------------------------------------------------------------------

    def _game(self, game: Game, first: str, second: str, reduction: int, forfeit: float = 0.0) -> Game:
        """Who is stronger takes White and gives the handicap; results follow the hidden strengths."""
        chance, day = self.chance, game.date
        white, black = sorted((first, second), key=lambda name: -self._listed(name, day))
        gap = nominal(self._listed(white, day)) - nominal(self._listed(black, day))
        stones = 0 if reduction < 0 else max(0, min(9, gap - reduction))
        if not stones and chance.happens(0.5):
            white, black = black, white
        result = self._result(white, black, day, stones)
        if (stones or game.size in (9, 13)) and chance.happens(0.02):
            result = "1/2-1/2"
        if chance.happens(forfeit):
            result = chance.pick(("+--", "--+", "+--", "--+", "---"))
        self.played.update((white, black))
        return game._replace(player1=white, player2=black, result=result, handicap=stones)

    def _result(self, white: str, black: str, day: str, stones: int) -> str:
        own, other = (strength(self.members[name].person, SPAN, day) for name in (white, black))
        given = (stones - 0.5) * 100 if stones else 0.0
        width = 102.5 - (own + other) / 40  # the stronger the players, the fewer surprises
        return "1-0" if self.chance.happens(logistic(own - other - given, width)) else "0-1"

    def _tournament(
        self, game: Game, days: Sequence[str], players: Iterable[str], reduction: int, forfeit: float = 0.0
    ) -> list[Game]:
        """Rounds in which neighbours by rank and score meet."""
        points = {name: self._listed(name, game.start) for name in players}
        met: set[frozenset[str]] = set()
        games = []
        for number, day in enumerate(days, 1):
            order = sorted(points, key=lambda name: -points[name] - self.chance.normal(25))
            pairs, bye = paired(order, met)
            for board, (first, second) in enumerate(pairs, 1):
                place = game._replace(date=day, round=number, board=board)
                games.append(self._game(place, first, second, reduction, forfeit))
                won = {"1-0": 1.0, "1/2-1/2": 0.5}.get(games[-1].result, 0.0)
                points[games[-1].player1] += 100 * won
                points[games[-1].player2] += 100 * (1 - won)
            if bye:
                games.append(game._replace(date=day, round=number, board=0, player1=bye, result="full"))
        return games

    def _tournaments(self) -> None:
        for name, day, count, rounds in WEEKENDS:
            low = -150 if name.startswith("Federation") else -1500
            players = self.chance.drawn(self._present(day, low=low), count)
            days = [day] * (rounds // 2 + 1) + [later(day, 1)] * rounds
            game = Game("", name, day, "A")
            self.games += self._tournament(game, days[:rounds], players, -1, 0.012)
        for name, day, count, rounds, reduction in (*SATURDAYS, LATE):
            players = self.chance.drawn(self._present(day), count)
            if day < CORRECTED_ON and self.corrected not in players:
                players[0] = self.corrected
            games = self._tournament(Game("", name, day, "B"), [day] * rounds, players, reduction, 0.012)
            if name == LATE[0]:
                self.late = games
            else:
                self.games += games

    def _club_life(self) -> None:
        for club, day, count, rounds in CHAMPIONSHIPS:
            players = self.chance.drawn(self._present(day, club), count)
            days = [later(day, 14 * number) for number in range(rounds)]
            self.games += self._tournament(Game("", f"Club {club}", day, "C"), days, players, 0, 0.02)
        for name, day, club, size, rounds in SMALL_BOARDS:
            players = self.chance.drawn(self._present(day, club), 10)
            game = Game("", name, day, "C", size=size)
            self.games += self._tournament(game, [day] * rounds, players, 0)
        # The committee lets the online league count for half.
        players = self.chance.drawn(self._present("2026-01-11", low=-1400), 14)
        days = [later("2026-01-11", 7 * number) for number in range(4)]
        game = Game("", "Online winterliga", days[0], "C", weight="0.5")
        self.games += self._tournament(game, days, players, -1, 0.05)
        for name, day, count in FRIENDLY:
            for board in range(1, count + 1):
                first, second = self.chance.drawn(self._present(day, high=-200), 2)
                size = self.chance.pick((9, 9, 13, 19))
                self.games.append(
                    self._game(Game(day, name, day, "D", 1, board, size=size), first, second, 0)
                )

    def _club_evenings(self) -> None:
        """Games without an event. First one each for the visitors, then whoever comes."""
        for number, visitor in enumerate(self.visitors):
            person = self.members[visitor].person
            day = next(d for d in self._evenings(person.club) if d >= person.joined)
            rivals = self.chance.drawn(self._present(day, person.club, -2000, -300), 1 + number % 2)
            self.games += [self._game(Game(day), rival, visitor, 0) for rival in rivals]
        left = GAMES - sum(1 for game in (*self.games, *self.late) if game.player2)
        evenings = [
            (day, club) for club, size, _ in CLUBS for day in self._evenings(club) for _ in range(size)
        ]
        for day, club in sorted(self.chance.pick(evenings) for _ in range(left)):
            weights = {
                name: weight / (1.0 + self.played[name]) for name, weight in self._present(day, club).items()
            }
            first, *others = self.chance.drawn(weights, 5)
            level = self._listed(first, day)
            second = min(others, key=lambda name: abs(self._listed(name, day) - level))
            size = self.chance.pick((9, 13, 13, 0, 0, 0)) if level < -1700 else 0
            self.games.append(self._game(Game(day, size=size), first, second, 0))

    def _evenings(self, club: str) -> list[str]:
        first = next(day for name, _, day in CLUBS if name == club)
        return list(weekly(first, SPAN.last, HOLIDAYS))


def _on_ladder(share: float) -> float:
    """Strength of the member whom this share of the members surpasses."""
    for (low, best), (high, worst) in pairwise(LADDER):
        if share <= high:
            return best + (worst - best) * (share - low) / (high - low)
    return float(LADDER[-1][1])


def files() -> dict[str, str]:
    """The files of the go federation."""
    return Federation().files()
