"""Tables of whole numbers as columns give the answers that plain loops over the rows give."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arpad.store import row_columns
from arpad.store.models import Change
from arpad.store.row_columns import EMPTY, ODD, columns_of, equal, first_difference, in_order, newest
from tests.store.clubs import Club
from tests.store.test_verify import write

# two columns of key, a value, a version
ROWS = st.lists(st.tuples(*[st.integers(0, 3)] * 2, st.integers(-5, 2**40), st.integers(1, 3)), max_size=12)


def rows_of(columns):
    return list(zip(*(column.tolist() for column in columns), strict=True))


@given(ROWS)
def test_the_newest_of_each_key(rows):
    found = rows_of(newest(columns_of(rows, 4), 2, 3))
    top = {row[:2]: max(other[3] for other in rows if other[:2] == row[:2]) for row in rows}
    assert sorted(found) == sorted(row for row in rows if row[3] == top[row[:2]])
    assert [row[:2] for row in found] == sorted(row[:2] for row in found)


@given(ROWS, ROWS)
def test_the_first_difference(stored, expected):
    columns = [columns_of(rows, 4) for rows in (stored, expected)]
    here, wanted = first_difference(*columns, 2, (2,))

    def of(rows, key):
        return sorted(row for row in rows if row[:2] == key)

    wrong = {
        row[:2]
        for row in stored + expected
        if of(stored, row[:2]) != of(expected, row[:2]) or len(of(stored, row[:2])) != 1
    }
    assert bool(here or wanted) == bool(wrong)
    if wrong:
        (key,) = {tuple(row[:2]) for row in here + wanted}
        assert key in wrong
        assert sorted(map(tuple, here)) == of(stored, key)
        assert sorted(map(tuple, wanted)) == of(expected, key)
    elif not wrong:
        assert equal(*(in_order(table, 2) for table in columns))


def test_a_missing_row_comes_at_its_place():
    expected = [(1, 1, 30, 1), (2, 1, 10, 1), (3, 1, 20, 1)]
    here, wanted = first_difference(columns_of(expected[:1], 4), columns_of(expected, 4), 2, (2,))
    assert (here, wanted) == ([], [[2, 1, 10, 1]])


def test_what_is_no_whole_number_equals_none():
    found = columns_of([(1, None), (2, "x"), (3, 2.5), (4, 2**70), (True, b"1"), (2**40, 7)], 2)
    assert found[0].tolist() == [1, 2, 3, 4, 1, 2**40]
    assert found[1].tolist() == [EMPTY, ODD, ODD, ODD, ODD, 7]


def test_every_row_of_a_table_in_both_databases(organisation, make_pool, monkeypatch):
    club = Club(organisation, make_pool("fide-standard")).start(3)  # rows with and without `after`
    club.settler.settle()
    key = Change.objects.order_by("pk")[2].pk
    assert write("store_change", "place", key, 2**61)
    names = ("id", "person_id", "kind", "place", "before", "after", "gone")
    rows = [tuple(EMPTY if v is None else int(v) for v in row) for row in Change.objects.values_list(*names)]
    for block in (1, 7, 20_000):
        monkeypatch.setattr(row_columns, "BLOCK", block)
        found = row_columns.stored_columns("default", "store_change", names, "settlement > 0")
        assert sorted(rows_of(found)) == sorted(rows)
    assert rows_of(row_columns.stored_columns("default", "store_change", names, "settlement < 0")) == []
