"""PGN: the rules for each outcome, every defect with its place, packed files, and both ways of reading."""

from __future__ import annotations

import bz2
import gzip
import io
import random
from pathlib import Path
from typing import Any

import pytest
import zstandard

from arpad.domain.dates import day_text
from arpad.domain.problems import Refused
from arpad.formats import pgn, registry
from arpad.formats.reading import Reading
from arpad.formats.zst import Frames
from arpad.ledger.columns import GameColumns
from tests.formats.helpers import FILES, TODAY, found, games, read, refused
from tests.formats.pgn_made import dump

EXAMPLES = """[Event "Lindenhof Clubavond"]
[Date "2026.06.06"]
[Round "1.2"]
[White "Voorbeeld, Noor"]
[Black "'t Hart, Jop"]
[Result "1/2-1/2"]

1. e4 e5 {a comment with 1-0 in it} 2. Nf3 (2. f4 0-1) Nc6 1/2-1/2

[Event "Lindenhof Clubavond"]
[Date "2026.06.06"]
[White "Okabe, Ren"]
[Black "Factice, Max \\"Rex\\""]
[Result "1-0"]

1-0
"""


def test_the_two_examples() -> None:
    reading = read(EXAMPLES)
    assert [(g.player1, g.player2, g.result, g.round, g.date) for g in games(reading.sheet)] == [
        ("Voorbeeld, Noor", "'t Hart, Jop", "1/2-1/2", 1, "2026-06-06"),
        ("Okabe, Ren", 'Factice, Max "Rex"', "+--", 0, "2026-06-06"),
    ]
    assert list(reading.sheet.games.board) == [2, 0]
    assert found(reading.problems) == [("pgn-not-rated", 14, 10)]
    assert registry.sniff(EXAMPLES.encode()) == ["PGN"]


def test_a_whole_file() -> None:
    reading = read((FILES / "lindenhof-avond.pgn").read_bytes())
    told = [(g.player1, g.player2, g.result) for g in games(reading.sheet)]
    assert told == [
        ("Voorbeeld, Noor", "'t Hart, Jop", "1/2-1/2"), ("Okabe, Ren", 'Factice, Max "Rex"', "+--"),
        ("Müster, Ada", "Okabe, Ren", "0-1"), ("'t Hart, Jop", "", "full"),
        ('Factice, Max "Rex"', "Müster, Ada", "pending"),
    ]  # fmt: skip
    noor, jop = (reading.sheet.people[name] for name in ("Voorbeeld, Noor", "'t Hart, Jop"))
    assert (noor.ids, noor.rating, noor.line) == ((("fide", "20000001"),), 1812.0, 2)
    assert (jop.title, jop.rating) == ("CM", 1790.0)
    first = {
        fact.player: (fact.application.rating, day_text(fact.day)) for fact in reading.sheet.first_ratings
    }
    assert first["Okabe, Ren"] == (1655.0, "2026-06-06")  # the day of the earliest game, not of the rating
    assert [code for code, _, _ in found(reading.problems)] == ["event-class-derived"] + 2 * ["pgn-not-rated"]


def game(tags: str = "", moves: str = "1. e4 e5 1-0", base: str = "") -> str:
    """A game in which the tags given, one a line, replace those of its kind; `-Name` takes one away."""
    own = dict.fromkeys(("Event", "Date", "White", "Black", "Result"), "")
    own |= {"Event": "Cup", "Date": "2026.06.06", "White": "Ada", "Black": "Ren", "Result": "1-0"}
    for line in tags.splitlines():
        name, _, value = line.partition(" ")
        if name.startswith("-"):
            del own[name[1:]]
        else:
            own[name] = value
    return base + "".join(f'[{name} "{value}"]\n' for name, value in own.items()) + f"\n{moves}\n\n"


