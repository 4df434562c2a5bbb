"""The profile that a source asks for: languages, modules, types, taxonomies, and the extra fields of its records.

What a profile may say: settings.py. What the values of a field were is all that is known of it: a text that holds dates
is a text, and a number that names a record a number.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Final

from vetrina.content.types.registry import build_profile_taxonomies, build_profile_types
from vetrina.content.types.schema import NAMESPACE
from vetrina.kernel import slugs
from vetrina.settings import Profile
from vetrina.transfer.records import Record, Source, SourceDescription

_LOOKED_AT: Final = 200  # records of a collection whose extra fields are looked at
_FEATURES: Final = (
    "title", "editor", "excerpt", "author", "thumbnail", "comments", "revisions", "page-attributes", "post-formats",
)  # fmt: skip
_SETTINGS: Final = "/cms/v2/settings"
_OPTIONS_PAGES: Final = "/cms/v2/options-pages"
_KEPT_BY_SERVER: Final = frozenset({"footnotes", "cms_pattern_sync_status"})  # extra fields that every site has
_FIELD_NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,63}")
_BARE_KEY: Final = re.compile(r"[A-Za-z0-9_-]+")


def build_source_profile(source: Source) -> dict[str, Any]:
    """Return the members of a profile in which everything of a source that a site can have has a place.

    Raises SourceError.
    """
    description = source.describe()
    settings: Mapping[str, Any] = next((one.values for one in _read_some(source, description, _SETTINGS)), {})
    several = len(description.languages) > 1
    profile: dict[str, Any] = {
        "name": slugs.slugify(description.title) or "site",
        "title": description.title,
        "languages": list(description.languages) or [str(settings.get("language") or "en").split("_")[0].lower()],
        "modules": ["content", *_list_modules(description, several)],
        "dialects": ["neutral", "wordpress"],
    }
    if zone := settings.get("timezone"):
        profile["time_zone"] = zone
    built_in: dict[str, Any] = {**build_profile_types(Profile()), **build_profile_taxonomies(Profile())}
    groups: dict[str, dict[str, Any]] = {"types": {}, "taxonomies": {}, "fields": {}, "options_pages": {}}
    for group, declared, describe in (
        ("types", description.types, _describe_type), ("taxonomies", description.taxonomies, _describe_taxonomy),
    ):  # fmt: skip
        for name, one in declared.items():
            path = f"/{one.get('rest_namespace', NAMESPACE)}/{one.get('rest_base')}"
            if path not in description.resources or not path.startswith(f"/{NAMESPACE}/"):
                continue
            fields = _find_fields(record.values.get("meta") for record in _read_some(source, description, path))
            if name in built_in:
                groups["fields"] |= {name: fields} if fields else {}
                continue
            groups[group][name] = {
                **describe(name, one),
                **({"translation": "translated"} if several else {}),
                **({"fields": fields} if fields else {}),
            }
    for record in _read_some(source, description, _OPTIONS_PAGES):
        groups["options_pages"][str(record.id)] = _describe_options_page(record)
    return {**profile, **{name: group for name, group in groups.items() if group}}


def format_profile(profile: Mapping[str, Any]) -> str:
    """Return a profile as the text of a TOML document."""
    return "\n".join(_iterate_lines(profile, ())).strip() + "\n"


def _list_modules(description: SourceDescription, several: bool) -> list[str]:
    is_shop = any(resource.startswith("/shop/v3/") for resource in description.resources)
    return [*(["multilingual"] if several else []), *(["shop"] if is_shop else [])]


def _read_some(source: Source, description: SourceDescription, resource: str) -> Iterator[Any]:
    """Give the first records of a collection, none where the source has no such one."""
    if resource in description.resources:
        yield from islice(source.read_records(resource), _LOOKED_AT)


def _describe_type(name: str, declared: Mapping[str, Any]) -> dict[str, Any]:
    supports = declared.get("supports") or {}
    return {
        **_describe_names(name, declared),
        "supports": [one for one in _FEATURES if one in supports] or ["title", "editor"],
        **({"taxonomies": list(declared["taxonomies"])} if declared.get("taxonomies") else {}),
        **({"hierarchical": True} if declared.get("hierarchical") else {}),
        **({"has_archive": declared["has_archive"]} if declared.get("has_archive") else {}),
        **({} if not supports or "autosave" in supports else {"autosaves": False}),
    }


def _describe_taxonomy(name: str, declared: Mapping[str, Any]) -> dict[str, Any]:
    return {
        **_describe_names(name, declared),
        "types": list(declared.get("types") or ()),
        **({"hierarchical": True} if declared.get("hierarchical") else {}),
    }


def _describe_options_page(record: Record) -> dict[str, Any]:
    fields = _find_fields([record.values.get("meta")])
    return {
        "label": str(record.values.get("label") or record.id),
        **({"description": record.values["description"]} if record.values.get("description") else {}),
        **({"public": True} if record.values.get("public") else {}),
        **({"fields": fields} if fields else {}),
    }


def _describe_names(name: str, declared: Mapping[str, Any]) -> dict[str, Any]:
    labels = declared.get("labels")
    singular = labels.get("singular_name") if isinstance(labels, Mapping) else None
    label = str(declared.get("name") or name)
    return {
        "label": label,
        **({"singular": singular} if singular and singular != label else {}),
        **({"description": declared["description"]} if declared.get("description") else {}),
        **({"base": declared["rest_base"]} if declared.get("rest_base") not in (None, name) else {}),
    }


def _find_fields(objects: Iterable[Any]) -> dict[str, Any]:
    """Return the fields that some objects have between them, each with the type that all its values fit."""
    seen: dict[str, list[Any]] = {}
    for one in objects:
        for name, value in one.items() if isinstance(one, Mapping) else ():
            if value not in (None, "", [], {}) and _FIELD_NAME.fullmatch(name) and name not in _KEPT_BY_SERVER:
                seen.setdefault(name, []).append(value)
    found = {name: _find_field(values) for name, values in seen.items()}
    return {name: field for name, field in found.items() if field}


def _find_field(values: list[Any]) -> dict[str, Any]:
    """Return the declaration of a field that may have all of some values, empty where none may."""
    if all(isinstance(one, list) for one in values):
        items = [item for one in values for item in one]
        if all(isinstance(one, Mapping) for one in items):
            fields = _find_fields(items)
            return {"type": "repeater", "fields": fields} if fields else {}
        kind = _find_type(items)
        return {"type": kind, "multiple": True} if kind and kind != "boolean" else {}
    if all(isinstance(one, Mapping) for one in values):
        fields = _find_fields(values)
        return {"type": "group", "fields": fields} if fields else {}
    kind = _find_type(values)
    return {"type": kind} if kind else {}


def _find_type(values: list[Any]) -> str:
    """Return the type of field that single values have in common, empty for none."""
    kinds = {type(one) for one in values}
    if kinds <= {int, float} and kinds:
        return "integer" if kinds == {int} else "number"
    return {frozenset({str}): "text", frozenset({bool}): "boolean"}.get(frozenset(kinds), "")


def _iterate_lines(table: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[str]:
    """Give the lines of a TOML table, those of the tables in it last."""
    values = {name: value for name, value in table.items() if not isinstance(value, Mapping)}
    if path and values:
        yield from ("", f"[{'.'.join(map(_format_key, path))}]")
    for name, value in values.items():
        yield f"{_format_key(name)} = {_format_value(value)}"
    for name, value in table.items():
        if isinstance(value, Mapping):
            yield from _iterate_lines(value, (*path, name))


def _format_key(name: str) -> str:
    return name if _BARE_KEY.fullmatch(name) else _format_value(name)


def _format_value(value: Any) -> str:
    # TOML writes texts, numbers and lists as JSON does, but for one character that JSON does not escape.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
