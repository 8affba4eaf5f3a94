"""FIDE's rating lists: by hand, with everything they can get wrong, and larger than memory should hold."""

from __future__ import annotations

import gzip
import io
import tracemalloc
from pathlib import Path

import pytest

from arpad.domain.dates import day_text
from arpad.domain.problems import Refused
from arpad.formats import fidelist, registry
from arpad.formats.ratinglist import RatingList
from arpad.formats.reading import Reading
from arpad.ledger.sheet import SheetPerson
from tests.formats.helpers import FILES, TODAY, found, refused

SINGLE = (FILES / "fide-list.txt").read_text("utf-8")
COMBINED = (FILES / "fide-combined.txt").read_text("utf-8")
XML = (FILES / "fide-list.xml").read_text("utf-8")
HEAD, *ROWS = SINGLE.splitlines()
DOCTYPE = "<!DOCTYPE a [<!ENTITY b 'c'>]><playerslist>"
OLD = (
    "ID number Name                             TitlFed  Mar11 GamesBorn  Flag\n"
    " 9900001  Voorbeeld, Noor                  wc  BEL  1812  7    2001  w   \n"
    " 9900002  Okabe, Ren                       m   JPN  2431  12   1989  i   \n"
)


def read(text: str | bytes, file: str = "f", **told: str) -> Reading:
    answers = {name.replace("_", "-"): value for name, value in told.items()}
    data = text if isinstance(text, bytes) else text.encode()
    return registry.read(data, file, today=TODAY, told=answers)


def detail(reading: Reading) -> RatingList:
    assert isinstance(reading.detail, RatingList)
    return reading.detail


def people(reading: Reading) -> list[SheetPerson]:
    assert list(reading.sheet.people) == reading.sheet.players
    return list(reading.sheet.people.values())


def told(reading: Reading) -> tuple[str, str, set[str], list[float | None]]:
    """Day, system, who is inactive, ratings."""
    found = detail(reading)
    return day_text(found.date), found.system, set(found.inactive), [p.rating for p in people(reading)]


def fide(number: int) -> tuple[tuple[str, str], ...]:
    return (("fide", f"{9900000 + number}"),)


def test_a_single_list() -> None:
    reading = registry.read(FILES / "fide-list.txt", today=TODAY)
    assert reading.format == "FIDE list"
    assert told(reading)[:3] == ("2026-01-01", "FIDE", {"9900002", "9900004"})
    assert people(reading) == [
        SheetPerson("Voorbeeld, Noor", fide(1), "2001", "f", "WCM", "BEL", "", 1812, line=2),
        SheetPerson("Okabe, Ren", fide(2), "2009", "m", "", "JPN", "", None, line=3),
        SheetPerson("'t Hart, Jop", fide(3), "", "m", "FM", "NED", "", 2204, line=4),
        SheetPerson("Muster, Ada", fide(4), "1990", "f", "", "AUT", "", 1655, line=5),
        SheetPerson("Fictief, Bo", fide(5), line=7),
    ]
    assert found(reading.problems) == [("list-no-rating", 1, 1), ("list-duplicate-id", 6, 1)]


def test_the_combined_list_without_the_column_of_2010s_titles() -> None:
    standard = told(read(COMBINED, list_day="2026-01-01"))
    assert standard == ("2026-01-01", "FIDE standard", {"9900002"}, [1812, 1498, None])
    rapid = told(read(COMBINED, list_rating="rapid", list_day="2026-01-01"))
    assert rapid == ("2026-01-01", "FIDE rapid", set(), [1700, None, 2010])
    assert told(read(COMBINED, list_rating="blitz"))[3] == [1650, None, None]


def test_the_list_as_xml() -> None:
    reading = registry.read(FILES / "fide-list.xml", today=TODAY)
    assert reading.format == "FIDE list XML"
    assert told(reading) == ("", "FIDE standard", {"9900002"}, [1812, None, 2010])
    assert people(reading) == [
        SheetPerson("Voorbeeld, Noor", fide(1), "2001", "f", "WCM", "BEL", "", 1812, line=3),
        SheetPerson("Okabé & Ren", fide(2), "", "m", "", "JPN", "", None, line=18),
        SheetPerson("'t Hart, Jop", fide(3), "", "", "", "", "", 2010, line=19),
    ]
    assert told(read(XML, list_rating="rapid"))[3] == [1700, None, None]
    single = XML.replace("<rapid_rating>1700</rapid_rating>", "")
    assert told(read(single, list_rating="rapid"))[1:] == (
        "FIDE rapid", {"9900002"}, [1812, None, 2010],
    )  # fmt: skip


