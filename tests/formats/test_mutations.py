"""Hundreds of damaged copies of each sample: never a crash, no invented game, every refusal has its place.

With HYPOTHESIS_PROFILE=long, five thousand copies of each.
"""

from __future__ import annotations

import html
import io
import os
import random
import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from arpad.domain.problems import Problem, Refused
from arpad.formats import registry
from arpad.formats.egd_table import Table
from arpad.formats.reading import Reading, clean
from arpad.formats.spreadsheet import Column, write_ods, write_xlsx
from tests.formats.helpers import FILES, TODAY
from tests.formats.second_looks import LOOKS, LOOKS_AT_LINES

COPIES = 5000 if os.environ.get("HYPOTHESIS_PROFILE") == "long" else 300
SMALL = sorted(path.name for path in FILES.iterdir())
REAL = [
    "lv_TestPartEtLic.h9", "lv_TournoiChinois.h9", "lv_Veterans.h9", "lv_Veterans.tou", "lv_Frioul.tou",
    "pg_simplemm.xml", "lv_remote_20201030114510_PPiK2010.xml", "lv_AGA_export_sample.txt",
]  # fmt: skip
TOLD = {
    "lindenhof-open.xml": {"last-day": "2026-04-05", "first-point": "black"},
    "winter-keizer.s3db": {"days": "2026-01-06", "every": "7"},
    "herfst-crosstable.txt": {"days": "2026-10-03"},
    "zomer-challonge.json": {"days": "2026-06-06"},
}  # fmt: skip
# Bytes that mean something in one of the formats.
TELLING = b',";|-+=?!/0123456789wbkdKD_[]\n\r\t \x00\xff\xe9\xc3\xa9-ABC'


def damaged(data: bytes, rng: random.Random) -> bytes:
    """One to four changes: a byte, a piece gone or twice, two lines or words swapped, the end cut off."""
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        data = rng.choice(CHANGES)(data, rng)
    return data


def _change(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data) or 1)
    return (
        data[:at]
        + bytes([rng.choice(TELLING) if rng.random() < 0.7 else rng.randrange(256)])
        + data[at + 1 :]
    )


def _flip(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data) or 1)
    return data[:at] + bytes(byte ^ (1 << rng.randrange(8)) for byte in data[at : at + 1]) + data[at + 1 :]


