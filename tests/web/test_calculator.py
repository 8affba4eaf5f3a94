"""The calculator: the engine's numbers for whatever is typed, and a message for what is not understood."""

from __future__ import annotations

import re

import pytest

from arpad.engine.expect import expect
from arpad.rulesets.catalogue import find, names
from arpad.web import figures

LANGUAGES = ("nl", "fr", "de", "en")
GO, TENNIS, CHESS, YOUTH = "go/go", "table-tennis/clubrating", "chess/standard", "youth-chess/jeunes"


def plain(answer) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()))


def above(answer) -> str:
    """The answer for two sides: what stands above the tournament."""
    return plain(answer).partition("What if: a whole tournament")[0]


def ask(site, where=GO, language="en", role="", **query):
    answer = site.client(role).get(f"/{language}/{where}/calculator", query, follow=True)
    assert answer.status_code == 200
    return answer


def problems(answer) -> list[str]:
    return re.findall(r'class="msg"[^>]*>.*?<span>(.*?)</span>', answer.content.decode())


@pytest.mark.parametrize("ruleset", names())
def test_each_ruleset_gives_the_engines_numbers(site, ruleset):
    rules = find(ruleset)
    a, b = (-120, 30) if ruleset == "belgian-go" else (1620, 1715)
    games = "100"
    found = expect(rules, a, b, own_games=100, event_class=rules.default_class)
    for language in LANGUAGES:
        answer = ask(site, language=language, rules=ruleset, a=str(a), b=str(b), games=games, games_b=games)
        page = plain(answer)
        assert not problems(answer), ruleset
        shown = rules.results if "3-0" not in rules.results else rules.results[:6]
        for text in shown:
            assert figures.gained(found.changes[text], language) in page, (ruleset, text)
        assert figures.share(round(found.expected * 1_000_000), language) in page


def test_the_worked_numbers(site):
    page = plain(ask(site, a="-1450", b="-750", stones="4", **{"class": "C"}))
    assert "The player is expected to score 0.12" in page and "+41.2" in page
    page = plain(ask(site, a="−1950,0", b="20 kyu", **{"class": "C"}))
    assert "+46.4" in page and "−46.4" in page and "not opposite" not in page
    page = above(ask(site, TENNIS, a="1800", b="1650"))
    assert re.search(r"3–2 −5\.0 \+5\.0", page) and "2–1" not in page
    page = above(ask(site, TENNIS, a="1800", b="1650", best_of="3"))
    assert re.search(r"2–1 −0\.9 \+0\.9", page) and "3–2 " not in page


def test_the_fair_handicap_is_the_closest_to_even(site):
    page = plain(ask(site, a="220.1", b="309.8", **{"class": "A"}))
    assert "1 stone, no komi closest to even −39.7 0.393 +13.1 −8.5" in page
    assert "Stones the player receives." in page
    assert "Stones the player gives." in plain(ask(site, a="309.8", b="220.1"))
    assert "Which handicap" not in plain(ask(site, TENNIS, a="1800", b="1650"))


def test_the_federations_table(site):
    page = plain(ask(site))
    assert "20 kyu 37.4 39.4 44.7 46.6" in page and "24 of 54 differ" in page
    assert "Points for a win" not in plain(ask(site, CHESS))


def test_two_people(site):
    found = ask(site, a="Bart Uytterhoeven", b="Xander Meyer")
    assert "a_id=" in found.redirect_chain[0][0]  # the address that is passed on holds the ids
    text = plain(ask(site, a="Bart Uytterhoeven", b="Xander Meyer"))
    assert "Bart Uytterhoeven is expected to score" in text
    ident = site.player("Bart Uytterhoeven").rpartition("/")[2]
    page = plain(ask(site, a_id=ident, b="-1300"))
    assert "Bart Uytterhoeven is expected to score" in page
    typed_over = ask(site, a="5 kyu", a_id=ident, b="-1300")  # what was typed wins over the id left behind
    assert "Bart" not in plain(typed_over) and "The player is expected" in plain(typed_over)


def test_a_person_brings_games_and_rank(site):
    """By State: the number is that of the list, and what a new player's K would be is not guessed."""
    from arpad.store import current
    from arpad.store.models import Pool
    from arpad.store.pool_rules import states

    pool = Pool.objects.get(organisation__slug="chess")
    line = current.page(pool, current.EVERYBODY, 1)[0]
    state = states(pool, [line.person])[line.person]
    assert (state.rating, state.games) == (line.rating, line.games)


def test_nobody_and_several(site):
    said = problems(ask(site, a="Zzzyx", b="100"))
    assert said == ["Nobody with a rating is called “Zzzyx”. Give a name, a rank or a rating."]
    answer = ask(site, a="B", b="100")
    assert problems(answer) == ["Choose one. We do not guess between two people."]
    link = re.search(r'href="\?([^"]*a_id=[^"]*)"', answer.content.decode())[1].replace("&amp;", "&")
    chosen = site.client().get(f"/en/go/go/calculator?{link}")
    assert not problems(chosen) and "is expected to score" in plain(chosen)


def test_people_hidden_by_policy_are_not_found(site):
    """Thijs Dierckx is a minor, shown as Thijs D.: by id under that name, by search not at all."""
    ident = site.player("Thijs Dierckx").rpartition("/")[2]
    page = ask(site, YOUTH, a_id=ident, b="900").content.decode()
    assert "Thijs D. is expected to score" in page and "Dierckx" not in page
    for typed in ("Dierckx", "Thijs Dierckx", "Dierck"):
        answer = ask(site, YOUTH, a=typed, b="900")
        assert "is expected to score" not in plain(answer) and ident not in answer.content.decode()
        assert "Dierckx is expected" in plain(ask(site, YOUTH, a=typed, b="900", role="officer"))


