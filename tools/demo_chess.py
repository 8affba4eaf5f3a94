"""The demonstration's chess: a youth league with 60 children, and a club that plays for the FIDE list."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from demo_parts import Chance, Game, Person, Span, games_csv, later, names, paired, strength, table

YOUTH_SPAN = Span("2025-09-01", "2026-06-30")
CHILDREN, NEWCOMERS = 60, 18
# Saturdays of the youth league: name, day, children, rounds.
SATURDAYS = (
    ("Jeugdcriterium Aalst", "2025-09-20", 34, 6), ("Jeugdcriterium Mechelen", "2025-10-11", 38, 7),
    ("Herfstbeker", "2025-10-25", 29, 5), ("Jeugdcriterium Kortrijk", "2025-11-15", 36, 6),
    ("Tournoi des jeunes de Huy", "2025-11-29", 30, 5), ("Sinterklaastoernooi", "2025-12-06", 40, 7),
    ("Jeugdcriterium Tienen", "2026-01-17", 37, 6), ("Jugendpokal Eupen", "2026-02-07", 28, 5),
    ("Jeugdcriterium Geel", "2026-03-07", 36, 6), ("Lentebeker", "2026-03-28", 31, 5),
    ("Tournoi des jeunes de Wavre", "2026-04-25", 34, 6), ("Jeugdcriterium Lokeren", "2026-05-16", 38, 7),
    ("Slotdag", "2026-06-06", 44, 7),
)  # fmt: skip
LATE_SATURDAY = "Tournoi des jeunes de Huy"
YOUTH_CORRECTED_ON = "2025-12-01"

CLUB_SPAN = Span("2023-09-01", "2025-06-30")
CLUB_MEMBERS, CLUB_NEWCOMERS = 30, 5
# The club's tournaments: name, first day, players, rounds, days between two rounds.
CLUB_EVENTS = (
    ("Najaarstoernooi 2023", "2023-09-14", 22, 9, 7),
    ("Wintertoernooi 2024", "2023-12-07", 20, 7, 7),
    ("Weekend van de Schelde 2024", "2024-02-10", 18, 5, 0),
    ("Voorjaarstoernooi 2024", "2024-03-07", 22, 9, 7),
    ("Najaarstoernooi 2024", "2024-09-12", 24, 9, 7),
    ("Wintertoernooi 2025", "2024-12-05", 22, 7, 7),
    ("Weekend van de Schelde 2025", "2025-02-08", 20, 5, 0),
    ("Voorjaarstoernooi 2025", "2025-03-06", 24, 9, 7),
)
LATE_CLUB_EVENT = "Weekend van de Schelde 2024"


class Group:
    """Chess players and their games: Swiss pairings, results by hidden strength."""

    def __init__(self, chance: Chance, span: Span, people: Iterable[Person], draws: float) -> None:
        self.chance, self.span, self.draws = chance, span, draws
        self.people = {person.name: person for person in people}

    def present(self, day: str, count: int) -> list[str]:
        weights = {name: p.zeal for name, p in self.people.items() if p.joined <= day}
        return self.chance.drawn(weights, count)

    def swiss(self, game: Game, days: Sequence[str], players: Sequence[str], absent: float) -> list[Game]:
        """A Swiss tournament, a round a day. An odd player out gets a point; some do not turn up."""
        points = dict.fromkeys(players, 0.0)
        seed = {name: self._strength(name, days[0]) + self.chance.normal(60) for name in players}
        met: set[frozenset[str]] = set()
        games = []
        for number, day in enumerate(days, 1):
            pairs, bye = paired(sorted(players, key=lambda name: (-points[name], -seed[name])), met)
            for board, pair in enumerate(pairs, 1):
                white, black = self.chance.shuffled(pair)
                result = self._result(white, black, day)
                if self.chance.happens(absent):
                    result = self.chance.pick(("+--", "--+"))
                won = {"1-0": 1.0, "+--": 1.0, "1/2-1/2": 0.5}.get(result, 0.0)
                points[white] += won
                points[black] += 1 - won
                place = game._replace(date=day, round=number, board=board)
                games.append(place._replace(player1=white, player2=black, result=result))
            if bye:
                points[bye] += 1
                games.append(game._replace(date=day, round=number, player1=bye, result="full"))
        return games

    def _strength(self, name: str, day: str) -> float:
        return strength(self.people[name], self.span, day)

    def _result(self, white: str, black: str, day: str) -> str:
        """White is worth 30 points; the closer the players, the more draws."""
        difference = self._strength(white, day) - self._strength(black, day) + 30
        expected = 1.0 / (1.0 + 10.0 ** (-difference / 400.0))
        drawn = self.draws * 4.0 * expected * (1.0 - expected)
        at = self.chance.share()
        if at < drawn:
            return "1/2-1/2"
        return "1-0" if at < drawn + expected - drawn / 2 else "0-1"


# --- the youth league -------------------------------------------------------------------------------


def youth_files() -> dict[str, str]:
    """The files of the youth chess league."""
    chance = Chance(20250920)
    people, entries, hidden = [], [], 0
    for place, name in enumerate(names(chance, CHILDREN)):
        born = 2008 + chance.below(10)
        newcomer = place >= CHILDREN - NEWCOMERS
        level = 560 + (2018 - born) * 55 + chance.normal(160)
        level -= 200 if newcomer else 0
        gain = chance.between(0, 180) + (chance.between(150, 380) if chance.happens(0.25) else 0.0)
        joined = later(YOUTH_SPAN.first, 70 + chance.below(150)) if newcomer and place % 3 == 0 else ""
        if place == 7:
            level, hidden = 1290.0, 430  # came from abroad: entered far too low
        zeal = 0.35 + 1.5 * chance.share()
        if place == CHILDREN - 1:
            zeal, joined = 0.0, "2026-06-08"  # registered after the last Saturday
        people.append(Person(name, level, gain, zeal=zeal, joined=joined))
        entry = dict.fromkeys(("player", "rating", "born", "games", "date"), "")
        entry |= {"player": name, "born": str(born), "date": joined}
        if not newcomer:
            rating = level + chance.normal(50) - (hidden if place == 7 else 0)
            entry |= {"rating": str(round(rating)), "games": str(5 + chance.below(90))}
        entries.append(entry)
    group = Group(chance, YOUTH_SPAN, people, 0.12)
    games: dict[str, list[Game]] = {}
    for event, day, count, rounds in SATURDAYS:
        games[event] = group.swiss(Game("", event, day), [day] * rounds, group.present(day, count), 0.006)
    reason = "Played abroad for three years; the entry was a guess: youth committee, 1 December 2025"
    correction = {"date": YOUTH_CORRECTED_ON, "player": people[7].name, "rating": "1250", "reason": reason}
    on_time = [game for event in games if event != LATE_SATURDAY for game in games[event]]
    return {
        **games_csv(on_time, games[LATE_SATURDAY]),
        "players.csv": table(sorted(entries, key=lambda entry: entry["player"])),
        "corrections.csv": table([correction]),
    }


# --- the club ---------------------------------------------------------------------------------------


def club_files() -> dict[str, str]:
    """The files of the chess club."""
    chance = Chance(20230914)
    people, entries = [], []
    for place, name in enumerate(names(chance, CLUB_MEMBERS)):
        newcomer = place >= CLUB_MEMBERS - CLUB_NEWCOMERS
        level = chance.between(1450, 1800) if newcomer else 2230 - 31 * place + chance.normal(25)
        junior = place % 5 == 3
        born = 2007 + chance.below(5) if junior else 1945 + chance.below(55)
        gain = chance.between(80, 260) if junior else chance.normal(30)
        joined = later(CLUB_SPAN.first, 30 * (place - CLUB_MEMBERS + CLUB_NEWCOMERS)) if newcomer else ""
        people.append(Person(name, level, gain, zeal=0.5 + 1.2 * chance.share(), joined=joined))
        entry = dict.fromkeys(("player", "rating", "born", "games", "peak"), "")
        entry |= {"player": name, "born": str(born)}
        if not newcomer:
            rating = round(_before_2024(level) + chance.normal(35))
            played = 8 + chance.below(40) if junior else 30 + chance.below(500)
            entry |= {"rating": str(rating), "games": str(played)}
            if place == 1:
                entry["peak"] = "2411"  # once above 2400: K is 10 for ever
        entries.append(entry)
    group = Group(chance, CLUB_SPAN, people, 0.3)
    games, late = [], []
    for event, day, count, rounds, apart in CLUB_EVENTS:
        days = [later(day, apart * number) for number in range(rounds)]
        if not apart:
            days = [day] * 3 + [later(day, 1)] * 2
        rows = group.swiss(Game("", event, day), days, group.present(day, count), 0.012)
        if event == LATE_CLUB_EVENT:
            late += rows
        else:
            games += rows
    entries.sort(key=lambda entry: entry["player"])
    return {**games_csv(games, late), "players.csv": table(entries)}


def _before_2024(level: float) -> float:
    """What the lists before the compression of March 2024 said of a strength below 2000."""
    return level if level >= 2000 else 2000 - (2000 - level) / 0.6