def _insert(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + bytes(rng.choice(TELLING) for _ in range(rng.randint(1, 3))) + data[at:]


def _remove(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + data[at + rng.randint(1, 20) :]


def _repeat(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data) + 1)
    size = rng.randint(1, 60)
    return data[: at + size] + data[at : at + size] + data[at + size :]


def _swap(separator: bytes) -> Callable[[bytes, random.Random], bytes]:
    def swap(data: bytes, rng: random.Random) -> bytes:
        parts = data.split(separator)
        one, other = rng.randrange(len(parts)), rng.randrange(len(parts))
        parts[one], parts[other] = parts[other], parts[one]
        return separator.join(parts)

    return swap


def _cut(data: bytes, rng: random.Random) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


CHANGES = (_change, _change, _flip, _insert, _remove, _repeat, _swap(b"\n"), _swap(b" "), _swap(b","), _cut)


# --- a second, simpler look at the bytes --------------------------------------------------------------


def texts_of(data: bytes) -> list[str]:
    """The lines by themselves, in every encoding that the readers may have chosen."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        texts = [data.decode("utf-8")]
    except UnicodeDecodeError:
        texts = [data.decode("cp1252", "replace"), data.decode("iso8859-15", "replace")]
    ends = re.compile(r"\r\n|\r|\n")
    return ["\x00".join(pair) for pair in zip(*(ends.split(text) for text in texts), strict=False)]


def assert_games_stand_in_rows(reading: Reading, data: bytes) -> None:
    """Every game of a CSV file has a line of its own with both names and its result."""
    lines = texts_of(data)
    sheet = reading.sheet
    assert len(set(sheet.games.line)) == len(sheet.games)
    for row in sheet.games:
        # a quotation mark is doubled in a quoted cell and stands for itself in a plain one
        line = clean(lines[row.line - 1] + "\x00" + lines[row.line - 1].replace('""', '"'))
        for number in (row.player1, row.player2):
            if number >= 0:
                assert sheet.players[number] in line
        spelt = str(sheet.results[row.result])
        assert row.player2 < 0 or spelt in line.replace("½", "1/2"), (spelt, line)


def assert_games_stand_in_cells(reading: Reading, data: bytes) -> None:
    """Every game of a club's table has a row with both names, and sets that are told there."""
    lines = texts_of(data)
    sheet = reading.sheet
    assert len(set(sheet.games.line)) == len(sheet.games)
    for row in sheet.games:
        # a quoted cell may hold line ends, and a name an apostrophe in front
        line = clean("\x00".join(lines[row.line - 1 : row.line + 19]).replace('""', '"')).replace("\x00", " ")
        for number in (row.player1, row.player2):
            if number >= 0:
                name = re.sub(r" \([^()]*\)$", "", sheet.players[number])
                assert " ".join(name.split()) in " ".join(line.split()), (name, line)
        result = sheet.results[row.result]
        if result.kind == "sets":
            points = len(re.findall(r"[0-9]+", line)) >= result.first + result.second
            assert (str(result.first) in line and str(result.second) in line) or points


TOKEN = re.compile(r"([0-9]+)([-+=?])(!?)/?(?:[wWbB?][0-9]?)?")


def assert_games_stand_in_table(reading: Reading, data: bytes) -> None:
    """Every game of a table stands in the rows of both players: name, opponent's row, sign, forfeit."""
    lines = texts_of(data)
    rows = [line.split(";")[0].replace("\x00", " ") for line in lines]
    numbers = [number for number, row in enumerate(rows, 1) if row.strip()]
    table = reading.detail
    assert isinstance(table, Table)
    tokens: list[set[tuple[int, str, str]]] = []
    for number, row in enumerate(table.rows):
        assert row.line == numbers[number], "rows are numbered by position"
        line = rows[row.line - 1]
        plain = clean(line.replace("_", " "))
        assert all(word in plain for word in row.full_name.split())
        found = filter(None, map(TOKEN.fullmatch, re.split(r"[\s|]+", line)))
        tokens.append({(int(match[1]), match[2], match[3]) for match in found})
    for game in table.games:
        mark = "!" if game.result.kind == "forfeit" else ""
        sides = ((game.white, game.black, game.result.first), (game.black, game.white, game.result.second))
        for own, other, points in sides:
            sign = "?" if game.result.kind == "pending" else "-=+"[points]
            assert (other + 1, sign, mark) in tokens[own]


def assert_places(problems: list[Problem], data: bytes) -> None:
    lines = texts_of(data) or [""]
    if data.startswith(b"SQLite format 3\0"):
        lines = [""] * 50_000  # places are rows
    for problem in problems:
        assert problem.code
        assert problem.message
        assert problem.severity in ("fatal", "held", "warning", "note")
        assert problem.file == "damaged"
        assert 1 <= problem.line <= len(lines)
        assert 1 <= problem.column <= len(lines[problem.line - 1]) + 1


def look_at(data: bytes, kind: str, told: dict[str, str] | None = None) -> Reading | None:
    """Read damaged bytes; None where they are refused, with reason."""
    try:
        reading = registry.read(data, "damaged", kind=kind, today=TODAY, told=told)
    except Refused as refusal:
        assert_places(refusal.problems, data)
        assert {problem.severity for problem in refusal.problems} & {"fatal", "held"}
        return None
    assert_places(reading.problems, data)
    if reading.format in LOOKS:
        LOOKS[reading.format](reading, data)
    elif reading.format in LOOKS_AT_LINES:
        LOOKS_AT_LINES[reading.format](reading, texts_of(data))
    elif reading.format in ("EGD table", "FFG table"):
        assert_games_stand_in_table(reading, data)
    elif reading.format == "CSV table":
        assert_games_stand_in_cells(reading, data)
    else:
        assert "held" not in {problem.severity for problem in reading.problems}
        assert_games_stand_in_rows(reading, data)
    return reading


def damage(data: bytes, file: str, kind: str = "", copies: int = COPIES) -> None:
    rng = random.Random(file)
    told = TOLD.get(file)
    taken = sum(look_at(damaged(data, rng), kind, told) is not None for _ in range(copies))
    assert copies // 100 < taken < copies, "the damage is too small or too large to show anything"


@pytest.mark.parametrize("file", SMALL)
def test_damaged_copies(file: str) -> None:
    kind = file if file in ("players.csv", "corrections.csv") else ""
    damage((FILES / file).read_bytes(), file, kind)


@pytest.mark.parametrize("write", [write_xlsx, write_ods])
def test_damaged_books(write: Callable[..., bytes]) -> None:
    """The XML inside damaged and packed anew, and the packed bytes damaged."""
    columns = [Column(name) for name in ("Datum", "Bord", "Thuis", "Uit", "Uitslag")]
    names = ("Voorbeeld, Noor", "'t Hart, Jop", "Okabe, Ren")
    data = write(columns, [(f"0{n % 9 + 1}-06-2026", n, *names[n % 2 : n % 2 + 2], "3-1") for n in range(9)])
    rng, taken = random.Random(write.__name__), 0
    for number in range(COPIES // 2):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = {name: archive.read(name) for name in archive.namelist()}
        if number % 5:
            name = rng.choice(
                [name for name in parts if name.endswith(("sheet1.xml", "content.xml", "book.xml"))]
            )
            parts[name] = damaged(parts[name], rng)
            target = io.BytesIO()
            with zipfile.ZipFile(target, "w") as archive:
                for name, part in parts.items():
                    archive.writestr(name, part)
            copy = target.getvalue()
        else:
            copy = damaged(data, rng)
        try:
            reading = registry.read(copy, "damaged", today=TODAY)
        except Refused as refusal:
            assert refusal.problems
            continue
        taken += 1
        text = b"".join(parts.values()).decode("utf-8", "replace")
        for row in reading.sheet.games:
            assert str(reading.sheet.results[row.result]) != "0-3"
            assert row.line >= 2
        # a cell whose tags were cut runs on into the next one's text
        bare = html.unescape(text) + html.unescape(re.sub(r"<[^>]*>", "", text))
        bare = " ".join(bare.split())
        assert all(name.split(" (")[0] in bare for name in reading.sheet.players if name.isascii())
    assert COPIES // 20 < taken < COPIES // 2


@pytest.mark.parametrize("file", REAL)
def test_damaged_copies_of_real_files(samples: Path, file: str) -> None:
    damage((samples / "go" / file).read_bytes(), file)


def test_damaged_copies_of_a_large_table(samples: Path) -> None:
    copies = COPIES // 5
    damage((samples / "go" / "lv_egc2013.h9").read_bytes(), "lv_egc2013.h9", copies=copies)


DAMAGE = ((b"4+/w2", b"4-/w2"), (b"4+!w0", b"4+/w0"), (b"Okabe", b"Obake"), (b"1-/b2", b"2-/b2"))


def test_an_invented_game_would_be_seen() -> None:
    """The second look fails where a name, a result or a row number is not in the bytes."""
    data = (FILES / "games.csv").read_bytes()
    reading = registry.read(data, "f", today=TODAY)
    assert_games_stand_in_rows(reading, data)
    for old, new in ((b"Okabe Ren,1-0", b"Okabe Ren,0-1"), (b"Okabe", b"Obake")):
        with pytest.raises(AssertionError):
            assert_games_stand_in_rows(reading, data.replace(old, new, 1))
    data = (FILES / "autumn-cup.h9").read_bytes()
    reading = registry.read(data, "f", today=TODAY)
    assert_games_stand_in_table(reading, data)
    for old, new in DAMAGE:
        with pytest.raises(AssertionError):
            assert_games_stand_in_table(reading, data.replace(old, new, 1))


GO_DAMAGE = (
    ("winter-keizer.s3db", b"Okabe", b"Obake"),
    ("winter-keizer.s3db", b"Voorbeeld", b"Vorobeeld"),
    ("herfst-crosstable.txt", b"2:W", b"2:D"),
    ("herfst-crosstable.txt", b"3:+", b"3:W"),
    ("herfst-crosstable.txt", b"Okabe", b"Obake"),
    ("zomer-challonge.json", b"3-1", b"1-3"),
    ("zomer-challonge.json", b"Okabe", b"Obake"),
    ("zomer-challonge.json", b'"winner_id": 904', b'"winner_id": 2'),
    ("spring-cup.tour", b'"h": 7, "r": "w"', b'"h": 7, "r": "b"'),
    ("spring-cup.tour", b"Okabe", b"Obake"),
    ("spring-cup.tour", b'"h": 7', b'"h": 6'),
    ("lindenhof-open.xml", b"<Result>0-1<", b"<Result>1-0<"),
    ("lindenhof-open.xml", b"<White>1</White><Black>4<", b"<White>4</White><Black>1<"),
    ("lindenhof-day.xml", b"WHITEWINS", b"BLACKWINS"),
    ("lindenhof-day.xml", b'handicap="2"', b'handicap="3"'),
    ("lindenhof-day.xml", b'roundNumber="1"', b'roundNumber="3"'),
    ("lindenhof-report.txt", b"7001 99999 W", b"7001 99999 B"),
    ("lindenhof-report.txt", b"Sample", b"Simple"),
    ("winter-cup.tou", b"2+w0", b"2-w0"),
    ("egd-list.html", b"  2204 ", b"  2205 "),
    ("ech_ffg.txt", b"0000001", b"0000002"),
    ("TDListA.txt", b"Okabe", b"Obake"),
    ("fide-list.txt", b"1812", b"1813"),
    ("fide-combined.txt", b"9900002", b"9900007"),
    ("fide-list.xml", b"1812", b"1813"),
    ("zomertoernooi.trf", b"   4 w 1", b"   4 w ="),
    ("zomertoernooi.trf", b"   5 w -", b"   5 w 0"),
    ("zomertoernooi.trf", b"   1 b 0", b"   2 b 0"),
    ("zomertoernooi.trf", b"Okabe", b"Obake"),
    ("zomertoernooi.trf", b"001    4", b"001    6"),
    ("lindenhof-avond.pgn", b'Black "Okabe', b'Black "Obake'),
    ("lindenhof-avond.pgn", b'[Result "1/2-1/2"]', b'[Result "0-1"]'),
)


@pytest.mark.parametrize(("file", "old", "new"), GO_DAMAGE)
def test_an_invented_game_of_go_would_be_seen(file: str, old: bytes, new: bytes) -> None:
    """What was read from a file does not stand in one that says something else."""
    data = (FILES / file).read_bytes()
    assert old in data
    reading = registry.read(data, "f", today=TODAY, told=TOLD.get(file))

    def look(at: bytes) -> None:
        if reading.format in LOOKS:
            LOOKS[reading.format](reading, at)
        elif reading.format in LOOKS_AT_LINES:
            LOOKS_AT_LINES[reading.format](reading, texts_of(at))
        else:
            assert_games_stand_in_table(reading, at)

    look(data)
    with pytest.raises(AssertionError):
        look(data.replace(old, new, 1))
