"""EGD tables: what three small files say, and what every defect gets. Expected values are written by hand."""

from __future__ import annotations

import pytest

from arpad.domain.dates import read_day
from arpad.formats import egd
from arpad.formats.egd_table import Heading, Row, Table
from arpad.formats.reading import Reading
from tests.formats.helpers import FILES, Game, found, games, read, refused

HEAD = "; CL[A]\n; EV[Cup]\n; DT[2025-05-01,2025-05-02]\n; TM[90]\n"


def table(reading: Reading) -> Table:
    assert isinstance(reading.detail, Table)
    return reading.detail


def small(*rows: str, head: str = HEAD) -> Reading:
    return read(head + "\n".join(rows) + "\n")


# --- three files ------------------------------------------------------------------------------------


def test_autumn_cup() -> None:
    reading = read((FILES / "autumn-cup.h9").read_bytes())
    assert (reading.format, reading.games, reading.byes) == ("EGD table", 5, 5)
    where = ("2025-10-12", "Autumn Cup", "2025-10-11")
    noor, jop, zoe, ren, sam = (
        "Verzonnen Noor", "van der Bedacht Jop", "Fantôme Zoé", "Okabe Ren", "Nieuweling Sam",
    )  # fmt: skip
    assert games(reading.sheet) == [
        Game(*where, 1, noor, ren, "1-0", 2),
        Game(*where, 1, jop, zoe, "1/2-1/2"),
        Game(*where, 2, jop, noor, "0-1"),
        Game(*where, 2, zoe, ren, "+--"),
        Game(*where, 3, noor, zoe, "1-0"),
        Game(*where, 1, sam, "", "zero"),
        Game(*where, 2, sam, "", "half"),
        Game(*where, 3, jop, "", "full"),
        Game(*where, 3, ren, "", "zero"),
        Game(*where, 3, sam, "", "zero"),
    ]


def test_autumn_cup_in_detail() -> None:
    reading = read((FILES / "autumn-cup.h9").read_bytes())
    cup = table(reading)
    assert cup.heading == Heading(
        event_class="B", event="Autumn Cup", country="BE", place="Brugge",
        first=read_day("2025-10-11") or 0, last=read_day("2025-10-12") or 0,
        handicap=1, komi="6.5", minutes="55", remarks=("Canadian byo-yomi", "Two rounds on Saturday"),
    )  # fmt: skip
    assert cup.rounds == 3
    told = reading.sheet.people["Verzonnen Noor"]
    assert (told.ids, told.federation, told.club) == ((("egd", "10000001"),), "BE", "Brug")
    assert [row._replace(line=0) for row in cup.rows] == [
        Row("Verzonnen", "Noor", "2d", "BE", "Brug", ("3", "5", "9", "0"), "10000001"),
        Row("van der Bedacht", "Jop", "1d", "NL", "Delf", ("2", "408.5", "9", "0"), "10000002"),
        Row("Fantôme", "Zoé", "1k", "FR", "", ("2", "5.5", "8", "0"), shared=True),
        Row("Okabe", "Ren", "3k", "JP", "", ("0", "6", "8", "0")),
        Row("Nieuweling", "Sam", "NC", "", "", ("0", "0", "0", "0")),
    ]
    assert reading.problems == []
    sheet = reading.sheet
    entries = [(e.player, e.application.rank, e.application.unclassified) for e in sheet.first_ratings]
    assert entries == [
        ("Verzonnen Noor", 2, False), ("van der Bedacht Jop", 1, False), ("Fantôme Zoé", 0, False),
        ("Okabe Ren", -2, False), ("Nieuweling Sam", None, True),
    ]  # fmt: skip
    assert {entry.day for entry in sheet.first_ratings} == {read_day("2025-10-11")}
    assert [event.event_class for event in sheet.events] == ["B"]


def test_old_style() -> None:
    """ISO-8859-15, CRLF, TA for TM, no HA, no colours, rounds that were not played, a tie without place."""
    reading = read((FILES / "old-style.h9").read_bytes())
    old = table(reading)
    where = ("1998-03-08", "Old style", "1998-03-07")
    assert games(reading.sheet) == [
        Game(*where, 1, "Désiré François", "le Fictif Anaïs", "1-0"),
        Game(*where, 1, "Muß Jörg", "Nobody Ann", "1-0"),
        Game(*where, 2, "Désiré François", "Muß Jörg", "1-0"),
        Game(*where, 2, "le Fictif Anaïs", "Nobody Ann", "1-0"),
    ]
    assert old.rounds == 4
    assert old.byes == ()  # nobody played rounds 3 and 4: they were declared, no more
    assert {game.coloured for game in old.games} == {False}
    assert old.heading.minutes == "20"
    assert old.heading.place == "Luik"
    assert found(reading.problems) == [
        ("event-class-missing", 1, 1),
        ("text-not-utf8", 8, 7),
        ("colour-missing", 8, 66),
        ("colour-missing", 8, 75),
        ("colour-missing", 9, 66),
        ("colour-missing", 10, 75),
    ]


