"""Requirements of placing or paying an order: countries that the shop serves, and stock.

Not here: the addresses themselves (shop/customers/addresses.py), the steps of a checkout (shop/checkout/rules.py).
Rules: docs/rules/checkout.md, 2; the shop's settings.
"""

from __future__ import annotations

from collections.abc import Sequence

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop.cart import lines as cart_lines
from vetrina.shop.orders.model import LINE, OrderItem
from vetrina.shop.products import stock
from vetrina.shop.settings import rules as settings


def is_country_served(work: UnitOfWork, country: str, group: str) -> bool:
    """Return whether the shop sells or ships to a country; group: allowed, ship_to."""
    if group == "ship_to":
        wanted = settings.get_shop_option(work, "shop_ship_to_countries")
        if wanted == "specific":
            return country in (settings.get_shop_option(work, "shop_specific_ship_to_countries") or ())
        return wanted == "all" or is_country_served(work, country, "allowed")
    match settings.get_shop_option(work, "shop_allowed_countries"):
        case "specific":
            return country in (settings.get_shop_option(work, "shop_specific_allowed_countries") or ())
        case "all_except":
            return country not in (settings.get_shop_option(work, "shop_all_except_countries") or ())
        case _:
            return True


def require_stock(work: UnitOfWork, items: Sequence[OrderItem]) -> None:
    """Require enough stock for the items of an order that has not taken any yet. Raises InsufficientStock."""
    if not settings.is_setting_on(work, "shop_manage_stock"):
        return
    found = cart_lines.load_sellables(
        work, [item.sellable_id for item in items if item.kind == LINE and item.sellable_id]
    )
    wanted: dict[int, int] = {}
    for item in items:
        goods = found.get(item.sellable_id) if item.kind == LINE else None
        if goods is None:
            continue
        counter = goods.stock_holder
        if counter is None:
            continue
        wanted[counter.id] = wanted.get(counter.id, 0) + item.quantity
        if counter.backorders == "no" and wanted[counter.id] > (counter.stock_quantity or 0):
            raise stock.InsufficientStock(left=max(counter.stock_quantity or 0, 0), name=goods.name)
