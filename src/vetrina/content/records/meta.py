"""Registered meta fields of records: their schema, their defaults, what a write may set.

Rules: docs/rules/records.md, 11; docs/rules/kinds.md, 6; docs/rules/blocks.md, 2.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from typing import Any

from vetrina.access.roles.capabilities import may_write_unfiltered_html
from vetrina.content.text import sanitizing
from vetrina.content.types.model import ContentType
from vetrina.core.user import User
from vetrina.kernel.errors import ApiError, Fault
from vetrina.rest.fields import ABSENT, Boolean, Field, String

# The title is part of the schema, and empty like that of every field registered without one.
_FOOTNOTES = String("Footnotes of the record, as JSON text.", default="", extra={"title": ""})
_EXT_CHANGED = Boolean("Whether the custom fields were changed.", default=False, extra={"title": ""})
_SYNC_STATUS = String(
    "How the copies of a pattern follow it.",
    default="",
    enum=("partial", "unsynced"),
    extra={"title": ""},
    optional=True,
    unset=(None,),
    values=("partial", "unsynced", ""),
)
# A member of its own in the response of a pattern, though it is written as a meta field.
SYNC_STATUS = "cms_pattern_sync_status"


class InvalidMeta(ApiError):
    """A registered meta field was given a value of the wrong type, or one that it does not know."""

    code = "rest_invalid_type"
    codes = ("rest_invalid_type", "rest_not_in_enum")
    message = "{reason}"

    def __init__(self, fault: Fault) -> None:
        super().__init__(reason=fault.message)
        self.fault = fault

    def body(self) -> dict[str, Any]:
        out = {**super().body(), "code": self.fault.code}
        return {**out, "additional_data": [self.fault.data]} if self.fault.data else out


def build_meta_fields(type: ContentType) -> dict[str, Field]:
    """Return the registered meta fields of a type, by name."""
    return dict(_build_registered_fields(type.features))


@cache
def _build_registered_fields(features: frozenset[str]) -> Mapping[str, Field]:
    out: dict[str, Field] = {}
    if {"revisions", "editor", "custom-fields"} <= features:
        out["footnotes"] = _FOOTNOTES
    out["_ext_changed"] = _EXT_CHANGED
    if "sync-status" in features:
        out[SYNC_STATUS] = _SYNC_STATUS
    return out


@cache
def _build_default_values(features: frozenset[str]) -> Mapping[str, Any]:
    return {name: field.default for name, field in _build_registered_fields(features).items() if name != SYNC_STATUS}


def serialize_meta(type: ContentType, stored: Mapping[str, Any], configured: Collection[str] = ()) -> dict[str, Any]:
    """Return every registered field with its value or default, and the configured fields that are stored."""
    defaults = _build_default_values(type.features)
    if not stored:
        return dict(defaults)
    known = {name: stored.get(name, default) for name, default in defaults.items()}
    return {**known, **{name: stored[name] for name in configured if name in stored and name not in known}}


def merge_meta(
    type: ContentType, stored: Mapping[str, Any], given: Any, by: User, configured: Collection[str] = ()
) -> dict[str, Any]:
    """Return the stored fields after a write: given ones change, null restores a default, unknown ones are ignored.

    configured: names of unregistered fields that the translation configuration knows.
    Raises InvalidMeta for a value of the wrong type.
    """
    out = dict(stored)
    if not isinstance(given, Mapping):
        return out
    for name, field in build_meta_fields(type).items():
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
        if name == "footnotes" and not may_write_unfiltered_html(by):
            clean = sanitizing.sanitize_footnotes(clean)
        out[name] = clean
    for name in configured:
        if name in given and name not in build_meta_fields(type):
            if given[name] is None:
                out.pop(name, None)
            else:
                out[name] = given[name] if may_write_unfiltered_html(by) else _sanitize_value(given[name])
    return out


def _sanitize_value(value: Any) -> Any:
    """Return a value whose texts are free of markup that their author may not write."""
    if isinstance(value, str):
        return sanitizing.sanitize_content(value)
    if isinstance(value, list):
        return [_sanitize_value(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _sanitize_value(item) for key, item in value.items()}
    return value
