"""What customers bought, packed and added up by lanes, is what plain addition finds."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings, strategies as st

from vetrina.analytics.rollups import customer_lanes
from vetrina.analytics.rollups.customer_lanes import LIST, CustomerRow, CustomerTotals

AMOUNTS = st.one_of(st.integers(0, 10**6).map(lambda cents: cents * 10_000), st.integers(-(10**9), 2**45))
STRAYS = st.dictionaries(st.integers(1, 140_000), st.tuples(st.integers(0, 300), AMOUNTS), max_size=30)
PART = st.tuples(st.integers(1, 70_000), st.sampled_from((0, 40, 4_200, 5_000)), st.sampled_from((1, 1_000, 10_000)))


def _make_rows(first: int, count: int, unit: int, strays: dict[int, tuple[int, int]]) -> list[CustomerRow]:
    """Return many customers in a row, and some anywhere with any amounts."""
    random = Random(first)
    rows = {id: (random.randint(1, 3), random.randint(0, 90_000) * unit) for id in range(first, first + count)}
    return [(id, *values) for id, values in (rows | strays).items()]


def _add(parts: list[list[CustomerRow]]) -> list[CustomerRow]:
    sums: dict[int, list[int]] = {}
    for id, orders, spend in (row for part in parts for row in part):
        one = sums.setdefault(id, [0, 0])
        one[0] += orders
        one[1] += spend
    return sorted((id, orders, spend) for id, (orders, spend) in sums.items())


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(PART, STRAYS, st.booleans()), max_size=4))
def test_sums_of_customers_are_those_of_plain_addition(
    parts: list[tuple[tuple[int, int, int], dict[int, tuple[int, int]], bool]],
) -> None:
    rows = [_make_rows(*of, strays) for of, strays, _ in parts]
    totals = CustomerTotals()
    for some, (_, _, is_kept) in zip(rows, parts, strict=True):
        if is_kept:
            for part in customer_lanes.pack_rows(some):
                totals.add_packed(part)
        else:
            totals.add_rows(some)
    assert totals.list_rows() == _add(rows)


def test_lanes_of_many_months_do_not_overflow() -> None:
    # The most that a lane takes, added more often than four bytes, or one, could hold.
    rows = [(id, 8, ((1 << 27) - 1) * 10_000) for id in range(65_536, 70_000)]
    packed = customer_lanes.pack_rows(rows)
    assert [block for block, _ in packed] == [1]
    totals = CustomerTotals()
    for _ in range(70):
        for part in packed:
            totals.add_packed(part)
    assert totals.list_rows() == [(id, orders * 70, spend * 70) for id, orders, spend in rows]


def test_few_customers_are_a_list() -> None:
    assert [block for block, _ in customer_lanes.pack_rows([(1, 1, 10), (90_000, 1, 20)])] == [LIST]
    assert customer_lanes.pack_rows([]) == []


def test_what_does_not_fit_into_a_lane_is_listed_beside_it() -> None:
    rows = [(id, 1, 10_000 * id) for id in range(1, 5_000)]
    strays = [(6_000, 0, -50_000), (6_001, 9, 10_000), (6_002, 1, 10_001), (6_003, 1, 1 << 50)]
    packed = customer_lanes.pack_rows([*strays, *rows])
    assert [block for block, _ in packed] == [0, LIST]
    totals = CustomerTotals()
    totals.add_packed(packed[1])
    assert totals.list_rows() == strays
