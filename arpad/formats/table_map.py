"""A mapping: which column of a table is what, and how its cells are meant. Proposed, shown, given, saved.

    {"kind": "games", "columns": {"date": "Datum", "player1": "Wit", ...}, "dates": "dmy"}

`columns` names each field's heading, or the label of the title block that gives it for all rows. A column
without heading, or with one that stands twice, is named by its place: "#3".
"""

from __future__ import annotations

import json
from collections.abc import Mapping as Fields
from typing import NamedTuple

from arpad.domain.problems import FATAL
from arpad.formats.reading import Findings
from arpad.formats.table_words import GAME_FIELDS, PEOPLE_FIELDS, plain

GAMES, PEOPLE = "games", "people"
DATES = ("", "dmy", "mdy")
RESULTS = ("", "game", "sets", "points2")
# language -> the letters of a win, a draw and a loss
LETTERS = {
    "en": "wdl", "nl": "wrv", "nl-g": "grv", "fr": "vnd", "fr-g": "gnp", "de": "srn", "de-g": "guv",
}  # fmt: skip
SETTINGS = {"dates": DATES, "results": RESULTS, "letters": ("", *LETTERS), "became_dates": DATES}
VERSION = 1


class Mapping(NamedTuple):
    """How a table is read. Settings that are empty are found from the values, or asked for."""

    kind: str = GAMES
    columns: Fields[str, str] = {}  # field -> heading, label or "#3"
    dates: str = ""  # order of day and month: dmy, mdy
    results: str = ""  # what 1-0 and 1/2 are: game, sets, points2 (2-0 won, 1-1 drawn)
    letters: str = ""  # language of W, V, G ... in the column of results
    became_dates: str = ""  # order by which results that became dates are read back
    event_name: str = ""  # name of the event where the table gives none
    day: str = ""  # its date, where the table gives none: 2026-05-31
    winners: Fields[str, str] = {}  # how a winner is misspelt -> the player
    confirmed: bool = False  # a person gave it or said yes to it

    def to_json(self) -> bytes:
        """The mapping as a file, to be used for the next upload."""
        told = {name: value for name, value in self._asdict().items() if value and name != "confirmed"}
        told["columns"], told["winners"] = dict(self.columns), dict(self.winners)
        return json.dumps({"version": VERSION, **told}, ensure_ascii=False, indent=2).encode() + b"\n"

    def shown(self) -> list[tuple[str, str]]:
        """What a person confirms: field and column, then the settings."""
        told = [(field, heading) for field, heading in self.columns.items()]
        told += [
            (name, str(getattr(self, name)))
            for name in (*SETTINGS, "event_name", "day")
            if getattr(self, name)
        ]
        return told


def key_of(headings: list[str]) -> str:
    """What a saved mapping is found by: the set of a table's column names.

    >>> key_of(["Wit", "Datum"]) == key_of(["datum ", "WIT"])
    True
    """
    return "|".join(sorted({plain(heading) for heading in headings} - {""}))


def from_json(data: bytes, file: str = "") -> Mapping:
    """A saved mapping; one that a person made, so confirmed. Raises Refused (`mapping-file`)."""
    findings = Findings(file)
    try:
        told = json.loads(data)
        if not isinstance(told, dict) or told.pop("version", VERSION) != VERSION:
            raise ValueError("no mapping of this version")
        columns, winners = told.pop("columns", {}), told.pop("winners", {})
        texts = (*columns.items(), *winners.items(), *told.items())
        if any(not isinstance(part, str) for pair in texts for part in pair) or set(told) - set(
            Mapping._fields
        ):
            raise ValueError("a value that is no text, or a name that is not known")
        mapping = Mapping(columns=columns, winners=winners, confirmed=True)._replace(**told)
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        findings.add(
            "mapping-file", FATAL, f"This is no saved mapping: {error}.", "Save it with `arpad check`."
        )
        findings.refuse()
    check(mapping, findings)
    return mapping


def given(
    pairs: Fields[str, str],
    base: Mapping | None = None,
    *,
    winners: Fields[str, str] | None = None,
    file: str = "",
) -> Mapping:
    """A mapping with what a person names: fields with headings, settings with values. Raises Refused.

    base     a mapping to which it is added
    winners  how a winner is misspelt -> the player

    >>> given({"date": "Datum", "dates": "dmy"}).columns
    {'date': 'Datum'}
    """
    mapping = base or Mapping(kind=_kind(pairs))
    columns = dict(mapping.columns)
    settings: dict[str, str] = {}
    for name, value in pairs.items():
        if name in ("kind", *SETTINGS, "event_name", "day"):
            settings[name] = value
        else:
            columns[name] = value
    names = dict(mapping.winners) | dict(winners or {})
    mapping = mapping._replace(columns=columns, winners=names, **settings)  # type: ignore[arg-type]
    findings = Findings(file)
    check(mapping, findings)
    return mapping


def _kind(pairs: Fields[str, str]) -> str:
    fields = set(pairs)
    return (
        PEOPLE
        if "kind" not in fields and fields <= {*PEOPLE_FIELDS, *SETTINGS} and "name" in fields
        else GAMES
    )


def check(mapping: Mapping, findings: Findings) -> None:
    """Refuse fields that are none, and settings with a value that is none."""
    known = PEOPLE_FIELDS if mapping.kind == PEOPLE else GAME_FIELDS
    if mapping.kind not in (GAMES, PEOPLE):
        findings.add("mapping-field", FATAL, f"'{mapping.kind}' is no kind of table.", "Use games or people.")
    for field in mapping.columns:
        if field not in known:
            message = f"'{field}' is no field."
            findings.add("mapping-field", FATAL, message, f"Use one of {', '.join(known)}.")
    for name, values in SETTINGS.items():
        if getattr(mapping, name) not in values:
            message = f"{name} cannot be '{getattr(mapping, name)}'."
            findings.add("mapping-field", FATAL, message, f"Use one of {', '.join(filter(None, values))}.")
    findings.refuse_where(FATAL)


def needs(mapping: Mapping) -> list[str]:
    """What a mapping lacks, in words; empty where games or people can be read by it."""
    has = set(mapping.columns)
    if mapping.kind == PEOPLE:
        return [] if "name" in has or {"first", "last"} & has else ["name"]
    lacks = [field for field in ("player1", "player2") if field not in has]
    sets = "sets" in has or "set1" in has
    if not (has & {"result", "winner", "loser"} or {"score1", "score2"} <= has or sets):
        lacks.append("result, winner, two scores or sets")
    return lacks
