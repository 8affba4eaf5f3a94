"""Rating lists of go: the European database's, the French and the American federation's."""

from __future__ import annotations

from pathlib import Path

import pytest

from arpad.domain.dates import day_text
from arpad.domain.problems import Refused
from arpad.formats import files, registry
from arpad.formats.ratinglist import RatingList
from arpad.formats.reading import Reading
from arpad.ledger.sheet import SheetPerson
from tests.formats.helpers import FILES, TODAY, found, refused

EGD = (FILES / "egd-list.html").read_bytes().decode("iso8859-15")
FFG = (FILES / "ech_ffg.txt").read_bytes().decode("iso8859-15")
AGA = (FILES / "TDListA.txt").read_text("utf-8")


def read(text: str, **told: str) -> Reading:
    answers = {name.replace("_", "-"): value for name, value in told.items()}
    return registry.read(text.encode(), "f", today=TODAY, told=answers)


def detail(reading: Reading) -> tuple[str, str, int, int]:
    assert isinstance(reading.detail, RatingList)
    return day_text(reading.detail.date), *reading.detail[1:4]


def people(reading: Reading) -> list[SheetPerson]:
    assert list(reading.sheet.people) == reading.sheet.players
    return list(reading.sheet.people.values())


def egd(pin: str) -> tuple[tuple[str, str], ...]:
    return (("egd", pin),)


def licence(number: str) -> tuple[tuple[str, str], ...]:
    return (("licence", number),)


def test_the_european_list() -> None:
    reading = registry.read(FILES / "egd-list.html", today=TODAY)
    assert (reading.format, reading.games) == ("EGD player list", 0)
    assert detail(reading) == ("2026-01-05", "EGF", 5, 1)
    assert people(reading) == [
        SheetPerson("Voorbeeld Noor", egd("10000001"), "", "", "", "BE", "Lind", 2204, "2d", 6),
        SheetPerson("van der Fictief Jop", egd("10000002"), "", "", "", "NL", "Delf", -35, "21k", 7),
        SheetPerson("Müster Ada", egd("10000004"), "", "", "", "", "", 2790, "4p", 9),
        SheetPerson("Okabe", egd("10000005"), "", "", "", "JP", "Toky", -900, "30k", 10),
        SheetPerson("Voorbeeld Noor (10000006)", egd("10000006"), "", "", "", "DE", "B", 2010, "1k", 11),
    ]
    assert found(reading.problems) == [("player-placeholder", 8, 1), ("text-not-utf8", 9, 13)]


def test_the_french_list() -> None:
    reading = registry.read(FILES / "ech_ffg.txt", today=TODAY)
    assert reading.format == "FFG player list"
    assert detail(reading) == ("2026-01-05", "FFG", 4, 0)
    assert people(reading) == [
        SheetPerson("EXEMPLE Lou", licence("0000001"), federation="FR", club="75Xx", rating=104, line=2),
        SheetPerson("VAN DER FICTIEF Jop", licence("00A0002"), federation="NL", rating=-272, line=3),
        SheetPerson("SANSNIVÉAU Ana", (), federation="FR", club="69Xx", line=4),
        SheetPerson("OKABE Ren", licence("0000004"), club="31Xx", rating=-850, line=5),
    ]
    assert found(reading.problems) == [("list-no-rating", 1, 1), ("text-not-utf8", 4, 8)]


def test_the_american_list() -> None:
    reading = registry.read(FILES / "TDListA.txt", today=TODAY)
    assert reading.format == "AGA member list"
    assert detail(reading) == ("", "AGA", 3, 1)
    assert people(reading) == [
        SheetPerson("Sample Noor", (("aga", "7001"),), club="LIND", rating=2.35, line=1),
        SheetPerson("van der Fictief Jop", (("aga", "7002"),), rating=-8.25, line=2),
        SheetPerson("Okabe Ren", (("aga", "7004"),), line=4),
    ]
    assert found(reading.problems) == [
        ("list-no-rating", 1, 1), ("list-date-missing", 1, 1), ("player-placeholder", 3, 1),
    ]  # fmt: skip


def test_a_day_that_is_told() -> None:
    assert detail(read(AGA, list_day="2026-02-01"))[0] == "2026-02-01"
    assert detail(read(EGD, list_day="2026-02-01"))[0] == "2026-02-01"
    for day, code in (("soon", "date-unreadable"), ("2036-01-01", "date-future")):
        with pytest.raises(Refused) as caught:
            read(AGA, list_day=day)
        assert code in {problem.code for problem in caught.value.problems}


@pytest.mark.parametrize(
    ("text", "old", "new", "problem"),
    [
        (EGD, "(05 Jan 2026)", "", ("list-date-missing", 1, 1)),
        (EGD, "(05 Jan 2026)", "(35 Jan 2026)", ("list-date-missing", 1, 1)),
        (EGD, "10000002", "10000001", ("list-duplicate-id", 7, 1)),
        (EGD, "Delf   21k", "Delf   31k", ("player-rank-shape", 7, 61)),
        (EGD, "21k   --    -35", "21k   --       ", ("list-row-unreadable", 7, 1)),
        (EGD, "10000002", "11111111", ("player-placeholder", 7, 1)),
        (EGD, "van_der_Fictief", "Anonymous      ", ("player-placeholder", 7, 1)),
        (EGD, "van_der_Fictief Jop", " " * 400, ("list-row-unreadable", 7, 1)),
        (FFG, "05/01/2026", "05/13/2026", ("list-date-missing", 1, 1)),
        (FFG, "00A0002", "0000001", ("list-duplicate-id", 3, 1)),
        (FFG, "-272 e", "     e", ("list-row-unreadable", 3, 1)),
        (FFG, "VAN DER FICTIEF Jop", " " * 19, ("player-placeholder", 3, 1)),
        (AGA, "7002", "7001", ("list-duplicate-id", 2, 1)),
        (AGA, "-8.25", "-0.25", ("player-rating-shape", 2, 33)),
        (AGA, "7002\tYouth", "Youth", ("list-row-unreadable", 2, 1)),
    ],
)
def test_what_is_told(text: str, old: str, new: str, problem: tuple[str, int, int]) -> None:
    assert old in text
    assert problem in found(read(text.replace(old, new, 1)).problems)
    assert problem not in found(read(text).problems)


def test_a_list_without_anybody() -> None:
    assert ("player-none", 1, 1) in refused("#Echelle au 05/01/2026 07:56:59\n")


def test_a_list_has_no_games_to_rate() -> None:
    with pytest.raises(Refused) as caught:
        files.read(FILES / "egd-list.html", today=TODAY)
    assert "file-no-games" in {problem.code for problem in caught.value.problems}


def test_a_real_list(samples: Path) -> None:
    """The first rows of the list of 22 February 2018: one undefined, the last one counted by hand."""
    reading = registry.read(samples / "lists" / "egd_allworld_head.txt", today=TODAY)
    assert detail(reading) == ("2018-02-22", "EGF", 13, 1)
    last = people(reading)[-1]
    assert (dict(last.ids)["egd"], last.rank, last.rating) == ("17625630", "6k", 1518)
    assert sum(person.federation == "" for person in people(reading)) == 1
