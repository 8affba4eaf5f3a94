"""The ledger of the store's bench: a federation of clubs over twenty years, as files.

Play is concentrated as in clubs: most people play a few games in a season or two, some play every week
for half their lives. There are ten games to a person; a district holds one event a week, and now and
then somebody plays in another district. Everything is drawn by a seed.
"""

from __future__ import annotations

import datetime
import random
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl

FIRST_DAY = datetime.date(2005, 1, 3)  # a Monday
WEEKS = 1_044  # twenty years
OFTEN = 0.016  # of all people: those who play every week
OTHER_DISTRICT = 0.05  # of a person's games


def _words(text: str) -> list[str]:
    return text.split()


GIVEN = _words("""
Aad Agnès Aïcha Amélie An André Anke Antoine Arno Astrid Bart Bénédicte Björn Bram Camille Cécile Chloé
Daan Daniël Dirk Dorien Édith Emiel Emma Erwin Étienne Eva Fabienne Fatima Femke Filip Floor François
Geert Gérard Gijs Greet Günther Hanna Hélène Hendrik Hilde Hugo Ilse Inès Jan Jef Jérôme Joke Joris
Jürgen Kaat Karel Karin Katrien Koen Lars Léon Lies Loïc Lotte Luc Maarten Magali Manon Marcel Marijke
Mathias Mehmet Mieke Mohamed Myriam Nadia Nele Noël Noémie Olga Pascal Paul Peggy Pierre Piet Quinten
Raf Renée Rik Robin Roos Sabine Sander Sébastien Simon Sofie Stijn Sven Théo Thijs Tine Tom Ulla Valérie
Vincent Wim Yves Zeynep Zoé
""")
BEGINNINGS = _words("""
Aar Bae Bak Bel Ber Boe Bos Brae Buy Cal Ceu Clé Cop Dae Dar Dec Del Dier Dob Dup Eng Fab Fer Gee Gér
Goe Goo Gré Haa Hel Her Huy Jac Jan Kel Ker Köh Lam Lau Lec Len Lie Lui Mar Mer Mic Mül Nij Nuy Oom Pau
Pee Pir Poe Quin Ren Roe Ros Sab Sche Seg Sme Som Ste Swi Thi Tim Ver Vis Vla Wag Wau Wil Wou Zeg
""")
ENDINGS = _words("""
aert aerts bach beke berg bracht broeck camps cq donck drickx erts gaert ghe gers hout huys ickx ins
kens laer lants ler lier maes man mans mont naert nens oux quet rand rens rix ryck schot sels sen stra
teels ters thier uyl vaert veld vens wael ynck zeele
""")
PARTICLES = ("", "", "", "", "", "Van ", "Van den ", "De ", "Van der ")


class Files(NamedTuple):
    """What was written, and how concentrated the play is."""

    games: Path
    players: Path
    people: int
    count: int  # games
    median: float  # games of a player
    top: int  # games of the least active of the most active hundredth


