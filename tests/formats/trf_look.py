"""A second, simpler look at the bytes of a FIDE report: does every game that was read stand in two lines?"""

from __future__ import annotations

import re

from arpad.formats.reading import Reading, clean, has_invisible
from arpad.formats.trf_table import Tournament

_NUMBER = re.compile(r"001 [ 0]*([0-9]+)")
# Codes of player 1 and player 2 for each result.
_CODES = {
    "1-0": ("1", "0"), "0-1": ("0", "1"), "1/2-1/2": ("=", "="), "+--": ("+", "-"), "--+": ("-", "+"),
    "---": ("-", "-"), "1-0 unrated": ("W", "L"), "0-1 unrated": ("L", "W"), "1/2-1/2 unrated": ("D", "D"),
    "pending": ("", ""),
}  # fmt: skip


def assert_games_stand_in_report(reading: Reading, lines: list[str]) -> None:
    """Every game has a line with the opponent's number and its code; the other line says so too, or is blank.

    Every player's name and number stand in one line, and no player has two games in a round.
    """
    tournament = reading.detail
    assert isinstance(tournament, Tournament)
    sheet = reading.sheet
    numbers: dict[str, tuple[int, str]] = {}
    by_line = {person.line: name for name, person in sheet.people.items()}
    for line, name in by_line.items():
        seen = (letter for letter in lines[line - 1] if letter == "\x00" or not has_invisible(letter))
        text = re.sub(r"[^\S\x00]", " ", "".join(seen))
        found = _NUMBER.match(text)
        assert found, text
        plain = re.sub(r" \([^()]* number [0-9]+\)\Z", "", name)
        assert plain == "?" or plain in clean(text), (name, text)
        numbers[name] = (int(found[1]), text)
    busy = set()
    for row in sheet.games:
        one = sheet.players[row.player1]
        assert (one, row.round) not in busy, "twice in a round"
        busy.add((one, row.round))
        if row.player2 < 0:
            continue
        two = sheet.players[row.player2]
        assert (two, row.round) not in busy, "twice in a round"
        busy.add((two, row.round))
        codes = _CODES[str(sheet.results[row.result])]
        told = [
            _tells(numbers[one], numbers[two][0], codes[0]),
            _tells(numbers[two], numbers[one][0], codes[1]),
        ]
        problems = {(p.code, p.line) for p in reading.problems}
        lone = any(("game-one-sided", sheet.people[name].line) in problems for name in (one, two))
        assert all(told) or (lone and any(told)), (one, two, codes)


def _tells(player: tuple[int, str], opponent: int, code: str) -> bool:
    """Whether a line has that number, a colour or a blank, and that code behind each other."""
    for text in player[1].split("\x00"):
        text = text[47:] + " " * 8
        for number in re.finditer(rf"(?<![1-9])0*{opponent}(?![0-9])", text):
            for gap in range(1, 5):
                found = text[number.end() : number.end() + gap + 3]
                if re.fullmatch(rf" {{{gap}}}[wbsWBS -] .", found) and found[-1].strip().upper() == code:
                    return True
    return False
