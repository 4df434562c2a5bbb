"""Word counts for billing; markup and delimiters of blocks do not count."""

from __future__ import annotations

import re
from collections.abc import Iterable

_MARKUP = re.compile(r"<!--.*?-->|<[^>]*>", re.DOTALL)
_WORD = re.compile(r"\w+(?:['’-]\w+)*")
# Texts without letters, digits, underscores and number signs need no translation.
_TRANSLATABLE_SIGN = re.compile(r"[\w#]")


def count_words(texts: Iterable[str]) -> int:
    """Return the number of words in some texts."""
    return sum(sum(1 for _ in _WORD.finditer(_MARKUP.sub(" ", text))) for text in texts)


def has_words(text: str) -> bool:
    """Say whether a text contains anything to translate."""
    return _TRANSLATABLE_SIGN.search(text) is not None
