"""One event of a sheet as an EGD table, to be written: in our own dialect, or for the database."""

from __future__ import annotations

import re
from collections import Counter

from arpad.domain.play import Application
from arpad.domain.problems import FATAL, WARNING, Problem, Refused
from arpad.domain.ranks import rank_index
from arpad.domain.results import FORFEIT, GAME, PENDING, SETS, VOID, Result
from arpad.formats.egd_countries import egd_country
from arpad.formats.egd_table import Heading, Row, Table, TableBye, TableGame, is_result_like
from arpad.formats.egd_write import EGD, OWN
from arpad.formats.reading import Findings
from arpad.ledger.columns import GameRow
from arpad.ledger.sheet import Sheet, SheetPerson

_PIN = re.compile(r"[0-9]{8}\Z")
_NO_PERSON = SheetPerson("")


def table_of(
    sheet: Sheet, event: int = 0, dialect: str = OWN, *, heading: Heading | None = None,
    findings: Findings | None = None,
) -> Table:  # fmt: skip
    """The table of one event of a sheet. Raises Refused for what a table cannot hold.

    dialect   EGD: games that the database does not take are left out and told in `findings`
              (`egd-game-left-out`), and a double win stays, to be written as half a point each
    heading   what the sheet does not know: country, place, handicap rule, komi, minutes, remarks

    Rows are the event's players in the order of the sheet. The last word of a name is the first name, or
    all that follows a comma. Games without round, or a second one in a round, get the first round that
    both players have free.
    """
    what = sheet.events[event]
    mine = [row for row in sheet.games if row.event == event]
    unrated = _is_unrated(sheet, mine)
    taken = [row for row in mine if _is_taken(sheet, row, dialect, unrated, findings)]
    present = {row.player1 for row in mine} | {row.player2 for row in mine if row.player2 >= 0}
    numbers = {player: number for number, player in enumerate(sorted(present))}
    games, byes, rounds = _rounds(sheet, taken, numbers)
    days = [row.day for row in mine]
    known = heading or Heading()
    return Table(
        known._replace(
            event_class="X" if unrated else what.event_class,
            event=what.name,
            first=what.start or min(days, default=0),
            last=max(days, default=0),
        ),
        _rows(sheet, list(numbers)),
        rounds,
        tuple(games),
        tuple(byes),
    )


def _is_unrated(sheet: Sheet, games: list[GameRow]) -> bool:
    """Whether the whole event is not for rating: class X."""
    results = [sheet.results[row.result] for row in games]
    played = [result for result in results if result.kind == GAME]
    return bool(played) and all(result.unrated for result in played)


def _is_taken(
    sheet: Sheet, row: GameRow, dialect: str, unrated: bool, findings: Findings | None
) -> bool:  # fmt: skip
    """Whether the game can stand in the table. What cannot is told, or refused in our own dialect."""
    if row.player2 < 0:
        return True
    result = sheet.results[row.result]
    if result.kind == SETS or (dialect == OWN and result.kind not in (GAME, FORFEIT, PENDING)):
        why = f"'{result}' cannot stand in an EGD table"
    elif not 0 <= row.stones <= 9:
        why = f"{row.stones} stones cannot stand in an EGD table"
    elif result.unrated and not unrated:
        why = "it is not for rating, but other games of the event are"
    elif dialect == EGD and row.size not in (0, 19):
        why = f"it was played on {row.size}x{row.size}"
    else:
        return True
    message = f"{sheet.players[row.player1]} - {sheet.players[row.player2]}: {why}."
    if dialect == OWN or findings is None:
        raise Refused(Problem("result-not-in-format", FATAL, message, "Leave the game out."))
    findings.add("egd-game-left-out", WARNING, message, "", max(row.line, 1))
    return False


def _rounds(
    sheet: Sheet, rows: list[GameRow], numbers: dict[int, int]
) -> tuple[list[TableGame], list[TableBye], int]:
    """Games and byes by row, and the number of rounds."""
    busy: set[tuple[int, int]] = set()
    games, byes = [], []
    for row in sorted(rows, key=lambda row: row.round == 0):  # stated rounds first
        result = sheet.results[row.result]
        sides = [numbers[row.player1]] + ([numbers[row.player2]] if row.player2 >= 0 else [])
        round_ = row.round or 1
        while any((side, round_) in busy for side in sides):
            round_ += 1
        busy |= {(side, round_) for side in sides}
        if len(sides) == 1:
            byes.append(TableBye(round_, sides[0], {2: "+", 1: "="}.get(result.first, "-")))
        else:
            plain = Result(VOID) if result.kind == VOID else result._replace(unrated=False, best_of=0)
            games.append(TableGame(round_, sides[0], sides[1], plain, row.stones))
    return games, byes, max((round_ for _, round_ in busy), default=0)


# --- rows -------------------------------------------------------------------------------------------


def _rows(sheet: Sheet, players: list[int]) -> tuple[Row, ...]:
    grades = {entry.player: _grade(entry.application) for entry in reversed(sheet.first_ratings)}
    people = [sheet.people.get(sheet.players[player], _NO_PERSON) for player in players]
    pins = [dict(person.ids).get("egd", "") for person in people]
    counts = Counter(pins)
    rows = []
    for player, person, pin in zip(players, people, pins, strict=True):
        name, first = _names(sheet.players[player])
        grade = grades.get(sheet.players[player]) or person.rank
        if rank_index(person.rank) == rank_index(grade) is not None:
            grade = person.rank  # 4p, where the first rating knows a rank only
        rows.append(
            Row(
                name, first, grade, egd_country(person.federation), _club(person.club),
                pin=pin if _PIN.match(pin) and counts[pin] == 1 else "",
            )
        )  # fmt: skip
    return tuple(rows)


def _names(name: str) -> tuple[str, str]:
    """Family name and first name: cut at a comma with a blank behind it, else before the last word.

    >>> _names("van der Fictief Jop"), _names("van der Fictief, Jop Piet"), _names("Okabe")
    (('van der Fictief', 'Jop'), ('van der Fictief,', 'Jop Piet'), ('Okabe', ''))
    """
    before, comma, after = name.partition(", ")
    if comma and after and before:
        return f"{before},", after
    words = name.split()
    return " ".join(words[:-1]) or name, words[-1] if len(words) > 1 else ""


def _club(text: str) -> str:
    """A club as one word that nobody takes for a result or for points; "" where it cannot be one."""
    word = "_".join(text.split())
    odd = is_result_like(word) or re.search(r"[;|]", word) or re.match(r"[0-9.?½]*\Z", word)
    return "" if odd or word.lower() == "xxxx" else word


def _grade(application: Application) -> str:
    if application.unclassified:
        return "NC"
    if application.rank is None:
        return ""
    return f"{application.rank}d" if application.rank >= 1 else f"{1 - application.rank}k"
