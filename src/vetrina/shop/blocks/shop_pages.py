"""The page of a shop that lists its products, in each language. Rules: docs/rules/catalogue_pages.md, 4."""

from __future__ import annotations

from typing import Final

from vetrina.content.records import model as record_model, permalinks
from vetrina.content.records.model import Record
from vetrina.content.translations import record_translations
from vetrina.content.types.registry import PAGE
from vetrina.core.unit_of_work import UnitOfWork

SHOP_PAGE: Final = "shop_shop_page_id"  # the option with its id
_LOOKUP: Final = "shop.shop_page"


def find_shop_page(work: UnitOfWork) -> Record | None:
    """Return the published page in the current language, else in the one that it was chosen in; None for none."""
    known: dict[str, Record | None] = work.lookups.setdefault(_LOOKUP, {})
    if work.language not in known:
        known[work.language] = _find_page(work)
    return known[work.language]


def _find_page(work: UnitOfWork) -> Record | None:
    id = work.stored_option(SHOP_PAGE)
    chosen = record_model.find_record(work.tx, id) if isinstance(id, int) and id > 0 else None
    if chosen is None or chosen.type != PAGE.name:
        return None
    work.uses(PAGE.name)
    if chosen.language and chosen.language != work.language:
        chosen = record_translations.load_published_translations(work, chosen).get(work.language, chosen)
    return chosen if chosen.status == "publish" else None


def is_shop_page(work: UnitOfWork, record: Record) -> bool:
    """Return whether a record is the page that lists the products, in any language."""
    id = work.stored_option(SHOP_PAGE)
    if record.type != PAGE.name or not isinstance(id, int) or id <= 0:
        return False
    if record.id == id:
        return True
    chosen = record_model.find_record(work.tx, id)
    return chosen is not None and bool(chosen.translations) and chosen.translations == record.translations


def build_shop_url(work: UnitOfWork) -> str:
    """Return the URL of that page, empty where there is none."""
    found = find_shop_page(work)
    return permalinks.build_permalink(work, PAGE, found) if found is not None else ""
