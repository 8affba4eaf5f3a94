"""The demonstration's table-tennis club: 40 members, one season of Friday evenings."""

from __future__ import annotations

from typing import NamedTuple

from demo_names import WOMEN
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

SPAN = Span("2025-09-05", "2026-05-29")
HOLIDAYS = (("2025-10-31", "2025-10-31"), ("2025-12-19", "2026-01-02"), ("2026-02-20", "2026-02-20"))
MEMBERS, IN_WOMENS_CLASSES = 40, 8
LADDER = ((2000, "3e divisie"), (1800, "1e klasse"), (1600, "2e klasse"), (1400, "3e klasse"),
          (1200, "4e klasse"), (1000, "5e klasse"), (800, "6e klasse"))  # fmt: skip
WOMENS = ((1300, "dames 2e divisie"), (1000, "dames 3e divisie"))
LATE_EVENING = "2026-01-16"  # its sheet turns up in April
# Somebody has to stop: day, round, table, and after how many sets.
RETIRED = {("2025-11-14", 2, 4): 2, ("2026-02-06", 3, 1): 1, ("2026-03-20", 1, 3): 2}
# Members with something of their own: place by strength, and what players.csv says of them.
ADJUSTED = {
    17: ("-100", "Ten months without play after an operation on the elbow"),
    31: ("40", "Played with an injured wrist last season"),
}
FROM_ELSEWHERE = {
    5: ("1712", "", "Came from Germany: by the trainer, after three evenings"),
    24: ("1265", "2026-01-09", "Never played in a league: by the trainer"),
    37: ("900", "2026-02-06", "Beginners' course"),
}


class Member(NamedTuple):
    person: Person
    entry: dict[str, str]  # the row of players.csv


class Club:
    """Members, then the evenings: neighbours in strength meet, over three sets once a month."""

    def __init__(self) -> None:
        self.chance = Chance(20250905)
        self.members = {member.person.name: member for member in self._members()}
        self.games: list[Game] = []
        self.late: list[Game] = []
        for number, day in enumerate(weekly(SPAN.first, SPAN.last, HOLIDAYS), 1):
            evening = self._evening(day, number)
            if day == LATE_EVENING:
                self.late = evening
            else:
                self.games += evening

    def files(self) -> dict[str, str]:
        """Name and text of every file."""
        entries = sorted((m.entry for m in self.members.values()), key=lambda entry: entry["player"])
        return {**games_csv(self.games, self.late), "players.csv": table(entries)}

    def _members(self) -> list[Member]:
        chance, members = self.chance, []
        everybody = names(chance, MEMBERS)
        women = [name for name in everybody[21:] if name.split()[0] in WOMEN][:IN_WOMENS_CLASSES]
        for place, name in enumerate(everybody):
            start = 2060 - 1180 * place / (MEMBERS - 1) + chance.normal(25)
            joined = FROM_ELSEWHERE[place][1] if place in FROM_ELSEWHERE else ""
            gain = chance.normal(40) + (chance.between(80, 220) if chance.happens(0.2) else 0.0)
            person = Person(name, start, gain, zeal=0.3 + 1.7 * chance.share(), joined=joined)
            members.append(Member(person, self._entry(person, place, name in women)))
        return members

    def _entry(self, person: Person, place: int, woman: bool) -> dict[str, str]:
        """Class and percentage of last season, perhaps adjusted; or a rating with a reason."""
        entry = dict.fromkeys(
            ("player", "league", "percentage", "rating", "adjustment", "reason", "date"), ""
        )
        entry["player"] = person.name
        if place in FROM_ELSEWHERE:
            entry["rating"], entry["date"], entry["reason"] = FROM_ELSEWHERE[place]
            return entry
        # 5 points for every per cent: somebody half-way between two classes may have played in either.
        guess = person.start + self.chance.normal(45)
        ladder = WOMENS if woman else LADDER
        base, entry["league"] = min(ladder, key=lambda rung: abs(rung[0] - guess + self.chance.normal(60)))
        entry["percentage"] = str(round(max(4.0, min(96.0, 50 + (guess - base) / 5)), 1))
        if place in ADJUSTED:
            entry["adjustment"], entry["reason"] = ADJUSTED[place]
        return entry

    def _evening(self, day: str, number: int) -> list[Game]:
        chance = self.chance
        short = later(day, -7)[:7] != day[:7]  # the first Friday of the month: best of three, five rounds
        weights = {name: m.person.zeal for name, m in self.members.items() if m.person.joined <= day}
        present = chance.drawn(weights, 12 + 2 * chance.below(5))
        met: set[frozenset[str]] = set()
        games = []
        for round_number in range(1, 6 if short else 4):
            listed = {name: self._strength(name, day) + chance.normal(140) for name in present}
            pairs, _ = paired(sorted(present, key=lambda name: -listed[name]), met)
            for board, pair in enumerate(pairs, 1):
                first, second = chance.shuffled(pair)
                best_of = 3 if short else 5
                stop = RETIRED.get((day, round_number, board), best_of)
                result = self._result(first, second, day, best_of, stop)
                event = f"Clubavond {number}" + (" (best of three)" if short else "")
                games.append(
                    Game(day, event, "", "", round_number, board, first, second, result, best_of=best_of)
                )
        return games

    def _strength(self, name: str, day: str) -> float:
        return strength(self.members[name].person, SPAN, day)

    def _result(self, first: str, second: str, day: str, best_of: int, stop: int) -> str:
        """Set by set, until somebody has won or has to stop; now and then somebody does not come."""
        chance, needed = self.chance, best_of // 2 + 1
        if stop == best_of and chance.happens(0.01):
            return chance.pick(("+--", "--+"))
        form = chance.normal(60)
        share = logistic(self._strength(first, day) - self._strength(second, day) + form, 240.0)
        own = other = 0
        while max(own, other) < needed:
            if own + other == stop:
                return f"{own}-{other} ret{1 + chance.below(2)}"
            won = chance.happens(share)
            own, other = own + won, other + (not won)
        return f"{own}-{other}"


def files() -> dict[str, str]:
    """The files of the table-tennis club."""
    return Club().files()
