"""Fields that are made of others: lists, objects, and values of one of several forms or types.

Rules: docs/rules/coercion.md, 1 to 5 and 7.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import Any

from vetrina.kernel.errors import Fault
from vetrina.rest import coercion
from vetrina.rest.fields.field import ABSENT, Field, Untyped


@dataclass(frozen=True)
class Array(Field):
    """A list; a scalar is a list of one, text is split at commas and blanks.

    unique: repeats are refused. collapse: repeats count once. long: it is data of a record, which may be longer than a
    list that names things (rest/list_limits.py).
    """

    items: Field = field(default_factory=Untyped)
    _: KW_ONLY
    min_items: int | None = None
    max_items: int | None = None
    unique: bool = False
    collapse: bool = False
    long: bool = False

    kind = "array"

    def _keywords(self) -> dict[str, Any]:
        out: dict[str, Any] = {"type": "array"}
        items = self.items.schema()
        if items:
            out["items"] = items
        if self.min_items is not None:
            out["minItems"] = self.min_items
        if self.max_items is not None:
            out["maxItems"] = self.max_items
        if self.unique:
            out["uniqueItems"] = True
        return out

    def _fault(self, value: Any, name: str) -> Fault | None:
        values = coercion.coerce_array(value)
        if values is None:
            return coercion.build_type_fault(name, "array")
        for at, item in enumerate(values):
            found = self.items.fault(item, f"{name}[{at}]")
            if found is not None:
                return found
        if self.min_items is not None and len(values) < self.min_items:
            return Fault("rest_too_few_items", f"{name} must contain at least {self.min_items} item(s).")
        if self.max_items is not None and len(values) > self.max_items:
            return Fault("rest_too_many_items", f"{name} must contain at most {self.max_items} items.")
        if self.unique and coercion.has_duplicates(values):
            return Fault("rest_duplicate_items", f"{name} has duplicate items.")
        return None

    def clean(self, value: Any) -> Any:
        clean = self.items.clean
        values = [clean(item) for item in coercion.coerce_array(value) or ()]
        return list(dict.fromkeys(values)) if self.collapse else values

    def empty(self) -> Any:
        return []


@dataclass(frozen=True)
class Object(Field):
    """Named members. additional: whether others are allowed, or the field of every other member."""

    properties: Mapping[str, Field] = field(default_factory=dict)
    _: KW_ONLY
    additional: bool | Field = True
    min_properties: int | None = None

    kind = "object"

    def _keywords(self) -> dict[str, Any]:
        out: dict[str, Any] = {"type": "object"}
        if self.properties or isinstance(self.additional, Field) or self.extra.get("properties") == {}:
            out["properties"] = {name: member.schema() for name, member in self.properties.items()}
        if isinstance(self.additional, Field):
            out["additionalProperties"] = self.additional.schema()
        elif not self.additional:
            out["additionalProperties"] = False
        if self.min_properties is not None:
            out["minProperties"] = self.min_properties
        return out

    def _fault(self, value: Any, name: str) -> Fault | None:
        members = coercion.coerce_object(value)
        if members is None:
            return coercion.build_type_fault(name, "object")
        for key, known in self.properties.items():
            if known.required and key not in members:
                return Fault("rest_property_required", f"{key} is a required property of {name}.")
        for key, item in members.items():
            member: Field | bool = self.properties.get(key) or self.additional
            if isinstance(member, Field):
                found = None if member.readonly else member.fault(item, f"{name}[{key}]")
                if found is not None:
                    return found
            elif not member:
                return Fault("rest_additional_properties_forbidden", f"{key} is not a member that {name} may have.")
        if self.min_properties is not None and len(members) < self.min_properties:
            return Fault("rest_too_few_properties", f"{name} must contain at least {self.min_properties} property.")
        return None

    def clean(self, value: Any) -> Any:
        members = coercion.coerce_object(value) or {}
        out = {}
        for key, item in members.items():
            member = self.properties.get(key)
            if member is None and isinstance(self.additional, Field):
                member = self.additional
            out[key] = member.clean(item) if member is not None else item
        for key, member in self.properties.items():
            if key not in out and member.default is not ABSENT:
                out[key] = member.default
        return out

    def empty(self) -> Any:
        return {}


@dataclass(frozen=True)
class OneOf(Field):
    """Exactly one of several forms. types: the types as the index writes them."""

    forms: tuple[Field, ...] = ()
    _: KW_ONLY
    types: tuple[str, ...] = ()

    def _keywords(self) -> dict[str, Any]:
        return {"type": list(self.types), "oneOf": [form.schema() for form in self.forms]}

    def _fault(self, value: Any, name: str) -> Fault | None:
        fitting = [form for form in self.forms if form.fault(value, name) is None]
        if not fitting:
            return Fault("rest_no_matching_schema", f"{name} does not match any of the forms that it may have.")
        if len(fitting) > 1:
            return Fault("rest_one_of_multiple_matches", f"{name} matches more than one of the forms that it may have.")
        return None

    def clean(self, value: Any) -> Any:
        form = next(form for form in self.forms if form.fault(value, "") is None)
        return form.clean(value)

    def empty(self) -> Any:
        return []


@dataclass(frozen=True)
class AnyOf(Field):
    """A value of one of several types, tried in the order given."""

    kinds: tuple[Field, ...] = ()

    def _keywords(self) -> dict[str, Any]:
        out: dict[str, Any] = {"type": [kind.kind for kind in self.kinds]}
        for kind in self.kinds:
            out.update({key: value for key, value in kind._keywords().items() if key != "type"})
        return out

    def _form(self, value: Any) -> Field | None:
        return next((kind for kind in self.kinds if coercion.is_of_kind(value, kind.kind)), None)

    def _fault(self, value: Any, name: str) -> Fault | None:
        form = self._form(value)
        if form is None:
            return coercion.build_type_fault(name, ", ".join(kind.kind for kind in self.kinds))
        return form.fault(value, name)

    def clean(self, value: Any) -> Any:
        form = self._form(value)
        return form.clean(value) if form is not None else value

    def empty(self) -> Any:
        return self.kinds[0].empty()
