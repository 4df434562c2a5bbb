"""Coercion: any JSON or query value is accepted as a type, or refused with a reason."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import example, given, strategies as st

from vetrina.kernel.errors import Fault, InvalidParam
from vetrina.rest import coercion
from vetrina.rest.fields import AnyOf, Array, Boolean, Field, Integer, Number, Object, OneOf, String
from vetrina.rest.validation import ArgumentParser

LARGEST = 2**53 - 1
TEXTS = st.text(max_size=12) | st.sampled_from(
    ["", " ", "0", "1", "-1", "+1", "1e1", "1e400", "NaN", "inf", "0x10", "1_000", "٣", "true", "FALSE", "a,b",
     "a, b ,", "\0", "9" * 400, "1.", ".5", "-", "2024-02-30T25:00:00", "2024-01-01T00:00:00Z", "#fff"]
)  # fmt: skip
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS
ANYTHING = st.recursive(
    SCALARS, lambda below: st.lists(below, max_size=4) | st.dictionaries(TEXTS, below, max_size=3), max_leaves=10
)

FIELDS: dict[str, Field] = {
    "integer": Integer(minimum=0, maximum=100),
    "any integer": Integer(),
    "number": Number(minimum=0, exclusive_minimum=True),
    "boolean": Boolean(),
    "text": String(),
    "word": String(enum=("a", "b")),
    "date": String(format="date-time"),
    "e-mail": String(format="email"),
    "uuid": String(format="uuid"),
    "address": String(format="ip"),
    "colour": String(format="hex-color"),
    "uri": String(format="uri"),
    "short": String(min_length=1, max_length=3, pattern=r"^[a-z]+$"),
    "numbers": Array(items=Integer()),
    "words": Array(items=String(enum=("a", "b")), unique=True, max_items=3),
    "object": Object(properties={"a": Integer(required=True), "b": String(default="x")}, additional=False),
    "open object": Object(additional=Integer(), min_properties=1),
    "one of": OneOf(forms=(Object(properties={"terms": Array(items=Integer())}), Array(items=Integer()))),
    "any of": AnyOf(kinds=(Integer(), Array(items=String()), String())),
}


@pytest.mark.parametrize("kind", FIELDS)
@given(value=ANYTHING)
@example(value=[[]])
@example(value={"": None})
@example(value=1e308)
@example(value=-0.0)
def test_a_value_is_taken_or_refused_with_a_reason(kind: str, value: Any) -> None:
    field = FIELDS[kind]
    fault = field.fault(value, "x")
    if fault is not None:
        assert isinstance(fault, Fault)
        assert fault.code
        assert "x" in fault.message
    else:
        field.clean(value)


# An empty list is an empty object too, so a value of several types may match one before and both after.
@pytest.mark.parametrize("kind", [kind for kind in FIELDS if kind != "one of"])
@given(value=ANYTHING)
def test_what_was_taken_is_taken_again_unchanged(kind: str, value: Any) -> None:
    field = FIELDS[kind]
    if value is not None and field.fault(value, "x") is None:
        once = field.clean(value)
        assert field.fault(once, "x") is None
        assert field.clean(once) == once


@given(st.integers(-LARGEST, LARGEST), st.sampled_from(["{}", " {} ", "{}.0", "{}.", "{}e0", "\t{}\n"]))
def test_text_that_says_a_whole_number_is_that_number(number: int, form: str) -> None:
    assert coercion.coerce_integer(form.format(number)) == number


@given(ANYTHING)
@example(10**400)
@example("1e300")
@example(1e300)
def test_a_whole_number_is_exact_in_json(value: Any) -> None:
    found = coercion.coerce_integer(value)
    assert found is None or (type(found) is int and -LARGEST <= found <= LARGEST)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_fraction_is_no_whole_number(value: float) -> None:
    assert (coercion.coerce_integer(value) is None) == (value != math.floor(value))


@given(
    st.lists(st.text(alphabet="abc-_é", min_size=1, max_size=5), max_size=6),
    st.sampled_from([",", ", ", " ", " ,  ", "\n"]),
)
def test_text_is_a_list_by_commas_and_blanks(words: list[str], between: str) -> None:
    assert coercion.coerce_array(between.join(words)) == words


@given(st.sampled_from(["true", "false"]), st.data())
def test_the_words_of_a_truth_are_taken_in_any_letter_case(word: str, data: st.DataObject) -> None:
    cased = "".join(data.draw(st.sampled_from([letter, letter.upper()])) for letter in word)
    assert coercion.coerce_boolean(cased) is (word == "true")


@given(st.dictionaries(st.sampled_from(list(FIELDS)), ANYTHING, max_size=6))
@example({"integer": None, "words": [None, None, None, None], "any integer": []})
def test_every_wrong_argument_is_named_and_no_good_one(raw: dict[str, Any]) -> None:
    arguments = ArgumentParser(FIELDS)
    wrong = {name for name, value in raw.items() if value is not None and FIELDS[name].fault(value, name)}
    if wrong:
        with pytest.raises(InvalidParam) as refused:
            arguments.parse(raw)
        assert set(refused.value.data["params"]) == wrong
        assert set(refused.value.data["details"]) == wrong
    else:
        taken = arguments.parse(raw)
        assert {name for name, value in raw.items() if value is not None} <= set(taken)
