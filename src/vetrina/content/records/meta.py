"""Registered extra fields of records: which there are, their defaults, what a write may set.

Rules: interface.md, "Shared structured fields"; facts of the interface, "Records: writing".
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from typing import Any

from vetrina.access.roles.capabilities import unfiltered
from vetrina.access.users.model import User
from vetrina.content.text import sanitizing
from vetrina.content.types.model import ContentType
from vetrina.kernel.errors import ApiError, Fault
from vetrina.rest.fields import ABSENT, Boolean, Field, String

__all__ = ["SYNC_STATUS", "InvalidMeta", "changed", "fields_of", "shown"]

# Their titles are part of the schema, and empty as those of every field that was registered without one.
_FOOTNOTES = String("Footnotes of the record, as JSON text.", default="", extra={"title": ""})
_EXT_CHANGED = Boolean("Whether the custom fields were changed.", default=False, extra={"title": ""})
_SYNC_STATUS = String(
    "How the copies of a pattern follow it.", default="", enum=("partial", "unsynced"), extra={"title": ""}
)
# A member of its own in a pattern's answer, though it is written as one of its extra fields.
SYNC_STATUS = "cms_pattern_sync_status"


class InvalidMeta(ApiError):
    """A registered extra field was given a value that it cannot have."""

    code = "rest_invalid_type"
    message = "{reason}"

    def __init__(self, fault: Fault) -> None:
        super().__init__(reason=fault.message)
        self.fault = fault

    def body(self) -> dict[str, Any]:
        out = {**super().body(), "code": self.fault.code}
        return {**out, "additional_data": [self.fault.data]} if self.fault.data else out


def fields_of(type: ContentType) -> dict[str, Field]:
    """Return the registered extra fields of a type, by name."""
    return dict(_registered(type.features))


@cache
def _registered(features: frozenset[str]) -> Mapping[str, Field]:
    out: dict[str, Field] = {}
    if {"revisions", "editor", "custom-fields"} <= features:
        out["footnotes"] = _FOOTNOTES
    out["_ext_changed"] = _EXT_CHANGED
    if "sync-status" in features:
        out[SYNC_STATUS] = _SYNC_STATUS
    return out


@cache
def _defaults(features: frozenset[str]) -> Mapping[str, Any]:
    return {name: field.default for name, field in _registered(features).items() if name != SYNC_STATUS}


def shown(type: ContentType, stored: Mapping[str, Any], configured: Collection[str] = ()) -> dict[str, Any]:
    """Return every registered field with its value or its default, and the configured ones that are stored."""
    defaults = _defaults(type.features)
    if not stored:
        return dict(defaults)
    known = {name: stored.get(name, default) for name, default in defaults.items()}
    return {**known, **{name: stored[name] for name in configured if name in stored and name not in known}}


def changed(
    type: ContentType, stored: Mapping[str, Any], given: Any, by: User, configured: Collection[str] = ()
) -> dict[str, Any]:
    """Return the stored fields after a write: given ones change, null puts a default back, unknown ones are ignored.

    configured: the names of fields that nobody registered and the configuration of translation knows.
    Raises InvalidMeta for a value of the wrong type.
    """
    out = dict(stored)
    if not isinstance(given, Mapping):
        return out
    for name, field in fields_of(type).items():
        value = given.get(name, ABSENT)
        if value is ABSENT:
            continue
        if value is None:
            out.pop(name, None)
            continue
        fault = field.fault(value, f"meta.{name}")
        if fault is not None:
            raise InvalidMeta(fault)
        clean = field.clean(value)
        if name == "footnotes" and not unfiltered(by):
            clean = sanitizing.footnotes(clean)
        out[name] = clean
    for name in configured:
        if name in given and name not in fields_of(type):
            if given[name] is None:
                out.pop(name, None)
            else:
                out[name] = given[name] if unfiltered(by) else _harmless(given[name])
    return out


def _harmless(value: Any) -> Any:
    """Return a value whose texts hold no markup that its writer may not write."""
    if isinstance(value, str):
        return sanitizing.content(value)
    if isinstance(value, list):
        return [_harmless(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _harmless(item) for key, item in value.items()}
    return value
