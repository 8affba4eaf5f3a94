"""What an organisation says of itself, and the privacy notice made from its settings."""

from __future__ import annotations

from django.http import HttpResponse

from arpad.rulesets.catalogue import find
from arpad.store.asof import headline
from arpad.web.here import Here
from arpad.web.reader import listed


def about(here: Here) -> HttpResponse:
    """Introduction, committee, contact, dates, how corrections are dealt with, privacy."""
    pools = [
        {"pool": pool, "policy": pool.policy, "days": pool.window_days,
         "headline": headline(pool, find(pool.ruleset).period)}
        for pool in listed(here.pools, here.reader)
    ]  # fmt: skip
    return here.render("about.html", tab="about", policies=pools)