OUTCOMES = [
    ("", "1. e4 e5 1-0", "1-0", []),
    ("", "1.e4 e5", "1-0", ["pgn-result-once"]),
    ("", "1. e4 e5 *", "1-0", ["pgn-result-once"]),
    ("Result 1/2", "1. e4 e5 ½-½", "1/2-1/2", []),
    ("Result ½-½", "1. e4 e5 1/2", "1/2-1/2", []),
    ("Result *", "1. e4 e5 0-1", "0-1", ["pgn-result-once"]),
    ("-Result", "1. e4 e5 0-1", "0-1", ["pgn-result-once"]),
    ("Result ?", "1. e4 e5", "pending", ["pgn-not-rated"]),
    ("Result *", "1. e4 e5 *", "pending", ["pgn-not-rated"]),
    ("Result *", "*", "pending", ["pgn-not-rated"]),
    ("", "1. e4 1-0", "+--", ["pgn-not-rated"]),
    ("", "1. e4 {1... e5} 1-0", "+--", ["pgn-not-rated"]),
    ("", "1. e4 (1. d4 d5) 1-0", "+--", ["pgn-not-rated"]),
    ("", "1. e4 ; e5\n1-0", "+--", ["pgn-not-rated"]),
    ("", "% 1. e4 e5\n1-0", "+--", ["pgn-not-rated"]),
    ("", "1. 0-0 0-0 $1 1-0 $14", "1-0", []),
    ("", "1. e4 e5 {0-1} (2. f4 0-1) ; 0-1\n1-0", "1-0", []),
    ("", "1. e4 e5 {\n[White \"x\"]\n\n} 1-0", "1-0", []),
    ("Result 1/2-1/2", "1/2-1/2", "1/2-1/2 unrated", ["pgn-not-rated"]),
    ("Result 0-0", "", "---", ["pgn-not-rated"]),
    ("PlyCount 57", "1-0", "1-0", []),
    ("Termination time forfeit", "1. e4 e5 1-0", "1-0", []),
    ("Termination Okabe won by resignation", "1. e4 e5 1-0", "1-0", []),
    ("Termination Adjudication", "1. e4 e5 1-0", "1-0", []),
    ("Termination Abandoned", "1. e4 e5 1-0", "1-0 unrated", ["pgn-not-rated"]),
    ("Termination rules infraction", "1. e4 e5 1-0", "1-0 unrated", ["pgn-not-rated"]),
    ("Termination unterminated", "1. e4 e5 1-0", "pending", ["pgn-not-rated"]),
    ("Termination death", "1. e4 e5 1-0", None, ["pgn-decided-by-others"]),
    ("WhiteTitle BOT", "1. e4 e5 1-0", "1-0 unrated", ["pgn-not-rated"]),
    ("Event Casual Blitz game", "1. e4 e5 1-0", "1-0 unrated", ["pgn-not-rated"]),
    ("Variant Atomic", "1. e4 e5 1-0", "1-0 unrated", ["pgn-not-rated"]),
    ("Variant Standard", "1. e4 e5 1-0", "1-0", []),
    ("SetUp 1\nFEN 8/8/8/8/8/8/8/K1k5 w - - 0 1", "1. e4 e5 1-0", "1-0 unrated", ["pgn-not-rated"]),
    ("FEN rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "1. e4 e5 1-0", "1-0", []),
    ("Result 0-1", "1. e4 e5 1-0", None, ["pgn-result-differs"]),
    ("Result 2-0", "1. e4 e5 1-0", None, ["result-unreadable"]),
]  # fmt: skip


@pytest.mark.parametrize(("tags", "moves", "result", "codes"), OUTCOMES)
def test_outcomes(tags: str, moves: str, result: str | None, codes: list[str]) -> None:
    reading = read(game(tags, moves) + game("White Noor", "1. d4 d5 1-0"))
    told = {g.player1: g.result for g in games(reading.sheet)}
    assert told.pop("Noor") == "1-0"
    assert told == ({} if result is None else {"Ada": result})
    assert [code for code, _, _ in found(reading.problems)] == codes


DEFECTS = [
    ("White Ren", [("game-self", "held", 4, 9)], 0),
    ("White ", [("player-name-missing", "held", 3, 9)], 0),
    ("-White", [("player-name-missing", "held", 1, 1)], 0),
    ("White N, N", [("player-placeholder", "warning", 3, 9)], 1),
    ("White ??? ??", [("text-name-lost", "warning", 3, 9)], 1),
    ("White " + "x" * 201, [("cell-too-long", "held", 3, 9)], 0),
    ("White Jos\u200be", [("text-control-char", "warning", 3, 9)], 1),
    ("White ZoÃ©", [("text-mojibake", "warning", 3, 9)], 1),
    ("Date 2026.13.01", [("date-unreadable", "held", 2, 8)], 0),
    ("Date 06/07/26", [("date-unreadable", "held", 2, 8)], 0),
    ("Date 2027.06.06", [("date-future", "held", 2, 8)], 0),
    ("Date 2026.??.??", [("date-missing", "held", 2, 8)], 0),
    ("-Date", [("date-missing", "held", 1, 1)], 0),
    ("Date 2026.??.??\nEventDate 2026.05.01", [], 1),
    ("EventDate 2026.07.01", [("date-outside-event", "warning", 1, 1)], 1),
    ("EventDate May", [("date-unreadable", "warning", 6, 13)], 1),
    ("Event ?", [("event-name-missing", "warning", 1, 9)], 1),
    ("Round final", [("pgn-round-shape", "note", 6, 9)], 1),
    ("WhiteElo 18OO", [("player-rating-shape", "warning", 6, 12)], 1),
    ("WhiteFideId 12", [("player-id-shape", "warning", 6, 15)], 1),
    ("WhiteFideId 4444444\nBlackFideId 4444444", 2 * [("player-same-id", "held", 1, 1)], 1),
    ("WhiteTitle LM", [("player-title-unknown", "note", 6, 14)], 1),
    ("Termination emergency", [("pgn-decided-by-others", "held", 5, 10)], 0),
    ("TimeControl 300+3", [("event-class-derived", "note", 1, 1)], 1),
    ("Black ada", [("player-similar-name", "warning", 1, 1)], 1),
]  # fmt: skip


@pytest.mark.parametrize(("tags", "problems", "count"), DEFECTS)
def test_defects(tags: str, problems: list[tuple[str, str, int, int]], count: int) -> None:
    reading = read(game(tags))
    assert [(p.code, p.severity, p.line, p.column) for p in reading.problems] == problems
    assert len(reading.sheet.games) == count
    if "EventDate 2026.05.01" in tags:
        assert games(reading.sheet)[0].date == "2026-05-01"


SHAPES = [
    (
        game().replace('[White "Ada"]', '[White Ada"]'),
        [("player-name-missing", 1, 1), ("pgn-tag-shape", 3, 1)],
        0,
    ),
    (game().replace('"Ada"', '"Ada "Rex" B"'), [("pgn-tag-shape", 3, 1)], 1),
    (game().replace('[Result', '[White "Bob"]\n[Result'), [("pgn-tag-twice", 5, 9)], 0),
    (game().replace('[Result', '[Event "Bob"]\n[Result'), [("pgn-tag-twice", 5, 9)], 1),
    ("hello\n" + game(), [("pgn-tag-shape", 1, 1)], 1),
    (game() + "hello there\n", [("pgn-tag-shape", 9, 1)], 1),
    (game() + game(), [("game-equal-row", 9, 1)], 2),
    (game("Site https://x.example/a") + game("Site https://x.example/b"), [], 2),
    (game() + game("Date 2026.01.01"), [("event-span", 1, 1)], 2),
    (game() + game("EventDate 2026.06.06\nRound 1"), [("event-start-missing", 1, 1)], 2),
    (game(moves="1-0") + game("Black Max", moves="0-1").replace("1-0", "0-1"), [("pgn-no-moves", 1, 1)], 2),
    (game("Result 0-1\nWhite Émile Noël", "1. e4 e5 1-0"), [("pgn-result-differs", 5, 10)], 0),
    (game("WhiteFideId 4444444") + game("WhiteFideId 5555555\nRound 2"), [("player-same-name", 15, 15)], 2),
]  # fmt: skip


@pytest.mark.parametrize(("text", "problems", "count"), SHAPES)
def test_shapes(text: str, problems: list[tuple[str, int, int]], count: int) -> None:
    reading = read(text)
    assert found(reading.problems) == problems
    assert len(reading.sheet.games) == count


def test_other_encodings_and_line_ends() -> None:
    text = game("White Müller, Zoë").encode()
    latin = read(text.decode().encode("cp1252"))
    assert found(latin.problems) == [("text-not-utf8", 3, 9)]
    for data in (text, b"\xef\xbb\xbf" + text, text.replace(b"\n", b"\r\n"), text.replace(b"\n", b"\r")):
        assert games(read(data).sheet) == games(latin.sheet)
        assert not read(data).problems


REFUSED = [
    ("", "file-empty", 1, 1),
    ("hello", "player-none", 1, 1),
    (game(moves="1. e4 {no end 1-0") + game(), "file-truncated", 7, 7),
    (game().replace("e4", "e\x00"), "file-binary", 7, 5),
    (game(moves="x" * 1_100_000), "line-too-long", 7, 2**20 + 1),
    (game().encode("utf-16").decode("latin-1"), "text-utf16", 1, 1),
]  # fmt: skip


@pytest.mark.parametrize(("text", "code", "line", "column"), REFUSED)
def test_refused(text: str, code: str, line: int, column: int) -> None:
    data = text.encode("latin-1")
    assert (code, line, column) in refused(data, kind="PGN")


def test_answers() -> None:
    text = game("Date ????.??.??\nTermination death\nWhiteElo 1800").encode()

    def with_(**told: str) -> Reading:
        answers = {name.replace("_", "-"): value for name, value in told.items()}
        return registry.read(text, "f", today=TODAY, told=answers)

    reading = with_(last_day="2026-05-01", decided="rated")
    assert [(g.date, g.result) for g in games(reading.sheet)] == [("2026-05-01", "1-0")]
    assert len(reading.sheet.first_ratings) == 1
    reading = with_(last_day="2026-05-01", decided="unrated", ratings="none")
    assert [g.result for g in games(reading.sheet)] == ["1-0 unrated"]
    assert not reading.sheet.first_ratings
    for told in ({"decided": "perhaps"}, {"last_day": "yesterday"}, {"board": "1"}):
        with pytest.raises(Refused):
            with_(**told)


# --- packed -------------------------------------------------------------------------------------------

SKIPPED = b"\x50\x2a\x4d\x18\x02\0\0\0xx"  # a frame that holds nothing to unpack
PACKERS = {
    "zst": zstandard.compress, "gz": gzip.compress, "bz2": bz2.compress,
    "frames": lambda data: SKIPPED.join(map(zstandard.compress, (data[:999], data[999:]))),
}  # fmt: skip


@pytest.mark.parametrize("packer", PACKERS)
def test_packed(packer: str, tmp_path: Path) -> None:
    data = dump(300, random.Random(5))
    path = tmp_path / "dump"
    path.write_bytes(PACKERS[packer](data))
    plain = read(data)
    for reading in (registry.read(path, today=TODAY), read(path.read_bytes())):
        assert games(reading.sheet) == games(plain.sheet)
    assert registry.sniff(path.read_bytes()) == ["PGN"]


@pytest.mark.parametrize("packer", PACKERS)
def test_a_cut_file(packer: str, tmp_path: Path) -> None:
    """It is refused, or gives the whole games before the cut where somebody says so."""
    data = dump(3000, random.Random(6), shuffled=True)
    path = tmp_path / "dump"
    packed = PACKERS[packer](data)
    path.write_bytes(packed[: len(packed) * 9 // 10])
    with pytest.raises(Refused) as caught:
        registry.read(path, today=TODAY)
    assert [p.code for p in caught.value.problems if p.severity == "fatal"] == ["file-truncated"]
    reading = registry.read(path, today=TODAY, told={"part": "accept"})
    assert 1 < len(reading.sheet.games) < 3000
    assert games(reading.sheet) == games(read(data).sheet)[: len(reading.sheet.games)]
    assert ("file-truncated", 1, 1) in found(reading.problems, "warning")


def test_frames_are_followed() -> None:
    packed = zstandard.ZstdCompressor(write_checksum=True).compress(random.Random(1).randbytes(300_000)) * 2
    for step in (1, 7, 100_000):
        frames = Frames()
        whole = [
            at + step
            for at in range(0, len(packed), step)
            if frames.feed(packed[at : at + step]) or frames.whole
        ]
        assert frames.whole
        assert step > 1 or whole == [len(packed) // 2, len(packed)]


# --- the two ways of reading --------------------------------------------------------------------------


def both(data: bytes) -> tuple[Reading | list[tuple[str, int, int]], Reading | list[tuple[str, int, int]]]:
    def way(fast_from: int) -> Reading | list[tuple[str, int, int]]:
        try:
            return pgn.read_stream(io.BytesIO(data), "f", today=TODAY, fast_from=fast_from)
        except Refused as refusal:
            return found(refusal.problems)

    return way(2**40), way(0)


def assert_both_ways_agree(data: bytes) -> int:
    slow, fast = both(data)
    if isinstance(slow, list) or isinstance(fast, list):
        assert slow == fast
        return 0
    for name in ("players", "people", "events", "first_ratings", "results"):
        assert getattr(slow.sheet, name) == getattr(fast.sheet, name), name
    for name in GameColumns.__slots__:
        assert repr(getattr(slow.sheet.games, name)) == repr(getattr(fast.sheet.games, name)), name
    assert slow.problems == fast.problems
    return len(slow.sheet.games)


@pytest.mark.parametrize("seed", range(12))
def test_both_ways_agree(seed: int) -> None:
    """Also on dumps whose games are damaged."""
    from tests.formats.test_mutations import damaged

    rng = random.Random(seed)
    data = dump(60, rng, shuffled=seed % 2 == 1)
    assert assert_both_ways_agree(data) > 50
    for _ in range(25):
        assert_both_ways_agree(damaged(data, rng))


def test_the_quick_way_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    from arpad.formats import pgn_fast

    taken = 0
    append = pgn_fast._Regular._append

    def counted(self: pgn_fast._Regular, first: int, count: int, *rest: Any) -> None:
        nonlocal taken
        taken += count
        append(self, first, count, *rest)

    monkeypatch.setattr(pgn_fast._Regular, "_append", counted)
    count = assert_both_ways_agree(dump(400, random.Random(9)))
    assert taken > count // 2  # of made games every second is odd in some way


def test_blocks_may_end_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    from arpad.formats import pgn_stream

    data = dump(40, random.Random(3)).replace(b"\n", b"\r\n")
    whole = read(data)
    for size in (64, 1000, 4097):
        monkeypatch.setattr(pgn_stream, "SIZE", size)
        for fast_from in (0, 2**40):
            reading = pgn.read_stream(io.BytesIO(data), "f", today=TODAY, fast_from=fast_from)
            assert games(reading.sheet) == games(whole.sheet)
            assert reading.problems == whole.problems


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, zstandard.ZstdCompressor().compress])
def test_a_packed_bomb_is_refused_while_it_is_read(pack, tmp_path):
    path = tmp_path / "bomb.pgn.packed"
    path.write_bytes(pack(b'[Event "x"]\n' * 3_000_000))
    with pytest.raises(Refused) as refused:
        registry.read(path)
    assert "file-bomb" in {problem.code for problem in refused.value.problems}
