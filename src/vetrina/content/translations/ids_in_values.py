"""Replaces ids of records or terms in a value by those of their translations.

A reference kind is `record` or `term`, optionally with a type or taxonomy (`record:attachment`): then other ids are
left alone. A value is an integer, digits, digits separated by commas, or a list of these; anything else in it stays.
Not here: where in content such values are (multilingual/translations/block_references.py).
Rules: docs/rules/content_languages.md, 10.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from vetrina.content.terms import translations as term_translations
from vetrina.content.translations import record_translations
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.integers import MAX_SAFE_INTEGER

_LIST = re.compile(r"\s*\d{1,15}(?:\s*,\s*\d{1,15})*\s*", re.ASCII)
_DIGITS = re.compile(r"\d+", re.ASCII)


def extract_ids(value: Any) -> set[int]:
    """Return the ids in a value."""
    if isinstance(value, bool):
        return set()
    if isinstance(value, int):
        return {value} if 0 < value <= MAX_SAFE_INTEGER else set()
    if isinstance(value, str):
        return {int(one) for one in _DIGITS.findall(value)} - {0} if _LIST.fullmatch(value) else set()
    if isinstance(value, list):
        return {number for one in value for number in extract_ids(one)}
    return set()


def replace_ids(value: Any, there: Mapping[int, int]) -> Any:
    """Return a value with other ids. there: new ids by old ones; those that are missing stay."""
    if isinstance(value, int) and not isinstance(value, bool):
        return there.get(value, value)
    if isinstance(value, str):
        fits = _LIST.fullmatch(value) is not None
        return _DIGITS.sub(lambda found: str(there.get(int(found[0]), found[0])), value) if fits else value
    if isinstance(value, list):
        return [replace_ids(one, there) for one in value]
    return value


def map_translated_ids(work: UnitOfWork, kind: str, named: Iterable[int], language: str) -> dict[int, int]:
    """Return the ids of the translations, by the given ids; those without one are left out."""
    what, _, of = kind.partition(":")
    if what == "record":
        return record_translations.translate_record_ids(work, sorted(named), language, of)
    return term_translations.translate_term_ids(work, sorted(named), language, of)


def translate_references(work: UnitOfWork, kind: str, value: Any, language: str) -> Any:
    """Return a value with the ids of a language."""
    named = extract_ids(value)
    return replace_ids(value, map_translated_ids(work, kind, named, language)) if named else value
