"""Makes a FIDE tournament report: of a sheet, or of a report in another dialect."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from arpad.domain.dates import day_text
from arpad.domain.problems import FATAL, NOTE, Problem, Refused
from arpad.domain.results import FORFEIT, GAME, PENDING, Result
from arpad.formats.reading import Findings, today
from arpad.formats.trf_dates import read_birth, read_date
from arpad.formats.trf_people import OLD_TITLES
from arpad.formats.trf_table import (
    GRID,
    HALVES,
    HEADERS,
    NAME_FIELD,
    NEW_IN_26,
    NUMBERS,
    STEP,
    TRF16,
    TRF26,
    Cell,
    Entry,
    Record,
    Tournament,
    is_national,
)
from arpad.formats.trf_teams import Team, teams
from arpad.ledger.columns import GameRow
from arpad.ledger.sheet import Sheet, SheetPerson

_PLAYERS, _NATIONAL = "001", "national"
_ORDER = (*HEADERS, _PLAYERS, "013", _NATIONAL, "310", "240", "250", "260", "320", "330", "300", "299", "XXR")
_PLACES = {code: place for place, code in enumerate(_ORDER)}
WANTED_26 = ("182", "192", "202", "222")
_OTHERWISE = ("142", "310", "013", "XXR")  # said in the other dialect's way
_ABSENT = Cell(0, "-", "Z")
_BYES = {2: "F", 1: "H", 0: "Z"}


class _Item(NamedTuple):
    """A line with the lines of unknown meaning that stand before it; they move with it."""

    place: tuple[int, int]
    line: Entry | Record
    above: tuple[Record, ...]


def as_dialect(
    tournament: Tournament, dialect: str, *, first: int = 0, last: int = 0, findings: Findings | None = None
) -> Tournament:
    """The same report as a TRF16 or TRF26: records in that order, dates and titles in its spelling.

    first, last  days of the event where the report tells none that can be read; 0: not known
    findings     gets what the dialect has no place for, and what it wants and nobody knows
    """
    entries = [_spelt(entry) for entry in tournament.entries]
    kept, above = [], []
    rest = [*_with_added(tournament, dialect, first, last)]
    dropped = Counter(record.code for record in rest if _is_dropped(record, tournament, dialect))
    rest = [record for record in rest if not _is_dropped(record, tournament, dialect)]
    before = defaultdict(list)
    for record in rest:
        before[min(record.before, len(entries))].append(record)
    for at in range(len(entries) + 1):
        for record in before[at]:
            place = _PLACES.get(_NATIONAL if is_national(record.text) else record.code)
            if place is None:
                above.append(record)
            else:
                kept.append(_Item((place, 0), record, tuple(above)))
                above = []
        if at < len(entries):
            kept.append(_Item((_PLACES[_PLAYERS], entries[at].number), entries[at], tuple(above)))
            above = []
    if findings is not None:
        _tell(dropped, rest, dialect, findings)
    return _arranged(sorted(kept, key=lambda item: item.place), above)


def _arranged(items: list[_Item], below: list[Record]) -> Tournament:
    entries: list[Entry] = []
    records: list[Record] = []
    for item in items:
        records += [record._replace(before=len(entries)) for record in item.above]
        if isinstance(item.line, Entry):
            entries.append(item.line)
        else:
            records.append(item.line._replace(before=len(entries)))
    records += [record._replace(before=len(entries)) for record in below]
    return Tournament(tuple(entries), tuple(records))


def _is_dropped(record: Record, tournament: Tournament, dialect: str) -> bool:
    if dialect == TRF16:
        return record.code in NEW_IN_26
    return record.code == "XXR" or (record.code == "013" and bool(tournament.all("310")))


def _tell(dropped: Mapping[str, int], rest: list[Record], dialect: str, findings: Findings) -> None:
    told = [code for code in sorted(dropped) if code not in _OTHERWISE]
    if told:
        count = sum(dropped[code] for code in told)
        message = f"{count} records are left out, for {dialect} has no place for them: {', '.join(told)}."
        findings.add("trf-record-left-out", NOTE, message, "Write TRF26 to keep them.", 0, 0)
    there = {record.code for record in rest}
    missing = [code for code in WANTED_26 if code not in there] if dialect == TRF26 else []
    if missing:
        message = f"TRF26 wants the records {', '.join(missing)}; what they would say is not known."
        findings.add("trf-record-missing", NOTE, message, "Add them before sending it to FIDE.", 0, 0)


def _with_added(tournament: Tournament, dialect: str, first: int, last: int) -> Iterator[Record]:
    """The records in the dialect's spelling, and those that it wants and that follow from the others."""
    there = {record.code for record in tournament.records}
    rounds = max(tournament.stated_rounds, tournament.rounds)
    rated = sum(1 for entry in tournament.entries if entry.rating.strip("0"))
    made = [
        ("042", _slashed(first)), ("052", _slashed(last)), ("062", str(len(tournament.entries))),
        ("072", str(rated)), ("142", str(rounds) if dialect == TRF26 else ""),
        ("XXR", str(rounds) if dialect == TRF16 and rounds > tournament.rounds else ""),
    ]  # fmt: skip
    yield from (Record(f"{code} {value}") for code, value in made if value and code not in there)
    end = len(tournament.entries)
    if dialect == TRF16 and "013" not in there:
        yield from (Record(_old_team(team), end) for team in teams(tournament))
    if dialect == TRF26 and "310" not in there:
        found = teams(tournament)
        yield from (Record(_new_team(team, number), end) for number, team in enumerate(found, 1))
    for record in tournament.records:
        if record.code in ("042", "052"):
            day = read_date(record.value, today()) or (first if record.code == "042" else last)
            yield record._replace(text=f"{record.code} {_slashed(day)}") if day else record
        elif record.code == "132":
            yield record._replace(text=_dates_line(record.text))
        elif record.code == "013" and dialect == TRF26 and "310" not in there:
            continue
        else:
            yield record


