"""Which place an order or a cart is taxed for: that of the buyer, or the shop's own.

Rules: docs/rules/taxes.md, 3: by the shipping address unless the shop says otherwise, by the shop's own location for
what is picked up there, and without any address.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop.orders.model import Order, OrderItem
from vetrina.shop.settings import rules as settings
from vetrina.shop.taxes import rules as taxes

_PICKUP_KINDS: Final = frozenset({"local_pickup", "legacy_local_pickup", "pickup_location"})


def get_shop_location(work: UnitOfWork) -> taxes.TaxLocation:
    """Return the shop's own location."""
    country, _, state = str(settings.get_shop_option(work, "shop_default_country")).partition(":")
    postcode, city = (str(settings.get_shop_option(work, f"shop_store_{name}")) for name in ("postcode", "city"))
    return taxes.TaxLocation(country, state, postcode, city)


def get_tax_location(work: UnitOfWork, order: Order, shipping: Iterable[OrderItem] = ()) -> taxes.TaxLocation:
    """Return the location whose tax rates apply to an order.

    shipping: its shipping items, since local pickup is taxed at the shop's own location.
    """
    basis = settings.get_shop_option(work, "shop_tax_based_on")
    if basis == "base" or any(item.code in _PICKUP_KINDS for item in shipping):
        return get_shop_location(work)
    first, second = order.shipping_address, order.billing
    address = second if basis == "billing" or (basis == "shipping" and not first.get("country")) else first
    if not address.get("country"):
        return get_shop_location(work)
    return taxes.TaxLocation(
        address["country"], address.get("state", ""), address.get("postcode", ""), address.get("city", "")
    )
