"""The custom fields of a record or term as texts of a job, and back.

A field that holds one text is one text of the job; in lists, objects and JSON text every string is one. Beside each
text go, untranslated, its key and the way to it inside the field.
Rules: facts of the multilingual layer, "Field types in a job"; which parts of a field are texts, the configuration.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import orjson

from vetrina.content.translations import references
from vetrina.content.translations.modes import FieldMode, fields_of, named_by
from vetrina.core.unit_of_work import Work
from vetrina.multilingual.jobs.model import JobField
from vetrina.multilingual.translations.block_rules import Rules, matches
from vetrina.multilingual.translations.json_strings import Path
from vetrina.multilingual.translations.word_count import has_words

__all__ = ["applied", "named", "texts", "translated"]

_PREFIX: Final = "field-"
# Fields that hold JSON text, with the parts of it that people read.
_JSON: Final[Mapping[str, tuple[tuple[str, ...], ...]]] = {"footnotes": (("*", "content"),)}


def translated(work: Work, element_type: str, meta: Mapping[str, Any]) -> list[str]:
    """Return the keys of the fields that are translated."""
    modes = fields_of(work, element_type, meta)
    return sorted(key for key, mode in modes.items() if mode is FieldMode.TRANSLATE)


def texts(work: Work, element_type: str, meta: Mapping[str, Any], rules: Rules) -> Iterator[JobField]:
    """Yield the texts of the translated fields, with what goes along."""
    for key in translated(work, element_type, meta):
        if named_by(work, element_type, key):
            continue
        for number, (path, value) in enumerate(_strings(meta[key], rules.fields.get(key) or _JSON.get(key, ()), key)):
            if not has_words(value):
                continue
            name = f"{_PREFIX}{key}-{number}"
            yield JobField(name, value, label=key, format="html")
            yield JobField(f"{name}-name", key, wanted=False)
            yield JobField(f"{name}-type", orjson.dumps(path).decode(), wanted=False)


def named(work: Work, element_type: str, meta: Mapping[str, Any], language: str) -> dict[str, Any]:
    """Return the translated fields that name others by numbers, with the numbers of a language."""
    return {
        key: references.in_language(work, kind, meta[key], language)
        for key in translated(work, element_type, meta)
        if (kind := named_by(work, element_type, key))
    }


def applied(meta: Mapping[str, Any], fields: Sequence[JobField], by_name: Mapping[str, str]) -> dict[str, Any]:
    """Return the fields of a source with the translations of a job: the translated ones alone.

    by_name: the translations as their writer may write them (multilingual/jobs/impersonation.py).
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
        out[key] = _with(out[key], orjson.loads(path_field.source), by_name[name])
    return out


def _strings(value: Any, wanted: Sequence[tuple[str, ...]], key: str) -> Iterator[tuple[Path, str]]:
    if isinstance(value, str):
        inner = _decoded(value) if key in _JSON or wanted else None
        if inner is None:
            yield (), value
            return
        value = inner
    for path, text in _walked(value):
        if not wanted or any(matches(path, one) for one in wanted):
            yield path, text


def _walked(value: Any, path: Path = ()) -> Iterator[tuple[Path, str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _walked(item, (*path, str(key)))
    elif isinstance(value, list):
        for at, item in enumerate(value):
            yield from _walked(item, (*path, at))


def _with(value: Any, path: Sequence[str | int], text: str) -> Any:
    """Return a value with another text at the end of a path; what the path does not reach stays."""
    if not path:
        return text
    if isinstance(value, str):
        inner = _decoded(value)
        return value if inner is None else orjson.dumps(_with(inner, path, text)).decode()
    head, rest = path[0], path[1:]
    if isinstance(value, dict) and head in value:
        return {**value, str(head): _with(value[head], rest, text)}
    if isinstance(value, list) and isinstance(head, int) and head < len(value):
        return [_with(item, rest, text) if at == head else item for at, item in enumerate(value)]
    return value


def _decoded(text: str) -> Any:
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
    return value if isinstance(value, (dict, list)) else None
