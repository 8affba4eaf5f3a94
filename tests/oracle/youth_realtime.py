"""youth-realtime worked out a second time, in integers."""

from __future__ import annotations

import datetime
from fractions import Fraction

from tests.oracle.facts import Facts, Outcome, one_by_one
from tests.oracle.tables import away, dp, percentage, share, whole_difference


class Child:
    def __init__(self) -> None:
        self.rating: int | None = None  # hundredths
        self.born = 0
        self.games = 0
        self.new = True  # without an estimate: the first games are performances
        self.met = 0  # sum of opponents' ratings in those games
        self.won = 0  # score in those, hundredths


def rules_on(day: int, facts: Facts) -> dict[str, float]:
    rules: dict[str, float] = {
        "cap": 400, "k_new": 40, "new_games": 30, "k_child": 30, "child_age": 13, "k": 20,
        "newcomer_level": 800, "first_games": 5,
    }  # fmt: skip
    for change in facts.changes:
        if change.day <= day:
            rules[change.name] = change.value
    return rules


def rate(facts: Facts) -> Outcome:
    children = {name: Child() for name in facts.players}
    outcome = Outcome({}, {}, [])
    acts = sorted(
        [(e.day, 0, e.player, e) for e in facts.entries]
        + [(b.day, 1, b.player, b) for b in facts.bases]
        + [(b.day, -1, name, b) for b in facts.bonuses for name in facts.players],
        key=lambda act: act[:3],
    )

    def act_until(day: int) -> None:
        while acts and acts[0][0] <= day:
            when, what, name, fact = acts.pop(0)
            child = children[name]
            if what == -1:
                if child.rating is not None:
                    child.rating, child.new = child.rating + away(100 * Fraction(repr(fact.points))), False
            elif what == 1:
                child.rating, child.new = away(100 * Fraction(repr(fact.rating))), False
            else:
                if child.rating is None:
                    child.born = fact.given.born
                if child.rating is None and fact.given.rating is not None:
                    child.rating, child.new = away(100 * Fraction(repr(fact.given.rating))), False
                    child.games += fact.given.games
            outcome.course.append((when, name, child.rating))

    for _, game in one_by_one(facts):
        act_until(game.day)
        rules = rules_on(game.day, facts)
        year = datetime.date.fromordinal(game.day).year
        pair = (children[game.white], children[game.black])
        if game.kind != "game" or not game.for_rating or game.weight == 0:
            outcome.sides[game.number] = ((pair[0].rating, None, 0), (pair[1].rating, None, 0))
            continue
        before = [100 * int(rules["newcomer_level"]) if c.rating is None else c.rating for c in pair]
        sides = []
        after = []
        for me, child in enumerate(pair):
            own, other = before[me], before[1 - me]
            score = 50 * (game.first, game.second)[me]
            cap = int(rules["cap"])
            expected = percentage(max(-cap, min(cap, whole_difference(own - other))))
            if child.new and child.games < rules["first_games"]:
                child.met += other
                child.won += score
                n = child.games + 1
                average = Fraction(child.met + 2 * 100 * int(rules["newcomer_level"]), n + 2)
                p = share(Fraction(child.won, 100) + 1, n + 2)
                rating = away(average + 100 * dp(p))
            else:
                if child.games < rules["new_games"]:
                    k = rules["k_new"]
                elif child.born and year - child.born < rules["child_age"]:
                    k = rules["k_child"]
                else:
                    k = rules["k"]
                rating = own + away(Fraction(repr(float(k))) * (score - expected))
            after.append(rating)
            sides.append((own, 10000 * expected, rating - own))
        outcome.sides[game.number] = (sides[0], sides[1])
        for child, name, rating in zip(pair, (game.white, game.black), after, strict=True):
            child.rating = rating
            child.games += 1
            outcome.course.append((game.day, name, rating))
    act_until(datetime.date.max.toordinal())
    for name, child in children.items():
        label = "unrated" if child.rating is None else str(away(Fraction(child.rating, 100)))
        outcome.final[name] = (child.rating, label, child.games)
    return outcome
