"""Sets of ids in bytes are the sets that they were made of, however they change."""

from __future__ import annotations

from hypothesis import given, strategies as st

from vetrina.analytics.rollups import id_sets

IDS = st.sets(st.one_of(st.integers(-5, 300), st.integers(1_000, 1_400), st.integers(-(2**62), 2**62)), max_size=120)

NEAR = st.integers(-100_000, 100_000)
STEPS = st.integers(1, 12) | st.integers(60, 150)  # the latter of lists that are joined with others alone


@given(IDS)
def test_a_packed_set_is_the_set(ids: set[int]) -> None:
    packed = id_sets.pack_ids(ids)
    assert list(id_sets.list_ids(packed)) == sorted(ids)
    assert all(id_sets.contains_id(packed, id) == (id in ids) for id in (*ids, -6, 0, 7, 1_200, 5_000))


@given(st.lists(IDS, max_size=6))
def test_the_size_of_a_union_is_that_of_the_sets(sets: list[set[int]]) -> None:
    near = [{id for id in ids if abs(id) < 10_000} for ids in sets]  # a bitmap from one end to the other is made of all
    packed = [id_sets.pack_ids(ids) for ids in near]
    assert id_sets.count_union(packed) == len(set().union(*near))


@given(st.lists(st.tuples(st.integers(0, 5_000), st.integers(1, 700), STEPS, st.sets(NEAR)), max_size=5))
def test_the_union_of_long_lists_with_strays_is_that_of_the_sets(parts: list[tuple[int, int, int, set[int]]]) -> None:
    sets = [{*range(first, first + count * step, step), *strays} for first, count, step, strays in parts]
    assert id_sets.count_union([id_sets.pack_ids(ids) for ids in sets]) == len(set().union(*sets))


@given(IDS, st.lists(st.integers(-5, 300), max_size=60))
def test_ids_come_and_go(ids: set[int], changed: list[int]) -> None:
    packed = id_sets.pack_ids(ids)
    for id in changed:
        packed = id_sets.remove_id(packed, id) if id in ids else id_sets.add_id(packed, id)
        ids = ids ^ {id}
        assert list(id_sets.list_ids(packed)) == sorted(ids)


def test_the_shorter_form_is_taken() -> None:
    assert len(id_sets.pack_ids(range(1_000_000, 1_006_400))) == 9 + 800
    assert len(id_sets.pack_ids((1, 1_000_000))) == 16
    assert id_sets.pack_ids(()) == b""