def _slashed(day: int) -> str:
    return day_text(day).replace("-", "/")


def _dates_line(text: str) -> str:
    pieces = [text[at : at + STEP].strip() for at in range(GRID, len(text), STEP)]
    days = [read_date(piece, today()) if piece else None for piece in pieces]
    if text[3:GRID].strip() or any(piece and not day for piece, day in zip(pieces, days, strict=True)):
        return text
    return _round_days([day or 0 for day in days])


def _round_days(days: list[int]) -> str:
    cells = "".join(f"{_slashed(day)[2:]:<{STEP}}" for day in days)
    return f"{'132':<{GRID}}{cells}".rstrip()


def _old_team(team: Team) -> str:
    return f"013 {team.name[:32]:<32}" + "".join(f"{member:>4} " for member in team.members).rstrip()


def _new_team(team: Team, number: int) -> str:
    return (
        f"310 {number:>3} {team.name[:32]:<64} "
        + "".join(f"{member:>4} " for member in team.members).rstrip()
    )


def _spelt(entry: Entry) -> Entry:
    """Sex, title, birth and points as the newer dialects spell them."""
    birth = read_birth(entry.birth, today())
    title = entry.title.upper()
    return entry._replace(
        sex={"f": "w"}.get(entry.sex.lower(), entry.sex.lower()),
        title=OLD_TITLES.get(title, title),
        birth=_birth_text(birth) if birth is not None else entry.birth,
        points=entry.points.replace(",", "."),
    )


def _birth_text(birth: str) -> str:
    """YYYY/MM/DD, with 00 for what is not told."""
    return (birth + "-00-00")[:10].replace("-", "/") if birth else ""


# --- of a sheet -------------------------------------------------------------------------------------


def tournament_of(sheet: Sheet, event: int = 0, findings: Findings | None = None) -> Tournament:
    """The report of one event of a sheet. Raises Refused for results and numbers that no report can hold.

    Start numbers follow the order of the sheet. Games without round, or a second one in a round, get the
    first round that both players have free. Final places are not made up.
    """
    findings = Findings() if findings is None else findings
    games = [row for row in sheet.games if row.event == event]
    present = {row.player1 for row in games} | {row.player2 for row in games if row.player2 >= 0}
    numbers = {player: number for number, player in enumerate(sorted(present), 1)}
    if len(numbers) > NUMBERS:
        message = f"A TRF numbers {NUMBERS} players at most, not {len(numbers)}."
        raise Refused(Problem("trf-field-too-long", FATAL, message, "Split the event."))
    cells: dict[tuple[int, int], Cell] = {}
    days: dict[int, set[int]] = {}
    for game in sorted(games, key=lambda row: row.round == 0):  # stated rounds first
        sides = [numbers[game.player1]] + ([numbers[game.player2]] if game.player2 >= 0 else [])
        round_ = game.round or 1
        while any((side, round_) in cells for side in sides):
            round_ += 1
        if len(sides) == 2:
            days.setdefault(round_, set()).add(game.day)
        cells.update(_cells_of(game, sides, round_, sheet.results[game.result], sheet.players[game.player1]))
    rounds = max((round_ for _, round_ in cells), default=0)
    _name_pairing_byes(cells, rounds)
    ratings = {entry.player: entry.application.rating for entry in reversed(sheet.first_ratings)}
    entries = []
    for player, number in numbers.items():
        own = tuple(cells.get((number, round_), _ABSENT) for round_ in range(1, rounds + 1))
        name = sheet.players[player]
        told = sheet.people.get(name, SheetPerson(name))
        entries.append(_entry(told, number, own, ratings.get(name), findings))
    _tell_losses(games, days, findings)
    return Tournament(tuple(entries), tuple(_heading(sheet, event, games, days, rounds)))


