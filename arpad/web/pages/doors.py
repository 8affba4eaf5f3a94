"""The ways in: the front door, addresses without a language, and pages that are not there."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from arpad.store.models import Organisation
from arpad.web.middleware import preferred
from arpad.web.reader import find_organisation, reader_of


def visible(request: HttpRequest) -> list[Organisation]:
    """The organisations a reader may know of."""
    found = Organisation.objects.select_related("page").order_by("name")
    return [one for one in found if (hasattr(one, "page") and one.page.open) or reader_of(request, one).role]


def front(request: HttpRequest) -> HttpResponse:
    """The one organisation there is, else the list of them."""
    found = visible(request)
    if len(found) == 1:
        language = preferred(request, found[0].language)
        return _passing(redirect("home", language, found[0].slug))
    return _passing(redirect("organisations", preferred(request)))


def organisations(request: HttpRequest, language: str) -> HttpResponse:
    """All organisations of this server that are open."""
    return render(
        request, "arpad/organisations.html", {"organisations": visible(request), "language": language}
    )


def without_language(request: HttpRequest, rest: str) -> HttpResponse:
    """The address to print: on to the reader's language."""
    slug = rest.split("/", 1)[0]
    if request.method not in ("GET", "HEAD"):
        raise Http404
    organisation, _, _ = find_organisation(request, slug)
    language = preferred(request, organisation.language)
    path = request.get_full_path()
    if rest == slug:
        path = path.replace(f"/{slug}", f"/{slug}/", 1)
    return _passing(redirect(f"/{language}{path}"))


def _passing(response: HttpResponse) -> HttpResponse:
    response.headers["Cache-Control"] = "no-store"
    response.headers["Vary"] = "Cookie, Accept-Language"
    return response


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404, the same for what is not there and for what is not shown."""
    return render(request, "arpad/not_found.html", {"language": request.LANGUAGE_CODE}, status=404)


def broken(request: HttpRequest) -> HttpResponse:
    """500."""
    return render(request, "arpad/broken.html", {"language": "en"}, status=500)
