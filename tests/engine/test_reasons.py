"""Every word for "not rated", met in a ledger, in both kinds of loop; and no word where a game is rated."""

from __future__ import annotations

import pytest

from arpad.domain.dates import read_day
from arpad.domain.play import Application
from arpad.domain.results import read_result
from arpad.engine.history import History
from arpad.engine.reasons import reason_of
from arpad.engine.replay import replay
from arpad.ledger.ledger import Ledger


def day(text: str) -> int:
    found = read_day(text)
    assert found is not None
    return found


def play(ledger: Ledger, one: str, two: str, date: str, result: str, event: str = "", **more: float) -> None:
    read = read_result(result)
    assert read is not None
    start = day(date) if not event else 0
    where = ledger.event(event, start)
    ledger.game(one, two, day(date), read, event=where, **more)  # type: ignore[arg-type]


def words(history: History) -> dict[tuple[str, str, int], str]:
    """(player, opponent, round) -> reason."""
    names, plan = history.plan.ledger.names, history.plan
    found = {}
    for side in range(2 * plan.rows):
        one = history.side(side)
        number = plan.ledger.games.round[one.game]
        found[names[one.person], names[one.opponent], number] = reason_of(history, side)
    return found


@pytest.mark.parametrize("compiled", [False, True])
def test_reasons_of_the_game(compiled: bool) -> None:
    ledger = Ledger()
    for name in ("Ada", "Ben"):
        ledger.first_rating(name, Application(rating=-1000))
    for name in ("Cem", "Dee"):
        ledger.first_rating(name, Application(unclassified=True))
    cup = ledger.event("Cup", event_class="B")
    friendly = ledger.event("Picnic", event_class="D")
    for number, text in enumerate(("1-0", "+--", "pending", "void", "1-0 unrated"), 1):
        result = read_result(text)
        assert result is not None
        ledger.game("Ada", "Ben", day("2024-05-01"), result, event=cup, round=number)
    won = read_result("1-0")
    assert won is not None
    ledger.game("Ada", "Ben", day("2024-05-01"), won, event=cup, round=6, weight=0.0)
    ledger.game("Ada", "Cem", day("2024-05-01"), won, event=cup, round=7)
    ledger.game("Dee", "Cem", day("2024-05-01"), won, event=cup, round=8)
    ledger.game("Ada", "Ben", day("2024-06-01"), won, event=friendly, round=9)
    found = words(replay(ledger, "belgian-go", compile=compiled))
    assert found == {
        ("Ada", "Ben", 1): "", ("Ben", "Ada", 1): "",
        ("Ada", "Ben", 2): "forfeit", ("Ben", "Ada", 2): "forfeit",
        ("Ada", "Ben", 3): "pending", ("Ben", "Ada", 3): "pending",
        ("Ada", "Ben", 4): "void", ("Ben", "Ada", 4): "void",
        ("Ada", "Ben", 5): "unrated-result", ("Ben", "Ada", 5): "unrated-result",
        ("Ada", "Ben", 6): "no-weight", ("Ben", "Ada", 6): "no-weight",
        ("Ada", "Cem", 7): "opponent-unrated", ("Cem", "Ada", 7): "newcomer",
        ("Dee", "Cem", 8): "opponent-unrated", ("Cem", "Dee", 8): "opponent-unrated",
        ("Ada", "Ben", 9): "friendly", ("Ben", "Ada", 9): "friendly",
    }  # fmt: skip


@pytest.mark.parametrize("compiled", [False, True])
def test_pools_with_lists_look_at_the_period_for_newcomers_and_at_the_start_for_the_rating(
    compiled: bool,
) -> None:
    """Ivo gets a first rating on the list of 1 June; an event that began in May and ends in June finds
    him without a rating at its start, but no longer a newcomer."""
    ledger = Ledger()
    for number in range(5):
        ledger.first_rating(f"P{number}", Application(rating=2000))
        play(ledger, "Ivo", f"P{number}", "2024-05-10", "1-0", "May", round=number + 1)
    play(ledger, "Ivo", "P0", "2024-05-20", "1-0", "Long", round=6)
    play(ledger, "P1", "P2", "2024-06-02", "1-0", "Long", round=7)
    play(ledger, "Ivo", "P1", "2024-06-20", "1-0", "June", round=8)
    found = words(replay(ledger, "fide-standard", compile=compiled))
    assert [found["Ivo", f"P{number}", number + 1] for number in range(5)] == ["newcomer"] * 5
    assert [found[f"P{number}", "Ivo", number + 1] for number in range(5)] == ["opponent-unrated"] * 5
    assert found["Ivo", "P0", 6] == "self-unrated"
    assert found["Ivo", "P1", 8] == ""


def test_a_ruleset_may_say_no_itself() -> None:
    """Rapid, from 2024-12-01: 600 points apart and one above 2600."""
    ledger = Ledger()
    ledger.first_rating("Ada", Application(rating=2650))
    ledger.first_rating("Ben", Application(rating=2050))
    play(ledger, "Ada", "Ben", "2025-01-10", "1-0", "Cup")
    assert set(words(replay(ledger, "fide-rapid")).values()) == {"by-rule"}
