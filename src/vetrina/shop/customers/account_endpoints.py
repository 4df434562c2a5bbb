"""The page of a customer's account, and the addresses beneath it.

The page and the slugs of its endpoints are settings of the group `advanced`. Rules: docs/rules/account_pages.md, 1.
"""

from __future__ import annotations

from typing import Final
from urllib.parse import quote

from vetrina.content.records import model as record_model, permalinks
from vetrina.content.records.model import Record
from vetrina.content.translations import record_translations
from vetrina.content.types.registry import PAGE
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.integers import parse_digits
from vetrina.shop.settings import rules as settings

ACCOUNT_PAGE: Final = "shop_myaccount_page_id"
_CART_PAGE: Final = "shop_cart_page_id"

ORDERS: Final = "shop_myaccount_orders_endpoint"
VIEW_ORDER: Final = "shop_myaccount_view_order_endpoint"
DOWNLOADS: Final = "shop_myaccount_downloads_endpoint"
EDIT_ADDRESS: Final = "shop_myaccount_edit_address_endpoint"
EDIT_ACCOUNT: Final = "shop_myaccount_edit_account_endpoint"
PASSWORD_RESET: Final = "shop_myaccount_lost_password_endpoint"
SIGN_OUT: Final = "shop_logout_endpoint"
ENDPOINTS: Final = (ORDERS, VIEW_ORDER, DOWNLOADS, EDIT_ADDRESS, EDIT_ACCOUNT, PASSWORD_RESET, SIGN_OUT)


def find_account_page(work: UnitOfWork) -> Record | None:
    """Return the page of accounts in the language of the work, else as it is set; None where none is published."""
    return _find_page(work, ACCOUNT_PAGE)


def is_account_page(work: UnitOfWork, record: Record) -> bool:
    """Return whether a record is the page of accounts, or a translation of it."""
    return any(one.id == record.id for one in _load_pages(work, ACCOUNT_PAGE).values())


def build_cart_url(work: UnitOfWork) -> str:
    """Return the URL of the page of the cart, empty where there is none."""
    page = _find_page(work, _CART_PAGE)
    return permalinks.build_permalink(work, PAGE, page) if page is not None else ""


def get_endpoint_slug(work: UnitOfWork, endpoint: str) -> str:
    """Return the slug of an endpoint beneath the page of accounts; empty where there is no such page."""
    return str(settings.get_shop_option(work, endpoint) or "").strip().strip("/")


def find_endpoint(work: UnitOfWork, slug: str) -> str:
    """Return the setting of the endpoint with a slug, empty for none."""
    return next((one for one in ENDPOINTS if slug and get_endpoint_slug(work, one) == slug), "")


def build_account_url(work: UnitOfWork, endpoint: str = "", *values: str | int) -> str:
    """Return the URL of the page of accounts or of an address beneath it, empty where there is none.

    endpoint: its setting. values: the further segments.
    """
    page = find_account_page(work)
    address = permalinks.build_permalink(work, PAGE, page) if page is not None else ""
    if not endpoint or not address:
        return address
    slug = get_endpoint_slug(work, endpoint)
    if not slug or "?" in address:
        return ""
    return address + "".join(f"{quote(str(one), safe='-._~')}/" for one in (slug, *values))


def _find_page(work: UnitOfWork, option: str) -> Record | None:
    pages = _load_pages(work, option)
    return pages.get(work.language) or next(iter(pages.values()), None)


def _load_pages(work: UnitOfWork, option: str) -> dict[str, Record]:
    """Return the published pages of an option by language, the one that is set first."""
    key = f"pages of {option}"
    if key not in work.lookups:
        work.lookups[key] = _read_pages(work, option)
    found: dict[str, Record] = work.lookups[key]
    return found


def _read_pages(work: UnitOfWork, option: str) -> dict[str, Record]:
    number = parse_digits(str(work.stored_option(option) or "")) or 0
    if not number:
        return {}
    work.uses_items(PAGE.name, (number,))
    page = record_model.find_record(work.tx, number)
    if page is None or page.type != PAGE.name:
        return {}
    found = record_translations.load_published_translations(work, page)
    return {**{page.language: page for page in found.values() if page.id == number}, **found}
