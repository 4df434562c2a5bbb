"""The values of a shop as the rules take them, whichever form the source gives them in.

Old shops have numbers as text, flags as words, and members that are empty where others have null.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from typing import Any, Final

from vetrina.kernel.integers import clamp_integer
from vetrina.transfer.target.incoming_record import IncomingRecord

_TRUE: Final = ("1", "true", "yes", "on")


def parse_number(value: Any, fallback: int = 0) -> int:
    """Return a whole number; fallback: where there is none."""
    if isinstance(value, bool):
        return fallback
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return fallback
    return clamp_integer(int(value if isinstance(value, int) else number)) if math.isfinite(number) else fallback


def parse_optional_number(value: Any) -> int | None:
    """Return a whole number, None where there is none."""
    return None if value in (None, "") or isinstance(value, bool) else parse_number(value)


def parse_flag(value: Any) -> bool:
    """Return whether a value says yes."""
    return value is True or (not isinstance(value, bool) and str(value).strip().lower() in _TRUE)


def parse_text(value: Any) -> str:
    """Return a text or a number as text, empty for anything else."""
    if isinstance(value, str):
        return value.replace("\0", "")
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else ""


def list_objects(value: Any) -> list[Mapping[str, Any]]:
    """Return the objects of a list, none where it is no list."""
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list | tuple) else []


def list_texts(value: Any) -> list[str]:
    """Return the texts of a list, none where it is no list."""
    found = [parse_text(item) for item in value] if isinstance(value, list | tuple) else []
    return [text for text in found if text]


def choose(one: IncomingRecord, member: str, choices: Collection[str], fallback: str) -> str:
    """Return the value of a member that has some choices; one that is not known here is told."""
    value = parse_text(one.values.get(member))
    if value in choices:
        return value
    if value:
        one.notes[f"the {member} {value!r} is not known here: {fallback}"] += 1
    return fallback
