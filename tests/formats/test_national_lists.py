"""Rating lists of national federations, which are tables of people: columns as KNSB and KBSB name them."""

from __future__ import annotations

import pytest

from arpad.domain.play import Application
from arpad.formats.table import Detail
from arpad.ledger.sheet import SheetPerson
from tests.formats.helpers import read

DUTCH = """\
Relatienummer;Naam;Titel;FED;Rating;Nv;Geboren;S
7000001;Voorbeeld, Noor;WFM;NED;1812;12;2001;v
7000002;Hart, Jop 't;;NED;0;0;1999;m
"""
FRENCH = """\
Matricule,Nom,Prénom,Club,Elo,Fide,Sexe,Né
12345,Exemple,Loïc,601,1650,9900001,M,1987
12346,Ren Okabe,Ren,601,,,M,2009
"""
BELGIAN = """\
Stamnummer;Naam;Voornaam;Elo;FIDE Id;Geboortedatum;Geslacht
12345;van den Voorbeeld;Noor;1650;9900001;08-03-2001;V
12346;Okabe;Ren;1400;0;;M
"""


def national(number: int) -> tuple[str, str]:
    return ("national", str(number))


@pytest.mark.parametrize(
    ("text", "people"),
    [
        (DUTCH, [
            SheetPerson("Voorbeeld, Noor", (national(7000001),), "2001", "", "WFM", "NED", "", 1812, line=2),
            SheetPerson("Hart, Jop 't", (national(7000002),), "1999", "", "", "NED", "", None, line=3),
        ]),
        (FRENCH, [
            SheetPerson("Loïc Exemple", (national(12345), ("fide", "9900001")), "1987", "m", club="601",
                        rating=1650, line=2),
            SheetPerson("Ren Okabe", (national(12346),), "2009", "m", club="601", line=3),
        ]),
        (BELGIAN, [
            SheetPerson("Noor van den Voorbeeld", (national(12345), ("fide", "9900001")), "2001-03-08", "f",
                        rating=1650, line=2),
            SheetPerson("Ren Okabe", (national(12346),), "", "m", rating=1400, line=3),
        ]),
    ],
)  # fmt: skip
def test_people(text: str, people: list[SheetPerson]) -> None:
    reading = read(text)
    assert list(reading.sheet.people.values()) == people
    detail = reading.detail
    assert isinstance(detail, Detail)
    rated = {person.name: Application(rating=person.rating) for person in people if person.rating}
    assert detail.applications == rated
