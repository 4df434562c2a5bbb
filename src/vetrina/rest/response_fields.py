"""Fields that only responses have: records of other routes, one of several forms, nothing, foreign content.

They describe the `answers` of a route, beside the field types (rest/fields/), and check nothing. How they are
written in the OpenAPI document: rest/openapi_responses.py, rest/json_schema.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Final

from vetrina.rest.fields import RESPONSE_KEYWORD, Array, Field, Object, String
from vetrina.rest.json_schema import ALL_TYPES

# The schema keyword for a record of another declaration; rest/openapi_responses.py resolves it.
RECORD_KEYWORD: Final = "x-record"


@dataclass(frozen=True)
class Nothing(Field):
    """No value: null."""

    kind = "null"


@dataclass(frozen=True)
class Free(Field):
    """An object whose members are not declared here: `help` says whose they are. of: its types, any where empty."""

    _: KW_ONLY
    of: tuple[str, ...] = ("object",)

    def _keywords(self) -> dict[str, Any]:
        kinds = self.of or ALL_TYPES
        return {"type": kinds[0] if len(kinds) == 1 else list(kinds), "additionalProperties": True}


@dataclass(frozen=True)
class Either(Field):
    """A value in one of several forms."""

    forms: tuple[Field, ...] = ()

    def _keywords(self) -> dict[str, Any]:
        return {"anyOf": [form.schema() for form in self.forms]}


@dataclass(frozen=True)
class RecordOf(Field):
    """A record with a schema of its own, which other routes return too.

    record, shows: as `schema` and `shows` of a route.
    """

    _: KW_ONLY
    record: Callable[[], dict[str, Any]] = field(default=dict)
    response_fields: Mapping[str, Field] = field(default_factory=dict)

    def _keywords(self) -> dict[str, Any]:
        return {RECORD_KEYWORD: (self.record, self.response_fields)}


@dataclass(frozen=True)
class Omitted(Field):
    """A member that the schema of the interface declares and responses never have."""

    def _keywords(self) -> dict[str, Any]:
        return {RESPONSE_KEYWORD: {"omitted": True}}


@dataclass(frozen=True)
class _SchemaReference(Field):
    """A reference to one of the document's own schemas (rest/openapi_responses.py)."""

    name: str = ""

    def _keywords(self) -> dict[str, Any]:
        return {"$ref": f"#/components/schemas/{self.name}"}


LINKS: Final = _SchemaReference(name="Links")
FAILURE: Final = _SchemaReference("Why it was refused.", name="Error")


def build_text_fields(*names: str) -> dict[str, Field]:
    """Return members that are texts and need no description."""
    return {name: String() for name in names}


def build_optional_fields(fields: Mapping[str, Field], *unset: bool | str | int | None) -> dict[str, Field]:
    """Return members of which a response may lack any. unset: what one has in place of a value."""
    return {name: field.replace(optional=True, unset=unset) for name, field in fields.items()}


def add_response_fields(field: Field, more: Mapping[str, Field]) -> Field:
    """Return a field whose records of other declarations have further members in responses."""
    if isinstance(field, RecordOf):
        return field.replace(response_fields={**field.response_fields, **more})
    if isinstance(field, Array):
        return field.replace(items=add_response_fields(field.items, more))
    if isinstance(field, Either):
        return field.replace(forms=tuple(add_response_fields(form, more) for form in field.forms))
    if isinstance(field, Object):
        return field.replace(
            properties={name: add_response_fields(one, more) for name, one in field.properties.items()}
        )
    return field


def build_map_field(item: Field, help: str = "") -> Either:
    """Return an object with values of one type under every name; an empty one is written as an empty list."""
    return Either(help, (Object(additional=item), Array(max_items=0)))
