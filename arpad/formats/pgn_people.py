"""The players of a PGN file: each spelling is read once, and what the tags tell of a person is kept."""

from __future__ import annotations

import re
from collections import Counter

from arpad.domain.play import Application
from arpad.domain.problems import HELD, NOTE, WARNING
from arpad.formats.pgn_scan import RawGame, Tag, column, text_of
from arpad.formats.reading import Findings, clean, has_invisible, is_lost
from arpad.formats.trf_people import TITLES
from arpad.ledger.ledger import fold
from arpad.ledger.sheet import Sheet, SheetPerson

UNKNOWN, BYE, REFUSED = -1, -2, -3  # instead of a player's number
NAME_LIMIT = 200  # characters
_UNKNOWN = re.compile(r"[?-]|\?, ?\?|n\.?[ ,]*n\.?|anonymous|unknown", re.IGNORECASE)
_BYE = re.compile(r"bye|\(bye\)|spielfrei|freilos|exempt|vrij|walkover", re.IGNORECASE)
_LONGEST_WORD = 9  # letters of the words above
_FIDE_ID = re.compile(rb"[1-9][0-9]{3,10}\Z")
_RATING = re.compile(rb"[0-9]{1,4}\Z")
_NO_RATING = (b"", b"?", b"-", b"0")
_OTHER_TITLES = {"BOT", "", "-", "?"}
SIDES = (b"white", b"black")


def is_plain_text(raw: bytes) -> bool:
    """Whether a value is what it shows: letters of ASCII that say something, single blanks, no escapes."""
    if raw.isalnum():  # of ASCII, as bytes are
        return True
    if not raw.isascii() or b"\\" in raw or not raw.strip(b" ?-"):
        return False
    text = raw.decode("ascii")
    return text.isprintable() and clean(text) == text


class Person:
    """What was told of a player so far."""

    __slots__ = ("club", "fide", "first", "line", "rated_on", "rating", "title")

    def __init__(self, line: int, day: int) -> None:
        self.line, self.first = line, day  # day of the earliest game
        self.rating, self.rated_on = 0, 0  # in the earliest game that has one
        self.fide = self.title = self.club = ""


