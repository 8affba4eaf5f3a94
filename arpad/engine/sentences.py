"""Terms with their units, as a reader sees them and as numbers; sentences made of them."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping
from string import Formatter
from typing import Any, NamedTuple, TypeAlias

from arpad.domain.dates import day_text
from arpad.domain.ranks import rank_name
from arpad.domain.rounding import rounded
from arpad.domain.units import UNRATED
from arpad.engine.messages import Messages
from arpad.rulesets.catalogue import Ruleset

Number: TypeAlias = float | int | str | bool | None

# Units beside those of arpad.domain.units.
TEXT, DAY, SCORE = "Text", "Day", "Score"

UNRATED_LABEL = "unrated"  # of arpad.rulesets.parts.whole_label


class Term(NamedTuple):
    """A value with its unit: a name of arpad.domain.units, or Text, Day, Score (hundredths of one game)."""

    value: Any
    unit: str

    @property
    def is_number(self) -> bool:
        return self.unit not in (TEXT, DAY)


Terms: TypeAlias = dict[str, Term]


def units_of(kind: Any) -> dict[str, str]:
    """The unit of each field of a NamedTuple: the name it is annotated with."""
    names = kind.__annotations__
    return {
        field: getattr(names[field], "__forward_arg__", None) or _name(names[field]) for field in kind._fields
    }


def _name(annotation: Any) -> str:
    return annotation if isinstance(annotation, str) else str(getattr(annotation, "__name__", annotation))


def terms_of(values: Any) -> Terms:
    """The fields of a NamedTuple as terms, in order, without a State among them."""
    units = units_of(type(values))
    return {
        field: Term(_plain(getattr(values, field)), unit) for field, unit in units.items() if unit != "State"
    }


def _plain(value: Any) -> Any:
    """Compiled runs hand out numpy's numbers."""
    return float(value) if isinstance(value, float) else int(value)


class Shown:
    """A term as text. In a sentence {name} is the text, {name:+} with a plus for gains, {name:size} without
    its sign, {name:.4} with up to 4 decimals."""

    __slots__ = ("inexact", "size", "text", "value", "wording")

    def __init__(self, wording: Wording, text: str, size: str, value: float | None, inexact: bool) -> None:
        self.wording, self.text, self.size = wording, text, size
        self.value, self.inexact = value, inexact  # the fraction behind the text; whether it has more digits

    def __format__(self, spec: str) -> str:
        if spec.startswith(".") and self.value is not None:
            return format(self.wording.number(self.value, int(spec[1:])), "")
        if self.inexact:
            self.wording.inexact = True
        if spec == "size":
            return self.size
        if spec == "+" and self.text == self.size != "0":
            return f"+{self.size}"
        return self.text

    def __str__(self) -> str:
        return self.text


