"""Made dumps as a chess server publishes them: invented names, moves by chance."""

from __future__ import annotations

import random

_MOVES = ("e4", "Nf3", "Bxb5+", "O-O", "Qd2", "exd5", "Rfe1", "a8=Q#", "Kb1", "Ngf6")
_EVENTS = (
    "Rated Blitz game", "Rated Bullet game", "Rated Rapid tournament https://lichess.org/tournament/aBcD1234",
    "Casual Blitz game",
)  # fmt: skip
_LETTERS = "abcdefghijkmnopqrstuvwxyzABCDEFGH0123456789"


def dump(count: int, rng: random.Random, shuffled: bool = False) -> bytes:
    """So many games, by day unless `shuffled`; some without clocks, with titles, abandoned, by programs."""
    names = [f"{rng.choice(('Tul', 'Mira', 'Oke', 'Bel'))}{number}" for number in range(max(count // 4, 4))]
    made = []
    for number in range(count):
        day = 1 + (rng.randrange(28) if shuffled else number * 28 // count)
        white, black = rng.sample(names, 2)
        result = rng.choice(("1-0", "1-0", "0-1", "0-1", "1/2-1/2"))
        made.append(_game(rng, (white, black), f"2026.06.{day:02}", result))
    return "".join(made).encode()


def _game(rng: random.Random, names: tuple[str, str], date: str, result: str) -> str:
    tags = {
        "Event": rng.choices(_EVENTS, (5, 5, 5, 0.2))[0],
        "Site": "https://lichess.org/" + "".join(rng.choices(_LETTERS, k=8)),
        "Date": date, "Round": "-", "White": names[0], "Black": names[1], "Result": result, "UTCDate": date,
        "UTCTime": "10:11:12", "WhiteElo": str(rng.randint(800, 2400)),
        "BlackElo": rng.choices((str(rng.randint(800, 2400)), "?"), (9, 1))[0],
    }  # fmt: skip
    if rng.random() < 0.95:
        tags |= {"WhiteRatingDiff": "+3", "BlackRatingDiff": "-4"}
    if rng.random() < 0.1:
        tags["WhiteTitle"] = rng.choice(("FM", "GM", "BOT", "LM"))
    ends = ("Normal", "Time forfeit", "Abandoned", "Unterminated")
    tags |= {"ECO": "B00", "Opening": "King's Pawn Game", "TimeControl": rng.choice(("300+0", "60+1", "-"))}
    tags["Termination"] = rng.choices(ends, (9, 9, 1, 0.3))[0]
    text = "".join(f'[{name} "{value}"]\n' for name, value in tags.items())
    return f"{text}\n{_moves(rng)}{result}\n\n"


def _moves(rng: random.Random) -> str:
    plies = rng.choice((0, 1, 2, 20, 20, 33, 33, 60))
    clocks = rng.random() < 0.8
    said = []
    for ply in range(plies):
        number = f"{ply // 2 + 1}{'...' if ply % 2 else '.'} " if clocks or not ply % 2 else ""
        clock = f" {{ [%clk 0:0{rng.randrange(10)}:{rng.randrange(10, 60)}] }}" if clocks else ""
        said.append(f"{number}{rng.choice(_MOVES)}{clock} ")
    return "".join(said)