def test_somebody_elsewhere_is_nobody(site):
    from arpad.store.models import Person
    from arpad.web.ids import short

    other = Person.objects.filter(organisation__slug="chess").select_related("organisation").first()
    answer = ask(site, a_id=short(other.organisation, other.uuid), b="100")
    assert "is expected to score" not in plain(answer)


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"a": "1e999", "b": "1"}, "Nobody with a rating"),
        ({"a": "99999", "b": "1"}, "Give a rating between −5000 and 5000."),
        ({"a": "nan", "b": "1"}, "Nobody with a rating"),
        ({"a": "1", "b": "1", "stones": "42"}, "at most 9 stones"),
        ({"a": "1", "b": "1", "date": "yesterday"}, "Write the day as 2026-11-30."),
        ({"a": "1", "b": "1", "date": "1999-01-01"}, "These rules begin on 1 June 2001."),
        ({"a": "1000", "b": "1500", "rules": "fide-standard"}, "no rating is below 1400"),
        ({"a": "5 kyu", "b": "1500", "rules": "fide-standard"}, "These rules know no ranks"),
        ({"a": "1500", "b": "1500", "rules": "fide-standard", "games": "many"}, "Give a number of games"),
    ],
)
def test_nonsense_has_a_message_at_its_field(site, query, said):
    answer = ask(site, **query)
    assert any(said in problem for problem in problems(answer)), problems(answer)
    assert "is expected to score" not in plain(answer)


FIELDS = ("a", "b", "a_id", "b_id", "stones", "class", "games", "games_b", "date", "best_of", "rules")


@pytest.mark.parametrize("field", (*FIELDS, "o1", "o1_id", "r1", "s1", "o13", "o0_id"))
def test_no_value_breaks_it(site, field):
    for value in ("\x00", "½²٣", "9" * 60, "<b>"):
        query = {"a": "100", "b": "50", "o1": "20", "r1": "1-0", field: value}
        assert 'value="<b>"' not in ask(site, **query).content.decode()
    ask(site, CHESS, **query)


# --- a whole tournament ----------------------------------------------------------------


def test_a_tournament(site):
    from arpad.engine.what_if import Supposed, what_if

    games = [("1d", "1-0"), ("-300", "0-1"), ("3 dan", "1-0")]
    query = {"a": "95", "class": "A"}
    for number, (opponent, result) in enumerate(games, 1):
        query |= {f"o{number}": opponent, f"r{number}": result}
    page = plain(ask(site, **query))
    found = what_if(
        "belgian-go", 95, [Supposed(50, "1-0"), Supposed(-300, "0-1"), Supposed(250, "1-0")], event_class="A"
    )
    assert f"From 95.0 to {found.after.rating / 100:.1f}" in page
    for game in found.games:
        assert figures.gained(game.step.change / 100, "en", 2) in page
    assert "All games of the event together" in page


def test_a_tournament_that_is_not_whole(site):
    assert problems(ask(site, a="95", o1="1d")) == ["Choose a result."]
    assert problems(ask(site, a="95", o1="Zzzyx", r1="1-0"))[0].startswith("Nobody with a rating")
    assert problems(ask(site, o1="1d", r1="1-0")) == ["Say who plays."]
    assert "From 95.0" not in plain(ask(site, a="95", o1="1d"))


def test_a_tournament_in_chess_rounds_once(site):
    page = plain(ask(site, CHESS, a="1600", games="100", o1="1700", r1="1-0", o2="1500", r2="1/2-1/2"))
    assert re.search(r"From 1600 to \d{4}", page) and "As if nothing else were played" in page


# --- what it costs, and what it says of the past --------------------------------------------------------


def test_how_often_it_came_true(site):
    page = plain(ask(site, a="-1000", b="-900"))
    assert re.search(
        r"In \d+ games here with an expected score of 0\.\d\d to 0\.\d\d the score was 0\.\d\d", page
    )
    assert "games here with" not in plain(ask(site, a="1500", b="1500", rules="elo-logistic"))


def test_predictions_count_each_game_once(site):
    from arpad.store.models import Pool, Settlement
    from arpad.store.pool_rules import counts

    pool = Pool.objects.get(organisation__slug="youth-chess")
    settlement = Settlement.objects.get(pool=pool, number=pool.current)
    counted = counts(pool, settlement)
    assert sum(row[0] for row in counted.values()) > 0
    for share, (games, expected, scored) in counted.items():
        assert share / 100 - 1e-9 <= expected / games <= (share + 1) / 100 and 0 <= scored <= games


def test_few_queries(site):
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    ident = site.player("Bart Uytterhoeven").rpartition("/")[2]
    other = site.player("Xander Meyer").rpartition("/")[2]
    for query in ({"a_id": ident, "b_id": other}, {"a": "Bart Uytterhoeven", "b": "Xander Meyer"}):
        with CaptureQueriesContext(connection) as queries:
            site.get("/en/go/go/calculator", **query)
        assert len(queries) <= 15, [one["sql"][:90] for one in queries]


def test_the_players_page_leads_here(site):
    page = site.get("/en" + site.player("Bart Uytterhoeven")).content.decode()
    link = re.search(r'href="(/en/go/go/calculator\?a_id=[a-z0-9]+)"', page)[1]
    assert 'value="Bart Uytterhoeven"' in site.get(link).content.decode()
