"""axe finds nothing on any page, on a desk and on a phone; nothing overflows; the keyboard reaches all."""

from __future__ import annotations

import os
import re

import pytest

from tests.web.addresses import everywhere
from tests.web.browser import browsing, serving

LOOKS = [(1280, "light"), (390, "dark")]
if os.environ.get("HYPOTHESIS_PROFILE") == "long":
    LOOKS += [(1280, "dark"), (390, "light"), (320, "light")]
FILES = re.compile(r"\.(csv|xlsx|json|pdf|html|h9|trf)(\?|$)")


def addresses(site):
    found = [address for name, address in everywhere(site) if name not in ("sign-out", "without-language")]
    page = site.get("/en" + site.player("Bart Uytterhoeven")).content.decode()
    why = re.search(r"why=([a-z0-9]+)#", page)[1]
    more = [
        "/en" + site.player("Bart Uytterhoeven") + f"?why={why}", "/en/go/search?q=hautecouer",
        "/en/go/go/list/latest?club=0&rank=9&active=1", "/fr" + site.player("Thijs Dierckx"),
        "/de/table-tennis/clubrating/list/latest", "/en/go/go/list/2025-06-01",
    ]  # fmt: skip
    return [address for address in [*found, *more] if not FILES.search(address)]


@pytest.mark.slow
@pytest.mark.parametrize(("width", "theme"), LOOKS)
def test_axe_finds_nothing(site, width, theme):
    from axe_playwright_python.sync_playwright import Axe

    wanted, axe, found = addresses(site), Axe(), []
    with (
        serving() as server,
        browsing(viewport={"width": width, "height": 900}, color_scheme=theme, bypass_csp=True) as page,
    ):
        for address in wanted:
            page.goto(server + address)
            for problem in axe.run(page).response["violations"]:
                where = [node["html"][:120] for node in problem["nodes"][:3]]
                found.append((address, problem["id"], where))
            if page.evaluate("document.documentElement.scrollWidth > window.innerWidth + 1"):
                found.append((address, "wider than the screen", width))
    assert found == []


@pytest.mark.slow
def test_the_keyboard_reaches_everything_that_is_pressed(site):
    with serving() as server, browsing() as page:
        page.goto(f"{server}/en/go/go/list/latest")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "skip"
        page.keyboard.press("Enter")
        assert page.url.endswith("#main")
        page.keyboard.press("Tab")
        assert page.evaluate("document.querySelector('main').contains(document.activeElement)")
        focus = "getComputedStyle(document.activeElement).outlineStyle"
        assert page.evaluate(focus) == "solid"
