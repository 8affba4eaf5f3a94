"""What columns are called in English, Dutch, French and German, and what fields they stand for."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

SETS = 7  # columns of one set each, at most
# field | English | Dutch | French | German; a star makes a name weak: any other column of the field wins
_NAMES = """
date | date, day, played, played on, match date, timestamp | datum, speeldatum, dag, gespeeld, gespeeld op \
| date, jour, date de jeu, joue le | datum, tag, gespielt am, spieldatum, spieltag
time | time, hour | tijd, uur, aanvang | heure | zeit, uhrzeit, beginn*
event | event, tournament, competition | toernooi, evenement, competitie, wedstrijd* \
| tournoi, epreuve, competition, evenement | turnier, veranstaltung, wettbewerb
class | tournament class, category of event | toernooiklasse | | turnierklasse
group | group, pool, section, category*, division*, league*, class* | poule, groep, afdeling, reeks, \
categorie*, klasse* | poule, groupe, serie, division* | gruppe, staffel, kategorie*, liga*
round | round, rd, week, match day, stage | ronde, r, rnd, speelweek, week | ronde, tour, journee, semaine \
| runde, rd, woche
board | board, table, game no, no*, number* | bord, tafel, partij, nr*, partijnr | echiquier, table, no*, \
partie | brett, tisch, nr*, spiel, partie
match | match, match no, match id, fixture | wedstrijdnr, wedstrijdnummer, match | rencontre | begegnung
player1 | white, home, player, first player, name* | wit, thuis, speler, thuisspeler, eerste speler, naam* \
| blancs, blanc, domicile, recevant, joueur, premier joueur, nom* \
| weiss, heim, spieler, heimspieler, erster spieler, name*
player2 | black, away, opponent, visitor, second player \
| zwart, uit, bezoeker, tegenstander, uitspeler, tweede speler \
| noirs, noir, exterieur, visiteur, adversaire, second joueur, deuxieme joueur \
| schwarz, gast, auswarts, gegner, gastspieler, zweiter spieler
result | result, score*, outcome, result sets, sets result, set result | uitslag, resultaat, score*, stand* \
| resultat, score* | ergebnis, resultat, ausgang
running | result game, game result, running score, game score | tussenstand | score courant | zwischenstand
match_score | match score, match result | wedstrijduitslag, wedstrijdscore | score du match | spielstand
winner | winner, won by, won | winnaar, gewonnen door | vainqueur, gagnant | sieger, gewinner
loser | loser | verliezer | perdant | verlierer
sets | set*, set scores, games*, points* | setstanden, punten per set | manche*, detail* \
| satzergebnisse, balle*
handicap | handicap, stones, hcp | stenen, voorgift | pierres | vorgabe, steine
komi | komi | | |
weight | weight, factor | gewicht, wegingsfactor | poids, coefficient | gewichtung, faktor
rated | rated, counts | telt mee, verwerkt | compte, homologue | gewertet, zahlt
remark | remark, note, comment | opmerking, bijzonderheden | remarque, observation, commentaire \
| bemerkung, anmerkung
team1 | home team | thuisteam, thuisploeg | equipe domicile | heimmannschaft
team2 | away team | uitteam, bezoekende ploeg | equipe visiteuse | gastmannschaft
place | place, venue, location | plaats, locatie, zaal | lieu, salle | ort
start | start, start date | begin, van | debut, du | von
end | end, end date | einde, tot | fin, au | ende, bis
"""
_PEOPLE = """
name | name, player, member | naam, speler, lid, deelnemer | nom*, joueur, nom prenom, nom et prenom, membre \
| name, spieler, mitglied, teilnehmer
first | first name, given name, forename, firstname | voornaam, roepnaam | prenom | vorname
last | last name, surname, family name, lastname | achternaam, familienaam | nom de famille | nachname, \
familienname
infix | | tussenvoegsel, tussenv | |
id | id, member id, code, member no, number*, no* \
| lidnummer, bondsnummer, bondsnr, knsb nr, stamnummer, \
relatienummer, relatiecode, lidnr, nr* | matricule, licence, numero, index, no* \
| mitgliedsnummer, passnummer, \
pkz, zps, lizenz, nr*
fide | fide id, fide no, fide | fide nr | id fide | fide nr
born | born, birth year, dob, birth date, date of birth, birthday, year of birth | geboren, geboortejaar, \
geboortedatum, gebdatum, geb | ne, naissance, annee de naissance, date de naissance, annee \
| geboren, jahrgang, geburtsjahr, geburtsdatum
sex | sex, gender | geslacht, m v | sexe | geschlecht
club | club, team* | vereniging, ploeg*, verenigingsnaam, club | club, equipe* | verein
federation | federation, fed, country, nation | land, bond, federatie | pays | verband
title | title, fide title | titel | titre | titel
rating | rating, elo, rtg | elo, klassement | elo, classement, cote | dwz, elo, ttr, wertung, wertungszahl
rank | rank, grade | graad, dan kyu | grade, niveau | grad, rang*
league | league, division, class* | klasse, divisie | division, classe | liga, klasse, spielklasse
percentage | percentage, win percentage | percentage, perc, winstpercentage | pourcentage | prozent
"""
_PRIVATE = (
    " email mail mailadres telephone telefoon telefon tel phone mobile mobiel gsm portable handy street "
    "straat rue strasse address adres adresse iban bank rekeningnummer bankrekening bsn "
)
_SIDES = {
    1: "1 a home white wit thuis thuisploeg heim weiss domicile recevant visite blanc blancs",
    2: "2 b away visitor black zwart uit bezoek bezoeker gast auswarts exterieur visiteur noir noirs",
}
_PARTS = {
    "player": "player speler joueur spieler name naam nom",
    "id": "id nr no licence lidnummer bondsnummer code",
    "team": "team ploeg equipe mannschaft club verein",
    "rating": "rating elo dwz ttr klassement rtg",
    "score": "score set sets points punten punkte manche manches satz satze",
    "league": "class klasse classe league",
    "rank": "rank grade graad",
}
_SET_WORDS = ("set", "game", "s", "manche", "satz")
_TAIL = ("name", "naam", "nom", "raw", "full")
LANGUAGES = ("en", "nl", "fr", "de")
GAME_FIELDS = (
    *(line.split(" | ")[0] for line in _NAMES.replace("\\\n", "").strip().splitlines()),
    "score1", "score2", "short1", "short2", "id1", "id2", "rating1", "rating2", "league1", "league2", "rank1",
    "rank2",
    *(f"set{number}" for number in range(1, SETS + 1)),
)  # fmt: skip
PEOPLE_FIELDS = tuple(line.split(" | ")[0] for line in _PEOPLE.replace("\\\n", "").strip().splitlines())


class Meaning(NamedTuple):
    """What a heading may stand for. `strength` 2 for a full name, 1 for a composed or weak one."""

    field: str
    strength: int
    languages: frozenset[str] = frozenset()


def plain(heading: str) -> str:
    """A heading as it is compared.

    >>> plain("Prénom (joueur)"), plain("Player1"), plain("home_id"), plain("Date_raw")
    ('prenom', 'player 1', 'home id', 'date')
    """
    text = heading.lower().replace("ß", "ss").replace("œ", "oe").replace("ø", "o")
    text = "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))
    text = re.sub(r"\(([^()]*)\)\s*$", lambda m: m[1] if m.start() == 0 else "", text)
    text = re.sub(r"[.:_\-/()#'’\s]+", " ", text).strip()
    words = re.sub(r"(?<=[a-z])(?=[0-9])", " ", text).split()
    if len(words) > 1 and words[-1] in _TAIL:
        words.pop()
    return " ".join(words)


@cache
def _table(text: str) -> dict[str, list[Meaning]]:
    found: dict[str, dict[str, tuple[int, set[str]]]] = {}
    for line in text.strip().splitlines():
        field, *columns = (part.strip() for part in line.split("|"))
        for language, column in zip(LANGUAGES, columns, strict=True):
            for name in filter(None, (part.strip() for part in column.split(","))):
                entry = found.setdefault(plain(name.rstrip("*")), {})
                strength, languages = entry.get(field, (0, set()))
                entry[field] = (max(strength, 1 if name.endswith("*") else 2), languages | {language})
    return {
        name: [Meaning(field, strength, frozenset(langs)) for field, (strength, langs) in entry.items()]
        for name, entry in found.items()
    }


@cache
def of_games(heading: str) -> tuple[Meaning, ...]:
    """The fields of a game that a heading may name, best first."""
    name = plain(heading)
    found = list(_looked_up(_table(_NAMES.replace("\\\n", "")), name))
    found += _set(name)
    if not found:
        found += _composed(name)
    return tuple(sorted(found, key=lambda meaning: -meaning.strength))


@cache
def of_people(heading: str) -> tuple[Meaning, ...]:
    """The fields of a person that a heading may name, best first."""
    name = plain(heading)
    first = re.sub(r"[_\s]+", " ", heading.strip().lower())
    table = _table(_PEOPLE.replace("\\\n", ""))
    # "first name" and "nom" keep the word that plain() takes for a remark
    found = list(_looked_up(table, first)) or list(_looked_up(table, name))
    if "%" in heading and not found:
        found = [Meaning("percentage", 2)]
    return tuple(sorted(found, key=lambda meaning: -meaning.strength))


def is_private(heading: str) -> bool:
    """Columns that are never read: addresses, telephones, bank accounts."""
    words = plain(heading).split()
    return any(f" {word} " in _PRIVATE for word in words)


def _looked_up(table: dict[str, list[Meaning]], name: str) -> Iterator[Meaning]:
    yield from table.get(name) or (table.get(name[:-1], []) if name.endswith("s") and len(name) > 3 else [])


def _set(name: str) -> Iterator[Meaning]:
    word, _, number = name.rpartition(" ")
    if word in _SET_WORDS and number.isdecimal() and 1 <= int(number) <= SETS:
        # "sets 1" and "score 1" are scores; "set 1" is the first set
        yield Meaning(f"set{int(number)}", 2)


def _composed(name: str) -> Iterator[Meaning]:
    """A side word and a field word, in either order, glued or apart."""
    words = name.split()
    pairs = [(words[0], " ".join(words[1:])), (words[-1], " ".join(words[:-1]))] if len(words) > 1 else []
    if len(words) == 1:
        cuts = range(2, len(name) - 1)
        pairs = [(name[:at], name[at:]) for at in cuts] + [(name[at:], name[:at]) for at in cuts]
    for side, part in pairs:
        number = next((number for number, known in _SIDES.items() if side in known.split()), 0)
        if len(words) == 3 and words[0] == "player" and words[1] in "12":  # player 2 score
            number, part = int(words[1]), words[2]
        field = next((field for field, known in _PARTS.items() if part in known.split()), "")
        if number and field:
            yield Meaning(
                f"{field}{number}", 1 if part not in ("player", "speler", "joueur", "spieler") else 2
            )
            return
