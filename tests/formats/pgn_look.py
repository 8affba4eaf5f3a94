"""A second, simpler look at the bytes of a PGN file: does every game that was read stand there?"""

from __future__ import annotations

import re

from arpad.formats.reading import Reading, clean

_TAG = re.compile(r'\[\s*(White|Black|Result)\s*"(.*?)"\s*\]', re.IGNORECASE)
_SPELT = {"1-0": ("1-0",), "0-1": ("0-1",), "1/2-1/2": ("1/2", "½-½")}
_FORFEITS = {"+--": "1-0", "--+": "0-1", "---": "0-0"}


def _text(line: bytes) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        return line.decode("cp1252", "replace")


def _plain(value: str) -> str:
    return clean(re.sub(r'\\(["\\])', r"\1", value))


def assert_games_stand_in_pgn(reading: Reading, data: bytes) -> None:
    """From the line of a game on, before that of the next, stand both names by colour, and the result."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    lines = [_text(line) for line in re.split(rb"\r\n|\r|\n", data)]
    sheet = reading.sheet
    starts = list(sheet.games.line)
    assert sorted(set(starts)) == starts
    stops = [*starts[1:], len(lines) + 1][: len(starts)]
    for row, stop in zip(sheet.games, stops, strict=True):
        said = lines[row.line - 1 : stop - 1]
        whole = "\n".join(said)
        values: dict[str, set[str]] = {"white": set(), "black": set(), "result": set()}
        for name, value in _TAG.findall(whole.replace('\\"', "\x00")):
            values[name.lower()].add(_plain(value.replace("\x00", '"')))
        values["white"] |= {_plain(one) for one in re.findall(r'(?im)\[\s*white\s*"(.*)"\s*\]\s*$', whole)}
        values["black"] |= {_plain(one) for one in re.findall(r'(?im)\[\s*black\s*"(.*)"\s*\]\s*$', whole)}
        names = [
            re.sub(r" \((line|FIDE) [0-9]+\)\Z", "", sheet.players[number])
            for number in (row.player1, row.player2)
            if number >= 0
        ]
        if len(names) == 1:
            assert names[0] in values["white"] | values["black"], (names, values)
            continue
        assert names[0] in values["white"], (names, values)
        assert names[1] in values["black"], (names, values)
        result = str(sheet.results[row.result]).removesuffix(" unrated")
        result = _FORFEITS.get(result, result)
        head = "\n".join(said).split("\n\n")[0]  # tags up to the first blank line
        stated = [_plain(value) for name, value in _TAG.findall(head) if name.lower() == "result"]
        told = [value for value in stated if re.fullmatch(r"[01½][-/0-9½]+", value)] or [whole]
        words = _SPELT.get(result, (result,))
        assert result == "pending" or any(word in text for text in told for word in words), result
