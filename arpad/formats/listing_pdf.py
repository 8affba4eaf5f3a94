"""A list on paper: A4 with margins of 14 mm, table heads and dateline on every page.

WeasyPrint makes it, in a process of its own: its import is slow and large, and a list of 2000 lines takes
ten seconds of a processor, while the site goes on answering. It may fetch nothing but the typefaces named
in FONTS, which come from their packages: no address, no file.
"""

from __future__ import annotations

import subprocess
import sys
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

from arpad.domain.problems import FATAL, Problem, Refused
from arpad.formats.listing import ListPage, Say, body, plain

PDF_ROWS = 5_000  # 25 s of a processor and 500 MB
WAIT = 180  # seconds by the clock
# address -> (package, file): all that a document may refer to
FONTS = {
    "arpad:sans-400": ("font_source_sans_pro", "SourceSansPro-Regular.ttf"),
    "arpad:sans-600": ("font_source_sans_pro", "SourceSansPro-Semibold.ttf"),
    "arpad:serif-600": ("font_source_serif_pro", "SourceSerifPro-Semibold.ttf"),
}
_NO_PANGO = 3  # how the other process ends where the library is not there
# The values are those of the site's tokens, light: paper has no other theme.
STYLE = """
@font-face { font-family: "Arpad Sans"; font-weight: 400; src: url("arpad:sans-400"); }
@font-face { font-family: "Arpad Sans"; font-weight: 600; src: url("arpad:sans-600"); }
@font-face { font-family: "Arpad Serif"; font-weight: 600; src: url("arpad:serif-600"); }
@page { size: A4; margin: 14mm 14mm 17mm; font: 8pt "Arpad Sans", sans-serif; color: #5b626a;
  @bottom-left { content: element(foot); width: 85%; vertical-align: top; padding-top: 2mm; }
  @bottom-right { content: counter(page) " / " counter(pages); vertical-align: top; padding-top: 2mm; } }
@page :nth(n+2) { margin-top: 20mm;
  @top-left { content: element(head); width: 100%; vertical-align: bottom; padding-bottom: 2mm; } }
body { font: 9pt/1.3 "Arpad Sans", "DejaVu Sans", sans-serif; color: #1b232c;
  font-variant-numeric: tabular-nums lining-nums; }
h1, h2 { font-family: "Arpad Serif", "DejaVu Serif", serif; font-weight: 600; line-height: 1.15; }
h1 { font-size: 22pt; margin: 0 0 1mm; }
h2 { font-size: 13pt; margin: 7mm 0 2mm; break-after: avoid; }
.of { margin: 0 0 3mm; color: #4a525b; font-size: 10.5pt; }
.dateline { margin: 0 0 5mm; padding: 1.2mm 0; border: solid #c9c2b1; border-width: .5pt 0; color: #4a525b; }
.dateline span, .foot span, .head span { margin-right: 5mm; }
.head { position: running(head); border-bottom: .5pt solid #c9c2b1; padding-bottom: 1mm; }
.foot span { display: block; }
.foot { position: running(foot); margin: 0; overflow-wrap: anywhere; }
a { color: inherit; text-decoration: none; }
table { border-collapse: collapse; width: 100%; }
thead { display: table-header-group; }
tr { break-inside: avoid; }
th, td { padding: .75mm 0 .75mm 3mm; text-align: left; font-weight: 400; vertical-align: baseline; }
tr > :first-child { padding-left: 2mm; }
thead th { font-size: 8pt; color: #5b626a; border-bottom: 1.1pt solid #1b232c; vertical-align: bottom; }
tbody tr > * { border-bottom: .4pt solid #e4ded1; }
tbody th, tbody .r { font-weight: 600; }
.n { text-align: right; }
.d, td.n { white-space: nowrap; }
.band > * { border-bottom: .5pt solid #807c6b; }
.d0 > :first-child { border-left: 1.6mm solid #dcb968; }
.d1 > :first-child { border-left: 1.6mm solid #c59a3f; }
.k0 > :first-child { border-left: 1.6mm solid #c6ced2; }
.k1 > :first-child { border-left: 1.6mm solid #a3afb6; }
"""


