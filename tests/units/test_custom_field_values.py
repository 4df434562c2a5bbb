"""Whatever a client writes into own fields is a value or a fault."""

from __future__ import annotations

from typing import Any

from hypothesis import given, strategies as st

from custom_field_profile import build_profile
from vetrina.content.custom_fields.declaration import build_custom_fields
from vetrina.content.custom_fields.field_values import list_stored_faults
from vetrina.content.custom_fields.model import CustomField
from vetrina.content.custom_fields.references import list_references

FIELDS = build_custom_fields(build_profile())["recipe"]
NAMES = sorted({one.name for field in FIELDS for one in field.fields})
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(["hot", "#aa00ff", "1"])
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(NAMES), inner), max_leaves=8
)


@given(st.sampled_from(FIELDS), VALUES)
def test_any_value_is_taken_or_has_a_named_fault(field: CustomField, value: Any) -> None:
    for name, message in list_stored_faults(field, value):
        assert name.startswith(field.name)
        assert name in message
    assert all(one.id for one in list_references(field, value, field.name) if one.id)


@given(st.sampled_from(FIELDS), VALUES)
def test_an_index_holds_what_can_be_compared(field: CustomField, value: Any) -> None:
    kinds = {"number": (int, float), "text": (str,), "ids": (int, float), "": ()}[field.value_kind]
    assert all(isinstance(one, kinds) for one in field.list_index_values(value))
