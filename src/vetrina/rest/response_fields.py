"""Words for what only answers have: records of other routes, one of several forms, nothing, what is not ours to say.

They stand beside the field types (rest/fields.py) in a route's `answers` and describe; nothing is checked by them.
Not here: how they are written in the OpenAPI document (rest/openapi_responses.py, rest/json_schema.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Final

from vetrina.rest.fields import Array, Field, Object, String
from vetrina.rest.json_schema import ANY

__all__ = ["FAILURE", "LINKS", "RECORD", "Either", "Free", "Nothing", "RecordOf", "by_name", "texts"]

# The keyword under which a schema says that a record of another declaration stands there; rest/openapi_responses.py
# resolves it.
RECORD: Final = "x-record"


@dataclass(frozen=True)
class Nothing(Field):
    """No value: null."""

    kind = "null"


@dataclass(frozen=True)
class Free(Field):
    """What has no members of its own here: `help` says whose they are. of: its kinds, any where none is named."""

    _: KW_ONLY
    of: tuple[str, ...] = ("object",)

    def _keywords(self) -> dict[str, Any]:
        kinds = self.of or ANY
        return {"type": kinds[0] if len(kinds) == 1 else list(kinds), "additionalProperties": True}


@dataclass(frozen=True)
class Either(Field):
    """A value that has one of several forms."""

    forms: tuple[Field, ...] = ()

    def _keywords(self) -> dict[str, Any]:
        return {"anyOf": [form.schema() for form in self.forms]}


@dataclass(frozen=True)
class RecordOf(Field):
    """A record that a schema of its own describes, which other routes answer too.

    record, shows: as the `schema` and `shows` of a route.
    """

    _: KW_ONLY
    record: Callable[[], dict[str, Any]] = field(default=dict)
    shows: Mapping[str, Field] = field(default_factory=dict)

    def _keywords(self) -> dict[str, Any]:
        return {RECORD: (self.record, self.shows)}


@dataclass(frozen=True)
class _Shared(Field):
    """What stands under a name among the document's own schemas (rest/openapi_responses.py)."""

    name: str = ""

    def _keywords(self) -> dict[str, Any]:
        return {"$ref": f"#/components/schemas/{self.name}"}


LINKS: Final = _Shared(name="Links")
FAILURE: Final = _Shared("Why it was refused.", name="Error")


def texts(*names: str) -> dict[str, Field]:
    """Return members that are texts and need no sentence."""
    return {name: String() for name in names}


def by_name(item: Field, help: str = "") -> Either:
    """Return an object that has one kind of value under every name; with none it is written as an empty list."""
    return Either(help, (Object(additional=item), Array(max_items=0)))
