"""Extra fields of the source: what the site knows of them is kept, in the types that it has; the rest is told.

A value that is written as text becomes what its field holds; ids become those here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from vetrina.access.users import preferences, schema as user_schema
from vetrina.access.users.schema import InvalidUserMeta
from vetrina.content.custom_fields import field_values
from vetrina.content.custom_fields.declaration import USERS
from vetrina.content.custom_fields.model import CustomField
from vetrina.content.records import meta as record_meta
from vetrina.content.translations.modes import build_element_name, list_configured_fields
from vetrina.content.types.model import ContentType, Taxonomy
from vetrina.kernel.errors import InvalidParam

from .addresses import rewrite_content, rewrite_value
from .incoming_record import IncomingRecord
from .journal import RECORD, TERM, USER

_NUMBERS: Final = ("integer", "number")
_TRUE: Final = ("1", "true", "yes", "on")
_DAY_LENGTH: Final = 8  # digits of a date without dashes


def merge_record_fields(one: IncomingRecord, type: ContentType, stored: Mapping[str, Any]) -> dict[str, Any]:
    """Return the stored extra fields of a record with those that came."""
    work = one.work
    registered = record_meta.build_meta_fields(work.site, type)
    configured = list_configured_fields(work, build_element_name(type))
    own = {field.name: field for field in work.site.custom_fields.get(type.name, ())}
    given: dict[str, Any] = {}
    for name, value in _iterate_given(one):
        if name in own:
            given[name] = _convert_value(one, own[name], value)
        elif name in registered:
            fault = None if value is None else registered[name].fault(value, name)
            if fault is None:
                given[name] = value
            else:
                one.notes[f"the value of the extra field {name!r} does not fit"] += 1
        elif name in configured:
            given[name] = rewrite_value(one, value)
        elif not name.startswith("_"):
            one.notes[f"the extra field {name!r} is not known here"] += 1
    return _merge_fitting(
        one, given, lambda left: record_meta.merge_meta(work, type, stored, {"meta": left}, configured)
    )


def merge_term_fields(one: IncomingRecord, taxonomy: Taxonomy, stored: Mapping[str, Any]) -> dict[str, Any]:
    """Return the stored extra fields of a term with those that came."""
    given = convert_own_fields(one, taxonomy.name, dict(_iterate_given(one)))
    merge = field_values.merge_owned_values
    return _merge_fitting(one, given, lambda left: merge(one.work, taxonomy.name, stored, {"meta": left}))


def merge_account_fields(one: IncomingRecord, stored: Mapping[str, Any]) -> dict[str, Any]:
    """Return the stored extra fields of an account with those that came, and what pages of the source keep for it."""
    merged = dict(stored)
    own = {field.name for field in one.work.site.custom_fields.get(USERS, ())}
    registered = user_schema.list_meta_names(one.work.site)
    for name, value in _iterate_given(one):
        if name in registered:
            try:
                merged = user_schema.merge_user_meta(one.work.site, merged, {name: value})
            except InvalidUserMeta:
                one.notes[f"the value of the extra field {name!r} does not fit"] += 1
        elif value and name not in own and not name.startswith("_"):
            one.notes[f"the extra field {name!r} is not known here"] += 1
    kept = one.values.get(preferences.PREFERENCES_MEMBER)
    if isinstance(kept, Mapping) and preferences.PREFERENCES_MEMBER in one.work.site.account_members:
        texts = {name: value for name, value in kept.items() if isinstance(value, str)}
        try:
            merged = preferences.merge_preferences(merged, texts)
        except preferences.InvalidPreferences as error:
            one.notes[str(error)] += 1
    given = convert_own_fields(one, USERS, dict(_iterate_given(one)))
    merge = field_values.merge_owned_values
    return _merge_fitting(one, given, lambda left: merge(one.work, USERS, merged, {"meta": left}, others=registered))


def convert_own_fields(one: IncomingRecord, owner: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return those values that are fields of a taxonomy or an options page, as these take them."""
    own = {field.name: field for field in one.work.site.custom_fields.get(owner, ())}
    return {name: _convert_value(one, own[name], value) for name, value in values.items() if name in own}


def _iterate_given(one: IncomingRecord) -> list[tuple[str, Any]]:
    ext, sync = one.values.get("ext"), one.values.get(record_meta.SYNC_STATUS)
    given = [*one.meta.items(), *(ext.items() if isinstance(ext, Mapping) else ())]
    # The interface shows it beside the extra fields, of which it is one.
    return [*given, (record_meta.SYNC_STATUS, sync)] if sync else given


def _merge_fitting(one: IncomingRecord, given: dict[str, Any], merge: Any) -> dict[str, Any]:
    """Return what `merge` makes of the values that fit; of the others it is told that they do not."""
    while True:
        try:
            merged: dict[str, Any] = merge(given)
            return merged
        except InvalidParam as error:
            faulty = {path.partition(".")[2].partition(".")[0].partition("[")[0] for path in error.data["params"]}
            if faulty.isdisjoint(given):
                raise
            for name in faulty.intersection(given):
                one.notes[f"the value of the extra field {name!r} does not fit"] += 1
                del given[name]


def _convert_value(one: IncomingRecord, field: CustomField, value: Any) -> Any:
    """Return a value as a field takes it. Unresolved ids are left out."""
    if value is None or value == "":
        return None
    if not field.is_list:
        return _convert_item(one, field, value[0] if isinstance(value, list) and len(value) == 1 else value)
    items = value if isinstance(value, list) else [value]
    converted = [_convert_item(one, field, item) for item in items]
    return [item for item in converted if item is not None]


def _convert_item(one: IncomingRecord, field: CustomField, value: Any) -> Any:
    if field.fields:
        return _convert_members(one, field.fields, value)
    if field.target:
        if isinstance(value, Mapping):
            value = value.get("id", value.get("ID"))
        kind = USER if field.target == USERS else TERM if field.target in one.work.site.taxonomies else RECORD
        return one.resolve(kind, value, field.name) or None
    if field.type in ("rich_text", "blocks"):
        raw = value.get("raw") if isinstance(value, Mapping) else value
        return rewrite_content(one, raw) if isinstance(raw, str) else raw
    if not isinstance(value, str):
        return value
    if field.type in _NUMBERS:
        return _parse_number(value)
    if field.type == "boolean":
        return value.lower() in _TRUE
    if field.type == "date" and len(value) == _DAY_LENGTH and value.isdecimal():
        return f"{value[:4]}-{value[4:6]}-{value[6:]}"
    return rewrite_value(one, value)


def _convert_members(one: IncomingRecord, fields: Sequence[CustomField], value: Any) -> Any:
    if not isinstance(value, Mapping):
        return value
    known = {field.name: field for field in fields}
    return {name: _convert_value(one, known[name], item) if name in known else item for name, item in value.items()}


def _parse_number(text: str) -> Any:
    for convert in (int, float):
        try:
            return convert(text)
        except ValueError:
            continue
    return text
