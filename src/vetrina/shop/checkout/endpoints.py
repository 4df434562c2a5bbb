"""Addresses beneath the page of the checkout: where an order is paid, and where it is thanked for.

The page is the one that the shop names, its parts are called as the shop is set. Not here: what such a page shows.
Rules: the settings of the group `advanced`.
"""

from __future__ import annotations

from typing import Final
from urllib.parse import quote

from vetrina.core.unit_of_work import Work
from vetrina.shop.orders.model import Order
from vetrina.shop.settings import rules as settings

__all__ = ["PAY", "RECEIVED", "part", "payment_address", "thanks_address"]

PAY: Final = "shop_checkout_pay_endpoint"
RECEIVED: Final = "shop_checkout_order_received_endpoint"
_FIRST: Final = {PAY: "order-pay", RECEIVED: "order-received"}


def payment_address(work: Work, one: Order) -> str:
    """Return where a customer pays an order."""
    return f"{_beneath(work, PAY)}/{one.id}/?pay_for_order=true&key={one.order_key}"


def thanks_address(work: Work, one: Order) -> str:
    """Return where an order is thanked for; the key in it opens the order."""
    return f"{_beneath(work, RECEIVED)}/{one.id}/?key={one.order_key}"


def part(work: Work, setting: str) -> str:
    """Return what a part of the checkout is called in addresses; its first name where the shop names none."""
    written = str(settings.shop_option(work, setting) or "").strip().strip("/")
    return written or _FIRST[setting]


def _beneath(work: Work, setting: str) -> str:
    return f"{work.home()}/checkout/{quote(part(work, setting), safe='-._~')}"