def test_lost_names() -> None:
    """Lost names, one name twice, and a game that both won: that game alone is left out."""
    reading = read((FILES / "lost-names.h9").read_bytes())
    where = ("2020-02-02", "Lost names", "2020-02-01")
    lost = "(Lost names 2020-02-01, row"
    assert games(reading.sheet) == [
        Game(*where, 1, "Tweeling Kim", f"? ?? {lost} 2)", "1-0"),
        Game(*where, 1, f"? ?? {lost} 3)", f"Tweeling Kim {lost} 4)", "1-0", 2),
        Game(*where, 2, f"? ?? {lost} 3)", "Tweeling Kim", "0-1"),
        Game(*where, 2, f"? ?? {lost} 2)", f"Tweeling Kim {lost} 4)", "pending"),
        Game(*where, 2, "Both Sides", "", "zero"),
        Game(*where, 2, "Win Here", "", "zero"),
    ]
    assert found(reading.problems) == [
        ("text-name-lost", 10, 6),
        ("result-pending", 10, 83),
        ("text-name-lost", 11, 6),
        ("player-same-name", 12, 1),
        ("game-contradiction", 13, 73),
    ]
    assert [p.code for p in reading.problems if p.severity == "held"] == ["game-contradiction"]


# --- rows -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("1 Berg Jan 3d BE Gent 2 4 0-", Row("Berg", "Jan", "3d", "BE", "Gent", ("2", "4"))),
        ("Berg Jan 3d BE Gent 2 4 0-", Row("Berg", "Jan", "3d", "BE", "Gent", ("2", "4"), shared=True)),
        ("1 van_der_Berg Jan_Piet 30K XX xxxx 0-", Row("van der Berg", "Jan Piet", "30k")),
        ("1 Berg Jan 12 K BE Gent 2 0-", Row("Berg", "Jan", "12k", "BE", "Gent", ("2",))),
        ("1 Berg Jan 4P BE 0-", Row("Berg", "Jan", "4p", "BE")),
        ("1 Berg Jan nc BE Gent 39? 39½ 0-", Row("Berg", "Jan", "NC", "BE", "Gent", ("39.5", "39.5"))),
        ("1 Berg Jan 3d BE Gent 2 0- |12345678", Row("Berg", "Jan", "3d", "BE", "Gent", ("2",), "12345678")),
        ("1 Berg Jan 3d BE Gent 2 0- ; a remark", Row("Berg", "Jan", "3d", "BE", "Gent", ("2",))),
        ("1\tBerg\u00a0Jan\t3d BE Gent 2 0-", Row("Berg", "Jan", "3d", "BE", "Gent", ("2",))),
        ("1 Berg _ 3d BE Gent 2 0-", Row("Berg", "", "3d", "BE", "Gent", ("2",))),
    ],
)
def test_a_row(row: str, expected: Row) -> None:
    reading = small(row)
    assert table(reading).rows == (expected._replace(line=5),)
    assert reading.problems == []


@pytest.mark.parametrize(
    ("row", "full_name", "grade", "problem"),
    [
        ("1 Plato 3d BE Gent 2 0-", "Plato", "3d", ("egd-name-shape", 5, 3)),
        ("1 Berg Jan Piet 3d BE Gent 2 0-", "Berg Jan Piet", "3d", ("egd-name-shape", 5, 3)),
        ("1 Berg Jan 40k BE Gent 2 0-", "Berg Jan", "", ("player-rank-shape", 5, 12)),
        ("7 Berg Jan 3d BE Gent 2 0-", "Berg Jan", "3d", ("egd-place-ignored", 5, 1)),
        ("1 Berg Jan 3d BE Gent 2 0- |1234", "Berg Jan", "3d", ("player-id-shape", 5, 28)),
        (f"1 Berg {'J' * 25} 3d BE Gent 2 0-", f"Berg {'J' * 25}", "3d", ("player-name-cut", 5, 3)),
        ("1 Be\u200brg Jan 3d BE Gent 2 0-", "Berg Jan", "3d", ("text-control-char", 5, 3)),
        ("1 Berg Jan 3d BE Gent 2 0?", "Berg Jan", "3d", ("bye-code", 5, 25)),
        ("1 Berg Jan 3d BE Gent 2 0+/w0", "Berg Jan", "3d", ("bye-with-colour", 5, 25)),
    ],
)
def test_an_odd_row_is_taken_and_told(
    row: str, full_name: str, grade: str, problem: tuple[str, int, int]
) -> None:
    reading = small(row)
    assert found(reading.problems) == [problem]
    assert [(row.full_name, row.grade) for row in table(reading).rows] == [(full_name, grade)]


