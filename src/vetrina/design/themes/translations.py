"""The texts of a theme's templates, parts and patterns in the language of a page.

A theme brings them in `languages/CODE.json`: what stands in its files → the same in that language. What the site's
owner writes is translated as records are, not here. Rules: docs/rules/templates.md, 13.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

import orjson

from vetrina.design.themes.model import Theme

_TEXT: Final = re.compile(r"(?<=>)(\s*)([^<>\s][^<>]*?)(\s*)(?=<)")
_ATTRIBUTE: Final = re.compile(r'"(label|ariaLabel|buttonText|placeholder|moreText|prefix|suffix)":"((?:[^"\\]|\\.)*)"')
_KEPT: Final = 500  # files in languages that a process keeps


def translate_theme_markup(theme: Theme, language: str, markup: str) -> str:
    """Return the markup of a file of a theme with its texts in a language, as far as the theme has them."""
    return _translate_markup(theme, language, markup) if language in theme.texts else markup


@lru_cache(maxsize=_KEPT)
def _translate_markup(theme: Theme, language: str, markup: str) -> str:
    texts = theme.texts[language]
    markup = _TEXT.sub(lambda found: f"{found[1]}{texts.get(found[2], found[2])}{found[3]}", markup)
    return _ATTRIBUTE.sub(lambda found: f'"{found[1]}":{_translate_value(texts, found[2])}', markup)


def _translate_value(texts: Mapping[str, str], written: str) -> str:
    """Return the value of an attribute of a block as JSON; written: as it stands there, without quotes."""
    try:
        value = orjson.loads(f'"{written}"')
    except orjson.JSONDecodeError:
        return f'"{written}"'
    # A comment that holds the attribute would end at these.
    return orjson.dumps(texts[value]).decode().replace("--", "\\u002d\\u002d") if value in texts else f'"{written}"'