class People:
    """Numbers of the sheet by spelling. `known` is asked by the quick reader, too."""

    def __init__(self, sheet: Sheet, findings: Findings) -> None:
        self.sheet, self.findings = sheet, findings
        self.known: dict[bytes, int] = {}
        self.people: list[Person] = []  # by the sheet's number
        self.unrated: set[int] = set()  # players without a rating so far
        self.latest = 0  # the latest of all first days
        self._by_id: dict[tuple[int, str], int] = {}
        self._titles: dict[bytes, str] = {}

    def number(self, raw: RawGame, side: bytes) -> int:
        """The player's number, or UNKNOWN, BYE or REFUSED; what is wrong with the name is told."""
        tag = raw.tags.get(side)
        if tag is None or not tag.value.strip():
            place = (raw.line, 1) if tag is None else (tag.line, column(tag.text, tag.at))
            message = f"The game has no name for {side.decode().title()}."
            self.findings.add("player-name-missing", HELD, message, "Enter the name.", *place)
            return REFUSED
        found = self.known.get(tag.value)
        if found is None:
            found = self._read(tag, raw.line)
        if found == UNKNOWN:
            message = (
                f"'{text_of(tag.value).strip()[:40]}' stands for nobody who is known; no person is made."
            )
            place = (tag.line, column(tag.text, tag.at))
            self.findings.add("player-placeholder", WARNING, message, "Enter the name.", *place)
        return found

    def _read(self, tag: Tag, line: int) -> int:
        name = self.text(tag)
        place = (tag.line, column(tag.text, tag.at))
        if len(name) > NAME_LIMIT:
            message = f"The name has {len(name)} characters; {NAME_LIMIT} are the limit."
            self.findings.add("cell-too-long", HELD, message, "Shorten it.", *place)
            return REFUSED
        if not name or _UNKNOWN.fullmatch(name) or _BYE.fullmatch(name):
            found = BYE if _BYE.fullmatch(name) else UNKNOWN
            self.known[tag.value] = found
            return found
        if is_lost(name):
            self.findings.add("text-name-lost", WARNING, f"The name '{name}' is lost.", "Enter it.", *place)
            return self._add(f"{name} (line {tag.line})", line)
        found = self.known[tag.value] = self._add(name, line)
        return found

    def text(self, tag: Tag) -> str:
        """A value without its escapes, cleaned; what is odd about it is told."""
        raw = tag.value
        if b"\\" in raw:
            raw = re.sub(rb'\\(["\\])', rb"\1", raw)
        text, findings = text_of(raw), self.findings
        if text.isascii() and text.isprintable():
            return clean(text)
        place = (tag.line, column(tag.text, tag.at))
        try:
            raw.decode("utf-8")
        except UnicodeDecodeError:
            message = f"No UTF-8; read as Windows-1252: {clean(text)[:80]}"
            findings.add("text-not-utf8", WARNING, message, "Check the accented names.", *place)
        if "\ufffd" in text:
            message = f"Bytes that are no character: {clean(text)[:80]}"
            findings.add("text-undecodable", WARNING, message, "Correct the name.", *place)
        if "Ã" in text or "Â" in text:
            self._tell_twice_encoded(text, place)
        if has_invisible(text):
            message = f"Invisible characters were removed from {clean(text)[:80]}"
            findings.add("text-control-char", WARNING, message, "", *place)
        return clean(text)

    def _tell_twice_encoded(self, text: str, place: tuple[int, int]) -> None:
        try:
            repaired = text.encode("cp1252").decode("utf-8")
        except (UnicodeEncodeError, UnicodeDecodeError):
            return
        message, remedy = f"Accents are encoded twice: {text[:80]}", f"It may have been: {repaired[:80]}"
        self.findings.add("text-mojibake", WARNING, message, remedy, *place)

    def is_plain(self, raw: bytes) -> bool:
        """Whether a spelling is a name of plain letters, of which nothing has to be told."""
        if not is_plain_text(raw) or len(raw) > NAME_LIMIT:
            return False
        if len(raw) > _LONGEST_WORD and raw.isalnum():
            return True
        name = raw.decode("ascii")
        return not is_lost(name) and not _UNKNOWN.fullmatch(name) and not _BYE.fullmatch(name)

    def add_plain(self, raw: bytes, line: int) -> int:
        """A new player by such a spelling."""
        found = self.known[raw] = self._add(raw.decode("ascii"), line)
        return found

    def _add(self, name: str, line: int) -> int:
        number = self.sheet.player(name)
        if number == len(self.people):
            self.people.append(Person(line, 0))
            self.unrated.add(number)
        return number

    # --- what the tags tell ---------------------------------------------------------------------

    def with_id(self, number: int, raw: RawGame, side: bytes) -> int:
        """The number of who has that name and the game's FIDE id: another id is another person."""
        tag = raw.tags.get(side + b"fideid")
        value = tag.value.strip() if tag is not None else b""
        if tag is None or not value.strip(b"0?-"):
            return number
        if not _FIDE_ID.match(value) or not value.strip(b"1"):
            message = f"'{text_of(value)[:40]}' cannot be a FIDE id and is ignored."
            place = (tag.line, column(tag.text, tag.at))
            self.findings.add("player-id-shape", WARNING, message, "Correct it.", *place)
            return number
        fide = value.decode("ascii")
        person = self.people[number]
        person.fide = person.fide or fide
        if person.fide == fide:
            return number
        found = self._by_id.get((number, fide))
        if found is None:
            name = self.sheet.players[number]
            message = f"'{name}' has the FIDE ids {person.fide} and {fide}; taken as two persons."
            remedy = "Confirm that they are two, or correct the id."
            place = (tag.line, column(tag.text, tag.at))
            self.findings.add("player-same-name", WARNING, message, remedy, *place)
            found = self._by_id[number, fide] = self._add(f"{name} (FIDE {fide})", raw.line)
            self.people[found].fide = fide
        return found

    def tell(self, number: int, raw: RawGame, side: bytes, day: int) -> None:
        """Keep what one game tells of one of its players."""
        self.meet(number, day, self._rating(raw.tags.get(side + b"elo")))
        person = self.people[number]
        if not person.title and (tag := raw.tags.get(side + b"title")) is not None:
            person.title = self._title(tag)
        if not person.club and (tag := raw.tags.get(side + b"team")) is not None:
            person.club = self.text(tag)[:NAME_LIMIT]

    def meet(self, number: int, day: int, rating: int) -> None:
        """A game of a player; the rating of the earliest one is kept. 0: none."""
        person = self.people[number]
        if not person.first or day < person.first:
            person.first = day
            self.latest = max(self.latest, day)
        if rating and (not person.rating or day < person.rated_on):
            person.rating, person.rated_on = rating, day
            self.latest = max(self.latest, day)
            self.unrated.discard(number)

    def _rating(self, tag: Tag | None) -> int:
        value = tag.value.strip() if tag is not None else b""
        if tag is None or value in _NO_RATING:
            return 0
        if not _RATING.match(value):
            message = f"The rating '{text_of(value)[:40]}' is no whole number and is ignored."
            place = (tag.line, column(tag.text, tag.at))
            self.findings.add("player-rating-shape", WARNING, message, "Enter it.", *place)
            return 0
        return int(value)

    def _title(self, tag: Tag) -> str:
        found = self._titles.get(tag.value)
        if found is None:
            text = text_of(tag.value).strip().upper()
            found = text if text in TITLES else ""
            if not found and text not in _OTHER_TITLES:
                message = f"'{text[:40]}' is no title that is known; left out."
                place = (tag.line, column(tag.text, tag.at))
                self.findings.add("player-title-unknown", NOTE, message, "Write GM, WFM ...", *place)
            self._titles[tag.value] = found
        return found

    # --- the whole file -------------------------------------------------------------------------

    def finish(self, first_ratings: bool) -> None:
        """Hand the people over to the sheet, with their first ratings where these are wanted."""
        shared = Counter(person.fide for person in self.people if person.fide)
        folded: dict[str, int] = {}
        applications: dict[float, Application] = {}  # players of one rating share one
        for number, (name, person) in enumerate(zip(self.sheet.players, self.people, strict=True)):
            ids = (("fide", person.fide),) if person.fide else ()
            if person.fide and shared[person.fide] > 1:
                message = f"{shared[person.fide]} names carry the FIDE id {person.fide}; it is not used."
                remedy = "Write the name in one way, or correct the id."
                self.findings.add("player-same-id", HELD, message, remedy, person.line)
                ids = ()
            other = folded.setdefault(
                name.casefold() if name.isascii() and "`" not in name else fold(name), number
            )
            if other != number:
                message = (
                    f"'{self.sheet.players[other]}' and '{name}' differ only in case, accents or apostrophes."
                )
                remedy = "If it is one person, write the name in one way."
                self.findings.add("player-similar-name", WARNING, message, remedy, person.line)
            rating = float(person.rating) if person.rating else None
            if rating is not None and first_ratings:
                application = applications.get(rating)
                if application is None:
                    application = applications[rating] = Application(rating=rating)
                self.sheet.first_rating(name, application, person.first, person.line)
            if ids or rating is not None or person.title or person.club:
                self.sheet.people[name] = SheetPerson(
                    name, ids, title=person.title, club=person.club, rating=rating, line=person.line
                )
