"""Fields of single values: text, numbers, true or false. Rules: docs/rules/coercion.md, 1 to 5."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any

from vetrina.kernel.errors import Fault
from vetrina.rest import coercion
from vetrina.rest.fields.field import Field


@dataclass(frozen=True)
class String(Field):
    """Text. format: date-time, uri, email, uuid, ip or hex-color; nullable adds null to the type.

    parted: commas separate it into a list, which may be as long as one that names things (rest/list_limits.py).
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
        return coercion.find_string_fault(
            value, name, self.enum, self.format, self.pattern, self.min_length, self.max_length
        )

    def empty(self) -> Any:
        return None if self.nullable else ""


@dataclass(frozen=True)
class Integer(Field):
    """A whole number; text and floats that say one are accepted."""

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
        number = coercion.coerce_integer(value)
        if number is None:
            return coercion.build_type_fault(name, "integer")
        return coercion.find_bounds_fault(number, name, self.minimum, self.maximum) or coercion.find_enum_fault(
            number, name, self.enum
        )

    def clean(self, value: Any) -> Any:
        return coercion.coerce_integer(value)

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
        number = coercion.coerce_number(value)
        if number is None:
            return coercion.build_type_fault(name, "number")
        return coercion.find_bounds_fault(
            number, name, self.minimum, self.maximum, self.exclusive_minimum, self.exclusive_maximum
        )

    def clean(self, value: Any) -> Any:
        return coercion.coerce_number(value)

    def empty(self) -> Any:
        return 0.0


@dataclass(frozen=True)
class Boolean(Field):
    """True or false; 0, 1 and the words in any letter case are accepted."""

    kind = "boolean"

    def _fault(self, value: Any, name: str) -> Fault | None:
        return None if coercion.coerce_boolean(value) is not None else coercion.build_type_fault(name, "boolean")

    def clean(self, value: Any) -> Any:
        return coercion.coerce_boolean(value)

    def empty(self) -> Any:
        return False