def test_tokens_name_rows_not_places() -> None:
    reading = small("5 Aa Ann 1d BE X 1 2+/w0", "9 Bb Bob 1d BE X 0 1-/b0")
    assert [(g.player1, g.player2) for g in games(reading.sheet)] == [("Aa Ann", "Bb Bob")]
    assert found(reading.problems) == [("egd-place-ignored", 5, 1), ("egd-place-ignored", 6, 1)]


def test_a_criterion_that_looks_like_a_result_is_none() -> None:
    reading = small("1 Aa Ann 1d BE X 40 408? 2+/w0", "2 Bb Bob 1d BE X 39 399 1-/b0", "3 Cc Cy 1d BE X 1 0-")
    assert table(reading).rounds == 1
    assert table(reading).rows[0].criteria == ("40", "408.5")
    assert (reading.games, reading.problems) == (1, [])


def test_a_row_with_fewer_results_is_absent_in_the_last_rounds() -> None:
    reading = small("1 Aa Ann 1d BE X 1 2+/w0 3+/w0", "2 Bb Bob 1d BE X 0 1-/b0 0-", "3 Cc Cy 1d BE X 1 0-")
    assert found(reading.problems) == [("game-not-mutual", 5, 26), ("egd-round-count", 7, 19)]
    assert [g.round for g in games(reading.sheet) if g.player2] == [1]


def test_a_row_with_more_results_is_cut_from_the_left() -> None:
    rows = ("1 Aa Ann 1d BE X 1 7+/w0 2+/w0", "2 Bb Bob 1d BE X 0 1-/b0", "3 Cc Cy 1d BE X 1 0-")
    reading = small(*rows)
    assert found(reading.problems) == [("egd-round-count", 5, 20)]
    assert reading.games == 1


# --- games ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "told", "stones"),
    [
        ("2+/w0", "1-/b0", ("Aa Ann", "Bb Bob", "1-0"), 0),
        ("2-/w0", "1+/b0", ("Aa Ann", "Bb Bob", "0-1"), 0),
        ("2-/b3", "1+/w3", ("Bb Bob", "Aa Ann", "1-0"), 3),
        ("2=/B9", "1=/W9", ("Bb Bob", "Aa Ann", "1/2-1/2"), 9),
        ("2+!w0", "1-!b0", ("Aa Ann", "Bb Bob", "+--"), 0),
        ("2-!b0", "1+!w0", ("Bb Bob", "Aa Ann", "+--"), 0),
        ("2+!", "1-!", ("Aa Ann", "Bb Bob", "+--"), 0),
        ("2-!w0", "1-!b0", ("Aa Ann", "Bb Bob", "---"), 0),
        ("2?/w0", "1?/b0", ("Aa Ann", "Bb Bob", "pending"), 0),
        ("2+/b", "1-/w", ("Bb Bob", "Aa Ann", "0-1"), 0),
        ("2+b", "1-", ("Bb Bob", "Aa Ann", "0-1"), 0),
        ("2+/?0", "1-/b2", ("Aa Ann", "Bb Bob", "1-0"), None),
        ("2+/w", "1-/b2", ("Aa Ann", "Bb Bob", "1-0"), 2),
        ("2-", "1+", ("Aa Ann", "Bb Bob", "0-1"), 0),
    ],
)
def test_two_halves(first: str, second: str, told: tuple[str, str, str], stones: int | None) -> None:
    reading = small(f"1 Aa Ann 1d BE X 0 {first}", f"2 Bb Bob 1d BE X 0 {second}")
    if stones is None:  # 0 stones here, 2 there
        assert found(reading.problems, "held") == [("handicap-differs", 5, 20)]
        return
    (game,) = games(reading.sheet)
    assert (game.player1, game.player2, game.result) == told
    assert game.stones == stones


