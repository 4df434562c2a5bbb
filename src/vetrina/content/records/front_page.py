"""The pages that stand for something: the site's front page and the page of its posts, in each language.

The settings name one page; its translations stand for the same in their languages.
Rules: facts of the multilingual layer, 5.1.
"""

from __future__ import annotations

from vetrina.content.records import model as record_model
from vetrina.content.records.model import Record
from vetrina.content.translations import record_translations
from vetrina.content.translations.language_shares import PUBLISHED
from vetrina.core.unit_of_work import Work

__all__ = ["in_language", "is_front", "number"]


def number(work: Work, option: str) -> int:
    """Return the number that a setting says in the language of the work: of a translation, else the stored one."""
    return in_language(work, option, work.language)


def in_language(work: Work, option: str, language: str) -> int:
    """Return the number that `page_on_front` or `page_for_posts` says in a language."""
    stored: int = work.option(option) or 0
    page = _page(work, stored)
    if page is None or page.language == language:
        return stored
    found = _group(work, page).get(language)
    return found.id if found is not None and found.status in PUBLISHED else stored


def is_front(work: Work, of: Record) -> bool:
    """Say whether a record is the front page, or its translation in another language."""
    stored: int = work.option("page_on_front") or 0
    if not stored or work.option("show_on_front") != "page":
        return False
    page = _page(work, stored)
    return of.id == stored or (page is not None and page.translations == of.translations)


def _page(work: Work, number: int) -> Record | None:
    if not number:
        return None
    key = f"front {number}"
    if key not in work.memo:
        found = record_model.by_id(work.tx, number)
        work.uses(*([found.type] if found else work.frame.types))
        work.memo[key] = found
    page: Record | None = work.memo[key]
    return page


def _group(work: Work, page: Record) -> dict[str, Record]:
    key = f"front group {page.id}"
    if key not in work.memo:
        work.memo[key] = record_translations.members(work, page)
    found: dict[str, Record] = work.memo[key]
    return found
