"""Ways of shipping that a cart may be sent by: what each costs with its taxes, and which one is chosen.

Not here: zones and what is set of their methods (shop/shipping/zones.py), sums of costs (shop/shipping/methods.py),
what the cart comes to with it (shop/cart/totals.py). Rules: facts, "Visitors' interface" and "Tax".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Final

import msgspec

from vetrina.core.unit_of_work import Work
from vetrina.kernel import money
from vetrina.shop.cart.lines import Goods
from vetrina.shop.cart.store import Cart
from vetrina.shop.orders import addresses as order_addresses
from vetrina.shop.orders import lines as order_lines
from vetrina.shop.orders.model import SHIPPING, Item
from vetrina.shop.settings import rules as settings
from vetrina.shop.shipping import classes as shipping_classes
from vetrina.shop.shipping import methods as shipping_methods
from vetrina.shop.shipping import zones as shipping_zones
from vetrina.shop.shipping.methods import FREE, PICKUP, Parcel
from vetrina.shop.shipping.zones import Method
from vetrina.shop.taxes import classes as tax_classes
from vetrina.shop.taxes import rates as tax_rates
from vetrina.shop.taxes import rules as taxes
from vetrina.shop.taxes.rules import Place, Rate

__all__ = ["Offer", "Packed", "Spent", "choose", "is_addressed", "list_offers", "rates_for", "ships"]

_TAXABLE: Final = "taxable"
_INHERIT: Final = "inherit"
_MOST_PLACES: Final = 2  # decimals of what a way of shipping costs, also where the shop writes more
_CLASS_COSTS: Final = ("class_cost_", "no_class_cost")
_FETCHED: Final = frozenset({PICKUP, "pickup_location"})  # ways by which nothing is sent


class Offer(msgspec.Struct, frozen=True):
    """A way of shipping that is to be had. item: as an order would have it, with its taxes by rate, unrounded."""

    method: Method
    item: Item

    @property
    def id(self) -> str:
        return f"{self.method.kind}:{self.method.id}"

    @property
    def tax(self) -> Decimal:
        """Return what its taxes come to, unrounded."""
        return sum(self.item.taxes.values(), money.ZERO)


class Packed(msgspec.Struct, frozen=True):
    """Goods that are sent, with what they cost after discounts and without tax."""

    goods: Goods
    quantity: int
    total: Decimal


class Spent(msgspec.Struct, frozen=True):
    """What free shipping asks of a cart. amount: what its customer spends, before discounts and after; coupon: whether
    one of its coupons gives free shipping."""

    before: Decimal
    after: Decimal
    coupon: bool = False


def ships(work: Work) -> bool:
    """Say whether the shop sends things at all."""
    return bool(settings.shop_option(work, "shop_ship_to_countries") != "disabled")


def is_addressed(work: Work, address: Mapping[str, str]) -> bool:
    """Say whether enough of an address is known to tell what sending something there costs, as the shop wants it."""
    if not settings.is_on(work, "shop_shipping_cost_requires_address"):
        return True
    return not order_addresses.missing(
        {name: address.get(name, "") for name in ("country", "state", "postcode", "city")}
    )


def list_offers(
    work: Work, one: Cart, packed: Sequence[Packed], spent: Spent, rates_of: Callable[[Item], Sequence[Rate]]
) -> list[Offer]:
    """Return the ways of shipping that are to be had for what a cart sends, in the order of the zone.

    rates_of: the tax rates of a way of shipping.
    """
    place = Place(*(one.shipping.get(name, "") for name in ("country", "state", "postcode", "city")))
    if not place.country:
        place = order_lines.shop_place(work)
    zone = shipping_zones.zone_at(work, place)
    methods = [(method, method.values) for method in shipping_zones.methods_of(work, zone.id) if method.enabled]
    parcel = _parcel(work, packed, spent, [values for _, values in methods])
    places = min(settings.decimals(work), _MOST_PLACES)
    out = []
    for method, values in methods:
        if method.kind == FREE and not shipping_methods.is_free_for(values, parcel):
            continue
        cost = shipping_methods.cost_of(method.kind, values, parcel)
        if cost is None:
            continue
        item = Item(
            0, 0, SHIPPING, str(values.get("title") or method.of.title),
            tax_status=str(values.get("tax_status") or _TAXABLE), total=money.rounded(cost, places), code=method.kind,
        )  # fmt: skip
        # Taxes are those of the exact cost, which is rounded only then.
        out.append(Offer(method, msgspec.structs.replace(item, taxes=taxes.upon(cost, rates_of(item)))))
    return _without_paid(work, out)


def _without_paid(work: Work, offers: list[Offer]) -> list[Offer]:
    """Return the offers without those that cost something beside free shipping, where the shop hides them."""
    free = any(one.method.kind == FREE for one in offers)
    if not free or not settings.is_on(work, "shop_shipping_hide_rates_when_free"):
        return offers
    return [one for one in offers if one.method.kind == FREE or one.method.kind in _FETCHED]


def rates_for(work: Work, item: Item, place: Place, lines: Sequence[tuple[Goods, Item]]) -> Sequence[Rate]:
    """Return the rates that a way of shipping is taxed by at a place; lines: what is in the cart."""
    if item.tax_status != _TAXABLE:
        return ()
    every = tax_rates.at(work, place)

    def found(tax_class: str) -> tuple[Rate, ...]:
        return tuple(rate for rate in taxes.rates_at(every, place, tax_class) if rate.shipping)

    chosen = str(settings.shop_option(work, "shop_shipping_tax_class"))
    if chosen != _INHERIT:
        return found(chosen)
    # Goods that are not sent, or not taxed in their shipping, say nothing about its class.
    classes = {one.tax_class for goods, one in lines if not goods.one.virtual and one.tax_status != "none"}
    known = [one for one in ("", *(one.slug for one in tax_classes.listed(work))) if one in classes]
    return found(known[0]) if known else ()


def choose(one: Cart, offers: Sequence[Offer], *, free: bool) -> Offer | None:
    """Return the way by which a cart is sent: the visitor's as long as there are the same ones to choose from.

    Who chose to fetch the goods goes on doing so while that can be had, and nobody fetches them who did not choose to:
    where there is no other way none is taken. free: whether a coupon gives free shipping, which then is taken unless
    something else is chosen.
    """
    chosen = next((offer for offer in offers if offer.id == one.rate), None)
    if chosen is not None and (chosen.method.kind in _FETCHED or one.offered == tuple(offer.id for offer in offers)):
        return chosen
    if free and (found := next((offer for offer in offers if offer.method.kind == FREE), None)):
        return found
    sent = next((offer for offer in offers if offer.method.kind not in _FETCHED), None)
    if sent is None and all(offer.method.kind != PICKUP for offer in offers):
        # Places where goods are fetched stand for themselves in a shop that sends nothing.
        return next(iter(offers), None)
    return sent


def _parcel(work: Work, packed: Sequence[Packed], spent: Spent, set_of: Sequence[Mapping[str, object]]) -> Parcel:
    """Return what is sent; set_of: what is set of each way of sending it."""
    by_class: dict[int, tuple[int, Decimal]] = {}
    for one, id in zip(packed, _classes(work, packed, set_of), strict=False):
        pieces, cost = by_class.get(id, (0, money.ZERO))
        by_class[id] = (pieces + one.quantity, cost + one.total)
    return Parcel(
        sum(one.quantity for one in packed), sum((one.total for one in packed), money.ZERO),
        by_class, spent.before, spent.after, spent.coupon,
    )  # fmt: skip


def _classes(work: Work, packed: Sequence[Packed], set_of: Sequence[Mapping[str, object]]) -> list[int]:
    """Return the shipping class of each thing that is sent; none where no class costs anything."""
    cost = any(value and name.startswith(_CLASS_COSTS) for values in set_of for name, value in values.items())
    if not cost or not shipping_classes.names(work):
        return []
    found = shipping_classes.by_goods(work, ((one.goods.one, one.goods.root) for one in packed))
    return [found[one.goods.one.id] for one in packed]
