"""The event of a FIDE tournament report: its name, what its time settings make it, counts and points."""

from __future__ import annotations

import re

from arpad.domain.problems import NOTE, WARNING
from arpad.formats.reading import Findings, clean
from arpad.formats.trf_rows import Rows
from arpad.formats.trf_table import HALVES, Entry

UNNAMED = "(unnamed tournament)"
STANDARD, RAPID, BLITZ = "standard", "rapid", "blitz"
_MOVES = 60  # moves of a game that FIDE counts the time of
_PERIOD = re.compile(r"(?:([0-9]{1,3})/)?([0-9]{1,6})(?:\+([0-9]{1,5}))?\Z")
# What makes points follow other rules than one, half and none.
_OWN_POINTS = ("162", "299", "XXS", "BBW", "BBD", "BBL", "BBZ", "BBF", "BBU", "013", "310")


def name_of(rows: Rows, findings: Findings) -> str:
    """The event's name (012), else its city (022)."""
    record, city = rows.tournament.first("012"), rows.tournament.first("022")
    if record is not None and clean(record.value):
        return clean(record.value)
    used = clean(city.value)[:200] if city is not None else ""
    message = f"The tournament has no name (012); it is called '{used or UNNAMED}'."
    line = record.line if record is not None else 1
    findings.add("event-name-missing", WARNING, message, "Give it a name.", line)
    return used or UNNAMED


def report(rows: Rows, findings: Findings) -> None:
    """What a person should know of the event beside its games."""
    tournament = rows.tournament
    if tournament.of_teams:
        record = tournament.first("192") or tournament.first("013") or tournament.first("310")
        message = "A team event: the games count for the players; team data are kept."
        findings.add("event-team", NOTE, message, "", record.line if record is not None else 1)
    _report_time(rows, findings)
    _report_counts(rows, findings)
    _report_places(rows, findings)
    if not tournament.all(*_OWN_POINTS):
        for entry in tournament.entries:
            _report_points(rows, entry, findings)


def minutes(text: str) -> float | None:
    """Minutes for 60 moves of a coded time (222), of the shorter side; None where it is no such code.

    >>> minutes("5400+30"), minutes("40/6000+30:900+30"), minutes("W300-B240"), minutes("90 min")
    (120.0, 145.0, 4.0, None)
    """
    sides = re.match(r"W([^-]+)-B(.+)\Z", text)
    found = [_seconds(part) for part in (sides.groups() if sides else (text,))]
    if None in found:
        return None
    return min(seconds for seconds in found if seconds is not None) / 60


def _seconds(text: str) -> float | None:
    """Seconds that one side has for 60 moves."""
    moves, seconds = 0, 0
    for period in text.split(":"):
        match = _PERIOD.match(period.strip())
        if match is None:
            return None
        if moves >= _MOVES:
            break
        limit = min(int(match[1]), _MOVES - moves) if match[1] and int(match[1]) else _MOVES - moves
        seconds += int(match[2]) + int(match[3] or 0) * limit
        moves += limit
    return seconds


def speed(found: float) -> str:
    """What so many minutes for 60 moves are: standard from 60, rapid above 10, else blitz."""
    return STANDARD if found >= 60 else RAPID if found > 10 else BLITZ


def _report_time(rows: Rows, findings: Findings) -> None:
    record = rows.tournament.first("222")
    if record is None or not record.value:
        return
    found = minutes(record.value)
    place = rows.within(record.line, 5)
    if found is None:
        message = f"'{record.value[:40]}' is no coded time; it is kept as it stands."
        findings.add("trf-record-shape", WARNING, message, "Write 5400+30.", *place)
        return
    message = f"{record.value} is {found:g} minutes for 60 moves: {speed(found)} play."
    findings.add("event-class-derived", NOTE, message, "Rate it in the pool of that speed.", *place)


def _report_counts(rows: Rows, findings: Findings) -> None:
    tournament = rows.tournament
    record = tournament.first("062")
    stated = re.match(r"[0-9]{1,5}", record.value) if record is not None else None
    if record is not None and stated and int(stated[0]) != len(tournament.entries):
        message = f"062 says {stated[0]} players; {len(tournament.entries)} lines are there."
        findings.add("count-differs", WARNING, message, "Check the export.", *rows.within(record.line, 5))
    rounds = tournament.stated_rounds
    if rounds and tournament.rounds > rounds:
        record = tournament.first("142") or tournament.first("XXR")
        assert record is not None
        message = f"{record.code} says {rounds} rounds; {tournament.rounds} are there."
        findings.add("count-differs", WARNING, message, "Check the export.", *rows.within(record.line, 5))


def _report_places(rows: Rows, findings: Findings) -> None:
    entries = rows.tournament.entries
    missing = [entry for entry in entries if not re.match(r"[0-9]+\Z", entry.rank)]
    if len(missing) == len(entries):
        message = "Nobody has a final place."
        findings.add("place-missing", WARNING, message, "", *rows.within(missing[0].line, 86))
        return
    for entry in missing:
        message = f"{entry.number} {entry.name} has no final place."
        findings.add("place-missing", WARNING, message, "", *rows.within(entry.line, 86))


def _report_points(rows: Rows, entry: Entry, findings: Findings) -> None:
    """Points that do not follow from the results."""
    if not entry.points:
        return
    halves = sum(HALVES.get(cell.code, 0) for cell in entry.cells)
    stated = entry.points.replace(",", ".")
    fits = re.match(r"[0-9]{1,3}\.[0-9]\Z", stated) and round(float(stated) * 2) == halves
    if not fits:
        message = f"{entry.number} {entry.name}: {entry.points} points, the results give {halves / 2:.1f}."
        place = rows.within(entry.line, 81 + rows.moved.get(entry.line, 0))
        findings.add("points-differ", WARNING, message, "None needed: points are not rated.", *place)


__all__ = ["UNNAMED", "minutes", "name_of", "report", "speed"]
