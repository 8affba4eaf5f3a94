"""People found by the beginning of any part of a name, quickly, whatever the spelling."""

from __future__ import annotations

import datetime
import random
import time

import pytest
from django.db import connection

from arpad.store import merging, people, search
from arpad.store.recorder import recording
from tests.store import invented

# the rules of the voice guide: accents, ä = a = ae, ß = ss, œ = oe, ij = y, apostrophes, hyphens, particles
NAMES = [
    "Zoé D’Hondt", "Jürgen Müller", "Noor ’t Hart", "Karel Van den Broeck", "Tijl Van Dijck", "An Weiß",
    "Luc Crèvecœur", "Jean-Pierre Sint-Maarten", "Sam ’s-Gravenmade", "Wim Vandenberghe", "Mia Janssens",
]  # fmt: skip


@pytest.fixture
def keys(organisation):
    with recording(organisation, author="1") as r:
        return {name: r.person(name).key for name in NAMES}


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("zoe", "Zoé D’Hondt"), ("hond", "Zoé D’Hondt"), ("d'hon", "Zoé D’Hondt"),
        ("dhondt zo", "Zoé D’Hondt"),
        ("Hondt, Zoé D’", "Zoé D’Hondt"), ("muller", "Jürgen Müller"), ("mueller", "Jürgen Müller"),
        ("MÜL", "Jürgen Müller"), ("'t har", "Noor ’t Hart"), ("hart noor", "Noor ’t Hart"),
        ("broeck", "Karel Van den Broeck"), ("vandenbroeck", "Karel Van den Broeck"),
        ("van den br", "Karel Van den Broeck"), ("k broe", "Karel Van den Broeck"),
        ("dyck", "Tijl Van Dijck"),
        ("van dij", "Tijl Van Dijck"), ("tyl", "Tijl Van Dijck"), ("weiss", "An Weiß"),
        ("crevecoeur", "Luc Crèvecœur"), ("jean pierre", "Jean-Pierre Sint-Maarten"),
        ("st maarten", "Jean-Pierre Sint-Maarten"), ("gravenm", "Sam ’s-Gravenmade"),
        ("'s-grav", "Sam ’s-Gravenmade"), ("van den berghe", "Wim Vandenberghe"),
    ],
)  # fmt: skip
def test_found_by_any_beginning(organisation, keys, query, name):
    found = search.find(organisation, query)
    assert [(row.person, row.name, row.meant) for row in found] == [(keys[name], name, False)]


def test_one_typing_error_asks_did_you_mean(organisation, keys):
    (found,) = search.find(organisation, "jansens")
    assert (found.person, found.meant) == (keys["Mia Janssens"], True)
    (found,) = search.find(organisation, "mia jnassens")
    assert (found.person, found.meant) == (keys["Mia Janssens"], True)


@pytest.mark.parametrize("query", ["", "  ", "'", ",", "%", "_", "xyz", "honda civic", "janssens mia zoe"])
def test_nobody(organisation, keys, query):
    assert search.find(organisation, query) == []


def test_merged_persons_are_found_once_under_the_name_that_is_kept(organisation, keys):
    kept, merged = keys["Mia Janssens"], keys["An Weiß"]
    merging.merge(organisation, kept, merged, author="1")
    assert [(row.person, row.name) for row in search.find(organisation, "weis")] == [(kept, "Mia Janssens")]
    merging.unmerge(organisation, merged, author="1")
    assert [row.person for row in search.find(organisation, "weis")] == [merged]


@pytest.mark.parametrize("status", people.STATUSES)
def test_whoever_is_not_listed_is_left_out_where_asked(organisation, keys, status):
    day, kept, merged = datetime.date(2026, 5, 1), keys["Mia Janssens"], keys["An Weiß"]
    before, later = day - datetime.timedelta(1), day + datetime.timedelta(30)
    people.set_status(organisation, kept, status, day, later, by="1")

    def found(query, on):
        return [row.person for row in search.find(organisation, query, listed_on=on)]

    for query in ("janssens", "mia jans", "jansens"):
        assert found(query, None) == found(query, before) == [kept]
        assert found(query, day) == found(query, later) == []
        assert found(query, later + datetime.timedelta(1)) == [kept]
    merging.merge(organisation, merged, kept, author="1")
    assert found("weis", None) == [merged]
    assert found("weis", day) == []


def test_an_alias_is_found_and_the_shown_name_told(organisation, keys):
    key = keys["Mia Janssens"]
    people.rename(organisation, key, "Mia De Clercq", by="2")
    for query in ("clercq", "janssens"):
        assert [(row.person, row.name) for row in search.find(organisation, query)] == [
            (key, "Mia De Clercq")
        ]


def test_nobody_of_another_organisation(organisation, keys):
    from arpad.store.models import Organisation

    other = Organisation.objects.create(slug="other", name="Other")
    assert search.find(other, "janssens") == []
    assert search.find(other, "jansens") == []


def test_nobody_who_is_not_recorded_yet(organisation, keys):
    opened = recording(organisation, author="1", large=True)
    r = opened.__enter__()
    r.person("Mia Quintens")
    r.write()
    assert search.find(organisation, "quintens") == []


def test_it_looks_up_ranges_of_the_index(organisation):
    """No table is read through: what makes it quick with 100 000 people, whatever this machine does."""
    random_ = random.Random(3)
    with recording(organisation, author="1", large=True) as r:
        for name in invented.people(3000):
            r.person(invented.full(name))
    seen: list[tuple[str, tuple]] = []

    def note(execute, sql, params, many, context):
        seen.append((sql, params))
        return execute(sql, params, many, context)

    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    with connection.execute_wrapper(note):
        for query in ("jan", "van den b", "peeters jan", "jansens"):
            search.find(organisation, query)
    explain = "EXPLAIN QUERY PLAN " if connection.vendor == "sqlite" else "EXPLAIN "
    for sql, params in [(sql, params) for sql, params in seen if "store_namekey" in sql]:
        with connection.cursor() as cursor:
            cursor.execute(explain + sql, params)
            plan = "\n".join(str(row[-1]) for row in cursor.fetchall())
        assert "namekey_part" in plan, plan
        assert "SCAN k" not in plan.replace("SCAN kept", ""), plan
        assert "Seq Scan on store_namekey" not in plan, plan
    started = time.perf_counter()
    for name in random_.sample(invented.people(3000), 50):
        search.find(organisation, name[2][:4])
    assert (time.perf_counter() - started) / 50 < 0.1  # on a machine that is busy
