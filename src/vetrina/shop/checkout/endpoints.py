"""URLs beneath the checkout page: where an order is paid, and where it is confirmed.

The page and the slugs of its endpoints are settings of the group `advanced`.
"""

from __future__ import annotations

from typing import Final
from urllib.parse import quote

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop.orders.model import Order
from vetrina.shop.settings import rules as settings

PAY_ENDPOINT: Final = "shop_checkout_pay_endpoint"
RECEIVED_ENDPOINT: Final = "shop_checkout_order_received_endpoint"
_FIRST: Final = {PAY_ENDPOINT: "order-pay", RECEIVED_ENDPOINT: "order-received"}


def build_payment_url(work: UnitOfWork, order: Order) -> str:
    """Return the URL where a customer pays an order."""
    return f"{_build_checkout_url(work, PAY_ENDPOINT)}/{order.id}/?pay_for_order=true&key={order.order_key}"


def build_order_received_url(work: UnitOfWork, order: Order) -> str:
    """Return the URL of an order's confirmation page; it carries the order's key."""
    return f"{_build_checkout_url(work, RECEIVED_ENDPOINT)}/{order.id}/?key={order.order_key}"


def get_endpoint_slug(work: UnitOfWork, setting: str) -> str:
    """Return the URL slug of a checkout endpoint; the default where the setting is empty."""
    written = str(settings.get_shop_option(work, setting) or "").strip().strip("/")
    return written or _FIRST[setting]


def _build_checkout_url(work: UnitOfWork, setting: str) -> str:
    return f"{work.home()}/checkout/{quote(get_endpoint_slug(work, setting), safe='-._~')}"
