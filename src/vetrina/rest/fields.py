"""Field types: the words in which arguments and members of answers are declared.

A field knows its JSON schema, how a raw value is checked and how it becomes a typed one. What is checked when, and
the gathering of faults, is rest/validation.py. The rules of each kind are in rest/coercion.py (facts of the interface,
"Types, coercion, validation").
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Final

from vetrina.kernel.errors import Fault
from vetrina.rest import coercion

__all__ = [
    "ABSENT",
    "EDIT",
    "EMBED",
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
]  # fmt: skip


class _Absent:
    def __repr__(self) -> str:
        return "ABSENT"

    def __bool__(self) -> bool:
        return False


ABSENT: Final = _Absent()
VIEW, EDIT, EMBED = "view", "edit", "embed"


class Asked:
    """Who asks for a check, for the few rules that depend on the caller or on what is stored.

    caller: the user. raw: all raw values of the request. `look` puts a question to the store.
    """

    __slots__ = ("_open", "caller", "raw")

    def __init__(self, caller: Any, raw: Mapping[str, Any], open_work: Callable[[bool], Any] | None) -> None:
        self.caller, self.raw, self._open = caller, raw, open_work

    def look(self, question: Callable[[Any], Any]) -> Any:
        """Return the answer to a question about what is stored: (work) -> value."""
        if self._open is None:
            return None
        with self._open(True) as work:
            return question(work)


Check = Callable[[Any, str, Asked], Fault | None]
NOBODY_ASKS: Final = Asked(None, {}, None)


@dataclass(frozen=True)
class Field:
    """What every field may say.

    help: one sentence for the index and the docs.
    default: the value when nobody gives one; ABSENT for none.
    context: the contexts of an answer in which the member is shown.
    early: checked in the first round; faults of the second are named only when the first found none.
    lenient: neither checked by the schema nor coerced; the handler takes what it can use. `check` is still asked.
    null: what a JSON null means: "empty" the kind's empty value, "keep" as if absent, "null" None.
    check: a rule beyond the schema, asked after it: (value, name, asked) -> Fault or None. It replaces the schema's
      checks when `alone` is true.
    """

    help: str = ""
    _: KW_ONLY
    default: Any = ABSENT
    required: bool = False
    context: tuple[str, ...] = ()
    readonly: bool = False
    early: bool = False
    lenient: bool = False
    null: str = "empty"
    check: Check | None = None
    alone: bool = False
    title: str = ""
    written: bool = True
    extra: Mapping[str, Any] = field(default_factory=dict)

    kind = ""

    # -- description

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema, as a member of an object or of a record's schema shows it."""
        out: dict[str, Any] = {}
        if self.title:
            out["title"] = self.title
        if self.help:
            out["description"] = self.help
        out.update(self._keywords())
        if self.default is not ABSENT:
            out["default"] = self.default
        if self.context:
            out["context"] = list(self.context)
        if self.readonly:
            out["readonly"] = True
        if self.required:
            out["required"] = True
        out.update(self.extra)
        return out

    def argument(self) -> dict[str, Any]:
        """Return the JSON schema as an argument of the index shows it."""
        out = self.schema()
        out.pop("context", None)
        out.pop("readonly", None)
        out["required"] = self.required
        return out

    def _keywords(self) -> dict[str, Any]:
        return {"type": self.kind} if self.kind else {}

    # -- values

    def fault(self, value: Any, name: str, asked: Asked = NOBODY_ASKS) -> Fault | None:
        """Return why `value` is refused, or None."""
        if not self.alone and not self.lenient:
            found = self._fault(value, name)
            if found is not None:
                return found
        return self.check(value, name, asked) if self.check else None

    def _fault(self, value: Any, name: str) -> Fault | None:
        return None

    def clean(self, value: Any) -> Any:
        """Return the typed value of a raw one that has no fault."""
        return value

    def empty(self) -> Any:
        """Return what a JSON null stands for."""
        return None

    def but(self, **changes: Any) -> Any:
        """Return this field with some of its words changed. Raises TypeError for a word that it does not have."""
        changed = copy(self)
        if unknown := changes.keys() - changed.__dict__.keys():
            raise TypeError(f"{type(self).__name__} has no {', '.join(sorted(unknown))}")
        # A site makes thousands of them when it starts: `replace` takes four times as long.
        changed.__dict__.update(changes)
        return changed


@dataclass(frozen=True)
class Untyped(Field):
    """Any value; nothing is checked. parted: as of String."""

    _: KW_ONLY
    parted: bool = False


@dataclass(frozen=True)
class String(Field):
    """Text. format: date-time, uri, email, uuid, ip or hex-color; nullable adds null to the type.

    parted: commas part it into a list, which may be as long as one that names things (rest/list_limits.py).
    """

    _: KW_ONLY
    enum: tuple[str, ...] = ()
    format: str = ""
    pattern: str = ""
    min_length: int | None = None
    max_length: int | None = None
    nullable: bool = False
    parted: bool = False

    kind = "string"

    def _keywords(self) -> dict[str, Any]:
        out: dict[str, Any] = {"type": ["string", "null"] if self.nullable else "string"}
        if self.format:
            out["format"] = self.format
        if self.enum:
            out["enum"] = list(self.enum)
        if self.pattern:
            out["pattern"] = self.pattern
        if self.min_length is not None:
            out["minLength"] = self.min_length
        if self.max_length is not None:
            out["maxLength"] = self.max_length
        return out

    def _fault(self, value: Any, name: str) -> Fault | None:
        if value is None and self.nullable:
            return None
        return coercion.string_fault(
            value, name, self.enum, self.format, self.pattern, self.min_length, self.max_length
        )

    def empty(self) -> Any:
        return None if self.nullable else ""


