"""Where the header of a table is, what stands above it, and the mapping that is proposed."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from arpad.domain.problems import FATAL, NOTE
from arpad.formats import table_cells as cells
from arpad.formats.reading import Findings, clean
from arpad.formats.table_grid import LOOKED_AT, Cell, Grid, text_of
from arpad.formats.table_map import GAMES, PEOPLE, Mapping, needs
from arpad.formats.table_words import Meaning, is_private, of_games, of_people, plain

SAMPLE = 300  # rows whose values decide what a column is
TITLE_FIELDS = ("event", "date", "place", "round", "start", "end", "class")
_TELLING = {"player1", "player2", "result", "winner", "score1"}


class Layout(NamedTuple):
    """Where each field of one sheet is found."""

    header: int  # index of the row
    at: dict[str, int]  # field -> column
    fixed: dict[str, Cell]  # field -> its value for all rows, from the title block
    headings: list[str]
    unused: Sequence[str] = ()  # headings that stand for nothing
    european: bool = False  # at least one heading is Dutch, French or German, not English


def headings_of(grid: Grid, row: int) -> list[str]:
    return [clean(cell) if isinstance(cell, str) else text_of(cell) for cell in grid.rows[row]]


def find_header(grid: Grid) -> tuple[int, str] | None:
    """The row with the names of the columns, and whether it is a table of games or of people."""
    for row in range(min(LOOKED_AT, len(grid.rows))):
        named = [cell for cell in grid.rows[row][:200] if isinstance(cell, str) and cell.strip()]
        if len(named) < 2 or any(len(cell) > 60 for cell in named):
            continue
        fields = {meanings[0].field for meanings in map(of_games, named) if meanings}
        if len(fields) >= 2 and fields & _TELLING:
            at, _, _ = _assigned(grid, row, of_games, Findings())
            if not needs(Mapping(GAMES, dict.fromkeys(at, ""))):
                return row, GAMES
        people = {meanings[0].field for meanings in map(of_people, named) if meanings}
        if (
            len(people) >= 2
            and people & {"name", "last", "first"}
            and fields <= {"player1", "board", *_EITHER}
        ):
            return row, PEOPLE
        if len(fields) >= 2 and fields & _TELLING:
            return row, GAMES
    return None


_EITHER = {"group", "class", "place", "match", "team1", "rank1", "remark", "date", "sets"}


def lay_out(grid: Grid, mapping: Mapping, findings: Findings, many: bool = False) -> Layout | None:
    """Where the columns of a mapping are in a sheet; None where its header is not in it.

    many  the file has more sheets: one without the players' columns is another table
    """
    wanted = {field: plain(heading) or heading for field, heading in mapping.columns.items()}
    best, most = -1, 0
    for row in range(min(LOOKED_AT, len(grid.rows))):
        named = {plain(text) or text for text in headings_of(grid, row)} - {""}
        count = len(named & set(wanted.values()))
        if count > most and count >= min(2, len(wanted)):
            best, most = row, count
    players = {wanted[field] for field in ("player1", "player2", "name", "first", "last") if field in wanted}
    if best < 0 or (many and not players <= {plain(text) or text for text in headings_of(grid, best)}):
        return None
    headings = headings_of(grid, best)
    by_name = [plain(text) or text for text in headings]
    at, fixed = {}, {}
    title = _title(grid, best)
    for field, heading in mapping.columns.items():
        name = wanted[field]
        exact = [number for number, text in enumerate(headings) if text == clean(heading)]
        alike = exact or [number for number, text in enumerate(by_name) if text == name]
        if re.fullmatch(r"#[0-9]{1,5}", heading.strip()) and not alike:
            alike = [int(heading.strip()[1:]) - 1]
        if len(alike) == 1 and alike[0] < len(headings):
            at[field] = alike[0]
        elif name in title:
            fixed[field] = title[name]
        else:
            code = "table-column-ambiguous" if alike else "table-column-missing"
            message = f"There is not one column '{heading}' for {field}."
            listed = ", ".join(filter(None, headings))[:300]
            _add(grid, findings, code, message, f"There is {listed}.", best)
    used = set(at.values())
    unused = [text for number, text in enumerate(headings) if text and number not in used]
    return Layout(best, at, _title_fields(title, grid, best) | fixed, headings, unused)


def propose(grid: Grid, findings: Findings) -> tuple[Mapping, Layout] | None:
    """The mapping that the names and values of the columns suggest; None where there is no header."""
    found = find_header(grid)
    if found is None:
        return None
    row, kind = found
    at, european, private = _assigned(grid, row, of_games if kind == GAMES else of_people, findings)
    headings = headings_of(grid, row)
    fixed = _title_fields(_title(grid, row), grid, row)
    if private:
        message = f"The columns {', '.join(private)} are not read."
        findings.add("privacy-dropped", NOTE, message, "None needed.", grid.numbers[row])
    columns = {field: _name_of(headings, number) for field, number in at.items()}
    mapping = Mapping(kind, columns)
    used = set(at.values())
    unused = [text for number, text in enumerate(headings) if text and number not in used]
    layout = Layout(row, at, fixed, headings, unused, european)
    return mapping, layout


def settle(mapping: Mapping, layout: Layout, grid: Grid, findings: Findings) -> Mapping:
    """The settings that are not given, from the values. Adds what only a person can say."""
    dates = mapping.dates or _dates(mapping, layout, grid, findings)
    results, letters = mapping.results, mapping.letters
    if "result" in layout.at:
        values = [text_of(cell) for cell in values_of(grid, layout.header, layout.at["result"])]
        results = results or cells.style_of(values)
        if not letters:
            letters, wrong = cells.letters_of(values)
            if wrong:
                remedy = "Say which: --map letters=en, nl, nl-g, fr, fr-g, de or de-g."
                _add(grid, findings, "result-letters-ambiguous", wrong, remedy, layout.header)
    return mapping._replace(dates=dates, results=results, letters=letters)


def values_of(grid: Grid, header: int, column: int) -> list[Cell]:
    """The filled cells of a column below the header, the first some hundred."""
    rows = grid.rows[header + 1 : header + 1 + SAMPLE]
    return [row[column] for row in rows if column < len(row) and row[column] not in ("", None)]


def _dates(mapping: Mapping, layout: Layout, grid: Grid, findings: Findings) -> str:
    if "date" not in layout.at:
        return ""
    rows = grid.rows[layout.header + 1 :]
    column = layout.at["date"]
    texts = {row[column] for row in rows if column < len(row) and isinstance(row[column], str)}
    order, doubtful = cells.order_of(str(text) for text in texts)
    european = layout.european or any(_is_european(heading, mapping) for heading in layout.headings)
    if doubtful and not european:
        message = f"Day and month of dates such as '{doubtful}' could be swapped."
        remedy = "Say which comes first: --map dates=dmy or dates=mdy."
        _add(grid, findings, "date-ambiguous", message, remedy, layout.header)
    return order


def _is_european(heading: str, mapping: Mapping) -> bool:
    known = of_people(heading) if mapping.kind == PEOPLE else of_games(heading)
    return bool(known) and bool(known[0].languages) and "en" not in known[0].languages


def _name_of(headings: Sequence[str], number: int) -> str:
    name = headings[number]
    alike = [text for text in headings if plain(text) == plain(name)]
    return name if name and (len(alike) == 1 or headings.count(name) == 1) else f"#{number + 1}"


# --- columns to fields ------------------------------------------------------------------------------


def _assigned(
    grid: Grid, row: int, known: Callable[[str], tuple[Meaning, ...]], findings: Findings
) -> tuple[dict[str, int], bool, list[str]]:
    """Field -> column; whether a heading is in another language than English; private columns."""
    headings = headings_of(grid, row)
    claims: dict[str, list[tuple[int, int]]] = {}
    european, private = False, []
    for number, heading in enumerate(headings[:1000]):
        if is_private(heading):
            private.append(heading)
            continue
        meanings = _by_values(known(heading), grid, row, number)
        if meanings:
            claims.setdefault(meanings[0].field, []).append((meanings[0].strength, number))
            european |= bool(meanings[0].languages) and "en" not in meanings[0].languages
    at: dict[str, int] = {}
    for field, found in claims.items():
        best = max(strength for strength, _ in found)
        numbers = [number for strength, number in found if strength == best]
        _assign(field, numbers, headings, at, claims, (grid, row, findings))
    return at, european, private


def _assign(
    field: str, numbers: list[int], headings: list[str], at: dict[str, int],
    claims: dict[str, list[tuple[int, int]]], place: tuple[Grid, int, Findings],
) -> None:  # fmt: skip
    """One column for a field, or two of one name for both sides; else say that it is ambiguous."""
    alike = len(numbers) == 2 and plain(headings[numbers[0]]) == plain(headings[numbers[1]])
    if len(numbers) == 1:
        at[field] = numbers[0]
    elif alike and field == "player1" and "player2" not in claims:
        at["player1"], at["player2"] = numbers
    elif alike and field == "result" and "score1" not in claims:
        at["score1"], at["score2"] = numbers
    elif (full := [n for n in numbers if "full" in headings[n].lower()]) and len(full) == 1:
        at[field] = full[0]  # a full name before a short one
        if field in ("player1", "player2") and len(numbers) == 2:
            at[f"short{field[-1]}"] = next(number for number in numbers if number != full[0])
    else:
        grid, row, findings = place
        named = " and ".join(f"'{headings[number]}'" for number in numbers[:3])
        message = f"The columns {named} could both be {field}."
        remedy = f"Say which: --map {field}={_name_of(headings, numbers[0])}."
        _add(grid, findings, "table-column-ambiguous", message, remedy, row, numbers[1])


def _by_values(meanings: tuple[Meaning, ...], grid: Grid, row: int, number: int) -> list[Meaning]:
    """Meanings in the order that the values below suggest."""
    found = list(meanings)
    if not found:
        return found
    field = found[0].field
    if field in ("sets", "result", "date", "board", "rating"):
        texts = [text_of(cell) for cell in values_of(grid, row, number)]
        if field == "sets" and texts and all(cells.is_score(text) for text in texts):
            found.insert(0, Meaning("result", 1))
        elif field == "result" and texts and sum(map(cells.is_set_list, texts)) > len(texts) / 2:
            found.insert(0, Meaning("sets", 1))
        elif field == "date" and texts and not any(cells.looks_dated(text) for text in texts):
            found.insert(0, Meaning("round", 1))
    return found


# --- above the header -------------------------------------------------------------------------------


def _title(grid: Grid, header: int) -> dict[str, Cell]:
    """Label -> value of the rows above the header."""
    found: dict[str, Cell] = {}
    for row in grid.rows[:header]:
        filled = [cell for cell in row if cell not in ("", None)]
        if len(filled) == 2 and isinstance(filled[0], str):
            found.setdefault(plain(filled[0]) or filled[0], filled[1])
        elif len(filled) == 1 and isinstance(filled[0], str) and ":" in filled[0]:
            label, _, value = filled[0].partition(":")
            if value.strip():
                found.setdefault(plain(label), value.strip())
    return found


def _title_fields(title: dict[str, Cell], grid: Grid, header: int) -> dict[str, Cell]:
    """Field -> value, for labels that are known; a bare first line is the event's name."""
    found: dict[str, Cell] = {}
    for label, value in title.items():
        field = next((m.field for m in of_games(label) if m.field in TITLE_FIELDS), "")
        if field:
            found.setdefault(field, value)
    if "event" not in found and header:
        filled = [cell for cell in grid.rows[0] if cell not in ("", None)]
        first = filled[0] if len(filled) == 1 else None
        if isinstance(first, str) and ":" not in first and not cells.looks_dated(first):
            found["event"] = first
    if "date" not in found:
        dated = [cell for row in grid.rows[:header] for cell in row if cell and cells.is_dated(cell)]
        if len(dated) == 1:
            found["date"] = dated[0]
    return found


def _add(
    grid: Grid, findings: Findings, code: str, message: str, remedy: str, row: int, column: int = 0
) -> None:
    """A fatal problem of the header."""
    line, place = grid.place(row, column)
    findings.add(code, FATAL, grid.where(row, column) + message, remedy, line, place)
