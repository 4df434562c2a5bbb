"""The direction in which a language is written, by the common locale data."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=64)
def is_right_to_left(language: str) -> bool:
    """Return whether a language, by its code, is written from right to left; an unknown one is not."""
    from babel.core import Locale, UnknownLocaleError

    try:
        return str(Locale.parse(language.replace("-", "_")).text_direction) == "rtl"
    except (UnknownLocaleError, ValueError):
        return False
