"""What a ledger keeps of what was computed from it: gone as soon as a fact is added."""

import pickle

import pytest

from arpad.domain.dates import read_day
from arpad.domain.play import Application
from arpad.domain.problems import Refused
from arpad.domain.results import read_result
from arpad.ledger.columns import GameRow
from arpad.ledger.facts import Fact
from arpad.ledger.ledger import Ledger
from arpad.ledger.sheet import Sheet

DAY = read_day("2024-05-01")
WON = read_result("1-0")


def three_players() -> Ledger:
    ledger = Ledger()
    for name in "ABC":
        ledger.first_rating(name, Application(rating=1500))
    ledger.game("A", "B", DAY, read_result("1-0"))
    return ledger


def counted(ledger: Ledger, name: str = "number", details: object = None) -> int:
    """How often the value had to be computed since the last call: 0 or 1."""
    calls = []
    ledger.kept(name, details, lambda: calls.append(1))
    return len(calls)


def test_computed_once_and_again_for_other_details():
    ledger = three_players()
    assert [counted(ledger), counted(ledger), counted(ledger, details=1), counted(ledger, details=1)] == [
        1,
        0,
        1,
        0,
    ]
    assert counted(ledger, "another") == 1
    assert counted(ledger, details=1) == 0


@pytest.mark.parametrize(
    "fact",
    [
        lambda ledger: ledger.game("A", "C", DAY, read_result("1-0")),
        lambda ledger: ledger.first_rating("A", Application(rating=1)),
        lambda ledger: ledger.correction("A", DAY, 1600, "why"),
        lambda ledger: ledger.posting(DAY, 10, "why"),
        lambda ledger: ledger.parameter("k", 40),
        lambda ledger: ledger.same_person("A", "C"),
        lambda ledger: ledger.void(Fact("game", 0)),
        lambda ledger: ledger.event("Cup"),
        lambda ledger: ledger.person("D"),
        lambda ledger: ledger.change_event(0, event_class="A"),
        lambda ledger: ledger.rename(0, "Ada"),
    ],
)
def test_a_new_fact_makes_it_computed_again(fact):
    ledger = three_players()
    counted(ledger)
    fact(ledger)
    assert counted(ledger) == 1


def test_a_refused_merge_leaves_nothing_behind():
    ledger = three_players()
    with pytest.raises(Refused):
        ledger.same_person("A", "B")
    ledger.same_person("A", "C")  # as many facts as the refused one made
    assert list(ledger.effective().person) == [0, 1, 0]


def test_a_copy_takes_the_facts_alone():
    ledger = three_players()
    counted(ledger)
    copy = pickle.loads(pickle.dumps(ledger))
    assert counted(copy) == 1
    assert copy.effective() == ledger.effective()


def test_lent_columns_never_grow():
    ledger = three_players()
    lent = ledger.lend()
    before = [list(column) for column in lent]
    ledger.game("B", "C", DAY, read_result("1-0"))
    assert [list(column) for column in lent] == before
    assert list(ledger.games.player2) == [1, 2]
    again = ledger.lend()
    sheet = Sheet("late")
    first, second, cup = sheet.player("A"), sheet.player("B"), sheet.event("Cup")
    sheet.games.append(GameRow(first, second, cup, DAY, 0, 0, 1, sheet.result(WON)))
    ledger.add_sheet(sheet)
    assert len(ledger.games) == 3
    assert {len(column) for column in again} == {2}
