"""Serialization of a cart for visitors.

Not here: totals (shop/cart/totals.py), routes (shop/storefront/cart_routes.py). Rules: docs/rules/cart.md, 2 and 7.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import money
from vetrina.rest.fields import Array, Boolean, Field, Integer, Number, Object, String, Untyped
from vetrina.shop.cart import lines as cart_lines, totals as cart_totals
from vetrina.shop.cart.line_prices import PricedCartLine
from vetrina.shop.cart.shipping import ShippingRate
from vetrina.shop.cart.store import Cart
from vetrina.shop.cart.totals import AppliedCoupon, CartTotals
from vetrina.shop.checkout import payment_methods
from vetrina.shop.customers import addresses as customer_addresses
from vetrina.shop.orders.model import BILLING_FIELDS, SHIPPING_FIELDS
from vetrina.shop.products import model as product_model
from vetrina.shop.products.model import CROSS_SELL
from vetrina.shop.settings import rules as settings
from vetrina.shop.storefront import product_views
from vetrina.shop.storefront.amount_views import CURRENCY_FIELDS, MoneySerializer
from vetrina.shop.storefront.line_views import LineItemView

_EXACT_DECIMALS: Final = 6
_PACKAGE_NAME: Final = "Shipment 1"
_GRAMS: Final = {"kg": Decimal(1000), "g": Decimal(1), "lbs": Decimal("453.592"), "oz": Decimal("28.3495")}
_DESTINATION_PARTS: Final = ("address_1", "address_2", "city", "state", "postcode", "country")


def serialize_cart(work: UnitOfWork, cart: Cart) -> dict[str, Any]:
    """Return a cart as responses show it."""
    return CartView(work, cart_totals.compute_cart_totals(work, cart)).serialize_cart()


def serialize_address(address: Mapping[str, str], names: tuple[str, ...]) -> dict[str, str]:
    """Return an address with all its fields; a state that its country does not have is left out."""
    cleaned = customer_addresses.drop_unknown_state(address)
    return {name: cleaned.get(name, "") for name in names}


class CartView:
    """Serializes a cart with its totals."""

    def __init__(self, work: UnitOfWork, counted: CartTotals) -> None:
        self.work, self.counted, self.amounts = work, counted, MoneySerializer(work)
        self.goods = LineItemView(work, [line.goods for line in counted.lines], self.amounts, counted.place)

    def serialize_cart(self) -> dict[str, Any]:
        """Return the whole cart."""
        counted = self.counted
        return {
            "items": self.serialize_lines(),
            "coupons": self.serialize_coupons(),
            "fees": [],
            "totals": self._serialize_totals(),
            "shipping_address": serialize_address(counted.cart.shipping, SHIPPING_FIELDS),
            "billing_address": serialize_address(counted.cart.billing, BILLING_FIELDS),
            "needs_payment": counted.figures.total > 0,
            "needs_shipping": counted.needs_shipping,
            "payment_requirements": ["products"],
            "has_calculated_shipping": counted.needs_shipping and counted.has_address,
            "shipping_rates": self._serialize_packages(),
            "items_count": sum(line.line.quantity for line in counted.lines),
            "items_weight": self._compute_weight(),
            "cross_sells": self._serialize_cross_sells(),
            "errors": [{"code": fault.code, "message": fault.text} for fault in counted.faults],
            "payment_methods": [held.gateway.id for held in payment_methods.list_payment_methods(self.work, counted)],
            "extensions": {},
        }

    def serialize_lines(self) -> list[dict[str, Any]]:
        """Return all lines."""
        return [self.serialize_line(line) for line in self.counted.lines]

    def serialize_line(self, line: PricedCartLine) -> dict[str, Any]:
        """Return one line."""
        goods, item = line.goods, line.item
        counter = goods.stock_holder
        members = self.goods.serialize_line(goods, line.line.choices)
        late = counter is not None and counter.backorders == "notify"
        return {
            "key": line.line.key,
            "id": goods.one.id,
            "type": goods.one.kind,
            "quantity": line.line.quantity,
            "quantity_limits": {
                "minimum": 1,
                "maximum": self.goods.compute_max_quantity(goods),
                "multiple_of": 1,
                "editable": not goods.is_sold_individually,
            },
            **members,
            "show_backorder_badge": late and counter is not None and (counter.stock_quantity or 0) < line.line.quantity,
            "totals": self.amounts.serialize_amounts(
                line_subtotal=item.subtotal,
                line_subtotal_tax=item.subtotal_tax,
                line_total=item.total,
                line_total_tax=item.total_tax,
            ),
            "extensions": {},
        }

    def serialize_coupons(self) -> list[dict[str, Any]]:
        """Return all coupons."""
        return [self.serialize_coupon(one) for one in self.counted.coupons]

    def serialize_coupon(self, applied: AppliedCoupon) -> dict[str, Any]:
        """Return one coupon with its discount."""
        # Half a cent of a coupon is rounded down after six decimals; that of the cart is rounded up.
        discount, tax = (
            self.amounts.format_minor_units(money.round_amount(amount, _EXACT_DECIMALS), half=money.HALF_DOWN)
            for amount in (applied.discount, applied.tax)
        )
        return {
            "code": applied.coupon.code,
            "discount_type": applied.coupon.kind,
            "totals": self.amounts.serialize_amounts(total_discount=discount, total_discount_tax=tax),
        }

    def _serialize_totals(self) -> dict[str, Any]:
        counted, figures, minor = self.counted, self.counted.figures, self.amounts.format_minor_units
        sent = counted.needs_shipping and counted.has_address
        return self.amounts.serialize_amounts(
            total_items=counted.subtotal, total_items_tax=counted.subtotal_tax, total_fees=money.ZERO,
            total_fees_tax=money.ZERO, total_discount=figures.discount, total_discount_tax=figures.discount_tax,
            total_shipping=figures.shipping if sent else None,
            total_shipping_tax=figures.shipping_tax if sent else None, total_price=figures.total,
            total_tax=figures.total_tax,
            tax_lines=[
                {
                    "name": one.rate.name or "Tax",
                    "price": minor(one.amount),
                    "rate": f"{money.format_plain_amount(one.rate.percent)}%",
                }
                for one in counted.tax_lines
            ],
        )  # fmt: skip

    def _serialize_packages(self) -> list[dict[str, Any]]:
        counted = self.counted
        if not counted.needs_shipping:
            return []
        sent = [line for line in counted.lines if line.needs_shipping]
        names = ", ".join(f"{goods.one.name} &times; {pieces}" for goods, pieces in counted.shipped_lines)
        return [
            {
                "package_id": 0,
                "name": _PACKAGE_NAME,
                "destination": serialize_address(counted.cart.shipping, _DESTINATION_PARTS),
                "items": [
                    {"key": line.line.key, "name": line.goods.one.name, "quantity": line.line.quantity} for line in sent
                ],
                "shipping_rates": [self._serialize_rate(one, names) for one in counted.offers],
            }
        ]

    def _serialize_rate(self, rate: ShippingRate, names: str) -> dict[str, Any]:
        return {
            "rate_id": rate.id,
            "name": rate.item.name,
            "description": "",
            "delivery_time": "",
            "price": self.amounts.format_minor_units(rate.item.total),
            "taxes": self.amounts.format_minor_units(rate.tax),
            "instance_id": rate.method.id,
            "method_id": rate.method.kind,
            "meta_data": [{"key": "Items", "value": names}],
            "selected": rate is self.counted.chosen,
            **self.amounts.members,
        }

    def _compute_weight(self) -> float:
        """Return the weight of the products, in grams."""
        weight = money.ZERO
        for line in self.counted.lines:
            written = line.goods.one.weight or line.goods.root.weight
            if written and not line.goods.one.virtual:
                weight += (money.parse_amount(written) or money.ZERO) * line.line.quantity
        unit = str(settings.get_shop_option(self.work, "shop_weight_unit"))
        return max(0.0, float(weight * _GRAMS.get(unit, Decimal(1))))

    def _serialize_cross_sells(self) -> list[dict[str, Any]]:
        """Return the cross-sells of the cart's products that are not in the cart."""
        held = {id for line in self.counted.lines for id in (line.goods.root.id, line.goods.one.id)}
        if not held:
            return []
        linked = product_model.list_product_links(self.work, held)
        wanted = [id for of in linked.values() for id in of.get(CROSS_SELL, ()) if id not in held]
        if not wanted:
            return []
        found = cart_lines.load_sellables(self.work, dict.fromkeys(wanted))
        fit = [goods.one for goods in found.values() if cart_lines.is_purchasable(self.work, goods)]
        return product_views.serialize_products(self.work, fit)


