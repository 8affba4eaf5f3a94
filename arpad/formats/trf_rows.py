"""Reads the lines of a FIDE tournament report into a Tournament; what is wrong with a line is told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, NoReturn

from arpad.domain.problems import FATAL, NOTE, WARNING
from arpad.formats.cells import TEXT_LIMIT
from arpad.formats.reading import Findings, clean, has_invisible
from arpad.formats.trf_lines import BY_BYTE, LOOSE, SHIFTED, TABS, Fields, cut
from arpad.formats.trf_table import (
    CELLS,
    CODES,
    COMMENT,
    EXTENSIONS,
    HEADERS,
    LINES,
    NAME_FIELD,
    NAME_FROM,
    TEAMS,
    Entry,
    National,
    Record,
    Tournament,
    column_of,
    is_national,
)

_KNOWN = frozenset((*HEADERS, *TEAMS, *EXTENSIONS, COMMENT))
_HOW = {
    BY_BYTE: ("The columns were padded by bytes and are realigned.", "Export it as real UTF-8."),
    TABS: ("The line has tabs, which were expanded.", "Replace them by blanks."),
}


class Rows(NamedTuple):
    """A tournament and where its parts stand."""

    tournament: Tournament
    nationals: tuple[National, ...]
    lengths: list[int]  # characters of each line
    moved: dict[int, int]  # by line: columns by which its rounds lie too far right

    def place(self, entry: Entry, round_: int = 0, part: int = 0) -> tuple[int, int]:
        """Line and column of a player's round; part 0 opponent, 5 colour, 7 code. Round 0: start number."""
        column = column_of(round_) + part + self.moved.get(entry.line, 0) if round_ else 5
        return self.within(entry.line, column)

    def within(self, line: int, column: int) -> tuple[int, int]:
        """A place that the line really has."""
        return line, max(1, min(column, self.lengths[line - 1] + 1))


def read_rows(lines: Sequence[str], findings: Findings) -> Rows:
    """Everything in the lines. What is fatal is told, so that the caller may collect more of it.

    Raises Refused (`file-too-large`) where there are more lines or rounds than any tournament has.
    """
    if len(lines) > LINES and sum(1 for line in lines if line.strip()) > LINES:
        _too_large(f"The report has more than {LINES} lines", findings)
    reader = _Reader(lines, findings)
    reader.read()
    rows = reader.rows()
    if not rows.tournament.entries:
        findings.add("player-none", FATAL, "There is no player's line (001).", "Check the export.")
    reader.check_shifted(rows)
    _report_lost(rows, reader.ends, findings)
    return rows


