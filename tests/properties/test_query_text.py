"""Queries and forms with bracket names: what is written is read back, and any text can be read."""

from __future__ import annotations

from typing import Any

from hypothesis import example, given, strategies as st

from memory import peak
from vetrina.rest import query_strings
from vetrina.rest.query_strings import format_query, nest_pairs, parse_query

# Characters that names cannot contain: those with a meaning, and those that servers of this interface turn into `_`.
NAMES = st.text(min_size=1, max_size=8).filter(lambda name: not set(name) & set("[]. \0") and name.isprintable())
KEYS = st.text(min_size=1, max_size=8).filter(lambda key: "]" not in key and not key.isdecimal())
LEAVES = st.text(max_size=20)
VALUES = st.recursive(
    LEAVES,
    lambda below: (
        st.lists(below, min_size=1, max_size=4) | st.dictionaries(KEYS, below, min_size=1, max_size=4)
    ),
    max_leaves=12,
)  # fmt: skip


@given(st.dictionaries(NAMES, VALUES, max_size=5))
@example({"a": {"b": [{"c": "&=+%"}]}})
@example({"a": ["", "x"]})
def test_what_is_written_is_read_back(values: dict[str, Any]) -> None:
    assert parse_query(format_query(values)) == values


@given(st.text(alphabet="ab01[]&=%+. \0é", max_size=60) | st.text(max_size=60))
@example("[=1&]=2&[]=3&a[=4&a]=5")
@example("a[b=1&a[b]c=2&a[[c]]=3")
@example("a=1&a[b]=2&a[]=3&a=4")
@example("a[5]=x&a[]=y&a[99999999999999999999]=z&a[]=w")
@example("%=&%zz=%ff&+=+")
def test_reading_any_text_settles_after_one_turn(text: str) -> None:
    once = parse_query(text)
    assert parse_query(format_query(once)) == once


@given(st.text(max_size=12))
def test_a_value_of_any_text_stands_under_its_name(value: str) -> None:
    assert nest_pairs([("a", value)]) == {"a": value}


@given(st.integers(1, 200))
def test_brackets_may_be_nested_without_end(depth: int) -> None:
    node: Any = parse_query("a" + "[b]" * depth + "=x")
    steps = 0
    while isinstance(node, dict):
        (node,) = node.values()
        steps += 1
    assert node == "x"
    assert steps <= 32


@given(st.lists(st.integers(-(2**60), 2**60), min_size=1, max_size=5), st.booleans())
def test_typed_values_are_written_as_their_text(numbers: list[int], flag: bool) -> None:
    assert parse_query(format_query({"n": numbers, "f": flag, "none": None})) == {
        "n": [str(number) for number in numbers],
        "f": "1" if flag else "",
    }


@given(st.text(alphabet="a%41+ é&=", min_size=1, max_size=40), st.integers(3, 12))
@example("%41%41%41", 4)
@example("aa%4%%41", 3)
def test_a_long_text_is_read_piece_by_piece_as_if_at_once(text: str, piece: int) -> None:
    at_once = parse_query(text)
    usual, query_strings._PIECE_LENGTH = query_strings._PIECE_LENGTH, piece
    try:
        assert parse_query(text) == at_once
    finally:
        query_strings._PIECE_LENGTH = usual


def test_escapes_without_end_take_little_memory() -> None:
    text = "a=" + "%41" * (2 << 20)
    with peak() as taken:
        assert parse_query(text)["a"] == "A" * (2 << 20)
    assert taken.grown < 32
