"""Where the pages of a shop are: the published page of an option, in the language of the page that links to it.

Rules: docs/rules/cart_pages.md, 2.
"""

from __future__ import annotations

from typing import Final

from vetrina.content.records import model as record_model, permalinks
from vetrina.content.records.model import Record
from vetrina.content.translations import record_translations
from vetrina.core.unit_of_work import UnitOfWork

SHOP_PAGE: Final = "shop_shop_page_id"
CART_PAGE: Final = "shop_cart_page_id"
CHECKOUT_PAGE: Final = "shop_checkout_page_id"
TERMS_PAGE: Final = "shop_terms_page_id"
_PAGE: Final = "page"


def find_shop_page(work: UnitOfWork, option: str) -> Record | None:
    """Return the published page of an option, its translation where there is one; None where the shop has none."""
    id = _read_page_id(work, option)
    if not id:
        return None
    work.uses_items(_PAGE, (id,))
    chosen = record_model.find_record(work.tx, id)
    if chosen is None or chosen.type != _PAGE:
        return None
    if chosen.language and chosen.language != work.language:
        chosen = record_translations.load_published_translations(work, chosen).get(work.language) or chosen
        work.uses_items(_PAGE, (chosen.id,))
    return chosen if chosen.status == "publish" else None


def build_page_url(work: UnitOfWork, option: str) -> str:
    """Return the URL of the page of an option, empty where the shop has none."""
    found = find_shop_page(work, option)
    return permalinks.build_permalink(work, work.site.types[_PAGE], found) if found is not None else ""


def is_shop_page(work: UnitOfWork, record: Record, option: str) -> bool:
    """Return whether a record is the page of an option, or a translation of it."""
    id = _read_page_id(work, option)
    if not id or record.type != _PAGE:
        return False
    if record.id == id:
        return True
    chosen = record_model.find_record(work.tx, id)
    return chosen is not None and bool(chosen.translations) and chosen.translations == record.translations


def _read_page_id(work: UnitOfWork, option: str) -> int:
    stored = str(work.stored_option(option) or "")
    return int(stored) if stored.isdecimal() and stored.isascii() and len(stored) < 16 else 0