def document(page: ListPage, say: Say = plain) -> str:
    """The page as it is printed. Refused for what is too long (`listing-too-long`)."""
    held = [(part, list(part.rows)) for part in page.parts]
    count = sum(len(rows) for _part, rows in held)
    if count > PDF_ROWS:
        message = f"{count} lines are too many to print ({PDF_ROWS})."
        remedy = "Take CSV or XLSX, or print a club or a rank band."
        raise Refused(Problem("listing-too-long", FATAL, message, remedy))
    page = page._replace(parts=tuple(part._replace(rows=rows) for part, rows in held))
    head = " ".join(
        f"<span>{escape(text)}</span>" for text in (f"{page.organisation} · {page.pool}", *page.dateline)
    )
    return (
        f'<!doctype html><html lang="{escape(page.language)}"><head><meta charset="utf-8">'
        f"<title>{escape(f'{page.title} · {page.pool} · {page.organisation}')}</title>"
        f'<style>{STYLE}</style></head><body><p class="head">{head}</p>'
        f"{_foot_first(body(page, say))}</body></html>"
    )


def _foot_first(text: str) -> str:
    """A running element is on the pages from where it stands: the foot goes to the top."""
    at = text.rindex('<p class="foot">')
    return text[at:] + text[:at]


def pdf(page: ListPage, say: Say = plain) -> bytes:
    """The page as PDF. Refused where it is too long, or cannot be made (`listing-pdf-failed`)."""
    return printed(document(page, say))


def printed(text: str) -> bytes:
    """A document as PDF, made by a process of its own."""
    here = str(Path(__file__).resolve().parents[2])
    start = f"import sys; sys.path.insert(0, {here!r}); from arpad.formats.listing_pdf import serve; serve()"
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-c", start], input=text.encode(), capture_output=True, timeout=WAIT,
            cwd="/", check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        _refuse("Printing took too long and was stopped.", "Print a part of the list.")
    if done.returncode == _NO_PANGO:
        message = "Printing needs the library Pango, which is not installed here."
        _refuse(message, "Install libpango-1.0-0 and libpangoft2-1.0-0.")
    if done.returncode or not done.stdout.startswith(b"%PDF-"):
        _refuse("The list could not be printed.", "Take another format, and report it.")
    return done.stdout


def _refuse(message: str, remedy: str) -> Any:
    raise Refused(Problem("listing-pdf-failed", FATAL, message, remedy))


# --- inside -----------------------------------------------------------------------------------------


def serve() -> None:
    """The other process: a document in, a PDF out."""
    text = sys.stdin.buffer.read().decode()
    try:
        data = render(text)
    except OSError:  # what WeasyPrint raises on import where it does not find Pango
        sys.exit(_NO_PANGO)
    sys.stdout.buffer.write(data)


def render(text: str) -> bytes:
    """A document as PDF, in this process. OSError where Pango is missing."""
    from weasyprint import HTML

    data: bytes = HTML(string=text, base_url="arpad:", url_fetcher=fetcher()).write_pdf()
    return data


def fetcher() -> Any:
    """What may be fetched: the typefaces. Everything else is refused, and the document is made without it."""
    from weasyprint.urls import URLFetcher, URLFetcherResponse

    class Packaged(URLFetcher):  # type: ignore[misc]
        def fetch(self, url: str, headers: Any = None) -> Any:
            if url not in FONTS:
                raise ValueError(f"nothing is fetched from {url}")
            package, name = FONTS[url]
            data = (files(package) / "files" / name).read_bytes()
            return URLFetcherResponse(url, data, {"Content-Type": "font/ttf"})

    return Packaged()


__all__ = ["FONTS", "PDF_ROWS", "document", "pdf", "printed"]
