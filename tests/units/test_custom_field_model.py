"""What an index holds of the values of own fields."""

from __future__ import annotations

from typing import Any

import pytest

from vetrina.content.custom_fields.model import CustomField
from vetrina.settings import FieldType


@pytest.mark.parametrize(
    ("type", "value", "kind", "held"),
    [
        ("integer", 5, "number", [5]),
        ("number", 2.5, "number", [2.5]),
        ("number", float("inf"), "number", []),
        ("number", "5", "number", []),
        ("boolean", True, "number", [1]),
        ("integer", True, "number", []),
        ("date", "1970-01-02", "number", [86400]),
        ("date_time", "1970-01-01T00:01:00", "number", [60]),
        ("date", "soon", "number", []),
        ("text", "Soup", "text", ["Soup"]),
        ("text", "", "text", []),
        ("choice", ["hot", "cold"], "text", ["hot", "cold"]),
        ("relation", [3, "4", None], "ids", [3]),
        ("image", 7, "ids", [7]),
        ("rich_text", "Soup", "", []),
        ("gallery", [1, 2], "", []),
        ("group", {"a": 1}, "", []),
        ("integer", None, "number", []),
    ],
)
def test_a_value_is_held_as_what_it_can_be_compared_by(type: FieldType, value: Any, kind: str, held: list[Any]) -> None:
    field = CustomField("x", type, "X")
    assert (field.value_kind, field.list_index_values(value)) == (kind, held)


def test_fields_can_be_keys_whatever_their_default() -> None:
    assert len({CustomField("x", "repeater", "X", default=[{"a": 1}]), CustomField("x", "repeater", "X")}) == 2
