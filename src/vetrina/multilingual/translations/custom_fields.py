"""The custom fields of a record or term as texts of a job, and back.

A field that holds one text is one text of the job; in lists, objects and JSON text every string is one. Each text is
accompanied by untranslated fields with its key and its path inside the custom field.
Rules: docs/rules/translation_jobs.md, 13 and docs/rules/xml_config.md, 5.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import orjson

from vetrina.content.custom_fields.model import CustomField
from vetrina.content.translations import ids_in_values
from vetrina.content.translations.modes import FieldTranslationMode, get_field_modes, get_reference_kind
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.multilingual.jobs.model import TranslationJobField
from vetrina.multilingual.translations.block_rules import TranslationRules, matches_path
from vetrina.multilingual.translations.json_strings import JsonPath
from vetrina.multilingual.translations.word_count import has_words

_PREFIX: Final = "field-"
# Fields that hold JSON text, with the paths of their readable parts.
_JSON: Final[Mapping[str, tuple[tuple[str, ...], ...]]] = {"footnotes": (("*", "content"),)}


def list_translated_keys(work: UnitOfWork, element_type: str, meta: Mapping[str, Any]) -> list[str]:
    """Return the keys of the fields that are translated."""
    modes = get_field_modes(work, element_type, meta)
    return sorted(key for key, mode in modes.items() if mode is FieldTranslationMode.TRANSLATE)


def iterate_field_texts(
    work: UnitOfWork, element_type: str, meta: Mapping[str, Any], rules: TranslationRules
) -> Iterator[TranslationJobField]:
    """Yield the texts of the translated fields, with their accompanying fields."""
    own = {one.name: [path for path in one.list_text_paths() if path] for one in _list_own_fields(work, element_type)}
    for key in list_translated_keys(work, element_type, meta):
        if get_reference_kind(work, element_type, key):
            continue
        for number, (path, value) in enumerate(
            _iterate_strings(meta[key], own.get(key) or rules.fields.get(key) or _JSON.get(key, ()), key)
        ):
            if not has_words(value):
                continue
            name = f"{_PREFIX}{key}-{number}"
            yield TranslationJobField(name, value, label=key, format="html")
            yield TranslationJobField(f"{name}-name", key, wanted=False)
            yield TranslationJobField(f"{name}-type", orjson.dumps(path).decode(), wanted=False)


def translate_reference_fields(
    work: UnitOfWork, element_type: str, meta: Mapping[str, Any], language: str
) -> dict[str, Any]:
    """Return the translated fields that refer to others by id, with the ids of a language."""
    return {
        key: ids_in_values.translate_references(work, kind, meta[key], language)
        for key in list_translated_keys(work, element_type, meta)
        if (kind := get_reference_kind(work, element_type, key))
    }


def build_starting_values(
    work: UnitOfWork, element_type: str, meta: Mapping[str, Any], language: str
) -> dict[str, Any]:
    """Return the values of the site's own fields that a new translation starts with.

    Those of its source; ids become those of the language, where what they name is translated.
    """
    out = {}
    for field in _list_own_fields(work, element_type):
        if field.name in meta:
            kind = _describe_reference(work, field)
            value = meta[field.name]
            out[field.name] = ids_in_values.translate_references(work, kind, value, language) if kind else value
    return out


def _list_own_fields(work: UnitOfWork, element_type: str) -> tuple[CustomField, ...]:
    return work.site.custom_fields.get(element_type.partition("_")[2], ())


def _describe_reference(work: UnitOfWork, field: CustomField) -> str:
    """Return the reference kind of a field that holds ids of translated things; empty for others."""
    if field.shared or field.fields:
        return ""
    if field.target in work.site.types:
        return f"record:{field.target}"
    return f"term:{field.target}" if field.target in work.site.taxonomies else ""


def apply_field_translations(
    meta: Mapping[str, Any], fields: Sequence[TranslationJobField], by_name: Mapping[str, str]
) -> dict[str, Any]:
    """Return the translated fields of a source, with the translations of a job.

    by_name: the translations, sanitized by their writer's rights (multilingual/jobs/impersonation.py).
    """
    known = {one.name: one for one in fields}
    out: dict[str, Any] = {}
    for name, one in known.items():
        if not (name.startswith(_PREFIX) and one.wanted and name in by_name):
            continue
        key_field, path_field = known.get(f"{name}-name"), known.get(f"{name}-type")
        if key_field is None or path_field is None or key_field.source not in meta:
            continue
        key = key_field.source
        out.setdefault(key, copy.deepcopy(meta[key]))
        out[key] = _replace_at_path(out[key], orjson.loads(path_field.source), by_name[name])
    return out


def _iterate_strings(value: Any, wanted: Sequence[tuple[str, ...]], key: str) -> Iterator[tuple[JsonPath, str]]:
    if isinstance(value, str):
        inner = _decode_json(value) if key in _JSON or wanted else None
        if inner is None:
            yield (), value
            return
        value = inner
    for path, text in _walk_strings(value):
        if not wanted or any(matches_path(path, one) for one in wanted):
            yield path, text


def _walk_strings(value: Any, path: JsonPath = ()) -> Iterator[tuple[JsonPath, str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _walk_strings(item, (*path, str(key)))
    elif isinstance(value, list):
        for at, item in enumerate(value):
            yield from _walk_strings(item, (*path, at))


def _replace_at_path(value: Any, path: Sequence[str | int], text: str) -> Any:
    """Return a value with a new text at a path; a path that leads nowhere changes nothing."""
    if not path:
        return text
    if isinstance(value, str):
        inner = _decode_json(value)
        return value if inner is None else orjson.dumps(_replace_at_path(inner, path, text)).decode()
    head, rest = path[0], path[1:]
    if isinstance(value, dict) and head in value:
        return {**value, str(head): _replace_at_path(value[head], rest, text)}
    if isinstance(value, list) and isinstance(head, int) and head < len(value):
        return [_replace_at_path(item, rest, text) if at == head else item for at, item in enumerate(value)]
    return value


def _decode_json(text: str) -> Any:
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
    return value if isinstance(value, (dict, list)) else None