@pytest.mark.parametrize(
    ("first", "second", "code"),
    [
        ("2+/w0", "1+/b0", "game-contradiction"),
        ("2-/w0", "1-/b0", "game-contradiction"),
        ("2=/w0", "1-/b0", "game-contradiction"),
        ("2?/w0", "1-/b0", "game-contradiction"),
        ("2+!w0", "1-/b0", "game-contradiction"),
        ("2=!w0", "1=!b0", "game-contradiction"),
        ("2+!w0", "1+!b0", "game-contradiction"),
        ("2?!w0", "1?!b0", "game-contradiction"),
        ("2+/w0", "1-/w0", "colour-same"),
        ("2+/b0", "1-/b0", "colour-same"),
        ("2+/w0", "1-/b1", "handicap-differs"),
        ("2+/?3", "1-/?3", "handicap-shape"),
    ],
)
def test_halves_that_do_not_agree_leave_that_game_out(first: str, second: str, code: str) -> None:
    reading = small(
        f"1 Aa Ann 1d BE X 0 {first} 3+/w0", f"2 Bb Bob 1d BE X 0 {second} 0-", "3 Cc Cy 1d BE X 0 0- 1-/b0"
    )
    assert found(reading.problems, "held") == [(code, 5, 20)]
    assert [(g.round, g.player1, g.player2) for g in games(reading.sheet) if g.player2] == [
        (2, "Aa Ann", "Cc Cy")
    ]


def test_not_mutual() -> None:
    reading = small("1 Aa Ann 1d BE X 0 2+/w0", "2 Bb Bob 1d BE X 0 3-/b0", "3 Cc Cy 1d BE X 0 2+/w0")
    assert found(reading.problems) == [("game-not-mutual", 5, 20)]
    assert [(g.player1, g.player2) for g in games(reading.sheet)] == [("Cc Cy", "Bb Bob")]


def test_a_damaged_result_is_left_out_and_keeps_its_round() -> None:
    reading = small("1 Aa Ann 1d BE X 0 2+/x0 2+/w0", "2 Bb Bob 1d BE X 0 1-/b0 1-/b0")
    assert found(reading.problems, "held") == [("result-code-unknown", 5, 20), ("game-not-mutual", 6, 20)]
    assert [(g.round, g.result) for g in games(reading.sheet)] == [(2, "1-0")]


@pytest.mark.parametrize(
    ("handicap", "white", "black", "tokens", "stones"),
    [
        ("h1", "3d", "2k", ("2+/w", "1-/b"), 3),  # four grades less 1
        ("h0", "1d", "1k", ("2+/w", "1-/b"), 1),
        ("h2", "1k", "30k", ("2+/w", "1-/b"), 9),  # never above 9
        ("h3", "2d", "1d", ("2+/w", "1-/b"), 0),
        ("h0", "1k", "3d", ("2+/w", "1-/b"), 0),  # Black is the stronger
        ("h9", "9d", "30k", ("2+/w", "1-/b"), 0),
        ("h0", "3d", "NC", ("2+/w", "1-/b"), 0),
        ("h0", "3d", "1d", ("2+!w", "1-!b"), 0),
        ("h0", "3d", "1d", ("2+/w0", "1-/b0"), 0),  # said to be none
    ],
)
def test_stones_that_are_not_said(
    handicap: str, white: str, black: str, tokens: tuple[str, str], stones: int
) -> None:
    rows = (f"1 Aa Ann {white} BE X 0 {tokens[0]}", f"2 Bb Bob {black} BE X 0 {tokens[1]}")
    reading = small(*rows, head=HEAD + f"; HA[{handicap}]\n")
    (game,) = games(reading.sheet)
    assert game.stones == stones
    assert [p.code for p in reading.problems] == ["handicap-derived"] * bool(stones)


def test_without_colours_the_weaker_has_black() -> None:
    reading = small("1 Aa Ann 3k BE X 0 2+", "2 Bb Bob 1d BE X 0 1-", head=HEAD + "; HA[h1]\n")
    assert [(g.player1, g.player2, g.result, g.stones) for g in games(reading.sheet)] == [
        ("Bb Bob", "Aa Ann", "0-1", 2)
    ]


def test_two_rows_with_one_pin() -> None:
    reading = small("1 Aa Ann 1d BE X 0 0- |12345678", "2 Bb Bob 1d BE X 0 0- |12345678")
    assert found(reading.problems) == [("player-same-id", 5, 1), ("player-same-id", 6, 1)]
    assert [row.pin for row in table(reading).rows] == ["", ""]


def test_class_x_is_not_rated() -> None:
    reading = small("1 Aa Ann 1d BE X 0 2+/w0", "2 Bb Bob 1d BE X 0 1-/b0", head=HEAD.replace("[A]", "[X]"))
    assert [g.result for g in games(reading.sheet)] == ["1-0 unrated"]
    assert [event.event_class for event in reading.sheet.events] == ["D"]
    assert found(reading.problems) == [("event-not-rated", 1, 1)]


