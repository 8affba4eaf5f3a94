"""The facts of a ledger. Each is written once and never changed; a void names what no longer holds."""

from __future__ import annotations

import hashlib
from typing import NamedTuple

from arpad.domain.dates import NO_DAY, day_text
from arpad.domain.play import Application


class Fact(NamedTuple):
    """The address of one fact: its kind ("game", "application", ...) and its number of that kind."""

    kind: str
    number: int


class Event(NamedTuple):
    """A tournament, club evening or league round. It counts on the last day on which it has a game."""

    name: str  # "" = games without an event: one event a day
    start: int = NO_DAY  # declared first day; NO_DAY: that of its first game
    order: int = 0  # declared sequence among the events of one day
    event_class: str = ""
    key: str = ""  # order key, from the content as first reported; kept when the event is renamed


class FirstRating(NamedTuple):
    person: int
    day: int  # NO_DAY: before everything
    application: Application


class Correction(NamedTuple):
    person: int
    day: int
    rating: float  # points
    reason: str


class Posting(NamedTuple):
    """Points for everybody who has a rating, on one day."""

    day: int
    points: float
    reason: str


class ParameterChange(NamedTuple):
    """A club's own parameter from a day on; NO_DAY: from ever."""

    day: int
    name: str
    value: float


class SamePerson(NamedTuple):
    """`merged` is the person `kept`."""

    kept: int
    merged: int


class Void(NamedTuple):
    target: Fact  # also a void: that undoes it
    reason: str
    replaced_by: Fact | None = None


def event_key(name: str, start: int) -> str:
    """The order key of an event: a digest, so that it neither favours the alphabet nor keeps a name.

    >>> event_key("Spring Cup", 0) == event_key("Spring Cup", 0)
    True
    """
    return hashlib.sha256(f"{name}\n{day_text(start)}".encode()).hexdigest()[:16]


class Counts(NamedTuple):
    """How much a ledger holds."""

    games: int
    first_ratings: int
    corrections: int
    postings: int
    parameters: int
    merges: int
    voids: int
    events: int
    names: int
    results: int
    changed_events: int