def test_the_higher_title_stands_first() -> None:
    reading = read(SINGLE.replace("WCM  WCM", "FM   WIM", 1))
    assert people(reading)[0].title == "FM"
    assert people(read(SINGLE.replace("WCM  WCM", "     WIM", 1)))[0].title == "WIM"


def test_the_list_of_2011() -> None:
    reading = read(OLD)
    assert told(reading) == ("2011-03-01", "FIDE", {"9900002"}, [1812, 2431])
    assert [(p.name, p.title, p.federation, p.birth) for p in people(reading)] == [
        ("Voorbeeld, Noor", "WCM", "BEL", "2001"), ("Okabe, Ren", "IM", "JPN", "1989"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("file", "day", "system"),
    [
        ("standard_jan26frl_xml.xml", "2026-01-01", "FIDE standard"),
        ("rapid_oct25.xml", "2025-10-01", "FIDE rapid"),
        ("players_list 2025-10.xml", "2025-10-01", "FIDE"),
        ("players_list_202510.xml", "2025-10-01", "FIDE"),
        ("from 2025-09 to 2025-10.xml", "", "FIDE"),
        ("standard and rapid.xml", "", "FIDE"),
        ("list 2025-13.xml", "", "FIDE"),
    ],
)
def test_day_and_kind_by_the_name_of_the_file(file: str, day: str, system: str) -> None:
    single = XML.replace("<rapid_rating>1700</rapid_rating>", "")
    reading = read(single, f"/somewhere/2019-01/{file}")
    assert told(reading)[:2] == (day, system)
    assert (("list-date-missing", 1, 1) in found(reading.problems)) == (not day)


def test_what_is_told_goes_before() -> None:
    assert told(read(SINGLE, list_day="2026-02-01", list_rating="blitz"))[:2] == ("2026-02-01", "FIDE blitz")


@pytest.mark.parametrize(
    ("text", "old", "new", "problem"),
    [
        (SINGLE, "9900002 ", "990000x ", ("list-row-unreadable", 3, 1)),
        (SINGLE, "JPN", "  J", ("list-row-unreadable", 3, 1)),
        (SINGLE, "JPN M", "JPN " + " " * 400 + "M", ("list-row-unreadable", 3, 1)),
        (SINGLE, "Okabe, Ren", "          ", ("player-placeholder", 3, 1)),
        (SINGLE, "1812", "18x2", ("player-rating-shape", 2, 114)),
        (SINGLE, "2001", "1785", ("player-birth-shape", 2, 127)),
        (SINGLE, "2001", "20 1", ("player-birth-shape", 2, 127)),
        (SINGLE, "BEL F", "BEL Z", ("player-sex-unknown", 2, 81)),
        (SINGLE, "FM ", "QM ", ("player-title-unknown", 4, 85)),
        (SINGLE, "JAN26", "SRtng", ("list-date-missing", 1, 1)),
        (SINGLE, "9900004 ", "9900001 ", ("list-duplicate-id", 5, 1)),
        (XML, "<rating>1812", "<rating>18.5", ("player-rating-shape", 3, 1)),
        (XML, "<rating>1812", "<rating>SI 1812", ("player-rating-shape", 3, 1)),
        (XML, "<fideid>9900002", "<fideid>", ("list-row-unreadable", 18, 1)),
        (XML, "<name>'t Hart, Jop</name>", "", ("player-placeholder", 19, 1)),
        (XML, "<fideid>9900003", "<fideid>9900001", ("list-duplicate-id", 19, 1)),
    ],
)
def test_what_is_told_of_a_row(text: str, old: str, new: str, problem: tuple[str, int, int]) -> None:
    assert old in text
    assert problem in found(read(text.replace(old, new, 1)).problems)
    assert problem not in found(read(text).problems)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (SINGLE.replace("Sex", "Cow", 1), ("list-header-unknown", 1, 81)),
        (SINGLE.replace("Sex", "Fed", 1), ("list-header-unknown", 1, 81)),
        (SINGLE.replace("JAN26", "     ", 1), ("list-header-unknown", 1, 1)),
        (SINGLE.replace("JAN26", "JAN27", 1), ("date-future", 1, 1)),
        (HEAD, ("player-none", 1, 1)),
        (SINGLE + "\0", ("file-binary", 8, 1)),
        (SINGLE + "x" * 2**21, ("line-too-long", 8, 1)),
        (XML.replace("</playerslist>", ""), ("file-truncated", 21, 1)),
        (XML[: XML.index("9900002")], ("file-truncated", 18, 17)),
        (XML.replace("</sex>", "</six>", 1), ("markup-invalid", 7, 9)),
        (XML.replace("<player>", "<club>", 1), ("schema-unknown", 3, 7)),
        (XML.replace("<k>", "<k><k>", 1), ("schema-unknown", 13, 7)),
        (XML.replace("<sex>", "<name>", 1).replace("</sex>", "</name>", 1), ("schema-unknown", 7, 15)),
        (XML.replace("<playerslist>", DOCTYPE), ("xml-forbidden", 1, 1)),
        (XML.replace("UTF-8", "UTF-88"), ("markup-invalid", 1, 1)),
        ("<playerslist></playerslist>", ("player-none", 1, 1)),
    ],
)  # fmt: skip
def test_what_is_refused(data: str, problem: tuple[str, int, int]) -> None:
    assert problem in refused(data, "FIDE list XML" if data.startswith("<") else "FIDE list")


