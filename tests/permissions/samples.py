"""Valid values of declared arguments, found by trying likely ones.

Not here: the routes that are called with them (test_every_route.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from vetrina.rest.fields import ABSENT, Array, Field, Object

__all__ = ["arguments", "sample"]

_LIKELY: Final = (
    "x", 1, "1", True, 0.5, "2026-01-02T03:04:05", "2026-01-02", "somebody@example.org", "https://example.org/x",
    "post", "core/archives", "#112233", "203.0.113.7", "12345678-1234-4234-8234-123456789012", "IT", "yes", "ATE",
    "day",     [], {}, ["x"], [1], {"x": "x"}, [{"id": 1, "type": "post"}], '{"fontFamily": "F", "src": "https://example.org/f"}',
    '{"name": "F", "slug": "f", "fontFamily": "F"}', False, None, 5, 300, "publish",
)  # fmt: skip


def sample(field: Field) -> Any:
    """Return a valid value of a field, ABSENT where none of the likely ones is."""
    enum = getattr(field, "enum", ())
    for value in (*enum, *_built(field), *_LIKELY):
        try:
            if field.fault(value, "x") is None:
                return value
        except (TypeError, AttributeError, KeyError):
            # A rule on the caller or on stored data; the route is called without such an argument.
            continue
    return ABSENT


def _built(field: Field) -> tuple[Any, ...]:
    if isinstance(field, Array):
        item = sample(field.items)
        return () if item is ABSENT else ([item], [item, item])
    if isinstance(field, Object):
        found = {name: sample(member) for name, member in field.properties.items() if not member.readonly}
        return ({name: value for name, value in found.items() if value is not ABSENT},)
    low = getattr(field, "minimum", None)
    return () if low is None else (low, low + 1)


def arguments(fields: Mapping[str, Field], holes: Mapping[str, str], *, every: bool) -> dict[str, Any]:
    """Return arguments of a route; every: optional ones too. holes: its path parameters."""
    out = {}
    for name, field in fields.items():
        if name in holes or not (every or field.required):
            continue
        value = sample(field)
        if value is not ABSENT:
            out[name] = value
    return out
