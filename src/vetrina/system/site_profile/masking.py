"""A profile's text as it is shown in a browser: without its keys, the credentials in addresses and the machine's paths.

What a text comes back with in their place stands for what the file has there. Rules: docs/rules/server.md, 7.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any, Final

from vetrina.kernel.redaction import MASK

_PATH_KEYS: Final = frozenset({"theme", "marketplace_catalogue"})
_USER_INFO: Final = re.compile(r"(?<=://)[^/\s@]+@")


def mask_value(key: str, value: object) -> object:
    """Return a value as it may be shown. key: the last part of its place in the profile."""
    if not isinstance(value, str) or not value:
        return value
    if key.endswith("_key"):
        return MASK
    if key in _PATH_KEYS and "/" in value:
        return f"…/{value.rstrip('/').rpartition('/')[2]}"
    return _USER_INFO.sub(f"{MASK}@", value)


def mask_text(text: str) -> str | None:
    """Return a profile's text as it may be shown, None where that cannot be told from its secrets."""
    values = tomllib.loads(text)
    shown = text
    for key, value in _iterate_texts("", values):
        masked = str(mask_value(key, value))
        if masked != value:
            shown = shown.replace(value, masked)
    # A value that is written with escapes is not found as it is, and a short one may be found elsewhere, too.
    try:
        return shown if tomllib.loads(shown) == _mask_values("", values) else None
    except tomllib.TOMLDecodeError:
        return None


def restore_masked(given: Any, stored: Any, key: str = "") -> Any:
    """Return the values of a text that was shown masked, with what is stored where they have its mask.

    given: of the text; stored: of the file, at the same place.
    """
    if isinstance(given, dict):
        known = stored if isinstance(stored, dict) else {}
        return {name: restore_masked(one, known.get(name), name) for name, one in given.items()}
    if isinstance(given, list):
        known_list = stored if isinstance(stored, list) else []
        shown = {mask_value(key, one): one for one in known_list if isinstance(one, str)}
        return [shown.get(one, one) if isinstance(one, str) else restore_masked(one, None, key) for one in given]
    return stored if isinstance(stored, str) and given == mask_value(key, stored) else given


def _mask_values(key: str, value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _mask_values(name, one) for name, one in value.items()}
    if isinstance(value, list):
        return [_mask_values(key, one) for one in value]
    return mask_value(key, value)


def _iterate_texts(key: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for name, one in value.items():
            yield from _iterate_texts(name, one)
    elif isinstance(value, list):
        for one in value:
            yield from _iterate_texts(key, one)
    elif isinstance(value, str):
        yield key, value
