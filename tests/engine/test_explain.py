"""explain(): what is asked, what is refused, what programs get; and that it never invents a number."""

from __future__ import annotations

import json

import pytest

from arpad.domain.problems import Refused
from arpad.domain.units import UNRATED
from arpad.engine.history import History
from arpad.engine.replay import replay, resume
from arpad.engine.retrace import Disagreement
from tests.engine.explain_cases import (
    day,
    fide_correction,
    go_newcomer,
    in_round,
    ledger,
    tt_season,
    youth_newcomer,
)


def season() -> History:
    return replay(tt_season(), "us-table-tennis")


@pytest.mark.parametrize(
    ("asked", "code", "told"),
    [
        ({"player": "Adda"}, "player-unknown", "Nearest: Ada."),
        ({"player": "Zbigniew"}, "player-unknown", "as in the file"),
        ({"player": "Ada", "event": "Club evenings"}, "event-unknown", "Club evening"),
        ({"player": "Ada", "event": "2024-09-03"}, "event-unknown", "Events of Ada"),
        ({"player": "Ada", "event": "Club evening", "round": 3}, "round-unknown", "no rounds"),
        ({"player": "Ada", "round": 3}, "round-unknown", "no rounds"),
    ],
)
def test_what_is_not_there_is_refused_with_the_nearest(asked: dict[str, str], code: str, told: str) -> None:
    with pytest.raises(Refused) as refused:
        season().explain(**asked)  # type: ignore[arg-type]
    problem = refused.value.problems[0]
    assert problem.code == code and told in problem.remedy


def test_rounds_that_are_there_are_named() -> None:
    history = replay(youth_newcomer(), "youth-realtime")
    with pytest.raises(Refused, match=r"Rounds of Bas: 1, 2\."):
        history.explain("Bas", event="October evening", round=3)


def test_events_by_name_whatever_its_case_the_last_of_that_name_or_by_day() -> None:
    games = [
        ("2024-09-03", "Evening", "Ada", "Ben", "3-0"),
        ("2024-10-01", "", "Ada", "Ben", "3-1"),
        ("2024-10-02", "", "Ada", "Ben", "3-2"),
        ("2024-11-05", "Evening", "Ada", "Ben", "0-3"),
    ]
    starts = {"Evening": "2024-09-03"}
    made = ledger({"Ada": 1600, "Ben": 1600}, games[:3], starts=starts)
    later = made.event("Evening", day("2024-11-05"))
    made.game("Ada", "Ben", day("2024-11-05"), made.results[0], event=later)
    history = replay(made, "us-table-tennis")
    assert history.explain("Ada", event=" evening ").items[0].facts["date"] == "2024-11-05"
    assert history.explain("Ada", event="2024-10-02").header["period"].value == "games of 2 October 2024"
    with pytest.raises(Refused):
        history.explain("Ada", event="2024-10-03")


def test_data_is_json_in_points() -> None:
    data = season().explain("Ada", event="Club evening").data()
    assert json.loads(json.dumps(data)) == data
    header = {
        "player": "Ada", "ruleset": "us-table-tennis", "edition": None,
        "opening": None, "closing": 1795.0, "closing_label": "1795",
    }  # fmt: skip
    assert {key: data[key] for key in header} == header
    assert [item["kind"] for item in data["items"]] == ["entry", "game", "settlement"]
    game = data["items"][1]
    facts = {"date": "2024-09-03", "event": "Club evening", "round": None, "opponent": "Ben", "result": "3-2"}
    assert {key: game[key] for key in facts} == facts and game["rated"] is True and game["reason"] == ""
    expected = {
        "before": 1800.0, "other_before": 1650.0, "gap": 150.0, "expected": 0.7, "pv": 70, "pw": 60,
        "best_of": 5, "k": 50.0, "contrary": -1, "capped": False, "unrounded": -5.0,
        "rated": True, "change": -5.0,
    }  # fmt: skip
    assert {name: game["terms"][name] for name in expected} == expected
    assert game["sentences"][0].startswith("Ada won 3–2, but a clearer win was expected.")