class Wording:
    """How one language writes numbers, days and ranks of one ruleset ([format] of common.toml)."""

    def __init__(self, ruleset: Ruleset, language: str) -> None:
        self.ruleset, self.messages = ruleset, Messages(language, ruleset.id)
        self.inexact = False  # True once a figure was shown with fewer digits than it has
        label = ruleset.label(ruleset.state_type())  # "NC" in go, in every language
        self._unrated = self.messages.get("format", "unrated") if label == UNRATED_LABEL else label

    # --- values -----------------------------------------------------------------------------------

    def shown(self, term: Term) -> Shown:
        """A term as a reader sees it."""
        value, unit = term
        if unit == "Grains" and value == UNRATED:
            return self._word(self._unrated)
        if unit == DAY:
            return self._word(self.day(value))
        if unit == "Rank":
            return self._word(self.rank(value))
        if unit in (TEXT, "Year"):
            return self._word(str(value))
        if unit == SCORE and value == 50:
            return self._word("½")
        exact_value = value if unit in ("Points", "Share", "Factor") else None
        return self._figure(exact_value, *_digits(value, unit, self.ruleset.per_point))

    def number(self, value: float, places: int) -> Shown:
        """A bare number with up to `places` decimals."""
        return self._figure(value, *_stripped(value, places))

    def _figure(self, value: float | None, digits: int, places: int, exact: bool) -> Shown:
        size = self.decimal(digits, places)
        text = self.messages.get("format", "minus") + size if digits < 0 else size
        return Shown(self, text, size, value, not exact)

    def _word(self, text: str) -> Shown:
        return Shown(self, text, text, None, False)

    def decimal(self, digits: int, places: int) -> str:
        """`digits` / 10 ** places; without decimals where it is whole."""
        whole, rest = divmod(abs(digits), 10**places)
        if not rest:
            return str(whole)
        return f"{whole}{self.messages.get('format', 'decimal')}{rest:0{places}d}"

    def is_one(self, term: Term) -> bool:
        """Whether a noun counted by the term stands in the singular. A factor counts none: one is one."""
        if not term.is_number or term.value is None:
            return False
        size = self.shown(term).size
        if term.unit != "Factor" and self.messages.get("format", "singular") == "below two":
            return size[0] in "01" and not size[1:2].isdigit()
        return size == "1"

    def day(self, day: int) -> str:
        """A day in a sentence; "" for none."""
        if not day:
            return ""
        date = datetime.date.fromordinal(day)
        pattern = self.messages.get("format", *(["day_first"] if date.day == 1 else []), "day")
        return pattern.format(day=date.day, month=self._month(date.month), year=date.year)

    def span(self, first: int, last: int) -> str:
        """A day, or the days from the first to the last."""
        if first == last or not first:
            return self.day(last)
        return self.messages.get("format", "span").format(first=self.day(first), last=self.day(last))

    def month(self, month: int, count: int) -> str:
        """A month (year * 12 + month - 1), or `count` months from it on."""
        if count == 1:
            pattern = self.messages.get("format", "month")
            return pattern.format(month=self._month(month % 12 + 1), year=month // 12)
        last = month + count - 1
        pattern = self.messages.get("format", "months")
        return pattern.format(
            first=self._month(month % 12 + 1), last=self._month(last % 12 + 1), year=last // 12
        )

    def _month(self, number: int) -> str:
        return self.messages.get("format", f"month_{number}")

    def rank(self, index: int) -> str:
        """A dan or kyu rank in words."""
        number, kind = rank_name(index).split()
        first = [f"{kind}_first"] if number == "1" else []
        return self.messages.get("format", *first, kind).format(n=number)

    # --- sentences ----------------------------------------------------------------------------------

    def sentence(self, template: str, terms: Mapping[str, Term], rules: Any = None) -> str:
        """The template with its placeholders filled; {rules.<name>} is a parameter of the ruleset."""
        values: dict[str, Any] = {
            name: self.shown(terms[name]) for name in placeholders(template) if name in terms
        }
        if rules is not None:
            values["rules"] = _Rules(self, rules)
        return template.format_map(values)


class _Rules:
    """The parameters of a ruleset, as {rules.cap} in a sentence."""

    def __init__(self, wording: Wording, params: Any) -> None:
        self._wording, self._params = wording, params

    def __getattr__(self, name: str) -> Shown:
        return self._wording.shown(Term(getattr(self._params, name), "Factor"))


def placeholders(template: str) -> Iterator[str]:
    """The names in braces; "rules.cap" counts as such."""
    return (name for _, name, _, _ in Formatter().parse(template) if name)


def _digits(value: float, unit: str, per_point: int) -> tuple[int, int, bool]:
    """(digits, decimals, exact): the value as digits / 10 ** decimals, halves away from zero."""
    if unit == "Grains":
        return int(value), len(str(per_point)) - 1, True  # a grain is a power of ten
    if unit in ("Hundredths", SCORE):
        return int(value), 2, True
    if unit in ("Count", "Flag", "int"):
        return int(value), 0, True
    if unit == "Factor":
        return _stripped(value, 4)
    digits = rounded(value * 100)
    return digits, 2, abs(value * 100 - digits) < 1e-9


def _stripped(value: float, places: int) -> tuple[int, int, bool]:
    """As many decimals as the value has, at most `places`."""
    digits = rounded(value * 10**places)
    exact = abs(value * 10**places - digits) < 1e-6
    while places and digits % 10 == 0:
        digits, places = digits // 10, places - 1
    return digits, places, exact


def plain(term: Term, ruleset: Ruleset) -> Number:
    """A term as a number for machines: points, shares, counts; ranks in English words, days as ISO dates."""
    value, unit = term
    if unit == "Grains":
        return None if value == UNRATED else value / ruleset.per_point
    if unit in ("Hundredths", SCORE):
        return float(value) / 100
    if unit == "Rank":
        return rank_name(value)
    if unit == "Flag":
        return bool(value)
    if unit == DAY:
        return day_text(value) or None
    if unit in ("Points", "Share", "Factor"):
        return float(value)
    return value if isinstance(value, str) else int(value)