def _cells_of(
    game: GameRow, sides: list[int], round_: int, result: Result, who: str
) -> Iterator[tuple[tuple[int, int], Cell]]:
    if len(sides) == 1:
        yield (sides[0], round_), Cell(0, "-", _BYES[result.first])
        return
    if result.kind not in (GAME, FORFEIT, PENDING):
        message = f"'{result}' of {who} cannot stand in a TRF."
        raise Refused(Problem("result-not-in-format", FATAL, message, "Leave the game out."))
    codes = "LDW" if result.unrated else "-?+" if result.kind == FORFEIT else "0=1"
    pairs = ((sides[0], sides[1], "w", result.first), (sides[1], sides[0], "b", result.second))
    for own, other, colour, halves in pairs:
        code = "" if result.kind == PENDING else codes[halves]
        yield (own, round_), Cell(other, colour, code)


def _name_pairing_byes(cells: dict[tuple[int, int], Cell], rounds: int) -> None:
    """The only full-point bye of a round is that of the pairing."""
    full: dict[int, list[tuple[int, int]]] = {}
    for place, cell in cells.items():
        if not cell.opponent and cell.code == "F":
            full.setdefault(place[1], []).append(place)
    for places in full.values():
        if len(places) == 1:
            cells[places[0]] = Cell(0, "-", "U")


def _entry(
    told: SheetPerson, number: int, cells: tuple[Cell, ...], first_rating: float | None, findings: Findings
) -> Entry:
    if len(told.name) > NAME_FIELD:
        message = f"'{told.name}' has {len(told.name)} characters and is cut to {NAME_FIELD}."
        findings.add("player-name-cut", NOTE, message, "", 0, 0)
    ids = dict(told.ids)
    number_of = ids.get("fide") or ids.get("national") or ""
    rating = told.rating if told.rating is not None else first_rating
    halves = sum(HALVES.get(cell.code, 0) for cell in cells)
    return Entry(
        number, told.name[:NAME_FIELD].strip(), {"f": "w"}.get(told.sex, told.sex), told.title[:3],
        str(round(rating)) if rating is not None and 0.5 < rating < 9999.5 else "",
        told.federation if re.match(r"[A-Z]{3}\Z", told.federation) else "",
        number_of if re.match(r"[A-Za-z0-9]{1,11}\Z", number_of) else "", _birth_text(told.birth),
        f"{halves / 2:.1f}", "", cells,
    )  # fmt: skip


def _heading(
    sheet: Sheet, event: int, games: list[GameRow], days: dict[int, set[int]], rounds: int
) -> Iterator[Record]:
    what = sheet.events[event]
    played = [row.day for row in games]
    yield Record(f"012 {what.name}".rstrip())
    yield Record(f"042 {_slashed(what.start or min(played, default=0))}".rstrip())
    yield Record(f"052 {_slashed(max(played, default=0))}".rstrip())
    last = [max(days.get(round_, {0})) for round_ in range(1, rounds + 1)]
    if len(set(filter(None, last))) > 1:
        yield Record(_round_days(last))


def _tell_losses(games: list[GameRow], days: Mapping[int, set[int]], findings: Findings) -> None:
    stones = sum(1 for row in games if row.stones)
    weights = sum(1 for row in games if row.weight == row.weight or row.size)
    several = [str(round_) for round_, found in sorted(days.items()) if len(found) > 1]
    losses = [f"the handicap of {stones} games" if stones else "",
              f"weight or board size of {weights} games" if weights else "",
              f"all but the last day of rounds {', '.join(several[:20])}" if several else ""]  # fmt: skip
    if any(losses):
        message = f"A TRF cannot say {'; '.join(filter(None, losses))}."
        findings.add("trf-not-written", NOTE, message, "Keep games.csv beside it.", 0, 0)


__all__ = ["as_dialect", "tournament_of"]
