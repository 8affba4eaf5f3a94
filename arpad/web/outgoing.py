"""Files that readers take away: made on request, by today's privacy policy, for this reader alone.

No file with names is stored. An answer's ETag is a digest of all that stands in it, with the address, the
privacy version, the language and the reader's rights; the newest few that were costly to make are kept in
memory under it, so that nothing can be served that differs from what would be made now.
"""

from __future__ import annotations

import hashlib
import json
import re
import threading
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from typing import Any

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.text import compress_sequence
from django.utils.translation import gettext as _

from arpad.domain.problems import Refused
from arpad.formats import listing, listing_pdf
from arpad.formats.listing import CHANGE, DAY, NUMBER, Column, ListPage
from arpad.formats.spreadsheet import Value
from arpad.web import figures
from arpad.web.here import Here

TYPES = {
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "html": "text/html; charset=utf-8",
    "pdf": "application/pdf",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "ods": "application/vnd.oasis.opendocument.spreadsheet",
    "h9": "text/plain; charset=utf-8",
    "trf": "text/plain; charset=utf-8",
}
MILLION = 1_000_000
KEPT = 20_000_000  # bytes of costly files that a process remembers
_printing = threading.Lock()  # one at a time: it takes a whole processor


def answer(here: Here, form: str, name: str, page: ListPage) -> HttpResponseBase:
    """A page as a file in one of listing.FORMS, under a plain name."""
    tag = etag(here, form, *listing.json_pieces(page), repr((page.dateline, page.foot)).encode())
    unchanged = get_conditional_response(here.request, etag=tag)
    if unchanged is not None:
        return unchanged
    content: Iterator[bytes] | bytes
    try:
        if form == "csv":
            content = listing.csv_pieces(page)
        elif form == "json":
            content = listing.json_pieces(page)
        elif form == "html":
            content = listing.html(page, sayer(here))
        else:
            content = costly.get(tag, lambda: _made(here, form, page))
    except Refused as refused:
        return refuse(here, refused)
    return sent(here, form, name, tag, content)


def file_answer(here: Here, form: str, name: str, data: bytes) -> HttpResponseBase:
    """Bytes that are made already as a file."""
    tag = etag(here, form, data)
    return get_conditional_response(here.request, etag=tag) or sent(here, form, name, tag, data)


def _made(here: Here, form: str, page: ListPage) -> bytes:
    if form == "xlsx":
        return listing.xlsx(page)
    if form == "ods":
        return listing.ods(page)
    document = listing_pdf.document(page, sayer(here))
    with _printing:
        return listing_pdf.printed(document)


def sent(here: Here, form: str, name: str, tag: str, content: Iterator[bytes] | bytes) -> HttpResponseBase:
    """The answer itself: an attachment, in no index."""
    response: HttpResponseBase
    if isinstance(content, bytes):
        response = HttpResponse(content, content_type=TYPES[form])
    else:
        packed = re.search(r"\bgzip\b", here.request.headers.get("Accept-Encoding", ""))
        if (
            packed
        ):  # here, as one stream: Django's own packs every piece by itself, and programs read the first
            content, tag = compress_sequence(content), f"W/{tag}"
        streamed = _apart(content) if isinstance(here.request, ASGIRequest) else content
        response = StreamingHttpResponse(streamed, content_type=TYPES[form])
        patch_vary_headers(response, ["Accept-Encoding"])
        if packed:
            response["Content-Encoding"] = "gzip"
    response["Content-Disposition"] = f'attachment; filename="{name}.{form}"'
    response["ETag"] = tag
    response["Cache-Control"] = "private, no-cache"
    response["X-Robots-Tag"] = "noindex"
    return response


async def _apart(pieces: Iterator[bytes]) -> AsyncIterator[bytes]:
    """The pieces, each made in a thread, while other answers go on."""
    following = sync_to_async(lambda: next(pieces, None))
    while (piece := await following()) is not None:
        yield piece


def etag(here: Here, form: str, *content: bytes) -> str:
    """A digest of the content, and of for whom it is."""
    frame = [
        here.request.get_full_path(), form, here.page.privacy_version, here.language, here.reader.role,
        here.reader.may_enter,
    ]  # fmt: skip
    digest = hashlib.sha256(json.dumps(frame).encode())
    for piece in content:
        digest.update(piece)
    return f'"{digest.hexdigest()[:40]}"'


def refuse(here: Here, refused: Refused) -> HttpResponse:
    """A file that cannot be made: why, and what can be done."""
    problem = refused.problems[0]
    if problem.code == "listing-too-long":
        why = _("This list is too long for this kind of file.")
        remedy = _("Take the CSV file, or choose a club or a part of the ratings first.")
    elif problem.code == "listing-pdf-failed":
        why, remedy = _("The list could not be printed here."), _("Take another kind of file.")
    else:
        why, remedy = problem.message, problem.remedy
    return here.render("file_refused.html", status=409, why=why, remedy=remedy)


