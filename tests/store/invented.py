"""Invented people and spellings of their names by written rules; nothing here uses the code under test.

`people(n)` are n names; `pairs(names)` are (spelling, index of the person it was made from, rule). The
spellings are what officers meet in files: accents lost, initials, "Last, First", the order changed, one
typing error, particles written in another way.
"""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Callable


def _words(text: str) -> list[str]:
    return text.split()


GIVEN = _words("""
Aad Adriaan Agnès Aïcha Alice Amélie An Anaïs Andrée Anke Annelies Antoine Arno Arthur Astrid Bart
Bénédicte Benoît Bernd Birgit Björn Bram Brigitte Camille Carla Cécile Chloé Christophe Claire Daan
Daniël Dirk Dorien Edith Élise Emiel Emma Eric Erwin Esther Étienne Eva Ewout Fabienne Fatima Femke
Filip Floor Florian François Frédéric Frieda Geert Gérard Gerda Gijs Godelieve Greet Guido Günther Hanna
Hannelore Heidi Hélène Hendrik Hilde Hugo Ignace Ilse Inès Ingrid Irène Isabelle Ivo Jacqueline Jan Jef
Jelle Jérôme Joachim Joke Joost Jörg Joris Jozef Julie Jürgen Kaat Karel Karin Kasper Katrien Koen Kris
Lars Laurence Leen Léon Lien Lies Lieve Loïc Lotte Louise Luc Lucas Ludo Maarten Magali Maja Manon
Marcel Margot Marijke Marlies Martine Mathias Maud Maxime Mehmet Mieke Mila Mohamed Monique Myriam Nadia
Nathalie Nele Nicolas Nina Noël Noémie Noor Norbert Olga Oscar Pascal Patrice Paul Peggy Peter Philippe
Pierre Piet Quinten Raf Régine Reinhilde Renée Rik Rita Robin Roos Ruben Sabine Sam Sander Sara
Sébastien Senne Simon Sofie Stijn Sven Sylvie Théo Thérèse Thijs Tim Tine Tom Ulla Ursula Valérie Veerle
Victor Vincent Wannes Wim Wouter Xavier Yannick Yves Zeynep Zoé
""")
STEMS = _words("""
Aarts Abeel Baert Bakker Bal Barbé Beck Bels Bervoets Beyens Blom Boeckx Bogaert Bonnet Boon Bosch
Bracke Brunet Buyse Callens Caron Ceulemans Claes Clément Colman Coppens Cornet Crèvecœur Cuypers Daems
Dardenne Deckers Delcourt Denayer Devos Dierckx Dobbelaere Dubois Dupré Engels Evrard Fabry Faes Ferrer
Fischer Fontaine François Geens Gérardy Gielen Goethals Goossens Goris Grégoire Haas Hellemans Hendrickx
Hermans Hoste Huybrechts Jäger Jacobs Janssens Joris Kaya Keller Kerkhofs Köhler Koster Lambrecht
Lammens Laurent Leclercq Lefèvre Lemaître Lenaerts Leroy Lievens Linden Luyten Maes Marchal Maréchal
Martens Mertens Michiels Moens Möller Moreau Mulder Müller Neyt Nijs Noël Nuyts Ooms Özdemir Pauwels
Peeters Pieters Pirard Poelman Pottier Quintin Raes Renard Rijckaert Roelants Rosseel Rousseau Sabbe
Schäfer Schepers Segers Simonis Smets Snoeck Somers Staes Stevens Swinnen Thijs Thomé Timmermans Tytgat
Uyttersprot Verbeke Vercruysse Verdonck Verhaegen Vermeer Verstraete Vissers Vlaminck Vrancken Wagemans
Wauters Weber Willems Wouters Wuyts Ysebaert Zegers Zimmermann
""")
CORES = _words("""
Abeele Acker Aken Bempt Berg Bergh Bosch Bossche Broeck Brande Bulck Bussche Casteele Cauter Dael Damme
Driessche Eede Eynde Geest Gucht Haute Heuvel Hoeck Hove Kerckhove Keybus Linden Meersch Meulen Moortel
Perre Plas Poel Putte Rijn Roost Steen Straeten Velde Ven Vliet Voorde Walle Weghe Weyer Wiele Zande
""")
PARTICLES = ["Van", "Van den", "Van der", "Van de", "De", "van den", "de", "van der", "von", "du"]
QUOTED = ["D’", "’t ", "’s-", "d’"]
QUOTED_CORES = _words("""
Hondt Hoop Arville Hart Hooft Gravenmade Haese Hulst Hertoghe Serstevens
""")


