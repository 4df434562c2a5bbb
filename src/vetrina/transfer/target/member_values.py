"""Members of a shop's records as values: amounts, numbers, texts, moments, extra fields, however they are written.

What is no such value counts as none. A number may be a text, a flag a word, an absent thing null or an empty text.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from decimal import Decimal
from typing import Any, Final

from vetrina.kernel import money
from vetrina.kernel.integers import clamp_integer
from vetrina.transfer.target.incoming_record import IncomingRecord, parse_seconds

_TRUE: Final = frozenset({"1", "true", "yes", "on"})


def read_amount(value: Any) -> Decimal:
    """Return an amount; zero for none."""
    if value is None or value == "" or isinstance(value, bool):
        return money.ZERO
    return money.parse_amount(str(value)) or money.ZERO


def read_number(value: Any, fallback: int = 0) -> int:
    """Return a whole number, of a fraction the nearest one towards zero; fallback: where there is none."""
    if isinstance(value, bool):
        return fallback
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return fallback
    return clamp_integer(int(value if isinstance(value, int) else number)) if math.isfinite(number) else fallback


def read_optional_number(value: Any) -> int | None:
    """Return a whole number, None where there is none."""
    return None if value in (None, "") or isinstance(value, bool) else read_number(value)


def read_flag(value: Any) -> bool:
    """Return whether a member says yes."""
    return value.strip().lower() in _TRUE if isinstance(value, str) else bool(value)


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


def list_texts(value: Any) -> list[str]:
    """Return the texts of a list, none where it is no list."""
    found = [read_text(item) for item in value] if isinstance(value, list | tuple) else []
    return [text for text in found if text]


def choose_value(one: IncomingRecord, member: str, choices: Collection[str], fallback: str) -> str:
    """Return the value of a member that has some choices; one that is not known here is told."""
    value = read_text(one.values.get(member))
    if value in choices:
        return value
    if value:
        one.notes[f"the {member} {value!r} is not known here: {fallback}"] += 1
    return fallback


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
