"""Names of languages, in each other's language, with the capital letter that lists use."""

from __future__ import annotations

from functools import lru_cache

from vetrina.core.unit_of_work import UnitOfWork


@lru_cache(maxsize=1024)
def get_language_name(code: str, language: str) -> str:
    """Return the name of a language in another language; its code where the name is not known."""
    from babel.core import Locale, UnknownLocaleError

    try:
        found = Locale.parse(code.replace("-", "_")).get_display_name(language.replace("-", "_"))
    except (UnknownLocaleError, ValueError):
        return code
    return found[:1].upper() + found[1:] if found else code


def list_languages_by_name(work: UnitOfWork) -> list[str]:
    """Return the languages of the site, ordered by their names in the work's language."""
    return sorted(work.site.profile.languages, key=lambda code: get_language_name(code, work.language))
