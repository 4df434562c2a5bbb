"""What must hold of an order that a visitor places or pays: the countries that the shop serves, the goods that it has.

Not here: the addresses themselves (shop/orders/addresses.py), the steps of a checkout (shop/checkout/rules.py). Rules:
facts, "Visitors' interface"; the shop's settings.
"""

from __future__ import annotations

from collections.abc import Sequence

from vetrina.core.unit_of_work import Work
from vetrina.shop.cart import lines as cart_lines
from vetrina.shop.orders.model import LINE, Item
from vetrina.shop.settings import rules as settings

__all__ = ["is_served", "require_stock"]


def is_served(work: Work, country: str, group: str) -> bool:
    """Say whether the shop sells or sends to a country; group: allowed, ship_to."""
    if group == "ship_to":
        wanted = settings.shop_option(work, "shop_ship_to_countries")
        if wanted == "specific":
            return country in (settings.shop_option(work, "shop_specific_ship_to_countries") or ())
        return wanted == "all" or is_served(work, country, "allowed")
    match settings.shop_option(work, "shop_allowed_countries"):
        case "specific":
            return country in (settings.shop_option(work, "shop_specific_allowed_countries") or ())
        case "all_except":
            return country not in (settings.shop_option(work, "shop_all_except_countries") or ())
        case _:
            return True


def require_stock(work: Work, items: Sequence[Item]) -> None:
    """Require that the shop has what an order asks for whose goods were not taken yet. Raises cart_lines.NotEnough."""
    if not settings.is_on(work, "shop_manage_stock"):
        return
    found = cart_lines.goods_of(work, [item.goods for item in items if item.kind == LINE and item.goods])
    wanted: dict[int, int] = {}
    for item in items:
        goods = found.get(item.goods) if item.kind == LINE else None
        if goods is None:
            continue
        counter = goods.counter
        if counter is None:
            continue
        wanted[counter.id] = wanted.get(counter.id, 0) + item.quantity
        if counter.backorders == "no" and wanted[counter.id] > (counter.stock_quantity or 0):
            raise cart_lines.NotEnough(left=max(counter.stock_quantity or 0, 0), name=goods.name)
