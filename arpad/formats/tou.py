"""The French federation's tournament table (`.tou`): read into a table and a sheet.

docs/reference/formats/tou.md describes it. Choices: the event is called by its full name (`comm`); the
only day that the file tells counts as first and last; without adjusted minutes no class is derived.
Pairing programs lose the mark of a forfeit in this format, so a file without any is told.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from arpad.domain.dates import day_text
from arpad.domain.problems import FATAL, HELD, NOTE, WARNING
from arpad.domain.results import FORFEIT
from arpad.formats import go_told
from arpad.formats.cells import TEXT_LIMIT
from arpad.formats.egd import sheet_of
from arpad.formats.egd_pairs import pair
from arpad.formats.egd_rows import Rows
from arpad.formats.egd_table import Half, Heading, Row, Table, is_result_like, read_grade, read_token
from arpad.formats.go_terms import board_size, class_of, derived_class, read_date, read_id
from arpad.formats.go_told import NOTHING, Told
from arpad.formats.reading import Findings, Reading, clean, has_invisible, is_lost, lines_of
from arpad.formats.reading import today as today_
from arpad.ledger.sheet import Sheet, SheetPerson

NAME = "FFG table"
FORMATS = (NAME,)
WHOLE = True
TOLD = (*go_told.DAYS, go_told.CLASS)
NAME_FIELD = 25  # characters of name and first name
MANY_ROUNDS = 3  # with more, one day is suspect
_HEADING = re.compile(r"\s*;\s*([A-Za-z]+)\s*=(.*)\Z")
_KEYS = ("name", "date", "vill", "comm", "prog", "size", "time", "ta", "komi")
_TITLE = re.compile(r"\s*;\s*Num\s+Nom\s+Prenom\b", re.IGNORECASE)
_TIME = re.compile(r"([0-9]{1,4})\s*(\+.*)?\Z")
_PLACE, _NAME, _GRADE, _LICENCE, _CLUB = (
    slice(0, 4),
    slice(5, 30),
    slice(30, 33),
    slice(34, 41),
    slice(42, 46),
)


class _Line(NamedTuple):
    """One row: what stands before the results, and the results as (text, column)."""

    number: int
    head: str
    results: list[tuple[str, int]]


def sniff(head: str, file: str = "") -> list[str]:
    """A heading such as `;name=...`, or the title line, among lines that begin with a semicolon."""
    lines = [line for line in head.split("\n") if line.strip()]
    if lines and not lines[0].lstrip().startswith(";"):
        return []
    known = (match[1].lower() in _KEYS for match in map(_HEADING.match, lines) if match)
    return [NAME] if any(known) or any(map(_TITLE.match, lines)) else []


def read(
    data: bytes, file: str = "", *, kind: str = "", today: int | None = None, told: Told = NOTHING
) -> Reading:
    """Read a table; `detail` of the reading is the Table. Raises Refused where anything is fatal."""
    findings = Findings(file)
    lines = lines_of(data, findings, western=True)
    values = _collect(lines, findings)
    heading = _heading(values, findings, told, today_() if today is None else today)
    found = [_line(line.partition(";")[0], number) for number, line in enumerate(lines, 1)]
    rows, licences = _rows([line for line in found if line is not None], findings)
    pairs = pair(rows, None, findings)
    table = Table(heading, tuple(rows.rows), rows.rounds, tuple(pairs.games), tuple(pairs.byes))
    _report_forfeits(table, findings)
    if not told.keys() & set(go_told.DAYS):
        _report_day(table, values, findings)
    sheet = sheet_of(table, file, findings)
    _complete(sheet, table, licences)
    size = board_size(values["size"][0], findings, values["size"][1]) if "size" in values else 19
    if size != 19:
        for game in range(len(sheet.games)):
            sheet.games.size[game] = size
    findings.refuse_where(FATAL)
    return Reading(sheet, findings.listed(), NAME, table)


# --- heading ----------------------------------------------------------------------------------------


def _collect(lines: Sequence[str], findings: Findings) -> dict[str, tuple[str, int]]:
    """The values `;key=value` and their lines; the first of a key counts."""
    values: dict[str, tuple[str, int]] = {}
    rows_seen = False
    for number, line in enumerate(lines, 1):
        rows_seen = rows_seen or bool(line.partition(";")[0].strip())
        match = _HEADING.match(line)
        if match is None or match[1].lower() not in _KEYS:
            continue
        key, value = match[1].lower(), clean(match[2])
        if key in ("name", "date") and rows_seen and values.get(key, (value, 0))[0] != value:
            message = f"A second event begins: {key}={value} after {key}={values[key][0]}."
            findings.add("file-two-in-one", FATAL, message, "Split the file before this line.", number)
        values.setdefault(key, (value, number))
    return values


def _heading(values: Mapping[str, tuple[str, int]], findings: Findings, told: Told, today: int) -> Heading:
    text, line = (
        {key: value for key, (value, _) in values.items()},
        {key: at for key, (_, at) in values.items()},
    )
    event = text.get("comm") or text.get("name", "")
    if not event:
        findings.add("event-name-missing", WARNING, "There is neither comm= nor name=.", "Give it a name.")
    if len(event) > TEXT_LIMIT:
        message = f"The event's name has {len(event)} characters; {TEXT_LIMIT} are the limit."
        findings.add("cell-too-long", FATAL, message, "Shorten it.", line.get("comm", line.get("name", 1)))
    day = _day(text.get("date", ""), line.get("date", 1), findings, told, today)
    first, last = go_told.days(told, day, day, findings, today)
    return Heading(
        event_class=go_told.event_class(told, findings) or _class(text, line, findings),
        event=event,
        place=text.get("vill", ""),
        first=first,
        last=last,
        komi=text.get("komi", ""),
        minutes=text.get("ta", ""),
    )


def _day(text: str, line: int, findings: Findings, told: Told, today: int) -> int:
    """The day that the file tells; 0, and fatal, where it has none and nobody told the last one."""
    day = read_date(text, today)
    if not text and "last-day" not in told:
        message = "There is no ;date=."
        findings.add("date-missing", FATAL, message, "Add a line such as ;date=30/05/2026.", line)
    elif text and day is None:
        findings.add("date-unreadable", FATAL, f"'{text}' is no date.", "Write ;date=30/05/2026.", line)
    elif day and day > today:
        message = f"{day_text(day)} lies in the future (today is {day_text(today)})."
        findings.add("date-future", FATAL, message, "Correct the date.", line)
        return 0
    return day or 0


def _class(text: Mapping[str, str], line: Mapping[str, int], findings: Findings) -> str:
    """By basic and adjusted minutes; "" where one of them is not told."""
    basic = _TIME.match(text.get("time", ""))
    adjusted = re.match(r"[0-9]{1,5}\Z", text.get("ta", ""))
    if basic and (adjusted or not basic[2]):
        minutes = int(basic[1])
        return derived_class(minutes, int(adjusted[0]) if adjusted else minutes, findings, line=line["time"])
    best = class_of(int(basic[1]), 99999) if basic else ""
    told = f"time={basic[0]} without adjusted minutes (ta=)" if basic else "no readable time="
    remedy = f"Choose the class; {basic[1]} minutes allow {best} at best." if basic else "Choose the class."
    findings.add("event-class-missing", WARNING, f"There is {told}.", remedy, line.get("time", 1))
    return ""


# --- rows -------------------------------------------------------------------------------------------


def _line(text: str, number: int) -> _Line | None:
    """A row cut in two: results stand from column 47; in moved columns, they are the last words like one."""
    if not text.strip():
        return None
    words = [(match[0], match.start() + 1) for match in re.finditer(r"\S+", text)]
    if read_grade(text[_GRADE].strip()) and all(at > _CLUB.stop or at <= _CLUB.start + 1 for _, at in words):
        results = [word for word in words if word[1] > _CLUB.stop]
        return _Line(number, text[: _CLUB.stop], results)
    count = 0
    while count < len(words) and is_result_like(words[-1 - count][0]):
        count += 1
    results = words[len(words) - count :]
    return _Line(number, text[: results[0][1] - 1] if results else text, results)


def _rows(lines: Sequence[_Line], findings: Findings) -> tuple[Rows, list[str]]:
    """Rows with their halves, and the licence of each row. An unreadable row is fatal."""
    if not lines:
        findings.add("player-none", FATAL, "There is no row of a player.", "Check the export.")
        findings.refuse()
    counts = Counter(len(line.results) for line in lines)
    rounds = max(counts, key=lambda count: (counts[count], count))
    rows: list[Row] = []
    licences: list[str] = []
    halves: list[list[Half | None]] = []
    for line in lines:
        if len(line.results) != rounds:
            _report_count(line, rounds, findings)
        read_ = _row(line, len(rows) + 1, findings)
        if read_ is not None:
            rows.append(read_[0])
            licences.append(read_[1])
            halves.append(_halves(line, rounds, findings))
    findings.refuse_where(FATAL)
    twice = {licence for licence, count in Counter(licences).items() if licence and count > 1}
    for row, licence in zip(rows, licences, strict=True):
        if licence in twice:
            message = f"Several rows carry the licence {licence}; it is not used."
            findings.add("player-same-id", HELD, message, "Correct one of them.", row.line)
    return Rows(rows, halves, rounds), ["" if licence in twice else licence for licence in licences]


def _report_count(line: _Line, rounds: int, findings: Findings) -> None:
    what = "the last rounds count as absent" if len(line.results) < rounds else "the first ones are not used"
    message = f"The row has {len(line.results)} results, most rows have {rounds}; {what}."
    column = line.results[0][1] if line.results else 1
    findings.add("egd-round-count", WARNING, message, "Complete the row.", line.number, column)


def _row(line: _Line, number: int, findings: Findings) -> tuple[Row, str] | None:
    """The row and its licence, by columns; by words where the grade does not stand in its columns."""
    head = line.head
    place, name, grade, licence, club = (
        head[part].strip() for part in (_PLACE, _NAME, _GRADE, _LICENCE, _CLUB)
    )
    columns = read_grade(grade) and re.match(r"[0-9]*\Z", place) and not head[46:].strip()
    if not columns:
        words = _by_words(head)
        if words is None:
            message = f"'{clean(head)[:60]}' is no row of a player: no grade follows a name."
            remedy = "Export the table again; begin a remark with a semicolon."
            findings.add("egd-row-unreadable", FATAL, message, remedy, line.number)
            return None
        place, name, grade, licence, club = words
    name = clean(name.replace("_", " "))
    if re.match(r"[0-9]+\Z", place) and int(place) != number:
        message = f"The printed place {place} differs from the row's number {number}, which is used."
        findings.add("egd-place-ignored", NOTE, message, "", line.number)
    _report_name(name, head[_NAME] if columns else "", line, findings)
    ids = read_id("licence", licence, findings, line.number, _LICENCE.start + 1 if columns else 1)
    club = clean(club)
    country, club = (club, "") if re.match(r"[A-Z]{2}\Z", club) else ("", club)
    row = Row(
        name,
        "",
        read_grade(grade),
        country,
        "" if club == "xxxx" else club,
        shared=not place,
        line=line.number,
    )
    return row, ids[0][1] if ids else ""


def _by_words(head: str) -> tuple[str, str, str, str, str] | None:
    """Place, name, grade, licence and club of a row whose columns have moved."""
    words = head.split()
    place = words.pop(0) if words and re.match(r"[0-9]{1,6}\Z", words[0]) else ""
    at = next((at for at, word in enumerate(words) if at and read_grade(word)), 0)
    if not at or len(words) > at + 3:
        return None
    rest = words[at + 1 :]
    licence = rest.pop(0) if rest and (len(rest) == 2 or re.match(r"[0-9A-Za-z]{7}\Z", rest[0])) else ""
    return place, " ".join(words[:at]), words[at], licence, "".join(rest)


def _report_name(name: str, field: str, line: _Line, findings: Findings) -> None:
    column = _NAME.start + 1 if len(line.head) > _NAME.start else 1
    if len(name) > TEXT_LIMIT:
        message = f"The name has {len(name)} characters; {TEXT_LIMIT} are the limit."
        findings.add("cell-too-long", FATAL, message, "Shorten it.", line.number, column)
    if is_lost(name) or not name:
        message = f"The name is lost: '{name}'."
        findings.add("text-name-lost", WARNING, message, "Enter the name.", line.number, column)
    elif len(field.rstrip()) == NAME_FIELD:
        message = f"The name fills its {NAME_FIELD} characters and may be cut: '{name}'."
        findings.add("player-name-cut", NOTE, message, "Complete it.", line.number, column)
    if has_invisible(line.head):
        message = f"Invisible characters were removed from '{name}'."
        findings.add("text-control-char", WARNING, message, "", line.number, column)


def _halves(line: _Line, rounds: int, findings: Findings) -> list[Half | None]:
    halves: list[Half | None] = []
    for text, column in line.results[max(len(line.results) - rounds, 0) :]:
        half = read_token(text, line.number, column)
        if half is None:
            message = f"'{text}' is no result."
            remedy = "Write opponent's row, sign, colour and stones: 12+w0."
            findings.add("result-code-unknown", HELD, message, remedy, line.number, column)
        halves.append(half)
    return halves + [None] * (rounds - len(halves))


# --- the whole --------------------------------------------------------------------------------------


def _report_forfeits(table: Table, findings: Findings) -> None:
    forfeits = sum(1 for game in table.games if game.result.kind == FORFEIT)
    if forfeits:
        message = f"{forfeits} forfeits, which are not rated."
        findings.add("result-forfeit-count", NOTE, message)
    elif table.games:
        message = f"None of the {len(table.games)} games is marked as a forfeit; this format loses the mark."
        remedy = "Use the XML or .h9 of the same event, or leave out what was not played."
        findings.add("result-forfeit-unmarked", WARNING, message, remedy, table.games[0].line)


def _report_day(table: Table, values: Mapping[str, tuple[str, int]], findings: Findings) -> None:
    line = values["date"][1] if "date" in values else 1
    rounds = max((game.round for game in table.games), default=0)
    message = f"The file tells one day, {day_text(table.heading.first)}; all {rounds} rounds get it."
    if rounds > MANY_ROUNDS:
        remedy = "Give the last day, last-day=2026-05-31: an event counts on it."
        findings.add("date-suspect", WARNING, message, remedy, line)
    elif rounds > 1:
        findings.add("date-first-only", NOTE, message, "Check that the event lasted one day.", line)


def _complete(sheet: Sheet, table: Table, licences: Sequence[str]) -> None:
    """What the rows tell of persons beside their names."""
    for name, row, licence in zip(list(sheet.players), table.rows, licences, strict=True):
        ids = (("licence", licence),) if licence else ()
        sheet.person(
            SheetPerson(
                name, ids, federation=row.country, club=row.club,
                rank="" if row.grade == "NC" else row.grade, line=row.line,
            )
        )  # fmt: skip


__all__ = ["FORMATS", "NAME", "read", "sniff"]
