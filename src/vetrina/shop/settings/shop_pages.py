"""The pages that a shop names in its options: catalogue, cart, checkout, account, terms; each with its translations.

Rules: docs/rules/cart_pages.md, 2; docs/rules/catalogue_pages.md, 4; docs/rules/account_pages.md, 1.
"""

from __future__ import annotations

from typing import Final

from vetrina.content.records import model as record_model, permalinks
from vetrina.content.records.model import Record
from vetrina.content.translations import record_translations
from vetrina.content.types.registry import PAGE
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.integers import parse_digits

SHOP_PAGE: Final = "shop_shop_page_id"
CART_PAGE: Final = "shop_cart_page_id"
CHECKOUT_PAGE: Final = "shop_checkout_page_id"
ACCOUNT_PAGE: Final = "shop_myaccount_page_id"
TERMS_PAGE: Final = "shop_terms_page_id"
_LOOKUP: Final = "shop page"


def find_shop_page(work: UnitOfWork, option: str) -> Record | None:
    """Return the published page of an option in the current language, else as it is set; None for none."""
    key = f"{_LOOKUP} {option} {work.language}"
    if key not in work.lookups:
        work.lookups[key] = _find_published_page(work, option)
    found: Record | None = work.lookups[key]
    return found


def is_shop_page(work: UnitOfWork, record: Record, option: str) -> bool:
    """Return whether a record is the page of an option, or a translation of it."""
    id = _read_page_id(work, option)
    if not id or record.type != PAGE.name:
        return False
    if record.id == id:
        return True
    chosen = _load_chosen_page(work, option)
    return chosen is not None and bool(chosen.translations) and chosen.translations == record.translations


def build_shop_page_url(work: UnitOfWork, option: str) -> str:
    """Return the URL of the page of an option, empty where the shop has none."""
    found = find_shop_page(work, option)
    return permalinks.build_permalink(work, PAGE, found) if found is not None else ""


def _find_published_page(work: UnitOfWork, option: str) -> Record | None:
    chosen = _load_chosen_page(work, option)
    if chosen is None:
        return None
    work.uses_items(PAGE.name, (chosen.id,))
    if chosen.language and chosen.language != work.language:
        chosen = record_translations.load_published_translations(work, chosen).get(work.language, chosen)
    return chosen if chosen.status == "publish" else None


def _load_chosen_page(work: UnitOfWork, option: str) -> Record | None:
    """Return the page that is set, whatever its status and language; None for none."""
    key = f"{_LOOKUP} {option}"
    if key not in work.lookups:
        id = _read_page_id(work, option)
        chosen = record_model.find_record(work.tx, id) if id else None
        work.lookups[key] = chosen if chosen is not None and chosen.type == PAGE.name else None
    found: Record | None = work.lookups[key]
    return found


def _read_page_id(work: UnitOfWork, option: str) -> int:
    return parse_digits(str(work.stored_option(option) or "")) or 0
