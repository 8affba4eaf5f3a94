"""The ledger in memory: facts are added, never changed; what holds now is computed from them."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Sized
from typing import Any, NamedTuple, TypeVar

from arpad.domain.dates import NO_DAY
from arpad.domain.play import Application
from arpad.domain.problems import FATAL, Problem, Refused
from arpad.domain.results import Result
from arpad.ledger.columns import NO_WEIGHT, GameColumns, GameRow
from arpad.ledger.facts import (
    Correction,
    Counts,
    Event,
    Fact,
    FirstRating,
    ParameterChange,
    Posting,
    SamePerson,
    Void,
    event_key,
)
from arpad.ledger.sheet import Sheet

T = TypeVar("T")


class Effective(NamedTuple):
    """What holds after voids and merges."""

    person: array[int]  # person as entered -> person as merged
    left_out: frozenset[int]  # games that are void
    first_ratings: list[FirstRating]
    corrections: list[Correction]
    postings: list[Posting]
    parameters: list[ParameterChange]


class Ledger:
    """Facts in the order of arrival, which never matters to a rating.

    >>> ledger = Ledger()
    >>> ledger.first_rating("Ada", Application(rating=1800))
    Fact(kind='application', number=0)
    >>> ledger.first_rating("Ben", Application(rating=1650))
    Fact(kind='application', number=1)
    >>> from arpad.domain.dates import read_day
    >>> from arpad.domain.results import read_result
    >>> ledger.game("Ada", "Ben", read_day("2024-09-03"), read_result("3-2"))
    Fact(kind='game', number=0)
    """

    def __init__(self) -> None:
        self.names: list[str] = []  # shown
        self.keys: list[str] = []  # names as first reported: what playing order may look at
        self.events: list[Event] = []
        self.results: list[Result] = []
        self.games = GameColumns()
        self.first_ratings: list[FirstRating] = []
        self.corrections: list[Correction] = []
        self.postings: list[Posting] = []
        self.parameters: list[ParameterChange] = []
        self.merges: list[SamePerson] = []
        self.voids: list[Void] = []
        self.replaced_events: dict[int, Event] = {}  # renamed or re-classed: the event as it holds now
        self.files: list[str] = []  # of the sheets, by sheet number
        self.sheet_of: array[int] = array("i")  # game -> sheet; -1: entered by hand
        self.problems: list[Problem] = []  # what the readers of its files found, nothing fatal
        self._digests: set[str] = set()
        self._person: dict[str, int] = {}
        self._event: dict[tuple[str, int], int] = {}
        self._result: dict[Result, int] = {}
        self._kept: dict[Hashable, tuple[object, Any]] = {}
        self._kept_at: tuple[int, ...] = ()
        self._changed_events = 0  # how often an event was re-classed: what counts() does not see
        self._lent = False

    # --- who, where, what -------------------------------------------------------------------

    def person(self, name: str) -> int:
        """The person of that name; a new one is added."""
        found = self._person.get(name)
        if found is None:
            found = self._person[name] = len(self.names)
            self.names.append(name)
            self.keys.append(name)
        return found

    def add_person(self, name: str, key: str) -> int:
        """A person who is known by a number, not by name; `key` is what playing order may look at."""
        self.names.append(name)
        self.keys.append(key)
        return len(self.names) - 1

    def find_person(self, name: str) -> int | None:
        """The person of that name, or None."""
        return self._person.get(name)

    def event(self, name: str, start: int = NO_DAY, order: int = 0, event_class: str = "") -> int:
        """The event (name, declared start); a new one is added. Its first report gives order and class."""
        found = self._event.get((name, start))
        if found is None:
            found = self._event[name, start] = len(self.events)
            self.events.append(Event(name, start, order, event_class, event_key(name, start)))
        return found

    def result_number(self, result: Result) -> int:
        """The number of a result; equal results share one."""
        found = self._result.get(result)
        if found is None:
            found = self._result[result] = len(self.results)
            self.results.append(result)
        return found

    # --- facts --------------------------------------------------------------------------------

    def game(
        self,
        player1: str,
        player2: str,
        day: int,
        result: Result,
        *,
        event: int | None = None,
        round: int = 0,
        board: int = 0,
        sequence: int = 0,
        stones: int = 0,
        weight: float = NO_WEIGHT,
        size: int = 0,
    ) -> Fact:
        """Enter one game. Raises Refused (`game-self`) for a player against himself."""
        if player1 == player2:
            raise Refused(Problem("game-self", FATAL, f"{player1} cannot play against the same person."))
        where = self.event("", day) if event is None else event
        second = self.person(player2) if player2 else -1
        row = GameRow(
            self.person(player1), second, where, day, round, board, sequence,
            self.result_number(result), stones, weight, size,
        )  # fmt: skip
        self._own_columns()
        self.sheet_of.append(-1)
        return Fact("game", self.games.append(row))

    def first_rating(self, player: str, application: Application, day: int = NO_DAY) -> Fact:
        self.first_ratings.append(FirstRating(self.person(player), day, application))
        return Fact("application", len(self.first_ratings) - 1)

    def correction(self, player: str, day: int, rating: float, reason: str) -> Fact:
        self.corrections.append(Correction(self.person(player), day, rating, reason))
        return Fact("correction", len(self.corrections) - 1)

    def posting(self, day: int, points: float, reason: str) -> Fact:
        self.postings.append(Posting(day, points, reason))
        return Fact("posting", len(self.postings) - 1)

    def parameter(self, name: str, value: float, day: int = NO_DAY) -> Fact:
        self.parameters.append(ParameterChange(day, name, value))
        return Fact("parameter", len(self.parameters) - 1)

    def same_person(self, kept: str, merged: str) -> Fact:
        """`merged` is `kept`. Refused where that closes a ring or makes someone play himself."""
        fact = SamePerson(self.person(kept), self.person(merged))
        person = self._merged()
        if person[fact.kept] == person[fact.merged]:
            raise Refused(Problem("merge-ring", FATAL, f"{kept} and {merged} are one person already."))
        self.merges.append(fact)
        try:
            self._refuse_self_play(self.effective())
        except Refused:
            self.merges.pop()
            self._kept.clear()
            raise
        return Fact("merge", len(self.merges) - 1)

    def void(self, target: Fact, reason: str = "", replaced_by: Fact | None = None) -> Fact:
        """`target` no longer holds. Voiding a void makes its target hold again."""
        if not 0 <= target.number < self._count(target.kind):
            message = f"There is no {target.kind} number {target.number}."
            raise Refused(Problem("fact-unknown", FATAL, message))
        self.voids.append(Void(target, reason, replaced_by))
        try:
            self._refuse_self_play(self.effective())
        except Refused:
            self.voids.pop()
            self._kept.clear()
            raise
        return Fact("void", len(self.voids) - 1)

    def change_event(
        self, event: int, *, name: str | None = None, event_class: str | None = None, order: int | None = None
    ) -> None:
        """Rename or re-class an event. Its order key stays that of its first report."""
        now = self.events_now()[event]
        self.replaced_events[event] = now._replace(
            name=now.name if name is None else name,
            event_class=now.event_class if event_class is None else event_class,
            order=now.order if order is None else order,
        )
        self._changed_events += 1
        self._kept.clear()

    def rename(self, person: int, name: str) -> None:
        """Show another name. Playing order keeps looking at the first one."""
        self._person.pop(self.names[person], None)
        self.names[person] = name
        self._person.setdefault(name, person)
        self._kept.clear()

    def add_sheet(self, sheet: Sheet) -> bool:
        """Take everything a sheet reports; False (and nothing) where the same sheet was taken before."""
        digest = sheet.digest()
        if digest in self._digests:
            return False
        self._digests.add(digest)
        people = array("i", [self.person(name) for name in sheet.players])
        events = array("i", [self.event(e.name, e.start, e.order, e.event_class) for e in sheet.events])
        results = array("i", [self.result_number(result) for result in sheet.results])
        games = sheet.games
        self._own_columns()
        self.games.extend_columns(
            games,
            player1=_through(people, games.player1),
            player2=_through(people, games.player2),
            event=_through(events, games.event),
            result=_through(results, games.result),
        )
        self.sheet_of.extend(array("i", [len(self.files)]) * len(games))
        self.files.append(sheet.file)
        for entry in sheet.first_ratings:
            self.first_rating(entry.player, entry.application, entry.day)
        for correction in sheet.corrections:
            self.correction(correction.player, correction.day, correction.rating, correction.reason)
        return True

    # --- what holds -----------------------------------------------------------------------------

    def events_now(self) -> list[Event]:
        """Events as they hold now."""
        if not self.replaced_events:
            return self.events
        return [self.replaced_events.get(number, event) for number, event in enumerate(self.events)]

    def effective(self) -> Effective:
        """Voids and merges applied."""
        return self.kept("effective", None, self._effective)

    def _effective(self) -> Effective:
        gone = self._voided()
        person = self._merged(gone)

        def hold(kind: str, facts: list[T]) -> list[T]:
            if not gone:
                return list(facts)
            return [fact for number, fact in enumerate(facts) if Fact(kind, number) not in gone]

        first, corrections = hold("application", self.first_ratings), hold("correction", self.corrections)
        if self.merges:
            first = [fact._replace(person=person[fact.person]) for fact in first]
            corrections = [fact._replace(person=person[fact.person]) for fact in corrections]
        return Effective(
            person,
            frozenset(fact.number for fact in gone if fact.kind == "game"),
            first,
            corrections,
            hold("posting", self.postings),
            hold("parameter", self.parameters),
        )

    def kept(self, name: Hashable, details: object, make: Callable[[], T]) -> T:
        """What `make` computes from the facts: computed once, until a fact is added or `details` differ.

        One value a name is kept. It is never the truth: whoever drops it computes it again.
        """
        self._drop_kept()
        found = self._kept.get(name)
        if found is None or found[0] != details:
            found = self._kept[name] = (details, make())
        value: T = found[1]
        return value

    def keep(self, name: Hashable, details: object, value: object) -> None:
        """What kept() would compute now, by somebody who had it cheaper."""
        self._drop_kept()
        self._kept[name] = (details, value)

    def _drop_kept(self) -> None:
        now = self.counts()  # facts are only ever added; what replaces one clears by itself
        if now != self._kept_at:
            self._kept, self._kept_at = {}, now

    def counts(self) -> Counts:
        """How many facts of each kind there are: equal as long as nothing is added or changed."""
        return Counts(
            len(self.games), len(self.first_ratings), len(self.corrections), len(self.postings),
            len(self.parameters), len(self.merges), len(self.voids), len(self.events), len(self.names),
            len(self.results), self._changed_events,
        )  # fmt: skip

    def lend(self) -> tuple[array[int], array[int], array[int], array[int]]:
        """player1, player2, event and day of the games as they stand, without a copy.

        They never grow: before the next game is added, the ledger takes copies of its own.
        """
        self._lent = True
        games = self.games
        return games.player1, games.player2, games.event, games.day

    def _own_columns(self) -> None:
        if self._lent:
            for name in ("player1", "player2", "event", "day"):
                setattr(self.games, name, getattr(self.games, name)[:])
            self._lent = False

    def __getstate__(self) -> dict[str, Any]:
        """Copied or sent to another process, a ledger takes its facts alone."""
        return self.__dict__ | {"_kept": {}, "_kept_at": ()}

    def _count(self, kind: str) -> int:
        tables: dict[str, Sized] = {
            "game": self.games, "application": self.first_ratings, "correction": self.corrections,
            "posting": self.postings, "parameter": self.parameters, "merge": self.merges, "void": self.voids,
        }  # fmt: skip
        return len(tables[kind]) if kind in tables else 0

    def _voided(self) -> set[Fact]:
        """Targets of the voids that hold. A void is voided by a later one only, so backwards settles it."""
        gone: set[Fact] = set()
        for number in range(len(self.voids) - 1, -1, -1):
            if Fact("void", number) not in gone:
                gone.add(self.voids[number].target)
        return gone

    def _merged(self, gone: set[Fact] | None = None) -> array[int]:
        person = array("i", range(len(self.names)))
        holds = [
            merge
            for number, merge in enumerate(self.merges)
            if Fact("merge", number) not in (self._voided() if gone is None else gone)
        ]
        if not holds:
            return person
        for merge in holds:
            kept, merged = person[merge.kept], person[merge.merged]
            for number, now in enumerate(person):
                if now == merged:
                    person[number] = kept
        return person

    def _refuse_self_play(self, now: Effective) -> None:
        if not self.merges:
            return
        person, games = now.person, self.games
        for number in range(len(games)):
            second = games.player2[number]
            if second >= 0 and person[games.player1[number]] == person[second] and number not in now.left_out:
                names = f"{self.names[games.player1[number]]} and {self.names[second]}"
                raise Refused(
                    Problem("merge-self-play", FATAL, f"{names} played each other, so they are two persons.")
                )


def fold(name: str) -> str:
    """A name without case, accents and kinds of apostrophe, for comparing only."""
    import unicodedata

    plain = unicodedata.normalize("NFKD", name.replace("’", "'").replace("‘", "'").replace("`", "'"))
    return " ".join("".join(c for c in plain if not unicodedata.combining(c)).casefold().split())


def _through(table: array[int], column: array[int]) -> array[int]:
    """Every index of `column` looked up in `table`; -1 stays."""
    if table == array("i", range(len(table))):
        return column
    if len(column) < 50_000:
        return array("i", [table[i] if i >= 0 else -1 for i in column])
    import numpy as np

    indices = np.frombuffer(column, np.int32)
    found = np.where(indices >= 0, np.frombuffer(table, np.int32)[indices], -1).astype(np.int32)
    out = array("i")
    out.frombytes(found.tobytes())
    return out
