"""From a client's raw value to a typed one: the interface's rules for each type.

A raw value comes from a JSON body, a form or a query: None, bool, int, float, str, list, dict. Every function returns
None for "not of this type". Rules: docs/rules/coercion.md, 1 to 6.
"""

from __future__ import annotations

import ipaddress
import math
import re
from typing import Any

from vetrina.kernel import times
from vetrina.kernel.email_addresses import is_email_address
from vetrina.kernel.errors import Fault
from vetrina.kernel.integers import clamp_integer

_NUMERIC = re.compile(
    r"[ \t\n\r\v\f]*[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?[ \t\n\r\v\f]*", re.ASCII
)
_WHOLE = re.compile(r"[+-]?[0-9]{1,15}", re.ASCII)
_SEPARATORS = re.compile(r"[\s,]+")
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_HEX_COLOR = re.compile(r"#(?:[A-Fa-f0-9]{3}|[A-Fa-f0-9]{6})")


def build_type_fault(name: str, kind: str) -> Fault:
    return Fault("rest_invalid_type", f"{name} is not of type {kind}.", {"param": name})


def coerce_number(value: Any) -> float | int | None:
    """Return the number that `value` is or says."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, str) and len(value) < 400 and _NUMERIC.fullmatch(value):
        found = float(value)
        return found if math.isfinite(found) else None
    return None


def coerce_integer(value: Any) -> int | None:
    """Return the whole number that `value` is or says; beyond 2^53 the nearest that is exact."""
    if isinstance(value, str) and _WHOLE.fullmatch(value):
        return int(value)
    found = coerce_number(value)
    if found is None or found != math.floor(found):
        return None
    # Clients that send integers beyond JSON's exact range mean "very large".
    return clamp_integer(int(found))


def coerce_boolean(value: Any) -> bool | None:
    """Return the truth value that `value` is or says."""
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return bool(value) if value in (0, 1) else None
    if isinstance(value, str):
        return {"true": True, "1": True, "false": False, "0": False}.get(value.lower())
    return None


def coerce_array(value: Any) -> list[Any] | None:
    """Return the list that `value` is, or that a text separates by commas and blanks."""
    if isinstance(value, list):
        return value
    if isinstance(value, str):
        return [part for part in _SEPARATORS.split(value) if part]
    if isinstance(value, bool):
        return ["1"] if value else []
    if isinstance(value, (int, float)):
        return [str(value)]
    if isinstance(value, dict) and not value:
        return []
    return None


def coerce_object(value: Any) -> dict[str, Any] | None:
    """Return the members of an object; items of a list are numbered, empty text is an empty object."""
    if isinstance(value, dict):
        return value
    if isinstance(value, list):
        return {str(at): item for at, item in enumerate(value)}
    return {} if value == "" else None


def is_of_kind(value: Any, kind: str) -> bool:
    """Return whether a value with several possible types is taken as this one."""
    match kind:
        case "array":
            return (
                value != ""
                and coerce_array(value) is not None
                and (isinstance(value, list) or not isinstance(value, dict))
            )
        case "object":
            return value != "" and coerce_object(value) is not None
        case "integer":
            return coerce_integer(value) is not None
        case "number":
            return coerce_number(value) is not None
        case "boolean":
            return coerce_boolean(value) is not None
        case "string":
            return isinstance(value, str)
        case _:
            return value is None or value == ""


def has_duplicates(values: list[Any]) -> bool:
    """Return whether an item occurs twice."""
    return len({_build_hashable(value) for value in values}) < len(values)


def _build_hashable(value: Any) -> Any:
    """Return a hashable value that is equal for equal values."""
    if isinstance(value, list):
        return ("list", *map(_build_hashable, value))
    if isinstance(value, dict):
        return ("object", frozenset((key, _build_hashable(item)) for key, item in value.items()))
    return value


def find_enum_fault(value: Any, name: str, enum: tuple[Any, ...]) -> Fault | None:
    if not enum or value in enum:
        return None
    return Fault("rest_not_in_enum", f"{name} is not one of {_format_choices(enum)}.")


def find_bounds_fault(
    value: float,
    name: str,
    minimum: float | None,
    maximum: float | None,
    above: bool = False,
    below: bool = False,
) -> Fault | None:
    low = minimum is not None and (value <= minimum if above else value < minimum)
    high = maximum is not None and (value >= maximum if below else value > maximum)
    if not low and not high:
        return None
    if minimum is not None and maximum is not None:
        text = f"{name} must be between {minimum} and {maximum}."
    elif minimum is not None:
        text = f"{name} must be {'greater than' if above else 'at least'} {minimum}."
    else:
        text = f"{name} must be {'less than' if below else 'at most'} {maximum}."
    return Fault("rest_out_of_bounds", text)


def find_string_fault(
    value: Any,
    name: str,
    enum: tuple[str, ...] = (),
    format: str = "",
    pattern: str = "",
    min_length: int | None = None,
    max_length: int | None = None,
) -> Fault | None:
    """Return why `value` is not the text that is required, or None."""
    if not isinstance(value, str):
        return build_type_fault(name, "string")
    if enum and value not in enum:
        return find_enum_fault(value, name, enum)
    if format and (found := _find_format_fault(value, name, format)) is not None:
        return found
    if min_length is not None and len(value) < min_length:
        return Fault("rest_too_short", f"{name} must be at least {min_length} character(s) long.")
    if max_length is not None and len(value) > max_length:
        return Fault("rest_too_long", f"{name} must be at most {max_length} characters long.")
    if pattern and not re.search(pattern, value):
        return Fault("rest_invalid_pattern", f"{name} does not match the pattern {pattern}.")
    return None


def _find_format_fault(value: str, name: str, format: str) -> Fault | None:
    match format:
        case "date-time":
            if not times.is_date_time(value):
                return Fault("rest_invalid_date", f"{name} is not a date: write YYYY-MM-DDTHH:MM:SS, with Z or ±HH:MM.")
        case "email":
            if not is_email_address(value):
                return Fault("rest_invalid_email", f"{name} is not an e-mail address.")
        case "uuid":
            if not _UUID.fullmatch(value.lower()):
                return Fault("rest_invalid_uuid", f"{name} is not a UUID.")
        case "ip":
            try:
                ipaddress.ip_address(value)
            except ValueError:
                return Fault("rest_invalid_ip", f"{name} is not an IP address.")
        case "hex-color":
            if not _HEX_COLOR.fullmatch(value):
                return Fault("rest_invalid_hex_color", f"{name} is not a colour such as #0a0b0c.")
        case _:
            return None
    return None


def _format_choices(values: tuple[Any, ...]) -> str:
    words = [str(value) for value in values]
    if len(words) < 3:
        return " and ".join(words)
    return f"{', '.join(words[:-1])}, and {words[-1]}"
