"""`arpad explain`: the last period, one event, one round; as sentences, terms and a curve."""

from __future__ import annotations

import csv
import io
import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from arpad.formats.plot import Point, svg

CLUB = ("explain", "games.csv", "--ruleset", "us-table-tennis", "--players", "players.csv")
GO = ("explain", "spring.h9", "--ruleset", "belgian-go")


def test_the_last_period_in_sentences(arpad) -> None:
    done = arpad(*CLUB, "--player", "Daniel Okonkwo")
    assert (done.status, done.err) == (0, "")
    assert "Before: 1795" in done.out
    assert "against Ilse Vermeer (1695): 1–3, change −19.50" in done.out
    assert "After: 1775.50, shown as 1776" in done.out
    assert "Maja" not in done.out


def test_an_evening_without_a_name_is_its_day(arpad) -> None:
    done = arpad(*CLUB, "--player", "Daniel Okonkwo", "--event", "2025-09-05")
    assert done.status == 0
    assert "against Maja Lindqvist (1650): 3–2, change −5" in done.out


def test_an_event_and_a_round(arpad) -> None:
    done = arpad(*GO, "--player", "Vermeer Ilse", "--event", "spring tournament", "--round", "2")
    assert done.status == 0
    assert "Lindqvist Maja" in done.out
    assert "against Okonkwo Daniel" not in done.out


def test_terms_as_json(arpad) -> None:
    data = json.loads(arpad(*CLUB, "--player", "Daniel Okonkwo", "--format", "json").out)
    assert (data["player"], data["opening"], data["closing"]) == ("Daniel Okonkwo", 1795.0, 1775.5)
    game = data["items"][0]
    assert (game["kind"], game["opponent"], game["rated"]) == ("game", "Ilse Vermeer", True)
    # 1795 - 1695: 64 per cent by the table; 1-3 is 25
    wanted = {"pv": 64, "pw": 25, "k": 50.0, "expected": 0.64, "unrounded": -19.5, "change": -19.5}
    assert {name: game["terms"][name] for name in wanted} == wanted


def test_terms_as_csv(arpad) -> None:
    out = arpad(*CLUB, "--player", "Daniel Okonkwo", "--format", "csv").out
    rows = [tuple(row.values()) for row in csv.DictReader(io.StringIO(out))]
    assert ("0", "period", "fact", "opening", "1795.0") in rows
    assert ("1", "game", "fact", "opponent", "Ilse Vermeer") in rows
    assert ("1", "game", "term", "opponent", "1695.0") in rows


def test_a_player_whom_nobody_knows(arpad) -> None:
    done = arpad(*CLUB, "--player", "Daniel Okonko")
    assert (done.status, done.out) == (1, "")
    assert "arpad: player-unknown: There is no player 'Daniel Okonko'. Nearest: Daniel Okonkwo." in done.err


def test_an_event_or_round_that_is_none(arpad) -> None:
    done = arpad(*GO, "--player", "Vermeer Ilse", "--event", "Autumn Tournament")
    assert done.status == 1
    assert "event-unknown" in done.err
    assert "Spring Tournament" in done.err
    done = arpad(*GO, "--player", "Vermeer Ilse", "--round", "7")
    assert done.status == 1
    assert "round-unknown" in done.err


def test_a_curve(arpad, folder: Path) -> None:
    done = arpad(*CLUB, "--player", "Daniel Okonkwo", "--plot", "curve.svg")
    assert done.status == 0
    picture = ElementTree.parse(folder / "curve.svg").getroot()
    name = "{http://www.w3.org/2000/svg}"
    titles = [title.text for title in picture.iter(f"{name}title")]
    assert titles == [
        "Daniel Okonkwo (us-table-tennis)",
        "2025-09-05: 1800",
        "2025-09-05: 1795",
        "2025-09-12: 1775.5",
    ]
    heights = [float(circle.get("cy", "")) for circle in picture.iter(f"{name}circle")]
    assert heights[0] < heights[1] < heights[2]  # down the page, as the rating


def test_no_curve_where_the_player_is_unknown(arpad, folder: Path) -> None:
    assert arpad(*CLUB, "--player", "Nobody", "--plot", "curve.svg").status == 1
    assert not (folder / "curve.svg").exists()


def test_curves_of_one_point_of_none_and_with_a_gap() -> None:
    assert b"<path" not in svg("nobody & <co>", [Point(738000, None)])
    assert b"nobody &amp; &lt;co&gt;" in svg("nobody & <co>", [])
    assert svg("one", [Point(738000, 1500.0)]).count(b"<circle") == 1
    gap = [Point(738000, 1500.0), Point(738030, None), Point(738060, 1450.0)]
    path = ElementTree.fromstring(svg("gap", gap)).find("{http://www.w3.org/2000/svg}path")
    assert path is not None
    assert path.get("d", "").count("M") == 2
