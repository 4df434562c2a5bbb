"""JSON chosen by clients: its values are counted, and large texts are written in pieces."""

import json
from typing import Any

import orjson
import pytest
from hypothesis import given, strategies as st

from vetrina.kernel.json_text import JsonTooLong, has_more_values, iterate_json_pieces, serialize_json

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(alphabet='a"\\,[{:', max_size=6),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(alphabet='a"\\,', max_size=4), inner, max_size=4)
    ),
    max_leaves=12,
)


def count(value: Any) -> int:
    inner = value if isinstance(value, list) else value.values() if isinstance(value, dict) else ()
    return 1 + sum(map(count, inner))


@given(VALUES, st.integers(0, 12))
def test_signs_inside_strings_are_no_values(value: Any, most: int) -> None:
    text = json.dumps(value).encode()
    empty = text.count(b"[]") + text.count(b"{}")
    if len(text) > most:
        # An empty list or object counts as if it held one value.
        assert has_more_values(text, most) <= (count(value) + empty > most)
        assert has_more_values(text, most) >= (count(value) > most + empty and count(value) > most)


def test_a_body_of_empty_lists_is_counted() -> None:
    assert has_more_values(b"[" + b"[]," * 200_000 + b"[]]", 100_000)
    assert not has_more_values(b'{"a":"' + b"[,{" * 200_000 + b'"}', 100_000)
    assert not has_more_values(b'{"a":"' + b'\\",' * 200_000 + b'"}', 100_000)


@given(VALUES)
def test_pieces_are_the_text_of_one_go(value: Any) -> None:
    assert serialize_json(value) == orjson.dumps(value)


def test_many_and_long_members_make_several_pieces() -> None:
    value = {**{f"m{at}": at for at in range(120)}, "text": "x" * 1000, "last": None}
    pieces = list(iterate_json_pieces(value, 1))
    assert b"".join(pieces) == orjson.dumps(value)
    assert sum(len(piece) > 200 for piece in pieces) == 4
    assert len(pieces) == 7


def test_small_lists_and_objects_go_with_the_members_around_them() -> None:
    small = {"title": {"raw": "a", "rendered": "a"}, "tags": [1, 2], "id": 1, "meta": {}}
    assert list(iterate_json_pieces(small)) == [orjson.dumps(small)[:-1], b"}"]
    for large in (["x" * 200], list(range(9)), [[1]], {"a": {"b": 1}}):
        value = {"id": 1, "large": large, "last": 2}
        pieces = list(iterate_json_pieces(value, 1))
        assert b"".join(pieces) == orjson.dumps(value)
        assert orjson.dumps(large) in pieces


def test_a_text_that_grows_too_long_is_given_up() -> None:
    with pytest.raises(JsonTooLong):
        serialize_json(["x" * 100] * 10, most=500)
    assert len(serialize_json(["x" * 100] * 2, most=500)) == 207
