"""Registered meta fields of records: their schema, their defaults, what a write may set.

Fields of the site's own are merged here with them; what they are: content/custom_fields/. Rules: docs/rules/records.md,
11; docs/rules/kinds.md, 6; docs/rules/blocks.md, 2; docs/rules/custom_fields.md, 4.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from typing import Any

from vetrina.access.roles.capabilities import may_write_unfiltered_html
from vetrina.content.custom_fields import field_values
from vetrina.content.custom_fields.model import CustomField
from vetrina.content.records import statuses, visibility
from vetrina.content.records.model import Record
from vetrina.content.text import sanitizing
from vetrina.content.types.model import ContentType
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
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


def build_meta_fields(site: SiteContext, type: ContentType) -> dict[str, Field]:
    """Return the registered meta fields of a type, by name."""
    return dict(_build_registered_fields(type.features, site.profile.ext_changed))


@cache
def _build_registered_fields(features: frozenset[str], ext_changed: bool) -> Mapping[str, Field]:
    out: dict[str, Field] = {}
    if {"revisions", "editor", "custom-fields"} <= features:
        out["footnotes"] = _FOOTNOTES
    if ext_changed:
        out["_ext_changed"] = _EXT_CHANGED
    if "sync-status" in features:
        out[SYNC_STATUS] = _SYNC_STATUS
    return out


@cache
def _build_default_values(features: frozenset[str], ext_changed: bool) -> Mapping[str, Any]:
    fields = _build_registered_fields(features, ext_changed)
    return {name: field.default for name, field in fields.items() if name != SYNC_STATUS}


def serialize_meta(
    site: SiteContext, type: ContentType, stored: Mapping[str, Any], configured: Collection[str] = ()
) -> dict[str, Any]:
    """Return every registered field with its value or default, and the configured fields that are stored."""
    defaults = _build_default_values(type.features, site.profile.ext_changed)
    if not stored:
        return dict(defaults)
    known = {name: stored.get(name, default) for name, default in defaults.items()}
    return {**known, **{name: stored[name] for name in configured if name in stored and name not in known}}


def merge_meta(
    work: UnitOfWork,
    type: ContentType,
    stored: Mapping[str, Any],
    given: Mapping[str, Any],
    configured: Collection[str] = (),
    required: Collection[CustomField] = (),
) -> dict[str, Any]:
    """Return the stored fields after a write: given ones change, null restores a default.

    Unknown ones are refused where the type has fields of the site's own, and ignored where it has none.
    given: the written members of the record, of which `meta` and `ext` count. configured: names of unregistered fields
    that the translation configuration knows. required: own fields that must have a value.
    Raises InvalidMeta for a value of the wrong type, CannotWriteField, InvalidParam with every fault of own fields.
    """
    out = dict(stored)
    if fields := work.site.custom_fields.get(type.name):
        values = field_values.collect_given_values(given)
        known = {*build_meta_fields(work.site, type), *configured}
        out = field_values.merge_field_values(
            work, fields, stored, values, others=known, required=[one.name for one in required]
        )
    return _merge_registered_fields(work, type, out, given.get("meta"), configured)


def list_required_fields(
    work: UnitOfWork, type: ContentType, old: Record, status: str, given: Mapping[str, Any], creating: bool
) -> list[CustomField]:
    """Return the own fields that a write must leave with a value: all of a record that becomes public.

    Of one that is public already, those that the write names: it may be older than the field.
    """
    fields = [one for one in work.site.custom_fields.get(type.name, ()) if one.required or one.fields]
    if not fields or status not in (*statuses.PUBLISHED_STATUSES, visibility.INHERIT_STATUS):
        return []
    if status in statuses.PUBLISHED_STATUSES and (creating or old.status not in statuses.PUBLISHED_STATUSES):
        return fields
    named = field_values.collect_given_values(given)
    return [one for one in fields if one.name in named]


def _merge_registered_fields(
    work: UnitOfWork, type: ContentType, stored: Mapping[str, Any], given: Any, configured: Collection[str]
) -> dict[str, Any]:
    out, by = dict(stored), work.user
    if not isinstance(given, Mapping):
        return out
    known = build_meta_fields(work.site, type)
    own = {one.name for one in work.site.custom_fields.get(type.name, ())}
    for name, field in known.items():
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
        if name in given and name not in known and name not in own:
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
