"""Shipping rates of a cart: what each costs with its taxes, and which one is chosen.

Not here: zones and settings of their methods (shop/shipping/zones.py), costs (shop/shipping/costs.py), the cart's
totals (shop/cart/totals.py). Rules: docs/rules/cart.md, 7 and docs/rules/taxes.md, 3 and 5.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Final

import msgspec

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import money
from vetrina.shop.cart.lines import Sellable
from vetrina.shop.cart.store import Cart
from vetrina.shop.customers import addresses as customer_addresses
from vetrina.shop.orders import tax_location
from vetrina.shop.orders.model import SHIPPING, OrderItem
from vetrina.shop.settings import rules as settings
from vetrina.shop.shipping import (
    classes as shipping_classes,
    costs as shipping_costs,
    free_shipping,
    zones as shipping_zones,
)
from vetrina.shop.shipping.costs import ShippingParcel
from vetrina.shop.shipping.methods import FREE_SHIPPING, LOCAL_PICKUP
from vetrina.shop.shipping.zones import ShippingMethod
from vetrina.shop.taxes import classes as tax_classes, rate_store as tax_rates, rules as taxes
from vetrina.shop.taxes.rules import EffectiveTaxRate, TaxLocation

_TAXABLE: Final = "taxable"
_INHERIT: Final = "inherit"
_MAX_DECIMALS: Final = 2  # decimals of a shipping cost, even where the shop uses more
_CLASS_COSTS: Final = ("class_cost_", "no_class_cost")
_PICKUP_KINDS: Final = frozenset({LOCAL_PICKUP, "pickup_location"})  # methods that ship nothing


class ShippingRate(msgspec.Struct, frozen=True):
    """An available shipping rate. item: as an order item, with its unrounded taxes by tax rate."""

    method: ShippingMethod
    item: OrderItem

    @property
    def id(self) -> str:
        return f"{self.method.kind}:{self.method.id}"

    @property
    def tax(self) -> Decimal:
        """Return the sum of its taxes, unrounded."""
        return sum(self.item.taxes.values(), money.ZERO)


class PackageItem(msgspec.Struct, frozen=True):
    """A product to ship, with its cost after discounts and without tax."""

    goods: Sellable
    quantity: int
    total: Decimal


class FreeShippingSpend(msgspec.Struct, frozen=True):
    """What the conditions of free shipping are checked against.

    before, after: what the customer spends before and after discounts. coupon: whether an applied coupon grants free
    shipping.
    """

    before: Decimal
    after: Decimal
    coupon: bool = False


def is_shipping_enabled(work: UnitOfWork) -> bool:
    """Return whether the shop ships at all."""
    return bool(settings.get_shop_option(work, "shop_ship_to_countries") != "disabled")


def has_shipping_address(work: UnitOfWork, address: Mapping[str, str]) -> bool:
    """Return whether an address is complete enough to compute shipping costs, as the shop requires."""
    if not settings.is_setting_on(work, "shop_shipping_cost_requires_address"):
        return True
    return not customer_addresses.list_missing_fields(
        {name: address.get(name, "") for name in ("country", "state", "postcode", "city")}
    )


def list_shipping_rates(
    work: UnitOfWork,
    cart: Cart,
    packed: Sequence[PackageItem],
    spent: FreeShippingSpend,
    rates_of: Callable[[OrderItem], Sequence[EffectiveTaxRate]],
) -> list[ShippingRate]:
    """Return the shipping rates available for the shippable items of a cart, in the order of the zone's methods.

    rates_of: returns the tax rates of a shipping item.
    """
    place = TaxLocation(*(cart.shipping.get(name, "") for name in ("country", "state", "postcode", "city")))
    if not place.country:
        place = tax_location.get_shop_location(work)
    zone = shipping_zones.find_matching_zone(work, place)
    methods = [(method, method.values) for method in shipping_zones.list_zone_methods(work, zone.id) if method.enabled]
    parcel = _build_parcel(work, packed, spent, [values for _, values in methods])
    places = min(settings.get_price_decimals(work), _MAX_DECIMALS)
    out = []
    for method, values in methods:
        if method.kind == FREE_SHIPPING and not free_shipping.is_free_shipping_available(values, parcel):
            continue
        cost = shipping_costs.compute_shipping_cost(method.kind, values, parcel)
        if cost is None:
            continue
        item = OrderItem(
            0,
            0,
            SHIPPING,
            str(values.get("title") or method.method_type.title),
            tax_status=str(values.get("tax_status") or _TAXABLE),
            total=money.round_amount(cost, places),
            code=method.kind,
        )
        # Taxes are computed from the exact cost, which is rounded afterwards.
        out.append(
            ShippingRate(method, msgspec.structs.replace(item, taxes=taxes.compute_added_taxes(cost, rates_of(item))))
        )
    return _hide_paid_rates(work, out)


def _hide_paid_rates(work: UnitOfWork, offers: list[ShippingRate]) -> list[ShippingRate]:
    """Return the rates without the paid ones beside free shipping, where the shop hides them."""
    free = any(one.method.kind == FREE_SHIPPING for one in offers)
    if not free or not settings.is_setting_on(work, "shop_shipping_hide_rates_when_free"):
        return offers
    return [one for one in offers if one.method.kind == FREE_SHIPPING or one.method.kind in _PICKUP_KINDS]


def list_shipping_tax_rates(
    work: UnitOfWork, item: OrderItem, place: TaxLocation, lines: Sequence[tuple[Sellable, OrderItem]]
) -> Sequence[EffectiveTaxRate]:
    """Return the tax rates of a shipping item at a location; lines: what the cart holds."""
    if item.tax_status != _TAXABLE:
        return ()
    every = tax_rates.list_tax_rates_at(work, place)

    chosen = str(settings.get_shop_option(work, "shop_shipping_tax_class"))
    if chosen != _INHERIT:
        return taxes.select_shipping_rates(every, place, chosen)
    # Virtual products and those whose shipping is not taxed do not determine the class.
    classes = {one.tax_class for goods, one in lines if not goods.one.virtual and one.tax_status != "none"}
    known = [one for one in ("", *(one.slug for one in tax_classes.list_tax_classes(work))) if one in classes]
    return taxes.select_shipping_rates(every, place, known[0]) if known else ()


def choose_shipping_rate(cart: Cart, offers: Sequence[ShippingRate], *, free: bool) -> ShippingRate | None:
    """Return the shipping rate of a cart: the visitor's choice as long as the same rates are on offer.

    A visitor who chose pickup keeps it while it is available, and nobody is given pickup without choosing it: where
    nothing else is available, None. free: whether a coupon grants free shipping, which is then taken unless another
    rate was chosen.
    """
    chosen = next((offer for offer in offers if offer.id == cart.rate), None)
    if chosen is not None and (
        chosen.method.kind in _PICKUP_KINDS or cart.offered == tuple(offer.id for offer in offers)
    ):
        return chosen
    if free and (found := next((offer for offer in offers if offer.method.kind == FREE_SHIPPING), None)):
        return found
    sent = next((offer for offer in offers if offer.method.kind not in _PICKUP_KINDS), None)
    if sent is None and all(offer.method.kind != LOCAL_PICKUP for offer in offers):
        # In a shop that does not ship, pickup locations are offered by themselves.
        return next(iter(offers), None)
    return sent


def _build_parcel(
    work: UnitOfWork, packed: Sequence[PackageItem], spent: FreeShippingSpend, set_of: Sequence[Mapping[str, object]]
) -> ShippingParcel:
    """Return the parcel to ship; set_of: settings of each shipping method."""
    by_class: dict[int, tuple[int, Decimal]] = {}
    for one, id in zip(packed, _list_shipping_classes(work, packed, set_of), strict=False):
        pieces, cost = by_class.get(id, (0, money.ZERO))
        by_class[id] = (pieces + one.quantity, cost + one.total)
    return ShippingParcel(
        sum(one.quantity for one in packed), sum((one.total for one in packed), money.ZERO),
        by_class, spent.before, spent.after, spent.coupon,
    )  # fmt: skip


def _list_shipping_classes(
    work: UnitOfWork, packed: Sequence[PackageItem], set_of: Sequence[Mapping[str, object]]
) -> list[int]:
    """Return the shipping class of each shipped item; empty where no class has a cost."""
    cost = any(value and name.startswith(_CLASS_COSTS) for values in set_of for name, value in values.items())
    if not cost or not shipping_classes.list_shipping_class_names(work):
        return []
    found = shipping_classes.find_product_shipping_classes(work, ((one.goods.one, one.goods.root) for one in packed))
    return [found[one.goods.one.id] for one in packed]