_TOTALS: Final = Object("What it comes to, in the smallest unit of the currency.", CURRENCY_FIELDS, additional=True)
_ADDRESS: Final = {name: String() for name in SHIPPING_FIELDS}

LINE_FIELDS: Final[dict[str, Field]] = {
    "key": String("Key of the line.", readonly=True),
    "id": Integer("Number of the product or variation.", readonly=True),
    "type": String("Kind of product.", readonly=True),
    "quantity": Integer("How many pieces.", readonly=True),
    "quantity_limits": Object("How many there may be.", additional=True, readonly=True),
    "name": String("Name of the product.", readonly=True),
    "short_description": String("A short text, as HTML.", readonly=True),
    "description": String("The whole text, as HTML.", readonly=True),
    "sku": String("Stock number.", readonly=True),
    "low_stock_remaining": Untyped("How many pieces are left where they are few, else null.", readonly=True),
    "backorders_allowed": Boolean("Whether more may be ordered than there is.", readonly=True),
    "show_backorder_badge": Boolean("Whether some of it comes later.", readonly=True),
    "sold_individually": Boolean("Whether only one may be in a cart.", readonly=True),
    "permalink": String("Address of the product's page.", format="uri", readonly=True),
    "images": Array("Its images.", items=Object(additional=True), readonly=True),
    "variation": Array("What was chosen.", items=Object(additional=True), readonly=True),
    "item_data": Array("What else is known of it.", items=Object(additional=True), readonly=True),
    "prices": Object("What one piece costs.", CURRENCY_FIELDS, additional=True, readonly=True),
    "totals": _TOTALS,
    "catalog_visibility": String("Where the product is shown.", readonly=True),
    "extensions": Object("What other modules add.", additional=True, readonly=True),
}