def test_terms_that_were_used_not_the_ones_of_today() -> None:
    """The correction of 15 March replaces the previous list, not the list used for the difference."""
    data = replay(fide_correction(), "fide-standard").explain("Mia").data()
    game, settlement = data["items"][-2:]
    assert (game["terms"]["own"], settlement["terms"]["opening"]) == (1900.0, 1950.0)
    assert (settlement["terms"]["sum"], settlement["terms"]["k"], settlement["terms"]["exact"]) == (
        0.5,
        20.0,
        10.0,
    )


def test_a_language_without_sentences_speaks_english() -> None:
    history = season()
    assert history.explain("Ada", language="it-CH").text() == history.explain("Ada").text()


def test_the_year_of_birth_is_never_told() -> None:
    explanation = replay(youth_newcomer(), "youth-realtime").explain("Bas", event="October evening")
    assert "2014" not in explanation.text() + json.dumps(explanation.data())


def test_games_in_between_are_said_to_be() -> None:
    games = [
        ("2024-09-03", "League", "Ada", "Ben", "3-1"),
        ("2024-09-10", "Cup", "Ada", "Ben", "3-0"),
        ("2024-09-17", "League", "Ben", "Ada", "3-0"),
    ]
    history = replay(ledger({"Ada": 1600, "Ben": 1600}, games), "us-table-tennis")
    text = history.explain("Ada", event="League").text().splitlines()
    assert "  Rating now: 1612.50, shown as 1613" in text
    # 25 points up: the table gives 53 per cent, so 3-0 brings (100 - 53) / 2 = 23.50
    assert "  After other matches: 1636" in text


def test_a_posting_of_a_club() -> None:
    made = ledger({"Ada": 1600, "Ben": 1600}, [("2024-09-03", "Evening", "Ada", "Ben", "3-1")])
    made.posting(day("2024-10-01"), -10, "new season")
    text = replay(made, "us-table-tennis").explain("Ada").text()
    assert "1 October 2024: adjustment for everybody" in text
    assert "by −10 points. For Ada that is from 1612.50 to 1602.50." in text and "Reason: new season." in text


def test_a_player_of_whom_nothing_is_known_yet() -> None:
    made = go_newcomer()
    made.person("Lea")
    history = replay(made, "belgian-go")
    assert history.explain("Lea").text().splitlines() == [
        "Lea", "Rules: belgian-go.", "", "Before: NC", "", "After: NC", "No games yet.",
    ]  # fmt: skip


def test_merged_players_are_one_under_both_names() -> None:
    made = tt_season()
    made.person("Ada B.")
    made.same_person("Ada", "Ada B.")
    history = replay(made, "us-table-tennis")
    assert history.explain("Ada B.").text() == history.explain("Ada").text()


def test_a_resumed_replay_explains_as_a_full_one() -> None:
    made = tt_season()
    history = replay(made, "us-table-tennis", checkpoints=[day("2024-10-01")])
    made.game("Ada", "Ben", day("2024-12-03"), made.results[0])
    resumed, full = resume(history, made), replay(made, "us-table-tennis")
    for event in ("Club evening", "Third evening", None):
        assert resumed.explain("Ada", event=event).text() == full.explain("Ada", event=event).text()


def test_without_the_past_nothing_is_made_up() -> None:
    history = replay(tt_season(), "us-table-tennis", checkpoints=[day("2024-10-01")])
    bare = history.checkpoints[0]._replace(history=None)
    with pytest.raises(Refused) as refused:
        replay(tt_season(), "us-table-tennis", from_checkpoint=bare).explain("Ada")
    assert refused.value.problems[0].code == "explain-without-past"


# --- a number that is not what was recorded is never explained --------------------------------------


def test_another_change_is_a_bug() -> None:
    history = season()
    history.change[0] += 1
    with pytest.raises(Disagreement):
        history.explain("Ada", event="Club evening")


