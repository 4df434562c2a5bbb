"""Members of a shop's records as values: amounts, numbers, texts, moments, extra fields, however they are written.

What is no such value counts as none. A number may be a text, a flag a word, an absent thing null or an empty text.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final

from vetrina.kernel import money
from vetrina.transfer.target.incoming_record import IncomingRecord, parse_seconds

_GREATEST: Final = 2**53
_TRUE: Final = frozenset({"1", "true", "yes", "on"})


def read_amount(value: Any) -> Decimal:
    """Return an amount; zero for none."""
    if value is None or value == "" or isinstance(value, bool):
        return money.ZERO
    return money.parse_amount(str(value)) or money.ZERO


def read_number(value: Any) -> int:
    """Return a whole number, of a fraction the nearest one towards zero; 0 for none."""
    if type(value) is int:
        return value if abs(value) < _GREATEST else 0
    return int(read_amount(value))


def read_flag(value: Any) -> bool:
    """Return whether a member says yes."""
    return value.lower() in _TRUE if isinstance(value, str) else bool(value)


def read_text(value: Any) -> str:
    """Return a text; that of a number is how it is written."""
    if isinstance(value, str):
        return value.replace("\0", "") if "\0" in value else value
    return str(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else ""


def read_moment(one: IncomingRecord, name: str) -> int | None:
    """Return the moment of a date and its `_gmt`, in seconds since 1970; None where there is none."""
    gmt = parse_seconds(one.values.get(f"{name}_gmt"))
    if gmt is not None:
        return gmt
    local = parse_seconds(one.values.get(name))
    return None if local is None else one.work.zone.to_gmt(local)


def list_objects(value: Any) -> list[dict[str, Any]]:
    """Return the objects of a list, or of an object that stands for one."""
    if not value:
        return []
    members = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [member for member in members if isinstance(member, dict)]


def list_fields(value: Any) -> list[tuple[str, Any]]:
    """Return extra fields, names with values, in their order; one without a value is none."""
    fields = ((read_text(field.get("key")), field.get("value")) for field in list_objects(value))
    return [(name, content) for name, content in fields if name and content is not None]


def list_settings(value: Any) -> dict[str, Any]:
    """Return the values of settings by their names, given as objects that tell more of each, or plainly."""
    given = value if isinstance(value, Mapping) else {}
    return {
        str(name): member.get("value") if isinstance(member, Mapping) and "value" in member else member
        for name, member in given.items()
    }
