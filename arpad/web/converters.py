"""Parts of addresses: a language, an id, a day, an edition, a kind of file."""

from __future__ import annotations

from arpad.domain.dates import day_text, read_day
from arpad.web.ids import LENGTH, LETTERS


class LanguageConverter:
    regex = "nl|fr|de|en"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


class IdConverter:
    """An id of arpad.web.ids."""

    regex = f"[{LETTERS}]{{{LENGTH}}}"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


class DayConverter:
    """An ISO date as a day."""

    regex = "[0-9]{4}-[0-9]{2}-[0-9]{2}"

    def to_python(self, value: str) -> int:
        day = read_day(value)
        if day is None:
            raise ValueError(value)
        return day

    def to_url(self, value: int) -> str:
        return day_text(value)


class FormConverter:
    """The ending of a file that goes out."""

    regex = "csv|xlsx|ods|json|html|pdf|h9|trf"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


class EditionConverter:
    """An edition of a ruleset: the one of a day, or "latest"."""

    regex = f"latest|{DayConverter.regex}"

    def to_python(self, value: str) -> int | str:
        return value if value == "latest" else DayConverter().to_python(value)

    def to_url(self, value: int | str) -> str:
        return value if isinstance(value, str) else day_text(value)
