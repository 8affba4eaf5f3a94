"""Matching two reports of one event, without a database."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from arpad.store.versions import Played, agree, match

DAY = 739_000
ANN, BEN, CAT, DAN = 1, 2, 3, 4


def played(player1=ANN, player2=BEN, result="1-0", *, day=DAY, round=0, board=0, sequence=0, **more):
    return Played(day, round, board, sequence, player1, player2, result, **more)


def counts(found):
    return len(found.same), len(found.changed), len(found.gone), len(found.added)


def test_equal_rows_are_games_of_their_own():
    three = [played(sequence=n) for n in (1, 2, 3)]
    assert counts(match(three, three, whole=False)) == (3, 0, 0, 0)
    assert counts(match(three, three[:2], whole=False)) == (2, 0, 1, 0)
    assert counts(match(three[:1], three, whole=False)) == (1, 0, 0, 2)


def test_a_changed_result_is_the_same_game():
    old = [played(round=1, board=1), played(CAT, DAN, round=1, board=2)]
    new = [played(result="0-1", round=1, board=1), old[1]]
    found = match(old, new, whole=True)
    assert (found.same, found.changed) == ([(1, 1)], [(0, 0)])


def test_swapped_colours_and_another_board_are_the_same_game():
    old = [played(round=1, board=1)]
    for new in (played(BEN, ANN, "0-1", round=1, board=1), played(round=1, board=9)):
        assert counts(match(old, [new], whole=True)) == (0, 1, 0, 0)


def test_a_corrected_name_keeps_the_seat():
    old = [played(ANN, BEN, round=2, board=4)]
    assert counts(match(old, [played(CAT, BEN, round=2, board=4)], whole=True)) == (0, 1, 0, 0)
    assert counts(match(old, [played(CAT, DAN, round=2, board=4)], whole=True)) == (0, 0, 1, 1)
    # without seats, another pair is another game
    assert counts(match([played(ANN, BEN)], [played(CAT, BEN)], whole=True)) == (0, 0, 1, 1)


def test_the_next_evening_is_no_later_version_of_the_first():
    first, second = played(round=1, board=1), played(round=1, board=1, day=DAY + 7)
    assert counts(match([first], [second], whole=False)) == (0, 0, 1, 1)
    assert counts(match([first], [second], whole=True)) == (0, 1, 0, 0)


def test_rows_inserted_above_change_nothing_below():
    old = [played(ANN, BEN, sequence=1), played(CAT, DAN, sequence=2)]
    new = [played(ANN, CAT, day=DAY - 1, sequence=1), *(g._replace(sequence=g.sequence + 1) for g in old)]
    assert counts(match(old, new, whole=False)) == (2, 0, 0, 1)


def test_another_order_on_one_day_is_a_change():
    old = [played(ANN, BEN, sequence=1), played(ANN, CAT, sequence=2)]
    new = [played(ANN, CAT, sequence=1), played(ANN, BEN, sequence=2)]
    assert counts(match(old, new, whole=False)) == (0, 2, 0, 0)
    assert counts(match(old, new, whole=False, ordered=False)) == (2, 0, 0, 0)


def test_a_row_inserted_between_is_played_between():
    old = [played(ANN, BEN, sequence=1), played(ANN, CAT, sequence=2)]
    new = [played(ANN, BEN, sequence=1), played(ANN, DAN, sequence=2), played(ANN, CAT, sequence=3)]
    found = match(old, new, whole=False)
    assert (found.added, found.changed) == ([1], [(1, 2)])


games = st.builds(
    Played,
    day=st.integers(DAY, DAY + 1),
    round=st.integers(0, 2),
    board=st.integers(0, 2),
    sequence=st.integers(0, 3),
    player1=st.integers(1, 3),
    player2=st.integers(4, 6),
    result=st.sampled_from(["1-0", "0-1"]),
    weight=st.none(),
)
reports = st.lists(games, max_size=8)


@given(reports, reports, st.booleans(), st.booleans())
def test_every_game_stands_in_one_place(old, new, whole, ordered):
    found = match(old, new, whole=whole, ordered=ordered)
    pairs = found.same + found.changed
    assert sorted([a for a, _ in pairs] + found.gone) == list(range(len(old)))
    assert sorted([b for _, b in pairs] + found.added) == list(range(len(new)))
    assert all(old[a]._replace(sequence=0) == new[b]._replace(sequence=0) for a, b in found.same)


@given(reports, reports, st.booleans())
def test_what_results_is_the_newer_report_in_its_order(old, new, whole):
    """Kept games with their old sequence, and all others, play in the order of the newer report."""
    found = match(old, new, whole=whole)
    final = [(old[a], b) for a, b in found.same] + [
        (new[b], b) for b in [*(b for _, b in found.changed), *found.added]
    ]
    assert Counter(g._replace(sequence=0) for g, _ in final) == Counter(g._replace(sequence=0) for g in new)
    ranks = {}
    for game, b in final:
        place = (game.day, game.round, game.board)
        ranks.setdefault(place, []).append((new[b].sequence, game.sequence))
    for group in ranks.values():
        for x in group:
            for y in group:
                assert (x[0] < y[0]) == (x[1] < y[1])


def test_another_source_of_a_whole_event_doubles_no_game_of_another_day():
    """A table that tells one day for all rounds, after one that tells each."""
    old = [played(round=1), played(round=2, day=DAY + 1, result="0-1"), played(CAT, DAN, day=DAY + 1)]
    new = [played(round=1), played(round=2, result="0-1"), played(CAT, DAN)]
    assert counts(match(old, new, whole=True, strict=True)) == (1, 1, 1, 1)
    assert counts(match(old, new, whole=False, strict=True)) == (1, 0, 2, 2)


def test_sources_agree_as_far_as_both_tell():
    one = played(round=1, result="3-1", best_of=5)
    turned = played(BEN, ANN, "1-3", round=1, best_of=5)
    assert agree(one, turned) and agree(turned, one)
    assert agree(one, turned._replace(board=4, size=13)) and agree(one._replace(board=4), one)
    for other in (
        turned._replace(result="3-1"),
        one._replace(result="3-0"),
        one._replace(day=DAY + 1),
        one._replace(stones=2),
    ):
        assert not agree(one, other), other
    assert not agree(one._replace(stones=2), turned._replace(stones=2))
    assert not agree(one._replace(board=4), one._replace(board=5))
