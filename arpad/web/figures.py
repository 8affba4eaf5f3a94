"""Numbers, days and ranks as a language writes them. The one place; Django's own formats are not used."""

from __future__ import annotations

import datetime
from zoneinfo import ZoneInfo

from babel.dates import format_date
from django.utils.safestring import SafeString, mark_safe

from arpad.domain.rounding import divided, rounded
from arpad.domain.units import UNRATED
from arpad.rulesets.catalogue import Ruleset

MINUS = "−"
LOCALES = {"nl": "nl", "fr": "fr", "de": "de", "en": "en_GB"}
TABLE = {"nl": "d MMM y", "fr": "d MMM y", "de": "dd.MM.y", "en": "d MMM y"}
SENTENCE = {"nl": "d MMMM y", "fr": "d MMMM y", "de": "d. MMMM y", "en": "d MMMM y"}
THOUSANDS = {"nl": ".", "fr": "\u202f", "de": ".", "en": ","}


def decimal_mark(language: str) -> str:
    """The mark before decimals."""
    return "." if language == "en" else ","


def ranked(rules: Ruleset) -> bool:
    """Whether a list of the ruleset shows ranks beside ratings (go), or the number alone."""
    return not rules.label(rules.state_type()._replace(rating=0)).lstrip("-").isdigit()


def decimals(rules: Ruleset, detail: bool = False) -> int:
    """Decimals of ratings: one in lists, two in a derivation, none where the list shows whole numbers."""
    if rules.per_point == 1:
        return 0
    return 2 if detail else 1 if ranked(rules) else 0


def fixed(units: int, per_point: int, places: int, language: str) -> str:
    """units / per_point with so many decimals, rounded once, halves away from zero."""
    shown = divided(units * 10**places, per_point)
    whole, rest = divmod(abs(shown), 10**places)
    text = f"{whole}{decimal_mark(language)}{rest:0{places}d}" if places else str(whole)
    return MINUS + text if shown < 0 else text


def rating(grains: int | None, rules: Ruleset, language: str, detail: bool = False) -> str:
    """A rating in grains as text; "" where there is none."""
    if grains is None or grains == UNRATED:
        return ""
    return fixed(grains, rules.per_point, decimals(rules, detail), language)


def change(units: int, rules: Ruleset, language: str, detail: bool = False, per_point: int = 0) -> str:
    """A gain with +, a loss with −, nothing as 0."""
    places = decimals(rules, detail)
    text = fixed(units, per_point or rules.per_point, places, language)
    zero = not text.strip("0.," + MINUS)
    return text.lstrip(MINUS) if zero else text if units < 0 else f"+{text}"


def gained(points: float, language: str, places: int = 1) -> str:
    """An unrounded change in points with its sign, rounded once; a zero has none."""
    shown = rounded(points * 10**places)
    text = fixed(shown, 10**places, places, language)
    return f"+{text}" if shown > 0 else text


def share(millionths: int, language: str, places: int = 2) -> str:
    """An expected score, 0 to 1."""
    return fixed(millionths, 1_000_000, places, language)


def count(number: int, language: str) -> str:
    """A count, grouped from 10 000 on."""
    if abs(number) < 10_000:
        return str(number)
    return f"{number:,}".replace(",", THOUSANDS[language])


def date_text(day: int, language: str, sentence: bool = False) -> str:
    """A day in a table or in a sentence; "" for none."""
    if not day:
        return ""
    date = datetime.date.fromordinal(day)
    pattern = (SENTENCE if sentence else TABLE)[language]
    text = format_date(date, pattern, locale=LOCALES[language])
    if language == "fr" and date.day == 1:
        text = "1er" + text[1:]
    return text


def time_element(day: int, language: str, sentence: bool = False) -> SafeString:
    """A day with its machine form."""
    if not day:
        return mark_safe("")
    iso = datetime.date.fromordinal(day).isoformat()
    return mark_safe(f'<time datetime="{iso}">{date_text(day, language, sentence)}</time>')


def moment(when: datetime.datetime, zone: str) -> tuple[int, str]:
    """A recorded time in the organisation's zone: the day, and 20:05."""
    local = when.astimezone(ZoneInfo(zone))
    return local.date().toordinal(), f"{local:%H:%M}"
