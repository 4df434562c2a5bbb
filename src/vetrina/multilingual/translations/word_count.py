"""How many words a text has for whoever is paid by them; markup and delimiters of blocks are none."""

from __future__ import annotations

import re
from collections.abc import Iterable

__all__ = ["has_words", "words_in"]

_MARKUP = re.compile(r"<!--.*?-->|<[^>]*>", re.DOTALL)
_WORD = re.compile(r"\w+(?:['’-]\w+)*")
# What nobody would translate: no letter, digit, underscore or number sign in it.
_TRANSLATED = re.compile(r"[\w#]")


def words_in(texts: Iterable[str]) -> int:
    """Return the number of words of some texts."""
    return sum(sum(1 for _ in _WORD.finditer(_MARKUP.sub(" ", text))) for text in texts)


def has_words(text: str) -> bool:
    """Say whether anything in a text can be translated."""
    return _TRANSLATED.search(text) is not None
