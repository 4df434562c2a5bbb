"""Texts of pages and answers in other languages: a JSON file a language in the folder `languages` of a package.

A text is looked up by its English, which stands in for what a language lacks. Not here: mails, whose texts have names
and may be translated by a site (core/text_catalog.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Final

import orjson

ENGLISH: Final = "en"  # the language of the texts in the code
TEXT_LANGUAGES: Final = (ENGLISH, "it")  # in which the program has its texts
_NO_TEXTS: Final[Mapping[str, str]] = {}


@dataclass(frozen=True)
class Phrases:
    """The texts of a package. package: its folder `languages` has the translations."""

    package: str

    def translate(self, language: str, text: str, /, **values: object) -> str:
        """Return a text in a language, in English where that lacks it, with the values of its {placeholders}."""
        found = _load_language(self.package, language).get(text, text)
        return found.format(**values) if values else found


@lru_cache(maxsize=64)
def _load_language(package: str, language: str) -> Mapping[str, str]:
    """Return the translations of a package by their English; of a region, else of its language."""
    for code in dict.fromkeys((language.lower(), language.lower().partition("-")[0])):
        if code.replace("-", "").isalnum():
            try:
                return dict(orjson.loads((files(package) / "languages" / f"{code}.json").read_bytes()))
            except FileNotFoundError:
                continue
    return _NO_TEXTS