def test_another_expected_score_is_a_bug() -> None:
    history = season()
    history.expected[0] += 1
    with pytest.raises(Disagreement):
        history.explain("Ada", event="Club evening")


def test_another_rating_used_is_a_bug() -> None:
    history = replay(fide_correction(), "fide-standard")
    history.before[0] += 50
    with pytest.raises(Disagreement):
        history.explain("Mia")


def test_another_settlement_is_a_bug() -> None:
    history = replay(fide_correction(), "fide-standard")
    history.settled_state[0] += 1
    with pytest.raises(Disagreement):
        history.explain(history.plan.ledger.names[history.settled_person(0)])


def test_another_first_rating_is_a_bug() -> None:
    history = replay(go_newcomer(), "belgian-go")
    kim = history.plan.ledger.find_person("Kim")
    last = max(i for i in range(history.settled) if history.settled_person(i) == kim)
    history.settled_state[last * len(history.plan.ruleset.state_type._fields)] += 1
    with pytest.raises(Disagreement):
        history.explain("Kim")


def test_another_correction_is_a_bug() -> None:
    history = season()
    at = next(i for i, outcome in enumerate(history.outcomes) if outcome.act.day == day("2024-10-01"))
    wrong = history.outcomes[at].after._replace(rating=1)
    history.outcomes[at] = history.outcomes[at]._replace(after=wrong)
    with pytest.raises(Disagreement):
        history.explain("Ada", event="Third evening")


def test_rounds_inside_the_last_period() -> None:
    history = replay(go_newcomer(), "belgian-go")
    items = history.explain("Kim", round=2).items
    assert [item.facts.get("opponent") for item in items if item.kind == "game"] == ["Cas"]


# --- first ratings: which games count -----------------------------------------------------------------


def signed(date: str, event: str, results: str, against: str) -> list[tuple[object, ...]]:
    """Games of Sam in one event, a sign each."""
    return [
        (date, event, "Sam", f"{against}{number}", "1-0" if result == "+" else "0-1", in_round(number))
        for number, result in enumerate(results, 1)
    ]


def opponents(**ratings: int) -> dict[str, object]:
    return {
        f"{name}{i}": {"rating": rating, "games": 50} for name, rating in ratings.items() for i in range(1, 6)
    }


def test_games_before_a_rating_that_was_lost_do_not_count_again() -> None:
    """Sam gets a first rating near the floor, falls below it in February and starts anew in March."""
    games = [
        *signed("2025-01-11", "Winter", "-----", "Low"),
        ("2025-01-12", "Winter", "Sam", "Low1", "1-0", in_round(6)),
        *signed("2025-02-08", "Spring", "-----", "Low"),
        *signed("2025-03-08", "March", "+++--", "High"),
    ]
    made = ledger(opponents(Low=1550, High=1900), games, entered="2024-12-01")
    history = replay(made, "fide-standard")
    first = history.explain("Sam", event="Winter").items[-1].terms
    assert first["games"].value == 6 and first["after"].value > 1400
    assert history.explain("Sam", event="Spring").header["closing"].value == UNRATED
    again = history.explain("Sam").items[-1].terms
    assert again["games"].value == 5 and again["after"].value > 1800


def test_games_before_a_correction_do_not_count_for_a_later_first_rating() -> None:
    games = [
        *signed("2025-01-11", "Winter", "++", "Low"),
        *signed("2025-03-08", "Spring", "-----", "Low"),
        *signed("2025-04-12", "April", "+++--", "High"),
    ]
    corrections = [("2025-02-03", "Sam", 1405.0, "national rating")]
    made = ledger(opponents(Low=1550, High=1900), games, corrections=corrections, entered="2024-12-01")
    history = replay(made, "fide-standard")
    assert history.explain("Sam", event="Spring").header["closing"].value == UNRATED
    assert history.explain("Sam").items[-1].terms["games"].value == 5
