"""The front page and the posts page of the site, in each language.

The settings name one page; its translations take its place in their languages.
Rules: docs/rules/translated_content.md, 4.
"""

from __future__ import annotations

from vetrina.content.records import model as record_model
from vetrina.content.records.model import Record
from vetrina.content.translations import record_translations
from vetrina.content.translations.modes import PUBLISHED_STATUSES
from vetrina.core.unit_of_work import UnitOfWork


def resolve_page_option(work: UnitOfWork, option: str) -> int:
    """Return the page id of an option in the language of the work: that of its translation, else the stored one."""
    return resolve_page_in_language(work, option, work.language)


def resolve_page_in_language(work: UnitOfWork, option: str, language: str) -> int:
    """Return the page id of `page_on_front` or `page_for_posts` in a language."""
    stored: int = work.option(option) or 0
    page = _load_page(work, stored)
    if page is None or page.language == language:
        return stored
    found = _load_translations(work, page).get(language)
    return found.id if found is not None and found.status in PUBLISHED_STATUSES else stored


def is_front_page(work: UnitOfWork, of: Record) -> bool:
    """Return whether a record is the front page, or a translation of it."""
    stored: int = work.option("page_on_front") or 0
    if not stored or work.option("show_on_front") != "page":
        return False
    page = _load_page(work, stored)
    return of.id == stored or (page is not None and page.translations == of.translations)


def _load_page(work: UnitOfWork, number: int) -> Record | None:
    if not number:
        return None
    key = f"front {number}"
    if key not in work.lookups:
        found = record_model.find_record(work.tx, number)
        if found is None:
            work.uses(*work.site.types)
        else:
            work.uses_items(found.type, (number,))
        work.lookups[key] = found
    page: Record | None = work.lookups[key]
    return page


def _load_translations(work: UnitOfWork, page: Record) -> dict[str, Record]:
    key = f"front group {page.id}"
    if key not in work.lookups:
        work.lookups[key] = record_translations.load_record_group(work, page)
    found: dict[str, Record] = work.lookups[key]
    return found