def people(count: int, seed: int = 1) -> list[tuple[str, str, str]]:
    """(given, particle, core) of different people; no two have the same name when accents are left off."""
    random_ = random.Random(seed)
    found: dict[str, tuple[str, str, str]] = {}
    while len(found) < count:
        given = random_.choice(GIVEN)
        if random_.random() < 0.06:
            given = f"{given}-{random_.choice(GIVEN)}"
        draw = random_.random()
        if draw < 0.65:
            name = (given, "", random_.choice(STEMS))
            if random_.random() < 0.15:
                name = (given, "", f"{name[2]}-{random_.choice(STEMS)}")
        elif draw < 0.95:
            name = (given, random_.choice(PARTICLES) + " ", random_.choice(CORES))
        else:
            name = (given, random_.choice(QUOTED), random_.choice(QUOTED_CORES))
        found.setdefault(bare("".join(name)).lower(), name)
    return list(found.values())


def full(name: tuple[str, str, str]) -> str:
    return f"{name[0]} {name[1]}{name[2]}"


def bare(text: str) -> str:
    """Without accents, as an old program exports it."""
    text = text.replace("œ", "oe").replace("’", "'")
    return "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))


def _initials(given: str) -> str:
    return "-".join(f"{part[0]}." for part in given.split("-"))


def _typo(word: str, random_: random.Random) -> str:
    """One slip of the fingers in a word."""
    at = random_.randrange(len(word))
    letter = random_.choice("abcdefghijklmnopqrstuvwxyz")
    kind = random_.randrange(4)
    if kind == 0 and len(word) > 3:
        return word[:at] + word[at + 1 :]
    if kind == 1:
        return word[:at] + letter + word[at:]
    if kind == 2 and len(word) > 3:
        return word[:at] + letter + word[at + 1 :]
    at = min(at, len(word) - 2)
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def accents_lost(n: tuple[str, str, str], r: random.Random) -> str:
    return bare(full(n))


def capitals(n: tuple[str, str, str], r: random.Random) -> str:
    return f"{n[0]} {n[1].upper()}{n[2].upper()}"


def initials(n: tuple[str, str, str], r: random.Random) -> str:
    return f"{_initials(n[0])} {n[1]}{n[2]}"


def last_first(n: tuple[str, str, str], r: random.Random) -> str:
    return f"{n[1]}{n[2]}, {n[0]}"


def core_first(n: tuple[str, str, str], r: random.Random) -> str:
    return f"{n[2]}, {n[0]} {n[1]}".strip()


def last_initials(n: tuple[str, str, str], r: random.Random) -> str:
    return f"{n[2]}, {_initials(n[0])} {n[1]}".strip()


def turned(n: tuple[str, str, str], r: random.Random) -> str:
    return f"{n[1]}{n[2]} {n[0]}"


def typo_family(n: tuple[str, str, str], r: random.Random) -> str:
    return f"{n[0]} {n[1]}{_typo(n[2], r)}"


def typo_given(n: tuple[str, str, str], r: random.Random) -> str:
    return f"{_typo(n[0], r)} {n[1]}{n[2]}"


def typo_turned(n: tuple[str, str, str], r: random.Random) -> str:
    return bare(f"{n[1]}{_typo(n[2], r)} {n[0]}")


def particle_other(n: tuple[str, str, str], r: random.Random) -> str:
    """Particles left off, run together, shortened, or with another apostrophe."""
    given, particle, core = n
    if not particle:
        return f"{given} {core}".replace("-", " ")
    plain = particle.strip().lower()
    ways = [f"{given} {core}", f"{given} {(particle.replace(' ', '') + core.lower()).strip('’')}"]
    if plain.startswith("van de"):
        ways += [f"{given} v.d. {core}", f"{given} vd {core}", f"{given} v/d {core}"]
    if "’" in particle:
        ways = [f"{given} {particle.replace('’', mark)}{core}" for mark in "'`´"]
    return r.choice(ways)


def umlaut(n: tuple[str, str, str], r: random.Random) -> str:
    pairs = {"ä": "ae", "ö": "oe", "ü": "ue", "Ö": "Oe", "Ü": "Ue", "ij": "y"}
    text = full(n)
    for one, two in pairs.items():
        text = text.replace(one, two)
    return text


Rule = Callable[[tuple[str, str, str], random.Random], str]
RULES: list[Rule] = [
    accents_lost, capitals, initials, last_first, core_first, last_initials, turned, typo_family, typo_given,
    typo_turned, particle_other, umlaut,
]  # fmt: skip


def pairs(names: list[tuple[str, str, str]], count: int = 2000, seed: int = 2) -> list[tuple[str, int, str]]:
    """(spelling, index into names, rule): every rule in turn, over people drawn at random."""
    random_ = random.Random(seed)
    made = []
    for number in range(count):
        rule, person = RULES[number % len(RULES)], random_.randrange(len(names))
        made.append((rule(names[person], random_), person, rule.__name__))
    return made
