"""Values that name records or terms by their numbers, turned into those that name the same in another language.

What a value names is said by a word: `record` or `term`, with the one type or taxonomy that counts behind a colon
(`record:attachment`): a number that something else has names nothing. A value is a number, digits, digits with commas
between them, or a list of such; whatever else it holds stays as it is.
Not here: where in content such values stand (multilingual/translations/block_references.py).
Rules: facts of the multilingual layer, 6.5 and 14.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from vetrina.content.terms import translations as term_translations
from vetrina.content.translations import record_translations
from vetrina.core.unit_of_work import Work
from vetrina.kernel.integers import LARGEST

__all__ = ["in_language", "known", "numbers", "turned"]

_LIST = re.compile(r"\s*\d{1,15}(?:\s*,\s*\d{1,15})*\s*", re.ASCII)
_DIGITS = re.compile(r"\d+", re.ASCII)


def numbers(value: Any) -> set[int]:
    """Return the numbers that a value names."""
    if isinstance(value, bool):
        return set()
    if isinstance(value, int):
        return {value} if 0 < value <= LARGEST else set()
    if isinstance(value, str):
        return {int(one) for one in _DIGITS.findall(value)} - {0} if _LIST.fullmatch(value) else set()
    if isinstance(value, list):
        return {number for one in value for number in numbers(one)}
    return set()


def turned(value: Any, there: Mapping[int, int]) -> Any:
    """Return a value with other numbers. there: by the old ones; what is missing stays."""
    if isinstance(value, int) and not isinstance(value, bool):
        return there.get(value, value)
    if isinstance(value, str):
        fits = _LIST.fullmatch(value) is not None
        return _DIGITS.sub(lambda found: str(there.get(int(found[0]), found[0])), value) if fits else value
    if isinstance(value, list):
        return [turned(one, there) for one in value]
    return value


def known(work: Work, kind: str, named: Iterable[int], language: str) -> dict[int, int]:
    """Return the numbers of the translations of what some numbers name; what has none is left out."""
    what, _, of = kind.partition(":")
    if what == "record":
        return record_translations.in_languages(work, sorted(named), language, of)
    return term_translations.in_languages(work, sorted(named), language, of)


def in_language(work: Work, kind: str, value: Any, language: str) -> Any:
    """Return a value with the numbers of a language."""
    named = numbers(value)
    return turned(value, known(work, kind, named, language)) if named else value
