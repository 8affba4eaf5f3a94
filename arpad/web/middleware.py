"""The language of a page, and headers that every answer carries."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.translation.trans_real import parse_accept_lang_header

Answer = Callable[[HttpRequest], HttpResponse]
CODES = tuple(code for code, _ in settings.LANGUAGES)
COOKIE = "language"


class Language:
    """The first part of the address is the language: /nl/... Elsewhere the reader's own."""

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        first = request.path_info.split("/", 2)[1]
        language = first if first in CODES else preferred(request)
        with translation.override(language):
            request.LANGUAGE_CODE = language
            response = self.get_response(request)
        response.headers.setdefault("Content-Language", language)
        return response


def preferred(request: HttpRequest, otherwise: str = settings.LANGUAGE_CODE) -> str:
    """By cookie, then by browser, then `otherwise` (the organisation's)."""
    chosen = request.COOKIES.get(COOKIE, "")
    if chosen in CODES:
        return chosen
    wanted = parse_accept_lang_header(request.headers.get("Accept-Language", "")[:500])
    for code, _ in wanted:
        if code.split("-")[0] in CODES:
            return code.split("-")[0]
    return otherwise


class Headers:
    """What Django does not send by itself."""

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault(
            "Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
        )
        response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        response.headers.setdefault("Cache-Control", "private, no-cache")
        return response