class _Costly:
    """The newest few files by their ETags, which say everything that is in them."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, tag: str, make: Callable[[], bytes]) -> bytes:
        """The file of that ETag, made where it is not there."""
        with self._lock:
            if tag in self._kept:
                self._kept.move_to_end(tag)
                return self._kept[tag]
        data = make()
        with self._lock:
            self._kept[tag] = data
            while sum(map(len, self._kept.values())) > KEPT:
                self._kept.popitem(last=False)
        return data


costly = _Costly()


# --- what the pages of files share ------------------------------------------------------------------


def sayer(here: Here) -> listing.Say:
    """Writes values as the reader's language does, for paper and HTML."""
    language = here.language

    def say(column: Column, value: Value) -> str:
        if value is None or value == "":
            return ""
        if column.kind == DAY and not isinstance(value, (str, int, float)):
            return figures.date_text(value.toordinal(), language)
        if column.kind in (NUMBER, CHANGE) and isinstance(value, (int, float)):
            text = figures.fixed(round(value * MILLION), MILLION, column.decimals, language)
            zero = not text.strip("0.," + figures.MINUS)
            return f"+{text}" if column.kind == CHANGE and value > 0 and not zero else text
        if column.key == "result":
            return re.sub(r"(?<=[0-9½])-(?=[0-9½])", "–", str(value).replace("1/2", "½"))
        if column.key.startswith("round"):
            return re.sub(r"(?<=[0-9])-(?=[0-9])", "–", re.sub(r"-(?= |$)", figures.MINUS, str(value)))
        return str(value)

    return say


def points(here: Here, units: int | None, per_point: int = 0) -> float | int | None:
    """Grains (or the ruleset's units of change) as points, exactly."""
    per = per_point or here.rules.per_point
    return None if units is None else units // per if units % per == 0 and per == 1 else units / per


def told_apart(names: Sequence[str], clubs: Sequence[str]) -> list[str]:
    """Equal shown names get the club, then a number; never what is hidden of them.

    >>> told_apart(["Noor B.", "Noor B.", "Jop V.", "Jop V.", "Ada X."], ["Gent", "Mol", "Mol", "Mol", ""])
    ['Noor B. (Gent)', 'Noor B. (Mol)', 'Jop V. (Mol) 1', 'Jop V. (Mol) 2', 'Ada X.']
    """
    counts = Counter(names)
    found = [
        f"{name} ({club})" if name and club and counts[name] > 1 else name
        for name, club in zip(names, clubs, strict=True)
    ]
    return numbered(found)


def numbered(names: Iterable[str]) -> list[str]:
    """Equal names get a number."""
    names = list(names)
    counts, seen = Counter(names), Counter[str]()
    taken = set(names)
    out = []
    for name in names:
        if name and counts[name] > 1:
            seen[name] += 1
            while f"{name} {seen[name]}" in taken:
                seen[name] += 1
            name = f"{name} {seen[name]}"
        out.append(name)
    return out


def address(here: Here, name: str, *args: object) -> str:
    """The address to print: without a language, which is the reader's own affair."""
    path = here.url(name, *args)[len(here.language) + 1 :]
    return here.request.build_absolute_uri(path)


SHOWN = {"csv": "CSV", "xlsx": "XLSX", "json": "JSON", "pdf": "PDF", "h9": "EGD", "trf": "TRF"}


def links(
    here: Here, name: str, *args: object, forms: Iterable[str] = listing.FORMS
) -> list[tuple[str, str]]:
    """(word, address) of the files of a page, with its question: its filter, or as known when."""
    asked = here.request.GET.copy()
    for moved in ("after", "before", "go", "skip"):
        asked.pop(moved, None)
    query = f"?{asked.urlencode()}" if asked else ""
    return [(SHOWN[form], here.url(name, *args, form) + query) for form in forms if form in SHOWN]


def dateline(here: Here) -> list[str]:
    """Up to which recording, and whether names are in full."""
    told = []
    if here.settlement is not None:
        day, time = figures.moment(here.settlement.started, here.organisation.time_zone)
        told.append(
            _("settled up to no. %(number)s on %(day)s, %(time)s")
            % {
                "number": here.settlement.through, "day": figures.date_text(day, here.language), "time": time,
            }
        )  # fmt: skip
    if here.reader.may_enter:
        told.append(_("Names in full: for officers, not for publication"))
    return told


def facts(here: Here, **more: Any) -> dict[str, Any]:
    """What a file says of itself to programs."""
    through = here.settlement.through if here.settlement is not None else 0
    return {"ruleset": here.pool.ruleset, "recording": through, **more}