@dataclass(frozen=True)
class Integer(Field):
    """A whole number; text and floats that say one are taken."""

    _: KW_ONLY
    minimum: int | None = None
    maximum: int | None = None
    enum: tuple[int, ...] = ()

    kind = "integer"

    def _keywords(self) -> dict[str, Any]:
        out: dict[str, Any] = {"type": "integer"}
        if self.enum:
            out["enum"] = list(self.enum)
        if self.minimum is not None:
            out["minimum"] = self.minimum
        if self.maximum is not None:
            out["maximum"] = self.maximum
        return out

    def _fault(self, value: Any, name: str) -> Fault | None:
        number = coercion.integer(value)
        if number is None:
            return coercion.wrong_type(name, "integer")
        return coercion.bounds_fault(number, name, self.minimum, self.maximum) or coercion.enum_fault(
            number, name, self.enum
        )

    def clean(self, value: Any) -> Any:
        return coercion.integer(value)

    def empty(self) -> Any:
        return 0


@dataclass(frozen=True)
class Number(Field):
    """A number, whole or not."""

    _: KW_ONLY
    minimum: float | None = None
    maximum: float | None = None
    exclusive_minimum: bool = False
    exclusive_maximum: bool = False
    kind = "number"

    def _keywords(self) -> dict[str, Any]:
        out: dict[str, Any] = {"type": "number"}
        if self.minimum is not None:
            out["minimum"] = self.minimum
        if self.maximum is not None:
            out["maximum"] = self.maximum
        if self.exclusive_minimum:
            out["exclusiveMinimum"] = True
        if self.exclusive_maximum:
            out["exclusiveMaximum"] = True
        return out

    def _fault(self, value: Any, name: str) -> Fault | None:
        number = coercion.number(value)
        if number is None:
            return coercion.wrong_type(name, "number")
        return coercion.bounds_fault(
            number, name, self.minimum, self.maximum, self.exclusive_minimum, self.exclusive_maximum
        )

    def clean(self, value: Any) -> Any:
        return coercion.number(value)

    def empty(self) -> Any:
        return 0.0


@dataclass(frozen=True)
class Boolean(Field):
    """True or false; 0, 1 and the words in any letter case are taken."""

    kind = "boolean"

    def _fault(self, value: Any, name: str) -> Fault | None:
        return None if coercion.boolean(value) is not None else coercion.wrong_type(name, "boolean")

    def clean(self, value: Any) -> Any:
        return coercion.boolean(value)

    def empty(self) -> Any:
        return False


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
        values = coercion.array(value)
        if values is None:
            return coercion.wrong_type(name, "array")
        for at, item in enumerate(values):
            found = self.items.fault(item, f"{name}[{at}]")
            if found is not None:
                return found
        if self.min_items is not None and len(values) < self.min_items:
            return Fault("rest_too_few_items", f"{name} must contain at least {self.min_items} item(s).")
        if self.max_items is not None and len(values) > self.max_items:
            return Fault("rest_too_many_items", f"{name} must contain at most {self.max_items} items.")
        if self.unique and coercion.repeats(values):
            return Fault("rest_duplicate_items", f"{name} has duplicate items.")
        return None

    def clean(self, value: Any) -> Any:
        clean = self.items.clean
        values = [clean(item) for item in coercion.array(value) or ()]
        return list(dict.fromkeys(values)) if self.collapse else values

    def empty(self) -> Any:
        return []


@dataclass(frozen=True)
class Object(Field):
    """Named members. additional: true, false, or the field of every other member; names: their pattern."""

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
        members = coercion.mapping(value)
        if members is None:
            return coercion.wrong_type(name, "object")
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
        members = coercion.mapping(value) or {}
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
    """Exactly one of several forms. types: the kinds as the index writes them."""

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
    """A value of one of several kinds, tried in the order given."""

    kinds: tuple[Field, ...] = ()

    def _keywords(self) -> dict[str, Any]:
        out: dict[str, Any] = {"type": [kind.kind for kind in self.kinds]}
        for kind in self.kinds:
            out.update({key: value for key, value in kind._keywords().items() if key != "type"})
        return out

    def _form(self, value: Any) -> Field | None:
        return next((kind for kind in self.kinds if coercion.is_kind(value, kind.kind)), None)

    def _fault(self, value: Any, name: str) -> Fault | None:
        form = self._form(value)
        if form is None:
            return coercion.wrong_type(name, ", ".join(kind.kind for kind in self.kinds))
        return form.fault(value, name)

    def clean(self, value: Any) -> Any:
        form = self._form(value)
        return form.clean(value) if form is not None else value

    def empty(self) -> Any:
        return self.kinds[0].empty()
