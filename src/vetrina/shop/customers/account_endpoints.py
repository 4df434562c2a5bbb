"""The page of a customer's account, and the addresses beneath it.

The page and the slugs of its endpoints are settings of the group `advanced`. Rules: docs/rules/account_pages.md, 1.
"""

from __future__ import annotations

from typing import Final
from urllib.parse import quote

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop.settings import rules as settings
from vetrina.shop.settings.shop_pages import ACCOUNT_PAGE, build_shop_page_url

ORDERS: Final = "shop_myaccount_orders_endpoint"
VIEW_ORDER: Final = "shop_myaccount_view_order_endpoint"
DOWNLOADS: Final = "shop_myaccount_downloads_endpoint"
EDIT_ADDRESS: Final = "shop_myaccount_edit_address_endpoint"
EDIT_ACCOUNT: Final = "shop_myaccount_edit_account_endpoint"
PASSWORD_RESET: Final = "shop_myaccount_lost_password_endpoint"
SIGN_OUT: Final = "shop_logout_endpoint"
ENDPOINTS: Final = (ORDERS, VIEW_ORDER, DOWNLOADS, EDIT_ADDRESS, EDIT_ACCOUNT, PASSWORD_RESET, SIGN_OUT)


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
    address = build_shop_page_url(work, ACCOUNT_PAGE)
    if not endpoint or not address:
        return address
    slug = get_endpoint_slug(work, endpoint)
    if not slug or "?" in address:
        return ""
    return address + "".join(f"{quote(str(one), safe='-._~')}/" for one in (slug, *values))
