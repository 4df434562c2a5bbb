"""Field types, with which arguments and members of responses are declared.

A field knows its JSON schema, how a raw value is checked and how it becomes a typed one. When what is checked, and how
faults are collected: rest/validation.py. Rules of each type: rest/coercion.py (docs/rules/coercion.md, 1 to 5).
"""

from vetrina.rest.fields.composite import AnyOf, Array, Object, OneOf
from vetrina.rest.fields.field import (
    ABSENT,
    EDIT,
    EMBED,
    EMPTY_VALIDATION_CONTEXT,
    RESPONSE_KEYWORD,
    VIEW,
    Field,
    Untyped,
    ValidationContext,
    remove_response_facts,
)
from vetrina.rest.fields.scalar import Boolean, Integer, Number, String

__all__ = [
    "ABSENT",
    "EDIT",
    "EMBED",
    "EMPTY_VALIDATION_CONTEXT",
    "RESPONSE_KEYWORD",
    "VIEW",
    "AnyOf",
    "Array",
    "Boolean",
    "Field",
    "Integer",
    "Number",
    "Object",
    "OneOf",
    "String",
    "Untyped",
    "ValidationContext",
    "remove_response_facts",
]  # fmt: skip