# --- heading ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("[A]", "[E]", ("event-class-missing", 1)),
        ("; CL[A]\n", "", ("event-class-missing", 1)),
        ("[90]", "[74]", ("event-class-differs", 1)),
        ("[Cup]", "[]", ("event-name-missing", 2)),
        ("[2025-05-01,2025-05-02]", "[2025-05-02,2025-05-01]", ("date-order", 3)),
        ("[2025-05-01,2025-05-02]", "[2025-05-02]", ("date-suspect", 3)),
        ("; TM", "; HA[x]\n; TM", ("egd-header-shape", 4)),
        ("; TM[90]", "; TM[90]\n; TM[80]", ("egd-header-shape", 5)),
        ("; TM[90]", "; TM[90", ("egd-header-shape", 4)),
    ],
)
def test_an_odd_heading_is_taken_and_told(old: str, new: str, expected: tuple[str, int]) -> None:
    reading = small("1 Aa Ann 1d BE X 0 0-", head=HEAD.replace(old, new))
    assert [(p.code, p.line, p.severity) for p in reading.problems] == [(*expected, "warning")]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("; DT[2025-05-01,2025-05-02]\n", "", ("date-missing", 1)),
        ("2025-05-02]", "2025-05-32]", ("date-unreadable", 3)),
        ("2025-05-02]", "2.5.2025]", ("date-unreadable", 3)),
        ("2025-05-02]", "2025-05-02,]", ("date-unreadable", 3)),
        ("[2025-05-01", "[0001-01-01", ("date-unreadable", 3)),
        ("2025-05-02]", "2027-05-02]", ("date-future", 3)),
        ("[Cup]", "[" + "x" * 201 + "]", ("cell-too-long", 2)),
    ],
)
def test_a_wrong_heading_refuses_the_table(old: str, new: str, expected: tuple[str, int]) -> None:
    data = HEAD.replace(old, new) + "1 Aa Ann 1d BE X 0 0-\n"
    assert [(code, line) for code, line, _ in refused(data)] == [expected]


@pytest.mark.parametrize(
    ("text", "country", "place"),
    [("BE,Gent", "BE", "Gent"), (",Gent", "", "Gent"), (",TR, Izmir", "TR", "Izmir"), ("XX,Y", "", "Y"),
     ("UK,London, Soho", "UK", "London, Soho"), ("Gent", "", "Gent")],
)  # fmt: skip
def test_place(text: str, country: str, place: str) -> None:
    heading = table(small("1 Aa Ann 1d BE X 0 0-", head=HEAD + f"; PC[{text}]\n")).heading
    assert (heading.country, heading.place) == (country, place)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("", ("player-none", 1, 1)),
        ("1 Aa Ann 1d BE X 0 2+/w0", ("player-missing", 5, 20)),
        ("1 Aa Ann 1d BE X 0 1+/w0", ("game-self", 5, 20)),
        ("hello world", ("egd-row-unreadable", 5, 1)),
        (f"1 Aa {'n' * 200} 1d BE X 0 0-", ("cell-too-long", 5, 3)),
        ("1 Aa Ann 1d BE X 0 0-\n; CL[B]\n; EV[Other]\n1 Aa Ann 1d BE X 0 0-", ("file-two-in-one", 6, 1)),
    ],
)
def test_wrong_rows_refuse_the_table(rows: str, expected: tuple[str, int, int]) -> None:
    assert refused(HEAD + rows)[0] == expected


def test_an_event_without_name_gets_its_place() -> None:
    head = HEAD.replace("; EV[Cup]\n", "; PC[BE,Gent]\n")
    assert small("1 Aa Ann 1d BE X 0 0-", head=head).sheet.events[0].name == "Gent"


def test_a_table_without_results() -> None:
    reading = small("1 Aa Ann 1d BE X 0", "2 Bb Bob 1d BE X 0")
    assert found(reading.problems) == [("egd-round-count", 1, 1)]
    assert (reading.games, len(reading.sheet.players)) == (0, 2)


def test_sniff_wants_a_known_key() -> None:
    assert egd.sniff("; EV[Cup]\n") == ["EGD table"]
    assert egd.sniff("; XY[Cup]\n;name=Cup\n") == []


def test_days_in_the_wrong_order_are_swapped() -> None:
    head = HEAD.replace("[2025-05-01,2025-05-02]", "[2025-05-02,2025-05-01]")
    reading = small("1 Aa Ann 1d BE X 0 2+/w0", "2 Bb Bob 1d BE X 0 1-/b0", head=head)
    assert [(g.date, g.start) for g in games(reading.sheet)] == [("2025-05-02", "2025-05-01")]
