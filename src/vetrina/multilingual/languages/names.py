"""What languages are called, in each other's words, with the capital letter that names in lists have."""

from __future__ import annotations

from functools import lru_cache

from vetrina.core.unit_of_work import Work

__all__ = ["by_name", "name_of"]


@lru_cache(maxsize=1024)
def name_of(code: str, language: str) -> str:
    """Return the name of a language in the words of another; its code where nobody knows one."""
    from babel.core import Locale, UnknownLocaleError

    try:
        found = Locale.parse(code.replace("-", "_")).get_display_name(language.replace("-", "_"))
    except (UnknownLocaleError, ValueError):
        return code
    return found[:1].upper() + found[1:] if found else code


def by_name(work: Work) -> list[str]:
    """Return the languages of the site in the order of their names, as the work's language has them."""
    return sorted(work.frame.profile.languages, key=lambda code: name_of(code, work.language))