@pytest.mark.parametrize(
    "answer", [{"list-rating": "bullet"}, {"list-day": "soon"}, {"first-day": "2026-01-01"}]
)
def test_answers_that_are_none(answer: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "f.txt").write_text(SINGLE)
    for source in (SINGLE.encode(), tmp_path / "f.txt"):
        with pytest.raises(Refused) as caught:
            registry.read(source, today=TODAY, told=answer)
        codes = {problem.code for problem in caught.value.problems}
        assert codes & {"list-rating-unknown", "date-unreadable", "answer-unknown"}


def test_names_in_another_encoding(tmp_path: Path) -> None:
    data = SINGLE.replace("Muster", "Müster").encode("cp1252")
    assert ("text-not-utf8", 5, 1) in found(read(data).problems)
    (tmp_path / "f.txt").write_bytes(data)
    for reading in (read(data), registry.read(tmp_path / "f.txt", today=TODAY)):
        assert people(reading)[3].name == "Müster, Ada"
        assert ("text-not-utf8", 5, 1) in found(reading.problems)
    assert people(read(SINGLE.replace("Muster", "Müster")))[3].name == "Müster, Ada"


def many(count: int) -> bytes:
    row = ROWS[0]
    return "\r\n".join(
        [HEAD, *(f"{number:<15}{row[15:]}" for number in range(10**6, 10**6 + count))]
    ).encode()


def test_a_long_list_is_read_in_parts(tmp_path: Path) -> None:
    """Whether it comes in parts, packed or not, or whole: the same people. Line ends may fall between."""
    data = many(9000)
    assert len(data) > 4 * 2**18
    whole = read(data)
    assert len(people(whole)) == 9000
    for name, content in (
        ("f.txt", data),
        ("f.gz", gzip.compress(data)),
        ("f.cr", data.replace(b"\r\n", b"\r")),
    ):
        (tmp_path / name).write_bytes(content)
        assert people(registry.read(tmp_path / name, today=TODAY)) == people(whole)


def test_a_damaged_packed_list(tmp_path: Path) -> None:
    (tmp_path / "f.gz").write_bytes(gzip.compress(many(9000))[:-200])
    with pytest.raises(Refused) as caught:
        registry.read(tmp_path / "f.gz", today=TODAY)
    assert found(caught.value.problems) == [("file-truncated", 1, 1)]


def test_only_some_rows_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "f.txt"
    path.write_bytes(many(15_000))
    tracemalloc.start()
    reading = registry.select(path, lambda key, name: key in ("1000007", "1014999"), today=TODAY)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [p.ids[0][1] for p in people(reading)] == ["1000007", "1014999"]
    assert [p.line for p in people(reading)] == [9, 15_001]
    assert peak < 5_000_000
    assert registry.select(path, lambda key, name: False, today=TODAY).sheet.people == {}


def test_a_limit_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(fidelist.LIMITS, "FIDE list", 1000)
    with pytest.raises(Refused) as caught:
        fidelist.read_stream(io.BytesIO(many(50)), "f", kind="FIDE list", today=TODAY)
    assert found(caught.value.problems) == [("file-too-large", 1, 1)]


def test_real_rows(samples: Path) -> None:
    """Counted with cut and grep: 8 rows, 7 ids, one of them twice, two with i, 5 with a standard rating."""
    reading = registry.read(samples / "lists" / "players_list_extract.txt", today=TODAY)
    assert told(reading)[1:] == (
        "FIDE standard", {"46668225", "25021044"}, [2633, 1498, 2676, 1638, 1606, None, None],
    )  # fmt: skip
    assert ("list-duplicate-id", 8, 1) in found(reading.problems)
    reading = registry.read(samples / "lists" / "players_list_xml_synthetic.xml", today=TODAY)
    assert told(reading)[2:] == ({"12500002"}, [2800, None])