class _Reader:
    def __init__(self, lines: Sequence[str], findings: Findings) -> None:
        self.lines, self.findings = lines, findings
        self.entries: dict[int, Entry] = {}  # by start number
        self.records: list[Record] = []
        self.nationals: list[National] = []
        self.moved: dict[int, int] = {}
        self.shifted: list[Entry] = []
        self.ends: dict[int, int] = {}  # by start number: rounds up to the end of the line
        self.cells = 0

    def read(self) -> None:
        for number, line in enumerate(self.lines, 1):
            if line[:3] == "001":
                self._entry(line, number)
            elif line.strip():
                self._record(line, number)

    def rows(self) -> Rows:
        tournament = Tournament(tuple(self.entries.values()), tuple(self.records))
        return Rows(tournament, tuple(self.nationals), [len(line) for line in self.lines], self.moved)

    # --- players --------------------------------------------------------------------------------

    def _entry(self, line: str, number: int) -> None:
        found = cut(line)
        if found is None:
            message = f"'{clean(line)[:60]}' is no player's line: its columns fit no reading."
            remedy = "Compare it with the lines above and below; export it again."
            self.findings.add("trf-line-unreadable", FATAL, message, remedy, number)
            return
        text = found.text
        name = clean(text["name"])
        if has_invisible(text["name"]):
            message = f"Invisible characters were removed from '{name}'."
            self.findings.add("text-control-char", WARNING, message, "", number, NAME_FROM + 1)
        entry = Entry(
            int(text["number"]), name, text["sex"], text["title"], text["rating"], text["federation"],
            text["id"], text["birth"], text["points"], text["rank"], found.cells, number,
        )  # fmt: skip
        if entry.number in self.entries:
            first = self.entries[entry.number].line
            message = f"The start number {entry.number} stands in lines {first} and {number}."
            remedy = "Renumber in the pairing program."
            self.findings.add("player-duplicate-number", FATAL, message, remedy, number, min(5, len(line)))
            return
        self.entries[entry.number] = entry
        self.cells += len(entry.cells)
        if self.cells > CELLS:
            _too_large(f"The report has more than {CELLS} results", self.findings)
        self.ends[entry.number] = found.ends
        self._report_reading(line, entry, found)
        self._report_codes(line, entry, found.moved)

    def _report_reading(self, line: str, entry: Entry, found: Fields) -> None:
        if found.moved:
            self.moved[entry.line] = found.moved
        if found.how in _HOW:
            self.findings.add(found.how, WARNING, *_HOW[found.how], entry.line, self._first(line, found.how))
        if found.how == SHIFTED:
            message = f"The columns of '{entry.name}' have moved; they were read by their shapes."
            self.findings.add(SHIFTED, WARNING, message, "Check the player shown.", entry.line)
        if found.how in (SHIFTED, TABS):
            self.shifted.append(entry)
        if len(line[NAME_FROM : NAME_FROM + NAME_FIELD].rstrip()) == NAME_FIELD and found.how in ("", LOOSE):
            message = f"The name fills its {NAME_FIELD} characters and may be cut: '{entry.name}'."
            self.findings.add("player-name-cut", NOTE, message, "Complete it.", entry.line, NAME_FROM + 1)

    @staticmethod
    def _first(line: str, how: str) -> int:
        """The column of what moved the others."""
        odd = (at for at, letter in enumerate(line, 1) if (letter == "\t" if how == TABS else letter > "~"))
        return next(odd, 1)

    def _report_codes(self, line: str, entry: Entry, moved: int) -> None:
        for round_, cell in enumerate(entry.cells, 1):
            if cell.code and cell.code not in CODES:
                message = (
                    f"'{cell.code}' of {entry.name or entry.number} in round {round_} is no result code."
                )
                remedy = "Write one of 1 = 0 W D L + - H F U Z."
                column = max(1, min(column_of(round_) + 7 + moved, len(line)))
                self.findings.add("result-code-unknown", FATAL, message, remedy, entry.line, column)

    def check_shifted(self, rows: Rows) -> None:
        """A line whose columns have moved is believed if every game in it is mutual."""
        for entry in self.shifted:
            for round_, cell in enumerate(entry.cells, 1):
                other = self.entries.get(cell.opponent)
                if not cell.opponent or (
                    other and len(other.cells) >= round_ and other.cells[round_ - 1].opponent == entry.number
                ):
                    continue
                message = (
                    f"The line's columns have moved, and its round {round_} does not fit: "
                    f"player {cell.opponent} does not name player {entry.number} there."
                )
                place = rows.place(entry, round_)
                self.findings.add("trf-line-unreadable", FATAL, message, "Correct the line.", *place)
                break

    # --- other records --------------------------------------------------------------------------

    def _record(self, line: str, number: int) -> None:
        record = Record(line.rstrip(), len(self.entries), number)
        self.records.append(record)
        if is_national(line):
            self._national(line, number)
        elif record.code not in _KNOWN or (line[3:4].strip() and record.code != COMMENT):
            message = f"'{clean(line)[:40]}' begins no record that is known; it is kept as it stands."
            self.findings.add("trf-record-unknown", NOTE, message, "", number)
        elif record.code == "012":
            self._name(record)

    def _name(self, record: Record) -> None:
        if len(record.value) > TEXT_LIMIT:
            message = f"The event's name has {len(record.value)} characters; {TEXT_LIMIT} are the limit."
            self.findings.add("cell-too-long", FATAL, message, "Shorten it.", record.line)
        if record.before:
            message = f"A second event begins: {record.value[:60]}."
            self.findings.add(
                "file-two-in-one", FATAL, message, "Split the file before this line.", record.line
            )
        elif any(one.code == "012" for one in self.records[:-1]):
            message = f"A second name, '{record.value[:60]}', which is not used."
            self.findings.add("trf-record-shape", WARNING, message, "Keep one 012.", record.line)

    def _national(self, line: str, number: int) -> None:
        found = cut(line[:89])
        if found is None:
            message = f"'{clean(line)[:60]}' is no national rating line; it is kept as it stands."
            self.findings.add("trf-record-shape", WARNING, message, "Use the columns of 001.", number)
            return
        text = found.text
        self.nationals.append(
            National(
                line[:3], int(text["number"]), text["title"], clean(text["name"]), text["rating"],
                text["federation"], text["id"], number,
            )
        )  # fmt: skip


def _too_large(message: str, findings: Findings) -> NoReturn:
    findings.add("file-too-large", FATAL, f"{message}.", "Split the event.")
    findings.refuse()


def _report_lost(rows: Rows, ends: dict[int, int], findings: Findings) -> None:
    """Rows of unequal length: what was cut off may have been a round."""
    rounds = rows.tournament.rounds
    short = [entry for entry in rows.tournament.entries if ends[entry.number] < rounds]
    if short:
        message = f"{len(short)} of {len(ends)} players' lines end before round {rounds}."
        line = short[0].line
        place = rows.within(line, rows.lengths[line - 1] + 1)
        findings.add("rounds-lost", WARNING, message, "If results are missing, export it again.", *place)


__all__ = ["Rows", "read_rows"]