def write(folder: Path, games: int, seed: int = 7, league: bool = False) -> Files:
    """games.csv and players.csv; `league`: best of five sets, else lost, drawn or won."""
    rng = np.random.default_rng(seed)
    people = max(200, games // 10)
    district, first, second, week = _meetings(rng, people, games)
    strength = np.clip(rng.normal(1500, 250, people), 600, 2800)
    names = np.array(invented_names(people, seed), object)
    texts, results = _results(rng, strength[first] - strength[second], league)
    days = pl.Series([(FIRST_DAY + datetime.timedelta(weeks=w)).isoformat() for w in range(WEEKS)])
    event = pl.Series([f"District {n + 1:02d}" for n in range(int(district.max()) + 1)])
    date = days.gather(week)
    board = _boards(district, week)
    table = pl.DataFrame(
        {
            "date": date, "event": event.gather(district), "start": date, "round": np.ones(games, np.int32),
            "board": board, "player1": names[first].tolist(), "player2": names[second].tolist(),
            "result": pl.Series(texts).gather(results),
        }
    )  # fmt: skip
    path, players = folder / "games.csv", folder / "players.csv"
    table.write_csv(path)
    ratings = np.round(np.clip(strength + rng.normal(0, 100, people), 400, 3000)).astype(int)
    pl.DataFrame({"player": names.tolist(), "rating": ratings}).write_csv(players)
    played = np.sort(np.bincount(np.concatenate((first, second)), minlength=people))
    return Files(path, players, people, games, float(np.median(played)), int(played[-people // 100]))


def invented_names(count: int, seed: int = 7) -> list[str]:
    """Different names, also when accents are left off."""
    draw = random.Random(seed)
    found: dict[str, str] = {}
    while len(found) < count:
        given = draw.choice(GIVEN)
        if draw.random() < 0.15:
            given = f"{given}-{draw.choice(GIVEN)}"
        name = f"{given} {draw.choice(PARTICLES)}{draw.choice(BEGINNINGS)}{draw.choice(ENDINGS)}"
        if draw.random() < 0.35:
            name = f"{name}-{draw.choice(BEGINNINGS)}{draw.choice(ENDINGS)}"
        plain = name.casefold().translate(str.maketrans("àäáéèëêïîíöóôüúç", "aaaeeeeiiiooouuc"))
        found.setdefault(plain, name)
    return list(found.values())


def _meetings(rng: Any, people: int, games: int) -> tuple[Any, Any, Any, Any]:
    """(district, first player, second player, week) of each game, in the order of the calendar."""
    counts = _activity(rng, people, 2 * games)
    often = counts > 150
    districts = max(1, min(24, people // 400))
    home = rng.integers(0, districts, people)
    length = np.where(often, rng.integers(500, WEEKS, people), rng.integers(8, 150, people))
    start = (rng.random(people) * (WEEKS - length)).astype(int)
    who = np.repeat(np.arange(people), counts)
    week = start[who] + (rng.random(len(who)) * length[who]).astype(int)
    away = rng.random(len(who)) < OTHER_DISTRICT
    district = np.where(away, rng.integers(0, districts, len(who)), home[who])
    order = np.lexsort((rng.random(len(who)), week, district))
    who, week, district = who[order], week[order], district[order]
    first, second = who[0::2].copy(), who[1::2].copy()
    for _ in range(20):  # nobody plays himself: he changes places with somebody who played near that day
        alone = np.flatnonzero(first == second)
        other = (alone + rng.integers(1, 50, len(alone))) % games
        for a, b in zip(alone.tolist(), other.tolist(), strict=True):
            second[a], second[b] = second[b], second[a]
    keep = first != second
    second = np.where(keep, second, (first + 1) % people)
    place, when = district[0::2], week[0::2]
    order = np.lexsort((place, when))
    return place[order], first[order], second[order], when[order]


def _activity(rng: Any, people: int, sides: int) -> Any:
    """How many games each plays: the median about 10, one in a hundred more than 300."""
    often = rng.random(people) < OFTEN
    wanted = np.where(
        often, rng.lognormal(np.log(430), 0.35, people), rng.lognormal(np.log(10), 0.75, people)
    )
    wanted = np.maximum(1, np.round(wanted)).astype(int)
    missing = sides - int(wanted.sum())
    # what is missing or too much, one game at a time, among those who play more than now and then
    some = np.flatnonzero(~often & (wanted > 12))
    np.add.at(wanted, rng.choice(some, abs(missing)), 1 if missing > 0 else -1)
    wanted = np.maximum(wanted, 1)
    extra = int(wanted.sum()) - sides
    many = np.argsort(-wanted)[: abs(extra)]
    wanted[many] -= np.sign(extra)
    return wanted


def _results(rng: Any, edge: Any, league: bool) -> tuple[list[str], Any]:
    """Texts, and for each game the number of its text, from a difference in points."""
    share = 1 / (1 + 10 ** (-edge / 400))
    luck = rng.random(len(edge))
    if league:
        level = np.clip(share + (luck - 0.5) * 0.8, 0, 0.999)
        return ["0-3", "1-3", "2-3", "3-2", "3-1", "3-0"], (level * 6).astype(int)
    drawn = 0.8 * share * (1 - share)
    return ["0-1", "1/2-1/2", "1-0"], np.where(
        luck < share - drawn / 2, 2, np.where(luck < share + drawn / 2, 1, 0)
    )


def _boards(district: Any, week: Any) -> Any:
    """The boards of each evening, from 1."""
    keys = week.astype(np.int64) * 1000 + district
    starts = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
    sizes = np.diff(np.append(starts, len(keys)))
    return np.arange(len(keys)) - np.repeat(starts, sizes) + 1
