"""Filters and tags of every template: figures in the reader's language, icons."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from arpad.domain.dates import day_text
from arpad.web import figures

register = template.Library()


def language() -> str:
    """The language of the page."""
    return (get_language() or "en").split("-")[0]


@register.filter
def day(value: int) -> SafeString:
    """A day in a table: 14 Nov 2026."""
    return figures.time_element(value or 0, language())


@register.filter
def day_long(value: int) -> SafeString:
    """A day in a sentence: 14 November 2026."""
    return figures.time_element(value or 0, language(), sentence=True)


@register.filter
def counted(value: int) -> str:
    """A count, grouped from 10 000 on."""
    return figures.count(value or 0, language())


@register.simple_tag
def icon(name: str, solid: str = "") -> SafeString:
    """An icon of the sprite; it never stands without a word."""
    return format_html(
        '<svg class="i{}" aria-hidden="true"><use href="#{}"/></svg>', " solid" if solid else "", name
    )


@register.simple_tag
def gain(text: str) -> SafeString:
    """A change with its triangle and colour; `text` as figures.change writes it."""
    if not text:
        return SafeString("")
    if text[0] == "+":
        return format_html('<span class="up">{}{}</span>', icon("up", "solid"), text)
    if text[0] == figures.MINUS:
        return format_html('<span class="dn">{}{}</span>', icon("down", "solid"), text)
    return format_html('<span class="zero">{}</span>', text)


@register.simple_tag(takes_context=True)
def with_query(context: dict[str, Any], **changes: Any) -> str:
    """The page's query string with some values replaced; an empty value leaves one out."""
    query = context["request"].GET.copy()
    for name, value in changes.items():
        query.pop(name, None)
        if value not in ("", None):
            query[name] = value
    return f"?{query.urlencode()}" if query else "?"


@register.simple_tag(takes_context=True)
def with_choice(context: dict[str, Any], field: str, name: str, ident: str) -> str:
    """The page's query string with one person chosen for a field: the name and the id."""
    query = context["request"].GET.copy()
    query[field], query[f"{field}_id"] = name, ident
    return f"?{query.urlencode()}"


@register.filter
def iso(value: int) -> str:
    """A day as 2026-11-14, for fields."""
    return day_text(value or 0)