CART_FIELDS: Final[dict[str, Field]] = {
    "items": Array("The lines.", items=Object(properties=LINE_FIELDS), readonly=True),
    "coupons": Array("The coupons.", items=Object(additional=True), readonly=True),
    "fees": Array("Fees.", items=Object(additional=True), readonly=True),
    "totals": _TOTALS,
    "shipping_address": Object("Where it is sent to.", _ADDRESS, readonly=True),
    "billing_address": Object("Who pays.", {**_ADDRESS, "email": String()}, readonly=True),
    "needs_payment": Boolean("Whether anything is to be paid.", readonly=True),
    "needs_shipping": Boolean("Whether anything is to be sent.", readonly=True),
    "payment_requirements": Array("What a way of paying must be able to do.", items=String(), readonly=True),
    "has_calculated_shipping": Boolean("Whether it is known what sending costs.", readonly=True),
    "shipping_rates": Array("Parcels with the ways to send each.", items=Object(additional=True), readonly=True),
    "items_count": Integer("How many pieces there are.", readonly=True),
    "items_weight": Number("What they weigh, in grams.", readonly=True),
    "cross_sells": Array("Products that go with these.", items=Object(additional=True), readonly=True),
    "errors": Array("Why the cart cannot be bought as it is.", items=Object(additional=True), readonly=True),
    "payment_methods": Array("Ways of paying that it can be paid by.", items=String(), readonly=True),
    "extensions": Object("What other modules add.", additional=True, readonly=True),
}
